//! A reading of the machine, or the reason why there is none.

use serde::{Deserialize, Serialize};

/// A number, or `unavailable: ` and the reason why it could not be read. (Readings that are texts
/// hold such a reason themselves.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reading {
    /// The number that was read.
    Value(u64),
    /// The reason why none was read.
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
