//! Logistic regression of scores, with the spread that game pairs and draws really have.
//!
//! The expected score of a row is `1 / (1 + exp(-(terms * coefficients + offset)))`. Draws and
//! pairs make points less (or more) scattered than wins and losses of single games. The dispersion
//! is estimated from Pearson's statistic over whole units (quasi-likelihood: Wedderburn 1974;
//! `McCullagh` and Nelder, "Generalized Linear Models").

use super::counts::{Counts, games_a_unit};
use crate::least_squares::solve;

/// Games that have one expected score.
#[derive(Clone, Debug)]
pub(super) struct Row {
    terms: Vec<f64>,
    offset: f64,
    games_a_unit: f64,
    units: f64,
    points: f64,
    /// The sum of the squares of the units' points.
    squares: f64,
}

impl Row {
    /// The row of these counts.
    pub(super) fn new<const N: usize>(terms: Vec<f64>, offset: f64, counts: &Counts<N>) -> Row {
        let games_a_unit = games_a_unit::<N>() as f64;
        let square = |(score, count): (f64, f64)| (games_a_unit * score).powi(2) * count;
        Row {
            terms,
            offset,
            games_a_unit,
            units: counts.units() as f64,
            points: counts.points(),
            squares: counts.weighted().map(square).sum(),
        }
    }

    /// A virtual pair of which `points` (0 to 2) were won.
    pub(super) fn virtual_pair(terms: Vec<f64>, offset: f64, points: f64) -> Row {
        Row { terms, offset, games_a_unit: 2.0, units: 1.0, points, squares: points * points }
    }

    fn games(&self) -> f64 {
        self.units * self.games_a_unit
    }

    fn logit(&self, coefficients: &[f64]) -> f64 {
        self.terms.iter().zip(coefficients).map(|(x, b)| x * b).sum::<f64>() + self.offset
    }

    fn expected(&self, coefficients: &[f64]) -> f64 {
        1.0 / (1.0 + (-self.logit(coefficients)).exp())
    }

    fn log_likelihood(&self, coefficients: &[f64]) -> f64 {
        let logit = self.logit(coefficients);
        // ln(1 - expected) = -ln(1 + exp(logit)), without overflow.
        let lost = -(logit.max(0.0) + (-logit.abs()).exp().ln_1p());
        self.points * logit + self.games() * lost
    }

    /// The squared distances of the units from the expected score, divided by their expectation for
    /// games that are independent wins and losses.
    fn pearson(&self, coefficients: &[f64]) -> f64 {
        let expected = self.expected(coefficients);
        let mean = self.games_a_unit * expected;
        let squares = self.squares - 2.0 * mean * self.points + self.units * mean * mean;
        squares / (mean * (1.0 - expected))
    }
}

/// A fitted regression.
#[derive(Clone, Debug)]
pub(super) struct Regression {
    pub(super) coefficients: Vec<f64>,
    pub(super) covariance: Vec<Vec<f64>>,
}

const ITERATIONS: usize = 100;
/// The greatest step of a coefficient. Far from the best coefficients the curve is flat and its
/// slope misleads.
const LONGEST_STEP: f64 = 2.0;
/// The length of a step below which the search has arrived.
const ARRIVED: f64 = 1e-6;

/// The likeliest coefficients and their precision; none if the rows do not determine the
/// coefficients.
///
/// `virtual_rows` count for the coefficients, but not for the dispersion. To the dispersion one
/// unit is added that is as scattered as wins and losses, so that it is never zero.
pub(super) fn fit(played: &[Row], virtual_rows: &[Row], coefficients: usize) -> Option<Regression> {
    let rows: Vec<&Row> = played.iter().chain(virtual_rows).collect();
    let found = likeliest(&rows, coefficients)?;
    let covariance = inverse(&information(&rows, &found))?;
    let dispersion = dispersion(played, &found);
    let scaled = covariance.into_iter().map(|row| row.iter().map(|v| dispersion * v).collect());
    Some(Regression { covariance: scaled.collect(), coefficients: found })
}

/// The likeliest coefficients, by Newton's method with steps halved until they gain something.
fn likeliest(rows: &[&Row], coefficients: usize) -> Option<Vec<f64>> {
    let likelihood = |b: &[f64]| rows.iter().map(|row| row.log_likelihood(b)).sum::<f64>();
    let mut found = vec![0.0; coefficients];
    for _ in 0..ITERATIONS {
        let mut equations = information(rows, &found);
        for (j, equation) in equations.iter_mut().enumerate() {
            let gradient =
                |row: &&Row| row.terms[j] * (row.points - row.games() * row.expected(&found));
            equation.push(rows.iter().map(gradient).sum());
        }
        let step = solve(equations)?;
        let length = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
        let scale = if length > LONGEST_STEP { LONGEST_STEP / length } else { 1.0 };
        let moved = |share: f64| -> Vec<f64> {
            found.iter().zip(&step).map(|(b, s)| b + share * scale * s).collect()
        };
        let here = likelihood(&found);
        let shorter = (0..30).map(|halvings| moved(0.5f64.powi(halvings)));
        match shorter.into_iter().find(|next| likelihood(next) > here) {
            Some(next) => found = next,
            None => return (length < ARRIVED).then_some(found),
        }
    }
    None
}

fn information(rows: &[&Row], coefficients: &[f64]) -> Vec<Vec<f64>> {
    let n = coefficients.len();
    let mut sums = vec![vec![0.0; n]; n];
    for row in rows {
        let expected = row.expected(coefficients);
        let weight = row.games() * expected * (1.0 - expected);
        for (sum, x) in sums.iter_mut().zip(&row.terms) {
            sum.iter_mut().zip(&row.terms).for_each(|(s, y)| *s += weight * x * y);
        }
    }
    sums
}

fn dispersion(played: &[Row], coefficients: &[f64]) -> f64 {
    let units: f64 = played.iter().map(|row| row.units).sum();
    let pearson: f64 = played.iter().map(|row| row.pearson(coefficients)).sum();
    (pearson + 1.0) / (units - coefficients.len() as f64 + 1.0).max(1.0)
}

fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let column = |j: usize| {
        let right = |i: usize| if i == j { 1.0 } else { 0.0 };
        let equations = matrix.iter().enumerate();
        solve(equations.map(|(i, row)| [row.as_slice(), &[right(i)]].concat()).collect())
    };
    // The inverse of a symmetric matrix has its columns as rows.
    (0..matrix.len()).map(column).collect()
}
