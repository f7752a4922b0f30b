//! Matches: games between engines, and what is kept of them.
//!
//! | file | what it holds |
//! |---|---|
//! | `spec` | the resolved match |
//! | `draft`, `resolve` | what a user says of one; from there to a whole one, or a refusal |
//! | `plan` | which game is played when: pure |
//! | `time_control`, `clock` | how much a player may think, and its clock |
//! | `rules`, `adjudication`, `ending` | how a game ends: by the rules of chess, by the scores; its result and reason |
//! | `player`, `game` | what a game needs of a player; one game |
//! | `engines` | the players: outside engines, and ours as one |
//! | `runner` | plays the games of a plan, several at once |
//! | `results`, `rows`, `pgn` | the results directory; a game as a row and in notation |
//! | `standings`, `tally` | who stands where; what the statistics take, and whether it decides the match |
//! | `effective_speedup` | which game comes next in the search for one |

mod adjudication;
mod clock;
mod draft;
mod effective_speedup;
mod ending;
mod engines;
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
mod standings;
mod tally;
mod time_control;

pub use adjudication::{Adjudication, Draw, Resign, Sides};
pub use clock::{Clock, FlagFell};
pub use draft::{EntryDraft, MatchDraft};
pub use effective_speedup::{SpeedupSearch, Step};
pub use ending::{Ending, GameResult, Reason};
pub use engines::{Engines, NotReady};
pub use game::{Played, PlayedMove, Terms, play};
pub use pgn::PGN;
pub use plan::{PlannedGame, Seat, pair, plan};
pub use player::{Answer, Failure, Player, Thought};
pub use resolve::resolve_match;
pub use results::{MatchResults, OPENINGS, read_games, read_match};
pub use rows::{GAMES, GameRow, SideRow};
pub use runner::{GameTable, MatchEnded, MatchObserver, Roster, play_games};
pub use spec::{
    Entry, EntryEngine, Format, MATCH, Match, ResolvedMatch, Role, RunningRating, SprtTerms,
};
pub use standings::{Effort, Standing, efforts, standings};
pub use tally::{MatchTest, outcome, results_against};
pub use time_control::{Pace, TimeControl};
