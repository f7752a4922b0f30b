//! The distribution of the times of one position.

use crate::experiment::{Sample, SampleStatus};
use crate::report::Source;
use crate::report::charts::layout::{self};
use crate::report::charts::{Chart, Named, Setting, Sketch};
use crate::report::columns::columns;
use crate::report::figures::{Cell, Figures, SearcherFigures};
use crate::report::topics::spread::boxes::{Words, boxes};

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
