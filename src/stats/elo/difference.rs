//! The Elo difference of two entries from the scores of their games.

use super::counts::{Moments, games_a_unit};
use super::{Counts, ELO_PER_NAT, Z, elo_of_score};
use crate::stats::Bounds;
use statrs::distribution::{ContinuousCDF, Normal};

/// What is known of the difference of two entries.
///
/// From [`super::Pentanomial`] counts where games were played in pairs; from [`super::Trinomial`]
/// ones where they are independent of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// In Elo, from the plain score; infinite where every point was won or lost.
    pub elo: f64,
    /// Its 95% interval: on the logistic scale by the delta method, the score and its variance taken
    /// with one virtual unit (game or pair) more, spread evenly over all scores (as Agresti and Coull
    /// 1998 mend the plain interval of a proportion).
    ///
    /// It has a positive width and finite ends even if all games were drawn; with every point won its
    /// upper end, with none its lower one, is infinite. The plain interval on the score, which
    /// fishtest and fastchess print, holds the truth too rarely in short matches and at large
    /// differences; this one holds it as often as it says from 20 units on and up to 200 Elo
    /// (simulated in the tests), and in long matches they agree.
    pub interval: Bounds,
    /// Normalised Elo: how many standard deviations of one game the score is above a half, times
    /// 800/ln 10. It tells how many games a difference of this size takes to be seen, whatever the
    /// share of draws (Van den Bergh, "Normalized Elo").
    pub normalised: f64,
    /// Its 95% interval, `800/ln 10 * 1.96 / sqrt(games)` to either side (there, remark 2.2).
    pub normalised_interval: Bounds,
    /// The likelihood of superiority, from 0 to 1: `Phi((score - 1/2) / its standard error)`.
    pub los: f64,
}

impl Difference {
    /// Of an entry above its opponent, from the entry's counts; none without games.
    ///
    /// Normalised Elo and the likelihood of superiority use the plain variance, and only where that
    /// is zero the one with the virtual unit.
    pub fn of<const N: usize>(counts: &Counts<N>) -> Option<Difference> {
        let score = counts.score()?;
        let plain = Moments::of(counts, 0.0);
        let smoothed = Moments::of(counts, VIRTUAL_UNITS);
        let variance = if plain.variance > 0.0 { plain.variance } else { smoothed.variance };
        let deviation_a_game = (variance * games_a_unit::<N>() as f64).sqrt();
        let games = counts.games() as f64;
        let deviations = (score - 0.5) / deviation_a_game;
        let normalised = 2.0 * ELO_PER_NAT * deviations;
        let half = 2.0 * ELO_PER_NAT * Z / games.sqrt();
        Some(Difference {
            elo: elo_of_score(score),
            interval: interval(score, smoothed, counts.units() as f64 + VIRTUAL_UNITS),
            normalised,
            normalised_interval: Bounds { lower: normalised - half, upper: normalised + half },
            los: Normal::standard().cdf(deviations * games.sqrt()),
        })
    }
}

/// How many units are added, spread evenly over all scores. With one, the interval holds the truth
/// closest to 95% of the time of those tried: none, 1/2, 1, 3/2, 2, and one half for each score.
const VIRTUAL_UNITS: f64 = 1.0;

