//! A difference between two experiments, or between two sittings.

use std::fmt;
use toml::{Table, Value};

/// A thing that differs, and its value on either side.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// A key with the tables it is in, or the name of another thing.
    pub what: String,
    /// The value of the one side.
    pub there: String,
    /// The value of the other side.
    pub here: String,
}

impl Difference {
    /// A difference in these words.
    pub fn new(what: impl Into<String>, there: String, here: String) -> Difference {
        Difference { what: what.into(), there, here }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} there, {} here", self.what, self.there, self.here)
    }
}

/// The values that differ, each as "key: there, here".
pub fn differences(there: &Table, here: &Table) -> String {
    let words: Vec<String> = differing(there, here).iter().map(ToString::to_string).collect();
    words.join("; ")
}

/// The values that differ. A key is joined by dots to the tables it is in, such as `engine.preset`.
pub fn differing(there: &Table, here: &Table) -> Vec<Difference> {
    let mut differences = Vec::new();
    differ(there, here, "", &mut differences);
    differences
}

fn differ(there: &Table, here: &Table, above: &str, differences: &mut Vec<Difference>) {
    let only_here = here.keys().filter(|key| !there.contains_key(*key));
    for key in there.keys().chain(only_here) {
        let name = format!("{above}{key}");
        let (a, b) = (there.get(key), here.get(key));
        let tables = |value: Option<&Value>, other: Option<&Value>| match value {
            Some(value) => by_name(value),
            // A missing array equals an empty one.
            None => other.and_then(Value::as_array).map(|_| Table::new()),
        };
        match (tables(a, b), tables(b, a)) {
            _ if a == b => {}
            (Some(a), Some(b)) => differ(&a, &b, &format!("{name}."), differences),
            _ => {
                let text = |value: Option<&Value>| match value {
                    None => "unset".to_owned(),
                    Some(Value::Table(_)) => "a table".to_owned(),
                    Some(value) => value.to_string(),
                };
                differences.push(Difference::new(name, text(a), text(b)));
            }
        }
    }
}

/// A table. An array of tables with names becomes a table too, with each under its name.
fn by_name(value: &Value) -> Option<Table> {
    match value {
        Value::Table(table) => Some(table.clone()),
        Value::Array(array) => {
            let named = |item: &Value| Some((item.get("name")?.as_str()?.to_owned(), item.clone()));
            array.iter().map(named).collect()
        }
        _ => None,
    }
}
