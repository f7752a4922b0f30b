//! Comparisons of two competitors over positions, and the verdicts on many such comparisons
//! together.

use super::bounds::Bounds;
use super::many_tests::holm;
use super::summary;
use super::wilcoxon::{SignedRank, least_p};

/// The least number of positions for a verdict. With five that all agree, the two-sided test has p
/// = 0.0625.
pub const LEAST_POSITIONS: usize = 6;

/// The greatest corrected p at which a difference is seen.
pub const SIGNIFICANCE: f64 = 0.05;

/// A comparison of one competitor with another: the positions at which it is ahead, and the
/// signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// The number of positions that both have.
    pub positions: usize,
    /// The number of these at which the one is ahead, whatever the true times of censored samples
    /// are.
    pub ahead: usize,
    /// The number of these at which the other is ahead, in the same sense.
    pub behind: usize,
    /// The number of these at which they are equal.
    pub equal: usize,
    /// The median of the ratios (of two in the middle, their geometric mean). Both ends stay finite
    /// if a few positions are open.
    pub median: Bounds,
    /// The test with every logarithm at its lower end.
    lower: SignedRank,
    /// The test with every logarithm at its upper end.
    upper: SignedRank,
}

impl Compared {
    /// The comparison from ratios, one for each position: above 1 where the one is ahead.
    ///
    /// The sum of the ranks above 0 grows with every difference. So the test at both ends gives
    /// bounds on its result. A position of known sign counts with its sign. A position of unknown
    /// sign may leave the verdict open.
    pub fn of(ratios: &[Bounds]) -> Compared {
        let logarithms: Vec<Bounds> = ratios.iter().map(|ratio| ratio.map(f64::ln)).collect();
        let count = |of: fn(&Bounds) -> bool| logarithms.iter().filter(|b| of(b)).count();
        let test = |end: fn(&Bounds) -> f64| {
            SignedRank::of(&logarithms.iter().map(end).collect::<Vec<f64>>())
        };
        let median = Bounds::combine(&logarithms, summary::median);
        Compared {
            positions: ratios.len(),
            ahead: count(|b| b.lower > 0.0),
            behind: count(|b| b.upper < 0.0),
            equal: count(|b| b.lower == 0.0 && b.upper == 0.0),
            median: median.unwrap_or(Bounds::ANY).map(f64::exp),
            lower: test(|b| b.lower),
            upper: test(|b| b.upper),
        }
    }

    /// The two-sided p of the test, with two ends where censored samples leave it open. None with
    /// fewer than [`LEAST_POSITIONS`].
    pub fn p(&self) -> Option<Bounds> {
        if self.positions < LEAST_POSITIONS {
            return None;
        }
        let (a, b) = (self.lower.p, self.upper.p);
        // If the two sums lie on either side of the average, the average may be the true sum; its p
        // is 1.
        let same_side = self.lower.excess * self.upper.excess > 0.0;
        Some(Bounds { lower: a.min(b), upper: if same_side { a.max(b) } else { 1.0 } })
    }

    /// Whether no difference can be seen if p is multiplied by `times`. This is asked for the best
    /// case: all positions that differ agree in sign.
    pub fn is_hopeless(&self, times: usize) -> bool {
        least_p(self.positions - self.equal) * times as f64 > SIGNIFICANCE
    }
}

/// The verdict on one comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The one competitor is ahead.
    Ahead,
    /// The other competitor is ahead.
    Behind,
    /// The test sees no difference.
    NoDifference,
    /// The true times of censored samples would decide.
    Open,
    /// There are fewer than [`LEAST_POSITIONS`].
    TooFew,
}

/// A verdict, and the corrected p that it follows from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The corrected p; none without a test.
    pub p: Option<Bounds>,
    /// The verdict.
    pub verdict: Verdict,
}

/// The verdicts on a family of comparisons, in the order given. They follow from the p-values of
/// those that have one, with Holm's correction. If no competitors differ, at most 5% of families
/// have a verdict that says otherwise.
pub fn judge(family: &[Compared]) -> Vec<Judged> {
    let tested: Vec<Bounds> = family.iter().filter_map(Compared::p).collect();
    let end = |end: fn(&Bounds) -> f64| holm(&tested.iter().map(end).collect::<Vec<f64>>());
    let ends = end(|p| p.lower).into_iter().zip(end(|p| p.upper));
    let mut corrected = ends.map(|(lower, upper)| Bounds { lower, upper });
    let judged = |compared: &Compared| {
        let p = compared.p().and_then(|_| corrected.next());
        Judged { p, verdict: p.map_or(Verdict::TooFew, |p| verdict(compared, p)) }
    };
    family.iter().map(judged).collect()
}

fn verdict(compared: &Compared, p: Bounds) -> Verdict {
    if p.lower > SIGNIFICANCE {
        Verdict::NoDifference
    } else if p.upper > SIGNIFICANCE {
        Verdict::Open
    } else if compared.lower.excess > 0.0 {
        Verdict::Ahead
    } else {
        Verdict::Behind
    }
}

/// The number of these comparisons that are tested: the size of their family.
pub fn family_size(all: &[Compared]) -> usize {
    all.iter().filter(|compared| compared.p().is_some()).count()
}

