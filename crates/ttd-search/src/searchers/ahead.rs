//! Several iterations under way at once, each led by a worker.
//!
//! The leader of an iteration searches the root to its depth, as the one worker does that leads a
//! search otherwise. A free worker leads the next iteration when enough workers are idle for those
//! that are under way. So an iteration begins before the one above it has ended. It knows the score
//! and the best move of the deepest one that has. Its order of moves comes from the table, which
//! all of them feed. A worker whose iteration has ended leads the next one if it is needed, and
//! helps otherwise. When none is under way, one is always needed.
//!
//! One iteration after another is most of a critical path: `docs/many-cores.md` has its parts.
//!
//! An iteration that ends makes all shallower ones needless, and their workers give them up. All
//! nodes there count as aborted in the end ([`count_needless`]), those of finished moves too.
//!
//! Shared: the iterations, in one section. No worker waits in it, or for a leader. The counts
//! beside it are read without it: a worker that reads an old one asks in vain, or asks later.
//!
//! Source: Lazy SMP lets workers be at different depths. Here whole teams are.

use super::board::OpenSplits;
use super::rule::{Need, Rule};
use super::splitting::Splitting;
use super::splitting::helping::help_until;
use super::splitting::working::kept_nodes;
use crate::cores::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use crate::cores::{Core, Section, State, Time};
use crate::engine::{Move, Score};
use crate::search::{Aborted, MAX_DEPTH, NodeKind, Window, Worker};
use std::cell::Cell;
use std::ops::RangeInclusive;

/// The iterations of a search in which several can be under way.
pub(super) struct Iterations {
    progress: Section<Progress>,
    /// The iterations that are led now. It is written in the section only.
    under_way: AtomicUsize,
    /// Whether none is left to begin. It is written in the section only.
    all_begun: AtomicBool,
    /// Whether a worker is on its way to begin one. It raises the flag, and lowers it when it has
    /// asked in the section. So of many idle workers that see a need, one goes.
    is_claimed: AtomicBool,
    need: Need,
    deepest: i32,
}

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
    /// The iterations of `range`, of which none was begun.
    pub(super) fn new(range: &RangeInclusive<i32>, need: Need) -> Iterations {
        let progress = Progress { next: *range.start(), ..Progress::default() };
        Iterations {
            progress: Section::new(progress),
            under_way: AtomicUsize::new(0),
            all_begun: AtomicBool::new(false),
            is_claimed: AtomicBool::new(false),
            need,
            deepest: *range.end(),
        }
    }

    /// Whether another iteration is needed, and nobody else is on the way to begin it. The worker
    /// that is told so is on the way from then on.
    ///
    /// Before the first one, and after the last, only a leader may begin any: none is under way.
    fn claim(&self, open: &OpenSplits) -> bool {
        let under_way = self.under_way.load(Relaxed);
        under_way > 0
            && !self.all_begun.load(Relaxed)
            && self.need.is_there(under_way, |least| open.are_idle(least))
            && !self.is_claimed.swap(true, Relaxed)
    }

    /// The next iteration, and the deepest that is done. None if there are enough under way, or no
    /// more; then the worker leads none. `led` says that it has led one until now, which has ended.
    fn begin<C: Core>(
        &self,
        core: &mut C,
        open: &OpenSplits,
        led: bool,
    ) -> Option<(i32, Option<Done>)> {
        core.section(&self.progress, |progress| {
            let others = self.under_way.load(Relaxed) - usize::from(led);
            let Progress { next, done, .. } = *progress;
            // The worker that asks is free, and on no list now.
            let are_idle = |least: usize| open.are_idle(least - 1);
            let begins = next <= self.deepest && self.need.is_there(others, are_idle);
            self.under_way.store(others + usize::from(begins), Relaxed);
            progress.next += i32::from(begins);
            self.all_begun.store(progress.next > self.deepest, Relaxed);
            self.is_claimed.fetch_and(led, Relaxed);
            begins.then_some((next, done))
        })
    }

    /// Notes a completed iteration: shallower ones are needless.
    fn complete<C: Core>(&self, core: &mut C, open: &OpenSplits, this: Done) {
        core.section(&self.progress, |progress| {
            if progress.done.is_none_or(|done| done.depth < this.depth) {
                progress.done = Some(this);
                progress.completed |= 1 << this.depth;
            }
            progress.next = progress.next.max(this.depth + 1);
            self.all_begun.store(progress.next > self.deepest, Relaxed);
        });
        open.complete(core, this.depth);
    }
}

/// The work of one worker, until the search has ended: it leads where an iteration is needed, and
/// helps otherwise. `search` searches the root in a window.
pub(super) fn lead_or_help<'s, 'p, C: Core, R: Rule>(
    worker: &mut Worker<'s, C, Splitting<'p, R>>,
    (iterations, open): (&Iterations, &OpenSplits),
    mut search: impl FnMut(&mut Worker<'s, C, Splitting<'p, R>>, i32, Window) -> Result<Score, Aborted>,
) {
    let leads = Cell::new(worker.core.id() == 0);
    loop {
        // An error means that the search has ended.
        if leads.get() && lead(worker, (iterations, open), &mut search).is_err() {
            break;
        }
        leads.set(false);
        help_until(worker, State::WaitWork, None, |ended| {
            leads.set(leads.get() || !ended && iterations.claim(open));
            ended || leads.get()
        });
        if worker.core.ended() {
            break;
        }
    }
    count_needless(worker, iterations);
}

