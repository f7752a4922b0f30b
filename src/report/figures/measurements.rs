//! The measurements of an experiment, from which the figures of the topics are computed.

use crate::experiment::{Experiment, Sample};
use crate::report::figures::all::Figures;
use crate::report::figures::grouping::Samples;
use crate::report::figures::iterations::Iterations;
use ttd_search::positions::TestPosition;

/// The measurements of an experiment, and the figures that follow from them.
#[derive(Clone, Copy)]
pub(crate) struct Measurements<'a> {
    pub(crate) experiment: &'a Experiment,
    /// The positions of the set; none if it cannot be read.
    pub(crate) set: &'a [TestPosition],
    pub(crate) samples: &'a Samples,
    pub(crate) iterations: &'a Iterations,
    pub(crate) figures: &'a Figures,
}

impl<'a> Measurements<'a> {
    /// The samples of a competitor at a number of threads, position by position.
    pub(crate) fn cells(self, name: &str, threads: usize) -> impl Iterator<Item = &'a [Sample]> {
        self.figures.positions.iter().map(move |id| self.samples.cell(name, threads, id))
    }

    /// The samples of the base of a competitor's cell.
    pub(crate) fn base_cell(self, name: &str, position: &str) -> &'a [Sample] {
        self.samples.base_cell(name, self.experiment.base, position)
    }
}
