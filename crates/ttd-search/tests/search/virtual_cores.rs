//! The searchers on virtual cores.

use crate::{lab, of_all, search, task};
use ttd_search::cores::{CostModel, State, Time, WorkSpan};
use ttd_search::engine::{Preset, Techniques};
use ttd_search::searchers::{Costs, Lab, Outcome, Searcher, Status, Task};

const FENS: [&str; 3] = [crate::FENS[0], crate::FENS[2], crate::FENS[5]];

/// The searchers whose workers share nodes.
const SHARERS: [&str; 7] = [
    "root-splitting",
    "recursive-splitting",
    "pv-splitting",
    "jamboree",
    "ybwc",
    "stealing",
    "dts",
];

fn virtual_lab(techniques: Techniques, settings: &str) -> Lab {
    lab(techniques, settings).on_virtual_cores(Costs::default(), None)
}

/// Everything that a search returns, as a text to compare.
fn all(outcome: &Outcome) -> String {
    format!("{outcome:?}")
}

#[test]
fn one_virtual_core_visits_exactly_the_sequential_nodes() {
    let mut real = lab(Techniques::default(), "");
    let mut simulated = virtual_lab(Techniques::default(), "");
    for fen in FENS {
        let expected = search(&mut real, &task(Searcher::baseline(), 1, fen, 9));
        let times = of_all(|searcher| {
            let found = search(&mut simulated, &task(searcher, 1, fen, 9));
            assert_eq!(found.counters().nodes, expected.counters().nodes, "{searcher} {fen}");
            assert_eq!((found.score, found.best_move), (expected.score, expected.best_move));
            found.counters().states[State::Search as usize]
        });
        assert!(times.iter().all(|&time| time == times[0]), "the same noise, the same costs");
    }
}

#[test]
fn two_runs_are_the_same_to_the_last_bit() {
    for searcher in Searcher::parallel() {
        for (threads, depth) in [(2, 8), (8, 8), (64, 7)] {
            let task = task(searcher, threads, FENS[0], depth);
            let first = search(&mut virtual_lab(Techniques::default(), ""), &task);
            let mut other = virtual_lab(Techniques::default(), "");
            search(&mut other, &Task { seed: 9, ..task.clone() }); // must leave no trace
            assert_eq!(all(&search(&mut other, &task)), all(&first), "{searcher} {threads}");
            let varied = search(&mut other, &Task { noise: 3, ..task.clone() });
            assert_ne!(varied.time, first.time, "the noise varies the time");
        }
    }
}

#[test]
fn the_places_in_the_table_have_a_seed() {
    let nodes = |table_keys| {
        let task = Task { table_keys, ..task(Searcher::baseline(), 1, FENS[0], 13) };
        search(&mut virtual_lab(Techniques::default(), ""), &task).counters().nodes
    };
    // The table of one MiB is crowded, so another seed lets other entries give way.
    assert_eq!(nodes(5), nodes(5));
    assert_ne!(nodes(5), nodes(6));
    assert_ne!(nodes(5), nodes(0));
}

#[test]
fn the_states_sum_to_the_time_and_the_depths_to_the_look_ups() {
    let settings = [
        "",
        "[lazy-smp]\nend = 'main'\nstagger = 'none'\nbest_move = 'vote'\n[ybwc]\nahead_depth = 1",
    ];
    for settings in settings {
        let mut lab = virtual_lab(Techniques::default(), settings);
        for &searcher in Searcher::all() {
            for threads in [1, 2, 8, 64] {
                let threads = if searcher == Searcher::baseline() { 1 } else { threads };
                let found = search(&mut lab, &task(searcher, threads, FENS[1], 6));
                assert_eq!((&found.status, found.workers.len()), (&Status::Ok, threads));
                for worker in &found.workers {
                    assert_eq!(worker.states.into_iter().sum::<Time>(), found.time);
                }
                let table = found.counters().table;
                assert!(0 < table.cutoffs && table.cutoffs < table.hits, "{table:?}");
                assert_eq!(found.look_ups.sum(), table);
                let deeper = found.look_ups.iter().skip(20).map(|(_, at)| at.probes);
                assert_eq!(deeper.sum::<u64>(), 0, "to depth 6");
            }
        }
    }
}

