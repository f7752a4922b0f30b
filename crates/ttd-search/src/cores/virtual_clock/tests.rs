//! Small artificial workers with clocks that can be worked out by hand.

use super::*;
use crate::cores::{Chain, CostModel};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

pub(super) const PLAIN: CostModel = CostModel {
    table_ps: 0,
    tear_ps: 0,
    node_ps: 100,
    quiescence_node_ps: 50,
    evaluation_ps: 0,
    split_ps: 0,
    join_ps: 0,
    section_ps: 30,
    wake_ps: 7,
    spin_ps: 1000,
    park_ps: 0,
    unpark_ps: 0,
    start_ps: 0,
    reduce_ps: 0,
    copy_ps: 0,
    slowdown_permille: 0,
    jitter_permille: 0,
    processors: 1024,
    slice_ps: 1000,
    switch_ps: 5,
    dilate: 1,
};

pub(super) fn simulation(model: CostModel) -> Simulation {
    Simulation { model, noise: 3, ties: 5, ..Simulation::plain(Schedule::Earliest) }
}

pub(super) fn ps(ps: u64) -> Time {
    Time::from_ps(ps)
}

fn run_plain<R>(
    workers: usize,
    work: impl Fn(VirtualCore<'_>) -> R,
) -> Result<(Vec<R>, Time), RunError> {
    let ran = run(workers, simulation(PLAIN), |_| (), |(), core| work(core));
    ran.map(|Gathered { results, time, .. }| (results, time))
}

#[test]
fn what_workers_do_is_in_the_order_of_virtual_time() {
    let order = RefCell::new(Vec::new());
    let (_, end) = run_plain(3, |mut core| {
        for _ in 0..4 {
            // Worker 0 is the slowest, worker 2 the fastest.
            for _ in core.id()..3 {
                core.charge(Cost::Node);
            }
            order.borrow_mut().push(core.now());
        }
        core.end();
    })
    .expect("they end");
    assert_eq!(end, ps(400), "the first to be done ends it");
    assert!(order.borrow().is_sorted() && order.borrow().len() == 12);
}

#[test]
fn a_section_is_for_one_at_a_time() {
    let section = Section::new(Vec::new());
    let (found, _) = run_plain(3, |mut core| {
        core.enter(State::Search);
        let id = core.id();
        for _ in 0..id {
            core.charge(Cost::QuiescenceNode);
        }
        for _ in 0..2 {
            core.section(&section, |order| order.push(id));
        }
        let left = core.now();
        if id == 2 {
            core.end();
        }
        (left, core.states()[State::Lock as usize])
    })
    .expect("they end");
    // Worker 0: 0 to 30, 30 to 60. Worker 1 comes at 50: 60 to 90, 90 to 120. Worker 2 comes at 100
    // when worker 1 is in: 120 to 150, 150 to 180.
    assert_eq!(found, [(ps(60), ps(0)), (ps(120), ps(10)), (ps(180), ps(20))]);
    assert_eq!(section.into_inner(), [0, 0, 1, 1, 2, 2]);
}

/// A dilated worker stays in a section for its own dilated time, and lets others in long before. A
/// wake is as short.
#[test]
fn sections_of_dilated_workers_let_others_in_early_and_wakes_are_short() {
    let section = Section::new(Vec::new());
    let model = CostModel { dilate: 10, wake_ps: 70, ..PLAIN };
    let work = |mut core: VirtualCore<'_>| {
        core.enter(State::Search);
        let id = core.id();
        core.section(&section, |order| order.push(id));
        let left = core.now();
        if id < 2 {
            core.wait_while(State::WaitWork, |ended| !ended);
        } else {
            core.charge(Cost::Node);
            core.end();
        }
        (left, core.now(), core.states()[State::Lock as usize])
    };
    let ran = run(3, simulation(model), |_| (), |(), core| work(core)).expect("they end");
    let mut found = ran.results;
    found.sort_by_key(|(left, ..)| *left);
    // All come at 0. They enter at 0, 3 and 6, and leave at 30, 33 and 36.
    assert_eq!(found.iter().map(|(left, ..)| left.ps()).collect::<Vec<_>>(), [30, 33, 36]);
    assert_eq!(found.iter().map(|(.., lock)| lock.ps()).collect::<Vec<_>>(), [0, 3, 6]);
    let woken = found.iter().filter(|(_, now, _)| *now == ran.time + ps(7));
    assert_eq!(woken.count(), 2);
}

