//! The figures that charts show, as CSV. Columns are called as in the derived files.

use super::layout::shown;
use crate::report::csv::{interval_names, text, with_intervals};
use crate::report::figures::{Cell, Estimate, Figures, Row, SearcherFigures};

/// A header: names without commas, separated by commas.
fn header(names: &str) -> Vec<String> {
    names.split(',').map(str::to_owned).collect()
}

/// Rows below a header.
pub(super) fn csv(names: &str, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    text(&[header(names)].into_iter().chain(rows).collect::<Vec<_>>())
}

/// A figure with its intervals, a row each searcher that is shown and thread count.
pub(super) fn by_threads(
    figures: &Figures,
    name: &str,
    figure: impl Fn(&Row) -> Option<Estimate>,
) -> String {
    let mut rows = vec![estimates("searcher,threads", &[name])];
    for (_, of) in shown(figures) {
        for row in &of.rows {
            let cell = vec![of.searcher.clone(), row.threads.to_string()];
            rows.push([cell, with_intervals(figure(row))].concat());
        }
    }
    text(&rows)
}

/// A header with these figures and the ends of their intervals.
pub(super) fn estimates(names: &str, figures: &[&str]) -> Vec<String> {
    let mut names = header(names);
    for figure in figures {
        names.push((*figure).to_owned());
        names.extend(interval_names(figure));
    }
    names
}

/// A figure of every cell that has it.
pub(super) fn by_position<'f>(
    searchers: impl Iterator<Item = &'f SearcherFigures>,
    name: &str,
    figure: impl Fn(&Cell) -> Option<String>,
) -> String {
    let mut rows = Vec::new();
    for of in searchers {
        for (row, cells) in of.rows.iter().zip(&of.cells) {
            rows.extend(cells.iter().filter_map(|cell| {
                let figure = figure(cell)?;
                Some(vec![
                    of.searcher.clone(),
                    row.threads.to_string(),
                    cell.position.clone(),
                    figure,
                ])
            }));
        }
    }
    csv(&format!("searcher,threads,position,{name}"), rows)
}
