//! Searchers over messages: over channels, between ranks with a lab each, and on virtual cores.

use crate::{FENS, lab, search, task};
use std::sync::atomic::AtomicBool;
use std::thread;
use ttd_search::cores::{Channels, CostModel, Network, Time};
use ttd_search::engine::{Preset, Techniques};
use ttd_search::searchers::{Cluster, Costs, Lab, Outcome, Searcher, Status, Task};

/// Settings by which nothing is shared.
const PRIVATE: &str = "[root-splitting]\ntable = 'private'\nkillers = 'private'\nhistory = 'private'\nlook_every = 50\n\
     [recursive-splitting]\nlook_every = 50\n[ybwc-messages]\nmin_depth = 1";
const EXCHANGING: &str = "[root-splitting]\ntable = 'private'\nkillers = 'private'\nhistory = 'private'\nlook_every = 1\n\
     eldest = 2\n[recursive-splitting]\nlook_every = 1\nexchange_alpha = true\n\
     [ybwc-messages]\nmin_depth = 1\nlook_every = 1\nhops = 0\nhelpful = false\nowned_depth = 2";
const NETWORK: Network = Network { latency_ps: 2_000_000, byte_ps: 100, overhead_ps: 500_000 };

/// A lab with a table of so many MiB.
fn lab_of(mib: usize, settings: &str) -> Lab {
    let settings = toml::from_str(settings).expect("TOML");
    let mut lab = Lab::new(mib, Techniques::default(), settings).expect("memory");
    lab.clear();
    lab
}

fn searchers() -> [Searcher; 3] {
    ["recursive-splitting", "root-splitting", "ybwc-messages"].map(Searcher::named)
}

/// Every way in which workers without shared memory can meet: the outcome of a search by each.
fn everywhere(techniques: &Techniques, settings: &str, task: &Task) -> Vec<(String, Outcome)> {
    let lab = || lab(techniques.clone(), settings);
    let virtually = |network| {
        search(&mut lab().by_messages(network).on_virtual_cores(Costs::default(), None), task)
    };
    let of =
        |name: &str, outcome| (format!("{name}, {} x {}", task.searcher, task.threads), outcome);
    vec![
        of("channels", search(&mut lab().by_messages(Network::default()), task)),
        of("ranks", on_ranks(task.threads, &lab, std::slice::from_ref(task)).remove(0)),
        of("virtual", virtually(Network::default())),
        of("virtual network", virtually(NETWORK)),
        of("at random", search(&mut lab().by_messages(NETWORK).at_random(), task)),
    ]
}

/// Searches the tasks one after another with so many ranks, each with a lab of its own on a thread
/// of its own. Returns the outcomes of rank 0.
fn on_ranks(ranks: usize, lab: &(impl Fn() -> Lab + Sync), tasks: &[Task]) -> Vec<Outcome> {
    let one = |end: Channels| {
        let mut lab = lab().on_ranks(Box::new(end));
        tasks.iter().map(|task| search(&mut lab, task)).collect::<Vec<Outcome>>()
    };
    thread::scope(|scope| {
        let ends = Channels::between(ranks).into_iter();
        let threads: Vec<_> = ends.map(|end| scope.spawn(move || one(end))).collect();
        let all: Vec<_> =
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        all.into_iter().next().expect("there is a rank 0")
    })
}

/// Each worker's states sum to the time, and all workers are there.
fn is_whole(outcome: &Outcome, workers: usize) -> bool {
    let sums = outcome.workers.iter().map(|of| of.states.iter().copied().sum::<Time>());
    outcome.workers.len() == workers && sums.into_iter().all(|sum| sum == outcome.time)
}

/// Minimax without a table: every tree has the same nodes.
fn unpruned() -> Techniques {
    let text = "preset = 'plain'\nalpha_beta = false\niterative_deepening = false\ntable = 'none'";
    Techniques::resolve(&toml::from_str(text).expect("TOML")).expect("techniques")
}

