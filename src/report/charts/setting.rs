//! The words of every chart about the origin of its figures.

use crate::experiment::Experiment;
use crate::report::Cores;
use crate::report::charts::axes::Frame;
use crate::report::charts::canvas::Canvas;
use crate::report::charts::layout::{Entry, Sheet};
use crate::report::charts::picture::Drawing;
use crate::report::figures::Figures;
use crate::report::numbers::count;

/// The words of every chart about the origin of its figures.
pub(crate) struct Setting {
    /// The words at the bottom of the picture.
    pub(crate) short: String,
    /// The sentences in the caption.
    pub(crate) long: String,
    /// The least oversubscribed thread count; none without one.
    pub(crate) oversubscribed_from: Option<usize>,
}

impl Setting {
    pub(crate) fn new(figures: &Figures, experiment: &Experiment, cores: Cores) -> Setting {
        let measured = |p: &usize| {
            figures.measured().any(|s| s.cells.iter().any(|row| row[*p].ok + row[*p].censored > 0))
        };
        let positions = (0..figures.positions.len()).filter(measured).count();
        let facts = format!(
            "depth {}, {}, {}, {}",
            experiment.depth_range(),
            count(positions, "position"),
            figures.runs_in_words(),
            cores.words()
        );
        let short = format!("Base: {}; {facts}.", figures.base);
        Setting::with(short.clone(), &short, figures.oversubscribed_from())
    }

    /// These words, and behind the long ones a sentence about oversubscribed thread counts.
    pub(crate) fn with(short: String, long: &str, oversubscribed_from: Option<usize>) -> Setting {
        let marked = oversubscribed_from
            .map_or_else(String::new, |n| format!(" Oversubscribed from {n} threads on (marked)."));
        Setting { short, long: format!("{long}{marked}"), oversubscribed_from }
    }

    /// The sheet of a chart. Below these words it has one more note.
    pub(crate) fn sheet(
        &self,
        title: impl Into<String>,
        legend: impl IntoIterator<Item = Entry>,
        note: impl Into<String>,
        height: i32,
    ) -> Sheet {
        Sheet::new(title, legend, [self.short.clone(), note.into()], height)
    }

    /// The picture of a plot by threads. `y` is the name of the vertical axis.
    pub(crate) fn by_threads(
        &self,
        sheet: &Sheet,
        frame: &Frame,
        y: &str,
        draw: impl FnOnce(&mut Canvas),
    ) -> Drawing {
        sheet.plot(frame, ("threads (log scale)", y), self.oversubscribed_from, draw)
    }
}
