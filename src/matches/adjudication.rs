//! The end of a game by the scores that the players give.

use super::ending::{Ending, GameResult, Reason};
use cozy_chess::Color;
use serde::{Deserialize, Serialize};

/// The terms on which a game is ended although the rules let it go on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// The terms on which a side has lost; none: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// The terms on which a game is drawn; none: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// The number of moves of each side after which the game is drawn; none: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
}

/// The terms on which a side has lost: it gives itself bad scores for several moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// The number of its moves in a row, at least 1.
    pub moves: u32,
    /// The bound in centipawns, at least 1: each of these scores is at most `-score`.
    pub score: i32,
    /// Whether the winner's scores must agree: `score` or more for as many moves in a row.
    #[serde(default)]
    pub sides: Sides,
}

/// The sides whose scores count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sides {
    /// Both sides.
    #[default]
    Both,
    /// Only the side that loses.
    One,
}

/// The terms on which a game is drawn: both sides give scores near 0 for several moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// The least number of moves of each side before a draw.
    pub after: u32,
    /// The number of moves of each side in a row, at least 1.
    pub moves: u32,
    /// The bound in centipawns, at least 0: each of these scores is within `-score` to `score`.
    pub score: i32,
}

/// The observer of the scores of one game.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    terms: &'a Adjudication,
    plies: u32,
    /// By side: its moves in a row with a lost score, and with a won score.
    lost: [u32; 2],
    winning: [u32; 2],
    /// Plies in a row, of both sides together, with a level score.
    level: u32,
}

impl<'a> Judge<'a> {
    pub(super) fn new(terms: &'a Adjudication) -> Judge<'a> {
        Judge { terms, plies: 0, lost: [0; 2], winning: [0; 2], level: 0 }
    }

    /// Takes the score in centipawns that the side which moved gives itself; none if it gave none.
    /// Returns the ending of the game, if it ends now.
    pub(super) fn after_move(&mut self, side: Color, score: Option<i32>) -> Option<Ending> {
        self.plies += 1;
        self.count(side, score);
        let lost = Color::ALL.into_iter().find(|&side| self.has_lost(side));
        if let Some(loser) = lost {
            return Some(Ending::new(GameResult::loss(loser), Reason::Adjudicated));
        }
        let (plies, level) = (self.plies, self.level);
        let is_drawn = |draw: Draw| plies >= 2 * draw.after && level >= 2 * draw.moves;
        if self.terms.draw.is_some_and(is_drawn) {
            return Some(Ending::new(GameResult::Draw, Reason::Adjudicated));
        }
        let too_long = self.terms.max_moves.is_some_and(|most| self.plies >= 2 * most);
        too_long.then(|| Ending::new(GameResult::Draw, Reason::MaxMoves))
    }

    fn count(&mut self, side: Color, score: Option<i32>) {
        let next = |count: u32, goes_on: bool| if goes_on { count + 1 } else { 0 };
        let side = side as usize;
        if let Some(resign) = self.terms.resign {
            let is = |says: fn(i32, i32) -> bool| score.is_some_and(|s| says(s, resign.score));
            self.lost[side] = next(self.lost[side], is(|score, bound| score <= -bound));
            self.winning[side] = next(self.winning[side], is(|score, bound| score >= bound));
        }
        if let Some(draw) = self.terms.draw {
            let level = score.is_some_and(|score| score.abs() <= draw.score);
            self.level = next(self.level, level);
        }
    }

    fn has_lost(&self, side: Color) -> bool {
        self.terms.resign.is_some_and(|resign| {
            let agreed = match resign.sides {
                Sides::One => true,
                Sides::Both => self.winning[!side as usize] >= resign.moves,
            };
            self.lost[side as usize] >= resign.moves && agreed
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ending of a game with these scores, and its ply, from 1. Each score is from the side
    /// that moved.
    fn ends(terms: &Adjudication, scores: &[Option<i32>]) -> Option<(usize, GameResult, Reason)> {
        let mut judge = Judge::new(terms);
        let sides = [Color::White, Color::Black].into_iter().cycle();
        scores.iter().zip(sides).enumerate().find_map(|(ply, (&score, side))| {
            let ending = judge.after_move(side, score)?;
            Some((ply + 1, ending.result, ending.reason))
        })
    }

    fn scores(list: &[i32]) -> Vec<Option<i32>> {
        list.iter().copied().map(Some).collect()
    }

    #[test]
    fn a_side_that_is_lost_resigns() {
        let resign = |sides| Adjudication {
            resign: Some(Resign { moves: 2, score: 500, sides }),
            ..Adjudication::default()
        };
        let list = scores(&[-600, 400, -500, 500, -499, 700, -800, 900, -501, 900]);
        let one = Some((3, GameResult::Black, Reason::Adjudicated));
        assert_eq!(ends(&resign(Sides::One), &list), one);
        let both = Some((9, GameResult::Black, Reason::Adjudicated));
        assert_eq!(ends(&resign(Sides::Both), &list), both);
        // The last score may be the winner's.
        let list = scores(&[-600, 400, -600, 500, -600, 500]);
        let both = Some((6, GameResult::Black, Reason::Adjudicated));
        assert_eq!(ends(&resign(Sides::Both), &list), both);
    }

    #[test]
    fn a_level_game_is_drawn_late_enough() {
        let terms = Adjudication {
            draw: Some(Draw { after: 3, moves: 2, score: 10 }),
            ..Adjudication::default()
        };
        let drawn_at = |ply| Some((ply, GameResult::Draw, Reason::Adjudicated));
        assert_eq!(ends(&terms, &scores(&[0; 20])), drawn_at(6));
        assert_eq!(ends(&terms, &scores(&[0, 0, 0, 11, 10, -10, 10, -10])), drawn_at(8));
        let mut unsaid = scores(&[0; 10]);
        unsaid[5] = None;
        assert_eq!(ends(&terms, &unsaid), drawn_at(10), "who says nothing agrees to nothing");
    }

    #[test]
    fn a_long_game_is_drawn() {
        let terms = Adjudication { max_moves: Some(2), ..Adjudication::default() };
        let drawn = Some((4, GameResult::Draw, Reason::MaxMoves));
        assert_eq!(ends(&terms, &scores(&[500, -500, 500, -500, 500])), drawn);
        assert_eq!(ends(&Adjudication::default(), &[None; 500]), None);
    }
}
