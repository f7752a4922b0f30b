//! The question before a long run.

use crate::cli::format;
use std::io::{self, IsTerminal, Write};
use ttd_search::cores::Time;

/// The longest run about which nothing is asked, in seconds.
const LONG_S: f64 = 300.0;

/// Whether a run of this length is wanted: asked on a terminal if it is long, or if its length is
/// unknown. Without a terminal nobody could answer, so it is.
///
/// # Errors
/// If the terminal cannot be read.
pub(super) fn is_wanted(one_by_one: Option<Time>, jobs: u16) -> io::Result<bool> {
    let seconds = one_by_one.map(|time| time.as_secs_f64() / f64::from(jobs));
    let is_short = seconds.is_some_and(|seconds| seconds <= LONG_S);
    if is_short || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(true);
    }
    let how_long = match seconds {
        Some(seconds) => format!("about {}", format::duration(Time::from_secs_f64(seconds))),
        None => "a time that is not known yet".to_owned(),
    };
    write!(io::stderr(), "This takes {how_long}. Go on? (--yes asks nothing) [Y/n] ")?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(is_yes(&answer))
}

/// Whether an answer is yes. An empty line is; the end of the input is not.
fn is_yes(answer: &str) -> bool {
    answer.ends_with('\n') && matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_answer_is_yes() {
        assert!(["\n", "y\n", " Yes \n", "Y\r\n"].into_iter().all(is_yes));
        assert!(!["", "y", "n\n", "no\n", "what?\n"].into_iter().any(is_yes));
    }
}
