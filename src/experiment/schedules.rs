//! Hunts for faults: searches of outside engines under many seeded schedules of their threads.
//!
//! A search on virtual cores is a function of its seed. So a fault that a stress test meets by luck
//! is met again by its seed.

use super::competitor::Competitor;
use super::outside::{first_move, has_one_move, too_early, virtual_cores};
use super::plan::{Cell, cells};
use super::resolve::Resolved;
use crate::uci::{
    BEYOND_MATERIAL, Engine, EngineCores, EngineSpec, Fault, Go, GracePeriods, Limit, Place, Reply,
    Virtually, Watch, What,
};
use cozy_chess::Board;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use ttd_search::cores::jobs;
use ttd_search::positions::uci_text;

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// There was no best move: all threads waited, or the engine did not obey `stop`.
    Hang,
    /// The best move came only when the limit of virtual time stopped the search. It may be slow,
    /// or wait for nothing but the stop.
    Late,
    /// The process ended.
    Crash,
    /// There was no best move, or one that is not legal.
    BadMove,
    /// The best move is not that of the last iteration that was told.
    OtherMove,
    /// The best move came before the depth, and without a mate.
    Early,
    /// One thread visited another number of nodes than with the seed 0.
    OtherNodes,
    /// The host's limit came first: nothing is decided.
    HostLimit,
}

impl Kind {
    /// The word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Hang => "hang",
            Kind::Late => "late",
            Kind::Crash => "crash",
            Kind::BadMove => "bad-move",
            Kind::OtherMove => "other-move",
            Kind::Early => "early",
            Kind::OtherNodes => "other-nodes",
            Kind::HostLimit => "host-limit",
        }
    }

    /// Whether it is a finding about the engine, and not about the host.
    pub const fn is_fault(self) -> bool {
        !matches!(self, Kind::HostLimit)
    }
}

/// A fault that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caught {
    /// The seed of the schedule, with which it comes again.
    pub seed: u64,
    /// The engine, the number of threads, and the position.
    pub cell: Cell,
    /// Its kind.
    pub kind: Kind,
    /// The event, in words.
    pub what: String,
}

/// The outcome of a hunt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunted {
    /// The searches that were looked at.
    pub searches: usize,
    /// The faults that were met.
    pub caught: Vec<Caught>,
    /// Whether all searches were made; otherwise the user ended it.
    pub is_whole: bool,
}

/// The seed with whose nodes those of one thread are compared, wherever a hunt begins. So a hunt
/// that goes on compares with the same search, and so does one that shows a fault again.
const REFERENCE: u64 = 0;

/// The outcome of one search.
type Searched = Result<Reply, Fault>;

/// Searches every cell of an experiment under `schedules` schedules. Their seeds follow each other,
/// from that of the experiment on. A cell of one thread is searched once more, with the seed 0,
/// unless that is the first. As many searches are made at once as `jobs` says. `see` is told of
/// each search in turn, with the faults that it has shown.
pub fn hunt(
    resolved: &Resolved,
    (schedules, jobs): (u32, u16),
    interrupt: &AtomicBool,
    mut see: impl FnMut(usize, &[Caught]),
) -> Hunted {
    let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
    let cells = cells(&resolved.experiment, &ids);
    let first = resolved.experiment.seed;
    let all = cells.len() * schedules as usize;
    let of = |number: usize| {
        let (schedule, cell) = (number / cells.len(), cells[number % cells.len()]);
        (first.wrapping_add(schedule as u64), cell)
    };
    let once = |(seed, cell)| {
        let searched = search(resolved, cell, seed, interrupt);
        // Relaxed: the flag alone is the message.
        (!interrupt.load(Relaxed)).then_some(searched)
    };
    let job = |(): &mut (), number: usize| {
        let (seed, cell) = of(number);
        let searched = once((seed, cell))?;
        let is_first = number < cells.len() && cell.threads == 1 && seed != REFERENCE;
        let reference = if is_first { Some(once((REFERENCE, cell))?) } else { None };
        Some((searched, reference))
    };
    let mut hunted = Hunted::default();
    let (mut nodes, mut references) = (HashMap::new(), HashMap::new());
    let take = |number: usize, (searched, reference): (Searched, Option<Searched>)| {
        let (seed, cell) = of(number);
        references.extend(reference.map(|reference| (cell, reference)));
        let again = || references.remove(&cell);
        let new = fault(resolved, &mut nodes, (seed, cell), &searched, again);
        hunted.searches += 1;
        see(hunted.searches, new.as_slice());
        hunted.caught.extend(new);
        Ok::<(), ()>(())
    };
    let mut hands = vec![(); jobs.into()];
    let Ok(is_whole) = jobs::in_order(&mut hands, all, job, take) else { return hunted };
    Hunted { is_whole, ..hunted }
}

