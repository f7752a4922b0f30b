//! Opening the files of a results directory, which may come from a stranger.
//!
//! Nothing is written through a link, symbolic or hard: it could lead to any file of the user.
//! Nothing is read from what is no regular file: a pipe would be waited for, and a device may have
//! no end. No more is read than such a file may have.

use rustix::fs::OFlags;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use ttd_search::positions::{self, MOST_BYTES, read_at_most};

/// Checks that a path leads to a regular file, also through links.
///
/// # Errors
/// If there is none, or something else is there.
pub fn check_regular(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(no_file()) }
}

/// Opens a regular file for reading.
///
/// # Errors
/// If it cannot be opened, or is no regular file.
pub(crate) fn open_to_read(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    // The file may have been replaced by a pipe since.
    let file = OpenOptions::new().read(true).custom_flags(flags(OFlags::NONBLOCK)).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_file()) }
}

/// The most bytes of a TOML file. Thousands of sittings have as many.
const MOST_OF_TOML: u64 = 16 << 20;

/// Reads a regular file of TOML, which is small.
///
/// # Errors
/// The errors of [`read_text`], with a lower limit.
pub(crate) fn read_toml(path: &Path) -> io::Result<String> {
    text(open_to_read(path)?, MOST_OF_TOML)
}

/// Reads a TOML file that a user named, which may also be a pipe.
///
/// # Errors
/// If it cannot be read, is not UTF-8, or is larger than any TOML file.
pub(super) fn read_own_toml(path: &Path) -> io::Result<String> {
    let file = read_at_most(positions::open(path)?, MOST_OF_TOML)?;
    String::from_utf8(file).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.split(|&byte| byte == b'\n').count();
        let what = format!("line {line} is not UTF-8 text: save the file as UTF-8");
        io::Error::new(io::ErrorKind::InvalidData, what)
    })
}

/// Reads a regular file as text.
///
/// # Errors
/// If it cannot be read, is no regular file or too large a one, or is not UTF-8.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    text(open_to_read(path)?, MOST_BYTES)
}

/// Reads a regular file as text, however large it is.
///
/// # Errors
/// If it cannot be read, is no regular file, or is not UTF-8.
pub(crate) fn read_long_text(path: &Path) -> io::Result<String> {
    text(open_to_read(path)?, u64::MAX - 1)
}

fn text(file: File, most: u64) -> io::Result<String> {
    String::from_utf8(read_at_most(file, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Opens a regular file for writing, which is no link. A file with a second name may be one of the
/// user elsewhere, or of a backup. So a copy takes its place first.
///
/// # Errors
/// If it cannot be opened, or is anything else.
pub(crate) fn open_to_write(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_file() && data.nlink() > 1 => {
            let mut there = open_to_read(path)?;
            put(path, |file| io::copy(&mut there, file).map(drop))?;
        }
        Ok(data) if data.is_symlink() => {
            return Err(io::Error::other("it is a link, and nothing is written through links"));
        }
        Ok(data) if !data.is_file() => return Err(no_file()),
        _ => {}
    }
    let file = options.custom_flags(flags(OFlags::NOFOLLOW | OFlags::NONBLOCK)).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(no_file()) }
}

/// The extension of a file that is still being written.
pub(super) const BESIDE: &str = "new";

/// Puts a file with these bytes in the place of whatever is there. The bytes are written to another
/// file beside it, which then replaces it. Links are replaced, and not followed.
///
/// # Errors
/// If it cannot be written.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, |file| file.write_all(bytes))
}

/// Replaces a file as [`replace`] does, by one that `write` fills.
fn put(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".");
    beside.push(BESIDE);
    let beside = Path::new(&beside);
    // Whatever is there was left by a run that was killed, or by somebody else.
    match fs::remove_file(beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    write(&mut OpenOptions::new().write(true).create_new(true).open(beside)?)?;
    fs::rename(beside, path)
}

/// Opens a file for appending, and makes it if it is missing.
///
/// # Errors
/// The errors of [`open_to_write`].
pub(crate) fn append(path: &Path) -> io::Result<File> {
    open_to_write(OpenOptions::new().create(true).append(true), path)
}

/// Empties a file, or makes it, and writes these bytes.
///
/// # Errors
/// The errors of [`open_to_write`], or if it cannot be written.
pub(crate) fn rewrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let options = &mut OpenOptions::new();
    open_to_write(options.create(true).write(true).truncate(true), path)?.write_all(bytes)
}

/// Checks that a directory below a results directory is none that a link leads to. It may be
/// missing.
///
/// # Errors
/// If it is a link, or no directory.
pub(crate) fn check_own_directory(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_dir() => Ok(()),
        Ok(_) => Err(io::Error::other("it is no directory of its own, and may lead elsewhere")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn flags(flags: OFlags) -> i32 {
    flags.bits() as i32
}

fn no_file() -> io::Error {
    io::Error::other("it is no regular file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn what_is_no_file_is_neither_read_nor_written() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        fs::write(path("victim"), "precious").expect("written");
        symlink(path("victim"), path("link")).expect("made");
        symlink(path("nothing"), path("dangling")).expect("made");
        symlink("/dev/zero", path("device")).expect("made");
        fs::create_dir(path("directory")).expect("made");
        let _socket = UnixListener::bind(path("socket")).expect("made");
        for name in ["link", "dangling", "device", "directory", "socket"] {
            assert!(append(&path(name)).is_err(), "{name}");
            assert!(rewrite(&path(name), b"").is_err(), "{name}");
            assert!(name == "link" || read_text(&path(name)).is_err(), "{name}");
        }
        assert_eq!(read_text(&path("link")).expect("read"), "precious", "links may be read");
        assert!(!path("nothing").exists());
        rewrite(&path("new"), b"one").expect("written");
        rewrite(&path("new"), b"2").expect("written");
        assert_eq!(read_text(&path("new")).expect("read"), "2");
    }

    #[test]
    fn no_more_is_read_than_a_file_may_have() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("large.toml");
        // Such a file takes no room on the disk.
        File::create(&path).and_then(|file| file.set_len(3 << 30)).expect("made");
        for (read, words) in [
            (read_toml as fn(&Path) -> io::Result<String>, "it has more than 16 MiB"),
            (read_own_toml, "it has more than 16 MiB"),
        ] {
            assert_eq!(read(&path).expect_err("it is too large").to_string(), words);
        }
    }

    #[test]
    fn a_file_with_a_second_name_is_copied_before_it_is_written() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        for name in ["appended", "rewritten"] {
            fs::write(path("victim"), "precious\n").expect("written");
            fs::hard_link(path("victim"), path(name)).expect("made");
            if name == "appended" {
                append(&path(name)).and_then(|mut file| file.write_all(b"more")).expect("written");
            } else {
                rewrite(&path(name), b"new").expect("written");
            }
            assert_eq!(read_text(&path("victim")).expect("read"), "precious\n", "{name}");
        }
        assert_eq!(read_text(&path("appended")).expect("read"), "precious\nmore");
        assert_eq!(read_text(&path("rewritten")).expect("read"), "new");
    }

    #[test]
    fn a_directory_that_a_link_leads_to_is_not_ones_own() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = |name: &str| dir.path().join(name);
        fs::create_dir(path("there")).expect("made");
        symlink(path("there"), path("charts")).expect("made");
        assert!(check_own_directory(&path("charts")).is_err());
        assert!(check_own_directory(&path("there")).is_ok());
        assert!(check_own_directory(&path("missing")).is_ok());
    }
}