fn interval(score: f64, smoothed: Moments, units: f64) -> Bounds {
    let Moments { mean, variance } = smoothed;
    let middle = elo_of_score(mean);
    // The slope of Elo over the score is ELO_PER_NAT / (s (1 - s)).
    let half = Z * ELO_PER_NAT * (variance / units).sqrt() / (mean * (1.0 - mean));
    Bounds {
        lower: if score > 0.0 { middle - half } else { f64::NEG_INFINITY },
        upper: if score < 1.0 { middle + half } else { f64::INFINITY },
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulate::{BIASED, Distribution, games_of_biased_pairs};
    use super::super::{Pentanomial, Trinomial};
    use super::*;
    use crate::stats::bootstrap::Draw;

    fn of<const N: usize>(counts: [u64; N]) -> Difference {
        Difference::of(&Counts(counts)).expect("there are games")
    }

    fn half(bounds: Bounds) -> f64 {
        (bounds.upper - bounds.lower) / 2.0
    }

    /// Within the last digit that is published.
    fn close(value: f64, published: f64) -> bool {
        (value - published).abs() < 0.005_1
    }

    /// As loose as the source's own tests: within 1%. Our intervals have a virtual unit more.
    fn near(value: f64, published: f64) -> bool {
        (value - published).abs() < 0.01 * published.abs()
    }

    /// fastchess (MIT), `app/tests/elo_test.cpp`: wins, losses, draws, then nElo, its error, and
    /// (where given) Elo, its error and the likelihood of superiority in percent.
    #[test]
    fn agrees_with_published_single_games() {
        let first = of([89, 123, 76]);
        assert!(close(first.normalised, -20.76) && close(half(first.normalised_interval), 40.13));
        assert!(close(100.0 * first.los, 15.53), "{first:?}");
        let second = of([96, 111, 136]);
        assert!(close(second.normalised, 49.77) && close(half(second.normalised_interval), 36.77));
        assert!(close(second.elo, 40.70) && near(half(second.interval), 30.43), "{second:?}");
        assert!(close(100.0 * second.los, 99.60));
        let third = of([356, 0, 34]);
        assert!(close(third.normalised, -508.44) && close(half(third.normalised_interval), 34.48));
    }

    /// The same source: pairs by points; the two kinds of a pair of one point are added up.
    #[test]
    fn agrees_with_published_pairs() {
        let first = of([34, 54, 31 + 32, 64, 75]);
        assert!(close(first.normalised, 57.94) && close(half(first.normalised_interval), 28.28));
        assert!(close(first.elo, 55.58) && near(half(first.interval), 27.65), "{first:?}");
        let second = of([332, 433, 457 + 41, 333, 334]);
        assert!(close(second.normalised, -9.17) && close(half(second.normalised_interval), 10.96));
        assert!(close(second.elo, -8.64) && close(half(second.interval), 10.33), "{second:?}");
        assert!(close(100.0 * second.los, 5.05));
        let third = of([7895, 8757, 5485 + 200, 568, 9999]);
        assert!(close(third.normalised, -19.01) && close(half(third.normalised_interval), 2.65));
        assert!(close(third.elo, -21.04) && close(half(third.interval), 2.95), "{third:?}");
    }

    /// The statistics page of a montytest run
    /// (montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712), a fishtest server: pairs `[13,
    /// 37, 50, 25, 3]`, normalised Elo -63.97 and a score of 0.4375.
    #[test]
    fn agrees_with_a_published_run() {
        let run = of([13, 37, 50, 25, 3]);
        assert!(close(run.normalised, -63.97), "{run:?}");
        assert!((run.elo - elo_of_score(0.4375)).abs() < 1e-12);
    }

    #[test]
    fn extreme_results_have_sane_intervals() {
        let drawn = of([0, 0, 12, 0, 0]);
        assert!(drawn.elo.abs() < 1e-12 && (drawn.los - 0.5).abs() < 1e-12);
        assert!(drawn.interval.lower < -5.0 && drawn.interval.upper < 60.0, "{drawn:?}");
        let won = of([0, 0, 10]);
        assert!(won.elo.is_infinite() && won.interval.upper.is_infinite());
        assert!((50.0..400.0).contains(&won.interval.lower), "{won:?}");
        assert!(won.los > 0.99 && won.normalised.is_finite());
        let lost = of([10, 0, 0]);
        assert!((lost.interval.upper + won.interval.lower).abs() < 1e-9);
        let one = of([0, 0, 1]);
        assert!(one.interval.lower.is_finite() && one.interval.lower < 0.0, "{one:?}");
        assert_eq!(Difference::of(&Trinomial::default()), None);
        assert_eq!(Difference::of(&Pentanomial::default()), None);
    }

    /// The share of 1,000 simulated matches whose interval holds the true difference.
    fn coverage(elo: f64, mut simulate: impl FnMut() -> Option<Difference>) -> f64 {
        let holds = |_: &i32| {
            let interval = simulate().expect("there are games").interval;
            interval.lower <= elo && elo <= interval.upper
        };
        (0..1000).filter(holds).count() as f64 / 1000.0
    }

    #[test]
    fn single_games_cover_the_truth() {
        let mut draw = Draw::new(1, 0);
        for elo in [0.0, 50.0, 200.0] {
            let games = Distribution::games(elo);
            for n in [20, 60, 500] {
                let share = coverage(elo, || Difference::of(&games.counts(&mut draw, n)));
                assert!((0.93..=0.97).contains(&share), "{elo} {n}: {share}");
            }
        }
    }

    #[test]
    fn pairs_of_biased_openings_cover_the_truth() {
        let mut draw = Draw::new(2, 0);
        for elo in [0.0, 50.0, 200.0] {
            let pairs = Distribution::pairs(elo, &BIASED);
            for n in [20, 60, 500] {
                let share = coverage(elo, || Difference::of(&pairs.counts(&mut draw, n)));
                assert!((0.93..=0.97).contains(&share), "{elo} {n}: {share}");
            }
        }
    }

    /// What the pentanomial is for: the same games counted one by one give an interval that is too wide.
    #[test]
    fn single_games_of_biased_pairs_would_cover_too_often() {
        let mut draw = Draw::new(3, 0);
        let share = coverage(0.0, || Difference::of(&games_of_biased_pairs(&mut draw, 100)));
        assert!(share > 0.97, "{share}");
    }
}
