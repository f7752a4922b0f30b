//! The cost models of virtual cores, by searcher: `[virtual]` in an experiment.

use super::cluster::Cluster;
use super::searcher::Searcher;
use crate::cores::{Caches, Cores, CostModel, Machine, Schedule, Simulation, Turbo};
use crate::value::{Table, Value, ValueError, table_of};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::collections::BTreeMap;
use std::time::Duration;

/// The costs of all searchers, and those of single searchers (`[virtual.NAME]`). They differ
/// because workers that share more slow each other's nodes down more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// The costs of all searchers that have no model of their own.
    pub common: CostModel,
    /// The models of single searchers. They are whole models: a later change of `common` does not
    /// change them.
    own: BTreeMap<Searcher, CostModel>,
    /// The cluster on which searches run over messages, if there is one (`[virtual.network]`).
    pub cluster: Option<Cluster>,
    /// The machine of all searchers: its caches (`[virtual.cache]`) and its frequency by the number
    /// of busy cores (`[virtual.turbo]`).
    pub machine: Machine,
}

/// The keys that no single searcher may set: in one round all searchers meet equal noise, on one
/// machine.
const EQUAL_FOR_ALL: [&str; 5] =
    ["jitter_permille", "processors", "slice_ps", "switch_ps", "dilate"];
/// The costs that older models do not have; they are read as the defaults. No search paid `copy_ps`
/// then, and an evaluation was free or cost as much as a quiescence node. Keys of parking, of
/// shared processors and of dilated time are written only where they are not the defaults.
const ADDED_LATER: [&str; 11] = [
    "evaluation_ps",
    "copy_ps",
    "spin_ps",
    "park_ps",
    "unpark_ps",
    "start_ps",
    "tear_ps",
    "processors",
    "slice_ps",
    "switch_ps",
    "dilate",
];
/// Whether most searchers never pay a cost, or the key is no cost.
fn is_seldom(key: &str) -> bool {
    key == "reduce_ps" || ADDED_LATER.contains(&key)
}
/// The tables that are no searcher's: of the cluster, of the caches and of the frequency.
const NETWORK: &str = "network";
const CACHE: &str = "cache";
const TURBO: &str = "turbo";
/// The cost that a single searcher's table always states.
const SLOWDOWN: &str = "slowdown_permille";

impl Costs {
    /// The costs that a user's table states; the default of each cost that it leaves out.
    ///
    /// # Errors
    /// A table whose name is no searcher's, or an error of [`CostModel::resolve`]. The key of a
    /// single searcher's cost is `NAME.KEY`.
    pub fn resolve(table: &Table) -> Result<Costs, ValueError> {
        let mut common = table.clone();
        let mut own = Vec::new();
        let cluster = part(&mut common, NETWORK, Cluster::resolve)?;
        let caches = part(&mut common, CACHE, Caches::resolve)?;
        let turbo = part(&mut common, TURBO, Turbo::resolve)?;
        let machine = Machine { caches, turbo };
        let rest = common.clone();
        for (key, value) in &rest {
            let searcher = key.parse::<Searcher>();
            match (searcher, value) {
                (Ok(searcher), Value::Table(costs)) => {
                    common.remove(key);
                    own.push((searcher, costs));
                }
                (Ok(_), value) => {
                    let what = format!("`{key}` is {value}: a table expected");
                    return Err(ValueError::at(&[key], what));
                }
                (Err(why), Value::Table(_)) => return Err(ValueError::at(&[key], why)),
                (Err(_), _) => {}
            }
        }
        let common_model = CostModel::resolve(&common)?;
        if caches.is_some() && common_model.processors != CostModel::default().processors {
            let what =
                "found with `cache`, none expected: its topology says how many cores there are";
            return Err(ValueError::at(&["processors"], format!("`processors`: {what}")));
        }
        let mut costs = Costs { cluster, machine, ..Costs::from(common_model) };
        for (searcher, own) in own {
            let here = |why: ValueError| within(searcher.name(), why);
            if let Some(key) = EQUAL_FOR_ALL.into_iter().find(|key| own.contains_key(*key)) {
                let what = format!("`{key}` is the same for all searchers");
                return Err(here(ValueError::at(&[key], what)));
            }
            let whole = common.clone().into_iter().chain(own.clone()).collect();
            costs.set(searcher, CostModel::resolve(&whole).map_err(here)?);
        }
        Ok(costs)
    }

    /// These costs, without the models of single searchers that are not in the list.
    #[must_use]
    pub fn only(mut self, searchers: &[Searcher]) -> Costs {
        self.own.retain(|searcher, _| searchers.contains(searcher));
        self
    }

