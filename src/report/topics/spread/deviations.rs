//! The deviations of the times.

use crate::report::charts::layout::{self};
use crate::report::charts::{Chart, Named, Setting, Sketch};
use crate::report::figures::{Cell, Figures, SearcherFigures};
use crate::report::topics::spread::boxes::{Words, boxes};
use crate::report::topics::summary::{cells_of, speedups};

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
