//! The searchers by name, and their parameters.

use super::settings::{Conditions, Parameters};
use super::{
    abdada, dts, jamboree, lazy_smp, pv_splitting, recursive_splitting, root_splitting, ybwc,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A parallel search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Searcher {
    /// One worker.
    Sequential,
    /// The moves of the root dealt out.
    RootSplitting,
    /// Recursive splitting.
    RecursiveSplitting,
    /// Splitting on the principal variation.
    PvSplitting,
    /// Jamboree.
    Jamboree,
    /// Young Brothers Wait.
    Ybwc,
    /// Dynamic tree splitting.
    Dts,
    /// ABDADA.
    Abdada,
    /// Lazy SMP.
    LazySmp,
}

impl Searcher {
    /// Every searcher.
    pub const ALL: [Searcher; 9] = [
        Searcher::Sequential,
        Searcher::RootSplitting,
        Searcher::RecursiveSplitting,
        Searcher::PvSplitting,
        Searcher::Jamboree,
        Searcher::Ybwc,
        Searcher::Dts,
        Searcher::Abdada,
        Searcher::LazySmp,
    ];

    /// Those that can use more than one worker.
    pub fn parallel() -> impl Iterator<Item = Searcher> {
        Searcher::ALL.into_iter().filter(|searcher| *searcher != Searcher::Sequential)
    }

    /// Its name in files, options and output.
    pub const fn name(self) -> &'static str {
        match self {
            Searcher::Sequential => "sequential",
            Searcher::RootSplitting => "root-splitting",
            Searcher::RecursiveSplitting => "recursive-splitting",
            Searcher::PvSplitting => "pv-splitting",
            Searcher::Jamboree => "jamboree",
            Searcher::Ybwc => "ybwc",
            Searcher::Dts => "dts",
            Searcher::Abdada => "abdada",
            Searcher::LazySmp => "lazy-smp",
        }
    }

    /// What it does and whose idea it is.
    pub const fn about(self) -> &'static str {
        match self {
            Searcher::Sequential => {
                "Alpha-beta by one worker: what every other searcher is measured against. Takes \
                 exactly one thread."
            }
            Searcher::RootSplitting => {
                "Root splitting: the moves of the root are dealt out to the workers, one at a time, \
                 when the first has been searched; its alpha is shared. The simplest idea, and \
                 nobody's in particular; so does the OpenMP engine of Henni and Gaci."
            }
            Searcher::RecursiveSplitting => {
                "Recursive splitting: the group of workers is divided among the moves of the root, \
                 each part among the moves of the next node, down to parts of one worker; the best \
                 move is found by a reduction at each divided node. Loose's MPI engine, project \
                 report for CMU 15-418."
            }
            Searcher::PvSplitting => {
                "Splitting on the principal variation: from its end up to the root, the younger \
                 brothers at each of its nodes are dealt out when the eldest has been searched, and \
                 all must be done before the next. Marsland and Campbell, \"Parallel search of \
                 strongly ordered game trees\", ACM Computing Surveys 14(4), 1982."
            }
            Searcher::Jamboree => {
                "Jamboree: when the eldest brother of a node has been searched, all others are tested \
                 at once with a null window; on the principal variation those that turn out better \
                 are valued one after another. Kuszmaul's thesis, MIT 1994; the chess program \
                 *Socrates."
            }
            Searcher::Ybwc => {
                "Young Brothers Wait: the younger brothers of a node may be searched by several \
                 workers once the eldest has been searched and did not cut off. Feldmann, Monien, \
                 Mysliwietz and Vornberger, \"Distributed game-tree search\", ICCA Journal 12(2), \
                 1989; here on shared memory, with a helpful master."
            }
            Searcher::Dts => {
                "Dynamic tree splitting: every worker publishes its tree; who is idle looks at all of \
                 them and joins where the most work is likely left, never where a cutoff is likely. \
                 Hyatt, \"The dynamic tree-splitting parallel search algorithm\", ICCA Journal \
                 20(1), 1997 (Cray Blitz); here on a recursive search, whose owners must come back."
            }
            Searcher::Abdada => {
                "ABDADA: all workers search the same tree together over the shared table; a move that \
                 another worker is searching is put off until the others of its node are done. \
                 Weill, \"The ABDADA distributed minimax-search algorithm\", ICCA Journal 19(1), \
                 1996; here in T. Kerrigan's simplified form."
            }
            Searcher::LazySmp => {
                "Lazy SMP: every worker searches the same root by itself; they help one another \
                 only through the transposition table, and by not all being at the same depth. \
                 Described by D. Homan (EXchess); as each iteration's helpers by M. Petro (cheng4) \
                 and in E. Østensen's thesis, Oslo 2016."
            }
        }
    }
}

