//! Plays the games of a plan, several at once if there are cores.
//!
//! Games are written in the order of the plan, not in that of completion. Otherwise short games
//! would come first, and a match stopped early would have too many of them.

use super::ending::{Ending, GameResult};
use super::game::{self, Played, Terms, forfeit};
use super::pgn;
use super::plan::PlannedGame;
use super::player::{Failure, Player};
use super::results::MatchResults;
use super::rows::GameRow;
use super::spec::ResolvedMatch;
use super::time_control::Pace;
use crate::records::{JournalError, utc};
use cozy_chess::Color;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use ttd_search::cores::jobs;

/// The source of players.
pub trait Roster: Sync {
    /// The type of the players.
    type Player: Player + Send;

    /// Starts a player for an entry of the match, ready to play.
    ///
    /// # Errors
    /// If it does not start.
    fn start(&self, entry: usize) -> Result<Self::Player, Failure>;

    /// The name that the engine of an entry gives itself; empty if that is not known.
    fn about(&self, entry: usize) -> &str;
}

/// A place where one game at a time is played. Its players stay between games; after a fault a new
/// one is started.
#[derive(Debug)]
pub struct GameTable<P> {
    players: Vec<Option<P>>,
}

impl<P: Player> GameTable<P> {
    /// A table for a match with `entries` entries; players start when they are first needed.
    pub fn new(entries: usize) -> GameTable<P> {
        GameTable { players: (0..entries).map(|_| None).collect() }
    }

    /// Plays a game; returns none if it was interrupted.
    fn play<R: Roster<Player = P>>(
        &mut self,
        planned: &PlannedGame,
        of: &ResolvedMatch,
        roster: &R,
        interrupt: &AtomicBool,
    ) -> Option<Played> {
        let mut seated = Vec::new();
        for (side, seat) in Color::ALL.into_iter().zip(planned.seats) {
            match self.seat(planned.number, seat.entry, roster) {
                Ok(player) => seated.push(player),
                // A player that does not start loses; if neither starts, White loses.
                Err(failure) => {
                    let played = Played { moves: Vec::new(), ending: forfeit(side, failure) };
                    return (!interrupt.load(Ordering::Relaxed)).then_some(played);
                }
            }
        }
        let pace = |side| planned.pace(&of.spec, side);
        let paces = [Color::White, Color::Black].map(|side| pace(side).unwrap_or(Pace::Depth(1)));
        let terms = Terms {
            start: &of.openings[planned.opening].board,
            paces,
            margin: of.spec.time_margin(),
            move_limit: Duration::from_secs(of.spec.move_limit_s),
            adjudication: &of.spec.adjudication,
        };
        let [white, black] = seated.as_mut_slice() else { unreachable!("two were seated") };
        let played = game::play(white, black, &terms, interrupt);
        let faulty = played.as_ref().and_then(|played| faulty(&played.ending));
        // Interrupted players may still be busy.
        let keep = |side: Color| played.is_some() && faulty != Some(side);
        for ((side, seat), player) in Color::ALL.into_iter().zip(planned.seats).zip(seated) {
            if keep(side) && player.is_reusable() {
                self.players[seat.entry] = Some(player);
            }
        }
        played
    }

    /// The player of an entry, taken from its place. It already knows that this game begins.
    fn seat<R: Roster<Player = P>>(
        &mut self,
        number: usize,
        entry: usize,
        roster: &R,
    ) -> Result<P, Failure> {
        if let Some(mut player) = self.players[entry].take()
            && player.new_game(number).is_ok()
        {
            return Ok(player);
        }
        let mut player = roster.start(entry)?;
        player.new_game(number)?;
        Ok(player)
    }
}

/// The side that committed a fault.
fn faulty(ending: &Ending) -> Option<Color> {
    let loser = |side: &Color| GameResult::loss(*side) == ending.result;
    if ending.reason.is_fault() { Color::ALL.into_iter().find(loser) } else { None }
}

/// A follower of a match, which may end it.
pub trait MatchObserver {
    /// A game was played, the next of the plan. Returns lines for the log.
    fn remarks(&mut self, _planned: &PlannedGame, _played: &Played) -> Vec<String> {
        Vec::new()
    }

    /// A game was written; it is the last of `games`.
    fn end(&mut self, games: &[GameRow]) -> ControlFlow<()>;
}

/// The way in which a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnded {
    /// Every game of the plan is there.
    Done,
    /// The observer ended it.
    Decided,
    /// The user ended it; the games in play are thrown away.
    Interrupted,
}

enum Halt {
    Decided,
    Journal(JournalError),
}

/// Plays the games of `plan` that `results` does not have yet. They are written in order, and as
/// many are played at once as there are `tables`.
///
/// A procedure that finds the next games from the results so far calls this again and again. Each
/// time it gives a longer plan, and the same tables.
///
/// # Errors
/// If a game cannot be written; the games before it are.
pub fn play_games<R: Roster>(
    of: &ResolvedMatch,
    plan: &[PlannedGame],
    results: &mut MatchResults,
    (roster, tables): (&R, &mut [GameTable<R::Player>]),
    interrupt: &AtomicBool,
    observer: &mut dyn MatchObserver,
) -> Result<MatchEnded, JournalError> {
    let rest = plan.get(results.games().len()..).unwrap_or_default();
    let job = |table: &mut GameTable<R::Player>, number: usize| {
        if interrupt.load(Ordering::Relaxed) {
            return None;
        }
        table.play(&rest[number], of, roster, interrupt)
    };
    let take = |number: usize, played: Played| {
        let planned: &PlannedGame = &rest[number];
        for remark in observer.remarks(planned, &played) {
            results.log(&remark).map_err(Halt::Journal)?;
        }
        write_down(planned, of, results, &played, roster).map_err(Halt::Journal)?;
        if observer.end(results.games()).is_break() {
            return Err(Halt::Decided);
        }
        Ok(())
    };
    match jobs::in_order(tables, rest.len(), job, take) {
        Ok(true) => Ok(MatchEnded::Done),
        Ok(false) => Ok(MatchEnded::Interrupted),
        Err(Halt::Decided) => Ok(MatchEnded::Decided),
        Err(Halt::Journal(error)) => Err(error),
    }
}

fn write_down<R: Roster>(
    planned: &PlannedGame,
    of: &ResolvedMatch,
    results: &mut MatchResults,
    played: &Played,
    roster: &R,
) -> Result<(), JournalError> {
    let row = GameRow::new(planned, of, played);
    if played.ending.reason.is_fault() || played.ending.result == GameResult::Void {
        let [white, black] = &row.sides;
        let (number, words) = (planned.number, played.ending.words());
        results.log(&format!("game {number}, {} - {}: {words}", white.name, black.name))?;
    }
    // A match on virtual cores is the same bytes on every day.
    let time = if of.spec.is_virtual() { String::new() } else { utc(SystemTime::now()) };
    let engines = planned.seats.map(|seat| roster.about(seat.entry));
    let about = pgn::About { time: &time, engines };
    let text = pgn::text(planned, of, played, &about);
    results.append(row, &text).map(drop)
}

#[cfg(test)]
mod tests;