#[cfg(test)]
mod simulation;

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    const UNKNOWN: Bounds = Bounds { lower: 0.0, upper: f64::INFINITY };
    const AHEAD: Bounds = Bounds { lower: 1.1, upper: f64::INFINITY };

    fn exact(ratios: &[f64]) -> Vec<Bounds> {
        ratios.iter().copied().map(Bounds::exact).collect()
    }

    /// The verdict on one comparison alone.
    fn alone(ratios: &[Bounds]) -> Judged {
        judge(&[Compared::of(ratios)])[0]
    }

    #[test]
    fn six_positions_that_agree_are_enough_and_five_are_not() {
        let ratios = exact(&[1.1, 1.3, 1.2, 1.05, 2.0, 1.01]);
        let judged = alone(&ratios);
        assert_eq!((judged.verdict, judged.p), (Verdict::Ahead, Some(Bounds::exact(0.03125))));
        let turned: Vec<Bounds> = ratios.iter().map(|r| Bounds::exact(1.0 / r.lower)).collect();
        assert_eq!(alone(&turned).verdict, Verdict::Behind);
        let judged = alone(&ratios[..5]);
        assert_eq!((judged.verdict, judged.p), (Verdict::TooFew, None));
        assert_eq!(alone(&[]).verdict, Verdict::TooFew);
        let compared = Compared::of(&exact(&[1.1, 0.9, 1.0, 1.2, 1.0]));
        assert_eq!((compared.positions, compared.ahead), (5, 2));
        assert_eq!((compared.behind, compared.equal), (1, 2));
    }

    #[test]
    fn a_family_asks_for_more() {
        let clear = Compared::of(&exact(&[1.1, 1.3, 1.2, 1.05, 2.0, 1.01]));
        let none = Compared::of(&exact(&[1.1, 0.7, 1.2, 0.8, 2.0, 0.4]));
        let few = Compared::of(&exact(&[1.1]));
        let verdicts: Vec<Verdict> =
            judge(&[clear, few, none]).iter().map(|judged| judged.verdict).collect();
        let expected = [Verdict::NoDifference, Verdict::TooFew, Verdict::NoDifference];
        assert_eq!(verdicts, expected);
        assert_eq!(
            judge(&[clear, few])[0].verdict,
            Verdict::Ahead,
            "what is not tested costs nothing"
        );
        assert!(clear.is_hopeless(2) && !clear.is_hopeless(1));
        assert_eq!(family_size(&[clear, few, none]), 2);
    }

    #[test]
    fn what_is_equal_everywhere_does_not_differ() {
        let compared = Compared::of(&exact(&[1.0; 30]));
        assert_eq!((compared.equal, compared.ahead, compared.behind), (30, 0, 0));
        let judged = judge(&[compared])[0];
        assert_eq!((judged.verdict, judged.p), (Verdict::NoDifference, Some(Bounds::exact(1.0))));
        assert!(compared.is_hopeless(1));
    }

    #[test]
    fn a_censored_side_with_a_known_sign_counts() {
        let mut ratios = exact(&[1.1, 1.3, 1.2, 1.05, 2.0]);
        ratios.push(AHEAD);
        let judged = alone(&ratios);
        assert_eq!((judged.verdict, judged.p), (Verdict::Ahead, Some(Bounds::exact(0.03125))));
    }

    #[test]
    fn an_unknown_sign_leaves_the_verdict_open_where_it_decides() {
        let mut ratios = exact(&[1.1, 1.3, 1.2, 1.05, 2.0]);
        ratios.push(UNKNOWN);
        let compared = Compared::of(&ratios);
        assert_eq!((compared.ahead, compared.behind, compared.equal), (5, 0, 0));
        assert_eq!(alone(&ratios).verdict, Verdict::Open);
        // In the worst case it has the greatest rank, 6; the other five have 15.
        let p = compared.p().expect("six positions");
        assert!(p.lower == 0.03125 && p.upper > 0.4, "{p:?}");
        // One of twenty does not decide.
        let many: Vec<f64> = (1..20).map(|i| 1.0 + f64::from(i) / 10.0).collect();
        let mut ratios = exact(&many);
        ratios.push(UNKNOWN);
        assert_eq!(alone(&ratios).verdict, Verdict::Ahead);
        assert_eq!(alone(&[UNKNOWN; 6]).verdict, Verdict::Open);
    }

    #[test]
    fn a_few_open_positions_leave_the_median_closed() {
        let close = |median: Bounds, lower: f64, upper: f64| {
            assert!((median.lower - lower).abs() < 1e-12, "{median:?}");
            assert!((median.upper - upper).abs() < 1e-12, "{median:?}");
        };
        let mut ratios = exact(&[1.1, 1.3, 1.2, 1.05, 2.0]);
        close(Compared::of(&ratios).median, 1.2, 1.2);
        ratios.extend([AHEAD, UNKNOWN]);
        close(Compared::of(&ratios).median, 1.1, 1.3);
        // The comparison the other way round has the inverse ratio.
        close(Compared::of(&exact(&[1.0, 4.0])).median, 2.0, 2.0);
        close(Compared::of(&exact(&[1.0, 0.25])).median, 0.5, 0.5);
        assert_eq!(Compared::of(&[]).median, UNKNOWN);
    }

    #[test]
    fn an_open_comparison_opens_those_of_its_family() {
        // The first has p = 0.03125. That is enough if the other has less, and too much if the
        // other has more.
        let clear = Compared::of(&exact(&[1.1, 1.3, 1.2, 1.05, 2.0, 1.01]));
        let mut ratios = exact(&[1.1, 1.3, 1.2, 1.05, 2.0, 1.01, 1.02]);
        ratios.push(UNKNOWN);
        let open = Compared::of(&ratios);
        let judged = judge(&[clear, open]);
        assert_eq!((judged[0].verdict, judged[1].verdict), (Verdict::Open, Verdict::Open));
    }
}
