//! The charts of a report, each an SVG picture with a caption.

mod axes;
mod boxes;
mod canvas;
mod layout;
mod lines;
mod style;
mod waterfall;

pub use canvas::ChartError;

use super::figures::Figures;
use crate::experiment::Experiment;

/// A drawn chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The stem of its file names.
    pub name: String,
    /// What it shows, of what, and how to read it.
    pub caption: String,
    /// The picture.
    pub svg: String,
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
    fn new(figures: &Figures, experiment: &Experiment, cores: Option<usize>) -> Setting {
        let measured =
            |p: &usize| figures.measured().any(|s| s.cells.iter().any(|row| row[*p].ok > 0));
        let positions = (0..figures.positions.len()).filter(measured).count();
        let cores = cores.map_or_else(|| "cores unknown".to_owned(), |n| plural(n, "core"));
        let facts = format!(
            "depth {}, {}, {}, {cores}",
            experiment.depth,
            plural(positions, "position"),
            plural(experiment.runs as usize, "run"),
        );
        let over = figures.oversubscribed_from();
        let marked = over.map_or_else(String::new, |n| {
            format!(" {n} threads and more are oversubscribed (hatched).")
        });
        Setting {
            short: format!("Base: {}; {facts}.", figures.base),
            long: format!("Base: {}; {facts}.{marked}", figures.base),
            oversubscribed_from: over,
        }
    }
}

fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Draws every chart, in the order of the report.
///
/// # Errors
/// If one cannot be drawn.
pub fn draw(
    figures: &Figures,
    experiment: &Experiment,
    cores: Option<usize>,
) -> Result<Vec<Chart>, ChartError> {
    let setting = Setting::new(figures, experiment, cores);
    let mut charts =
        vec![lines::speedup(&setting, figures)?, lines::efficiency(&setting, figures)?];
    for (index, of) in layout::numbered(figures) {
        charts.push(boxes::speedups(&setting, of, index)?);
    }
    for of in figures.measured() {
        charts.push(waterfall::account(&setting, of)?);
    }
    charts.push(boxes::deviations(&setting, figures)?);
    Ok(charts)
}
