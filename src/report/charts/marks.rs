//! Marks that several charts draw in a frame: curves, reference lines, intervals and series.

use crate::report::charts::axes::Frame;
use crate::report::charts::canvas::{Align, Canvas, Point, text_width};
use crate::report::charts::style::{Colour, GREY, GRID, INK, Look, PAPER, REFERENCE, TEXT};
use ttd_stats::Bounds;

/// The place of one of `things` things side by side, in steps from their middle.
pub(crate) fn beside(place: usize, things: usize) -> f64 {
    place as f64 - (things as f64 - 1.0) / 2.0
}

/// A value of a series, and the place of its marker.
pub(crate) struct Spot {
    pub(crate) at: Point,
    /// The value in words, with that which it belongs to.
    pub(crate) title: String,
}

impl Canvas {
    /// Draws a series of this name: its line, and its marker at each value. `radius` is that of the
    /// markers.
    pub(crate) fn series(
        &mut self,
        name: &str,
        spots: &[Spot],
        look: Look,
        (width, radius): (u32, f64),
    ) {
        let line: Vec<Point> = spots.iter().map(|spot| spot.at).collect();
        if line.len() > 1 {
            self.guide(name, |canvas| canvas.dashed(&line, look.dashes, look.colour, width));
        }
        for Spot { at, title } in spots {
            self.value(name, title, |canvas| canvas.marker(look.marker, *at, radius, look.colour));
        }
    }
}

impl Frame {
    /// Draws the dashed line at a vertical value to which others are compared. `name` is its name
    /// in the legend.
    pub(crate) fn level(&self, canvas: &mut Canvas, value: f64, name: &str) {
        let y = self.y_at(value);
        let line = [(self.left, y), (self.right, y)];
        canvas.guide(name, |canvas| canvas.dashed(&line, REFERENCE, GREY, 2));
    }

    /// Draws an interval as a line with a cap at each end, `x` pixels from the left edge. A cap
    /// reaches `half` pixels to both sides.
    pub(crate) fn whisker(
        &self,
        canvas: &mut Canvas,
        x: f64,
        ends: Bounds,
        (colour, width): (Colour, u32),
        half: f64,
    ) {
        let (low, high) = (self.y_at(ends.lower), self.y_at(ends.upper));
        canvas.path(&[(x, low), (x, high)], colour, width);
        for y in [low, high] {
            canvas.path(&[(x - half, y), (x + half, y)], colour, width);
        }
    }

    /// Draws a function of the number of threads, from the least to the greatest of these numbers.
    pub(crate) fn curve(
        &self,
        canvas: &mut Canvas,
        threads: &[usize],
        dashes: &[f64],
        colour: Colour,
        function: impl Fn(f64) -> f64,
    ) {
        if let (Some(first), Some(last)) = (threads.iter().min(), threads.iter().max()) {
            self.curve_between(canvas, (*first as f64, *last as f64), dashes, colour, function);
        }
    }

    /// Draws a function over a logarithmic axis, from one value to another.
    pub(crate) fn curve_between(
        &self,
        canvas: &mut Canvas,
        (first, last): (f64, f64),
        dashes: &[f64],
        colour: Colour,
        function: impl Fn(f64) -> f64,
    ) {
        let (low, high) = (first.ln(), last.ln());
        let points: Vec<Point> = (0..=96)
            .map(|i| (low + (high - low) * f64::from(i) / 96.0).exp())
            .map(|n| (n, function(n)))
            .filter(|(_, s)| s.is_finite() && *s > 0.0)
            .map(|(n, s)| self.at(n, s))
            .collect();
        canvas.dashed(&points, dashes, colour, 3);
    }

    /// Draws the horizontal axis alone, with its grid and its name. `one` has the dashes and the
    /// width of a line at 1.
    pub(crate) fn draw_across(&self, canvas: &mut Canvas, name: &str, one: Option<(&[f64], u32)>) {
        for (value, label) in self.labels_with_room() {
            let x = self.x_at(value);
            canvas.path(&[(x, self.top), (x, self.bottom)], GRID, 1);
            canvas.text(label, (x, self.bottom + 26.0), Align::Centre, TEXT, INK);
        }
        if let Some((dashes, width)) = one {
            let x = self.x_at(1.0);
            canvas.dashed(&[(x, self.top), (x, self.bottom)], dashes, GREY, width);
        }
        canvas.path(&[(self.left, self.bottom), (self.right, self.bottom)], INK, 2);
        canvas.text(name, (self.middle().0, self.bottom + 62.0), Align::Centre, TEXT, INK);
    }

    /// Writes in the middle of a plot why it is empty.
    pub(crate) fn nothing(&self, canvas: &mut Canvas, why: &str) {
        let (half, (x, y)) = (text_width(why, TEXT) / 2.0 + 12.0, self.middle());
        canvas.rectangle((x - half, y - 20.0), (x + half, y + 20.0), PAPER);
        canvas.text(why, (x, y), Align::Centre, TEXT, GREY);
    }
}
