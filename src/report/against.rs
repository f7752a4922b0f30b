//! Figures of studies and of other engines, to stand beside ours: `experiments/published.toml`.

use serde::Deserialize;
use toml::Spanned;
use ttd_search::value::nearest;

/// The file, as a part of the program.
const PUBLISHED: &str = include_str!("../../experiments/published.toml");

/// A source of figures.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Study {
    /// The name by which it is chosen.
    pub(crate) key: String,
    /// Title, author and year, as printed; the year may be missing.
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) year: String,
    /// Where it was read.
    pub(crate) text: String,
}

/// A published figure.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figure {
    /// The key of its source.
    pub(crate) study: String,
    /// Ours that does the same.
    pub(crate) searcher: String,
    /// The number of workers; 0 if it is of none or of several.
    pub(crate) threads: usize,
    /// The quantity, its statistic over positions or games, and its unit.
    pub(crate) metric: String,
    pub(crate) statistic: String,
    pub(crate) value: Spanned<f64>,
    pub(crate) unit: String,
    /// The positions and the machine that it was measured on, and its place in the source.
    pub(crate) on: String,
    #[serde(rename = "where")]
    pub(crate) place: String,
    /// The difference from others of the source: figures of two versions are two experiments.
    #[serde(default)]
    pub(crate) version: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    metrics: Vec<String>,
    study: Vec<Study>,
    figure: Vec<Figure>,
}

impl Figure {
    /// The value with the digits that the study printed.
    pub(crate) fn printed(&self) -> &'static str {
        &PUBLISHED[self.value.span()]
    }
}

/// The chosen studies, and all their figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Against {
    pub(crate) studies: Vec<Study>,
    pub(crate) figures: Vec<Figure>,
}

impl Against {
    /// The studies of these keys.
    ///
    /// # Errors
    /// If a key is that of no study.
    pub(crate) fn of(keys: &[String]) -> Result<Against, String> {
        if keys.is_empty() {
            return Ok(Against::default());
        }
        // A test reads the file; it is a part of the program.
        let file: File = toml::from_str(PUBLISHED).expect("the file is in its form");
        debug_assert!(file.figure.iter().all(|figure| file.metrics.contains(&figure.metric)));
        let known = || file.study.iter().map(|study| study.key.as_str());
        if let Some(wrong) = keys.iter().find(|key| !known().any(|known| known == *key)) {
            let near = nearest(wrong, known());
            let near = near.map(|near| format!(": did you mean {near}?")).unwrap_or_default();
            let known = known().collect::<Vec<_>>().join(", ");
            return Err(format!("--against: `{wrong}` found, one of {known} expected{near}"));
        }
        let is_chosen = |key: &String| keys.contains(key);
        let studies = file.study.into_iter().filter(|study| is_chosen(&study.key)).collect();
        let figures = file.figure.into_iter().filter(|figure| is_chosen(&figure.study)).collect();
        Ok(Against { studies, figures })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn the_file_is_in_its_form() {
        let file: File = toml::from_str(PUBLISHED).expect("it is");
        for figure in &file.figure {
            assert!(file.metrics.contains(&figure.metric), "{figure:?}");
            assert!(file.study.iter().any(|study| study.key == figure.study), "{figure:?}");
            let is_outside = figure.searcher == "outside";
            let searcher = figure.searcher.parse::<ttd_search::searchers::Searcher>();
            assert!(is_outside || searcher.is_ok(), "{figure:?}");
            assert!(figure.value.as_ref().is_finite() && !figure.place.is_empty(), "{figure:?}");
        }
        let mut keys: Vec<&str> = file.study.iter().map(|study| study.key.as_str()).collect();
        keys.sort_unstable();
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "{keys:?}");
    }

    #[test]
    fn studies_are_chosen_by_name() {
        assert_eq!(Against::of(&[]), Ok(Against::default()));
        let two = Against::of(&keys(&["thesis", "dts"])).expect("both are there");
        assert_eq!(two.studies.len(), 2);
        assert!(two.figures.iter().any(|figure| figure.study == "dts"));
        let error = Against::of(&keys(&["thesis", "zugzwan"])).expect_err("misspelt");
        assert!(error.starts_with("--against: `zugzwan` found, one of thesis, "), "{error}");
        assert!(error.ends_with(": did you mean zugzwang?"), "{error}");
    }
}
