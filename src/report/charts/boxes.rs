//! Boxes with whiskers.

use crate::report::charts::axes::Frame;
use crate::report::charts::bars::is_open;
use crate::report::charts::canvas::Canvas;
use crate::report::charts::style::{Colour, Look, tint};
use crate::report::numbers::{bounds, count, significant};
use ttd_stats::Bounds;
use ttd_stats::summary::Boxed;

/// The greatest number of points that are drawn each beside their box.
const SHOW_POINTS: usize = 64;

/// A value that a box is of, with its name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) value: f64,
}

/// One box with its whiskers.
pub(crate) struct Bar<'a> {
    pub(crate) x: f64,
    pub(crate) width: f64,
    pub(crate) colour: Colour,
    /// The name of its series.
    pub(crate) series: &'a str,
    /// The words before its values in titles: `ybwc, 8 threads: speedup`.
    pub(crate) title: String,
    /// The unit behind its values in titles.
    pub(crate) unit: &'a str,
    pub(crate) points: &'a [Named],
}

impl Bar<'_> {
    fn boxed(&self) -> Option<Boxed> {
        Boxed::of(&self.points.iter().map(|point| point.value).collect::<Vec<_>>())
    }

    fn number(&self, value: f64) -> String {
        format!("{}{}", significant(value), self.unit)
    }

    /// The box in words.
    fn in_words(&self, boxed: &Boxed) -> String {
        let number = |value| self.number(value);
        let (title, of) = (&self.title, count(self.points.len(), "value"));
        let (median, ends) =
            (number(boxed.five.median), [boxed.five.q1, boxed.five.q3].map(number));
        format!("{title}, median {median}, quartiles {} to {}, {of}", ends[0], ends[1])
    }

    /// Draws something for one of its values.
    fn point(&self, canvas: &mut Canvas, of: &Named, draw: impl FnOnce(&mut Canvas)) {
        let title = format!("{}, {}: {}", self.title, of.name, self.number(of.value));
        canvas.value(self.series, title, draw);
    }

    pub(crate) fn draw(&self, canvas: &mut Canvas, frame: &Frame, with_box: bool) {
        let Some(boxed) = self.boxed() else { return };
        let (x, half) = (self.x, self.width / 2.0);
        let y = |value: f64| frame.y_at(value);
        let title = self.in_words(&boxed);
        let (top, bottom) = (y(boxed.five.q3), y(boxed.five.q1));
        if with_box {
            canvas.value(self.series, &title, |canvas| {
                canvas.rectangle((x - half, top), (x + half, bottom), tint(self.colour, 0.22));
            });
        }
        // Without a box, an outlier is a point like the others.
        let rings = if with_box { boxed.outliers.as_slice() } else { &[] };
        self.points_between(canvas, frame, &boxed, rings);
        if !with_box {
            return;
        }
        canvas.value(self.series, &title, |canvas| {
            for (from, to) in [(top, y(boxed.whisker_high)), (bottom, y(boxed.whisker_low))] {
                canvas.path(&[(x, from), (x, to)], self.colour, 2);
                canvas.path(&[(x - half * 0.4, to), (x + half * 0.4, to)], self.colour, 2);
            }
            canvas.outline((x - half, top), (x + half, bottom), self.colour, 2);
            let median = y(boxed.five.median);
            canvas.path(&[(x - half, median), (x + half, median)], self.colour, 5);
        });
        let radius = (self.width * 0.4).clamp(3.0, 6.0) as i32;
        for outlier in self.points.iter().filter(|point| rings.contains(&point.value)) {
            let at = (x, y(outlier.value));
            self.point(canvas, outlier, |canvas| canvas.circle(at, radius, self.colour, false));
        }
    }

    /// Draws the searcher's mark at the median, for readers who see no colours.
    pub(crate) fn mark(&self, canvas: &mut Canvas, frame: &Frame, look: Look) {
        let Some(boxed) = self.boxed() else { return };
        let radius = (self.width * 0.6).clamp(3.0, 8.0);
        let middle = (self.x, frame.y_at(boxed.five.median));
        canvas.value(self.series, self.in_words(&boxed), |canvas| {
            canvas.marker(look.marker, middle, radius, look.colour);
        });
    }

    /// Draws a box of which only bounds are known. It is hollow: from the least possible lower
    /// quartile to the greatest possible upper one. A band shows where the median lies.
    pub(crate) fn draw_open(&self, canvas: &mut Canvas, frame: &Frame, quantiles: &[Bounds; 5]) {
        let (left, right) = (self.x - self.width / 2.0, self.x + self.width / 2.0);
        let [_, q1, median, q3, _] = quantiles;
        if is_open(*median) {
            return;
        }
        let (top, bottom) = (frame.y_at(q3.upper), frame.y_at(q1.lower));
        let (high, low) = (frame.y_at(median.upper) - 2.0, frame.y_at(median.lower) + 2.0);
        let median = bounds(Some(*median), |value| self.number(value));
        canvas.value(self.series, format!("{}, median {median}", self.title), |canvas| {
            canvas.outline((left, top), (right, bottom), self.colour, 2);
            canvas.outline((left, high), (right, low), self.colour, 2);
        });
    }

    /// Draws the points themselves, but not the outliers, which are rings. A fixed pattern spreads
    /// them sideways.
    fn points_between(&self, canvas: &mut Canvas, frame: &Frame, boxed: &Boxed, rings: &[f64]) {
        let flat = boxed.five.min.total_cmp(&boxed.five.max).is_eq();
        if flat || self.points.len() > SHOW_POINTS || self.width < 20.0 {
            return;
        }
        for (i, point) in self.points.iter().enumerate() {
            if rings.contains(&point.value) {
                continue;
            }
            // Multiples of the golden ratio, without their whole part, are evenly spread from 0 to
            // 1.
            let sideways = (i as f64 * 0.618_033_988_75).fract() - 0.5;
            let at = (self.x + sideways * self.width * 0.7, frame.y_at(point.value));
            let colour = tint(self.colour, 0.55);
            self.point(canvas, point, |canvas| canvas.circle(at, 4, colour, true));
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
        let values = [1.0, 1.1, 1.2, 1.3, 9.0];
        let points = values.map(|value| Named { name: format!("no. {value}"), value });
        let sheet = Sheet::new("", [], [String::new(), String::new()], HEIGHT);
        let frame = sheet.frame(Axis::threads(&[1, 2]), Axis::ratios(values.into_iter()));
        let (series, title, unit) = ("a", "a, 1 thread".to_owned(), " s");
        let bar = Bar { x: 300.0, width: 100.0, colour: INK, series, title, unit, points: &points };
        let circles = |with_box: bool| {
            let picture = sheet.picture(|canvas| bar.draw(canvas, &frame, with_box));
            let svg = picture.drawn().expect("drawn").svg;
            assert!(svg.contains("<title>a, 1 thread, no. 9: 9.00 s</title>"), "{svg}");
            svg.matches("<circle").count()
        };
        assert_eq!((circles(true), circles(false)), (5, 5));
    }
}
