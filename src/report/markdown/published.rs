//! Published figures beside those of this experiment, and what censored samples would do if they were not told apart.

use crate::experiment::{PublishedRow, Quantiles};
use crate::report::charts::PUBLISHED;
use crate::report::document::Report;
use crate::report::figures::{Figures, Row, SearcherFigures};
use crate::report::input::Input;
use crate::report::numbers::{BLANK, bounds, count, estimate, fixed, known, ratio, seconds};
use ttd_stats::fits;

type Table = Vec<Vec<String>>;

/// The section; nothing if nothing was published.
pub(super) fn section(report: &mut Report<'_>, input: &Input) {
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
        report.table(
            &format!(
                "Speedup of {}. p: the parallel share that the median implies by Amdahl's law.",
                of.searcher
            ),
            &speedups(of, &rows),
        );
        report.table(
            &format!(
                "Deviation of a position's times from their median with {}, in seconds (root mean square).",
                of.searcher
            ),
            &deviations(of, &rows),
        );
    }
    for chart in PUBLISHED {
        report.chart(chart);
    }
}

fn header(last: &[&str]) -> Vec<String> {
    let columns = ["threads", "", "min", "q1", "median", "q3", "max"];
    columns.iter().chain(last).map(|column| (*column).to_owned()).collect()
}

/// Two lines for each number of threads at which one of the two has a figure.
fn beside(
    of: &SearcherFigures,
    rows: &[&PublishedRow],
    theirs: impl Fn(&PublishedRow) -> Option<Vec<String>>,
    ours: impl Fn(&Row) -> Vec<String>,
) -> Table {
    let mut threads: Vec<usize> = rows.iter().map(|row| row.threads).collect();
    threads.extend(of.rows.iter().map(|row| row.threads));
    threads.sort_unstable();
    threads.dedup();
    let mut table = Table::new();
    for n in threads {
        let lines = [
            ("published", rows.iter().find(|row| row.threads == n).and_then(|row| theirs(row))),
            ("here", of.rows.iter().find(|row| row.threads == n).map(&ours)),
        ];
        for (who, cells) in lines {
            if let Some(cells) = cells {
                table.push([vec![n.to_string(), who.to_owned()], cells].concat());
            }
        }
    }
    table
}

fn five(quantiles: Quantiles, number: impl Fn(f64) -> String) -> Vec<String> {
    let blank = || BLANK.to_owned();
    match quantiles {
        Quantiles::Median(median) => vec![blank(), blank(), number(median), blank(), blank()],
        Quantiles::Five(five) => five.into_iter().map(number).collect(),
    }
}

fn share(p: f64) -> String {
    fixed(p, 3)
}

fn speedups(of: &SearcherFigures, rows: &[&PublishedRow]) -> Table {
    if rows.iter().all(|row| row.speedup.is_none()) {
        return Table::new();
    }
    let theirs = |row: &PublishedRow| {
        let mut cells = five(row.speedup?, ratio);
        let p = fits::parallel_share(row.threads, row.speedup?.median());
        cells.push(known(p.filter(|_| row.threads > 1), share));
        Some(cells)
    };
    let ours = |row: &Row| {
        let quantiles = row.quantiles.map_or([None; 5], |q| q.map(Some));
        let mut cells: Vec<String> = quantiles.map(|q| bounds(q, ratio)).to_vec();
        cells.push(estimate(row.parallel_share, share));
        cells
    };
    [vec![header(&["p"])], beside(of, rows, theirs, ours)].concat()
}

fn deviations(of: &SearcherFigures, rows: &[&PublishedRow]) -> Table {
    if rows.iter().all(|row| row.deviation_s.is_none()) {
        return Table::new();
    }
    let theirs = |row: &PublishedRow| Some(five(row.deviation_s?, seconds));
    let ours = |row: &Row| match row.deviations_s {
        Some(d) => [d.min, d.q1, d.median, d.q3, d.max].map(seconds).to_vec(),
        None => vec![BLANK.to_owned(); 5],
    };
    [vec![header(&[])], beside(of, rows, theirs, ours)].concat()
}

/// What would stand above if a search that its limit stopped counted as finished then, as it does in some studies; nothing without
/// censored samples.
pub(super) fn as_finished(report: &mut Report<'_>, input: &Input) {
    let Some(finished) = &input.as_finished else { return };
    report.heading(2, "If stopped searches counted as finished");
    let censored: usize =
        input.figures.measured().flat_map(|of| &of.rows).map(|row| row.censored).sum();
    report.paragraph(&format!(
        "{} reached the time limit. Here their time is known to be more than the limit; to take the limit for \
         their time, as some studies do, would give the figures in the columns “as finished”. They are not the figures of \
         this experiment: a stopped base makes speedups too small, a stopped cell makes them too large, and all times at the \
         limit are equal, so that deviations are too small.",
        count(censored, "sample")
    ));
    report.table(
        "Figures with censored samples, and what they would be as finished. Deviation: the median over positions of the root \
         mean square distance of a position's times from their median, over positions without censored samples.",
        &beside_finished(&input.figures, finished),
    );
}

fn beside_finished(figures: &Figures, finished: &Figures) -> Table {
    let columns = [
        "searcher",
        "threads",
        "censored",
        "median speedup",
        "as finished",
        "deviation (s)",
        "as finished",
    ];
    let mut table = vec![columns.map(str::to_owned).to_vec()];
    for (of, other) in figures.measured().zip(finished.measured()) {
        for (row, other) in of.rows.iter().zip(&other.rows) {
            let median = |row: &Row| bounds(row.median.map(|m| m.value), ratio);
            let deviation = |row: &Row| known(row.deviations_s.map(|d| d.median), seconds);
            table.push(vec![
                of.searcher.clone(),
                row.threads.to_string(),
                row.censored.to_string(),
                median(row),
                median(other),
                deviation(row),
                deviation(other),
            ]);
        }
    }
    table
}
