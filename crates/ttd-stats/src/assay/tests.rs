//! Curves whose distance is known, and figures of another program.

use super::*;

/// A curve of five depths, numbered 5 to 9, over so many positions. In `point` the depths are
/// counted from 0.
fn curve(positions: usize, point: impl Fn(f64, f64) -> [f64; 2]) -> Curve {
    let at = |depth: u8| {
        let of = |position| point(position as f64, f64::from(depth));
        let point = |[log_time, loss]: [f64; 2]| Point { log_time, loss };
        (0..positions).map(|position| point(of(position))).collect()
    };
    Curve { depths: (5..10).collect(), points: (0..5).map(at).collect() }
}

fn base_time(position: f64, depth: f64) -> f64 {
    0.3 * position.sin() + 0.65 * depth - 6.0
}

/// The curves of `scripts/statistics-reference.py`.
fn of_reference() -> [Curve; 2] {
    let base =
        curve(40, |i, d| [base_time(i, d), 20.0 - 3.0 * d + 8.0 * (1.7 * i + 0.9 * d).sin()]);
    let cell = curve(40, |i, d| {
        let time = base_time(i, d) - 0.8 + 0.1 * (2.0 * i + d).cos();
        [time, 21.0 - 3.1 * d + 8.0 * (1.7 * i + 1.3 * d).sin()]
    });
    [base, cell]
}

fn near(found: f64, expected: f64, within: f64) {
    assert!((found / expected - 1.0).abs() < within, "{found}, {expected} expected");
}

/// The figures are exact; the ends of intervals follow from draws there and from derivatives in the
/// other program.
#[test]
fn figures_agree_with_a_linear_model_of_numpy() {
    let [base, cell] = of_reference();
    let of = Assay::of(&base, &cell, 1).expect("an assay");
    assert_eq!((of.positions, of.depths), (40, [(5, 9); 2]));
    near(of.equal.value, 1.872_971_355_46, 1e-10);
    near(of.slopes.value, 1.015_850_818_66, 1e-10);
    near(of.slope, -4.762_198_266_68, 1e-10);
    let (to_depth, quality) = of.to_depth.zip(of.quality).expect("depths are common");
    near(to_depth.value, 2.226_755_704_95, 1e-10);
    near(quality.value, 0.841_121_166_23, 1e-10);
    near(to_depth.value * quality.value, of.equal.value, 1e-10);
    near(of.bent.expect("enough points"), 1.872_433_69, 1e-6);
    near(of.curvature.expect("enough points"), 0.894_949_363, 1e-5);
    for (figure, lower, upper) in [
        (of.equal, 1.536_093_001_73, 2.177_303_272_44),
        (quality, 0.689_874_552_488, 0.977_560_389_435),
        (of.slopes, 0.817_483_154_412, 1.330_628_937_52),
        (to_depth, 2.214_231_195_65, 2.239_351_057_51),
    ] {
        let ends = figure.set.between().expect("an interval");
        near(ends.lower, lower, 0.015);
        near(ends.upper, upper, 0.015);
    }
    assert_eq!(of.parallel(), Parallel::Open);
}

/// A search that needs half the time, and is a third of it short in quality, at every position.
#[test]
fn a_shift_is_found_exactly_and_split() {
    let third = 1.5f64.ln();
    let base = curve(30, |i, d| [base_time(i, d), 30.0 - 4.0 * base_time(i, d) + i.cos()]);
    let cell = curve(30, |i, d| {
        let time = base_time(i, d) - 2f64.ln();
        [time, 30.0 - 4.0 * (time + 2f64.ln() - third) + i.cos()]
    });
    let of = Assay::of(&base, &cell, 1).expect("an assay");
    near(of.equal.value, 2.0 / 1.5, 1e-9);
    near(of.to_depth.expect("common depths").value, 2.0, 1e-9);
    near(of.quality.expect("common depths").value, 1.0 / 1.5, 1e-9);
    near(of.bent.expect("points"), 2.0 / 1.5, 1e-6);
    near(of.curvature.expect("points"), 1.0, 1e-6);
    assert_eq!(of.parallel(), Parallel::Shown);
    let set = of.equal.set.between().expect("an interval");
    assert!(set.lower <= 2.0 / 1.5 + 1e-9 && set.upper >= 2.0 / 1.5 - 1e-9, "{set:?}");
}

/// A bent curve and its shifted like: the parabola finds the shift, and tells the bend.
#[test]
fn a_bend_is_reported() {
    let loss = |time: f64| 20.0 - 4.0 * time + 0.5 * time * time;
    let base = curve(30, |i, d| [base_time(0.0 * i, d), loss(base_time(0.0, d))]);
    let cell = curve(30, |i, d| {
        let time = base_time(0.0 * i, d) - 1.0;
        [time, loss(time + 0.7)]
    });
    let of = Assay::of(&base, &cell, 1).expect("an assay");
    near(of.bent.expect("points"), 0.7f64.exp(), 1e-4);
    // From the shortest time to the longest: the cell's first loss is beyond those of the base.
    let slope = |time: f64| -4.0 + time;
    near(of.curvature.expect("points"), slope(-3.4) / slope(-6.0), 1e-3);
}

