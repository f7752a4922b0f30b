//! Sentences about who is faster than another.

use crate::experiment::Experiment;
use crate::report::figures::Estimate;
use crate::report::lists::grouped;
use crate::report::numbers::{count, estimate, fixed, list, p_value};
use crate::report::topics::comparisons::rows::{Comparison, Comparisons};
use ttd_stats::Bounds;
use ttd_stats::paired::{LEAST_POSITIONS, Verdict};

/// The greatest number of comparisons that have a sentence each. If there are more, one sentence
/// takes all comparisons of a pair that say one thing. If even that takes more sentences than this,
/// there is only the table.
pub(super) const MOST_SENTENCES: usize = 12;
/// The relative difference below which a sure difference is called small. A test of many positions
/// that differ alike sees even the least difference.
const SMALL: f64 = 0.01;

/// The sentences about what a verdict means.
pub(super) fn method(experiment: &Experiment, all: &Comparisons) -> String {
    let test = if all.family == 0 {
        format!("With fewer than {LEAST_POSITIONS} positions there is no verdict on who is faster.")
    } else {
        format!(
            "Wilcoxon's signed-rank test on the logarithms of these ratios (two-sided, 5%) says \
             whether one is faster. Holm's correction is for the {} of this report: if no \
             competitors differed, at most one such report in twenty would call one faster. The \
             intervals say by how much, each at 95% for itself.",
            count(all.family, "tested comparison")
        )
    };
    let hopeless = all.hopeless();
    let few = (hopeless > 0).then_some(format!(
        " **Too few positions for this number of comparisons.** {hopeless} of them could not \
         have shown a difference, even if all positions that differ had said the same."
    ));
    let engines = (!experiment.engines.is_empty()).then_some(
        " The meaning of a ply differs from engine to engine: between different engines a verdict \
         says which is done first, not which is better.",
    );
    format!(
        "Two competitors are compared position by position, by the ratio of their median times. \
         {test}{}{}",
        few.unwrap_or_default(),
        engines.unwrap_or_default()
    )
}

/// A sentence for each comparison, or for several together that say one thing.
pub(super) fn sentences(rows: &[Comparison]) -> Vec<String> {
    if rows.len() <= MOST_SENTENCES {
        return rows.iter().map(sentence).collect();
    }
    let pairs = grouped(rows, |pair, row| {
        (&pair[0].searcher, &pair[0].other) == (&row.searcher, &row.other)
    });
    let alike = |one: &&Comparison, next: &&Comparison| {
        let same = Said::of(one) == Said::of(next) && one.oversubscribed == next.oversubscribed;
        same && is_told_by_ends(one) && is_told_by_ends(next)
    };
    let groups = pairs.iter().flat_map(|pair| pair.chunk_by(alike));
    groups.map(|group| if let [row] = group { sentence(row) } else { together(group) }).collect()
}

/// The statement about a pair: who is ahead, and how surely.
#[derive(Clone, Copy, PartialEq)]
enum Said {
    /// Faster, but by less than a hundredth.
    Little(Verdict),
    Faster(Verdict),
    /// Faster; censored samples leave open by how much.
    FasterByHow(Verdict),
    /// Faster at most positions, by a mean that does not bear it out.
    Tends(Verdict),
    SameTime,
    NoDifference,
    Open,
    TooFew,
}

impl Said {
    fn of(row: &Comparison) -> Said {
        let verdict = row.verdict;
        match verdict {
            Verdict::Ahead | Verdict::Behind => match faced(row).2.ci_positions {
                Some(ci) if is_little(ci) => Said::Little(verdict),
                Some(ci) if ci.lower > 1.0 => Said::Faster(verdict),
                Some(ci) if is_open(ci) => Said::FasterByHow(verdict),
                _ => Said::Tends(verdict),
            },
            Verdict::NoDifference if row.compared.equal == row.compared.positions => Said::SameTime,
            Verdict::NoDifference => Said::NoDifference,
            Verdict::Open => Said::Open,
            Verdict::TooFew => Said::TooFew,
        }
    }
}

