//! The ways in which the program ends, and its messages when something went wrong.

use super::plain;
use crate::experiment::NotForRanks;
use crate::matches::NotReady;
use crate::records::{MergeError, Refusal, ResolveError, ResultsError};
use crate::report::ReportError;
use crate::report::compare::CompareError;
use crate::tuning::TuneError;
use std::env;
use std::fmt::Display;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use ttd_search::positions::{FileError, PositionsError};

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done = 0,
    /// 1: the tool failed.
    Failed = 1,
    /// 2: wrong usage, also a bad TOML or EPD.
    Usage = 2,
    /// 3: finished, with failed samples.
    FailedSamples = 3,
    /// 4: there is a regression, and one was asked to be an error.
    Regression = 4,
    /// 130: interrupted; the same command goes on.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Prints a message on standard error, in lines of its own. Control characters are shown.
///
/// A closed standard error is ignored, as in `ttd run 2>&1 | tee log`, where Ctrl-C ends `tee` too.
/// It is no reason to stop measuring, and none to panic, as `eprintln!` would.
pub fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "{}", plain::shown(&text.to_string()));
}

/// Whether progress is to be printed; set once, before anything is.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Prints no plans and no progress from now on.
pub(super) fn be_quiet() {
    QUIET.store(true, Relaxed);
}

/// Whether nothing but results, warnings and errors is to be printed.
pub(super) fn is_quiet() -> bool {
    QUIET.load(Relaxed)
}

/// Prints a plan or progress, as [`say`] prints warnings and errors, unless it is to be quiet.
pub(super) fn tell(text: impl Display) {
    if !is_quiet() {
        say(text);
    }
}

/// Runs the program. A panic is a defect of it: a message says so, and says where. The panic of a
/// worker is a failed sample besides. Any other panic ends the program with status 1.
pub fn guard(run: impl FnOnce() -> ExitCode) -> ExitCode {
    if env::var_os("RUST_BACKTRACE").is_none_or(|value| value == "0") {
        panic::set_hook(Box::new(|defect| {
            let text = defect.payload_as_str().unwrap_or("no message");
            let place = defect.location().map(|place| format!(" ({place})")).unwrap_or_default();
            say(format_args!("ttd: a defect of ttd, please report it: {text}{place}"));
        }));
    }
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Exit::Failed.into())
}

/// The user asked for something impossible.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// The message for an error, and the exit status. There is no message if the reader of our output
/// has gone.
pub fn explain(error: &anyhow::Error) -> (Option<String>, Exit) {
    // `ttd ... | head` is no failure.
    if error.chain().any(is_broken_pipe) {
        return (None, Exit::Done);
    }
    let usage = error.chain().any(|e| {
        e.is::<Usage>()
            || e.downcast_ref().is_some_and(ReportError::is_usage)
            || e.downcast_ref().is_some_and(CompareError::is_usage)
            || e.downcast_ref().is_some_and(MergeError::is_usage)
            || e.is::<NotForRanks>()
            || e.is::<Refusal>()
            || e.is::<ResolveError>()
            || e.is::<PositionsError>()
            || e.is::<NotReady>()
            || e.is::<FileError>()
            || e.is::<TuneError>()
            || e.downcast_ref().is_some_and(ResultsError::is_usage)
    });
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // Many messages hold the message of their cause already.
        if !message.contains(&cause) {
            let separator = if message.is_empty() { "" } else { ": " };
            message = format!("{message}{separator}{cause}");
        }
    }
    (Some(message), if usage { Exit::Usage } else { Exit::Failed })
}

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    let io: Option<&io::Error> = error.downcast_ref().or_else(|| {
        match error.downcast_ref::<csv::Error>().map(csv::Error::kind) {
            Some(csv::ErrorKind::Io(io)) => Some(io),
            _ => None,
        }
    });
    io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn a_chain_is_one_message_without_repetition() {
        let cause = io::Error::other("no space left");
        let error = anyhow::Error::new(cause).context("samples.csv: no space left").context("run");
        assert_eq!(explain(&error), (Some("run: samples.csv: no space left".into()), Exit::Failed));
        let usage: anyhow::Result<()> = Err(Usage("--depth: wrong".into()).into());
        let usage = usage.context("run").expect_err("an error");
        assert_eq!(explain(&usage), (Some("run: --depth: wrong".into()), Exit::Usage));
    }

    #[test]
    fn a_broken_pipe_is_silent() {
        let error = anyhow::Error::new(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(explain(&error), (None, Exit::Done));
    }

    #[test]
    fn a_defect_is_a_failure() {
        let status = |code: ExitCode| format!("{code:?}");
        let ended = guard(|| panic!("only a test: no defect"));
        let _ = panic::take_hook();
        assert_eq!(status(ended), status(Exit::Failed.into()));
        assert_eq!(status(guard(|| Exit::Usage.into())), status(Exit::Usage.into()));
        let _ = panic::take_hook();
    }
}
