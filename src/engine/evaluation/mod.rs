//! Static evaluation: a score for a position without looking ahead.
//!
//! Integers only. Nothing is added for White that is not taken away for Black: the mirrored
//! position has the same score for the side to move. All numbers are this project's own.

mod material_squares;
mod mobility;
mod pawns;
mod pieces;
mod side;
mod taper;

pub use material_squares::{FULL_PHASE, PHASE, material_square};
pub use pawns::PawnCache;
pub use taper::Taper;

use super::{Position, Score};
use cozy_chess::{Board, Color, Piece};
use pieces::Force;
use serde::{Deserialize, Serialize};
use side::{Black, White};

/// No evaluation is further from 0, so that none is taken for a mate.
pub const EVALUATION_LIMIT: Score = 10_000;

/// Having the move.
const TEMPO: Score = 12;

/// What an evaluation looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evaluation {
    /// Everything: material, squares, pawns, mobility, king safety, threats, drawish endings.
    #[default]
    Full,
    /// Material and piece-square tables.
    MaterialSquares,
    /// Material of 1, 3, 3, 5 and 9 pawns and 0.01 pawn for each move more than the opponent has: the
    /// evaluation of Loose's study of parallel search with MPI.
    MaterialMobility,
    /// Material of 1, 3, 3, 5 and 9 pawns.
    Material,
}

/// The score of `position` in centipawns from the side to move, within ±[`EVALUATION_LIMIT`].
/// `pawns` only saves time: the score never depends on it.
pub fn evaluate(position: &Position, pawns: &mut PawnCache, choice: Evaluation) -> Score {
    let board = position.board();
    let side_to_move = board.side_to_move();
    let (white, tempo) = match choice {
        Evaluation::Full => (full(position, pawns), TEMPO),
        Evaluation::MaterialSquares => (blend(position, position.squares()), TEMPO),
        Evaluation::MaterialMobility => {
            let moves = |color| mobility::pseudo_legal_moves(board, color);
            (material(board) + moves(Color::White) - moves(Color::Black), 0)
        }
        Evaluation::Material => (material(board), 0),
    };
    let own = if side_to_move == Color::White { white } else { -white };
    (own + tempo).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
}

/// The classic values, from White's view.
fn material(board: &Board) -> Score {
    let pieces = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    let mut sum = 0;
    for (piece, value) in pieces.into_iter().zip([100, 300, 300, 500, 900]) {
        let number = |color| board.colored_pieces(color, piece).len() as Score;
        sum += value * (number(Color::White) - number(Color::Black));
    }
    sum
}

fn blend(position: &Position, score: Taper) -> Score {
    score.blend(position.phase().min(FULL_PHASE), FULL_PHASE)
}

/// Everything, from White's view.
fn full(position: &Position, cache: &mut PawnCache) -> Score {
    let board = position.board();
    let pawns = cache.probe(board);
    let white = Force::of::<White>(board, pawns);
    let black = Force::of::<Black>(board, pawns);
    let score = position.squares() + pawns.score + white.score - black.score;
    blend(position, score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_boards::{board, from_random_play, from_sets};
    use cozy_chess::{BoardBuilder, Square};

    const CHOICES: [Evaluation; 4] = [
        Evaluation::Full,
        Evaluation::MaterialSquares,
        Evaluation::MaterialMobility,
        Evaluation::Material,
    ];

    fn score(board: Board, choice: Evaluation) -> Score {
        evaluate(&Position::new(board), &mut PawnCache::new(), choice)
    }

    fn full_score(fen: &str) -> Score {
        score(board(fen), Evaluation::Full)
    }

    /// The same position with colours changed, or seen from the other wing (without castling).
    fn reflected(original: &Board, colors: bool, wings: bool) -> Option<Board> {
        let mut builder = BoardBuilder::empty();
        let place = |square: Square| {
            let square = if colors { square.flip_rank() } else { square };
            if wings { square.flip_file() } else { square }
        };
        let color = |color: Color| if colors { !color } else { color };
        for square in original.occupied() {
            let piece = original.piece_on(square)?;
            *builder.square_mut(place(square)) = Some((piece, color(original.color_on(square)?)));
        }
        builder.side_to_move = color(original.side_to_move());
        builder.build().ok()
    }

    #[test]
    fn is_blind_to_colour_and_wing() {
        let mut pawns = PawnCache::new();
        for original in from_sets().iter().chain(&from_random_play()) {
            for choice in CHOICES {
                let of = |board, pawns: &mut PawnCache| {
                    let position = Position::new(board);
                    evaluate(&position, pawns, choice)
                };
                let expected = of(original.clone(), &mut pawns);
                for (colors, wings) in [(true, false), (false, true), (true, true)] {
                    let other = reflected(original, colors, wings).expect("a reflected position");
                    assert_eq!(of(other, &mut pawns), expected, "{original} {choice:?}");
                }
            }
        }
    }

    #[test]
    fn never_depends_on_the_cache() {
        let mut pawns = PawnCache::new();
        for board in from_sets().into_iter().chain(from_random_play()) {
            let position = Position::new(board);
            let cached = evaluate(&position, &mut pawns, Evaluation::Full);
            assert_eq!(cached, evaluate(&position, &mut PawnCache::new(), Evaluation::Full));
        }
    }

    #[test]
    fn stays_within_its_limit() {
        let queens = "6nk/6pp/8/8/QQQQQ3/QQQQQ3/QQQQQ3/K7 w - - 0 1";
        assert_eq!(full_score(queens), EVALUATION_LIMIT);
        assert_eq!(full_score(&queens.replace(" w ", " b ")), -EVALUATION_LIMIT);
    }

    #[test]
    fn the_initial_position_is_level() {
        for choice in CHOICES {
            let tempo = if choice == Evaluation::Full || choice == Evaluation::MaterialSquares {
                TEMPO
            } else {
                0
            };
            assert_eq!(score(Board::default(), choice), tempo);
        }
    }

    #[test]
    fn the_study_counts_a_move_as_a_hundredth_of_a_pawn() {
        // White, a knight ahead, has 5 + 5 moves and Black 5.
        let fen = "4k3/8/8/8/8/8/8/N3K3 w - - 0 1";
        assert_eq!(score(board(fen), Evaluation::Material), 300);
        assert_eq!(score(board(fen), Evaluation::MaterialMobility), 300 + 2);
    }
}
