//! The one position that a command is about.

use super::Usage;
use ttd_search::engine::Board;

/// What `parse` reads of a FEN of the command line; the start of the game if there is none.
pub(super) fn position(
    fen: Option<&str>,
    parse: impl FnOnce(&str) -> Result<Board, String>,
) -> Result<Board, Usage> {
    fen.map_or_else(|| Ok(Board::default()), parse).map_err(|why| Usage(format!("FEN: {why}")))
}
