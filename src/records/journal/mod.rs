//! Files that rows are appended to.
//!
//! | file | what it holds |
//! |---|---|
//! | `rows` | the rows that a resumed run reads back; the cutting of a half-written end |
//! | `appended` | a file that is appended to |
//! | `salvage`, `by_name` | the usable rows of a damaged file, or of a file with another header |
//! | `wrong` | the error of a row or a header, in words that name the column |
//! | `error` | the reasons why a journal cannot be used |

mod appended;
mod by_name;
mod error;
mod rows;
mod salvage;
mod wrong;

pub(crate) use appended::Appended;
pub(crate) use appended::csv_line;
pub use error::JournalError;
pub(crate) use rows::{Rows, begun};
pub use salvage::{Unusable, salvage};
pub use wrong::quoted;
