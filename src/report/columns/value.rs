//! The value that a row has in a column.

use crate::report::figures::{Estimate, Intervals};
use ttd_stats::Bounds;

/// The value that a row has in a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A name or a word.
    Words(String),
    /// A number, if it is known, with its intervals. If it has only one interval, that stands in
    /// the place of the interval over runs.
    Number(Option<f64>, Intervals),
    /// A figure that censored samples may leave open between two ends, with its intervals as above.
    Figure(Option<Bounds>, Intervals),
}

impl Value {
    /// The intervals of the figure, over runs and over positions.
    pub(crate) fn over(&self) -> Intervals {
        match self {
            Value::Words(_) => Intervals::default(),
            Value::Number(_, over) | Value::Figure(_, over) => *over,
        }
    }

    /// A value with these intervals: over runs, and over positions.
    pub(crate) fn with(value: impl Into<Value>, over: Intervals) -> Value {
        match value.into() {
            Value::Number(value, _) => Value::Number(value, over),
            Value::Figure(value, _) => Value::Figure(value, over),
            words @ Value::Words(_) => words,
        }
    }

    /// A value with an interval over runs, or with the only interval that it has.
    pub(crate) fn runs(value: impl Into<Value>, runs: Option<Bounds>) -> Value {
        Value::with(value, Intervals { runs, positions: None })
    }

    /// A value with an interval over positions.
    pub(crate) fn positions(value: impl Into<Value>, over: Option<Bounds>) -> Value {
        Value::with(value, Intervals { runs: None, positions: over })
    }
}

impl From<&str> for Value {
    fn from(words: &str) -> Value {
        Value::Words(words.to_owned())
    }
}

impl From<String> for Value {
    fn from(words: String) -> Value {
        Value::Words(words)
    }
}

impl From<bool> for Value {
    fn from(is: bool) -> Value {
        Value::from(if is { "yes" } else { "no" })
    }
}

impl From<Option<Bounds>> for Value {
    fn from(value: Option<Bounds>) -> Value {
        Value::Figure(value, Intervals::default())
    }
}

impl From<Option<f64>> for Value {
    fn from(value: Option<f64>) -> Value {
        Value::Number(value.filter(|value| !value.is_nan()), Intervals::default())
    }
}

macro_rules! from_counts {
    ($($of:ty),*) => {
        $(impl From<Option<$of>> for Value {
            fn from(count: Option<$of>) -> Value {
                Value::from(count.map(|count| count as f64))
            }
        })*
    };
}

from_counts!(u8, u32, u64, usize);

macro_rules! from_known {
    ($($of:ty),*) => {
        $(impl From<$of> for Value {
            fn from(known: $of) -> Value {
                Value::from(Some(known))
            }
        })*
    };
}

from_known!(u8, u32, u64, usize, f64, Bounds, Estimate);

impl From<Option<Estimate>> for Value {
    fn from(estimate: Option<Estimate>) -> Value {
        let over = estimate.map(|e| Intervals { runs: e.ci_runs, positions: e.ci_positions });
        Value::Figure(estimate.map(|e| e.value), over.unwrap_or_default())
    }
}
