//! A shard: a part of a plan that a machine of its own measures.

use super::refusal::Refusal;
use super::sources::{Said, Sources};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A part of a plan. `3/16` is the third of 16 parts. The parts have no sample in common, and
/// together they are the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// The number of parts.
    pub of: usize,
    /// Which of them this is, from 1.
    pub number: usize,
}

impl Shard {
    /// The most parts.
    pub const MOST: usize = 100_000;

    /// Whether a thing with this index, from 0, is in this part. Neighbours are in different parts,
    /// so that the parts are equally long.
    pub const fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }

    /// All parts.
    pub fn all(of: usize) -> impl Iterator<Item = Shard> {
        (1..=of).map(move |number| Shard { of, number })
    }

    /// The time of the longest of all parts; none if that of any is unknown.
    pub fn longest(of: usize, time: impl FnMut(Shard) -> Option<Duration>) -> Option<Duration> {
        Shard::all(of).map(time).try_fold(Duration::ZERO, |longest, time| Some(longest.max(time?)))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            Some((number.trim().parse::<usize>().ok()?, of.trim().parse::<usize>().ok()?))
        });
        match parts {
            Some((number, of)) if (1..=Shard::MOST).contains(&of) && (1..=of).contains(&number) => {
                Ok(Shard { of, number })
            }
            _ => Err(format!(
                "`{text}` found, K/N expected: part K of N, from 1/N to N/N, as in 3/16"
            )),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl<D: Said> Sources<'_, D> {
    /// Reads a shard.
    ///
    /// # Errors
    /// If it is none.
    pub fn shard(&self, said: Option<&String>) -> Result<Option<Shard>, Refusal> {
        said.map(|text| text.parse().map_err(|what: String| self.error(&["shard"], what)))
            .transpose()
    }

    /// Refuses a shard of more parts than there are things to divide.
    ///
    /// # Errors
    /// If there are more parts.
    pub fn check_shard(
        &self,
        shard: Option<Shard>,
        (things, noun): (usize, &str),
    ) -> Result<(), Refusal> {
        match shard.filter(|shard| shard.of > things) {
            None => Ok(()),
            Some(shard) => {
                let of = shard.of;
                Err(self
                    .error(&["shard"], format!("{of} parts found, 1 to {things} expected: {noun}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_are_written() {
        for text in ["1/1", "3/16", "16/16"] {
            assert_eq!(text.parse::<Shard>().expect("a shard").to_string(), text);
        }
        for text in ["0/4", "5/4", "1/0", "4", "", "a/b", "1/2/3", "-1/4", "1/100001"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_thing_is_in_one_part() {
        for index in 0..50 {
            assert_eq!(Shard::all(7).filter(|shard| shard.has(index)).count(), 1);
        }
        let sizes = Shard::all(7).map(|shard| (0..50).filter(|&at| shard.has(at)).count());
        assert_eq!(sizes.collect::<Vec<_>>(), [8, 7, 7, 7, 7, 7, 7]);
        let time =
            |shard: Shard| (shard.number < 4).then_some(Duration::from_secs(1 << shard.number));
        assert_eq!(Shard::longest(3, time), Some(Duration::from_secs(8)));
        assert_eq!(Shard::longest(4, time), None);
    }
}
