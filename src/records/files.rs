//! Writing files whole, and removing them.

use super::error::ResultsError;
use super::opened;
use std::path::Path;
use std::{fs, io};

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
