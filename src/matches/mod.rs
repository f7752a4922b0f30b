//! Matches: games between engines, one file each of
//!
//! | file | what it holds |
//! |---|---|
//! | `time_control`, `clock` | how much a player may think, and its clock |
//! | `rules`, `adjudication`, `ending` | how a game ends: by the rules of chess, by the scores; its result and reason |
//! | `player`, `game` | what a game needs of a player; one game |

mod adjudication;
mod clock;
mod draft;
mod ending;
mod game;
mod pgn;
mod plan;
mod player;
mod resolve;
mod results;
mod rows;
mod rules;
mod runner;
#[cfg(test)]
mod scripted;
mod spec;
mod time_control;

pub use adjudication::{Adjudication, Draw, Resign, Sides};
pub use clock::{Clock, FlagFell};
pub use draft::{EntryDraft, MatchDraft};
pub use ending::{Ending, GameResult, Reason};
pub use game::{Played, PlayedMove, Terms, play};
pub use plan::{PlannedGame, Seat, pair, plan};
pub use player::{Answer, Failure, Player, Thought};
pub use resolve::resolve_match;
pub use spec::{
    Entry, EntryEngine, Format, MATCH, Match, ResolvedMatch, Role, RunningRating, SprtTerms,
};
pub use time_control::{Pace, TimeControl};
pub use pgn::PGN;
pub use results::{MatchResults, OPENINGS, read_games, read_match};
pub use rows::{GAMES, GameRow, SideRow};
pub use runner::{GameTable, MatchEnded, MatchObserver, Roster, play_games};
