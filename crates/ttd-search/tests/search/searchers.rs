//! Every searcher against the sequential one, on real threads.

use crate::{FENS, lab, of_all, search, task};
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use ttd_search::cores::{CostModel, Dilation, Network, RunError, Time};
use ttd_search::engine::{Preset, Techniques};
use ttd_search::searchers::{Costs, Lab, Outcome, Searcher, Status, Task};

#[test]
fn one_thread_of_any_searcher_visits_the_sequential_nodes() {
    for settings in [
        "",
        "[lazy-smp]\nhelpers = 'per-iteration'\n[ybwc]\nahead_depth = 1\n[stealing]\nahead_depth = 1\n[dts]\npublish_depth = 1\n\
         killers = 'shared'\ntable = 'private'",
    ] {
        let mut lab = lab(Techniques::default(), settings);
        for fen in FENS {
            let runs = of_all(|searcher| search(&mut lab, &task(searcher, 1, fen, 9)));
            for run in &runs[1..] {
                assert_eq!(run.counters().nodes, runs[0].counters().nodes, "{fen}");
                assert_eq!((run.score, run.best_move), (runs[0].score, runs[0].best_move));
            }
        }
    }
}

/// Every way to split gives the sequential score if nothing depends on alpha or the table.
#[test]
fn the_exact_preset_gives_the_sequential_score() {
    let exact = Techniques::preset(Preset::Exact);
    let depth = 4;
    let mut plain = lab(exact.clone(), "");
    let expected = FENS.map(|fen| search(&mut plain, &task(Searcher::baseline(), 1, fen, depth)));
    for settings in [
        "[ybwc]\nmin_depth = 1\n[stealing]\nmin_depth = 1\nahead_depth = 1\n\
         [pv-splitting]\nmin_depth = 1\n[jamboree]\nmin_depth = 1\n\
         [dts]\nmin_depth = 1\npublish_depth = 1\n[abdada]\nmin_depth = 1\n\
         [recursive-splitting]\ntop_level_only = true",
        "[ybwc]\nmin_depth = 1\neldest = 1\njoin = 'random'\npoll_nodes = 16\n\
         [stealing]\nmin_depth = 1\neldest = 1\npoll_nodes = 16\n\
         [root-splitting]\neldest = 2\n[pv-splitting]\neldest = 2\nmin_depth = 1\n\
         [jamboree]\neldest = 2\nmin_depth = 1\n\
         [dts]\nmin_depth = 1\npublish_depth = 2\neldest_at_cut = 1\nnesting = 4\n\
         [recursive-splitting]\nexchange_alpha = true\ntable = 'shared'",
        "[ybwc]\nmin_depth = 1\neldest_at_cut = 2\neldest_at_all = 2\njoin = 'deepest'\n\
         shared_alpha = false\nspin_us = 0\n\
         [stealing]\nmin_depth = 1\nshared_alpha = false\nspin_us = 0\n\
         [root-splitting]\nshared_alpha = false\n[pv-splitting]\nmin_depth = 1\nshared_alpha = false\n\
         [jamboree]\nmin_depth = 1\nshared_alpha = false\n\
         [dts]\nmin_depth = 1\nshared_alpha = false\nnesting = 0\n\
         [recursive-splitting]\nsequential_plies = 2\nmin_depth = 2",
        "[ybwc]\nmin_depth = 2\nahead_depth = 1\njoin = 'shallowest'\nmost_workers = 2\n\
         table = 'private'\ntable_access = 'locked'\nkillers = 'shared'\n\
         [stealing]\nmin_depth = 2\nahead_depth = 3\nhistory = 'copied-at-split'\ntable_access = 'naked'\n\
         [abdada]\ntable_access = 'locked'\nkillers = 'shared'\n[lazy-smp]\ntable = 'private'\nput_off_depth = 1\n\
         spread_depth = 1",
        "[pipelined]\nmin_depth = 1\nidle_per_iteration = 1",
        "[ybwc]\nmin_depth = 1\nsequential = true\n[stealing]\nmin_depth = 1\nsequential = true\n[lazy-smp]\nsequential = true\n\
         [root-splitting]\nsequential = true\n[pv-splitting]\nsequential = true\nmin_depth = 2",
        "[ybwc]\nmin_depth = 1\nhistory = 'private'\n[abdada]\nmin_depth = 1\nhistory = 'shared'\n\
         [jamboree]\nmin_depth = 1\nhistory = 'private'\n\
         [dts]\nmin_depth = 1\nhistory = 'copied-at-split'\n\
         [lazy-smp]\nhelpers = 'per-iteration'\nstagger = 'none'\nroot_order = 'shuffled'\n\
         best_move = 'vote'",
        "[ybwc]\nmin_depth = 1\neldest = 2\neldest_at_cut = 2\nsecond_class_depth = 2\n\
         [lazy-smp]\nstagger = 'skip-blocks'\nend = 'main'\nroot_order = 'rotated'",
    ] {
        let mut lab = lab(exact.clone(), settings);
        let mut joins = 0;
        for (fen, expected) in FENS.iter().zip(&expected) {
            for (searcher, threads) in Searcher::parallel()
                .flat_map(|searcher| [2, 4, 8].map(|threads| (searcher, threads)))
            {
                let found = search(&mut lab, &task(searcher, threads, fen, depth));
                // Staggered workers may have finished a deeper iteration. The one asked for counts.
                let at_depth = found.iterations.last().map(|last| (last.depth, last.score));
                assert_eq!(
                    at_depth,
                    Some((depth, expected.score)),
                    "{searcher} {threads} {settings:?} {fen}"
                );
                joins += found.counters().joins.0.iter().sum::<u64>();
            }
        }
        assert!(joins > 0, "nobody ever joined a split point: {settings:?}");
    }
}

