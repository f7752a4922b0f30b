//! The description that an engine gives of itself.

use super::value::Value;
use std::fmt;
use ttd_search::value::Value as Setting;

/// The name of an engine, and the options that can be set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its name and version; empty if it gives none.
    pub name: String,
    /// Its author; empty if it names none.
    pub author: String,
    /// The options that can be set.
    pub options: Vec<Offered>,
}

impl About {
    /// The option of a name, in letters of any case.
    pub fn option(&self, name: &str) -> Option<&Offered> {
        self.options.iter().find(|offered| offered.name.eq_ignore_ascii_case(name))
    }
}

/// An option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The name, as the engine writes it.
    pub name: String,
    /// The kind of its values.
    pub kind: Kind,
    /// The value that it has until it is set, as the engine writes it; empty if the engine gives
    /// none.
    pub default: String,
}

/// The kind of values of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On or off.
    Check,
    /// A whole number, from the first to the second, both included.
    Spin(i64, i64),
    /// One of these words.
    Combo(Vec<String>),
    /// No value: the option is a command.
    Button,
    /// Any text.
    Text,
}

impl Kind {
    /// Whether there is more than one value.
    pub fn has_choice(&self) -> bool {
        !matches!(self, Kind::Spin(least, most) if least >= most)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Check => f.write_str("true or false"),
            Kind::Spin(least, most) => write!(f, "{least} to {most}"),
            Kind::Combo(all) => f.write_str(&all.join(", ")),
            Kind::Button => f.write_str("nothing"),
            Kind::Text => f.write_str("a text"),
        }
    }
}

/// Writes the words behind `option` in the Universal Chess Interface, as [`Offered::parse`] reads
/// them.
impl fmt::Display for Offered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Offered { name, kind, default } = self;
        let word = match kind {
            Kind::Check => "check",
            Kind::Spin(..) => "spin",
            Kind::Combo(_) => "combo",
            Kind::Button => "button",
            Kind::Text => "string",
        };
        write!(f, "name {name} type {word}")?;
        if !default.is_empty() {
            write!(f, " default {default}")?;
        }
        match kind {
            Kind::Spin(least, most) => write!(f, " min {least} max {most}"),
            Kind::Combo(all) => all.iter().try_for_each(|one| write!(f, " var {one}")),
            _ => Ok(()),
        }
    }
}

impl Offered {
    /// Reads a value of the option. Words and switches may be in letters of any case.
    ///
    /// # Errors
    /// The name of the option, the text that was found, and the values that were expected.
    pub fn value(&self, text: &str) -> Result<Setting, String> {
        let Offered { name, kind, .. } = self;
        let (value, expected) = match kind {
            Kind::Check => {
                let switch = text.to_ascii_lowercase().parse().ok();
                (switch.map(Setting::Boolean), kind.to_string())
            }
            Kind::Spin(least, most) => {
                let number = text.parse().ok().filter(|n| (least..=most).contains(&n));
                (number.map(Setting::Integer), kind.to_string())
            }
            Kind::Combo(words) => {
                let known = words.iter().find(|word| word.eq_ignore_ascii_case(text));
                (known.cloned().map(Setting::String), words.join(" or "))
            }
            Kind::Button | Kind::Text => (Some(Setting::String(text.to_owned())), String::new()),
        };
        value.ok_or_else(|| format!("{name}: {text} found, {expected} expected"))
    }

    /// Reads the words behind `option` in the Universal Chess Interface. None if they are no
    /// option.
    pub fn parse(words: &str) -> Option<Offered> {
        let (name, rest) = words.trim().strip_prefix("name ")?.split_once(" type ")?;
        let mut rest = rest.split_ascii_whitespace();
        let kind = rest.next()?;
        // Each other part is a keyword and all words until the next keyword.
        let (mut default, mut least, mut most, mut vars) = (String::new(), None, None, Vec::new());
        let mut word = rest.next();
        while let Some(key) = word {
            let mut value = Vec::new();
            word = rest.next();
            while let Some(part) = word.filter(|w| !["default", "min", "max", "var"].contains(w)) {
                value.push(part);
                word = rest.next();
            }
            let value = value.join(" ");
            match key {
                "default" => default = value,
                "min" => least = value.parse().ok(),
                "max" => most = value.parse().ok(),
                "var" => vars.push(value),
                _ => {}
            }
        }
        let kind = match kind {
            "check" => Kind::Check,
            "spin" => Kind::Spin(least.unwrap_or(i64::MIN), most.unwrap_or(i64::MAX)),
            "combo" => Kind::Combo(vars),
            "button" => Kind::Button,
            "string" => Kind::Text,
            _ => return None,
        };
        Some(Offered { name: name.trim().to_owned(), kind, default })
    }

