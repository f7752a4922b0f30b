//! The parts of a sample: its iterations, workers and depths. Each kind of part has rows in a file
//! of its own.

use super::rows::{SAMPLES, SampleKey, counted};
use crate::records::{Column, Row, column};
use crate::uci::{Reply, Report, Said};
use ttd_search::cores::Time;
use ttd_search::engine::Score;
use ttd_search::search::{ByDepth, Counters, LookUps};

/// A part of a sample: the fields of its row after the columns that name the sample.
pub trait Part: Default + 'static {
    /// The file.
    const FILE: &'static str;

    /// The columns, as those of [`Row::list`].
    fn list() -> Vec<Column<Self>>;
}

/// A part with the key of its sample: a row of the part's file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Of<P> {
    /// The key of the sample.
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
    /// A row for each completed depth.
    pub iterations: Vec<IterationRow>,
    /// A row for each worker.
    pub workers: Vec<WorkerRow>,
    /// A row for each depth at which the table was looked up.
    pub depths: Vec<DepthRow>,
    /// A row for each iteration that an outside engine told.
    pub told: Vec<ToldRow>,
}

/// One iteration of a sample: a row of `iterations.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IterationRow {
    /// The depth that was completed.
    pub depth: u8,
    /// The worker that was the first to complete it, from 0.
    pub worker: usize,
    /// The time from "go".
    pub time: Time,
    /// The nodes of all workers from "go".
    pub nodes: u64,
    /// The score, as in [`Sample::score`](super::Sample::score); none where it is not known.
    pub score: Option<Score>,
    /// The best move, in UCI notation; none where it is not known.
    pub best_move: Option<String>,
}

impl Part for IterationRow {
    const FILE: &'static str = "iterations.csv";

    fn list() -> Vec<Column<IterationRow>> {
        vec![
            column!("depth", "completed depth", depth),
            column!("worker", "the worker that was the first to complete it, from 0", worker),
            column!("time_s", "time from \"go\"", time),
            column!("nodes", "nodes of all workers, from \"go\"", nodes),
            column!(
                "score",
                "score of the iteration, as in `samples.csv`; blank where an engine told none",
                score
            )
            .added(1)
            .or(""),
            column!(
                "best_move",
                "best move of the iteration, in UCI notation; blank where an engine told none",
                best_move
            )
            .added(1)
            .or(""),
        ]
    }
}

/// One worker of a sample: a row of `workers.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerRow {
    /// The number of the worker, from 0.
    pub worker: usize,
    /// The counters of the worker.
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
        let counters = Counters::columns().into_iter().map(counted);
        list.extend(counters.map(|column| {
            let own = column.within(|row: &WorkerRow| Some(&row.counters), |row| &mut row.counters);
            // This file itself came with the second addition to `samples.csv`.
            if own.added <= 2 { own.added(0) } else { own }
        }));
        list
    }
}

/// The look-ups of all workers of a sample at nodes of one depth: a row of `depths.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DepthRow {
    /// The depth. 0 is the quiescence search; [`ByDepth::DEEPEST`] stands for that depth and all
    /// deeper ones.
    pub depth: usize,
    /// The look-ups: at least one.
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
            column!("hits", "look-ups that found the position", look_ups.hits),
            column!("cutoffs", "look-ups that ended the node", look_ups.cutoffs),
        ]
    }
}

/// The report of an outside engine on an iteration: a row of `told.csv`. Fields that it did not
/// tell are blank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToldRow {
    /// The depth.
    pub depth: u32,
    /// The time from `go` until its last line of that depth was read.
    pub read: Time,
    /// The time from `go` until its best move was read.
    pub best_move: Time,
    /// The time by its own clock.
    pub own: Option<Time>,
    /// The nodes so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The full part of its table, in thousandths.
    pub hashfull: Option<u32>,
    /// The score: `cp` and hundredths of a pawn, or `mate` and moves.
    pub score: String,
    /// The line of moves, as the engine writes it.
    pub pv: String,
}

impl ToldRow {
    /// The row of a report that came before the `reply`.
    pub(super) fn new(report: &Report, reply: &Reply) -> ToldRow {
        ToldRow {
            depth: report.depth,
            read: report.at.into(),
            best_move: reply.elapsed.into(),
            own: report.time.map(Time::from),
            nodes: report.nodes,
            nps: report.nps,
            hashfull: report.hashfull,
            score: match report.score {
                None => String::new(),
                Some(Said::Centipawns(score)) => format!("cp {score}"),
                Some(Said::Mate(moves)) => format!("mate {moves}"),
            },
            pv: report.pv.clone(),
        }
    }
}

impl Part for ToldRow {
    const FILE: &'static str = "told.csv";

    fn list() -> Vec<Column<ToldRow>> {
        const COUNTS: &str = "nodes so far, nodes a second, how full its table is";
        vec![
            column!("depth", "depth of the iteration", depth),
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
    use crate::experiment::{SAMPLES, Sample};
    use crate::records::pages::hold;

    /// The columns of every file are listed in `docs/formats.md`.
    #[test]
    fn columns_are_documented() {
        let parts = [
            (SAMPLES, Sample::page()),
            (IterationRow::FILE, Of::<IterationRow>::page()),
            (WorkerRow::FILE, Of::<WorkerRow>::page()),
            (DepthRow::FILE, Of::<DepthRow>::page()),
            (ToldRow::FILE, Of::<ToldRow>::page()),
        ];
        hold("formats.md", &parts);
    }

    #[test]
    fn columns_that_mean_the_same_are_in_one_line() {
        let page = Of::<IterationRow>::page();
        let head = "| column | meaning |\n|---|---|\n";
        let first = "| `round`, `searcher`, `threads`, `position` | the sample |\n\
                     | `depth` | completed depth |\n";
        assert!(page.starts_with(&format!("{head}{first}")), "{page}");
    }
}
