//! Models of one split point: its owner, and helpers that come and go.

use super::*;
use crate::cores::State;
use crate::cores::real::RealCore;
use crate::cores::real::models::meet;
use crate::engine::{INFINITY, Score};
use crate::search::SharedState;
use crate::searchers::models::{Plain, WORKERS, moves, node, shared, worker, worth};
use parking_lot::Mutex;

/// A split point, and the events there.
#[derive(Clone, Copy)]
struct Case {
    workers: usize,
    /// The most preemptions of a thread.
    preemptions: usize,
    moves: usize,
    beta: Score,
    /// Whether every move fails its test, and is valued in its turn.
    puts_off: bool,
    /// Whether the owner searches moves, or closes at once.
    owner_searches: bool,
    most_workers: usize,
}

const CASE: Case = Case {
    workers: 2,
    preemptions: 3,
    moves: 3,
    beta: 100,
    puts_off: false,
    owner_searches: true,
    most_workers: WORKERS,
};

struct Shared {
    case: Case,
    shared: SharedState<'static>,
    split: SplitPoint,
    /// Memory that each helper writes before it leaves.
    written: [Plain; WORKERS],
    /// Memory that a worker writes while it values a move.
    value: Plain,
    seen: Mutex<Seen>,
}

/// The observations of the workers. They are no part of the model, and order nothing there.
#[derive(Default)]
struct Seen {
    handed: Vec<Move>,
    scored: Vec<Move>,
    /// The number of moves handed out when a worker was told that it cut off.
    handed_at_cut: Vec<usize>,
    handed_at_close: usize,
    helpers: usize,
    joined: u64,
    result: Option<(Progress, Line, u64)>,
}

impl Shared {
    fn new(case: Case, core: RealCore<'_>) -> Shared {
        let shared = shared();
        let node = node(1, case.beta);
        let maker = worker(&shared, core, ());
        let split = SplitPoint::new(&maker, shared.root, &node, &mut moves(case.moves), (None, 1));
        drop(maker);
        let (written, value) = Default::default();
        Shared { case, shared, split, written, value, seen: Mutex::default() }
    }

    fn work(&self, core: RealCore<'_>) {
        let mut worker = worker(&self.shared, core, ());
        if worker.core.id() == 0 {
            self.own(&mut worker);
        } else {
            self.help(&mut worker);
        }
    }

    fn own(&self, worker: &mut Worker<'_, RealCore<'_>, ()>) {
        if self.case.owner_searches {
            self.search(worker);
        }
        self.split.close(&mut worker.core);
        self.seen.lock().handed_at_close = self.handed(worker);
        worker.core.wait_while(State::WaitHelpers, |_| self.split.helpers() > 0);
        self.written.iter().for_each(Plain::read);
        let mut loop_ = moves(0);
        let joined = self.split.conclude(worker, &mut loop_);
        let line = worker.line(self.split.node.ply).clone();
        self.seen.lock().result = Some((loop_.progress, line, joined));
    }

    fn help(&self, worker: &mut Worker<'_, RealCore<'_>, ()>) {
        let most = self.case.most_workers;
        if let Joining::Member(membership, _) = self.split.join(&mut worker.core, most) {
            {
                let mut seen = self.seen.lock();
                seen.joined += 1;
                seen.helpers += 1;
                assert!(seen.helpers < most, "too many workers");
            }
            self.search(worker);
            self.written[worker.core.id()].write();
            self.seen.lock().helpers -= 1;
            drop(membership);
            worker.core.wake(self.split.owner);
        }
    }

    fn search(&self, worker: &mut Worker<'_, RealCore<'_>, ()>) {
        while let Some((turn, failed)) = self.split.next(worker) {
            if !failed {
                self.seen.lock().handed.push(turn.mv);
            }
            let verdict =
                if self.case.puts_off && !failed { Verdict::PutOff } else { self.value(&turn) };
            let line = Some(Line::from_iter([turn.mv]));
            if self.split.absorb(&mut worker.core, &turn, verdict, line) {
                let handed = self.handed(worker);
                self.seen.lock().handed_at_cut.push(handed);
            }
        }
    }

    fn value(&self, turn: &Turn) -> Verdict {
        if self.case.puts_off {
            self.value.write();
        }
        self.seen.lock().scored.push(turn.mv);
        Verdict::Score(worth(turn.mv))
    }

    /// The number of moves that were handed out so far.
    fn handed(&self, worker: &mut Worker<'_, RealCore<'_>, ()>) -> usize {
        worker.core.section(&self.split.counts.rest, |rest| rest.progress.handed)
    }

    /// Checks that must hold of any split point when all workers have gone.
    fn check(self) -> (Case, Seen) {
        let Shared { case, split, seen, .. } = self;
        let mut seen = seen.into_inner();
        let (progress, line, joined) = seen.result.take().expect("the owner comes to its end");
        assert_eq!(joined, seen.joined, "nobody joins after it was closed");
        assert_eq!(split.helpers(), 0);
        let handed = seen.handed.len();
        assert_eq!(
            (progress.handed, seen.handed_at_close),
            (handed, handed),
            "none after it was closed"
        );
        for moves in [&mut seen.handed, &mut seen.scored] {
            moves.sort_by_key(|mv| mv.from);
        }
        assert!(seen.handed.is_sorted_by(|a, b| a.from < b.from), "no move twice");
        assert!(seen.scored.is_sorted_by(|a, b| a.from < b.from), "none valued twice");
        let best = seen.scored.iter().copied().max_by_key(|mv| worth(*mv));
        assert_eq!(progress.best_move, best);
        assert_eq!(line.first().copied(), best);
        let score = best.map_or(-INFINITY, worth);
        assert_eq!(progress.best, score);
        let cut = score >= case.beta;
        assert_eq!(split.flags.is_cut(), cut);
        let told = if cut { vec![handed] } else { vec![] };
        assert_eq!(seen.handed_at_cut, told, "one is told, and none is handed out afterwards");
        (case, seen)
    }
}

fn check(case: Case, check: impl Fn(Case, Seen) + Copy + Send + Sync + 'static) {
    let Case { workers, preemptions, .. } = case;
    meet(
        (workers, preemptions),
        move |core| Shared::new(case, core),
        |shared: &Shared, core| shared.work(core),
        move |shared| {
            let (case, seen) = shared.check();
            check(case, seen);
        },
    );
}

/// Checks that all moves were searched, each of them once.
fn all(case: Case, seen: Seen) {
    assert_eq!((seen.handed.len(), seen.scored.len()), (case.moves, case.moves));
}

#[test]
fn an_owner_and_a_helper_search_every_move_once() {
    check(CASE, all);
}

#[test]
fn an_owner_and_two_helpers_search_every_move_once() {
    check(Case { workers: 3, preemptions: 2, moves: 2, ..CASE }, all);
}

#[test]
fn a_full_split_point_lets_nobody_in() {
    check(Case { workers: 3, preemptions: 2, moves: 2, most_workers: 2, ..CASE }, all);
}

#[test]
fn one_worker_is_told_that_it_cut_off() {
    check(Case { beta: 20, ..CASE }, |_, _| ());
}

#[test]
fn nothing_is_begun_at_a_closed_split_point() {
    check(Case { owner_searches: false, ..CASE }, |_, _| ());
}

#[test]
fn moves_put_off_are_valued_one_after_another() {
    check(Case { puts_off: true, moves: 2, ..CASE }, all);
}
