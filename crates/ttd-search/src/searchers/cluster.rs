//! A virtual cluster: ranks that share no memory, and the messages between them:
//! `[virtual.network]` in an experiment.

use super::{Algorithm, CommonSettings, Holding};
use crate::cores::Network;
use crate::search::TableAccess;
use crate::value::{Table, Value, ValueError, read, table_of, unknown};
use serde::{Deserialize, Serialize};

/// The greatest price of a message, ps: a second.
const MOST_PS: i64 = 1_000_000_000_000;
/// The most ranks, which is that of workers too.
const MOST_RANKS: i64 = 1024;
/// The largest table of a rank, MiB.
const MOST_MIB: i64 = 1 << 20;

/// A cluster: how workers are divided among ranks, the memory of a rank, and the costs of messages.
///
/// The default costs are those of a fast network between machines: two microseconds on the way, and
/// ten gigabytes a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cluster {
    /// The number of ranks in which the workers are divided evenly. Without a number each worker is
    /// a rank. One worker is one rank in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranks: Option<usize>,
    /// The size of the table that each rank has to itself, MiB. Without one the entries of all
    /// ranks compete for one table, and each rank finds only its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank_mib: Option<usize>,
    /// The time from the end of sending until a message is there, ps.
    pub latency_ps: u64,
    /// The further time for each byte, ps.
    pub byte_ps: u64,
    /// The time that a message takes its sender, ps.
    pub overhead_ps: u64,
}

impl Default for Cluster {
    fn default() -> Cluster {
        let (latency_ps, byte_ps, overhead_ps) = (2_000_000, 100, 500_000);
        Cluster { ranks: None, rank_mib: None, latency_ps, byte_ps, overhead_ps }
    }
}

impl From<Network> for Cluster {
    /// A rank for each worker.
    fn from(network: Network) -> Cluster {
        let Network { latency_ps, byte_ps, overhead_ps } = network;
        Cluster { ranks: None, rank_mib: None, latency_ps, byte_ps, overhead_ps }
    }
}

impl Cluster {
    /// The keys of the table.
    pub const KEYS: &[&str] = &["ranks", "rank_mib", "latency_ps", "byte_ps", "overhead_ps"];

    /// The cluster that a user's table gives; keys that it lacks have their defaults.
    ///
    /// # Errors
    /// The key and the expected values, if a key is unknown, or a value is not whole or not
    /// possible.
    pub fn resolve(table: &Table) -> Result<Cluster, ValueError> {
        for (key, value) in table {
            let (least, most) = match &**key {
                "ranks" => (1, MOST_RANKS),
                "rank_mib" => (1, MOST_MIB),
                key if Cluster::KEYS.contains(&key) => (0, MOST_PS),
                _ => return Err(ValueError::at(&[key], unknown("key", key, Cluster::KEYS))),
            };
            if value.as_integer().is_none_or(|number| !(least..=most).contains(&number)) {
                let what = format!("`{key}` is {value}: {least} to {most} expected");
                return Err(ValueError::at(&[key], what));
            }
        }
        let mut whole = table_of(&Cluster::default())?;
        whole.extend(table.clone());
        read(whole)
    }

    /// The cluster with one of its costs halved or doubled; none if nothing changes.
    pub(super) fn varied(&self, key: &str, doubled: bool) -> Option<Cluster> {
        let mut table = table_of(self).ok()?;
        let value = table.get(key).and_then(Value::as_integer)?;
        let changed = if doubled { value * 2 } else { value / 2 };
        table.insert(key.to_owned(), changed.into());
        Cluster::resolve(&table).ok().filter(|varied| varied != self)
    }

    /// The costs of messages.
    pub const fn network(&self) -> Network {
        let Cluster { latency_ps, byte_ps, overhead_ps, .. } = *self;
        Network { latency_ps, byte_ps, overhead_ps }
    }

    /// The number of ranks of so many workers.
    pub fn ranks_of(&self, workers: usize) -> usize {
        self.ranks.unwrap_or(workers).min(workers)
    }

    /// The number of workers in a rank, of so many in all.
    pub fn rank_workers(&self, workers: usize) -> usize {
        workers / self.ranks_of(workers)
    }

