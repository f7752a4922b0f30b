//! Lazy SMP: every worker searches the same root by itself.
//!
//! Shared: the transposition table and, with helpers per iteration, the round (depth, window, root
//! moves) in one section, and the history if so set. Private: everything else. No worker is in a section when it waits, and
//! nobody waits for a helper: there is nothing to deadlock.
//!
//! Sources: D. Homan's `EXchess`; M. Petro's cheng4 (helpers started for each iteration, every second
//! one a ply deeper, the first to finish ends it); E. Østensen, "A complete chess engine
//! parallelized using Lazy SMP", Oslo 2016 (offsets that halve); Stockfish 7 to 10 (iterations left
//! out in blocks).

use super::lab::{Ran, waiting};
use super::learnt::Learnt;
use super::settings::{Holding, Parameters, settings};
use crate::cores::{Core, Cores, Crew, Section, State};
use crate::engine::{Move, Score};
use crate::search::{Aborted, Counters, Line, MAX_DEPTH, Memory, Policy, Session, Window, Worker};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

settings! { "lazy-smp";
    /// How helpers follow the main worker.
    helpers: Helpers = Helpers::Independent;
    /// How far ahead of it they search.
    stagger: Stagger = Stagger::Alternate;
    /// Whether a helper may search deeper than the depth asked for.
    past_depth: bool = false;
    /// The order in which a helper takes the root's moves at first.
    root_order: RootOrder = RootOrder::Rotated;
    /// Who ends a search.
    end: End = End::First;
    /// Whose the entries of the table are.
    table: Holding = Holding::Shared;
    /// Whose the killers are: the quiet moves that cut off lately.
    killers: Holding = Holding::Private;
    /// Whose the quiet moves' history is; once `shared_history`.
    #[serde(alias = "shared_history")]
    history: Holding = Holding::Private;
}

/// How helpers follow the main worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Helpers {
    /// Each deepens on its own.
    Independent,
    /// They are started and stopped with each of the main worker's searches of the root, with its
    /// window and root moves.
    PerIteration,
}

/// How far ahead of the main worker helpers search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stagger {
    /// Not at all.
    None,
    /// Every second one a ply.
    Alternate,
    /// Half of the workers not at all, a quarter a ply, an eighth two plies, and so on.
    Halving,
    /// They leave out iterations in blocks whose size and phase depend on the worker.
    SkipBlocks,
}

/// The order in which a helper takes the root's moves at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootOrder {
    /// The main worker's.
    Same,
    /// The main worker's, begun at another move by each helper.
    Rotated,
    /// Random, by the sample's seed.
    Shuffled,
}

/// Who ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The main worker.
    Main,
    /// The first worker to finish the depth; with helpers per iteration, also every iteration.
    First,
}

impl Stagger {
    /// The depth that worker `id` searches in the main worker's iteration `depth`; none if it
    /// leaves that one out.
    fn depth(self, id: usize, depth: i32) -> Option<i32> {
        match self {
            _ if id == 0 => Some(depth),
            Stagger::None => Some(depth),
            Stagger::Alternate => Some(depth + (id % 2) as i32),
            Stagger::Halving => Some(depth + id.trailing_ones() as i32),
            Stagger::SkipBlocks => {
                let (size, phase) = block(id);
                ((depth + phase) / size % 2 == 0).then_some(depth)
            }
        }
    }
}

/// Size and phase of a helper's blocks: two phases of size 1, four of size 2, six of size 3, ...
fn block(id: usize) -> (i32, i32) {
    let (mut size, mut index) = (1, id as i32 - 1);
    while index >= 2 * size {
        index -= 2 * size;
        size += 1;
    }
    (size, index)
}

/// One search of the root that all workers take part in, with helpers per iteration.
struct Round {
    depth: i32,
    window: Window,
    root_moves: Vec<Move>,
    /// The first worker to finish it, its score and line.
    result: Option<(usize, Score, Line)>,
}

