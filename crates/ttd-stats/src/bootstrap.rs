//! Intervals by resampling (the percentile bootstrap). It is seeded: equal samples and an equal
//! seed give an equal interval on every machine.
//!
//! Two questions have two ways to resample:
//! - [`resample_runs`]: how well did we measure? The positions stay. Whole rounds are drawn anew,
//!   with one draw for all bases and cells ([`rounds`](super::rounds)).
//! - [`resample_positions`]: what would other positions give? Positions are drawn anew, each with
//!   its base and its cells together.
//!
//! Efron's plain percentile interval holds too seldom with few positions, or few rounds. Intervals
//! over positions therefore ask for an [`expanded_confidence`], and intervals over rounds for a
//! [`rescaled_confidence`]. docs/coverage.md has the simulations of both.

use super::draw::Draw;
use super::rounds::{Pool, Rounds, Runs};
use super::summary;
use super::{Base, Bounds, Headline, Speedups, Sweep};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The number of replicates in the reports.
pub const REPLICATES: usize = 2000;

/// The confidence of every interval in the reports.
pub const CONFIDENCE: f64 = 0.95;

/// The streams of the generator, so that the two ways are independent of each other.
pub(super) const RUNS: u64 = 0;
pub(super) const POSITIONS: u64 = 1;

/// The figures of each replicate.
#[derive(Clone, Debug)]
pub struct Replicates<T = Headline> {
    /// The figures over positions, by thread count and replicate; empty where there is too little
    /// to resample.
    pub headlines: Vec<Vec<T>>,
    /// Speedup of each cell, by thread count, position and replicate. It is empty where there is
    /// too little to resample, and when positions were resampled.
    pub cells: Vec<Vec<Vec<Bounds>>>,
    /// The confidence of a percentile interval that gives one at [`CONFIDENCE`], by thread count.
    confidences: Vec<f64>,
}

/// Draws rounds anew, for all bases and cells at once. A thread count has no replicates over
/// positions if one of its cells or bases has a single sample. Such a cell has no replicates of its
/// own. Sweeps with equal rounds and an equal seed draw equal rounds.
pub fn resample_runs(sweep: &Sweep, seed: u64, replicates: usize) -> Replicates {
    let mut out = Replicates::empty(sweep);
    let cells = || sweep.cells.iter().flatten();
    let others: &[Runs] = if let Base::Other(base) = &sweep.base { base } else { &[] };
    let rounds = Rounds::new(
        cells().chain(others).flat_map(Runs::rounds),
        Draw::new(seed, RUNS),
        replicates,
    );
    let pools: Vec<Vec<Pool>> =
        sweep.cells.iter().map(|row| row.iter().map(Pool::of).collect()).collect();
    let other_base: Vec<Pool> = others.iter().map(Pool::of).collect();
    let base_pools = match &sweep.base {
        Base::Own(index) => &pools[*index],
        Base::Other(_) | Base::Missing => &other_base,
    };
    // The samples of a cell and of its base: the lesser number. None if one of them has none.
    let size = |row: &[Pool], p: usize| {
        let sizes = [row[p].size(), base_pools.get(p)?.size()];
        sizes.into_iter().min().filter(|least| *least > 0)
    };
    let positions: Vec<usize> = (0..sweep.positions()).collect();
    for (confidence, row) in out.confidences.iter_mut().zip(&pools) {
        let least = positions.iter().filter_map(|p| size(row, *p)).min();
        *confidence = rescaled_confidence(least.unwrap_or(0));
    }
    for drawn in rounds.replicates() {
        let medians: Vec<Vec<_>> = pools
            .iter()
            .map(|row| row.iter().map(|pool| pool.resampled_median(drawn)).collect())
            .collect();
        let base = match &sweep.base {
            Base::Own(index) => medians[*index].clone(),
            Base::Other(_) => other_base.iter().map(|p| p.resampled_median(drawn)).collect(),
            Base::Missing => vec![None; positions.len()],
        };
        let speedups = Speedups::new(base, medians, sweep.own_base());
        for (index, row) in pools.iter().enumerate() {
            for &p in positions.iter().filter(|p| size(row, **p).is_some_and(|size| size >= 2)) {
                out.cells[index][p].extend(speedups.speedups[index][p]);
            }
            if !positions.iter().any(|&p| size(row, p) == Some(1)) {
                out.headlines[index].extend(speedups.headline(index, &positions));
            }
        }
    }
    out
}

/// Draws positions anew, each with its base and its cells together. All thread counts share one
/// sequence of draws. Each takes the draws of positions that it has, in turn, until it has as many
/// as it has positions. One with fewer than two has no replicates.
pub fn resample_positions(speedups: &Speedups, seed: u64, replicates: usize) -> Replicates {
    let mut draw = Draw::new(seed, POSITIONS);
    let mut headlines = vec![Vec::new(); speedups.speedups.len()];
    let counts: Vec<usize> =
        speedups.speedups.iter().map(|row| row.iter().flatten().count()).collect();
    let indices: Vec<usize> = (0..headlines.len()).filter(|index| counts[*index] >= 2).collect();
    for _ in 0..replicates {
        let mut picked = vec![Vec::new(); headlines.len()];
        while indices.iter().any(|index| picked[*index].len() < counts[*index]) {
            let position = draw.below(speedups.base.len());
            for &index in &indices {
                let has_it = speedups.speedups[index][position].is_some();
                if has_it && picked[index].len() < counts[index] {
                    picked[index].push(position);
                }
            }
        }
        for &index in &indices {
            headlines[index].extend(speedups.headline(index, &picked[index]));
        }
    }
    let confidences = counts.into_iter().map(expanded_confidence).collect();
    Replicates { headlines, cells: Vec::new(), confidences }
}

