//! Axes and the frame of a plot.

mod ticks;

use crate::report::charts::canvas::{Align, Canvas, Point, text_width};
use crate::report::charts::style::{BAND, GREY, GRID, HATCH, INK, SMALL, TEXT};
use crate::report::numbers::fixed;
use ticks::{decade_ticks, in_units, linear_ticks, ratio_ticks, step};

/// The way in which values map to lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    Linear,
    /// A logarithmic axis: equal factors are equally long.
    Log,
    /// As `Log`; all values below `floor` lie on one line beneath, which stands for zero.
    LogWithZero {
        floor: f64,
    },
}

/// The distance between its floor and its zero on a logarithmic axis, in powers of e.
const ZERO_BELOW: f64 = 0.9;

/// One axis: a range of values, and the marked ones among them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    scale: Scale,
    /// The range, each end as [`Axis::length`] gives it.
    low: f64,
    high: f64,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// The axis of numbers of threads: base 2, every number marked.
    pub(crate) fn threads(threads: &[usize]) -> Axis {
        let (first, last) = ends(threads.iter().map(|n| (*n as f64).ln())).unwrap_or((0.0, 0.0));
        let room = (0.08 * (last - first)).max(0.32);
        let ticks = threads.iter().map(|n| (*n as f64, n.to_string())).collect();
        Axis { scale: Scale::Log, low: first - room, high: last + room, ticks }
    }

    /// The axis of depths: at equal distances, every depth marked.
    pub(crate) fn depths(depths: &[u8]) -> Axis {
        let (first, last) = ends(depths.iter().map(|d| f64::from(*d))).unwrap_or((0.0, 0.0));
        let ticks = depths.iter().map(|d| (f64::from(*d), d.to_string())).collect();
        Axis { scale: Scale::Linear, low: first - 0.7, high: last + 0.7, ticks }
    }

    /// The axis of ratios around 1: base 2, from the least to the greatest of the values and 1.
    pub(crate) fn ratios(values: impl Iterator<Item = f64>) -> Axis {
        let positive = values.filter(|value| *value > 0.0);
        let (low, high) = ends(positive.chain([1.0])).unwrap_or((1.0, 1.0));
        let room = (0.06 * (high / low).ln()).max(if high > low { 0.05 } else { 0.15 });
        let (low, high) = (low.ln() - room, high.ln() + room);
        Axis { scale: Scale::Log, low, high, ticks: ratio_ticks(low.exp(), high.exp()) }
    }

    /// The axis of deviations from a mean, so many to each side, every whole one marked.
    pub(crate) fn deviations(reach: i32) -> Axis {
        let ticks = (-reach..=reach).map(|d| (f64::from(d), d.to_string().replace('-', "−")));
        let end = f64::from(reach) + 0.2;
        Axis { scale: Scale::Linear, low: -end, high: end, ticks: ticks.collect() }
    }

    /// The axis from zero to the greatest of the values, at least to `least`.
    pub(crate) fn from_zero(values: impl Iterator<Item = f64>, least: f64) -> Axis {
        let high = 1.04 * values.filter(|v| v.is_finite()).fold(least, f64::max);
        let ticks = linear_ticks(high);
        Axis { scale: Scale::Linear, low: 0.0, high, ticks }
    }

    /// The axis of times over powers of ten. It has a place for zero if one of the values is zero.
    pub(crate) fn times(values: &[f64]) -> Axis {
        let positive = values.iter().copied().filter(|value| *value > 0.0);
        let (low, high) = ends(positive).unwrap_or((0.1, 1.0));
        let (low, high) = (low.min(high / 3.0) * 0.85, high * 1.18);
        let mut ticks = decade_ticks(low, high);
        if values.iter().any(|v| *v <= 0.0) {
            ticks.insert(0, (0.0, "0".to_owned()));
            let scale = Scale::LogWithZero { floor: low };
            return Axis { scale, low: low.ln() - ZERO_BELOW - 0.3, high: high.ln(), ticks };
        }
        Axis { scale: Scale::Log, low: low.ln(), high: high.ln(), ticks }
    }

    /// The axis from a little below the least of the values to a little above the greatest.
    pub(crate) fn around(values: &[f64]) -> Axis {
        let (low, high) = ends(values.iter().copied()).unwrap_or((0.0, 0.0));
        let room = (0.1 * (high - low)).max(5.0);
        let (low, high) = (low - room, high + room);
        let step = step(high - low);
        let first = (low / step).ceil() as i64;
        let marks = (first..).map(|i| i as f64 * step).take_while(|v| *v <= high);
        let ticks = marks.map(|v| (v, fixed(v, 0))).collect();
        Axis { scale: Scale::Linear, low, high, ticks }
    }

    /// The axis of the lengths of bars. It begins at zero. If some bars are more than ten times as
    /// long as others, it goes over powers of ten instead. Thousands and more are written short:
    /// `20k`, or `10⁴`.
    pub(crate) fn bars(values: &[f64]) -> Axis {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        let mut axis = if high > 10.0 * low {
            Axis::times(values)
        } else {
            Axis::from_zero(std::iter::empty(), if high > 0.0 { high } else { 1.0 })
        };
        axis.ticks = in_units(axis.ticks);
        axis
    }

    /// Whether the axis is logarithmic: equal factors are equally long.
    pub(crate) fn is_logarithmic(&self) -> bool {
        self.scale != Scale::Linear
    }

    /// The axis of things without an order, side by side: the first is at 0, the next at 1.
    pub(crate) fn categories(labels: &[String]) -> Axis {
        let ticks = labels.iter().enumerate().map(|(i, label)| (i as f64, label.clone())).collect();
        Axis { scale: Scale::Linear, low: -0.5, high: labels.len().max(1) as f64 - 0.5, ticks }
    }

    fn length(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::LogWithZero { floor } if value < floor => floor.ln() - ZERO_BELOW,
            Scale::Log | Scale::LogWithZero { .. } => value.ln(),
        }
    }

    /// The place of a value between the ends of the axis, 0 to 1. Values beyond an end are put at
    /// that end.
    pub(crate) fn share(&self, value: f64) -> f64 {
        ((self.length(value) - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The value at the upper end.
    pub(crate) fn end(&self) -> f64 {
        match self.scale {
            Scale::Linear => self.high,
            Scale::Log | Scale::LogWithZero { .. } => self.high.exp(),
        }
    }

    /// The value below which there is only zero; none on an axis without a place for zero.
    pub(crate) fn floor(&self) -> Option<f64> {
        match self.scale {
            Scale::LogWithZero { floor } => Some(floor),
            Scale::Linear | Scale::Log => None,
        }
    }
}

/// The least and the greatest of the finite values; none without any.
fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.filter(|value| value.is_finite());
    finite.map(|value| (value, value)).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
}

/// The part of a picture in which values are drawn.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
}

