//! Logistic regression of scores, with the spread that game pairs and draws really have.
//!
//! The expected score of a row is `1 / (1 + exp(-(terms * coefficients + offset)))`. Draws and
//! pairs make points less (or more) scattered than wins and losses of single games, and in one
//! encounter more than in another. So the covariance is the sandwich over units (Huber 1967; White
//! 1980; by clusters, which the units are here, Liang and Zeger 1986):
//!
//! ```text
//! (1 + d) H^-1 M H^-1 + d f H^-1
//! H = sum of games e (1 - e) x x'              the information of independent wins and losses
//! M = sum over units of (points - games e)^2 x x'
//! d = k / (m - k), at most 1/2                 for k coefficients and m units
//! f = trace(H^-1 M) / k, at least 1
//! ```
//!
//! Here x are the terms, e the expected score of a game, and the games those of a unit. Morel,
//! Bokossa and Neerchal (2003, "Small sample correction for the variance of GEE estimators") give
//! the correction by d, with a unit as one observation. It is never zero, even if all units were
//! drawn.

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

    /// The squared distances of the units' points from those that are expected.
    fn scatter(&self, coefficients: &[f64]) -> f64 {
        let mean = self.games_a_unit * self.expected(coefficients);
        self.squares - 2.0 * mean * self.points + self.units * mean * mean
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

/// The most that [`correction`] adds: that of three units a coefficient.
const MOST_CORRECTION: f64 = 0.5;

/// The likeliest coefficients and their covariance; none if the rows do not determine the
/// coefficients.
pub(super) fn fit(rows: &[Row], coefficients: usize) -> Option<Regression> {
    let found = likeliest(rows, coefficients)?;
    let bread = inverse(&information(rows, &found))?;
    let meat = weighted(rows, coefficients, |row| row.scatter(&found));
    let half = product(&bread, &meat);
    let sandwich = product(&half, &bread);
    let trace: f64 = (0..coefficients).map(|i| half[i][i]).sum();
    let scattered = (trace / coefficients as f64).max(1.0);
    let correction = correction(rows, coefficients);
    let entry = |i: usize, j: usize| {
        (1.0 + correction) * sandwich[i][j] + correction * scattered * bread[i][j]
    };
    let row = |i: usize| (0..coefficients).map(|j| entry(i, j)).collect();
    let covariance = (0..coefficients).map(row).collect();
    Some(Regression { covariance, coefficients: found })
}

/// The share by which few units make the sandwich too small.
fn correction(rows: &[Row], coefficients: usize) -> f64 {
    let units: f64 = rows.iter().map(|row| row.units).sum();
    let k = coefficients as f64;
    if units > k { (k / (units - k)).min(MOST_CORRECTION) } else { MOST_CORRECTION }
}

/// The likeliest coefficients, by Newton's method with steps halved until they gain something.
fn likeliest(rows: &[Row], coefficients: usize) -> Option<Vec<f64>> {
    let likelihood = |b: &[f64]| rows.iter().map(|row| row.log_likelihood(b)).sum::<f64>();
    let mut found = vec![0.0; coefficients];
    for _ in 0..ITERATIONS {
        let mut equations = information(rows, &found);
        for (j, equation) in equations.iter_mut().enumerate() {
            let gradient =
                |row: &Row| row.terms[j] * (row.points - row.games() * row.expected(&found));
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

fn information(rows: &[Row], coefficients: &[f64]) -> Vec<Vec<f64>> {
    weighted(rows, coefficients.len(), |row| {
        let expected = row.expected(coefficients);
        row.games() * expected * (1.0 - expected)
    })
}

/// The sum of the products of all terms with all terms, each row with this weight.
fn weighted(rows: &[Row], n: usize, weight: impl Fn(&Row) -> f64) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![0.0; n]; n];
    for row in rows {
        let weight = weight(row);
        for (sum, x) in sums.iter_mut().zip(&row.terms) {
            sum.iter_mut().zip(&row.terms).for_each(|(s, y)| *s += weight * x * y);
        }
    }
    sums
}

/// The product of two square matrices.
fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |row: &[f64], j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..b.len()).map(|j| entry(row, j)).collect()).collect()
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
