//! The keys of a match on virtual cores.

use crate::matches::partial::PartialMatch;
use crate::matches::spec::{Entry, EntryEngine};
use crate::matches::time_control::{MAX_SECONDS, Pace};
use crate::records::{CoresKind, Refusal, Sources, seconds_in};
use ttd_search::searchers::{Costs, Searcher};

/// The default limit of the time that a move takes on the host, in seconds.
const HOST_LIMIT_S: f64 = 600.0;

impl Sources<'_, PartialMatch> {
    /// The host's limit of a move and the costs of virtual cores; none for a match on real cores.
    pub(super) fn simulated(
        &self,
        said: &PartialMatch,
        entries: &[Entry],
    ) -> Result<Option<(f64, Costs)>, Refusal> {
        let words = [("real", CoresKind::Real), ("virtual", CoresKind::Virtual)];
        let kind = self.word(&["cores"], said.cores.as_ref(), words)?;
        let range = 0.001..=MAX_SECONDS;
        let limit = seconds_in(range)(self, "host_limit_s", said.host_limit_s, HOST_LIMIT_S)?;
        let costs = self.table(&["virtual"], said.costs.as_ref(), Costs::resolve)?;
        if costs.cluster.is_some() {
            let what = "found, none expected: a cluster is for experiments";
            return Err(self.error(&["virtual", "network"], what));
        }
        if kind == CoresKind::Real {
            return Ok(None);
        }
        let own = |entry: &Entry| match &entry.engine {
            EntryEngine::Own { searcher, .. } => Some(*searcher),
            EntryEngine::Outside(_) => None,
        };
        let most = entries.iter().map(|entry| entry.threads).max().unwrap_or(1);
        let places = costs.check_workers(most);
        places.map_err(|what| self.error(&["virtual", "cache"], what))?;
        let ours: Vec<Searcher> = entries.iter().filter_map(own).collect();
        if ours.is_empty() && !entries.is_empty() {
            let what = "virtual found, real expected: no entry is a searcher of this program, and \
                        outside engines run on real cores";
            return Err(self.error(&["cores"], what));
        }
        let has_clock = |entry: &&Entry| {
            let timed = matches!(entry.pace, Some(Pace::Clock(_) | Pace::MoveTime(_)));
            timed && own(entry).is_none()
        };
        if let Some(entry) = entries.iter().find(has_clock) {
            let what = format!(
                "virtual found: `{}` is an outside engine with a clock. It runs on real cores, whose \
                 time is not that of the match: nodes or a depth expected for it",
                entry.name
            );
            return Err(self.error(&["cores"], what));
        }
        Ok(Some((limit, costs.only(&ours))))
    }
}
