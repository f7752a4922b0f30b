//! The program, in a directory of its own.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A temporary directory in which the program is called.
pub(crate) struct Place(TempDir);

/// The result of a call.
pub(crate) struct Called {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program.
pub(crate) fn program() -> &'static Path {
    assert_cmd::cargo::cargo_bin!("ttd")
}

/// An example of this package. Cargo builds it with the tests, unless it is told which of them.
pub(crate) fn example(name: &str) -> PathBuf {
    let path = program().with_file_name("examples").join(name);
    assert!(path.exists(), "{} is missing: cargo build --example {name}", path.display());
    path
}

impl Place {
    pub(crate) fn new() -> Place {
        Place(tempfile::tempdir().expect("a temporary directory"))
    }

    /// A place with a copy in `out` of the results that a program without a format version wrote:
    /// `experiment` or `match`. They are unpacked from the files of `format-1/` whose names begin
    /// so. There a line `==== NAME` begins a file.
    pub(crate) fn of_first_format(kind: &str) -> Place {
        let place = Place::new();
        fs::create_dir(place.path("out")).expect("a directory");
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/format-1");
        for entry in fs::read_dir(kept).expect("it is kept") {
            let entry = entry.expect("a file");
            if !entry.file_name().to_string_lossy().starts_with(kind) {
                continue;
            }
            let packed = fs::read_to_string(entry.path()).expect("a text");
            for file in packed.split("==== ").skip(1) {
                let (name, content) = file.split_once('\n').expect("a line with the name");
                place.write(&format!("out/{name}"), content);
            }
        }
        assert!(!place.read("out/environment.toml").contains("format"));
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Calls `ttd` with these arguments, separated by spaces.
    pub(crate) fn call(&self, arguments: &str) -> Called {
        self.call_with(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    pub(crate) fn call_with(&self, arguments: &[&str]) -> Called {
        self.call_of(program(), arguments)
    }

    /// Calls another program than `ttd`.
    pub(crate) fn call_of(&self, program: &Path, arguments: &[&str]) -> Called {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(self.0.path())
            .env("NO_COLOR", "1")
            .output()
            .expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        let called = Called {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        };
        for defect in ["panicked", "a defect of ttd"] {
            assert!(!called.err.contains(defect), "{arguments:?}: {}", called.err);
        }
        called
    }
}

impl Called {
    /// Asserts the exit status.
    pub(crate) fn exits(self, code: i32) -> Called {
        assert_eq!(self.code, Some(code), "out: {}\nerr: {}", self.out, self.err);
        self
    }

    /// Asserts that a message is on standard error.
    pub(crate) fn says(self, message: &str) -> Called {
        assert!(self.err.contains(message), "expected {message:?} in: {}", self.err);
        self
    }
}
