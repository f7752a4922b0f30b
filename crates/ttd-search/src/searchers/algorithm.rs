//! The parts of a searcher: parameters that know how to search, and a description of itself.

use super::{Cluster, CommonSettings, Extent, Holding, OwnMemory, Ran, Search};
use crate::engine::Techniques;
use crate::search::TableAccess;
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

    /// The least change of an entry in a history that its workers share, from 0 to
    /// [`History::LIMIT`](crate::engine::History::LIMIT); 0 without rounding.
    fn history_step(&self) -> i32 {
        0
    }

    /// The sharing of the pawn records, where the engine has them and the history is not shared.
    /// With a shared history they are shared too.
    fn pawn_history(&self) -> Holding {
        Holding::Private
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

    /// Whether its workers share nodes by [`share_nodes`](super::share_nodes). Then an idealised
    /// machine ([`crate::search::IdealMachine`]) can find work at once, and replay what a run
    /// recorded.
    fn has_split_points(&self) -> bool {
        false
    }

    /// Whether its searches have a critical path on virtual cores: its team's
    /// `HAS_CRITICAL_PATH`.
    fn has_critical_path(&self) -> bool {
        true
    }

    /// Whether the workers may be at different iterations at one moment. The time to a smaller
    /// depth is then the time of the deeper search's beginning. A search to that smaller depth
    /// alone would run differently.
    fn searches_apart(&self) -> bool {
        false
    }

    /// Whether its counters tell all nodes that were of no use: those of parts that were given up.
    /// Workers that meet in the table alone cannot know.
    fn tells_useless_nodes(&self) -> bool {
        !self.searches_apart()
    }
}

impl dyn Algorithm {
    /// Whether a search with these parameters can run on a cluster, with so many workers and a
    /// table of `hash_mib` MiB.
    ///
    /// # Errors
    /// The key that stands against it, and the value that was expected.
    pub fn fits_cluster(
        &self,
        cluster: &Cluster,
        (workers, hash_mib): (usize, usize),
    ) -> Result<(), (&'static str, String)> {
        self.fits_messages().map_err(|why| ("searchers", format!("{}: {why}", self.name())))?;
        if self.takes_one_thread() {
            return Ok(());
        }
        if let Some(ranks) =
            cluster.ranks.filter(|ranks| workers > 1 && !workers.is_multiple_of(*ranks))
        {
            let what =
                format!("{workers} threads found, 1 or a multiple of {ranks} ranks expected");
            return Err(("threads", what));
        }
        let (of_rank, most) = (cluster.rank_workers(workers), self.most_rank_workers());
        if of_rank > most {
            let what = format!(
                "{of_rank} workers of {} in a rank found, at most {most} expected",
                self.name()
            );
            return Err(("ranks", what));
        }
        let Some(rank_mib) = cluster.rank_mib else { return Ok(()) };
        let parts = hash_mib / rank_mib;
        if parts < cluster.ranks_of(workers)
            || !parts.is_power_of_two()
            || parts * rank_mib != hash_mib
        {
            let what = format!(
                "{hash_mib} found, {rank_mib} times a power of two expected that is {} or more: \
                 {rank_mib} MiB for each rank",
                cluster.ranks_of(workers)
            );
            return Err(("hash_mib", what));
        }
        Ok(())
    }

    /// The memory that its workers share. Workers that can meet by messages share no corrections.
    pub(super) fn shared_memory(&self) -> CommonSettings {
        let settings = self.common_settings();
        let apart = self.fits_messages().is_ok();
        CommonSettings {
            corrections: if apart { Holding::Private } else { settings.corrections },
            ..settings
        }
    }

    /// The access of its workers to a table of `hash_mib` MiB. `cluster` is the one that
    /// they run on, if any.
    pub(super) fn access(
        &self,
        cluster: Option<Cluster>,
        (workers, hash_mib): (usize, usize),
    ) -> TableAccess {
        let CommonSettings { table, table_access, .. } = self.common_settings();
        let private = table == Holding::Private;
        let access = TableAccess::new(private, table_access);
        // A searcher of one worker is the measure: it has the memory of all.
        let Some(cluster) = cluster.filter(|_| !self.takes_one_thread()) else { return access };
        let of_rank = if private { 1 } else { cluster.rank_workers(workers) };
        let parts = cluster.rank_mib.map_or(1, |mib| hash_mib / mib);
        access.divided(of_rank, parts.max(1).ilog2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searchers::Searcher;

    #[test]
    fn refuses_searches_that_do_not_fit() {
        let cluster = Cluster { ranks: Some(4), rank_mib: Some(2), ..Cluster::default() };
        let fits = |name: &str, workers, hash_mib| {
            Searcher::named(name).defaults().fits_cluster(&cluster, (workers, hash_mib))
        };
        let refused = |name: &str, workers, hash_mib, key, what: &str| {
            let (of, why) = fits(name, workers, hash_mib).expect_err("refused");
            assert_eq!((of, &*why), (key, what));
        };
        assert_eq!(fits("recursive-splitting", 4, 8), Ok(()));
        assert_eq!(fits("recursive-splitting", 1, 8), Ok(()));
        assert_eq!(fits("sequential", 1, 9), Ok(()));
        let shares = "ybwc: its workers share memory, and cannot be processes";
        refused("ybwc", 4, 8, "searchers", shares);
        let multiple = "6 threads found, 1 or a multiple of 4 ranks expected";
        refused("recursive-splitting", 6, 8, "threads", multiple);
        refused("recursive-splitting", 2, 8, "threads", &multiple.replace('6', "2"));
        let most = "2 workers of recursive-splitting in a rank found, at most 1 expected";
        refused("recursive-splitting", 8, 8, "ranks", most);
        let times =
            "6 found, 2 times a power of two expected that is 4 or more: 2 MiB for each rank";
        refused("recursive-splitting", 4, 6, "hash_mib", times);
    }
}
