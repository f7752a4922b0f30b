//! Intervals by resampling (the percentile bootstrap), seeded: the same samples and the same seed give the same interval
//! on every machine.
//!
//! There are two questions, and two ways to resample:
//! - [`resample_runs`]: how well did we measure? The positions stay; the samples of each base and each
//!   cell are drawn anew.
//! - [`resample_positions`]: what would other positions give? Positions are drawn anew, each
//!   with its base and its cells together.
//!
//! Efron's plain percentile interval holds often enough over runs, and too seldom over positions, the fewer the more: those
//! ask for an [`expanded_confidence`] (docs/statistics.md has the simulations of both).

use super::censoring::{Bounds, Timing};
use super::speedups::{Base, Headline, Speedups, Sweep};
use super::summary;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// How often the reports resample.
pub const REPLICATES: usize = 2000;

/// The confidence of every interval in the reports.
pub const CONFIDENCE: f64 = 0.95;

/// The streams of the generator, so that the two ways are independent of each other.
const RUNS: u64 = 0;
const POSITIONS: u64 = 1;

/// The figures of each resampling.
#[derive(Clone, Debug)]
pub struct Replicates {
    /// Over positions, by thread count and replicate; empty where there is too little to resample.
    pub headlines: Vec<Vec<Headline>>,
    /// Speedup of each cell, by thread count, position and replicate; empty where there is too
    /// little to resample, and when positions were resampled.
    pub cells: Vec<Vec<Vec<Bounds>>>,
    /// By thread count, the confidence to ask of a percentile interval of its headlines for one at [`CONFIDENCE`].
    confidences: Vec<f64>,
}

/// Draws the samples anew, within each base and each cell. A thread count with a cell or base of a
/// single sample has no replicates over positions; such a cell has none of its own.
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
        // Every figure of a replicate is from the same positions: a draw that leaves a thread count
        // without any is drawn again.
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

/// The interval at 95% of the mean of one figure a position, positions drawn anew as by [`resample_positions`]. None
/// with fewer than two.
pub fn mean_over_positions(figures: &[Bounds], seed: u64) -> Option<Bounds> {
    let count = figures.len();
    if count < 2 {
        return None;
    }
    let mut draw = Draw::new(seed, POSITIONS);
    let replicate = |_| {
        let mut sum = Bounds::exact(0.0);
        for _ in 0..count {
            let Bounds { lower, upper } = figures[draw.below(count)];
            sum = Bounds { lower: sum.lower + lower, upper: sum.upper + upper };
        }
        sum.map(|end| end / count as f64)
    };
    interval(&(0..REPLICATES).map(replicate).collect::<Vec<_>>(), expanded_confidence(count))
}

/// The confidence to ask of a percentile interval for one at [`CONFIDENCE`] from `count` values: resampling takes the spread
/// too small (by the root of (n - 1) / n) and the tails of a normal distribution instead of Student's. Hesterberg, "What
/// teachers should know about the bootstrap" (The American Statistician 69(4), 2015), calls it the expanded percentile
/// interval. 1 for fewer than two.
pub fn expanded_confidence(count: usize) -> f64 {
    let n = count as f64;
    let Ok(student) = StudentsT::new(0.0, 1.0, n - 1.0) else { return 1.0 };
    let deviations = student.inverse_cdf(f64::midpoint(1.0, CONFIDENCE));
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

    /// The interval at 95% of one of the figures over positions, for the thread count at this index.
    pub fn interval(&self, index: usize, figure: impl Fn(&Headline) -> Bounds) -> Option<Bounds> {
        let figures: Vec<Bounds> = self.headlines[index].iter().map(figure).collect();
        interval(&figures, self.confidences[index])
    }

    /// The interval at 95% of what follows from a replicate's headlines at all thread counts: as wide as the one with the
    /// fewest positions makes it.
    pub fn interval_of_all(&self, figures: &[Bounds]) -> Option<Bounds> {
        interval(figures, self.confidences.iter().copied().fold(CONFIDENCE, f64::max))
    }
}

