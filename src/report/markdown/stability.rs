//! The section on stability: agreement with one thread, spread of the times, outliers.

use super::Report;
use crate::report::figures::{Decisive, Outlier, StabilityRow};
use crate::report::input::Input;
use crate::report::numbers::{count, fixed, interval, known, percent, percents, ratio, seconds};
use crate::report::validity;
use ttd_stats::agreement::Agreement;

/// How many outliers of a searcher the table shows at most.
const SHOWN: usize = 12;
/// An iteration with this share in what a position won or lost is named as the cause.
const MOST_OF_IT: f64 = 0.5;
/// Above this share of the base's nodes an iteration's tree is not called smaller, and below one over it not larger.
const SMALLER: f64 = 0.8;

/// The whole section; nothing without samples.
pub(super) fn section(report: &mut Report<'_>, input: &Input) {
    if input.stability.is_empty() {
        return;
    }
    report.heading(2, "Stability");
    report.table(
        "How alike the runs are that reached the depth. Same move and same score: the share of pairs, of a run and one of the same searcher at one \
         thread, that agree (of one thread: pairs of its own runs, the yardstick), a mean over positions with its 95% \
         ci_positions. Apart: the median distance of the scores of such pairs in centipawns, of these the median over \
         positions. Variation: standard deviation over mean of the times of a cell, its quartiles over the positions without a stopped run. \
         * oversubscribed.",
        &table(&input.stability),
    );
    if let Some(drift) = validity::drift_in_words(input) {
        report.paragraph(&drift);
    }
    if input.outliers.is_empty() {
        return;
    }
    let more = input.outliers.len() - shown(&input.outliers).count();
    let rest = if more > 0 {
        format!(" {} more in `outliers.csv`.", count(more, "position"))
    } else {
        String::new()
    };
    report.table(
        &format!(
            "Positions whose speedup lies beyond 1.5 interquartile ranges of the others' (of its logarithm), and by a factor of 1.25 \
             at least from the median, the farthest first. Why: the iteration in which most of the difference to the \
             median speedup came about, from the median times to each depth.{rest}"
        ),
        &outliers(&input.outliers),
    );
}

fn table(rows: &[StabilityRow]) -> Vec<Vec<String>> {
    let header = ["searcher", "threads", "same move", "same score", "apart (cp)", "variation"];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    table.extend(rows.iter().map(|row| {
        let variation = row.variation.map(|of| [of.q1, of.median, of.q3].map(percents).join(" / "));
        vec![
            row.searcher.clone(),
            threads(row.threads, row.oversubscribed),
            agreement(row.moves),
            agreement(row.scores),
            known(row.score_distance, |cp| fixed(cp, 0)),
            variation.unwrap_or_else(|| known(None, percents)),
        ]
    }));
    table
}

fn threads(threads: usize, oversubscribed: bool) -> String {
    format!("{threads}{}", if oversubscribed { "*" } else { "" })
}

fn agreement(agreement: Option<Agreement>) -> String {
    let share = known(agreement.map(|a| a.share), percent);
    match agreement.and_then(|a| a.ci_positions) {
        Some(ci) => format!("{share} ({})", interval(Some(ci), percent)),
        None => share,
    }
}

/// The farthest of each searcher.
fn shown(all: &[Outlier]) -> impl Iterator<Item = &Outlier> {
    all.iter().filter(|outlier| {
        let of_it = all.iter().filter(|other| other.searcher == outlier.searcher);
        of_it.filter(|other| other.distance() > outlier.distance()).count() < SHOWN
    })
}

fn outliers(all: &[Outlier]) -> Vec<Vec<String>> {
    let header = ["searcher", "threads", "position", "speedup", "ci_runs", "median", "why"];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    table.extend(shown(all).map(|outlier| {
        vec![
            outlier.searcher.clone(),
            threads(outlier.threads, outlier.oversubscribed),
            outlier.position.clone(),
            ratio(outlier.speedup),
            interval(outlier.ci_runs, ratio),
            ratio(outlier.typical),
            why(outlier),
        ]
    }));
    table
}

/// A sentence on what made it one.
fn why(outlier: &Outlier) -> String {
    let kind = match (outlier.is_fast(), outlier.is_super_linear()) {
        (true, true) => "super-linear",
        (true, false) => "fast",
        (false, _) => "slow",
    };
    let Some(decisive) = outlier.iteration else {
        return format!("{kind}; its iterations are not known.");
    };
    let Decisive { depth, base_s, cell_s, nodes, share } = decisive;
    if share < MOST_OF_IT {
        let what = if outlier.is_fast() { "gain" } else { "loss" };
        return format!(
            "{kind} in many iterations: the one that counts most, {depth}, has {} of the {what}.",
            percent(share)
        );
    }
    let times = format!("{} s instead of the base's {} s", seconds(cell_s), seconds(base_s));
    let tree = match (nodes, outlier.is_fast()) {
        (None, _) => String::new(),
        (Some(nodes), true) if nodes < SMALLER => format!(
            " and {} of its nodes: the workers found early what the base searched for long",
            percent(nodes)
        ),
        (Some(nodes), false) if nodes > 1.0 / SMALLER => {
            format!(" and {} times its nodes: the tree exploded", ratio(nodes))
        }
        (Some(nodes), _) => format!(" with {} of its nodes: not the tree's size", percent(nodes)),
    };
    format!("{kind}: iteration {depth} took {times}{tree}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_say_why() {
        let outlier = |speedup: f64, nodes: Option<f64>, share: f64| Outlier {
            searcher: "ybwc".to_owned(),
            threads: 2,
            oversubscribed: false,
            position: "p".to_owned(),
            speedup,
            ci_runs: None,
            typical: 1.7,
            iteration: Some(Decisive { depth: 17, base_s: 20.0, cell_s: 1.5, nodes, share }),
        };
        let fast = why(&outlier(9.0, Some(0.1), 1.1));
        assert!(
            fast.starts_with(
                "super-linear: iteration 17 took 1.50 s instead of the base's 20.0 s and 10% of"
            ),
            "{fast}"
        );
        assert!(
            why(&outlier(0.3, Some(3.0), 0.9)).contains("3.00 times its nodes: the tree exploded")
        );
        assert!(why(&outlier(1.9, Some(1.0), 0.9)).contains("fast: iteration 17"));
        assert!(why(&outlier(1.9, Some(1.0), 0.9)).contains("not the tree's size"));
        assert!(why(&outlier(0.3, None, 0.3)).contains("slow in many iterations"));
        let unknown = Outlier { iteration: None, ..outlier(0.3, None, 1.0) };
        assert_eq!(why(&unknown), "slow; its iterations are not known.");
    }
}
