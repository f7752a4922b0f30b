//! Values of options, as they are read.

/// A value that is on or off.
pub(super) fn switch(name: &str, text: &str) -> Result<bool, String> {
    let lower = text.to_ascii_lowercase();
    lower.parse().map_err(|_| format!("{name}: {text} found, true or false expected"))
}

/// A value that is a number.
pub(super) fn number(name: &str, text: &str, (least, most): (i64, i64)) -> Result<i64, String> {
    let number = text.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| format!("{name}: {text} found, {least} to {most} expected"))
}

/// A value that is one of some words, in letters of any case.
pub(super) fn word<'w>(name: &str, text: &str, words: &'w [String]) -> Result<&'w str, String> {
    let known = words.iter().find(|word| word.eq_ignore_ascii_case(text));
    let expected = || format!("{name}: {text} found, {} expected", words.join(" or "));
    known.map(String::as_str).ok_or_else(expected)
}
