//! One of the two directories, and the parts that both have.

use crate::experiment::{Base, Competitor, Experiment, SampleStatus, precision_of};
use crate::records::{CoresKind, ResultsError, Sitting, read_sittings};
use crate::report::figures::{Samples, timings};
use crate::report::front::setup::programs;
use crate::report::input::planned;
use crate::report::numbers::{count, list};
use crate::report::{LeftOut, Salvaged};
use std::collections::BTreeMap;
use std::path::Path;
use ttd_search::engine::Board;
use ttd_search::searchers::{Costs, Searcher};
use ttd_stats::Runs;

/// The reason why two directories cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// A directory cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The directories are not of the expected kind, or do not fit together.
    #[error("{0}")]
    Unlike(String),
}

impl CompareError {
    /// Whether the command or its directories are wrong, and not the machine.
    pub const fn is_usage(&self) -> bool {
        match self {
            CompareError::Results(of) => of.is_usage(),
            CompareError::Unlike(_) => true,
        }
    }
}

/// A results directory that was read.
pub(super) struct Side {
    /// The name of the side in messages: `BASE` or `NEW`.
    pub(super) word: &'static str,
    pub(super) experiment: Experiment,
    pub(super) sittings: Vec<Sitting>,
    pub(super) samples: Samples,
    pub(super) left_out: LeftOut,
    /// The positions of its set, by id; `ids` holds the ones that the samples name.
    boards: BTreeMap<String, Board>,
    ids: Vec<String>,
    /// The number of planned samples, without the ones that were left out; none if its positions
    /// cannot be read.
    planned: Option<usize>,
}

impl Side {
    pub(super) fn read(word: &'static str, dir: &Path) -> Result<Side, ResultsError> {
        // The environment must be whole: it decides whether the side may be compared.
        let sittings = read_sittings(dir)?;
        let Salvaged { experiment, positions, samples, left_out, .. } = Salvaged::read(dir)?;
        let samples = Samples::new(samples);
        let set = positions.unwrap_or_default();
        let ids: Vec<String> = set.iter().map(|position| position.id.clone()).collect();
        let planned = planned(&experiment, &ids, &samples, &left_out, |wanted| {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            precision_of(&experiment, samples.all(), &ids).is_narrower(wanted)
        });
        let ids = samples.positions(&ids);
        let boards = set.into_iter().map(|position| (position.id, position.board)).collect();
        Ok(Side { word, experiment, sittings, samples, left_out, boards, ids, planned })
    }

    /// The competitors that have samples, in the order of the experiment.
    pub(super) fn measured(&self) -> Vec<&str> {
        let names = self.experiment.names().into_iter();
        names.filter(|name| !self.samples.threads(name).is_empty()).collect()
    }

    /// The searchers among the measured competitors that have the experiment's own settings.
    pub(super) fn searchers(&self) -> Vec<&str> {
        let is_searcher = |competitor: &Competitor| matches!(competitor, Competitor::Searcher(_));
        let searchers = self.experiment.competitors().into_iter().filter(is_searcher);
        searchers.map(|competitor| self.experiment.name_of(competitor)).collect()
    }

    /// The times of a competitor, position by position.
    pub(super) fn cells(&self, name: &str, threads: usize, ids: &[String]) -> Vec<Runs> {
        ids.iter().map(|id| timings(self.samples.cell(name, threads, id))).collect()
    }

    /// The competitor whose one-thread times these speedups are relative to.
    pub(super) fn base_of<'a>(&self, name: &'a str) -> &'a str {
        match self.experiment.base {
            Base::SameSearcher => name,
            Base::Sequential => Searcher::baseline().name(),
        }
    }

    /// Whether the runs of a cell differ.
    pub(super) fn varies(&self) -> bool {
        self.experiment.costs.as_ref().is_none_or(Costs::vary)
    }

    /// Whether `threads` workers are more than the cores that there were, where that is known.
    pub(super) fn is_oversubscribed(&self, threads: usize) -> bool {
        let least = || self.sittings.iter().map(|sitting| sitting.cores_usable).min();
        let cores = match self.experiment.cores {
            CoresKind::Real if self.experiment.dilate.is_some() => None,
            CoresKind::Real => least().map(|cores| self.experiment.cores_among(cores)),
            CoresKind::Virtual => self.experiment.processors(),
        };
        cores.is_some_and(|cores| threads > cores)
    }

    /// The programs and machines that measured it, in words.
    pub(super) fn programs(&self) -> String {
        list(programs(&self.sittings))
    }

    /// The parts that cannot be used, in words.
    pub(super) fn left_out_in_words(&self) -> Option<String> {
        self.left_out.sentence(&format!(" of {}", self.word))
    }

    /// The samples that are not as they should be.
    pub(super) fn lost(&self) -> Vec<String> {
        let mut lost = Vec::from_iter(self.left_out_in_words());
        let done = self.samples.all().count();
        if let Some(planned) = self.planned.filter(|planned| done < *planned) {
            lost.push(format!("**Unfinished.** {} has {done} of {planned} samples.", self.word));
        }
        let with = |status| self.samples.all().filter(|sample| sample.status == status).count();
        let failed = with(SampleStatus::Failed);
        if failed > 0 {
            let failed = count(failed, "failed sample");
            lost.push(format!("**Failed.** {} has {failed}, which are in no figure.", self.word));
        }
        let censored = with(SampleStatus::Censored);
        if censored > 0 {
            let stopped = count(censored, "sample");
            lost.push(format!(
                "**Censored.** {} has {stopped} that the time limit stopped: figures that depend \
                 on them lie between two ends.",
                self.word
            ));
        }
        lost
    }
}

/// The positions that are compared, in the order of the base, and notes on the others.
pub(super) fn common(base: &Side, new: &Side) -> Result<(Vec<String>, Vec<String>), CompareError> {
    let both: Vec<&String> = base.ids.iter().filter(|id| new.ids.contains(id)).collect();
    let same = |id: &String| match (base.boards.get(id), new.boards.get(id)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    let (same, moved): (Vec<&String>, Vec<&String>) = both.into_iter().partition(|id| same(id));
    if same.is_empty() {
        let other = if moved.is_empty() { "" } else { ": the same ids stand for other positions" };
        let (a, b) = (&base.experiment.positions, &new.experiment.positions);
        return Err(CompareError::Unlike(format!(
            "nothing to compare: BASE (`{a}`) and NEW (`{b}`) have no position in common{other}"
        )));
    }
    let mut words = Vec::new();
    for (side, other) in [(base, new), (new, base)] {
        let only: Vec<&String> = side.ids.iter().filter(|id| !other.ids.contains(id)).collect();
        if !only.is_empty() {
            let positions = count(only.len(), "position");
            words.push(format!("only {} has {positions}: {}", side.word, list(only)));
        }
    }
    if !moved.is_empty() {
        words.push(format!("not the same positions in BASE and NEW: {}", list(moved)));
    }
    Ok((same.into_iter().cloned().collect(), words))
}

/// The competitors and thread counts that only one side has.
pub(super) fn missing(base: &Side, new: &Side) -> Vec<String> {
    let mut words = Vec::new();
    for (side, other) in [(base, new), (new, base)] {
        let there = other.measured();
        for name in side.measured() {
            if !there.contains(&name) {
                words.push(format!("only {} has {name}", side.word));
                continue;
            }
            let others = other.samples.threads(name);
            let mut only = side.samples.threads(name);
            only.retain(|threads| !others.contains(threads));
            if !only.is_empty() {
                words.push(format!("only {} has {name} at {} threads", side.word, list(only)));
            }
        }
    }
    words
}
