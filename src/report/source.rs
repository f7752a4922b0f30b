//! The source of the report of a sweep.

use crate::report::against::Against;
use crate::report::topics::sensitivity::rows::Sensitivity;
use crate::report::{Input, MatchInput};

/// A results directory, and the other results that its report shows.
#[derive(Debug)]
pub(crate) struct Source {
    /// The content of the directory for the experiment itself.
    pub(crate) input: Input,
    /// The figures with changed costs.
    pub(crate) sensitivity: Sensitivity,
    /// The match whose ratings stand beside the speedups, if there is one.
    pub(crate) games: Option<MatchInput>,
    /// The figures of studies that stand beside ours.
    pub(crate) against: Against,
    /// The position whose times are drawn one by one, if one was asked for.
    pub(crate) position: Option<String>,
}

impl Source {
    /// A source without other results.
    #[cfg(test)]
    pub(crate) fn of(input: Input) -> Source {
        let (sensitivity, against) = (Sensitivity::default(), Against::default());
        Source { input, sensitivity, games: None, against, position: None }
    }
}
