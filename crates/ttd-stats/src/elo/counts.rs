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

    /// The share of each score; not numbers if there are no units at all.
    pub(super) fn shares(&self) -> [f64; N] {
        self.0.map(|count| count as f64 / self.units() as f64)
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

/// Mean and variance of a distribution of scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Moments {
    /// The moments of this distribution.
    pub(super) fn of<const N: usize>(distribution: &[f64; N]) -> Moments {
        let mean_of = |of: &dyn Fn(f64) -> f64| -> f64 {
            distribution.iter().enumerate().map(|(i, p)| p * of(score_at::<N>(i))).sum()
        };
        let mean = mean_of(&|score| score);
        Moments { mean, variance: mean_of(&|score| (score - mean).powi(2)) }
    }

    /// The distance of the mean above a half, in standard deviations. Without any spread it is
    /// infinite, or 0 where the mean is a half.
    pub(super) fn deviations(self) -> f64 {
        let apart = self.mean - 0.5;
        if apart == 0.0 { 0.0 } else { apart / self.variance.sqrt() }
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
        let even = Moments::of(&Counts([1, 0, 1]).shares());
        assert_eq!((even.mean, even.variance, even.deviations()), (0.5, 0.25, 0.0));
        let ahead = Moments::of(&Counts([1, 0, 3]).shares());
        assert_eq!((ahead.mean, ahead.variance), (0.75, 0.1875));
        assert_eq!(ahead.deviations(), 0.25 / 0.1875f64.sqrt());
        for (counts, deviations) in
            [([7, 0, 0], f64::NEG_INFINITY), ([0, 7, 0], 0.0), ([0, 0, 7], f64::INFINITY)]
        {
            assert_eq!(Moments::of(&Counts(counts).shares()).deviations(), deviations);
        }
    }
}
