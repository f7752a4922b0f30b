//! Fingerprints, which tell two builds of a program apart.

use super::reading::{text, unavailable};
use crate::records::opened;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

/// The fingerprint of the program's own file. The file is read once.
pub fn executable() -> String {
    static READ: OnceLock<String> = OnceLock::new();
    let this = || match std::env::current_exe() {
        Ok(path) => fingerprint(&path),
        Err(error) => unavailable(&error.to_string()),
    };
    READ.get_or_init(this).clone()
}

/// A hash of a file, or the reason why it cannot be read. The file is read in pieces: memory that
/// is used here would count as the samples'.
///
/// The hash is that of rustc (`FxHash`), word by word. A program with debug information has a
/// hundred megabytes, and each part of an experiment begins with its fingerprint.
pub(super) fn fingerprint(path: &Path) -> String {
    let hash = || -> io::Result<String> {
        let mut file = opened::open_to_read(path)?;
        let (mut piece, mut hash, mut length) = (Vec::with_capacity(PIECE), 0, 0);
        loop {
            piece.clear();
            // A piece ends between two words, except for the last one.
            let read = file.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
            length += read as u64;
            if read == 0 {
                return Ok(format!("{:016x}", with(hash, length)));
            }
            hash = piece.chunks(size_of::<u64>()).map(word).fold(hash, with);
        }
    };
    text(hash().map_err(|e| e.to_string()))
}

/// The bytes that are read at once: whole words.
const PIECE: usize = 1 << 16;

/// Up to eight bytes as a number, the first one the lowest.
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; size_of::<u64>()];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// The hash of what was hashed so far, and a further word.
const fn with(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::fs;

    #[test]
    fn files_that_differ_anywhere_have_different_fingerprints() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("file");
        let of = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("written");
            fingerprint(&path)
        };
        let bytes: Vec<u8> = (0..2 * PIECE + 5).map(|at| (at % 251) as u8).collect();
        let mut all = HashSet::from([of(&bytes), of(&bytes[1..]), of(&[]), of(&[0]), of(&[0, 0])]);
        assert_eq!(of(&bytes), of(&bytes));
        for at in [0, 7, 8, PIECE - 1, PIECE, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 128;
            all.insert(of(&changed));
        }
        assert_eq!(all.len(), 11);
    }
}