#[test]
fn minimax_agrees_with_alpha_beta() {
    let mut techniques = Techniques::preset(Preset::Plain);
    let mut alpha_beta = lab(techniques.clone(), "");
    techniques.alpha_beta = false;
    let mut minimax = lab(techniques, "");
    for fen in FENS {
        let task = task(Searcher::baseline(), 1, fen, 3);
        let (pruned, whole) = (search(&mut alpha_beta, &task), search(&mut minimax, &task));
        assert_eq!(pruned.score, whole.score, "{fen}");
        assert!(pruned.counters().nodes < whole.counters().nodes);
    }
}

/// More threads than cores and very short searches: no worker is lost, and each time has its state.
#[test]
fn many_workers_on_few_cores() {
    on_sixty_four_threads(12);
}

/// The command of `.ci/run`: `cargo test --release --test search -- --ignored one_thousand`.
#[test]
#[ignore = "takes half a minute; `.ci/run` calls it"]
fn one_thousand_searches_on_64_threads() {
    on_sixty_four_threads(125);
}

#[test]
#[ignore = "takes minutes: by hand, after a change to how workers meet"]
fn a_thousand_searches_of_each_on_64_threads() {
    on_sixty_four_threads(1000);
}

/// Searches with far more workers than cores: no worker hangs, is lost or loses time.
fn on_sixty_four_threads(rounds: usize) {
    let settings = "[ybwc]\nmin_depth = 1\n[jamboree]\nmin_depth = 1\n[pv-splitting]\nmin_depth = 1\n\
         [stealing]\nmin_depth = 1\n\
         [dts]\nmin_depth = 1\npublish_depth = 1\nnesting = 4\n[abdada]\nmin_depth = 1";
    let mut lab = lab(Techniques::default(), settings);
    for round in 0..rounds {
        for searcher in Searcher::parallel() {
            let found = search(&mut lab, &task(searcher, 64, FENS[round % FENS.len()], 4));
            assert_eq!(found.status, Status::Ok);
            assert_eq!(found.workers.len(), 64);
            for worker in &found.workers {
                let sum: Time = worker.states.into_iter().sum();
                assert_eq!(sum, found.time, "the states of a worker sum to the time");
            }
        }
    }
}

#[test]
fn a_time_limit_censors() {
    let mut lab = lab(Techniques::default(), "");
    for &searcher in Searcher::all() {
        let threads = if searcher == Searcher::baseline() { 1 } else { 3 };
        let limit = Time::from_secs_f64(0.05);
        let task = Task { time_limit: Some(limit), ..task(searcher, threads, FENS[0], 60) };
        let found = search(&mut lab, &task);
        assert_eq!(found.status, Status::Censored);
        assert!(found.time >= limit);
        let last = found.iterations.last().expect("some depth was reached");
        assert!(last.depth < 60 && last.time <= found.time);
    }
}

/// Four workers on whatever cores there are. The factor is so great, and rests are so few, that
/// most machines leave them room. One that does not, five times, is too busy for this test.
#[test]
fn dilated_workers_find_the_sequential_score() {
    let techniques = Techniques::preset(Preset::Exact);
    let settings = "[ybwc]\nmin_depth = 1\n[recursive-splitting]\nlook_every = 20";
    let dilation = Dilation { factor: 200, nodes: 256 };
    let alone =
        search(&mut lab(techniques.clone(), ""), &task(Searcher::baseline(), 1, FENS[0], 2));
    for (name, by_messages) in [
        ("ybwc", false),
        ("lazy-smp", false),
        ("recursive-splitting", false),
        ("recursive-splitting", true),
    ] {
        let lab = lab(techniques.clone(), settings).dilated(Some(dilation));
        let mut lab = if by_messages { lab.by_messages(Network::default()) } else { lab };
        let start = Instant::now();
        let short = task(Searcher::named(name), 4, FENS[0], 2);
        let Some(found) = with_room(&mut lab, &short) else { continue };
        assert_eq!((found.status, found.score), (Status::Ok, alone.score), "{name}");
        let sums = found.workers.iter().map(|of| of.states.into_iter().sum::<Time>());
        assert!(sums.into_iter().all(|sum| sum == found.time), "{name}");
        assert_eq!(found.iterations.last().map(|last| last.time), Some(found.time));
        // The clock of the search is that of the wall over the factor.
        let wall = Time::from(start.elapsed());
        assert!(found.time.ps() * dilation.factor <= wall.ps(), "{name}");
        let limit = Time::from_secs_f64(0.002);
        let endless = task(Searcher::named(name), 4, FENS[1], 60);
        let endless = Task { time_limit: Some(limit), ..endless };
        let Some(found) = with_room(&mut lab, &endless) else { continue };
        assert_eq!(found.status, Status::Censored, "{name}");
        assert!(found.time >= limit, "{name}");
    }
}

