//! All figures of a match.

use crate::matches::{GameRow, MatchTest, ResolvedMatch, SpeedupSearch, Step};
use crate::report::lists::each_once;
use crate::report::matches::outcomes::{Crosstable, Ended, endings};
use crate::report::matches::ratings::{Likeliest, likeliest};
use crate::report::matches::ratings::{RatingLine, Scale, lines};
use crate::report::matches::ratings::{Run, runs};
use crate::report::matches::series::{Series, opponents, series};
use ttd_stats::elo::sprt::Standing;

/// The figures that follow from the games of a match.
#[derive(Clone, Debug)]
pub(crate) struct MatchFigures {
    /// Everybody's results against everybody.
    pub(crate) table: Crosstable,
    /// The entries that are examined, by threads.
    pub(crate) series: Vec<Series>,
    /// The entries that they play.
    pub(crate) opponents: Vec<usize>,
    /// The likeliest ratings, or why there are none.
    pub(crate) likeliest: Result<Likeliest, String>,
    /// The running ratings.
    pub(crate) runs: Vec<Run>,
    /// The ratings by threads.
    pub(crate) lines: Vec<RatingLine>,
    /// Why the games ended.
    pub(crate) endings: Vec<Ended>,
    /// Where the test of the match stands, if it asks for one.
    pub(crate) test: Option<Standing>,
    /// Of a search for an effective speedup, what is known so far; none of other matches.
    pub(crate) effective_speedup: Option<Step>,
}

impl MatchFigures {
    /// From the games so far.
    pub(crate) fn of(of: &ResolvedMatch, games: &[GameRow]) -> MatchFigures {
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
    pub(crate) fn by_threads(&self) -> bool {
        self.series.iter().any(|series| series.entries.len() > 1)
    }

    /// The scales on which somebody has a rating.
    pub(crate) fn scales(&self) -> Vec<Scale> {
        let lines = self.lines.iter().filter(|line| !line.points.is_empty());
        each_once(lines.map(|line| line.scale))
    }
}

/// Of the pairs that are whole.
fn effective_speedup(of: &ResolvedMatch, games: &[GameRow]) -> Option<Step> {
    let pairs = games.len() / 2 * 2;
    Some(SpeedupSearch::of(of)?.step(&games[..pairs]))
}
