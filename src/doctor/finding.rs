//! The finding of a check.

/// Whether the state that was found spoils results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Good,
    /// It may have an effect: worth a look before a long run.
    Look,
    /// It spoils results.
    Bad,
    /// It could not be read.
    Unknown,
}

/// A verdict, and the text that was read, or the reason why nothing was read.
pub(super) type Judged = (Verdict, String);

impl Verdict {
    /// The verdict in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Look => "look",
            Verdict::Bad => "bad",
            Verdict::Unknown => "unknown",
        }
    }

    /// Returns the verdict on a figure: good below the first of two limits, bad from the second on.
    pub(super) fn of(figure: f64, [look, bad]: [f64; 2]) -> Verdict {
        if figure < look {
            Verdict::Good
        } else if figure < bad {
            Verdict::Look
        } else {
            Verdict::Bad
        }
    }

    /// Returns the verdict on a counter that was read before and after the measurements, and a
    /// text. It is good while the counter is 0, bad if it rose. `words` says how high the counter
    /// is.
    pub(super) fn of_counter(
        counted: Result<[u64; 2], String>,
        words: impl Fn(u64) -> String,
    ) -> Judged {
        match counted {
            Err(why) => (Verdict::Unknown, why),
            Ok([_, 0]) => (Verdict::Good, words(0)),
            Ok([before, after]) if after > before => (Verdict::Bad, words(after)),
            Ok([_, after]) => (Verdict::Look, words(after)),
        }
    }

    /// Returns the verdict on a word that says how something is set, and the text. Without such a
    /// word, the text is the reason.
    pub(super) fn of_word(said: Result<&str, &str>, good: &str) -> Judged {
        let verdict = match said {
            Ok(word) if word == good => Verdict::Good,
            Ok(_) => Verdict::Look,
            Err(_) => Verdict::Unknown,
        };
        (verdict, said.unwrap_or_else(|why| why).to_owned())
    }
}

/// The page that explains every check.
const PAGE: &str = "docs/measuring.md";

/// The finding of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The subject of the check, in a word or two; also a heading of the page.
    pub check: &'static str,
    /// Whether it spoils results.
    pub verdict: Verdict,
    /// The text that was read, or the reason why nothing was read.
    pub read: String,
    /// The effect on results if the state is not as it should be.
    pub effect: &'static str,
    /// The way in which a user may change it.
    pub remedy: String,
}

impl Finding {
    /// The link to the explanation of this check.
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
