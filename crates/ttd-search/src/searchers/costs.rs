//! The cost models of virtual cores, by searcher: `[virtual]` in an experiment.

use super::cluster::Cluster;
use super::searcher::Searcher;
use crate::cores::{Cores, CostModel, Schedule, Simulation};
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
}

/// The keys that no single searcher may set: in one round all searchers meet equal noise, on one
/// machine.
const EQUAL_FOR_ALL: [&str; 5] =
    ["jitter_permille", "processors", "slice_ps", "switch_ps", "dilate"];
/// The costs that most searchers never pay, and the keys that are no costs.
const SELDOM: [&str; 7] =
    ["evaluation_ps", "reduce_ps", "copy_ps", "processors", "slice_ps", "switch_ps", "dilate"];
/// The costs that older models do not have; they are read as the defaults. No search paid `copy_ps`
/// then, and an evaluation was free or cost as much as a quiescence node. Keys of shared processors
/// and of dilated time are written only where they are not the defaults.
const ADDED_LATER: [&str; 6] =
    ["evaluation_ps", "copy_ps", "processors", "slice_ps", "switch_ps", "dilate"];
/// The table of the cluster.
const NETWORK: &str = "network";
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
        let network = common.remove(NETWORK);
        let cluster = match &network {
            None => None,
            Some(Value::Table(of)) => {
                Some(Cluster::resolve(of).map_err(|why| within(NETWORK, why))?)
            }
            Some(value) => {
                let what = format!("`{NETWORK}` is {value}: a table expected");
                return Err(ValueError::at(&[NETWORK], what));
            }
        };
        for (key, value) in table.iter().filter(|(key, _)| *key != NETWORK) {
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
        let mut costs = Costs { cluster, ..Costs::from(CostModel::resolve(&common)?) };
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
        let mut costs = Costs { cluster: self.cluster, ..Costs::from(change(&self.common)?) };
        for (searcher, model) in &self.own {
            costs.set(*searcher, change(model)?);
        }
        Ok(costs)
    }

    /// Whether the costs of nodes vary from run to run.
    pub const fn vary(&self) -> bool {
        self.common.jitter_permille > 0
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
        let keys = CostModel::KEYS.iter().filter(|key| !SELDOM.contains(key));
        let of_messages = Cluster::KEYS.iter().filter(|key| key.ends_with("_ps"));
        let ways = keys.chain(of_messages).flat_map(|&key| [(key, false), (key, true)]);
        ways.filter_map(|(key, doubled)| Some((key, doubled, self.varied(key, doubled)?))).collect()
    }

    fn varied(&self, key: &str, doubled: bool) -> Option<Costs> {
        if Cluster::KEYS.contains(&key) {
            let cluster = Some(self.cluster?.varied(key, doubled)?);
            return Some(Costs { cluster, ..self.clone() });
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
        let model = costs.of(searcher);
        Cores::Virtual(Simulation { model, noise, ties, schedule, host_limit })
    }
}

/// A mistake in the table of this name.
fn within(name: &str, why: ValueError) -> ValueError {
    let what = why.what.replacen('`', &format!("`{name}."), 1);
    ValueError { what, ..why.below(name) }
}

impl From<CostModel> for Costs {
    fn from(common: CostModel) -> Costs {
        Costs { common, own: BTreeMap::new(), cluster: None }
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
    fn halves_and_doubles_what_costs_anything() {
        let free = CostModel { table_ps: 0, slowdown_permille: 0, ..CostModel::default() };
        let common = CostModel { wake_ps: 300, jitter_permille: 600, ..free };
        let mut costs = Costs::from(common);
        costs.set(Searcher::named("ybwc"), CostModel { slowdown_permille: 90, ..common });
        let all = costs.halved_and_doubled();
        let of = |key: &str| all.iter().filter(|(k, _, _)| *k == key).collect::<Vec<_>>();
        let [(_, false, half), (_, true, double)] = of("wake_ps")[..] else { panic!("{all:?}") };
        for searcher in [Searcher::named("ybwc"), Searcher::named("lazy-smp")] {
            assert_eq!((half.of(searcher).wake_ps, double.of(searcher).wake_ps), (150, 600));
            let back = CostModel { wake_ps: 300, ..half.of(searcher) };
            assert_eq!(back, costs.of(searcher), "one at a time");
        }
        let [(_, _, half), _] = of("slowdown_permille")[..] else { panic!("{all:?}") };
        assert_eq!(half.of(Searcher::named("ybwc")).slowdown_permille, 45);
        assert_eq!(half.of(Searcher::named("lazy-smp")).slowdown_permille, 0);
        let [(_, false, half)] = of("jitter_permille")[..] else { panic!("1200 is too much") };
        assert_eq!(half.common.jitter_permille, 300);
        assert!(of("table_ps").is_empty() && of("reduce_ps").is_empty());
    }
}
