//! Lines of the program, in and out, and the file of the timeline. Who reads lines is in
//! `readers.rs`.
//!
//! Input comes line by line, and only when every thread waits: no line overtakes the answer to the
//! one before. The program's standard input is replaced by a pipe that holds one line at most.
//! Whoever is about to read from an empty pipe waits for that first.
//!
//! The line `ttd-cores stop-at N` is kept from the program. N picoseconds after the program has
//! read the next `go` it reads `stop`, even while it searches. A stamped `bestmove` takes that off.
//!
//! If asked to, output is stamped with virtual time (see below). Then no line is read after a `go`
//! of UCI until `bestmove` answers it. Exceptions are `infinite`, `ponder` and `perft`. A search
//! that cannot answer ends the program with a message.
//!
//! A stamp is virtual time. A pipe takes the standard output, and is emptied when its writer gives
//! the turn away. Each line gets `@` and picoseconds before it. Each line of input is repeated so,
//! with `>` behind the time. Before a `bestmove` a line tells the times of all threads since the
//! last line of input. It is one line:
//!
//!     @T info string ttd-cores since_ps=S busy_ps=B,B,... wait_ps=W,W,...
//!         queue_ps=Q,Q,... threads=N
//!
//! The lists have a number for each thread, in the order in which threads were made. Threads that
//! ended meanwhile are there too. S is the virtual time at which that line was read, and T the
//! stamp.

use crate::host;
use crate::processor::system_call;
use crate::runtime::{self, is_here};
use libc::c_int;
use std::cell::UnsafeCell;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{FromRawFd as _, IntoRawFd as _};
use std::path::PathBuf;
use ttd_cores::schedule::{Picoseconds, Schedule, Spent};
use ttd_cores::timeline::HEADER;

/// The beginning of a line for this library.
const CONTROL: &str = "ttd-cores ";

/// The virtual time in which a search must answer.
const DAY: Picoseconds = 86_400_000_000_000_000;

/// The longest time until a stop: 23 days.
const LONGEST: Picoseconds = 2_000_000_000_000_000_000;

/// The numbers of what a program has from outside, but for its time.
#[derive(Default)]
struct Outside {
    /// Where the program's input really comes from.
    source: c_int,
    /// The end of the pipe that is written.
    sink: c_int,
    /// Bytes that were read and not yet handed out.
    rest: Vec<u8>,
    /// Where the output goes to, if it is stamped, and the end of the pipe that is read.
    output: Option<(c_int, c_int)>,
    /// Bytes of a line of output that is not at its end.
    begun: Vec<u8>,
    /// The last stamp: no later line has an earlier one, although clocks differ.
    stamped: Picoseconds,
    /// The time from the next `go` to its `stop`.
    stop_after: Option<Picoseconds>,
    /// Whether the alarm of the schedule is a `stop`. Else it ends a search that does not answer.
    stops: bool,
    /// Whether the program speaks UCI.
    is_uci: bool,
    timeline: Option<Writer>,
}

/// Invariant: written before the first thread is made; later only the thread that has the turn
/// touches it.
struct Shared(UnsafeCell<Option<Outside>>);

// SAFETY: see the invariant.
unsafe impl Sync for Shared {}

static OUTSIDE: Shared = Shared(UnsafeCell::new(None));

fn outside() -> Option<&'static mut Outside> {
    if !is_here() {
        return None;
    }
    // SAFETY: the caller has the turn, and no reference outlives a call below.
    unsafe { (*OUTSIDE.0.get()).as_mut() }
}

/// The file of the timeline, and its largest size.
pub(crate) struct Writer {
    file: File,
    path: PathBuf,
    most_mib: usize,
}

