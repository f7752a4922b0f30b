//! Parts of charts that draw dots with intervals, one row for each.

use crate::report::charts::axes::Frame;
use crate::report::charts::canvas::{Align, Canvas};
use crate::report::charts::style::{GREY, GRID, INK, Look, REFERENCE, TEXT};
use plotters::style::WHITE;
use ttd_stats::Bounds;

/// Draws the horizontal axis of ratios, with a line at 1.
pub(crate) fn draw_axis(canvas: &mut Canvas, frame: &Frame, name: &str) {
    for (value, label) in frame.labels_with_room() {
        let x = frame.x_at(value);
        canvas.path(&[(x, frame.top), (x, frame.bottom)], GRID, 1);
        canvas.text(label, (x, frame.bottom + 26.0), Align::Centre, TEXT, INK);
    }
    let one = frame.x_at(1.0);
    canvas.dashed(&[(one, frame.top), (one, frame.bottom)], REFERENCE, GREY, 3);
    canvas.path(&[(frame.left, frame.bottom), (frame.right, frame.bottom)], INK, 2);
    let middle = f64::midpoint(frame.left, frame.right);
    canvas.text(name, (middle, frame.bottom + 62.0), Align::Centre, TEXT, INK);
}

/// Draws a ratio and its interval. A ratio of which only bounds are known is a hollow bar over all
/// values that it may have. `radius` is that of the mark.
pub(crate) fn dot(
    canvas: &mut Canvas,
    frame: &Frame,
    y: f64,
    (value, interval): (Bounds, Option<Bounds>),
    look: Look,
    radius: f64,
) {
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
    canvas.rectangle((low, y - half), (high, y + half), WHITE);
    canvas.outline((low, y - half), (high, y + half), look.colour, 2);
}