#[test]
fn unpruned_totals_are_the_same_for_any_ranks_and_transport() {
    for fen in &FENS[..2] {
        let alone = task(Searcher::baseline(), 1, fen, 2);
        let expected = search(&mut lab(unpruned(), ""), &alone);
        for searcher in searchers() {
            for threads in [1, 2, 3, 8] {
                let task = task(searcher, threads, fen, 2);
                for (how, found) in everywhere(&unpruned(), PRIVATE, &task) {
                    assert_eq!(found.counters().nodes, expected.counters().nodes, "{how}, {fen}");
                    assert_eq!(found.score, expected.score, "{how}, {fen}");
                    assert!(is_whole(&found, threads), "{how}: {found:?}");
                    let told: Vec<u64> = found.iterations.iter().map(|it| it.nodes).collect();
                    assert_eq!(told, [found.counters().nodes], "{how}: nodes of the iteration");
                }
            }
        }
    }
}

#[test]
fn the_exact_preset_gives_the_sequential_score_over_messages() {
    let exact = Techniques::preset(Preset::Exact);
    let mut sequential = lab(exact.clone(), "");
    for fen in FENS {
        let expected = search(&mut sequential, &task(Searcher::baseline(), 1, fen, 4)).score;
        for settings in [PRIVATE, EXCHANGING] {
            for (searcher, threads) in searchers().into_iter().zip([5, 3, 6]) {
                for (how, found) in everywhere(&exact, settings, &task(searcher, threads, fen, 4)) {
                    let last = found.iterations.last().map(|last| (last.depth, last.score));
                    assert_eq!(last, Some((4, expected)), "{how}, {fen}, {settings}");
                    assert!(is_whole(&found, threads), "{how}");
                    // Whoever asks for work on real cores may come too late.
                    let asks = searcher.name() == "ybwc-messages" && !how.starts_with("virtual");
                    assert!(asks || found.counters().joins.all() > 0, "{how}: somebody took part");
                }
            }
        }
    }
}

#[test]
fn the_exact_score_is_the_sequential_one_for_one_to_eight_workers() {
    let exact = Techniques::preset(Preset::Exact);
    let mut sequential = lab(exact.clone(), "");
    for fen in FENS {
        let expected = search(&mut sequential, &task(Searcher::baseline(), 1, fen, 3)).score;
        for (searcher, settings) in
            searchers()[..2].iter().flat_map(|&of| [(of, PRIVATE), (of, EXCHANGING)])
        {
            for threads in 1..=8 {
                let task = task(searcher, threads, fen, 3);
                let lab = || lab(exact.clone(), settings).by_messages(NETWORK);
                let real = search(&mut lab(), &task);
                let simulated = search(&mut lab().on_virtual_cores(Costs::default(), None), &task);
                for found in [real, simulated] {
                    assert_eq!(found.score, expected, "{searcher} x {threads}, {fen}, {settings}");
                    let joined = found.counters().joins.all() > 0;
                    assert_eq!(joined, threads > 1, "{searcher} x {threads}, {fen}");
                }
            }
        }
    }
}

/// Costs of nodes, and of nothing else.
fn nodes_alone() -> Costs {
    Costs::from(CostModel {
        split_ps: 0,
        join_ps: 0,
        section_ps: 0,
        wake_ps: 0,
        reduce_ps: 0,
        copy_ps: 0,
        ..CostModel::default()
    })
}

/// Messages that cost nothing are as good as shared divisions.
#[test]
fn free_messages_search_the_tree_of_private_tables_exactly() {
    let recursive = Searcher::named("recursive-splitting");
    for more in ["", "exchange_alpha = true", "sequential_plies = 1", "top_level_only = true"] {
        let settings = format!("[recursive-splitting]\nlook_every = 1\n{more}");
        let lab = || lab(Techniques::default(), &settings).on_virtual_cores(nodes_alone(), None);
        for (fen, threads) in FENS.iter().zip([2, 3, 8, 17, 64, 200]) {
            let task = task(recursive, threads, fen, 7);
            let shared = search(&mut lab(), &task);
            let by_messages = search(&mut lab().by_messages(Network::default()), &task);
            let of = |outcome: &Outcome| {
                let iterations = outcome.iterations.iter();
                let told = iterations.map(|it| (it.depth, it.time, it.nodes, it.score));
                let nodes = outcome.workers.iter().map(|worker| worker.nodes);
                (
                    (outcome.time, outcome.score, outcome.best_move),
                    (told.collect::<Vec<_>>(), nodes.collect::<Vec<_>>(), outcome.work_span),
                )
            };
            assert_eq!(of(&by_messages), of(&shared), "{more}, {fen}");
            let states =
                |outcome: &Outcome| outcome.workers.iter().map(|w| w.states).collect::<Vec<_>>();
            assert_eq!(states(&by_messages), states(&shared), "{more}, {fen}");
        }
    }
}

