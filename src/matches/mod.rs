//! Matches: games between engines, and their results.
//!
//! | file | what it holds |
//! |---|---|
//! | `spec` | the resolved match |
//! | `openings` | the openings of a match: a set, or a file of positions or of games |
//! | `option_engine`, `option_terms` | an entry, and the terms of a match, in the words of options |
//! | `partial`, `resolve` | a partial match; from there to a resolved one, or a refusal |
//! | `plan` | the order of games: a pure function of the match |
//! | `time_control` | the pace of a player, and its clock |
//! | `rules`, `adjudication`, `ending` | the end of a game: by the rules of chess, by the scores;
//! its result and reason |
//! | `player`, `game` | the interface to a player; one game |
//! | `engines` | the players: outside engines, and our own as a program |
//! | `virtual_player`, `hooked_player` | players on virtual cores: our own, and outside engines |
//! | `limits` | whether outside engines keep to their limits of nodes or depth |
//! | `runner` | plays the games of a plan, several at once |
//! | `results`, `rows`, `pgn` | the results directory; a game as a row and in notation |
//! | `merge` | parts of a match put together |
//! | `copies` | games that are move for move the same as earlier ones |
//! | `standings`, `tally` | the points of each entry; the input of the statistics, and whether it
//! decides the match |
//! | `effective_speedup` | the choice of the next games in a search for an effective speedup |

mod adjudication;
mod copies;
mod effective_speedup;
mod ending;
mod engines;
mod game;
mod hooked_player;
mod limits;
mod merge;
mod openings;
mod option_engine;
mod option_terms;
mod partial;
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
mod virtual_player;

pub use adjudication::{Adjudication, Draw, Resign, Sides};
pub use copies::{copies, repeats_after};
pub use effective_speedup::{SpeedupSearch, Step};
pub use ending::{Ending, GameResult, Reason};
pub use engines::{Engines, NotReady, Participant, commands};
pub use game::{Played, PlayedMove, Terms, play};
pub use limits::{BROKEN_LIMIT, LimitWatch};
pub use merge::merge_matches;
pub use partial::{PartialEntry, PartialMatch};
pub use pgn::PGN;
pub use plan::{PlannedGame, Seat, longest_of, pair, plan, plan_of_at_least};
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
pub use time_control::{Clock, FlagFell, Pace, TimeControl};
