//! Static evaluation: a score for a position without looking ahead.
//!
//! All values are integers. Each term of White has an equal one of Black: the mirrored position has
//! the same score for the side to move. All numbers are this project's own. The tuned ones stand in
//! one table, [`Weights`].
//!
//! | file | what it holds |
//! |---|---|
//! | `weights`, `table` | the weights of all terms; their tuned numbers |
//! | `other_terms` | an evaluation with terms off, other values, or noise |
//! | `source`, `built_in` | the numbers as a Rust file; the weights that are compiled in |
//! | `taper`, `side` | middlegame and endgame in one integer; one term for both sides |
//! | `material_squares` | material and squares, which follow each move |
//! | `pawns`, `kings`, `passed` | terms of pawns, of kings beside them, of passed pawns beside pieces |
//! | `pawn_cache` | a cache of the terms of pawns and kings |
//! | `pieces`, `mobility` | mobility and attacked squares; the number of moves |
//! | `king_safety`, `threats` | attacks on kings and on other pieces |
//! | `endings` | endings in which material says little |

mod built_in;
mod endings;
mod king_safety;
mod kings;
mod material_squares;
mod mobility;
mod other_terms;
mod passed;
mod pawn_cache;
mod pawns;
mod pieces;
mod side;
mod source;
mod table;
mod taper;
mod threats;
mod weights;

pub use material_squares::{FULL_PHASE, PHASE, material_square};
pub use other_terms::OtherTerms;
pub use pawn_cache::PawnCache;
pub use source::rust_table;
pub use taper::Taper;
pub use weights::{Slot, Weights};

use super::{Position, Score};
use built_in::{BuiltIn, Source};
use cozy_chess::{Board, Color, Piece};
use endings::{WHOLE, drive, winnable};
use king_safety::attack;
use passed::passed;
use pawn_cache::Entry;
use pieces::Force;
use serde::{Deserialize, Serialize};
use side::{Black, Side, White};
use table::WEIGHTS;
use threats::threats;

/// The bound of every evaluation: within ±`EVALUATION_LIMIT`, so that none looks like a mate.
pub const EVALUATION_LIMIT: Score = 10_000;

/// The terms of an evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evaluation {
    /// All terms: material, squares, pawns, mobility, king safety, threats, drawish endings.
    #[default]
    Full,
    /// Material and piece-square tables.
    MaterialSquares,
    /// Material of 1, 3, 3, 5 and 9 pawns, and 0.01 pawn for each move more than the opponent has.
    /// It is the evaluation of Loose's study of parallel search with MPI.
    MaterialMobility,
    /// Material of 1, 3, 3, 5 and 9 pawns.
    Material,
}

impl Evaluation {
    /// The value of having the move.
    const fn tempo(self) -> Score {
        match self {
            Evaluation::Full | Evaluation::MaterialSquares => WEIGHTS.tempo,
            Evaluation::MaterialMobility | Evaluation::Material => 0,
        }
    }

    /// The evaluation for the opponent after passing, from the one before passing. Exact unless
    /// that one stood at the limit.
    pub fn after_pass(self, before: Score) -> Score {
        (2 * self.tempo() - before).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }
}

/// The score of `position` in centipawns for the side to move, within ±[`EVALUATION_LIMIT`].
///
/// `pawns` only saves time: the score never depends on it.
pub fn evaluate(position: &Position, pawns: &mut PawnCache, choice: Evaluation) -> Score {
    let board = position.board();
    let white = match choice {
        Evaluation::Full => full(position, pawns),
        Evaluation::MaterialSquares => blend(position, position.squares()),
        Evaluation::MaterialMobility => {
            let moves = |color| mobility::pseudo_legal_moves(board, color);
            material_by(&CLASSIC, board) + moves(Color::White) - moves(Color::Black)
        }
        Evaluation::Material => material_by(&CLASSIC, board),
    };
    let own = if board.side_to_move() == Color::White { white } else { -white };
    (own + choice.tempo()).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
}

/// The classic values, centipawns from pawn to queen.
const CLASSIC: [Score; 5] = [100, 300, 300, 500, 900];

/// Material by values from pawn to queen, from White's view.
fn material_by(values: &[Score; 5], board: &Board) -> Score {
    let pieces = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    let mut sum = 0;
    for (piece, value) in pieces.into_iter().zip(values) {
        let number = |color| board.colored_pieces(color, piece).len() as Score;
        sum += value * (number(Color::White) - number(Color::Black));
    }
    sum
}

fn blend(position: &Position, score: Taper) -> Score {
    score.blend(position.phase().min(FULL_PHASE), FULL_PHASE)
}

/// The evaluation by all terms, from White's view.
fn full(position: &Position, cache: &mut PawnCache) -> Score {
    let known = cache.probe(BuiltIn, position.board());
    let parts = Parts::of(BuiltIn, position.board(), position.squares(), known);
    blend(position, Taper::new(parts.score.mg(), parts.endgame())) + parts.drive
}

/// The evaluation [`Evaluation::Full`] of a position by any weights, in centipawns from White's
/// view.
///
/// It is neither rounded nor limited. For the tuner; slower than [`evaluate`].
pub fn exact_value(position: &Position, weights: &Weights) -> f64 {
    let board = position.board();
    let squares = material_squares::sum(weights, board);
    let parts = Parts::of(weights, board, squares, &Entry::of_board(weights, board));
    let phase = f64::from(position.phase().min(FULL_PHASE)) / f64::from(FULL_PHASE);
    let endgame = f64::from(parts.score.eg() * parts.winnable) / f64::from(WHOLE);
    let tempo =
        if position.side_to_move() == Color::White { weights.tempo } else { -weights.tempo };
    let middlegame = f64::from(parts.score.mg());
    middlegame * phase + endgame * (1.0 - phase) + f64::from(parts.drive + tempo)
}