impl Writer {
    /// A new file with the header. Its number lies beyond those of the program.
    pub(crate) fn new(path: PathBuf, most_mib: usize) -> Self {
        let failed = |why: std::io::Error| {
            runtime::refuse(&format!("the timeline {} cannot be written: {why}", path.display()))
        };
        let made = File::create(&path).unwrap_or_else(failed);
        let number: c_int = made.into_raw_fd();
        // SAFETY: plain calls with a file of this library.
        let kept = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 200) };
        if kept < 0 {
            // A process may have too few files.
            failed(std::io::Error::last_os_error());
        }
        // SAFETY: as above, and nobody else has the new number.
        let file = unsafe {
            libc::close(number);
            File::from_raw_fd(kept)
        };
        let mut of = Writer { file, path, most_mib };
        of.write(HEADER.as_bytes());
        of
    }

    /// The largest size in bytes, without the last row of each thread.
    pub(crate) fn most_bytes(&self) -> usize {
        (self.most_mib << 20) - HEADER.len()
    }

    fn write(&mut self, rows: &[u8]) {
        if let Err(why) = self.file.write_all(rows) {
            runtime::refuse(&format!(
                "the timeline {} cannot be written: {why}",
                self.path.display()
            ));
        }
    }
}

/// Writes what the schedule has recorded: much at once, and all of it at the end of a search.
fn follow(writer: &mut Option<Writer>, schedule: &mut Schedule) {
    let Some(writer) = writer else { return };
    let (timeline, is_cut) = schedule.timeline();
    timeline.take(|rows| writer.write(rows));
    if is_cut {
        let (path, most_mib) = (writer.path.display(), writer.most_mib);
        // The program goes on, also if nobody reads its standard error.
        let _ = writeln!(
            std::io::stderr(),
            "ttd-cores: the timeline {path} ends at {most_mib} MiB (--timeline-mib)"
        );
    }
}

/// Replaces the standard input by a pipe of lines, and the output by one too if it is stamped.
pub(crate) fn prepare(is_stamped: bool, timeline: Option<Writer>) {
    let (source, sink) = piped(0);
    let output = is_stamped.then(|| piped(1));
    let of = Outside { source, sink, output, timeline, ..Outside::default() };
    // SAFETY: no thread was made yet.
    unsafe { *OUTSIDE.0.get() = Some(of) };
}

/// Replaces a standard file of the program by a pipe of a mebibyte: where the file led to, and the
/// other end of the pipe.
fn piped(file: c_int) -> (c_int, c_int) {
    let mut ends = [0; 2];
    let (own, other) = if file == 0 { (0, 1) } else { (1, 0) };
    // SAFETY: plain calls. Our files lie beyond those of a program.
    unsafe {
        let before = libc::fcntl(file, libc::F_DUPFD_CLOEXEC, 200);
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            runtime::refuse("there is no pipe for the input or the output");
        }
        libc::fcntl(ends[1], libc::F_SETPIPE_SZ, 1 << 20);
        let kept = libc::fcntl(ends[other], libc::F_DUPFD_CLOEXEC, 200);
        libc::dup2(ends[own], file);
        libc::close(ends[0]);
        libc::close(ends[1]);
        (before, kept)
    }
}

/// How many bytes a pipe holds.
fn held(pipe: c_int) -> usize {
    let mut held: c_int = 0;
    // SAFETY: the kernel writes a number.
    unsafe { libc::ioctl(pipe, libc::FIONREAD, &raw mut held) };
    held as usize
}

