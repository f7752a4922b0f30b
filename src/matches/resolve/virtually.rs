//! The keys of a match on virtual cores.

use crate::matches::partial::PartialMatch;
use crate::matches::spec::{Entry, EntryEngine};
use crate::matches::time_control::{MAX_SECONDS, Pace};
use crate::records::{CoresKind, Refusal, Sources, seconds_in};
use crate::uci::{EngineCores, EngineSpec, Protocol};
use ttd_search::searchers::{Costs, Searcher};

/// The default limit of the time that a move takes on the host, in seconds.
const HOST_LIMIT_S: f64 = 600.0;

/// The virtual cores of a match.
pub(super) struct Simulated {
    /// The time that a move may take on the host, in seconds.
    pub(super) host_limit_s: f64,
    /// The costs of our own entries.
    pub(super) costs: Costs,
    /// The cores of outside engines, if any plays on such.
    pub(super) engines: Option<EngineCores>,
}

impl Sources<'_, PartialMatch> {
    /// The virtual cores of a match; none for one on real cores.
    pub(super) fn simulated(
        &self,
        said: &PartialMatch,
        entries: &[Entry],
    ) -> Result<Option<Simulated>, Refusal> {
        let words = [("real", CoresKind::Real), ("virtual", CoresKind::Virtual)];
        let kind = self.word(&["cores"], said.cores.as_ref(), words)?;
        let range = 0.001..=MAX_SECONDS;
        let limit = seconds_in(range)(self, "host_limit_s", said.host_limit_s, HOST_LIMIT_S)?;
        let costs = self.table(&["virtual"], said.costs.as_ref(), Costs::resolve)?;
        let engines = said.virtual_engines.as_ref();
        let cores = self.table(&["virtual_engines"], engines, EngineCores::resolve)?;
        if costs.cluster.is_some() {
            let what = "found, none expected: a cluster is for experiments";
            return Err(self.error(&["virtual", "network"], what));
        }
        self.check_outside(entries, kind)?;
        if kind == CoresKind::Real {
            let what = "found with real cores, none expected";
            return engines.map_or(Ok(None), |_| Err(self.error(&["virtual_engines"], what)));
        }
        let own = |entry: &Entry| match &entry.engine {
            EntryEngine::Own { searcher, .. } => Some(*searcher),
            EntryEngine::Outside(_) => None,
        };
        let most = entries.iter().map(|entry| entry.threads).max().unwrap_or(1);
        let places = costs.check_workers(most);
        places.map_err(|what| self.error(&["virtual", "cache"], what))?;
        let ours: Vec<Searcher> = entries.iter().filter_map(own).collect();
        let hooked = entries.iter().any(Entry::is_hooked);
        if ours.is_empty() && !hooked && !entries.is_empty() {
            let what = "virtual found, real expected: no entry is a searcher of this program, and \
                        outside engines without `price_ps` run on real cores";
            return Err(self.error(&["cores"], what));
        }
        let is_on_real_cores = |entry: &&Entry| !entry.is_hooked() && own(entry).is_none();
        let has_clock =
            |entry: &&Entry| matches!(entry.pace, Some(Pace::Clock(_) | Pace::MoveTime(_)));
        if let Some(entry) = entries.iter().filter(is_on_real_cores).find(has_clock) {
            let what = format!(
                "virtual found: `{}` is an outside engine with a clock. It runs on real cores, whose \
                 time is not that of the match. Expected for it: nodes, a depth, or its \
                 `price_ps`, with which it runs on virtual cores",
                entry.name
            );
            return Err(self.error(&["cores"], what));
        }
        let engines = hooked.then_some(cores);
        Ok(Some(Simulated { host_limit_s: limit, costs: costs.only(&ours), engines }))
    }

    /// Checks the keys of outside engines that are for one kind of cores.
    fn check_outside(&self, entries: &[Entry], kind: CoresKind) -> Result<(), Refusal> {
        let virtually = kind == CoresKind::Virtual;
        for entry in entries {
            let EntryEngine::Outside(spec) = &entry.engine else { continue };
            let EngineSpec { protocol, .. } = **spec;
            let misplaced = spec.misplaced_keys(virtually && entry.is_hooked()).next();
            let xboard = (virtually && entry.is_hooked() && protocol != Protocol::Uci)
                .then(|| ("protocol", "xboard found, uci expected".to_owned()));
            if let Some((key, what)) = misplaced.or(xboard) {
                return Err(
                    self.error(&["cores"], format!("entry `{}`: {key}: {what}", entry.name))
                );
            }
        }
        Ok(())
    }
}
