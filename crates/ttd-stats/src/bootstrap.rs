//! Intervals by resampling (the percentile bootstrap). It is seeded: equal samples and an equal
//! seed give an equal interval on every machine.
//!
//! Two questions have two ways to resample:
//! - [`resample_runs`]: how well did we measure? The positions stay. The samples of each base and
//!   each cell are drawn anew.
//! - [`resample_positions`]: what would other positions give? Positions are drawn anew, each with
//!   its base and its cells together.
//!
//! Efron's plain percentile interval holds often enough over runs. Over positions it holds too
//! seldom, and more so with fewer positions. Intervals over positions therefore ask for an
//! [`expanded_confidence`]. docs/coverage.md has the simulations of both.

use super::summary;
use super::{Base, Bounds, Headline, Speedups, Sweep, Timing};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
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
pub struct Replicates {
    /// The figures over positions, by thread count and replicate; empty where there is too little
    /// to resample.
    pub headlines: Vec<Vec<Headline>>,
    /// Speedup of each cell, by thread count, position and replicate. It is empty where there is
    /// too little to resample, and when positions were resampled.
    pub cells: Vec<Vec<Vec<Bounds>>>,
    /// The confidence of a percentile interval that gives one at [`CONFIDENCE`], by thread count.
    confidences: Vec<f64>,
}

/// Draws the samples anew, within each base and each cell. A thread count has no replicates over
/// positions if one of its cells or bases has a single sample. Such a cell has no replicates of its
/// own.
pub fn resample_runs(sweep: &Sweep, seed: u64, replicates: usize) -> Replicates {
    let mut draw = Draw::new(seed, RUNS);
    let mut out = Replicates::empty(sweep);
    let pools: Vec<Vec<Pool>> =
        sweep.cells.iter().map(|row| row.iter().map(|c| Pool::of(c)).collect()).collect();
    let other_base: Vec<Pool> = match &sweep.base {
        Base::Other(base) => base.iter().map(|times| Pool::of(times)).collect(),
        Base::Own(_) | Base::Missing => Vec::new(),
    };
    let base_pools = match &sweep.base {
        Base::Own(index) => &pools[*index],
        Base::Other(_) | Base::Missing => &other_base,
    };
    let resampled = |row: &[Pool], p: usize| {
        row[p].size() >= 2 && base_pools.get(p).is_some_and(|base| base.size() >= 2)
    };
    let single = |row: &[Pool], p: usize| {
        !resampled(row, p) && row[p].size() > 0 && base_pools.get(p).is_some_and(|b| b.size() > 0)
    };
    let positions: Vec<usize> = (0..sweep.positions()).collect();
    for _ in 0..replicates {
        let medians: Vec<Vec<_>> = pools
            .iter()
            .map(|row| row.iter().map(|pool| pool.resampled_median(&mut draw)).collect())
            .collect();
        let base = match &sweep.base {
            Base::Own(index) => medians[*index].clone(),
            Base::Other(_) => other_base.iter().map(|p| p.resampled_median(&mut draw)).collect(),
            Base::Missing => vec![None; positions.len()],
        };
        let speedups = Speedups::new(base, medians, sweep.own_base());
        for (index, row) in pools.iter().enumerate() {
            for &p in positions.iter().filter(|p| resampled(row, **p)) {
                out.cells[index][p].extend(speedups.speedups[index][p]);
            }
            if !positions.iter().any(|&p| single(row, p)) {
                out.headlines[index].extend(speedups.headline(index, &positions));
            }
        }
    }
    out
}

