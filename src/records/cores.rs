//! What workers run on.

use serde::{Deserialize, Serialize};

/// What workers run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoresKind {
    /// Operating-system threads and the wall clock.
    Real,
    /// Coroutines on a virtual clock.
    Virtual,
}
