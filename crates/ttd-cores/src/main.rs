//! `ttd-cores`: stands in for the assembler, tells the flags of compilers, runs a program.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use ttd_cores::architecture::Own;
use ttd_cores::assembler::{VERSION, instrument};
use ttd_cores::program::{Counting, IS_BEYOND_QEMU, Program, is_known_qemu};

const HELP: &str = r"ttd-cores instrument gcc|clang|rustc|trace-pc DIR
    Puts an assembler into DIR, and prints the flags for the compiler.
ttd-cores check PROGRAM
    Says which hook a program has, whether it can run on virtual cores, what it may miss there, and
    as price_ps=N the usual price of what is counted. The status is 1 if it cannot.
ttd-cores version
    Says the version of the options of `run`, and of the lines that virtual cores read and write.
ttd-cores run [--seed N] [--quantum-ns N] [--price-ps N] [--start-ns N] [--wake-ns N] [--seen N]
              [--processors N [--slice-ps N] [--switch-ps N] [--threads-per-core N] [--smt-permille N]]
              [--slowdown-permille N] [--turbo CORES=PERMILLE,...]
              [--timeline FILE [--timeline-mib N]]
              [--host-limit-s N] [--carrier swap|baton] [--stamps] [--report] PROGRAM [ARGUMENT...]
    Runs a program with its threads on virtual cores. The variable TTD_CORES_EMULATOR names an
    emulator with its options, as `qemu-aarch64 -L DIR`, for a program of another processor. On
    x86-64 a program without a hook runs in qemu-x86_64, 4 to 15 times as slow as plainly.
ttd-cores as ARGUMENT...
    Assembles, and lets every block count; so it does under the name `as`, too.
";

/// The version of the options of `run`, and of the lines of `--stamps`. It grows when an older
/// `ttd` misreads them, or a newer one asks for more. `ttd` has it as `RUNNER_VERSION`.
const LINES: u32 = 2;

/// Files beside this program, or in `examples` there: the library, and the plugin for qemu-user.
const LIBRARY: &str = "libttd_cores_preload.so";
const PLUGIN: &str = "libttd_cores_plugin.so";