/// Whether a comparison loses nothing by sharing a sentence with others. Such a sentence names only
/// the least and the greatest mean.
fn is_told_by_ends(row: &Comparison) -> bool {
    let said = Said::of(row);
    let ratio = row.times_as_fast;
    let open = |ci: Option<Bounds>| ci.is_some_and(|ci| ci.lower == 0.0 || ci.upper.is_infinite());
    matches!(said, Said::Little(_) | Said::Faster(_) | Said::NoDifference | Said::TooFew)
        && ratio.value.is_exact()
        && !open(ratio.ci_positions)
}

/// The competitor that is ahead, if one is, then the other, and how many times as fast the first
/// is.
fn faced(row: &Comparison) -> (&str, &str, Estimate) {
    match row.verdict {
        Verdict::Behind => (&row.other, &row.searcher, inverse(row.times_as_fast)),
        _ => (&row.searcher, &row.other, row.times_as_fast),
    }
}

/// One sentence about a pair at several numbers of threads, with one statement for all of them. It
/// goes from the least mean to the greatest.
fn together(rows: &[&Comparison]) -> String {
    let mut by_mean = rows.to_vec();
    by_mean.sort_by(|a, b| faced(a).2.value.lower.total_cmp(&faced(b).2.value.lower));
    let [least, .., most] = by_mean[..] else { return String::new() };
    let (one, other, _) = faced(least);
    let kind = if least.oversubscribed { "oversubscribed threads" } else { "threads" };
    let threads: Vec<usize> = rows.iter().map(|row| row.threads).collect();
    let at = format!("{} {kind}", spans(&threads));
    let end = |row: &Comparison| {
        let ratio = faced(row).2;
        let over = ratio.ci_positions.map_or_else(String::new, |ci| format!(" ({})", span(ci)));
        format!("{}{over} times as fast at {}", mean(ratio), row.threads)
    };
    let ends = format!("least {}, most {}", end(least), end(most));
    let over = least.times_as_fast.ci_positions.and(Some(" and their ci_positions"));
    let figures = format!("geometric means{}; {}", over.unwrap_or(""), of_all(rows));
    match Said::of(least) {
        Said::Faster(_) => {
            format!("**{one} is faster than {other} at {at}**: {ends} ({figures}).")
        }
        said => {
            let leave_one_out = rows.iter().any(|row| leaves_one_out(faced(row).2));
            let though = if leave_one_out { INTERVALS_LEAVE_ONE_OUT } else { "" };
            shared(said, [one, other, &at], [&ends, &figures, though])
        }
    }
}

/// The sentences that are alike for one comparison and for several.
fn shared(said: Said, [one, other, at]: [&str; 3], [by, figures, though]: [&str; 3]) -> String {
    match said {
        Said::Little(_) => {
            format!("**{one} is faster than {other} at {at}, by less than 1%**: {by} ({figures}).")
        }
        Said::NoDifference => format!(
            "**No difference seen between {one} and {other} at {at}**: {one} is {by} ({figures}).{though}"
        ),
        _ => format!(
            "**No verdict on {one} against {other} at {at}**, for want of positions: {one} is {by} ({figures})."
        ),
    }
}

/// The ends of sentences that name no difference, although intervals leave 1 out.
const INTERVALS_LEAVE_ONE_OUT: &str = " Some of the intervals leave 1 out, but are not corrected; the test does not call that a difference.";
const INTERVAL_LEAVES_ONE_OUT: &str =
    " This interval leaves 1 out, but is not corrected; the test does not call that a difference.";

/// The p-value that supports the verdict least, if there is one, and the number of positions.
fn of_all(rows: &[&Comparison]) -> String {
    let ps = || rows.iter().filter_map(|row| row.p_holm);
    let word = |p: f64| p_value(Bounds::exact(p));
    let p = match rows[0].verdict {
        Verdict::NoDifference => {
            ps().map(|p| p.lower).min_by(f64::total_cmp).map(|p| format!("least p {}", word(p)))
        }
        _ => ps().map(|p| p.upper).max_by(f64::total_cmp).map(|p| match word(p) {
            p if p.starts_with('<') => format!("every p {p}"),
            p => format!("greatest p {p}"),
        }),
    };
    let positions = || rows.iter().map(|row| row.compared.positions);
    let (few, many) = (positions().min().unwrap_or(0), positions().max().unwrap_or(0));
    let positions = count(many, "position");
    let positions = if few == many { positions } else { format!("{few} to {positions}") };
    p.into_iter().chain([positions]).collect::<Vec<_>>().join("; ")
}

