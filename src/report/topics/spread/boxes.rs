//! Boxes of times by threads, searchers side by side.

use crate::report::charts::layout::{self};
use crate::report::charts::style::{HEIGHT, look};
use crate::report::charts::{Axis, Bar, Drawing, Key, Named, Setting, beside};
use crate::report::figures::{Figures, SearcherFigures};
use crate::report::numbers::count;

/// The words of such a chart.
pub(super) struct Words {
    pub(super) title: String,
    /// The quantity of the vertical axis.
    pub(super) axis: &'static str,
    pub(super) note: &'static str,
}

/// Draws a box of the times of each searcher at each number of threads. `times` returns them in
/// seconds. A single time has a box only if `single` says so.
pub(super) fn boxes(
    setting: &Setting,
    figures: &Figures,
    words: Words,
    single: bool,
    times: impl Fn(&SearcherFigures, usize) -> Vec<Named>,
) -> Drawing {
    let threads = figures.threads();
    let searchers: Vec<(usize, &SearcherFigures)> = layout::shown(figures).collect();
    let all = searchers.iter().flat_map(|(_, of)| threads.iter().map(|n| (*of, *n)));
    let all: Vec<Named> = all.flat_map(|(of, n)| times(of, n)).collect();
    // The unit in which numbers need few digits.
    let short = all.iter().map(|time| time.value).fold(0.0, f64::max) < 0.5;
    let (unit, scale) = if short { (" ms", 1000.0) } else { (" s", 1.0) };
    let scaled = |times: Vec<Named>| -> Vec<Named> {
        times.into_iter().map(|time| Named { value: time.value * scale, ..time }).collect()
    };
    let all: Vec<f64> = scaled(all).iter().map(|time| time.value).collect();
    let sheet = setting.sheet(words.title, layout::entries(figures, Key::Box), words.note, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::times(&all));
    let axis = format!("{} ({}, log scale)", words.axis, unit.trim_start());
    setting.by_threads(&sheet, &frame, &axis, |canvas| {
        let slot = frame.slot(searchers.len()).min(120.0);
        for n in &threads {
            for (place, (index, of)) in searchers.iter().enumerate() {
                let series = of.searcher.as_str();
                let bar = Bar {
                    x: frame.x_at(*n as f64) + beside(place, searchers.len()) * slot,
                    width: (slot * 0.72).max(4.0),
                    colour: look(*index).colour,
                    series,
                    title: format!("{series}, {}: {}", count(*n, "thread"), words.axis),
                    unit,
                    points: &scaled(times(of, *n)),
                };
                bar.draw(canvas, &frame, single || bar.points.len() > 1);
                bar.mark(canvas, &frame, look(*index));
            }
        }
    })
}
