//! Ratios between the cells of several competitors, paired over positions. The competitors may
//! differ in settings or in the algorithm.

use super::bootstrap::{self, REPLICATES, rescaled_confidence};
use super::bounds::Bounds;
use super::censoring::median_time;
use super::draw::Draw;
use super::rounds::{Pool, Rounds, Runs};
use super::summary;

/// The streams of the generator.
const RUNS: u64 = 2;
const POSITIONS: u64 = 3;
/// The first stream of the second experiment of a comparison of two.
const OTHER_RUNS: u64 = 4;

/// The samples of one competitor at one number of threads, by position.
pub type Row = [Runs];

/// Rows of one experiment, which draw their rounds together, that multiply a ratio or divide it.
#[derive(Clone, Debug, Default)]
pub struct Quotient<'a> {
    /// The rows whose medians are multiplied.
    pub above: Vec<&'a Row>,
    /// The rows whose medians the product is divided by.
    pub below: Vec<&'a Row>,
}

impl<'a> Quotient<'a> {
    /// The medians of a row, divided by those of another row if there is one.
    pub fn of(above: &'a Row, below: Option<&'a Row>) -> Quotient<'a> {
        Quotient { above: vec![above], below: below.into_iter().collect() }
    }

    /// The inverse.
    #[must_use]
    pub fn inverse(self) -> Quotient<'a> {
        Quotient { above: self.below, below: self.above }
    }
}

/// A geometric mean over positions, with both of its intervals at 95%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The number of positions that have a ratio.
    pub positions: usize,
    /// The geometric mean; two ends where censored samples leave it open.
    pub value: Bounds,
    /// The interval with rounds drawn anew; none if one of the cells has a single sample.
    pub ci_runs: Option<Bounds>,
    /// The interval with positions drawn anew, each with all its cells; none with a single
    /// position.
    pub ci_positions: Option<Bounds>,
}

