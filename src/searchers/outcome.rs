//! SKELETON (interface for the driver; the implementation follows).

use crate::cores::Time;
use crate::engine::{Features, Move, Position, Score};
use crate::search::Counters;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A parallel search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Searcher {
    /// One worker.
    Sequential,
    /// Young Brothers Wait.
    Ybwc,
    /// Lazy SMP.
    LazySmp,
}

impl Searcher {
    /// Every searcher.
    pub const ALL: [Searcher; 3] = [Searcher::Sequential, Searcher::Ybwc, Searcher::LazySmp];
    /// Its name in files, options and output.
    pub const fn name(self) -> &'static str {
        match self {
            Searcher::Sequential => "sequential",
            Searcher::Ybwc => "ybwc",
            Searcher::LazySmp => "lazy-smp",
        }
    }
    /// A paragraph: what it does and whose idea it is.
    pub const fn about(self) -> &'static str {
        "..."
    }
}

impl fmt::Display for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Searcher {
    type Err = String;
    fn from_str(name: &str) -> Result<Searcher, String> {
        Searcher::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| {
            format!(
                "no searcher `{name}`; there are {}",
                Searcher::ALL.map(Searcher::name).join(", ")
            )
        })
    }
}

/// Every searcher's own parameters: the tables `[searcher.NAME]` of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {}

/// One search to be timed.
#[derive(Clone, Debug)]
pub struct Task {
    /// Who searches.
    pub searcher: Searcher,
    /// With how many workers (at least 1; `sequential` takes exactly 1).
    pub threads: usize,
    /// From where.
    pub root: Position,
    /// To the end of which iteration (1 to [`crate::search::MAX_DEPTH`]).
    pub depth: u8,
    /// When to give up.
    pub time_limit: Option<Time>,
    /// Of every random choice in the search.
    pub seed: u64,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Iteration `depth` was completed.
    Ok,
    /// The time limit, or the caller's interrupt, came first.
    Censored,
    /// Something went wrong: what.
    Failed(String),
}

/// The first completion of an iteration of this depth or a greater one by a worker that may end
/// the search.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The depth, from 1.
    pub depth: u8,
    /// The worker that completed it, from 0.
    pub worker: usize,
    /// From "go".
    pub time: Time,
    /// Of all workers until then.
    pub nodes: u64,
    /// From the side to move.
    pub score: Score,
    /// The principal variation.
    pub line: Vec<Move>,
}

/// What a search gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Time to depth; for a censored one the time spent.
    pub time: Time,
    /// Of the last completed iteration, from the side to move.
    pub score: Score,
    /// Of the last completed iteration (none if there was none).
    pub best_move: Option<Move>,
    /// Every depth completed.
    pub iterations: Vec<Iteration>,
    /// Of each worker.
    pub workers: Vec<Counters>,
    /// Share of the table's entries written during this search (0 to 1, sampled).
    pub table_fill: f64,
}

impl Outcome {
    /// The sum over the workers.
    pub fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for worker in &self.workers {
            sum += worker;
        }
        sum
    }
}

/// Why a laboratory could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The table is larger than the memory.
    #[error("a table of {0} MiB cannot be allocated")]
    Memory(usize),
}

/// All that lives from sample to sample: the transposition table and the parameters.
pub struct Lab {}

impl Lab {
    /// Allocates and touches the table.
    pub fn new(
        _hash_mib: usize,
        _features: Features,
        _settings: Settings,
    ) -> Result<Lab, LabError> {
        Ok(Lab {})
    }

    /// Clears the table (writing every page, with as many threads as the process has cores). Call it
    /// before each [`Lab::search`]; it is not part of a search's time.
    pub fn clear(&mut self) {}

    /// Searches; returns when every worker has stopped. `interrupt` set from outside ends it as
    /// [`Status::Censored`] (the caller throws such an outcome away).
    pub fn search(&mut self, _task: &Task, _interrupt: &std::sync::atomic::AtomicBool) -> Outcome {
        unimplemented!()
    }
}
