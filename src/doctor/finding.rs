//! What a check found.

/// Whether what was found spoils results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Good,
    /// It may weigh: worth a look before a long run.
    Look,
    /// It spoils results.
    Bad,
    /// It could not be read.
    Unknown,
}

impl Verdict {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Look => "look",
            Verdict::Bad => "bad",
            Verdict::Unknown => "unknown",
        }
    }

    /// Good below the first of two limits, bad from the second on.
    pub(super) fn of(figure: f64, [look, bad]: [f64; 2]) -> Verdict {
        if figure < look {
            Verdict::Good
        } else if figure < bad {
            Verdict::Look
        } else {
            Verdict::Bad
        }
    }

    /// Of a counter before and after the measurements, and `words` on how high it is: good while it
    /// is 0, bad if it rose.
    pub(super) fn of_counter(
        counted: Result<[u64; 2], String>,
        words: impl Fn(u64) -> String,
    ) -> (Verdict, String) {
        match counted {
            Err(why) => (Verdict::Unknown, why),
            Ok([_, 0]) => (Verdict::Good, words(0)),
            Ok([before, after]) if after > before => (Verdict::Bad, words(after)),
            Ok([_, after]) => (Verdict::Look, words(after)),
        }
    }

    /// Of a word that says how something is set, or of why it says nothing; and that text.
    pub(super) fn of_word(said: Result<&str, &str>, good: &str) -> (Verdict, String) {
        let verdict = match said {
            Ok(word) if word == good => Verdict::Good,
            Ok(_) => Verdict::Look,
            Err(_) => Verdict::Unknown,
        };
        (verdict, said.unwrap_or_else(|why| why).to_owned())
    }
}

/// The page that says more of every check.
const PAGE: &str = "docs/measuring.md";

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at, in a word or two: a heading of the page too.
    pub check: &'static str,
    /// Whether it spoils results.
    pub verdict: Verdict,
    /// What was read, or why nothing was.
    pub read: String,
    /// What it does to results where it is not as it should be.
    pub effect: &'static str,
    /// How a user may change it.
    pub remedy: String,
}

impl Finding {
    /// Where more is said of it.
    pub fn page(&self) -> String {
        format!("{PAGE}#{}", self.check.replace(' ', "-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_belong_to_the_worse_side() {
        let of = |figure| Verdict::of(figure, [0.1, 0.5]);
        assert_eq!(
            [0.0, 0.1, 0.4, 0.5].map(of).map(Verdict::name),
            ["good", "look", "look", "bad"]
        );
    }
}
