//! A small process between this program and an engine, so that nothing of an engine outlives the
//! run. It is this program itself, called by another word.
//!
//! The supervisor starts the engine and waits for its end. It also watches the other end of the
//! engine's input, which this program alone holds. If this program closes it, or dies in whatever
//! way, the supervisor kills all that is below it. A process whose parent has ended goes to the
//! supervisor, which has asked the system for that (`PR_SET_CHILD_SUBREAPER`). So nothing gets
//! away, whatever sessions, groups or forks an engine makes.
//!
//! Linux has this. On other systems, and where the program was not started by
//! [`crate::main_with`], there is no supervisor: a process group is killed instead. If somebody
//! kills the supervisor and this program at once, the engine runs on.

#[cfg(target_os = "linux")]
mod process;

pub(super) use process::{NOT_STARTED, NOT_STARTED_LINE};

use std::env;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};

/// The first argument of a supervisor; then come the program and its arguments.
const WORD: &str = "--supervise-engine";
/// Whether this program can be called as a supervisor. It is set before there are other threads.
static CAN_BE_CALLED: AtomicBool = AtomicBool::new(false);

/// Does the work of a supervisor, if this program was called for it: then the value is its exit
/// status. It must be called first of all.
pub fn supervise() -> Option<ExitCode> {
    let mut words = env::args_os().skip(1);
    if words.next().is_some_and(|word| word == WORD) {
        return Some(process::run(words.collect()));
    }
    CAN_BE_CALLED.store(cfg!(target_os = "linux"), Ordering::Relaxed);
    None
}

/// The command that starts these words; the second value is whether a supervisor does it.
pub(super) fn command(words: &[String]) -> (Command, bool) {
    let own = CAN_BE_CALLED.load(Ordering::Relaxed).then(process::own_program).flatten();
    let Some(own) = own else {
        let (program, arguments) = words.split_first().expect("a command has a first word");
        let mut command = Command::new(program);
        command.args(arguments);
        return (command, false);
    };
    let mut command = Command::new(own);
    command.arg(WORD).args(words);
    (command, true)
}

#[cfg(not(target_os = "linux"))]
mod process {
    use std::ffi::OsString;
    use std::path::PathBuf;
    use std::process::ExitCode;

    pub(in crate::uci) const NOT_STARTED: i32 = 126;
    pub(in crate::uci) const NOT_STARTED_LINE: &str = "cannot be started: error ";

    pub(super) fn own_program() -> Option<PathBuf> {
        None
    }

    pub(super) fn run(_words: Vec<OsString>) -> ExitCode {
        ExitCode::from(2)
    }
}
