//! The speedups when a cost of the simulation is halved or doubled.

pub(crate) mod rows;

use crate::report::columns::{Value, columns};
use crate::report::figures::Estimate;
use crate::report::topics::sensitivity::rows::Line;
use crate::report::{File, Report, Source, Topic};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[File::new(
        "sensitivity.csv",
        |of| {
            let Source { input, sensitivity, .. } = of;
            (!sensitivity.is_empty()).then(|| columns().file(sensitivity.lines(&input.figures)))
        },
        || columns().page(),
    )],
    charts: &[],
    section,
};

/// Writes how much depends on the costs of the simulation.
fn section(report: &mut Report<'_>, of: &Source) {
    let Source { input, sensitivity, .. } = of;
    if sensitivity.is_empty() {
        return;
    }
    report.heading(2, "If things cost something else");
    for of in input.figures.measured().filter(|of| of.rows.iter().any(|row| row.threads > 1)) {
        let caption = format!(
            "Geometric-mean speedup of {} by threads (ci_runs), with the cost in the first column \
             halved / doubled and all others as they are.",
            of.searcher
        );
        report.table(&caption, &sensitivity.table(&input.figures, &of.searcher));
    }
}

columns! {
    /// The columns of `sensitivity.csv`.
    fn columns<'a>(of: Line<'a>);

    /// the key of `[virtual]`, changed for all searchers. Left out are `evaluation_ps`, `reduce_ps`
    /// and `copy_ps`, which most searchers never pay, and the keys of shared processors. So are a
    /// change that changes nothing (a cost of 0) and one beyond the key's range
    Words "cost" = of.variation.cost;
    /// `halved` (rounded down) or `doubled`
    Words "change" = if of.variation.doubled { "doubled" } else { "halved" };
    /// the row of `summary.csv` that it is compared with
    Words "searcher" = of.searcher;
    Whole "threads" = of.row.threads;
    /// of the speedup over positions, with the changed cost; `ci_runs` only
    Ratio "geometric_mean" + Runs = Value::runs(known(of.row.geometric_mean), of.row.geometric_mean.and_then(|e| e.ci_runs));
    /// this speedup over the one with the costs as they are
    Ratio "ratio_to_unchanged" = known(of.row.geometric_mean).zip(known(of.unchanged)).map(|(a, b)| a / b);
}

fn known(estimate: Option<Estimate>) -> Option<f64> {
    estimate.and_then(|estimate| estimate.value.value())
}