/// The cluster of an experiment whose messages are free searches the tree of private tables. A rank
/// with a table of its own has a smaller one.
#[test]
fn a_free_cluster_searches_the_tree_of_private_tables() {
    let settings = "[recursive-splitting]\nlook_every = 1";
    let of = |cluster: Option<Cluster>, (name, mib, threads, depth)| {
        let mut costs = nodes_alone();
        costs.cluster = cluster;
        let mut lab = lab_of(mib, settings).on_virtual_cores(costs, None);
        let found = search(&mut lab, &task(Searcher::named(name), threads, FENS[0], depth));
        (found.counters().nodes, found.score, found.best_move)
    };
    let free = Cluster::from(Network::default());
    let name = "recursive-splitting";
    for threads in [1, 4, 16] {
        let of = |cluster| of(cluster, (name, 1, threads, 8));
        assert_eq!(of(Some(free)), of(None), "{threads}");
    }
    let own = Some(Cluster { rank_mib: Some(1), ..free });
    assert_eq!(of(own, (name, 1, 1, 8)), of(None, (name, 1, 1, 8)), "the only rank has all");
    assert_ne!(of(own, (name, 8, 1, 12)), of(None, (name, 8, 1, 12)), "a rank has less than all");
    let alone = ("sequential", 8, 1, 12);
    assert_eq!(of(own, alone), of(None, alone), "one process has all memory");
}

#[test]
fn a_network_on_virtual_cores_is_the_same_again_and_takes_its_time() {
    for searcher in searchers() {
        let task = task(searcher, 16, FENS[0], 3);
        let of = |network| {
            let lab = lab(unpruned(), PRIVATE).by_messages(network);
            search(&mut lab.on_virtual_cores(Costs::default(), None), &task)
        };
        let (free, first) = (of(Network::default()), of(NETWORK));
        let again = of(NETWORK);
        assert_eq!((first.time, first.counters()), (again.time, again.counters()));
        assert!(first.time > free.time, "{searcher}: {} and {}", first.time, free.time);
    }
}

/// Ranks that send entries round: with several workers each, and with one.
#[test]
fn a_ring_is_the_same_again_and_finds_the_score() {
    let ring = Searcher::named("lazy-ring");
    let exact = Techniques::preset(Preset::Exact);
    let settings = "[lazy-ring]\ntell_depth = 1\nbatch = 4\nlook_every = 7";
    for (ranks, threads) in [(None, 8), (Some(4), 12), (Some(1), 3)] {
        let mut costs = Costs::default();
        costs.cluster = Some(Cluster { ranks, ..Cluster::default() });
        let of = |techniques: &Techniques, seed, depth| {
            let lab = lab(techniques.clone(), settings).on_virtual_cores(costs.clone(), None);
            let task = Task { seed, ..task(ring, threads, FENS[1], depth) };
            let found = search(&mut { lab }, &task);
            assert!(is_whole(&found, threads), "{ranks:?}: {found:?}");
            found
        };
        let expected =
            search(&mut lab(exact.clone(), ""), &task(Searcher::baseline(), 1, FENS[1], 4));
        assert_eq!(of(&exact, 1, 4).score, expected.score, "{ranks:?}");
        let (first, again) = (of(&Techniques::default(), 1, 8), of(&Techniques::default(), 1, 8));
        assert_eq!((first.time, first.counters()), (again.time, again.counters()), "{ranks:?}");
        for seed in 0..20 {
            of(&Techniques::default(), seed, 5);
        }
    }
}

