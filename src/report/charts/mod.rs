//! The charts of a report, each an SVG picture with a caption.

mod axes;
mod boxes;
mod by_depth;
mod canvas;
mod data;
mod dots;
mod fits;
mod gantt;
mod layout;
mod lines;
pub(super) mod match_charts;
mod pgfplots;
mod positions;
mod published;
mod scatter;
mod style;
mod times;
mod variants;
mod waterfall;
mod work_span;

pub(super) use by_depth::by_depth;
pub use canvas::ChartError;
pub(super) use gantt::gantt;
pub(super) use pgfplots::plots;
pub(super) use published::NAMES as PUBLISHED;
pub(super) use scatter::agreement;
pub(super) use times::{TIMES, most_restless, of_position};
pub(super) use variants::beside_reference;
pub(super) use work_span::work_span;

use super::figures::{Figures, Row, SearcherFigures};
use super::input::Cores;
use super::numbers::count;
use crate::experiment::{Base, Experiment};

/// A drawn chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The stem of its file names.
    pub name: String,
    /// What it shows, of what, and how to read it.
    pub caption: String,
    /// The picture.
    pub svg: String,
    /// The figures that it shows, as CSV with a header row: as exact as in the derived files.
    pub data: String,
}

impl Chart {
    /// The picture as PNG.
    ///
    /// # Errors
    /// If it cannot be rendered.
    pub fn png(&self) -> Result<Vec<u8>, ChartError> {
        canvas::png(&self.svg)
    }
}

/// What every chart says about where its figures are from.
struct Setting {
    /// For the bottom of the picture.
    short: String,
    /// Sentences for the caption.
    long: String,
    /// The least oversubscribed thread count.
    oversubscribed_from: Option<usize>,
}

impl Setting {
    fn new(figures: &Figures, experiment: &Experiment, cores: Cores) -> Setting {
        let measured = |p: &usize| {
            figures.measured().any(|s| s.cells.iter().any(|row| row[*p].ok + row[*p].censored > 0))
        };
        let positions = (0..figures.positions.len()).filter(measured).count();
        let facts = format!(
            "depth {}, {}, {}, {}",
            experiment.depth_range(),
            count(positions, "position"),
            figures.runs_in_words(),
            cores.words()
        );
        let over = figures.oversubscribed_from();
        let marked = over
            .map_or_else(String::new, |n| format!(" Oversubscribed from {n} threads on (marked)."));
        Setting {
            short: format!("Base: {}; {facts}.", figures.base),
            long: format!("Base: {}; {facts}.{marked}", figures.base),
            oversubscribed_from: over,
        }
    }
}

/// Draws every chart, in the order of the report. What has nothing to show is not drawn: who was only measured as its own
/// base has no chart of its speedup.
///
/// # Errors
/// If one cannot be drawn.
pub fn draw(
    figures: &Figures,
    experiment: &Experiment,
    cores: Cores,
) -> Result<Vec<Chart>, ChartError> {
    let setting = Setting::new(figures, experiment, cores);
    let mut charts = Vec::new();
    let is_alone = experiment.base == Base::SameSearcher;
    let beside_base = |row: &&Row| !is_alone || row.threads > 1;
    let has_speedup =
        |of: &SearcherFigures| of.rows.iter().filter(beside_base).any(|row| row.median.is_some());
    if layout::shown(figures).any(|(_, of)| has_speedup(of)) {
        charts.push(lines::speedup(&setting, figures)?);
        charts.push(lines::efficiency(&setting, figures)?);
    }
    for (index, of) in layout::shown(figures) {
        if has_speedup(of) {
            charts.push(boxes::speedups(&setting, of, index)?);
            charts.extend(positions::dots(&setting, of, index)?);
            charts.extend(positions::map(&setting, of)?);
        }
    }
    for of in figures.on_their_own() {
        charts.extend(waterfall::account(&setting, of)?);
        charts.extend(fits::fits(&setting, of)?);
    }
    charts.extend(boxes::deviations(&setting, figures)?);
    if let Some(published) = &experiment.published {
        charts.extend(published::draw(&setting, figures, published)?);
    }
    Ok(charts)
}
