//! A process, the lines that it writes, and the time at which each was read.

use super::fault::{Fault, What};
use super::lines::{LONGEST_LINE, Long, Part, read};
use super::spec::EngineSpec;
use super::start;
use super::supervisor::{NOT_STARTED, NOT_STARTED_LINE};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use ttd_search::cores::affinity;

/// The number of an engine's lines that may wait to be taken. Beyond that the engine waits.
const WAITING_LINES: usize = 1 << 11;
/// The number of last lines that are kept for the log.
const KEPT_LINES: usize = 12;
/// The most characters of a line in a message. The longest message of `ttd-cores` has some 400.
const SHOWN: usize = 600;
/// The time for which an engine may leave its input unread while its pipe is full.
const DEAF: Duration = Duration::from_secs(2);
/// The time that a process may take to end after it was asked to.
const QUIT: Duration = Duration::from_millis(500);
/// The time in which a supervisor kills all that is below it.
const CLEAR: Duration = Duration::from_secs(10);
/// The interval at which an ending process is looked at.
const LOOK: Duration = Duration::from_millis(1);

/// The running processes without a supervisor, by the numbers of their groups. The mutex is locked
/// while one is started, so that none is missed. Each is taken out when its [`Link`] is dropped.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Kills every engine: for a program that ends at once. A supervisor needs no such call.
pub fn kill_all() {
    for &group in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// A line from an engine.
#[derive(Debug)]
struct Line {
    at: Instant,
    text: Text,
}

#[derive(Debug)]
enum Text {
    Output(String),
    Errors(String),
    TooLong,
    /// The engine closed its output.
    End,
}

/// The virtual times of an engine on virtual cores. Every line begins with `@` and picoseconds; a
/// line that it was sent comes back, with `> ` behind its time.
#[derive(Debug)]
struct Stamps {
    /// The point on our clock that stands for the engine's zero.
    start: Instant,
    /// When it read the last `go`, if it has.
    go: Option<Instant>,
    /// Whether it has read `stop` since then.
    stopped: bool,
    /// Whether it has read another line since then. It reads one when all its threads wait.
    is_past: bool,
}

impl Stamps {
    /// A line that the engine wrote, and its time; none if it is one that it read.
    fn line(&mut self, stamped: &str) -> Option<(Instant, String)> {
        let stamped = stamped.strip_prefix('@')?;
        let (time, line) = stamped.split_at(stamped.find(|c: char| !c.is_ascii_digit())?);
        let at = self.start + Duration::from_nanos(time.parse::<u64>().ok()? / 1_000);
        match line.strip_prefix("> ") {
            Some(read) => {
                match read {
                    _ if read.starts_with("go ") => self.go = Some(at),
                    "stop" => self.stopped = self.go.is_some(),
                    _ => self.is_past = self.go.is_some(),
                }
                None
            }
            None => Some((at, line.trim_start().to_owned())),
        }
    }
}

/// A running process, its input and its output. When the link is dropped, the process and all that
/// it has started are killed.
#[derive(Debug)]
pub(super) struct Link {
    /// The engine's, or its supervisor's.
    child: Child,
    /// The engine's group; none if a supervisor kills all that the engine starts.
    group: Option<Pid>,
    /// None when it was closed.
    input: Option<ChildStdin>,
    program: String,
    lines: Receiver<Line>,
    last: VecDeque<String>,
    /// None on real cores.
    stamps: Option<Stamps>,
    /// Whether it did something wrong; then it is not asked to quit, but killed.
    broken: bool,
}

impl Link {
    /// Starts an engine's program, on these processors (any, if the list is empty).
    pub(super) fn start(spec: &EngineSpec, cpus: &[usize]) -> Result<Link, What> {
        let program = spec.command.first().cloned().unwrap_or_default();
        let not_started = |why| What::NotStarted { program: program.clone(), why };
        let failed = |error: io::Error| not_started(start::reason(&program, &error));
        let (mut command, supervised) = start::command(spec).map_err(not_started)?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // The process has a group of its own: then Ctrl-C reaches only us, and all that it
            // starts can be killed.
            .process_group(0);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = affinity::on(cpus, || command.spawn()).flatten().map_err(failed)?;
        let group = (!supervised).then(|| Pid::from_child(&child));
        running.extend(group);
        drop(running);
        let input = child.stdin.take().expect("it was asked for");
        let output = child.stdout.take().expect("it was asked for");
        let errors = child.stderr.take().expect("it was asked for");
        let (sender, lines) = sync_channel(WAITING_LINES);
        rustix::io::ioctl_fionbio(&input, true).map_err(|e| failed(e.into()))?;
        let readers = reader("engine's output", output, Long::Ends, &sender)
            .and_then(|()| reader("engine's errors", errors, Long::IsCut, &sender));
        let (input, last) = (Some(input), VecDeque::new());
        let zero = || Stamps { start: Instant::now(), go: None, stopped: false, is_past: false };
        let stamps = spec.virtually.as_ref().map(|_| zero());
        let named = program.clone();
        let link = Link { child, group, input, program: named, lines, last, stamps, broken: false };
        readers.map_err(failed)?;
        Ok(link)
    }

    /// Writes a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), What> {
        self.keep('>', line);
        if let Some(stamps) = self.stamps.as_mut().filter(|_| line.starts_with("go ")) {
            *stamps = Stamps { go: None, stopped: false, is_past: false, ..*stamps };
        }
        let text = format!("{line}\n");
        let mut rest = text.as_bytes();
        let begun = Instant::now();
        while !rest.is_empty() {
            let Some(input) = &mut self.input else { return Err(self.died()) };
            match input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    if begun.elapsed() > DEAF {
                        return Err(What::Deaf);
                    }
                    thread::sleep(LOOK);
                }
                Err(_) => return Err(self.died()),
            }
        }
        Ok(())
    }

    /// The beginning of a search that was sent at this time. On virtual cores the engine says when
    /// it read it; none if it has not.
    pub(super) fn begun(&self, sent: Instant) -> Option<Instant> {
        self.stamps.as_ref().map_or(Some(sent), |stamps| stamps.go)
    }

    /// On virtual cores: whether it has read `stop` since the last `go`.
    pub(super) fn is_stopped(&self) -> bool {
        self.stamps.as_ref().is_some_and(|stamps| stamps.stopped)
    }

    /// On virtual cores: whether it has read a line behind the last `go`, other than `stop`.
    pub(super) fn is_past(&self) -> bool {
        self.stamps.as_ref().is_some_and(|stamps| stamps.is_past)
    }

    /// Whether a line of this time came after `until`, by the host's clock.
    pub(super) fn is_late(&self, at: Instant, until: Instant) -> bool {
        let read = if self.stamps.is_some() { Instant::now() } else { at };
        read > until
    }

    /// The process is of no more use: it is not asked to quit.
    pub(super) fn give_up(&mut self) {
        self.broken = true;
    }

    /// The next line of its output and the time it was read; none if there is none before `until`.
    pub(super) fn line(&mut self, until: Instant) -> Result<Option<(Instant, String)>, What> {
        loop {
            let wait = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(wait) {
                Ok(Line { at, text: Text::Output(text) }) => {
                    self.keep('<', &text);
                    let Some(stamps) = &mut self.stamps else { return Ok(Some((at, text))) };
                    if let Some(line) = stamps.line(&text) {
                        return Ok(Some(line));
                    }
                    if wait.is_zero() {
                        return Ok(None);
                    }
                }
                Ok(Line { text: text @ Text::Errors(_), .. }) => {
                    self.keep_line(&text);
                    // The time limit holds even if lines come all the time.
                    if wait.is_zero() {
                        return Ok(None);
                    }
                }
                Ok(Line { text: Text::TooLong, .. }) => return Err(What::Garbage(LONGEST_LINE)),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Ok(Line { text: Text::End, .. }) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.died());
                }
            }
        }
    }

    /// Returns the fault with the last lines. The process will be killed.
    pub(super) fn fault(&mut self, what: What) -> Fault {
        self.broken = true;
        Fault { what, last_lines: self.last.iter().cloned().collect() }
    }

    /// Describes how it ended, after it has stopped to write or to read.
    fn died(&mut self) -> What {
        let ended = self.ended_within(QUIT);
        // The last lines that it wrote are read first.
        let until = Instant::now() + QUIT;
        loop {
            let wait = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(wait) {
                Ok(line) if !wait.is_zero() => self.keep_line(&line.text),
                _ => break,
            }
        }
        let not_started = self.last.back().and_then(|line| line.strip_prefix("! "));
        let not_started = not_started.and_then(|line| line.strip_prefix(NOT_STARTED_LINE));
        if let (Some(number), Some(NOT_STARTED)) = (not_started, ended.and_then(|s| s.code())) {
            let error = io::Error::from_raw_os_error(number.parse().unwrap_or(0));
            let why = start::reason(&self.program, &error);
            return What::NotStarted { program: self.program.clone(), why };
        }
        What::Died(match ended {
            None => "it closed its input or output".to_owned(),
            Some(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("exit status {code}"),
                (None, Some(signal)) => format!("signal {signal}"),
                (None, None) => "no status".to_owned(),
            },
        })
    }

    fn ended_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let begun = Instant::now();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if begun.elapsed() > time {
                return None;
            }
            // Lines must be taken: a process that waits for room to write would never end.
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => self.keep_line(&line.text),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => thread::sleep(LOOK),
            }
        }
    }

    fn keep_line(&mut self, text: &Text) {
        match text {
            Text::Output(line) => self.keep('<', line),
            Text::Errors(line) => self.keep('!', line),
            Text::TooLong | Text::End => {}
        }
    }

    fn keep(&mut self, direction: char, line: &str) {
        if self.last.len() == KEPT_LINES {
            self.last.pop_front();
        }
        self.last.push_back(format!("{direction} {}", shortened(line)));
    }
}