fn main() -> ExitCode {
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    let arguments: Vec<OsString> = arguments.collect();
    let is_assembler = Path::new(&name).file_name().is_some_and(|name| name == "as");
    let mut status = ExitCode::SUCCESS;
    let result = match arguments.first().and_then(|word| word.to_str()) {
        _ if is_assembler => assemble(&arguments),
        Some("as") => assemble(&arguments[1..]),
        Some("instrument") if arguments.len() == 3 => {
            flags(&arguments[1], Path::new(&arguments[2]))
        }
        Some("check") if arguments.len() == 2 => {
            Program::read(Path::new(&arguments[1])).map(|of| {
                let (can_run, lines) = words(&of);
                println!("{}", lines.join("\n"));
                if !can_run {
                    status = ExitCode::FAILURE;
                }
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
        Ok(()) => status,
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
    let library = beside(LIBRARY)?;
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

/// A file beside this program.
fn beside(name: &str) -> Result<PathBuf, String> {
    let own = env::current_exe().map_err(|error| error.to_string())?;
    let dir = own.parent().unwrap_or(Path::new("."));
    let places = [dir.join(name), dir.join("examples").join(name)];
    let found = places.into_iter().find(|place| place.is_file());
    found.ok_or_else(|| {
        format!("{name} is not beside this program: cargo build -p ttd-cores --examples makes it")
    })
}

/// The emulator that the user names, with its options; none if there is none.
fn named_emulator() -> Vec<String> {
    let named = env::var("TTD_CORES_EMULATOR").unwrap_or_default();
    named.split_whitespace().map(str::to_owned).collect()
}

/// A program behind an emulator and its options. The emulator itself does without the library.
fn emulated(words: &[String], file: &Path) -> Result<Command, String> {
    let (emulator, options) = words.split_first().ok_or("no emulator is named")?;
    let library = beside(LIBRARY)?;
    if library.as_os_str().as_encoded_bytes().contains(&b',') {
        let library = library.display();
        return Err(format!("a comma in {library} separates words of {emulator}"));
    }
    let mut preload = OsString::from("LD_PRELOAD=");
    preload.push(library);
    let mut command = Command::new(emulator);
    command.args(options).arg("-E").arg(preload).arg(file);
    Ok(command)
}

/// A program without a hook behind an emulator, qemu-user with the plugin: its words.
fn counting_words(qemu: &str) -> Result<Vec<String>, String> {
    let mut words = named_emulator();
    if words.is_empty() {
        words.push(qemu.to_owned());
    }
    in_path(Path::new(&words[0])).map_err(|why| format!("{why} (qemu-user)"))?;
    let asked = |option: &str| {
        let mut command = Command::new(&words[0]);
        let told = command.args(&words[1..]).arg(option).stdin(Stdio::null()).output();
        told.map_or(String::new(), |told| String::from_utf8_lossy(&told.stdout).into_owned())
    };
    // Some distributions build it without plugins.
    if !asked("-help").contains("\n-plugin ") {
        return Err(format!("{} was built without plugins", words.join(" ")));
    }
    is_known_qemu(&asked("--version"))?;
    if IS_BEYOND_QEMU {
        return Err(
            "ttd-cores was built for a processor with more instructions than qemu knows. Build it by \
             RUSTFLAGS=\"-C target-cpu=x86-64-v3\" cargo build --release -p ttd-cores --bins --examples"
                .to_owned(),
        );
    }
    let plugin = beside(PLUGIN)?.display().to_string();
    if plugin.contains(',') {
        return Err(format!("a comma in {plugin} separates words of {qemu}"));
    }
    // Addresses of the program are addresses of qemu, and nothing random differs between runs.
    let options = ["-cpu", "max", "-seed", "1", "-plugin", &plugin];
    words.extend(options.map(str::to_owned));
    Ok(words)
}

/// The emulator's words for a program that is [`Counting::Emulated`], or what it lacks.
fn counting_emulator(program: &Program, qemu: &str) -> Result<Vec<String>, String> {
    counting_words(qemu).map_err(|what| {
        let build = program.advice();
        format!(
            "it has no hook: {build}. Or let {qemu} count its instructions, which is slower: {what}"
        )
    })
}

/// Whether a program can run on virtual cores, how it counts there, and lines for other programs.
fn words(program: &Program) -> (bool, Vec<String>) {
    let counting = program.counting();
    let counts = counting.clone().and_then(|of| match of {
        Counting::Hook => Ok(format!("its blocks count instructions (hook {VERSION})")),
        Counting::Calls => Ok("its blocks count themselves (trace-pc)".to_owned()),
        Counting::Emulated(qemu) => counting_emulator(program, qemu).map(|_| {
            format!(
                "it has no hook, so that `ttd-cores run` lets {qemu} count instructions. That takes 4 \
                 to 15 times as long as the plain program. One that is built with the flags of \
                 `ttd-cores instrument {} DIR` takes twice as long",
                program.compiler()
            )
        }),
    });
    let mut lines = match &counts {
        Ok(how) => vec![format!("on virtual cores: {how}")],
        Err(why) => vec![format!("not on virtual cores: {why}")],
    };
    lines.extend(program.notes());
    if let (Ok(_), Ok(counting)) = (&counts, counting) {
        if let Counting::Emulated(qemu) = counting {
            lines.push(format!("counted_by={qemu}"));
        }
        lines.push(format!("price_ps={}", counting.price()));
    }
    (counts.is_ok(), lines)
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
    let within = |why: String| format!("{}: {why}", file.display());
    let program = Program::read(&file)?;
    let counting = program.counting().map_err(within)?;
    let named = named_emulator();
    let (mut command, emulated) = if let Counting::Emulated(qemu) = counting {
        let words = counting_emulator(&program, qemu).map_err(within)?;
        let slow = "4 to 15 times as slow (`ttd-cores check` tells how to build one)";
        let told = format!("it has no hook: {qemu} counts its instructions, {slow}");
        eprintln!("ttd-cores: {}", within(told));
        let mut command = emulated(&words, &file)?;
        // The rest of qemu's variables would change what a seed gives.
        let names = env::vars_os().map(|(name, _)| name);
        let is_qemus = |name: &OsString| name.as_encoded_bytes().starts_with(b"QEMU_");
        for name in names.filter(|name| is_qemus(name) && name != "QEMU_LD_PREFIX") {
            command.env_remove(name);
        }
        (command, "2")
    } else if named.is_empty() {
        let mut command = Command::new(&file);
        command.env("LD_PRELOAD", beside(LIBRARY)?);
        (command, "0")
    } else {
        (emulated(&named, &file)?, "1")
    };
    if env::var_os("TTD_CORES_PRICE_PS").is_none() {
        command.env("TTD_CORES_PRICE_PS", counting.price().to_string());
    }
    let command = command.args(rest).env("TTD_CORES_EMULATED", emulated);
    let error = command.envs(settings).exec();
    Err(within(error.to_string()))
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
