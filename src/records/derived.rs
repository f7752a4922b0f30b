//! The files that a report makes in a results directory: their names, and how they are removed.

use super::error::ResultsError;
use std::path::Path;
use std::{fs, io};
use ttd_search::searchers::Searcher;

/// The directory of a report's charts.
pub const CHARTS: &str = "charts";

/// Charts of all searchers.
const OF_ALL: [&str; 8] = [
    "speedup",
    "efficiency",
    "deviations",
    "times",
    "variants",
    "work-span",
    "published-speedup",
    "published-deviation",
];
/// Charts of a match.
const OF_MATCH: [&str; 5] =
    ["wins-draws-losses", "win-rate", "rating-likeliest", "time-by-depth", "nodes-by-depth"];
/// The beginning of the names of a match's charts for one K.
const OF_K: &str = "rating-k";
/// The beginnings of the names of one competitor's charts.
const OF_ONE: [&str; 6] = [
    "speedup-boxes-",
    "speedup-positions-",
    "speedup-map-",
    "speedup-by-depth-",
    "account-",
    "fits-",
];

/// Removes the charts that earlier reports made, except the names in `but` (without extension). The
/// directory is removed too if nothing is left in it.
///
/// Files that no report made stay. A chart of one competitor was made by a report if the competitor
/// is a searcher, or one of these `contenders`.
///
/// # Errors
/// If the directory cannot be read, or a chart not be removed.
pub fn remove_charts(dir: &Path, contenders: &[&str], but: &[&str]) -> Result<(), ResultsError> {
    let charts = dir.join(CHARTS);
    let entries = match fs::read_dir(&charts) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(ResultsError::io(&charts))?,
    };
    let mut left = 0;
    for entry in entries {
        let entry = entry.map_err(ResultsError::io(&charts))?;
        let name = entry.file_name();
        let own = name.to_str().and_then(|file| chart_of_file(file, contenders));
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

/// The name of the chart in this file; none if no report makes such a file.
fn chart_of_file<'f>(file: &'f str, contenders: &[&str]) -> Option<&'f str> {
    let whole = file.strip_suffix(".new").unwrap_or(file);
    let chart = whole.strip_suffix(".svg").or_else(|| whole.strip_suffix(".png"))?;
    let of_one = || {
        let of = OF_ONE.iter().find_map(|before| chart.strip_prefix(before));
        of.is_some_and(|name| contenders.contains(&name) || name.parse::<Searcher>().is_ok())
    };
    let of_match = || {
        let k = chart.strip_prefix(OF_K);
        OF_MATCH.contains(&chart) || k.is_some_and(|k| k.parse::<f64>().is_ok())
    };
    (OF_ALL.contains(&chart) || of_one() || of_match()).then_some(chart)
}
