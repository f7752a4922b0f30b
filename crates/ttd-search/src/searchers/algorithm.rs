//! The parts of a searcher: parameters that know how to search, and a description of itself.

use super::{CommonSettings, Extent, OwnMemory, Ran, Search};
use crate::engine::Techniques;
use crate::value::{Value, ValueError};
use std::fmt;

/// A parameter of a searcher.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key in the table `[searcher.NAME]`.
    pub key: &'static str,
    /// A name that it had before, and that is still read; empty if it had none.
    pub older: &'static str,
    /// The least and the most that a number can be; none for a key that is no number.
    pub range: Option<(i64, i64)>,
}

/// The parameters of any searcher. [`settings!`](crate::settings) implements this trait. A searcher
/// without parameters implements only the name, the description and the copy.
pub trait Parameters: fmt::Debug + Send + Sync + 'static {
    /// The searcher's name in files, options and output: small letters, digits and hyphens.
    fn name(&self) -> &'static str;

    /// The description of this searcher.
    fn description(&self) -> &'static Description;

    /// The keys that can be set.
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

    /// The settings that every searcher has: how its workers share memory, and how they wait.
    fn common_settings(&self) -> CommonSettings {
        CommonSettings::ALONE
    }

    /// A copy of these parameters.
    fn boxed(&self) -> Box<dyn Algorithm>;
}

/// The description that a searcher gives of itself.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The idea of the searcher, in a sentence or two.
    pub about: &'static str,
    /// The author of the idea, and the place where it is published.
    pub source: &'static str,
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.about, self.source)
    }
}

/// A searcher: its parameters, which know how to search. The guide is `docs/adding-a-searcher.md`.
pub trait Algorithm: Parameters {
    /// Runs the search with the searcher's workers. A searcher calls
    /// [`share_nodes`](super::share_nodes) with a rule, or [`Search::run`] with a team of its own.
    ///
    /// # Errors
    /// The reason why the search failed, as [`Search::run`] gives it.
    fn search(&self, search: &Search<'_>) -> Ran;

    /// Whether the searcher's idea has any effect with these techniques. A searcher without effect
    /// is refused: a comparison must not show it under the name of something that it does not do.
    ///
    /// # Errors
    /// The techniques that were expected, and the reason.
    fn fits(&self, _techniques: &Techniques) -> Result<(), &'static str> {
        Ok(())
    }

    /// The memory that it takes beside what every searcher has.
    fn own_memory(&self, _of: Extent) -> OwnMemory {
        OwnMemory::default()
    }

    /// Whether its workers can meet by messages alone, as processes do. Its search then asks
    /// [`Search::is_by_messages`].
    ///
    /// # Errors
    /// The reason why they cannot, after the name of the searcher.
    fn fits_messages(&self) -> Result<(), &'static str> {
        Err("its workers share memory, and cannot be processes")
    }

    /// The most workers that can share the memory of one rank, where ranks meet by messages.
    fn most_rank_workers(&self) -> usize {
        1
    }

    /// Whether it takes exactly one thread.
    fn takes_one_thread(&self) -> bool {
        false
    }

    /// Whether the workers may be at different iterations at one moment. The time to a smaller
    /// depth is then the time of the deeper search's beginning. A search to that smaller depth
    /// alone would run differently.
    fn searches_apart(&self) -> bool {
        false
    }
}