/// The rounds of a search.
///
/// Invariant: `begun` and `done` number rounds from 1 and never fall; `done <= begun`; only the main
/// worker writes `begun`, inside the section; `present` is round `begun`. A worker that sees `done`
/// at its round gives it up.
struct Rounds {
    begun: AtomicU64,
    done: AtomicU64,
    present: Section<Round>,
}

impl Rounds {
    fn new() -> Rounds {
        let none = Round { depth: 0, window: Window::FULL, root_moves: Vec::new(), result: None };
        Rounds { begun: AtomicU64::new(0), done: AtomicU64::new(0), present: Section::new(none) }
    }
}

/// The policy of a worker that takes part in a round; a worker on its own is in none.
struct Follow<'s> {
    rounds: &'s Rounds,
    number: u64,
}

const NO_ROUND: u64 = u64::MAX;

impl<C: Core> Policy<C> for Follow<'_> {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        let Follow { rounds, number } = worker.policy;
        // Relaxed: the result is fetched from the section.
        worker.core.ended() || rounds.done.load(Relaxed) >= number
    }
}

type Lazy<'s, C> = Worker<'s, C, Follow<'s>>;

/// Searches by iterative deepening with `threads` workers.
pub(super) fn search(
    session: &Session<'_>,
    cores: Cores,
    threads: usize,
    settings: &Settings,
) -> Ran {
    let conditions = settings.conditions();
    let learnt = Learnt::new(&conditions, threads);
    let rounds = Rounds::new();
    cores.run(
        threads,
        waiting(threads, &conditions),
        &Followers { session, settings, rounds, learnt },
    )
}

/// The workers, and what they share beside the session.
struct Followers<'s> {
    session: &'s Session<'s>,
    settings: &'s Settings,
    rounds: Rounds,
    learnt: Learnt,
}

impl Crew for Followers<'_> {
    type Kit = Memory;
    type Result = Counters;

    fn prepare(&self, _id: usize) -> Memory {
        Memory::default()
    }

    fn work<C: Core>(&self, memory: Memory, core: C) -> Counters {
        let id = core.id();
        let learnt = self.learnt.of(id);
        let policy = Follow { rounds: &self.rounds, number: NO_ROUND };
        let mut worker = Worker::new(core, policy, self.session, learnt, memory);
        worker.core.enter(State::Search);
        // An abort has ended the search; what was completed stands in the record.
        let _ = match (self.settings.helpers, id) {
            (Helpers::Independent, _) => deepen(&mut worker, self.settings),
            (Helpers::PerIteration, 0) => lead(&mut worker, self.settings),
            (Helpers::PerIteration, _) => follow(&mut worker, self.settings),
        };
        worker.core.enter(State::Finished);
        worker.finish()
    }
}

/// A worker that deepens on its own.
fn deepen<C: Core>(worker: &mut Lazy<'_, C>, settings: &Settings) -> Result<(), Aborted> {
    let (id, last) = (worker.core.id(), i32::from(worker.session.depth));
    vary(worker, settings);
    let end = if id > 0 && settings.past_depth { i32::from(MAX_DEPTH) } else { last };
    let (mut score, mut before) = (0, 0);
    for iteration in 1..=end {
        let Some(depth) = settings.stagger.depth(id, iteration) else { continue };
        let depth = depth.min(end);
        if depth == before {
            continue;
        }
        before = depth;
        score = worker.aspirate(depth, score, Worker::search_root)?;
        if id == 0 || settings.end == End::First {
            worker.report(depth, score);
        }
    }
    Ok(())
}

/// The main worker of helpers per iteration.
fn lead<C: Core>(worker: &mut Lazy<'_, C>, settings: &Settings) -> Result<(), Aborted> {
    let mut score = 0;
    for depth in 1..=i32::from(worker.session.depth) {
        let mut finisher = 0;
        score = worker.aspirate(depth, score, |worker, depth, window| {
            let (by, score) = play_round(worker, settings, depth, window)?;
            finisher = by;
            Ok(score)
        })?;
        let line = worker.line(0).clone();
        worker.session.completed(&mut worker.core, finisher, depth, (score, &line));
    }
    Ok(())
}

