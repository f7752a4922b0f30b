//! Helpers that are started and stopped with each of the main worker's searches of the root.

use super::follow::{Lazy, Round, prefer, staggered, vary};
use super::parameters::{End, Settings};
use crate::cores::{Core, State};
use crate::engine::Score;
use crate::search::{Aborted, Window};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// The work of the main worker, with helpers per iteration.
pub(super) fn lead<C: Core>(
    worker: &mut Lazy<'_, '_, C>,
    settings: &Settings,
) -> Result<(), Aborted> {
    let mut score = 0;
    for depth in worker.shared.iterations() {
        let (mut finisher, mut is_begun) = (0, false);
        score = worker.iterate(depth, score, |worker, depth, window| {
            if depth < settings.helpers_from || (is_begun && !settings.restart) {
                return worker.search_root(depth, window);
            }
            is_begun = true;
            let (by, score) = play_round(worker, settings, depth, window)?;
            finisher = by;
            Ok(score)
        })?;
        if is_begun {
            worker.policy.rounds.done.store(worker.policy.number, Relaxed); // it tells no more
        }
        if finisher == 0 {
            prefer(worker, depth, score);
        }
        let line = worker.line(0).clone();
        worker.shared.completed(&mut worker.core, finisher, depth, (score, &line));
    }
    Ok(())
}

/// Begins a round, takes part in it, and ends it if helpers start again with the next search.
/// Returns the first worker to finish, and its score.
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
    if settings.restart {
        rounds.done.store(number, Relaxed); // the result is fetched from the section
    }
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

/// The work of a helper, with helpers per iteration.
pub(super) fn follow<C: Core>(
    worker: &mut Lazy<'_, '_, C>,
    settings: &Settings,
) -> Result<(), Aborted> {
    let (id, last) = (worker.core.id(), i32::from(worker.shared.depth));
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
