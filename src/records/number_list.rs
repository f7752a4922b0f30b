//! Lists and ranges of whole numbers, lists of processors, and a number with its noun.

use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Numbers of threads, of processors, or depths: ascending, each once. The text is `1,2,4`, `1-16`
/// (or `1..16`) or `1-4,8`; in TOML it is such a text or an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct NumberList(pub Vec<i64>);

/// The most numbers of a list; a longer one is a typing error.
const MOST_IN_A_LIST: i64 = 10_000;

/// A number with its noun: `1 position`, `2 positions`.
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

impl NumberList {
    fn new(mut list: Vec<i64>) -> NumberList {
        list.sort_unstable();
        list.dedup();
        NumberList(list)
    }
}

impl FromStr for NumberList {
    type Err = String;

    fn from_str(text: &str) -> Result<NumberList, String> {
        let expected = "a list such as 1,2,4 or a range such as 1-16";
        Ok(NumberList::new(in_order_of_text(text, expected)?))
    }
}

/// The numbers of a list, as the text has them.
fn in_order_of_text(text: &str, expected: &str) -> Result<Vec<i64>, String> {
    let expected = || format!("`{text}` found, {expected} expected");
    let number = |word: &str| word.trim().parse::<i64>().map_err(|_| expected());
    let mut list = Vec::new();
    for word in text.split(',') {
        match word.split_once("..").or_else(|| word.split_once('-')) {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                let more = last.checked_sub(first);
                if first > last || more.is_none_or(|more| more > MOST_IN_A_LIST) {
                    return Err(expected());
                }
                list.extend(first..=last);
            }
            None => list.push(number(word)?),
        }
    }
    Ok(list)
}

impl fmt::Display for NumberList {
    /// The shortest text: `1-16`, or `1,2,4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [first, .., last]
                if self.0.len() > 2
                    && last.checked_sub(*first) == Some(self.0.len() as i64 - 1) =>
            {
                write!(f, "{first}-{last}")
            }
            list => f.write_str(&list.iter().map(i64::to_string).collect::<Vec<_>>().join(",")),
        }
    }
}

impl<'de> Deserialize<'de> for NumberList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NumberList, D::Error> {
        let expected = "an array of whole numbers such as [1, 2, 4], or \"1-16\"";
        deserializer.deserialize_any(TextOrArray { expected, of_array: NumberList::new })
    }
}

/// The word for [`Pin::ByCore`].
const BY_CORE: &str = "cores";

/// The processors that workers are bound to, one each, in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pin {
    /// These, in this order, each once.
    Processors(Vec<i64>),
    /// All that the process may use, one of each core first: the word `cores`.
    ByCore,
}

impl Pin {
    fn processors(mut list: Vec<i64>) -> Pin {
        let mut seen = BTreeSet::new();
        list.retain(|number| seen.insert(*number));
        Pin::Processors(list)
    }
}

impl FromStr for Pin {
    type Err = String;

    fn from_str(text: &str) -> Result<Pin, String> {
        if text.trim() == BY_CORE {
            return Ok(Pin::ByCore);
        }
        let expected = "a list such as 0,2, a range such as 0-3, or the word cores";
        Ok(Pin::processors(in_order_of_text(text, expected)?))
    }
}

impl Serialize for Pin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Pin::Processors(list) => list.serialize(serializer),
            Pin::ByCore => BY_CORE.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Pin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pin, D::Error> {
        let expected = "an array of processors such as [0, 2], \"0-3\", or \"cores\"";
        deserializer.deserialize_any(TextOrArray { expected, of_array: Pin::processors })
    }
}

/// Reads a text, or an array of whole numbers.
struct TextOrArray<T> {
    expected: &'static str,
    of_array: fn(Vec<i64>) -> T,
}

impl<'de, T: FromStr<Err = String>> Visitor<'de> for TextOrArray<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<T, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(array)).map(self.of_array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_numbers_may_not_be_longer_than_numbers_are() {
        let (least, most) = (i64::MIN, i64::MAX);
        for text in [format!("{least}..{most}"), format!("{least}..1"), format!("1-{most}")] {
            let refused = text.parse::<NumberList>().expect_err("too many");
            assert!(refused.starts_with(&format!("`{text}` found, a list such as")), "{refused}");
        }
        assert_eq!("3..5,9".parse(), Ok(NumberList(vec![3, 4, 5, 9])));
    }

    #[test]
    fn processors_stay_in_their_order_and_come_once() {
        let list = |text: &str| text.parse::<Pin>();
        assert_eq!(list("3,0-2,1"), Ok(Pin::Processors(vec![3, 0, 1, 2])));
        assert_eq!(list("cores"), Ok(Pin::ByCore));
        assert_eq!(
            list("core"),
            Err(
                "`core` found, a list such as 0,2, a range such as 0-3, or the word cores expected"
                    .to_owned()
            )
        );
        assert_eq!(toml::Value::try_from(Pin::ByCore), Ok("cores".into()));
    }

    #[test]
    fn lists_are_written_as_short_as_it_goes() {
        for (list, text) in [
            (vec![1, 2, 3], "1-3"),
            (vec![1, 2], "1,2"),
            (vec![1, 2, 4], "1,2,4"),
            (vec![i64::MIN, 0, i64::MAX], "-9223372036854775808,0,9223372036854775807"),
        ] {
            assert_eq!(NumberList(list).to_string(), text);
        }
    }
}
