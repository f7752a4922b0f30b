//! The chess engine: position, evaluation, tables. It knows no threads and no search.
//!
//! | file | what it holds |
//! |---|---|
//! | `position`, `zobrist` | a position: the rules of cozy-chess, sums for the evaluation, hash keys |
//! | `generation` | moves by kind, and the leaves below them; squares of a set, moves as bits |
//! | `ordering`, `ranked` | the next move of a node; moves by their scores |
//! | `history`, `killers` | quiet moves that did well elsewhere |
//! | `context`, `rounding` | the features that their records answer; changes of records |
//! | `correction` | the errors of static evaluations, by pawns and pieces |
//! | `see` | the material that an exchange wins |
//! | `evaluation` | the static score of a position |
//! | `score` | scores, bounds, and mates as scores |
//! | `transposition` | the table that all workers share |
//! | `path` | the positions on the way to a node, for repetitions |
//! | `technique`, `techniques` | the type of each technique; all of them together |
//! | `choices`, `consequences` | choices that are more than a switch; techniques without a meaning beside them |
//! | `resolve` | all techniques, from a table that names some |

mod choices;
mod consequences;
mod context;
mod correction;
mod evaluation;
mod generation;
mod history;
mod killers;
mod ordering;
mod path;
mod position;
mod ranked;
mod resolve;
mod rounding;
mod score;
mod see;
mod technique;
mod techniques;
#[cfg(test)]
pub(crate) mod test_boards;
mod transposition;
mod zobrist;

pub use choices::{MoveOrder, PieceValues, Preset, RootSearch, TableScheme};
pub use context::{Context, Moved};
pub use correction::{Corrections, CorrectionsAt};
pub use cozy_chess::{BitBoard, Board, Move, Piece, Rank, Square};
pub use evaluation::{
    EVALUATION_LIMIT, Evaluation, FULL_PHASE, OtherTerms, PHASE, PawnCache, Slot, Taper, Weights,
    evaluate, exact_value, material_square, rust_table,
};
pub use generation::{legal_moves, perft, successors};
pub use history::{History, PawnRecords, RecordLine};
pub use killers::{Hints, Killers, KillersAt, KillersBelow, MOST_KILLERS};
pub use ordering::{Picked, Picker, Stage};
pub use path::Path;
pub use position::{Checks, Position};
pub use ranked::{MAX_MOVES, capture_rank};
pub use rounding::Rounding;
pub use score::{Bound, DEEPEST_MATE, DRAW, INFINITY, MATE, Score, is_mate, mated_in};
pub use see::{PIECE_VALUES, see_at_least};
pub use technique::{
    Aspiration, Beam, CheckExtension, CorrectionHistory, DeltaPruning, ExchangePruning, Futility,
    InternalReduction, KillerMoves, LateMovePruning, LateMoveReductions, NullMove, Razoring,
    ReverseFutility, SingularExtension, ValuesByDepth,
};
pub use techniques::Techniques;
pub use transposition::{Entry, Table, Torn};
pub use zobrist::{mix, random};
