//! Boxes with whiskers.

use crate::report::charts::axes::Frame;
use crate::report::charts::canvas::Canvas;
use crate::report::charts::style::{Look, tint};
use plotters::style::RGBColor;
use ttd_stats::Bounds;
use ttd_stats::summary::Boxed;

/// The greatest number of points that are drawn each beside their box.
const SHOW_POINTS: usize = 64;

/// One box with its whiskers.
pub(crate) struct Bar<'a> {
    pub(crate) x: f64,
    pub(crate) width: f64,
    pub(crate) colour: RGBColor,
    pub(crate) points: &'a [f64],
}

impl Bar<'_> {
    pub(crate) fn draw(&self, canvas: &mut Canvas, frame: &Frame, with_box: bool) {
        let Some(boxed) = Boxed::of(self.points) else { return };
        let (x, half) = (self.x, self.width / 2.0);
        let y = |value: f64| frame.y_at(value);
        if with_box {
            let (top, bottom) = (y(boxed.five.q3), y(boxed.five.q1));
            canvas.rectangle((x - half, top), (x + half, bottom), tint(self.colour, 0.22));
        }
        // Without a box, an outlier is a point like the others.
        let rings = if with_box { boxed.outliers.as_slice() } else { &[] };
        self.points_between(canvas, frame, &boxed, rings);
        if !with_box {
            return;
        }
        let (top, bottom) = (y(boxed.five.q3), y(boxed.five.q1));
        for (from, to) in [(top, y(boxed.whisker_high)), (bottom, y(boxed.whisker_low))] {
            canvas.path(&[(x, from), (x, to)], self.colour, 2);
            canvas.path(&[(x - half * 0.4, to), (x + half * 0.4, to)], self.colour, 2);
        }
        canvas.outline((x - half, top), (x + half, bottom), self.colour, 2);
        let median = y(boxed.five.median);
        canvas.path(&[(x - half, median), (x + half, median)], self.colour, 5);
        for outlier in &boxed.outliers {
            let radius = (self.width * 0.4).clamp(3.0, 6.0) as i32;
            canvas.circle((x, y(*outlier)), radius, self.colour, false);
        }
    }

    /// Draws the searcher's mark at the median, for readers who see no colours.
    pub(crate) fn mark(&self, canvas: &mut Canvas, frame: &Frame, look: Look) {
        let Some(boxed) = Boxed::of(self.points) else { return };
        let radius = (self.width * 0.6).clamp(3.0, 8.0);
        let middle = (self.x, frame.y_at(boxed.five.median));
        canvas.marker(look.marker, middle, radius, look.colour);
    }

    /// Draws a box of which only bounds are known. It is hollow: from the least possible lower
    /// quartile to the greatest possible upper one. A band shows where the median lies.
    pub(crate) fn draw_open(&self, canvas: &mut Canvas, frame: &Frame, quantiles: &[Bounds; 5]) {
        let (left, right) = (self.x - self.width / 2.0, self.x + self.width / 2.0);
        let [_, q1, median, q3, _] = quantiles;
        let (top, bottom) = (frame.y_at(q3.upper), frame.y_at(q1.lower));
        canvas.outline((left, top), (right, bottom), self.colour, 2);
        let (high, low) = (frame.y_at(median.upper) - 2.0, frame.y_at(median.lower) + 2.0);
        canvas.outline((left, high), (right, low), self.colour, 2);
    }

    /// Draws the points themselves, but not the outliers, which are rings. A fixed pattern spreads
    /// them sideways.
    fn points_between(&self, canvas: &mut Canvas, frame: &Frame, boxed: &Boxed, rings: &[f64]) {
        let flat = boxed.five.min.total_cmp(&boxed.five.max).is_eq();
        if flat || self.points.len() > SHOW_POINTS || self.width < 20.0 {
            return;
        }
        for (i, value) in self.points.iter().enumerate() {
            if rings.contains(value) {
                continue;
            }
            // Multiples of the golden ratio, without their whole part, are evenly spread from 0 to
            // 1.
            let sideways = (i as f64 * 0.618_033_988_75).fract() - 0.5;
            let at = (self.x + sideways * self.width * 0.7, frame.y_at(*value));
            canvas.circle(at, 4, tint(self.colour, 0.55), true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::charts::axes::Axis;
    use crate::report::charts::layout::Sheet;
    use crate::report::charts::style::{HEIGHT, INK};

    #[test]
    fn every_point_is_drawn_with_a_box_or_without() {
        let points = [1.0, 1.1, 1.2, 1.3, 9.0];
        let sheet = Sheet::new("", [], [String::new(), String::new()], HEIGHT);
        let frame = sheet.frame(Axis::threads(&[1, 2]), Axis::ratios(points.iter().copied()));
        let bar = Bar { x: 300.0, width: 100.0, colour: INK, points: &points };
        let circles = |with_box: bool| {
            let picture = sheet.picture(|canvas| bar.draw(canvas, &frame, with_box));
            picture.drawn().expect("drawn").svg.matches("<circle").count()
        };
        assert_eq!((circles(true), circles(false)), (5, 5));
    }
}
