//! Measures the cost of a meeting of two workers: at a section, by a wake, and by a cache line.

use super::costs::{Calibration, CalibrationError, cost};
use std::fmt;
use std::hint::{black_box, spin_loop};
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::Duration;
use ttd_search::cores::affinity;
use ttd_search::cores::real::{self, RealCore};
use ttd_search::cores::{Caches, Core, Section, State, Time, Waiting, WorkerThreads};
use ttd_stats::summary;

/// Both workers have a core, so they spin.
const SPINNING: Waiting = Waiting { spin: Duration::from_micros(200), ..Waiting::PARKED };
const ENTRIES: u32 = 50_000;
const TURNS: u64 = 2_000;
const PARKED_TURNS: u64 = 100;
const STARTS: usize = 101;
/// The time for which a worker waits before it is woken: it has parked then.
const PARKED_FOR: Duration = Duration::from_micros(500);
const LINE_TURNS: u64 = 20_000;
/// The number of repetitions that each median is taken over.
const REPETITIONS: usize = 15;

/// Measures sections and wakes.
pub(super) fn measure(calibration: &mut Calibration) -> Result<(), CalibrationError> {
    let section = repeated(section_ps)?;
    calibration.costs.common.section_ps = cost(section.middle);
    calibration.note(
        "section_ps",
        format!("two workers entering one section in turn, {ENTRIES} times each, and working on what they find there; {section}"),
    );
    let wake = repeated(wake_ps)?;
    calibration.costs.common.wake_ps = cost(wake.middle);
    calibration
        .note("wake_ps", format!("two spinning workers waking each other {TURNS} times; {wake}"));
    measure_parking(calibration, wake.middle)
}

/// Measures the wake of a parked worker, beside that of a spinning one.
fn measure_parking(calibration: &mut Calibration, wake: f64) -> Result<(), CalibrationError> {
    let all: Result<Vec<(f64, f64)>, String> = (0..REPETITIONS).map(|_| parked_ps()).collect();
    let all = all.map_err(CalibrationError::Failed)?;
    let (comes, takes): (Vec<f64>, Vec<f64>) = all.into_iter().unzip();
    let middle = |of: &[f64]| summary::median(of).ok_or(CalibrationError::TooLittle);
    let (comes, takes) = (middle(&comes)?, middle(&takes)?);
    let common = &mut calibration.costs.common;
    common.spin_ps = Time::from(SPINNING.spin).ps();
    (common.park_ps, common.unpark_ps) = (cost((comes - wake).max(0.0)), cost(takes));
    calibration.note("spin_ps", "that of the searchers: not measured".to_owned());
    calibration.note(
        "park_ps",
        format!("a worker that has waited for {PARKED_FOR:?} goes on {:.1} us after its wake, the median of {REPETITIONS} x {PARKED_TURNS}; less `wake_ps`", comes / 1e6),
    );
    calibration.note("unpark_ps", "the time of the worker that wakes it".to_owned());
    measure_start(calibration)
}

/// Measures how much later the first of two workers begins than a single one.
fn measure_start(calibration: &mut Calibration) -> Result<(), CalibrationError> {
    let begins = |workers| {
        let once = |_| {
            let begun = real::run(
                &WorkerThreads::default(),
                workers,
                SPINNING,
                |_| (),
                |(), core: RealCore<'_>| core.now(),
            );
            begun.map(|(begun, _)| begun[0].ps() as f64).map_err(|why| why.to_string())
        };
        let all: Result<Vec<f64>, String> = (0..STARTS).map(once).collect();
        let all = all.map_err(CalibrationError::Failed)?;
        summary::median(&all).ok_or(CalibrationError::TooLittle)
    };
    let (one, two) = (begins(1)?, begins(2)?);
    calibration.costs.common.start_ps = cost((two - one).max(0.0));
    let (one, two) = (one / 1e6, two / 1e6);
    calibration.note(
        "start_ps",
        format!("the first of two workers begins after {two:.1} us, a single one after {one:.1} us: medians of {STARTS}"),
    );
    Ok(())
}

/// Measures one way of a cache line between two cores. They become a cluster of the machine's
/// caches, and no line from farther away costs less.
pub(super) fn measure_line(calibration: &mut Calibration) -> Result<(), CalibrationError> {
    let line = repeated(line_ps)?;
    let way = cost(line.middle);
    let known = Caches::default();
    calibration.costs.machine.caches = Some(Caches {
        core_ps: known.core_ps.min(way),
        cluster_ps: way,
        socket_ps: known.socket_ps.max(way),
        machine_ps: known.machine_ps.max(way),
        ..known
    });
    let bound = if affinity::two().is_some() { " bound to a processor each" } else { "" };
    calibration.note(
        "cache.cluster_ps",
        format!(
            "two threads{bound}, which change one line in turn {LINE_TURNS} times each; {line}"
        ),
    );
    Ok(())
}

/// A median with its quartiles, in picoseconds.
struct Repeated {
    middle: f64,
    quartiles: (f64, f64),
}

impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lower, upper) = (self.quartiles.0 / 1e3, self.quartiles.1 / 1e3);
        write!(f, "the middle half of {REPETITIONS} between {lower:.0} and {upper:.0} ns")
    }
}

