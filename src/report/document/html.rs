//! A report as one page. Style, script, pictures and the charts' data are all in it. So it needs no
//! network, and can be sent to other people.

mod board;
mod escape;
mod words;

use crate::report::charts::Chart;
use crate::report::document::blocks::{Block, Column, Kind, Place, Table};
use crate::report::document::inline::{Span, spans};
use board::{board, shapes};
use escape::{address, escaped};
use std::collections::BTreeSet;
use words::Words;

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// The whole page.
pub(super) fn page(blocks: &[Block<'_>]) -> String {
    let title = blocks.iter().find_map(|block| match block {
        Block::Heading { level: 1, text, .. } => Some(plain(text)),
        _ => None,
    });
    let title = title.unwrap_or_default();
    let mut words = Words::new();
    let body: String = blocks.iter().map(|of| block(of, &mut words)).collect();
    let (explained, dark) = (explained(&words), dark(blocks));
    // The icon is in the page, so that browsers do not ask a server for one.
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{dark}</style>\n</head>\n<body>\n{}<main>\n{body}{explained}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        contents(blocks, !explained.is_empty())
    )
}

/// The rules by which charts are dark where the page is.
fn dark(blocks: &[Block<'_>]) -> String {
    let charts = blocks.iter().filter_map(|block| match block {
        Block::Figure { chart, .. } => Some(chart),
        _ => None,
    });
    let colours: BTreeSet<_> = charts.flat_map(|chart| chart.picture.colours()).collect();
    let rules = colours.iter().map(|(property, colour)| colour.on_dark_paper(property));
    let rules: String = rules.collect();
    format!("@media screen and (prefers-color-scheme: dark) {{\n{rules}}}\n")
}

/// The table of contents: the parts, and the parts within them.
fn contents(blocks: &[Block<'_>], explains: bool) -> String {
    let entry = |block: &Block<'_>| match block {
        Block::Heading { level: level @ 2..=3, text, anchor } => Some(format!(
            "<li class=\"level-{level}\"><a href=\"#{anchor}\">{}</a></li>\n",
            plain(text)
        )),
        _ => None,
    };
    let mut entries: String = blocks.iter().filter_map(entry).collect();
    if explains {
        entries += "<li class=\"level-2\"><a href=\"#words-explained\">Words</a></li>\n";
    }
    if entries.is_empty() {
        return String::new();
    }
    format!("<nav aria-label=\"Contents\">\n<ol>\n{entries}</ol>\n</nav>\n")
}

/// The words that the page has used, with their meanings; nothing without any.
fn explained(words: &Words) -> String {
    let used = words.used().into_iter().map(|(word, anchor, meaning)| {
        format!("<dt id=\"{anchor}\">{}</dt>\n<dd>{}</dd>\n", escaped(word), inline(meaning))
    });
    let used: String = used.collect();
    if used.is_empty() {
        return String::new();
    }
    format!("<h2 id=\"words-explained\">Words</h2>\n<dl>\n{used}</dl>\n")
}

fn block(block: &Block<'_>, words: &mut Words) -> String {
    match block {
        Block::Heading { level, text, anchor } => {
            if *level <= 2 {
                words.section();
            }
            format!("<h{level} id=\"{anchor}\">{}</h{level}>\n", inline(text))
        }
        Block::Paragraph(text) => format!("<p>{}</p>\n", linked(text, words)),
        Block::List(items) => format!("<ul>\n{}</ul>\n", list(items, words)),
        Block::Notes(items) => format!("<ul class=\"notes\">\n{}</ul>\n", list(items, words)),
        Block::Code(lines) => {
            format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escaped(lines))
        }
        Block::Table(of) => table(of, words),
        Block::Positions(places) => positions(places),
        Block::Figure { number, chart } => figure(*number, chart, words),
    }
}

fn list(items: &[String], words: &mut Words) -> String {
    let items = items.iter().map(|item| format!("<li>{}</li>\n", linked(item, words)));
    items.collect::<Vec<_>>().concat()
}

/// A table in a box of its own, which scrolls where it is wider than the page.
fn table(table: &Table, words: &mut Words) -> String {
    let class = |kind: Kind| if kind == Kind::Numbers { " class=\"n\"" } else { "" };
    let columns = table.columns.iter();
    let header: Vec<String> = columns
        .map(|c| format!("<th scope=\"col\"{}>{}</th>", class(c.kind), inline(&c.name)))
        .collect();
    let header = header.concat();
    let cell = |(cell, column): (&String, &Column)| {
        format!("<td{}>{}</td>", class(column.kind), inline(cell))
    };
    let row = |row: &Vec<String>| {
        let cells: String = row.iter().zip(&table.columns).map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(row).collect();
    let (number, sorts) = (table.number, if table.sorts { " class=\"sorts\"" } else { "" });
    format!(
        "<figure class=\"table\" id=\"table-{number}\">\n\
         <figcaption id=\"of-table-{number}\"><b>Table {number}.</b> {}</figcaption>\n\
         <div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"of-table-{number}\">\n\
         <table{sorts} aria-labelledby=\"of-table-{number}\">\n\
         <thead>\n<tr>{header}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n</figure>\n",
        linked(&table.caption, words)
    )
}

/// Positions: the name, the board and the FEN of each.
fn positions(places: &[Place]) -> String {
    let place = |Place { name, fen }: &Place| {
        let (name, fen) = (escaped(name), fen.as_deref());
        let known = fen.map(|fen| format!("{}<code>{}</code>\n", board(&name, fen), escaped(fen)));
        format!("<li>\n<b>{name}</b>\n{}</li>\n", known.unwrap_or_default())
    };
    let places: String = places.iter().map(place).collect();
    format!("{}<ul class=\"positions\">\n{places}</ul>\n", shapes())
}

/// A chart, its caption, and its data behind a link.
fn figure(number: usize, chart: &Chart, words: &mut Words) -> String {
    // The size of the chart is in its own drawing.
    let (_, drawing) = chart.picture.svg.split_once("viewBox").unwrap_or_default();
    format!(
        "<figure class=\"chart\" id=\"figure-{number}\">\n\
         <div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"of-figure-{number}\">\n\
         <svg role=\"img\" aria-labelledby=\"of-figure-{number}\" viewBox{}\n</div>\n\
         <figcaption id=\"of-figure-{number}\"><b>Figure {number}.</b> {} \
         <a download=\"{name}.csv\" href=\"data:text/csv;charset=utf-8,{}\">Data (CSV)</a></figcaption>\n\
         </figure>\n",
        drawing.trim_end(),
        linked(&chart.caption, words),
        address(&chart.data),
        name = escaped(&chart.name),
    )
}

/// A line with its marks as HTML.
fn inline(line: &str) -> String {
    marked(line, escaped)
}

/// A line with its marks as HTML, and links to the explanations of its words.
fn linked(line: &str, words: &mut Words) -> String {
    marked(line, |text| words.linked(text))
}

/// A line with its marks as HTML. `text` returns a text that is no link, escaped.
fn marked(line: &str, mut text: impl FnMut(&str) -> String) -> String {
    let span = |span: Span<'_>| match span {
        Span::Text(of) => text(of),
        Span::Code(of) => format!("<code>{}</code>", text(of)),
        Span::Strong(of) => format!("<b>{}</b>", text(of)),
        Span::Link { text, to } => format!("<a href=\"{}\">{}</a>", escaped(to), escaped(text)),
    };
    spans(line).into_iter().map(span).collect()
}

/// A line without its marks.
fn plain(line: &str) -> String {
    spans(line).into_iter().map(|span| escaped(span.text())).collect()
}
