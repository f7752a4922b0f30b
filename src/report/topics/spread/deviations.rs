//! The deviations of the times: of each cell, and their histogram.

use crate::report::charts::layout::{self};
use crate::report::charts::style::{FITTED, HEIGHT, INK, look, tint};
use crate::report::charts::{Axis, Chart, Entry, Key, Named, Setting, Sketch};
use crate::report::columns::columns;
use crate::report::figures::{Cell, Figures, SearcherFigures};
use crate::report::numbers::{count, fixed, percents, words_if};
use crate::report::topics::spread::normality::Shape;
use crate::report::topics::spread::times::{Words, boxes};
use crate::report::topics::summary::{cells_of, speedups};
use crate::report::{Input, Source};

/// The bars of a histogram on each side of the mean, and the width of each in deviations.
const SIDE: i32 = 8;
const WIDTH: f64 = 0.5;
/// The words of the curve.
const NORMAL: &str = "normal distribution";

/// The chart of the deviations of the times of each cell, searchers side by side. None if no cell
/// has two samples that were not stopped.
pub(super) fn chart(setting: &Setting, figures: &Figures) -> Option<Sketch> {
    let cells = || layout::shown(figures).flat_map(|(_, of)| cells_of(of));
    let known = || cells().filter(|line| line.cell.deviation_s.is_some());
    known().next()?;
    let named = |cell: &Cell| Some(Named { name: cell.position.clone(), value: cell.deviation_s? });
    let values = |of: &SearcherFigures, n: usize| -> Vec<Named> {
        let at = of.rows.iter().position(|row| row.threads == n);
        at.map_or(&[][..], |i| &of.cells[i]).iter().filter_map(named).collect()
    };
    let words = Words {
        title: "Deviation of the times of each position by threads".to_owned(),
        axis: "deviation",
        note: "Distance (RMS) of a position's times from their median. Box: quartiles; whiskers: \
               as for speedups.",
    };
    let picture = boxes(setting, figures, words, true, values);
    Some(Chart {
        name: "deviations".to_owned(),
        caption: format!(
            "Deviation of the times of each position, by threads: the root mean square distance \
             from their median. The axis is logarithmic; zero, where it occurs, lies below the \
             break. {}{} Boxes over the positions without censored samples, as for the speedups.",
            setting.long,
            layout::not_shown(figures)
        ),
        picture,
        data: speedups().only(KEYS).file(known()).csv(),
    })
}

/// The columns of the data.
const KEYS: &str = "searcher, threads, position, deviation_from_median_s";

/// One bar of a histogram: the values from one end to the other, in deviations from the mean. The
/// outermost have all values beyond, too.
#[derive(Clone, Copy)]
struct Bin<'a> {
    searcher: &'a str,
    from: f64,
    to: f64,
    values: usize,
    of: usize,
}

impl Bin<'_> {
    /// The share of all values, over the width.
    fn density(self) -> f64 {
        self.values as f64 / self.of as f64 / WIDTH
    }
}

/// The density of the normal distribution.
fn normal(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The bars of these values.
fn bins<'a>(searcher: &'a str, values: &[f64]) -> Vec<Bin<'a>> {
    let bar_of = |value: f64| ((value / WIDTH).floor() as i32).clamp(-SIDE, SIDE - 1);
    let bin = |bar: i32| Bin {
        searcher,
        from: f64::from(bar) * WIDTH,
        to: f64::from(bar + 1) * WIDTH,
        values: values.iter().filter(|value| bar_of(**value) == bar).count(),
        of: values.len(),
    };
    (-SIDE..SIDE).map(bin).collect()
}

/// The histogram of the standardised times of each searcher, with the normal curve. A searcher
/// without a tested cell has none.
pub(super) fn histograms(setting: &Setting, of: &Source) -> Vec<Sketch> {
    let input = &of.input;
    let shown = layout::shown(&input.figures);
    shown.filter_map(|(index, of)| histogram(setting, input, &of.searcher, index)).collect()
}

fn histogram(setting: &Setting, input: &Input, searcher: &str, index: usize) -> Option<Sketch> {
    let of_it = input.normality.iter().filter(|cell| cell.searcher == searcher);
    let shapes: Vec<&Shape> = of_it.filter_map(|cell| cell.tested.as_ref().ok()).collect();
    let values: Vec<f64> = shapes.iter().flat_map(|s| s.deviates.iter().copied()).collect();
    let least = shapes.iter().map(|shape| shape.deviates.len()).min()?;
    let bins = bins(searcher, &values);
    let look = look(index);
    let entries = [
        Entry::new(searcher, Key::Patch(tint(look.colour, 0.4))),
        Entry::new(NORMAL, Key::Line(INK, FITTED)),
    ];
    let of_all = format!("{} of {}", count(values.len(), "time"), count(shapes.len(), "cell"));
    let note = format!(
        "{of_all}, each less the mean of its cell, over its deviation. The outermost bars have all \
         beyond."
    );
    let title = format!("{searcher}: times of a cell about their mean");
    let sheet = setting.sheet(title, entries, note, HEIGHT);
    let greatest = normal(0.0);
    let reach = f64::from(SIDE) * WIDTH;
    let densities = bins.iter().map(|bin| bin.density());
    let frame = sheet.frame(Axis::deviations(reach as i32), Axis::from_zero(densities, greatest));
    let axes = ("standard deviations from the mean of the cell", "density");
    let picture = sheet.plot(&frame, axes, None, |canvas| {
        for bin in bins.iter().filter(|bin| bin.values > 0) {
            let (low, high) = (frame.at(bin.from, 0.0), frame.at(bin.to, bin.density()));
            let share = percents(bin.values as f64 / bin.of as f64);
            let title = format!(
                "{searcher}, {} to {} deviations: {}, {share}",
                fixed(bin.from, 1),
                fixed(bin.to, 1),
                count(bin.values, "time")
            );
            canvas.value(searcher, title, |canvas| {
                canvas.rectangle(low, high, tint(look.colour, 0.4));
                canvas.outline(low, high, look.colour, 2);
            });
        }
        let curve: Vec<_> = (-80..=80)
            .map(|i| reach * f64::from(i) / 80.0)
            .map(|z| frame.at(z, normal(z)))
            .collect();
        canvas.guide(NORMAL, |canvas| canvas.dashed(&curve, FITTED, INK, 4));
    });
    let few = (least as f64 - 1.0) / (least as f64).sqrt();
    let bound = format!(
        " Of {least} times, none can lie farther than {} deviations from their mean.",
        fixed(few, 2)
    );
    Some(Chart {
        name: format!("normality-{searcher}"),
        caption: format!(
            "Times of {searcher} about their mean: {of_all}. Each is less the mean of its cell, \
             over its standard deviation. Dotted: the normal distribution. The outermost bars have \
             all beyond.{} {}",
            words_if(few < reach, &bound),
            setting.long
        ),
        picture,
        data: data().file(bins).csv(),
    })
}

columns! {
    /// The data of a histogram.
    fn data<'a>(of: Bin<'a>);

    Words "searcher" = of.searcher;
    Ratio "from" = of.from;
    Ratio "to" = of.to;
    Whole "times" = of.values;
    Ratio "density" = of.density();
    Ratio "normal_density" = normal(f64::midpoint(of.from, of.to));
}
