//! A results directory: its owner, its lock (one process at a time writes to it), its log and its
//! sittings.

use super::environment::{
    Moment, Provenance, SaidOfPlace, Seen, Sitting, read_sittings, write_sittings,
};
use super::error::{Contents, ResultsError};
use super::files::{remove_file, write_whole};
use super::journal::{JournalError, csv_line};
use super::opened;
use super::row::Row;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The log of the sittings: why samples failed, and which files were repaired.
pub const LOG: &str = "log.txt";

/// An open results directory. It is locked for as long as this value lives.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    contents: &'static Contents,
    sittings: Vec<Sitting>,
    in_sitting: bool,
    unguarded: Option<String>,
    /// The file that holds the lock.
    _lock: File,
}

impl Directory {
    /// Opens a directory, or makes it.
    ///
    /// # Errors
    /// If it cannot be written, is in use, or holds foreign files.
    pub(crate) fn open(
        path: &Path,
        contents: &'static Contents,
    ) -> Result<Directory, ResultsError> {
        fs::create_dir_all(path)
            .map_err(|source| ResultsError::Unwritable { path: path.to_owned(), source })?;
        Directory::check_foreign(path, contents)?;
        let (lock, unguarded) = lock(path, contents)?;
        let (path, sittings) = (path.to_owned(), Vec::new());
        Ok(Directory { path, contents, sittings, in_sitting: false, unguarded, _lock: lock })
    }

    /// Refuses a directory with foreign files: it has files, but not the one that describes its
    /// results.
    ///
    /// # Errors
    /// If it has foreign files, or cannot be read.
    pub(crate) fn check_foreign(
        dir: &Path,
        contents: &'static Contents,
    ) -> Result<(), ResultsError> {
        if dir.join(contents.file).exists() {
            return Ok(());
        }
        for entry in fs::read_dir(dir).map_err(ResultsError::io(dir))? {
            let entry = entry.map_err(ResultsError::io(dir))?;
            let file = entry.file_name().to_string_lossy().into_owned();
            // A run that is killed before it writes that file leaves an empty table.
            let empty = entry.metadata().is_ok_and(|m| m.is_file() && m.len() == 0);
            let beside = Path::new(&file).extension().is_some_and(|e| e == opened::BESIDE);
            let unfinished = file == contents.copy || beside;
            if !(unfinished || file == contents.table && empty) {
                return Err(ResultsError::Foreign { dir: dir.to_owned(), file, contents });
            }
        }
        Ok(())
    }

    /// Removes the files that runs made. The table is not removed but emptied, because it holds the
    /// lock.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub(crate) fn discard(&self) -> Result<(), ResultsError> {
        for file in self.contents.made.iter().copied() {
            let path = self.path.join(file);
            if file == self.contents.table {
                opened::rewrite(&path, b"").map_err(ResultsError::io(&path))?;
            } else {
                remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// Writes the description of the experiment or match, and the user's own positions if there are
    /// any.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(crate) fn describe(&self, toml: &str, epd: Option<&str>) -> Result<(), ResultsError> {
        let Contents { file, again, copy, .. } = self.contents;
        if let Some(epd) = epd {
            write_whole(&self.path.join(copy), epd.as_bytes())?;
        }
        let text =
            format!("# `{again} again; with --out and this directory it goes on here.\n{toml}");
        write_whole(&self.path.join(file), text.as_bytes())
    }

    /// Reads the sittings so far.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn read_sittings(&mut self) -> Result<(), ResultsError> {
        self.sittings = read_sittings(&self.path)?;
        Ok(())
    }

    /// A remark for the user, if nothing guards the directory.
    pub(crate) fn unguarded(&self) -> Option<String> {
        self.unguarded.clone()
    }

    /// The path of the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The last sitting, if there is one.
    pub(crate) fn last_sitting(&self) -> Option<&Sitting> {
        self.sittings.last()
    }

    /// Refuses to go on with rows of which no sitting tells the program and the machine.
    ///
    /// # Errors
    /// If there are rows, and no sitting.
    pub(crate) fn check_sittings(&self, rows: usize) -> Result<(), ResultsError> {
        if rows == 0 || !self.sittings.is_empty() {
            return Ok(());
        }
        let (dir, contents) = (self.path.clone(), self.contents);
        Err(ResultsError::NoSitting { dir, rows, contents })
    }