/// The fault that a search shows. One thread's nodes are compared with those of the seed 0, which
/// are kept in `nodes`. They come from `again` where they are not known. If that search shows a
/// fault, that is the one, and nothing is compared with it.
fn fault(
    resolved: &Resolved,
    nodes: &mut HashMap<Cell, Option<u64>>,
    (seed, cell): (u64, Cell),
    searched: &Searched,
    again: impl FnOnce() -> Option<Searched>,
) -> Option<Caught> {
    let caught = |seed, (kind, what)| Caught { seed, cell, kind, what };
    let judged = |seed, searched: &Searched| {
        let new = verdict(resolved, cell, searched).map(|new| caught(seed, new));
        // A search that ended otherwise visits other nodes for that reason.
        let sound = searched.as_ref().ok().filter(|_| new.is_none());
        (sound.and_then(|reply| reply.nodes), new)
    };
    let (own, mut new) = judged(seed, searched);
    if seed == REFERENCE {
        nodes.insert(cell, own);
    }
    if cell.threads > 1 || own.is_none() {
        return new;
    }
    let before = *nodes.entry(cell).or_insert_with(|| {
        let (nodes, fault) = judged(REFERENCE, &again()?);
        new = fault;
        nodes
    });
    new.or_else(|| Some(caught(seed, other_nodes(before, own)?)))
}

/// The cores of a schedule. Threads that are often far from each other meet some races, and threads
/// that change often, or wake soon, meet others. So the quantum is divided by 1, 10 or 100, and
/// latencies are too, in all nine ways by the seed.
fn cores_of(seed: u64, usual: EngineCores) -> EngineCores {
    const BY: [u64; 3] = [1, 10, 100];
    let [quantum, latency] = [seed % 3, seed / 3 % 3].map(|at| BY[at as usize]);
    let EngineCores { quantum_ns, start_ns, wake_ns, .. } = usual;
    EngineCores {
        quantum_ns: (quantum_ns / quantum).max(1),
        start_ns: start_ns / latency,
        wake_ns: wake_ns / latency,
        ..usual
    }
}

/// The engine of a cell.
fn engine_of(resolved: &Resolved, cell: Cell) -> Option<&EngineSpec> {
    match cell.competitor {
        Competitor::Engine(index) => resolved.experiment.engines.get(index),
        Competitor::Searcher(_) | Competitor::Variant(_) => None,
    }
}

/// Searches once, in a process of its own.
fn search(resolved: &Resolved, cell: Cell, seed: u64, interrupt: &AtomicBool) -> Searched {
    let experiment = &resolved.experiment;
    let virtually = virtual_cores(experiment, seed)?;
    let virtually = virtually.map(|of| Virtually { cores: cores_of(seed, of.cores), ..of });
    let spec = engine_of(resolved, cell).cloned().unwrap_or_default();
    let mut engine =
        Engine::start(&EngineSpec { virtually, ..spec }, GracePeriods::default(), &[])?;
    engine.configure(cell.threads, experiment.hash_mib)?;
    engine.new_game()?;
    let start = &resolved.positions[cell.position].board;
    let limit = Limit::Depth(experiment.depth_of(cell.competitor));
    let deadline = Some(Duration::from_secs_f64(experiment.time_limit_s));
    let go = Go { place: Place { start, moves: &[] }, limit, deadline, among: &[] };
    engine.search(&go, &mut |_| Watch::On, interrupt)
}

/// The words of `ttd-cores` where all threads wait for each other, or for input in a search.
const STUCK: &str = "every thread waits";

