//! What was read of a machine, or why it could not be.

use serde::{Deserialize, Serialize};

/// A number, or `unavailable: ` and why it could not be read. (Texts say so themselves.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reading {
    /// What was read.
    Value(u64),
    /// Why nothing was.
    Unavailable(String),
}

impl From<Result<u64, String>> for Reading {
    fn from(read: Result<u64, String>) -> Reading {
        match read {
            Ok(value) => Reading::Value(value),
            Err(why) => Reading::Unavailable(unavailable(&why)),
        }
    }
}

pub(super) fn unavailable(why: &str) -> String {
    format!("unavailable: {why}")
}

pub(super) fn text(read: Result<String, String>) -> String {
    read.unwrap_or_else(|why| unavailable(&why))
}