/// The percentile interval of replicates at this confidence (0 to 1): from the lower ends its lower
/// end, from the upper ends its upper one. None without replicates.
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
    /// Only if some are censored.
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

    /// The median of as many draws as there are samples.
    pub(super) fn resampled_median(&self, draw: &mut Draw) -> Option<Bounds> {
        // How often each sample is drawn, by its place.
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

/// Numbers in ascending order, and from which places they came.
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

    /// [`summary::median`] of as many as there are, the one at each place as often as `drawn` says: found by counting, as
    /// the order is known.
    fn median_of_drawn(&self, drawn: &[u32]) -> Option<f64> {
        let all = self.sorted.len() as u32;
        let mut counts = self.places.iter().map(|place| drawn[*place]).zip(&self.sorted);
        let (mut below, mut lower) = (0, None);
        loop {
            let (count, value) = counts.next()?;
            below += count;
            // Of an even number the last of the lower half counts as well.
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

    /// A number from 0 to `n - 1`, each equally likely (Lemire 2019, "Fast random integer generation
    /// in an interval"). `n` is from 1 to 2^32 - 1.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let n = n as u32;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(n);
            // What is rejected is less than n: only then it takes a division to know.
            if product as u32 >= n || product as u32 >= n.wrapping_neg() % n {
                return (product >> 32) as usize;
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;
    use crate::stats::Timing::{AtLeast, Exact};

    /// Two thread counts, the second about twice as fast.
    fn sweep(positions: usize, runs: usize, seed: u64) -> Sweep {
        let mut draw = Draw::new(seed, 7);
        let mut times = |scale: f64| -> Vec<Timing> {
            (0..runs).map(|_| Exact(scale * (1.0 + draw.below(1000) as f64 / 2000.0))).collect()
        };
        let cells = vec![
            (0..positions).map(|p| times(2.0 + p as f64)).collect(),
            (0..positions).map(|p| times(1.0 + p as f64 / 2.0)).collect(),
        ];
        Sweep { threads: vec![1, 2], cells, base: Base::Own(0) }
    }

    #[test]
    fn counting_agrees_with_sorting() {
        let (mut values, mut draw, mut same) = (Draw::new(3, 0), Draw::new(4, 0), Draw::new(4, 0));
        for n in 1..40 {
            let times: Vec<f64> = (0..n).map(|_| values.below(20) as f64).collect();
            let stopped = |t: &f64| if *t > 12.0 { AtLeast(*t) } else { Exact(*t) };
            let pool = Pool::of(&times.iter().map(stopped).collect::<Vec<_>>());
            for _ in 0..20 {
                let picked: Vec<f64> = (0..n).map(|_| times[same.below(n)]).collect();
                let open = |t: &f64| if *t > 12.0 { f64::INFINITY } else { *t };
                let upper: Vec<f64> = picked.iter().map(open).collect();
                let expected = summary::median(&picked).zip(summary::median(&upper));
                let expected = expected.map(|(lower, upper)| Bounds { lower, upper });
                assert_eq!(pool.resampled_median(&mut draw), expected);
            }
        }
        assert_eq!(Pool::of(&[]).resampled_median(&mut draw), None);
    }

    #[test]
    fn draws_are_uniform() {
        let mut draw = Draw::new(1, 0);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[draw.below(6)] += 1;
        }
        // Five standard deviations of a binomial count.
        assert!(counts.iter().all(|c| (1000i32 - c).abs() < 150), "{counts:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let sweep = sweep(5, 6, 1);
        let interval = |seed| {
            resample_runs(&sweep, seed, 200).interval(1, |h| h.geometric_mean).expect("enough data")
        };
        assert_eq!(interval(1), interval(1));
        assert_ne!(interval(1), interval(2));
    }

    #[test]
    fn one_thread_is_its_own_base_in_every_replicate() {
        let replicates = resample_runs(&sweep(4, 5, 1), 1, 50);
        assert!(replicates.headlines[0].iter().all(|h| h.median == Bounds::exact(1.0)));
    }

    #[test]
    fn the_mean_of_logarithms_has_the_interval_of_the_geometric_mean() {
        let speedups = sweep(7, 5, 1).speedups();
        let replicates = resample_positions(&speedups, 3, REPLICATES);
        let expected = replicates.interval(1, |h| h.geometric_mean).expect("enough");
        let logarithms: Vec<Bounds> =
            speedups.speedups[1].iter().flatten().map(|s| s.map(f64::ln)).collect();
        let found = mean_over_positions(&logarithms, 3).expect("enough").map(f64::exp);
        // Between two replicates the quantile of logarithms is their geometric mean, not the arithmetic one.
        assert!((found.lower / expected.lower - 1.0).abs() < 1e-6, "{found:?} {expected:?}");
        assert!((found.upper / expected.upper - 1.0).abs() < 1e-6, "{found:?} {expected:?}");
        assert_eq!(mean_over_positions(&logarithms[..1], 3), None);
    }

    #[test]
    fn few_positions_ask_for_more() {
        // scripts/statistics-reference.py prints what is left beyond.
        for (count, beyond) in [
            (2, 3.39043814521e-72),
            (3, 1.36682746239e-7),
            (6, 0.00486360634922),
            (10, 0.0171012780488),
            (24, 0.0345879346178),
            (200, 0.0480523695412),
        ] {
            let found = 1.0 - expanded_confidence(count);
            assert!((found - beyond).abs() < 1e-11, "{count}: {found} instead of {beyond}");
        }
        assert_eq!([0, 1].map(expanded_confidence), [1.0; 2]);
        // One thread has six positions, two have five.
        let mut sweep = sweep(6, 5, 1);
        sweep.cells[1][2].clear();
        let replicates = resample_positions(&sweep.speedups(), 1, REPLICATES);
        let mean = |headline: &Headline| headline.geometric_mean;
        let means: Vec<Bounds> = replicates.headlines[1].iter().map(mean).collect();
        let of_five = interval(&means, expanded_confidence(5));
        assert_ne!(of_five, interval(&means, expanded_confidence(6)));
        assert_eq!(replicates.interval(1, mean), of_five);
        assert_eq!(replicates.interval_of_all(&means), of_five);
        let ones: Vec<Bounds> = replicates.headlines[0].iter().map(mean).collect();
        assert_eq!(replicates.interval(0, mean), interval(&ones, expanded_confidence(6)));
        assert_eq!(replicates.confidences, [6, 5].map(expanded_confidence));
        let by_runs = resample_runs(&sweep, 1, REPLICATES);
        let means: Vec<Bounds> = by_runs.headlines[1].iter().map(mean).collect();
        assert_eq!(by_runs.interval(1, mean), interval(&means, CONFIDENCE));
    }

    #[test]
    fn too_little_to_resample_is_blank() {
        let replicates = resample_runs(&sweep(3, 1, 1), 1, 50);
        assert_eq!(replicates.interval(1, |h| h.median), None);
        let replicates = resample_positions(&sweep(1, 5, 1).speedups(), 1, 50);
        assert_eq!(replicates.interval(1, |h| h.median), None);
        let mut no_base = sweep(3, 5, 1);
        no_base.base = Base::Missing;
        assert_eq!(resample_runs(&no_base, 1, 50).interval(1, |h| h.median), None);
    }

    #[test]
    fn one_cell_with_one_sample_blanks_only_itself_and_the_aggregate() {
        let mut sweep = sweep(3, 5, 1);
        sweep.cells[1][0].truncate(1);
        let replicates = resample_runs(&sweep, 1, 50);
        assert!(replicates.headlines[1].is_empty() && !replicates.headlines[0].is_empty());
        assert!(replicates.cells[1][0].is_empty() && replicates.cells[1][1].len() == 50);
        // A cell without samples is no part of the aggregate, so it does not blank it.
        sweep.cells[1][0].clear();
        assert_eq!(resample_runs(&sweep, 1, 50).headlines[1].len(), 50);
    }

    #[test]
    fn censored_samples_open_the_interval() {
        let mut sweep = sweep(2, 5, 1);
        sweep.cells[1][0] = vec![AtLeast(9.0); 5];
        let replicates = resample_runs(&sweep, 1, 100);
        let interval = replicates.interval(1, |h| h.geometric_mean).expect("enough data");
        assert_eq!(interval.lower, 0.0);
        assert!(interval.upper.is_finite());
    }

    /// The share of simulated studies whose interval holds the true speedup of 2.
    fn coverage(interval: impl Fn(&Sweep, u64) -> Bounds) -> f64 {
        let studies = 200;
        let holds = |&study: &u64| {
            let bounds = interval(&sweep(12, 9, 1000 + study), study);
            bounds.lower <= 2.0 && 2.0 <= bounds.upper
        };
        (0..studies).filter(holds).count() as f64 / studies as f64
    }

    #[test]
    fn intervals_cover_about_as_often_as_they_say() {
        let runs = coverage(|sweep, seed| {
            resample_runs(sweep, seed, 300).interval(1, |h| h.geometric_mean).expect("enough data")
        });
        let positions = coverage(|sweep, seed| {
            let replicates = resample_positions(&sweep.speedups(), seed, 300);
            replicates.interval(1, |h| h.geometric_mean).expect("enough data")
        });
        // The bootstrap of a median errs to the safe side.
        assert!((0.90..=1.0).contains(&runs), "{runs}");
        assert!((0.90..=0.99).contains(&positions), "{positions}");
    }
}
