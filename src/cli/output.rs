//! Results on standard output: text for people; CSV, or one JSON document, for other programs.

use super::plain;
use crate::report::Table;
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::io::{self, Write};

/// The form in which a command prints its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// A header, and a line for each row
    Csv,
    /// A list with an object for each row, or an object with all that the text says
    Json,
}

/// The options of a command that prints a table.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Output {
    /// For people, or for other programs [default: text]
    #[arg(id = "output_format", long = "format", value_name = "FORMAT", display_order = 900)]
    format: Option<Format>,
    /// Print one JSON document, and nothing else, on standard output: --format json
    #[arg(long, conflicts_with = "output_format", display_order = 901)]
    json: bool,
}

impl Output {
    /// Whether people read it.
    pub(super) fn is_text(self) -> bool {
        !self.json && matches!(self.format, None | Some(Format::Text))
    }

    /// Whether it is the main table alone, as CSV.
    pub(super) fn is_csv(self) -> bool {
        self.format == Some(Format::Csv)
    }

    /// Prints the results of a command.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn print(self, text: impl FnOnce() -> String, results: &Results) -> io::Result<()> {
        let text = match self.format {
            _ if self.is_text() => text(),
            Some(Format::Csv) => results.csv(),
            _ => results.json(),
        };
        write!(plain::stdout(), "{text}")
    }
}

/// The results of a command for other programs: a table, and what the text says besides.
#[derive(Clone, Debug)]
pub(super) struct Results {
    /// Each part with its name. The first is a table.
    parts: Vec<(&'static str, Part)>,
}

#[derive(Clone, Debug)]
enum Part {
    Table(Table),
    Value(Value),
}

impl Results {
    /// Results whose main table has this name.
    pub(super) fn new(name: &'static str, table: Table) -> Results {
        Results { parts: vec![(name, Part::Table(table))] }
    }

    /// Adds another table.
    #[must_use]
    pub(super) fn and(mut self, name: &'static str, table: Table) -> Results {
        self.parts.push((name, Part::Table(table)));
        self
    }

    /// Adds a number, a text or a list; null if there is none.
    #[must_use]
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Value>) -> Results {
        self.parts.push((name, Part::Value(value.into())));
        self
    }

    /// The main table.
    pub(super) fn csv(&self) -> String {
        match &self.parts[..] {
            [(_, Part::Table(table)), ..] => table.csv(),
            _ => String::new(),
        }
    }

    /// The list of the rows, if there is nothing but one table; else an object with every part.
    fn json(&self) -> String {
        let text = match &self.parts[..] {
            [(_, Part::Table(table))] => table.json(),
            parts => {
                let part = |(name, part): &(&str, Part)| match part {
                    Part::Table(table) => format!("\"{name}\":{}", table.json().trim_end()),
                    Part::Value(value) => format!("\"{name}\":{value}"),
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!("{{\n{}\n}}\n", parts.join(",\n"))
            }
        };
        // JSON escapes no others; a terminal may obey them.
        let odd = |c: char| c.is_control() && c != '\n';
        if !text.contains(odd) {
            return text;
        }
        let escaped = |c: char| if odd(c) { format!("\\u{:04x}", c as u32) } else { c.into() };
        text.chars().map(escaped).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::columns::columns;
    use serde_json::json;

    columns! {
        fn list<'a>(of: (&'a str, Option<f64>));
        Words "what" = of.0, as "what";
        Whole "n" = of.1, as "n";
    }

    fn read(results: &Results) -> Value {
        serde_json::from_str(&results.json()).expect("JSON")
    }

    #[test]
    fn a_table_is_a_list_and_more_is_an_object() {
        let table = list().file([("a, \u{9b}b", Some(1.0)), ("c", None)]);
        let results = Results::new("rows", table.clone());
        assert_eq!(results.csv(), "what,n\n\"a, \u{9b}b\",1\nc,\n");
        let rows = json!([{ "what": "a, \u{9b}b", "n": 1 }, { "what": "c", "n": null }]);
        assert_eq!(read(&results), rows);
        assert!(!results.json().contains('\u{9b}'), "a terminal would obey it");
        let results = results.with("total", 3).with("none", None::<i64>).and("more", table);
        let whole = json!({ "rows": rows, "total": 3, "none": null, "more": rows });
        assert_eq!(read(&results), whole);
    }
}
