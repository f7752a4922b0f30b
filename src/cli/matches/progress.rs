//! How a match goes on, on standard error: the standings and a bar on a terminal, else a line now and then.

use super::tables::standings_table;
use crate::cli::{format, say};
use crate::matches::{GameRow, MatchObserver, MatchTest, Reason, ResolvedMatch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use ttd_search::cores::Time;

/// Without a terminal: a line at most so often.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Shows how a match goes on.
pub(super) struct Progress<'a> {
    of: &'a ResolvedMatch,
    all: usize,
    /// Games that were there before.
    before: usize,
    began: Instant,
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
    test: Option<MatchTest>,
}

impl<'a> Progress<'a> {
    /// Of a match with so many games, the first of which are done already.
    pub(super) fn new(of: &'a ResolvedMatch, all: usize, done: &[GameRow]) -> Progress<'a> {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(all as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{msg}\n[{bar:20}] {pos}/{len} {prefix}");
            bar.with_style(style.expect("the template is well formed").progress_chars("=> "))
        });
        let (began, test) = (Instant::now(), MatchTest::of(&of.spec));
        let progress = Progress { of, all, before: done.len(), began, bar, last_line: None, test };
        progress.draw(done);
        progress
    }

    /// Takes the table away: what it said is said otherwise now.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn draw(&self, games: &[GameRow]) {
        if let Some(bar) = &self.bar {
            bar.set_message(standings_table(&self.of.spec, games).trim_end().to_owned());
            bar.set_prefix(self.time_left(games.len()));
            bar.set_position(games.len() as u64);
            // Nothing moves by itself while games are played.
            bar.force_draw();
        }
    }

    /// By the games of this sitting.
    fn time_left(&self, done: usize) -> String {
        let here = done - self.before;
        if here == 0 {
            return "time left unknown".to_owned();
        }
        let each = self.began.elapsed() / here as u32;
        let left = Time::from(each * self.all.saturating_sub(done) as u32);
        format!("about {} left", format::duration(left))
    }

    /// Not if these games decide the match.
    fn go_on(&self, games: &[GameRow]) -> ControlFlow<()> {
        let decided = self.test.as_ref().is_some_and(|test| test.is_decided(games));
        if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// What is worth a line of its own.
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
    fn end(&mut self, games: &[GameRow]) -> ControlFlow<()> {
        let incident = games.last().and_then(Progress::incident);
        if let Some(bar) = &self.bar {
            if let Some(incident) = incident {
                bar.println(incident);
            }
            self.draw(games);
            return self.go_on(games);
        }
        if let Some(incident) = incident {
            say(incident);
        }
        let last = games.len() == self.all;
        if last || self.last_line.is_none_or(|line| line.elapsed() >= BETWEEN_LINES) {
            self.last_line = Some(Instant::now());
            let left = self.time_left(games.len());
            say(format_args!("ttd: {}/{} games, {left}", games.len(), self.all));
        }
        self.go_on(games)
    }
}
