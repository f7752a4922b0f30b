//! The price of things on virtual cores, as data.
//!
//! Every number is whole, so that the clock is equal on every machine. Anything without a price
//! here costs nothing: `docs/virtual-cores.md` lists what that leaves out.

use super::{Cost, Time};
use crate::engine::mix;
use crate::value::{Table, ValueError, read, table_of, unknown};
use serde::{Deserialize, Serialize};

/// Declares the prices, and the default of each.
macro_rules! prices {
    ($($(#[$doc:meta])+ $key:ident = $default:expr;)*) => {
        /// The prices, in picoseconds, and the causes that vary them.
        ///
        /// Invariant of a model from [`CostModel::resolve`]: each price is at most
        /// [`CostModel::MOST_PS`]. A node and an evaluation cost at least one picosecond. Shares
        /// are at most 1000. There is a processor at least, a slice has a length, and `dilate` is 1
        /// at least.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct CostModel {
            $($(#[$doc])+ pub $key: u64,)*
        }

        impl CostModel {
            /// The key of every price.
            pub const KEYS: &[&str] = &[$(stringify!($key)),*];

            /// The value of a key; none if there is no such key.
            pub fn get(&self, key: &str) -> Option<u64> {
                match key {
                    $(stringify!($key) => Some(self.$key),)*
                    _ => None,
                }
            }
        }

        /// One calibration (`ttd calibrate --depth 15 --runs 7`), rounded. It was frozen before any
        /// searcher was tuned on it.
        ///
        /// Only the slowdown is not from it: measured on two cores of a shared server, it says
        /// nothing of a machine with many. `docs/virtual-cores.md` tells the whole.
        impl Default for CostModel {
            fn default() -> CostModel {
                CostModel { $($key: $default,)* }
            }
        }
    };
}

prices! {
    /// A node of the search, ps (1 or more).
    node_ps = 229_000;
    /// A node of the quiescence search, ps (1 or more).
    quiescence_node_ps = 680_000;
    /// A static evaluation, ps (1 or more).
    ///
    /// It is charged for a leaf, beside the node, where there is no quiescence search. With
    /// `ordering = "static-evaluation"` it is also charged for each move that is put in order.
    evaluation_ps = 210_000;
    /// The further price of a node when the table is full, ps. It grows in proportion to the fill.
    table_ps = 0;
    /// Making a split point, ps.
    split_ps = 2_720_000;
    /// Joining a split point, ps.
    join_ps = 519_000;
    /// The stay in a section, ps. Workers that come meanwhile wait.
    section_ps = 52_000;
    /// The time from a wake until the woken worker goes on, ps.
    wake_ps = 376_000;
    /// The time after which a waiting worker parks, ps.
    ///
    /// 200 microseconds are `spin_us` of the searchers. It is written only if it is not the
    /// default, and so are the three keys below.
    #[serde(skip_serializing_if = "is::<SPIN_PS>")]
    spin_ps = SPIN_PS;
    /// The time by which a wake takes longer where the woken worker was parked, ps.
    #[serde(skip_serializing_if = "is::<0>")]
    park_ps = 0;
    /// The time that it takes a worker to wake a parked one, ps.
    #[serde(skip_serializing_if = "is::<0>")]
    unpark_ps = 0;
    /// The time by which a search of several workers begins later than one of a single worker, ps.
    #[serde(skip_serializing_if = "is::<0>")]
    start_ps = 0;
    /// The pause of a worker that writes an entry of the table without a lock, ps. Others that read
    /// it in a naked table find it torn then. It is written only if it is not the default.
    #[serde(skip_serializing_if = "is::<0>")]
    tear_ps = 0;
    /// Combining the results of two groups of workers, ps.
    reduce_ps = 500_000;
    /// Copying another worker's history at a split point, ps.
    copy_ps = 170_000_000;
    /// The rise of all nodes' price for each further worker that searches, thousandths.
    slowdown_permille = 0;
    /// The greatest variation of a node's price, up or down, thousandths. 0 turns it off.
    jitter_permille = 250;
    /// The number of processors that the workers share, 1 to 1024. From as many as there are
    /// workers on, each worker has one of its own. It is written only if it is not the default, and
    /// so are the two keys below.
    #[serde(skip_serializing_if = "is::<MOST_PROCESSORS>")]
    processors = MOST_PROCESSORS;
    /// The time after which a worker makes room for another that waits for a processor, ps (1 to
    /// [`CostModel::MOST_SLICE_PS`]).
    ///
    /// Three milliseconds are `base_slice_ns` of Linux 6.6 on eight processors or more.
    #[serde(skip_serializing_if = "is::<SLICE_PS>")]
    slice_ps = SLICE_PS;
    /// The time from when a processor goes from one worker to another until the latter runs, ps.
    ///
    /// 3.8 microseconds are the direct cost by Li, Ding and Shen, "Quantifying the cost of context
    /// switch", `ExpCS` 2007. Cold caches are not in it.
    #[serde(skip_serializing_if = "is::<SWITCH_PS>")]
    switch_ps = SWITCH_PS;
    /// The factor of dilated time on the real cores that are foretold, 1 to
    /// [`CostModel::MOST_DILATE`]. Written only if it is not 1.
    ///
    /// Dilated workers work, and stay in sections, for as long as the prices say. But a wake, and
    /// the time for which a section keeps others out, take wall time. So these two are divided by
    /// the factor. It is for workers with a processor of their own each.
    #[serde(skip_serializing_if = "is::<UNDILATED>")]
    dilate = UNDILATED;
}

/// The greatest number of processors, which is that of workers too.
const MOST_PROCESSORS: u64 = 1024;
const SPIN_PS: u64 = 200_000_000;
const SLICE_PS: u64 = 3_000_000_000;
const SWITCH_PS: u64 = 3_800_000;
const UNDILATED: u64 = 1;

/// Whether a key has its default: it is not written then.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "`serde` calls it so")]
const fn is<const DEFAULT: u64>(value: &u64) -> bool {
    *value == DEFAULT
}

/// The load that makes nodes cost more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// The number of workers that search, including the one that pays.
    pub(super) searching: usize,
    /// The share of the table in use, thousandths.
    pub(super) fill_permille: u64,
}

impl CostModel {
    /// The greatest price, ps: a millisecond.
    pub const MOST_PS: u64 = 1_000_000_000;
    /// The greatest length of a slice, ps: a second.
    pub const MOST_SLICE_PS: u64 = 1_000_000_000_000;
    /// The greatest factor by which time can be dilated.
    pub const MOST_DILATE: u64 = 10_000;

    /// The model that a user's table gives; keys that it lacks have their defaults.
    ///
    /// # Errors
    /// The key and the expected values, if a key is unknown, or a value is not whole or not
    /// possible.
    pub fn resolve(table: &Table) -> Result<CostModel, ValueError> {
        for (key, value) in table {
            let bounds = CostModel::bounds(key);
            let Some((least, most)) = bounds else {
                return Err(ValueError::at(&[key], unknown("key", key, CostModel::KEYS)));
            };
            match value.as_integer() {
                Some(number) if (least..=most).contains(&number) => {}
                _ => {
                    let what = format!("`{key}` is {value}: {least} to {most} expected");
                    return Err(ValueError::at(&[key], what));
                }
            }
        }
        let mut whole = table_of(&CostModel::default())?;
        whole.extend(table.clone());
        read(whole)
    }

    /// The model with one of its prices halved or doubled; none if that is impossible.
    pub fn varied(&self, key: &str, doubled: bool) -> Option<CostModel> {
        let change = |value: i64| if doubled { value * 2 } else { value / 2 };
        self.changed(key, change).ok()
    }

    /// The model with the value of one key changed.
    ///
    /// # Errors
    /// The key and the expected values, if there is no such key, or its new value is not possible.
    pub fn changed(
        &self,
        key: &str,
        change: impl FnOnce(i64) -> i64,
    ) -> Result<CostModel, ValueError> {
        let Some(value) = self.get(key) else {
            return Err(ValueError::at(&[key], unknown("key", key, CostModel::KEYS)));
        };
        let mut table = table_of(self)?;
        table.insert(key.to_owned(), change(value as i64).into());
        CostModel::resolve(&table)
    }

    /// The least and the greatest value of a key, if the key exists.
    fn bounds(key: &str) -> Option<(i64, i64)> {
        CostModel::KEYS.contains(&key).then_some(match key {
            "node_ps" | "quiescence_node_ps" | "evaluation_ps" => (1, CostModel::MOST_PS as i64),
            "slowdown_permille" | "jitter_permille" => (0, 1000),
            "processors" => (1, MOST_PROCESSORS as i64),
            "dilate" => (1, CostModel::MOST_DILATE as i64),
            "slice_ps" => (1, CostModel::MOST_SLICE_PS as i64),
            _ => (0, CostModel::MOST_PS as i64),
        })
    }

    /// A time that dilated workers do not pay for by rests, on their clock.
    pub(super) const fn undilated(&self, time: Time) -> Time {
        Time::from_ps(time.ps() / self.dilate)
    }

    /// The price of something under a load. `draw` returns a random number for the jitter.
    pub(super) fn cost(&self, cost: Cost, load: Load, draw: impl FnOnce() -> u64) -> Time {
        let others = load.searching.saturating_sub(1) as u64;
        let slowed = |ps: u64| ps + ps * others * self.slowdown_permille / 1000;
        let node = match cost {
            Cost::Node => self.node_ps,
            Cost::QuiescenceNode => self.quiescence_node_ps,
            Cost::Leaf => self.node_ps + self.evaluation_ps,
            Cost::Evaluation => return Time::from_ps(slowed(self.evaluation_ps)),
            Cost::Split => return Time::from_ps(self.split_ps),
            Cost::Join => return Time::from_ps(self.join_ps),
            Cost::Reduce => return Time::from_ps(self.reduce_ps),
            Cost::Copy => return Time::from_ps(self.copy_ps),
        };
        let slowed = slowed(node + self.table_ps * load.fill_permille / 1000);
        self.varies(slowed, draw)
    }

    /// The pause of a worker that writes an entry. It varies like a node's price, so that the
    /// second words of two writers may come in another order than the first.
    pub(super) fn tear(&self, draw: impl FnOnce() -> u64) -> Time {
        if self.tear_ps == 0 { Time::ZERO } else { self.varies(self.tear_ps, draw) }
    }

    /// A price with jitter.
    fn varies(&self, ps: u64, draw: impl FnOnce() -> u64) -> Time {
        if self.jitter_permille == 0 {
            return Time::from_ps(ps);
        }
        // Uniform on ps - spread ..= ps + spread, by the high half of a product.
        let spread = ps * self.jitter_permille / 1000;
        let offset = (u128::from(draw()) * u128::from(2 * spread + 1)) >> 64;
        Time::from_ps(ps - spread + offset as u64)
    }
}

/// A random number for each pair of a key and a counter: the last step of `SplitMix64`, twice.
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
pub(super) const fn hash(key: u64, counter: u64) -> u64 {
    mix(mix(key).wrapping_add(counter.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONE: Load = Load { searching: 1, fill_permille: 0 };

    fn resolve(text: &str) -> Result<CostModel, String> {
        CostModel::resolve(&toml::from_str(text).expect("TOML")).map_err(|why| why.to_string())
    }

    #[test]
    fn takes_what_is_said_and_else_the_defaults() {
        let model = resolve("node_ps = 7\njitter_permille = 0").expect("a model");
        let expected = CostModel { node_ps: 7, jitter_permille: 0, ..CostModel::default() };
        assert_eq!(model, expected);
    }

    #[test]
    fn every_field_is_a_key() {
        let none_usual = CostModel {
            processors: 2,
            slice_ps: 1,
            switch_ps: 0,
            dilate: 8,
            spin_ps: 1,
            park_ps: 2,
            unpark_ps: 3,
            start_ps: 4,
            tear_ps: 5,
            ..CostModel::default()
        };
        let table = table_of(&none_usual).expect("a table");
        assert_eq!(table.keys().collect::<Vec<_>>().len(), CostModel::KEYS.len());
        assert!(table.keys().all(|key| CostModel::KEYS.contains(&key.as_str())));
        assert_eq!(CostModel::resolve(&table), Ok(none_usual));
    }

    #[test]
    fn halves_and_doubles_what_it_can() {
        let model = CostModel { node_ps: 1, jitter_permille: 600, ..CostModel::default() };
        let doubled = CostModel { node_ps: 2, ..model };
        assert_eq!(model.varied("node_ps", true), Some(doubled));
        assert_eq!(model.varied("node_ps", false), None, "a node costs something");
        assert_eq!(model.varied("jitter_permille", true), None, "1200 is too much");
    }

    #[test]
    fn says_what_is_impossible() {
        for (text, message) in [
            ("split_ps = -1", "`split_ps` is -1: 0 to 1000000000 expected"),
            ("node_ps = 0", "`node_ps` is 0: 1 to 1000000000 expected"),
            ("node_ps = 1.5", "`node_ps` is 1.5: 1 to 1000000000 expected"),
            ("wake_ps = \"long\"", "`wake_ps` is \"long\": 0 to 1000000000 expected"),
            ("processors = 0", "`processors` is 0: 1 to 1024 expected"),
            ("dilate = 0", "`dilate` is 0: 1 to 10000 expected"),
            ("slice_ps = 0", "`slice_ps` is 0: 1 to 1000000000000 expected"),
            ("jitter_permille = 1001", "`jitter_permille` is 1001: 0 to 1000 expected"),
            ("nodes = 1", "unknown key `nodes`: did you mean `node_ps`?"),
        ] {
            let error = resolve(text).expect_err("refused");
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn jitter_keeps_the_mean_and_its_bounds() {
        let model = CostModel { node_ps: 1000, jitter_permille: 250, ..CostModel::default() };
        let costs: Vec<u64> =
            (0..10_000).map(|n| model.cost(Cost::Node, ALONE, || hash(5, n)).ps()).collect();
        assert!(costs.iter().all(|cost| (750..=1250).contains(cost)));
        let mean = costs.iter().sum::<u64>() / 10_000;
        assert!((995..=1005).contains(&mean), "{mean}");
        let torn = CostModel { tear_ps: 400, ..model };
        assert!((0..100).all(|n| (300..=500).contains(&torn.tear(|| hash(5, n)).ps())));
        assert_eq!(model.tear(|| 9), Time::ZERO, "without its price no time passes");
    }

    #[test]
    fn searching_workers_slow_each_other_down() {
        let model = CostModel {
            node_ps: 1000,
            jitter_permille: 0,
            slowdown_permille: 10,
            ..CostModel::default()
        };
        let cost = |searching| model.cost(Cost::Node, Load { searching, ..ALONE }, || 0).ps();
        assert_eq!([1, 2, 11].map(cost), [1000, 1010, 1100]);
        let model = CostModel { evaluation_ps: 2000, table_ps: 9, jitter_permille: 250, ..model };
        let load = Load { searching: 2, fill_permille: 1000 };
        assert_eq!(model.cost(Cost::Evaluation, load, || 7).ps(), 2020, "it asks no table");
        let model = CostModel { table_ps: 0, jitter_permille: 0, ..model };
        assert_eq!(model.cost(Cost::Leaf, load, || 7).ps(), 3030, "a node and its evaluation");
    }

    #[test]
    fn a_fuller_table_costs_more() {
        let model =
            CostModel { node_ps: 1000, table_ps: 400, jitter_permille: 0, ..CostModel::default() };
        let cost = |fill_permille| model.cost(Cost::Node, Load { fill_permille, ..ALONE }, || 0);
        assert_eq!([0, 250, 1000].map(|fill| cost(fill).ps()), [1000, 1100, 1400]);
    }
}
