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

mod reading;
mod writing;

pub use crate::words::{nearest, unknown};
pub use reading::{read, resolve_all};
pub use writing::table_of;

use serde::{Serialize, de, ser};
use std::collections::BTreeMap;
use std::fmt;

/// Values by name.
pub type Table = BTreeMap<String, Value>;

/// One value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Another number.
    Float(f64),
    /// A text, or the name of a choice.
    String(String),
    /// Several values.
    Array(Vec<Value>),
    /// Values by name.
    Table(Table),
}

impl Value {
    /// The whole number that it is; none if it is of another type.
    pub const fn as_integer(&self) -> Option<i64> {
        if let Value::Integer(number) = self { Some(*number) } else { None }
    }

    /// The text that it is; none if it is of another type.
    pub const fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = self { Some(text.as_str()) } else { None }
    }

    /// The table that it is; none if it is of another type.
    pub const fn as_table(&self) -> Option<&Table> {
        if let Value::Table(table) = self { Some(table) } else { None }
    }
}

impl From<bool> for Value {
    fn from(on: bool) -> Value {
        Value::Boolean(on)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Integer(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.to_owned())
    }
}

/// The text of a value in an experiment file, on one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Boolean(on) => on.fmt(f),
            Value::Integer(number) => number.fmt(f),
            Value::Float(number) if number % 1.0 == 0.0 => write!(f, "{number}.0"),
            Value::Float(number) if number.is_nan() => f.write_str("nan"),
            Value::Float(number) => number.fmt(f),
            Value::String(text) => {
                let has =
                    |odd: &[char]| text.contains(|c: char| c.is_control() || odd.contains(&c));
                match (has(&['"', '\\']), has(&['\''])) {
                    (false, _) => write!(f, "\"{text}\""),
                    (true, false) => write!(f, "'{text}'"),
                    (true, true) => write!(f, "{text:?}"),
                }
            }
            Value::Array(values) => {
                let values: Vec<String> = values.iter().map(Value::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
            Value::Table(table) if table.is_empty() => f.write_str("{}"),
            Value::Table(table) => {
                let said = table.iter().map(|(key, value)| format!("{key} = {value}"));
                write!(f, "{{ {} }}", said.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The table `base` with the entries of `said` over it. A switch alone sets `enabled` of its
/// technique, and the numbers of that technique stay.
#[must_use]
pub fn over(mut base: Table, said: &Table) -> Table {
    for (key, value) in said {
        match (base.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(said)) => {
                *inner = over(std::mem::take(inner), said);
            }
            (Some(Value::Table(inner)), Value::Boolean(_)) => {
                inner.insert("enabled".to_owned(), value.clone());
            }
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
    base
}

/// The reason why a value is not as expected, and its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ValueError {
    /// Its key, after the keys of the tables that hold it. Empty if the error is about the whole.
    pub keys: Vec<String>,
    /// The reason, in words.
    pub what: String,
}

impl ValueError {
    /// The error of the value with these keys.
    pub fn at(keys: &[&str], what: impl Into<String>) -> ValueError {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        ValueError { keys, what: what.into() }
    }

    /// The error as seen from outside the table with this key.
    #[must_use]
    pub fn below(mut self, key: &str) -> ValueError {
        self.keys.insert(0, key.to_owned());
        self
    }
}

impl de::Error for ValueError {
    fn custom<T: fmt::Display>(why: T) -> ValueError {
        ValueError::at(&[], why.to_string())
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> ValueError {
        ValueError::at(&[], unknown("key", field, expected))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> ValueError {
        ValueError::at(&[], unknown("value", variant, expected))
    }
}

impl ser::Error for ValueError {
    fn custom<T: fmt::Display>(why: T) -> ValueError {
        ValueError::at(&[], why.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{read, table_of};

    /// Messages quote values in the form of a file.
    #[test]
    fn values_are_written_as_in_a_file() {
        for text in [
            "true",
            "-7",
            "1.5",
            "2.0",
            "-0.0",
            "1e300",
            "inf",
            "nan",
            "\"long\"",
            "'a \"word\"'",
            "'\\'",
            "\"it's\"",
            "[1, [\"a\"], []]",
            "{ a = 1, b = { c = \"d\" } }",
            "{}",
        ] {
            let file: toml::Table = format!("key = {text}").parse().expect(text);
            let table: Table = file.clone().try_into().expect(text);
            assert_eq!(table["key"].to_string(), file["key"].to_string());
        }
    }

    #[test]
    fn what_is_written_into_a_table_is_read_from_it() {
        let text = "a = 1\nb = true\nc = { d = 'e', f = 1.5 }";
        let table: Table = toml::from_str(text).expect("TOML");
        assert_eq!(table_of(&table).as_ref(), Ok(&table));
        assert_eq!(read(table.clone()).as_ref(), Ok(&table));
    }
}
