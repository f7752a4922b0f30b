//! An estimate of the time for the rest of an experiment, from the samples so far.

use super::plan::{Cell, Planned};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use ttd_search::cores::Time;

/// The times of the samples so far, and the expected times.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    cells: HashMap<Cell, Vec<Time>>,
    expected: HashMap<Cell, f64>,
}

impl Estimate {
    /// Adds the time of a sample of this cell.
    pub fn add(&mut self, cell: Cell, time: Time) {
        let times = self.cells.entry(cell).or_default();
        let place = times.partition_point(|&t| t <= time);
        times.insert(place, time);
    }

    /// Sets the expected time of a sample of this cell, before any is taken.
    pub fn expect(&mut self, cell: Cell, time: Time) {
        self.expected.insert(cell, time.as_secs_f64());
    }

    /// Whether there are only expected times so far.
    pub fn is_guess(&self) -> bool {
        self.cells.is_empty()
    }

    /// The total time of the remaining samples; `None` while nothing is known of some competitor.
    ///
    /// A sample counts with the first of these times that is known:
    /// 1. the median of its own cell;
    /// 2. the expected time of its cell, times measured / expected so far (`came_true`);
    /// 3. the median of its competitor and position at the number of workers nearest to its own;
    /// 4. the mean of all medians of its competitor.
    pub fn of<'a>(&self, rest: impl IntoIterator<Item = &'a Planned>) -> Option<Time> {
        let medians: HashMap<Cell, f64> =
            self.cells.iter().map(|(&cell, times)| (cell, median(times))).collect();
        let came_true = self.came_true(&medians);
        let mut guesses: HashMap<Cell, f64> = HashMap::new();
        let mut seconds = 0.0;
        for planned in rest {
            let cell = planned.cell;
            seconds += match guesses.entry(cell) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(place) => {
                    let expected = || self.expected.get(&cell).map(|time| time * came_true);
                    let own = medians.get(&cell).copied().or_else(expected);
                    *place.insert(own.or_else(|| guess(&medians, cell))?)
                }
            };
        }
        Some(Time::from_secs_f64(seconds))
    }

    /// The measured times divided by the expected times, over the cells that have both. A tenth of
    /// all that is expected counts as come true beforehand, so that the first sample alone says
    /// little.
    fn came_true(&self, medians: &HashMap<Cell, f64>) -> f64 {
        // Cells are summed in their order, so that rounding is equal every time.
        let mut both: Vec<(Cell, f64, f64)> = medians
            .iter()
            .filter_map(|(cell, median)| Some((*cell, *median, *self.expected.get(cell)?)))
            .collect();
        both.sort_unstable_by_key(|(cell, _, _)| *cell);
        let taken: f64 = both.iter().map(|(_, median, _)| median).sum();
        let expected: f64 = both.iter().map(|(_, _, expected)| expected).sum();
        // In their order too.
        let mut all: Vec<(&Cell, &f64)> = self.expected.iter().collect();
        all.sort_unstable_by_key(|(cell, _)| **cell);
        let before = BEFOREHAND * all.iter().map(|(_, time)| **time).sum::<f64>();
        if expected > 0.0 { (taken + before) / (expected + before) } else { 1.0 }
    }
}

/// The share of all expected times that counts as come true before anything is measured.
const BEFOREHAND: f64 = 0.1;

/// The time of a cell by others of its competitor; none if none was measured.
fn guess(medians: &HashMap<Cell, f64>, cell: Cell) -> Option<f64> {
    // All is in the order of the cells, so that the guess is equal every time.
    let mut own: Vec<(&Cell, &f64)> =
        medians.iter().filter(|(other, _)| other.competitor == cell.competitor).collect();
    own.sort_unstable_by_key(|(other, _)| **other);
    let distance = |other: &Cell| (other.threads.abs_diff(cell.threads), *other);
    let here = own.iter().filter(|(other, _)| other.position == cell.position);
    let nearest = here.min_by_key(|(other, _)| distance(other)).map(|(_, median)| **median);
    let sum: f64 = own.iter().map(|(_, median)| **median).sum();
    nearest.or_else(|| (!own.is_empty()).then(|| sum / own.len() as f64))
}

fn median(sorted: &[Time]) -> f64 {
    let middle = |i: usize| sorted[i].as_secs_f64();
    f64::midpoint(middle((sorted.len() - 1) / 2), middle(sorted.len() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Competitor;
    use ttd_search::searchers::Searcher;

    fn planned(threads: usize, position: usize) -> Planned {
        let competitor = Competitor::Searcher(Searcher::named("ybwc"));
        let cell = Cell { competitor, threads, position };
        Planned { round: 1, order: 0, cell, seed: 0, noise: 0, table_keys: 0 }
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

    #[test]
    fn expectations_are_corrected_by_what_came_true() {
        let mut estimate = Estimate::default();
        for (position, seconds) in [(0, 1.0), (1, 4.0)] {
            estimate.expect(planned(2, position).cell, Time::from_secs_f64(seconds));
        }
        let of = |estimate: &Estimate, p| estimate.of(&[p]).map(Time::as_secs_f64);
        assert_eq!(of(&estimate, planned(2, 1)), Some(4.0));
        assert!(estimate.is_guess());
        estimate.add(planned(2, 0).cell, Time::from_secs_f64(3.0));
        assert_eq!(of(&estimate, planned(2, 0)), Some(3.0));
        // (3 + 0.5) / (1 + 0.5) times the expectation: half a second counts beforehand.
        let longer = of(&estimate, planned(2, 1)).expect("known");
        assert!((longer - 4.0 * 3.5 / 1.5).abs() < 1e-6, "{longer}");
    }

    #[test]
    fn nothing_is_guessed_of_a_competitor_that_nothing_is_known_of() {
        let outside = |position| {
            let cell = Cell { competitor: Competitor::Engine(0), threads: 1, position };
            Planned { cell, ..planned(1, position) }
        };
        let mut estimate = Estimate::default();
        estimate.expect(planned(1, 0).cell, Time::from_secs_f64(1.0));
        assert!(estimate.of(&[planned(1, 0)]).is_some());
        assert_eq!(estimate.of(&[planned(1, 0), outside(0)]), None, "an engine may take any time");
        estimate.add(planned(1, 0).cell, Time::from_secs_f64(1.0));
        assert_eq!(estimate.of(&[outside(0)]), None);
        estimate.add(outside(1).cell, Time::from_secs_f64(7.0));
        let of_engine = estimate.of(&[outside(0)]).map(Time::as_secs_f64);
        assert_eq!(of_engine, Some(7.0), "by its own other position");
    }
}