#[test]
fn however_nodes_are_shared_the_exact_score_is_the_sequential_one() {
    let exact = Techniques::preset(Preset::Exact);
    let mut real = lab(exact.clone(), "");
    for settings in [
        "[ybwc]\nmin_depth = 1\n[stealing]\nmin_depth = 1\n[pv-splitting]\nmin_depth = 1",
        "[ybwc]\nmin_depth = 1\neldest_at_all = 1\n[stealing]\nmin_depth = 1\nahead_depth = 1\n[root-splitting]\neldest = 2\n\
         [pv-splitting]\nmin_depth = 2\neldest = 2",
    ] {
        let mut simulated = virtual_lab(exact.clone(), settings);
        for fen in FENS {
            let expected = search(&mut real, &task(Searcher::baseline(), 1, fen, 4)).score;
            for searcher in SHARERS.map(Searcher::named) {
                for threads in [2, 3, 8, 64] {
                    let found = search(&mut simulated, &task(searcher, threads, fen, 4));
                    assert_eq!(found.score, expected, "{searcher} {threads} {settings:?} {fen}");
                }
            }
        }
    }
}

#[test]
fn only_nodes_of_the_rule_are_shared() {
    let mut lab = virtual_lab(Techniques::default(), "");
    // By kind of node: `pv`, `cut`, `all`.
    let mut joined = |searcher| {
        let counters = search(&mut lab, &task(searcher, 4, FENS[1], 10)).counters();
        assert!(counters.splits.0.iter().zip(counters.joins.0).all(|(s, j)| *s > 0 || j == 0));
        counters
    };
    let root = joined(Searcher::named("root-splitting"));
    let line = joined(Searcher::named("pv-splitting"));
    let all = joined(Searcher::named("ybwc"));
    for (counters, kinds) in [(root, [true, false, false]), (line, [true, false, false])] {
        assert_eq!(counters.joins.0.map(|n| n > 0), kinds);
    }
    assert!(all.joins.0.iter().all(|n| *n > 0));
    assert!(root.splits.0[0] < line.splits.0[0], "the root is one of the line's nodes");
}

/// Work is doubled where several workers search the same nodes, and only there.
#[test]
fn doubled_work_is_counted() {
    let mut lab = virtual_lab(Techniques::default(), "");
    let mut share = |searcher, threads| {
        let counters = search(&mut lab, &task(searcher, threads, FENS[0], 9)).counters();
        counters.doubled_nodes as f64 / counters.nodes as f64
    };
    for &searcher in Searcher::all() {
        assert!(share(searcher, 1) < 0.001, "{searcher}: one worker doubles nobody's work");
    }
    let (lazy, ybwc) = (share(Searcher::named("lazy-smp"), 8), share(Searcher::named("ybwc"), 8));
    assert!(lazy > 0.1 && lazy < 0.9 && ybwc < lazy, "{lazy} {ybwc}");
}

/// Work of the second class is for workers that find none of the first. They wait less, and join
/// nodes that are otherwise not shared. The work that turns out useless is not so much that it
/// takes longer.
#[test]
fn the_second_class_keeps_workers_busy() {
    let measured = |settings: &str| {
        let mut lab = virtual_lab(Techniques::default(), settings);
        let found = FENS.map(|fen| search(&mut lab, &task(Searcher::named("ybwc"), 16, fen, 11)));
        let waiting = |outcome: &Outcome| {
            outcome.counters().states[State::WaitWork as usize].as_secs_f64() / 16.0
        };
        let time: f64 = found.iter().map(|outcome| outcome.time.as_secs_f64()).sum();
        (found.iter().map(waiting).sum::<f64>() / time, time)
    };
    let (one_class, two) = (measured(""), measured("[ybwc]\nsecond_class_depth = 6"));
    assert!(two.0 < one_class.0 && two.1 < 1.5 * one_class.1, "{one_class:?}, with two {two:?}");
}

