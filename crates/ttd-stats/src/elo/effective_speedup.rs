//! The effective speedup: one thread needs this factor more time to be as strong as N threads.
//!
//! An entry of one thread plays against the entry of N threads, with its time multiplied by a
//! factor. The effective speedup is the factor at which it scores 50%. The score grows with the
//! logarithm of the factor as a logistic curve does: each doubling gains a constant number of Elo.
//!
//! So the factor is found by logistic regression of the score on the factor. Each next factor is
//! chosen from the regression so far (Wu 1985, "Efficient sequential designs with binary data").

use super::logistic::{Regression, Row, fit};
use super::{ELO_PER_NAT, Pentanomial, Z};
use crate::Bounds;

/// Pairs of games at one time factor, from the view of the entry of one thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The factor of its time; above 0.
    pub factor: f64,
    /// The pairs that were played.
    pub pairs: Pentanomial,
}

/// A search for the factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// The factor to begin with: above 0, such as the number of threads.
    pub guess: f64,
    /// The width of the 95% interval, in doublings, below which the search has decided. Pairs must
    /// also be played on both sides of the estimate.
    pub width: f64,
    /// The number of pairs after which the search gives up.
    pub most_pairs: u64,
}

/// The estimate of the effective speedup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The effective speedup.
    pub factor: f64,
    /// The 95% interval of the factor; an end may be 0 or infinite while little is known.
    pub interval: Bounds,
    /// The Elo that each doubling of the time gains.
    pub elo_per_doubling: f64,
}

/// The next step of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Play more pairs, with this time factor.
    Play {
        /// The factor, rounded to eighths of a doubling.
        factor: f64,
    },
    /// The interval is narrow enough.
    Decided(Estimate),
    /// The interval is too wide, and all pairs are used up.
    GaveUp(Estimate),
}

/// The distance of the next factor from the estimate, in doublings, on both sides in turn. That
/// reveals the slope on the way. A score of 60% or 40% tells nearly as much of the factor as one of
/// 50%.
const ASIDE: f64 = 1.0;
/// The farthest that the next factor may lie beyond those played, in doublings: few games may point
/// far away.
const REACH: f64 = 2.0;
/// Steps of the factor in a doubling, so that many games are played at one factor.
const GRID: f64 = 8.0;
/// The least number of pairs for an interval that is trusted.
const LEAST_PAIRS: u64 = 20;
/// The number of pairs between two looks at the interval. Every look is a chance to stop on an
/// interval that is narrow by luck.
const LOOK_EVERY: u64 = 10;
/// The farthest that a factor may lie from the guess, in doublings.
const FARTHEST: f64 = 6.0;
/// The place of the virtual pairs. One pair wins `PRIOR_POINTS` of two points, this many doublings
/// above the guess. The other wins the rest, as far below it. They say 64 Elo a doubling, and are
/// soon outweighed.
const PRIOR_AT: f64 = 3.0;
const PRIOR_POINTS: f64 = 1.5;

impl Search {
    /// The next step, given all games that were played, in any order. Equal games give an equal
    /// answer.
    ///
    /// # Panics
    /// If the guess or a factor is not a finite number above 0.
    pub fn next(&self, played: &[Played]) -> Next {
        let pairs = played.iter().map(|p| p.pairs.units()).sum::<u64>();
        let estimate = self.estimate(played);
        let width = (estimate.interval.upper / estimate.interval.lower).log2();
        let [below, above] = sides(estimate.factor, played);
        let looks = pairs >= LEAST_PAIRS && pairs.is_multiple_of(LOOK_EVERY);
        if looks && below > 0 && above > 0 && width < self.width {
            return Next::Decided(estimate);
        }
        if pairs >= self.most_pairs {
            return Next::GaveUp(estimate);
        }
        Next::Play { factor: self.factor(estimate.factor.log2(), played) }
    }

