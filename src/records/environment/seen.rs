//! An outside engine as it was found.

use super::fingerprint::fingerprint;
use crate::uci::{Engine, EngineSpec, emulator};
use serde::{Deserialize, Serialize};
use std::env;
use std::ops::Not;
use std::path::{Path, PathBuf};

/// An outside engine as it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The name in the experiment.
    pub name: String,
    /// The name that it gives itself.
    pub says: String,
    /// A fingerprint of its program's file, of the files that its arguments name, and of those that
    /// give it virtual cores.
    pub program: String,
    /// Whether the size of its table could not be set.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub own_table: bool,
}

/// Describes an engine as it was found.
///
/// # Panics
/// If its command has no word; every engine that was started has one.
pub fn seen(spec: &EngineSpec, engine: &Engine) -> Seen {
    let (program, arguments) = spec.command.split_first().expect("a command has a first word");
    // With an interpreter, the engine is the script that it runs.
    let dir = Path::new(spec.dir.as_deref().unwrap_or_default());
    let scripts = arguments.iter().map(|word| dir.join(word)).filter(|path| path.is_file());
    let command = &spec.command;
    let cores = spec.virtually.iter().flat_map(|of| of.files(emulator(&of.runner, command)));
    let cores = cores.map(|file| find(&file.display().to_string()));
    let files = std::iter::once(find(program)).chain(scripts).chain(cores);
    Seen {
        name: spec.name.clone(),
        says: engine.about().name.clone(),
        program: files.map(|file| fingerprint(&file)).collect::<Vec<_>>().join("+"),
        own_table: !engine.has_table(),
    }
}

/// Describes an engine that has no process of its own: it is a part of this `program`.
pub fn seen_file(name: &str, says: &str, program: &Path) -> Seen {
    Seen {
        name: name.to_owned(),
        says: says.to_owned(),
        program: fingerprint(program),
        own_table: false,
    }
}

/// The file of a program, as the system finds it.
fn find(program: &str) -> PathBuf {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.to_owned();
    }
    let dirs = env::var_os("PATH").unwrap_or_default();
    let mut files = env::split_paths(&dirs).map(|dir| dir.join(path));
    files.find(|file| file.is_file()).unwrap_or_else(|| path.to_owned())
}
