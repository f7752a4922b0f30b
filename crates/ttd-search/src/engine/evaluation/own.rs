//! Where the terms of the evaluation take their weights from.
//!
//! They are generic over that ([`Source`]). In a search it is the program's table, which is known when compiling: the
//! weights are constants in its code. The tuner gives others.

use super::table::WEIGHTS;
use super::taper::Taper;
use super::weights::{Slot, Weights};
use std::ops::Deref;

/// Where an evaluation takes its weights from.
pub(super) trait Source: Copy + Deref<Target = Weights> {}

impl<T: Copy + Deref<Target = Weights>> Source for T {}

/// The weights of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own;

impl Deref for Own {
    type Target = Weights;

    // So that the weights are constants.
    #[inline(always)]
    fn deref(&self) -> &Weights {
        &WEIGHTS
    }
}

impl Weights {
    /// The weights of the program.
    pub fn own() -> Weights {
        WEIGHTS.clone()
    }

    /// The table with these numbers, in the order of [`Weights::numbers`].
    ///
    /// # Panics
    /// If there are not as many as in the table.
    pub fn of_numbers(numbers: &[i32]) -> Weights {
        let mut weights = Weights::own();
        let mut left = numbers.iter().copied();
        let mut next = || left.next().expect("as many numbers as in the table");
        for (_, slot) in weights.slots() {
            match slot {
                Slot::Tapers(tapers) => tapers.fill_with(|| Taper::new(next(), next())),
                Slot::Numbers(own) => own.fill_with(&mut next),
            }
        }
        assert!(left.next().is_none(), "as many numbers as in the table");
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_its_numbers() {
        let numbers = Weights::own().numbers();
        assert_eq!(Weights::of_numbers(&numbers), Weights::own());
        let others: Vec<i32> = (0..numbers.len() as i32).map(|n| 7 * n % 201 - 100).collect();
        assert_eq!(Weights::of_numbers(&others).numbers(), others);
    }
}