/// The fault that a search shows, if any.
fn verdict(resolved: &Resolved, cell: Cell, searched: &Searched) -> Option<(Kind, String)> {
    let experiment = &resolved.experiment;
    let board = &resolved.positions[cell.position].board;
    let reply = match searched {
        Ok(reply) => reply,
        Err(fault) => {
            let stuck = || fault.last_lines.iter().find(|line| line.contains(STUCK));
            let (kind, what) = match &fault.what {
                What::Illegal(_) => (Kind::BadMove, fault.to_string()),
                What::Died(_) => match stuck() {
                    Some(line) => (Kind::Hang, line.trim_start_matches("! ").to_owned()),
                    None => (Kind::Crash, last_words(fault)),
                },
                What::Stuck | What::IgnoresStop { .. } => (Kind::Hang, fault.to_string()),
                What::HostLimit { .. } | What::Silent { .. } | What::Deaf => {
                    (Kind::HostLimit, fault.to_string())
                }
                _ => (Kind::Crash, last_words(fault)),
            };
            return Some((kind, what));
        }
    };
    if let Some(claim) = &reply.claim {
        return Some((Kind::BadMove, format!("it gives no move, but `{claim}`")));
    }
    if reply.late {
        let limit = experiment.time_limit_s;
        let what = format!(
            "it was stopped after {limit} s of virtual time: it is slow (a lesser --depth or a \
             greater --time-limit tells), or waits for the stop"
        );
        return Some((Kind::Late, what));
    }
    let spec = engine_of(resolved, cell)?;
    let asked = experiment.depth_of(cell.competitor);
    let last = reply.last();
    let decided =
        last.is_some_and(|last| last.is_decided(spec.mate_score.unwrap_or(BEYOND_MATERIAL)));
    if last.map_or(0, |last| last.depth) < u32::from(asked) && !decided && !has_one_move(board) {
        return Some((Kind::Early, too_early(reply, asked)));
    }
    other_move(reply, board)
}

/// The best move is not that of the last iteration that was told.
fn other_move(reply: &Reply, board: &Board) -> Option<(Kind, String)> {
    let last = reply.last()?;
    let told = first_move(&last.pv, board)?;
    let best = uci_text(board, reply.best?);
    let what = || {
        format!("its move is {best}, and its last iteration (depth {}) tells {told}", last.depth)
    };
    (best != told).then(|| (Kind::OtherMove, what()))
}

/// One thread visited another number of nodes than with the seed 0.
fn other_nodes(before: Option<u64>, nodes: Option<u64>) -> Option<(Kind, String)> {
    let (before, nodes) = (before?, nodes?);
    let what = || format!("{nodes} nodes of one thread, and {before} with the seed {REFERENCE}");
    (before != nodes).then(|| (Kind::OtherNodes, what()))
}