    /// The effective speedup so far, by logistic regression, with draws as half points and the
    /// sandwich by pairs (see `logistic.rs`). The interval is Fieller's (1954): all factors at
    /// which a score of 50% is not refuted.
    ///
    /// Two virtual pairs make the regression possible from the first game on. They have 3/4 of the
    /// points at eight times the guess, and 1/4 at an eighth of it.
    ///
    /// # Panics
    /// If the guess or a factor is not a finite number above 0.
    pub fn estimate(&self, played: &[Played]) -> Estimate {
        let guess = self.guess.log2();
        let terms = |doublings: f64| vec![1.0, doublings];
        let rows = played.iter().map(|p| Row::new(terms(p.factor.log2() - guess), 0.0, &p.pairs));
        let prior = [
            Row::virtual_pair(terms(PRIOR_AT), 0.0, PRIOR_POINTS),
            Row::virtual_pair(terms(-PRIOR_AT), 0.0, 2.0 - PRIOR_POINTS),
        ];
        let rows: Vec<Row> = rows.chain(prior).collect();
        let line = fit(&rows, 2).expect("the virtual pairs determine a line");
        let [height, slope] = [line.coefficients[0], line.coefficients[1]];
        let to_factor = |doublings: f64| (guess + doublings).exp2();
        Estimate {
            factor: to_factor(crossing(height, slope)),
            interval: fieller(&line).map(to_factor),
            elo_per_doubling: slope * ELO_PER_NAT,
        }
    }

    /// The next factor: beside the estimate, on the side that has fewer pairs.
    fn factor(&self, estimate: f64, played: &[Played]) -> f64 {
        let guess = self.guess.log2();
        let doublings = |p: &Played| p.factor.log2();
        let lowest = played.iter().map(doublings).fold(guess, f64::min);
        let highest = played.iter().map(doublings).fold(guess, f64::max);
        let middle = estimate.clamp(lowest - REACH, highest + REACH);
        let middle = middle.clamp(guess - FARTHEST, guess + FARTHEST);
        let [below, above] = sides(middle.exp2(), played);
        let next = if below <= above { middle - ASIDE } else { middle + ASIDE };
        ((next * GRID).round() / GRID).exp2()
    }
}

/// The number of pairs that were played below a factor, and above it.
fn sides(factor: f64, played: &[Played]) -> [u64; 2] {
    let pairs = |side: &dyn Fn(f64) -> bool| -> u64 {
        played.iter().filter(|p| side(p.factor)).map(|p| p.pairs.units()).sum()
    };
    [pairs(&|f| f < factor), pairs(&|f| f > factor)]
}

/// The place where a line is zero; far away if it does not rise.
fn crossing(height: f64, slope: f64) -> f64 {
    const FAR: f64 = 20.0;
    if slope > 0.0 { (-height / slope).clamp(-FAR, FAR) } else { -FAR * height.signum() }
}

/// The x at which the line may be zero: `(height + slope x)^2 <= z^2 variance(height + slope x)`.
/// Unbounded if the slope may be zero or less.
fn fieller(line: &Regression) -> Bounds {
    let [height, slope] = [line.coefficients[0], line.coefficients[1]];
    let square = Z * Z;
    let [aa, ab, bb] = [(0, 0), (0, 1), (1, 1)].map(|(i, j)| square * line.covariance[i][j]);
    // The inequality is `quadratic x^2 + 2 middle x + constant <= 0`.
    let (quadratic, middle, constant) =
        (slope * slope - bb, height * slope - ab, height * height - aa);
    if slope <= 0.0 || quadratic <= 0.0 {
        return Bounds::ANY;
    }
    // The root is real where the slope is not zero: the estimate itself lies inside.
    let root = (middle * middle - quadratic * constant).max(0.0).sqrt();
    Bounds { lower: (-middle - root) / quadratic, upper: (-middle + root) / quadratic }
}

#[cfg(test)]
mod tests {
    use super::super::counts::Counts;
    use super::super::simulate::{BALANCED, Distribution};
    use super::*;
    use crate::draw::Draw;

    const SEARCH: Search = Search { guess: 4.0, width: 1.0, most_pairs: 400 };
    /// The number of pairs between two questions.
    const BATCH: u64 = 10;

    /// A whole search where the truth is known, and the number of pairs that it took.
    fn simulate(search: Search, truth: f64, elo_per_doubling: f64, draw: &mut Draw) -> (Next, u64) {
        let mut played: Vec<Played> = Vec::new();
        loop {
            let pairs = played.iter().map(|p| p.pairs.units()).sum();
            match search.next(&played) {
                Next::Play { factor } => {
                    let elo = elo_per_doubling * (factor / truth).log2();
                    let pairs = Distribution::pairs(elo, &BALANCED).counts(draw, BATCH);
                    match played.iter_mut().find(|p| p.factor.total_cmp(&factor).is_eq()) {
                        Some(same) => same.pairs = same.pairs.plus(&pairs),
                        None => played.push(Played { factor, pairs }),
                    }
                }
                end => return (end, pairs),
            }
        }
    }

