//! All figures of a match.

use super::by_threads::{RatingLine, Scale, lines};
use super::crosstable::Crosstable;
use super::endings::{Ended, endings};
use super::likelihood::{Likeliest, likeliest};
use super::running::{Run, runs};
use super::series::{Series, opponents, series};
use crate::matches::{GameRow, MatchTest, ResolvedMatch, SpeedupSearch, Step};
use ttd_stats::elo::sprt::Standing;

/// What follows from the games of a match.
#[derive(Clone, Debug)]
pub(in crate::report) struct MatchFigures {
    /// Everybody's results against everybody.
    pub(in crate::report) table: Crosstable,
    /// Those that are examined, by threads.
    pub(in crate::report) series: Vec<Series>,
    /// Whom they play.
    pub(in crate::report) opponents: Vec<usize>,
    /// The likeliest ratings, or why there are none.
    pub(in crate::report) likeliest: Result<Likeliest, String>,
    /// The running ratings.
    pub(in crate::report) runs: Vec<Run>,
    /// The ratings by threads.
    pub(in crate::report) lines: Vec<RatingLine>,
    /// Why the games ended.
    pub(in crate::report) endings: Vec<Ended>,
    /// Where the test of the match stands, if it asks for one.
    pub(in crate::report) test: Option<Standing>,
    /// Of a search for an effective speedup, what is known so far; none of other matches.
    pub(in crate::report) effective_speedup: Option<Step>,
}

impl MatchFigures {
    /// From the games so far.
    pub(super) fn of(of: &ResolvedMatch, games: &[GameRow]) -> MatchFigures {
        let spec = &of.spec;
        let table = Crosstable::of(spec, games);
        let likeliest = likeliest(spec, &table);
        let runs = runs(spec, games);
        let series = series(spec);
        let lines = lines(spec, &series, &runs, likeliest.as_ref().ok());
        MatchFigures {
            table,
            series,
            opponents: opponents(spec),
            likeliest,
            runs,
            lines,
            endings: endings(spec, games),
            test: MatchTest::of(spec).map(|test| test.standing(games)),
            effective_speedup: effective_speedup(of, games),
        }
    }

    /// Whether somebody played with different numbers of threads.
    pub(in crate::report) fn by_threads(&self) -> bool {
        self.series.iter().any(|series| series.entries.len() > 1)
    }

    /// The scales on which somebody has a rating.
    pub(in crate::report) fn scales(&self) -> Vec<Scale> {
        let mut scales: Vec<Scale> = Vec::new();
        for line in self.lines.iter().filter(|line| !line.points.is_empty()) {
            if !scales.contains(&line.scale) {
                scales.push(line.scale);
            }
        }
        scales
    }
}

/// Of the pairs that are whole.
fn effective_speedup(of: &ResolvedMatch, games: &[GameRow]) -> Option<Step> {
    let pairs = games.len() / 2 * 2;
    Some(SpeedupSearch::of(of)?.step(&games[..pairs]))
}
