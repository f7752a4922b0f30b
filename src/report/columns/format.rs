//! Units and digits: how people read a figure.

use super::value::Value;
use crate::report::numbers::{
    bounds, fixed, known, p_value, percent, percents, ratio, seconds, significant,
};

/// The unit and the digits of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Not a figure: a name or a word.
    Words,
    /// Not a figure: `yes` or `no`, or blank. It is true or false in JSON.
    Flag,
    /// A count, without decimals.
    Whole,
    /// A number with one decimal.
    One,
    /// A ratio: two decimals.
    Ratio,
    /// A number with three decimals.
    Three,
    /// A number with four decimals.
    Four,
    /// A number with six decimals.
    Six,
    /// Three significant digits.
    Significant,
    /// Seconds, three significant digits.
    Seconds,
    /// A share in percent.
    Percent,
    /// A share in percent with one decimal.
    Tenths,
    /// A probability, as tests give it.
    Probability,
}

impl Format {
    /// A number as people read it.
    pub(crate) fn number(self, value: f64) -> String {
        match self {
            Format::Words | Format::Flag | Format::Whole => fixed(value, 0),
            Format::One => fixed(value, 1),
            Format::Ratio => ratio(value),
            Format::Three | Format::Probability => fixed(value, 3),
            Format::Four => fixed(value, 4),
            Format::Six => fixed(value, 6),
            Format::Significant => significant(value),
            Format::Seconds => seconds(value),
            Format::Percent => percent(value),
            Format::Tenths => percents(value),
        }
    }

    /// A value as a table shows it.
    pub(crate) fn text(self, value: &Value) -> String {
        match value {
            Value::Words(words) => words.clone(),
            Value::Number(value, _) => known(*value, |value| self.number(value)),
            Value::Figure(Some(p), _) if self == Format::Probability => p_value(*p),
            Value::Figure(value, _) => bounds(*value, |value| self.number(value)),
        }
    }
}
