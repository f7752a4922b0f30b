//! A sample, and the row it is in a file.

use ttd_search::cores::{Time, WorkSpan};
use ttd_search::engine::Score;
use ttd_search::search::Counters;

/// The file with one row a sample.
pub const SAMPLES: &str = "samples.csv";

/// How a sample ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleStatus {
    /// The depth asked for was completed.
    Ok,
    /// The time limit came first: the time is known only to be larger.
    Censored,
    /// The search failed; `log.txt` says how.
    Failed,
}

impl SampleStatus {
    /// The word used in the column `status`.
    pub const fn name(self) -> &'static str {
        match self {
            SampleStatus::Ok => "ok",
            SampleStatus::Censored => "censored",
            SampleStatus::Failed => "failed",
        }
    }

    fn parse(word: &str) -> Option<SampleStatus> {
        [SampleStatus::Ok, SampleStatus::Censored, SampleStatus::Failed]
            .into_iter()
            .find(|status| status.name() == word)
    }
}

/// One timed search of one cell: a row of `samples.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// From 1 to `runs`.
    pub round: u32,
    /// Index in the plan of the whole experiment, from 0.
    pub order: u32,
    /// Name of the searcher, or of the outside engine.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// Id of the position.
    pub position: String,
    /// The depth asked for.
    pub depth: u8,
    /// How it ended.
    pub status: SampleStatus,
    /// Time to depth; of a censored sample the time spent, of a failed one 0.
    pub time: Time,
    /// Of all workers, quiescence and aborted ones included; of an outside engine, what it tells (0: nothing).
    pub nodes: u64,
    /// Centipawns from the side to move, of the deepest completed iteration.
    pub score: Score,
    /// In UCI notation, of the deepest completed iteration; empty if there is none.
    pub best_move: String,
    /// Summed over the workers; none of an outside engine.
    pub counters: Option<Counters>,
    /// Share of the table's entries written during this sample, 0 to 1; of an outside engine, what it tells.
    pub table_fill: f64,
    /// Peak resident memory of the process so far, in MiB; 0 where it cannot be read.
    pub peak_mib: u64,
    /// Nodes that another worker had searched too; unknown in files that were written before it was counted.
    pub doubled_nodes: Option<u64>,
    /// Work and critical path, of a search on virtual cores that reached the depth, where the searcher has them; unknown
    /// in files that were written before they were counted.
    pub work_span: Option<WorkSpan>,
}

/// The column for nodes of subtrees that another worker had searched as deeply.
pub(super) const DOUBLED: &str = "doubled_nodes";
/// The columns for work and critical path.
const WORK_SPAN: [&str; 2] = ["work_s", "critical_path_s"];

const BEFORE_COUNTERS: [&str; 11] = [
    "round",
    "order",
    "searcher",
    "threads",
    "position",
    "depth",
    "status",
    "time_s",
    "nodes",
    "score",
    "best_move",
];

/// A row of a file that a run appends to.
pub trait Row: Sized {
    /// The file.
    const FILE: &'static str;
    /// How many of the last columns files of older programs lack: of one program so many, of another so many.
    const LATER: &[usize] = &[];
    /// The file whose rows these are parts of; none if they stand for themselves.
    const PART_OF: Option<&'static str> = None;

    /// The header.
    fn columns() -> Vec<String>;
    /// What stands in a column of rows whose header `lacks` some, instead of what is there; none: what is there, and without that a
    /// row tells nothing.
    fn stand_in(_column: &str, _lacks: &[&str]) -> Option<&'static str> {
        None
    }
    /// The fields, in the order of the header.
    fn values(&self) -> Vec<String>;
    /// Reads back the fields; of an older file without the later ones. `None` if they are not what their
    /// columns say.
    fn parse(fields: &[&str]) -> Option<Self>;
}

impl Row for Sample {
    const FILE: &'static str = SAMPLES;
    /// Work and critical path; before these, `doubled_nodes` too.
    const LATER: &[usize] = &[2, 3];

    fn columns() -> Vec<String> {
        let mut columns = BEFORE_COUNTERS.map(str::to_owned).to_vec();
        columns.extend(Counters::columns());
        columns.extend(["table_fill", "peak_mib", DOUBLED].map(str::to_owned));
        columns.extend(WORK_SPAN.map(str::to_owned));
        columns
    }

    /// Where one counter is not known none is, and of work and path neither.
    fn stand_in(column: &str, lacks: &[&str]) -> Option<&'static str> {
        let counters = Counters::columns();
        let together: [&[String]; 2] = [&counters, &WORK_SPAN.map(str::to_owned)];
        let lacking = |name: &String| lacks.contains(&name.as_str());
        let is_of = |group: &&[String]| group.iter().any(|name| name == column);
        match together.into_iter().find(is_of) {
            Some(group) => group.iter().any(lacking).then_some(""),
            None if !lacks.contains(&column) => None,
            None if column == DOUBLED => Some(""),
            // As where it could not be read.
            None => (column == "peak_mib").then_some("0"),
        }
    }

    fn values(&self) -> Vec<String> {
        let mut values = vec![
            self.round.to_string(),
            self.order.to_string(),
            self.searcher.clone(),
            self.threads.to_string(),
            self.position.clone(),
            self.depth.to_string(),
            self.status.name().to_owned(),
            self.time.to_string(),
            self.nodes.to_string(),
            self.score.to_string(),
            self.best_move.clone(),
        ];
        // What an outside engine does not tell is blank.
        let blank = || vec![String::new(); Counters::columns().len()];
        values.extend(self.counters.as_ref().map_or_else(blank, Counters::values));
        values.extend([format!("{:.6}", self.table_fill), self.peak_mib.to_string()]);
        values.push(self.doubled_nodes.map(|nodes| nodes.to_string()).unwrap_or_default());
        let times = |of: WorkSpan| [of.work, of.critical_path].map(|time| time.to_string());
        values.extend(self.work_span.map(times).unwrap_or_default());
        values
    }

    fn parse(fields: &[&str]) -> Option<Sample> {
        let (before, rest) = fields.split_at_checked(BEFORE_COUNTERS.len())?;
        let (counters, after) = rest.split_at_checked(Counters::columns().len())?;
        let (fill, peak, doubled, work_span) = match *after {
            [fill, peak] => (fill, peak, "", ["", ""]),
            [fill, peak, doubled] => (fill, peak, doubled, ["", ""]),
            [fill, peak, doubled, work, path] => (fill, peak, doubled, [work, path]),
            _ => return None,
        };
        let work_span = match work_span {
            ["", ""] => None,
            [work, path] => {
                Some(WorkSpan { work: work.parse().ok()?, critical_path: path.parse().ok()? })
            }
        };
        let nodes = before[8].parse().ok()?;
        let counters = if counters.iter().all(|field| field.is_empty()) {
            None
        } else {
            Some(Counters::parse(nodes, counters.iter().copied())?)
        };
        Some(Sample {
            round: before[0].parse().ok()?,
            order: before[1].parse().ok()?,
            searcher: before[2].to_owned(),
            threads: before[3].parse().ok()?,
            position: before[4].to_owned(),
            depth: before[5].parse().ok()?,
            status: SampleStatus::parse(before[6])?,
            time: before[7].parse().ok()?,
            nodes,
            score: before[9].parse().ok()?,
            best_move: before[10].to_owned(),
            counters,
            table_fill: fill.parse().ok().filter(|fill: &f64| fill.is_finite() && *fill >= 0.0)?,
            peak_mib: peak.parse().ok()?,
            doubled_nodes: if doubled.is_empty() { None } else { Some(doubled.parse().ok()?) },
            work_span,
        })
    }
}
