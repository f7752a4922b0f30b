//! Variants beside their reference.

mod chart;
pub(crate) mod rows;

use crate::report::columns::columns;
use crate::report::figures::Estimate;
use crate::report::numbers::known;
use crate::report::topics::variants::rows::{Found, VariantRow, Variants};
use crate::report::{File, Picture, Report, Source, Topic};

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

/// One competitor of ours at one number of threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) reference: &'a str,
    pub(super) row: &'a VariantRow,
}

pub(super) fn lines(variants: &Variants) -> impl Iterator<Item = Line<'_>> {
    variants.rows.iter().map(|row| Line { reference: &variants.reference, row })
}

impl Line<'_> {
    /// The positions whose move was found, as people read them.
    fn found(&self) -> String {
        known(self.row.found, |found| format!("{} of {}", found.positions, found.asked))
    }

    /// The number of positions that were gained or lost. It is blank for the reference, which
    /// neither gains nor loses anything to itself.
    fn to_other(self, count: impl Fn(Found) -> usize) -> String {
        let found = self.row.found.filter(|_| self.row.searcher != self.reference);
        known(found, |found| count(found).to_string())
    }
}

columns! {
    /// The columns of `variants.csv`.
    pub(super) fn columns<'a>(of: Line<'a>);

    /// the row
    Words "searcher" = of.row.searcher.as_str(), as "searcher";
    Whole "threads" = of.row.threads, as "threads";
    /// the competitor that it is compared with: the key `reference` of the experiment
    Words "reference" = of.reference;
    /// positions that have a `time_ratio`
    Whole "positions" = of.row.time.map(|time| time.positions), as "positions";
    /// median time / median time of the reference: below 1 is faster
    Ratio "time_ratio" + Both = of.row.time.map(Estimate::from), as "time";
    /// median nodes / median nodes of the reference; samples that were stopped leave both ratios
    /// open
    Ratio "nodes_ratio" + Both = of.row.nodes.map(Estimate::from), as "nodes";
    /// the effective branching factor: (n_d / n_(d-k))^(1/k). Here n_i is the nodes to the end of
    /// iteration i (`iterations.csv`), d the depth and k the greatest even number up to d / 2. It
    /// is the growth of the nodes from iteration to iteration, over the deeper half of the search,
    /// and as many odd as even plies. Median over the samples that reached the depth, geometric
    /// mean over positions. The usual definition is the limit of the d-th root of the nodes to
    /// depth d (Knuth and Moore, Artificial Intelligence 6, 1975). At small d it also counts what
    /// small trees add. Blank for depths below 4, and for searches that do not deepen. `ci_runs` is
    /// blank where a position has a single such sample, `ci_positions` with a single position
    Ratio "branching_factor" + Both = of.row.branching.map(Estimate::from), as "branching factor";
    /// positions for which the set names moves (`bm`, `am`), and that have samples that reached the
    /// depth. Blank, like the next five, if there are none
    Whole "asked" = of.row.found.map(|found| found.asked);
    /// these samples
    Whole "samples" = of.row.found.map(|found| found.samples);
    /// the share of them whose best move is a `bm`, if the position has any, and no `am`
    Tenths "found_share" = of.row.found.map(|found| found.share()), as "in samples";
    /// positions in which more than half of the samples have such a move
    Whole "found" = of.row.found.map(|found| found.positions), as "found",
        shown of.found();
    /// of these, positions in which the reference's samples do not; and positions in which the
    /// reference's do and these do not
    Whole "gained" = of.row.found.map(|found| found.gained), as "gained", shown of.to_other(|found| found.gained);
    Whole "lost" = of.row.found.map(|found| found.lost), as "lost", shown of.to_other(|found| found.lost);
    /// geometric mean over positions of the speedup, to one thread of the same competitor:
    /// `geometric_mean` in `summary.csv`; blank for one thread
    Ratio "speedup" + Both = of.row.speedup, as "speedup";
    /// speedup / speedup of the reference, position by position; below 1, a variant gains less from
    /// its threads
    Ratio "speedup_ratio" + Both = of.row.speedup_ratio.map(Estimate::from), as "ratio";
}
