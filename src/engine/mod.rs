//! The chess engine: everything about chess and one position. It knows no threads and no search.

mod corrections;
mod evaluation;
mod features;
mod generation;
mod history;
mod killers;
mod ordering;
mod path;
mod perft;
mod position;
mod score;
mod see;
mod squares;
mod techniques;
#[cfg(test)]
pub(crate) mod test_boards;
mod transposition;
mod zobrist;

pub use cozy_chess::{BitBoard, Board, Move, Piece};
pub use evaluation::{
    EVALUATION_LIMIT, Evaluation, FULL_PHASE, PHASE, PawnCache, Taper, evaluate, material_square,
};
pub use features::{Features, Preset};
pub use history::{Before, History, Moved};
pub use killers::{Killers, KillersBelow};
pub use ordering::{Hints, MAX_MOVES, Picked, Picker, Stage};
pub use path::Path;
pub use perft::{perft, perft_divided};
pub use position::{Checks, Position};
pub use score::{DEEPEST_MATE, DRAW, INFINITY, MATE, Score, is_mate, mated_in};
pub use see::{PIECE_VALUES, see_at_least};
pub use techniques::{
    Aspiration, CheckExtension, DeltaPruning, ExchangePruning, Futility, InternalReduction,
    LateMovePruning, LateMoveReductions, NullMove, Razoring, ReverseFutility, SingularExtension,
};
pub use transposition::{Bound, Entry, Table};
