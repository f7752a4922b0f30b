//! The machine that virtual cores make up, as data.
//!
//! It has a topology, prices of cache lines that come from other cores, hardware threads, and a
//! frequency by the number of busy cores. All of it is off by default. Then a line is as near to
//! one core as to another, and each worker has a whole core of constant speed.

use crate::value::{Table, Value, ValueError, read, table_of, unknown};
use serde::{Deserialize, Serialize};

/// The greatest price of a line, ps: a millisecond.
const MOST_PS: i64 = 1_000_000_000;
/// The most cores of a cluster, clusters of a socket, and so on.
const MOST_PARTS: i64 = 1024;
/// The most hardware threads of a core.
const MOST_THREADS: i64 = 8;
/// The most lines that the caches of a core can hold: 64 MiB.
const MOST_LINES: i64 = 1 << 20;
/// The most steps of a table of frequencies.
const MOST_STEPS: usize = 16;

/// The topology of a machine, and the prices of its cache lines: `[virtual.cache]`.
///
/// Prices are of one way of a line between two cores. The defaults are of a machine with two AMD
/// EPYC 7R13 (Milan): 9.8, 23, 107 and 197 ns. N. Viennot measured them
/// (<https://github.com/nviennot/core-to-core-latency>). Cores of this generation have 512 KiB of
/// second-level cache (8,192 lines), and eight of them share an L3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Caches {
    /// Hardware threads of a core (1 to 8).
    pub threads_per_core: u64,
    /// Cores that share an L3 cache (1 to 1024).
    pub cores_per_cluster: u64,
    /// Clusters of a socket (1 to 1024).
    pub clusters_per_socket: u64,
    /// Sockets (1 to 1024).
    pub sockets: u64,
    /// A line from another hardware thread of the core, ps.
    pub core_ps: u64,
    /// A line from another core of the cluster, ps.
    pub cluster_ps: u64,
    /// A line from another cluster of the socket, ps.
    pub socket_ps: u64,
    /// A line from another socket, ps.
    pub machine_ps: u64,
    /// The share of such a price that other work hides, outside of sections, thousandths (0 to
    /// 1000). Prefetched lines, several lines on their way at once and buffered stores hide it.
    pub hidden_permille: u64,
    /// The lines that the caches of a core hold (1 to 1,048,576).
    pub lines: u64,
    /// The work of a core with all its hardware threads busy, over that with one, thousandths (1 to
    /// 8000). A guess: it depends on the program.
    pub smt_permille: u64,
}

impl Default for Caches {
    fn default() -> Caches {
        Caches {
            threads_per_core: 1,
            cores_per_cluster: 8,
            clusters_per_socket: 8,
            sockets: 2,
            core_ps: 9_800,
            cluster_ps: 23_000,
            socket_ps: 107_000,
            machine_ps: 197_000,
            hidden_permille: 0,
            lines: 8192,
            smt_permille: 1250,
        }
    }
}

/// The distance between two workers, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Distance {
    Core,
    Cluster,
    Socket,
    Machine,
}

impl Distance {
    pub(super) const ALL: [Distance; 4] =
        [Distance::Core, Distance::Cluster, Distance::Socket, Distance::Machine];
}

impl Caches {
    /// The keys of the table.
    pub const KEYS: &[&str] = &[
        "threads_per_core",
        "cores_per_cluster",
        "clusters_per_socket",
        "sockets",
        "core_ps",
        "cluster_ps",
        "socket_ps",
        "machine_ps",
        "hidden_permille",
        "lines",
        "smt_permille",
    ];

