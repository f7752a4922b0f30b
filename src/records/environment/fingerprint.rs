//! Fingerprints, which tell two builds of a program apart.

use super::readings::{text, unavailable};
use crate::records::opened;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

/// The fingerprint of the program's own file. The file is read once.
///
/// It is that of the file's build id, the linker's hash of what it has put together, and of the
/// file's length. A file without an id is read as a whole: a hundred megabytes, if it has debug
/// information. Each part of an experiment begins with this fingerprint.
pub fn executable() -> String {
    static READ: OnceLock<String> = OnceLock::new();
    let this = || match std::env::current_exe() {
        Ok(path) => short_fingerprint(&path).unwrap_or_else(|| fingerprint(&path)),
        Err(error) => unavailable(&error.to_string()),
    };
    READ.get_or_init(this).clone()
}

/// The fingerprint of a file that has a build id.
fn short_fingerprint(path: &Path) -> Option<String> {
    let file = opened::open_to_read(path).ok()?;
    let (length, mut head) = (file.metadata().ok()?.len(), Vec::new());
    file.take(PIECE as u64).read_to_end(&mut head).ok()?;
    let id = build_id(&head)?;
    let hash = id.chunks(size_of::<u64>()).map(word).fold(0, with);
    Some(format!("{:016x}", with(hash, length)))
}

/// The build id of a program of 64 bits, little-endian, in the format ELF. Linkers place it near
/// the file's beginning, which is `head`.
fn build_id(head: &[u8]) -> Option<&[u8]> {
    /// The kind of a segment that has notes.
    const NOTES: u64 = 4;
    /// The kind of a note that has a build id.
    const BUILD_ID: u64 = 3;
    let part = |at: u64, bytes: u64| {
        let (at, end) = (usize::try_from(at).ok()?, usize::try_from(at.checked_add(bytes)?).ok()?);
        head.get(at..end)
    };
    let number = |at: u64, bytes: u64| part(at, bytes).map(word);
    head.strip_prefix(b"\x7fELF\x02\x01")?;
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let of_segment = |index: u64| {
        let header = table.checked_add(index * size)?;
        let is_of_notes = number(header, 4)? == NOTES;
        let mut at = number(header + 8, 8)?;
        let end = at.checked_add(number(header.checked_add(32)?, 8)?)?;
        while is_of_notes && at < end {
            let [name, length, kind] = [number(at, 4)?, number(at + 4, 4)?, number(at + 8, 4)?];
            let (from, id) = (at + 12, at + 12 + name.next_multiple_of(4));
            if kind == BUILD_ID && part(from, name)? == b"GNU\0" {
                return part(id, length).filter(|id| !id.is_empty());
            }
            at = id + length.next_multiple_of(4);
        }
        None
    };
    (0..count).find_map(of_segment)
}

/// A hash of a file, or the reason why it cannot be read. The file is read in pieces: memory that
/// is used here would count as the samples'.
///
/// The hash is that of rustc (`FxHash`), word by word.
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

    /// A program with a segment that holds nothing of interest, and one with two notes: a short
    /// one, and a build id.
    fn program(id: &[u8]) -> Vec<u8> {
        let note = |kind: u32, name: &[u8], text: &[u8]| {
            let lengths = [name.len() as u32, text.len() as u32, kind];
            let mut note: Vec<u8> =
                lengths.iter().flat_map(|number| number.to_le_bytes()).collect();
            for part in [name, text] {
                note.extend(part);
                note.resize(note.len().next_multiple_of(4), 0);
            }
            note
        };
        let notes = [note(3, b"Go\0", b"xyz"), note(3, b"GNU\0", id)].concat();
        let mut file = b"\x7fELF\x02\x01".to_vec();
        file.resize(64, 0);
        (file[32], file[54], file[56]) = (64, 56, 2);
        for (kind, size) in [(1_u64, 9), (4, notes.len() as u64)] {
            for number in [kind, 64 + 2 * 56, 0, 0, size, size, 4] {
                file.extend(number.to_le_bytes());
            }
        }
        file.extend(notes);
        file
    }

    #[test]
    fn a_build_id_is_found_in_a_program_and_in_nothing_else() {
        let whole = program(b"the build");
        assert_eq!(build_id(&whole), Some(&b"the build"[..]));
        for length in 0..whole.len() {
            // The last bytes only fill a word.
            let found = build_id(&whole[..length]);
            assert_eq!(found.is_some(), length >= whole.len() - 3, "{length}");
        }
        for at in 0..whole.len() {
            for byte in [0, 1, 127, 255] {
                let mut other = whole.clone();
                other[at] = byte;
                let _ = build_id(&other);
            }
        }
        assert_eq!(build_id(&program(b"")), None);
    }

    #[test]
    fn programs_differ_by_build_id_and_length() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("file");
        let of = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("written");
            short_fingerprint(&path)
        };
        let whole = program(b"the build");
        let all = [of(&whole), of(&program(b"The build")), of(&[&whole[..], &[0]].concat())];
        assert!(all.iter().all(Option::is_some));
        assert_eq!(HashSet::from(all.clone()).len(), 3);
        assert_eq!(of(&whole), all[0]);
        assert_eq!(of(b"#!/bin/sh"), None);
    }
}