/// Begins a round, takes part in it, and ends it; who finished it first, and the score.
fn play_round<C: Core>(
    worker: &mut Lazy<'_, C>,
    settings: &Settings,
    depth: i32,
    window: Window,
) -> Result<(usize, Score), Aborted> {
    let rounds = worker.policy.rounds;
    let root_moves = worker.root_moves.clone();
    let number = worker.core.section(&rounds.present, |present| {
        *present = Round { depth, window, root_moves, result: None };
        rounds.begun.fetch_add(1, Release) + 1 // partner: the acquire in `follow`
    });
    worker.core.wake_all();
    worker.policy.number = number;
    let own = worker.search_root(depth, window);
    rounds.done.store(number, Relaxed); // the result is fetched from the section
    let first = worker.core.section(&rounds.present, |present| present.result.take());
    match (first, own) {
        (Some((by, score, line)), _) if settings.end == End::First && !worker.core.ended() => {
            if let Some(index) = worker.root_moves.iter().position(|mv| Some(mv) == line.first()) {
                worker.root_moves[..=index].rotate_right(1);
            }
            *worker.line_mut(0) = line;
            Ok((by, score))
        }
        (_, own) => own.map(|score| (0, score)),
    }
}

/// A helper of helpers per iteration.
fn follow<C: Core>(worker: &mut Lazy<'_, C>, settings: &Settings) -> Result<(), Aborted> {
    let (id, last) = (worker.core.id(), i32::from(worker.session.depth));
    let rounds = worker.policy.rounds;
    let mut number = 0;
    loop {
        worker.core.wait_while(State::WaitWork, |ended| {
            !ended && rounds.begun.load(Acquire) == number // partner: the release in `play_round`
        });
        if worker.core.ended() {
            return Err(Aborted);
        }
        let (depth, window, root_moves) = worker.core.section(&rounds.present, |present| {
            number = rounds.begun.load(Relaxed);
            (present.depth, present.window, present.root_moves.clone())
        });
        worker.policy.number = number;
        worker.root_moves = root_moves;
        vary(worker, settings);
        let Some(depth) = settings.stagger.depth(id, depth) else { continue };
        let depth = if settings.past_depth { depth } else { depth.min(last) };
        let Ok(score) = worker.search_root(depth, window) else { continue };
        if settings.end == End::First {
            let line = worker.line(0).clone();
            worker.core.section(&rounds.present, |present| {
                if rounds.begun.load(Relaxed) == number && present.result.is_none() {
                    present.result = Some((id, score, line));
                    rounds.done.store(number, Relaxed);
                }
            });
        }
    }
}

/// Gives a helper its own order of the root's moves.
fn vary<C: Core>(worker: &mut Lazy<'_, C>, settings: &Settings) {
    let id = worker.core.id();
    let moves = &mut worker.root_moves;
    if id == 0 || moves.is_empty() {
        return;
    }
    match settings.root_order {
        RootOrder::Same => {}
        RootOrder::Rotated => {
            let by = id % moves.len();
            moves.rotate_left(by);
        }
        RootOrder::Shuffled => {
            let mut random = ChaCha8Rng::seed_from_u64(worker.session.seed);
            random.set_stream(id as u64);
            for last in (1..moves.len()).rev() {
                // The remainder's bias is below 2^-24 for a list of moves.
                moves.swap(last, random.next_u32() as usize % (last + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_workers_are_not_ahead() {
        let ahead = |id| Stagger::Halving.depth(id, 10).map(|depth| depth - 10);
        let offsets: Vec<_> = (0..8).filter_map(ahead).collect();
        assert_eq!(offsets, [0, 1, 0, 2, 0, 1, 0, 3]);
    }

    #[test]
    fn blocks_leave_out_half() {
        for id in 1..20 {
            let (size, phase) = block(id);
            assert!((0..2 * size).contains(&phase));
            let kept = (0..2 * size).filter(|&d| Stagger::SkipBlocks.depth(id, d).is_some());
            assert_eq!(kept.count(), size as usize, "worker {id}");
        }
    }
}
