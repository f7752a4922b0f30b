//! The weights of the evaluation, learnt from games: Texel's method (Österlund, 2014).
//!
//! The evaluation of a quiet position, put through a logistic curve, is a forecast of the game's
//! result. The best forecast has the weights under which the results are likeliest.
//!
//! | file | what it holds |
//! |---|---|
//! | `games` | reads finished games from PGN |
//! | `examples` | the quiet positions of a game, and the games held out |
//! | `linear` | by how much the value of each position changes with each number of the table |
//! | `likelihood` | the likeliest numbers: Newton's method |
//! | `tune` | from games to weights, and what was gained |

mod examples;
mod games;
mod likelihood;
mod linear;
mod tune;

pub use examples::{Example, Examples};
pub use games::{RecordedGame, games_of, read_games};
pub use likelihood::{Losses, losses};
pub use tune::{Recipe, Side, Trial, TuneError, Tuned, tune};

/// Boards for the tests of this module.
#[cfg(test)]
mod test_boards {
    use ttd_search::engine::{Board, Move};
    use ttd_search::positions::load;

    /// Every position of five of the position sets.
    pub(crate) fn from_sets() -> Vec<Board> {
        ["bratko-kopec", "hyatt-dts", "middlegames", "win-at-chess", "perft"]
            .iter()
            .flat_map(|set| load(set).expect("a set of the program"))
            .map(|position| position.board)
            .collect()
    }

    /// The board of a FEN that is known to be right.
    pub(crate) fn board(fen: &str) -> Board {
        fen.parse().expect("the test's own FEN")
    }

    /// Every legal move.
    pub(crate) fn legal_moves(board: &Board) -> Vec<Move> {
        let mut moves = Vec::new();
        board.generate_moves(|of_piece| {
            moves.extend(of_piece);
            false
        });
        moves
    }
}
