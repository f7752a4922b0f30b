//! Refits of few and of many positions, and whole rounds.

use super::*;
use crate::work_span::tests::{NO_PATH, NO_WORK, runs};

/// Runs of 20 positions and four thread counts, three each. T = 1.1 W/N + 0.9 C but for errors
/// of each run and of each position.
fn cells() -> Vec<Cells> {
    let wave = |x: u32| (f64::from(x) * 12.9898).sin();
    let cell = |position: u32, threads: u32| {
        let work = (1.5 * wave(position)).exp();
        let path = 0.1 * work * (0.5 * wave(7 * position + 3)).exp();
        let run = |number: u32| {
            let share = work / f64::from(1 << threads);
            let of_run = 0.05 * wave(100 * position + 10 * threads + number);
            let error = of_run + 0.1 * wave(position + 41);
            Run { time: (1.1 * share + 0.9 * path) * error.exp(), share, path }
        };
        (0..3).map(|number| (number + 1, run(number))).collect()
    };
    (0..20).map(|position| (1..5).map(|threads| cell(position, threads)).collect()).collect()
}

fn fitted(positions: &[Cells]) -> WorkSpanFit {
    let runs: Vec<Run> = positions.concat().concat().into_iter().map(|(_, run)| run).collect();
    fit(&runs).expect("enough runs")
}

/// Positions drawn anew, as runs and as units of drawing.
fn drawn(draw: &mut Draw, positions: &[Cells]) -> Vec<Cells> {
    let count = positions.len();
    (0..count).map(|_| positions[draw.below(count)].clone()).collect()
}

/// The coefficients of positions by these steps, and by a whole fit.
fn refit_and_fit(refit: &Refit, drawn: &[Cells]) -> ([f64; 2], [f64; 2]) {
    let units: Vec<Drawable<'_>> =
        drawn.iter().map(|cells| refit.drawable(cells.iter().flatten())).collect();
    let (a, b) = refit.refitted(&units.iter().collect::<Vec<_>>());
    let exact = fitted(drawn);
    ([a.lower, b.lower], [exact.a, exact.b])
}

/// Positions of which little is known of b. Then a step that hardly changes the times of most
/// runs may change b several times over.
fn poorly_known(count: u32) -> Vec<Cells> {
    let wave = |x: u32| (f64::from(x) * 78.233).sin();
    let position = |n: u32| -> Cells {
        let run = |threads: u32| {
            let share = 1.0 / f64::from(1 << threads);
            let path = 0.002 * wave(n).exp();
            let error = (0.4 * wave(50 * n + threads)).exp();
            vec![(1, Run { time: (share + 2.0 * path) * error, share, path })]
        };
        (1..6).map(run).collect()
    };
    (0..count).map(position).collect()
}

/// With few positions an end of an interval is that of whole fits.
#[test]
fn few_positions_are_fitted_whole() {
    for positions in [cells()[..8].to_vec(), poorly_known(8), poorly_known(19)] {
        let whole = fitted(&positions);
        let refit = Refit::near(&whole, &positions).expect("a scale");
        let mut draw = Draw::new(3, POSITIONS);
        for _ in 0..300 {
            let (found, exact) = refit_and_fit(&refit, &drawn(&mut draw, &positions));
            for (found, exact) in found.into_iter().zip(exact) {
                assert!((found - exact).abs() < 1e-9 * exact.max(1e-3), "{found} {exact}");
            }
        }
    }
}

#[test]
fn one_step_is_nearly_the_whole_way() {
    let positions = cells();
    let whole = fitted(&positions);
    let refit = Refit::near(&whole, &positions).expect("a scale");
    let over = over_positions(&whole, &positions, 1).expect("twenty positions");
    let widths = [over.a, over.b].map(|ci| ci.upper - ci.lower);
    let mut draw = Draw::new(3, POSITIONS);
    let mut exactly = 0;
    for _ in 0..200 {
        let (found, exact) = refit_and_fit(&refit, &drawn(&mut draw, &positions));
        exactly += usize::from(found == exact);
        for ((found, exact), width) in found.into_iter().zip(exact).zip(widths) {
            assert!((found - exact).abs() < 0.05 * width, "{found} {exact}");
        }
    }
    assert!(exactly < 50, "{exactly}: those whose step was too long");
}

/// The runs as positions of one run each.
fn alone(rows: &[[f64; 3]]) -> Vec<Cells> {
    runs(rows).into_iter().map(|run| vec![vec![(1, run)]]).collect()
}

