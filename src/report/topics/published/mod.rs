//! Published figures beside those of this experiment. A second section counts censored samples as
//! finished, as some studies do.

mod chart;

use crate::experiment::{PublishedRow, Quantiles};
use crate::report::columns::{Format, Value, columns};
use crate::report::figures::{Row, SearcherFigures};
use crate::report::numbers::count;
use crate::report::{Input, Picture, Report, Source, Topic};
use ttd_stats::{Bounds, fits};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[],
    charts: &[
        Picture::only(
            "published-speedup",
            "quartiles of the speedups of `[published]` beside those measured",
            |of, setting| Vec::from_iter(chart::chart(&chart::SPEEDUP, setting, &of.input)),
        ),
        Picture::only(
            "published-deviation",
            "quartiles of the deviations of `[published]` beside those measured",
            |of, setting| Vec::from_iter(chart::chart(&chart::DEVIATION, setting, &of.input)),
        ),
    ],
    section: |report, of| {
        section(report, &of.input);
        as_finished(report, &of.input);
    },
};

/// Writes the section; nothing if nothing was published.
fn section(report: &mut Report<'_>, input: &Input) {
    let Some(published) = &input.experiment.published else { return };
    report.heading(2, "Beside the published figures");
    report.paragraph(&format!(
        "Published: {}. Here: this experiment. The two are of different engines and machines, and where the \
         setup above differs from the published one, of different experiments. Quartiles are over positions.",
        published.source
    ));
    for of in input.figures.measured() {
        let rows: Vec<&PublishedRow> =
            published.rows.iter().filter(|row| row.searcher == of.searcher).collect();
        let speedups = beside(of, &rows, Format::Ratio, |row| row.speedup, |row| row.quantiles);
        let deviations =
            beside(of, &rows, Format::Seconds, |row| row.deviation_s, chart::deviations);
        let caption = format!(
            "Speedup of {}. p: the parallel share that the median implies by Amdahl's law.",
            of.searcher
        );
        report.table(
            &caption,
            &quartiles().table(speedups, "threads, who, min, q1, median, q3, max, p"),
        );
        let caption = format!(
            "Deviation of a position's times from their median with {}, in seconds (root mean square).",
            of.searcher
        );
        report.table(
            &caption,
            &quartiles().table(deviations, "threads, who, min, q1, median, q3, max"),
        );
    }
    report.chart("published-speedup");
    report.chart("published-deviation");
}

/// Quartiles at a number of threads: published ones, or those of this experiment.
struct Line {
    threads: usize,
    who: &'static str,
    five: [Option<Bounds>; 5],
    format: Format,
    /// The parallel share that the median implies.
    share: Option<Bounds>,
}

/// Two rows for each number of threads at which one of the two has a figure. There are none if
/// nothing was published.
fn beside(
    of: &SearcherFigures,
    rows: &[&PublishedRow],
    format: Format,
    theirs: impl Fn(&PublishedRow) -> Option<Quantiles>,
    ours: impl Fn(&Row) -> Option<[Bounds; 5]>,
) -> Vec<Line> {
    let published = |row: &&PublishedRow| {
        let of = theirs(row)?;
        let median = [None, None, Some(of.median()), None, None];
        let five = of.five().map_or(median, |five| five.map(Some));
        let share = fits::parallel_share(row.threads, of.median()).filter(|_| row.threads > 1);
        let (threads, five) = (row.threads, five.map(|of| of.map(Bounds::exact)));
        Some(Line { threads, who: "published", five, format, share: share.map(Bounds::exact) })
    };
    let here = |row: &Row| {
        let five = ours(row).map_or([None; 5], |five| five.map(Some));
        let share = row.parallel_share.map(|share| share.value);
        Line { threads: row.threads, who: "here", five, format, share }
    };
    let mut lines: Vec<Line> = rows.iter().filter_map(published).collect();
    if lines.is_empty() {
        return lines;
    }
    lines.extend(of.rows.iter().map(here));
    lines.sort_by_key(|line| line.threads);
    lines
}

impl Line {
    /// The least, a quartile, the median or the greatest as text.
    fn quantile(&self, index: usize) -> String {
        self.format.text(&Value::from(self.five[index]))
    }
}

columns! {
    /// The tables of quartiles.
    fn quartiles(of: Line);

    Whole "threads" = of.threads, as "threads";
    Words "who" = of.who;
    Words "min" = of.quantile(0), as "min";
    Words "q1" = of.quantile(1), as "q1";
    Words "median" = of.quantile(2), as "median";
    Words "q3" = of.quantile(3), as "q3";
    Words "max" = of.quantile(4), as "max";
    Three "p" = of.share, as "p";
}

/// Writes the figures that would stand above if stopped searches counted as finished at their
/// limit. Some studies count them so. It writes nothing without censored samples.
fn as_finished(report: &mut Report<'_>, input: &Input) {
    let Some(finished) = &input.as_finished else { return };
    let both = input.figures.measured().zip(finished.measured());
    let beside = both.flat_map(|(of, other)| {
        let rows = of.rows.iter().zip(&other.rows);
        rows.map(|(row, other)| (of.searcher.as_str(), row, other))
    });
    report.heading(2, "If stopped searches counted as finished");
    let censored: usize = input.figures.rows().map(|row| row.censored).sum();
    report.paragraph(&format!(
        "{} reached the time limit. Here their time is known to be more than the limit. Some \
         studies take the limit for the time: that gives the columns “as finished”. They are not \
         the figures of this experiment. A stopped base makes speedups too small, a stopped cell \
         makes them too large. All times at the limit are equal, so deviations are too small.",
        count(censored, "sample")
    ));
    report.table(
        "Figures with censored samples, and the figures as finished. Deviation: the median over \
         positions of the root mean square distance of a position's times from their median, over \
         positions without censored samples.",
        &beside_finished().whole_table(beside),
    );
}

columns! {
    /// The table of the searcher's figures beside those as finished.
    fn beside_finished<'a>(of: (&'a str, &'a Row, &'a Row));

    Words "" = of.0, as "searcher";
    Whole "" = of.1.threads, as "threads";
    Whole "" = of.1.censored, as "censored";
    Ratio "" = of.1.median, as "median speedup";
    Ratio "" = of.2.median, as "as finished";
    Seconds "" = of.1.deviations_s.map(|five| five.median), as "deviation (s)";
    Seconds "" = of.2.deviations_s.map(|five| five.median), as "as finished";
}