/// The parts of an evaluation, from White's view.
struct Parts {
    score: Taper,
    /// The share of the endgame advantage that can be won, in parts of [`WHOLE`].
    winnable: i32,
    /// The bonus for driving a lone king, added at the end.
    drive: i32,
}

impl Parts {
    /// The parts of a board. `squares` is the sum of [`material_square`]; `known` are the terms of
    /// pawns and kings.
    fn of<W: Source>(w: W, board: &Board, squares: Taper, known: &Entry) -> Parts {
        let white = Force::of::<White, W>(w, board, &known.of_pawns);
        let black = Force::of::<Black, W>(w, board, &known.of_pawns);
        let score = squares + known.of_pawns.score + known.of_kings.score + white.score
            - black.score
            + meeting::<White, W>(w, board, known, &white, &black)
            - meeting::<Black, W>(w, board, known, &black, &white);
        let stronger = if score.eg() >= 0 { Color::White } else { Color::Black };
        let drive = score.eg().signum() * drive(w, board, stronger);
        Parts { score, winnable: winnable(w, board, stronger), drive }
    }

    /// The part of the endgame advantage that can be won.
    fn endgame(&self) -> Score {
        self.score.eg() * self.winnable / WHOLE
    }
}

/// The value of the pieces of side `S` against the enemy's: attack, threats and passed pawns.
fn meeting<S: Side, W: Source>(
    w: W,
    board: &Board,
    known: &Entry,
    own: &Force,
    enemy: &Force,
) -> Taper {
    attack::<S, W>(w, board, own, enemy, known.of_kings.open_files[S::Other::COLOR as usize])
        + threats::<S, W>(w, board, own, enemy)
        + passed::<S, W>(w, board, &known.of_pawns, own, enemy)
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

    /// The board with colours exchanged, or seen from the other wing (without castling).
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
    fn passing_gives_the_move_away_and_nothing_else() {
        for board in from_sets() {
            let Some(passed) = board.null_move() else { continue };
            for choice in CHOICES {
                let before = score(board.clone(), choice);
                assert_eq!(score(passed.clone(), choice), choice.after_pass(before), "{board}");
            }
        }
    }

    #[test]
    fn the_value_by_the_own_weights_is_the_evaluation_before_rounding() {
        let mut pawns = PawnCache::new();
        for board in from_sets().into_iter().chain(from_random_play()) {
            let position = Position::new(board);
            let score = evaluate(&position, &mut pawns, Evaluation::Full);
            let white = if position.side_to_move() == Color::White { score } else { -score };
            let exact = exact_value(&position, &Weights::own());
            assert!((exact - f64::from(white)).abs() < 2.0, "{}", position.board());
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
            assert_eq!(score(Board::default(), choice), choice.tempo());
        }
    }

    #[test]
    fn the_study_counts_a_move_as_a_hundredth_of_a_pawn() {
        // White, a knight ahead, has 5 + 5 moves and Black 5.
        let fen = "4k3/8/8/8/8/8/8/N3K3 w - - 0 1";
        assert_eq!(score(board(fen), Evaluation::Material), 300);
        assert_eq!(score(board(fen), Evaluation::MaterialMobility), 300 + 2);
    }

    #[test]
    fn knows_good_from_bad() {
        // In each line the better position stands first. White has the move in both.
        let pairs = [
            // An extra piece, or none.
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
            ),
            // A passed pawn on the seventh rank, or on the third.
            ("8/3P1k2/8/8/8/8/1K6/8 w - - 0 1", "8/5k2/8/8/8/3P4/1K6/8 w - - 0 1"),
            // A passed pawn that the enemy king cannot catch, or can.
            ("8/7k/8/2P5/8/8/1K6/8 w - - 0 1", "8/3k4/8/2P5/8/8/1K6/8 w - - 0 1"),
            // A king at home, or in the open, with queens on the board.
            (
                "3q2k1/pp3ppp/2n2n2/8/8/2N2N2/PP3PPP/3Q2K1 w - - 0 1",
                "3q2k1/pp3ppp/2n2n2/8/3K4/2N2N2/PP3PPP/3Q4 w - - 0 1",
            ),
            // A king with its pawns before it, or without them.
            (
                "r2q2k1/pp3ppp/2n2n2/8/8/2N2N2/PP3PPP/R2Q2K1 w - - 0 1",
                "r2q2k1/pp3ppp/2n2n2/8/5P1P/2N2N2/PP4P1/R2Q2K1 w - - 0 1",
            ),
            // A queen and a knight near the enemy king, or far from it.
            ("6k1/5ppp/8/6N1/7Q/8/5PPP/6K1 w - - 0 1", "6k1/5ppp/8/8/N7/Q7/5PPP/6K1 w - - 0 1"),
            // A knight that no pawn attacks, or that one does.
            ("4k3/8/8/p7/8/2N5/8/4K3 w - - 0 1", "4k3/8/8/8/1p6/2N5/8/4K3 w - - 0 1"),
            // A rook against nothing, or against a bishop.
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "b3k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        ];
        for (better, worse) in pairs {
            assert!(full_score(better) > full_score(worse), "{better}");
        }
    }
}
