//! Who is faster than whom, in words and as a table.

use super::Report;
use crate::experiment::Experiment;
use crate::report::figures::{Comparison, Comparisons, Estimate};
use crate::report::numbers::{BLANK, count, estimate, fixed, interval, p_value};
use crate::stats::Bounds;
use crate::stats::paired::{LEAST_POSITIONS, Verdict};

/// So many comparisons are told in sentences; of more there is only the table.
const MOST_SENTENCES: usize = 12;
/// A difference that is surely less than this is said to be small: a test of many like differences sees the least of them.
const SMALL: f64 = 0.01;

/// The sentences and the table; nothing without a pair.
pub(super) fn section(report: &mut Report<'_>, experiment: &Experiment, all: &Comparisons) {
    if all.rows.is_empty() {
        return;
    }
    report.heading(2, "Searcher against searcher");
    report.paragraph(&method(experiment, all));
    if all.rows.len() <= MOST_SENTENCES {
        report.list(&all.rows.iter().map(sentence).collect::<Vec<_>>());
    }
    report.table(
        "How many times as fast the first is as the second, at as many threads: the second's median time over the \
         first's, position by position, and the geometric mean of that. Ahead: positions at which the first is faster. p is \
         corrected. * oversubscribed.",
        &table(all),
    );
}

/// What a verdict is.
fn method(experiment: &Experiment, all: &Comparisons) -> String {
    let mut text = vec![
        "Two are compared position by position, by the ratio of their median times.".to_owned(),
    ];
    text.push(if all.family == 0 {
        format!("With fewer than {LEAST_POSITIONS} positions there is no verdict on who is faster.")
    } else {
        format!(
            "Whether one is faster is said by Wilcoxon's signed-rank test on the logarithms of these ratios (two-sided, \
             5%), with Holm's correction for the {} of this report: if nobody differed from anybody, at most one such report \
             in twenty would call somebody faster. By how much is said by the intervals, each at 95% for itself.",
            count(all.family, "tested comparison")
        )
    });
    let hopeless = all.hopeless();
    if hopeless > 0 {
        text.push(format!(
            "**Too few positions for so many comparisons:** in {hopeless} of them no difference could have been seen, \
             even if all positions that differ had said the same."
        ));
    }
    if !experiment.engines.is_empty() {
        text.push(
            "What a ply is differs from engine to engine: between different engines this says who is done first, not \
             who is better."
                .to_owned(),
        );
    }
    text.join(" ")
}

/// One comparison in a sentence that is true whatever the test and the interval say of each other.
fn sentence(row: &Comparison) -> String {
    let turned = row.verdict == Verdict::Behind;
    let (one, other) =
        if turned { (&row.other, &row.searcher) } else { (&row.searcher, &row.other) };
    let ratio = if turned { inverse(row.times_as_fast) } else { row.times_as_fast };
    let ahead = if turned { row.compared.behind } else { row.compared.ahead };
    let (at, positions) = (threads(row), count(row.compared.positions, "position"));
    let (by, figures) = (by_how_much(ratio), figures(row, ratio));
    let surely = |is: fn(&Bounds) -> bool| ratio.ci_positions.as_ref().is_some_and(is);
    match row.verdict {
        Verdict::Ahead | Verdict::Behind if ratio.ci_positions.is_some_and(is_little) => {
            format!("**{one} is faster than {other} at {at}, by less than 1%**: {by} ({figures}).")
        }
        Verdict::Ahead | Verdict::Behind if surely(|ci| ci.lower > 1.0) => {
            format!("**{one} is {by} as {other} at {at}** ({figures}).")
        }
        Verdict::Ahead | Verdict::Behind if ratio.ci_positions.is_some_and(is_open) => {
            let median = if turned { inverted(row.compared.median) } else { row.compared.median };
            let p = row.p_holm.map_or_else(String::new, |p| format!("{}; ", p_in_words(p)));
            format!(
                "**{one} is faster than {other} at {at}**, on {ahead} of {positions}: {} times as fast at the median \
                 position. By how much on the whole is open, since the time limit stopped samples ({p}{positions}).",
                span(median)
            )
        }
        Verdict::Ahead | Verdict::Behind => format!(
            "**{one} tends to be faster than {other} at {at}**, on {ahead} of {positions}; but the geometric mean over \
             positions does not bear that out: {by} ({figures})."
        ),
        Verdict::NoDifference if row.compared.equal == row.compared.positions => {
            format!(
                "**{one} and {other} take the same median time at {at}** on each of {positions}."
            )
        }
        Verdict::NoDifference => {
            let alone = surely(|ci| ci.lower > 1.0 || ci.upper < 1.0);
            let though = if alone {
                " This interval leaves 1 out, but is not corrected; the test does not call that a difference."
            } else {
                ""
            };
            format!(
                "**No difference seen between {one} and {other} at {at}**: {one} is {by} ({figures}).{though}"
            )
        }
        Verdict::Open => format!(
            "**Open: {one} against {other} at {at}.** What the samples that the time limit stopped would have taken decides: \
             {one} is {by} ({figures})."
        ),
        Verdict::TooFew => format!(
            "**No verdict on {one} against {other} at {at}**, for want of positions: {one} is {by} ({figures})."
        ),
    }
}

