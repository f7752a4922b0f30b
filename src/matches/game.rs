//! One game: the players in turn, their clocks, and its end.

use super::adjudication::{Adjudication, Judge};
use super::ending::{Ending, GameResult, Reason};
use super::player::{Answer, Failure, Player, Thought, centipawns};
use super::rules;
use super::time_control::{Clock, Pace};
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
mod tests {
    use super::*;
    use crate::matches::adjudication::{Resign, Sides};
    use crate::matches::scripted::{Act, Scripted, quick};
    use crate::uci::Said;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn game_by(
        white: &mut Scripted,
        black: &mut Scripted,
        paces: [&str; 2],
        adjudication: &Adjudication,
    ) -> Option<Played> {
        let start: Board = START.parse().expect("a position");
        let pace = |text: &str| match text.strip_prefix("depth ") {
            Some(depth) => Pace::Depth(depth.parse().expect("a depth")),
            None => match text.strip_prefix("move ") {
                Some(ms) => Pace::MoveTime(Duration::from_millis(ms.parse().expect("a time"))),
                None => Pace::Clock(text.parse().expect("a control")),
            },
        };
        let margin = Duration::ZERO;
        let move_limit = Duration::from_mins(1);
        let terms =
            Terms { start: &start, paces: paces.map(pace), margin, move_limit, adjudication };
        play(white, black, &terms, &AtomicBool::new(false))
    }

    fn game(white: &mut Scripted, black: &mut Scripted) -> Played {
        game_by(white, black, ["10+1", "10+1"], &Adjudication::default()).expect("not interrupted")
    }

    fn said(score: i32) -> Act {
        Act::Move { uci: None, ms: 10, score: Some(Said::Centipawns(score)) }
    }