/// Each switch of Lazy SMP about nodes changes the tree of several workers, and not that of one.
#[test]
fn switches_of_lazy_smp_make_other_trees() {
    let nodes = |settings: &str, threads| {
        let mut lab = virtual_lab(Techniques::default(), settings);
        FENS.map(|fen| {
            search(&mut lab, &task(Searcher::named("lazy-smp"), threads, fen, 9)).counters().nodes
        })
    };
    let (one, eight) = (nodes("", 1), nodes("", 8));
    for switch in ["put_off_depth", "spread_depth", "look_again_depth"] {
        let settings = format!("[lazy-smp]\n{switch} = 3");
        assert_eq!(nodes(&settings, 1), one, "{switch}");
        assert!(nodes(&settings, 8).iter().zip(eight).all(|(on, off)| *on != off), "{switch}");
    }
    let rounds = "[lazy-smp]\nhelpers = 'per-iteration'\nend = 'main'\n";
    let eight = nodes(&format!("{rounds}stagger = 'halving'"), 8);
    for switch in ["helpers_from = 4", "restart = false", "stagger = 'halving-helpers'"] {
        let stagger = if switch.starts_with('s') { "" } else { "stagger = 'halving'\n" };
        let settings = format!("{rounds}{stagger}{switch}");
        assert_eq!(nodes(&settings, 1), one, "{switch}");
        assert!(nodes(&settings, 8) != eight, "{switch}");
    }
}

/// The vote may elect another move than that of the worker that ends the search. Nothing else
/// changes.
#[test]
fn the_best_move_may_be_elected() {
    let search_by =
        |settings: &str| {
            let mut lab = virtual_lab(Techniques::default(), settings);
            let mut all = Vec::new();
            for fen in crate::FENS {
                all.extend((4..9).map(|depth| {
                    search(&mut lab, &task(Searcher::named("lazy-smp"), 8, fen, depth))
                }));
            }
            all
        };
    let (first, vote) = (search_by(""), search_by("[lazy-smp]\nbest_move = 'vote'"));
    let mut differ = 0;
    for (first, vote) in first.iter().zip(&vote) {
        assert_eq!((first.time, first.score), (vote.time, vote.score));
        differ += usize::from(first.best_move != vote.best_move);
        assert!(vote.best_move.is_some());
    }
    assert!(differ > 0 && differ < first.len(), "{differ}");
}

/// Settings under which work depends on other work in all ways.
///
/// - Moves are valued in their turn far from the root.
/// - Workers visit each other.
/// - Histories are copied on arrival.
/// - The parts of a division tell each other alpha.
/// - Alpha does not reach workers that are searching already.
const DEPENDENCIES: [&str; 3] = [
    "",
    "[ybwc]\nmin_depth = 2\nhistory = 'copied-at-split'\nsecond_class_depth = 3\n\
     [stealing]\nmin_depth = 2\nhistory = 'copied-at-split'\n[jamboree]\nmin_depth = 1\n\
     [dts]\npublish_depth = 2\nmin_depth = 1\nnesting = 4\n[recursive-splitting]\nexchange_alpha = true\n\
     [pv-splitting]\nmin_depth = 1\n[root-splitting]\neldest = 3",
    "[ybwc]\nshared_alpha = false\nahead_depth = 2\n[stealing]\nshared_alpha = false\nahead_depth = 2\n[jamboree]\nshared_alpha = false\n\
     [dts]\nshared_alpha = false\nnesting = 0\n[recursive-splitting]\nsequential_plies = 1\n\
     [pv-splitting]\nshared_alpha = false\n[root-splitting]\nshared_alpha = false",
];

