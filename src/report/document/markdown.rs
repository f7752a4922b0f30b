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
            writeln!(text, "{} {words}", "#".repeat(*level))
        }
        Block::Paragraph(words) => writeln!(text, "\n{words}"),
        Block::List(items) | Block::Notes(items) => {
            let items: Vec<String> = items.iter().map(|item| format!("- {item}\n")).collect();
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
        format!("| {} | {fen} |\n", name.replace('|', "\\|"))
    };
    format!("| position | FEN |\n|---|---|\n{}", places.iter().map(row).collect::<String>())
}

fn lines(table: &Table) -> String {
    let line = |cells: &mut dyn Iterator<Item = &String>| {
        let escaped: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
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
