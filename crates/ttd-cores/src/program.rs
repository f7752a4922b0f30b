//! The file of a program: whether it can run on virtual cores, and how it counts there.

use crate::architecture::Own;
use crate::assembler::{MARK, VERSION};
use std::fs;
use std::path::Path;

/// The system call by which the preloaded library tells the plugin for qemu-user where the budget
/// lies, a word of 64 bits. No system has a call of this number.
pub const TELL: i64 = 0x7474_6463;

/// The word that the library has written there before.
pub const QUESTION: i64 = 0x7768_6f3f;

/// The word that the plugin writes there.
pub const ANSWER: i64 = 0x636f_7265;

/// The signal of the plugin when the budget is below zero: `SIGSTKFLT`, which Linux never sends.
pub const SPENT: i32 = 16;

/// Whether this build may have instructions that qemu 7.2 does not know. The library has them, too.
pub const IS_BEYOND_QEMU: bool = cfg!(any(
    target_feature = "avx512f",
    target_feature = "avxvnni",
    target_feature = "gfni",
    target_feature = "xop",
    target_feature = "tbm"
));

/// Looks at what qemu-user tells of its version. Its plugins have the interface of 7.2 until 9.0.
///
/// # Errors
///
/// The reason why it is of no use: another version, or none.
pub fn is_known_qemu(told: &str) -> Result<(), String> {
    let version = told.split_once("version ").map(|(_, rest)| rest);
    let number = version.and_then(|rest| rest.split([' ', '\n']).next()).unwrap_or("?");
    let mut parts = number.split('.').map(|part| part.parse().unwrap_or(0));
    let part = [parts.next().unwrap_or(0), parts.next().unwrap_or(0)];
    if ([7, 2]..[9, 0]).contains(&part) {
        return Ok(());
    }
    Err(format!("it is of version {number}, and the plugin is for 7.2 to 8.2"))
}

/// How a program counts what it executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// The assembler's hook: blocks count their instructions.
    Hook,
    /// Blocks call a function (`-fsanitize-coverage=trace-pc`), and count themselves.
    Calls,
    /// Not by itself: this emulator and a plugin count instructions.
    Emulated(&'static str),
}

impl Counting {
    /// The usual virtual time of what is counted, in picoseconds: an instruction or a block.
    pub fn price(self) -> u32 {
        if self == Counting::Calls { 1500 } else { 300 }
    }
}

/// All that a program file tells.
#[derive(Debug)]
pub struct Program {
    is_dynamic: bool,
    is_musl: bool,
    /// The version of the assembler's hook.
    hook: Option<u64>,
    calls: bool,
    /// Whether the C library calls a `malloc` of the program.
    has_malloc: bool,
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
    /// Reads the file of a program.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no program for this processor with Linux.
    pub fn read(file: &Path) -> Result<Program, String> {
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        if !bytes.starts_with(b"\x7fELF\x02\x01") || bytes.get(18..20) != Some(&[Own::ELF, 0]) {
            let what = other(&bytes).map_or(String::new(), |what| format!(", but for {what}"));
            let (file, name) = (file.display(), Own::NAME);
            return Err(format!("{file} is no program for {name} with Linux{what}"));
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
            has_malloc: exports(&bytes, b"malloc\0"),
            bytes,
        })
    }

    /// Whether the file holds a text. The whole file is looked through.
    fn has(&self, text: &str) -> bool {
        self.bytes.windows(text.len()).any(|part| part == text.as_bytes())
    }

    /// The compiler that left its name, as `instrument` calls it.
    pub fn compiler(&self) -> &'static str {
        let found = COMPILERS.iter().find(|(mark, _)| self.has(mark));
        found.map_or("gcc|clang|rustc|trace-pc", |&(_, name)| name)
    }

    /// How the program counts.
    ///
    /// # Errors
    ///
    /// The reason why it cannot run on virtual cores at all.
    pub fn counting(&self) -> Result<Counting, String> {
        if !self.is_dynamic {
            return Err(
                "it is linked statically: link it with the C library as a shared one".into()
            );
        }
        if self.is_musl {
            return Err("it is linked with musl: virtual cores need glibc".into());
        }
        match self.hook {
            Some(version) if version != VERSION => Err(format!(
                "its hook is of version {version}, this program's is {VERSION}: build it anew"
            )),
            Some(_) => Ok(Counting::Hook),
            None if self.calls => Ok(Counting::Calls),
            None => self.emulated(),
        }
    }

    /// How a program without a hook counts.
    fn emulated(&self) -> Result<Counting, String> {
        let build = self.advice();
        match Own::EMULATOR {
            None => Err(format!("it has no hook: {build}")),
            Some(qemu) if self.has_malloc => Err(format!(
                "it has no hook, and a `malloc` of its own. The C library calls that while it holds \
                 locks, so that in {qemu} all threads might wait for ever: {build}"
            )),
            Some(qemu) => Ok(Counting::Emulated(qemu)),
        }
    }

    /// How to build the program with a hook.
    pub fn advice(&self) -> String {
        let compiler = self.compiler();
        format!("build it with the flags that `ttd-cores instrument {compiler} DIR` prints")
    }

    /// Lines about what virtual cores lack.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let memory = "memory is not modelled: caches, bandwidth and contended lines cost nothing";
        // Names stand between zeros.
        let lacking = LACKING.iter().filter(|(name, _)| self.has(&format!("\0{name}\0")));
        let lacking = lacking.map(|(name, what)| format!("it names {name}, which {what}"));
        let malloc = "it has a malloc of its own: build that one without the hook, since the C \
                      library calls it while it holds locks";
        let malloc = (self.has_malloc && self.hook.is_some()).then(|| malloc.to_owned());
        let unwinding = "it names dl_iterate_phdr: an exception may hold a lock of the loader where a \
                         turn ends, and all threads wait then";
        let is_emulated = matches!(self.counting(), Ok(Counting::Emulated(_)));
        let unwinds = is_emulated && self.has("\0dl_iterate_phdr\0");
        let unwinding = unwinds.then(|| unwinding.to_owned());
        let own = "it has libraries of its own ($ORIGIN): their instructions do not count";
        let own = (is_emulated && self.has("$ORIGIN")).then(|| own.to_owned());
        let notes = std::iter::once(memory.to_owned()).chain(malloc).chain(unwinding).chain(own);
        notes.chain(lacking)
    }
}

