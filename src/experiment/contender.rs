//! Who is measured: searchers of ours and outside engines.

use super::spec::Experiment;
use crate::searchers::Searcher;

/// One of those that an experiment compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Contender {
    /// A searcher of the embedded engine.
    Searcher(Searcher),
    /// An outside engine, by its place among those of the experiment.
    Engine(usize),
}

impl Experiment {
    /// All of them: the searchers, and then the outside engines, in the order of the experiment.
    pub fn contenders(&self) -> Vec<Contender> {
        let searchers = self.searchers.iter().copied().map(Contender::Searcher);
        searchers.chain((0..self.engines.len()).map(Contender::Engine)).collect()
    }

    /// What one of them is called in files and output. No two have the same name.
    pub fn name_of(&self, contender: Contender) -> &str {
        match contender {
            Contender::Searcher(searcher) => searcher.name(),
            Contender::Engine(index) => &self.engines[index].name,
        }
    }

    /// What all of them are called, in order.
    pub fn names(&self) -> Vec<&str> {
        self.contenders().into_iter().map(|contender| self.name_of(contender)).collect()
    }

    /// With how many threads one of them is measured: who has only one, with one.
    pub fn threads_of(&self, contender: Contender) -> &[usize] {
        if self.has_one_thread(contender) { &[1] } else { &self.threads }
    }

    /// Whether one of them has one thread whatever it is told.
    pub fn has_one_thread(&self, contender: Contender) -> bool {
        match contender {
            Contender::Searcher(searcher) => searcher == Searcher::Sequential,
            Contender::Engine(index) => self.engines[index].one_thread,
        }
    }

    /// Whether any of them can use several threads.
    pub fn is_parallel(&self) -> bool {
        self.contenders().into_iter().any(|contender| !self.has_one_thread(contender))
    }
}
