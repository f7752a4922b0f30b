//! The evaluation of many positions as linear functions of the numbers of the table.

use super::examples::Example;
use std::convert::Infallible;
use std::ops::Range;
use ttd_search::cores::jobs::in_order;
use ttd_search::engine::{Slot, Weights, exact_value};

/// The number of positions of one job.
const BATCH: usize = 1024;

/// The step up and down for a number in which the evaluation is not linear. Such a number is of the
/// danger to a king, which is squared and rounded.
const BENT_STEP: i32 = 2;

/// The values of positions near one table of weights, in centipawns from White's view.
///
/// The value by other numbers is `value + sum of slope_i * (number_i - at_i)`. For nearly all
/// numbers this is exact everywhere: they count how often something is on the board. For the
/// numbers of attacks on the king it is exact only near the table. So it must be computed again
/// when they have moved.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    /// The numbers of the table.
    at: Vec<f64>,
    rows: Vec<Row>,
}

/// The value of one position.
#[derive(Clone, Debug)]
struct Row {
    value: f64,
    slopes: Vec<(u16, f32)>,
}

impl Linear {
    /// Computes the values and slopes of `examples` near a table, on `threads` threads. Each number
    /// is raised on its own, and lowered too if the evaluation is not linear in it. The cost is
    /// about a microsecond for each number and position.
    pub(super) fn near(weights: &Weights, examples: &[Example], threads: usize) -> Linear {
        let numbers = weights.numbers();
        // The evaluation may be not linear in the others.
        let bent = each(weights, false, true);
        let mut rows = Vec::with_capacity(examples.len());
        let job = |(): &mut (), batch: usize| {
            Some(batch_of_rows(&numbers, &bent, &examples[range(batch, examples.len())]))
        };
        let Ok(_) = in_order(&mut vec![(); threads], batches(examples.len()), job, |_, batch| {
            rows.extend(batch);
            Ok::<(), Infallible>(())
        });
        Linear { at: numbers.into_iter().map(f64::from).collect(), rows }
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of numbers of the table.
    pub(super) fn numbers(&self) -> usize {
        self.at.len()
    }

    /// The value of a position, in centipawns, if the table had these numbers.
    pub(super) fn value(&self, position: usize, numbers: &[f64]) -> f64 {
        let row = &self.rows[position];
        let step = |&(i, slope): &(u16, f32)| {
            f64::from(slope) * (numbers[usize::from(i)] - self.at[usize::from(i)])
        };
        row.value + row.slopes.iter().map(step).sum::<f64>()
    }

    /// The change of the value of a position when each number changes by its part of `direction`.
    pub(super) fn change(&self, position: usize, direction: &[f64]) -> f64 {
        let step = |&(i, slope): &(u16, f32)| f64::from(slope) * direction[usize::from(i)];
        self.rows[position].slopes.iter().map(step).sum()
    }

    /// Adds `times` times the slopes of a position to `sum`.
    pub(super) fn add_slopes(&self, position: usize, times: f64, sum: &mut [f64]) {
        for &(i, slope) in &self.rows[position].slopes {
            sum[usize::from(i)] += times * f64::from(slope);
        }
    }

    /// Adds `times` times the squares of the slopes of a position to `sum`.
    pub(super) fn add_squares(&self, position: usize, times: f64, sum: &mut [f64]) {
        for &(i, slope) in &self.rows[position].slopes {
            sum[usize::from(i)] += times * f64::from(slope).powi(2);
        }
    }

    /// The sums over all positions of the terms that `add` adds, one sum for each number of the
    /// table. The result does not depend on `threads`.
    pub(super) fn sums(&self, threads: usize, add: impl Fn(usize, &mut [f64]) + Sync) -> Vec<f64> {
        let mut sums = vec![0.0; self.numbers()];
        let job = |(): &mut (), batch: usize| {
            let mut part = vec![0.0; self.numbers()];
            range(batch, self.len()).for_each(|position| add(position, &mut part));
            Some(part)
        };
        let Ok(_) = in_order(&mut vec![(); threads], batches(self.len()), job, |_, part| {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            Ok::<(), Infallible>(())
        });
        sums
    }
}

fn batches(positions: usize) -> usize {
    positions.div_ceil(BATCH)
}

fn range(batch: usize, positions: usize) -> Range<usize> {
    batch * BATCH..positions.min((batch + 1) * BATCH)
}

/// A value for each number of the table: one for the numbers of tapers, one for all others.
pub(super) fn each<T: Clone>(weights: &Weights, taper: T, other: T) -> Vec<T> {
    let mut weights = weights.clone();
    let slots = weights.slots().into_iter().flat_map(|(_, slot)| match slot {
        Slot::Tapers(tapers) => vec![taper.clone(); 2 * tapers.len()],
        Slot::Numbers(numbers) => vec![other.clone(); numbers.len()],
    });
    slots.collect()
}

fn batch_of_rows(numbers: &[i32], bent: &[bool], examples: &[Example]) -> Vec<Row> {
    let values = |numbers: &[i32]| {
        let weights = Weights::of_numbers(numbers);
        examples.iter().map(|e| exact_value(&e.position, &weights)).collect::<Vec<f64>>()
    };
    let here = values(numbers);
    let mut rows: Vec<Row> = here.iter().map(|&value| Row { value, slopes: Vec::new() }).collect();
    let mut other = numbers.to_vec();
    for (i, &bent) in bent.iter().enumerate() {
        let mut at = |step: i32| {
            other[i] = numbers[i] + step;
            let values = values(&other);
            other[i] = numbers[i];
            values
        };
        let (above, below, step) = if bent {
            (at(BENT_STEP), at(-BENT_STEP), 2 * BENT_STEP)
        } else {
            (at(1), here.clone(), 1)
        };
        for ((row, above), below) in rows.iter_mut().zip(above).zip(below) {
            let slope = ((above - below) / f64::from(step)) as f32;
            // Smaller slopes are rounding errors of equal values.
            if slope.abs() > 1e-6 {
                row.slopes.push((i as u16, slope));
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::test_boards::from_sets;
    use super::*;
    use ttd_search::engine::Position;

    fn examples() -> Vec<Example> {
        let boards = from_sets().into_iter().step_by(10);
        boards.map(|board| Example { position: Position::new(board), result: 0.5 }).collect()
    }

    /// The numbers of the program's table, some of them changed. If `bent_ones`, these are the
    /// numbers in which the evaluation is not linear, else the others.
    fn changed(bent_ones: bool) -> Vec<i32> {
        let bent = each(&Weights::own(), false, true);
        let change = |(i, number): (usize, i32)| {
            number + if bent[i] == bent_ones { (i as i32 * 7) % 11 - 5 } else { 0 }
        };
        Weights::own().numbers().into_iter().enumerate().map(change).collect()
    }

    fn errors(numbers: &[i32]) -> Vec<f64> {
        let examples = examples();
        let linear = Linear::near(&Weights::own(), &examples, 2);
        let weights = Weights::of_numbers(numbers);
        let reals: Vec<f64> = numbers.iter().copied().map(f64::from).collect();
        let error = |(i, example): (usize, &Example)| {
            linear.value(i, &reals) - exact_value(&example.position, &weights)
        };
        examples.iter().enumerate().map(error).collect()
    }

    #[test]
    fn is_exact_for_all_numbers_that_are_counted() {
        for error in errors(&changed(false)) {
            assert!(error.abs() < 1e-3, "{error}");
        }
    }

    #[test]
    fn is_near_for_those_of_attacks_on_a_king() {
        assert!(errors(&Weights::own().numbers()).iter().all(|error| error.abs() < 1e-9));
        let moved = {
            let (own, other) = (Weights::own(), Weights::of_numbers(&changed(true)));
            let moved =
                |e: &Example| exact_value(&e.position, &other) - exact_value(&e.position, &own);
            examples().iter().map(|e| moved(e).abs()).sum::<f64>()
        };
        let missed: f64 = errors(&changed(true)).iter().map(|error| error.abs()).sum();
        assert!(missed < moved / 2.0, "{missed} of {moved}");
    }

    #[test]
    fn sums_do_not_depend_on_the_threads() {
        let linear = Linear::near(&Weights::own(), &examples(), 1);
        let sums = |threads| linear.sums(threads, |i, sum| linear.add_slopes(i, 0.1, sum));
        assert_eq!(sums(1), sums(3));
    }
}
