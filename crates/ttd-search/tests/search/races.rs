//! Short searches by every parallel searcher, for `ThreadSanitizer` to watch:
//! `scripts/concurrency.sh races`.

use crate::{FENS, lab, search, task};
use ttd_search::engine::{Preset, Techniques};
use ttd_search::searchers::Searcher;

/// First, settings that share everything that workers may share. Second, settings of the other
/// kinds.
const SETTINGS: [&str; 2] = [
    "[root-splitting]\nkillers = 'shared'\n[pv-splitting]\nmin_depth = 1\nkillers = 'shared'\n\
     [recursive-splitting]\ntable = 'shared'\nexchange_alpha = true\n\
     [jamboree]\nmin_depth = 1\n[ybwc]\nmin_depth = 1\n[stealing]\nmin_depth = 1\n\
     [dts]\nmin_depth = 1\npublish_depth = 1\nnesting = 4\n\
     [abdada]\nmin_depth = 1\nhistory = 'shared'\nkillers = 'shared'\n[lazy-smp]\nhistory = 'shared'",
    "[recursive-splitting]\ntop_level_only = true\n[jamboree]\nmin_depth = 1\nhistory = 'copied-at-split'\n\
     [ybwc]\nmin_depth = 1\nahead_depth = 1\nhistory = 'copied-at-split'\ntable_access = 'locked'\n\
     [stealing]\nmin_depth = 1\nahead_depth = 1\ntable_access = 'naked'\n\
     [dts]\nmin_depth = 1\nkillers = 'shared'\ntable_access = 'locked'\n\
     [abdada]\nmin_depth = 1\ntable_access = 'locked'\n\
     [lazy-smp]\nhelpers = 'per-iteration'\nput_off_depth = 1",
];

#[test]
fn every_searcher_on_four_and_eight_threads() {
    for techniques in [Techniques::default(), Techniques::preset(Preset::Exact)] {
        for settings in SETTINGS {
            let mut lab = lab(techniques.clone(), settings);
            for fen in &FENS[..2] {
                for searcher in Searcher::parallel() {
                    for threads in [4, 8] {
                        search(&mut lab, &task(searcher, threads, fen, 4));
                    }
                }
            }
        }
    }
}
