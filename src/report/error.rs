//! The reasons why a report could not be written.

use crate::records::{ResolveError, ResultsError};
use crate::report::charts::{CHARTS, ChartError};
use std::path::PathBuf;

/// The reason why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The results cannot be read, or a file of the report cannot be written.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The match of a results directory cannot be read.
    #[error(transparent)]
    Match(#[from] ResolveError),
    /// No sample is of the position that was asked for.
    #[error("{}: {what}", dir.display())]
    NoPosition {
        /// The results directory.
        dir: PathBuf,
        /// The samples that there are instead.
        what: String,
    },
    /// There is no such study.
    #[error("{0}")]
    NoStudy(String),
    /// A chart cannot be drawn.
    #[error("{name}: {source}")]
    Chart {
        /// The name of the chart.
        name: String,
        /// The reason.
        source: ChartError,
    },
}

impl ReportError {
    /// Whether the command or its directory is wrong, and not the machine.
    pub const fn is_usage(&self) -> bool {
        match self {
            ReportError::NoPosition { .. } | ReportError::NoStudy(_) | ReportError::Match(_) => {
                true
            }
            ReportError::Results(of) => of.is_usage(),
            ReportError::Chart { .. } => false,
        }
    }

    /// The error of drawing the charts.
    pub(crate) fn charts(source: ChartError) -> ReportError {
        ReportError::Chart { name: CHARTS.to_owned(), source }
    }
}