/// Stamps the output of the running thread, and writes the timeline.
pub(crate) fn stamp(schedule: &mut Schedule) {
    // SAFETY: the caller has the turn.
    let Some(of) = (unsafe { (*OUTSIDE.0.get()).as_mut() }) else { return };
    follow(&mut of.timeline, schedule);
    let Some((sink, pipe)) = of.output else { return };
    let count = held(pipe);
    if count == 0 {
        return;
    }
    let start = of.begun.len();
    of.begun.resize(start + count, 0);
    let rest = of.begun[start..].as_mut_ptr();
    // SAFETY: the buffer has room for what the pipe holds.
    unsafe { system_call(libc::SYS_read, [pipe as usize, rest as usize, count, 0, 0, 0]) };
    of.stamped = of.stamped.max(schedule.now());
    let stamp = format!("@{} ", of.stamped);
    while let Some(end) = of.begun.iter().position(|&byte| byte == b'\n') {
        let line: Vec<u8> = of.begun.drain(..=end).collect();
        if begins_with(&line, "bestmove") {
            schedule.set_alarm(None);
            schedule.answers();
            follow(&mut of.timeline, schedule);
            write_all(sink, stamp.as_bytes(), account(schedule).as_bytes());
        }
        write_all(sink, stamp.as_bytes(), &line);
    }
}

/// Whether a line begins with a word.
fn begins_with(line: &[u8], word: &str) -> bool {
    line.split(u8::is_ascii_whitespace).next() == Some(word.as_bytes())
}

/// The line that tells what each thread has spent.
fn account(schedule: &Schedule) -> String {
    let (since, all) = schedule.account();
    let list = |of: fn(&Spent) -> Picoseconds| {
        all.iter().map(|spent| of(spent).to_string()).collect::<Vec<_>>().join(",")
    };
    let (busy, wait, queue) = (list(|of| of.busy), list(|of| of.wait), list(|of| of.queue));
    let threads = all.len();
    format!(
        "info string ttd-cores since_ps={since} busy_ps={busy} wait_ps={wait} queue_ps={queue} \
         threads={threads}\n"
    )
}

/// Writes two pieces to a file.
fn write_all(file: c_int, head: &[u8], line: &[u8]) {
    let all = [head, line].concat();
    let mut rest = all.as_slice();
    while !rest.is_empty() {
        let write = [file as usize, rest.as_ptr() as usize, rest.len(), 0, 0, 0];
        // SAFETY: the bytes live here.
        match unsafe { system_call(libc::SYS_write, write) } {
            written @ 1.. => rest = &rest[written as usize..],
            _ => return,
        }
    }
}

/// Waits until the pipe holds something or is closed, or until a time of the caller's; for a thread
/// that is about to read it. False if that time came first.
pub(crate) fn await_line(until: Option<Picoseconds>) -> bool {
    loop {
        let Some(of) = outside() else { return true };
        if held(0) > 0 || of.sink < 0 {
            return true;
        }
        let is_late = runtime::pass(|schedule| schedule.external_wait(until));
        let (is_alarm, now) = runtime::enter(|runtime| {
            // An answer that is not yet stamped takes the alarm off.
            (runtime.before)(&mut runtime.schedule);
            (runtime.schedule.takes_alarm(), runtime.schedule.now())
        })
        .unwrap_or_default();
        match (is_alarm, is_late) {
            (true, _) => ring(),
            (false, false) => feed(),
            (false, true) if until.is_some_and(|until| until <= now) => return false,
            // The alarm was taken off before this thread had a processor, or by another one.
            (false, true) => continue,
        }
        return true;
    }
}

/// Gives the program what it is due, without a wait.
pub(crate) fn look() {
    if runtime::enter(|runtime| runtime.schedule.takes_alarm()) == Some(true) {
        ring();
    }
}

/// The alarm: a stop is due, whose answer is awaited then, or an answer has not come.
fn ring() {
    let Some(of) = outside() else { return };
    if !of.stops {
        let begun = runtime::enter(|runtime| {
            runtime.schedule.answers();
            (runtime.before)(&mut runtime.schedule);
            runtime.schedule.account().0
        });
        let begun = begun.unwrap_or(0);
        runtime::refuse(&format!(
            "every thread waits, or a day is over, and the search from {:.6} s of virtual time has no answer",
            begun as f64 / 1e12
        ));
    }
    of.stops = false;
    let is_awaited = of.is_uci && of.output.is_some();
    set_alarm_in(is_awaited.then_some(DAY));
    give(b"stop\n");
}