#[test]
fn states_are_cut_at_the_end() {
    let section = Section::new(());
    let (states, end) = run_plain(4, |mut core| {
        core.enter(State::Search);
        for _ in 0..=core.id() {
            core.section(&section, |()| ());
            core.charge(Cost::Node);
        }
        if core.id() == 1 {
            core.end();
        }
        core.states()
    })
    .expect("they end");
    for (worker, states) in states.iter().enumerate() {
        assert_eq!(states.iter().copied().sum::<Time>(), end, "worker {worker}");
    }
    assert!(states[0][State::Finished as usize] > Time::ZERO);
    assert!(states[3][State::Lock as usize] > Time::ZERO);
}

#[test]
fn who_waits_is_woken_after_a_while() {
    let go = Cell::new(false);
    let (clocks, _) = run_plain(2, |mut core| {
        if core.id() == 0 {
            core.charge(Cost::Node);
            core.wake(1); // without effect: its condition holds
            core.charge(Cost::Node);
            go.set(true);
            core.wake_all();
            core.charge(Cost::Node);
            core.end();
        } else {
            core.wait_while(State::WaitWork, |_| !go.get());
        }
        let now = core.now();
        (now, core.states()[State::WaitWork as usize])
    })
    .expect("they end");
    assert_eq!(clocks[0].0, ps(300));
    assert_eq!(clocks[1], (ps(207), ps(207)));
}

#[test]
fn a_deadlock_is_told_with_each_wait() {
    let dropped = Rc::new(Cell::new(0));
    let failure = run_plain(3, |mut core| {
        struct Count(Rc<Cell<usize>>);
        impl Drop for Count {
            fn drop(&mut self) {
                self.0.set(self.0.get() + 1);
            }
        }
        let _count = Count(Rc::clone(&dropped));
        core.charge(Cost::Node);
        match core.id() {
            0 => {}
            1 => core.wait_while(State::WaitHelpers, |_| true),
            _ => core.wait_while(State::WaitWork, |ended| !ended),
        }
    });
    let expected = "deadlock: every worker waits: worker 1 in wait-helpers since 0.000000000 s, \
                    worker 2 in wait-work since 0.000000000 s";
    assert_eq!(failure, Err(expected.to_owned().into()));
    assert_eq!(dropped.get(), 3, "what was on their stacks is dropped");
}

#[test]
fn a_panic_is_told_and_ends_the_search() {
    let failure = run_plain(3, |mut core| {
        core.charge(Cost::Node);
        assert!(core.id() != 1, "worker 1 falls over");
        core.wait_while(State::WaitWork, |ended| !ended);
    });
    assert_eq!(failure, Err("worker 1 panicked: worker 1 falls over".to_owned().into()));
    let failure = run(2, simulation(PLAIN), |id| assert!(id == 0, "no memory"), |(), _| ());
    assert_eq!(failure, Err("worker 1 panicked: no memory".to_owned().into()));
}

#[test]
fn the_host_limit_fails_an_endless_search() {
    let impatient = Simulation { host_limit: Some(Duration::ZERO), ..simulation(PLAIN) };
    let failure = run(
        2,
        impatient,
        |_| (),
        |(), mut core| {
            while !core.ended() {
                core.charge(Cost::Node);
            }
        },
    );
    let error = failure.expect_err("it has no other end");
    assert!(matches!(error, RunError::HostLimit { .. }), "{error}");
    let message = error.to_string();
    assert!(
        message.starts_with("the host limit of 0ns came at virtual time 0.0000004"),
        "{message}"
    );
}

#[test]
fn a_pause_of_the_host_does_not_count() {
    let limit = Duration::from_millis(200);
    let patient = Simulation { host_limit: Some(limit), ..simulation(PLAIN) };
    let ran = run(
        1,
        patient,
        |_| (),
        |(), mut core| {
            std::thread::sleep(2 * limit);
            for _ in 0..2 * NODES_BETWEEN_LOOKS {
                core.charge(Cost::Node);
            }
        },
    );
    assert!(ran.is_ok(), "{:?}", ran.err());
}

/// Where sections are free, a worker that goes round in circles stops its clock, and all others.
#[test]
fn circles_that_take_no_time_end_at_the_host_limit() {
    let limit = Duration::from_millis(20);
    let model = CostModel { section_ps: 0, ..PLAIN };
    let impatient = Simulation { host_limit: Some(limit), ..simulation(model) };
    let section = Section::new(());
    let ran = run(
        2,
        impatient,
        |_| (),
        |(), mut core| {
            while !core.ended() {
                core.section(&section, |()| ());
            }
        },
    );
    assert!(matches!(ran, Err(RunError::HostLimit { .. })), "{:?}", ran.err());
}