    /// The share of searches whose interval holds the truth, and the share that decided.
    fn coverage(search: Search, truth: f64, elo_per_doubling: f64) -> (f64, f64) {
        let mut draw = Draw::new(11, 0);
        let (mut held, mut decided) = (0, 0);
        for _ in 0..SEARCHES {
            let end = simulate(search, truth, elo_per_doubling, &mut draw).0;
            let (Next::Decided(estimate) | Next::GaveUp(estimate)) = end else { continue };
            decided += u32::from(matches!(end, Next::Decided(_)));
            let Bounds { lower, upper } = estimate.interval;
            held += u32::from(lower <= truth && truth <= upper);
        }
        (f64::from(held) / f64::from(SEARCHES), f64::from(decided) / f64::from(SEARCHES))
    }

    const SEARCHES: u32 = 200;

    #[test]
    fn intervals_hold_the_truth() {
        for (truth, elo) in [(3.0, 70.0), (1.0, 100.0), (40.0, 100.0)] {
            let (held, decided) = coverage(SEARCH, truth, elo);
            // The limits are 95% with three standard deviations of 200 searches to either side.
            // 2,000 searches gave 94.2, 96.6 and 95.9%.
            assert!((0.90..=0.995).contains(&held), "{truth} {elo}: {held} {decided}");
            assert!(decided > 0.5, "{truth} {elo}: {held} {decided}");
        }
    }

    #[test]
    fn begins_at_the_guess_and_takes_both_sides() {
        assert_eq!(SEARCH.next(&[]), Next::Play { factor: 2.0 });
        let even = Played { factor: 2.0, pairs: Counts([0, 0, 4, 0, 0]) };
        let Next::Play { factor } = SEARCH.next(&[even]) else {
            panic!("four pairs decide nothing")
        };
        assert!(factor > 2.0 && factor <= 8.0, "{factor}");
        // Lost pairs ask for more time, but not for any amount of it.
        let lost = Played { factor: 2.0, pairs: Counts([40, 0, 0, 0, 0]) };
        let Next::Play { factor } = SEARCH.next(&[lost]) else {
            panic!("one factor decides nothing")
        };
        assert!((8.0..=32.0).contains(&factor), "{factor}");
    }

    #[test]
    fn agrees_with_a_general_optimiser_in_any_order() {
        let games = [
            Played { factor: 2.0, pairs: Counts([3, 5, 8, 2, 0]) },
            Played { factor: 8.0, pairs: Counts([0, 3, 7, 6, 2]) },
            Played { factor: 4.0, pairs: Counts([1, 4, 9, 4, 1]) },
        ];
        let mut backwards = games;
        backwards.reverse();
        let (one, other) = (SEARCH.estimate(&games), SEARCH.estimate(&backwards));
        assert!((one.factor - other.factor).abs() < 1e-9 && one.interval.lower < one.factor);
        // The figures are from scripts/elo-reference.py: `SciPy`'s general optimiser and root
        // finder.
        assert!((one.factor - 4.243_365).abs() < 2e-5, "{one:?}");
        assert!((one.interval.lower - 2.624_846).abs() < 2e-5, "{one:?}");
        assert!((one.interval.upper - 7.154_923).abs() < 5e-5, "{one:?}");
        assert!((one.elo_per_doubling - 74.478_8).abs() < 1e-3, "{one:?}");
    }

    #[test]
    fn a_symmetric_record_is_found_exactly() {
        let record = [
            Played { factor: 2.0, pairs: Counts([30, 60, 60, 30, 20]) },
            Played { factor: 8.0, pairs: Counts([20, 30, 60, 60, 30]) },
        ];
        let estimate = SEARCH.estimate(&record);
        assert!((estimate.factor - 4.0).abs() < 1e-9, "{estimate:?}");
        let Bounds { lower, upper } = estimate.interval;
        assert!((lower * upper - 16.0).abs() < 1e-9, "as far on either side: {estimate:?}");
    }

    #[test]
    fn a_score_that_does_not_rise_bounds_nothing() {
        let flat = [
            Played { factor: 2.0, pairs: Counts([10, 20, 40, 20, 10]) },
            Played { factor: 8.0, pairs: Counts([10, 20, 40, 20, 10]) },
        ];
        let interval = SEARCH.estimate(&flat).interval;
        assert!(interval.upper.is_infinite() && interval.lower.abs() < 1e-300);
        let all = Search { most_pairs: 200, ..SEARCH };
        assert!(matches!(all.next(&flat), Next::GaveUp(_)));
    }
}
