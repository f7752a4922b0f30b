//! What is said of parameters: values by name, as any file format can say them.
//!
//! Whoever reads a file deserializes a [`Table`] from it; whoever writes one serializes it. [`read`] and [`table_of`]
//! lead from a table to a type and back. No file format is known here.
//!
//! ```
//! use ttd_search::engine::Features;
//! use ttd_search::value::{Table, Value};
//!
//! let said = Table::from([("null_move".to_owned(), Value::Boolean(false))]);
//! let features = Features::resolve(&said)?;
//! assert!(!features.null_move.enabled && features.futility.enabled);
//! # Ok::<(), String>(())
//! ```

mod data;
mod reading;
mod writing;

pub use data::{Table, Value, ValueError, over};
pub use reading::read;
pub use writing::table_of;
