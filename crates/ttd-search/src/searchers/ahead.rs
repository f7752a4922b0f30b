//! Several iterations under way at once, each led by a worker.
//!
//! The leader of an iteration searches the root to its depth, as the one worker does that leads a
//! search otherwise. Then it takes the next iteration that nobody has begun. So an iteration begins
//! before the one above it has ended. It knows the score and the best move of the deepest one that
//! has. Its order of moves comes from the table, which all of them feed.
//!
//! One iteration after another is most of a critical path: `docs/many-cores.md` has its parts.
//!
//! An iteration that ends makes all shallower ones needless, and their workers give them up. All
//! nodes there count as aborted in the end ([`count_needless`]), those of finished moves too.
//!
//! Shared: the iterations, in one section. No worker waits in it, or for a leader.
//!
//! Source: Lazy SMP lets workers be at different depths. Here whole teams are.

use super::board::OpenSplits;
use super::rule::Rule;
use super::splitting::Splitting;
use super::splitting::working::kept_nodes;
use crate::cores::{Core, Section, State, Time};
use crate::engine::{Move, Score};
use crate::search::{Aborted, MAX_DEPTH, NodeKind, Window, Worker};

/// The iterations of a search with several leaders.
#[derive(Default)]
pub(super) struct Iterations(Section<Progress>);

/// Invariants:
/// - `next` is the shallowest iteration that nobody has begun, and deeper than `done`.
/// - `done` is the deepest one that was completed.
/// - Bit `n` of `completed` is set if iteration `n` was completed before any deeper one.
#[derive(Clone, Copy, Default)]
struct Progress {
    next: i32,
    done: Option<Done>,
    completed: u128,
}

const _: () = assert!((MAX_DEPTH as u32) < u128::BITS, "a bit for each iteration");

impl Progress {
    /// Whether an iteration is of no use: a deeper one was completed first.
    fn is_needless(&self, iteration: i32) -> bool {
        self.done.is_some_and(|done| iteration < done.depth)
            && (self.completed >> iteration) & 1 == 0
    }
}

/// A completed iteration.
#[derive(Clone, Copy)]
struct Done {
    depth: i32,
    score: Score,
    best: Option<Move>,
    /// The chain of work that leads to its end.
    span: Time,
}

impl Iterations {
    /// Iterations from depth `first` on, of which none was begun.
    pub(super) fn from(first: i32) -> Iterations {
        Iterations(Section::new(Progress { next: first, ..Progress::default() }))
    }

    /// The next iteration, and the deepest that is done.
    fn begin<C: Core>(&self, core: &mut C) -> (i32, Option<Done>) {
        core.section(&self.0, |progress| {
            let Progress { next, done, .. } = *progress;
            progress.next += 1;
            (next, done)
        })
    }

    /// Notes a completed iteration: shallower ones are needless.
    fn complete<C: Core>(&self, core: &mut C, open: &OpenSplits, this: Done) {
        core.section(&self.0, |progress| {
            if progress.done.is_none_or(|done| done.depth < this.depth) {
                progress.done = Some(this);
                progress.completed |= 1 << this.depth;
            }
            progress.next = progress.next.max(this.depth + 1);
        });
        open.complete(core, this.depth);
    }
}

/// Leads iterations until none is left. `search` searches the root in a window.
///
/// # Errors
/// [`Aborted`] when the search has ended.
pub(super) fn lead<'s, 'p, C: Core, R: Rule>(
    worker: &mut Worker<'s, C, Splitting<'p, R>>,
    (iterations, open): (&Iterations, &OpenSplits),
    mut search: impl FnMut(&mut Worker<'s, C, Splitting<'p, R>>, i32, Window) -> Result<Score, Aborted>,
) -> Result<(), Aborted> {
    worker.core.enter(State::Search);
    loop {
        let (depth, done) = iterations.begin(&mut worker.core);
        if depth > i32::from(worker.shared.depth) {
            worker.core.enter(State::WaitWork);
            return Ok(());
        }
        if let Some(done) = done {
            worker.core.depend_on(done.span);
            done.best.into_iter().for_each(|best| worker.prefer_at_root(best));
        }
        let guess = done.map(|done| done.score);
        worker.policy.leads = depth;
        let before = kept_nodes(worker);
        let result = worker.iterate(depth, guess, &mut search);
        worker.policy.kept[depth as usize] += kept_nodes(worker) - before;
        match result {
            Ok(score) => {
                let (best, span) = (worker.line(0).first().copied(), worker.core.span());
                // First of all: the report of the last one ends the search, and workers then ask
                // which iterations were needless.
                iterations.complete(&mut worker.core, open, Done { depth, score, best, span });
                worker.report(depth, score);
            }
            Err(Aborted) if worker.core.ended() => return Err(Aborted),
            // Nothing depends on what was given up.
            Err(Aborted) => worker.core.continue_from(Time::ZERO),
        }
    }
}

