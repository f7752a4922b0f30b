//! Box-and-whiskers charts.

use super::axes::{Axis, Frame};
use super::canvas::{Canvas, ChartError, svg};
use super::layout::{self, Entry, Key, Sheet};
use super::style::{FITTED, GREY, HEIGHT, INK, Look, REFERENCE, look, tint};
use super::{Chart, Setting, data};
use crate::report::csv;
use crate::report::figures::{Figures, SearcherFigures};
use crate::report::numbers::{count, fixed};
use plotters::style::RGBColor;
use ttd_stats::Bounds;
use ttd_stats::fits::{Fit, Model};
use ttd_stats::summary::Boxed;

/// How many points a box may have and still show each of them.
const SHOW_POINTS: usize = 64;

/// The speedups of every position, by threads.
pub(super) fn speedups(
    setting: &Setting,
    of: &SearcherFigures,
    index: usize,
) -> Result<Chart, ChartError> {
    let threads: Vec<usize> = of.rows.iter().map(|row| row.threads).collect();
    let known: Vec<Vec<f64>> = of
        .cells
        .iter()
        .map(|row| row.iter().filter_map(|c| c.speedup?.value()).collect())
        .collect();
    let open: Vec<usize> = of
        .cells
        .iter()
        .map(|row| row.iter().filter(|c| c.speedup.is_some_and(|s| !s.is_exact())).count())
        .collect();
    let trend = better_trend(of);

    let colour = look(index).colour;
    let title = format!("{}: speedup of each position by threads", of.searcher);
    let second = if open.iter().any(|n| *n > 0) {
        let most = count(open.iter().copied().max().unwrap_or(0), "cell");
        format!("Hollow box: up to {most} censored, so quartiles and median only have bounds.")
    } else {
        "Box: quartiles and median. Whiskers: last point within 1.5 (q3 − q1) of the box."
            .to_owned()
    };
    let notes = [setting.short.clone(), second];
    let mut entries = vec![Entry::new("no speedup", Key::Line(GREY, REFERENCE))];
    if let Some((_, words)) = &trend {
        entries.push(Entry::new(words, Key::Line(INK, FITTED)));
    }
    let sheet = Sheet::new(title, entries, notes, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::ratios(known.iter().flatten().copied()));
    let drawn = svg(sheet.size(), |canvas| {
        sheet.draw(canvas);
        frame.draw(
            canvas,
            ("threads (log scale)", "speedup (log scale)"),
            setting.oversubscribed_from,
        );
        let one = frame.y_at(1.0);
        canvas.dashed(&[(frame.left, one), (frame.right, one)], REFERENCE, GREY, 2);
        let width = (frame.spacing() * 0.5).clamp(6.0, 130.0);
        for ((row, values), open) in of.rows.iter().zip(&known).zip(&open) {
            let bar = Bar { x: frame.x_at(row.threads as f64), width, colour, points: values };
            bar.draw(canvas, &frame, *open == 0);
            if let Some(quantiles) = row.quantiles.filter(|_| *open > 0) {
                bar.draw_open(canvas, &frame, &quantiles);
            }
        }
        if let Some((fit, _)) = &trend {
            layout::curve(canvas, &frame, &threads, FITTED, INK, |n| fit.speedup(n));
        }
    })?;
    Ok(Chart {
        name: format!("speedup-boxes-{}", of.searcher),
        caption: format!(
            "Speedup of each position with {}, by threads. {} Box: quartiles and median over \
             positions; whiskers: the last position within 1.5 interquartile ranges of the box; \
             positions are points, outliers rings. {}Dashed: no speedup.{}",
            of.searcher,
            setting.long,
            if open.iter().any(|n| *n > 0) {
                "A hollow box, of which only bounds are known, has no whiskers, and its outliers are points. "
            } else {
                ""
            },
            trend.map_or_else(
                || " There are not enough thread counts for a trend.".to_owned(),
                |(_, words)| format!(" Dotted: the {words}, over the measured range.")
            )
        ),
        svg: drawn,
        data: data::by_position(std::iter::once(of), "speedup", |cell| {
            cell.speedup.map(|speedup| csv::figure(Some(speedup)))
        }),
    })
}

