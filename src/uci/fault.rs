//! The faults of an outside engine.

use std::time::Duration;

/// Said of an engine that cannot be told that a game is one of Chess960.
pub const NO_CHESS960: &str = "no option UCI_Chess960 to tell it";

/// A fault of an outside engine, and the last lines before it. The process is of no more use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Fault {
    /// The kind of fault.
    pub what: What,
    /// The last lines in either direction: `> ` to the engine, `< ` from it, and `! ` from its
    /// standard error.
    pub last_lines: Vec<String>,
}

/// The kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum What {
    /// The program cannot be started.
    #[error("`{program}` cannot be started: {why}")]
    NotStarted {
        /// The command's first word.
        program: String,
        /// The message of the system.
        why: String,
    },
    /// An answer did not come in time.
    #[error("no {expected} within {} (the key `{key}` allows more)", seconds(*.within))]
    Silent {
        /// The answer that was expected.
        expected: &'static str,
        /// The time that it was waited for.
        within: Duration,
        /// The key that sets this time.
        key: &'static str,
    },
    /// The engine was told to stop, and went on.
    #[error("no best move within {} of `stop` (the key `stop_limit_s` allows more)", seconds(*.within))]
    IgnoresStop {
        /// The time that the best move was waited for.
        within: Duration,
    },
    /// The host was at work for too long, on virtual cores.
    #[error(
        "no best move within {} of the host (`host_limit_s` of an experiment or a match, or \
         --host-limit, allows more). The engine is slow, stands in a loop that does not count, or \
         waits in a call that virtual cores do not replace",
        seconds(*.within)
    )]
    HostLimit {
        /// The host's time for a search.
        within: Duration,
    },
    /// All threads of the engine wait, on virtual cores.
    #[error("it gave no best move, and all its threads wait")]
    Stuck,
    /// The engine does not read its input.
    #[error("it does not read its input")]
    Deaf,
    /// The process has ended.
    #[error("it ended ({0})")]
    Died(String),
    /// A best move that is not legal.
    #[error("the move `{0}` is not legal")]
    Illegal(String),
    /// A line that is longer than any of the protocol.
    #[error("it wrote a line of more than {0} bytes")]
    Garbage(usize),
    /// The engine does not accept an option or a command.
    #[error("it refuses `{option}`: {why}")]
    Refuses {
        /// The option or command.
        option: String,
        /// The reason.
        why: String,
    },
    /// The engine cannot be set as asked; it was asked nothing yet.
    #[error("{}", .0.join("; "))]
    Unsettable(Vec<String>),
    /// The engine lacks something that it must have.
    #[error("it lacks {0}")]
    Lacks(String),
    /// The user interrupted the waiting.
    #[error("interrupted")]
    Interrupted,
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

impl Fault {
    /// The fault with the last lines, and how to find out more where the engine may speak another
    /// protocol.
    pub(crate) fn with_advice(&self) -> String {
        let mut text = self.with_last_lines("  ");
        if matches!(self.what, What::Silent { key: "start_limit_s", .. }) {
            text.push_str("\n  `ttd engine check` tells whether it speaks another protocol");
        }
        text
    }

    /// The fault and the last lines, each on its own line, which begins with `begin`. The lines say
    /// nothing where the fault is in the settings.
    pub fn with_last_lines(&self, begin: &str) -> String {
        let mut text = self.to_string();
        if matches!(self.what, What::Unsettable(_) | What::NotStarted { .. } | What::Lacks(_)) {
            return text;
        }
        for line in &self.last_lines {
            text.push('\n');
            text.push_str(begin);
            text.push_str(line);
        }
        text
    }
}
