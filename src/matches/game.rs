//! One game: the players in turn, their clocks, and its end.

use super::adjudication::{Adjudication, Judge};
use super::clock::Clock;
use super::ending::{Ending, GameResult, Reason};
use super::player::{Answer, Failure, Player, Thought, centipawns};
use super::rules;
use super::time_control::Pace;
use crate::uci::{Go, Limit, Place};
use cozy_chess::Color;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use ttd_search::engine::{Board, Move};

/// A player is told to stop this long after its time. By then it has lost, but other games need it.
const GRACE: Duration = Duration::from_millis(100);

/// The terms of one game.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The position before the first move.
    pub start: &'a Board,
    /// The paces of white and black.
    pub paces: [Pace; 2],
    /// The time by which a player may overstep its own.
    pub margin: Duration,
    /// The longest move without a clock.
    pub move_limit: Duration,
    /// The terms on which scores end the game.
    pub adjudication: &'a Adjudication,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The time that it took.
    pub elapsed: Duration,
    /// The time left on the clock after it, if there is a clock.
    pub clock: Option<Duration>,
    /// The player's report of it.
    pub thought: Thought,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The moves, beginning with that of the side to move at the start.
    pub moves: Vec<PlayedMove>,
    /// The ending of the game.
    pub ending: Ending,
}

/// Plays a game between white and black, which already know that it begins. Returns none if it was
/// interrupted.
pub fn play<P: Player>(
    white: &mut P,
    black: &mut P,
    terms: &Terms<'_>,
    interrupt: &AtomicBool,
) -> Option<Played> {
    let mut game = Game::new(terms);
    loop {
        // Relaxed is enough: the flag carries no other data.
        if interrupt.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(ending) = rules::ended(&game.boards) {
            return Some(game.over(ending));
        }
        let side = game.board().side_to_move();
        let player = if side == Color::White { &mut *white } else { &mut *black };
        let answer = player.go(&game.asked(side), interrupt);
        if interrupt.load(Ordering::Relaxed) {
            return None;
        }
        let ended = match answer {
            Ok(answer) => game.answered(side, answer),
            Err(failure) => Some(forfeit(side, failure)),
        };
        if let Some(ending) = ended {
            return Some(game.over(ending));
        }
    }
}

/// The ending that follows from a failure of this side. It loses by a fault; a game that came to
/// the host's limit is void.
pub(super) fn forfeit(side: Color, failure: Failure) -> Ending {
    let Failure { reason, what } = failure;
    let is_void = reason == Reason::HostLimit;
    let result = if is_void { GameResult::Void } else { GameResult::loss(side) };
    Ending { result, reason, detail: what }
}

/// A game that is being played.
struct Game<'a> {
    terms: &'a Terms<'a>,
    clocks: [Option<Clock>; 2],
    judge: Judge<'a>,
    /// All positions so far, the present one last.
    boards: Vec<Board>,
    line: Vec<Move>,
    moves: Vec<PlayedMove>,
}

impl<'a> Game<'a> {
    fn new(terms: &'a Terms<'a>) -> Game<'a> {
        let clock = |pace| match pace {
            Pace::Clock(control) => Some(Clock::new(control)),
            _ => None,
        };
        Game {
            terms,
            clocks: terms.paces.map(clock),
            judge: Judge::new(terms.adjudication),
            boards: vec![terms.start.clone()],
            line: Vec::new(),
            moves: Vec::new(),
        }
    }

    fn board(&self) -> &Board {
        self.boards.last().expect("a game has a position")
    }

    /// The request to this side. A player that is past all time is told to stop.
    fn asked(&self, side: Color) -> Go<'_> {
        let limit = self.limit(side);
        let time = match self.terms.paces[side as usize] {
            Pace::MoveTime(time) => Some(time),
            _ => self.clocks[side as usize].map(|clock| clock.left()),
        };
        let deadline = time.map_or(self.terms.move_limit, |time| time + self.terms.margin);
        let deadline = Some(deadline + GRACE);
        let place = Place { start: self.terms.start, moves: &self.line };
        Go { place, limit, deadline, among: &[] }
    }

    /// The limit of this side's next move.
    fn limit(&self, side: Color) -> Limit {
        match self.terms.paces[side as usize] {
            Pace::Nodes(nodes) => Limit::Nodes(nodes),
            Pace::Depth(depth) => Limit::Depth(depth),
            Pace::MoveTime(time) => Limit::MoveTime(time),
            Pace::Clock(control) => {
                let own = self.clocks[side as usize].unwrap_or(Clock::new(control));
                // To a player with a clock, an opponent without one seems to have the same time.
                let clocks = self.clocks.map(|clock| clock.unwrap_or(own));
                let (left, increment) = (clocks.map(|c| c.left()), clocks.map(|c| c.increment()));
                Limit::Clock { left, increment, moves_to_go: own.moves_to_go() }
            }
        }
    }

    /// Takes an answer; returns the ending, if the game ends with it.
    fn answered(&mut self, side: Color, answer: Answer) -> Option<Ending> {
        let lost = |reason| Some(Ending::new(GameResult::loss(side), reason));
        if !self.in_time(side, answer.elapsed) {
            return lost(Reason::Time);
        }
        let Some(mv) = answer.best else {
            return lost(Reason::Resigned);
        };
        let mut board = self.board().clone();
        if board.try_play(mv).is_err() {
            let what = format!("illegal move {mv}");
            return Some(forfeit(side, Failure { reason: Reason::IllegalMove, what }));
        }
        self.boards.push(board);
        self.line.push(mv);
        let score = answer.thought.score.map(centipawns);
        self.moves.push(PlayedMove {
            mv,
            elapsed: answer.elapsed,
            clock: self.clocks[side as usize].map(|clock| clock.left()),
            thought: answer.thought,
        });
        // The rules of chess come before adjudication.
        rules::ended(&self.boards).or_else(|| self.judge.after_move(side, score))
    }

    fn in_time(&mut self, side: Color, elapsed: Duration) -> bool {
        let margin = self.terms.margin;
        match (&mut self.clocks[side as usize], self.terms.paces[side as usize]) {
            (Some(clock), _) => clock.press(elapsed, margin).is_ok(),
            (None, Pace::MoveTime(time)) => elapsed <= time + margin,
            (None, _) => elapsed <= self.terms.move_limit,
        }
    }

    fn over(self, ending: Ending) -> Played {
        Played { moves: self.moves, ending }
    }
}

#[cfg(test)]
mod tests;
