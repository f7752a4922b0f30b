//! The Elo difference of two entries from the scores of their games.

use super::counts::{Moments, games_a_unit, score_at};
use super::region::Region;
use super::{Counts, ELO_PER_NAT, elo_of_score};
use crate::{Bounds, minimise};
use statrs::distribution::{ContinuousCDF, Normal};

/// The difference of two entries, with its intervals.
///
/// It comes from [`super::Pentanomial`] counts where games were played in pairs, and from
/// [`super::Trinomial`] counts where games are independent of each other. Intervals are profile
/// likelihood intervals (see `region.rs`): all values of which some distribution of scores is not
/// refuted by the counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The difference in Elo, from the plain score; infinite where every point was won or lost.
    pub elo: f64,
    /// The 95% interval in Elo. With every point won its upper end is infinite, with none its lower
    /// one; the other end is finite and exact.
    ///
    /// A unit that is better never lowers an end. So of equally many units no result has a lower
    /// end above that of every point won.
    pub interval: Bounds,
    /// Normalised Elo: the distance of the score above a half, in standard deviations of one game,
    /// times 800/ln 10. It tells how many games are needed to see a difference of this size,
    /// whatever the share of draws (Van den Bergh, "Normalized Elo").
    ///
    /// Where all units had one score there is no deviation. It is then infinite, with the sign of
    /// the distance, and 0 where that score is a half. These are the limits as the deviation
    /// vanishes. Unlike Elo, it may fall where a unit is better: the deviation may grow by more
    /// than the distance.
    pub normalised: f64,
    /// The 95% interval of normalised Elo. It is infinite at the end where normalised Elo is.
    ///
    /// The plain interval is `800/ln 10 * 1.96 / sqrt(games)` to either side (there, remark 2.2;
    /// fishtest and fastchess print it). It leaves out that the deviation is itself an estimate.
    /// That is right near 0. At 200 Elo it holds the truth in 8 of 10 matches and at 400 Elo in 4,
    /// however long they are.
    pub normalised_interval: Bounds,
    /// The likelihood of superiority, from 0 to 1: the normal probability of the signed root of the
    /// likelihood ratio, against the likeliest equal entries. So it is above 97.5% just where the
    /// interval in Elo is above 0. (Barndorff-Nielsen and Cox 1994, "Inference and Asymptotics".)
    pub los: f64,
}

impl Difference {
    /// The difference of an entry above its opponent, from the entry's counts; none without games.
    pub fn of<const N: usize>(counts: &Counts<N>) -> Option<Difference> {
        let score = counts.score()?;
        let region = Region::of(counts);
        let root = (2.0 * region.lost_at_half()).max(0.0).sqrt();
        let scale = 2.0 * ELO_PER_NAT / (games_a_unit::<N>() as f64).sqrt();
        let deviations = Moments::of(&counts.shares()).deviations();
        Some(Difference {
            elo: elo_of_score(score),
            interval: scores(&region).map(elo_of_score),
            normalised: scale * deviations,
            normalised_interval: all_deviations(&region, deviations).map(|value| scale * value),
            los: Normal::standard().cdf(if score < 0.5 { -root } else { root }),
        })
    }
}

/// The mean scores of the region.
fn scores<const N: usize>(region: &Region<N>) -> Bounds {
    let end = |sign: f64| {
        let farthest = region.farthest(&std::array::from_fn(|i| sign * score_at::<N>(i)));
        Moments::of(&farthest).mean
    };
    Bounds { lower: end(-1.0), upper: end(1.0) }
}

/// The distances of the mean score above a half in standard deviations, over the region.
///
/// Let u be a score less a half. The distance is `r / sqrt(1 - r^2)` with `r = E u / sqrt(E u^2)`.
/// At the greatest r no distribution of the region has a greater mean of `u - c u^2`, with
/// `c = E u / (2 E u^2)`. Otherwise r would grow on the way to that one, because the region is
/// convex. So it is enough to try every c. All scores but a half are `1 / (N - 1)` from it or more,
/// so that c is from `-(N - 1) / 2` to `(N - 1) / 2`. The least r is found in the same way.
fn all_deviations<const N: usize>(region: &Region<N>, seen: f64) -> Bounds {
    let most = (N as f64 - 1.0) / 2.0;
    let at = |sign: f64, c: f64| {
        let value = |i: usize| {
            let apart = score_at::<N>(i) - 0.5;
            sign * (apart - c * apart * apart)
        };
        Moments::of(&region.farthest(&std::array::from_fn(value))).deviations()
    };
    let end = |sign: f64| {
        if sign * seen == f64::INFINITY {
            return seen;
        }
        at(sign, minimise(-most, most, |c| -sign * at(sign, c)))
    };
    Bounds { lower: end(-1.0), upper: end(1.0) }
}

