//! The results of every entry against every other.

use crate::matches::{GameRow, Match, results_against};
use ttd_stats::elo::Results;

/// The results of every entry against every other.
#[derive(Clone, Debug)]
pub(crate) struct Crosstable {
    /// The results: a row for each entry, a column for each opponent.
    results: Vec<Vec<Results>>,
}

impl Crosstable {
    pub(crate) fn of(spec: &Match, games: &[GameRow]) -> Crosstable {
        let n = spec.entries.len();
        let name = |e: usize| spec.entries[e].name.as_str();
        let mut results = vec![vec![Results::default(); n]; n];
        for (a, b) in (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))) {
            results[a][b] = results_against(games, name(a), name(b));
            results[b][a] = results[a][b].reversed();
        }
        Crosstable { results }
    }

    /// The results of an entry against an opponent.
    pub(crate) fn between(&self, entry: usize, opponent: usize) -> &Results {
        &self.results[entry][opponent]
    }

    /// The results of an entry against all opponents.
    pub(crate) fn total(&self, entry: usize) -> Results {
        self.results[entry].iter().fold(Results::default(), |sum, with| sum.plus(with))
    }

    /// The opponents that an entry has played, in the order of the match.
    pub(crate) fn played(&self, entry: usize) -> impl Iterator<Item = (usize, &Results)> {
        let met = |(_, results): &(usize, &Results)| results.total().games() > 0;
        self.results[entry].iter().enumerate().filter(met)
    }
}
