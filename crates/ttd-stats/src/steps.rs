//! A step in the times of repeated runs: cumulative sums over the order of execution.
//!
//! A machine may become slower or faster at once, for all that comes after: a neighbour on a shared
//! server, another clock of the processor. Ranks by round hardly see a step in the middle of few
//! rounds. Sums of residuals in the order of execution do (E. S. Page, "Continuous inspection
//! schemes", Biometrika 41, 1954). Each residual is ln(time) less the mean of its cell. Without a
//! step the sums wander about 0. After a step they turn.
//!
//! The p comes from permutations (Antoch and Hušková, "Permutation tests in change point analysis",
//! Statistics and Probability Letters 53(1), 2001). Residuals change places within their cells
//! only, as cells may differ in how much their times vary. The test asks whether runs of a cell are
//! exchangeable. A slow drift is seen as a step too, somewhere on its way.

use super::draw::Draw;

/// The limit of p below which the reports speak of a step.
pub const SIGNIFICANT: f64 = 0.05;
/// The number of permutations.
pub const PERMUTATIONS: u32 = 2000;
/// The stream of the generator: other methods have those below.
const STREAM: u64 = 4;
/// The relative difference between sums that is only rounding.
const ROUNDING: f64 = 1e-9;

/// The result of the test: the likeliest step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The number of runs that were looked at.
    pub runs: usize,
    /// The number of cells that they are of.
    pub cells: usize,
    /// The place of the last run before the step, in the list that was given.
    pub last_before: usize,
    /// The level of ln(time) up to that place, over the means of the cells.
    pub before: f64,
    /// The level behind it.
    pub after: f64,
    /// The greatest distance of the cumulative sums from 0.
    pub greatest_sum: f64,
    /// The share of permutations with a sum as great, the order itself among them.
    pub p: f64,
}

impl Step {
    /// The test of runs in the order of their execution, each with the number of its cell and its
    /// time, above 0. Runs that are alone in their cell say nothing and are left out. None if all
    /// are. The permutations are seeded.
    pub fn of(runs: &[(usize, f64)], seed: u64) -> Option<Step> {
        let mut sizes = vec![0; runs.iter().map(|(cell, _)| cell + 1).max()?];
        for (cell, _) in runs {
            sizes[*cell] += 1;
        }
        let kept: Vec<usize> = (0..runs.len()).filter(|place| sizes[runs[*place].0] > 1).collect();
        let mut cells: Vec<Vec<usize>> = vec![Vec::new(); sizes.len()];
        for (index, place) in kept.iter().enumerate() {
            cells[runs[*place].0].push(index);
        }
        cells.retain(|cell| !cell.is_empty());
        let mut residuals: Vec<f64> = kept.iter().map(|place| runs[*place].1.ln()).collect();
        for cell in &cells {
            let mean = cell.iter().map(|index| residuals[*index]).sum::<f64>() / cell.len() as f64;
            for index in cell {
                residuals[*index] -= mean;
            }
        }
        let (last, greatest_sum) = furthest(&residuals)?;
        let rise = rise(&residuals, &cells, last);
        let share_before = (last + 1) as f64 / kept.len() as f64;
        Some(Step {
            runs: kept.len(),
            cells: cells.len(),
            last_before: kept[last],
            before: -rise * (1.0 - share_before),
            after: rise * share_before,
            greatest_sum,
            p: share_as_great(&residuals, &cells, greatest_sum, Draw::new(seed, STREAM)),
        })
    }

    /// The change of times at the step, as a share of those before.
    pub fn size(&self) -> f64 {
        (self.after - self.before).exp_m1()
    }
}

/// The rise of the residuals behind this place, by least squares within cells. A cell with all of
/// its runs on one side says nothing of it. (The means of the residuals of both sides would take it
/// too small. Where a cell has more runs on one side, its mean is nearer to that side.)
fn rise(residuals: &[f64], cells: &[Vec<usize>], last: usize) -> f64 {
    let (mut products, mut squares) = (0.0, 0.0);
    for cell in cells {
        let share = cell.iter().filter(|index| **index > last).count() as f64 / cell.len() as f64;
        for index in cell {
            let side = if *index > last { 1.0 - share } else { -share };
            products += side * residuals[*index];
            squares += side * side;
        }
    }
    if squares > 0.0 { products / squares } else { 0.0 }
}

/// The place behind which the cumulative sum is farthest from 0, and that distance. The last place
/// has none behind it.
fn furthest(residuals: &[f64]) -> Option<(usize, f64)> {
    let (mut sum, mut furthest) = (0.0f64, None);
    for (place, residual) in residuals.iter().enumerate().take(residuals.len().saturating_sub(1)) {
        sum += residual;
        if furthest.is_none_or(|(_, most)| sum.abs() > most) {
            furthest = Some((place, sum.abs()));
        }
    }
    furthest
}