    /// The caches that a user's table gives; keys that it lacks have their defaults.
    ///
    /// # Errors
    /// The key and the expected values, if a key is unknown, or a value is not whole or not
    /// possible. A line must not cost less from farther away.
    pub fn resolve(table: &Table) -> Result<Caches, ValueError> {
        for (key, value) in table {
            let (least, most) = match &**key {
                "threads_per_core" => (1, MOST_THREADS),
                "cores_per_cluster" | "clusters_per_socket" | "sockets" => (1, MOST_PARTS),
                "hidden_permille" => (0, 1000),
                "lines" => (1, MOST_LINES),
                "smt_permille" => (1, 1000 * MOST_THREADS),
                key if Caches::KEYS.contains(&key) => (0, MOST_PS),
                _ => return Err(ValueError::at(&[key], unknown("key", key, Caches::KEYS))),
            };
            if value.as_integer().is_none_or(|number| !(least..=most).contains(&number)) {
                let what = format!("`{key}` is {value}: {least} to {most} expected");
                return Err(ValueError::at(&[key], what));
            }
        }
        let mut whole = table_of(&Caches::default())?;
        whole.extend(table.clone());
        let caches: Caches = read(whole)?;
        let names = ["core_ps", "cluster_ps", "socket_ps", "machine_ps"];
        let prices = Distance::ALL.map(|distance| caches.price(distance));
        for (far, near) in (1..names.len()).map(|far| (far, far - 1)) {
            if prices[far] < prices[near] {
                let what = format!(
                    "`{}` is {}: `{}` ({}) or more expected, as a farther line costs no less",
                    names[far], prices[far], names[near], prices[near]
                );
                return Err(ValueError::at(&[names[far]], what));
            }
        }
        Ok(caches)
    }

    /// The caches with one of its prices halved or doubled; none if nothing changes, or if a line
    /// would cost less from farther away.
    pub(crate) fn varied(&self, key: &str, doubled: bool) -> Option<Caches> {
        let mut table = table_of(self).ok()?;
        let value = table.get(key).and_then(Value::as_integer)?;
        let changed = if doubled { value * 2 } else { value / 2 };
        table.insert(key.to_owned(), changed.into());
        Caches::resolve(&table).ok().filter(|varied| varied != self)
    }

    /// The number of cores.
    pub const fn cores(&self) -> usize {
        (self.cores_per_cluster * self.clusters_per_socket * self.sockets) as usize
    }

    /// The number of workers that have a hardware thread each.
    pub const fn threads(&self) -> usize {
        self.cores() * self.threads_per_core as usize
    }

    /// The core of a worker. The first workers have a core each, in the order of clusters and
    /// sockets. Later ones are their siblings, in that order again.
    pub const fn core_of(&self, worker: usize) -> usize {
        worker % self.cores()
    }

    /// The distance between two workers that are not the same.
    pub(super) fn distance(&self, one: usize, other: usize) -> Distance {
        let (one, other) = (self.core_of(one), self.core_of(other));
        let cluster = self.cores_per_cluster as usize;
        let socket = cluster * self.clusters_per_socket as usize;
        match () {
            () if one == other => Distance::Core,
            () if one / cluster == other / cluster => Distance::Cluster,
            () if one / socket == other / socket => Distance::Socket,
            () => Distance::Machine,
        }
    }

    /// The price of a line at a distance, ps.
    pub(super) const fn price(&self, distance: Distance) -> u64 {
        match distance {
            Distance::Core => self.core_ps,
            Distance::Cluster => self.cluster_ps,
            Distance::Socket => self.socket_ps,
            Distance::Machine => self.machine_ps,
        }
    }
}

/// The frequency by the number of busy cores: `[virtual.turbo]`. Between two steps it is
/// interpolated, and before the first and after the last it stays.
///
/// Invariant: the first `count` steps are there, with rising numbers of cores and frequencies that
/// do not rise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turbo {
    steps: [(u16, u16); MOST_STEPS],
    count: usize,
}

