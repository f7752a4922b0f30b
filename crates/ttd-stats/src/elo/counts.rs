//! Counts of games or game pairs by score.

/// The counts of `N` scores in ascending order. The scores are evenly spaced from 0 to 1.
///
/// A unit (one count) is independent of the others. It is a single game, or the two games of one
/// opening with colours reversed, which share the opening's bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize>(pub [u64; N]);

/// Losses, draws and wins of single games.
pub type Trinomial = Counts<3>;

/// Game pairs by points: 0, 1/2, 1, 3/2, 2.
///
/// Van den Bergh ("A practical introduction to the GSPRT", and `vdbergh/pentanomial`) shows why
/// pairs are counted whole. Within a pair the bias of the opening cancels; the trinomial counts it
/// as noise.
pub type Pentanomial = Counts<5>;

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Counts([0; N])
    }
}

impl<const N: usize> Counts<N> {
    /// The number of units: games or game pairs.
    pub fn units(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The number of games: one a unit for the trinomial, two for the pentanomial.
    pub fn games(&self) -> u64 {
        self.units() * games_a_unit::<N>()
    }

    /// The number of points that were won.
    pub fn points(&self) -> f64 {
        self.weighted().map(|(score, count)| score * count).sum::<f64>()
            * games_a_unit::<N>() as f64
    }

    /// The mean score, from 0 to 1; none without games.
    pub fn score(&self) -> Option<f64> {
        (self.units() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Adds up two counts.
    #[must_use]
    pub fn plus(&self, other: &Counts<N>) -> Counts<N> {
        Counts(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    /// The counts as seen by the opponent.
    #[must_use]
    pub fn reversed(&self) -> Counts<N> {
        Counts(std::array::from_fn(|i| self.0[N - 1 - i]))
    }

    /// The mean of a function of the score of a unit, with `virtual_units` more spread evenly over
    /// all scores. It is not a number if there are no units at all.
    pub(super) fn mean(&self, virtual_units: f64, of: impl Fn(f64) -> f64) -> f64 {
        let each = virtual_units / N as f64;
        let sum: f64 = self.weighted().map(|(score, count)| (count + each) * of(score)).sum();
        sum / (self.units() as f64 + virtual_units)
    }

    /// Each score with its count.
    pub(super) fn weighted(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.0.iter().enumerate().map(|(i, &count)| (score_at::<N>(i), count as f64))
    }
}

/// The number of games in one unit.
pub(super) const fn games_a_unit<const N: usize>() -> u64 {
    (N as u64 - 1) / 2
}

/// The score at this place of the counts.
pub(super) fn score_at<const N: usize>(index: usize) -> f64 {
    index as f64 / (N - 1) as f64
}

/// Mean and variance of the score of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Moments {
    /// The moments of these counts, with `virtual_units` more spread evenly over all scores. They
    /// are not numbers if there are no units at all.
    pub(super) fn of<const N: usize>(counts: &Counts<N>, virtual_units: f64) -> Moments {
        let mean = counts.mean(virtual_units, |score| score);
        let variance = counts.mean(virtual_units, |score| (score - mean).powi(2));
        Moments { mean, variance }
    }

    /// The distance of the mean above a half, in standard deviations; none without any spread.
    pub(super) fn deviations(self) -> Option<f64> {
        (self.variance > 0.0).then(|| (self.mean - 0.5) / self.variance.sqrt())
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    #[test]
    fn pairs_count_two_games() {
        let pairs: Pentanomial = Counts([1, 2, 3, 4, 5]);
        assert_eq!((pairs.units(), pairs.games()), (15, 30));
        assert_eq!(pairs.points(), 1.0 + 3.0 + 6.0 + 10.0);
        assert_eq!(pairs.score(), Some(20.0 / 30.0));
        assert_eq!(pairs.reversed().points(), 10.0);
        assert_eq!(pairs.plus(&pairs.reversed()), Counts([6, 6, 6, 6, 6]));
        assert_eq!(Pentanomial::default().score(), None);
    }

    #[test]
    fn moments_by_hand() {
        let plain = Moments::of(&Counts([1, 0, 1]), 0.0);
        assert_eq!((plain.mean, plain.variance), (0.5, 0.25));
        // Three wins and a third of each result: mean 3.5/4, mean square (3 + 1/3 + 1/12) / 4.
        let smoothed = Moments::of(&Counts([0, 0, 3]), 1.0);
        assert_eq!(smoothed.mean, 0.875);
        assert!((smoothed.variance - (41.0 / 48.0 - 0.875 * 0.875)).abs() < 1e-15);
    }
}