#[cfg(test)]
mod tests {
    use super::super::simulate::{
        BIASED, Distribution, all_pairs, games_of_biased_pairs, improved,
    };
    use super::super::{Pentanomial, Trinomial, Z};
    use super::*;
    use crate::draw::Draw;

    fn of<const N: usize>(counts: [u64; N]) -> Difference {
        Difference::of(&Counts(counts)).expect("there are games")
    }

    fn half(bounds: Bounds) -> f64 {
        (bounds.upper - bounds.lower) / 2.0
    }

    /// Within 1%, as in the tests of the source. Our intervals have a virtual unit more.
    fn near(value: f64, published: f64) -> bool {
        (value - published).abs() < 0.01 * published.abs()
    }

    /// Within the last digit that is published.
    fn close(value: f64, published: f64) -> bool {
        (value - published).abs() < 0.005_1
    }

    /// Within 5%: the plain half width of normalised Elo is right near 0 only.
    fn about(value: f64, published: f64) -> bool {
        (value - published).abs() < 0.05 * published
    }

    /// In percent, within 1 of 1,000.
    fn likely(found: &Difference, published: f64) -> bool {
        (100.0 * found.los - published).abs() < 0.1
    }

    /// fastchess (MIT), `app/tests/elo_test.cpp`: wins, losses, draws, then nElo, its error, and
    /// (where given) Elo, its error and the likelihood of superiority in percent.
    #[test]
    fn agrees_with_published_single_games() {
        let first = of([89, 123, 76]);
        assert!(close(first.normalised, -20.76) && about(half(first.normalised_interval), 40.13));
        assert!(likely(&first, 15.53), "{first:?}");
        let second = of([96, 111, 136]);
        assert!(close(second.normalised, 49.77) && about(half(second.normalised_interval), 36.77));
        assert!(close(second.elo, 40.70) && near(half(second.interval), 30.43), "{second:?}");
        assert!(likely(&second, 99.60));
        // So far from 0 the published half width, 34.48, is too narrow.
        let third = of([356, 0, 34]);
        assert!(close(third.normalised, -508.44), "{third:?}");
        assert!(half(third.normalised_interval) > 2.0 * 34.48, "{third:?}");
    }

    /// Pairs by points from that source. The two kinds of a pair of one point are added up.
    #[test]
    fn agrees_with_published_pairs() {
        let first = of([34, 54, 31 + 32, 64, 75]);
        assert!(close(first.normalised, 57.94) && about(half(first.normalised_interval), 28.28));
        assert!(close(first.elo, 55.58) && near(half(first.interval), 27.65), "{first:?}");
        let second = of([332, 433, 457 + 41, 333, 334]);
        assert!(close(second.normalised, -9.17) && about(half(second.normalised_interval), 10.96));
        assert!(close(second.elo, -8.64) && close(half(second.interval), 10.33), "{second:?}");
        assert!(likely(&second, 5.05));
        let third = of([7895, 8757, 5485 + 200, 568, 9999]);
        assert!(close(third.normalised, -19.01) && about(half(third.normalised_interval), 2.65));
        assert!(close(third.elo, -21.04) && close(half(third.interval), 2.95), "{third:?}");
    }

    /// The statistics page of a montytest run
    /// (montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712), a fishtest server: pairs
    /// `[13, 37, 50, 25, 3]`, normalised Elo -63.97 and a score of 0.4375.
    #[test]
    fn agrees_with_a_published_run() {
        let run = of([13, 37, 50, 25, 3]);
        assert!(close(run.normalised, -63.97), "{run:?}");
        assert!((run.elo - elo_of_score(0.4375)).abs() < 1e-12);
    }

    /// Two pairs of three points: units that were all equal say little of the other results.
    #[test]
    fn few_pairs_claim_little() {
        for few in [of([0, 0, 0, 2, 0]), of([0, 0, 0, 1, 1]), of([0, 0, 0, 0, 2])] {
            assert!(few.los < 0.975 && few.interval.lower < 0.0, "{few:?}");
            assert!(few.normalised_interval.lower < 0.0, "{few:?}");
        }
    }

