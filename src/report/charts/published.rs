//! Published quartiles beside those of an experiment.

use super::axes::{Axis, Frame};
use super::canvas::{Canvas, ChartError, svg};
use super::layout::{self, Entry, Key, Sheet};
use super::style::{GREY, HEIGHT, Look, REFERENCE, look, tint};
use super::{Chart, Setting, data};
use crate::experiment::{Published, PublishedRow, Quantiles};
use crate::report::csv;
use crate::report::figures::{Figures, Row, SearcherFigures};
use ttd_stats::Bounds;

/// The names of the charts.
pub(in crate::report) const NAMES: [&str; 2] = ["published-speedup", "published-deviation"];

/// What is compared.
struct Figure {
    name: &'static str,
    title: &'static str,
    axis: &'static str,
    /// What a quartile is a quartile of.
    of: &'static str,
    published: fn(&PublishedRow) -> Option<Quantiles>,
    here: fn(&Row) -> Option<[Bounds; 5]>,
}

const FIGURES: [Figure; 2] = [
    Figure {
        name: NAMES[0],
        title: "Speedup by threads, beside the published ones",
        axis: "speedup (log scale)",
        of: "the speedup",
        published: |row| row.speedup,
        here: |row| row.quantiles,
    },
    Figure {
        name: NAMES[1],
        title: "Deviation of times by threads, beside the published ones",
        axis: "deviation (s, log scale)",
        of: "the root mean square distance of a position's times from their median (of positions with two samples or more, none of \
             them stopped)",
        published: |row| row.deviation_s,
        here: |row| {
            row.deviations_s.map(|d| [d.min, d.q1, d.median, d.q3, d.max].map(Bounds::exact))
        },
    },
];

/// One chart for each figure that was published.
pub(super) fn draw(
    setting: &Setting,
    figures: &Figures,
    published: &Published,
) -> Result<Vec<Chart>, ChartError> {
    let was_published =
        |figure: &&Figure| published.rows.iter().any(|row| (figure.published)(row).is_some());
    let drawn = FIGURES.iter().filter(was_published);
    drawn.map(|figure| chart(figure, setting, figures, published)).collect()
}

/// One box: of whom, by whom, at how many threads. What stopped samples leave open has two ends.
struct Placed {
    threads: usize,
    /// Least, quartiles and greatest, if they are known.
    five: Option<[Bounds; 5]>,
    median: Bounds,
    look: Look,
    is_published: bool,
}

impl Placed {
    /// Where the box begins and ends, at the most, if that is known.
    fn ends(&self) -> Option<(f64, f64)> {
        let [_, q1, _, q3, _] = self.five?;
        (is_within_bounds(q1) && is_within_bounds(q3)).then_some((q1.lower, q3.upper))
    }

    /// Where the whiskers of a box end: the least and the greatest, if they are known.
    fn whiskers(&self) -> [Option<f64>; 2] {
        let five = self.five.filter(|_| self.ends().is_some());
        five.map_or([None; 2], |[min, _, _, _, max]| [min.value(), max.value()])
    }
}

/// Whether stopped samples do not leave it without an end.
fn is_within_bounds(of: Bounds) -> bool {
    of.is_exact() || (of.lower > 0.0 && of.upper.is_finite())
}