/// The interval at 95% of the mean of one figure per position. Positions are drawn anew as by
/// [`resample_positions`]. None with fewer than two.
pub fn mean_over_positions(figures: &[Bounds], seed: u64) -> Option<Bounds> {
    over_positions(figures, summary::mean, Draw::new(seed, POSITIONS))
}

/// The interval at 95% of a statistic of one figure per position. Positions are drawn anew. None
/// with fewer than two.
pub(super) fn over_positions(
    figures: &[Bounds],
    statistic: fn(&[f64]) -> Option<f64>,
    mut draw: Draw,
) -> Option<Bounds> {
    let count = figures.len();
    if count < 2 {
        return None;
    }
    let replicate = |_| {
        let picked: Vec<Bounds> = (0..count).map(|_| figures[draw.below(count)]).collect();
        Bounds::combine(&picked, statistic)
    };
    let replicates: Option<Vec<Bounds>> = (0..REPLICATES).map(replicate).collect();
    interval(&replicates?, expanded_confidence(count))
}

/// The confidence of a percentile interval that gives one at [`CONFIDENCE`] from `count` values.
///
/// Resampling takes the spread too small, by the factor `sqrt((n - 1) / n)`. It also takes the
/// tails of a normal distribution instead of Student's. Hesterberg calls this the expanded
/// percentile interval ("What teachers should know about the bootstrap", The American Statistician
/// 69(4), 2015). 1 for fewer than two values.
pub fn expanded_confidence(count: usize) -> f64 {
    let Ok(student) = StudentsT::new(0.0, 1.0, count as f64 - 1.0) else { return 1.0 };
    rescaled(student.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)), count)
}

/// The confidence of a percentile interval that gives one at [`CONFIDENCE`] where `count` rounds
/// are drawn. Resampling takes the spread too small, by the factor `sqrt((n - 1) / n)`. Student's
/// tails are left out: medians drawn anew vary more than they need to, and make good for them. 1
/// for fewer than two rounds.
pub fn rescaled_confidence(count: usize) -> f64 {
    if count < 2 {
        return 1.0;
    }
    rescaled(Normal::standard().inverse_cdf(f64::midpoint(1.0, CONFIDENCE)), count)
}

/// The confidence of a normal distribution that reaches `deviations` to either side, after these
/// were taken too small.
fn rescaled(deviations: f64, count: usize) -> f64 {
    let n = count as f64;
    1.0 - 2.0 * Normal::standard().sf((n / (n - 1.0)).sqrt() * deviations)
}

impl Replicates {
    fn empty(sweep: &Sweep) -> Replicates {
        Replicates {
            headlines: vec![Vec::new(); sweep.threads.len()],
            cells: vec![vec![Vec::new(); sweep.positions()]; sweep.threads.len()],
            confidences: vec![1.0; sweep.threads.len()],
        }
    }
}

impl<T> Replicates<T> {
    /// The figures that follow from these and others, replicate by replicate. Both have equal
    /// draws. Cells have none.
    pub(super) fn with<U, V>(
        &self,
        other: &Replicates<U>,
        figure: impl Fn(&T, &U) -> V,
    ) -> Replicates<V> {
        let both = self.headlines.iter().zip(&other.headlines);
        let row = |(own, others): (&Vec<T>, &Vec<U>)| {
            own.iter().zip(others).map(|(own, other)| figure(own, other)).collect()
        };
        Replicates {
            headlines: both.map(row).collect(),
            cells: Vec::new(),
            confidences: self.confidences.clone(),
        }
    }

    /// The interval at 95% of one of the figures over positions, for the thread count at this
    /// index.
    pub fn interval(&self, index: usize, figure: impl Fn(&T) -> Bounds) -> Option<Bounds> {
        let figures: Vec<Bounds> = self.headlines[index].iter().map(figure).collect();
        interval(&figures, self.confidences[index])
    }

    /// The interval at 95% of a figure that follows from a replicate's headlines at the thread
    /// counts of these indices. The one with the fewest positions sets its width.
    pub fn interval_of_several(&self, indices: &[usize], figures: &[Bounds]) -> Option<Bounds> {
        let confidences = indices.iter().map(|index| self.confidences[*index]);
        interval(figures, confidences.fold(CONFIDENCE, f64::max))
    }
}

/// The percentile interval of replicates at this confidence (0 to 1). Its lower end comes from the
/// lower ends, its upper end from the upper ones. None without replicates.
pub fn interval(replicates: &[Bounds], confidence: f64) -> Option<Bounds> {
    let tail = (1.0 - confidence) / 2.0;
    let lower: Vec<f64> = replicates.iter().map(|b| b.lower).collect();
    let upper: Vec<f64> = replicates.iter().map(|b| b.upper).collect();
    Some(Bounds {
        lower: summary::quantile(&lower, tail)?,
        upper: summary::quantile(&upper, 1.0 - tail)?,
    })
}

#[cfg(test)]
#[allow(clippy::float_cmp, clippy::unreadable_literal)]
// Exact figures are meant, some as a program printed them.
mod tests;
