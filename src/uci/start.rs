//! How the process of an engine is started; and why it cannot be, in words that help.

use super::spec::EngineSpec;
use super::supervisor;
use super::virtually::{RUNNER, RUNNER_VERSION};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::SystemTime;
use std::{env, fs};

/// Directories in which systems put engines, and which are often not on `PATH`.
const OFTEN_HERE: [&str; 5] =
    ["/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin", "."];

/// The command that starts an engine, below a supervisor where there is one. The second value is
/// whether there is.
pub(super) fn command(spec: &EngineSpec) -> Result<(Command, bool), String> {
    command_in(spec, env::vars_os().map(|(name, _)| name))
}

/// That command, where the shell has variables of these names.
fn command_in(
    spec: &EngineSpec,
    names: impl Iterator<Item = OsString>,
) -> Result<(Command, bool), String> {
    let virtually = spec.virtually.iter().flat_map(|of| of.words(spec.price_ps));
    let words: Vec<String> = virtually.chain(spec.command.iter().cloned()).collect();
    let (mut command, supervised) = supervisor::command(&words);
    if let Some(dir) = &spec.dir {
        if !Path::new(dir).is_dir() {
            return Err(format!("its working directory `{dir}` is not there (key `dir`)"));
        }
        command.current_dir(dir);
    }
    without_shell(&mut command, names);
    command.envs(&spec.environment);
    Ok((command, supervised))
}

/// Keeps the shell's variables from a command that would change virtual cores. The words of the
/// command say all about these. An engine on real cores may have the runner's library in it, and
/// would obey the shell, too.
fn without_shell(command: &mut Command, names: impl Iterator<Item = OsString>) {
    let is_of_runner = |name: &OsString| name.as_encoded_bytes().starts_with(b"TTD_CORES");
    names.filter(is_of_runner).for_each(|name| {
        command.env_remove(name);
    });
}

/// The program that starts another one on virtual cores: beside this program, or on `PATH`.
pub fn runner() -> Option<PathBuf> {
    let own = env::current_exe().ok();
    let beside = own.and_then(|own| Some(own.parent()?.join(RUNNER)));
    beside.filter(|file| file.is_file()).or_else(|| find(RUNNER))
}

/// That program, if its options and lines are those that this program knows. An older one leaves
/// searches to run beyond their time limit, and says nothing.
///
/// # Errors
/// If there is none, or it is of another version.
pub fn checked_runner() -> Result<PathBuf, String> {
    let made = format!("cargo build -p {RUNNER} --bins --examples makes it");
    let Some(runner) = runner() else {
        return Err(format!(
            "there is no program `{RUNNER}`, which runs outside engines on virtual cores: {made}"
        ));
    };
    if is_known(&runner) {
        return Ok(runner);
    }
    Err(format!(
        "`{}` is of another version than this program, and may neither stop a search nor tell its \
         times: {made} anew",
        runner.display()
    ))
}

/// Whether this runner tells the version that this program knows.
fn is_known(runner: &Path) -> bool {
    let told = Command::new(runner).arg("version").stdin(Stdio::null()).output();
    told.is_ok_and(|told| told.stdout == format!("{RUNNER} {RUNNER_VERSION}\n").as_bytes())
}

/// The price of an engine's instructions on virtual cores, in picoseconds: the one that it was
/// given, or else the usual one.
///
/// # Errors
/// If there is neither.
pub fn price_ps(spec: &EngineSpec, runner: &Path) -> Result<u64, String> {
    let usual = || spec.command.first().and_then(|program| usual_price(runner, program));
    spec.price_ps
        .or_else(usual)
        .ok_or_else(|| format!("`{RUNNER} check` does not say what it counts: give price_ps"))
}

/// The price of an engine that was given none: 300 ps for an instruction, 1500 ps for a block. Its
/// hook counts one of them, or an emulator does. None if it cannot run on virtual cores.
pub fn usual_price(runner: &Path, program: &str) -> Option<u64> {
    told_of(runner, program, "price_ps=")?.parse().ok()
}