/// The trend that explains more of the medians, and its words.
fn better_trend(of: &SearcherFigures) -> Option<(Fit, String)> {
    let trends = of.models.iter().filter(|m| m.model.is_trend());
    let fit = trends
        .filter_map(|m| m.fit.as_ref().ok())
        .max_by(|a, b| a.r_squared.unwrap_or(0.0).total_cmp(&b.r_squared.unwrap_or(0.0)))?;
    let (slope, intercept) = (fit.parameters[0], fit.parameters[1]);
    let of_n = match fit.model {
        Model::LinearTrend => "N",
        _ => "ln N",
    };
    let r_squared = fit.r_squared.map_or_else(String::new, |r| format!(" (R² {})", fixed(r, 3)));
    let sign = if intercept < 0.0 { "−" } else { "+" };
    let (slope, intercept) = (fixed(slope, 3), fixed(intercept.abs(), 3));
    let words = format!("trend of the median: {slope} {of_n} {sign} {intercept}{r_squared}");
    Some((fit.clone(), words))
}

/// The deviations of the times of each cell, searchers side by side; none where no cell has two samples that were not stopped.
pub(super) fn deviations(
    setting: &Setting,
    figures: &Figures,
) -> Result<Option<Chart>, ChartError> {
    let threads = figures.threads();
    let searchers: Vec<(usize, &SearcherFigures)> = layout::shown(figures).collect();
    let known =
        searchers.iter().flat_map(|(_, s)| &s.cells).flatten().filter_map(|c| c.deviation_s);
    // Numbers that need few digits.
    let (unit, scale) = if known.fold(0.0, f64::max) < 0.5 { ("ms", 1000.0) } else { ("s", 1.0) };
    let values = |of: &SearcherFigures, n: usize| -> Vec<f64> {
        let at = of.rows.iter().position(|row| row.threads == n);
        let cells = at.map_or(&[][..], |i| &of.cells[i]);
        cells.iter().filter_map(|c| c.deviation_s).map(|s| s * scale).collect()
    };
    let all: Vec<f64> = searchers
        .iter()
        .flat_map(|(_, of)| threads.iter().flat_map(|n| values(of, *n)).collect::<Vec<_>>())
        .collect();
    if all.is_empty() {
        return Ok(None);
    }

    let notes = [
        setting.short.clone(),
        "Distance (RMS) of a position's times from their median. Box: quartiles; whiskers: as for \
         speedups."
            .to_owned(),
    ];
    let entries: Vec<Entry> = searchers
        .iter()
        .map(|(index, of)| Entry::new(&of.searcher, Key::Box(look(*index))))
        .collect();
    let title = "Deviation of the times of each position by threads".to_owned();
    let sheet = Sheet::new(title, entries, notes, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::times(&all));
    let drawn = svg(sheet.size(), |canvas| {
        sheet.draw(canvas);
        frame.draw(
            canvas,
            ("threads (log scale)", &format!("deviation ({unit}, log scale)")),
            setting.oversubscribed_from,
        );
        let slot = frame.slot(searchers.len()).min(120.0);
        for n in &threads {
            for (place, (index, of)) in searchers.iter().enumerate() {
                let offset = place as f64 - (searchers.len() as f64 - 1.0) / 2.0;
                let bar = Bar {
                    x: frame.x_at(*n as f64) + offset * slot,
                    width: (slot * 0.72).max(4.0),
                    colour: look(*index).colour,
                    points: &values(of, *n),
                };
                bar.draw(canvas, &frame, true);
                bar.mark(canvas, &frame, look(*index));
            }
        }
    })?;
    Ok(Some(Chart {
        name: "deviations".to_owned(),
        caption: format!(
            "Deviation of the times of each position, by threads: the root mean square distance from \
             their median, on a logarithmic axis (zero, where it occurs, lies below the \
             break). {}{} Boxes over the positions without censored samples, as for the speedups.",
            setting.long,
            layout::not_shown(figures)
        ),
        svg: drawn,
        data: data::by_position(
            layout::shown(figures).map(|(_, of)| of),
            "deviation_from_median_s",
            |cell| cell.deviation_s.map(|deviation| csv::number(Some(deviation))),
        ),
    }))
}