/// `1.31 to 1.45 times as fast`, `at least 1.31 times as fast`.
fn by_how_much(ratio: Estimate) -> String {
    let by = match ratio.ci_positions {
        Some(ci) if ci.upper.is_infinite() && ci.lower > 0.0 => {
            format!("at least {}", digits(&[ci.lower])(ci.lower))
        }
        Some(ci) => span(ci),
        None => mean(ratio),
    };
    format!("{by} times as fast")
}

/// What such a sentence is from.
fn figures(row: &Comparison, ratio: Estimate) -> String {
    let mut figures = Vec::new();
    if ratio.ci_positions.is_some() {
        figures.extend(["ci_positions".to_owned(), format!("geometric mean {}", mean(ratio))]);
    }
    figures.extend(ratio.ci_runs.map(|ci| format!("ci_runs {}", span(ci))));
    figures.extend(row.p_holm.map(p_in_words));
    figures.push(count(row.compared.positions, "position"));
    figures.join("; ")
}

/// The other way round.
fn inverse(of: Estimate) -> Estimate {
    Estimate {
        value: inverted(of.value),
        ci_runs: of.ci_runs.map(inverted),
        ci_positions: of.ci_positions.map(inverted),
    }
}

fn inverted(ratio: Bounds) -> Bounds {
    Bounds { lower: 1.0 / ratio.upper, upper: 1.0 / ratio.lower }
}

/// Faster, but hardly.
fn is_little(ratio: Bounds) -> bool {
    ratio.lower > 1.0 && ratio.upper < 1.0 + SMALL
}

/// Whether censored samples leave open on which side of 1 it lies.
fn is_open(ratio: Bounds) -> bool {
    (ratio.lower == 0.0 && ratio.upper > 1.0) || (ratio.upper.is_infinite() && ratio.lower <= 1.0)
}

fn mean(ratio: Estimate) -> String {
    estimate(Some(ratio), |value| digits(&[value])(value))
}

/// `1.31 to 1.45`; `1.31` if that is both.
fn span(ci: Bounds) -> String {
    let ends = [ci.lower, ci.upper];
    let [low, high] = ends.map(digits(&ends));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Ratios with two decimals, or as many more as it takes that none that is not 1 looks as if it were.
fn digits(ratios: &[f64]) -> impl Fn(f64) -> String + use<> {
    let looks_equal = |decimals: usize| {
        ratios.iter().any(|r| (r - 1.0).abs() > 0.0 && fixed(*r, decimals) == fixed(1.0, decimals))
    };
    let decimals = (2..6).find(|decimals| !looks_equal(*decimals)).unwrap_or(6);
    move |value| fixed(value, decimals)
}

fn threads(row: &Comparison) -> String {
    count(row.threads, if row.oversubscribed { "oversubscribed thread" } else { "thread" })
}

/// `p = 0.012`, `p < 0.0001`.
fn p_in_words(p: Bounds) -> String {
    let p = p_value(p);
    let equals = if p.starts_with('<') { "" } else { "= " };
    format!("p {equals}{p}")
}

fn table(all: &Comparisons) -> Vec<Vec<String>> {
    let header = [
        "searcher",
        "against",
        "threads",
        "positions",
        "ahead",
        "times as fast",
        "ci_runs",
        "ci_positions",
        "p",
        "verdict",
    ];
    let line = |row: &Comparison| {
        let ratio = row.times_as_fast;
        vec![
            row.searcher.clone(),
            row.other.clone(),
            format!("{}{}", row.threads, if row.oversubscribed { "*" } else { "" }),
            row.compared.positions.to_string(),
            row.compared.ahead.to_string(),
            estimate(Some(ratio), |value| fixed(value, 3)),
            interval(ratio.ci_runs, |end| fixed(end, 3)),
            interval(ratio.ci_positions, |end| fixed(end, 3)),
            row.p_holm.map_or_else(|| BLANK.to_owned(), p_value),
            verdict(row),
        ]
    };
    let header = header.map(str::to_owned).to_vec();
    [header].into_iter().chain(all.rows.iter().map(line)).collect()
}

fn verdict(row: &Comparison) -> String {
    match row.verdict {
        Verdict::Ahead => format!("{} is faster", row.searcher),
        Verdict::Behind => format!("{} is faster", row.other),
        Verdict::NoDifference => "no difference seen".to_owned(),
        Verdict::Open => "open".to_owned(),
        Verdict::TooFew => "too few positions".to_owned(),
    }
}
