//! Linear models with few terms, none of which can be negative: for example the costs of
//! operations.

use super::summary;

/// The coefficients of a model, and how far it misses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs<const K: usize> {
    /// The cost of one unit of each term, in the unit of the values; never negative.
    pub each: [f64; K],
    /// Root mean square of the errors, relative to the model.
    pub error: f64,
}

/// The cost of one unit of each term, if `values[i]` is the sum over the terms of `rows[i]`. The
/// method is least squares of the relative errors. Values that are not positive are left out. None
/// with fewer values than terms.
///
/// An error is relative to the model, and not to the value. A value has the noise in it, and
/// dividing by it would favour values that happen to be small. Hence the repetitions (iteratively
/// reweighted least squares). The terms are few, so every choice of those that cost anything is
/// tried. (Lawson and Hanson, "Solving Least Squares Problems", chapter 23, has the method for
/// many.)
pub fn costs<const K: usize>(rows: &[[f64; K]], values: &[f64]) -> Option<Costs<K>> {
    let known = rows.iter().zip(values).filter(|(_, value)| **value > 0.0);
    let (rows, values): (Vec<&[f64; K]>, Vec<f64>) =
        known.map(|(row, value)| (row, *value)).unzip();
    if rows.len() < K {
        return None;
    }
    let mut scales = values.clone();
    let mut found = None;
    for _ in 0..REPETITIONS {
        let scaled: Vec<([f64; K], f64)> = rows
            .iter()
            .zip(&values)
            .zip(&scales)
            .map(|((row, value), scale)| (row.map(|x| x / scale), value / scale))
            .collect();
        let fitted = fit(&scaled)?;
        for (scale, row) in scales.iter_mut().zip(&rows) {
            let model = sum(row, &fitted.each);
            if model > 0.0 {
                *scale = model;
            }
        }
        found = Some(fitted);
    }
    found
}

const REPETITIONS: usize = 8;

fn sum<const K: usize>(row: &[f64; K], each: &[f64; K]) -> f64 {
    row.iter().zip(each).map(|(x, cost)| x * cost).sum()
}

/// Plain least squares over rows and their expected sums.
fn fit<const K: usize>(rows: &[([f64; K], f64)]) -> Option<Costs<K>> {
    let error = |each: &[f64; K]| {
        let squares: Vec<f64> =
            rows.iter().map(|(row, value)| (sum(row, each) - value).powi(2)).collect();
        summary::mean(&squares).map(f64::sqrt)
    };
    let choices = (1..1_usize << K).filter_map(|choice| {
        let terms: Vec<usize> = (0..K).filter(|term| choice >> term & 1 == 1).collect();
        let found = solve(normal_equations(rows, &terms))?;
        let mut each = [0.0; K];
        for (&term, &cost) in terms.iter().zip(&found) {
            each[term] = cost;
        }
        let possible = found.iter().all(|cost| *cost >= 0.0);
        possible.then(|| error(&each).map(|error| Costs { each, error })).flatten()
    });
    choices.min_by(|a, b| a.error.total_cmp(&b.error))
}

/// The equations of least squares for these terms, each row with its right side at the end.
fn normal_equations<const K: usize>(rows: &[([f64; K], f64)], terms: &[usize]) -> Vec<Vec<f64>> {
    let equation = |&a: &usize| {
        let left = terms.iter().map(|&b| rows.iter().map(|(row, _)| row[a] * row[b]).sum::<f64>());
        left.chain([rows.iter().map(|(row, value)| row[a] * value).sum()]).collect()
    };
    terms.iter().map(equation).collect()
}

/// Solves linear equations, each with its right side at the end, by elimination with the largest
/// pivot; none if they depend on each other.
pub(super) fn solve(mut equations: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = equations.len();
    for column in 0..n {
        let size = |row: &usize| equations[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        equations.swap(column, pivot);
        let by = equations[column][column];
        let largest = equations.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        if by.abs() <= 1e-12 * largest {
            return None;
        }
        for x in &mut equations[column] {
            *x /= by;
        }
        let top = equations[column].clone();
        for (_, equation) in equations.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let times = equation[column];
            equation.iter_mut().zip(&top).for_each(|(x, t)| *x -= times * t);
        }
    }
    Some(equations.into_iter().map(|equation| equation[n]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * b.abs().max(1.0)
    }

    #[test]
    fn finds_what_made_the_values() {
        let rows: Vec<[f64; 3]> = (1..9)
            .map(f64::from)
            .map(|i| [1e5 * i, 2e5 + 3e4 * i * i, 1e3 * (7.0 - i).powi(2)])
            .collect();
        let values: Vec<f64> = rows.iter().map(|r| 4.0 * r[0] + 6.0 * r[1] + 2.5 * r[2]).collect();
        let found = costs(&rows, &values).expect("enough values");
        assert!(found.error < 1e-9 && near(found.each[0], 4.0));
        assert!(near(found.each[1], 6.0) && near(found.each[2], 2.5), "{found:?}");
    }

    #[test]
    fn nothing_costs_less_than_nothing() {
        // The best line through these has a negative second term.
        let rows = [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]];
        let found = costs(&rows, &[1.0, 3.0, 5.0]).expect("enough values");
        assert_eq!(found.each[1].total_cmp(&0.0), std::cmp::Ordering::Equal);
        // By hand: relative to `n c`, the values have mean 1 if c is the mean of 1, 3/2 and 5/3.
        assert!(near(found.each[0], (1.0 + 1.5 + 5.0 / 3.0) / 3.0), "{found:?}");
    }

    #[test]
    fn noise_does_not_make_things_cheaper() {
        // One cost, a third too much as often as a third too little.
        let rows = [[10.0], [20.0], [30.0], [40.0]];
        let values: Vec<f64> =
            [1.33, 0.67, 1.33, 0.67].iter().zip(&rows).map(|(e, r)| e * r[0]).collect();
        let found = costs(&rows, &values).expect("enough values");
        assert!((found.each[0] - 1.0).abs() < 1e-9 && near(found.error, 0.33), "{found:?}");
    }

    #[test]
    fn a_term_that_is_another_one_again_does_no_harm() {
        let rows = [[1.0, 2.0], [2.0, 4.0], [4.0, 8.0]];
        let found = costs(&rows, &[3.0, 6.0, 12.0]).expect("one of them does");
        assert!(found.error < 1e-12);
        assert!(near(found.each[0] + 2.0 * found.each[1], 3.0));
    }

    #[test]
    fn too_few_values() {
        assert_eq!(costs(&[[1.0, 2.0]], &[3.0]), None);
        assert_eq!(costs(&[[1.0, 2.0], [2.0, 1.0]], &[3.0, 0.0]), None);
    }
}
