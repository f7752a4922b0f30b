//! The names of LaTeX's commands: letters only.

/// The name of each of these in commands: all are different.
pub(crate) fn distinct(names: &[&str]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for name in names {
        let mut word = word(name);
        while words.contains(&word) {
            word.push_str("Another");
        }
        words.push(word);
    }
    words
}

/// The name in letters only: `lazy-smp` as `LazySmp`, `fish-16` as `FishOneSix`.
pub(crate) fn word(name: &str) -> String {
    let mut word = String::new();
    let mut begins = true;
    for c in name.chars() {
        if let Some(digit) = c.to_digit(10) {
            word.push_str(DIGITS[digit as usize]);
            begins = true;
        } else if c.is_ascii_alphabetic() {
            word.push(if begins { c.to_ascii_uppercase() } else { c });
            begins = false;
        } else {
            begins = true;
        }
    }
    if word.is_empty() { "Nameless".to_owned() } else { word }
}

const DIGITS: [&str; 10] =
    ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_letters() {
        assert_eq!(word("lazy-smp"), "LazySmp");
        assert_eq!(word("Fish 16.1 NNUE"), "FishOneSixOneNNUE");
        assert_eq!(word("128"), "OneTwoEight");
        assert_eq!(word("λ"), "Nameless");
    }

    #[test]
    fn no_two_are_alike() {
        let names = ["a-b", "aB", "AB", "ab", "a.b", "AB another"];
        let words = distinct(&names);
        assert_eq!(words[..4], ["AB", "ABAnother", "ABAnotherAnother", "Ab"]);
        for (index, word) in words.iter().enumerate() {
            assert!(!words[..index].contains(word), "{word}");
        }
    }
}
