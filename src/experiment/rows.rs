//! A sample, and its row in a file.

use crate::records::{Column, Field, Row, column};
use ttd_search::cores::{State, Time, WorkSpan};
use ttd_search::engine::Score;
use ttd_search::search::{Counter, Counters};
use ttd_stats::Timing;

/// The file with one row for each sample.
pub const SAMPLES: &str = "samples.csv";

/// The way in which a sample ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleStatus {
    /// The depth asked for was completed.
    Ok,
    /// The time limit came first: the true time is longer than the measured one.
    Censored,
    /// The search failed; `log.txt` has the reason.
    #[default]
    Failed,
}

impl SampleStatus {
    /// The word in the column `status`.
    pub const fn name(self) -> &'static str {
        match self {
            SampleStatus::Ok => "ok",
            SampleStatus::Censored => "censored",
            SampleStatus::Failed => "failed",
        }
    }
}

impl Field for SampleStatus {
    const EXPECTED: &'static str = "ok, censored or failed expected";

    fn text(&self) -> String {
        self.name().to_owned()
    }

    fn read(word: &str) -> Option<SampleStatus> {
        [SampleStatus::Ok, SampleStatus::Censored, SampleStatus::Failed]
            .into_iter()
            .find(|status| status.name() == word)
    }
}

/// One timed search of one cell: a row of `samples.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The round, from 1 to `runs`.
    pub round: u32,
    /// The index in the plan of the whole experiment, from 0.
    pub order: u32,
    /// The name of the searcher, variant or outside engine.
    pub searcher: String,
    /// The number of workers.
    pub threads: usize,
    /// The id of the position.
    pub position: String,
    /// The depth asked for.
    pub depth: u8,
    /// The way in which the sample ended.
    pub status: SampleStatus,
    /// Time to depth; of a censored sample the time spent, of a failed one 0.
    pub time: Time,
    /// The nodes of all workers, quiescence and aborted ones included; for an outside engine, the
    /// number that it told (0: none).
    pub nodes: u64,
    /// The score of the deepest completed iteration: centipawns from the side to move.
    pub score: Score,
    /// The best move of the deepest completed iteration, in UCI notation; empty if there is none.
    pub best_move: String,
    /// The sums over the workers; none for an outside engine. [`Sample::known`] reads a counter
    /// that was added to the files later.
    pub counters: Option<Counters>,
    /// The time in each state, where no other counter is known: of an outside engine on virtual
    /// cores. [`Sample::states`] reads that of every sample.
    pub states_alone: Option<StateTimes>,
    /// The newest addition of counters that is known ([`Counter::added`]): files written before an
    /// addition lack its counters.
    pub additions: u8,
    /// The share of the table's entries that were written during this sample, 0 to 1; for an
    /// outside engine, the share that it told.
    pub table_fill: f64,
    /// The peak resident memory of the process so far, in MiB; 0 if it cannot be read.
    pub peak_mib: u64,
    /// The work and the critical path, for a search on virtual cores that reached the depth, if the
    /// searcher has them. Unknown in files written before they were counted.
    pub work_span: Option<WorkSpan>,
}

/// The times of all workers in each state, by its number.
pub type StateTimes = [Time; State::COUNT];

/// The column of a counter.
pub(super) fn counted(counter: Counter) -> Column<Counters> {
    let Counter { name, meaning, added, text, read } = counter;
    let expected = if name.ends_with("_s") { Time::EXPECTED } else { u64::EXPECTED };
    Column::custom((name, meaning), expected, text, read).added(added)
}

/// The column of a counter that was added to the files later. It is blank where it is not known. It
/// says nothing beside unknown first counters.
fn added_later(counter: Counter) -> Column<Sample> {
    let Counter { name, meaning, added, text, read } = counter;
    let write = move |sample: &Sample| {
        let known = sample.counters.as_ref().filter(|_| sample.additions >= added);
        known.map(&text).unwrap_or_default()
    };
    let read = move |sample: &mut Sample, text: &str| {
        if text.is_empty() {
            return Some(());
        }
        let Some(counters) = &mut sample.counters else {
            return read(&mut Counters::default(), text);
        };
        sample.additions = sample.additions.max(added);
        read(counters, text)
    };
    Column::custom((name, meaning), u64::EXPECTED, write, read).added(added).or("")
}

