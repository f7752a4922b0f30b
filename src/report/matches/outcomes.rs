//! The results of games: of every entry against every other, and by the reasons for their ends.

use crate::matches::{GameRow, Match, Reason, outcome, results_against};
use cozy_chess::Color;
use ttd_stats::elo::{Record, Results};

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

/// The games of an entry that ended for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// The entry's place.
    pub(crate) entry: usize,
    /// The reason.
    pub(crate) reason: Reason,
    /// The results of these games for the entry.
    pub(crate) record: Record,
}

/// Whether the loser for this reason broke a rule of play: it used too much time, or had a fault.
pub(crate) fn is_forfeit(reason: Reason) -> bool {
    reason == Reason::Time || reason.is_fault()
}

/// The endings of every entry, for the reasons that occurred. Void games are left out.
pub(crate) fn endings(spec: &Match, games: &[GameRow]) -> Vec<Ended> {
    let mut all = Vec::new();
    for (entry, of) in spec.entries.iter().enumerate() {
        for reason in Reason::ALL {
            let mut record = Record::default();
            for row in games.iter().filter(|row| row.ending.reason == reason) {
                let own = |side: &Color| row.sides[*side as usize].name == of.name;
                let side = Color::ALL.into_iter().find(own);
                if let Some(outcome) = side.and_then(|side| outcome(row, side)) {
                    record.add(outcome);
                }
            }
            if record.games() > 0 {
                all.push(Ended { entry, reason, record });
            }
        }
    }
    all
}