impl Turbo {
    /// The frequencies that a user's table gives. A key is a number of busy cores, its value the
    /// frequency in thousandths of that at which the prices hold.
    ///
    /// # Errors
    /// The key, if it is no number of cores or its value no frequency. A frequency must not rise
    /// with the number of busy cores. There is one step at least, and there are at most 16.
    pub fn resolve(table: &Table) -> Result<Turbo, ValueError> {
        let mut all = Vec::new();
        for (key, value) in table {
            let cores = key.parse::<u16>().ok().filter(|cores| (1..=1024).contains(cores));
            let Some(cores) = cores else {
                let what = format!("`{key}` found: a number of busy cores, 1 to 1024, expected");
                return Err(ValueError::at(&[key], what));
            };
            let permille = value.as_integer().filter(|permille| (1..=10_000).contains(permille));
            let Some(permille) = permille else {
                let what = format!("`{key}` is {value}: 1 to 10000 expected");
                return Err(ValueError::at(&[key], what));
            };
            all.push((cores, permille as u16));
        }
        all.sort_unstable();
        if let Some(two) = all.windows(2).find(|two| two[0].0 == two[1].0) {
            let what = format!("{} busy cores found twice, once expected", two[0].0);
            return Err(ValueError::at(&[&two[1].0.to_string()], what));
        }
        if let Some([(few, slow), (many, fast)]) =
            all.windows(2).map(|two| [two[0], two[1]]).find(|two| two[1].1 > two[0].1)
        {
            let what = format!(
                "`{many}` is {fast}: at most {slow} expected, as with {few} busy cores: more of \
                 them are no faster"
            );
            return Err(ValueError::at(&[&many.to_string()], what));
        }
        if all.is_empty() || all.len() > MOST_STEPS {
            let what = format!("{} steps found, 1 to {MOST_STEPS} expected", all.len());
            return Err(ValueError::at(&[], what));
        }
        let mut turbo = Turbo { steps: [(0, 0); MOST_STEPS], count: all.len() };
        turbo.steps[..all.len()].copy_from_slice(&all);
        Ok(turbo)
    }

    /// The table of these frequencies.
    pub fn table(&self) -> Table {
        let steps = self.steps[..self.count].iter();
        steps.map(|(cores, permille)| (cores.to_string(), i64::from(*permille).into())).collect()
    }

    /// The frequency with so many busy cores, thousandths (at least 1).
    pub fn permille(&self, busy: usize) -> u64 {
        let (steps, busy) = (&self.steps[..self.count], busy.min(1024) as u16);
        let after = steps.partition_point(|(cores, _)| *cores <= busy);
        match (after.checked_sub(1).map(|at| steps[at]), steps.get(after)) {
            (Some((few, fast)), Some(&(many, slow))) => {
                let [fast, slow] = [fast, slow].map(u64::from);
                fast - (fast - slow) * u64::from(busy - few) / u64::from(many - few)
            }
            (Some((_, last)), None) => u64::from(last),
            (None, first) => first.map_or(1000, |(_, permille)| u64::from(*permille)),
        }
    }
}

/// The machine: by default without caches, and with cores of constant speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// The topology and the prices of cache lines, if lines have a price.
    pub caches: Option<Caches>,
    /// The frequency by the number of busy cores, if it varies.
    pub turbo: Option<Turbo>,
}

impl Machine {
    /// Whether it is the default.
    pub const fn is_plain(&self) -> bool {
        self.caches.is_none() && self.turbo.is_none()
    }

    /// The core of a worker.
    pub(super) fn core_of(&self, worker: usize) -> usize {
        self.caches.map_or(worker, |caches| caches.core_of(worker))
    }