/// Only losses that both curves have count, and half a step beyond.
#[test]
fn only_common_losses_count() {
    let base = curve(30, |i, d| [base_time(i, d), 30.0 - 4.0 * d]);
    let cell = curve(30, |i, d| [base_time(i, d) - 1.0, 21.0 - 4.0 * d]);
    let of = Assay::of(&base, &cell, 1).expect("an assay");
    // Losses 30 to 14 and 21 to 5: from 12 to 23.
    assert_eq!(of.depths, [(7, 9), (5, 7)]);
    // Nine of loss are 9/4 plies.
    near(of.equal.value, (1.0 + 0.65 * 9.0 / 4.0f64).exp(), 1e-9);
    of.at_losses.iter().zip([21.0, 14.0]).for_each(|((loss, _), known)| near(*loss, known, 1e-12));
    let far = curve(30, |i, d| [base_time(i, d), 5.0 - d]);
    assert_eq!(Assay::of(&base, &far, 1), Err(NoAssay::NoCommonLosses));
}

/// A cell whose speedup grows with depth has no single ratio: it has one at each loss.
#[test]
fn lines_that_are_not_parallel_are_told_by_both_ends() {
    let loss = |depth: f64| 30.0 - 4.0 * depth;
    let base = curve(30, |i, d| [base_time(i, d), loss(d)]);
    // Times grow by 0.65 a ply in the base, and by 0.4 here.
    let cell = curve(30, |i, d| [base_time(i, d) - 0.25 * d, loss(d)]);
    let of = Assay::of(&base, &cell, 1).expect("an assay");
    assert_eq!(of.parallel(), Parallel::Not);
    near(of.slopes.value, 0.65 / 0.4, 1e-9);
    let [(most, first), (least, last)] = of.at_losses;
    near(most, 30.0, 1e-12);
    near(least, 14.0, 1e-12);
    near(first.value, 1.0, 1e-9);
    near(last.value, 1f64.exp(), 1e-9);
}

#[test]
fn no_ratio_has_a_reason() {
    let [base, cell] = of_reference();
    let one = |curve: &Curve| Curve {
        points: curve.points.iter().map(|points| points[..1].to_vec()).collect(),
        ..curve.clone()
    };
    assert_eq!(Assay::of(&one(&base), &one(&cell), 1), Err(NoAssay::FewPositions));
    let rising = curve(40, |i, d| [base_time(i, d), d]);
    assert_eq!(Assay::of(&rising, &rising, 1), Err(NoAssay::NoFall));
    let nothing = Curve::default();
    assert_eq!(Assay::of(&nothing, &nothing, 1), Err(NoAssay::FewPositions));
    assert!(NoAssay::NoFall.to_string().contains("does not fall"));
}

/// Losses that chance alone makes have a set without ends.
#[test]
fn a_slope_that_may_be_nothing_opens_the_set() {
    let chance = |i: f64, d: f64| 10.0 - 0.05 * d + 8.0 * (1.7 * i + 2.9 * d).sin();
    let base = curve(12, |i, d| [base_time(i, d), chance(i, d)]);
    let cell = curve(12, |i, d| [base_time(i, d) - 1.0, chance(i + 0.5, d)]);
    match Assay::of(&base, &cell, 1) {
        Ok(of) => {
            assert_eq!(of.equal.set.between(), None, "{of:?}");
            assert_ne!(of.parallel(), Parallel::Shown);
        }
        Err(why) => assert_eq!(why, NoAssay::NoFall),
    }
}

#[test]
fn the_number_of_positions_follows_from_the_width() {
    let [base, cell] = of_reference();
    let of = Assay::of(&base, &cell, 1).expect("an assay");
    let width = |n: f64| {
        let reach = 2.022_690_92 * of.error * (40.0 / n).sqrt();
        2.0 * reach.sinh()
    };
    let needed = of.positions_for(0.1).expect("it varies") as f64;
    assert!(width(needed) <= 0.1 && width(needed - 1.0) > 0.1 - 1e-6, "{needed}");
    let as_now = of.positions_for(width(40.0)).expect("it varies");
    assert!((39..=41).contains(&as_now), "{as_now}");
    let exact = curve(30, |i, d| [base_time(0.0 * i, d), 30.0 - 4.0 * d]);
    assert_eq!(Assay::of(&exact, &exact, 1).expect("an assay").positions_for(0.1), None);
}
