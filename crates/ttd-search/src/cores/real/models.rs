//! Models of real cores on loom's threads: the frame of every model, and the models of waiting.

use super::{CachePadded, CoreGroup, Pace, RealCore};
use crate::cores::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use crate::cores::sync::current;
use crate::cores::{Core, State, StateTimes};
use loom::thread::{Builder, JoinHandle};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The stack of a worker, in words.
const STACK: usize = 1 << 16;

/// The shared state of cores whose workers park at once.
fn group(workers: usize) -> CoreGroup {
    CoreGroup {
        start: OnceLock::new(),
        end: AtomicU64::new(u64::MAX),
        seats: (0..workers).map(|_| CachePadded::default()).collect(),
        spin: Duration::ZERO,
        token: None,
        factor: 1,
    }
}

/// The core of a worker, on its own thread.
fn core<'t>(group: &'t CoreGroup, id: usize, pace: &'t mut Pace) -> RealCore<'t> {
    let _ = group.seats[id].thread.set(current());
    let (until_rest, state_times) = (pace.begin(), StateTimes::new(State::WaitWork));
    RealCore { group, id, until_rest, pace, state_times }
}

fn spawn(body: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    Builder::new().stack_size(STACK).spawn(body).expect("a thread")
}

/// Tries the orders in which workers can meet, each on a thread of its own.
///
/// Threads are interrupted at most `preemptions` times (or `LOOM_MAX_PREEMPTIONS`). The first
/// worker makes the state that they share. All work on it, and `check` gets it when they have gone.
/// A deadlock is an error too.
pub(crate) fn meet<S: Send + Sync + 'static>(
    (workers, preemptions): (usize, usize),
    shared: impl Fn(RealCore<'_>) -> S + Copy + Send + Sync + 'static,
    work: impl Fn(&S, RealCore<'_>) + Copy + Send + Sync + 'static,
    check: impl Fn(S) + Copy + Send + Sync + 'static,
) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound.get_or_insert(preemptions);
    model.max_branches = 100_000;
    model.check(move || {
        let first = move || {
            let group = Arc::new(group(workers));
            let pace = || Pace::new(None);
            let all = Arc::new(shared(core(&group, 0, &mut pace())));
            let others: Vec<_> = (1..workers)
                .map(|id| {
                    let (group, all) = (Arc::clone(&group), Arc::clone(&all));
                    spawn(move || work(&all, core(&group, id, &mut pace())))
                })
                .collect();
            work(&all, core(&group, 0, &mut pace()));
            for other in others {
                other.join().expect("no worker panics");
            }
            check(Arc::into_inner(all).expect("all have gone"));
        };
        spawn(first).join().expect("no worker panics");
    });
}

/// A worker that changes a condition and then wakes another is noticed, although the change itself
/// orders nothing.
#[test]
fn no_call_to_one_worker_is_lost() {
    meet(
        (2, 5),
        |_| AtomicUsize::new(0),
        |calls, mut core| {
            for call in 1..=2 {
                if core.id() == 0 {
                    calls.store(call, Relaxed);
                    core.wake(1);
                } else {
                    core.wait_while(State::WaitWork, |_| calls.load(Relaxed) < call);
                }
            }
        },
        |_| (),
    );
}

/// The end reaches all workers that wait, and exactly one worker has ended the search.
#[test]
fn the_end_is_one_and_reaches_all() {
    meet(
        (3, 3),
        |_| AtomicUsize::new(0),
        |ends, mut core| {
            if core.id() == 0 {
                core.wait_while(State::WaitWork, |ended| !ended);
            } else if core.end().is_some() {
                ends.fetch_add(1, Relaxed);
            }
        },
        |ends| assert_eq!(ends.into_inner(), 1),
    );
}
