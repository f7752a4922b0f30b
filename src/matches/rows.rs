//! A finished game, as a row of `games.csv`.

use super::ending::{Ending, GameResult, Reason};
use super::game::Played;
use super::plan::PlannedGame;
use super::spec::ResolvedMatch;
use crate::records::{Column, Field, Row, column, quoted};
use cozy_chess::Color;
use ttd_search::cores::Time;

/// The file with one row for each game. From it an interrupted match goes on.
pub const GAMES: &str = "games.csv";

/// One game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRow {
    /// The place in the plan, from 0.
    pub game: usize,
    /// The round, from 1: in every round each pairing plays one opening twice.
    pub round: u32,
    /// The id of the opening.
    pub opening: String,
    /// The depth of every move, in a match at fixed depths.
    pub depth: Option<u8>,
    /// The sides: white and black.
    pub sides: [SideRow; 2],
    /// The ending.
    pub ending: Ending,
    /// The number of moves of both sides.
    pub plies: usize,
    /// The end of the game in the file of games, in bytes.
    pub pgn_end: u64,
}

/// The sums over the moves of one side in a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideRow {
    /// The name of the entry.
    pub name: String,
    /// The factor on the entry's time in this game only.
    pub time_factor: f64,
    /// The number of its moves.
    pub moves: u64,
    /// The time of its moves, on our clock.
    pub time: Time,
    /// The nodes that it reported.
    pub nodes: u64,
    /// The sum of the depths that it reported, in plies.
    pub depths: u64,
}

impl GameRow {
    /// The row of a game that was played as planned. Its place in the file of games is not known
    /// yet.
    pub(super) fn new(planned: &PlannedGame, of: &ResolvedMatch, played: &Played) -> GameRow {
        let opening = &of.openings[planned.opening];
        let first = opening.board.side_to_move();
        let side = |side: Color| {
            let seat = planned.seats[side as usize];
            let moves = played.moves.iter().skip(usize::from(side != first)).step_by(2);
            let mut row = SideRow {
                name: of.spec.entries[seat.entry].name.clone(),
                time_factor: seat.time_factor,
                ..SideRow::default()
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

    /// The column in which this is not the planned game, in words; none if it is that game.
    pub fn misfit(&self, planned: &PlannedGame, of: &ResolvedMatch) -> Option<String> {
        let named = |seat: super::plan::Seat| of.spec.entries[seat.entry].name.clone();
        let [white, black] = &self.sides;
        let [first, second] = planned.seats;
        let columns = [
            ("game", [self.game.text(), planned.number.text()]),
            ("round", [self.round.text(), planned.round.text()]),
            ("opening", [self.opening.clone(), of.openings[planned.opening].id.clone()]),
            ("depth", [self.depth.text(), planned.depth.text()]),
            ("white", [white.name.clone(), named(first)]),
            ("black", [black.name.clone(), named(second)]),
            ("white_time_factor", [white.time_factor.text(), first.time_factor.text()]),
            ("black_time_factor", [black.time_factor.text(), second.time_factor.text()]),
        ];
        let (name, both) = columns.into_iter().find(|(_, [found, expected])| found != expected)?;
        let [found, expected] = both.map(|text| quoted(&text));
        Some(format!("column `{name}` holds {found}, {expected} expected"))
    }
}

impl Row for GameRow {
    const FILE: &'static str = GAMES;

    fn list() -> Vec<Column<GameRow>> {
        // A row must stay on one line.
        let detail = Column::custom(
            ("detail".to_owned(), REASON),
            String::EXPECTED,
            |row: &GameRow| row.ending.detail.replace(['\n', '\r'], " "),
            |row, text| {
                text.clone_into(&mut row.ending.detail);
                Some(())
            },
        );
        let mut list = vec![
            column!("game", "place in the plan, from 0", game),
            column!("round", "from 1", round),
            column!("opening", "id of the opening", opening),
            column!("depth", "the fixed depth of all moves, with `by_depth`; else blank", depth),
            column!("white", "names of the entries", sides[0].name),
            column!("black", "names of the entries", sides[1].name),
            column!(
                "result",
                "`1-0`, `0-1`, `1/2-1/2`, or `*` for a void game, which counts for nobody",
                ending.result
            ),
            column!("reason", REASON, ending.reason),
            detail,
            column!("plies", "moves of both sides", plies),
        ];
        for (at, side) in ["white", "black"].into_iter().enumerate() {
            list.extend(SideRow::columns().into_iter().map(|column| {
                let column = column.within(
                    move |row: &GameRow| Some(&row.sides[at]),
                    move |row| &mut row.sides[at],
                );
                column.called(|name| format!("{side}_{name}"))
            }));
        }
        list.push(column!("pgn_end", "where the game ends in `games.pgn`, bytes", pgn_end));
        list
    }

    fn impossible(&self) -> Option<String> {
        let [white, black] = &self.sides;
        (white.name == black.name)
            .then(|| format!("column `black` holds {}, who is white too", quoted(&black.name)))
    }
}

/// The meaning of reason and detail.
const REASON: &str = "see above; for a fault, `detail` says more";

impl SideRow {
    /// The columns of a side, without its name.
    fn columns() -> Vec<Column<SideRow>> {
        const SUMS: &str = "moves of this side; their time on our clock (on virtual cores virtual time, and 0 for an outside engine); the sums of the nodes and \
                            depths that it told";
        vec![
            column!("time_factor", "the factor on the time of this side in this game", time_factor),
            column!("moves", SUMS, moves),
            column!("time_s", SUMS, time),
            column!("nodes", SUMS, nodes),
            column!("depths", SUMS, depths),
        ]
    }
}

impl Field for GameResult {
    const EXPECTED: &'static str = "1-0, 0-1, 1/2-1/2 or * expected";

    fn text(&self) -> String {
        self.name().to_owned()
    }

    fn read(word: &str) -> Option<GameResult> {
        let all = [GameResult::White, GameResult::Black, GameResult::Draw, GameResult::Void];
        all.into_iter().find(|result| result.name() == word)
    }
}

impl Field for Reason {
    const EXPECTED: &'static str = "a reason such as mate expected";

    fn text(&self) -> String {
        self.name().to_owned()
    }

    fn read(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.name() == word)
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

    fn read(fields: &[&str]) -> Result<GameRow, usize> {
        GameRow::read(&GameRow::layout(), fields)
    }

    #[test]
    fn reads_what_it_writes() {
        for row in [row(), GameRow { depth: None, ..row() }] {
            let values = row.values();
            assert_eq!(values.len(), GameRow::columns().len());
            let fields: Vec<&str> = values.iter().map(String::as_str).collect();
            assert_eq!(read(&fields), Ok(row));
        }
    }

    #[test]
    fn what_is_no_game_is_none() {
        let values = row().values();
        let fields: Vec<&str> = values.iter().map(String::as_str).collect();
        for (at, odd) in [(0, "-1"), (3, "x"), (6, "0-0"), (7, "won"), (12, "?"), (20, "")] {
            let mut fields = fields.clone();
            fields[at] = odd;
            assert_eq!(read(&fields), Err(at));
        }
    }

    /// The columns of the file are listed in `docs/matches.md`.
    #[test]
    fn columns_are_documented() {
        let page = GameRow::page();
        assert!(include_str!("../../docs/matches.md").contains(&page), "{page}");
    }
}
