//! The reasons why two directories cannot be compared.

use crate::records::ResultsError;

/// The reason why two directories cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// A directory cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The directories are not of the expected kind, or do not fit together.
    #[error("{0}")]
    Unlike(String),
}

impl CompareError {
    /// Whether the command or its directories are wrong, and not the machine.
    pub const fn is_usage(&self) -> bool {
        match self {
            CompareError::Results(of) => of.is_usage(),
            CompareError::Unlike(_) => true,
        }
    }
}
