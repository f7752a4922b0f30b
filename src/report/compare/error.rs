//! Why two directories cannot be compared.

use crate::records::ResultsError;

/// Why two directories cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// A directory cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// They are not what was expected.
    #[error("{0}")]
    Unlike(String),
}

impl CompareError {
    /// Whether it is the command, or what it is about, that is wrong, and not the machine.
    pub const fn is_usage(&self) -> bool {
        match self {
            CompareError::Results(of) => of.is_usage(),
            CompareError::Unlike(_) => true,
        }
    }
}
