//! The file of the timeline.

use crate::runtime::refuse;
use libc::c_int;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{FromRawFd as _, IntoRawFd as _};
use std::path::PathBuf;
use ttd_cores::schedule::Schedule;
use ttd_cores::timeline::HEADER;

/// The file, and its largest size.
pub(crate) struct Writer {
    file: File,
    path: PathBuf,
    most_mib: usize,
}

impl Writer {
    /// A new file with the header. Its number lies beyond those of the program.
    pub(crate) fn new(path: PathBuf, most_mib: usize) -> Self {
        let failed = |why: std::io::Error| {
            refuse(&format!("the timeline {} cannot be written: {why}", path.display()))
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
            refuse(&format!("the timeline {} cannot be written: {why}", self.path.display()));
        }
    }
}

/// Writes what the schedule has recorded: much at once, and all of it at the end of a search.
pub(crate) fn follow(writer: &mut Option<Writer>, schedule: &mut Schedule) {
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
