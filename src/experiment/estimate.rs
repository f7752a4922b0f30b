//! How long the rest of an experiment takes, as far as the samples so far tell.

use super::plan::{Cell, Planned};
use crate::cores::Time;
use std::collections::HashMap;

/// The times of the samples so far.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    cells: HashMap<Cell, Vec<Time>>,
}

impl Estimate {
    /// Takes note of the time that a sample of this cell took.
    pub fn add(&mut self, cell: Cell, time: Time) {
        let times = self.cells.entry(cell).or_default();
        let place = times.partition_point(|&t| t <= time);
        times.insert(place, time);
    }

    /// What the samples still to be taken will take together: for each the median of its own
    /// cell, or else that of the position with the number of workers nearest to its own, or else
    /// the mean of all medians. `None` while nothing is known.
    pub fn of<'a>(&self, rest: impl IntoIterator<Item = &'a Planned>) -> Option<Time> {
        let medians: HashMap<Cell, f64> =
            self.cells.iter().map(|(&cell, times)| (cell, median(times))).collect();
        let mean = medians.values().sum::<f64>() / medians.len() as f64;
        if medians.is_empty() {
            return None;
        }
        let mut guesses: HashMap<Cell, f64> = HashMap::new();
        let seconds = rest
            .into_iter()
            .map(|planned| {
                *guesses
                    .entry(planned.cell)
                    .or_insert_with(|| guess(&medians, planned.cell).unwrap_or(mean))
            })
            .sum();
        Some(Time::from_secs_f64(seconds))
    }
}

fn guess(medians: &HashMap<Cell, f64>, cell: Cell) -> Option<f64> {
    if let Some(&own) = medians.get(&cell) {
        return Some(own);
    }
    // Ties are broken by the cell's order, for the same guess every time.
    let distance = |other: &Cell| (other.threads.abs_diff(cell.threads), *other);
    medians
        .iter()
        .filter(|(other, _)| other.position == cell.position)
        .min_by_key(|(other, _)| distance(other))
        .map(|(_, &median)| median)
}

fn median(sorted: &[Time]) -> f64 {
    let middle = |i: usize| sorted[i].as_secs_f64();
    f64::midpoint(middle((sorted.len() - 1) / 2), middle(sorted.len() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searchers::Searcher;

    fn planned(threads: usize, position: usize) -> Planned {
        let cell = Cell { searcher: Searcher::Ybwc, threads, position };
        Planned { round: 1, order: 0, cell, seed: 0, noise: 0 }
    }

    #[test]
    fn takes_medians_of_the_cell_then_of_the_position_then_the_mean() {
        let mut estimate = Estimate::default();
        assert_eq!(estimate.of(&[planned(1, 0)]), None);
        for seconds in [9.0, 2.0, 3.0] {
            estimate.add(planned(1, 0).cell, Time::from_secs_f64(seconds));
        }
        estimate.add(planned(4, 0).cell, Time::from_secs_f64(1.0));
        let of = |p| estimate.of(&[p]).map(Time::as_secs_f64);
        assert_eq!(of(planned(1, 0)), Some(3.0));
        assert_eq!(of(planned(8, 0)), Some(1.0));
        assert_eq!(of(planned(1, 1)), Some(2.0));
        let all = [planned(1, 0), planned(1, 0), planned(4, 0)];
        assert_eq!(estimate.of(&all).map(Time::as_secs_f64), Some(7.0));
    }
}
