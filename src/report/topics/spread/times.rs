//! The distribution of the times of one position, and boxes of times by threads, searchers side by
//! side.

use crate::experiment::{Sample, SampleStatus};
use crate::report::Source;
use crate::report::charts::layout::{self};
use crate::report::charts::style::{HEIGHT, look};
use crate::report::charts::{Axis, Bar, Chart, Drawing, Key, Named, Setting, Sketch, beside};
use crate::report::columns::columns;
use crate::report::figures::{Cell, Figures, SearcherFigures};
use crate::report::numbers::count;

/// The position whose times vary the most: it has the greatest relative deviation of a cell's
/// times. None if no cell has two samples.
fn most_restless(figures: &Figures) -> Option<&str> {
    let cells = layout::shown(figures).flat_map(|(_, of)| of.cells.iter().flatten());
    let relative = |cell: &Cell| Some(cell.deviation_s? / cell.median_s?.value()?);
    let varied = cells.filter_map(|cell| Some((cell.position.as_str(), relative(cell)?)));
    let (position, _) = varied.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(position)
}

/// The times of one position by threads, searchers side by side: each sample that reached the
/// depth, and a box. None if no searcher is shown.
pub(super) fn chart(setting: &Setting, of: &Source) -> Option<Sketch> {
    let Source { input, position, .. } = of;
    let figures = &input.figures;
    let position = position.as_deref().or(most_restless(figures))?;
    layout::shown(figures).next()?;
    let named = |sample: &Sample| {
        let (name, value) = (format!("round {}", sample.round), sample.time.as_secs_f64());
        Named { name, value }
    };
    let times = |of: &SearcherFigures, n: usize| -> Vec<Named> {
        let cell = input.samples.cell(&of.searcher, n, position);
        let ok = cell.iter().filter(|sample| sample.status == SampleStatus::Ok);
        ok.map(named).collect()
    };
    let words = Words {
        title: format!("Time to depth by threads: {position}"),
        axis: "time to depth",
        note: "Every sample that reached the depth. Box: quartiles and median; whiskers: as for \
               speedups.",
    };
    let picture = boxes(setting, figures, words, false, times);
    let threads = figures.threads();
    let cells = layout::shown(figures).flat_map(|(_, of)| threads.iter().map(move |n| (of, *n)));
    let rows = cells.flat_map(|(of, n)| {
        times(of, n).into_iter().map(move |t| (of.searcher.as_str(), n, t.value))
    });
    Some(Chart {
        name: "times".to_owned(),
        caption: format!(
            "Times to depth of the position {position}, by threads, on a logarithmic axis: every sample that reached the depth; boxes as for the \
             speedups. {}{}",
            setting.long,
            layout::not_shown(figures)
        ),
        picture,
        data: data().file(rows).csv(),
    })
}

columns! {
    /// The data of the chart: searcher, threads and seconds.
    fn data<'a>(of: (&'a str, usize, f64));

    Words "searcher" = of.0;
    Whole "threads" = of.1;
    Seconds "time_s" = of.2;
}

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