fn set_alarm_in(time: Option<Picoseconds>) {
    runtime::enter(|runtime| {
        let now = runtime.schedule.now();
        runtime.schedule.set_alarm(time.map(|time| now + time));
    });
}

/// Moves a line from the source to the pipe, or closes the pipe at its end.
fn feed() {
    let mut after = outside().and_then(|of| of.stop_after.take());
    let line = loop {
        let Some(line) = outside().map(next_line) else { return };
        match line.strip_prefix(CONTROL.as_bytes()) {
            Some(order) => after = Some(stop_after(order)),
            None => break line,
        }
    };
    let is_search = begins_with(&line, "go");
    let stop = after.take_if(|_| is_search);
    runtime::enter(|runtime| runtime.schedule.reads(is_search));
    let Some(of) = outside() else { return };
    (of.stop_after, of.stops) = (after, stop.is_some());
    of.is_uci |= begins_with(&line, "uci");
    let mut words = line.split(u8::is_ascii_whitespace);
    let is_open = words.any(|word| [&b"infinite"[..], b"ponder", b"perft"].contains(&word));
    let is_awaited = is_search && !is_open && of.is_uci && of.output.is_some();
    set_alarm_in(stop.or(is_awaited.then_some(DAY)));
    give(&line);
    let Some(of) = outside() else { return };
    if !line.ends_with(b"\n") {
        // SAFETY: a file of this library.
        unsafe { libc::close(of.sink) };
        of.sink = -1;
    }
}

/// The time in a line for this library.
fn stop_after(order: &[u8]) -> Picoseconds {
    let order = String::from_utf8_lossy(order);
    let mut words = order.split_whitespace();
    let time = match (words.next(), words.next(), words.next()) {
        (Some("stop-at"), Some(time), None) => time.parse().ok(),
        _ => None,
    };
    time.filter(|time| (1..=LONGEST).contains(time)).unwrap_or_else(|| {
        runtime::refuse(&format!(
            "the line \"{CONTROL}{}\" was read: stop-at and 1 to {LONGEST} picoseconds were expected",
            order.trim_end()
        ))
    })
}

/// The next line of the source, with its end; or what is left before the end of the source.
fn next_line(of: &mut Outside) -> Vec<u8> {
    let mut buffer = [0u8; 4096];
    // The host's limit is of one line, and not of the wait for it.
    host::rest();
    let length = loop {
        if let Some(end) = of.rest.iter().position(|&byte| byte == b'\n') {
            break end + 1;
        }
        let read = [of.source as usize, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0, 0];
        // SAFETY: the buffer lives here.
        let count = unsafe { system_call(libc::SYS_read, read) };
        if [libc::EINTR, libc::EAGAIN].contains(&(-count as c_int)) {
            await_source(of.source);
            continue;
        }
        if count <= 0 {
            break of.rest.len();
        }
        of.rest.extend_from_slice(&buffer[..count as usize]);
    };
    host::begin_line();
    of.rest.drain(..length).collect()
}

/// Puts a line into the pipe, and repeats it on the output if that is stamped.
fn give(line: &[u8]) {
    let now = runtime::now();
    // No call of the runtime stands below: it would look after the output.
    let Some(of) = outside() else { return };
    if let (Some((output, _)), Some(now)) = (of.output.filter(|_| !line.is_empty()), now) {
        of.stamped = of.stamped.max(now);
        let told = [line.trim_ascii_end(), b"\n"].concat();
        write_all(output, format!("@{}> ", of.stamped).as_bytes(), &told);
    }
    write_all(of.sink, &[], line);
}

/// Waits until a file can be read that does not wait by itself.
fn await_source(fd: c_int) {
    let mut asked = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    // SAFETY: the question lives here; there is neither a time nor a mask.
    unsafe { system_call(libc::SYS_ppoll, [&raw mut asked as usize, 1, 0, 0, 0, 0]) };
}
