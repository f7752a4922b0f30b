//! Tells the program its commit, compiler and flags; each may be "unknown".

use std::env;
use std::path::Path;
use std::process::Command;

/// The sources that determine how the program behaves. Changes elsewhere do not make it another
/// program.
const SOURCES: [&str; 8] =
    ["src", "crates", "positions", "assets", "Cargo.toml", "Cargo.lock", "build.rs", ".cargo"];

fn main() {
    for path in SOURCES {
        if Path::new(path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = run("git", &["rev-parse", "--git-path", file])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    // The flags from Cargo are separated by an unprintable character.
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS")
        .map(|flags| flags.split('\x1f').map(without_directory).collect::<Vec<_>>().join(" "));
    set("TTD_COMMIT", commit());
    set("TTD_RUSTC", run(&rustc, &["--version"]));
    set("TTD_FLAGS", flags.ok());
    set("TTD_TARGET", env::var("TARGET").ok());
    set("TTD_TARGET_FEATURES", env::var("CARGO_CFG_TARGET_FEATURE").ok());
    set("TTD_OPT_LEVEL", env::var("OPT_LEVEL").ok());
}

/// A flag that names a profile, without its directory: the directory means nothing on other
/// machines.
fn without_directory(flag: &str) -> String {
    match flag.split_once('=') {
        Some((key, path)) if key.contains("profile-") => {
            format!("{key}={}", path.rsplit('/').next().unwrap_or(path))
        }
        _ => flag.to_owned(),
    }
}

/// The commit, with `-dirty` if the sources differ from it.
fn commit() -> Option<String> {
    // A package that is unpacked inside another repository has no commit of its own.
    let top = run("git", &["rev-parse", "--show-toplevel"])?;
    let own = Path::new(&top).canonicalize().ok()?;
    let here = Path::new(&env::var("CARGO_MANIFEST_DIR").ok()?).canonicalize().ok()?;
    if own != here {
        return None;
    }
    let commit = run("git", &["rev-parse", "HEAD"])?;
    let changes = run("git", &[&["status", "--porcelain", "--"], &SOURCES[..]].concat());
    Some(if changes.is_some() { format!("{commit}-dirty") } else { commit })
}

fn set(name: &str, value: Option<String>) {
    println!("cargo::rustc-env={name}={}", value.unwrap_or_else(|| "unknown".to_owned()));
}

/// The output of a program, if it runs, succeeds, and prints anything.
fn run(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        // Without this, `git status` would write to the repository.
        .env("GIT_OPTIONAL_LOCKS", "0")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
