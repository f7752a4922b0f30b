//! The files that reports may have made in a results directory, and their removal.

use crate::records::{ResultsError, check_own_directory, remove_file, turn};
use crate::report::charts::CHARTS;
use crate::report::{Name, Picture, Topic, compare, matches, topics, validation};
use std::path::Path;
use std::{fs, io};
use ttd_search::searchers::Searcher;

/// The report.
pub(crate) const REPORT: &str = "report.md";
/// The report as a page.
pub(crate) const PAGE: &str = "report.html";
/// The figures, tables and main charts for LaTeX.
pub(crate) const LATEX: &str = "figures.tex";

fn names() -> impl Iterator<Item = Name> {
    let of_sweep = topics::TOPICS.iter().flat_map(|topic| topic.charts).map(|chart| chart.name);
    let of_match = matches::topics::TOPICS.iter().flat_map(|topic| topic.charts);
    of_sweep.chain(of_match.map(|chart| chart.name))
}

/// The tables of `docs/formats-derived.md` and of `docs/matches.md` that explain every column and
/// every chart. Each has the heading that it stands below.
pub fn pages() -> [Vec<(&'static str, String)>; 2] {
    let mut of_sweep = pages_of(&topics::TOPICS);
    of_sweep.push(("validation/", validation::columns_page()));
    of_sweep.push(("validation/by-depth.csv", validation::depths_page()));
    of_sweep.push(("The output of `ttd compare`", compare::columns_page()));
    of_sweep.push(("charts/", charts_page(&topics::TOPICS)));
    let mut of_match = pages_of(&matches::topics::TOPICS);
    of_match.push(("The charts of a match", charts_page(&matches::topics::TOPICS)));
    [of_sweep, of_match]
}

/// The table of charts for a page.
fn charts_page<S>(topics: &[&Topic<S>]) -> String {
    let row = |picture: &Picture<S>| {
        let name = match picture.name {
            Name::Only(name) => name.to_owned(),
            Name::Each(before) => format!("{before}SEARCHER"),
            Name::EachWithThreads(before) => format!("{before}SEARCHER-N"),
            Name::EachK(before) => format!("{before}K"),
            Name::Others => return None,
        };
        Some(format!("| `{name}` | {} |\n", picture.shows))
    };
    let rows = topics.iter().flat_map(|topic| topic.charts).filter_map(row);
    rows.fold("| chart | content |\n|---|---|\n".to_owned(), |page, row| page + &row)
}

fn pages_of<S>(topics: &[&Topic<S>]) -> Vec<(&'static str, String)> {
    let files = topics.iter().flat_map(|topic| topic.files);
    files.map(|file| (file.name, (file.page)())).collect()
}

/// Removes the files that reports made in a results directory which is begun anew. The directory is
/// that of an experiment with these `competitors`, or of a match.
///
/// # Errors
/// If something cannot be removed.
pub fn remove(dir: &Path, competitors: &[&str]) -> Result<(), ResultsError> {
    let _turn = turn(dir);
    let of_sweep = topics::TOPICS.iter().flat_map(|topic| topic.files).map(|file| file.name);
    let of_match = matches::topics::TOPICS.iter().flat_map(|topic| topic.files);
    let tables = of_sweep.chain(of_match.map(|file| file.name));
    for name in tables.chain([REPORT, PAGE, LATEX]) {
        remove_file(&dir.join(name))?;
    }
    remove_charts(dir, competitors, &[])
}

/// Removes the charts that reports made before, except the ones with these names (without
/// extension). Also removes the directory, if it is empty then. Files that no report made stay. The
/// chart of a single competitor is removed if that is a searcher, or one of these `competitors`.
///
/// # Errors
/// If the directory cannot be read, or a chart not be removed.
pub(crate) fn remove_charts(
    dir: &Path,
    competitors: &[&str],
    but: &[&str],
) -> Result<(), ResultsError> {
    let charts = dir.join(CHARTS);
    check_own_directory(&charts).map_err(ResultsError::io(&charts))?;
    let entries = match fs::read_dir(&charts) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(ResultsError::io(&charts))?,
    };
    let mut left = 0;
    for entry in entries {
        let entry = entry.map_err(ResultsError::io(&charts))?;
        let name = entry.file_name();
        let own = name.to_str().and_then(|file| chart_of_file(file, competitors));
        if own.is_some_and(|chart| !but.contains(&chart)) {
            let path = entry.path();
            fs::remove_file(&path).map_err(ResultsError::io(&path))?;
        } else {
            left += 1;
        }
    }
    if left == 0 {
        fs::remove_dir(&charts).map_err(ResultsError::io(&charts))?;
    }
    Ok(())
}

/// The name of the chart in a file, if a report made that file.
fn chart_of_file<'f>(file: &'f str, competitors: &[&str]) -> Option<&'f str> {
    let whole = file.strip_suffix(".new").unwrap_or(file);
    let chart = whole.strip_suffix(".svg").or_else(|| whole.strip_suffix(".png"))?;
    let is_one = |name: &str| competitors.contains(&name) || name.parse::<Searcher>().is_ok();
    let is_ours = |name: Name| match name {
        Name::Only(name) => chart == name,
        Name::Each(before) => chart.strip_prefix(before).is_some_and(is_one),
        Name::EachWithThreads(before) => {
            let behind = chart.strip_prefix(before).and_then(|behind| behind.rsplit_once('-'));
            behind.is_some_and(|(name, threads)| is_one(name) && threads.parse::<u16>().is_ok())
        }
        Name::EachK(before) => chart.strip_prefix(before).is_some_and(|k| k.parse::<f64>().is_ok()),
        Name::Others => false,
    };
    names().any(is_ours).then_some(chart)
}
