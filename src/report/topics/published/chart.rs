//! Published quartiles beside those of an experiment.

use crate::experiment::{Published, PublishedRow, Quantiles};
use crate::report::Input;
use crate::report::charts::style::{HEIGHT, Look, look, tint};
use crate::report::charts::{Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sketch, beside};
use crate::report::columns::columns;
use crate::report::figures::{Row, SearcherFigures};
use crate::report::lists::ascending;
use crate::report::numbers::{bounds, count, significant};
use ttd_stats::Bounds;

/// The figure that is compared.
pub(super) struct Figure {
    name: &'static str,
    title: &'static str,
    axis: &'static str,
    /// The quantity whose quartiles are drawn.
    of: &'static str,
    published: fn(&PublishedRow) -> Option<Quantiles>,
    here: fn(&Row) -> Option<[Bounds; 5]>,
}

/// The speedups as such a figure.
pub(super) const SPEEDUP: Figure = Figure {
    name: "published-speedup",
    title: "Speedup by threads, beside the published ones",
    axis: "speedup (log scale)",
    of: "the speedup",
    published: |row| row.speedup,
    here: |row| row.quantiles,
};

/// The deviations of the times as such a figure.
pub(super) const DEVIATION: Figure = Figure {
    name: "published-deviation",
    title: "Deviation of times by threads, beside the published ones",
    axis: "deviation (s, log scale)",
    of: "the root mean square distance of a position's times from their median (of positions with two samples or more, none of \
         them stopped)",
    published: |row| row.deviation_s,
    here: deviations,
};

/// The least, quartiles and greatest of the deviations at a number of threads.
pub(super) fn deviations(row: &Row) -> Option<[Bounds; 5]> {
    row.deviations_s.map(|d| [d.min, d.q1, d.median, d.q3, d.max].map(Bounds::exact))
}

/// One box of a searcher at one number of threads. A figure that stopped samples leave open has two
/// ends.
struct Placed {
    threads: usize,
    /// Least, quartiles and greatest; none if they are not known.
    five: Option<[Bounds; 5]>,
    median: Bounds,
    look: Look,
    is_published: bool,
}

impl Placed {
    /// The least, a quartile, the median or the greatest; none if it is not known.
    fn quantile(&self, index: usize) -> Option<Bounds> {
        self.five.map_or((index == 2).then_some(self.median), |five| Some(five[index]))
    }

    /// The box in words.
    fn in_words(&self) -> String {
        let (threads, number) = (count(self.threads, "thread"), |of| bounds(of, significant));
        let quartiles = [1, 3].map(|index| self.quantile(index)).map(number);
        let [q1, q3] = quartiles;
        format!("{threads}: median {}, quartiles {q1} to {q3}", number(Some(self.median)))
    }

    /// The outermost lower and upper ends that the box may have; none if they are not known.
    fn ends(&self) -> Option<(f64, f64)> {
        let [_, q1, _, q3, _] = self.five?;
        (is_within_bounds(q1) && is_within_bounds(q3)).then_some((q1.lower, q3.upper))
    }

    /// The ends of the whiskers: the least and the greatest, where they are known.
    fn whiskers(&self) -> [Option<f64>; 2] {
        let five = self.five.filter(|_| self.ends().is_some());
        five.map_or([None; 2], |[min, _, _, _, max]| [min.value(), max.value()])
    }
}

/// The name of a searcher's published boxes, or of those here.
fn name(of: &SearcherFigures, is_published: bool) -> String {
    format!("{}, {}", of.searcher, if is_published { "published" } else { "here" })
}

/// Whether both ends of the bounds are known: stopped samples leave neither of them open.
fn is_within_bounds(of: Bounds) -> bool {
    of.is_exact() || (of.lower > 0.0 && of.upper.is_finite())
}

/// The chart of a figure; none if the figure was not published.
pub(super) fn chart(figure: &Figure, setting: &Setting, input: &Input) -> Option<Sketch> {
    let published = input.experiment.published.as_ref()?;
    published.rows.iter().find_map(figure.published)?;
    let is_published =
        |of: &SearcherFigures| published.rows.iter().any(|row| row.searcher == of.searcher);
    let numbered = input.figures.searchers.iter().enumerate();
    let searchers: Vec<(usize, &SearcherFigures)> =
        numbered.filter(|(_, of)| !of.rows.is_empty() && is_published(of)).collect();
    // The boxes stand side by side in this order.
    let series = searchers.iter().map(|(index, of)| placed(figure, look(*index), of, published));
    let series: Vec<[Vec<Placed>; 2]> = series.collect();
    let all = || series.iter().flatten().flatten();
    let threads = ascending(all().map(|placed| placed.threads));
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
        let here = Entry::new(name(of, false), Key::Box(look(*index)));
        let theirs = Entry::new(name(of, true), Key::Hollow(look(*index)));
        [theirs, here]
    });
    let note = if is_open {
        "Box: quartiles and median over positions, with stopped samples as far as they may lie; whiskers: \
         least and greatest, where known."
    } else {
        "Box: quartiles and median over positions; whiskers: least and greatest."
    };
    let sheet = setting.sheet(figure.title, entries, note, HEIGHT);
    let is_ratio = figure.name == SPEEDUP.name;
    let y = if is_ratio { Axis::ratios(values.iter().copied()) } else { Axis::times(&values) };
    let frame = sheet.frame(Axis::threads(&threads), y);
    let picture = setting.by_threads(&sheet, &frame, figure.axis, |canvas| {
        if is_ratio {
            frame.level(canvas, 1.0, "no speedup");
        }
        let boxes = 2 * series.len();
        let slot = frame.slot(boxes).min(90.0);
        for (place, placed) in series.iter().flatten().enumerate() {
            let offset = beside(place, boxes) * slot;
            for placed in placed {
                let name = name(searchers[place / 2].1, placed.is_published);
                canvas.value(&name, format!("{name}, {}", placed.in_words()), |canvas| {
                    draw_box(canvas, &frame, placed, offset, slot * 0.72);
                });
            }
        }
    });
    let both = searchers.iter().zip(&series);
    let rows = both.flat_map(|((_, of), both)| both.iter().flatten().map(move |p| (*of, p)));
    Some(Chart {
        name: figure.name.to_owned(),
        caption: format!(
            "Quartiles over positions of {}, by threads: published (hollow; {}) and here (filled). \
             {} Whiskers: the least and the greatest. A line alone is a median without its \
             quartiles. Only numbers of threads with published figures are drawn.{}",
            figure.of,
            published.source,
            setting.long,
            if is_open { OPEN } else { "" }
        ),
        picture,
        data: data().file(rows).csv(),
    })
}

/// The sentence of a caption where stopped samples leave something open.
const OPEN: &str = " Where samples were stopped, a box reaches as far as its quartiles may lie, \
                    and a band holds the median. An open end has no whisker.";

/// The boxes of a searcher: the published ones, and those of this experiment at the published
/// numbers of threads.
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

fn draw_box(canvas: &mut Canvas, frame: &Frame, placed: &Placed, offset: f64, width: f64) {
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

columns! {
    /// The data of a chart: a searcher, and one of its boxes.
    fn data<'a>(of: (&'a SearcherFigures, &'a Placed));

    Words "searcher" = of.0.searcher.as_str();
    Whole "threads" = of.1.threads;
    Words "source" = if of.1.is_published { "published" } else { "here" };
    Ratio "min" = of.1.quantile(0);
    Ratio "q1" = of.1.quantile(1);
    Ratio "median" = of.1.quantile(2);
    Ratio "q3" = of.1.quantile(3);
    Ratio "max" = of.1.quantile(4);
}
