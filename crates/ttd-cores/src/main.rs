//! `ttd-cores`: stands in for the assembler, tells the flags of compilers, runs a program.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use ttd_cores::architecture::Own;
use ttd_cores::assembler::{MARK, VERSION, instrument};

const HELP: &str = r"ttd-cores instrument gcc|clang|rustc|trace-pc DIR
    Puts an assembler into DIR, and prints the flags for the compiler.
ttd-cores check PROGRAM
    Says which hook a program has, whether it can run on virtual cores, what it may miss there, and
    as price_ps=N the usual price of what its hook counts.
ttd-cores version
    Says the version of the options of `run`, and of the lines that virtual cores read and write.
ttd-cores run [--seed N] [--quantum-ns N] [--price-ps N] [--start-ns N] [--wake-ns N] [--seen N]
              [--processors N [--slice-ps N] [--switch-ps N] [--threads-per-core N] [--smt-permille N]]
              [--slowdown-permille N] [--turbo CORES=PERMILLE,...]
              [--timeline FILE [--timeline-mib N]]
              [--host-limit-s N] [--carrier swap|baton] [--stamps] [--report] PROGRAM [ARGUMENT...]
    Runs a program with its threads on virtual cores. The variable TTD_CORES_QEMU names an emulator
    with its options, as `qemu-aarch64 -L DIR`, for a program of another processor.
ttd-cores as ARGUMENT...
    Assembles, and lets every block count; so it does under the name `as`, too.
";

/// The version of the options of `run`, and of the lines of `--stamps`. It grows when an older
/// `ttd` misreads them, or a newer one asks for more. `ttd` has it as `RUNNER_VERSION`.
const LINES: u32 = 2;

/// The name of the library beside this program, or in `examples` there.
const LIBRARY: &str = "libttd_cores_preload.so";