/// No chain of work is longer than all work, or than the time. Time without work is waiting.
#[test]
fn work_and_critical_path_are_bounds_of_the_time() {
    for settings in DEPENDENCIES {
        let mut lab = virtual_lab(Techniques::default(), settings);
        for searcher in SHARERS.map(Searcher::named) {
            for (fen, threads) in FENS.iter().flat_map(|fen| [2, 3, 8, 64].map(|n| (fen, n))) {
                let found = search(&mut lab, &task(searcher, threads, fen, 6));
                let case = format!("{searcher} {threads} {settings:?} {fen}");
                let WorkSpan { work, critical_path } = found.work_span.expect("a critical path");
                assert!(Time::ZERO < critical_path && critical_path <= found.time, "{case}");
                assert!(critical_path <= work, "{case}");
                let states = found.counters().states;
                let in_state = |state: State| states[state as usize];
                let busy = in_state(State::Search) + in_state(State::Split);
                assert!(in_state(State::Search) <= work, "{case}");
                assert!(work <= busy + in_state(State::Reduce), "{case}");
                // The other searchers wait in states of waiting only: all busy time is work.
                let waits_elsewhere =
                    [Searcher::named("dts"), Searcher::named("recursive-splitting")];
                assert!(waits_elsewhere.contains(&searcher) || work == busy, "{case}");
            }
        }
    }
}

/// One worker works all the time. Work that others could have done meanwhile is no part of the
/// chain.
#[test]
fn workers_take_turns_on_fewer_processors() {
    let model = CostModel { processors: 3, slice_ps: 20_000_000, ..CostModel::default() };
    for searcher in Searcher::parallel() {
        let shared = || lab(Techniques::default(), "").on_virtual_cores(model.into(), None);
        for (threads, is_shared) in [(1, false), (3, false), (8, true)] {
            let task = task(searcher, threads, FENS[0], 9);
            let own = search(&mut virtual_lab(Techniques::default(), ""), &task);
            let found = search(&mut shared(), &task);
            assert_eq!(all(&search(&mut shared(), &task)), all(&found), "{searcher} {threads}");
            assert_eq!(found.time != own.time, is_shared, "{searcher} {threads}");
            let states = &found.counters().states;
            let whole = Time::from_ps(found.time.ps() * threads as u64);
            assert_eq!(states.iter().copied().sum::<Time>(), whole, "{searcher} {threads}");
            let searching = states[State::Search as usize].ps();
            assert!(searching <= threads.min(3) as u64 * found.time.ps(), "{searcher} {threads}");
        }
    }
}

#[test]
fn one_worker_works_all_the_time() {
    for settings in DEPENDENCIES {
        let mut lab = virtual_lab(Techniques::default(), settings);
        for searcher in SHARERS.map(Searcher::named) {
            let found = search(&mut lab, &task(searcher, 1, FENS[0], 8));
            let WorkSpan { work, critical_path } = found.work_span.expect("a critical path");
            assert_eq!(work, found.time, "{searcher}");
            assert!(searcher.defaults().has_critical_path(), "{searcher}");
            assert!(Time::ZERO < critical_path && critical_path < work, "{searcher}");
        }
        let found = search(&mut lab, &task(Searcher::baseline(), 1, FENS[0], 8));
        let expected = WorkSpan { work: found.time, critical_path: found.time };
        assert_eq!(found.work_span, Some(expected), "it never shares");
    }
}

#[test]
fn who_meets_in_the_table_alone_has_no_critical_path() {
    let mut simulated = virtual_lab(Techniques::default(), "");
    for searcher in [Searcher::named("abdada"), Searcher::named("lazy-smp")] {
        assert!(!searcher.defaults().has_critical_path(), "{searcher}");
        for threads in [1, 4] {
            let found = search(&mut simulated, &task(searcher, threads, FENS[0], 5));
            assert_eq!(found.work_span, None, "{searcher} {threads}");
        }
    }
    let real =
        search(&mut lab(Techniques::default(), ""), &task(Searcher::named("ybwc"), 2, FENS[0], 5));
    assert_eq!(real.work_span, None, "on real cores nothing is counted");
    let limit = Time::from_secs_f64(0.02);
    let task = Task { time_limit: Some(limit), ..task(Searcher::named("ybwc"), 3, FENS[0], 60) };
    assert_eq!(search(&mut simulated, &task).work_span, None, "it did not come to its end");
}

