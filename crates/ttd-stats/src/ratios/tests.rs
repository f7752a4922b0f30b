//! Ratios with known figures, and intervals beside those of another program.

use super::*;
use crate::Timing::{self, AtLeast, Exact};

fn exact(times: &[f64]) -> Runs {
    times.iter().copied().map(Exact).collect::<Vec<Timing>>().into()
}

/// A row with one cell at each position.
fn row(cells: &[&[f64]]) -> Vec<Runs> {
    cells.iter().map(|cell| exact(cell)).collect()
}

/// The ratio of rows of one experiment.
fn geometric_mean(above: &[&Row], below: &[&Row], seed: u64) -> Option<Ratio> {
    super::geometric_mean(&[Quotient { above: above.to_vec(), below: below.to_vec() }], seed)
}

/// Two contestants of one experiment.
fn contestants(one: &Row, other: &Row) -> (Contestant, Contestant) {
    let rounds = draw_rounds(one.iter().chain(other), 1);
    (Contestant::new(one, &rounds), Contestant::new(other, &rounds))
}

fn close(bounds: Option<Bounds>, (lower, upper): (f64, f64)) {
    let bounds = bounds.expect("an interval");
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
    assert!(near(bounds.lower, lower) && near(bounds.upper, upper), "{bounds:?}");
}

#[test]
fn positions_are_paired() {
    // Positions differ a hundredfold; the ratio is 2 and 8.
    let (slow, fast) = (row(&[&[2.0], &[800.0]]), row(&[&[1.0], &[100.0]]));
    let ratio = geometric_mean(&[&slow], &[&fast], 1).expect("known");
    assert_eq!((ratio.positions, ratio.ci_runs), (2, None));
    close(Some(ratio.value), (4.0, 4.0));
    close(ratio.ci_positions, (2.0, 8.0));
    let same = geometric_mean(&[&slow], &[&slow], 1).expect("known");
    close(same.ci_positions, (1.0, 1.0));
}

#[test]
fn the_interval_over_few_positions_is_expanded() {
    // Over four positions the interval goes as far as the replicates: some of 2,000 draw one
    // position four times.
    let (slow, fast) = (row(&[&[2.0], &[3.0], &[5.0], &[8.0]]), row(&[&[1.0][..]; 4]));
    let ratio = geometric_mean(&[&slow], &[&fast], 1).expect("known");
    close(ratio.ci_positions, (2.0, 8.0));
}

#[test]
fn rounds_are_drawn_anew() {
    let (a, b) = (row(&[&[1.0, 4.0]]), row(&[&[1.0, 1.0]]));
    let ratio = geometric_mean(&[&a], &[&b], 1).expect("known");
    assert_eq!((ratio.value, ratio.ci_positions), (Bounds::exact(2.5), None));
    close(ratio.ci_runs, (1.0, 4.0));
    assert_eq!(geometric_mean(&[&a], &[&b], 1), Some(ratio), "the same seed");
}

#[test]
fn a_product_of_cells_and_none_below() {
    let (a, b) = (row(&[&[6.0]]), row(&[&[4.0]]));
    let value = |above: &[&Row], below: &[&Row]| {
        geometric_mean(above, below, 1).and_then(|ratio| ratio.value.value())
    };
    assert_eq!(value(&[&a, &b], &[&b, &b]), Some(1.5));
    assert_eq!(value(&[&a], &[]), Some(6.0));
}

#[test]
fn contestants_agree_with_what_is_drawn_for_each_pair() {
    let noise = |seed: usize, scale: f64| -> Vec<f64> {
        (0..12).map(|i| scale * (1.0 + ((i * 7 + seed * 5) % 12) as f64 / 20.0)).collect()
    };
    let cells = |offset: usize, scale: f64| -> Vec<Runs> {
        let cell = |p: usize| noise(p + offset, scale * (p + 1) as f64 * (1.0 + p as f64 / 9.0));
        (0..9).map(|p| exact(&cell(p))).collect()
    };
    let (mut fast, slow) = (cells(0, 1.0), cells(3, 1.5));
    fast[4] = Runs::default();
    let (one, other) = contestants(&fast, &slow);
    let found = one.mean_against(&other, 1).expect("known");
    let expected = geometric_mean(&[&slow], &[&fast], 1).expect("known");
    assert_eq!((found.positions, found.value), (8, expected.value));
    assert_eq!(found.ci_positions, expected.ci_positions);
    let (found, expected) = (found.ci_runs.expect("runs"), expected.ci_runs.expect("runs"));
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-4;
    assert!(near(found.lower, expected.lower) && near(found.upper, expected.upper));
    assert!(found.upper / found.lower > 1.03, "{found:?}");
}