    #[test]
    fn superior_where_the_interval_is_above_zero() {
        for counts in [[0, 1, 3, 4, 1], [1, 20, 30, 31, 4], [2, 9, 40, 18, 5], [0, 0, 0, 3, 9]] {
            let found = of(counts);
            assert_eq!(found.los > 0.975, found.interval.lower > 0.0, "{found:?}");
            let seen = of([counts[4], counts[3], counts[2], counts[1], counts[0]]);
            assert!((found.los + seen.los - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn extreme_results_have_sane_intervals() {
        let drawn = of([0, 0, 12, 0, 0]);
        assert!(drawn.elo.abs() < 1e-12 && (drawn.los - 0.5).abs() < 1e-12);
        assert!(drawn.interval.lower < -5.0 && drawn.interval.upper < 60.0, "{drawn:?}");
        let won = of([0, 0, 10]);
        assert!(won.elo.is_infinite() && won.interval.upper.is_infinite());
        assert!((50.0..400.0).contains(&won.interval.lower), "{won:?}");
        assert!(won.los > 0.98);
        let lost = of([10, 0, 0]);
        assert!((lost.interval.upper + won.interval.lower).abs() < 1e-9);
        let one = of([0, 0, 1]);
        assert!(one.interval.lower.is_finite() && one.interval.lower < 0.0, "{one:?}");
        assert_eq!(Difference::of(&Trinomial::default()), None);
        assert_eq!(Difference::of(&Pentanomial::default()), None);
    }

    /// By hand: see the comments.
    #[test]
    fn all_won_is_exact() {
        for pairs in [1, 15, 200] {
            let won = of([0, 0, 0, 0, pairs]);
            // Nothing but wins has the likelihood score^pairs.
            let score = (-Z * Z / 2.0 / pairs as f64).exp();
            assert!((won.interval.lower - elo_of_score(score)).abs() < 1e-6, "{won:?}");
            assert!(won.elo.is_infinite() && won.interval.upper.is_infinite());
            // The rest goes to lost pairs, in normalised Elo too.
            let left = 1.0 - score;
            let deviations = (0.5 - left) / (left * score).sqrt();
            let lower = 2.0 * ELO_PER_NAT / 2f64.sqrt() * deviations;
            assert!((won.normalised_interval.lower - lower).abs() < 1e-6 * lower.abs(), "{won:?}");
            assert!(won.normalised.is_infinite() && won.normalised_interval.upper.is_infinite());
        }
    }

    /// With virtual units the first lower end would be 175, the second 220.
    #[test]
    fn all_won_is_better_than_nearly_all() {
        let (all, most) = (of([0, 0, 0, 0, 15]), of([0, 0, 0, 4, 11]));
        assert!(all.interval.lower > most.interval.lower, "{all:?} {most:?}");
        assert!(all.los > most.los);
    }

    /// One pair that is better by half a point never lowers an end.
    #[test]
    fn better_pairs_raise_both_ends() {
        let mut compared = 0;
        for pairs in [1, 2, 5, 8] {
            for counts in all_pairs(pairs) {
                let found = of(counts);
                for better in improved(counts) {
                    let more = of(better);
                    let no_less = |one: f64, other: f64| one >= other - 1e-9;
                    assert!(no_less(more.interval.lower, found.interval.lower), "{better:?}");
                    assert!(no_less(more.interval.upper, found.interval.upper), "{better:?}");
                    assert!(no_less(more.los, found.los), "{better:?}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }

    /// The figures are from `scripts/elo-reference.py`: `SciPy`'s constrained search over the
    /// region.
    #[test]
    fn agrees_with_a_general_optimiser() {
        const OPEN: f64 = f64::INFINITY;
        type Case = ([u64; 5], [f64; 2], [f64; 2], f64);
        let cases: [Case; 7] = [
            ([0, 0, 0, 0, 15], [345.8092, OPEN], [286.9450, OPEN], 0.999_997_44),
            ([0, 0, 0, 4, 11], [257.4097, 652.1266], [244.4985, 1625.7209], 0.999_991_47),
            ([0, 0, 12, 0, 0], [-51.7682, 51.7682], [-102.3557, 102.3557], 0.5),
            ([0, 0, 0, 15, 0], [115.1160, 219.9167], [161.0292, OPEN], 0.999_756_39),
            ([13, 37, 50, 25, 3], [-73.5229, -14.4450], [-107.2831, -21.0445], 0.001_746_79),
            ([1, 0, 0, 5, 4], [25.4660, 385.9163], [21.4059, 643.8370], 0.986_489_49),
            ([0, 1, 9, 30, 0], [96.0663, 158.7201], [180.8898, 563.2320], 0.999_999_17),
        ];
        let near = |own: f64, reference: f64| {
            own.is_infinite() && reference.is_infinite() || (own - reference).abs() < 1e-3
        };
        let hold = |found: &Difference, elo: [f64; 2], normalised: [f64; 2]| {
            let (one, other) = (found.interval, found.normalised_interval);
            assert!(near(one.lower, elo[0]) && near(one.upper, elo[1]), "{one:?}");
            let [lower, upper] = normalised;
            assert!(near(other.lower, lower) && near(other.upper, upper), "{other:?}");
        };
        for (counts, elo, normalised, los) in cases {
            let found = of(counts);
            hold(&found, elo, normalised);
            assert!((found.los - los).abs() < 1e-8, "{found:?}");
        }
        hold(&of([34, 0, 356]), [349.6453, 472.2660], [411.7248, 631.7401]);
    }

    #[test]
    fn the_opponent_sees_the_mirror() {
        let opposite = |one: f64, other: f64| {
            one.is_infinite() && one.total_cmp(&-other).is_eq() || (one + other).abs() < 1e-6
        };
        let mirrored = |one: Bounds, other: Bounds| {
            let both = opposite(one.lower, other.upper) && opposite(one.upper, other.lower);
            assert!(both, "{one:?} {other:?}");
        };
        for counts in all_pairs(6) {
            let mut reversed = counts;
            reversed.reverse();
            let (own, other) = (of(counts), of(reversed));
            mirrored(own.interval, other.interval);
            mirrored(own.normalised_interval, other.normalised_interval);
            assert!((own.los + other.los - 1.0).abs() < 1e-9, "{counts:?}");
            mirrored(Bounds::exact(own.normalised), Bounds::exact(other.normalised));
        }
    }

    #[test]
    fn normalised_elo_lies_in_its_interval() {
        for counts in all_pairs(7) {
            let Difference { normalised, normalised_interval: ends, .. } = of(counts);
            assert!(ends.lower <= normalised && normalised <= ends.upper, "{counts:?}");
        }
        // Not the number of pairs alone: as many pairs of three points are less certain.
        let (all, three) = (of([0, 0, 0, 0, 15]), of([0, 0, 0, 15, 0]));
        assert!(all.normalised_interval.lower > three.normalised_interval.lower + 10.0);
    }

    const MATCHES: u32 = 1000;

    /// The shares of simulated matches whose intervals, in Elo and in normalised Elo, hold the
    /// truth.
    fn coverage<const N: usize>(
        elo: f64,
        normalised: f64,
        mut simulate: impl FnMut() -> Counts<N>,
    ) -> [f64; 2] {
        let mut held = [0; 2];
        for _ in 0..MATCHES {
            let found = Difference::of(&simulate()).expect("there are games");
            let holds =
                |bounds: Bounds, truth| u32::from(bounds.lower <= truth && truth <= bounds.upper);
            held[0] += holds(found.interval, elo);
            held[1] += holds(found.normalised_interval, normalised);
        }
        held.map(|held| f64::from(held) / f64::from(MATCHES))
    }

    /// Whether these are about 95%: within three standard deviations of 1,000 matches to either
    /// side.
    fn as_said(shares: [f64; 2]) -> bool {
        shares.iter().all(|share| (0.93..=0.97).contains(share))
    }

    /// The reason for the pentanomial: these games counted one by one give an interval that is too
    /// wide.
    #[test]
    fn single_games_of_biased_pairs_would_cover_too_often() {
        let mut draw = Draw::new(3, 0);
        let shares = coverage(0.0, 0.0, || games_of_biased_pairs(&mut draw, 100));
        assert!(shares.iter().all(|share| *share > 0.97), "{shares:?}");
    }

    /// Prints a table of docs/coverage.md.
    #[test]
    fn coverage_over_a_grid() {
        let mut draw = Draw::new(4, 0);
        for elo in [0.0, 50.0, 200.0, 400.0] {
            let (games, pairs) = (Distribution::games(elo), Distribution::pairs(elo, &BIASED));
            for n in [10, 20, 30, 60, 150, 500] {
                let single = coverage(elo, games.normalised(), || games.counts(&mut draw, n));
                let paired = coverage(elo, pairs.normalised(), || pairs.counts(&mut draw, n));
                let [[a, b], [c, d]] = [single, paired].map(|shares| shares.map(|s| 100.0 * s));
                println!("| {elo} | {n} | {a:.1} | {b:.1} | {c:.1} | {d:.1} |");
                if n >= 30 && elo <= 200.0 {
                    assert!(as_said([single[0], paired[0]]), "{elo} {n}");
                    // The intervals of normalised Elo are rather too wide.
                    assert!(single[1] > 0.93 && paired[1] > 0.93, "{elo} {n}");
                }
            }
        }
    }
}
