//! Figures that others published. The report shows them beside those of an experiment.

use serde::{Deserialize, Serialize};

/// The table `[published]` of an experiment. No measurement depends on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The source, as the report names it.
    pub source: String,
    /// One row for each competitor and number of threads.
    pub rows: Vec<PublishedRow>,
}

/// The published figures of one competitor at one number of threads, over positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    /// The competitor that they stand beside, by name.
    pub searcher: String,
    /// The number of workers.
    pub threads: usize,
    /// The distribution of the speedup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speedup: Option<Quantiles>,
    /// The distribution of the deviation of a position's times from their median, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation_s: Option<Quantiles>,
}

/// A distribution over positions: its median, or all five of its minimum, quartiles and maximum. It
/// is written as an array of one or of five numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f64>", into = "Vec<f64>")]
pub enum Quantiles {
    /// The median alone.
    Median(f64),
    /// Minimum, lower quartile, median, upper quartile, maximum: ascending.
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
                "{numbers:?} found, one number or five ascending ones expected, none below 0: the \
                 median alone, or least, lower quartile, median, upper quartile and greatest"
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
    /// The published figures of a competitor at a number of threads.
    pub fn row(&self, searcher: &str, threads: usize) -> Option<&PublishedRow> {
        self.rows.iter().find(|row| row.searcher == searcher && row.threads == threads)
    }
}
