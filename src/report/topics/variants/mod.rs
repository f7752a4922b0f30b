//! Variants beside their reference.

mod chart;
pub(crate) mod rows;

use crate::report::{File, Picture, Report, Source, Topic};
use rows::{columns, lines};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[File::new(
        "variants.csv",
        |of| Some(columns().file(lines(of.input.variants.as_ref()?))),
        || columns().page(),
    )],
    charts: &[Picture::only(
        "variants",
        "`time_ratio` and `speedup_ratio` of every variant with intervals, and the moves found; sorted by the first at the least number of threads",
        |of, setting| Vec::from_iter(chart::beside_reference(setting, &of.input)),
    )],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let Some(variants) = of.input.variants.as_ref().filter(|v| !v.rows.is_empty()) else { return };
    let reference = &variants.reference;
    report.heading(2, "Variants");
    report.paragraph(&format!(
        "Each variant beside {reference} at as many threads: ratios of medians, position by position, and their \
         geometric means. Below 1, a variant takes less time, or visits fewer nodes."
    ));
    report.chart("variants");
    report.table(
        &format!(
            "Time and nodes over those of {reference}. The effective branching factor is the \
             growth of the nodes from iteration to iteration over the deeper half of the search. \
             That half is an even number of plies. The factor is the median over the samples of a \
             position, and the geometric mean over positions."
        ),
        &columns().table(
            lines(variants),
            "searcher, threads, positions, time_ratio, ci_runs, ci_positions, nodes_ratio, \
             ci_runs, ci_positions, branching_factor, ci_positions",
        ),
    );
    report.table(
        &format!(
            "Moves found, and speedups. Found: positions in which more than half of the samples \
             that reached the depth have a best move that the set asks for. Beside them stands the \
             number of positions for which the set asks for moves. In samples: the share of all \
             samples. Gained: positions in which the variant found it and {reference} did not. \
             Lost: the other way round. Speedup: geometric mean, to one thread of the same \
             variant. Ratio: over that of {reference}, position by position."
        ),
        &columns().table(
            lines(variants),
            "searcher, threads, found, found_share, gained, lost, speedup, speedup_ratio, ci_runs, \
             ci_positions",
        ),
    );
}
