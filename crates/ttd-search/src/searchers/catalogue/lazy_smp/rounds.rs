//! Helpers that are started and stopped with each of the main worker's searches of the root.

use super::root_order::vary;
use super::{End, Lazy, Settings, prefer, staggered};
use crate::cores::{Core, Section, State};
use crate::engine::{Move, Score};
use crate::search::{Aborted, Line, Window};
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

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
pub(super) struct Rounds {
    begun: AtomicU64,
    done: AtomicU64,
    present: Section<Round>,
}

impl Rounds {
    /// Whether this round has its result.
    pub(super) fn is_done(&self, number: u64) -> bool {
        self.done.load(Relaxed) >= number // the result is fetched from the section
    }

    pub(super) fn new() -> Rounds {
        let none = Round { depth: 0, window: Window::FULL, root_moves: Vec::new(), result: None };
        Rounds { begun: AtomicU64::new(0), done: AtomicU64::new(0), present: Section::new(none) }
    }
}

/// The main worker of helpers per iteration.
pub(super) fn lead<C: Core>(
    worker: &mut Lazy<'_, '_, C>,
    settings: &Settings,
) -> Result<(), Aborted> {
    let mut score = 0;
    for depth in worker.session.iterations() {
        let mut finisher = 0;
        score = worker.iterate(depth, score, |worker, depth, window| {
            let (by, score) = play_round(worker, settings, depth, window)?;
            finisher = by;
            Ok(score)
        })?;
        if finisher == 0 {
            prefer(worker, depth, score);
        }
        let line = worker.line(0).clone();
        worker.session.completed(&mut worker.core, finisher, depth, (score, &line));
    }
    Ok(())
}

/// Begins a round, takes part in it, and ends it; who finished it first, and the score.
fn play_round<C: Core>(
    worker: &mut Lazy<'_, '_, C>,
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
            if let Some(&best) = line.first() {
                worker.prefer_at_root(best);
            }
            *worker.line_mut(0) = line;
            Ok((by, score))
        }
        (_, own) => own.map(|score| (0, score)),
    }
}

/// A helper of helpers per iteration.
pub(super) fn follow<C: Core>(
    worker: &mut Lazy<'_, '_, C>,
    settings: &Settings,
) -> Result<(), Aborted> {
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
        let Some(depth) = staggered(worker, settings, depth) else { continue };
        let depth = if settings.past_depth { depth } else { depth.min(last) };
        let Ok(score) = worker.search_root(depth, window) else { continue };
        if score > window.alpha && score < window.beta {
            prefer(worker, depth, score);
        }
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