/// The emulator that this runner lets count, if the program of a command has no hook.
pub fn emulator(runner: &Path, command: &[String]) -> Option<String> {
    told_of(runner, command.first()?, "counted_by=")
}

/// All lines that a runner tells of the program of an engine. The first begins with
/// [`ON_VIRTUAL_CORES`] if it can run there.
///
/// # Errors
/// If there is no such program.
pub fn told_by(runner: &Path, spec: &EngineSpec) -> Result<String, String> {
    let program = spec.command.first().map_or("", String::as_str);
    find(program).and_then(|file| check(runner, file)).ok_or_else(|| missing(program))
}

/// The words before what a runner tells of a program that can run on virtual cores.
pub const ON_VIRTUAL_CORES: &str = "on virtual cores: ";

/// The value behind a word at the beginning of a line that a runner tells of a program.
fn told_of(runner: &Path, program: &str, word: &str) -> Option<String> {
    let told = check(runner, find(program)?)?;
    told.lines().find_map(|line| line.strip_prefix(word)).map(str::to_owned)
}

/// All that a runner tells of a program. It reads the whole file, and may ask an emulator. So the
/// answer is kept for as long as this process lives and the program's file does not change. A check
/// that failed is made again, and its complaint is all that it tells. That a program is refused is
/// an answer like others.
fn check(runner: &Path, program: PathBuf) -> Option<String> {
    static TOLD: Mutex<BTreeMap<CheckKey, String>> = Mutex::new(BTreeMap::new());
    let of = fs::metadata(&program).ok();
    let changed = of.as_ref().and_then(|of| of.modified().ok());
    let key = (runner.to_owned(), program, of.map(|of| of.len()), changed);
    let known = TOLD.lock().ok()?.get(&key).cloned();
    if known.is_some() {
        return known;
    }
    let mut command = Command::new(runner);
    without_shell(&mut command, env::vars_os().map(|(name, _)| name));
    let output = command.arg("check").arg(&key.1).output().ok()?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.code().is_none() || told.is_empty() {
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        let ended = format!("`{} check` ended with {}", runner.display(), output.status);
        return Some(if complaint.is_empty() { ended } else { complaint });
    }
    TOLD.lock().ok()?.insert(key, told.clone());
    Some(told)
}

/// A check: the runner, the program, and the size and the time of change of its file.
type CheckKey = (PathBuf, PathBuf, Option<u64>, Option<SystemTime>);

/// The reason why a program cannot be started.
pub(super) fn reason(program: &str, error: &io::Error) -> String {
    let file = find(program);
    let file = file.as_deref();
    match error.kind() {
        io::ErrorKind::NotFound => file.map_or_else(|| missing(program), interpreter),
        io::ErrorKind::PermissionDenied if file.is_some_and(Path::is_dir) => {
            "it is a directory".to_owned()
        }
        io::ErrorKind::PermissionDenied => "it is not executable".to_owned(),
        _ if error.raw_os_error() == Some(Errno::NOEXEC.raw_os_error()) => {
            file.map_or_else(|| error.to_string(), |file| format(program, &head(file)))
        }
        _ => error.to_string(),
    }
}

/// The file of a program, as the system finds it; none if there is none.
fn find(program: &str) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.exists().then(|| path.to_owned());
    }
    let dirs = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&dirs).map(|dir| dir.join(path)).find(|file| file.is_file())
}

/// There is no file of this name.
fn missing(program: &str) -> String {
    if Path::new(program).components().count() > 1 {
        let first = program.split(' ').next().unwrap_or_default();
        if first != program && Path::new(first).is_file() {
            return format!(
                "there is no such program. There is `{first}`: its arguments are words of their own, \
                 command = [\"{first}\", ...]"
            );
        }
        return "there is no such program".to_owned();
    }
    let elsewhere = OFTEN_HERE.iter().map(|dir| Path::new(dir).join(program));
    let there =
        elsewhere.filter(|path| path.is_file()).map(|path| path.display().to_string()).next();
    let first = program.split(' ').next().unwrap_or_default();
    let on_path = "there is no such program on PATH";
    match there {
        Some(path) => format!("{on_path}. There is `{path}`: write that path"),
        None if first != program => {
            format!("{on_path}. Arguments are words of their own: command = [\"{first}\", ...]")
        }
        None => on_path.to_owned(),
    }
}