/// A searcher that may share more nodes has more parallelism: all nodes, those of one line, or the
/// root alone. The number of workers does not matter for that.
#[test]
fn who_shares_more_has_more_parallelism() {
    let mut lab = virtual_lab(Techniques::default(), "");
    let mut parallelism = |searcher, threads| {
        let found = search(&mut lab, &task(searcher, threads, FENS[1], 11));
        let WorkSpan { work, critical_path } = found.work_span.expect("a critical path");
        work.as_secs_f64() / critical_path.as_secs_f64()
    };
    let root = parallelism(Searcher::named("root-splitting"), 32);
    let line = parallelism(Searcher::named("pv-splitting"), 32);
    let all = parallelism(Searcher::named("ybwc"), 32);
    assert!(root < line && line < all, "{root} {line} {all}");
    let few = parallelism(Searcher::named("ybwc"), 2);
    assert!((0.5..2.0).contains(&(few / all)), "{few} on two workers, {all} on 32");
}

/// If only nodes cost time, and all the same, no worker is slower than one alone.
#[test]
fn with_equal_costs_the_node_rate_is_one() {
    let free =
        CostModel { split_ps: 0, join_ps: 0, section_ps: 0, wake_ps: 0, ..CostModel::default() };
    let model = CostModel { node_ps: 500, quiescence_node_ps: 500, jitter_permille: 0, ..free };
    let mut lab = lab(Techniques::default(), "").on_virtual_cores(model.into(), None);
    for searcher in Searcher::parallel() {
        for threads in [1, 2, 8, 64] {
            let found = search(&mut lab, &task(searcher, threads, FENS[1], 7)).counters();
            let searching = found.states[State::Search as usize];
            assert_eq!(searching.ps(), found.nodes * 500, "{searcher} {threads}");
        }
    }
}

#[test]
fn more_cores_are_faster() {
    let mut lab = virtual_lab(Techniques::default(), "");
    let time = |lab: &mut Lab, threads| {
        search(lab, &task(Searcher::named("ybwc"), threads, FENS[0], 10)).time
    };
    let (one, four) = (time(&mut lab, 1), time(&mut lab, 4));
    assert!(four < one, "{four} s on four, {one} s on one");
}

#[test]
fn the_time_limit_is_virtual_time() {
    let mut lab = virtual_lab(Techniques::default(), "");
    for (searcher, threads) in [(Searcher::named("ybwc"), 3), (Searcher::named("lazy-smp"), 3)] {
        let limit = Time::from_secs_f64(0.02);
        let task = Task { time_limit: Some(limit), ..task(searcher, threads, FENS[0], 60) };
        let found = search(&mut lab, &task);
        assert_eq!(found.status, Status::Censored);
        assert!(found.time >= limit && found.time < Time::from_secs_f64(0.03), "{}", found.time);
        assert_eq!(all(&found), all(&search(&mut lab, &task)));
    }
}

/// Without cutoffs the tree is equal for any number of workers. It is shared out until no pieces
/// are left.
#[test]
fn minimax_is_shared_out() {
    let minimax = Techniques { alpha_beta: false, ..Techniques::preset(Preset::Plain) };
    let settings = "[ybwc]\nmin_depth = 1\neldest_at_all = 0\nmost_workers = 64";
    let mut lab = virtual_lab(minimax, settings);
    let one = search(&mut lab, &task(Searcher::named("ybwc"), 1, FENS[0], 3));
    for (threads, least) in [(2, 1.9), (4, 3.6), (8, 6.4), (64, 16.0)] {
        let found = search(&mut lab, &task(Searcher::named("ybwc"), threads, FENS[0], 3));
        assert_eq!((found.counters().nodes, found.score), (one.counters().nodes, one.score));
        let speedup = one.time.as_secs_f64() / found.time.as_secs_f64();
        assert!(speedup > least && speedup <= threads as f64, "{speedup} on {threads}");
    }
}
