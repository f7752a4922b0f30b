//! The spread of the times of a position.

mod boxes;
mod deviations;
mod times;

use crate::report::topics::summary::{lines, summary};
use crate::report::{Picture, Report, Source, Topic};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[],
    charts: &[
        Picture::only(
            "deviations",
            "`deviation_from_median_s` of every position by threads",
            |of, setting| Vec::from_iter(deviations::chart(setting, &of.input.figures)),
        ),
        Picture::only(
            "times",
            "the times of one position (`ttd report --position ID`; by default the one whose times vary the most)",
            |of, setting| Vec::from_iter(times::chart(setting, of)),
        ),
    ],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let figures = &of.input.figures;
    let Some(_) = figures.measured().next() else { return };
    report.heading(2, "Spread of the times");
    report.table(
        "Deviation of the times of a position, in seconds. SD and MAD are the medians over \
         positions of the standard deviation (n − 1) and of the median absolute deviation. The \
         other columns are of the root mean square distance from the median, over positions.",
        &summary().table(
            lines(figures).filter(|line| line.row.deviations_s.is_some()),
            "searcher, threads, sd_s, mad_s, deviation_min_s, deviation_q1_s, deviation_median_s, \
             deviation_q3_s, deviation_max_s",
        ),
    );
    report.chart("deviations");
    report.chart("times");
}
