//! A text in Markdown that grows.

use crate::report::CHARTS;
use crate::report::charts::Chart;
use std::fmt::Write as _;

/// A text that grows, with its figures and tables numbered.
pub(in crate::report) struct Report<'a> {
    text: String,
    charts: &'a [Chart],
    figures: usize,
    tables: usize,
}

impl<'a> Report<'a> {
    /// An empty one that may show these charts.
    pub(in crate::report) fn new(charts: &'a [Chart]) -> Report<'a> {
        Report { text: String::new(), charts, figures: 0, tables: 0 }
    }

    /// The text.
    pub(in crate::report) fn into_text(self) -> String {
        self.text
    }

    pub(in crate::report) fn heading(&mut self, level: usize, text: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let _ = writeln!(self.text, "{} {text}", "#".repeat(level));
    }

    pub(in crate::report) fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.text, "\n{text}");
    }

    pub(in crate::report) fn list(&mut self, items: &[String]) {
        self.text.push('\n');
        for item in items {
            let _ = writeln!(self.text, "- {item}");
        }
    }

    pub(in crate::report) fn code(&mut self, lines: &str) {
        let _ = writeln!(self.text, "\n```sh\n{lines}\n```");
    }

    /// A table whose first row is its header; columns of numbers are aligned to the right. Nothing without
    /// rows.
    pub(in crate::report) fn table(&mut self, caption: &str, rows: &[Vec<String>]) {
        let [header, body @ ..] = rows else { return };
        if body.is_empty() {
            return;
        }
        self.tables += 1;
        let _ = writeln!(self.text, "\n**Table {}.** {caption}\n", self.tables);
        let numeric = |column: usize| {
            body.iter().all(|row| {
                let first = row[column].chars().next().unwrap_or('–');
                first.is_ascii_digit() || "–−[∞".contains(first)
            })
        };
        let line = |cells: &[String]| {
            let escaped: Vec<String> = cells.iter().map(|c| c.replace('|', "\\|")).collect();
            format!("| {} |", escaped.join(" | "))
        };
        let _ = writeln!(self.text, "{}", line(header));
        let rule: Vec<&str> =
            (0..header.len()).map(|c| if numeric(c) { "---:" } else { "---" }).collect();
        let _ = writeln!(self.text, "|{}|", rule.join("|"));
        for row in body {
            let _ = writeln!(self.text, "{}", line(row));
        }
    }

    /// A chart with its caption; nothing if it was not drawn.
    pub(in crate::report) fn chart(&mut self, name: &str) {
        let Some(chart) = self.charts.iter().find(|chart| chart.name == name) else { return };
        self.figures += 1;
        let number = self.figures;
        let _ = writeln!(
            self.text,
            "\n![Figure {number}]({CHARTS}/{name}.svg)\n\n**Figure {number}.** {}",
            chart.caption
        );
    }
}
