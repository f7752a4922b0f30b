//! Tables for other programs: a CSV file of a report as it is, or as JSON.

use anyhow::Context;
use clap::ValueEnum;
use csv::StringRecord;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// In which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A header, then a row a line
    Csv,
    /// A list with an object for each row
    Json,
}

/// Columns of names, which are texts even if all of them look like numbers.
const NAMES: [&str; 7] =
    ["searcher", "position", "entry", "opponent", "series", "reference", "status"];

/// The table of a CSV file.
///
/// # Errors
/// If it cannot be read.
pub(super) fn text(path: &Path, format: Format) -> anyhow::Result<String> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    match format {
        Format::Csv => Ok(text),
        Format::Json => json(&text).with_context(|| path.display().to_string()),
    }
}

/// Rows as objects, with their columns in order. In a column in which all is numbers they are numbers; what is blank is
/// null; `[lower, upper]` is a list of both, an end that is infinite being null.
fn json(csv: &str) -> anyhow::Result<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers()?.clone();
    let rows = reader.records().collect::<Result<Vec<StringRecord>, _>>()?;
    let numeric: Vec<bool> = header
        .iter()
        .enumerate()
        .map(|(index, name)| {
            !NAMES.contains(&name) && rows.iter().all(|row| number(&row[index]).is_some())
        })
        .collect();
    let value = |(index, field): (usize, &str)| match number(field) {
        Some(number) if numeric[index] || field.is_empty() => number,
        _ => field.into(),
    };
    let object = |row: &StringRecord| {
        let pairs = header.iter().zip(row.iter().enumerate());
        let pairs = pairs.map(|(name, field)| format!("{}:{}", Value::from(name), value(field)));
        format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
    };
    let objects: Vec<String> = rows.iter().map(object).collect();
    Ok(format!("[\n{}\n]\n", objects.join(",\n")))
}

/// A field as a number or two; null if it is blank or infinite; none if it is neither.
fn number(field: &str) -> Option<Value> {
    let one = |text: &str| -> Option<Value> {
        // Whole numbers stay whole.
        if let Ok(whole) = text.parse::<i64>() {
            return Some(whole.into());
        }
        text.parse::<f64>().ok().map(Value::from)
    };
    if field.is_empty() {
        return Some(Value::Null);
    }
    match field.strip_prefix('[').and_then(|both| both.strip_suffix(']')?.split_once(", ")) {
        Some((lower, upper)) => Some(Value::from(vec![one(lower)?, one(upper)?])),
        None => one(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_objects() {
        let csv = "searcher,threads,over,speedup,blank\n\
                   a,1,no,1,\n16,4,yes,\"[0.5, inf]\",\nb \"x\",4,yes,-2.25,\n";
        let expected = "[\n\
            {\"searcher\":\"a\",\"threads\":1,\"over\":\"no\",\"speedup\":1,\"blank\":null},\n\
            {\"searcher\":\"16\",\"threads\":4,\"over\":\"yes\",\"speedup\":[0.5,null],\"blank\":null},\n\
            {\"searcher\":\"b \\\"x\\\"\",\"threads\":4,\"over\":\"yes\",\"speedup\":-2.25,\"blank\":null}\n]\n";
        let csv = csv.replace("b \"x\"", "\"b \"\"x\"\"\"");
        let text = json(&csv).expect("a table");
        assert_eq!(text, expected);
        let whole: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(whole.as_array().map(Vec::len), Some(3));
        assert_eq!(json("a,b\n").expect("no rows"), "[\n\n]\n");
    }
}
