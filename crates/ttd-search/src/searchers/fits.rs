//! Which searcher has nothing to do under which techniques: refused with the reason, so that none stands in a comparison
//! under the name of what it does not do.

use super::lazy_smp::{BestMove, Helpers};
use super::{Searcher, Settings};
use crate::engine::{Features, RootSearch};

impl Searcher {
    /// Whether what the searcher is for happens at all with these techniques and parameters.
    ///
    /// # Errors
    /// Why it does not, and what was expected.
    pub fn fits(self, features: &Features, settings: &Settings) -> Result<(), String> {
        let null_windows = features.root_search == RootSearch::MtdF;
        let lazy = &settings.lazy_smp;
        let votes = lazy.best_move == BestMove::Vote && lazy.helpers == Helpers::PerIteration;
        let why = match self {
            Searcher::PvSplitting if null_windows => {
                "another searcher expected with root_search = \"mtd-f\", whose windows are all null: \
                 no node is one of the principal variation, and it shares no others"
            }
            Searcher::Jamboree if !features.principal_variation_search => {
                "another searcher expected without principal_variation_search (which \
                 root_search = \"mtd-f\" and alpha_beta = false switch off too): its tests are those \
                 of that"
            }
            Searcher::LazySmp if null_windows && votes => {
                "best_move = \"first\" or helpers = \"independent\" expected with \
                 root_search = \"mtd-f\": helpers that are started with each of its null windows \
                 never know a score to vote for"
            }
            _ => return Ok(()),
        };
        Err(format!("{self} found, {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(searcher: Searcher, engine: &str, settings: &str) -> Result<(), String> {
        let features = Features::resolve(&engine.parse().expect("TOML")).expect("features");
        searcher.fits(&features, &toml::from_str(settings).expect("settings"))
    }

    #[test]
    fn who_has_nothing_to_do_is_refused_with_the_reason() {
        let (mtd, vote) = ("root_search = \"mtd-f\"", "[lazy-smp]\nbest_move = 'vote'\n");
        let rounds = format!("{vote}helpers = 'per-iteration'");
        for (searcher, engine, settings, why) in [
            (Searcher::PvSplitting, mtd, "", "no node is one of the principal variation"),
            (Searcher::Jamboree, mtd, "", "its tests are those of that"),
            (Searcher::Jamboree, "principal_variation_search = false", "", "its tests"),
            (Searcher::Jamboree, "alpha_beta = false", "", "its tests"),
            (Searcher::LazySmp, mtd, &rounds, "never know a score"),
        ] {
            let refused = fits(searcher, engine, settings).expect_err(why);
            assert!(refused.starts_with(searcher.name()) && refused.contains(why), "{refused}");
        }
        for searcher in Searcher::ALL {
            assert_eq!(fits(searcher, "", &rounds), Ok(()), "{searcher}");
            let refused = [Searcher::PvSplitting, Searcher::Jamboree].contains(&searcher);
            assert_eq!(fits(searcher, mtd, vote).is_err(), refused, "{searcher}");
        }
    }
}
