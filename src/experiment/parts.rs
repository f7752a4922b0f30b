//! What a sample consists of beyond its row: its iterations, its workers and its depths, and the rows that these are
//! in files of their own.

use super::rows::{DOUBLED, Row, Sample};
use ttd_search::cores::Time;
use ttd_search::search::{ByDepth, Counters, LookUps};

/// Which sample of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SampleKey {
    /// From 1 to `runs`.
    pub round: u32,
    /// Name of the searcher.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// Id of the position.
    pub position: String,
}

impl SampleKey {
    const COLUMNS: [&str; 4] = ["round", "searcher", "threads", "position"];

    fn values(&self) -> Vec<String> {
        let SampleKey { round, searcher, threads, position } = self;
        vec![round.to_string(), searcher.clone(), threads.to_string(), position.clone()]
    }

    fn parse([round, searcher, threads, position]: [&str; 4]) -> Option<SampleKey> {
        Some(SampleKey {
            round: round.parse().ok()?,
            searcher: searcher.to_owned(),
            threads: threads.parse().ok()?,
            position: position.to_owned(),
        })
    }
}

impl Sample {
    /// Which one it is.
    pub fn key(&self) -> SampleKey {
        SampleKey {
            round: self.round,
            searcher: self.searcher.clone(),
            threads: self.threads,
            position: self.position.clone(),
        }
    }
}

/// A part of a sample: what its row holds behind the columns that say of which.
pub trait Part: Sized {
    /// The file.
    const FILE: &'static str;

    /// As [`Row::columns`].
    fn columns() -> Vec<String>;
    /// As [`Row::values`].
    fn values(&self) -> Vec<String>;
    /// As [`Row::parse`].
    fn parse(fields: &[&str]) -> Option<Self>;
}

/// A part, and of which sample: a row of the part's file.
#[derive(Clone, Debug, PartialEq)]
pub struct Of<P> {
    /// The sample.
    pub sample: SampleKey,
    /// The part.
    pub part: P,
}

impl<P: Part> Row for Of<P> {
    const FILE: &'static str = P::FILE;
    const PART_OF: Option<&'static str> = Some(super::rows::SAMPLES);

    fn columns() -> Vec<String> {
        let mut columns = SampleKey::COLUMNS.map(str::to_owned).to_vec();
        columns.extend(P::columns());
        columns
    }

    fn values(&self) -> Vec<String> {
        let mut values = self.sample.values();
        values.extend(self.part.values());
        values
    }

    fn parse(fields: &[&str]) -> Option<Of<P>> {
        let (sample, part) = fields.split_first_chunk()?;
        Some(Of { sample: SampleKey::parse(*sample)?, part: P::parse(part)? })
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
#[derive(Clone, Debug, PartialEq)]
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

    fn columns() -> Vec<String> {
        ["depth", "worker", "time_s", "nodes"].map(str::to_owned).to_vec()
    }

    fn values(&self) -> Vec<String> {
        let IterationRow { depth, worker, time, nodes } = self;
        vec![depth.to_string(), worker.to_string(), time.to_string(), nodes.to_string()]
    }

    fn parse(fields: &[&str]) -> Option<IterationRow> {
        let &[depth, worker, time, nodes] = fields else { return None };
        Some(IterationRow {
            depth: depth.parse().ok()?,
            worker: worker.parse().ok()?,
            time: time.parse().ok()?,
            nodes: nodes.parse().ok()?,
        })
    }
}

/// One worker of a sample: a row of `workers.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerRow {
    /// From 0.
    pub worker: usize,
    /// What it counted.
    pub counters: Counters,
}

impl Part for WorkerRow {
    const FILE: &'static str = "workers.csv";

    fn columns() -> Vec<String> {
        let mut columns = ["worker", "nodes"].map(str::to_owned).to_vec();
        columns.extend(Counters::columns());
        columns.push(DOUBLED.to_owned());
        columns
    }

    fn values(&self) -> Vec<String> {
        let mut values = vec![self.worker.to_string(), self.counters.nodes.to_string()];
        values.extend(self.counters.values());
        values.push(self.counters.doubled_nodes.to_string());
        values
    }

    fn parse(fields: &[&str]) -> Option<WorkerRow> {
        let &[worker, nodes, ref counters @ .., doubled] = fields else { return None };
        let counters = Counters::parse(nodes.parse().ok()?, counters.iter().copied())?;
        let doubled_nodes = doubled.parse().ok()?;
        let counters = Counters { doubled_nodes, ..counters };
        Some(WorkerRow { worker: worker.parse().ok()?, counters })
    }
}

/// The look-ups of all workers of a sample at nodes with so many plies left: a row of `depths.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct DepthRow {
    /// 0: the quiescence search; [`ByDepth::DEEPEST`]: that deep or deeper.
    pub depth: usize,
    /// At least one.
    pub look_ups: LookUps,
}

impl Part for DepthRow {
    const FILE: &'static str = "depths.csv";

    fn columns() -> Vec<String> {
        [&["depth"][..], &LookUps::NAMES].concat().into_iter().map(str::to_owned).collect()
    }

    fn values(&self) -> Vec<String> {
        let mut values = vec![self.depth.to_string()];
        values.extend(self.look_ups.counts().map(|count| count.to_string()));
        values
    }

    fn parse(fields: &[&str]) -> Option<DepthRow> {
        let (depth, look_ups) = fields.split_first()?;
        let depth = depth.parse().ok().filter(|depth| *depth <= ByDepth::DEEPEST)?;
        Some(DepthRow { depth, look_ups: LookUps::parse(look_ups.iter().copied())? })
    }
}

/// What an outside engine told of an iteration: a row of `told.csv`. What it did not tell is blank.
#[derive(Clone, Debug, PartialEq)]
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

    fn columns() -> Vec<String> {
        let columns = [
            "depth",
            "read_s",
            "bestmove_s",
            "own_s",
            "nodes",
            "nps",
            "hashfull_permille",
            "score",
            "pv",
        ];
        columns.map(str::to_owned).to_vec()
    }

    fn values(&self) -> Vec<String> {
        fn blank(value: Option<impl ToString>) -> String {
            value.map(|value| value.to_string()).unwrap_or_default()
        }
        vec![
            self.depth.to_string(),
            self.read.to_string(),
            self.best_move.to_string(),
            blank(self.own),
            blank(self.nodes),
            blank(self.nps),
            blank(self.hashfull),
            self.score.clone(),
            self.pv.clone(),
        ]
    }

    fn parse(fields: &[&str]) -> Option<ToldRow> {
        /// `None` is what cannot be read, and not what is blank.
        #[allow(clippy::option_option, reason = "as the words above say")]
        fn blank<T: std::str::FromStr>(field: &str) -> Option<Option<T>> {
            if field.is_empty() { Some(None) } else { field.parse().ok().map(Some) }
        }
        let &[depth, read, best_move, own, nodes, nps, hashfull, score, pv] = fields else {
            return None;
        };
        Some(ToldRow {
            depth: depth.parse().ok()?,
            read: read.parse().ok()?,
            best_move: best_move.parse().ok()?,
            own: blank(own)?,
            nodes: blank(nodes)?,
            nps: blank(nps)?,
            hashfull: blank(hashfull)?,
            score: score.to_owned(),
            pv: pv.to_owned(),
        })
    }
}