/// The column of a state. Its time may be known where no other counter is.
fn of_state(counter: Counter) -> Column<Sample> {
    let Counter { name, meaning, text, read, .. } = counter;
    let write = move |sample: &Sample| {
        let states = sample.counters.map(|counters| counters.states).or(sample.states_alone);
        states.map(|states| text(&Counters { states, ..Counters::default() })).unwrap_or_default()
    };
    let read = move |sample: &mut Sample, field: &str| {
        if let Some(counters) = &mut sample.counters {
            return read(counters, field);
        }
        let states = sample.states_alone.unwrap_or_default();
        let mut counters = Counters { states, ..Counters::default() };
        read(&mut counters, field)?;
        sample.states_alone = Some(counters.states);
        Some(())
    };
    Column::custom((name, meaning), Time::EXPECTED, write, read).of_group("states")
}

impl Row for Sample {
    const FILE: &'static str = SAMPLES;

    fn list() -> Vec<Column<Sample>> {
        let mut list = vec![
            column!("round", "from 1 to `runs`", round),
            column!("order", "place in the plan, from 0", order),
            column!("searcher", "the cell", searcher),
            column!("threads", "the cell", threads),
            column!("position", "the cell", position),
            column!("depth", "the depth asked for", depth),
            column!(
                "status",
                "`ok`; `censored`: stopped by the time limit, so the true time is longer; `failed`: see \
                 `log.txt`",
                status
            ),
            column!(
                "time_s",
                "time to depth; of a censored sample the time spent, of a failed one 0. Nine decimals, cut to the \
                 nanosecond",
                time
            ),
            column!(
                "nodes",
                "positions entered by all workers until `time_s`, quiescence and aborted ones included",
                nodes
            ),
            column!(
                "score",
                "centipawns from the side to move, of the deepest completed iteration; beyond ±31000 a mate: 32000 \
                 less the plies to it",
                score
            ),
            column!(
                "best_move",
                "in UCI notation, of the deepest completed iteration; blank if there is none",
                best_move
            ),
        ];
        let (first, later): (Vec<Counter>, Vec<Counter>) =
            Counters::columns().into_iter().partition(|counter| counter.added == 0);
        list.extend(first.into_iter().map(|counter| {
            if counter.name.ends_with("_s") {
                return of_state(counter);
            }
            let column = counted(counter).within(
                |sample: &Sample| sample.counters.as_ref(),
                |sample| {
                    let nodes = sample.nodes;
                    sample.counters.get_or_insert(Counters { nodes, ..Counters::default() })
                },
            );
            column.of_group("counters")
        }));
        list.push(Column::custom(
            (
                "table_fill".to_owned(),
                "share of the table's entries written during the sample, 0 to 1, sampled; six decimals",
            ),
            "a share from 0 to 1 expected",
            |sample: &Sample| format!("{:.6}", sample.table_fill),
            |sample, text| {
                sample.table_fill = text.parse().ok()?;
                (sample.table_fill.is_finite() && sample.table_fill >= 0.0).then_some(())
            },
        ));
        let peak = column!(
            "peak_mib",
            "the most memory that the process has had so far, MiB; 0 where it cannot be read, and on virtual cores",
            peak_mib
        );
        list.push(peak.or("0"));
        list.extend(later.into_iter().map(added_later));
        let of_work =
            |name, get: fn(&WorkSpan) -> &Time, get_mut: fn(&mut WorkSpan) -> &mut Time| {
                let column = Column::new(name, WORK, get, get_mut).within(
                    |sample: &Sample| sample.work_span.as_ref(),
                    |sample| sample.work_span.get_or_insert_default(),
                );
                column.of_group("work").added(2)
            };
        list.push(of_work("work_s", |of| &of.work, |of| &mut of.work));
        list.push(of_work("critical_path_s", |of| &of.critical_path, |of| &mut of.critical_path));
        list
    }

    fn impossible(&self) -> Option<String> {
        let Sample { status, time, threads, .. } = self;
        if *threads == 0 {
            return Some("column `threads` holds `0`, 1 or more expected".to_owned());
        }
        (*status == SampleStatus::Ok && *time == Time::ZERO)
            .then(|| format!("column `time_s` holds `{time}`: no search takes no time"))
    }
}