impl fmt::Display for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Searcher {
    type Err = String;
    fn from_str(name: &str) -> Result<Searcher, String> {
        Searcher::ALL.into_iter().find(|searcher| searcher.name() == name).ok_or_else(|| {
            let names = Searcher::ALL.map(Searcher::name).join(", ");
            format!("there is no searcher `{name}`; there are {names}")
        })
    }
}

/// Every searcher's own parameters: the tables `[searcher.NAME]` of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// `[searcher.root-splitting]`
    pub root_splitting: root_splitting::Settings,
    /// `[searcher.recursive-splitting]`
    pub recursive_splitting: recursive_splitting::Settings,
    /// `[searcher.pv-splitting]`
    pub pv_splitting: pv_splitting::Settings,
    /// `[searcher.jamboree]`
    pub jamboree: jamboree::Settings,
    /// `[searcher.ybwc]`
    pub ybwc: ybwc::Settings,
    /// `[searcher.dts]`
    pub dts: dts::Settings,
    /// `[searcher.abdada]`
    pub abdada: abdada::Settings,
    /// `[searcher.lazy-smp]`
    pub lazy_smp: lazy_smp::Settings,
}

/// A number of a searcher that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// Whose table it stands in.
    pub searcher: Searcher,
    /// Its key.
    pub key: &'static str,
    /// What it is.
    pub value: i64,
    /// The least and the most that it can be.
    pub range: (i64, i64),
}

impl Impossible {
    /// What it can be, in words.
    pub fn expected(&self) -> String {
        let (least, most) = self.range;
        if most == i64::MAX { format!("{least} or more") } else { format!("{least} to {most}") }
    }
}

impl Settings {
    /// The defaults, but for what is said of one searcher: its table `[searcher.NAME]`.
    ///
    /// # Errors
    /// An unknown key, a value of the wrong type or out of its range: which, and what was expected.
    pub fn with(searcher: Searcher, said: toml::Table) -> Result<Settings, String> {
        if searcher == Searcher::Sequential {
            return said.keys().next().map_or_else(
                || Ok(Settings::default()),
                |key| Err(format!("`{key}` found, none expected: sequential has no parameters")),
            );
        }
        let of_all = toml::Table::from_iter([(searcher.name().to_owned(), said.into())]);
        let settings: Settings =
            of_all.try_into().map_err(|e: toml::de::Error| e.message().to_owned())?;
        settings.check().map_err(|wrong| {
            format!("`{}` is {}: {} expected", wrong.key, wrong.value, wrong.expected())
        })?;
        Ok(settings)
    }

    /// All parameters of one searcher, as in its table; `sequential` has none.
    pub fn of(&self, searcher: Searcher) -> toml::Table {
        let all = toml::Table::try_from(self).unwrap_or_default();
        all.get(searcher.name()).and_then(toml::Value::as_table).cloned().unwrap_or_default()
    }

