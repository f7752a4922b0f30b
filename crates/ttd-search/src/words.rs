//! Enumerations whose values have words; and the word that a user meant by another one.

/// Declares an enumeration. Each of its values has a word, which stands for it in files and
/// outputs.
macro_rules! words {
    (
        $(#[$doc:meta])*
        pub enum $name:ident { $($(#[$of:meta])* $value:ident = $word:literal,)+ }
    ) => {
        $(#[$doc])*
        pub enum $name {
            $($(#[$of])* $value,)+
        }

        impl $name {
            /// Every value, in the order of the declaration.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$value),+];

            /// The word in files and outputs.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$value => $word,)+
                }
            }
        }
    };
}

pub(crate) use words;

/// The word that a user may have meant: the nearest of the known ones. It differs in at most a
/// third of its letters, or it begins with the user's word.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let small = word.to_lowercase();
    let distance = |other: &'k str| {
        let small_other = other.to_lowercase();
        let letters = small.chars().count().max(small_other.chars().count());
        let distance = strsim::damerau_levenshtein(&small, &small_other);
        let begins = small.chars().count() > 1 && small_other.starts_with(&small);
        (begins || distance <= (letters / 3).max(1)).then_some((distance, other))
    };
    let all = known.into_iter().filter(|other| !word.is_empty() && other.len() > 1);
    all.filter_map(distance).min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

/// The refusal of a word that is none of the known ones. `kind` is the kind of the word.
pub fn unknown(kind: &str, word: &str, known: &[&str]) -> String {
    match (nearest(word, known.iter().copied()), known) {
        (Some(near), _) => format!("unknown {kind} `{word}`: did you mean `{near}`?"),
        (None, []) => format!("unknown {kind} `{word}`: there is none"),
        (None, [one]) => format!("unknown {kind} `{word}`, expected `{one}`"),
        (None, all) => format!("unknown {kind} `{word}`, expected one of `{}`", all.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_word_is_meant() {
        let known = ["depth", "runs", "lazy-smp", "jamboree", "sequential", "id", "v"];
        for (word, meant) in [
            ("dept", Some("depth")),
            ("detph", Some("depth")),
            ("Depth", Some("depth")),
            ("lazy_smp", Some("lazy-smp")),
            ("lazy", Some("lazy-smp")),
            ("jam", Some("jamboree")),
            ("sequentail", Some("sequential")),
            ("rnus", Some("runs")),
            ("xyz", None),
            ("r", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(unknown("key", "dept", &known), "unknown key `dept`: did you mean `depth`?");
        let all = unknown("key", "xyz", &["depth", "runs"]);
        assert_eq!(all, "unknown key `xyz`, expected one of `depth`, `runs`");
    }
}
