//! The progress of a match; on a terminal the standings too. Nothing is drawn while games are
//! played.

use super::tables::{standings, standings_table};
use crate::cli::bar::Bar;
use crate::cli::{format, plain, tell};
use crate::matches::{
    GameRow, LimitWatch, MatchObserver, MatchTest, PlannedGame, Played, Reason, ResolvedMatch,
};
use std::ops::ControlFlow;
use std::time::Instant;
use ttd_search::cores::Time;

/// Shows how a match goes on.
pub(super) struct Progress<'a> {
    of: &'a ResolvedMatch,
    all: usize,
    /// Games that were there before.
    before: usize,
    began: Instant,
    pub(super) bar: Bar,
    test: Option<MatchTest>,
    limits: LimitWatch,
}

impl<'a> Progress<'a> {
    /// The progress of a match of `all` games, the first of which are done already.
    pub(super) fn new(of: &'a ResolvedMatch, all: usize, done: &[GameRow]) -> Progress<'a> {
        let bar = Bar::new("{msg}\n[{bar:20}] {pos}/{len} {prefix}", done.len(), all);
        let (began, test) = (Instant::now(), MatchTest::of(&of.spec));
        let limits = LimitWatch::new(of.spec.entries.len());
        let progress = Progress { of, all, before: done.len(), began, bar, test, limits };
        progress.draw(done);
        progress
    }

    fn draw(&self, games: &[GameRow]) {
        self.bar.draw(|bar| {
            let table = standings_table(&standings(&self.of.spec, games));
            bar.set_message(plain::shown(table.trim_end()).into_owned());
            bar.set_prefix(self.time_left(games.len()));
            bar.set_position(games.len() as u64);
        });
    }

    /// The time that is left, estimated from the games of this sitting.
    fn time_left(&self, done: usize) -> String {
        let here = done - self.before;
        if here == 0 {
            return "time left unknown".to_owned();
        }
        let each = self.began.elapsed() / here as u32;
        let left = Time::from(each * self.all.saturating_sub(done) as u32);
        format!("about {} left", format::duration(left))
    }

    /// Ends the match if these games decide it.
    fn go_on(&self, games: &[GameRow]) -> ControlFlow<()> {
        let decided = self.test.as_ref().is_some_and(|test| test.is_decided(games));
        if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// An event that deserves a line of its own.
    fn incident(row: &GameRow) -> Option<String> {
        let ending = &row.ending;
        if !(ending.reason.is_fault() || ending.reason == Reason::Time) {
            return None;
        }
        let [white, black] = &row.sides;
        let (game, words) = (row.game, ending.words());
        Some(format!("ttd: game {game}, {} - {}: {words}", white.name, black.name))
    }
}

impl MatchObserver for Progress<'_> {
    fn remarks(&mut self, planned: &PlannedGame, played: &Played) -> Vec<String> {
        let lines = self.limits.take(self.of, planned, played);
        for line in &lines {
            self.bar.say(&format!("ttd: {line}"));
        }
        lines
    }

    fn end(&mut self, games: &[GameRow]) -> ControlFlow<()> {
        if let Some(incident) = games.last().and_then(Progress::incident) {
            self.bar.say(&incident);
        }
        self.draw(games);
        if self.bar.is_line_due(games.len() == self.all) {
            let left = self.time_left(games.len());
            tell(format_args!("ttd: {}/{} games, {left}", games.len(), self.all));
        }
        self.go_on(games)
    }
}
