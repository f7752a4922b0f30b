//! One game: the players in turn, their clocks, and how it ends.

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

/// So long after its time a player is told to stop: it has lost, and is wanted for other games.
const GRACE: Duration = Duration::from_millis(100);

/// What a game is played by.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// Where it begins.
    pub start: &'a Board,
    /// How much white and black may think.
    pub paces: [Pace; 2],
    /// How much longer a player may take than there is.
    pub margin: Duration,
    /// How long a move may take without a clock.
    pub move_limit: Duration,
    /// When it is ended by the scores.
    pub adjudication: &'a Adjudication,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// How long it took.
    pub elapsed: Duration,
    /// What then was left on the clock, if there is one.
    pub clock: Option<Duration>,
    /// What the player said of it.
    pub thought: Thought,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The moves, beginning with that of the side to move at the start.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub ending: Ending,
}

/// Plays a game between white and black, who know that it begins; none if it was interrupted.
pub fn play<P: Player>(
    white: &mut P,
    black: &mut P,
    terms: &Terms<'_>,
    interrupt: &AtomicBool,
) -> Option<Played> {
    let mut game = Game::new(terms);
    loop {
        // Relaxed: the flag alone is the message.
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

/// This side loses by what it did.
pub(super) fn forfeit(side: Color, failure: Failure) -> Ending {
    let Failure { reason, what } = failure;
    Ending { result: GameResult::loss(side), reason, detail: what }
}

/// A game that is being played.
struct Game<'a> {
    terms: &'a Terms<'a>,
    clocks: [Option<Clock>; 2],
    judge: Judge<'a>,
    /// Every position, the present one last.
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

    /// What this side is asked. One that is past all time is told to stop.
    fn asked(&self, side: Color) -> Go<'_> {
        let limit = self.limit(side);
        let time = match self.terms.paces[side as usize] {
            Pace::MoveTime(time) => Some(time),
            _ => self.clocks[side as usize].map(|clock| clock.left()),
        };
        let deadline = time.map_or(self.terms.move_limit, |time| time + self.terms.margin);
        let deadline = Some(deadline + GRACE);
        Go { place: Place { start: self.terms.start, moves: &self.line }, limit, deadline }
    }

    /// How much it may think.
    fn limit(&self, side: Color) -> Limit {
        match self.terms.paces[side as usize] {
            Pace::Nodes(nodes) => Limit::Nodes(nodes),
            Pace::Depth(depth) => Limit::Depth(depth),
            Pace::MoveTime(time) => Limit::MoveTime(time),
            Pace::Clock(control) => {
                let own = self.clocks[side as usize].unwrap_or(Clock::new(control));
                // Who plays without a clock is in as much of a hurry as the other.
                let [white, black] = self.clocks.map(|clock| clock.unwrap_or(own));
                Limit::Clock {
                    white: white.left(),
                    black: black.left(),
                    increment_white: white.increment(),
                    increment_black: black.increment(),
                    moves_to_go: own.moves_to_go(),
                }
            }
        }
    }

    /// Takes an answer; how the game ends, if it does.
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
        // What the rules say comes first.
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