fn repeated(once: fn() -> Result<f64, String>) -> Result<Repeated, CalibrationError> {
    let all: Result<Vec<f64>, String> = (0..REPETITIONS).map(|_| once()).collect();
    let all = all.map_err(CalibrationError::Failed)?;
    let quartile = |share| summary::quantile(&all, share).ok_or(CalibrationError::TooLittle);
    Ok(Repeated { middle: quartile(0.5)?, quartiles: (quartile(0.25)?, quartile(0.75)?) })
}

/// The time that a section adds to the work between two entries, picoseconds. The work begins with
/// the value found in the section, as in a search. A processor would otherwise go on with the work
/// while it waits for the lock's cache line.
fn section_ps() -> Result<f64, String> {
    let section = Section::new(0u64);
    let loops = |enters: bool| {
        both(|core| {
            let mut x = core.id() as u64 + 1;
            for _ in 0..ENTRIES {
                x = work(x);
                if enters {
                    x ^= core.section(&section, |sum| {
                        *sum = sum.wrapping_add(x);
                        *sum
                    });
                }
            }
            black_box(x);
        })
    };
    let (with, without) = (loops(true)?, loops(false)?);
    Ok((with - without) / f64::from(ENTRIES))
}

/// The time from a wake until the woken worker has gone on, picoseconds.
fn wake_ps() -> Result<f64, String> {
    let turn = AtomicU64::new(0);
    let spent = both(|core| {
        let me = core.id() as u64;
        for _ in 0..TURNS {
            // partner: the release of the other worker, below
            core.wait_while(State::WaitWork, |_| turn.load(Acquire) % 2 != me);
            turn.fetch_add(1, Release);
            core.wake(1 - core.id());
        }
    })?;
    Ok(spent / (2 * TURNS) as f64)
}

/// The time from the wake of a parked worker until it goes on, and the time that its wake takes the
/// other, picoseconds: means.
fn parked_ps() -> Result<(f64, f64), String> {
    let (turn, woken_at) = (AtomicU64::new(0), AtomicU64::new(0));
    let timed = |(): (), mut core: RealCore<'_>| {
        let me = core.id() as u64;
        let (mut comes, mut takes) = (Time::ZERO, Time::ZERO);
        for round in 0..PARKED_TURNS {
            // partner: the release of the other worker, below. It publishes `woken_at` too.
            core.wait_while(State::WaitWork, |_| turn.load(Acquire) % 2 != me);
            let came = core.now();
            if round > 0 {
                comes += came - Time::from_ps(woken_at.load(Relaxed));
            }
            while core.now() - came < Time::from(PARKED_FOR) {
                black_box(work(1));
            }
            let before = core.now();
            woken_at.store(before.ps(), Relaxed);
            turn.fetch_add(1, Release);
            core.wake(1 - core.id());
            takes += core.now() - before;
        }
        (comes, takes)
    };
    let (spent, _) = real::run(&WorkerThreads::default(), 2, SPINNING, |_| (), timed)
        .map_err(|why| why.to_string())?;
    let mean = |of: fn(&(Time, Time)) -> Time, turns: u64| {
        spent.iter().map(|pair| of(pair).ps()).sum::<u64>() as f64 / (2 * turns) as f64
    };
    Ok((mean(|pair| pair.0, PARKED_TURNS - 1), mean(|pair| pair.1, PARKED_TURNS)))
}

/// One way of a line, picoseconds. Source of the method: N. Viennot, `core-to-core-latency`.
fn line_ps() -> Result<f64, String> {
    let (turn, processors) = (AtomicU64::new(0), affinity::two());
    let spent = both_tell(|core| {
        if let Some(processors) = processors {
            // Where the system does not allow it, the threads still have a core each.
            let _ = affinity::pin(&[processors[core.id()]]);
        }
        let mine = |round: u64| 2 * round + core.id() as u64;
        // The first turns are not timed: threads come to their processors.
        let mut start = core.now();
        for round in 0..2 * LINE_TURNS {
            // partner: the release of the other worker, below
            while turn.load(Acquire) != mine(round) {
                spin_loop();
            }
            turn.store(mine(round) + 1, Release);
            if round + 1 == LINE_TURNS {
                start = core.now();
            }
        }
        core.now() - start
    })?;
    Ok(spent / (2 * LINE_TURNS) as f64)
}

/// The mean time of two workers for `body`, picoseconds.
fn both(body: impl Fn(&mut RealCore<'_>) + Sync) -> Result<f64, String> {
    both_tell(|core| {
        let start = core.now();
        body(core);
        core.now() - start
    })
}

/// The mean of the times that two workers tell, picoseconds.
fn both_tell(body: impl Fn(&mut RealCore<'_>) -> Time + Sync) -> Result<f64, String> {
    let timed = |(): (), mut core: RealCore<'_>| body(&mut core);
    let ran = real::run(&WorkerThreads::default(), 2, SPINNING, |_| (), timed);
    let (spent, _) = ran.map_err(|why| why.to_string())?;
    Ok(spent.into_iter().sum::<Time>().ps() as f64 / 2.0)
}

/// About half a microsecond of work that the compiler cannot leave out.
fn work(mut x: u64) -> u64 {
    for _ in 0..200 {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    x
}
