//! Fingerprints, which tell two builds of a program apart.

use super::reading::{text, unavailable};
use crate::records::opened;
use crate::records::seeded::{FNV_1A, fnv_1a};
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

/// The fingerprint of the program's own file. The file is read once.
pub(super) fn executable() -> String {
    static READ: OnceLock<String> = OnceLock::new();
    let this = || match std::env::current_exe() {
        Ok(path) => fingerprint(&path),
        Err(error) => unavailable(&error.to_string()),
    };
    READ.get_or_init(this).clone()
}

/// The FNV-1a hash of a file, or the reason why it cannot be read. The file is read in pieces,
/// because memory that is used here would count as the samples'.
pub(super) fn fingerprint(path: &Path) -> String {
    let hash = || -> io::Result<String> {
        let mut file = opened::open_to_read(path)?;
        let (mut piece, mut hash) = (vec![0; 1 << 16], FNV_1A);
        loop {
            let length = file.read(&mut piece)?;
            if length == 0 {
                return Ok(format!("{hash:016x}"));
            }
            hash = fnv_1a(hash, &piece[..length]);
        }
    };
    text(hash().map_err(|e| e.to_string()))
}