fn main() -> ExitCode {
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    let arguments: Vec<OsString> = arguments.collect();
    let is_assembler = Path::new(&name).file_name().is_some_and(|name| name == "as");
    let result = match arguments.first().and_then(|word| word.to_str()) {
        _ if is_assembler => assemble(&arguments),
        Some("as") => assemble(&arguments[1..]),
        Some("instrument") if arguments.len() == 3 => {
            flags(&arguments[1], Path::new(&arguments[2]))
        }
        Some("check") if arguments.len() == 2 => {
            Program::read(Path::new(&arguments[1])).map(|of| {
                println!("{}", of.words());
                of.notes().for_each(|note| println!("{note}"));
            })
        }
        Some("version") => {
            println!("ttd-cores {LINES}");
            Ok(())
        }
        Some("run") => run(&arguments[1..]),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(format!("what shall it do?\n{HELP}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("ttd-cores: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The assembler behind this one: `TTD_CORES_AS`, or the first of the path that is another program.
fn real_assembler() -> Result<PathBuf, String> {
    if let Some(name) = env::var_os("TTD_CORES_AS") {
        return Ok(name.into());
    }
    let own = env::current_exe().and_then(fs::canonicalize).ok();
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|dir| dir.join("as"));
    let mut other = found.filter(|file| file.is_file() && fs::canonicalize(file).ok() != own);
    other.next().ok_or_else(|| "there is no assembler `as` in the path".to_owned())
}

/// Options of the assembler whose value is the next argument.
const VALUED: [&str; 6] = ["-o", "-I", "--debug-prefix-map", "--defsym", "--MD", "-MD"];

/// Which argument names the source: the first that is no option, and no option's value.
fn source(arguments: &[OsString]) -> Option<usize> {
    let is_value = |at: usize| at > 0 && VALUED.iter().any(|of| arguments[at - 1] == *of);
    (0..arguments.len()).find(|&at| {
        let word = arguments[at].as_encoded_bytes();
        (word == b"-" || !word.starts_with(b"-")) && !is_value(at)
    })
}

/// Assembles. A compiler's text gets the hook. Text written by hand does not.
fn assemble(arguments: &[OsString]) -> Result<(), String> {
    let mut command = Command::new(real_assembler()?);
    let mut arguments = arguments.to_vec();
    let (source, output) = (source(&arguments), arguments.iter().position(|word| word == "-o"));
    // GCC's -pipe names no source.
    let Some(at) = source.or(output.map(|_| arguments.len())) else {
        return Err(format!("cannot start the assembler: {}", command.args(arguments).exec()));
    };
    if source.is_none() {
        arguments.push("-".into());
    }
    let mut text = Vec::new();
    if arguments[at] == "-" {
        std::io::stdin().read_to_end(&mut text).map_err(|error| error.to_string())?;
    } else {
        let name = Path::new(&arguments[at]);
        text = fs::read(name).map_err(|error| format!("{}: {error}", name.display()))?;
    }
    let text = String::from_utf8_lossy(&text);
    let is_by_hand = text.starts_with("# ");
    let made = if is_by_hand { text.into_owned() } else { counted(&text)? };
    arguments[at] = "-".into();
    let failed = |error: std::io::Error| format!("the assembler: {error}");
    let mut assembler = command.args(arguments).stdin(Stdio::piped()).spawn().map_err(failed)?;
    if let Some(mut input) = assembler.stdin.take() {
        input.write_all(made.as_bytes()).map_err(failed)?;
    }
    let status = assembler.wait().map_err(failed)?;
    if status.success() { Ok(()) } else { Err(format!("the assembler failed: {status}")) }
}

fn counted(text: &str) -> Result<String, String> {
    let made = instrument::<Own>(text)?;
    if env::var_os("TTD_CORES_VERBOSE").is_some() {
        eprintln!("ttd-cores: {} blocks, {} of them save registers", made.blocks, made.saving);
    }
    Ok(made.text)
}

/// Prints the flags of a compiler.
fn flags(compiler: &OsString, dir: &Path) -> Result<(), String> {
    let library = library()?;
    let library = library.display();
    let link = format!("-Wl,--no-as-needed {library}");
    match compiler.to_str() {
        Some("gcc") => println!("-B {}{}", assembler_in(dir)?.display(), Own::OPTIONS),
        Some("clang") => {
            let (dir, more) = (assembler_in(dir)?, Own::OPTIONS);
            println!("-fno-integrated-as -B {}{more}", dir.display());
        }
        Some("trace-pc") => println!("-fsanitize-coverage=trace-pc {link}"),
        Some("rustc") => println!(
            "-C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=3 \
             -C llvm-args=-sanitizer-coverage-trace-pc -C link-arg=-Wl,--no-as-needed -C link-arg={library}"
        ),
        _ => return Err("the compiler is gcc, clang, rustc or trace-pc".to_owned()),
    }
    Ok(())
}

/// Makes a directory with this program as its assembler.
fn assembler_in(dir: &Path) -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
    fs::create_dir_all(dir).map_err(failed)?;
    let name = dir.join("as");
    let _ = fs::remove_file(&name);
    std::os::unix::fs::symlink(env::current_exe().map_err(failed)?, name).map_err(failed)?;
    fs::canonicalize(dir).map_err(failed)
}

fn library() -> Result<PathBuf, String> {
    let own = env::current_exe().map_err(|error| error.to_string())?;
    let dir = own.parent().unwrap_or(Path::new("."));
    let places = [dir.join(LIBRARY), dir.join("examples").join(LIBRARY)];
    let found = places.into_iter().find(|place| place.is_file());
    found.ok_or_else(|| {
        format!(
            "{LIBRARY} is not beside this program: cargo build -p ttd-cores --examples makes it"
        )
    })
}

/// All that a program file tells.
struct Program {
    is_dynamic: bool,
    is_musl: bool,
    /// The version of the assembler's hook.
    hook: Option<u64>,
    calls: bool,
    bytes: Vec<u8>,
}

/// Marks of compilers, and their names for `instrument`. Rust's programs have GCC's mark, too.
const COMPILERS: [(&str, &str); 3] =
    [("rustc version ", "rustc"), ("clang version ", "clang"), ("GCC: (", "gcc")];

/// Functions and files that virtual cores lack, and what becomes of a program that uses them.
const LACKING: [(&str, &str); 21] = [
    ("timer_create", "ends the program: no timer of virtual time sends a signal"),
    ("setitimer", "ends the program: no timer of virtual time sends a signal"),
    ("alarm", "ends the program: no timer of virtual time sends a signal"),
    ("timerfd_create", "is not replaced: its time is the host's"),
    ("pthread_cancel", "ends the program"),
    ("pthread_tryjoin_np", "ends the program"),
    ("pthread_timedjoin_np", "ends the program"),
    ("pthread_clockjoin_np", "ends the program"),
    ("readv", "ends the program if it reads the standard input"),
    ("scanf", "ends the program"),
    ("__isoc99_scanf", "ends the program"),
    ("__isoc23_scanf", "ends the program"),
    ("vscanf", "ends the program"),
    ("fscanf", "ends the program if it reads the standard input"),
    ("fdopen", "ends the program if it opens the standard input"),
    ("pause", "is not replaced: all threads wait with it"),
    ("sigwait", "is not replaced: all threads wait with it"),
    ("vfork", "is not replaced, and was not tried"),
    ("epoll_wait", "is not replaced, and the standard input is refused there"),
    ("fork", "makes a child without virtual cores"),
    ("/dev/urandom", "is not replaced: runs may differ"),
];

impl Program {
    fn read(file: &Path) -> Result<Program, String> {
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        if !bytes.starts_with(b"\x7fELF\x02\x01") || bytes.get(18..20) != Some(&[Own::ELF, 0]) {
            let (file, name) = (file.display(), Own::NAME);
            return Err(format!("{file} is no program for {name} with Linux"));
        }
        let after = |mark: &str| {
            let at = bytes.windows(mark.len()).position(|bytes| bytes == mark.as_bytes())?;
            Some(&bytes[at + mark.len()..])
        };
        let version = |rest: &[u8]| {
            let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            std::str::from_utf8(&rest[..length]).ok()?.parse().ok()
        };
        let loader = loader(&bytes);
        Ok(Program {
            is_dynamic: loader.is_some(),
            is_musl: loader.is_some_and(|name| name.windows(7).any(|part| part == b"ld-musl")),
            hook: after(MARK).and_then(version),
            calls: after("__sanitizer_cov_trace_pc").is_some(),
            bytes,
        })
    }

    /// Whether the file holds a text. The whole file is looked through.
    fn has(&self, text: &str) -> bool {
        self.bytes.windows(text.len()).any(|part| part == text.as_bytes())
    }

    /// The compiler that left its name, as `instrument` calls it.
    fn compiler(&self) -> &'static str {
        let found = COMPILERS.iter().find(|(mark, _)| self.has(mark));
        found.map_or("gcc|clang|rustc|trace-pc", |&(_, name)| name)
    }

    /// Why the program cannot run on virtual cores.
    fn obstacle(&self) -> Option<String> {
        if !self.is_dynamic {
            return Some(
                "it is linked statically: link it with the C library as a shared one".into(),
            );
        }
        if self.is_musl {
            return Some("it is linked with musl: virtual cores need glibc".into());
        }
        match self.hook {
            Some(version) if version != VERSION => Some(format!(
                "its hook is of version {version}, this program's is {VERSION}: build it anew"
            )),
            None if !self.calls => Some(format!(
                "it has no hook: build it with the flags that `ttd-cores instrument {} DIR` prints",
                self.compiler()
            )),
            _ => None,
        }
    }

    fn words(&self) -> String {
        match (self.obstacle(), self.hook) {
            (Some(why), _) => format!("not on virtual cores: {why}"),
            (None, Some(version)) => {
                format!("on virtual cores: its blocks count instructions (hook {version})")
            }
            (None, None) => "on virtual cores: its blocks count themselves (trace-pc)".to_owned(),
        }
    }

    /// Lines about what virtual cores lack, and the price.
    fn notes(&self) -> impl Iterator<Item = String> {
        let memory = "memory is not modelled: caches, bandwidth and contended lines cost nothing";
        // Names stand between zeros.
        let lacking = LACKING.iter().filter(|(name, _)| self.has(&format!("\0{name}\0")));
        let lacking = lacking.map(|(name, what)| format!("it names {name}, which {what}"));
        // A line for other programs.
        let price = self.obstacle().is_none().then(|| format!("price_ps={}", self.price()));
        std::iter::once(memory.to_owned()).chain(lacking).chain(price)
    }

    /// Virtual time of what the hook counts, in picoseconds: an instruction or a block.
    fn price(&self) -> &'static str {
        if self.hook.is_some() { "300" } else { "1500" }
    }
}

