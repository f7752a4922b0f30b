//! The spread of the times of a position.

mod deviations;
pub(crate) mod normality;
mod times;

use crate::report::numbers::count;
use crate::report::topics::spread::normality::{Group, Shape, groups};
use crate::report::topics::summary::{lines, summary};
use crate::report::{Input, Picture, Report, Source, Table, Topic, file};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[file!("normality.csv", normality::cells, Table::filled, |of| &of.input.normality)],
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
        Picture::each(
            "normality-",
            "the times of every tested cell about their mean, in standard deviations, as a histogram with the normal curve",
            |of, setting| deviations::histograms(setting, of),
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
    shapes(report, &of.input);
}

/// Writes whether the times are normal.
fn shapes(report: &mut Report<'_>, input: &Input) {
    let cells = &input.normality;
    let left_out = |why: &str| cells.iter().filter(|cell| cell.tested == Err(why)).count();
    let (few, unfit, stopped) = (left_out("few"), left_out("untestable"), left_out("stopped"));
    let tested: Vec<&Shape> = cells.iter().filter_map(|cell| cell.tested.as_ref().ok()).collect();
    report.heading(2, "Are the times normal?");
    let mut why = Vec::new();
    for (number, words) in [
        (few, "fewer than 8 samples that reached the depth"),
        (unfit, "times that are all equal (or more than 5,000)"),
        (stopped, "a sample that the limit stopped"),
    ] {
        why.extend((number > 0).then(|| format!("{} with {words}", count(number, "cell"))));
    }
    let left_out =
        if why.is_empty() { String::new() } else { format!(" Left out: {}.", why.join(", ")) };
    if tested.is_empty() {
        report.paragraph(&format!("No cell can be tested.{left_out}"));
        return;
    }
    let refuted = tested.iter().filter(|shape| !shape.is_normal()).count();
    report.paragraph(&format!(
        "The times of {refuted} of {} are not normal at 5%, by the test of Shapiro and Wilk. Its p \
         is adjusted for all these cells (Benjamini and Hochberg). A cell that is not \
         refuted may still not be normal: few samples show only great differences. No interval of \
         this report takes times to be normal.{left_out}",
        count(tested.len(), "tested cell")
    ));
    report.table(
        "Cells whose times are not normally distributed. p ≤ 5%: cells of which the test alone \
         says so. Of normal cells it would be one in twenty. Not normal: after the adjustment. \
         W is 1 at best. A skewness above 0 is a longer tail of long times. * oversubscribed.",
        &groups().whole_table(Group::all(&input.figures, cells)),
    );
    report.each_chart("normality-");
}
