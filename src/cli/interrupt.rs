//! Ctrl-C, and requests to end.

use super::format;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The time within which several signals are one request. `timeout`, and some shells, signal the
/// program and then the group of processes that it belongs to.
const ONE_REQUEST: Duration = Duration::from_secs(1);

/// A flag that is set at the first Ctrl-C (or request to end): then the running task ends in good
/// order. A second request ends the program at once.
pub(super) fn flag() -> anyhow::Result<&'static AtomicBool> {
    let first = OnceLock::new();
    ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if first.get_or_init(Instant::now).elapsed() > ONE_REQUEST {
            crate::uci::kill_all();
            std::process::exit(130);
        }
    })?;
    Ok(&INTERRUPTED)
}

/// The command that goes on in a results directory, with the file there.
pub(super) fn resume(command: &str, dir: &Path, file: &str) -> String {
    let word = |path: PathBuf| format::shell_word(&path.to_string_lossy());
    // The program is named as in this call: perhaps it is not on the path.
    let program = word(env::args_os().next().map_or_else(|| "ttd".into(), PathBuf::from));
    format!("{program} {command} {} --out {}", word(dir.join(file)), word(dir.to_owned()))
}
