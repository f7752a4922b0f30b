//! Values by name, as any file format can give them: the input of all parameters.
//!
//! A reader of a file deserializes a [`Table`] from it; a writer serializes one. [`read`] leads
//! from a table to a type, [`table_of`] back. This module knows no file format. [`resolve_all`]
//! tells every mistake of a table at once.
//!
//! ```
//! use ttd_search::engine::Techniques;
//! use ttd_search::value::{Table, Value, ValueError};
//!
//! let said = Table::from([("null_move".to_owned(), Value::Boolean(false))]);
//! let techniques = Techniques::resolve(&said)?;
//! assert!(!techniques.null_move.enabled && techniques.futility.enabled);
//! # Ok::<(), ValueError>(())
//! ```

mod data;
mod reading;
mod writing;

pub use crate::words::{nearest, unknown};
pub use data::{Table, Value, ValueError, over};
pub use reading::{read, resolve_all};
pub use writing::table_of;
