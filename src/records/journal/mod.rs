//! Files that rows are appended to.
//!
//! | file | what it holds |
//! |---|---|
//! | `rows` | the rows that a resumed run reads back; the cutting of a half-written end |
//! | `appended` | a file that is appended to; the reasons why it cannot be used |
//! | `salvage` | the usable rows of a damaged file, or of a file with another header |
//! | `wrong` | the error of a row or a header, in words that name the column |

mod appended;
mod rows;
mod salvage;
mod wrong;

pub(crate) use appended::Appended;
pub use appended::JournalError;
pub(crate) use appended::csv_line;
pub(crate) use rows::{Rows, begun};
pub use salvage::{Unusable, salvage};
pub use wrong::quoted;
