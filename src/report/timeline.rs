//! The activity of every worker in one search: as Chrome trace events, which Perfetto opens, and as
//! a picture. A worker is one of ours, or a thread of an outside engine.

use crate::experiment::IterationRow;
use crate::report::charts::ChartError;
pub use crate::report::charts::gantt::Tracks;
use crate::report::charts::gantt::gantt;
use serde::Serialize;
use std::collections::HashMap;
use ttd_search::cores::{Event, Moment, Split, Time};

/// The record of a search that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a> {
    /// The name of the search.
    pub title: &'a str,
    /// The timelines.
    pub tracks: Tracks<'a>,
    /// The iterations completed.
    pub iterations: &'a [IterationRow],
    /// The end of the search.
    pub end: Time,
}

/// The reason why a trace could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The trace would be larger than allowed.
    #[error("the trace would be larger than {} MiB", most_bytes >> 20)]
    TooLarge {
        /// The size that is allowed.
        most_bytes: usize,
    },
    /// An event could not be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// One event, in the Trace Event Format of Chrome. Times are microseconds.
#[derive(Serialize)]
struct Traced<'a> {
    name: &'a str,
    cat: &'a str,
    ph: &'a str,
    ts: f64,
    pid: u32,
    tid: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    /// The end of an arrow belongs to the event that goes on when it arrives.
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'a str>,
    /// A moment belongs to its worker.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Args<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Args<'a> {
    Name {
        name: &'a str,
    },
    Split {
        split: u64,
        ply: usize,
        depth: i32,
        kind: &'a str,
        searched: usize,
    },
    Of {
        split: u64,
    },
    Iteration {
        depth: u8,
        nodes: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        score: Option<i32>,
    },
}

/// A text of JSON with a limit of size.
struct Text {
    bytes: Vec<u8>,
    most_bytes: usize,
}

impl Text {
    fn add(&mut self, traced: &Traced<'_>) -> Result<(), TraceError> {
        self.bytes
            .extend(if self.bytes.is_empty() { "{\"traceEvents\":[\n" } else { ",\n" }.bytes());
        serde_json::to_writer(&mut self.bytes, traced)?;
        if self.bytes.len() > self.most_bytes {
            return Err(TraceError::TooLarge { most_bytes: self.most_bytes });
        }
        Ok(())
    }
}

/// The worker and the time at which an arrow begins.
type Origin = (usize, Time);

impl Recorded<'_> {
    /// The Chrome trace: a track for each worker with its states and split points. Arrows lead from
    /// a split point to the workers that join it, and from a cutoff to the workers that give up. It
    /// has at most `most_bytes` bytes.
    ///
    /// # Errors
    /// If it would be longer, or the timelines were cut short.
    pub fn chrome(&self, most_bytes: usize) -> Result<Vec<u8>, TraceError> {
        if self.tracks.are_cut_short() {
            return Err(TraceError::TooLarge { most_bytes });
        }
        let mut text = Text { bytes: Vec::new(), most_bytes };
        text.add(&named("process_name", 0, self.title))?;
        for track in 0..self.tracks.count() {
            let name = format!("{} {track}", self.tracks.word());
            text.add(&named("thread_name", track, &name))?;
        }
        for iteration in self.iterations {
            let args = Args::Iteration {
                depth: iteration.depth,
                nodes: iteration.nodes,
                score: iteration.score,
            };
            let what = traced("iteration", "i", (iteration.worker, iteration.time));
            text.add(&Traced { s: Some("p"), args: Some(args), ..what })?;
        }
        for worker in 0..self.tracks.count() {
            for (state, from, to) in self.tracks.stretches(worker, self.end) {
                let (dur, name) = (Some(micros(to) - micros(from)), self.tracks.kinds()[state].0);
                text.add(&Traced { dur, ..traced(name, "X", (worker, from)) })?;
            }
            for moment in self.tracks.moments(worker) {
                let at = traced("", "i", (worker, moment.time));
                let (name, args) = match moment.event {
                    Event::Enters(_) => continue,
                    Event::Splits(Split { number, ply, depth, kind, searched }) => {
                        ("split", Args::Split { split: number, ply, depth, kind, searched })
                    }
                    Event::Joins(split) => ("join", Args::Of { split }),
                    Event::Cuts(split) => ("cutoff", Args::Of { split }),
                    Event::GivesUp(split) => ("give up", Args::Of { split }),
                };
                text.add(&Traced { name, s: Some("t"), args: Some(args), ..at })?;
            }
        }
        for (id, (name, from, to)) in self.arrows().into_iter().enumerate() {
            let id = Some(id as u64);
            text.add(&Traced { id, ..traced(name, "s", from) })?;
            text.add(&Traced { id, bp: Some("e"), ..traced(name, "f", to) })?;
        }
        text.bytes.extend(b"\n],\"displayTimeUnit\":\"ns\"}\n");
        Ok(text.bytes)
    }

    /// The picture: a row for each worker, coloured by its state.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(&self) -> Result<String, ChartError> {
        let iterations: Vec<(u8, Time)> =
            self.iterations.iter().map(|iteration| (iteration.depth, iteration.time)).collect();
        let drawing = gantt(self.title, self.tracks, &iterations, &self.arrows(), self.end);
        Ok(drawing.drawn()?.svg)
    }

    /// The arrows between two workers: the name, the beginning and the end of each.
    fn arrows(&self) -> Vec<(&'static str, Origin, Origin)> {
        let mut made: HashMap<u64, Origin> = HashMap::new();
        let mut cut: HashMap<u64, Origin> = HashMap::new();
        for (worker, moment) in self.moments() {
            match moment.event {
                Event::Splits(split) => drop(made.insert(split.number, (worker, moment.time))),
                Event::Cuts(split) => drop(cut.entry(split).or_insert((worker, moment.time))),
                _ => {}
            }
        }
        let arrow = |(worker, moment): (usize, &Moment)| {
            let (name, from) = match moment.event {
                Event::Joins(split) => ("join", made.get(&split)),
                Event::GivesUp(split) => ("cutoff", cut.get(&split)),
                _ => return None,
            };
            from.filter(|from| from.0 != worker).map(|from| (name, *from, (worker, moment.time)))
        };
        self.moments().filter_map(arrow).collect()
    }

    fn moments(&self) -> impl Iterator<Item = (usize, &Moment)> {
        (0..self.tracks.count())
            .flat_map(|track| self.tracks.moments(track).iter().map(move |moment| (track, moment)))
    }
}