/// The ends are printed by `scripts/paired-reference.py`, from 200,000 replicates of numpy.
/// Ours, from 2,000, are within 2% of them.
#[test]
fn intervals_agree_with_another_program() {
    let one = row(&[
        &[8.572, 9.429, 8.547, 6.165, 9.588, 8.747, 7.185, 8.986, 8.605],
        &[16.969, 16.091, 17.849, 13.809, 15.487, 14.529, 18.036, 16.128, 15.091],
        &[20.526, 22.797, 24.039, 22.713, 31.089, 29.353, 13.955, 16.449, 23.176],
        &[29.409, 33.397, 33.422, 48.877, 25.619, 29.672, 48.149, 36.418, 36.538],
    ]);
    let many = row(&[
        &[4.154, 3.603, 3.683, 2.455, 5.733, 5.029, 3.748, 4.67, 4.231],
        &[7.161, 9.727, 7.518, 7.491, 6.828, 8.762, 7.843, 8.922, 7.085],
        &[12.308, 10.039, 14.199, 12.46, 12.82, 13.027, 9.804, 14.035, 18.106],
        &[11.529, 11.322, 11.842, 18.933, 16.417, 19.851, 18.487, 16.688, 16.935],
    ]);
    let other_one = row(&[
        &[12.033, 4.799, 8.698, 7.141, 7.308, 7.662, 5.341, 7.637, 6.729],
        &[31.099, 16.739, 14.91, 15.125, 13.999, 12.956, 14.797, 17.619, 15.255],
        &[29.067, 23.06, 24.117, 32.695, 26.764, 21.693, 23.138, 26.74, 35.342],
        &[30.32, 30.479, 39.103, 26.801, 30.186, 38.177, 35.938, 32.591, 36.589],
    ]);
    let other_many = row(&[
        &[2.809, 3.09, 4.463, 3.651, 2.305, 3.197, 2.825, 3.297, 2.32],
        &[6.717, 6.708, 8.771, 6.818, 7.088, 4.748, 10.043, 4.363, 7.978],
        &[8.987, 8.05, 8.419, 8.393, 10.358, 9.391, 12.914, 6.658, 9.594],
        &[10.708, 14.949, 8.38, 11.95, 13.35, 9.512, 15.588, 13.266, 15.655],
    ]);
    let near = |ci: Option<Bounds>, lower: f64, upper: f64| {
        let ci = ci.expect("nine runs");
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.02;
        assert!(near(ci.lower, lower) && near(ci.upper, upper), "{ci:?}");
    };
    let speedup = geometric_mean(&[&one], &[&many], 1).expect("known");
    near(speedup.ci_runs, 1.79892, 2.28526);
    let (fast, slow) = contestants(&many, &one);
    near(fast.mean_against(&slow, 1).expect("known").ci_runs, 1.79892, 2.28526);
    let [old, new] = [(&one, &many), (&other_one, &other_many)];
    let old = Quotient { above: vec![&old.1], below: vec![&old.0] };
    let new = Quotient { above: vec![&new.0], below: vec![&new.1] };
    let change = super::geometric_mean(&[new, old], 1);
    near(change.expect("known").ci_runs, 1.04067, 1.47224);
}

#[test]
fn a_contestant_may_be_censored_or_have_a_single_sample() {
    let (mut a, b) = (row(&[&[6.0, 6.0], &[2.0, 2.0]]), row(&[&[3.0, 3.0], &[4.0, 4.0]]));
    let against = |a: &Row, b: &Row| {
        let (a, b) = contestants(a, b);
        (a.mean_against(&b, 1).expect("known"), b.mean_against(&a, 1).expect("known"))
    };
    close(against(&a, &b).0.ci_runs, (1.0, 1.0));
    a[0] = vec![AtLeast(6.0), AtLeast(6.0)].into();
    let (slow, fast) = against(&a, &b);
    assert!(slow.value.lower <= 0.0 && (slow.value.upper - 1.0).abs() < 1e-12, "{slow:?}");
    assert_eq!((fast.value.upper, slow.ci_runs.map(|ci| ci.lower)), (f64::INFINITY, Some(0.0)));
    close(fast.ci_runs.map(|ci| Bounds { upper: 1.0, ..ci }), (1.0, 1.0));
    a[0] = exact(&[6.0]);
    assert_eq!(against(&a, &b).0.ci_runs, None);
    a[0] = exact(&[0.0, 6.0]);
    assert_eq!(against(&a, &b).0.positions, 1);
}

#[test]
fn what_is_missing_is_left_out_and_what_is_censored_is_open() {
    let (mut a, b) = (row(&[&[6.0], &[], &[8.0]]), row(&[&[3.0], &[1.0], &[2.0]]));
    let ratio = geometric_mean(&[&a], &[&b], 1).expect("known");
    assert_eq!(ratio.positions, 2);
    a[0] = vec![AtLeast(6.0)].into();
    let ratio = geometric_mean(&[&a], &[&b], 1).expect("known");
    assert!((ratio.value.lower - 8f64.sqrt()).abs() < 1e-12);
    assert_eq!(ratio.value.upper, f64::INFINITY);
    assert_eq!(geometric_mean(&[&row(&[&[]])], &[&row(&[&[1.0]])], 1), None);
}