/// The share of permutations within cells whose sums go as far. The order itself is one more of
/// them (Phipson and Smyth, "Permutation p-values should never be zero", 2010).
fn share_as_great(residuals: &[f64], cells: &[Vec<usize>], greatest: f64, mut draw: Draw) -> f64 {
    let mut permuted = residuals.to_vec();
    let enough = greatest * (1.0 - ROUNDING);
    let mut as_great = 1;
    for _ in 0..PERMUTATIONS {
        for places in cells {
            for last in (1..places.len()).rev() {
                permuted.swap(places[last], places[draw.below(last + 1)]);
            }
        }
        as_great += u32::from(furthest(&permuted).is_some_and(|(_, sum)| sum >= enough));
    }
    f64::from(as_great) / f64::from(PERMUTATIONS + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, Normal};

    /// Rounds over ten cells, each in an order of its own, with times that vary by 1%. Times from
    /// the place `from` on are `factor` times as long.
    fn runs(seed: u64, rounds: usize, from: usize, factor: f64) -> Vec<(usize, f64)> {
        let mut draw = Draw::new(seed, 9);
        let mut runs = Vec::new();
        for _ in 0..rounds {
            let mut cells: Vec<usize> = (0..10).collect();
            (1..10).rev().for_each(|last| cells.swap(last, draw.below(last + 1)));
            for cell in cells {
                let share = (draw.below(1 << 20) as f64 + 0.5) / f64::from(1 << 20);
                let noise = 0.01 * Normal::standard().inverse_cdf(share);
                let factor = if runs.len() >= from { factor } else { 1.0 };
                runs.push((cell, (1.0 + cell as f64) * noise.exp() * factor));
            }
        }
        runs
    }

    #[test]
    fn a_planted_step_is_found_and_dated() {
        for (from, factor) in [(37, 1.03), (60, 0.97), (85, 1.04)] {
            let step = Step::of(&runs(4, 10, from, factor), 1).expect("runs");
            assert_eq!((step.runs, step.cells), (100, 10));
            assert!(step.p < 0.001, "{step:?}");
            assert!(step.last_before.abs_diff(from - 1) <= 2, "{step:?}");
            assert!((step.size() - (factor - 1.0)).abs() < 0.006, "{step:?}");
        }
    }

    /// Without a step every p is as likely as any other.
    #[test]
    fn without_a_step_p_is_uniform() {
        let p: Vec<f64> = (0..300)
            .map(|seed| Step::of(&runs(seed, 4, usize::MAX, 1.0), seed).expect("runs").p)
            .collect();
        for share in [0.05, 0.25, 0.5, 0.75, 0.95] {
            let below = p.iter().filter(|p| **p <= share).count() as f64 / 300.0;
            // Four standard deviations of a share of 300.
            let reach = 4.0 * (share * (1.0 - share) / 300.0).sqrt();
            assert!((below - share).abs() < reach, "{below} of {share}");
        }
    }

    /// One cell has the first rounds, another one the last, and the second one varies ten times as
    /// much. Its sums are greater wherever residuals of both are mixed.
    #[test]
    fn permutations_stay_within_cells() {
        let wave = |i: usize| (12.9898 * i as f64).sin();
        let quiet = (0..30).map(|i| (0, (0.001 * wave(i)).exp()));
        let loud = (30..60).map(|i| (1, (0.1 * wave(i)).exp()));
        let runs: Vec<(usize, f64)> = quiet.chain(loud).collect();
        let alone = Step::of(&runs[30..].iter().map(|(_, time)| (0, *time)).collect::<Vec<_>>(), 1);
        let (both, alone) = (Step::of(&runs, 1).expect("runs"), alone.expect("runs"));
        assert_eq!(both.last_before, 30 + alone.last_before);
        assert!((both.p - alone.p).abs() < 0.03, "{both:?} {alone:?}");
    }

    /// The figures are those of `scripts/statistics-reference.py`.
    #[test]
    fn the_test_agrees_with_numpy() {
        let time = |i: usize, j: usize| {
            let noise = 0.02 * ((7 * i + 3 * j) as f64).sin();
            let late = if 5 * j + (3 * i + j) % 5 >= 12 { 0.015 } else { 0.0 };
            (1 + i) as f64 * (noise + late).exp()
        };
        // Round j visits cell i at the place (3 i + j) mod 5.
        let mut runs: Vec<(usize, f64)> = vec![(0, 0.0); 30];
        for (i, j) in (0..5).flat_map(|i| (0..6).map(move |j| (i, j))) {
            runs[5 * j + (3 * i + j) % 5] = (i, time(i, j));
        }
        let step = Step::of(&runs, 1).expect("runs");
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
        assert_eq!(step.last_before, 10);
        near(step.before, -0.008_561_345_693_62);
        near(step.after, 0.004_956_568_559_46);
        near(step.greatest_sum, 0.092_372_414_062_7);
        assert!((step.p - 0.1178).abs() < 0.02, "{step:?}");
    }

    #[test]
    fn runs_alone_in_their_cell_say_nothing() {
        assert_eq!(Step::of(&[], 1), None);
        assert_eq!(Step::of(&[(0, 1.0), (1, 2.0)], 1), None);
        let with = [(0, 1.0), (2, 9.0), (0, 1.1), (1, 5.0)];
        let step = Step::of(&with, 1).expect("a cell of two");
        assert_eq!((step.runs, step.cells, step.last_before), (2, 1, 0));
        assert!((step.size() - 0.1).abs() < 1e-12 && step.p > 0.9, "{step:?}");
        let alike = Step::of(&[(0, 1.0), (0, 1.0), (0, 1.0)], 1).expect("a cell of three");
        assert!((alike.p - 1.0).abs() < 1e-12, "{alike:?}");
    }
}
