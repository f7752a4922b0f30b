//! The input of a simulation.

use crate::cores::cost_model::CostModel;
use crate::cores::ready_queue::Schedule;
use std::time::Duration;

/// The values that make a search on virtual cores equal each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The price of everything.
    pub model: CostModel,
    /// The seed of the jitter of nodes.
    pub noise: u64,
    /// The seed of the order of workers with equal clocks.
    pub ties: u64,
    /// The rule by which the next worker is chosen.
    pub schedule: Schedule,
    /// The greatest processor time that the simulation may take on the host. Beyond it, it fails.
    pub host_limit: Option<Duration>,
}