/// The work, the critical path and the time of two workers.
fn work_span_of_two(work: impl Fn(VirtualCore<'_>)) -> (u64, u64, u64) {
    let ran = run(2, simulation(PLAIN), |_| (), |(), core| work(core)).expect("they end");
    let WorkSpan { work, critical_path } = ran.work_span.expect("costs are counted");
    (work.ps(), critical_path.ps(), ran.time.ps())
}

#[test]
fn work_is_what_is_charged_in_its_states_until_the_end() {
    let section = Section::new(());
    let found = work_span_of_two(|mut core| {
        core.enter(State::Search);
        if core.id() == 0 {
            core.charge(Cost::Node);
            core.section(&section, |()| ());
            // A worker that looks for work does none.
            core.enter(State::WaitWork);
            core.section(&section, |()| ());
            core.enter(State::Search);
            core.charge(Cost::Node);
            core.end();
            core.charge(Cost::Node); // after the end nothing counts
        } else {
            core.charge(Cost::QuiescenceNode);
            core.section(&section, |()| ());
            core.charge(Cost::Node);
            core.charge(Cost::Node); // from 180 to 280
        }
    });
    assert_eq!(found, ((100 + 30 + 100) + (50 + 30 + 100 + 80), 230, 260));
}

#[test]
fn waiting_for_a_section_is_no_work() {
    let section = Section::new(());
    let found = work_span_of_two(|mut core| {
        core.enter(State::Search);
        core.section(&section, |()| ());
        if core.now() > ps(30) {
            core.end();
        }
    });
    assert_eq!(found, (30 + 30, 30, 60));
}

#[test]
fn a_chain_goes_on_from_what_was_handed_over() {
    let (begun, result) = (Chain::default(), Chain::default());
    let (go, done) = (Cell::new(false), Cell::new(false));
    let found = work_span_of_two(|mut core| {
        core.enter(State::Search);
        if core.id() == 0 {
            core.charge(Cost::Node);
            begun.extend(&core);
            go.set(true);
            core.wake(1);
            core.charge(Cost::Node);
            core.wait_while(State::WaitHelpers, |_| !done.get());
            assert_eq!(core.span(), ps(200));
            core.depend_on(result.span());
            core.charge(Cost::Node);
            core.end();
        } else {
            core.charge(Cost::QuiescenceNode); // no part of any chain
            core.wait_while(State::WaitWork, |_| !go.get());
            core.continue_from(begun.span());
            core.charge(Cost::Node);
            core.charge(Cost::Node);
            result.extend(&core);
            done.set(true);
            core.wake(0);
        }
    });
    assert_eq!(found, (3 * 100 + 50 + 2 * 100, 100 + 200 + 100, 107 + 200 + 7 + 100));
}

/// A mixture of all things that workers do. Returns the events with their times and workers.
#[allow(clippy::large_types_passed_by_value, reason = "a test may copy")]
pub(super) fn busy(workers: usize, simulation: Simulation, always: bool) -> Busy {
    busy_in(&CoreGroup::new(workers, simulation, Network::default(), always))
}

type Busy = (Vec<u64>, Vec<[Time; 7]>, Time);

pub(super) fn busy_in(group: &CoreGroup) -> Busy {
    let section = Section::new(vec![0]);
    let round = Cell::new(0_u64);
    let work = |(), mut core: VirtualCore<'_>| {
        core.enter(State::Search);
        for step in 0..200_u64 {
            let id = core.id() as u64;
            core.charge(if (step + id).is_multiple_of(3) {
                Cost::Node
            } else {
                Cost::QuiescenceNode
            });
            if hash(step, id).is_multiple_of(8) {
                core.section(&section, |log| log.push(id));
            }
            if hash(id, step).is_multiple_of(32) && id > 0 {
                let known = round.get();
                core.wait_while(State::WaitWork, |ended| !ended && round.get() == known);
            }
            if id == 0 {
                round.set(round.get() + 1);
                core.wake_all();
            }
        }
        if core.id() == 0 {
            core.end();
        }
        core.states()
    };
    let ran = run_group(group, |_| (), work).expect("they end");
    let Gathered { results: states, time: end, .. } = ran;
    for states in &states {
        assert_eq!(states.iter().copied().sum::<Time>(), end);
    }
    (section.into_inner(), states, end)
}

#[test]
fn the_same_again_and_however_often_it_switches() {
    for model in [CostModel::default(), PLAIN, CostModel { slowdown_permille: 20, ..PLAIN }] {
        for workers in [1, 2, 7, 64] {
            let first = busy(workers, simulation(model), false);
            assert_eq!(first, busy(workers, simulation(model), false));
            assert_eq!(first, busy(workers, simulation(model), true), "{workers} workers");
            let other = busy(workers, Simulation { ties: 6, noise: 4, ..simulation(model) }, false);
            let varied = model.jitter_permille > 0;
            assert!(!varied || first != other, "the seeds matter: {workers} workers");
        }
    }
}

#[test]
fn a_thousand_workers() {
    let (logs, states, _) = busy(1024, simulation(CostModel::default()), false);
    assert!(states.len() == 1024 && logs.len() > 1024);
}