/// A line as messages show it: at most [`SHOWN`] characters, with a mark where it was cut.
fn shortened(line: &str) -> String {
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if !self.broken && self.send("quit").is_ok() {
            let _ = self.ended_within(QUIT);
        }
        // A supervisor now kills all that is below it, and ends.
        self.input = None;
        if self.group.is_none() {
            let _ = self.ended_within(CLEAR);
            let _ = self.child.kill();
        }
        if let Some(group) = self.group {
            // The group also holds the processes that it has started; it is empty if all have
            // ended.
            let _ = kill_process_group(group, Signal::KILL);
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            running.retain(|other| *other != group);
        }
        let _ = self.child.wait();
    }
}

/// Reads a stream on a thread of its own.
fn reader(
    name: &str,
    stream: impl Read + Send + 'static,
    long: Long,
    lines: &SyncSender<Line>,
) -> io::Result<()> {
    let lines = lines.clone();
    let work = move || {
        // An error means that the receiver has gone, which is no fault.
        let text = if long == Long::Ends { Text::Output } else { Text::Errors };
        read(stream, long, |at, part| {
            let text = match part {
                Part::Line(line) => text(line),
                Part::TooLong => Text::TooLong,
            };
            lines.send(Line { at, text }).is_ok()
        });
        if long == Long::Ends {
            let _ = lines.send(Line { at: Instant::now(), text: Text::End });
        }
    };
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_with_a_mark() {
        assert_eq!(shortened("no hook"), "no hook");
        let whole = "ä".repeat(SHOWN);
        assert_eq!(shortened(&whole), whole);
        assert_eq!(shortened(&format!("{whole}b")), format!("{whole}…"));
    }
}
