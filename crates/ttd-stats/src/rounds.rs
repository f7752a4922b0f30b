//! Samples by round, and rounds drawn anew.
//!
//! A round is one pass over all cells of an experiment. The samples of a round share the state of
//! the machine at that time, and on virtual cores the seed of the round. So a replicate over runs
//! draws whole rounds, with one draw for all cells. That is a cluster bootstrap (Davison and
//! Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8). Draws of each cell on
//! its own would take a busy round for luck, and give intervals that are too narrow.

use super::draw::Draw;
use super::{Bounds, Timing, summary};
use std::ops::Deref;

/// The samples of a cell, each with its round, in the order of the rounds. They are times, or any
/// other figures above 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    rounds: Vec<u32>,
    values: Vec<Timing>,
}

impl Runs {
    /// Each sample's round, from 1.
    pub fn rounds(&self) -> &[u32] {
        &self.rounds
    }

    /// The samples of the rounds up to this one.
    #[must_use]
    pub fn until(&self, round: u32) -> Runs {
        let pairs = self.rounds.iter().copied().zip(self.values.iter().copied());
        pairs.filter(|(of, _)| *of <= round).collect()
    }
}

/// Samples of which none failed: one for each round.
impl From<Vec<Timing>> for Runs {
    fn from(values: Vec<Timing>) -> Runs {
        Runs { rounds: (1..).take(values.len()).collect(), values }
    }
}

/// Samples with their rounds.
impl FromIterator<(u32, Timing)> for Runs {
    fn from_iter<I: IntoIterator<Item = (u32, Timing)>>(pairs: I) -> Runs {
        let (rounds, values) = pairs.into_iter().unzip();
        Runs { rounds, values }
    }
}

impl Deref for Runs {
    type Target = [Timing];

    fn deref(&self) -> &[Timing] {
        &self.values
    }
}

/// Rounds drawn anew, once for all cells of an experiment.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// For each replicate and round (from 1), how often the round is drawn.
    replicates: Vec<Vec<u32>>,
}

impl Rounds {
    /// Rounds drawn with replacement, as many as there are up to the last of these, for each
    /// replicate.
    pub(super) fn new<'a>(
        rounds: impl IntoIterator<Item = &'a u32>,
        mut draw: Draw,
        replicates: usize,
    ) -> Rounds {
        let count = rounds.into_iter().max().map_or(0, |last| *last as usize);
        let replicate = |_| {
            let mut drawn = vec![0; count];
            for _ in 0..count {
                drawn[draw.below(count)] += 1;
            }
            drawn
        };
        Rounds { replicates: (0..replicates).map(replicate).collect() }
    }

    /// How often each round is drawn, by replicate.
    pub(super) fn replicates(&self) -> &[Vec<u32>] {
        &self.replicates
    }
}

/// How often each sample of a cell is drawn, by the rounds of the samples. A cell that has none of
/// the rounds drawn keeps all its samples. That can only be where samples failed.
pub(super) fn times_drawn(rounds: &[u32], drawn: &[u32]) -> Vec<u32> {
    let mut counts: Vec<u32> = rounds.iter().map(|round| drawn[*round as usize - 1]).collect();
    if counts.iter().all(|count| *count == 0) {
        counts.fill(1);
    }
    counts
}

/// The samples of a cell, ready to be drawn from.
pub(super) struct Pool {
    /// Each sample's round.
    rounds: Vec<u32>,
    lower: Ranked,
    /// The upper ends, only if some samples are censored.
    upper: Option<Ranked>,
}

impl Pool {
    pub(super) fn of(cell: &Runs) -> Pool {
        let censored = cell.iter().any(|t| t.is_censored());
        let ranked = |end: fn(Timing) -> f64| {
            Ranked::of(&cell.iter().copied().map(end).collect::<Vec<f64>>())
        };
        Pool {
            rounds: cell.rounds().to_vec(),
            lower: ranked(Timing::lower),
            upper: censored.then(|| ranked(Timing::upper)),
        }
    }

    pub(super) fn size(&self) -> usize {
        self.rounds.len()
    }

    /// The median of the samples of the rounds drawn ([`times_drawn`]). None without samples.
    pub(super) fn resampled_median(&self, drawn: &[u32]) -> Option<Bounds> {
        let counts = times_drawn(&self.rounds, drawn);
        let lower = self.lower.median_of_drawn(&counts)?;
        let upper =
            self.upper.as_ref().map_or(Some(lower), |upper| upper.median_of_drawn(&counts))?;
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
        let all: u32 = drawn.iter().sum();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timing::{AtLeast, Exact};

    #[test]
    fn counting_agrees_with_sorting() {
        let mut values = Draw::new(3, 0);
        for n in 1..40 {
            let times: Vec<f64> = (0..n).map(|_| values.below(20) as f64).collect();
            let stopped = |t: &f64| if *t > 12.0 { AtLeast(*t) } else { Exact(*t) };
            let cell = Runs::from(times.iter().map(stopped).collect::<Vec<_>>());
            let pool = Pool::of(&cell);
            for drawn in Rounds::new(cell.rounds(), Draw::new(4, 0), 20).replicates() {
                let picked: Vec<f64> = (times.iter().zip(drawn))
                    .flat_map(|(time, count)| vec![*time; *count as usize])
                    .collect();
                assert_eq!(picked.len(), n);
                let open = |t: &f64| if *t > 12.0 { f64::INFINITY } else { *t };
                let upper: Vec<f64> = picked.iter().map(open).collect();
                let expected = summary::median(&picked).zip(summary::median(&upper));
                let expected = expected.map(|(lower, upper)| Bounds { lower, upper });
                assert_eq!(pool.resampled_median(drawn), expected);
            }
        }
        assert_eq!(Pool::of(&Runs::default()).resampled_median(&[]), None);
    }

    #[test]
    fn a_cell_that_lacks_a_round_draws_the_others() {
        let cell: Runs = [(1, Exact(5.0)), (3, Exact(7.0))].into_iter().collect();
        let pool = Pool::of(&cell);
        assert_eq!(pool.resampled_median(&[0, 2, 1]), Some(Bounds::exact(7.0)));
        assert_eq!(pool.resampled_median(&[1, 1, 1]), Some(Bounds::exact(6.0)));
        assert_eq!(pool.resampled_median(&[0, 3, 0]), Some(Bounds::exact(6.0)), "all it has");
        assert_eq!(cell.until(2), Runs::from(vec![Exact(5.0)]));
    }
}