/// Leads iterations as long as there are too few. `search` searches the root in a window.
///
/// # Errors
/// [`Aborted`] when the search has ended.
fn lead<'s, 'p, C: Core, R: Rule>(
    worker: &mut Worker<'s, C, Splitting<'p, R>>,
    (iterations, open): (&Iterations, &OpenSplits),
    mut search: impl FnMut(&mut Worker<'s, C, Splitting<'p, R>>, i32, Window) -> Result<Score, Aborted>,
) -> Result<(), Aborted> {
    let mut led = false;
    while let Some((depth, done)) = iterations.begin(&mut worker.core, open, led) {
        led = true;
        worker.core.enter(State::Search);
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
    worker.core.enter(State::WaitWork);
    Ok(())
}

/// Counts the worker's nodes in needless iterations as aborted, at the end of its work. Iterations
/// deeper than all completed ones are unfinished, and not needless.
fn count_needless<C: Core, R: Rule>(
    worker: &mut Worker<'_, C, Splitting<'_, R>>,
    iterations: &Iterations,
) {
    let kept = worker.policy.kept;
    assert_eq!(kept.iter().sum::<u64>(), kept_nodes(worker), "each node is of an iteration");
    let progress = worker.core.section(&iterations.progress, |progress| *progress);
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
    use std::sync::atomic::AtomicBool;

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
            let need = Need { idle_per_iteration: 1, most_iterations: 3 };
            // One idle worker is enough for the second iteration, and two are for the third.
            let (iterations, open) = (Iterations::new(&(1..=6), need), OpenSplits::on_boards(4, 1));
            let begun = |core: &mut VirtualCore<'_>, led| {
                iterations.begin(core, &open, led).map(|(depth, done)| (depth, done.is_some()))
            };
            assert_eq!(
                [false, false].map(|led| begun(core, led)),
                [Some((1, false)), Some((2, false))]
            );
            assert_eq!(begun(core, false), None, "the one that asks is the only idle one");
            assert!(!iterations.claim(&open), "nobody else is idle");
            open.be_idle(core);
            open.be_idle(core);
            assert!(iterations.claim(&open) && !iterations.claim(&open), "one goes");
            assert_eq!(begun(core, false), Some((3, false)));
            assert!(!iterations.claim(&open), "three are the most");
            assert!(!open.is_needless(1), "nothing is done");
            for (depth, score) in [(5, 50), (2, 20)] {
                let done = Done { depth, score, best: None, span: Time::ZERO };
                iterations.complete(core, &open, done);
            }
            let needless = |depth| core.section(&iterations.progress, |all| all.is_needless(depth));
            assert_eq!([1, 2, 5, 6].map(needless), [true, true, false, false]);
            let (next, done) = iterations.begin(core, &open, true).expect("its place is free");
            assert_eq!((next, done.map(|done| done.score)), (6, Some(50)), "the deepest counts");
            assert!(open.is_needless(5) && !open.is_needless(6));
            assert!(!iterations.claim(&open), "none is left");
            assert_eq!([true, true, true].map(|led| begun(core, led)), [None; 3]);
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
        for (searcher, fails) in [("ybwc", true), ("pipelined", false)] {
            let lab = Lab::new(4, techniques.clone(), Settings::default()).expect("memory");
            let task = Task::to_depth(root.clone(), 6);
            let task = Task { searcher: Searcher::named(searcher), threads: 2, ..task };
            let failed = Failed::default();
            let game = GameContext { observer: Some(&failed), ..GameContext::default() };
            let mut lab = lab.on_virtual_cores(Costs::default(), None);
            lab.search_in(&task, game, &AtomicBool::new(false));
            assert_eq!(failed.0.into_inner(), fails);
        }
    }

    /// Searches by 32 workers: one iteration after another, and several at once.
    fn searches(root: &Board, depth: u8) -> [Outcome; 2] {
        ["ybwc", "pipelined"].map(|searcher| {
            let lab = Lab::new(4, Techniques::default(), Settings::default()).expect("memory");
            let task = Task::to_depth(Position::new(root.clone()), depth);
            let task = Task { searcher: Searcher::named(searcher), threads: 32, ..task };
            lab.on_virtual_cores(Costs::default(), None).search(&task, &AtomicBool::new(false))
        })
    }

    /// The workers that led a completed iteration.
    fn leaders(of: &Outcome) -> Vec<usize> {
        let mut leaders: Vec<usize> = of.iterations.iter().map(|of| of.worker).collect();
        leaders.sort_unstable();
        leaders.dedup();
        leaders
    }

    /// With nodes aborted at open windows, and no cutoff that aborted them, a worker has nodes of a
    /// needless iteration. That helpers' nodes are among them is an assertion of `count_needless`.
    #[test]
    fn all_nodes_of_needless_iterations_count_as_aborted() {
        let root = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1".parse().expect("a valid FEN");
        let needless = |of: &Outcome| -> Vec<usize> {
            let at_pv = |of: ByKind| of.0[NodeKind::Pv as usize];
            let workers = (0..).zip(&of.workers);
            let has =
                workers.filter(|(_, of)| at_pv(of.aborts) == 0 && at_pv(of.aborted_nodes) > 0);
            has.map(|(worker, _)| worker).collect()
        };
        // Not every depth has such workers.
        let by_depth: Vec<_> = (6..16).map(|depth| searches(&root, depth)).collect();
        assert!(by_depth.iter().all(|[one, _]| needless(one).is_empty()));
        let several: Vec<_> = by_depth.iter().map(|[_, several]| needless(several)).collect();
        assert!(several.iter().any(|workers| workers.len() > 1), "{several:?}");
    }

    #[test]
    fn several_at_once_shorten_the_critical_path() {
        let [one, several] = searches(&Board::default(), 9);
        assert_eq!(leaders(&one), [0]);
        assert!(leaders(&several).len() > 1, "{:?}", leaders(&several));
        let path = |of: &Outcome| of.work_span.expect("it is counted").critical_path;
        assert!(path(&several) < path(&one), "{} and {}", path(&several), path(&one));
    }
}
