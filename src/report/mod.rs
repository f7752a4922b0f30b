//! From a results directory to what people read: derived CSV files, charts and a report.
//!
//! [`write()`] does it all for a sweep, [`write_match`] for a match, from the files of the directory alone, so that
//! a report can be made again at any time, also of an unfinished run.

pub mod charts;
pub mod compare;
pub mod csv;
mod document;
pub mod figures;
mod files;
mod input;
mod latex;
mod markdown;
mod matches;
mod methods;
mod numbers;
mod precision;
mod salvage;
mod sensitivity;
pub mod timeline;
pub mod validation;
mod validity;

#[cfg(test)]
mod synthetic;
#[cfg(test)]
mod tests;

pub use input::{Cores, Input};
pub use matches::write_match;
pub use salvage::{LeftOut, Salvaged};
pub use sensitivity::Sensitivity;

use crate::records::{CHARTS, ResolveError, ResultsError, remove_charts};
use charts::{Chart, ChartError};
use matches::MatchInput;
use std::path::{Path, PathBuf};
use ttd_search::positions;

/// The file with one row a cell.
pub const SPEEDUPS: &str = "speedups.csv";
/// The file with one row a searcher and thread count.
pub const SUMMARY: &str = "summary.csv";
/// The file with one row a searcher and model.
pub const FITS: &str = "fits.csv";
/// The file with one row a changed cost, searcher and thread count.
pub const SENSITIVITIES: &str = "sensitivity.csv";
/// The file with one row a contender of ours and thread count, beside a reference.
pub const VARIANTS: &str = "variants.csv";
/// The file with one row a searcher and thread count whose runs have a critical path.
pub const WORK_SPANS: &str = "work-span.csv";
/// The file with one row a pair of contenders and thread count.
pub const COMPARISONS: &str = "comparisons.csv";
/// The file with one row a searcher, thread count and depth.
pub const BY_DEPTH: &str = "speedup-by-depth.csv";
/// The file with one row a searcher and thread count whose speedup has a trend over depth.
pub const DEPTH_TRENDS: &str = "depth-trends.csv";
/// The file with one row a searcher and thread count: how alike its runs are.
pub const STABILITY: &str = "stability.csv";
/// The file with one row a position far from the others.
pub const OUTLIERS: &str = "outliers.csv";
/// The report.
pub const REPORT: &str = "report.md";
/// The report as a page.
pub const PAGE: &str = "report.html";
/// The figures, tables and main charts for LaTeX.
pub const LATEX: &str = "figures.tex";

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The results cannot be read, or a file of the report cannot be written.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The match of a results directory cannot be read.
    #[error(transparent)]
    Match(#[from] ResolveError),
    /// No sample is of a position that was asked for.
    #[error("{}: {what}", dir.display())]
    NoPosition {
        /// The results directory.
        dir: PathBuf,
        /// What there is instead.
        what: String,
    },
    /// A chart cannot be drawn.
    #[error("{name}: {source}")]
    Chart {
        /// Which.
        name: String,
        /// Why.
        source: ChartError,
    },
}

impl ReportError {
    /// Whether it is the command, or what it is about, that is wrong, and not the machine.
    pub const fn is_usage(&self) -> bool {
        match self {
            ReportError::NoPosition { .. } | ReportError::Match(_) => true,
            ReportError::Results(of) => of.is_usage(),
            ReportError::Chart { .. } => false,
        }
    }

    /// Of drawing the charts.
    fn charts(source: ChartError) -> ReportError {
        ReportError::Chart { name: CHARTS.to_owned(), source }
    }
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Every file: the report, the report as a page, then the others, of the tables the most important first.
    pub files: Vec<PathBuf>,
    /// What of the results could not be used.
    pub left_out: LeftOut,
}

impl Written {
    /// The report: as a text, and as a page.
    pub fn reports(&self) -> &[PathBuf] {
        &self.files[..2]
    }

    /// The tables: the name of each, which is that of its file without extension, and the file.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &Path)> {
        let tables =
            self.files.iter().filter(|file| file.extension().is_some_and(|of| of == "csv"));
        tables.filter_map(|file| Some((file.file_stem()?.to_str()?, file.as_path())))
    }
}

