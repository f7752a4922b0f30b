//! A process, the lines that it writes, and the time at which each was read.

use super::fault::{Fault, What};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use ttd_search::cores::affinity;

/// The number of an engine's lines that may wait to be taken. Beyond that the engine waits.
const WAITING_LINES: usize = 1 << 16;
/// The longest line that is accepted, in bytes; no line of either protocol is longer.
const LONGEST_LINE: usize = 1 << 16;
/// The number of last lines that are kept for the log.
const KEPT_LINES: usize = 12;
/// The time for which an engine may leave its input unread while its pipe is full.
const DEAF: Duration = Duration::from_secs(2);
/// The time that a process may take to end after it was asked to.
const QUIT: Duration = Duration::from_millis(500);
/// The interval at which an ending process is looked at.
const LOOK: Duration = Duration::from_millis(1);

/// The running processes, by the numbers of their groups. The mutex is locked while one is started,
/// so that none is missed. Each is taken out when its [`Link`] is dropped.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Kills every engine: for a program that ends at once.
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

/// A running process, its input and its output. When the link is dropped, the process and all that
/// it has started are killed.
#[derive(Debug)]
pub(super) struct Link {
    child: Child,
    group: Pid,
    input: ChildStdin,
    lines: Receiver<Line>,
    last: VecDeque<String>,
    /// Whether it did something wrong; then it is not asked to quit, but killed.
    broken: bool,
}

impl Link {
    /// Starts a program with arguments, on these processors (any, if the list is empty).
    pub(super) fn start(command: &[String], cpus: &[usize]) -> Result<Link, What> {
        let (program, arguments) = command.split_first().expect("a command has a first word");
        let failed =
            |error: io::Error| What::NotStarted { program: program.clone(), why: reason(&error) };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // The process has a group of its own: then Ctrl-C reaches only us, and all that it
            // starts can be killed.
            .process_group(0);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = affinity::on(cpus, || command.spawn()).flatten().map_err(failed)?;
        let group = Pid::from_child(&child);
        running.push(group);
        drop(running);
        let input = child.stdin.take().expect("it was asked for");
        let output = child.stdout.take().expect("it was asked for");
        let errors = child.stderr.take().expect("it was asked for");
        let (sender, lines) = sync_channel(WAITING_LINES);
        let link = Link { child, group, input, lines, last: VecDeque::new(), broken: false };
        rustix::io::ioctl_fionbio(&link.input, true).map_err(|e| failed(e.into()))?;
        let readers = thread::Builder::new().name("engine's output".to_owned()).spawn({
            let sender = sender.clone();
            move || {
                read(output, &sender, Text::Output);
                // An error means that the receiver has gone, which is no fault.
                let _ = sender.send(Line { at: Instant::now(), text: Text::End });
            }
        });
        let more = thread::Builder::new()
            .name("engine's errors".to_owned())
            .spawn(move || read(errors, &sender, Text::Errors));
        readers.and(more).map_err(failed)?;
        Ok(link)
    }

    /// Writes a line.
    pub(super) fn send(&mut self, line: &str) -> Result<(), What> {
        self.keep('>', line);
        let text = format!("{line}\n");
        let mut rest = text.as_bytes();
        let begun = Instant::now();
        while !rest.is_empty() {
            match self.input.write(rest) {
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

    /// The next line of its output and the time it was read; none if there is none before `until`.
    pub(super) fn line(&mut self, until: Instant) -> Result<Option<(Instant, String)>, What> {
        loop {
            let wait = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(wait) {
                Ok(Line { at, text: Text::Output(text) }) => {
                    self.keep('<', &text);
                    return Ok(Some((at, text)));
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
        What::Died(match ended {
            None => "it closed its input or output".to_owned(),
            Some(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("exit status {code}"),
                (None, Some(signal)) => format!("signal {signal}"),
                (None, None) => "no status".to_owned(),
            },
        })
    }

    fn ended_within(&mut self, time: Duration) -> Option<std::process::ExitStatus> {
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
        let short: String = line.chars().take(300).collect();
        self.last.push_back(format!("{direction} {short}"));
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if !self.broken && self.send("quit").is_ok() {
            let _ = self.ended_within(QUIT);
        }
        // The group also holds the processes that it has started; it is empty if all have ended.
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = self.child.wait();
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|group| *group != self.group);
    }
}

/// Sends on the output, line by line, until its end or until the receiver has gone. A carriage
/// return ends a line too (Crafty's). Other control characters (its bells) and empty lines are left
/// out.
fn read(stream: impl Read, lines: &SyncSender<Line>, text: fn(String) -> Text) {
    let mut stream = BufReader::with_capacity(LONGEST_LINE, stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let line = (&mut stream).take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        let at = Instant::now();
        match line {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if bytes.len() > LONGEST_LINE {
            let _ = lines.send(Line { at, text: Text::TooLong });
            return;
        }
        for part in bytes.split(|byte| matches!(byte, b'\r' | b'\n')) {
            let plain: String = String::from_utf8_lossy(part)
                .chars()
                .filter(|c| *c == '\t' || !c.is_control())
                .collect();
            if !plain.is_empty() && lines.send(Line { at, text: text(plain) }).is_err() {
                return;
            }
        }
    }
}

/// The message of the system, without its number.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such program".to_owned(),
        io::ErrorKind::PermissionDenied => "it is not executable".to_owned(),
        _ => error.to_string(),
    }
}
