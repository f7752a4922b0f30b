//! What all results directories have in common: whose one is, that one process at a time writes to it, and that
//! none of its files is ever half there.

use super::ResultsError;
use crate::experiment::difference::Difference;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use toml::{Table, Value};

/// The extension of a file that is not yet whole.
const BESIDE: &str = "new";

/// What a results directory holds.
#[derive(Debug)]
pub struct Contents {
    /// What it is the results of, for people.
    pub what: &'static str,
    /// The file that says of what exactly.
    pub file: &'static str,
    /// The file that is appended to.
    pub table: &'static str,
    /// What one of its rows is, for people.
    pub row: &'static str,
    /// The copy of the user's own position file.
    pub copy: &'static str,
    /// The options that name another directory.
    pub elsewhere: &'static str,
}

/// Writes a file so that there is never half of it: beside it first, then in its place.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension(BESIDE);
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}

/// A directory with files and without the one that says what they are is somebody else's.
pub(crate) fn check_foreign(dir: &Path, contents: &'static Contents) -> Result<(), ResultsError> {
    if dir.join(contents.file).exists() {
        return Ok(());
    }
    for entry in fs::read_dir(dir).map_err(ResultsError::io(dir))? {
        let entry = entry.map_err(ResultsError::io(dir))?;
        let file = entry.file_name().to_string_lossy().into_owned();
        // A run that was killed before it wrote that file leaves an empty table.
        let empty = entry.metadata().is_ok_and(|m| m.is_file() && m.len() == 0);
        let beside = Path::new(&file).extension().is_some_and(|e| e == BESIDE);
        let unfinished = file == contents.copy || beside;
        if !(unfinished || file == contents.table && empty) {
            return Err(ResultsError::Foreign { dir: dir.to_owned(), file, contents });
        }
    }
    Ok(())
}

/// Locks the table. The lock ends with the process, however that ends.
pub(crate) fn lock(dir: &Path, contents: &Contents) -> Result<File, ResultsError> {
    let path = dir.join(contents.table);
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let file = file.map_err(|source| ResultsError::Unwritable { path: path.clone(), source })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ResultsError::Locked { dir: dir.to_owned() }),
        Err(TryLockError::Error(source)) => Err(ResultsError::Io { path, source }),
    }
}

/// The values that differ, each as "key: there, here".
pub(crate) fn differences(there: &Table, here: &Table) -> String {
    let words: Vec<String> = differing(there, here).iter().map(ToString::to_string).collect();
    words.join("; ")
}

/// The values that differ; a key with the tables it is in, divided by dots.
pub(crate) fn differing(there: &Table, here: &Table) -> Vec<Difference> {
    let mut differences = Vec::new();
    differ(there, here, "", &mut differences);
    differences
}

fn differ(there: &Table, here: &Table, above: &str, differences: &mut Vec<Difference>) {
    let only_here = here.keys().filter(|key| !there.contains_key(*key));
    for key in there.keys().chain(only_here) {
        let name = format!("{above}{key}");
        let (a, b) = (there.get(key), here.get(key));
        let tables = |value: Option<&Value>, other: Option<&Value>| match value {
            Some(value) => by_name(value),
            // No array is one with nothing in it.
            None => other.and_then(Value::as_array).map(|_| Table::new()),
        };
        match (tables(a, b), tables(b, a)) {
            _ if a == b => {}
            (Some(a), Some(b)) => differ(&a, &b, &format!("{name}."), differences),
            _ => {
                let text = |value: Option<&Value>| match value {
                    None => "unset".to_owned(),
                    Some(Value::Table(_)) => "a table".to_owned(),
                    Some(value) => value.to_string(),
                };
                differences.push(Difference::new(name, text(a), text(b)));
            }
        }
    }
}

/// A table; or an array of tables that have names, each by its name.
fn by_name(value: &Value) -> Option<Table> {
    match value {
        Value::Table(table) => Some(table.clone()),
        Value::Array(array) => {
            let named = |item: &Value| Some((item.get("name")?.as_str()?.to_owned(), item.clone()));
            array.iter().map(named).collect()
        }
        _ => None,
    }
}
