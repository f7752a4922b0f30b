//! Plays the games of a plan and writes them down in its order, several at once if there are cores.
//!
//! In the order of the plan, not of completion: short games would otherwise come first, and a match
//! that is stopped early would have too many of them.

use super::ending::Ending;
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

/// Who brings players into being.
pub trait Roster: Sync {
    /// A player.
    type Player: Player + Send;

    /// Starts a player for an entry of the match, ready to play.
    ///
    /// # Errors
    /// If it does not start.
    fn start(&self, entry: usize) -> Result<Self::Player, Failure>;

    /// What the engine of an entry calls itself; empty if that is not known.
    fn about(&self, entry: usize) -> &str;
}

/// Where one game at a time is played. Its players stay between games; one with a fault is started
/// anew.
#[derive(Debug)]
pub struct GameTable<P> {
    players: Vec<Option<P>>,
}

impl<P: Player> GameTable<P> {
    /// For a match with so many entries; players start when they are first wanted.
    pub fn new(entries: usize) -> GameTable<P> {
        GameTable { players: (0..entries).map(|_| None).collect() }
    }

    /// Plays a game; none if it was interrupted.
    fn play<R: Roster<Player = P>>(
        &mut self,
        planned: &PlannedGame,
        of: &ResolvedMatch,
        roster: &R,
        interrupt: &AtomicBool,
    ) -> Option<Played> {
        let mut seated = Vec::new();
        for (side, seat) in Color::ALL.into_iter().zip(planned.seats) {
            match self.seat(seat.entry, roster) {
                Ok(player) => seated.push(player),
                // Who does not come loses; if neither does, white does.
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
        // Interrupted players may be in the middle of something.
        let keep = |side: Color| played.is_some() && faulty != Some(side);
        for ((side, seat), player) in Color::ALL.into_iter().zip(planned.seats).zip(seated) {
            if keep(side) && player.is_reusable() {
                self.players[seat.entry] = Some(player);
            }
        }
        played
    }

    /// The player of an entry, out of its place, who knows that a game begins.
    fn seat<R: Roster<Player = P>>(&mut self, entry: usize, roster: &R) -> Result<P, Failure> {
        if let Some(mut player) = self.players[entry].take()
            && player.new_game().is_ok()
        {
            return Ok(player);
        }
        let mut player = roster.start(entry)?;
        player.new_game()?;
        Ok(player)
    }
}

/// Who did what no player may.
fn faulty(ending: &Ending) -> Option<Color> {
    let loser = |side: &Color| super::ending::GameResult::loss(*side) == ending.result;
    if ending.reason.is_fault() { Color::ALL.into_iter().find(loser) } else { None }
}

/// Who is told how a match goes on, and may end it.
pub trait MatchObserver {
    /// This game was written down; it is the last of `games`.
    fn end(&mut self, games: &[GameRow]) -> ControlFlow<()>;
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnded {
    /// Every game of the plan is there.
    Done,
    /// The observer had seen enough.
    Decided,
    /// By the user; the games that were being played are thrown away.
    Interrupted,
}

enum Halt {
    Decided,
    Journal(JournalError),
}

/// Plays the games of `plan` that `results` does not have yet, in order: as many at once as there
/// are `tables`. A procedure that finds the next game from the results so far calls this again with
/// a longer plan, and the same tables.
///
/// # Errors
/// If a game cannot be written down; those before it are.
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
    if played.ending.reason.is_fault() {
        let [white, black] = &row.sides;
        let (number, words) = (planned.number, played.ending.words());
        results.log(&format!("game {number}, {} - {}: {words}", white.name, black.name))?;
    }
    let time = utc(SystemTime::now());
    let engines = planned.seats.map(|seat| roster.about(seat.entry));
    let about = pgn::About { time: &time, engines };
    let text = pgn::text(planned, of, played, &about);
    results.append(row, &text).map(drop)
}

#[cfg(test)]
mod tests;
