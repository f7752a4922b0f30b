//! What a searcher is: parameters that know how to search, and what it says of itself.

use super::conditions::Conditions;
use super::team::{Ran, Search};
use crate::engine::Features;
use crate::value::{Value, ValueError};
use std::fmt;

/// A parameter of a searcher.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key in the table `[searcher.NAME]`.
    pub key: &'static str,
    /// A name that it had before, and that is still read; empty if it had none.
    pub older: &'static str,
    /// Of a number: the least and the most that it can be.
    pub range: Option<(i64, i64)>,
}

/// The parameters of a searcher, whichever it is. [`settings!`](crate::settings) implements this; a searcher without
/// parameters has its name only.
pub trait Parameters: fmt::Debug + Send + Sync + 'static {
    /// The searcher's name in files, options and output: small letters, digits and hyphens.
    fn name(&self) -> &'static str;

    /// What there is to set.
    fn fields(&self) -> &'static [Field] {
        &[]
    }

    /// The value of a key; none if there is no such key.
    fn get(&self, _key: &str) -> Option<Value> {
        None
    }

    /// Sets a key, one of [`Parameters::fields`].
    ///
    /// # Errors
    /// A value of the wrong type: which type was expected.
    fn set(&mut self, _key: &str, _value: Value) -> Result<(), ValueError> {
        Ok(())
    }

    /// What its workers have in common, and how they wait.
    fn conditions(&self) -> Conditions {
        Conditions::ALONE
    }

    /// A copy of these.
    fn boxed(&self) -> Box<dyn Algorithm>;
}

/// What a searcher says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// What it does, in a sentence or two.
    pub about: &'static str,
    /// Whose idea it is, and where that is published.
    pub source: &'static str,
    /// Whether it takes exactly one thread.
    pub takes_one_thread: bool,
    /// Whether its workers tell what depends on what ([`crate::search::Dependencies`]), so that their work is a graph
    /// with a critical path. Workers that meet in the table alone have none.
    pub has_critical_path: bool,
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.about, self.source)
    }
}

/// A searcher: its parameters, which know how to search. `docs/adding-a-searcher.md` is the guide.
pub trait Algorithm: Parameters {
    /// What it says of itself.
    fn description(&self) -> &'static Description;

    /// Has its workers search: [`share_nodes`](super::share_nodes) with a rule, or [`Search::run`] with a team of its
    /// own.
    ///
    /// # Errors
    /// Why the search failed, as [`Search::run`] says it.
    fn search(&self, search: &Search<'_>) -> Ran;

    /// Whether it has anything to do with these techniques: whoever has not is refused, so that none stands in a
    /// comparison under the name of what it does not do.
    ///
    /// # Errors
    /// What was expected, and why.
    fn fits(&self, _features: &Features) -> Result<(), &'static str> {
        Ok(())
    }

    /// Whether its workers are not all at the same iteration: the time to a smaller depth is then that of a prefix of
    /// the deeper search, and no search to that depth would be alike.
    fn searches_apart(&self) -> bool {
        false
    }
}
