//! The values that judges gave to moves, in `judged.csv`, and the losses that follow from them.

use super::found::Found;
use crate::records::{Column, Field, JournalError, Row, Unusable, column, salvage};
use std::collections::HashMap;
use std::path::Path;
use ttd_search::engine::{Board, Score};
use ttd_search::positions::{fen_text, uci_text};

/// The file.
pub const JUDGED: &str = "judged.csv";
/// The largest loss, in centipawns. One blunder would outweigh a hundred small losses.
pub const CAP: f64 = 200.0;
/// The value, in centipawns, at which ten of eleven points are expected: that of the Elo scale.
const LOGISTIC: f64 = 400.0;

/// The scale of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Centipawns, at most [`CAP`].
    Centipawns,
    /// Expected score, 0 to 1: 1 / (1 + 10^(-value / 400)).
    Expected,
}

/// The values of the moves of a position, in UCI notation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(pub Vec<(String, Score)>);

impl Values {
    /// The value of a move.
    pub fn of(&self, mv: &str) -> Option<Score> {
        self.0.iter().find(|(other, _)| other == mv).map(|(_, value)| *value)
    }

    /// The best value less that of a move; none if the move has no value.
    pub fn loss(&self, mv: &str, scale: Scale) -> Option<f64> {
        let best = self.0.iter().map(|(_, value)| *value).max()?;
        let chosen = self.of(mv)?;
        Some(match scale {
            Scale::Centipawns => f64::from(best - chosen).min(CAP),
            Scale::Expected => expected(best) - expected(chosen),
        })
    }
}

/// The expected score of a value, 0 to 1.
fn expected(value: Score) -> f64 {
    1.0 / (1.0 + 10f64.powf(-f64::from(value) / LOGISTIC))
}

impl Field for Values {
    const EXPECTED: &'static str = "moves and their values expected, such as `e2e4:31 d2d4:-5`";

    fn text(&self) -> String {
        let one = |(mv, value): &(String, Score)| format!("{mv}:{value}");
        self.0.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    fn read(text: &str) -> Option<Values> {
        let one = |word: &str| {
            let (mv, value) = word.split_once(':')?;
            Some((mv.to_owned(), value.parse().ok()?))
        };
        text.split(' ').map(one).collect::<Option<Vec<_>>>().map(Values)
    }
}

/// One search of a judge: a row of `judged.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgedRow {
    /// The name that the judge gives itself, and the options that the user set.
    pub judge: String,
    /// The nodes that the search was given.
    pub nodes: u64,
    /// The id of the position in its set.
    pub position: String,
    /// The position as FEN, by which other sweeps find it.
    pub fen: String,
    /// The depth at which all moves had a value.
    pub depth: u32,
    /// The values of the moves.
    pub values: Values,
}

impl Row for JudgedRow {
    const FILE: &'static str = JUDGED;

    fn list() -> Vec<Column<JudgedRow>> {
        vec![
            column!("judge", "the name that the judge gives itself, and the options set", judge),
            column!("nodes", "the nodes that its search was given", nodes),
            column!("position", "id of the position", position),
            column!("fen", "the position, by which other sweeps find it", fen),
            column!("depth", "the depth at which all moves had a value", depth),
            column!(
                "values",
                "each move in UCI notation and its value in centipawns, from the side to move: `e2e4:31 d2d4:-5`. A \
                 mate in n moves is worth 30000 - n, being mated -30000 + n. All moves of a row are of one search. \
                 Of two rows of one judge and position the later one counts",
                values
            ),
        ]
    }
}

/// The values of one judge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// The name that it gives itself, and the options set.
    pub judge: String,
    /// The nodes of each search.
    pub nodes: u64,
    /// The values by position, as FEN.
    values: HashMap<String, Values>,
}

impl Judged {
    /// No values of this judge yet.
    pub fn new(judge: &str, nodes: u64) -> Judged {
        Judged { judge: judge.to_owned(), nodes, values: HashMap::new() }
    }

    /// The values in a directory of the judge that was asked last; none without such a file. The
    /// second value has the rows that cannot be used.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(dir: &Path) -> Result<Option<(Judged, Unusable)>, JournalError> {
        if !dir.join(JUDGED).exists() {
            return Ok(None);
        }
        let mut rows: Vec<JudgedRow> = Vec::new();
        let unusable = salvage(dir, |row| {
            rows.push(row);
            Ok(())
        })?;
        let Some(last) = rows.last() else { return Ok(None) };
        let mut judged = Judged::new(&last.judge, last.nodes);
        for row in rows {
            judged.add(row);
        }
        Ok(Some((judged, unusable)))
    }

    /// Takes a row, if it is of this judge. A later row of a position replaces an earlier one.
    pub fn add(&mut self, row: JudgedRow) {
        if self.is_of(&row) {
            self.values.insert(row.fen, row.values);
        }
    }

    /// Whether a row is of this judge.
    pub fn is_of(&self, row: &JudgedRow) -> bool {
        row.judge == self.judge && row.nodes == self.nodes
    }

    /// The values of the moves of a position.
    pub fn values(&self, board: &Board) -> Option<&Values> {
        self.values.get(&fen_text(board))
    }

    /// The number of judged positions.
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// Whether every move that was found in a position has a value.
    pub fn knows(&self, found: &Found<'_>) -> bool {
        let board = &found.of.board;
        let Some(values) = self.values(board) else { return false };
        found.moves.iter().all(|mv| values.of(&uci_text(board, *mv)).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::pages::hold;

    /// The columns are listed in `docs/formats.md`.
    #[test]
    fn columns_are_documented() {
        hold("formats.md", &[(JUDGED, JudgedRow::page())]);
    }

    #[test]
    fn a_loss_is_the_best_less_the_chosen() {
        let values = Values::read("e2e4:31 d2d4:-5 a2a4:-400 h2h4:-29990").expect("values");
        assert_eq!(values.text(), "e2e4:31 d2d4:-5 a2a4:-400 h2h4:-29990");
        let loss = |mv: &str| values.loss(mv, Scale::Centipawns);
        assert_eq!(["e2e4", "d2d4", "a2a4", "h2h4"].map(loss), [0.0, 36.0, 200.0, 200.0].map(Some));
        assert_eq!(loss("b1a3"), None);
        // By hand: 400 centipawns are ten to one.
        let of = Values::read("e2e4:0 d2d4:-400").expect("values");
        let loss = of.loss("d2d4", Scale::Expected).expect("a value");
        assert!((loss - (0.5 - 1.0 / 11.0)).abs() < 1e-12, "{loss}");
        for odd in ["", "e2e4", "e2e4:x", "e2e4:1  d2d4:2"] {
            assert_eq!(Values::read(odd), None, "{odd}");
        }
    }
}