/// One box with its whiskers.
pub(super) struct Bar<'a> {
    pub(super) x: f64,
    pub(super) width: f64,
    pub(super) colour: RGBColor,
    pub(super) points: &'a [f64],
}

impl Bar<'_> {
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, frame: &Frame, with_box: bool) {
        let Some(boxed) = Boxed::of(self.points) else { return };
        let (x, half) = (self.x, self.width / 2.0);
        let y = |value: f64| frame.y_at(value);
        if with_box {
            let (top, bottom) = (y(boxed.five.q3), y(boxed.five.q1));
            canvas.rectangle((x - half, top), (x + half, bottom), tint(self.colour, 0.22));
        }
        // Without a box an outlier is a point like the others.
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

    /// The searcher's mark at the median, for who sees no colours.
    pub(super) fn mark(&self, canvas: &mut Canvas<'_>, frame: &Frame, look: Look) {
        let Some(boxed) = Boxed::of(self.points) else { return };
        let radius = (self.width * 0.6).clamp(3.0, 8.0);
        let middle = (self.x, frame.y_at(boxed.five.median));
        canvas.marker(look.marker, middle, radius, look.colour);
    }

    /// A box of which only bounds are known: hollow, from the least that the lower quartile may be to the
    /// most that the upper one may be, with a band where the median lies.
    fn draw_open(&self, canvas: &mut Canvas<'_>, frame: &Frame, quantiles: &[Bounds; 5]) {
        let (left, right) = (self.x - self.width / 2.0, self.x + self.width / 2.0);
        let [_, q1, median, q3, _] = quantiles;
        let (top, bottom) = (frame.y_at(q3.upper), frame.y_at(q1.lower));
        canvas.outline((left, top), (right, bottom), self.colour, 2);
        let (high, low) = (frame.y_at(median.upper) - 2.0, frame.y_at(median.lower) + 2.0);
        canvas.outline((left, high), (right, low), self.colour, 2);
    }

    /// The points themselves, but for those that are rings, spread sideways by a fixed pattern.
    fn points_between(&self, canvas: &mut Canvas<'_>, frame: &Frame, boxed: &Boxed, rings: &[f64]) {
        let flat = boxed.five.min.total_cmp(&boxed.five.max).is_eq();
        if flat || self.points.len() > SHOW_POINTS || self.width < 20.0 {
            return;
        }
        for (i, value) in self.points.iter().enumerate() {
            if rings.contains(value) {
                continue;
            }
            // Multiples of the golden ratio spread evenly.
            let sideways = (i as f64 * 0.618_033_988_75).fract() - 0.5;
            let at = (self.x + sideways * self.width * 0.7, frame.y_at(*value));
            canvas.circle(at, 4, tint(self.colour, 0.55), true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_drawn_with_a_box_or_without() {
        let points = [1.0, 1.1, 1.2, 1.3, 9.0];
        let sheet = Sheet::new(String::new(), Vec::new(), [String::new(), String::new()], HEIGHT);
        let frame = sheet.frame(Axis::threads(&[1, 2]), Axis::ratios(points.iter().copied()));
        let bar = Bar { x: 300.0, width: 100.0, colour: INK, points: &points };
        let circles = |with_box: bool| {
            let drawn = svg(sheet.size(), |canvas| bar.draw(canvas, &frame, with_box));
            drawn.expect("drawn").matches("<circle").count()
        };
        assert_eq!((circles(true), circles(false)), (5, 5));
    }
}