/// The file is there, and the system finds something else missing.
fn interpreter(file: &Path) -> String {
    let head = head(file);
    let Some(line) = head.strip_prefix(b"#!") else {
        return "the loader that it needs is missing: it was built for another system".to_owned();
    };
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let text = String::from_utf8_lossy(line);
    let name = text.split_whitespace().next().unwrap_or_default();
    if line.ends_with(b"\r") {
        let path = file.display();
        return format!(
            "its lines end with CR LF, and there is no `{name}` with a CR in its name. \
             sed -i 's/\\r$//' '{path}' mends it"
        );
    }
    format!("its first line asks for `{name}`, and there is no such program")
}

/// The file is none that the system can run.
fn format(program: &str, head: &[u8]) -> String {
    match head {
        [] => "the file is empty".to_owned(),
        [0x7f, b'E', b'L', b'F', ..] => "it was built for another kind of processor".to_owned(),
        [b'M', b'Z', ..] => "it is a program for Windows".to_owned(),
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] => "it is a program for macOS".to_owned(),
        [0xef, 0xbb, 0xbf, b'#', b'!', ..] => {
            "an invisible mark (BOM) stands before the `#!` of its first line".to_owned()
        }
        _ => format!(
            "it is no program of this system. A script needs a first line such as `#!/bin/sh`, or \
             its interpreter: command = [\"sh\", \"{program}\"]"
        ),
    }
}

