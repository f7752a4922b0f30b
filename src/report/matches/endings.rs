//! The reasons for the ends of games.

use crate::matches::{GameRow, Match, Reason, outcome};
use cozy_chess::Color;
use ttd_stats::elo::Record;

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
