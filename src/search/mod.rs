//! The one alpha-beta.

mod counters;

pub use counters::{ByKind, Counters, NodeKind};

/// The greatest depth that can be asked for.
pub const MAX_DEPTH: u8 = 100;
