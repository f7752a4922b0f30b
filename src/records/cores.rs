//! The kinds of cores.

use serde::{Deserialize, Serialize};

/// The kind of cores that workers run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoresKind {
    /// Operating-system threads and the wall clock.
    Real,
    /// Coroutines on a virtual clock.
    Virtual,
}
