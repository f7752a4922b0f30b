//! The searchers: all of them, by name.
//!
//! A new searcher is a file in `catalogue/`; its module and its line in the list stand here. No
//! other code needs to name it. A test compares its keys with `docs/parameters-searchers.md`;
//! `docs/adding-a-searcher.md` says how they get there. Before you write a searcher, see whether a
//! parameter of an existing one is enough.
//!
//! A searcher of another program is registered: [`Searcher::register`].

pub mod abdada;
pub mod dts;
pub mod jamboree;
pub mod lazy_ring;
pub mod lazy_smp;
pub mod pipelined;
pub mod pv_splitting;
pub mod recursive_splitting;
pub mod root_splitting;
pub mod sequential;
pub mod stealing;
pub mod ybwc;
pub mod ybwc_messages;

use super::searcher::Searcher;
use crate::value::nearest;
use serde::{Deserialize, Deserializer, de::Error};
use std::str::FromStr;
use std::sync::OnceLock;

/// The searchers of this program, in the order in which they are listed everywhere.
const BUILT_IN: &[Searcher] = &[
    BASELINE,
    Searcher::new(&root_splitting::Settings::DEFAULT),
    Searcher::new(&recursive_splitting::Settings::DEFAULT),
    Searcher::new(&pv_splitting::Settings::DEFAULT),
    Searcher::new(&jamboree::Settings::DEFAULT),
    USUAL,
    Searcher::new(&pipelined::Settings::DEFAULT),
    Searcher::new(&ybwc_messages::Settings::DEFAULT),
    Searcher::new(&stealing::Settings::DEFAULT),
    Searcher::new(&dts::Settings::DEFAULT),
    Searcher::new(&abdada::Settings::DEFAULT),
    LOOSE,
    Searcher::new(&lazy_ring::Settings::DEFAULT),
];

/// The base of all comparisons: one worker.
const BASELINE: Searcher = Searcher::new(&sequential::Sequential);
/// The default searcher of several workers. It makes split points.
const USUAL: Searcher = Searcher::new(&ybwc::Settings::DEFAULT);
/// The searcher that an experiment compares with the usual one by default. Its workers share no
/// nodes.
const LOOSE: Searcher = Searcher::new(&lazy_smp::Settings::DEFAULT);

/// All searchers, and their names in that order. They are set once: by [`Searcher::register`], or
/// by the first question.
static ALL: OnceLock<(Vec<Searcher>, Vec<&'static str>)> = OnceLock::new();

fn with_names(all: Vec<Searcher>) -> (Vec<Searcher>, Vec<&'static str>) {
    let names = all.iter().map(|searcher| searcher.name()).collect();
    (all, names)
}

fn all() -> &'static (Vec<Searcher>, Vec<&'static str>) {
    ALL.get_or_init(|| with_names(BUILT_IN.to_vec()))
}

/// The searchers of this program and more.
fn extended(more: &[Searcher]) -> Result<Vec<Searcher>, String> {
    let mut all = BUILT_IN.to_vec();
    for searcher in more {
        let (name, known) = (searcher.name(), |c: char| c.is_ascii_alphanumeric() || c == '-');
        if name.is_empty() || !name.chars().all(known) {
            return Err(format!("a searcher `{name}`: letters, digits and hyphens expected"));
        }
        if all.contains(searcher) {
            return Err(format!(
                "a searcher `{name}`: there is one of this name, another expected"
            ));
        }
        all.push(*searcher);
    }
    Ok(all)
}

impl Searcher {
    /// Adds searchers to those of this program. It is called once, before any other function asks
    /// for one.
    ///
    /// # Errors
    /// Two searchers of one name, a name that cannot stand in a file, or a call that comes too
    /// late.
    pub fn register(more: &[Searcher]) -> Result<(), String> {
        let all = with_names(extended(more)?);
        ALL.set(all).map_err(|_| "searchers are registered before any is asked for".to_owned())
    }

    /// Every searcher, in the order in which they are listed.
    pub fn all() -> &'static [Searcher] {
        &all().0
    }

    /// The searchers that can use more than one worker.
    pub fn parallel() -> impl Iterator<Item = Searcher> {
        Searcher::all().iter().copied().filter(|searcher| !searcher.takes_one_thread())
    }

    /// The names of all searchers.
    pub fn names() -> &'static [&'static str] {
        &all().1
    }

    /// The searcher with one worker, which all others are measured against.
    pub const fn baseline() -> Searcher {
        BASELINE
    }

    /// The default searcher of several workers. It makes split points.
    pub const fn usual() -> Searcher {
        USUAL
    }

    /// The searchers that an experiment compares by default.
    pub const fn compared() -> [Searcher; 2] {
        [USUAL, LOOSE]
    }

    /// The searcher of this name.
    ///
    /// # Panics
    /// If there is no such searcher; [`str::parse`] returns an error instead.
    pub fn named(name: &str) -> Searcher {
        name.parse().unwrap_or_else(|why| panic!("{why}"))
    }
}

impl FromStr for Searcher {
    type Err = String;

    fn from_str(name: &str) -> Result<Searcher, String> {
        let known = Searcher::all().iter().find(|searcher| searcher.name() == name);
        known.copied().ok_or_else(|| {
            let near = nearest(name, Searcher::names().iter().copied());
            let which = near.map_or_else(
                || format!("; there are {}", Searcher::names().join(", ")),
                |near| format!(": did you mean `{near}`?"),
            );
            format!("there is no searcher `{name}`{which}")
        })
    }
}

impl<'de> Deserialize<'de> for Searcher {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Searcher, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(|_| D::Error::unknown_variant(&name, Searcher::names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_searchers_have_one_name() {
        assert_eq!(extended(&[]).as_deref(), Ok(BUILT_IN));
        let twice = extended(&[Searcher::usual()]).expect_err("twice");
        assert_eq!(twice, "a searcher `ybwc`: there is one of this name, another expected");
        let names = extended(&[]).expect("no two").iter().map(|one| one.name()).collect::<Vec<_>>();
        assert_eq!(names, Searcher::names(), "nobody registers any in these tests");
        assert!(Searcher::register(&[]).is_err_and(|why| why.contains("before any is asked for")));
    }

    #[test]
    fn every_searcher_is_found_by_its_name() {
        for searcher in Searcher::all() {
            assert_eq!(searcher.name().parse().as_ref(), Ok(searcher));
        }
        let none = "lazy_smp".parse::<Searcher>().expect_err("it has a hyphen");
        assert_eq!(none, "there is no searcher `lazy_smp`: did you mean `lazy-smp`?");
        let none = "mtd".parse::<Searcher>().expect_err("a technique");
        assert!(none.starts_with("there is no searcher `mtd`; there are sequential, root-"));
        let read: Result<Vec<Searcher>, _> = Deserialize::deserialize(
            serde::de::value::SeqDeserializer::<_, serde::de::value::Error>::new(
                ["dts", "x"].into_iter(),
            ),
        );
        let refused = read.expect_err("no searcher").to_string();
        assert!(
            refused.starts_with("unknown variant `x`, expected one of `sequential`, "),
            "{refused}"
        );
    }
}