    /// The costs of one searcher.
    pub fn of(&self, searcher: Searcher) -> CostModel {
        self.own.get(&searcher).copied().unwrap_or(self.common)
    }

    /// Gives a searcher a model of its own.
    pub fn set(&mut self, searcher: Searcher, model: CostModel) {
        self.own.insert(searcher, model);
    }

    /// These costs, with each model changed.
    ///
    /// # Errors
    /// The first error of `change`.
    pub fn changed<E>(
        &self,
        change: impl Fn(&CostModel) -> Result<CostModel, E>,
    ) -> Result<Costs, E> {
        let mut costs = Costs {
            cluster: self.cluster,
            machine: self.machine,
            ..Costs::from(change(&self.common)?)
        };
        for (searcher, model) in &self.own {
            costs.set(*searcher, change(model)?);
        }
        Ok(costs)
    }

    /// Whether the costs of nodes vary from run to run.
    pub const fn vary(&self) -> bool {
        self.common.jitter_permille > 0
    }

    /// Checks that so many workers have a place each on the machine.
    ///
    /// # Errors
    /// The number of places, in words, if there are fewer.
    pub fn check_workers(&self, workers: usize) -> Result<(), String> {
        let Some(caches) = self.machine.caches.filter(|caches| workers > caches.threads()) else {
            return Ok(());
        };
        let Caches { threads_per_core, cores_per_cluster, clusters_per_socket, sockets, .. } =
            caches;
        Err(format!(
            "{workers} workers found, at most {} expected: places of the machine in \
             `[virtual.cache]`, {sockets} x {clusters_per_socket} x {cores_per_cluster} x \
             {threads_per_core} (sockets, clusters, cores, threads)",
            caches.threads()
        ))
    }

    /// The number of processors that workers share; none if each has one of its own.
    pub fn processors(&self) -> Option<usize> {
        let processors = self.common.processors;
        (processors < CostModel::default().processors).then_some(processors as usize)
    }

    /// Variations of the costs: one cost at a time is halved or doubled, for all searchers at once.
    /// Each has the key of the cost, whether it is doubled, and the costs. Variations that change
    /// nothing or are impossible are left out; so are the costs that most searchers never pay.
    pub fn halved_and_doubled(&self) -> Vec<(&'static str, bool, Costs)> {
        let keys = CostModel::KEYS.iter().filter(|key| !is_seldom(key));
        let of_messages = Cluster::KEYS.iter().filter(|key| key.ends_with("_ps"));
        let of_lines = Caches::KEYS.iter().filter(|key| key.ends_with("_ps"));
        let ways =
            keys.chain(of_messages).chain(of_lines).flat_map(|&key| [(key, false), (key, true)]);
        ways.filter_map(|(key, doubled)| Some((key, doubled, self.varied(key, doubled)?))).collect()
    }

    fn varied(&self, key: &str, doubled: bool) -> Option<Costs> {
        if Cluster::KEYS.contains(&key) {
            let cluster = Some(self.cluster?.varied(key, doubled)?);
            return Some(Costs { cluster, ..self.clone() });
        }
        if Caches::KEYS.contains(&key) {
            let caches = Some(self.machine.caches?.varied(key, doubled)?);
            return Some(Costs { machine: Machine { caches, ..self.machine }, ..self.clone() });
        }
        let costs = self.changed(|model| model.varied(key, doubled).ok_or(())).ok()?;
        (costs != *self).then_some(costs)
    }

    /// The costs of single searchers: the slowdown of each, and its differences from the common
    /// costs.
    fn differences(&self) -> Result<BTreeMap<&'static str, Table>, ValueError> {
        let common = table_of(&self.common)?;
        let differences = |(searcher, model): (&Searcher, &CostModel)| {
            let mut costs = table_of(model)?;
            costs.retain(|key, value| key == SLOWDOWN || common.get(key) != Some(value));
            Ok((searcher.name(), costs))
        };
        self.own.iter().map(differences).collect()
    }
}

/// The virtual cores of a lab: their costs, the rule by which workers go on, and the longest time
/// of a search on the host.
pub(super) struct Simulated {
    pub(super) costs: Costs,
    pub(super) schedule: Schedule,
    pub(super) host_limit: Option<Duration>,
}

impl Simulated {
    /// The cores of a search with these seeds: of the noise of costs, and of ties.
    pub(super) fn cores(&self, searcher: Searcher, (noise, ties): (u64, u64)) -> Cores<'_> {
        let Simulated { ref costs, schedule, host_limit } = *self;
        let (model, machine) = (costs.of(searcher), costs.machine);
        Cores::Virtual(Simulation { model, machine, noise, ties, schedule, host_limit })
    }
}

