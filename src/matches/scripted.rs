//! A player with a script, for tests: its answers and their times are fixed.

use super::ending::Reason;
use super::player::{Answer, Failure, Player, Thought};
use crate::uci::{Go, Limit, Said};
use cozy_chess::util::parse_uci_move;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use ttd_search::engine::Board;

/// One act of a scripted player.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Makes this move, or the first legal one, after `ms` milliseconds.
    Move { uci: Option<&'static str>, ms: u64, score: Option<Said> },
    /// Resigns.
    Resign,
    /// Fails.
    Fail(Reason, &'static str),
    /// Makes an illegal move.
    Illegal(&'static str),
    /// Is interrupted while it thinks.
    Interrupted,
}

/// A player that does one act after another, and the last one again and again.
#[derive(Clone, Debug)]
pub(super) struct Scripted {
    pub(super) acts: Vec<Act>,
    pub(super) at: usize,
    /// The limits that it was given.
    pub(super) limits: Vec<Limit>,
    pub(super) games: usize,
}

pub(super) fn quick(uci: &'static str) -> Act {
    Act::Move { uci: Some(uci), ms: 10, score: Some(Said::Centipawns(0)) }
}

impl Scripted {
    pub(super) fn new(acts: impl IntoIterator<Item = Act>) -> Scripted {
        Scripted { acts: acts.into_iter().collect(), at: 0, limits: Vec::new(), games: 0 }
    }

    /// A player that makes these moves, each in 10 ms.
    pub(super) fn moving(moves: &'static str) -> Scripted {
        Scripted::new(moves.split_whitespace().map(quick))
    }
}

impl Player for Scripted {
    fn new_game(&mut self, _: usize) -> Result<(), Failure> {
        self.at = 0;
        self.games += 1;
        Ok(())
    }

    fn go(&mut self, asked: &Go<'_>, interrupt: &AtomicBool) -> Result<Answer, Failure> {
        self.limits.push(asked.limit);
        let act = self.acts[self.at.min(self.acts.len() - 1)].clone();
        self.at += 1;
        let board = asked.place.board();
        let answer = |best, ms, score| {
            let thought = Thought { score, depth: Some(7), nodes: Some(1_000) };
            Ok(Answer { best, elapsed: Duration::from_millis(ms), thought })
        };
        match act {
            Act::Move { uci, ms, score } => {
                let mv = uci.map(|uci| parse_uci_move(&board, uci).expect("a move"));
                answer(mv.or_else(|| first_legal(&board)), ms, score)
            }
            Act::Resign => answer(None, 10, None),
            Act::Illegal(uci) => answer(uci.parse().ok(), 10, None),
            Act::Fail(reason, what) => Err(Failure { reason, what: what.to_owned() }),
            Act::Interrupted => {
                interrupt.store(true, Ordering::Relaxed);
                answer(first_legal(&board), 10, None)
            }
        }
    }
}

fn first_legal(board: &Board) -> Option<cozy_chess::Move> {
    let mut first = None;
    board.generate_moves(|moves| {
        first = moves.into_iter().next();
        first.is_some()
    });
    first
}