impl Frame {
    /// The point at which a pair of values is drawn.
    pub(crate) fn at(&self, x: f64, y: f64) -> Point {
        (self.x_at(x), self.y_at(y))
    }

    /// The place of a horizontal value, in pixels.
    pub(crate) fn x_at(&self, x: f64) -> f64 {
        self.left + self.x.share(x) * (self.right - self.left)
    }

    /// The place of a vertical value, in pixels.
    pub(crate) fn y_at(&self, y: f64) -> f64 {
        self.bottom - self.y.share(y) * (self.bottom - self.top)
    }

    /// The least distance between marks of the horizontal axis, in pixels.
    pub(crate) fn spacing(&self) -> f64 {
        let at: Vec<f64> = self.x.ticks.iter().map(|(v, _)| self.x_at(*v)).collect();
        at.windows(2).map(|pair| pair[1] - pair[0]).fold(self.right - self.left, f64::min)
    }

    /// The greatest width in pixels of one of `things` bars that stand side by side at one mark of
    /// the horizontal axis. With that width they neither touch the bars of the next mark nor leave
    /// the frame.
    pub(crate) fn slot(&self, things: usize) -> f64 {
        let to_edge = |(value, _): &(f64, String)| {
            let x = self.x_at(*value);
            (x - self.left).min(self.right - x)
        };
        let edge = self.x.ticks.iter().map(to_edge).fold(f64::INFINITY, f64::min);
        (0.8 * self.spacing()).min(2.0 * edge) / things.max(1) as f64
    }

