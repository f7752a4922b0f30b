//! A position of a set, and its kind: tactical, quiet or endgame.

use crate::engine::{Board, Move, PIECE_VALUES, Piece, Position, legal_moves, see_at_least};

/// A reader of the FEN of a line.
///
/// It is [`parse_fen`](super::parse_fen), or [`parse_game_fen`](super::parse_game_fen) where
/// Chess960 and finished games are allowed.
pub type ReadFen = fn(&str) -> Result<Board, String>;

/// A position of a set.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// The id, unique in its set: `line N` where the file gives none.
    pub id: String,
    /// The number of its line in the file, from 1.
    pub line: usize,
    /// The position, with the move counters that the file gives.
    pub board: Board,
    /// The best moves, if the file names any (`bm`). All legal.
    pub best: Vec<Move>,
    /// Moves to avoid, if the file names any (`am`). All legal.
    pub avoid: Vec<Move>,
    /// The kind of position, if the file names one (`tag`): [`tag`](super::tag) is for all.
    pub tag: Option<String>,
    /// The numbers of leaves that perft must find, by depth (`D1`, `D2`...).
    pub perft: Vec<(u8, u64)>,
}

impl TestPosition {
    /// Whether the set names good or bad moves here.
    pub fn asks(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }

    /// Whether a move is one that the set asks for: among the best if there are any, and not to be
    /// avoided.
    pub fn is_solved_by(&self, mv: Move) -> bool {
        let wanted = self.best.is_empty() || self.best.contains(&mv);
        self.asks() && wanted && !self.avoid.contains(&mv)
    }

    /// The position as a search starts from it, without a past.
    pub fn position(&self) -> Position {
        Position::new(self.board.clone())
    }
}

/// The most pieces, beside kings and pawns, of an endgame. Source: J. Minev, who calls a position
/// with four or fewer of them an endgame (after the article "Chess endgame" of Wikipedia).
const MOST_PIECES: u32 = 4;

/// The tag of a position: the one that the set gives, or else that of a rule.
///
/// A set gives it by the operation `tag`, such as `tag tactical;`. The rule is:
///
/// 1. `endgame`: both sides together have at most four pieces beside kings and pawns.
/// 2. `tactical`: the side to move is in check, or a capture or a promotion wins a pawn or more by
///    static exchange. Also if a best move of the set takes, promotes or gives check.
/// 3. `quiet`: all others.
pub fn tag(position: &TestPosition) -> &str {
    position.tag.as_deref().unwrap_or_else(|| by_rule(&position.board, &position.best))
}

/// The tag of a board with these best moves, by the rule of [`tag`].
fn by_rule(board: &Board, best: &[Move]) -> &'static str {
    let kings_and_pawns = board.pieces(Piece::King) | board.pieces(Piece::Pawn);
    if (board.occupied() - kings_and_pawns).len() <= MOST_PIECES {
        return "endgame";
    }
    let position = Position::new(board.clone());
    let pawn = PIECE_VALUES[Piece::Pawn as usize];
    let checks = position.checks();
    let forces = |mv: &Move| position.is_tactical(*mv) || checks.given_by(position.moved(*mv), *mv);
    let wins = |mv: &Move| position.is_tactical(*mv) && see_at_least(&position, *mv, pawn);
    let is_tactical =
        position.in_check() || best.iter().any(forces) || legal_moves(board).iter().any(wins);
    if is_tactical { "tactical" } else { "quiet" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::{self, parse_fen, parse_set};

    fn tag_of(line: &str) -> String {
        let set = parse_set(parse_fen, line, "test", positions::BadLines::Refuse).expect("a set");
        tag(&set.positions[0]).to_owned()
    }

    #[test]
    fn the_rule_tells_positions_apart() {
        for (line, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"a\";", "quiet"),
            ("8/5k2/3r4/4p3/8/3R4/4K1P1/8 w - - id \"b\";", "endgame"),
            // A rook that nobody defends.
            ("r2qk3/1b3ppp/2n5/8/8/2N5/1B3PPP/3QK2R w K - id \"c\";", "quiet"),
            ("r2qk3/1b3ppp/R1n5/8/8/2N5/1B3PPP/3QK2R b K - id \"d\";", "tactical"),
            ("r2qk3/1b3ppp/2n5/8/8/2N5/1B3PPP/3QK2R w K - bm Qxd8+; id \"e\";", "tactical"),
            ("r2qk3/1b3ppp/2n5/8/8/2N5/1B3PPP/3QK2R w K - tag endgame; id \"f\";", "endgame"),
            ("r2qk3/1b3ppp/2n5/8/8/2N5/1B3PPP/3QK2R w K - tag \"my own\"; id \"g\";", "my own"),
        ] {
            assert_eq!(tag_of(line), expected, "{line}");
        }
    }

    #[test]
    fn the_sets_of_the_program_have_these_kinds() {
        let kinds = |name: &str| {
            let set = positions::load(name).expect("a built-in set");
            let of = |wanted| set.iter().filter(|position| tag(position) == wanted).count();
            [of("endgame"), of("tactical"), of("quiet")]
        };
        assert_eq!(kinds("win-at-chess"), [31, 195, 74]);
        assert_eq!(kinds("bratko-kopec"), [2, 4, 18]);
        assert_eq!(kinds("hyatt-dts"), [4, 11, 9]);
        assert_eq!(kinds("middlegames"), [0, 3, 27]);
        assert_eq!(kinds("openings-4000"), [1, 1357, 2642]);
    }
}