/// A fault, and what the engine said last on its standard error.
fn last_words(fault: &Fault) -> String {
    let said = fault.last_lines.iter().rev().find_map(|line| line.strip_prefix("! "));
    said.map_or_else(|| fault.to_string(), |said| format!("{fault}: {said}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Experiment, PartialExperiment, resolve};
    use crate::uci::{Report, Said};
    use std::collections::HashSet;

    fn resolved() -> (Resolved, Cell) {
        let partial = PartialExperiment {
            only: Some(vec!["1".to_owned()]),
            searchers: Some(vec!["ybwc".to_owned()]),
            ..PartialExperiment::default()
        };
        let mut resolved = resolve(None, &partial, None).unwrap_or_else(|e| panic!("{e}"));
        let engines = vec![EngineSpec::new("x".to_owned(), vec!["x".to_owned()])];
        let board = Board::default();
        resolved.positions[0].board = board;
        resolved.experiment =
            Experiment { engines, searchers: Vec::new(), depth: 4, ..resolved.experiment };
        (resolved, Cell { competitor: Competitor::Engine(0), threads: 2, position: 0 })
    }

    fn reply(depth: u32, pv: &str, best: &str) -> Reply {
        let score = Some(Said::Centipawns(3));
        let pv = pv.to_owned();
        let report = Report { depth, multipv: 1, score, pv, ..Report::default() };
        let (best, iterations) = (best.parse().ok(), vec![report]);
        Reply { best, iterations, nodes: Some(7), ..Reply::default() }
    }

    fn kind(searched: &Searched) -> Option<Kind> {
        let (resolved, cell) = resolved();
        verdict(&resolved, cell, searched).map(|(kind, _)| kind)
    }

    #[test]
    fn a_sound_search_shows_no_fault() {
        assert_eq!(kind(&Ok(reply(4, "e2e4 e7e5", "e2e4"))), None);
        // A line in the notation of games is one too, and one that cannot be read tells nothing.
        assert_eq!(kind(&Ok(reply(5, "1. e4 e5", "e2e4"))), None);
        assert_eq!(kind(&Ok(reply(4, "?", "e2e4"))), None);
    }

    #[test]
    fn each_fault_has_its_kind() {
        assert_eq!(kind(&Ok(reply(4, "d2d4", "e2e4"))), Some(Kind::OtherMove));
        assert_eq!(kind(&Ok(reply(3, "e2e4", "e2e4"))), Some(Kind::Early));
        let late = Reply { late: true, ..reply(3, "e2e4", "e2e4") };
        assert_eq!(kind(&Ok(late)), Some(Kind::Late));
        let claim = Some("resign".to_owned());
        let claim = Reply { claim, best: None, ..reply(4, "e2e4", "e2e4") };
        assert_eq!(kind(&Ok(claim)), Some(Kind::BadMove));
        let of = |what, line: &str| {
            kind(&Err(Fault { what, last_lines: vec![line.to_owned(), "> quit".to_owned()] }))
        };
        let died = || What::Died("signal 6".to_owned());
        assert_eq!(of(died(), "! abort"), Some(Kind::Crash));
        let stuck = format!("! ttd-cores: {STUCK}, at 0.001 s");
        assert_eq!(of(died(), &stuck), Some(Kind::Hang));
        assert_eq!(of(What::Illegal("0000".to_owned()), ""), Some(Kind::BadMove));
        let within = Duration::from_mins(1);
        assert_eq!(of(What::HostLimit { within }, ""), Some(Kind::HostLimit));
        assert!(Kind::Late.is_fault() && !Kind::HostLimit.is_fault());
        assert_eq!(of(What::Stuck, ""), Some(Kind::Hang));
    }

    #[test]
    fn seeds_in_turn_have_all_kinds_of_schedules() {
        let usual = EngineCores::default();
        let all: HashSet<(u64, u64)> = (7..16)
            .map(|seed| cores_of(seed, usual))
            .map(|cores| (cores.quantum_ns, cores.wake_ns))
            .collect();
        assert_eq!(all.len(), 9);
        assert!(all.contains(&(10_000, 5_000)) && all.contains(&(100, 50)), "{all:?}");
        assert_eq!(cores_of(2, EngineCores { quantum_ns: 5, ..usual }).quantum_ns, 1);
    }

    /// The faults of searches of one thread with these seeds, where one with the seed 0 ends so.
    /// And how often that was searched once more.
    fn hunted(searches: &[(u64, Searched)], reference: &Searched) -> (Vec<(u64, Kind)>, u32) {
        let (resolved, cell) = resolved();
        let cell = Cell { threads: 1, ..cell };
        let (mut nodes, mut times, mut all) = (HashMap::new(), 0, Vec::new());
        for (seed, searched) in searches {
            let again = || {
                times += 1;
                Some(reference.clone())
            };
            all.extend(fault(&resolved, &mut nodes, (*seed, cell), searched, again));
        }
        (all.into_iter().map(|of| (of.seed, of.kind)).collect(), times)
    }

    #[test]
    fn nodes_of_one_thread_are_compared_with_those_of_the_seed_0() {
        let of = |nodes| Ok(Reply { nodes: Some(nodes), ..reply(4, "e2e4", "e2e4") });
        // A hunt from the seed 5 on searches it once.
        let all = hunted(&[(5, of(5)), (6, of(6)), (7, of(7))], &of(6));
        assert_eq!(all, ([5, 7].map(|seed| (seed, Kind::OtherNodes)).to_vec(), 1));
        assert_eq!(hunted(&[(0, of(5)), (1, of(6))], &of(6)), (vec![(1, Kind::OtherNodes)], 0));
        // Where it has a fault, nothing is compared with it, and the fault is told once.
        let early = Ok(Reply { nodes: Some(2), ..reply(3, "e2e4", "e2e4") });
        let hang = Err(Fault { what: What::Stuck, last_lines: Vec::new() });
        for (reference, kind) in [(early, Kind::Early), (hang, Kind::Hang)] {
            assert_eq!(hunted(&[(5, of(5)), (6, of(6))], &reference), (vec![(0, kind)], 1));
            let all = [(0, reference.clone()), (1, of(5)), (2, of(6))];
            assert_eq!(hunted(&all, &reference), (vec![(0, kind)], 0));
        }
        let (_, what) = other_nodes(Some(5), Some(6)).expect("a fault");
        assert_eq!(what, "6 nodes of one thread, and 5 with the seed 0");
    }
}
