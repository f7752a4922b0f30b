//! The distribution of the times of one position.

use crate::experiment::SampleStatus;
use crate::report::Source;
use crate::report::charts::layout::{self};
use crate::report::charts::style::{HEIGHT, TITLE, WIDTH, look};
use crate::report::charts::{
    Axis, Bar, Chart, ChartError, Entry, Key, Picture, Setting, Sheet, cut_to, text_width,
};
use crate::report::columns::columns;
use crate::report::figures::{Cell, Figures, SearcherFigures};

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
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn chart(setting: &Setting, of: &Source) -> Result<Option<Chart>, ChartError> {
    let Source { input, position, .. } = of;
    let Some(position) = position.as_deref().or(most_restless(&input.figures)) else {
        return Ok(None);
    };
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
    let picture = Picture::new(sheet.size(), |canvas| {
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
        name: "times".to_owned(),
        caption: format!(
            "Times to depth of the position {position}, by threads, on a logarithmic axis: every sample that reached the depth; boxes as for the \
             speedups. {}{}",
            setting.long,
            layout::not_shown(&input.figures)
        ),
        data: {
            let cells = searchers.iter().flat_map(|(_, of)| threads.iter().map(move |n| (of, *n)));
            let rows = cells.flat_map(|(of, n)| {
                times(&of.searcher, n).into_iter().map(move |s| (of.searcher.as_str(), n, s))
            });
            data().file(rows).csv()
        },
        picture,
    }))
}

columns! {
    /// The data of the chart: searcher, threads and seconds.
    fn data<'a>(of: (&'a str, usize, f64));

    Words "searcher" = of.0;
    Whole "threads" = of.1;
    Seconds "time_s" = of.2;
}
