//! `stability.csv` and `outliers.csv`.

use super::{ends, interval_names, number, text};
use crate::report::figures::{Outlier, StabilityRow};
use ttd_stats::agreement::Agreement;

/// The text of `stability.csv`: one row a searcher and thread count that has samples.
pub fn stability(rows: &[StabilityRow]) -> String {
    let mut header = ["searcher", "threads"].map(str::to_owned).to_vec();
    for what in ["move_agreement", "score_agreement"] {
        let [.., lower, upper] = interval_names(what);
        header.extend([format!("{what}_positions"), what.to_owned(), lower, upper]);
    }
    header.push("score_distance_cp".to_owned());
    header.extend(["min", "q1", "median", "q3", "max"].map(|q| format!("variation_{q}")));
    let mut table = vec![header];
    table.extend(rows.iter().map(|row| {
        let mut out = vec![row.searcher.clone(), row.threads.to_string()];
        out.extend([row.moves, row.scores].into_iter().flat_map(agreement));
        out.push(number(row.score_distance));
        let five = row.variation.map(|f| [f.min, f.q1, f.median, f.q3, f.max].map(Some));
        out.extend(five.unwrap_or([None; 5]).map(number));
        out
    }));
    text(&table)
}

fn agreement(agreement: Option<Agreement>) -> [String; 4] {
    let positions = agreement.map_or_else(String::new, |a| a.positions.to_string());
    let [lower, upper] = ends(agreement.and_then(|a| a.ci_positions));
    [positions, number(agreement.map(|a| a.share)), lower, upper]
}

/// The text of `outliers.csv`: one row a position whose speedup is an outlier.
pub fn outliers(all: &[Outlier]) -> String {
    let header = [
        "searcher",
        "threads",
        "position",
        "speedup",
        "speedup_ci_runs_lower",
        "speedup_ci_runs_upper",
        "typical_speedup",
        "super_linear",
        "iteration",
        "iteration_base_s",
        "iteration_s",
        "iteration_nodes_ratio",
        "iteration_share",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    table.extend(all.iter().map(|outlier| {
        let mut out =
            vec![outlier.searcher.clone(), outlier.threads.to_string(), outlier.position.clone()];
        out.push(number(Some(outlier.speedup)));
        out.extend(ends(outlier.ci_runs));
        out.push(number(Some(outlier.typical)));
        out.push(if outlier.is_super_linear() { "yes" } else { "no" }.to_owned());
        let decisive = outlier.iteration;
        out.push(decisive.map_or_else(String::new, |d| d.depth.to_string()));
        out.push(number(decisive.map(|d| d.base_s)));
        out.push(number(decisive.map(|d| d.cell_s)));
        out.push(number(decisive.and_then(|d| d.nodes)));
        out.push(number(decisive.map(|d| d.share)));
        out
    }));
    text(&table)
}