    /// The value as the engine spells it, if the option can be set to it. Letters of another case
    /// are the engine's own.
    ///
    /// # Errors
    /// The expected value, in words.
    pub fn spelled(&self, value: &Value) -> Result<Value, String> {
        let text = value.to_string();
        let small = text.to_ascii_lowercase();
        let spelled = match &self.kind {
            Kind::Check => small.parse().ok().map(Value::Switch),
            Kind::Spin(least, most) => {
                // Engines take `2.0` for no number.
                let whole = text.strip_suffix(".0").unwrap_or(&text);
                let number = whole.parse().ok().filter(|n| (*least..=*most).contains(n));
                number.map(Value::Number)
            }
            Kind::Combo(all) => {
                let known = all.iter().find(|known| known.eq_ignore_ascii_case(&text));
                known.map(|known| Value::Text(known.clone()))
            }
            Kind::Button | Kind::Text => Some(value.clone()),
        };
        spelled.ok_or_else(|| format!("{text} found, {} expected", self.kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_options() {
        for (line, name, kind, default) in [
            ("name Hash type spin default 16 min 1 max 33", "Hash", Kind::Spin(1, 33), "16"),
            ("name Use NNUE type check default true", "Use NNUE", Kind::Check, "true"),
            ("name Clear Hash type button", "Clear Hash", Kind::Button, ""),
            ("name Debug Log File type string default ", "Debug Log File", Kind::Text, ""),
            (
                "name NullMove type combo default Fail High var Always var Fail High var Never",
                "NullMove",
                Kind::Combo(vec!["Always".into(), "Fail High".into(), "Never".into()]),
                "Fail High",
            ),
        ] {
            let expected = Offered { name: name.into(), kind, default: default.into() };
            assert_eq!(expected.to_string(), line.trim_end_matches(" default "));
            assert_eq!(Offered::parse(line), Some(expected));
        }
        assert_eq!(Offered::parse("name X"), None);
        assert_eq!(Offered::parse("name X type odd"), None);
    }

    #[test]
    fn values_are_checked_and_spelled() {
        let of = |line: &str| Offered::parse(line).expect("an option");
        let hash = of("name Hash type spin default 16 min 1 max 1024");
        assert_eq!(hash.spelled(&Value::Number(1024)), Ok(Value::Number(1024)));
        assert_eq!(hash.spelled(&Value::Text("16.0".into())), Ok(Value::Number(16)));
        let wrong = hash.spelled(&Value::Number(0));
        assert_eq!(wrong, Err("0 found, 1 to 1024 expected".to_owned()));
        let check = of("name B type check default true");
        assert!(check.spelled(&Value::Number(1)).is_err());
        assert_eq!(check.spelled(&Value::Text("False".into())), Ok(Value::Switch(false)));
        assert_eq!(check.spelled(&Value::Switch(true)), Ok(Value::Switch(true)));
        let combo = of("name C type combo default a var a var b b");
        assert_eq!(combo.spelled(&Value::Text("B b".into())), Ok(Value::Text("b b".into())));
        assert!(combo.spelled(&Value::Text("c".into())).is_err());
        let text = of("name CPuct type string default 1.745");
        let decimal = Value::Text("2.5".into());
        assert_eq!(text.spelled(&decimal), Ok(decimal.clone()));
    }

    #[test]
    fn an_option_with_one_value_is_no_choice() {
        let choice = |line: &str| Offered::parse(line).expect("an option").kind.has_choice();
        assert!(!choice("name Threads type spin default 1 min 1 max 1"));
        assert!(!choice("name Hash type spin default 64 min 64 max 64"));
        assert!(!choice("name Threads type spin default 1 min 1 max 0"));
        assert!(choice("name Threads type spin default 1 min 1 max 2"));
        assert!(choice("name Threads type spin default 1"));
        assert!(choice("name OwnBook type check default true"));
    }
}