/// The processor or system that another kind of program is for, as far as it is known.
fn other(bytes: &[u8]) -> Option<&'static str> {
    match (bytes.get(..4)?, bytes.get(18..20)?) {
        (b"\x7fELF", [3, 0]) => Some("32-bit x86"),
        (b"\x7fELF", [40, 0]) => Some("32-bit ARM"),
        (b"\x7fELF", [62, 0]) => Some("x86-64"),
        (b"\x7fELF", [183, 0]) => Some("64-bit ARM"),
        (b"\x7fELF", [243, 0]) => Some("RISC-V"),
        ([b'M', b'Z', ..], _) => Some("Windows"),
        ([b'#', b'!', ..], _) => Some("an interpreter: name the program that it starts"),
        _ => None,
    }
}

/// A number of some bytes, the lowest first.
fn number(program: &[u8], at: usize, length: usize) -> Option<usize> {
    let bytes = program.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |sum, &byte| (sum << 8) | usize::from(byte)))
}

/// The name of the loader that a program asks for: its `PT_INTERP`. A static program has none.
fn loader(program: &[u8]) -> Option<&[u8]> {
    let number = |at, length| number(program, at, length);
    let (headers, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let places = (0..count).map(|at| headers.saturating_add(at * size));
    let header = places.into_iter().find(|&at| number(at, 4) == Some(3))?;
    let (start, length) = (number(header + 8, 8)?, number(header + 32, 8)?);
    program.get(start..start.checked_add(length)?)
}

/// Whether libraries find a function in the program: its `.dynsym` has a section for it. `name` has
/// a zero at its end.
fn exports(program: &[u8], name: &[u8]) -> bool {
    let number = |at, length| number(program, at, length);
    let section = |at: usize| Some(number(40, 8)?.saturating_add(at * number(58, 2)?));
    // The offset of a section, and its length.
    let bounds = |at: usize| Some((number(at + 24, 8)?, number(at + 32, 8)?));
    let look = || {
        let count = number(60, 2)?;
        let table = (0..count).filter_map(section).find(|&at| number(at + 4, 4) == Some(11))?;
        let (names, _) = bounds(section(number(table + 40, 4)?)?)?;
        let (start, length) = bounds(table)?;
        let is_it = |at: usize| {
            let text = program.get(names.checked_add(number(at, 4)?)?..)?;
            Some(text.starts_with(name) && number(at + 6, 2)? != 0)
        };
        let end = start.saturating_add(length).min(program.len());
        Some((start..end).step_by(24).any(|at| is_it(at) == Some(true)))
    };
    look() == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qemu_has_the_interface_of_the_plugin() {
        let told = |number: &str| is_known_qemu(&format!("qemu-x86_64 version {number}\nCopy"));
        for known in ["7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)", "8.0.0", "8.2.2"] {
            assert_eq!(told(known), Ok(()), "{known}");
        }
        for other in ["7.1.0", "9.0.0", "10.0.8 (Debian)", "x"] {
            let why = told(other).expect_err("another version");
            assert!(why.contains(other.split(' ').next().expect("a number")), "{why}");
        }
        assert!(is_known_qemu("").is_err_and(|why| why.contains("version ?")));
    }
}
