//! The points of each entry, and the effort of its moves.

use super::ending::{GameResult, Reason};
use super::rows::GameRow;
use cozy_chess::Color;
use std::collections::BTreeMap;
use ttd_search::cores::Time;

/// The results of one entry, against all opponents or one. Void games do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost, including losses on time and by a fault.
    pub losses: u32,
    /// Games lost on time.
    pub on_time: u32,
    /// Games lost by a fault: an illegal move, no answer, a process that ended.
    pub faults: u32,
}

impl Standing {
    /// All games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The points as a share of all possible points, 0 to 1; none without a game.
    pub fn score(&self) -> Option<f64> {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        (self.games() > 0).then(|| points / f64::from(self.games()))
    }

    fn add(&mut self, row: &GameRow, side: Color) {
        if row.ending.result == GameResult::Void {
            return;
        }
        if row.ending.result == GameResult::Draw {
            self.draws += 1;
        } else if row.ending.result == GameResult::win(side) {
            self.wins += 1;
        } else {
            self.losses += 1;
            self.on_time += u32::from(row.ending.reason == Reason::Time);
            self.faults += u32::from(row.ending.reason.is_fault());
        }
    }
}

/// The standing of every entry that has played, by its name: overall (`None`), and against each of
/// its opponents.
pub fn standings(games: &[GameRow]) -> BTreeMap<(&str, Option<&str>), Standing> {
    let mut all = BTreeMap::new();
    for row in games {
        for side in Color::ALL {
            let name = |side: Color| row.sides[side as usize].name.as_str();
            for opponent in [None, Some(name(!side))] {
                let standing: &mut Standing = all.entry((name(side), opponent)).or_default();
                standing.add(row, side);
            }
        }
    }
    all
}

/// The sums over the moves of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves.
    pub moves: u64,
    /// Time for all of them.
    pub time: Time,
    /// Nodes of all of them.
    pub nodes: u64,
    /// Depths of all of them, plies.
    pub depths: u64,
}

impl Effort {
    /// Mean time of a move, seconds; none without a move.
    pub fn mean_time(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.time.as_secs_f64() / self.moves as f64)
    }

    /// Mean nodes of a move; none without a move.
    pub fn mean_nodes(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.nodes as f64 / self.moves as f64)
    }

    /// Mean depth of a move, plies; none without a move.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.depths as f64 / self.moves as f64)
    }
}

/// The effort of every entry at each fixed depth, without void games. The depth is none in a match
/// without fixed depths.
pub fn efforts(games: &[GameRow]) -> BTreeMap<(Option<u8>, &str), Effort> {
    let mut all = BTreeMap::new();
    for row in games.iter().filter(|row| row.ending.result != GameResult::Void) {
        for side in &row.sides {
            let effort: &mut Effort = all.entry((row.depth, side.name.as_str())).or_default();
            effort.moves += side.moves;
            effort.time += side.time;
            effort.nodes += side.nodes;
            effort.depths += side.depths;
        }
    }
    all
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::matches::ending::Ending;
    use crate::matches::rows::SideRow;

    pub(in crate::matches) fn row(
        white: &str,
        black: &str,
        result: GameResult,
        reason: Reason,
    ) -> GameRow {
        let side = |name: &str, moves: u64| SideRow {
            name: name.to_owned(),
            time_factor: 1.0,
            moves,
            time: Time::from_ps(moves * 500_000_000_000),
            nodes: moves * 1_000,
            depths: moves * 9,
        };
        GameRow {
            game: 0,
            round: 1,
            opening: "x".to_owned(),
            depth: Some(4),
            sides: [side(white, 3), side(black, 2)],
            ending: Ending::new(result, reason),
            plies: 5,
            pgn_end: 0,
        }
    }

    #[test]
    fn everybody_stands_against_everybody() {
        let games = [
            row("a", "b", GameResult::White, Reason::Mate),
            row("b", "a", GameResult::White, Reason::Time),
            row("a", "c", GameResult::Draw, Reason::Repetition),
            row("c", "a", GameResult::White, Reason::IllegalMove),
        ];
        let all = standings(&games);
        let of = |name, opponent| all[&(name, opponent)];
        let a = Standing { wins: 1, draws: 1, losses: 2, on_time: 1, faults: 1 };
        assert_eq!(of("a", None), a);
        assert_eq!(a.score(), Some(0.375));
        assert_eq!(of("a", Some("c")), Standing { wins: 0, on_time: 0, losses: 1, ..a });
        assert_eq!(of("b", None).score(), Some(0.5));
        assert_eq!(of("c", None), of("c", Some("a")));
        assert_eq!(Standing::default().score(), None);
    }

    #[test]
    fn efforts_are_means_over_moves() {
        let games = [
            row("a", "b", GameResult::Draw, Reason::Repetition),
            row("b", "a", GameResult::Draw, Reason::Repetition),
        ];
        let effort = efforts(&games)[&(Some(4), "a")];
        assert_eq!((effort.moves, effort.mean_time()), (5, Some(0.5)));
        assert_eq!((effort.mean_nodes(), effort.mean_depth()), (Some(1_000.0), Some(9.0)));
        assert_eq!(Effort::default().mean_nodes(), None);
    }
}
