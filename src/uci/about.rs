//! The description that an engine gives of itself.

use super::spec::Value;
use std::fmt;

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

    /// Checks whether the option can be set to this value.
    ///
    /// # Errors
    /// The expected value, in words.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        let text = value.to_string();
        let fits = match &self.kind {
            Kind::Check => matches!(value, Value::Switch(_)) || text == "true" || text == "false",
            Kind::Spin(least, most) => text.parse().is_ok_and(|n| (*least..=*most).contains(&n)),
            Kind::Combo(all) => all.iter().any(|known| known.eq_ignore_ascii_case(&text)),
            Kind::Button | Kind::Text => true,
        };
        if fits { Ok(()) } else { Err(format!("{text} found, {} expected", self.kind)) }
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
    fn checks_values() {
        let of = |line: &str| Offered::parse(line).expect("an option");
        let hash = of("name Hash type spin default 16 min 1 max 1024");
        assert_eq!(hash.check(&Value::Number(1024)), Ok(()));
        let wrong = hash.check(&Value::Number(0));
        assert_eq!(wrong, Err("0 found, 1 to 1024 expected".to_owned()));
        assert!(of("name B type check default true").check(&Value::Number(1)).is_err());
        let combo = of("name C type combo default a var a var b b");
        assert_eq!(combo.check(&Value::Text("B b".into())), Ok(()));
        assert!(combo.check(&Value::Text("c".into())).is_err());
    }
}
