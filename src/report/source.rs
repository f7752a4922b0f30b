//! The source of the report of a sweep.

use crate::report::topics::sensitivity::rows::Sensitivity;
use crate::report::{Input, MatchInput};

/// A results directory, and what stands beside it.
#[derive(Debug)]
pub(crate) struct Source {
    /// All that the directory holds of the experiment itself.
    pub(crate) input: Input,
    /// The figures with changed costs.
    pub(crate) sensitivity: Sensitivity,
    /// The match whose ratings stand beside the speedups, if there is one.
    pub(crate) games: Option<MatchInput>,
    /// The position whose times are drawn one by one, if one was asked for.
    pub(crate) position: Option<String>,
}

impl Source {
    /// A directory with nothing beside it.
    #[cfg(test)]
    pub(crate) fn of(input: Input) -> Source {
        Source { input, sensitivity: Sensitivity::default(), games: None, position: None }
    }
}