    /// The middle of the frame.
    pub(crate) fn middle(&self) -> Point {
        (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom))
    }

    /// Writes the names of the axes: the quantities that they measure.
    pub(crate) fn name_axes(&self, canvas: &mut Canvas, names: (&str, &str)) {
        canvas.text(names.0, (self.middle().0, self.bottom + 62.0), Align::Centre, TEXT, INK);
        self.name_upwards(canvas, names.1);
    }

    /// Writes the name of the vertical axis alone.
    pub(crate) fn name_upwards(&self, canvas: &mut Canvas, name: &str) {
        canvas.text(name, (28.0, self.middle().1), Align::Upwards, TEXT, INK);
    }

    /// Draws the grid, the axes and their numbers. Oversubscribed thread counts, those from `over`
    /// on, lie on a hatched band.
    pub(crate) fn draw(&self, canvas: &mut Canvas, over: Option<usize>) {
        if let Some(from) = over {
            self.oversubscribed(canvas, from);
        }
        for (value, label) in &self.y.ticks {
            let y = self.y_at(*value);
            canvas.path(&[(self.left, y), (self.right, y)], GRID, 1);
            canvas.text(label, (self.left - 14.0, y), Align::Right, TEXT, INK);
        }
        for (value, _) in &self.x.ticks {
            let x = self.x_at(*value);
            canvas.path(&[(x, self.bottom), (x, self.bottom + 7.0)], INK, 2);
        }
        for (value, label) in self.labels_with_room() {
            let at = (self.x_at(value), self.bottom + 26.0);
            canvas.text(label, at, Align::Centre, TEXT, INK);
        }
        canvas.path(&[(self.left, self.bottom), (self.right, self.bottom)], INK, 2);
        if let Some(floor) = self.y.floor() {
            let y = f64::midpoint(self.y_at(floor), self.y_at(0.0));
            for shift in [-4.0, 4.0] {
                let (left, right) = (self.left - 9.0, self.left + 9.0);
                canvas.path(&[(left, y + shift + 4.0), (right, y + shift - 4.0)], GREY, 2);
            }
        }
    }

    /// The numbers of the horizontal axis that do not run into each other. If all marks are powers
    /// of two: every one, every second or every third, as many as have room. Otherwise powers of
    /// two and the greatest number come first, then even numbers, then odd ones.
    pub(crate) fn labels_with_room(&self) -> Vec<(f64, &str)> {
        if let Some(labels) = self.powers_with_room() {
            return labels;
        }
        let greatest = self.x.ticks.iter().map(|(v, _)| *v).fold(0.0, f64::max);
        let first = |value: f64| value.log2().fract().abs() <= 0.0 || value >= greatest;
        let (mut ordered, rest): (Vec<_>, Vec<_>) =
            self.x.ticks.iter().partition(|(value, _)| first(*value));
        ordered.reverse();
        let (even, odd): (Vec<_>, Vec<_>) = rest.into_iter().partition(|(v, _)| v % 2.0 <= 0.0);
        ordered.extend(even.into_iter().chain(odd));
        let mut labels: Vec<(f64, &str)> = Vec::new();
        for (value, label) in ordered {
            let label = (*value, label.as_str());
            if labels.iter().all(|other| self.is_apart(*other, label)) {
                labels.push(label);
            }
        }
        labels
    }

    /// If all marks are powers of two: as many as have room, at equal distances, 1 among them. None
    /// if there are other marks.
    fn powers_with_room(&self) -> Option<Vec<(f64, &str)>> {
        let power = |value: f64| Some(value.log2()).filter(|power| power.fract().abs() <= 0.0);
        let mut powers = Vec::new();
        for (value, label) in &self.x.ticks {
            powers.push((power(*value)? as i32, (*value, label.as_str())));
        }
        let every = |step: i32| -> Vec<(f64, &str)> {
            let some = powers.iter().filter(|(power, _)| power % step == 0);
            some.map(|(_, label)| *label).collect()
        };
        let has_room = |labels: &Vec<(f64, &str)>| {
            let apart = |pair: &[(f64, &str)]| self.is_apart(pair[0], pair[1]);
            !labels.is_empty() && labels.windows(2).all(apart)
        };
        (1..32).map(every).find(has_room)
    }

    /// Whether two numbers of the horizontal axis do not run into each other.
    fn is_apart(&self, one: (f64, &str), other: (f64, &str)) -> bool {
        let half = |label: &str| text_width(label, TEXT) / 2.0 + 6.0;
        (self.x_at(one.0) - self.x_at(other.0)).abs() >= half(one.1) + half(other.1)
    }

    fn oversubscribed(&self, canvas: &mut Canvas, from: usize) {
        let here = self.x_at(from as f64);
        let before = self.x.ticks.iter().map(|(v, _)| *v).filter(|v| *v < from as f64);
        let before = before.fold(f64::NEG_INFINITY, f64::max);
        let left =
            if before.is_finite() { f64::midpoint(self.x_at(before), here) } else { self.left };
        canvas.rectangle((left, self.top), (self.right, self.bottom), BAND);
        let height = self.bottom - self.top;
        let mut start = left - height;
        while start < self.right {
            // A line that rises to the right, cut off at the edges of the band.
            let from = start.max(left);
            let to = (start + height).min(self.right);
            if to > from {
                let at = |x: f64| (x, self.bottom - (x - start));
                canvas.path(&[at(from), at(to)], HATCH, 1);
            }
            start += 22.0;
        }
        let middle = f64::midpoint(left, self.right);
        canvas.text("oversubscribed", (middle, self.top - 15.0), Align::Centre, SMALL, GREY);
    }
}

#[cfg(test)]
mod tests;
