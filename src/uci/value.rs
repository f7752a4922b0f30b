//! The value of an option of an outside engine.

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A whole number.
    Number(i64),
    /// Any other text, a decimal number among them.
    Text(String),
}

impl Value {
    /// Reads a word of a command line. A word stays a text if a number would be written otherwise:
    /// `007` and `+5`.
    pub(super) fn of_word(word: &str) -> Value {
        let number = word.parse().ok().filter(|number: &i64| number.to_string() == word);
        let switch = word.parse().map(Value::Switch).ok();
        switch.or_else(|| number.map(Value::Number)).unwrap_or_else(|| Value::Text(word.to_owned()))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(on) => on.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Text(text) => text.fmt(f),
        }
    }
}

/// A decimal number becomes the shortest text that means it: 1.745 is sent as `1.745`.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, a number, or a text in quotation marks")
            }
            fn visit_bool<E: de::Error>(self, on: bool) -> Result<Value, E> {
                Ok(Value::Switch(on))
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value, E> {
                Ok(Value::Number(number))
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
                Ok(i64::try_from(number)
                    .map_or_else(|_| Value::Text(number.to_string()), Value::Number))
            }
            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
                Ok(Value::Text(format!("{number:?}")))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn numbers_and_switches_are_sent_as_they_are_written() {
        let text = "a = 1.745\nb = -0.5\nc = 2.0\nd = true\ne = 7\nf = \"1.50\"";
        let values: BTreeMap<String, Value> = toml::from_str(text).expect("values");
        let sent: Vec<String> = values.values().map(ToString::to_string).collect();
        assert_eq!(sent, ["1.745", "-0.5", "2.0", "true", "7", "1.50"]);
        let again = toml::to_string(&values).expect("TOML");
        assert_eq!(toml::from_str::<BTreeMap<String, Value>>(&again), Ok(values));
        for wrong in ["a = [1]", "a = { b = 1 }", "a = 1979-05-27"] {
            let error = toml::from_str::<BTreeMap<String, Value>>(wrong).expect_err(wrong);
            assert!(error.message().contains("a number, or a text"), "{error}");
        }
    }

    #[test]
    fn words_of_a_command_line_stay_as_they_are() {
        for word in ["1.745", "true", "-3", "007", "+5", "0x10", "", "9999999999999999999"] {
            assert_eq!(Value::of_word(word).to_string(), word);
        }
        assert_eq!(Value::of_word("false"), Value::Switch(false));
        assert_eq!(Value::of_word("12"), Value::Number(12));
    }
}
