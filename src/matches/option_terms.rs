//! The terms of a match as an option has them: words `KEY=VALUE`. The keys are those of fastchess
//! and cutechess.

use super::adjudication::{Draw, Resign, Sides};
use super::spec::{SprtTerms, one_in_twenty};
use std::convert::Infallible;
use std::str::FromStr;

/// The words of an option: each key at most once.
struct Words<'t>(Vec<(&'t str, &'t str)>);

impl<'t> Words<'t> {
    /// Reads the words. `keys` are the keys that there are.
    fn read(text: &'t str, keys: &[&str]) -> Result<Words<'t>, String> {
        let mut words: Vec<(&str, &str)> = Vec::new();
        for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
            let Some((key, value)) = word.split_once('=').filter(|(key, _)| keys.contains(key))
            else {
                return Err(format!("`{word}` found, {}= expected", keys.join("=, ")));
            };
            if words.iter().any(|(other, _)| *other == key) {
                return Err(format!("{key}= found twice"));
            }
            words.push((key, value));
        }
        Ok(Words(words))
    }

    /// The value of a key, if it is given. `what` is the kind of value that is expected.
    fn get<T: FromStr>(&self, key: &str, what: &str) -> Result<Option<T>, String> {
        let Some((_, value)) = self.0.iter().find(|(other, _)| *other == key) else {
            return Ok(None);
        };
        value.parse().map(Some).map_err(|_| format!("{key}={value} found, {what} expected"))
    }

    /// The value of a key that must be given.
    fn need<T: FromStr>(&self, key: &str, what: &str) -> Result<T, String> {
        self.get(key, what)?.ok_or_else(|| format!("{key}= is missing, {what} expected"))
    }
}

const NUMBER: &str = "a number";
const WHOLE: &str = "a whole number of at least 0";

/// Reads the terms of a test, such as `elo0=0 elo1=5 alpha=0.05 beta=0.05`.
pub(super) fn sprt(text: &str) -> Result<SprtTerms, String> {
    let words = Words::read(text, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let model: Option<String> = words.get("model", "")?;
    if let Some(model) = model.filter(|model| model != "logistic") {
        return Err(format!("model={model} found, model=logistic expected: there is no other"));
    }
    let chance = |key| Ok::<f64, String>(words.get(key, NUMBER)?.unwrap_or_else(one_in_twenty));
    Ok(SprtTerms {
        elo0: words.need("elo0", NUMBER)?,
        elo1: words.need("elo1", NUMBER)?,
        alpha: chance("alpha")?,
        beta: chance("beta")?,
    })
}

/// Reads the terms on which a side has lost, such as `movecount=4 score=900 twosided=true`. As in
/// fastchess the scores of the other side count only if they are asked for.
pub(super) fn resign(text: &str) -> Result<Resign, String> {
    let words = Words::read(text, &["movecount", "score", "twosided"])?;
    let both = words.get("twosided", "true or false")?.unwrap_or(false);
    Ok(Resign {
        moves: words.need("movecount", WHOLE)?,
        score: words.need("score", "centipawns")?,
        sides: if both { Sides::Both } else { Sides::One },
    })
}

/// Reads the terms on which a game is drawn, such as `movenumber=40 movecount=8 score=8`.
pub(super) fn draw(text: &str) -> Result<Draw, String> {
    let words = Words::read(text, &["movenumber", "movecount", "score"])?;
    Ok(Draw {
        after: words.need("movenumber", WHOLE)?,
        moves: words.need("movecount", WHOLE)?,
        score: words.need("score", "centipawns")?,
    })
}

/// Reads the kind of a tournament, as fastchess writes it too.
#[allow(clippy::unnecessary_wraps, reason = "as all that read an option")]
pub(super) fn tournament(text: &str) -> Result<String, Infallible> {
    Ok(if text == "roundrobin" { "round-robin" } else { text }.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_words_in_any_order() {
        let terms = SprtTerms { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.1 };
        assert_eq!(sprt("elo1=5 elo0=0 beta=0.1"), Ok(terms));
        assert_eq!(sprt("elo0=0,elo1=5, beta=0.1,model=logistic"), Ok(terms));
        let one = Resign { moves: 3, score: 600, sides: Sides::One };
        assert_eq!(resign("movecount=3 score=600"), Ok(one));
        assert_eq!(resign("movecount=3 score=600 twosided=false"), Ok(one));
        let both = Resign { sides: Sides::Both, ..one };
        assert_eq!(resign("twosided=true movecount=3 score=600"), Ok(both));
        let drawn = Draw { after: 40, moves: 8, score: 10 };
        assert_eq!(draw("movenumber=40 movecount=8 score=10"), Ok(drawn));
        assert_eq!(tournament("roundrobin"), Ok("round-robin".to_owned()));
    }

    #[test]
    fn what_are_no_terms_is_refused() {
        for (text, what) in [
            ("elo0=0", "elo1= is missing, a number expected"),
            ("elo0=0 elo1=x", "elo1=x found, a number expected"),
            ("elo0=0 elo0=1 elo1=2", "elo0= found twice"),
            ("0 5", "`0` found, elo0=, elo1=, alpha=, beta=, model= expected"),
            ("elo=5", "`elo=5` found, elo0=, elo1="),
            ("elo0=0 elo1=5 model=normalized", "model=normalized found, model=logistic expected"),
        ] {
            let refused = sprt(text).expect_err(text);
            assert!(refused.starts_with(what), "{text}: {refused}");
        }
        let refused = resign("movecount=-1 score=5").expect_err("negative");
        assert_eq!(refused, "movecount=-1 found, a whole number of at least 0 expected");
        assert!(resign("movecount=1 score=5 twosided=2").is_err());
        assert!(draw("movecount=1 score=5").is_err_and(|what| what.starts_with("movenumber=")));
    }
}
