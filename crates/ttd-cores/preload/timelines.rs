//! The file of the timeline.

use crate::runtime::refuse;
use libc::c_int;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{FromRawFd as _, IntoRawFd as _};
use ttd_cores::schedule::Schedule;
use ttd_cores::timeline::HEADER;

/// So many bytes are written at once.
const ENOUGH: usize = 1 << 15;

/// The file, and its largest size.
pub(crate) struct Writer {
    file: File,
    path: String,
    most_mib: usize,
}

impl Writer {
    /// A new file with the header. Its number lies beyond those of the program.
    pub(crate) fn new(path: String, most_mib: usize) -> Self {
        let failed =
            |why: std::io::Error| refuse(&format!("the timeline {path} cannot be written: {why}"));
        let made = File::create(&path).unwrap_or_else(failed);
        let number: c_int = made.into_raw_fd();
        // SAFETY: plain calls with a file of this library.
        let file = unsafe {
            let kept = libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 200);
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
            refuse(&format!("the timeline {} cannot be written: {why}", self.path));
        }
    }
}

/// Writes what the schedule has recorded; all of it, if so asked, or else much at once.
pub(crate) fn follow(writer: &mut Option<Writer>, schedule: &mut Schedule, is_all: bool) {
    let Some(writer) = writer else { return };
    let (timeline, is_cut) = schedule.timeline();
    if let Some(rows) = timeline.take(if is_cut || is_all { 1 } else { ENOUGH }) {
        writer.write(&rows);
    }
    if is_cut {
        let Writer { path, most_mib, .. } = writer;
        eprintln!("ttd-cores: the timeline {path} ends at {most_mib} MiB (--timeline-mib)");
    }
}
