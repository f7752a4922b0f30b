//! Values of options, as they are read.

use crate::uci::about::{Kind, Offered};
use ttd_search::value::Value;

/// Reads a value of an option. Words and switches may be in letters of any case.
pub(super) fn read(Offered { name, kind, .. }: &Offered, text: &str) -> Result<Value, String> {
    let (value, expected) = match kind {
        Kind::Check => {
            let switch = text.to_ascii_lowercase().parse().ok();
            (switch.map(Value::Boolean), kind.to_string())
        }
        Kind::Spin(least, most) => {
            let number = text.parse().ok().filter(|n| (least..=most).contains(&n));
            (number.map(Value::Integer), kind.to_string())
        }
        Kind::Combo(words) => {
            let known = words.iter().find(|word| word.eq_ignore_ascii_case(text));
            (known.cloned().map(Value::String), words.join(" or "))
        }
        Kind::Button | Kind::Text => (Some(Value::String(text.to_owned())), String::new()),
    };
    value.ok_or_else(|| format!("{name}: {text} found, {expected} expected"))
}
