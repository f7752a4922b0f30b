//! A refusal: the place, the value found there, and the value expected.

use ttd_search::positions::PositionsError;

/// The reason why a value that a user gave is impossible. It may have further ones behind it, each
/// on a line of its own.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{place}: {what}{}", behind(.more))]
pub struct Refusal {
    /// The option, or the file with the line and the key.
    place: String,
    /// The value found there, and the value expected.
    what: String,
    /// The refusals of other values.
    more: Vec<Refusal>,
}

fn behind(more: &[Refusal]) -> String {
    let lines: Vec<String> = more.iter().map(Refusal::to_string).collect();
    if lines.is_empty() { String::new() } else { format!("\n{}", lines.join("\n")) }
}

/// The refusals of several values, to be told at once.
#[derive(Clone, Debug, Default)]
pub struct Refusals(Vec<Refusal>);

impl Refusals {
    /// The value, if it is not refused. A refusal is kept, unless there is an equal one.
    pub fn take<T>(&mut self, value: Result<T, Refusal>) -> Option<T> {
        value.map_err(|refusal| self.keep(refusal)).ok()
    }

    /// Keeps a refusal, unless there is an equal one.
    pub fn keep(&mut self, mut refusal: Refusal) {
        let more = std::mem::take(&mut refusal.more);
        if !self.0.iter().any(|kept| kept.to_string() == refusal.to_string()) {
            self.0.push(refusal);
        }
        for refusal in more {
            self.keep(refusal);
        }
    }

    /// Checks that nothing was refused.
    ///
    /// # Errors
    /// Everything that was refused, as one refusal.
    pub fn check(self) -> Result<(), Refusal> {
        self.check_made(Some(()))
    }

    /// The result that was made of the values. It is there if none of them was refused.
    ///
    /// # Errors
    /// Everything that was refused, as one refusal, in the order of the lines of the file.
    ///
    /// # Panics
    /// If nothing was refused, and nothing was made.
    pub fn check_made<T>(mut self, made: Option<T>) -> Result<T, Refusal> {
        self.0.sort_by_key(Refusal::line);
        let mut list = self.0.into_iter();
        match list.next() {
            Some(first) => Err(Refusal { more: list.collect(), ..first }),
            None => Ok(made.expect("what is not refused is there")),
        }
    }
}

impl Refusal {
    /// A refusal of the value at this place.
    pub fn new(place: String, what: String) -> Refusal {
        Refusal { place, what, more: Vec::new() }
    }

    /// The line in the file that the place names; 0 for an option.
    fn line(&self) -> usize {
        let file = self.place.split(": ").next().unwrap_or_default();
        file.rsplit_once(':').and_then(|(_, line)| line.parse().ok()).unwrap_or(0)
    }

    /// Adds a reason to the message, if `when` is true.
    #[must_use]
    pub fn because(mut self, when: bool, why: &str) -> Refusal {
        if when {
            self.what.push_str(why);
        }
        self
    }
}

/// The reasons why an experiment or a match cannot be resolved.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The value of a key or an option is impossible.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Lines of its position set are wrong.
    #[error("{0}\n`--skip-bad` leaves such lines out, and says how many")]
    BadLines(PositionsError),
    /// Its position set is wrong.
    #[error(transparent)]
    Positions(#[from] PositionsError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_at_once_and_each_once() {
        let refused = |place: &str| Refusal::new(place.to_owned(), "wrong".to_owned());
        let mut list = Refusals::default();
        assert_eq!(list.take(Ok(5)), Some(5));
        assert!(Refusals::default().check().is_ok());
        for place in ["--a", "--b", "--a"] {
            assert_eq!(list.take(Err::<u32, Refusal>(refused(place))), None);
        }
        let all = list.check().expect_err("two were refused");
        assert_eq!(all.to_string(), "--a: wrong\n--b: wrong");
        let mut outer = Refusals::default();
        outer.take(Err::<(), Refusal>(refused("--b")));
        outer.take(Err::<(), Refusal>(all));
        assert_eq!(outer.check().expect_err("two").to_string(), "--b: wrong\n--a: wrong");
    }
}
