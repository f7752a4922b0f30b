//! The deviations of the times.

use crate::report::charts::layout::{self};
use crate::report::charts::style::{HEIGHT, look};
use crate::report::charts::{Axis, Bar, Chart, ChartError, Entry, Key, Picture, Setting, Sheet};
use crate::report::figures::{Figures, SearcherFigures};
use crate::report::topics::summary::{cells_of, speedups};

/// The chart of the deviations of the times of each cell, searchers side by side. None if no cell
/// has two samples that were not stopped.
pub(super) fn chart(setting: &Setting, figures: &Figures) -> Result<Option<Chart>, ChartError> {
    let threads = figures.threads();
    let searchers: Vec<(usize, &SearcherFigures)> = layout::shown(figures).collect();
    let known =
        searchers.iter().flat_map(|(_, s)| &s.cells).flatten().filter_map(|c| c.deviation_s);
    // The unit in which numbers need few digits.
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
    let picture = Picture::new(sheet.size(), |canvas| {
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
            "Deviation of the times of each position, by threads: the root mean square distance \
             from their median. The axis is logarithmic; zero, where it occurs, lies below the \
             break. {}{} Boxes over the positions without censored samples, as for the speedups.",
            setting.long,
            layout::not_shown(figures)
        ),
        picture,
        data: {
            let cells = layout::shown(figures).flat_map(|(_, of)| cells_of(of));
            let known = cells.filter(|line| line.cell.deviation_s.is_some());
            let keys = "searcher, threads, position, deviation_from_median_s";
            speedups().only(keys).file(known).csv()
        },
    }))
}
