//! What a sample consists of beyond its row: its iterations, its workers and its depths, and the rows that these are
//! in files of their own.

use super::rows::{SAMPLES, SampleKey, counted};
use crate::records::{Column, Row, column};
use ttd_search::cores::Time;
use ttd_search::search::{ByDepth, Counters, LookUps};

/// A part of a sample: what its row holds behind the columns that say of which.
pub trait Part: Default + 'static {
    /// The file.
    const FILE: &'static str;

    /// As [`Row::list`].
    fn list() -> Vec<Column<Self>>;
}

/// A part, and of which sample: a row of the part's file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Of<P> {
    /// The sample.
    pub sample: SampleKey,
    /// The part.
    pub part: P,
}

impl<P: Part> Row for Of<P> {
    const FILE: &'static str = P::FILE;
    const PART_OF: Option<&'static str> = Some(SAMPLES);

    fn list() -> Vec<Column<Of<P>>> {
        let key = |column: Column<SampleKey>| {
            column.within(|of: &Of<P>| Some(&of.sample), |of| &mut of.sample)
        };
        let part =
            |column: Column<P>| column.within(|of: &Of<P>| Some(&of.part), |of| &mut of.part);
        SampleKey::columns().into_iter().map(key).chain(P::list().into_iter().map(part)).collect()
    }
}

/// The parts of one sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// Each depth that was completed.
    pub iterations: Vec<IterationRow>,
    /// Each worker.
    pub workers: Vec<WorkerRow>,
    /// Each depth at which the table was asked.
    pub depths: Vec<DepthRow>,
    /// What an outside engine told of each iteration.
    pub told: Vec<ToldRow>,
}

/// One depth of iterative deepening inside a sample: a row of `iterations.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IterationRow {
    /// The depth that was completed.
    pub depth: u8,
    /// The worker that was the first to complete it, from 0.
    pub worker: usize,
    /// From "go".
    pub time: Time,
    /// Of all workers, from "go".
    pub nodes: u64,
}

impl Part for IterationRow {
    const FILE: &'static str = "iterations.csv";

    fn list() -> Vec<Column<IterationRow>> {
        vec![
            column!("depth", "d", depth),
            column!("worker", "who completed it, from 0", worker),
            column!("time_s", "from \"go\"", time),
            column!("nodes", "of all workers, from \"go\"", nodes),
        ]
    }
}

/// One worker of a sample: a row of `workers.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerRow {
    /// From 0.
    pub worker: usize,
    /// What it counted.
    pub counters: Counters,
}

impl Part for WorkerRow {
    const FILE: &'static str = "workers.csv";

    fn list() -> Vec<Column<WorkerRow>> {
        let mut list = vec![
            column!("worker", "from 0, as in `iterations.csv`", worker),
            column!(
                "nodes",
                "positions that it entered until the sample's `time_s`, quiescence and aborted ones included",
                counters.nodes
            ),
        ];
        let counters = Counters::first().into_iter().chain(Counters::added()).map(counted);
        list.extend(counters.map(|column| {
            let own = column.within(|row: &WorkerRow| Some(&row.counters), |row| &mut row.counters);
            // The file itself came with the second addition to samples.
            if own.added <= 2 { own.added(0) } else { own }
        }));
        list
    }
}

/// The look-ups of all workers of a sample at nodes with so many plies left: a row of `depths.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DepthRow {
    /// 0: the quiescence search; [`ByDepth::DEEPEST`]: that deep or deeper.
    pub depth: usize,
    /// At least one.
    pub look_ups: LookUps,
}

impl Part for DepthRow {
    const FILE: &'static str = "depths.csv";

    fn list() -> Vec<Column<DepthRow>> {
        let depth = column!(
            "depth",
            "plies left, when the node was entered; 0: the quiescence search; 31: 31 or more",
            depth
        );
        vec![
            depth.only(|row| row.depth <= ByDepth::DEEPEST),
            column!("probes", "look-ups", look_ups.probes),
            column!("hits", "those that found the position", look_ups.hits),
            column!("cutoffs", "those that ended the node", look_ups.cutoffs),
        ]
    }
}

/// What an outside engine told of an iteration: a row of `told.csv`. What it did not tell is blank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToldRow {
    /// The depth.
    pub depth: u32,
    /// When its last line of that depth was read, since `go`.
    pub read: Time,
    /// When its best move was read, since `go`.
    pub best_move: Time,
    /// By its own clock.
    pub own: Option<Time>,
    /// Visited so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// How full its table is, thousandths.
    pub hashfull: Option<u32>,
    /// `cp` and hundredths of a pawn, or `mate` and moves.
    pub score: String,
    /// The line, as it writes it.
    pub pv: String,
}

impl Part for ToldRow {
    const FILE: &'static str = "told.csv";

    fn list() -> Vec<Column<ToldRow>> {
        const COUNTS: &str = "nodes so far, nodes a second, how full its table is";
        vec![
            column!("depth", "of the iteration", depth),
            column!("read_s", "when the line was read, from writing `go`", read),
            column!(
                "bestmove_s",
                "when the best move was read, from writing `go`: the same in all rows of a sample",
                best_move
            ),
            column!("own_s", "the time by the engine's own clock", own),
            column!("nodes", COUNTS, nodes),
            column!("nps", COUNTS, nps),
            column!("hashfull_permille", COUNTS, hashfull),
            column!(
                "score",
                "`cp` and hundredths of a pawn, or `mate` and moves; from the side to move",
                score
            ),
            column!("pv", "the line, as the engine writes it", pv),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Sample;

    /// `docs/formats.md` has the columns of every file.
    #[test]
    fn columns_are_documented() {
        let page = include_str!("../../docs/formats.md");
        for table in [
            Sample::page(),
            Of::<IterationRow>::page(),
            Of::<WorkerRow>::page(),
            Of::<DepthRow>::page(),
            Of::<ToldRow>::page(),
        ] {
            assert!(page.contains(&table), "{table}");
        }
    }

    #[test]
    fn columns_that_mean_the_same_are_in_one_line() {
        let page = Of::<IterationRow>::page();
        let head = "| column | meaning |\n|---|---|\n";
        let first =
            "| `round`, `searcher`, `threads`, `position` | the sample |\n| `depth` | d |\n";
        assert!(page.starts_with(&format!("{head}{first}")), "{page}");
    }
}