/// The outcome of a search whose workers had room; none if they had none in five tries.
fn with_room(lab: &mut Lab, task: &Task) -> Option<Outcome> {
    let one = |_| {
        lab.clear();
        lab.search(task, &AtomicBool::new(false))
    };
    let delayed = |of: &Outcome| matches!(of.status, Status::Failed(RunError::Delayed { .. }));
    (0..5).map(one).find(|outcome| !delayed(outcome))
}

#[test]
fn an_interrupt_ends_a_search() {
    let mut lab = lab(Techniques::default(), "");
    let found = lab.search(&task(Searcher::named("ybwc"), 2, FENS[0], 60), &AtomicBool::new(true));
    assert_eq!(found.status, Status::Censored);
}

#[test]
fn iterations_are_in_order() {
    let mut lab = lab(
        Techniques::default(),
        "[lazy-smp]\npast_depth = true\nstagger = 'halving'\n\
         [pipelined]\nidle_per_iteration = 1",
    );
    for &searcher in Searcher::all() {
        let threads = if searcher == Searcher::baseline() { 1 } else { 4 };
        let found = search(&mut lab, &task(searcher, threads, FENS[1], 10));
        let depths: Vec<u8> = found.iterations.iter().map(|iteration| iteration.depth).collect();
        assert_eq!(depths, (1..=10).collect::<Vec<_>>());
        assert!(found.iterations.is_sorted_by_key(|iteration| iteration.time));
        assert_eq!(found.iterations.last().map(|last| last.time), Some(found.time));
    }
}

/// On virtual cores a tear is an event in the order of all others.
#[test]
fn on_virtual_cores_entries_are_torn_by_the_clock() {
    let run = |access: &str, tear_ps, searcher| {
        let settings = format!("[{searcher}]\ntable_access = '{access}'");
        let costs = CostModel { tear_ps, ..CostModel::default() };
        let lab = Lab::new(1, Techniques::default(), toml::from_str(&settings).expect("settings"));
        let mut lab = lab.expect("a MiB").on_virtual_cores(Costs::from(costs), None);
        search(&mut lab, &task(Searcher::named(searcher), 16, FENS[2], 9))
    };
    let torn = |of: &Outcome| (of.counters().torn_slots, of.counters().torn_reads);
    for searcher in ["ybwc", "lazy-smp"] {
        let whole = run("lockless", 0, searcher);
        assert_eq!(format!("{:?}", run("naked", 0, searcher)), format!("{whole:?}"));
        let slow = run("lockless", 10_000_000, searcher);
        assert!(slow.time != whole.time && torn(&slow) == (0, 0), "{searcher}");
        let naked = run("naked", 10_000_000, searcher);
        let (slots, reads) = torn(&naked);
        assert!(slots >= reads && reads > 0, "{searcher}: {reads} of {slots}");
        assert_eq!(format!("{:?}", run("naked", 10_000_000, searcher)), format!("{naked:?}"));
        // Where nothing is torn, both tables have one search.
        let short = run("naked", 1, searcher);
        assert_eq!(torn(&short), (0, 0), "{searcher}");
        assert_eq!(format!("{short:?}"), format!("{:?}", run("lockless", 1, searcher)));
    }
}

/// `cargo test --release -p ttd-search --test search torn -- --nocapture` prints how many.
#[test]
fn torn_entries_of_a_naked_table_are_counted() {
    for (access, is_naked) in [("lockless", false), ("naked", true)] {
        let settings = format!("[lazy-smp]\ntable_access = '{access}'");
        let mut lab = lab(Techniques::default(), &settings);
        let (mut probes, mut hits, mut torn) = (0, 0, 0);
        for fen in FENS {
            let found = search(&mut lab, &task(Searcher::named("lazy-smp"), 2, fen, 11));
            torn += found.counters().torn_reads;
            for (_, at) in found.look_ups.iter() {
                probes += at.probes;
                hits += at.hits;
            }
        }
        println!("{access}: {torn} torn entries of {hits} found by {probes} look-ups");
        assert!(hits > 0 && torn <= hits && (is_naked || torn == 0), "{access}: {torn} of {hits}");
    }
}
