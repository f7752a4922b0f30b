//! What an outside engine can do wrong.

use std::fmt;
use std::time::Duration;

/// What went wrong with an outside engine, and the last that was heard of it. The process is of no more use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub what: What,
    /// The last lines in either direction: `> ` to the engine, `< ` from it, `! ` from its standard error.
    pub last_lines: Vec<String>,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum What {
    /// The program cannot be started.
    #[error("`{program}` cannot be started: {why}")]
    NotStarted {
        /// The command's first word.
        program: String,
        /// What the system says.
        why: String,
    },
    /// An answer did not come in time.
    #[error("no {expected} within {}", seconds(*.within))]
    Silent {
        /// What was waited for.
        expected: &'static str,
        /// How long.
        within: Duration,
    },
    /// It was told to stop, and went on.
    #[error("no best move within {} of `stop`", seconds(*.within))]
    IgnoresStop {
        /// How long it was waited for.
        within: Duration,
    },
    /// It does not read what it is sent.
    #[error("it does not read its input")]
    Deaf,
    /// The process has ended.
    #[error("it ended ({0})")]
    Died(String),
    /// A best move that is none.
    #[error("the move `{0}` is not legal")]
    Illegal(String),
    /// A line that is longer than any.
    #[error("it wrote a line of more than {0} bytes")]
    Garbage(usize),
    /// An option or a command that it does not take.
    #[error("it refuses `{option}`: {why}")]
    Refuses {
        /// The option or command.
        option: String,
        /// Why.
        why: String,
    },
    /// What it lacks to be of use.
    #[error("it lacks {0}")]
    Lacks(String),
    /// The user does not want to wait.
    #[error("interrupted")]
    Interrupted,
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.what.fmt(f)
    }
}

impl Fault {
    /// What went wrong and, each on a line of its own that begins so, the last lines.
    pub fn with_last_lines(&self, begin: &str) -> String {
        let mut text = self.to_string();
        for line in &self.last_lines {
            text.push('\n');
            text.push_str(begin);
            text.push_str(line);
        }
        text
    }
}

impl std::error::Error for Fault {}
