//! Stability: the agreement of runs, the spread of the times of a cell, and positions far from the
//! others.

pub(crate) mod outliers;
pub(crate) mod rows;

use crate::report::columns::{Value, columns};
use crate::report::front::validity::{drift, steps};
use crate::report::numbers::{count, known, percent, percents, ratio, seconds, with_interval};
use crate::report::topics::stability::outliers::{Decisive, Outlier};
use crate::report::topics::stability::rows::StabilityRow;
use crate::report::topics::summary::starred;
use crate::report::{Report, Source, Table, Topic, file};
use ttd_stats::agreement::Agreement;

/// The greatest number of outliers of a searcher that the table shows.
const SHOWN: usize = 12;
/// The share in a position's gain or loss from which on an iteration is named as the cause.
const MOST_OF_IT: f64 = 0.5;
/// The ratio of an iteration's nodes to the base's below which its tree is called smaller. Above 1
/// over this ratio the tree is called larger.
const SMALLER: f64 = 0.8;

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[
        file!("stability.csv", columns, Table::filled, |of| &of.input.stability),
        file!("outliers.csv", outlier_columns, Table::filled, |of| &of.input.outliers),
    ],
    charts: &[],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let input = &of.input;
    if input.stability.is_empty() {
        return;
    }
    report.heading(2, "Stability");
    report.table(
        "How alike the runs are that reached the depth. A pair of runs is a run and one of the \
         same searcher at one thread. (At one thread, it is two different runs: the yardstick.) \
         Same move and same score: the share of pairs that agree, a mean over positions with its \
         95% ci_positions. Apart: the median distance of the scores of such pairs in centipawns, \
         and of these the median over positions. Variation: standard deviation over mean of the \
         times of a cell, its quartiles over the positions without a stopped run. * \
         oversubscribed.",
        &columns().whole_table(&input.stability),
    );
    let changes: Vec<String> =
        [drift::in_words(input), steps::in_words(input)].into_iter().flatten().collect();
    if !changes.is_empty() {
        report.paragraph(&changes.join(" "));
    }
    if input.outliers.is_empty() {
        return;
    }
    let more = input.outliers.len() - shown(&input.outliers).count();
    let rest = match more {
        0 => String::new(),
        more => format!(" {} more in `outliers.csv`.", count(more, "position")),
    };
    report.table(
        &format!(
            "Positions whose speedup is an outlier, the farthest first. Its logarithm lies beyond \
             1.5 interquartile ranges of the others', and it differs from the median by a factor \
             of 1.25 at least. Why: the iteration in which most of the difference to the median \
             speedup came about, from the median times to each depth.{rest}"
        ),
        &outlier_columns().table(
            shown(&input.outliers),
            "searcher, threads, position, speedup, ci_runs, typical_speedup, why",
        ),
    );
}

/// A share of pairs that agree, with its interval.
fn agreement(agreement: Option<Agreement>) -> Value {
    let over = agreement.and_then(|of| of.ci_positions);
    Value::positions(agreement.map(|of| of.share), over)
}

fn agreement_in_words(agreement: Option<Agreement>) -> String {
    let share = known(agreement.map(|a| a.share), percent);
    with_interval(share, agreement.and_then(|a| a.ci_positions), percent)
}

fn quartiles(row: &StabilityRow) -> String {
    known(row.variation, |of| [of.q1, of.median, of.q3].map(percents).join(" / "))
}

columns! {
    /// The columns of `stability.csv`.
    pub(crate) fn columns<'a>(of: &'a StabilityRow);

    /// the row
    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "threads" = of.threads, as "threads", shown starred(of.threads, of.oversubscribed);
    /// positions that have pairs of samples whose best moves can be compared. This column, and
    /// those of scores, are of samples that reached the depth: others are left out, their cells are
    /// not
    Whole "move_agreement_positions" = of.moves.map(|moves| moves.positions);
    /// the share of pairs of samples that have the same best move, a mean over the positions. The
    /// other sample of a pair is of the same searcher at one thread (where it has none, of the
    /// base). At one thread, a pair is two different samples: the yardstick. `ci_positions` only
    Percent "move_agreement" + Positions = agreement(of.moves), as "same move", tex "SameMove",
        shown agreement_in_words(of.moves);
    /// these two for the score, equal to the centipawn
    Whole "score_agreement_positions" = of.scores.map(|scores| scores.positions);
    Percent "score_agreement" + Positions = agreement(of.scores), as "same score", tex "SameScore",
        shown agreement_in_words(of.scores);
    /// the median distance of the scores of these pairs, in centipawns, and of these the median
    /// over positions
    Whole "score_distance_cp" = of.score_distance, as "apart (cp)", tex "ScoreDistance";
    /// over positions, of the coefficient of variation of the times of a cell: standard deviation
    /// (n-1) over mean. Cells with a censored sample, or with fewer than two that reached the
    /// depth, are left out. Failed samples do not count
    Tenths "variation_min" = of.variation.map(|five| five.min);
    Tenths "variation_q1" = of.variation.map(|five| five.q1), tex "LowerVariation";
    Tenths "variation_median" = of.variation.map(|five| five.median), tex "Variation";
    Tenths "variation_q3" = of.variation.map(|five| five.q3), tex "UpperVariation";
    Tenths "variation_max" = of.variation.map(|five| five.max);
    Words "" = quartiles(of), as "variation";
}

/// The outliers of each searcher that are farthest from the median.
fn shown(all: &[Outlier]) -> impl Iterator<Item = &Outlier> {
    all.iter().filter(|outlier| {
        let of_it = all.iter().filter(|other| other.searcher == outlier.searcher);
        of_it.filter(|other| other.distance() > outlier.distance()).count() < SHOWN
    })
}

columns! {
    /// The columns of `outliers.csv`.
    fn outlier_columns<'a>(of: &'a Outlier);

    /// the cell
    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "threads" = of.threads, as "threads", shown starred(of.threads, of.oversubscribed);
    Words "position" = of.position.as_str(), as "position";
    /// as in `speedups.csv`
    Ratio "speedup" + Runs = Value::runs(of.speedup, of.ci_runs), as "speedup";
    /// the median over positions
    Ratio "typical_speedup" = of.typical, as "median";
    /// `yes` if the speedup exceeds the number of threads
    Flag "super_linear" = of.is_super_linear();
    /// the depth in which most of the difference came about: the time that it took beyond the
    /// base's time / `typical_speedup`. Blank, like the rest, where a median time of the base or of
    /// the cell to one of the depths is not known exactly. That is so without `iterations.csv`,
    /// where no sample has a row of that depth, and where censored samples leave the median open.
    /// It is blank too where base and cell were to reach different depths
    Whole "iteration" = of.iteration.map(|iteration| usize::from(iteration.depth));
    /// how long this iteration alone took the base, and the cell: differences of the median times
    /// to each depth
    Seconds "iteration_base_s" = of.iteration.map(|iteration| iteration.base_s);
    Seconds "iteration_s" = of.iteration.map(|iteration| iteration.cell_s);
    /// nodes of the cell over those of the base in it: differences of the median nodes to each
    /// depth. Only samples that reached the depth asked for count. Blank where the base has none
    Ratio "iteration_nodes_ratio" = of.iteration.and_then(|iteration| iteration.nodes);
    /// its share of the whole difference: above 1 where other iterations made up for it
    Percent "iteration_share" = of.iteration.map(|iteration| iteration.share);
    Words "" = why(of), as "why";
}

/// A sentence on the cause of an outlier.
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
