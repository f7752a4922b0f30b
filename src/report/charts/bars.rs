//! The bars of estimates: the intervals that charts draw, and their words.

use crate::report::figures::Estimate;
use crate::report::numbers::{self, bounds};
use ttd_stats::Bounds;

/// The interval that is drawn: over positions if there is one, as that asks the wider question.
pub(crate) fn bar(estimate: &Estimate) -> Option<Bounds> {
    estimate.ci_positions.or(estimate.ci_runs)
}

/// An estimate in words, with that interval: `1.69 (95% ci_runs 1.55 to 1.84)`.
pub(crate) fn told(estimate: &Estimate, number: fn(f64) -> String) -> String {
    let interval = bar(estimate).filter(|ends| !ends.is_exact()).zip(kind(&[*estimate]));
    let interval = interval
        .map(|(ends, [name, _])| format!(" ({name} {})", numbers::interval(Some(ends), number)));
    bounds(Some(estimate.value), number) + &interval.unwrap_or_default()
}

/// Whether samples that were stopped leave nothing known of a figure.
pub(crate) fn is_open(bounds: Bounds) -> bool {
    bounds.lower <= 0.0 && bounds.upper.is_infinite()
}

/// The ends of all marks that will be drawn.
pub(crate) fn ends(estimates: impl Iterator<Item = Estimate>) -> Vec<f64> {
    let bounds = estimates.flat_map(|e| [Some(e.value), bar(&e)]).flatten();
    bounds.flat_map(|b| [b.lower, b.upper]).collect()
}

/// The intervals that these bars are, and what was drawn anew for them.
pub(crate) fn kind(estimates: &[Estimate]) -> Option<[&'static str; 2]> {
    let any =
        |interval: fn(&Estimate) -> Option<Bounds>| estimates.iter().any(|e| interval(e).is_some());
    let positions = any(|e| e.ci_positions).then_some(["95% ci_positions", "other positions"]);
    positions.or(any(|e| e.ci_runs).then_some(["95% ci_runs", "these positions"]))
}

/// The sentence about what the bars are.
pub(crate) fn in_words(estimates: &[Estimate]) -> String {
    match kind(estimates) {
        Some([interval, of]) => format!("Bars: {interval} ({of})."),
        None => "Too few samples for intervals.".to_owned(),
    }
}

/// The sentences about what bars and hollow marks are.
pub(crate) fn with_hollow(estimates: &[Estimate]) -> String {
    let open = estimates.iter().any(|e| !e.value.is_exact());
    let hollow = if open { "Hollow: bounds only (censored samples). " } else { "" };
    format!("{hollow}{}", in_words(estimates))
}