    /// Of each parallel searcher.
    fn all(&self) -> [(Searcher, &dyn Parameters); 8] {
        [
            (Searcher::RootSplitting, &self.root_splitting),
            (Searcher::RecursiveSplitting, &self.recursive_splitting),
            (Searcher::PvSplitting, &self.pv_splitting),
            (Searcher::Jamboree, &self.jamboree),
            (Searcher::Ybwc, &self.ybwc),
            (Searcher::Dts, &self.dts),
            (Searcher::Abdada, &self.abdada),
            (Searcher::LazySmp, &self.lazy_smp),
        ]
    }

    /// What the workers of a searcher have in common, and how they wait.
    pub(super) fn conditions(&self, searcher: Searcher) -> Conditions {
        let of = self.all().into_iter().find(|(other, _)| *other == searcher);
        of.map_or(Conditions::ALONE, |(_, parameters)| parameters.conditions())
    }

    /// Refuses numbers that are out of their ranges.
    ///
    /// # Errors
    /// The first of them.
    pub fn check(&self) -> Result<(), Impossible> {
        for (searcher, parameters) in self.all() {
            for (key, value, range) in parameters.numbers() {
                if !(range.0..=range.1).contains(&value) {
                    return Err(Impossible { searcher, key, value, range });
                }
            }
        }
        Ok(())
    }

    /// What the number with this key, in the table of a searcher of this name, can be: the least and the most.
    pub fn range(&self, searcher: &str, key: &str) -> Option<(i64, i64)> {
        let (_, of) = self.all().into_iter().find(|(other, _)| other.name() == searcher)?;
        let numbers = of.numbers();
        numbers.iter().find(|(other, ..)| *other == key).map(|(.., range)| *range)
    }

    /// The searchers whose workers are to go on one at a time.
    pub fn one_at_a_time(&self) -> impl Iterator<Item = Searcher> {
        let all = self.all().into_iter();
        all.filter(|(_, of)| of.conditions().one_at_a_time).map(|(searcher, _)| searcher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_ranges() {
        assert_eq!(Settings::default().check(), Ok(()));
        for (text, key) in [
            ("[ybwc]\neldest = 0", "eldest"),
            ("[ybwc]\nmin_depth = -3", "min_depth"),
            ("[ybwc]\nmost_workers = 1", "most_workers"),
            ("[ybwc]\npoll_nodes = 0", "poll_nodes"),
            ("[lazy-smp]\nspin_us = 2000000", "spin_us"),
        ] {
            let settings: Settings = toml::from_str(text).expect("well formed");
            assert!(settings.check().is_err_and(|wrong| wrong.key == key), "{text}");
        }
    }

    #[test]
    fn the_parameters_of_one_searcher_are_its_table() {
        let table = |text: &str| text.parse::<toml::Table>().expect("TOML");
        let settings = Settings::with(Searcher::Ybwc, table("eldest = 7")).expect("good");
        assert_eq!((settings.ybwc.eldest, &settings.dts), (7, &dts::Settings::default()));
        assert_eq!(Settings::with(Searcher::Ybwc, settings.of(Searcher::Ybwc)), Ok(settings));
        let refused = |text| Settings::with(Searcher::Ybwc, table(text)).expect_err(text);
        assert_eq!(refused("eldest = 0"), "`eldest` is 0: 1 to 218 expected");
        assert!(refused("eldst = 1").starts_with("unknown field `eldst`, expected one of"));
        assert!(Settings::default().of(Searcher::Sequential).is_empty());
    }

    #[test]
    fn the_older_name_of_the_history_is_read() {
        let text = ["root-splitting", "pv-splitting", "ybwc", "lazy-smp"]
            .map(|name| format!("[{name}]\nshared_history = false\n"))
            .concat();
        let settings: Settings = toml::from_str(&text).expect("as older programs wrote it");
        assert_eq!(settings.ybwc.history, crate::searchers::Sharing::Private);
        assert_eq!(settings.lazy_smp.history, crate::searchers::Holding::Private);
    }
}
