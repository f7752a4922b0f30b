//! The bars of estimates: the intervals that charts draw, their words, and rows of dots with them.

use crate::report::charts::axes::Frame;
use crate::report::charts::canvas::Canvas;
use crate::report::charts::style::{BAND, Look, PAPER, REFERENCE};
use crate::report::figures::Estimate;
use crate::report::numbers::{self, bounds};
use ttd_stats::Bounds;

/// The greatest number of lines that show their intervals; those of more lines would cover each
/// other.
pub(crate) const WITH_BARS: usize = 4;

/// The greatest number of lines that a reader can tell apart by their looks.
pub(crate) const MOST_LINES: usize = 8;

/// The ends of the speedups of lines, and with `bars` of their intervals over positions.
pub(crate) fn ends_of_lines(speedups: impl Iterator<Item = Estimate>, bars: bool) -> Vec<f64> {
    let drawn = |of: Estimate| Estimate { ci_positions: of.ci_positions.filter(|_| bars), ..of };
    ends(speedups.map(drawn))
}

/// The sentence about what the bars of lines are.
pub(crate) fn of_lines(mut speedups: impl Iterator<Item = Estimate>, bars: bool) -> &'static str {
    if !bars {
        ""
    } else if speedups.any(|speedup| speedup.ci_positions.is_some()) {
        " Bars: 95% ci_positions (other positions)."
    } else {
        " Too few positions for intervals."
    }
}

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

impl Frame {
    /// Draws the axis of ratios, with a line at 1. Every second of the rows below each other has a
    /// band; `height` is that of a row.
    pub(crate) fn striped(&self, canvas: &mut Canvas, (rows, height): (usize, f64), name: &str) {
        for row in (1..rows).step_by(2) {
            let y = self.top + height * row as f64;
            canvas.rectangle((self.left, y), (self.right, y + height), BAND);
        }
        self.draw_across(canvas, name, Some((REFERENCE, 3)));
    }
}

/// Draws a ratio and its interval. A ratio of which only bounds are known is a hollow bar over all
/// values that it may have. It is not drawn if it may have any. `radius` is that of the mark.
pub(crate) fn dot(
    canvas: &mut Canvas,
    frame: &Frame,
    y: f64,
    (value, interval): (Bounds, Option<Bounds>),
    look: Look,
    radius: f64,
) {
    if is_open(value) {
        return;
    }
    if let Some(ends) = interval.filter(|ends| !ends.is_exact()) {
        let (low, high) = (frame.x_at(ends.lower), frame.x_at(ends.upper));
        canvas.path(&[(low, y), (high, y)], look.colour, 3);
        let half = radius * 7.0 / 8.0;
        // An interval that goes on beyond the axis has no end mark there.
        for (end, x) in [(ends.lower, low), (ends.upper, high)] {
            if end > 0.0 && end.is_finite() {
                canvas.path(&[(x, y - half), (x, y + half)], look.colour, 3);
            }
        }
    }
    if let Some(value) = value.value() {
        return canvas.marker(look.marker, (frame.x_at(value), y), radius, look.colour);
    }
    let low = (frame.x_at(value.lower) - 5.0).max(frame.left + 2.0);
    let high = (frame.x_at(value.upper) + 5.0).min(frame.right - 2.0);
    let half = radius * 0.75;
    canvas.rectangle((low, y - half), (high, y + half), PAPER);
    canvas.outline((low, y - half), (high, y + half), look.colour, 2);
}
