//! Writing files whole, and removing them.

use super::error::ResultsError;
use std::path::Path;
use std::{fs, io};

/// The extension of a file that is not yet whole.
pub(super) const BESIDE: &str = "new";

/// Writes a file, and its directory where that is missing, so that there is never half of it: beside
/// it first, then in its place.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ResultsError> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).map_err(ResultsError::io(path))?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".");
    beside.push(BESIDE);
    fs::write(&beside, bytes).map_err(ResultsError::io(path))?;
    fs::rename(&beside, path).map_err(ResultsError::io(path))
}

/// Removes a file, if there is one.
///
/// # Errors
/// If it is there and cannot be removed.
pub fn remove_file(path: &Path) -> Result<(), ResultsError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(ResultsError::io(path)(e)),
        _ => Ok(()),
    }
}