#[test]
fn what_is_poorly_known_goes_the_whole_way() {
    let positions = poorly_known(8);
    let whole = fitted(&positions);
    let refit = Refit::near(&whole, &positions).expect("a scale");
    let refit = Refit { whole: false, ..refit };
    let mut draw = Draw::new(3, POSITIONS);
    let mut exactly = 0;
    for _ in 0..200 {
        let (found, exact) = refit_and_fit(&refit, &drawn(&mut draw, &positions));
        exactly += usize::from(found == exact);
        let off = [found[0] - exact[0], found[1] - exact[1]].map(f64::abs);
        assert!(off[0] < 0.01 && off[1] < 0.15, "{found:?} {exact:?}");
    }
    assert!((20..160).contains(&exactly), "{exactly}");
}

#[test]
fn a_coefficient_of_nothing_may_be_nothing() {
    let (no_path, no_work) = (alone(&NO_PATH), alone(&NO_WORK));
    let over = over_positions(&fitted(&no_path), &no_path, 1).expect("twelve positions");
    assert!(over.b.lower == 0.0 && over.b.upper.is_finite(), "{over:?}");
    assert!(over.a.lower > 0.0 && over.a.lower < 0.56 && over.a.upper > 0.57, "{over:?}");
    let over = over_positions(&fitted(&no_work), &no_work, 1).expect("twelve positions");
    assert!(over.a.lower == 0.0 && over.a.upper.is_finite(), "{over:?}");
    assert!(over.b.lower > 0.0 && over.b.lower < 0.33 && over.b.upper > 0.34, "{over:?}");
}

/// At one number of threads a position has one ratio of W/N to C: that position alone tells
/// nothing.
#[test]
fn what_cannot_be_told_apart_leaves_everything_open() {
    let position = |share: f64, path: f64| -> Cells {
        let run = |round, error: f64| (round, Run { time: error * (share + path), share, path });
        vec![vec![run(1, 1.0), run(2, 1.02)]]
    };
    let positions = [position(1.0, 0.1), position(1.0, 0.4)];
    let whole = fitted(&positions);
    let over = over_positions(&whole, &positions, 1).expect("two positions");
    let anything = Bounds { lower: 0.0, upper: f64::INFINITY };
    assert_eq!((over.a, over.b), (anything, anything));
}

/// All runs of a round are slowed alike. Draws of each cell on its own would take that for
/// luck, which the many cells leave no trace of.
#[test]
fn a_slow_round_is_drawn_for_all_cells() {
    let slowed = |(round, run): (u32, Run)| {
        let slow = [1.0, 1.05, 0.95, 1.02, 0.97, 1.01][round as usize - 1];
        (round, Run { time: run.time * slow, ..run })
    };
    let six = |cell: Vec<(u32, Run)>| (1..7).map(|n| slowed((n, cell[0].1))).collect();
    let cells_of = |cells: Cells| cells.into_iter().map(six).collect();
    let positions: Vec<Cells> = cells().into_iter().map(cells_of).collect();
    let over = over_runs(&fitted(&positions), &positions, 1).expect("six rounds");
    // The mean of six draws from factors with a deviation of 3.3% has one of 1.3%. The ends
    // reach 2.8 of these to each side.
    let half = (over.a.upper / over.a.lower).ln() / 2.0;
    assert!((0.03..0.05).contains(&half), "{half}");
}

#[test]
fn intervals_are_about_the_fit() {
    let positions = cells();
    let whole = fitted(&positions);
    let narrow = over_runs(&whole, &positions, 1).expect("three runs a cell");
    let wide = over_positions(&whole, &positions, 1).expect("twenty positions");
    for (value, narrow, wide) in [(whole.a, narrow.a, wide.a), (whole.b, narrow.b, wide.b)] {
        assert!(wide.lower < narrow.lower && narrow.upper < wide.upper, "{narrow:?} {wide:?}");
        assert!(narrow.lower < value && value < narrow.upper, "{value} {narrow:?}");
    }
    let again = over_runs(&whole, &positions, 1);
    assert_eq!(again, Some(narrow), "an equal seed, an equal interval");
    let mut single = positions.clone();
    single[5][1].truncate(1);
    assert_eq!(over_runs(&whole, &single, 1), None);
    assert_eq!(over_positions(&whole, &positions[..1], 1), None);
}