#[test]
fn other_searchers_are_refused() {
    let mut lab = lab(Techniques::default(), "[recursive-splitting]\nkillers = 'shared'")
        .by_messages(Network::default());
    for (name, what) in [
        ("ybwc", "ybwc: its workers share memory, and cannot be processes"),
        (
            "recursive-splitting",
            "recursive-splitting: `private` expected for its `table`, `killers` and `history`: \
             processes share no memory",
        ),
    ] {
        let task = task(Searcher::named(name), 2, FENS[0], 2);
        let Status::Failed(why) = lab.search(&task, &AtomicBool::new(false)).status else {
            panic!("{name} is not refused");
        };
        assert_eq!(why.to_string(), what);
    }
    let alone = search(&mut lab, &task(Searcher::baseline(), 1, FENS[0], 3));
    assert_eq!(alone.status, Status::Ok, "one worker needs no messages");
}

/// Short searches with more ranks than cores, and with ends by the clock: none hangs.
fn short_searches(rounds: usize) {
    let mut lab = lab(Techniques::default(), EXCHANGING).by_messages(Network::default());
    for round in 0..rounds {
        let searcher = searchers()[round % 3];
        let task = task(searcher, 8, FENS[round / 3 % FENS.len()], 2 + (round / 18 % 3) as u8);
        let limit = (round % 5 == 4).then(|| Time::from_ps(1_000_000 * (1 + round as u64 % 700)));
        let found = search(&mut lab, &Task { time_limit: limit, ..task });
        assert!(is_whole(&found, 8), "{round}: {found:?}");
    }
}

#[test]
fn a_few_short_searches_on_eight_ranks_end() {
    short_searches(120);
}

/// The command: `cargo test --release --test search -- --ignored a_thousand_short`.
#[test]
#[ignore = "takes a minute"]
fn a_thousand_short_searches_on_eight_ranks_end() {
    short_searches(1000);
}

/// Two hundred searches with costs by chance: none hangs, and each is the same again.
#[test]
fn no_search_hangs_whatever_messages_cost() {
    let mut seed = 1_u64;
    let mut draw = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    for round in 0..200 {
        let network = Network {
            latency_ps: draw(2) * draw(40_000_000),
            byte_ps: draw(2) * draw(20_000),
            overhead_ps: draw(2) * draw(2_000_000),
        };
        let model = CostModel {
            split_ps: draw(3_000_000),
            join_ps: draw(2) * draw(3_000_000),
            wake_ps: draw(2) * draw(3_000_000),
            ..CostModel::default()
        };
        let settings = format!(
            "{PRIVATE}\nlook_every = {}\nhops = {}\nhelpful = {}\neldest_at_all = {}\nowned_depth = {}",
            1 + draw(60),
            draw(4),
            draw(3) > 0,
            draw(2),
            1 + draw(8)
        );
        let searcher = if round % 5 > 1 { searchers()[2] } else { searchers()[round % 5] };
        let threads = 2 + draw(40) as usize;
        let task = task(searcher, threads, FENS[round % FENS.len()], 3 + draw(3) as u8);
        let limit = (draw(5) == 0).then(|| Time::from_ps(draw(3_000_000_000)));
        let task = Task { time_limit: limit, seed: round as u64, ..task };
        let lab = || lab(Techniques::default(), &settings).by_messages(network);
        let of = || search(&mut lab().on_virtual_cores(Costs::from(model), None), &task);
        let (found, again) = (of(), of());
        assert!(is_whole(&found, threads), "{round}: {found:?}");
        assert_eq!((found.time, found.counters()), (again.time, again.counters()), "{round}");
        let random = search(&mut lab().at_random(), &task);
        assert!(is_whole(&random, threads), "{round}, at random");
    }
}

#[test]
fn ranks_search_task_after_task() {
    let lab = || lab(Techniques::default(), PRIVATE);
    let tasks: Vec<Task> = (0..40)
        .map(|number| {
            let searcher =
                [searchers()[0], searchers()[1], searchers()[2], Searcher::baseline()][number % 4];
            let threads = if number % 4 == 3 { 1 } else { 1 + number / 4 % 4 };
            task(searcher, threads, FENS[number % FENS.len()], 3)
        })
        .collect();
    let outcomes = on_ranks(4, &lab, &tasks);
    for (task, outcome) in tasks.iter().zip(&outcomes) {
        assert_eq!(outcome.status, Status::Ok, "{task:?}");
        assert!(is_whole(outcome, task.threads), "{task:?}: {outcome:?}");
    }
}
