//! A virtual cluster: ranks that share no memory, and the messages between them:
//! `[virtual.network]` in an experiment.

use crate::cores::Network;
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
