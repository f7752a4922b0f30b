//! Rows for other programs, as CSV and as JSON.
//!
//! Numbers have as many digits as it takes to read the same number back. A figure that is not known
//! is blank. One of which censored samples leave only bounds is `[lower, upper]`.

use super::format::Format;
use crate::records::cell;
use serde_json::Value;
use ttd_stats::Bounds;

/// A table with as many cells in every row as it has columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// For each column, its name and its format.
    pub(super) header: Vec<(String, Format)>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table, if it has a row.
    pub(crate) fn filled(self) -> Option<Table> {
        Some(self).filter(|table| !table.is_empty())
    }

    /// The CSV text: a header, then one line for each row.
    pub fn csv(&self) -> String {
        let header = self.header.iter().map(|(name, _)| name.clone()).collect();
        text([&header].into_iter().chain(&self.rows))
    }

    /// The JSON text: a list with an object for each row, its columns in order. Figures are
    /// numbers, `yes` and `no` are true and false, and blanks are null. `[lower, upper]` is a list
    /// of both ends, with null for an infinite end.
    pub fn json(&self) -> String {
        let value = |format: Format, field: &String| match format {
            _ if field.is_empty() => Value::Null,
            Format::Flag => Value::from(field == "yes"),
            Format::Words => Value::from(field.as_str()),
            _ => parsed(field).unwrap_or_else(|| Value::from(field.as_str())),
        };
        let object = |row: &Vec<String>| {
            let pairs = self.header.iter().zip(row).map(|((name, format), field)| {
                format!("{}:{}", Value::from(name.as_str()), value(*format, field))
            });
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
        };
        let objects: Vec<String> = self.rows.iter().map(object).collect();
        format!("[\n{}\n]\n", objects.join(",\n"))
    }
}

/// A field as a number, or as a list of two; null if it is infinite. None if it is neither a number
/// nor bounds.
fn parsed(field: &str) -> Option<Value> {
    let one = |text: &str| -> Option<Value> {
        // Whole numbers stay whole.
        if let Ok(whole) = text.parse::<i64>() {
            return Some(whole.into());
        }
        text.parse::<f64>().ok().map(Value::from)
    };
    match field.strip_prefix('[').and_then(|both| both.strip_suffix(']')?.split_once(", ")) {
        Some((lower, upper)) => Some(Value::from(vec![one(lower)?, one(upper)?])),
        None => one(field),
    }
}

/// Rows as CSV.
pub(crate) fn text<'r>(rows: impl IntoIterator<Item = &'r Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let fields = row.iter().map(|field| cell(field).into_owned());
        writer.write_record(fields).expect("a vector takes every write, and rows are equally long");
    }
    let bytes = writer.into_inner().expect("a vector takes every write");
    String::from_utf8(bytes).expect("made of strings")
}

/// The text of a number in files.
pub(super) fn number(value: Option<f64>) -> String {
    value.filter(|value| !value.is_nan()).map_or_else(String::new, |value| value.to_string())
}

/// The text of a figure in files.
pub(super) fn figure(bounds: Option<Bounds>) -> String {
    let printed = |b: Bounds| match b.value() {
        Some(value) => number(Some(value)),
        None => format!("[{}, {}]", b.lower, b.upper),
    };
    bounds.map_or_else(String::new, printed)
}

/// The texts of the ends of an interval in files.
pub(super) fn ends(interval: Option<Bounds>) -> [String; 2] {
    [number(interval.map(|b| b.lower)), number(interval.map(|b| b.upper))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_objects() {
        let names = [
            ("searcher", Format::Words),
            ("threads", Format::Whole),
            ("over", Format::Flag),
            ("speedup", Format::Ratio),
        ];
        let header = names.map(|(name, words)| (name.to_owned(), words)).to_vec();
        let row = |row: [&str; 4]| row.map(str::to_owned).to_vec();
        let rows = vec![
            row(["a", "1", "no", ""]),
            row(["16", "4", "", "[0.5, inf]"]),
            row(["b \"x\"", "4", "yes", "-2.25"]),
        ];
        let table = Table { header, rows };
        let expected = "[\n\
            {\"searcher\":\"a\",\"threads\":1,\"over\":false,\"speedup\":null},\n\
            {\"searcher\":\"16\",\"threads\":4,\"over\":null,\"speedup\":[0.5,null]},\n\
            {\"searcher\":\"b \\\"x\\\"\",\"threads\":4,\"over\":true,\"speedup\":-2.25}\n]\n";
        assert_eq!(table.json(), expected);
        let whole: Value = serde_json::from_str(&table.json()).expect("JSON");
        assert_eq!(whole.as_array().map(Vec::len), Some(3));
        assert!(table.csv().ends_with("\"b \"\"x\"\"\",4,yes,-2.25\n"));
        assert_eq!(Table { rows: Vec::new(), ..table }.json(), "[\n\n]\n");
    }
}
