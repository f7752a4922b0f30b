//! `work-span.csv`.

use super::{both, interval_names, number, text};
use crate::report::figures::{WorkSpanFigures, WorkSpanRow};

const COLUMNS: [&str; 10] = [
    "searcher",
    "threads",
    "positions",
    "runs",
    "parallelism",
    "utilisation",
    "path_over_time",
    "modelled_over_time",
    "path_share",
    "limit",
];
/// The fit's.
const COEFFICIENTS: [&str; 2] = ["a", "b"];
const QUALITY: [&str; 3] = ["fitted_runs", "r_squared", "error"];

/// The text of `work-span.csv`: one row a searcher and thread count that has runs with a critical path.
pub fn work_spans(work_spans: &[WorkSpanFigures]) -> String {
    let mut header = COLUMNS.map(str::to_owned).to_vec();
    for name in COEFFICIENTS {
        header.push(name.to_owned());
        header.extend(interval_names(name));
    }
    header.extend(QUALITY.map(str::to_owned));
    let mut rows = vec![header];
    for of in work_spans {
        rows.extend(of.rows.iter().map(|row| line(of, row)));
    }
    text(&rows)
}

fn line(of: &WorkSpanFigures, row: &WorkSpanRow) -> Vec<String> {
    let mut line = vec![
        of.searcher.clone(),
        row.threads.to_string(),
        row.cells.len().to_string(),
        row.runs.to_string(),
    ];
    let known = [row.parallelism, row.utilisation, row.path_over_time].map(Some);
    line.extend(known.into_iter().chain([row.modelled, row.path_share, row.limit]).map(number));
    let fit = of.fit;
    for (coefficient, over) in [fit.map(|fit| fit.a), fit.map(|fit| fit.b)].into_iter().zip(of.over)
    {
        line.push(number(coefficient));
        line.extend(both(over));
    }
    line.push(fit.map(|fit| fit.runs.to_string()).unwrap_or_default());
    line.extend([fit.and_then(|fit| fit.r_squared), fit.map(|fit| fit.error)].map(number));
    line
}
