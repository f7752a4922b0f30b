//! Games in Portable Game Notation, as databases and other programs write them.
//!
//! The reader takes what it finds: comments of each kind, variations, glyphs, castling with zeros,
//! names in Latin-1. A game that it cannot follow is given back as a bad one with the reason, and
//! the next game is read. It reads a stream of any length in little memory.
//!
//! | file | what it holds |
//! |---|---|
//! | `lexer` | from bytes to tags and words of the game; comments and variations are left out |
//! | `tag_line` | a line of tags |
//! | `reader` | from tags and words to games |
//! | `game` | a game, and the reason why one is left out |
//! | `left_out` | the count of games that were left out, in words |

mod game;
mod left_out;
mod lexer;
mod reader;
mod tag_line;
#[cfg(test)]
mod tests;

pub use game::{BadGame, Game, GameEnd, Tags};
pub use left_out::LeftOut;
pub use reader::{Games, is_pgn, open};
