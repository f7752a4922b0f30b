//! What a simulation is given.

use crate::cores::agenda::Schedule;
use crate::cores::cost_model::CostModel;
use std::time::Duration;

/// What makes one search on virtual cores the same every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// What things cost.
    pub model: CostModel,
    /// Of the jitter of nodes.
    pub noise: u64,
    /// Of the order of workers whose clocks are equal.
    pub ties: u64,
    /// Which worker goes on.
    pub schedule: Schedule,
    /// How much of a processor's time it may take on the host; beyond that it has failed.
    pub host_limit: Option<Duration>,
}
