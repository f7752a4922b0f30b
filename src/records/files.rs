//! Writing files whole, and removing them.

use super::error::ResultsError;
use super::opened;
use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{io, thread};

/// The longest wait for a turn. The lock may be that of a process that waits for this one.
const LONGEST_TURN: Duration = Duration::from_secs(20);

/// Waits until nobody else writes a report into this directory. The turn ends with the returned
/// value, or with the process. It is not the lock of a run, so a report stands beside a run. There
/// is none after 20 s, and where the directory or its file system cannot be locked.
pub(crate) fn turn(dir: &Path) -> Option<File> {
    let dir = File::open(dir).ok()?;
    let begun = Instant::now();
    while begun.elapsed() < LONGEST_TURN {
        match dir.try_lock() {
            Ok(()) => return Some(dir),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::Error(_)) => return None,
        }
    }
    None
}

/// Writes a file in one step, and makes its directory if that is missing. The bytes are written to
/// another file beside it, which then replaces it. So a half-written file never stands in its
/// place. Links are replaced, and not followed.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ResultsError> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).map_err(ResultsError::io(path))?;
    }
    opened::replace(path, bytes).map_err(ResultsError::io(path))
}

/// Removes a file, if there is one.
///
/// # Errors
/// If the file is there and cannot be removed.
pub fn remove_file(path: &Path) -> Result<(), ResultsError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(ResultsError::io(path)(e)),
        _ => Ok(()),
    }
}