    /// The time of work on a core, in thousandths of its price. So many workers are `busy` on this
    /// core, and so many cores are busy in all.
    pub(super) fn price_permille(&self, busy: usize, cores: usize) -> u64 {
        let frequency = self.turbo.map_or(1000, |turbo| turbo.permille(cores));
        let smt = self.caches.map_or(1000, |caches| caches.smt_permille);
        // Few of many hardware threads cannot be faster than alone.
        let threads = if busy > 1 { (busy as u64 * 1_000_000 / smt).max(1000) } else { 1000 };
        threads * 1000 / frequency
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caches(text: &str) -> Result<Caches, String> {
        Caches::resolve(&toml::from_str(text).expect("TOML")).map_err(|why| why.to_string())
    }

    fn turbo(text: &str) -> Result<Turbo, String> {
        Turbo::resolve(&toml::from_str(text).expect("TOML")).map_err(|why| why.to_string())
    }

    #[test]
    fn takes_what_is_said_and_else_the_defaults() {
        let found = caches("sockets = 1\ncore_ps = 7").expect("caches");
        assert_eq!(found, Caches { sockets: 1, core_ps: 7, ..Caches::default() });
        let table = table_of(&Caches::default()).expect("a table");
        let keys: Vec<&str> = table.keys().map(String::as_str).collect();
        assert_eq!(keys.len(), Caches::KEYS.len());
        assert!(keys.iter().all(|key| Caches::KEYS.contains(key)));
    }

    #[test]
    fn says_what_is_impossible() {
        for (text, message) in [
            ("sockets = 0", "`sockets` is 0: 1 to 1024 expected"),
            ("threads_per_core = 9", "`threads_per_core` is 9: 1 to 8 expected"),
            ("lines = 0", "`lines` is 0: 1 to 1048576 expected"),
            ("cluster_ps = 0.5", "`cluster_ps` is 0.5: 0 to 1000000000 expected"),
            ("cluster = 1", "unknown key `cluster`: did you mean `cluster_ps`?"),
            ("socket_ps = 1", "`socket_ps` is 1: `cluster_ps` (23000) or more expected"),
        ] {
            let error = caches(text).expect_err("refused");
            assert!(error.starts_with(message), "{error}");
        }
        for (text, message) in [
            ("0 = 1000", "`0` found: a number of busy cores, 1 to 1024, expected"),
            ("many = 1000", "`many` found: a number of busy cores"),
            ("4 = 0", "`4` is 0: 1 to 10000 expected"),
            ("2 = 900\n10 = 950", "`10` is 950: at most 900 expected, as with 2 busy cores"),
            ("2 = 900\n02 = 900", "2 busy cores found twice, once expected"),
            ("", "0 steps found, 1 to 16 expected"),
        ] {
            let error = turbo(text).expect_err("refused");
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn cores_come_first_and_then_siblings() {
        let small = caches(
            "threads_per_core = 2\ncores_per_cluster = 2\nclusters_per_socket = 2\nsockets = 2",
        )
        .expect("caches");
        assert_eq!((small.cores(), small.threads()), (8, 16));
        let from_the_first = [1, 2, 3, 4, 7, 8, 9, 12].map(|worker| small.distance(0, worker));
        let expected = [1, 2, 2, 3, 3, 0, 1, 3].map(|place: usize| Distance::ALL[place]);
        assert_eq!(from_the_first, expected);
        assert_eq!(small.distance(13, 5), Distance::Core);
    }

    #[test]
    fn frequency_lies_between_its_steps() {
        let steps = turbo("4 = 1000\n8 = 900\n16 = 860").expect("a table");
        assert_eq!(
            [1, 4, 5, 6, 8, 12, 16, 99].map(|n| steps.permille(n)),
            [1000, 1000, 975, 950, 900, 880, 860, 860]
        );
        let again = Turbo::resolve(&steps.table()).expect("its own table");
        assert_eq!(again, steps);
    }

    #[test]
    fn siblings_and_busy_cores_make_work_dearer() {
        let plain = Machine::default();
        assert!(plain.is_plain());
        assert_eq!((plain.price_permille(1, 64), plain.core_of(7)), (1000, 7));
        let caches = Some(Caches { smt_permille: 1250, ..Caches::default() });
        let turbo = turbo("1 = 1000\n2 = 800").ok();
        let machine = Machine { caches, turbo };
        assert_eq!(machine.price_permille(1, 1), 1000);
        assert_eq!(machine.price_permille(2, 1), 1600, "each at five eighths");
        assert_eq!(machine.price_permille(2, 2), 2000);
    }
}
