//! Parts of charts that draw dots with intervals, one row for each.

use crate::report::charts::axes::Frame;
use crate::report::charts::bars::is_open;
use crate::report::charts::canvas::Canvas;
use crate::report::charts::style::{BAND, Look, PAPER, REFERENCE};
use ttd_stats::Bounds;

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
