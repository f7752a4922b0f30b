//! SKELETON: every technique is a switch with its numbers: `[engine]`.
use serde::{Deserialize, Serialize};

/// The table `[engine]`, resolved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Features {}

impl Features {
    /// Reads `[engine]`: `preset` (default, exact or plain) and what differs from it. The error names the
    /// key and what was expected.
    pub fn resolve(table: &toml::Table) -> Result<Features, String> {
        table.clone().try_into().map_err(|e: toml::de::Error| e.message().to_owned())
    }
}