fn micros(time: Time) -> f64 {
    time.ps() as f64 / 1e6
}

fn traced<'a>(name: &'a str, ph: &'a str, (tid, time): Origin) -> Traced<'a> {
    let (ts, cat, pid) = (micros(time), "search", 0);
    Traced { name, cat, ph, ts, pid, tid, dur: None, id: None, bp: None, s: None, args: None }
}

/// The event that names a track or the whole trace.
fn named<'a>(what: &'a str, tid: usize, name: &'a str) -> Traced<'a> {
    Traced { args: Some(Args::Name { name }), ..traced(what, "M", (tid, Time::ZERO)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::{Doing, Stretch, ThreadTimelines};
    use std::sync::atomic::AtomicBool;
    use ttd_search::cores::State;
    use ttd_search::engine::{Position, Techniques};
    use ttd_search::searchers::{Costs, Lab, Outcome, Searcher, Settings, Task};

    fn search(searcher: Searcher, virtual_cores: bool) -> Outcome {
        let lab = Lab::new(1, Techniques::default(), Settings::default()).expect("one MiB");
        let lab = if virtual_cores { lab.on_virtual_cores(Costs::default(), None) } else { lab };
        let mut lab = lab.recording(1_000_000);
        let root = Position::new(cozy_chess::Board::default());
        let task = Task { searcher, threads: 3, ..Task::to_depth(root, 9) };
        lab.search(&task, &AtomicBool::new(false))
    }

    fn recorded(outcome: &Outcome) -> Recorded<'_> {
        let tracks = Tracks::Workers(&outcome.timelines);
        Recorded { title: "a search", tracks, iterations: &[], end: outcome.time }
    }

    /// The events of a trace.
    fn events(bytes: &[u8]) -> Vec<serde_json::Value> {
        let mut trace: serde_json::Value = serde_json::from_slice(bytes).expect("JSON");
        trace["traceEvents"].as_array_mut().map(std::mem::take).expect("a list")
    }

    #[test]
    fn the_threads_of_an_outside_engine_have_their_own_states() {
        let at = Time::from_ps;
        let stretch = |doing, from, to| Stretch { doing, from: at(from), to: at(to) };
        let threads = vec![
            vec![stretch(Doing::Input, 0, 900_000_000)],
            vec![
                stretch(Doing::Busy, 0, 500_000_000),
                stretch(Doing::Join, 500_000_000, 999_999_999),
            ],
            vec![stretch(Doing::Busy, 7, 7)],
        ];
        let all = ThreadTimelines { threads, end: at(900_000_000), is_cut_short: false };
        let iterations =
            [IterationRow { depth: 3, time: at(5_000_000), ..IterationRow::default() }];
        let tracks = Tracks::Threads(&all);
        let recorded = Recorded { title: "t", tracks, iterations: &iterations, end: all.end };
        let events = events(&recorded.chrome(1 << 20).expect("small enough"));
        let of = |ph: &str, tid: usize| -> Vec<(String, f64)> {
            let is_it = |e: &&serde_json::Value| e["ph"] == ph && e["tid"] == tid;
            let names = events.iter().filter(is_it);
            let name = |e: &serde_json::Value| e["name"].as_str().map(str::to_owned);
            names.filter_map(|e| Some((name(e)?, e["dur"].as_f64().unwrap_or(0.0)))).collect()
        };
        let expected = [("search".to_owned(), 500.0), ("join".to_owned(), 400.0)];
        assert_eq!((of("X", 1), of("X", 2)), (expected.to_vec(), vec![]));
        assert!(events.iter().any(|e| e["args"]["name"] == "thread 2"));
        assert!(events.iter().any(|e| e["args"]["depth"] == 3 && e["args"]["score"].is_null()));
        let picture = recorded.svg().expect("drawn");
        assert!(
            picture.contains("thread 1: join, 44.4%") && picture.contains("join: the end of a")
        );
        assert!(!picture.contains("\nqueue\n") && picture.contains("\ninput\n"));
        let one = ThreadTimelines { threads: vec![all.threads[0].clone()], ..all.clone() };
        let picture = Recorded { tracks: Tracks::Threads(&one), ..recorded }.svg().expect("drawn");
        assert!(!picture.contains("joined") && !picture.contains("\nsearch\n"));
        let cut = ThreadTimelines { is_cut_short: true, ..all.clone() };
        let recorded = Recorded { tracks: Tracks::Threads(&cut), ..recorded };
        assert!(recorded.chrome(1 << 20).is_err() && recorded.svg().is_ok());
    }

    /// The timeline and the account give equal times.
    #[test]
    fn the_states_of_a_timeline_sum_to_those_of_the_account() {
        for searcher in Searcher::parallel() {
            let outcome = search(searcher, true);
            assert_eq!(outcome.timelines.len(), 3, "{searcher}");
            let tracks = Tracks::Workers(&outcome.timelines);
            for (track, worker) in outcome.workers.iter().enumerate() {
                let mut sums = [Time::ZERO; State::COUNT];
                for (state, from, to) in tracks.stretches(track, outcome.time) {
                    sums[state] += to - from;
                }
                assert_eq!(sums, worker.states, "{searcher}");
            }
            let count = |of: fn(&Event) -> bool| {
                let moments = outcome.timelines.iter().flat_map(|timeline| &timeline.moments);
                moments.filter(|moment| of(&moment.event)).count() as u64
            };
            let counters = outcome.counters();
            let splits = count(|event| matches!(event, Event::Splits(_)));
            assert_eq!(splits, counters.splits.0.iter().sum::<u64>(), "{searcher}");
            let given_up = count(|event| matches!(event, Event::GivesUp(_)));
            assert_eq!(given_up, counters.aborts.0.iter().sum::<u64>(), "{searcher}");
        }
    }

    #[test]
    fn the_trace_is_json_with_a_track_for_each_worker() {
        for virtual_cores in [true, false] {
            let outcome = search(Searcher::named("ybwc"), virtual_cores);
            let recorded = recorded(&outcome);
            let bytes = recorded.chrome(1 << 26).expect("small enough");
            let events = events(&bytes);
            let phase = |ph: &str| events.iter().filter(|e| e["ph"] == ph).count();
            assert_eq!(phase("M"), 4);
            assert_eq!(phase("s"), phase("f"));
            for worker in 0..3 {
                assert!(events.iter().any(|e| e["ph"] == "X" && e["tid"] == worker));
            }
            // The names alone take more: on a busy host, real helpers may come after the end.
            let most_bytes = 100;
            let refused = recorded.chrome(most_bytes).expect_err("too large");
            assert!(matches!(refused, TraceError::TooLarge { most_bytes: 100 }), "{refused}");
            assert!(recorded.svg().expect("drawn").contains("worker 2"));
        }
    }

    #[test]
    fn nothing_is_recorded_unasked() {
        let mut lab = Lab::new(1, Techniques::default(), Settings::default()).expect("one MiB");
        let root = Position::new(cozy_chess::Board::default());
        let searcher = Searcher::named("ybwc");
        let task = Task {
            searcher,
            threads: 2,
            root,
            depth: 5,
            time_limit: None,
            seed: 1,
            noise: 1,
            table_keys: 0,
        };
        assert!(lab.search(&task, &AtomicBool::new(false)).timelines.is_empty());
    }
}