    #[test]
    fn a_game_to_mate() {
        let mut white = Scripted::moving("f2f3 g2g4");
        let mut black = Scripted::moving("e7e5 d8h4");
        let played = game(&mut white, &mut black);
        assert_eq!(played.ending, Ending::new(GameResult::Black, Reason::Mate));
        let moves: Vec<String> = played.moves.iter().map(|m| m.mv.to_string()).collect();
        assert_eq!(moves, ["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert_eq!(played.moves[3].clock, Some(Duration::from_millis(10_000 + 2 * (1_000 - 10))));
    }

    #[test]
    fn everybody_is_told_both_clocks() {
        let slow = |ms| Act::Move { uci: None, ms, score: None };
        let mut white = Scripted::new([slow(3_000), Act::Resign]);
        let mut black = Scripted::new([slow(500)]);
        let played = game_by(&mut white, &mut black, ["10+1", "40/20+2"], &Adjudication::default());
        let ending = played.expect("not interrupted").ending;
        assert_eq!(ending, Ending::new(GameResult::Black, Reason::Resigned));
        let clock = |white, black, moves_to_go| Limit::Clock {
            left: [white, black].map(Duration::from_millis),
            increment: [1, 2].map(Duration::from_secs),
            moves_to_go,
        };
        assert_eq!(white.limits, [clock(10_000, 20_000, None), clock(8_000, 21_500, None)]);
        assert_eq!(black.limits, [clock(8_000, 20_000, Some(40))]);
    }

    #[test]
    fn without_a_clock_there_is_no_flag_but_a_limit() {
        let too_slow = Act::Move { uci: None, ms: 60_001, score: None };
        let [mut white, mut black] = [Scripted::new([too_slow]), Scripted::moving("e7e5")];
        let played = game_by(&mut white, &mut black, ["depth 6", "1+0"], &Adjudication::default());
        assert_eq!(played.expect("not interrupted").ending.reason, Reason::Time);
        let slow = Act::Move { uci: None, ms: 60_000, score: None };
        let mut white = Scripted::new([slow, Act::Resign]);
        let mut black = Scripted::moving("e7e5");
        let played = game_by(&mut white, &mut black, ["depth 6", "1+0"], &Adjudication::default());
        let played = played.expect("not interrupted");
        assert_eq!(played.ending.reason, Reason::Resigned);
        assert_eq!((played.moves[0].clock, white.limits[0]), (None, Limit::Depth(6)));
        let own = Duration::from_secs(1);
        let Limit::Clock { left, .. } = black.limits[0] else { panic!("a clock") };
        assert_eq!(left, [own, own]);
    }

    #[test]
    fn the_flag_falls_a_millisecond_late() {
        for (pace, in_time) in [("10+1", 10_000), ("move 700", 700)] {
            for (late, reason) in [(0, Reason::Resigned), (1, Reason::Time)] {
                let ms = in_time + late;
                let mut white =
                    Scripted::new([Act::Move { uci: None, ms, score: None }, Act::Resign]);
                let mut black = Scripted::new([said(0)]);
                let played = game_by(&mut white, &mut black, [pace; 2], &Adjudication::default());
                let played = played.expect("not interrupted");
                assert_eq!(played.ending, Ending::new(GameResult::Black, reason), "{pace} {ms}");
                // The move that came too late is not played.
                assert_eq!(played.moves.len(), if late == 0 { 2 } else { 0 });
            }
        }
    }

    #[test]
    fn who_does_what_no_player_may_forfeits() {
        for (act, reason, words) in [
            (Act::Illegal("e2e5"), Reason::IllegalMove, "black forfeits: illegal move e2e5"),
            (Act::Fail(Reason::Died, "it died"), Reason::Died, "black forfeits: it died"),
            (Act::Fail(Reason::NoAnswer, "silence"), Reason::NoAnswer, "black forfeits: silence"),
        ] {
            let played = game(&mut Scripted::moving("e2e4"), &mut Scripted::new([act]));
            assert_eq!((played.ending.result, played.ending.reason), (GameResult::White, reason));
            assert!(reason.is_fault());
            assert_eq!(played.ending.words(), words);
            assert_eq!(played.moves.len(), 1);
        }
    }

    #[test]
    fn scores_end_a_game_and_the_rules_come_first() {
        let resign = Some(Resign { moves: 2, score: 300, sides: Sides::Both });
        let terms = Adjudication { resign, ..Adjudication::default() };
        let (mut white, mut black) = (Scripted::new([said(-400)]), Scripted::new([said(400)]));
        let played = game_by(&mut white, &mut black, ["10+1"; 2], &terms).expect("not interrupted");
        assert_eq!(played.ending, Ending::new(GameResult::Black, Reason::Adjudicated));
        assert_eq!(played.moves.len(), 4);
        let bad = |uci| Act::Move { uci: Some(uci), ms: 10, score: Some(Said::Mate(-1)) };
        let good = |uci| Act::Move { uci: Some(uci), ms: 10, score: Some(Said::Mate(1)) };
        let mut white = Scripted::new([bad("f2f3"), bad("g2g4")]);
        let mut black = Scripted::new([good("e7e5"), good("d8h4")]);
        let played = game_by(&mut white, &mut black, ["10+1"; 2], &terms).expect("not interrupted");
        assert_eq!(played.ending, Ending::new(GameResult::Black, Reason::Mate));
    }

    #[test]
    fn a_repetition_ends_the_game() {
        let mut white = Scripted::new(["g1f3", "f3g1", "g1f3", "f3g1"].map(quick));
        let mut black = Scripted::moving("g8f6 f6g8 g8f6 f6g8");
        let played = game(&mut white, &mut black);
        assert_eq!(played.ending, Ending::new(GameResult::Draw, Reason::Repetition));
        assert_eq!(played.moves.len(), 8);
    }

    #[test]
    fn an_interrupted_game_is_none() {
        let mut white = Scripted::new([said(0), Act::Interrupted]);
        let played = game_by(
            &mut white,
            &mut Scripted::new([said(0)]),
            ["10+1"; 2],
            &Adjudication::default(),
        );
        assert_eq!(played, None);
    }
}