/// Counts the worker's nodes in needless iterations as aborted, at the end of its work. Iterations
/// deeper than all completed ones are unfinished, and not needless.
pub(super) fn count_needless<C: Core, R: Rule>(
    worker: &mut Worker<'_, C, Splitting<'_, R>>,
    iterations: &Iterations,
) {
    let kept = worker.policy.kept;
    debug_assert_eq!(kept.iter().sum::<u64>(), kept_nodes(worker), "each node is of an iteration");
    let progress = worker.core.section(&iterations.0, |progress| *progress);
    let needless = (0..).zip(kept).filter(|(iteration, _)| progress.is_needless(*iteration));
    let nodes = needless.map(|(_, nodes)| nodes).sum();
    worker.counters.aborted_nodes.add(NodeKind::Pv, nodes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::virtual_clock::{self, VirtualCore};
    use crate::cores::{Schedule, Simulation};
    use crate::engine::{Board, Position, Techniques};
    use crate::search::{ByKind, News, SearchObserver, SharedState};
    use crate::searchers::{Costs, GameContext, Lab, Outcome, Searcher, Settings, Task};
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    fn play(part: impl Fn(&mut VirtualCore<'_>)) {
        let part = |(), mut core: VirtualCore<'_>| {
            part(&mut core);
            core.end();
        };
        virtual_clock::run(1, Simulation::plain(Schedule::Earliest), |_| (), part)
            .expect("it ends");
    }

    #[test]
    fn iterations_are_begun_once_and_not_when_they_are_needless() {
        play(|core| {
            let (iterations, open) = (Iterations::from(1), OpenSplits::on_boards(1, 1));
            let begun: Vec<i32> = (0..3).map(|_| iterations.begin(core).0).collect();
            assert_eq!(begun, [1, 2, 3]);
            assert!(!open.is_needless(1), "nothing is done");
            for (depth, score) in [(5, 50), (2, 20)] {
                let done = Done { depth, score, best: None, span: Time::ZERO };
                iterations.complete(core, &open, done);
            }
            let needless = |depth| core.section(&iterations.0, |all| all.is_needless(depth));
            assert_eq!([1, 2, 5, 6].map(needless), [true, true, false, false]);
            let (next, done) = iterations.begin(core);
            assert_eq!((next, done.map(|done| done.score)), (6, Some(50)), "the deepest counts");
            assert!(open.is_needless(5) && !open.is_needless(6));
        });
    }

    /// Notes the windows that failed.
    #[derive(Default)]
    struct Failed(AtomicBool);

    impl SearchObserver for Failed {
        fn hear(&self, _: &SharedState<'_>, news: News<'_>) {
            self.0.fetch_or(matches!(news, News::Outside { .. }), Relaxed);
        }

        fn is_enough(&self) -> bool {
            false
        }
    }

    #[test]
    fn without_a_completed_iteration_no_window_is_narrow() {
        // White has an extra queen and an extra rook, so a window about 0 fails.
        let fen = "1nb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1";
        let root = Position::new(fen.parse().expect("a valid FEN"));
        let techniques = Techniques { iterative_deepening: false, ..Techniques::default() };
        for (settings, fails) in [("[ybwc]", true), ("[ybwc]\nworkers_per_iteration = 1", false)] {
            let settings: Settings = toml::from_str(settings).expect("settings");
            let lab = Lab::new(4, techniques.clone(), settings).expect("memory");
            let task = Task::to_depth(root.clone(), 6);
            let task = Task { searcher: Searcher::named("ybwc"), threads: 2, ..task };
            let failed = Failed::default();
            let game = GameContext { observer: Some(&failed), ..GameContext::default() };
            let mut lab = lab.on_virtual_cores(Costs::default(), None);
            lab.search_in(&task, game, &AtomicBool::new(false));
            assert_eq!(failed.0.into_inner(), fails);
        }
    }

    /// A search by 32 workers.
    fn search(root: Board, settings: &str) -> Outcome {
        let settings: Settings = toml::from_str(settings).expect("settings");
        let lab = Lab::new(4, Techniques::default(), settings).expect("memory");
        let task = Task::to_depth(Position::new(root), 9);
        let task = Task { searcher: Searcher::named("ybwc"), threads: 32, ..task };
        lab.on_virtual_cores(Costs::default(), None).search(&task, &AtomicBool::new(false))
    }

    /// Settings by which 32 workers have one leader, and four.
    const ONE_AND_FOUR: [&str; 2] = ["[ybwc]", "[ybwc]\nworkers_per_iteration = 8"];

    /// With nodes aborted at open windows, and no cutoff that aborted them, a worker has nodes of a
    /// needless iteration.
    #[test]
    fn all_nodes_of_needless_iterations_count_as_aborted() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let root: Board = fen.parse().expect("a valid FEN");
        let needless = |of: Outcome| -> Vec<usize> {
            let at_pv = |of: ByKind| of.0[NodeKind::Pv as usize];
            let workers = (0..).zip(&of.workers);
            let has =
                workers.filter(|(_, of)| at_pv(of.aborts) == 0 && at_pv(of.aborted_nodes) > 0);
            has.map(|(worker, _)| worker).collect()
        };
        let [one, four] = ONE_AND_FOUR.map(|settings| needless(search(root.clone(), settings)));
        assert!(one.is_empty(), "{one:?}");
        let is_leader = |worker: &usize| *worker < 4;
        assert!(four.iter().any(is_leader) && !four.iter().all(is_leader), "{four:?}");
    }

    #[test]
    fn several_at_once_shorten_the_critical_path() {
        let [one, four] = ONE_AND_FOUR.map(|settings| search(Board::default(), settings));
        let leaders = |of: &Outcome| {
            let mut leaders: Vec<usize> = of.iterations.iter().map(|of| of.worker).collect();
            leaders.sort_unstable();
            leaders.dedup();
            leaders
        };
        assert_eq!(leaders(&one), [0]);
        assert!(leaders(&four).len() > 1 && leaders(&four).iter().all(|worker| *worker < 4));
        let path = |of: &Outcome| of.work_span.expect("it is counted").critical_path;
        assert!(path(&four) < path(&one), "{} and {}", path(&four), path(&one));
    }
}
