//! Figures that somebody else published, to stand beside those of an experiment in its report.

use serde::{Deserialize, Serialize};

/// The table `[published]` of an experiment. Nothing that is measured depends on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Who published them, as the report names it.
    pub source: String,
    /// One for each searcher and number of threads.
    pub rows: Vec<PublishedRow>,
}

/// What was published of one searcher at one number of threads, over positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    /// The contender that they stand beside, by name.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// Of the speedup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speedup: Option<Quantiles>,
    /// Of the deviation of a position's times from their median, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation_s: Option<Quantiles>,
}

/// What is known of a distribution over positions: its median, or its least, quartiles and greatest. Written as an array of one or
/// of five numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f64>", into = "Vec<f64>")]
pub enum Quantiles {
    /// The median alone.
    Median(f64),
    /// Least, lower quartile, median, upper quartile, greatest: ascending.
    Five([f64; 5]),
}

impl Quantiles {
    /// The median.
    pub fn median(self) -> f64 {
        match self {
            Quantiles::Median(median) => median,
            Quantiles::Five(five) => five[2],
        }
    }

    /// All five, if they are known.
    pub fn five(self) -> Option<[f64; 5]> {
        match self {
            Quantiles::Median(_) => None,
            Quantiles::Five(five) => Some(five),
        }
    }
}

impl TryFrom<Vec<f64>> for Quantiles {
    type Error = String;

    fn try_from(numbers: Vec<f64>) -> Result<Quantiles, String> {
        let possible = numbers.iter().all(|x| x.is_finite() && *x >= 0.0);
        match *numbers.as_slice() {
            [median] if possible => Ok(Quantiles::Median(median)),
            [min, q1, median, q3, max] if possible && numbers.is_sorted() => {
                Ok(Quantiles::Five([min, q1, median, q3, max]))
            }
            _ => Err(format!(
                "{numbers:?} found, the median alone, or least, lower quartile, median, upper quartile and \
                 greatest expected: one number or five ascending ones, none below 0"
            )),
        }
    }
}

impl From<Quantiles> for Vec<f64> {
    fn from(quantiles: Quantiles) -> Vec<f64> {
        match quantiles {
            Quantiles::Median(median) => vec![median],
            Quantiles::Five(five) => five.to_vec(),
        }
    }
}

impl Published {
    /// What was published of a searcher at a number of threads.
    pub fn row(&self, searcher: &str, threads: usize) -> Option<&PublishedRow> {
        self.rows.iter().find(|row| row.searcher == searcher && row.threads == threads)
    }
}
