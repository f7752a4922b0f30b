//! Every searcher gives the sequential score in many orders of events, also in ones that no clock
//! would give.

use crate::{FENS, lab, search, task};
use ttd_search::engine::{Preset, Techniques};
use ttd_search::searchers::{Costs, Lab, Searcher, Status, Task};

/// Settings by which a searcher splits wherever it can, so that a tiny search has many splits.
const EVERYWHERE: &str = "[pv-splitting]\nmin_depth = 1\n[jamboree]\nmin_depth = 1\n\
     [ybwc]\nmin_depth = 1\neldest = 1\nsecond_class_depth = 2\n\
     [pipelined]\nmin_depth = 1\neldest = 1\nidle_per_iteration = 1\n\
     [stealing]\nmin_depth = 1\n[dts]\nmin_depth = 1\npublish_depth = 1\nnesting = 4\n\
     [abdada]\nmin_depth = 1\n[lazy-smp]\nput_off_depth = 1\nspread_depth = 2\n[recursive-splitting]\nexchange_alpha = true\n\
     [ybwc-messages]\nmin_depth = 1\nlook_every = 1\nowned_depth = 2";

/// Settings by which two workers share a board, and nodes are shared wherever they can be.
const SEVERAL_BOARDS: &str = "[ybwc]\nmin_depth = 1\neldest = 1\nsecond_class_depth = 2\nworkers_per_board = 2\n\
     [pipelined]\nmin_depth = 1\neldest = 1\nidle_per_iteration = 1\nworkers_per_board = 2\n\
     [jamboree]\nmin_depth = 1\nworkers_per_board = 2\n\
     [dts]\nmin_depth = 1\npublish_depth = 1\nnesting = 4\nworkers_per_board = 2";

fn exact() -> Techniques {
    Techniques::preset(Preset::Exact)
}

/// Searches by every searcher with each seed and each number of workers: all give the sequential
/// score. Searchers take part with several boards too. `lab` makes a lab of settings. There are
/// `rounds` rounds, and each takes the next position.
fn all_agree(lab: impl Fn(&str) -> Lab, rounds: u64, threads: &[usize], depth: u8) {
    let mut sequential = self::lab(exact(), "");
    let expected =
        FENS.map(|fen| search(&mut sequential, &task(Searcher::baseline(), 1, fen, depth)).score);
    let everywhere = Searcher::parallel().map(|searcher| (searcher, EVERYWHERE));
    let several = ["ybwc", "pipelined", "jamboree", "dts"];
    let several = several.map(|name| (Searcher::named(name), SEVERAL_BOARDS));
    for (searcher, settings) in everywhere.chain(several) {
        let mut lab = lab(settings);
        let mut took_part = 0;
        for seed in 0..rounds {
            let case = seed as usize % FENS.len();
            for &threads in threads {
                let task = task(searcher, threads, FENS[case], depth);
                let found = search(&mut lab, &Task { seed, noise: seed, ..task });
                assert_eq!(found.status, Status::Ok);
                let last = found.iterations.last().map(|last| (last.depth, last.score));
                let context = format!("{searcher}, {threads} workers, seed {seed}, {}", FENS[case]);
                assert_eq!(last, Some((depth, expected[case])), "{context}");
                took_part += found.workers.iter().filter(|worker| worker.nodes > 0).count();
            }
        }
        assert!(
            took_part as u64 > rounds * threads.len() as u64,
            "{searcher}: one worker did it all"
        );
    }
}

#[test]
fn several_iterations_at_once_repeat_to_the_last_bit() {
    let one = "[pipelined]\nidle_per_iteration = 4";
    let several = "[pipelined]\nidle_per_iteration = 4\nworkers_per_board = 3";
    for (threads, settings) in [(9, one), (64, one), (9, several), (64, several)] {
        let task = task(Searcher::named("pipelined"), threads, FENS[0], 8);
        let of = || {
            let lab = lab(Techniques::default(), settings);
            search(&mut lab.on_virtual_cores(Costs::default(), None), &task)
        };
        assert_eq!(format!("{:?}", of()), format!("{:?}", of()), "{threads}, {settings}");
    }
}

fn at_random(settings: &str) -> Lab {
    lab(exact(), settings).at_random()
}

fn on_virtual_cores(settings: &str) -> Lab {
    lab(exact(), settings).on_virtual_cores(Costs::default(), None)
}

fn on_threads(settings: &str) -> Lab {
    lab(exact(), settings)
}

#[test]
fn any_order_of_events_gives_the_sequential_score() {
    all_agree(at_random, 60, &[2, 5], 2);
}

#[test]
fn any_noise_gives_the_sequential_score() {
    all_agree(on_virtual_cores, 4, &[1, 2, 3, 8, 64], 3);
}

#[test]
#[ignore = "takes six minutes: by hand, after a change to how workers meet"]
fn ten_thousand_orders_of_events() {
    all_agree(at_random, 2500, &[2, 3, 5, 8], 2);
}

#[test]
#[ignore = "takes three minutes: by hand, after a change to how workers meet"]
fn a_hundred_noises() {
    all_agree(on_virtual_cores, 100, &[1, 2, 3, 8, 64], 3);
}

/// 125 searches of each of the searchers.
#[test]
#[ignore = "takes half a minute; `.ci/run` calls it"]
fn one_thousand_searches_on_eight_threads() {
    all_agree(on_threads, 125, &[8], 3);
}

#[test]
#[ignore = "takes minutes: by hand, after a change to how workers meet"]
fn a_thousand_searches_of_each_on_eight_threads() {
    all_agree(on_threads, 1000, &[8], 3);
}

/// Settings for `ThreadSanitizer`. First, all is shared that workers may share. Second, settings of
/// the other kinds.
const SHARED_AND_OTHERS: [&str; 2] = [
    "[root-splitting]\nkillers = 'shared'\n[pv-splitting]\nmin_depth = 1\nkillers = 'shared'\n\
     [recursive-splitting]\ntable = 'shared'\nexchange_alpha = true\n\
     [jamboree]\nmin_depth = 1\n[ybwc]\nmin_depth = 1\n[pipelined]\nmin_depth = 1\nidle_per_iteration = 1\n[stealing]\nmin_depth = 1\n\
     [dts]\nmin_depth = 1\npublish_depth = 1\nnesting = 4\n\
     [abdada]\nmin_depth = 1\nhistory = 'shared'\nkillers = 'shared'\n[lazy-smp]\nhistory = 'shared'",
    "[recursive-splitting]\ntop_level_only = true\n[jamboree]\nmin_depth = 1\nhistory = 'copied-at-split'\n\
     [pipelined]\nmin_depth = 1\nidle_per_iteration = 2\nworkers_per_board = 2\nhistory = 'copied-at-split'\n\
     [ybwc]\nmin_depth = 1\nahead_depth = 1\nworkers_per_board = 2\nhistory = 'copied-at-split'\ntable_access = 'locked'\n\
     [stealing]\nmin_depth = 1\nahead_depth = 1\ntable_access = 'naked'\n\
     [dts]\nmin_depth = 1\nworkers_per_board = 3\nkillers = 'shared'\ntable_access = 'locked'\n\
     [abdada]\nmin_depth = 1\ntable_access = 'locked'\n\
     [lazy-smp]\nhelpers = 'per-iteration'\nput_off_depth = 1",
];

/// Short searches on real threads, for `ThreadSanitizer` to watch: `scripts/concurrency.sh races`.
#[test]
fn races_of_every_searcher_on_four_and_eight_threads() {
    for techniques in [Techniques::default(), Techniques::preset(Preset::Exact)] {
        for settings in SHARED_AND_OTHERS {
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