/// Writes every table and chart and the report of a results directory, finished or not. Each file is
/// there whole or as it was before; charts of an earlier report that this one does not have go. With the
/// results directory of a match, its ratings stand beside the speedups. `position` is that whose times are drawn one by one, as
/// [`positions::find_id`] understands it; the one whose times vary the most, if none is given.
///
/// # Errors
/// If the directory's experiment, samples or environment cannot be read, nor the match, no sample is of the position, or a file
/// cannot be written.
pub fn write(
    dir: &Path,
    games: Option<&Path>,
    position: Option<&str>,
) -> Result<Written, ReportError> {
    let input = Input::read(dir)?;
    let position = position.map(|wanted| sampled(dir, &input, wanted)).transpose()?;
    let mut games = games.map(MatchInput::read).transpose()?;
    let mut charts = charts::draw(&input.figures, &input.experiment, input.cores)
        .map_err(ReportError::charts)?;
    charts.extend(charts::beside_reference(&input).map_err(ReportError::charts)?);
    charts.extend(charts::by_depth(&input).map_err(ReportError::charts)?);
    charts.extend(charts::work_span(&input).map_err(ReportError::charts)?);
    if let Some(position) = position.as_deref().or(charts::most_restless(&input.figures)) {
        charts.extend(charts::of_position(&input, position).map_err(ReportError::charts)?);
    }
    if let Some(games) = &mut games {
        games.look_like(&input.experiment.names());
        charts.extend(charts::match_charts::draw(games).map_err(ReportError::charts)?);
    }
    let mut files = Vec::new();
    let mut put = |name: &str, bytes: &[u8]| {
        let path = dir.join(name);
        files::write(&path, bytes)?;
        files.push(path);
        Ok::<(), ResultsError>(())
    };
    let sensitivity = Sensitivity::read(dir, &input.as_measured())?;
    let report = markdown::report(&input, &sensitivity, games.as_ref(), &charts);
    put(REPORT, report.markdown().as_bytes())?;
    put(PAGE, report.html().as_bytes())?;
    put(LATEX, latex::figures(&input, &report, &charts).as_bytes())?;
    put(SUMMARY, csv::summary(&input.figures).as_bytes())?;
    put(SPEEDUPS, csv::speedups(&input.figures).as_bytes())?;
    put(FITS, csv::fitted(&input.figures).as_bytes())?;
    match &input.variants {
        Some(variants) => put(VARIANTS, csv::variants(variants).as_bytes())?,
        None => files::remove(&dir.join(VARIANTS))?,
    }
    let more = [
        (BY_DEPTH, csv::speedups_by_depth(&input.by_depth)),
        (DEPTH_TRENDS, csv::depth_trends(&input.by_depth)),
        (STABILITY, csv::stability(&input.stability)),
        (OUTLIERS, csv::outliers(&input.outliers)),
    ];
    for (name, text) in &more {
        // A header alone is no table.
        if text.lines().nth(1).is_some() {
            put(name, text.as_bytes())?;
        } else {
            files::remove(&dir.join(name))?;
        }
    }
    if input.comparisons.rows.is_empty() {
        files::remove(&dir.join(COMPARISONS))?;
    } else {
        put(COMPARISONS, csv::comparisons(&input.comparisons).as_bytes())?;
    }
    if input.work_spans.is_empty() {
        files::remove(&dir.join(WORK_SPANS))?;
    } else {
        put(WORK_SPANS, csv::work_spans(&input.work_spans).as_bytes())?;
    }
    if sensitivity.is_empty() {
        files::remove(&dir.join(SENSITIVITIES))?;
    } else {
        put(SENSITIVITIES, sensitivity.csv(&input.figures).as_bytes())?;
    }
    files.extend(write_charts(dir, &charts)?);
    Ok(Written { files, left_out: input.left_out })
}

/// The id of the position that a user means, of which there are samples.
fn sampled(dir: &Path, input: &Input, wanted: &str) -> Result<String, ReportError> {
    let found = match input.experiment.whole_set(dir) {
        // A number is one of the whole set, as in `ttd run`; a beginning need only be that of one that was chosen.
        Ok(whole) if wanted.parse::<usize>().is_ok() => positions::find_id(&whole, wanted),
        Ok(whole) => {
            let chosen = input.experiment.chosen(whole.clone());
            positions::find_id(&chosen, wanted).or_else(|_| positions::find_id(&whole, wanted))
        }
        Err(_) => Ok(wanted.to_owned()),
    };
    let what = match found {
        Ok(id) if input.samples.all().any(|sample| sample.position == id) => return Ok(id),
        Ok(id) => format!("no sample is of `{id}`"),
        Err(what) => what,
    };
    Err(ReportError::NoPosition { dir: dir.to_owned(), what })
}

/// Writes the charts of a report, and removes those of an earlier one that it does not have.
fn write_charts(dir: &Path, charts: &[Chart]) -> Result<Vec<PathBuf>, ReportError> {
    let mut files = Vec::new();
    for chart in charts {
        let Chart { name, svg, .. } = chart;
        let png =
            chart.png().map_err(|source| ReportError::Chart { name: name.clone(), source })?;
        for (kind, bytes) in [("svg", svg.as_bytes()), ("png", &png)] {
            let path = dir.join(format!("{CHARTS}/{name}.{kind}"));
            files::write(&path, bytes)?;
            files.push(path);
        }
    }
    let names: Vec<&str> = charts.iter().map(|chart| chart.name.as_str()).collect();
    remove_charts(dir, &[], &names)?;
    Ok(files)
}