/// Draws positions anew, each with its base and its cells together. A thread count with fewer
/// than two positions has no replicates.
pub fn resample_positions(speedups: &Speedups, seed: u64, replicates: usize) -> Replicates {
    let mut draw = Draw::new(seed, POSITIONS);
    let positions = speedups.base.len();
    let mut headlines = vec![Vec::new(); speedups.speedups.len()];
    let counts: Vec<usize> =
        speedups.speedups.iter().map(|row| row.iter().flatten().count()).collect();
    let indices: Vec<usize> = (0..headlines.len()).filter(|index| counts[*index] >= 2).collect();
    for _ in 0..replicates {
        // All figures of a replicate are from one draw of positions. A draw that leaves a thread
        // count without any position is drawn again.
        let replicate = loop {
            let picked: Vec<usize> = (0..positions).map(|_| draw.below(positions)).collect();
            let figures = indices.iter().map(|index| speedups.headline(*index, &picked));
            if let Some(whole) = figures.collect::<Option<Vec<Headline>>>() {
                break whole;
            }
        };
        for (index, headline) in indices.iter().zip(replicate) {
            headlines[*index].push(headline);
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

/// The confidence where `count` values, two or more, are drawn in each of many cells. All cells
/// together tell the spread, so Student's tails are not needed; only the spread is too small.
pub(super) fn rescaled_confidence(count: usize) -> f64 {
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
            confidences: vec![CONFIDENCE; sweep.threads.len()],
        }
    }

    /// The interval at 95% of one of the figures over positions, for the thread count at this
    /// index.
    pub fn interval(&self, index: usize, figure: impl Fn(&Headline) -> Bounds) -> Option<Bounds> {
        let figures: Vec<Bounds> = self.headlines[index].iter().map(figure).collect();
        interval(&figures, self.confidences[index])
    }

    /// The interval at 95% of a figure that follows from a replicate's headlines at all thread
    /// counts. The thread count with the fewest positions sets its width.
    pub fn interval_of_all(&self, figures: &[Bounds]) -> Option<Bounds> {
        interval(figures, self.confidences.iter().copied().fold(CONFIDENCE, f64::max))
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

/// The samples of a cell, ready to be drawn from.
pub(super) struct Pool {
    lower: Ranked,
    /// The upper ends, only if some samples are censored.
    upper: Option<Ranked>,
}

impl Pool {
    pub(super) fn of(times: &[Timing]) -> Pool {
        let censored = times.iter().any(|t| t.is_censored());
        let ranked = |end: fn(Timing) -> f64| {
            Ranked::of(&times.iter().copied().map(end).collect::<Vec<f64>>())
        };
        Pool { lower: ranked(Timing::lower), upper: censored.then(|| ranked(Timing::upper)) }
    }

    pub(super) fn size(&self) -> usize {
        self.lower.sorted.len()
    }

    /// The median of a resample that is as large as the pool.
    pub(super) fn resampled_median(&self, draw: &mut Draw) -> Option<Bounds> {
        // The number of draws of each sample, by its place.
        let mut drawn = vec![0; self.size()];
        for _ in 0..self.size() {
            drawn[draw.below(self.size())] += 1;
        }
        let lower = self.lower.median_of_drawn(&drawn)?;
        let upper =
            self.upper.as_ref().map_or(Some(lower), |upper| upper.median_of_drawn(&drawn))?;
        Some(Bounds { lower, upper })
    }
}

/// Numbers in ascending order, with the places that they came from.
struct Ranked {
    sorted: Vec<f64>,
    places: Vec<usize>,
}

impl Ranked {
    fn of(values: &[f64]) -> Ranked {
        let mut places: Vec<usize> = (0..values.len()).collect();
        places.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        Ranked { sorted: places.iter().map(|place| values[*place]).collect(), places }
    }

    /// The [`summary::median`] of a resample. `drawn` says how often the number of each place is
    /// drawn. The order is known, so counting finds the median.
    fn median_of_drawn(&self, drawn: &[u32]) -> Option<f64> {
        let all = self.sorted.len() as u32;
        let mut counts = self.places.iter().map(|place| drawn[*place]).zip(&self.sorted);
        let (mut below, mut lower) = (0, None);
        loop {
            let (count, value) = counts.next()?;
            below += count;
            // With an even number, the last of the lower half counts as well.
            if lower.is_none() && 2 * below >= all {
                lower = Some(*value);
            }
            if let Some(lower) = lower
                && 2 * below > all
            {
                return Some(summary::between(lower, *value, 0.5));
            }
        }
    }
}

/// Unbiased draws from a `ChaCha8` stream.
pub(super) struct Draw(ChaCha8Rng);

impl Draw {
    pub(super) fn new(seed: u64, stream: u64) -> Draw {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Draw(rng)
    }

    /// A number from 0 to `n - 1`, each equally likely (Lemire 2019, "Fast random integer
    /// generation in an interval"). `n` is from 1 to 2^32 - 1.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let n = n as u32;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(n);
            // Only numbers below n may be rejected: only for these the division is needed.
            if product as u32 >= n || product as u32 >= n.wrapping_neg() % n {
                return (product >> 32) as usize;
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, clippy::unreadable_literal)]
// Exact figures are meant, some as a program printed them.
mod tests;
