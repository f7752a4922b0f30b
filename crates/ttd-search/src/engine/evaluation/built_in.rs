//! The sources of the weights of the evaluation.
//!
//! Each term is generic over its source ([`Source`]). A search takes the program's table, known
//! when compiling: its weights are constants in the code. The tuner gives other weights.

use super::table::WEIGHTS;
use super::{Slot, Taper, Weights};
use std::ops::Deref;

/// A source of weights for an evaluation.
pub(super) trait Source: Copy + Deref<Target = Weights> {}

impl<T: Copy + Deref<Target = Weights>> Source for T {}

/// The weights of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuiltIn;

impl Deref for BuiltIn {
    type Target = Weights;

    // Inlined, so that the weights become constants.
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