/// A table of its own among the costs, taken out of them and resolved.
fn part<T>(
    common: &mut Table,
    name: &str,
    resolve: impl FnOnce(&Table) -> Result<T, ValueError>,
) -> Result<Option<T>, ValueError> {
    match common.remove(name) {
        None => Ok(None),
        Some(Value::Table(of)) => resolve(&of).map(Some).map_err(|why| within(name, why)),
        Some(value) => {
            let what = format!("`{name}` is {value}: a table expected");
            Err(ValueError::at(&[name], what))
        }
    }
}

/// A mistake in the table of this name.
fn within(name: &str, why: ValueError) -> ValueError {
    let what = why.what.replacen('`', &format!("`{name}."), 1);
    ValueError { what, ..why.below(name) }
}

impl From<CostModel> for Costs {
    fn from(common: CostModel) -> Costs {
        Costs { common, own: BTreeMap::new(), cluster: None, machine: Machine::default() }
    }
}

impl Serialize for Costs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'a> {
            #[serde(flatten)]
            common: &'a CostModel,
            #[serde(flatten)]
            own: BTreeMap<&'static str, Table>,
        }
        let mut own = self.differences().map_err(serde::ser::Error::custom)?;
        if let Some(cluster) = &self.cluster {
            own.insert(NETWORK, table_of(cluster).map_err(serde::ser::Error::custom)?);
        }
        if let Some(caches) = &self.machine.caches {
            own.insert(CACHE, table_of(caches).map_err(serde::ser::Error::custom)?);
        }
        if let Some(turbo) = &self.machine.turbo {
            own.insert(TURBO, turbo.table());
        }
        Written { common: &self.common, own }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Costs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Costs, D::Error> {
        let table = Table::deserialize(deserializer)?;
        let mut whole = CostModel::KEYS.iter().filter(|key| !ADDED_LATER.contains(key));
        match whole.find(|key| !table.contains_key(**key)) {
            Some(missing) => Err(de::Error::missing_field(missing)),
            None => Costs::resolve(&table).map_err(de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Result<Costs, String> {
        Costs::resolve(&toml::from_str(text).expect("TOML")).map_err(|why| why.to_string())
    }

    #[test]
    fn a_searcher_may_have_costs_of_its_own() {
        let text = "node_ps = 7\nwake_ps = 3\n[ybwc]\nslowdown_permille = 90\nnode_ps = 8\n";
        let costs = resolve(text).expect("costs");
        let common = CostModel { node_ps: 7, wake_ps: 3, ..CostModel::default() };
        assert_eq!((costs.common, costs.of(Searcher::named("lazy-smp"))), (common, common));
        let own = CostModel { node_ps: 8, slowdown_permille: 90, ..common };
        assert_eq!(costs.of(Searcher::named("ybwc")), own);
        let written = toml::to_string(&costs).expect("TOML");
        assert!(written.starts_with("node_ps = 7\nquiescence_node_ps = "), "{written}");
        assert!(written.ends_with("\n[ybwc]\nnode_ps = 8\nslowdown_permille = 90\n"), "{written}");
        assert_eq!(resolve(&written).as_ref(), Ok(&costs));
        assert_eq!(toml::from_str(&written).as_ref(), Ok(&costs));
        assert!(toml::from_str::<Costs>("node_ps = 7\n").is_err(), "what is written is whole");
        let same = resolve("[ybwc]\n").expect("costs");
        assert_eq!(same.of(Searcher::named("ybwc")), CostModel::default());
        assert!(
            toml::to_string(&same).is_ok_and(|t| t.ends_with("[ybwc]\nslowdown_permille = 0\n"))
        );
        assert_eq!(costs.only(&[Searcher::named("lazy-smp")]), Costs::from(common));
    }

    #[test]
    fn says_what_is_impossible() {
        for (text, message) in [
            ("split_ps = -1", "`split_ps` is -1: 0 to 1000000000 expected"),
            ("[ybwc]\nsplit_ps = -1", "`ybwc.split_ps` is -1: 0 to 1000000000 expected"),
            ("[ybwc]\nnodes = 1", "unknown key `ybwc.nodes`: did you mean `node_ps`?"),
            (
                "[lazy_smp]\nnode_ps = 1",
                "there is no searcher `lazy_smp`: did you mean `lazy-smp`?",
            ),
            ("ybwc = 7", "`ybwc` is 7: a table expected"),
            ("[ybwc]\njitter_permille = 0", "`ybwc.jitter_permille` is the same for all searchers"),
            ("[ybwc]\nprocessors = 6", "`ybwc.processors` is the same for all searchers"),
            ("processors = 0", "`processors` is 0: 1 to 1024 expected"),
            ("[cache]\nsockets = 0", "`cache.sockets` is 0: 1 to 1024 expected"),
            ("[cache]\nways = 8", "unknown key `cache.ways`"),
            ("cache = true", "`cache` is true: a table expected"),
            ("[turbo]\n4 = 900\n8 = 950", "`turbo.8` is 950: at most 900 expected"),
            ("processors = 4\n[cache]", "`processors`: found with `cache`, none expected"),
            ("[ybwc.cache]", "unknown key `ybwc.cache`"),
        ] {
            let error = resolve(text).expect_err("refused");
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn shared_processors_are_written_where_they_are_shared() {
        let written = |text| toml::to_string(&resolve(text).expect("costs")).expect("TOML");
        let usual = written("");
        assert!(!usual.contains("processors") && !usual.contains("slice"), "{usual}");
        assert_eq!(written("processors = 1024\nslice_ps = 3000000000\n"), usual);
        let shared = written("processors = 6\nswitch_ps = 0\n[ybwc]\nnode_ps = 8\n");
        assert!(shared.contains("processors = 6\nswitch_ps = 0\n"), "{shared}");
        let read: Costs = toml::from_str(&shared).expect("costs");
        let own = read.of(Searcher::named("ybwc"));
        assert_eq!((own.node_ps, own.processors, own.switch_ps), (8, 6, 0));
        assert!(written("dilate = 1").eq(&usual) && written("dilate = 8").contains("dilate = 8\n"));
    }

    #[test]
    fn the_machine_is_written_only_if_it_is_said() {
        let text = "[cache]\ncluster_ps = 22000\n[turbo]\n1 = 1000\n64 = 800\n";
        let costs = resolve(text).expect("costs");
        let written = toml::to_string(&costs).expect("TOML");
        assert_eq!(toml::from_str(&written).as_ref(), Ok(&costs), "{written}");
        assert!(written.contains("[cache]\n") && written.contains("[turbo]\n1 = 1000\n64 = 800"));
        let plain = toml::to_string(&Costs::default()).expect("TOML");
        assert!(!plain.contains("cache") && !plain.contains("turbo"));
        assert_eq!(costs.check_workers(128), Ok(()));
        let error = costs.check_workers(129).expect_err("too many");
        assert!(error.starts_with("129 workers found, at most 128 expected"), "{error}");
        let doubled = costs.varied("machine_ps", true).expect("dearer");
        assert_eq!(doubled.machine.caches.map(|of| of.machine_ps), Some(394_000));
        assert_eq!(doubled.machine.turbo, costs.machine.turbo);
        assert!(costs.varied("machine_ps", false).is_none(), "nearer ones would cost more");
    }

    #[test]
    fn halves_and_doubles_what_costs_anything() {
        let free = CostModel { table_ps: 0, slowdown_permille: 0, ..CostModel::default() };
        let common = CostModel { wake_ps: 300, jitter_permille: 600, ..free };
        let mut costs = Costs::from(common);
        costs.machine.caches = Some(Caches::default());
        costs.set(Searcher::named("ybwc"), CostModel { slowdown_permille: 90, ..common });
        let all = costs.halved_and_doubled();
        let of = |key: &str| all.iter().filter(|(k, _, _)| *k == key).collect::<Vec<_>>();
        let [(_, false, half), (_, true, double)] = of("wake_ps")[..] else { panic!("{all:?}") };
        for searcher in [Searcher::named("ybwc"), Searcher::named("lazy-smp")] {
            assert_eq!((half.of(searcher).wake_ps, double.of(searcher).wake_ps), (150, 600));
            let back = CostModel { wake_ps: 300, ..half.of(searcher) };
            assert_eq!(back, costs.of(searcher), "one at a time");
        }
        assert_eq!(half.machine, costs.machine);
        let [(_, _, half), _] = of("slowdown_permille")[..] else { panic!("{all:?}") };
        assert_eq!(half.of(Searcher::named("ybwc")).slowdown_permille, 45);
        assert_eq!(half.of(Searcher::named("lazy-smp")).slowdown_permille, 0);
        let [(_, false, half)] = of("jitter_permille")[..] else { panic!("1200 is too much") };
        assert_eq!(half.common.jitter_permille, 300);
        assert!(of("table_ps").is_empty() && of("reduce_ps").is_empty());
    }
}