fn chart(
    figure: &Figure,
    setting: &Setting,
    figures: &Figures,
    published: &Published,
) -> Result<Chart, ChartError> {
    let searchers: Vec<(usize, &SearcherFigures)> = figures
        .searchers
        .iter()
        .enumerate()
        .filter(|(_, of)| !of.rows.is_empty())
        .filter(|(_, of)| published.rows.iter().any(|row| row.searcher == of.searcher))
        .collect();
    // In this order they stand beside each other.
    let series = searchers.iter().map(|(index, of)| placed(figure, look(*index), of, published));
    let series: Vec<[Vec<Placed>; 2]> = series.collect();
    let all = || series.iter().flatten().flatten();
    let mut threads: Vec<usize> = all().map(|placed| placed.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let values: Vec<f64> = all()
        .flat_map(|placed| {
            let ends = placed.ends().map(|(low, high)| [low, high]);
            let median = [placed.median.lower, placed.median.upper];
            let whiskers = placed.whiskers().into_iter().flatten();
            ends.into_iter().flatten().chain(median).chain(whiskers)
        })
        .collect();
    let is_open =
        all().any(|placed| placed.five.is_some_and(|five| five.iter().any(|b| !b.is_exact())));

    let entries = searchers.iter().flat_map(|(index, of)| {
        let here = Entry::new(&format!("{}, here", of.searcher), Key::Box(look(*index)));
        let theirs = Entry::new(&format!("{}, published", of.searcher), Key::Hollow(look(*index)));
        [theirs, here]
    });
    let notes = [
        setting.short.clone(),
        if is_open {
            "Box: quartiles and median over positions, with stopped samples as far as they may lie; whiskers: \
             least and greatest, where known."
        } else {
            "Box: quartiles and median over positions; whiskers: least and greatest."
        }
        .to_owned(),
    ];
    let sheet = Sheet::new(figure.title.to_owned(), entries.collect(), notes, HEIGHT);
    let is_ratio = figure.name == NAMES[0];
    let y = if is_ratio { Axis::ratios(values.iter().copied()) } else { Axis::times(&values) };
    let frame = sheet.frame(Axis::threads(&threads), y);
    let drawn = svg(sheet.size(), |canvas| {
        sheet.draw(canvas);
        frame.draw(canvas, ("threads (log scale)", figure.axis), setting.oversubscribed_from);
        if is_ratio {
            let one = frame.y_at(1.0);
            canvas.dashed(&[(frame.left, one), (frame.right, one)], REFERENCE, GREY, 2);
        }
        if values.is_empty() {
            layout::nothing(canvas, &frame, "nothing to compare");
        }
        let boxes = 2 * series.len();
        let slot = frame.slot(boxes).min(90.0);
        for (place, of) in series.iter().flatten().enumerate() {
            let offset = (place as f64 - (boxes as f64 - 1.0) / 2.0) * slot;
            for placed in of {
                draw_box(canvas, &frame, placed, offset, slot * 0.72);
            }
        }
    })?;
    Ok(Chart {
        name: figure.name.to_owned(),
        caption: format!(
            "Quartiles over positions of {}, by threads: published (hollow; {}) and here (filled). {} Whiskers: the least and the \
             greatest. A line alone is a median without its quartiles. Only numbers of threads of which something was published.{}",
            figure.of,
            published.source,
            setting.long,
            if is_open { OPEN } else { "" }
        ),
        data: data::csv(
            "searcher,threads,source,min,q1,median,q3,max",
            searchers.iter().zip(&series).flat_map(|((_, of), both)| {
                both.iter().flatten().map(|placed| row(&of.searcher, placed))
            }),
        ),
        svg: drawn,
    })
}

/// What is said where stopped samples leave something open.
const OPEN: &str = " Where samples were stopped, a box reaches as far as its quartiles may lie, a band holds the median, and an end that is open \
                    has no whisker.";

/// A box as a row of the chart's data.
fn row(searcher: &str, placed: &Placed) -> Vec<String> {
    let source = if placed.is_published { "published" } else { "here" };
    let mut row = vec![searcher.to_owned(), placed.threads.to_string(), source.to_owned()];
    let alone = || [None, None, Some(placed.median), None, None];
    row.extend(placed.five.map_or_else(alone, |five| five.map(Some)).map(csv::figure));
    row
}

/// The boxes of a searcher: those that were published, and those of this experiment at the same numbers of threads.
fn placed(
    figure: &Figure,
    look: Look,
    of: &SearcherFigures,
    published: &Published,
) -> [Vec<Placed>; 2] {
    let theirs =
        published.rows.iter().filter(|row| row.searcher == of.searcher).filter_map(|row| {
            let quantiles = (figure.published)(row)?;
            Some(Placed {
                threads: row.threads,
                five: quantiles.five().map(|five| five.map(Bounds::exact)),
                median: Bounds::exact(quantiles.median()),
                look,
                is_published: true,
            })
        });
    let is_published = |row: &&Row| {
        let known =
            |of: &PublishedRow| of.threads == row.threads && (figure.published)(of).is_some();
        published.rows.iter().any(known)
    };
    let here = of.rows.iter().filter(is_published).filter_map(|row| {
        let five = (figure.here)(row)?;
        let median = Some(five[2]).filter(|median| is_within_bounds(*median))?;
        Some(Placed { threads: row.threads, five: Some(five), median, look, is_published: false })
    });
    [theirs.collect(), here.collect()]
}

fn draw_box(canvas: &mut Canvas<'_>, frame: &Frame, placed: &Placed, offset: f64, width: f64) {
    let (x, half) = (frame.x_at(placed.threads as f64) + offset, width / 2.0);
    let colour = placed.look.colour;
    let y = |value: f64| frame.y_at(value);
    if let Some((low, high)) = placed.ends() {
        let (bottom, top) = (y(low), y(high));
        if !placed.is_published {
            canvas.rectangle((x - half, top), (x + half, bottom), tint(colour, 0.3));
        }
        for (from, to) in [bottom, top].into_iter().zip(placed.whiskers()) {
            if let Some(to) = to.map(y) {
                canvas.path(&[(x, from), (x, to)], colour, 2);
                canvas.path(&[(x - half * 0.4, to), (x + half * 0.4, to)], colour, 2);
            }
        }
        canvas.outline((x - half, top), (x + half, bottom), colour, 2);
    }
    let (low, high) = (y(placed.median.lower), y(placed.median.upper));
    canvas.rectangle((x - half, high - 2.5), (x + half, low + 2.5), colour);
    let marker = (x, f64::midpoint(low, high));
    canvas.marker(placed.look.marker, marker, (width * 0.3).clamp(3.0, 8.0), colour);
}