/// The name of the loader that a program asks for: its `PT_INTERP`. A static program has none.
fn loader(program: &[u8]) -> Option<&[u8]> {
    let number = |at: usize, length: usize| {
        let bytes = program.get(at..at + length)?;
        Some(bytes.iter().rev().fold(0, |sum, &byte| (sum << 8) | usize::from(byte)))
    };
    let (headers, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let header = (0..count).map(|at| headers + at * size).find(|&at| number(at, 4) == Some(3))?;
    let (start, length) = (number(header + 8, 8)?, number(header + 32, 8)?);
    program.get(start..start.checked_add(length)?)
}

/// Options of `run` that have a value. Each sets a variable of the library.
const VALUES: [&str; 17] = [
    "seed",
    "quantum-ns",
    "price-ps",
    "start-ns",
    "wake-ns",
    "seen",
    "processors",
    "slice-ps",
    "switch-ps",
    "threads-per-core",
    "smt-permille",
    "slowdown-permille",
    "turbo",
    "host-limit-s",
    "carrier",
    "timeline",
    "timeline-mib",
];

/// Runs a program in the place of this one.
fn run(arguments: &[OsString]) -> Result<(), String> {
    let mut settings = vec![("TTD_CORES".to_owned(), OsString::from("1"))];
    let mut rest = arguments.iter();
    let name = loop {
        let word = rest.next().ok_or("which program shall run?")?;
        let Some(option) = word.to_str().and_then(|word| word.strip_prefix("--")) else {
            break word;
        };
        let value = match option {
            "report" | "stamps" => "1".into(),
            _ if VALUES.contains(&option) => {
                rest.next().ok_or_else(|| format!("--{option} needs a value"))?.clone()
            }
            _ => return Err(format!("--{option} is no option of run\n{HELP}")),
        };
        if option == "timeline" {
            // A search ends by its best move, which is seen in lines that are stamped.
            settings.push(("TTD_CORES_STAMPS".to_owned(), "1".into()));
        }
        settings.push((format!("TTD_CORES_{}", option.to_uppercase().replace('-', "_")), value));
    };
    let file = in_path(Path::new(name))?;
    let program = Program::read(&file)?;
    if let Some(why) = program.obstacle() {
        return Err(format!("{}: {why}", file.display()));
    }
    let library = library()?;
    let emulator = env::var("TTD_CORES_QEMU").unwrap_or_default();
    let mut words = emulator.split_whitespace();
    let mut command = Command::new(words.next().map_or(file.as_os_str(), OsStr::new));
    if emulator.trim().is_empty() {
        command.env("LD_PRELOAD", library);
    } else {
        // The emulator itself does without the library.
        command.args(words).arg("-E").arg(format!("LD_PRELOAD={}", library.display())).arg(&file);
    }
    command.args(rest);
    if env::var_os("TTD_CORES_PRICE_PS").is_none() {
        command.env("TTD_CORES_PRICE_PS", program.price());
    }
    let error = command.envs(settings).exec();
    Err(format!("{}: {error}", file.display()))
}

/// The file of a program, looked for in the path if its name has no directory.
fn in_path(name: &Path) -> Result<PathBuf, String> {
    if name.components().count() > 1 {
        return Ok(name.to_owned());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file());
    found.ok_or_else(|| format!("there is no program {} in the path", name.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_options_are_no_source() {
        let place = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            source(&words)
        };
        assert_eq!(place("--64 --debug-prefix-map /a=/b --defsym X=1 -I d -o a.o a.s"), Some(9));
        assert_eq!(place("--MD a.d -o a.o -"), Some(4));
        assert_eq!(place("--gdwarf-5 -o a.o"), None);
    }
}