/// The first bytes of a file; none if it cannot be read, or is no file.
fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    if fs::metadata(path).is_ok_and(|data| data.is_file())
        && let Ok(file) = File::open(path)
    {
        let _ = file.take(256).read_to_end(&mut head);
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::Virtually;
    use std::ffi::OsStr;
    use std::os::unix::fs::PermissionsExt as _;

    /// The reason why a file with these bytes does not start.
    fn why(bytes: &[u8]) -> String {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("engine");
        fs::write(&path, bytes).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("set");
        let path = path.display().to_string();
        let error = Command::new(&path).spawn().expect_err("no engine");
        reason(&path, &error)
    }

    #[test]
    fn files_that_are_no_programs() {
        for (bytes, what) in [
            (&b"#!/bin/sh\r\necho\r\n"[..], "its lines end with CR LF, and there is no `/bin/sh`"),
            (b"#!/usr/bin/python9 -u\n", "asks for `/usr/bin/python9`, and there is no such"),
            (b"#! /no/such/interpreter\n", "asks for `/no/such/interpreter`"),
            (b"MZ\x90\0", "for Windows"),
            (b"\xef\xbb\xbf#!/bin/sh\n", "(BOM) stands before"),
            (
                b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\xf3\0\x01\0\0\0",
                "another kind of processor",
            ),
        ] {
            assert!(why(bytes).contains(what), "{}", why(bytes));
        }
        // Some systems let a shell read these.
        let noexec = io::Error::from_raw_os_error(Errno::NOEXEC.raw_os_error());
        assert!(reason("/bin/ls", &noexec).contains("kind of processor"));
        assert!(format("./x", b"echo hello\n").contains("command = [\"sh\", \"./x\"]"));
        assert_eq!(format("./x", b""), "the file is empty");
    }

    #[test]
    fn programs_that_are_not_there() {
        let none = io::Error::from(io::ErrorKind::NotFound);
        assert_eq!(reason("./no-such-engine", &none), "there is no such program");
        assert_eq!(reason("no-such-engine", &none), "there is no such program on PATH");
        assert!(reason("sh -c x", &none).contains("command = [\"sh\", ...]"));
        assert!(reason("/bin/sh -c x", &none).contains("command = [\"/bin/sh\", ...]"));
        // The tests run in the directory of the project.
        assert!(reason("Cargo.toml", &none).contains("There is `./Cargo.toml`"));
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(reason("/usr", &denied), "it is a directory");
        assert_eq!(reason("/etc/passwd", &denied), "it is not executable");
    }

    /// An older runner may fail at the word `version`, or say other words: so do these.
    #[test]
    fn runners_of_other_versions_are_unknown() {
        for other in ["false", "true", "echo", "./no-such-program"] {
            assert!(!is_known(Path::new(other)), "{other}");
        }
    }

    #[test]
    fn a_program_is_checked_once() {
        let dir = tempfile::tempdir().expect("a directory");
        let runner = dir.path().join("runner");
        let asked = dir.path().join("asked");
        let text = format!("#!/bin/sh\necho >>'{}'\necho price_ps=7\n", asked.display());
        fs::write(&runner, text).expect("written");
        fs::set_permissions(&runner, fs::Permissions::from_mode(0o755)).expect("set");
        for _ in 0..3 {
            assert_eq!(usual_price(&runner, "sh"), Some(7));
            assert_eq!(emulator(&runner, &["sh".to_owned()]), None);
        }
        assert_eq!(fs::read_to_string(&asked).expect("it was asked"), "\n");
        assert_eq!(usual_price(&runner, "cat"), Some(7));
        assert_eq!(fs::read_to_string(&asked).expect("it was asked"), "\n\n", "another program");
        let program = dir.path().join("program");
        for (text, asked_for) in [("one", 3), ("longer", 4), ("longer", 4)] {
            fs::write(&program, text).expect("written");
            let set = File::options().write(true).open(&program).expect("it is there");
            set.set_modified(SystemTime::UNIX_EPOCH).expect("set");
            assert_eq!(usual_price(&runner, &program.display().to_string()), Some(7));
            assert_eq!(fs::read(&asked).expect("it was asked").len(), asked_for);
        }
        // The size stays, and the time does not. Then the check fails each time.
        fs::write(&program, "LONGER").expect("written");
        assert_eq!(usual_price(&runner, &program.display().to_string()), Some(7));
        assert_eq!(fs::read(&asked).expect("it was asked").len(), 5);
        let fails = |words: &str| {
            let text = format!("#!/bin/sh\necho >>'{}'\n{words} exit 1\n", asked.display());
            fs::write(&runner, text).expect("written");
        };
        fails("");
        for asked_for in [6, 7] {
            assert_eq!(usual_price(&runner, "cp"), None);
            assert_eq!(fs::read(&asked).expect("it was asked").len(), asked_for);
        }
        // A refusal is an answer, and has the status 1, too.
        fails("echo not on virtual cores;");
        for _ in 0..2 {
            assert_eq!(usual_price(&runner, "mv"), None);
            assert_eq!(fs::read(&asked).expect("it was asked").len(), 8);
        }
    }

    #[test]
    fn variables_of_the_runner_do_not_come_from_a_shell() {
        let runner = Virtually::new(PathBuf::from("/x/ttd-cores"), 1);
        for virtually in [None, Some(runner)] {
            let real = EngineSpec::new("x".into(), vec!["sh".into()]);
            let environment = [("TTD_CORES_REPORT".to_owned(), "1".to_owned())].into();
            let spec = EngineSpec { environment, virtually, ..real };
            let names = ["TTD_CORES", "TTD_CORES_REPORT", "PATH"].map(OsString::from);
            let (command, _) = command_in(&spec, names.into_iter()).expect("a command");
            let all: Vec<_> = command.get_envs().collect();
            let [own, report] = ["TTD_CORES", "TTD_CORES_REPORT"].map(OsStr::new);
            assert_eq!(all, [(own, None), (report, Some(OsStr::new("1")))]);
        }
    }

    #[test]
    fn a_missing_directory_is_named() {
        let mut spec = EngineSpec::new("x".into(), vec!["sh".into()]);
        spec.dir = Some("/no/such/directory".into());
        assert!(command(&spec).is_err_and(|why| why.contains("`/no/such/directory` is not there")));
    }
}
