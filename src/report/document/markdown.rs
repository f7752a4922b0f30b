//! A report in Markdown.

use crate::report::charts::CHARTS;
use crate::report::document::blocks::{Block, Kind, Place, Table};
use crate::report::numbers::BLANK;
use std::fmt::Write as _;

/// The whole text.
pub(super) fn text(blocks: &[Block<'_>]) -> String {
    let mut text = String::new();
    for block in blocks {
        put(&mut text, block);
    }
    text
}

fn put(text: &mut String, block: &Block<'_>) {
    // Writing to a text does not fail.
    let _ = match block {
        Block::Heading { level, text: words, .. } => {
            if !text.is_empty() {
                text.push('\n');
            }
            writeln!(text, "{} {}", "#".repeat(*level), without_tags(words))
        }
        Block::Paragraph(words) => writeln!(text, "\n{}", without_tags(words)),
        Block::List(items) | Block::Notes(items) => {
            let items: Vec<String> =
                items.iter().map(|item| format!("- {}\n", without_tags(item))).collect();
            write!(text, "\n{}", items.concat())
        }
        Block::Code(lines) => writeln!(text, "\n```sh\n{lines}\n```"),
        Block::Table(table) => write!(text, "{}", lines(table)),
        Block::Positions(places) => write!(text, "\n{}", positions(places)),
        Block::Figure { number, chart } => {
            let (name, caption) = (&chart.name, &chart.caption);
            writeln!(
                text,
                "\n![Figure {number}]({CHARTS}/{name}.svg)\n\n**Figure {number}.** {caption}"
            )
        }
    };
}

fn positions(places: &[Place]) -> String {
    let row = |Place { name, fen }: &Place| {
        let fen = fen.as_ref().map_or_else(|| BLANK.to_owned(), |fen| format!("`{fen}`"));
        format!("| {} | {fen} |\n", cell(name))
    };
    format!("| position | FEN |\n|---|---|\n{}", places.iter().map(row).collect::<String>())
}

fn lines(table: &Table) -> String {
    let line = |cells: &mut dyn Iterator<Item = &String>| {
        let escaped: Vec<String> = cells.map(|words| cell(words)).collect();
        format!("| {} |\n", escaped.join(" | "))
    };
    let rule = table.columns.iter().map(|column| match column.kind {
        Kind::Words => "---",
        Kind::Numbers => "---:",
    });
    let rule = rule.collect::<Vec<_>>().join("|");
    let header = line(&mut table.columns.iter().map(|column| &column.name));
    let rows: String = table.rows.iter().map(|row| line(&mut row.iter())).collect();
    format!("\n**Table {}.** {}\n\n{header}|{rule}|\n{rows}", table.number, table.caption)
}

/// The words of a cell of a table.
fn cell(words: &str) -> String {
    without_tags(words).replace('|', "\\|")
}

/// A line in which nothing is a tag of HTML, which Markdown would let through. Code stays as it is.
fn without_tags(line: &str) -> String {
    let (mut text, mut in_code) = (String::new(), false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        in_code ^= c == '`';
        let opens = |next: &char| next.is_ascii_alphabetic() || "/!?".contains(*next);
        match c {
            '<' if !in_code && rest.peek().is_some_and(opens) => text.push_str("&lt;"),
            c => text.push(c),
        }
    }
    text
}
