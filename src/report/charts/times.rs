//! The distribution of the times of one position.

use super::axes::Axis;
use super::boxes::Bar;
use super::canvas::{ChartError, cut_to, svg, text_width};
use super::layout::{self, Entry, Key, Sheet};
use super::style::{HEIGHT, TITLE, WIDTH, look};
use super::{Chart, Setting, data};
use crate::experiment::SampleStatus;
use crate::report::figures::{Cell, Figures, SearcherFigures};
use crate::report::input::Input;

/// The name of the chart.
pub(in crate::report) const TIMES: &str = "times";

/// The position whose times vary the most: that with the greatest relative deviation of a cell's times. None where no cell has two
/// samples.
pub(in crate::report) fn most_restless(figures: &Figures) -> Option<&str> {
    let cells = layout::shown(figures).flat_map(|(_, of)| of.cells.iter().flatten());
    let relative = |cell: &Cell| Some(cell.deviation_s? / cell.median_s?.value()?);
    let varied = cells.filter_map(|cell| Some((cell.position.as_str(), relative(cell)?)));
    let (position, _) = varied.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(position)
}

/// The times of one position by threads, searchers side by side: every sample that reached the depth, and a box. None if nobody is
/// shown.
///
/// # Errors
/// If it cannot be drawn.
pub(in crate::report) fn of_position(
    input: &Input,
    position: &str,
) -> Result<Option<Chart>, ChartError> {
    let setting = Setting::new(&input.figures, &input.experiment, input.cores);
    let threads = input.figures.threads();
    let searchers: Vec<(usize, &SearcherFigures)> = layout::shown(&input.figures).collect();
    if searchers.is_empty() {
        return Ok(None);
    }
    let times = |searcher: &str, n: usize| -> Vec<f64> {
        let cell = input.samples.cell(searcher, n, position);
        let ok = cell.iter().filter(|sample| sample.status == SampleStatus::Ok);
        ok.map(|sample| sample.time.as_secs_f64()).collect()
    };
    let of_all = |n: &usize| searchers.iter().flat_map(|(_, of)| times(&of.searcher, *n)).collect();
    let all: Vec<f64> = threads.iter().flat_map(|n| -> Vec<f64> { of_all(n) }).collect();
    let (unit, scale) =
        if all.iter().copied().fold(0.0, f64::max) < 0.5 { ("ms", 1000.0) } else { ("s", 1.0) };
    let scaled = |values: Vec<f64>| -> Vec<f64> { values.iter().map(|s| s * scale).collect() };
    let all = scaled(all);

    let entries =
        searchers.iter().map(|(index, of)| Entry::new(&of.searcher, Key::Box(look(*index))));
    let notes = [
        setting.short.clone(),
        "Every sample that reached the depth. Box: quartiles and median; whiskers: as for speedups.".to_owned(),
    ];
    let what = "Time to depth by threads: ";
    let room = f64::from(WIDTH) - 60.0 - text_width(what, TITLE);
    let title = format!("{what}{}", cut_to(position, TITLE, room));
    let sheet = Sheet::new(title, entries.collect(), notes, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::times(&all));
    let drawn = svg(sheet.size(), |canvas| {
        sheet.draw(canvas);
        let names = ("threads (log scale)", &*format!("time to depth ({unit}, log scale)"));
        frame.draw(canvas, names, setting.oversubscribed_from);
        if all.is_empty() {
            layout::nothing(canvas, &frame, "no sample reached the depth");
        }
        let slot = frame.slot(searchers.len()).min(120.0);
        for n in &threads {
            for (place, (index, of)) in searchers.iter().enumerate() {
                let offset = place as f64 - (searchers.len() as f64 - 1.0) / 2.0;
                let bar = Bar {
                    x: frame.x_at(*n as f64) + offset * slot,
                    width: (slot * 0.72).max(4.0),
                    colour: look(*index).colour,
                    points: &scaled(times(&of.searcher, *n)),
                };
                bar.draw(canvas, &frame, bar.points.len() > 1);
                bar.mark(canvas, &frame, look(*index));
            }
        }
    })?;
    Ok(Some(Chart {
        name: TIMES.to_owned(),
        caption: format!(
            "Times to depth of the position {position}, by threads, on a logarithmic axis: every sample that reached the depth; boxes as for the \
             speedups. {}{}",
            setting.long,
            layout::not_shown(&input.figures)
        ),
        data: data::csv(
            "searcher,threads,time_s",
            searchers.iter().flat_map(|(_, of)| {
                let rows = threads.iter().flat_map(|n| {
                    let of_cell = times(&of.searcher, *n).into_iter();
                    of_cell.map(|s| vec![of.searcher.clone(), n.to_string(), s.to_string()])
                });
                rows.collect::<Vec<_>>()
            }),
        ),
        svg: drawn,
    }))
}