/// The meaning of work and critical path.
const WORK: &str = "work of all workers, and its critical path ([virtual-cores.md](virtual-cores.md#work-and-critical-path)), on virtual cores, of samples that are `ok`. Blank on real cores, and for `abdada` and `lazy-smp`, whose workers meet in the table alone. Files written before they were counted lack the columns";

impl Sample {
    /// The times of all workers in each state, if they are known. A damaged file may have the other
    /// counters and lack these.
    pub fn states(&self) -> Option<StateTimes> {
        let states = self.counters.map(|counters| counters.states).or(self.states_alone);
        states.filter(|states| states.iter().any(|time| *time > Time::ZERO))
    }

    /// The counter that came with an addition to the files; none if it is not known.
    pub fn known(&self, added: u8, counter: impl FnOnce(&Counters) -> u64) -> Option<u64> {
        self.counters.as_ref().filter(|_| self.additions >= added).map(counter)
    }

    /// The time as the statistics take it. Of a censored sample only a lower bound is known; a
    /// failed one has no time.
    pub fn timing(&self) -> Option<Timing> {
        match self.status {
            SampleStatus::Ok => Some(Timing::Exact(self.time.as_secs_f64())),
            SampleStatus::Censored => Some(Timing::AtLeast(self.time.as_secs_f64())),
            SampleStatus::Failed => None,
        }
    }

    /// The nodes of the sample; none if it failed, or if none are known. A censored sample has a
    /// lower bound.
    pub fn node_count(&self) -> Option<Timing> {
        let nodes = Some(self.nodes as f64).filter(|nodes| *nodes > 0.0)?;
        match self.status {
            SampleStatus::Ok => Some(Timing::Exact(nodes)),
            SampleStatus::Censored => Some(Timing::AtLeast(nodes)),
            SampleStatus::Failed => None,
        }
    }

    /// The key of the sample.
    pub fn key(&self) -> SampleKey {
        SampleKey {
            round: self.round,
            searcher: self.searcher.clone(),
            threads: self.threads,
            position: self.position.clone(),
        }
    }
}

/// The key that tells a sample from all others of its experiment.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SampleKey {
    /// The round, from 1 to `runs`.
    pub round: u32,
    /// The name of the searcher, variant or outside engine.
    pub searcher: String,
    /// The number of workers.
    pub threads: usize,
    /// The id of the position.
    pub position: String,
}

impl SampleKey {
    /// The columns that say which sample a row belongs to.
    pub(super) fn columns() -> Vec<Column<SampleKey>> {
        vec![
            column!("round", "the sample", round),
            column!("searcher", "the sample", searcher),
            column!("threads", "the sample", threads),
            column!("position", "the sample", position),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_was_added_later_may_be_unknown() {
        let counters = Some(Counters { doubled_nodes: 5, ..Counters::default() });
        for (additions, text, known) in [(1, "5", Some(5)), (0, "", None)] {
            let sample = Sample { counters, additions, ..Sample::default() };
            let mut again = Sample { counters: Some(Counters::default()), ..Sample::default() };
            for column in Sample::list().iter().filter(|column| column.added == 1) {
                assert_eq!(column.write(&sample), text);
                assert_eq!(column.read(&mut again, text), Some(()));
            }
            assert_eq!(again.known(1, |of| of.doubled_nodes), known);
        }
        let doubled = |counter: &Counter| counter.name == "doubled_nodes";
        assert_eq!(Counters::columns().into_iter().find(doubled).map(|of| of.added), Some(1));
    }

    #[test]
    fn states_may_be_known_alone() {
        let mut states = StateTimes::default();
        states[State::Search as usize] = Time::from_ps(3_000);
        let sample = Sample { states_alone: Some(states), ..Sample::default() };
        let (layout, fields) = (Sample::layout(), sample.values());
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        let place = |name: &str| layout.iter().position(|column| column.name == name);
        let field = |name: &str| place(name).map(|at| fields[at]);
        assert_eq!((field("search_s"), field("splits_pv")), (Some("0.000000003"), Some("")));
        assert_eq!(Sample::read(&layout, &fields), Ok(sample));
        let counters = Some(Counters { states, ..Counters::default() });
        let ours = Sample { counters, additions: Counters::ADDITIONS, ..Sample::default() };
        let fields = ours.values();
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        assert_eq!(Sample::read(&layout, &fields), Ok(ours));
    }
}
