//! Work, critical path, and the time that they explain.

use super::Report;
use crate::report::figures::{Intervals, WorkSpanFigures, WorkSpanRow};
use crate::report::numbers::{count, fixed, interval, known, percent, ratio};

/// The sentences, the table and the chart; nothing where no run has a critical path.
pub(super) fn section(report: &mut Report<'_>, work_spans: &[WorkSpanFigures]) {
    if work_spans.is_empty() {
        return;
    }
    report.heading(2, "Work and critical path");
    report.paragraph(
        "The work W of a run is what all its workers did, without waiting and without looking for work; its critical \
         path C is the longest chain in it of which each piece had to wait for the one before. No N workers take less \
         than W/N or than C. The model T = a W/N + b C (of the Cilk chess programs) is fitted to the runs of several \
         workers that reached the depth, by least squares on log T; all that follows is of these runs. The intervals of a and b are \
         at 95%, every replicate refitted: they are of these thread counts, and say nothing of how far the model itself is off \
         (modelled). Both can be below 1, where the time is nearer the greater of the two terms than their sum. W and C are those \
         of the graph of this run, in which a node that may be shared counts as shared, whether anybody was free or not: \
         W/C is how many workers the algorithm has work for. \
         Searchers whose workers meet in the table alone have no such graph.",
    );
    report.list(&work_spans.iter().map(in_words).collect::<Vec<_>>());
    report.table(
        "Work and critical path by threads (geometric means over positions; the path's share of the modelled time: \
         arithmetic). W/C: how many workers there is work for. W/(N T): how much of their time is work. C/T: how much \
         of the time the critical path takes. Modelled: the model's time over the time. Limit: time of the base over \
         b C, or over C where b is below 1: the speedup that is left to ever more workers.",
        &table(work_spans),
    );
    report.chart("work-span");
}

fn in_words(of: &WorkSpanFigures) -> String {
    let Some(row) = of.rows.last() else { return of.searcher.clone() };
    let parallelism = format!(
        "On {} there is work for {} (W/C)",
        count(row.threads, "worker"),
        fixed(row.parallelism, 1)
    );
    let Some(fit) = &of.fit else {
        return format!(
            "**{}**: {parallelism}. The model is not fitted: it takes four runs of several workers, not all with the \
             same ratio of W/N to C.",
            of.searcher
        );
    };
    let explains = row.path_share.map_or_else(String::new, |share| {
        format!("; the critical path explains {} of the modelled time", percent(share))
    });
    let limit = row.limit.map_or_else(String::new, |limit| {
        format!(
            ", and ever more workers of the same graph are left a speedup of {} (extrapolated)",
            fixed(limit, 1)
        )
    });
    let r_squared = fit.r_squared.map_or_else(String::new, |r| format!("R² {}, ", fixed(r, 4)));
    let over = ["a", "b"].into_iter().zip(of.over).filter_map(|(name, over)| within(name, over));
    let over: String = over.collect();
    format!(
        "**{}**: T = {} W/N + {} C ({r_squared}relative error {}, {}{over}). {parallelism}{explains}{limit}.",
        of.searcher,
        ratio(fit.a),
        ratio(fit.b),
        percent(fit.error),
        count(fit.runs, "run"),
    )
}

/// The intervals of a coefficient, those that it has: `; a: ci_runs 0.97 to 0.98, ci_positions 0.95 to 1.01`.
fn within(name: &str, over: Intervals) -> Option<String> {
    let named = [("ci_runs", over.runs), ("ci_positions", over.positions)];
    let known = named.into_iter().filter(|(_, ci)| ci.is_some());
    let words: Vec<String> =
        known.map(|(which, ci)| format!("{which} {}", interval(ci, ratio))).collect();
    (!words.is_empty()).then(|| format!("; {name}: {}", words.join(", ")))
}

fn table(work_spans: &[WorkSpanFigures]) -> Vec<Vec<String>> {
    let header = [
        "searcher",
        "threads",
        "positions",
        "runs",
        "W/C",
        "W/(N T)",
        "C/T",
        "modelled",
        "path's share",
        "limit",
    ];
    let line = |of: &WorkSpanFigures, row: &WorkSpanRow| {
        vec![
            of.searcher.clone(),
            row.threads.to_string(),
            row.cells.len().to_string(),
            row.runs.to_string(),
            fixed(row.parallelism, 1),
            percent(row.utilisation),
            percent(row.path_over_time),
            known(row.modelled, ratio),
            known(row.path_share, percent),
            known(row.limit, |limit| fixed(limit, 1)),
        ]
    };
    let lines = work_spans.iter().flat_map(|of| of.rows.iter().map(move |row| line(of, row)));
    [header.map(str::to_owned).to_vec()].into_iter().chain(lines).collect()
}
