//! The features of an engine: the words behind `feature`.

use crate::uci::about::{Kind, Offered};

/// `name=value` with a value in quotation marks or without.
pub(super) fn pairs(features: &str) -> Vec<(String, String)> {
    let (mut pairs, mut rest) = (Vec::new(), features.trim_start());
    while let Some((name, behind)) = rest.split_once('=') {
        let (value, after) = match behind.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => behind.split_once(char::is_whitespace).unwrap_or((behind, "")),
        };
        pairs.push((name.trim().to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    pairs
}

/// `NAME -spin 1 0 9`, `NAME -combo one /// *two`, and so on.
pub(super) fn option(text: &str) -> Option<Offered> {
    let (name, kind) = text.split_once(" -")?;
    let (kind, rest) = kind.split_once(' ').unwrap_or((kind, ""));
    let mut default = rest.trim().to_owned();
    let kind = match kind {
        "check" => {
            default = (default == "1").to_string();
            Kind::Check
        }
        "spin" | "slider" => {
            let mut numbers = rest.split_ascii_whitespace();
            numbers.next().unwrap_or_default().clone_into(&mut default);
            let mut end = || numbers.next().and_then(|n| n.parse().ok());
            Kind::Spin(end().unwrap_or(i64::MIN), end().unwrap_or(i64::MAX))
        }
        "combo" => {
            let all = rest.split("///").map(str::trim);
            let chosen = all.clone().find_map(|choice| choice.strip_prefix('*'));
            chosen.unwrap_or_default().clone_into(&mut default);
            Kind::Combo(all.map(|choice| choice.trim_start_matches('*').to_owned()).collect())
        }
        "button" | "save" | "reset" => Kind::Button,
        "string" | "file" | "path" => Kind::Text,
        _ => return None,
    };
    Some(Offered { name: name.trim().to_owned(), kind, default })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_features() {
        let line =
            "myname=\"Phalanx XXV\" ping=1  option=\"Randomizer (0-50) -slider 0 0 50\" done=1";
        let expected = [
            ("myname", "Phalanx XXV"),
            ("ping", "1"),
            ("option", "Randomizer (0-50) -slider 0 0 50"),
            ("done", "1"),
        ];
        assert_eq!(pairs(line), expected.map(|(n, v)| (n.to_owned(), v.to_owned())));
        let kind = |text: &str| option(text).map(|o| (o.name, o.kind, o.default));
        assert_eq!(kind("R -slider 0 0 50"), Some(("R".into(), Kind::Spin(0, 50), "0".into())));
        assert_eq!(kind("Resign -check 0"), Some(("Resign".into(), Kind::Check, "false".into())));
        let combo = Kind::Combo(vec!["a".into(), "b c".into()]);
        assert_eq!(kind("V -combo a /// *b c"), Some(("V".into(), combo, "b c".into())));
        assert_eq!(kind("Info -button"), Some(("Info".into(), Kind::Button, String::new())));
        assert_eq!(kind("X"), None);
    }
}
