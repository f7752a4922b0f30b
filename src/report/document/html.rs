//! A report as one page. Style, script, pictures and the charts' data are all in it. So it needs no
//! network, and can be sent to other people.

mod board;
mod escape;

use crate::report::charts::Chart;
use crate::report::document::blocks::{Block, Column, Kind, Place, Table};
use crate::report::document::inline::{Span, spans};
use board::{board, shapes};
use escape::{address, escaped};
use std::collections::BTreeSet;

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// The whole page.
pub(super) fn page(blocks: &[Block<'_>]) -> String {
    let title = blocks.iter().find_map(|block| match block {
        Block::Heading { level: 1, text, .. } => Some(plain(text)),
        _ => None,
    });
    let title = title.unwrap_or_default();
    let body: String = blocks.iter().map(block).collect();
    let dark = dark(blocks);
    // The icon is in the page, so that browsers do not ask a server for one.
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{dark}</style>\n</head>\n<body>\n{}<main>\n{body}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        contents(blocks)
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
fn contents(blocks: &[Block<'_>]) -> String {
    let entry = |block: &Block<'_>| match block {
        Block::Heading { level: level @ 2..=3, text, anchor } => Some(format!(
            "<li class=\"level-{level}\"><a href=\"#{anchor}\">{}</a></li>\n",
            plain(text)
        )),
        _ => None,
    };
    let entries: String = blocks.iter().filter_map(entry).collect();
    if entries.is_empty() {
        return String::new();
    }
    format!("<nav aria-label=\"Contents\">\n<ol>\n{entries}</ol>\n</nav>\n")
}

fn block(block: &Block<'_>) -> String {
    match block {
        Block::Heading { level, text, anchor } => {
            format!("<h{level} id=\"{anchor}\">{}</h{level}>\n", inline(text))
        }
        Block::Paragraph(text) => format!("<p>{}</p>\n", inline(text)),
        Block::List(items) => format!("<ul>\n{}</ul>\n", list(items)),
        Block::Notes(items) => format!("<ul class=\"notes\">\n{}</ul>\n", list(items)),
        Block::Code(lines) => {
            format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escaped(lines))
        }
        Block::Table(of) => table(of),
        Block::Positions(places) => positions(places),
        Block::Figure { number, chart } => figure(*number, chart),
    }
}

fn list(items: &[String]) -> String {
    items.iter().map(|item| format!("<li>{}</li>\n", inline(item))).collect::<Vec<_>>().concat()
}

/// A table in a box of its own, which scrolls where it is wider than the page.
fn table(table: &Table) -> String {
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
    let number = table.number;
    format!(
        "<figure class=\"table\" id=\"table-{number}\">\n\
         <figcaption id=\"of-table-{number}\"><b>Table {number}.</b> {}</figcaption>\n\
         <div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"of-table-{number}\">\n\
         <table aria-labelledby=\"of-table-{number}\">\n\
         <thead>\n<tr>{header}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n</figure>\n",
        inline(&table.caption)
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
fn figure(number: usize, chart: &Chart) -> String {
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
        inline(&chart.caption),
        address(&chart.data),
        name = escaped(&chart.name),
    )
}

/// A line with its marks as HTML.
fn inline(line: &str) -> String {
    let span = |span: Span<'_>| match span {
        Span::Text(text) => escaped(text),
        Span::Code(text) => format!("<code>{}</code>", escaped(text)),
        Span::Strong(text) => format!("<b>{}</b>", escaped(text)),
        Span::Link { text, to } => format!("<a href=\"{}\">{}</a>", escaped(to), escaped(text)),
    };
    spans(line).into_iter().map(span).collect()
}

/// A line without its marks.
fn plain(line: &str) -> String {
    spans(line).into_iter().map(|span| escaped(span.text())).collect()
}
