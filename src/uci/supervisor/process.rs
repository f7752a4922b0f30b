//! The work of a supervisor, on Linux.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, kill_process,
    set_child_subreaper, setrlimit, wait,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, exit};
use std::thread;
use std::time::{Duration, Instant};

/// The exit status if the engine could not be started; the number of the error is in a line.
pub(in crate::uci) const NOT_STARTED: i32 = 126;
/// That line, on standard error, before the number.
pub(in crate::uci) const NOT_STARTED_LINE: &str = "cannot be started: error ";
/// The time after which processes that do not die are left alone: the system holds them.
const GIVE_UP: Duration = Duration::from_secs(5);
/// The interval at which dying processes are looked at.
const LOOK: Duration = Duration::from_millis(2);

/// The path of this program. If its file was replaced, that of the file that it was started
/// from.
pub(super) fn own_program() -> Option<PathBuf> {
    let link = Path::new("/proc/self/exe");
    let path = fs::read_link(link).ok()?;
    Some(if path.exists() { path } else { link.to_owned() })
}

/// Starts an engine, and ends with it.
pub(super) fn run(words: Vec<OsString>) -> ExitCode {
    let _ = set_child_subreaper(Some(getpid()));
    // Whoever tells all processes of this name to end means the engine too.
    let _ = ctrlc::set_handler(|| {
        kill_all_below();
        exit(0);
    });
    let mut words = words.into_iter();
    let Some(program) = words.next() else { return ExitCode::from(2) };
    // The engine's group is its own: a signal to the supervisor's reaches only that.
    let engine = match Command::new(program).args(words).process_group(0).spawn() {
        Ok(engine) => Pid::from_child(&engine),
        Err(error) => {
            eprintln!("{NOT_STARTED_LINE}{}", error.raw_os_error().unwrap_or(0));
            return ExitCode::from(NOT_STARTED as u8);
        }
    };
    leave_outputs();
    thread::spawn(|| {
        wait_for_hang_up();
        kill_all_below();
        exit(0);
    });
    let status = wait_for(engine);
    kill_all_below();
    end_as(status)
}

/// Leaves the engine's outputs to the engine: they end when it closes them.
fn leave_outputs() {
    if let Ok(null) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
}

/// Waits until nobody can write to the engine's input any more.
fn wait_for_hang_up() {
    let input = std::io::stdin();
    loop {
        // Only the end is of interest, and it is always told.
        let mut inputs = [PollFd::new(&input, PollFlags::empty())];
        match poll(&mut inputs, None) {
            Ok(_) if inputs[0].revents().is_empty() => {}
            Err(rustix::io::Errno::INTR) => {}
            Ok(_) | Err(_) => return,
        }
    }
}

/// Waits for the end of the engine. Other processes that end below are taken away.
fn wait_for(engine: Pid) -> Option<WaitStatus> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((ended, status))) if ended == engine => return Some(status),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// Kills all processes below this one, and waits for their end.
///
/// A list of processes is never complete: one of them may start another and end while the list is
/// made. So the system says whether any is left. An orphan becomes a child of this process, in one
/// step with its parent's end, and `wait` knows of all children.
fn kill_all_below() {
    let begun = Instant::now();
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => continue,
            Ok(None) if begun.elapsed() <= GIVE_UP => {}
            Ok(None) | Err(_) => return,
        }
        for process in below(getpid()) {
            let _ = kill_process(process, Signal::KILL);
        }
        thread::sleep(LOOK);
    }
}

/// The processes below one, in no order. A dead one that nobody waited for is among them, if
/// its parent lives. One that starts meanwhile may be missing.
fn below(top: Pid) -> Vec<Pid> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let text = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        if let Some(parent) = parent(&text) {
            children.entry(parent).or_default().push(id);
        }
    }
    let mut found = Vec::new();
    let mut open = vec![top.as_raw_nonzero().get()];
    while let Some(one) = open.pop() {
        for child in children.remove(&one).unwrap_or_default() {
            open.push(child);
            found.extend(Pid::from_raw(child));
        }
    }
    found
}

/// The parent of a process, by the text of its `stat`. Its name may hold anything.
fn parent(stat: &str) -> Option<i32> {
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Ends as the engine did.
fn end_as(status: Option<WaitStatus>) -> ExitCode {
    let Some(status) = status else { return ExitCode::FAILURE };
    let signal = status.terminating_signal().and_then(Signal::from_named_raw);
    if let Some(signal) = signal {
        // The engine's memory may be worth a file, and ours is not.
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        // The first one may only put the usual treatment of the signal in its place.
        for _ in 0..2 {
            let _ = kill_process(getpid(), signal);
            thread::sleep(LOOK);
        }
    }
    ExitCode::from(status.exit_status().unwrap_or(128) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        assert_eq!(parent("7 (a) S 1 (b c) S 12 7 7 0"), Some(12));
        assert_eq!(parent("7 (sh) Z 3 7"), Some(3));
        assert_eq!((parent(""), parent("7 (sh)")), (None, None));
    }

    #[test]
    fn children_are_below() {
        let mut child = Command::new("sleep").arg("100").spawn().expect("it starts");
        assert!(below(getpid()).contains(&Pid::from_child(&child)));
        child.kill().and_then(|()| child.wait()).expect("it ends");
        assert!(!below(getpid()).contains(&Pid::from_child(&child)));
    }
}