/// Whether the interval over positions alone would call it a difference.
fn leaves_one_out(ratio: Estimate) -> bool {
    ratio.ci_positions.is_some_and(|ci| ci.lower > 1.0 || ci.upper < 1.0)
}

/// Numbers in ascending order. Three or more in a row are given by the first and the last: `1, 2, 4
/// to 16 and 32`.
fn spans(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let words = runs.flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        few => few.iter().map(usize::to_string).collect(),
    });
    list(words)
}

/// One comparison in a sentence. It is true even if the test and the interval disagree.
fn sentence(row: &Comparison) -> String {
    let (one, other, ratio) = faced(row);
    let turned = row.verdict == Verdict::Behind;
    let ahead = if turned { row.compared.behind } else { row.compared.ahead };
    let (at, positions) = (threads(row), count(row.compared.positions, "position"));
    let (by, figures) = (by_how_much(ratio), figures(row, ratio));
    match Said::of(row) {
        Said::Faster(_) => format!("**{one} is {by} as {other} at {at}** ({figures})."),
        Said::FasterByHow(_) => {
            let median = if turned { inverted(row.compared.median) } else { row.compared.median };
            let p = row.p_holm.map_or_else(String::new, |p| format!("{}; ", p_in_words(p)));
            format!(
                "**{one} is faster than {other} at {at}**, on {ahead} of {positions}: {} times as \
                 fast at the median position. The factor over all positions is open, since the \
                 time limit stopped samples ({p}{positions}).",
                span(median)
            )
        }
        Said::Tends(_) => format!(
            "**{one} tends to be faster than {other} at {at}**, on {ahead} of {positions}. But the \
             geometric mean over positions does not confirm it: {by} ({figures})."
        ),
        Said::SameTime => {
            format!(
                "**{one} and {other} take the same median time at {at}** on each of {positions}."
            )
        }
        Said::Open => format!(
            "**Open: {one} against {other} at {at}.** The verdict depends on samples that the time \
             limit stopped: {one} is {by} ({figures})."
        ),
        said => {
            let though = if leaves_one_out(ratio) { INTERVAL_LEAVES_ONE_OUT } else { "" };
            shared(said, [one, other, &at], [&by, &figures, though])
        }
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

/// The figures that such a sentence rests on.
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

/// The estimate with the two competitors exchanged: 1 over it.
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

/// Whether one is faster, but hardly.
fn is_little(ratio: Bounds) -> bool {
    ratio.lower > 1.0 && ratio.upper < 1.0 + SMALL
}

/// Whether censored samples leave open on which side of 1 the ratio lies.
fn is_open(ratio: Bounds) -> bool {
    (ratio.lower == 0.0 && ratio.upper > 1.0) || (ratio.upper.is_infinite() && ratio.lower <= 1.0)
}

fn mean(ratio: Estimate) -> String {
    estimate(Some(ratio), |value| digits(&[value])(value))
}

/// The interval in words: `1.31 to 1.45`, or `1.31` if both ends look so.
fn span(ci: Bounds) -> String {
    let ends = [ci.lower, ci.upper];
    let [low, high] = ends.map(digits(&ends));
    if low == high { low } else { format!("{low} to {high}") }
}

/// The text of each ratio: with two decimals, or with as many more as it takes. A ratio other than
/// 1 never looks like 1.
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

/// A p-value in words: `p = 0.012`, `p < 0.0001`.
fn p_in_words(p: Bounds) -> String {
    let p = p_value(p);
    let equals = if p.starts_with('<') { "" } else { "= " };
    format!("p {equals}{p}")
}

/// The verdict, in a few words.
pub(super) fn verdict(row: &Comparison) -> String {
    let little = if matches!(Said::of(row), Said::Little(_)) { ", by less than 1%" } else { "" };
    match row.verdict {
        Verdict::Ahead | Verdict::Behind => format!("{} is faster{little}", faced(row).0),
        verdict => word(verdict).to_owned(),
    }
}

/// The verdict in a word or two.
pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ahead => "faster",
        Verdict::Behind => "slower",
        Verdict::NoDifference => "no difference seen",
        Verdict::Open => "open",
        Verdict::TooFew => "too few positions",
    }
}
