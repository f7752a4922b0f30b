//! The intervals of `ttd compare`: of the ratio of the speedups of two sweeps. Both have equal
//! positions, each with samples of its own. The intervals of `ttd validate` are made in this way
//! too.
//!
//! And the intervals over sittings. Between sittings the speedup of the machine changes: by a
//! factor for all positions, and by a smaller one for each. The factors are lognormal. In the rows
//! "two kinds" there are two kinds of sittings instead, equally likely.

use crate::normal::Normal;
use crate::{Cell, Found, SHARE, SPREAD, SPREAD_OF_TIMES, cell as times};
use ttd_stats::fits::Model;
use ttd_stats::ratios::{self, Quotient};
use ttd_stats::sittings::OverSittings;
use ttd_stats::{Base, Runs, Sweep, summary};

/// The number of threads whose speedup is taken.
const THREADS_OF_BOTH: f64 = 4.0;
/// The factor by which the second sweep's speedup is greater, over the population, and the standard
/// deviation of the logarithm of that factor.
const FASTER: f64 = 1.05;
const SPREAD_OF_RATIOS: f64 = 0.1;
/// The stream of these experiments.
const STREAM_OF_PAIRS: u64 = 7;

/// The intervals of one pair of simulated experiments.
pub(crate) fn of_two(cell: Cell, number: u64) -> Vec<Found> {
    let mut normal = Normal::new(number, STREAM_OF_PAIRS);
    let sigma = cell.sigma();
    // Both sides' times at one thread, then at THREADS_OF_BOTH.
    let mut sides: [[Vec<Runs>; 2]; 2] = Default::default();
    let mut faster = Vec::new();
    for _ in 0..cell.positions {
        let one = (SPREAD_OF_TIMES * normal.draw()).exp();
        let old = Model::Amdahl.speedup(&[SHARE], THREADS_OF_BOTH) * (SPREAD * normal.draw()).exp();
        let ratio = FASTER * (SPREAD_OF_RATIOS * normal.draw()).exp();
        faster.push(ratio);
        for ([base, many], speedup) in sides.iter_mut().zip([old, old * ratio]) {
            base.push(times(&mut normal, one, sigma, cell.runs));
            many.push(times(&mut normal, one / speedup, sigma, cell.runs));
        }
    }
    let [[old_base, old], [new_base, new]] = &sides;
    let new = Quotient { above: vec![new_base], below: vec![new] };
    let old = Quotient { above: vec![old], below: vec![old_base] };
    let ratio = ratios::geometric_mean(&[new, old], number);
    let truth = summary::geometric_mean(&faster).unwrap_or(f64::NAN);
    vec![
        ("runs GM of two sweeps: rescaled".to_owned(), truth, ratio.and_then(|of| of.ci_runs)),
        (
            "positions GM of two sweeps: expanded".to_owned(),
            FASTER,
            ratio.and_then(|of| of.ci_positions),
        ),
    ]
}

/// The number of threads whose speedup is taken.
const THREADS: usize = 4;
/// The standard deviations of the logarithms of the two factors.
const BETWEEN: f64 = 0.04;
const BETWEEN_OF_POSITION: f64 = 0.02;
/// Numbers of sittings.
const SITTINGS: [usize; 3] = [2, 3, 6];
/// The stream of these experiments.
const STREAM_OF_SITTINGS: u64 = 8;

/// The intervals of one simulated experiment.
pub(crate) fn over_sittings(cell: Cell, number: u64) -> Vec<Found> {
    let mut found = Vec::new();
    let mut normal = Normal::new(number, STREAM_OF_SITTINGS);
    let positions: Vec<(f64, f64)> = (0..cell.positions)
        .map(|_| {
            let one = (SPREAD_OF_TIMES * normal.draw()).exp();
            (one, Model::Amdahl.speedup(&[SHARE], THREADS as f64) * (SPREAD * normal.draw()).exp())
        })
        .collect();
    let speedups: Vec<f64> = positions.iter().map(|(_, speedup)| *speedup).collect();
    let truth = summary::geometric_mean(&speedups).unwrap_or(f64::NAN);
    for (kind, two_kinds) in [("", false), (", two kinds", true)] {
        for sittings in SITTINGS {
            let mut one_more = || sitting(cell, &mut normal, &positions, two_kinds);
            let figures: Vec<f64> = (0..sittings).map(|_| one_more()).collect();
            let next = one_more();
            let over = OverSittings::of(&figures);
            let name = |what: &str| format!("{sittings} sittings GM{kind}: {what}");
            found.push((name("Student"), truth, over.map(|over| over.ci)));
            found.push((name("the next"), next, over.map(|over| over.next)));
        }
    }
    found
}

/// The speedup that one sitting finds.
fn sitting(cell: Cell, normal: &mut Normal, positions: &[(f64, f64)], two_kinds: bool) -> f64 {
    let shift = if !two_kinds {
        normal.draw()
    } else if normal.uniform() > 0.5 {
        1.0
    } else {
        -1.0
    };
    let sigma = cell.sigma();
    let (mut base, mut many): (Vec<Runs>, Vec<Runs>) = (Vec::new(), Vec::new());
    for (one, speedup) in positions {
        let own = BETWEEN * shift + BETWEEN_OF_POSITION * normal.draw();
        base.push(times(normal, *one, sigma, cell.runs));
        many.push(times(normal, one / speedup * own.exp(), sigma, cell.runs));
    }
    let all: Vec<usize> = (0..positions.len()).collect();
    let sweep = Sweep { threads: vec![THREADS], cells: vec![many], base: Base::Other(base) };
    let headline = sweep.speedups().headline(0, &all);
    headline.map_or(f64::NAN, |headline| headline.geometric_mean.lower)
}