/// The geometric mean over positions of one ratio each: the product of the quotients of medians.
/// Each quotient has the rows of one experiment. Their rounds are drawn together, and apart from
/// those of the other experiment. Positions without one of the medians are left out; none if all
/// are.
pub fn geometric_mean(quotients: &[Quotient<'_>], seed: u64) -> Option<Ratio> {
    let (known, ratios) = known(&by_position(quotients));
    Some(Ratio {
        positions: known.len(),
        value: Bounds::combine(&ratios, summary::geometric_mean)?,
        ci_runs: over_runs(quotients, &known, seed),
        ci_positions: over_positions(&ratios, seed),
    })
}

/// The ratio of each position: the product of the quotients of medians. None where one of them is
/// not known.
pub fn by_position(quotients: &[Quotient<'_>]) -> Vec<Option<Bounds>> {
    let rows = quotients.iter().flat_map(|of| of.above.iter().chain(&of.below));
    let positions = rows.map(|row| row.len()).max().unwrap_or(0);
    let median = |row: &&Row, position: usize| median_time(&row[position]);
    let of = |position| {
        product(
            quotients.iter().map(|of| quotient(&of.above, &of.below, |row| median(row, position))),
        )
    };
    (0..positions).map(of).collect()
}

/// The positions that have a ratio, and their ratios.
fn known(ratios: &[Option<Bounds>]) -> (Vec<usize>, Vec<Bounds>) {
    ratios.iter().enumerate().filter_map(|(p, ratio)| Some((p, (*ratio)?))).unzip()
}

/// The samples of the known positions of one experiment, ready to be drawn from, and its rounds.
struct Drawn {
    above: Vec<Vec<Pool>>,
    below: Vec<Vec<Pool>>,
    rounds: Rounds,
}

fn over_runs(quotients: &[Quotient<'_>], known: &[usize], seed: u64) -> Option<Bounds> {
    let drawn = |(number, of): (u64, &Quotient<'_>)| {
        let all = of.above.iter().chain(&of.below);
        let cells = all.flat_map(|row| known.iter().map(|position| &row[*position]));
        let pools = |rows: &[&Row]| {
            let pool = |row: &&Row| known.iter().map(|p| Pool::of(&row[*p])).collect();
            rows.iter().map(pool).collect()
        };
        let draw = Draw::new(seed, if number == 0 { RUNS } else { OTHER_RUNS });
        let rounds = Rounds::new(cells.flat_map(Runs::rounds), draw, REPLICATES);
        Drawn { above: pools(&of.above), below: pools(&of.below), rounds }
    };
    let drawn: Vec<Drawn> = (0..).zip(quotients).map(drawn).collect();
    let pools = || drawn.iter().flat_map(|of| of.above.iter().chain(&of.below)).flatten();
    let least = pools().map(Pool::size).min().filter(|least| *least >= 2)?;
    let replicate = |replicate: usize| {
        let ratio = |place: usize| {
            product(drawn.iter().map(|of| {
                let counts = &of.rounds.replicates()[replicate];
                let median = |row: &Vec<Pool>| row[place].resampled_median(counts);
                quotient(&of.above, &of.below, median)
            }))
        };
        let ratios: Option<Vec<Bounds>> = (0..known.len()).map(ratio).collect();
        Bounds::combine(&ratios?, summary::geometric_mean)
    };
    let replicates: Option<Vec<Bounds>> = (0..REPLICATES).map(replicate).collect();
    bootstrap::interval(&replicates?, rescaled_confidence(least))
}

fn over_positions(ratios: &[Bounds], seed: u64) -> Option<Bounds> {
    bootstrap::over_positions(ratios, summary::geometric_mean, Draw::new(seed, POSITIONS))
}

/// The rounds of an experiment, drawn anew for its [`Contestant`]s.
pub fn draw_rounds<'a>(cells: impl IntoIterator<Item = &'a Runs>, seed: u64) -> Rounds {
    Rounds::new(cells.into_iter().flat_map(Runs::rounds), Draw::new(seed, RUNS), REPLICATES)
}

/// A row that is compared with many others of its experiment. The medians of its replicates are
/// computed once, and not once for each of them.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The median of each cell; none without samples, or with one of 0.
    medians: Vec<Option<Bounds>>,
    /// The logarithm of the median of each cell, by replicate; none for a cell with a single
    /// sample.
    replicates: Vec<Option<Logarithms>>,
}

/// The logarithms of one cell, by replicate.
#[derive(Clone, Debug)]
struct Logarithms {
    /// The number of samples of the cell.
    samples: usize,
    lower: Vec<f64>,
    /// The upper ends, only if some differ from the lower ones.
    upper: Option<Vec<f64>>,
}

impl Contestant {
    /// A row of these samples, by the rounds that all contestants of an experiment share
    /// ([`draw_rounds`] of all their cells).
    pub fn new(row: &Row, rounds: &Rounds) -> Contestant {
        let positive = |cell: &Runs| cell.iter().all(|time| time.lower() > 0.0);
        let median = |cell: &Runs| positive(cell).then(|| median_time(cell)).flatten();
        let medians: Vec<Option<Bounds>> = row.iter().map(median).collect();
        let cells = row.iter().zip(&medians);
        let replicates =
            cells.map(|(cell, median)| median.and_then(|_| Logarithms::of(cell, rounds)));
        Contestant { replicates: replicates.collect(), medians }
    }

    /// The ratio of speed to another row, position by position: the other's median time divided by
    /// this one's.
    pub fn against(&self, other: &Contestant) -> Vec<Option<Bounds>> {
        let medians = self.medians.iter().zip(&other.medians);
        medians.map(|(own, others)| Bounds::ratio((*others)?, (*own)?)).collect()
    }

    /// The geometric mean of [`Contestant::against`] over the positions that both have, and its
    /// intervals. None without such positions.
    pub fn mean_against(&self, other: &Contestant, seed: u64) -> Option<Ratio> {
        let (known, ratios) = known(&self.against(other));
        Some(Ratio {
            positions: known.len(),
            value: Bounds::combine(&ratios, summary::geometric_mean)?,
            ci_runs: self.over_replicates(other, &known),
            ci_positions: over_positions(&ratios, seed),
        })
    }

    fn over_replicates(&self, other: &Contestant, known: &[usize]) -> Option<Bounds> {
        let mut sums = vec![Bounds::exact(0.0); REPLICATES];
        let mut least = usize::MAX;
        for &position in known {
            let own = self.replicates[position].as_ref()?;
            let others = other.replicates[position].as_ref()?;
            least = least.min(own.samples).min(others.samples);
            for (replicate, sum) in sums.iter_mut().enumerate() {
                sum.lower += others.lower[replicate] - own.upper(replicate);
                sum.upper += others.upper(replicate) - own.lower[replicate];
            }
        }
        let mean = |sum: f64| (sum / known.len() as f64).exp();
        let replicates: Vec<Bounds> = sums.into_iter().map(|sum| sum.map(mean)).collect();
        bootstrap::interval(&replicates, rescaled_confidence(least))
    }
}

impl Logarithms {
    fn of(cell: &Runs, rounds: &Rounds) -> Option<Logarithms> {
        let pool = Pool::of(cell);
        if pool.size() < 2 {
            return None;
        }
        let medians: Option<Vec<Bounds>> =
            rounds.replicates().iter().map(|drawn| pool.resampled_median(drawn)).collect();
        let medians = medians?;
        let end = |end: fn(&Bounds) -> f64| -> Vec<f64> {
            medians.iter().map(|median| end(median).ln()).collect()
        };
        let exact = medians.iter().all(|median| median.is_exact());
        let upper = (!exact).then(|| end(|b| b.upper));
        Some(Logarithms { samples: pool.size(), lower: end(|b| b.lower), upper })
    }

    fn upper(&self, replicate: usize) -> f64 {
        self.upper.as_ref().unwrap_or(&self.lower)[replicate]
    }
}

/// The product of the medians of some cells, divided by that of others; none if one of them is not
/// known.
fn quotient<R>(above: &[R], below: &[R], median: impl Fn(&R) -> Option<Bounds>) -> Option<Bounds> {
    Bounds::ratio(product(above.iter().map(&median))?, product(below.iter().map(&median))?)
}

/// The product of figures; none if one of them is not known. An empty product is 1.
fn product(mut figures: impl Iterator<Item = Option<Bounds>>) -> Option<Bounds> {
    figures.try_fold(Bounds::exact(1.0), |product, next| {
        let next = next?;
        Some(Bounds { lower: product.lower * next.lower, upper: product.upper * next.upper })
    })
}

#[cfg(test)]
#[allow(clippy::float_cmp, clippy::unreadable_literal)]
// Exact figures are meant, some as a program printed them.
mod tests;
