//! Figures of others beside those of this experiment, each metric by itself.

use crate::report::against::Figure;
use crate::report::columns::{Format, Value, columns};
use crate::report::figures::Row;
use crate::report::lists::each_once;
use crate::report::numbers::{count, list};
use crate::report::{Report, Source, Topic};
use ttd_stats::Bounds;

/// The topic. It is empty unless studies were chosen.
pub(crate) const TOPIC: Topic<Source> = Topic { files: &[], charts: &[], section };

fn section(report: &mut Report<'_>, of: &Source) {
    let (studies, figures) = (&of.against.studies, &of.against.figures);
    if studies.is_empty() {
        return;
    }
    report.heading(2, "Beside the figures of others");
    report.paragraph(
        "Their figures are of other engines, positions and machines. Only figures of one metric \
         and one unit stand beside each other. Where they give a mean, ours is the geometric mean.",
    );
    let sources = studies.iter().map(|study| {
        let year = if study.year.is_empty() { String::new() } else { format!(", {}", study.year) };
        format!("{}: {}, “{}”{year} ({})", study.key, study.author, study.title, study.text)
    });
    report.paragraph(&format!("Sources. {}.", sources.collect::<Vec<_>>().join(". ")));
    let beside: Vec<Beside<'_>> = figures.iter().filter_map(|figure| beside(of, figure)).collect();
    for (metric, what, _) in METRICS {
        let rows = beside.iter().filter(|row| row.theirs.metric == metric);
        report.table(&format!("{what}, theirs and ours."), &columns().whole_table(rows));
    }
    let is_shown = |figure: &Figure| beside.iter().any(|row| std::ptr::eq(row.theirs, figure));
    let left: Vec<&Figure> = figures.iter().filter(|figure| !is_shown(figure)).collect();
    if !left.is_empty() {
        let is_other = |figure: &&&Figure| METRICS.iter().all(|(name, ..)| *name != figure.metric);
        let others = each_once(left.iter().filter(is_other).map(|figure| figure.metric.as_str()));
        let others: Vec<&str> = others.into_iter().collect();
        let or = if others.is_empty() {
            String::new()
        } else {
            format!(", or nothing here can be compared with {}", list(others))
        };
        report.paragraph(&format!(
            "{} of these sources have no equal here: this experiment lacks the searcher, the number \
             of threads or the statistic{or}.",
            count(left.len(), "figure")
        ));
    }
}

/// The metrics that can be compared with those of a sweep: their names, words and units. Times and
/// deviations in seconds cannot: machines differ.
const METRICS: [(&str, &str, &str); 2] = [
    ("time-to-depth", "Speedup to depth", "times"),
    ("nodes", "Nodes over those of one worker", "times"),
];

/// A figure of others, and ours.
struct Beside<'a> {
    theirs: &'a Figure,
    ours: Bounds,
}

columns! {
    /// The table of a metric.
    fn columns<'a>(of: &'a Beside<'a>);

    Words "" = of.theirs.study.as_str(), as "study";
    Words "" = of.theirs.searcher.as_str(), as "searcher";
    Whole "" = of.theirs.threads, as "threads";
    Words "" = of.theirs.statistic.as_str(), as "statistic";
    Words "" = of.theirs.printed(), as "theirs";
    Words "" = ours_in_words(of), as "ours";
    Words "" = what(of.theirs), as "their experiment";
    Words "" = of.theirs.place.as_str(), as "place";
}

fn ours_in_words(of: &Beside<'_>) -> String {
    Format::Ratio.text(&Value::from(of.ours))
}

fn what(figure: &Figure) -> String {
    let Figure { on, version, .. } = figure;
    if version.is_empty() { on.clone() } else { format!("{on} ({version})") }
}

/// Our figure of the same searcher, threads, metric and unit beside theirs; none if there is none.
fn beside<'a>(of: &Source, theirs: &'a Figure) -> Option<Beside<'a>> {
    METRICS
        .iter()
        .find(|(metric, _, unit)| (*metric, *unit) == (&*theirs.metric, &*theirs.unit))?;
    let measured = |of: &&crate::report::figures::SearcherFigures| of.searcher == theirs.searcher;
    let searcher = of.input.figures.measured().find(measured)?;
    let row = searcher.rows.iter().find(|row| row.threads == theirs.threads)?;
    ours(row, &theirs.metric, &theirs.statistic).map(|ours| Beside { theirs, ours })
}

fn ours(row: &Row, metric: &str, statistic: &str) -> Option<Bounds> {
    let place = ["least", "lower-quartile", "median", "upper-quartile", "greatest"]
        .iter()
        .position(|name| *name == statistic);
    match (metric, place) {
        ("time-to-depth", Some(place)) => row.quantiles.map(|five| five[place]),
        ("time-to-depth", None) if MEANS.contains(&statistic) => {
            row.geometric_mean.map(|mean| mean.value)
        }
        ("nodes", None) if MEANS.contains(&statistic) => {
            row.net.as_ref().map(|net| net.tree_ratio.value)
        }
        _ => None,
    }
}

/// The statistics that our geometric mean stands beside.
const MEANS: [&str; 2] = ["mean", "about"];
