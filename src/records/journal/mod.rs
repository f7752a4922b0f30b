//! Files that rows are appended to.
//!
//! | file | what it holds |
//! |---|---|
//! | `rows` | what a resumed run reads back, and what a killed one left half-written |
//! | `appended` | a file that is appended to |
//! | `salvage`, `by_name` | what can be used of a damaged file, or of one with another header |
//! | `wrong` | what is wrong with a row or a header, in words that name the column |
//! | `error` | why a journal cannot be used |

mod appended;
mod by_name;
mod error;
mod rows;
mod salvage;
mod wrong;

pub(crate) use appended::Appended;
#[cfg(test)]
pub(crate) use appended::csv_line;
pub use error::JournalError;
pub(crate) use rows::{Rows, begun};
pub use salvage::{Unusable, salvage};
pub use wrong::quoted;