    /// Whether a search with these parameters can run on the cluster, with so many workers and a
    /// table of `hash_mib` MiB.
    ///
    /// # Errors
    /// The key that stands against it, and the value that was expected.
    pub fn fits(
        &self,
        own: &dyn Algorithm,
        (workers, hash_mib): (usize, usize),
    ) -> Result<(), (&'static str, String)> {
        own.fits_messages().map_err(|why| ("searchers", format!("{}: {why}", own.name())))?;
        if own.takes_one_thread() {
            return Ok(());
        }
        if let Some(ranks) =
            self.ranks.filter(|ranks| workers > 1 && !workers.is_multiple_of(*ranks))
        {
            let what =
                format!("{workers} threads found, 1 or a multiple of {ranks} ranks expected");
            return Err(("threads", what));
        }
        let (of_rank, most) = (self.rank_workers(workers), own.most_rank_workers());
        if of_rank > most {
            let what = format!(
                "{of_rank} workers of {} in a rank found, at most {most} expected",
                own.name()
            );
            return Err(("ranks", what));
        }
        let Some(rank_mib) = self.rank_mib else { return Ok(()) };
        let parts = hash_mib / rank_mib;
        if parts < self.ranks_of(workers)
            || !parts.is_power_of_two()
            || parts * rank_mib != hash_mib
        {
            let what = format!(
                "{hash_mib} found, {rank_mib} times a power of two expected that is {} or more: \
                 {rank_mib} MiB for each rank",
                self.ranks_of(workers)
            );
            return Err(("hash_mib", what));
        }
        Ok(())
    }

    /// The access of a searcher's workers to a table of `hash_mib` MiB. `cluster` is the one that
    /// they run on, if any.
    pub(super) fn access(
        cluster: Option<Cluster>,
        own: &dyn Algorithm,
        (workers, hash_mib): (usize, usize),
    ) -> TableAccess {
        let CommonSettings { table, table_access, .. } = own.common_settings();
        let private = table == Holding::Private;
        let access = TableAccess::new(private, table_access);
        // A searcher of one worker is the measure: it has the memory of all.
        let Some(cluster) = cluster.filter(|_| !own.takes_one_thread()) else { return access };
        let of_rank = if private { 1 } else { cluster.rank_workers(workers) };
        let parts = cluster.rank_mib.map_or(1, |mib| hash_mib / mib);
        access.divided(of_rank, parts.max(1).ilog2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searchers::Searcher;

    fn resolve(text: &str) -> Result<Cluster, String> {
        Cluster::resolve(&toml::from_str(text).expect("TOML")).map_err(|why| why.to_string())
    }

    #[test]
    fn takes_what_is_said_and_else_the_defaults() {
        let cluster = resolve("ranks = 4\nlatency_ps = 7").expect("a cluster");
        assert_eq!(cluster, Cluster { ranks: Some(4), latency_ps: 7, ..Cluster::default() });
        assert_eq!((cluster.ranks_of(16), cluster.rank_workers(16)), (4, 4));
        assert_eq!((cluster.ranks_of(1), cluster.rank_workers(1)), (1, 1));
        let each = Cluster::default();
        assert_eq!((each.ranks_of(16), each.rank_workers(16)), (16, 1));
        let written = toml::to_string(&each).expect("TOML");
        assert_eq!(written, "latency_ps = 2000000\nbyte_ps = 100\noverhead_ps = 500000\n");
    }

    #[test]
    fn says_what_is_impossible() {
        for (text, message) in [
            ("ranks = 0", "`ranks` is 0: 1 to 1024 expected"),
            ("latency_ps = -1", "`latency_ps` is -1: 0 to 1000000000000 expected"),
            ("byte_ps = 0.5", "`byte_ps` is 0.5: 0 to 1000000000000 expected"),
            ("latency = 1", "unknown key `latency`: did you mean `latency_ps`?"),
        ] {
            let error = resolve(text).expect_err("refused");
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn refuses_searches_that_do_not_fit() {
        let cluster = resolve("ranks = 4\nrank_mib = 2").expect("a cluster");
        let fits = |name: &str, workers, hash_mib| {
            cluster.fits(Searcher::named(name).defaults(), (workers, hash_mib))
        };
        let refused = |name: &str, workers, hash_mib, key, what: &str| {
            let (of, why) = fits(name, workers, hash_mib).expect_err("refused");
            assert_eq!((of, &*why), (key, what));
        };
        assert_eq!(fits("recursive-splitting", 4, 8), Ok(()));
        assert_eq!(fits("recursive-splitting", 1, 8), Ok(()));
        assert_eq!(fits("sequential", 1, 9), Ok(()));
        let shares = "ybwc: its workers share memory, and cannot be processes";
        refused("ybwc", 4, 8, "searchers", shares);
        let multiple = "6 threads found, 1 or a multiple of 4 ranks expected";
        refused("recursive-splitting", 6, 8, "threads", multiple);
        refused("recursive-splitting", 2, 8, "threads", &multiple.replace('6', "2"));
        let most = "2 workers of recursive-splitting in a rank found, at most 1 expected";
        refused("recursive-splitting", 8, 8, "ranks", most);
        let times =
            "6 found, 2 times a power of two expected that is 4 or more: 2 MiB for each rank";
        refused("recursive-splitting", 4, 6, "hash_mib", times);
    }
}
