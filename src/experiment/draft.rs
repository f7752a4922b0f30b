//! What a user says of an experiment, in a TOML file or in options: any part of it, unchecked.

use super::published::Published;
use super::resolve::SpecError;
use super::toml_place;
use super::variant::VariantDraft;
use crate::uci::EngineSpec;
use serde::de::{self, DeserializeOwned, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use ttd_search::searchers::Settings;
use ttd_search::value::Table;

/// The parts of an experiment that a user names. Numbers are as wide as TOML's, so that an
/// impossible one is refused with a reason and not with the name of a type.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the field of the same name of `Experiment`")]
pub struct Draft {
    pub name: Option<String>,
    pub positions: Option<String>,
    pub only: Option<Vec<String>>,
    pub searchers: Option<Vec<String>>,
    pub threads: Option<NumberList>,
    pub depth: Option<i64>,
    pub runs: Option<i64>,
    pub until: Option<f64>,
    pub hash_mib: Option<i64>,
    pub time_limit_s: Option<f64>,
    pub host_limit_s: Option<f64>,
    pub cores: Option<String>,
    pub seed: Option<i64>,
    pub base: Option<String>,
    pub reference: Option<String>,
    pub pin: Option<NumberList>,
    pub detail: Option<bool>,
    pub engine: Option<Table>,
    pub searcher: Option<Settings>,
    #[serde(rename = "virtual")]
    pub costs: Option<Table>,
    pub published: Option<Published>,
    pub variants: Option<Vec<VariantDraft>>,
    pub engines: Option<Vec<EngineSpec>>,
}

impl Draft {
    /// What this says, and where it says nothing what `other` says.
    #[must_use]
    pub fn over(self, other: Draft) -> Draft {
        Draft {
            name: self.name.or(other.name),
            positions: self.positions.or(other.positions),
            only: self.only.or(other.only),
            searchers: self.searchers.or(other.searchers),
            threads: self.threads.or(other.threads),
            depth: self.depth.or(other.depth),
            runs: self.runs.or(other.runs),
            until: self.until.or(other.until),
            hash_mib: self.hash_mib.or(other.hash_mib),
            time_limit_s: self.time_limit_s.or(other.time_limit_s),
            host_limit_s: self.host_limit_s.or(other.host_limit_s),
            cores: self.cores.or(other.cores),
            seed: self.seed.or(other.seed),
            base: self.base.or(other.base),
            reference: self.reference.or(other.reference),
            pin: self.pin.or(other.pin),
            detail: self.detail.or(other.detail),
            engine: self.engine.or(other.engine),
            searcher: self.searcher.or(other.searcher),
            costs: self.costs.or(other.costs),
            published: self.published.or(other.published),
            variants: self.variants.or(other.variants),
            engines: self.engines.or(other.engines),
        }
    }
}

/// Numbers of threads, of processors, or depths: ascending, each once. As text `1,2,4`, `1-16` (or `1..16`) or `1-4,8`; in TOML such a
/// text or an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct NumberList(pub Vec<i64>);

/// More in one list is a typing error.
const MOST_IN_A_LIST: i64 = 10_000;

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
        let expected =
            || format!("`{text}` found, a list such as 1,2,4 or a range such as 1-16 expected");
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
        Ok(NumberList::new(list))
    }
}

impl fmt::Display for NumberList {
    /// As short as it goes: `1-16`, `1,2,4`.
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
        struct TextOrArray;
        impl<'de> Visitor<'de> for TextOrArray {
            type Value = NumberList;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of whole numbers such as [1, 2, 4], or \"1-16\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<NumberList, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<NumberList, A::Error> {
                let mut list = Vec::new();
                while let Some(n) = array.next_element()? {
                    list.push(n);
                }
                Ok(NumberList::new(list))
            }
        }
        deserializer.deserialize_any(TextOrArray)
    }
}

/// A draft read from a file, and where in the file its keys stand.
#[derive(Clone, Debug)]
pub struct DraftFile<D = Draft> {
    /// The file.
    pub path: PathBuf,
    /// What it says.
    pub draft: D,
    text: String,
}

impl<D: DeserializeOwned> DraftFile<D> {
    /// Reads an experiment file, or another that holds such a draft.
    ///
    /// # Errors
    /// If it cannot be read, is not TOML, or has an unknown key or a value of the wrong type.
    pub fn read(path: &Path) -> Result<DraftFile<D>, SpecError> {
        let text = ttd_search::positions::read_text(path)
            .map_err(|e| SpecError::new(path.display().to_string(), e.to_string()))?;
        DraftFile::parse(path, text)
    }

    /// The same of a text that was read already; `path` is what errors call it, and where its relative paths begin.
    ///
    /// # Errors
    /// As [`DraftFile::read`].
    pub fn parse(path: &Path, text: String) -> Result<DraftFile<D>, SpecError> {
        match toml::from_str(&text) {
            Ok(draft) => Ok(DraftFile { path: path.to_owned(), draft, text }),
            Err(error) => Err(toml_place::refusal(path, &text, &error)),
        }
    }

    /// `FILE:LINE: KEY` of a key, given with the tables it is in (of an array of tables, by their numbers from 0);
    /// without a line if the file does
    /// not have it.
    pub fn place(&self, keys: &[&str]) -> String {
        toml_place::place_of(&self.path, &self.text, keys)
    }

    /// The key below the table `section` that `message` names first between backticks, with the tables it is
    /// in; none if it names none.
    pub fn named_below(&self, section: &[&str], message: &str) -> Option<Vec<String>> {
        toml_place::named_below(&self.text, section, message)
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