    /// Writes the environment of a sitting that begins with `rows` rows and these engines. The last
    /// value has the user's wishes for its place, and the time of a fixed search.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn begin_sitting(
        &mut self,
        rows: usize,
        engines: &[Seen],
        (said, probe_s): (&SaidOfPlace, Option<f64>),
    ) -> Result<(), ResultsError> {
        let mut sitting = Sitting::begin(rows, engines);
        sitting.place = Provenance::this(said);
        if !said.hosts.is_empty() {
            // Each rank may be bound to a core of its own. Hosts are taken to be alike.
            sitting.cores_usable = sitting.logical_cores * said.hosts.len();
        }
        sitting.before.probe_s = probe_s;
        self.sittings.push(sitting);
        self.in_sitting = true;
        write_sittings(&self.path, &self.sittings)
    }

    /// Writes the environment at the end of the sitting, with `rows` rows.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn end_sitting(
        &mut self,
        rows: usize,
        probe_s: Option<f64>,
    ) -> Result<(), ResultsError> {
        if let Some(sitting) = self.sittings.last_mut().filter(|_| self.in_sitting) {
            sitting.after = Some(Moment { probe_s, ..Moment::now(rows) });
            self.in_sitting = false;
            write_sittings(&self.path, &self.sittings)?;
        }
        Ok(())
    }

    /// Replaces the sittings.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(crate) fn put_sittings(&mut self, sittings: Vec<Sitting>) -> Result<(), ResultsError> {
        self.sittings = sittings;
        write_sittings(&self.path, &self.sittings)
    }

    /// Replaces the log by those of other directories, one after the other. Without any there is
    /// none.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn put_logs<'d>(
        &self,
        dirs: impl Iterator<Item = &'d Path>,
    ) -> Result<(), ResultsError> {
        let logs = dirs.filter_map(|dir| opened::read_text(&dir.join(LOG)).ok());
        let log: String = logs.collect();
        match log.as_str() {
            "" => remove_file(&self.path.join(LOG)),
            log => write_whole(&self.path.join(LOG), log.as_bytes()),
        }
    }

    /// Empties the table, so that a directory whose files are replaced has no rows meanwhile.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn put_no_rows(&self) -> Result<(), ResultsError> {
        let path = self.path.join(self.contents.table);
        opened::rewrite(&path, b"").map_err(ResultsError::io(&path))
    }

    /// Replaces the rows of a file. The table is written in place, because it holds the lock.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn put_rows<'r, R: Row>(
        &self,
        rows: impl Iterator<Item = &'r R>,
    ) -> Result<(), ResultsError> {
        let mut text = csv_line(&R::columns());
        text.extend(rows.flat_map(|row| csv_line(&row.values())));
        let path = self.path.join(R::FILE);
        if R::FILE == self.contents.table {
            return opened::rewrite(&path, &text).map_err(ResultsError::io(&path));
        }
        write_whole(&path, &text)
    }

    /// Waits until the files of the runs are on the disk.
    ///
    /// # Errors
    /// If the system cannot say so.
    pub(crate) fn sync(&self) -> Result<(), ResultsError> {
        for file in self.contents.made {
            let path = self.path.join(file);
            match opened::open_to_read(&path).and_then(|file| file.sync_data()) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(ResultsError::io(&path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Appends a line to the log.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn log(&self, line: &str) -> Result<(), JournalError> {
        let path = self.path.join(LOG);
        opened::append(&path)
            .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()))
            .map_err(|source| JournalError::Io { path, source })
    }
}

/// Locks the table. The lock ends with the process, in whatever way the process ends. The second
/// value is a remark, if the file system has no locks: many of clusters have none.
fn lock(dir: &Path, contents: &Contents) -> Result<(File, Option<String>), ResultsError> {
    let path = dir.join(contents.table);
    let file = opened::append(&path);
    let file = file.map_err(|source| ResultsError::Unwritable { path: path.clone(), source })?;
    match file.try_lock() {
        Ok(()) => Ok((file, None)),
        Err(TryLockError::WouldBlock) => Err(ResultsError::Locked { dir: dir.to_owned() }),
        Err(TryLockError::Error(why)) => Ok((
            file,
            Some(format!(
                "{}: its file system has no locks ({why}): nothing keeps a second run from writing \
                 here",
                dir.display()
            )),
        )),
    }
}
