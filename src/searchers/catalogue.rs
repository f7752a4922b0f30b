//! The searchers by name, and their parameters.

use super::{lazy_smp, pv_splitting, root_splitting, ybwc};
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
    /// Splitting on the principal variation.
    PvSplitting,
    /// Young Brothers Wait.
    Ybwc,
    /// Lazy SMP.
    LazySmp,
}

impl Searcher {
    /// Every searcher.
    pub const ALL: [Searcher; 5] = [
        Searcher::Sequential,
        Searcher::RootSplitting,
        Searcher::PvSplitting,
        Searcher::Ybwc,
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
            Searcher::PvSplitting => "pv-splitting",
            Searcher::Ybwc => "ybwc",
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
            Searcher::PvSplitting => {
                "Splitting on the principal variation: from its end up to the root, the younger \
                 brothers at each of its nodes are dealt out when the eldest has been searched, and \
                 all must be done before the next. Marsland and Campbell, \"Parallel search of \
                 strongly ordered game trees\", ACM Computing Surveys 14(4), 1982."
            }
            Searcher::Ybwc => {
                "Young Brothers Wait: the younger brothers of a node may be searched by several \
                 workers once the eldest has been searched and did not cut off. Feldmann, Monien, \
                 Mysliwietz and Vornberger, \"Distributed game-tree search\", ICCA Journal 12(2), \
                 1989; here on shared memory, with a helpful master."
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
    /// `[searcher.pv-splitting]`
    pub pv_splitting: pv_splitting::Settings,
    /// `[searcher.ybwc]`
    pub ybwc: ybwc::Settings,
    /// `[searcher.lazy-smp]`
    pub lazy_smp: lazy_smp::Settings,
}

/// A number of a searcher that is out of its range, or a switch that cannot be on.
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

impl Settings {
    /// Refuses numbers that are out of their ranges.
    ///
    /// # Errors
    /// The first of them.
    pub fn check(&self) -> Result<(), Impossible> {
        let numbers: [(Searcher, &[Number]); 4] = [
            (Searcher::RootSplitting, &self.root_splitting.numbers()),
            (Searcher::PvSplitting, &self.pv_splitting.numbers()),
            (Searcher::Ybwc, &self.ybwc.numbers()),
            (Searcher::LazySmp, &self.lazy_smp.numbers()),
        ];
        for (searcher, numbers) in numbers {
            for &(key, value, range) in numbers {
                if !(range.0..=range.1).contains(&value) {
                    return Err(Impossible { searcher, key, value, range });
                }
            }
        }
        Ok(())
    }

    /// The searchers whose workers are to go on one at a time.
    pub fn one_at_a_time(&self) -> impl Iterator<Item = Searcher> + use<> {
        let all = [
            (Searcher::RootSplitting, self.root_splitting.sequential),
            (Searcher::PvSplitting, self.pv_splitting.sequential),
            (Searcher::Ybwc, self.ybwc.sequential),
            (Searcher::LazySmp, self.lazy_smp.sequential),
        ];
        all.into_iter().filter(|(_, on)| *on).map(|(searcher, _)| searcher)
    }
}

/// A parameter's key, its value, and the least and the most that it can be.
pub(super) type Number = (&'static str, i64, (i64, i64));

/// The longest time that a waiting worker may spin, microseconds.
pub(super) const MOST_SPIN_US: i64 = 1_000_000;

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
}
