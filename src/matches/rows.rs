//! A game that was played, as a row of `games.csv`.

use super::ending::{Ending, GameResult, Reason};
use super::game::Played;
use super::plan::PlannedGame;
use super::spec::ResolvedMatch;
use crate::experiment::Row;
use cozy_chess::Color;
use ttd_search::cores::Time;

/// The file with one row a game: the resume state.
pub const GAMES: &str = "games.csv";

/// One game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRow {
    /// Its place in the plan, from 0.
    pub game: usize,
    /// From 1: in every round each pairing plays one opening twice.
    pub round: u32,
    /// Id of the opening.
    pub opening: String,
    /// The depth of every move, in a match at fixed depths.
    pub depth: Option<u8>,
    /// White and black.
    pub sides: [SideRow; 2],
    /// How it ended.
    pub ending: Ending,
    /// Moves of both sides.
    pub plies: usize,
    /// Where the game ends in the file of games, bytes.
    pub pgn_end: u64,
}

/// What one side did in a game, summed over its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct SideRow {
    /// Name of the entry.
    pub name: String,
    /// It got so many times as much time as else.
    pub time_factor: f64,
    /// Moves that it made.
    pub moves: u64,
    /// Time for them, on our clock.
    pub time: Time,
    /// Nodes, as far as it said.
    pub nodes: u64,
    /// Depths, as far as it said, plies.
    pub depths: u64,
}

impl GameRow {
    /// A game that was played as planned; its place in the file of games is not known yet.
    pub(super) fn new(planned: &PlannedGame, of: &ResolvedMatch, played: &Played) -> GameRow {
        let opening = &of.openings[planned.opening];
        let first = opening.board.side_to_move();
        let side = |side: Color| {
            let seat = planned.seats[side as usize];
            let moves = played.moves.iter().skip(usize::from(side != first)).step_by(2);
            let mut row = SideRow {
                name: of.spec.entries[seat.entry].name.clone(),
                time_factor: seat.time_factor,
                moves: 0,
                time: Time::ZERO,
                nodes: 0,
                depths: 0,
            };
            for played in moves {
                row.moves += 1;
                row.time += Time::from(played.elapsed);
                row.nodes += played.thought.nodes.unwrap_or(0);
                row.depths += u64::from(played.thought.depth.unwrap_or(0));
            }
            row
        };
        GameRow {
            game: planned.number,
            round: planned.round,
            opening: opening.id.clone(),
            depth: planned.depth,
            sides: [side(Color::White), side(Color::Black)],
            ending: played.ending.clone(),
            plies: played.moves.len(),
            pgn_end: 0,
        }
    }

    /// Whether this is what was planned.
    pub(super) fn is_of(&self, planned: &PlannedGame, of: &ResolvedMatch) -> bool {
        let seat = |row: &SideRow, seat: super::plan::Seat| {
            row.name == of.spec.entries[seat.entry].name
                && row.time_factor.to_bits() == seat.time_factor.to_bits()
        };
        (self.game, self.round, self.depth) == (planned.number, planned.round, planned.depth)
            && self.opening == of.openings[planned.opening].id
            && self.sides.iter().zip(planned.seats).all(|(row, planned)| seat(row, planned))
    }
}

const BEFORE_SIDES: [&str; 10] =
    ["game", "round", "opening", "depth", "white", "black", "result", "reason", "detail", "plies"];
const OF_SIDE: [&str; 5] = ["time_factor", "moves", "time_s", "nodes", "depths"];

impl Row for GameRow {
    const FILE: &'static str = GAMES;

    fn columns() -> Vec<String> {
        let mut columns = BEFORE_SIDES.map(str::to_owned).to_vec();
        for side in ["white", "black"] {
            columns.extend(OF_SIDE.map(|column| format!("{side}_{column}")));
        }
        columns.push("pgn_end".to_owned());
        columns
    }

    fn values(&self) -> Vec<String> {
        let [white, black] = &self.sides;
        let mut values = vec![
            self.game.to_string(),
            self.round.to_string(),
            self.opening.clone(),
            self.depth.map(|depth| depth.to_string()).unwrap_or_default(),
            white.name.clone(),
            black.name.clone(),
            self.ending.result.name().to_owned(),
            self.ending.reason.name().to_owned(),
            // A row is a line.
            self.ending.detail.replace(['\n', '\r'], " "),
            self.plies.to_string(),
        ];
        for side in &self.sides {
            values.extend([
                side.time_factor.to_string(),
                side.moves.to_string(),
                side.time.to_string(),
                side.nodes.to_string(),
                side.depths.to_string(),
            ]);
        }
        values.push(self.pgn_end.to_string());
        values
    }

    fn parse(fields: &[&str]) -> Option<GameRow> {
        let (before, rest) = fields.split_at_checked(BEFORE_SIDES.len())?;
        let (white, rest) = rest.split_at_checked(OF_SIDE.len())?;
        let (black, end) = rest.split_at_checked(OF_SIDE.len())?;
        let side = |name: &str, fields: &[&str]| {
            Some(SideRow {
                name: name.to_owned(),
                time_factor: fields[0].parse().ok()?,
                moves: fields[1].parse().ok()?,
                time: fields[2].parse().ok()?,
                nodes: fields[3].parse().ok()?,
                depths: fields[4].parse().ok()?,
            })
        };
        let depth = match before[3] {
            "" => None,
            depth => Some(depth.parse().ok()?),
        };
        Some(GameRow {
            game: before[0].parse().ok()?,
            round: before[1].parse().ok()?,
            opening: before[2].to_owned(),
            depth,
            sides: [side(before[4], white)?, side(before[5], black)?],
            ending: Ending {
                result: GameResult::parse(before[6])?,
                reason: Reason::parse(before[7])?,
                detail: before[8].to_owned(),
            },
            plies: before[9].parse().ok()?,
            pgn_end: end.first()?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> GameRow {
        let side = |name: &str, moves| SideRow {
            name: name.to_owned(),
            time_factor: 1.25,
            moves,
            time: "1.250000000".parse().expect("a time"),
            nodes: 77,
            depths: 12,
        };
        let mut ending = Ending::new(GameResult::Black, Reason::IllegalMove);
        "illegal move e2e5, \"twice\"".clone_into(&mut ending.detail);
        GameRow {
            game: 3,
            round: 2,
            opening: "a, b".to_owned(),
            depth: Some(5),
            sides: [side("x", 4), side("y", 3)],
            ending,
            plies: 7,
            pgn_end: 900,
        }
    }

    #[test]
    fn reads_what_it_writes() {
        for row in [row(), GameRow { depth: None, ..row() }] {
            let values = row.values();
            assert_eq!(values.len(), GameRow::columns().len());
            let fields: Vec<&str> = values.iter().map(String::as_str).collect();
            assert_eq!(GameRow::parse(&fields), Some(row));
        }
    }

    #[test]
    fn what_is_no_game_is_none() {
        let values = row().values();
        let fields: Vec<&str> = values.iter().map(String::as_str).collect();
        for (at, odd) in [(0, "-1"), (3, "x"), (6, "*"), (7, "won"), (12, "?"), (20, "")] {
            let mut fields = fields.clone();
            fields[at] = odd;
            assert_eq!(GameRow::parse(&fields), None, "{at}");
        }
        assert_eq!(GameRow::parse(&fields[..20]), None);
    }
}
