//! Programs without a hook, in qemu-user: `qemu-x86_64` must be there, and take plugins. Where it
//! is not, these tests are left out with a word on standard error.

use super::calls::{ELEVEN, outcome};
use super::outside::{FINDS, OF_FINDS, finds_no_processors};
use super::{COMMAND, ONCE, RUST, SELDOM, WAITS};
use super::{built, dialogue, engine, is_there, left_out, untimed};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use ttd_cores::program::{IS_BEYOND_QEMU, is_known_qemu};

/// The command, with a library that qemu can run.
fn command() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(found).as_deref()
}

fn found() -> Option<PathBuf> {
    let told = |option: &str| {
        let told = Command::new("qemu-x86_64").arg(option).output();
        told.map_or(String::new(), |told| String::from_utf8_lossy(&told.stdout).into_owned())
    };
    if !told("-help").contains("-plugin") {
        left_out("there is no `qemu-x86_64` that takes plugins");
        return None;
    }
    if let Err(why) = is_known_qemu(&told("--version")) {
        left_out(&format!("there is a `qemu-x86_64`, but {why}"));
        return None;
    }
    engine()?;
    if !IS_BEYOND_QEMU {
        return Some(COMMAND.into());
    }
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("for-qemu");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--bins", "--examples", "--manifest-path"]);
    cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).arg("--target-dir").arg(&dir);
    cargo.env("RUSTFLAGS", "-C target-cpu=x86-64-v3");
    assert!(cargo.status().expect("it runs").success());
    Some(dir.join("debug/ttd-cores"))
}

/// A program with these options.
fn run(program: &Path, options: &[&str]) -> Option<Command> {
    let mut command = Command::new(command()?);
    command.arg("run").args(options).arg(program);
    Some(command)
}

/// A program in C without a hook.
fn plain(name: &str, text: &str, flags: &[&str]) -> PathBuf {
    let compiler = ["cc", "-std=gnu11", "-D_GNU_SOURCE", "-pthread"];
    built(name, text, &[&compiler, flags].concat(), "none")
}

#[test]
fn a_program_without_a_hook_searches_its_own_tree() {
    let Some(mut command) = engine().and_then(|engine| run(&engine.plain, &[])) else { return };
    let plain = &engine().expect("it was there").plain;
    let tree = untimed(&dialogue(&mut Command::new(plain), 1, 9));
    assert_eq!(untimed(&dialogue(&mut command, 1, 9)), tree);
}

#[test]
fn a_seed_repeats_a_search_in_qemu_and_another_does_not() {
    let Some(engine) = engine() else { return };
    let search = |options: &[&str]| {
        let stamped = [&["--stamps"], options].concat();
        run(&engine.plain, &stamped).map(|mut command| dialogue(&mut command, 8, 8))
    };
    let Some(first) = search(&["--seed", "5"]) else { return };
    // Stamps tell each turn, to the picosecond.
    for _ in 0..9 {
        assert_eq!(search(&["--seed", "5"]).as_ref(), Some(&first));
    }
    assert_eq!(search(&["--seed", "5", "--carrier", "baton"]).as_ref(), Some(&first));
    assert_ne!(search(&["--seed", "6"]).expect("it runs"), first);
}

#[test]
fn an_instruction_is_counted_as_by_the_assembler() {
    let Some(engine) = engine() else { return };
    if command().is_none() {
        return;
    }
    let busy = |program: &Path| {
        let lines = "position startpos\ngo depth 9\nquit\n";
        let mut command = run(program, &["--report"]).expect("it was there");
        let (status, _, told) = outcome(&mut command, lines);
        assert_eq!(status, Some(0), "{told}");
        let time = told.split(' ').skip_while(|word| *word != "busy").nth(2);
        time.and_then(|time| time.parse::<f64>().ok()).expect("a time behind `busy for`")
    };
    let (emulated, hooked) = (busy(&engine.plain), busy(&engine.hooked));
    // A compiler's text and its program differ by the stubs for functions of libraries.
    assert!((emulated / hooked - 1.0).abs() < 0.02, "{emulated} s, and {hooked} s with the hook");
}

/// Registers of which a handler of a signal must take care, in threads that let no signal in and
/// would have that of the plugin.
const KEPT: &str = r#"
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static int wrong; static void other(int of) { wrong += 1000; }
static void *work(void *of) {
    sigset_t all; sigfillset(&all); pthread_sigmask(SIG_BLOCK, &all, NULL); sigprocmask(SIG_SETMASK, &all, NULL);
    struct sigaction action = { .sa_handler = other }; sigaction(SIGSTKFLT, &action, NULL); signal(SIGSTKFLT, other);
    uint64_t in[64], out[64], red, left; for (int i = 0; i < 64; i++) in[i] = 77 * i + (uintptr_t)of;
    for (int turn = 0; turn < 5; turn++) {
        __asm__ volatile("vmovdqu (%2), %%ymm3; vmovdqu 32(%2), %%ymm15; fldl 64(%2); movq %2, -64(%%rsp); mov $90000, %%rcx; stc\n"
            "1: inc %%rax; lea -1(%%rcx), %%rcx; jrcxz 2f; jmp 1b\n2: sbb %0, %0; movq -64(%%rsp), %1; fstpl 64(%3)\n"
            "vmovdqu %%ymm3, (%3); vmovdqu %%ymm15, 32(%3)"
            : "=&r"(left), "=&r"(red) : "r"(in), "r"(out) : "rax", "rcx", "cc", "memory", "xmm3", "xmm15");
        if (memcmp(in, out, 72) || red != (uintptr_t)in || left != (uint64_t)-1) __atomic_add_fetch(&wrong, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}
int main(void) { pthread_t of[3]; for (long i = 0; i < 3; i++) pthread_create(&of[i], NULL, work, (void *)(i + 1)); for (int i = 0; i < 3; i++) pthread_join(of[i], NULL); return printf("wrong %d\n", wrong) < 0; }
"#;

#[test]
fn a_turn_ends_between_two_blocks_and_changes_no_register() {
    if command().is_none() {
        return;
    }
    let blocking = "#include <signal.h>\nint main(int count, char **words) { sigset_t all; sigfillset(&all); \
        sigprocmask(SIG_BLOCK, &all, 0); execv(words[1], words + 1); return 9; }";
    let blocking = plain("blocking.c", blocking, &[]);
    let program = plain("kept.c", KEPT, &["-O1", "-mavx2", "-mno-red-zone"]);
    for carrier in ["swap", "baton"] {
        let mut command = run(&program, &["--report", "--carrier", carrier]).expect("it was there");
        if carrier == "baton" {
            // A mask is inherited from whoever starts the program.
            let mut blocking = Command::new(&blocking);
            blocking.arg(command.get_program()).args(command.get_args());
            command = blocking;
        }
        let (status, told, report) = outcome(&mut command, "");
        assert_eq!((status, &*told), (Some(0), "wrong 0\n"), "{report}");
        // Each of three threads works for five times 108 µs, in turns of 10 µs.
        let words: Vec<&str> = report.split(' ').collect();
        let switches = words.iter().position(|word| word.starts_with("switches")).expect("a word");
        assert!(words[switches - 1].parse::<u32>().is_ok_and(|count| count > 100), "{report}");
    }
}

#[test]
fn locks_and_waits_work_in_qemu() {
    if command().is_none() {
        return;
    }
    let mut programs = vec![
        (
            plain("emulated-waits.c", WAITS, &["-O2"]),
            "sum 1900 most 2 left 6 joined 15 late 1 ended 50\n",
        ),
        (plain("emulated-seldom.c", SELDOM, &["-O2"]), "wrong 0 anew 20 late 0 over 1\n"),
        (plain("emulated-eleven.c", ELEVEN, &["-O2"]), "sum 1600 joined 20 late 1 1\n"),
        (
            built("emulated-locks.rs", RUST, &["rustc", "--edition", "2024"], "none"),
            "79600 20 6 true\n",
        ),
    ];
    if is_there("c++") {
        let once = built("emulated-once.cc", ONCE, &["c++", "-O2", "-pthread"], "none");
        programs.push((once, "2\n"));
    } else {
        left_out("there is no compiler of C++");
    }
    for (program, told) in programs {
        let answer = |carrier: &str| {
            let mut command = run(&program, &["--carrier", carrier]).expect("it was there");
            let (status, answer, complaint) = outcome(&mut command, "");
            assert_eq!((status, &*answer), (Some(0), told), "{complaint}");
            complaint
        };
        let first = answer("swap");
        for carrier in ["swap", "baton", "swap"] {
            assert_eq!(answer(carrier), first);
        }
    }
}

#[test]
fn no_file_tells_of_processors_in_qemu() {
    if command().is_none() {
        return;
    }
    let program = plain("emulated-finds.c", &format!("{OF_FINDS}{FINDS}"), &["-O1"]);
    finds_no_processors(run(&program, &["--seen", "7"]).expect("it was there"));
}

#[test]
fn children_and_loops_end_in_qemu() {
    let Some(engine) = engine() else { return };
    for carrier in ["swap", "baton"] {
        let options = ["--host-limit-s", "20", "--carrier", carrier];
        let Some(mut command) = run(&engine.plain, &options) else { return };
        let lines = "setoption name Threads value 3\nfork\nspin\nisready\nquit\n";
        let (status, answer, complaint) = outcome(&mut command, lines);
        assert_eq!((status, &*answer), (Some(0), "child 7\nspun\nreadyok\n"), "{complaint}");
    }
    // A loop in assembler counts, too: the thread beside it has its turns, and the host its limit.
    let text = "#include <pthread.h>\n#include <unistd.h>\nstatic void *work(void *of) { \
        __asm__ volatile(\"1: jmp 1b\"); return of; }\nint main(int count, char **words) { \
        pthread_t of; pthread_create(&of, 0, work, 0); if (count > 1) pthread_join(of, 0); \
        usleep(3000); _exit(5); }";
    let program = plain("emulated-loop.c", text, &["-O1"]);
    let mut command = run(&program, &["--host-limit-s", "1"]).expect("it was there");
    assert_eq!(outcome(&mut command, "").0, Some(5));
    let (status, _, told) = outcome(command.arg("on"), "");
    assert_eq!(status, Some(97), "{told}");
    assert!(told.contains("the limit of 1 s of the host is over, at "), "{told}");
}

/// A program whose threads come from a `malloc` of its own.
const MALLOC: &str = r#"
static char room[1 << 24]; static size_t used; static volatile long count; static int sum;
void *malloc(size_t size) { for (int i = 0; i < 100; i++) count++;
    char *at = room + __atomic_fetch_add(&used, (size + 47) & ~31ul, __ATOMIC_SEQ_CST); *(size_t *)at = size; return at + 16; }
void free(void *of) { } void *calloc(size_t count, size_t size) { return malloc(count * size); }
void *realloc(void *old, size_t size) { char *at = malloc(size), *from = old;
    for (size_t i = 0; from && i < size && i < *(size_t *)(from - 16); i++) at[i] = from[i]; return at; }
static void *work(void *of) { for (int i = 0; i < 20; i++) { long *one = malloc(64); *one = (long)of; sum += *one; } return of; }
int main(void) { pthread_t of[20]; setvbuf(stdout, NULL, _IONBF, 0);
    for (long i = 0; i < 20; i++) if (pthread_create(&of[i], NULL, work, (void *)i)) return 3;
    for (int i = 0; i < 20; i++) pthread_join(of[i], NULL); return printf("sum %d\n", sum) < 0; }
"#;

#[test]
fn no_turn_ends_in_a_malloc_that_the_library_calls() {
    if engine().is_none() {
        return;
    }
    let program = built("malloc.c", MALLOC, &["cc", "-O1", "-fno-builtin", "-pthread"], "gcc");
    let check = outcome(Command::new(COMMAND).arg("check").arg(&program), "").1;
    assert!(check.contains("it has a malloc of its own: build that one without"), "{check}");
    let answer = |carrier: &str| {
        let mut command = Command::new(COMMAND);
        // A new thread is the next one, before it has a place.
        let command = command.args(["run", "--report", "--quantum-ns", "500", "--start-ns", "0"]);
        outcome(command.args(["--carrier", carrier]).arg(&program), "")
    };
    let first = answer("swap");
    assert_eq!((first.0, &*first.1), (Some(0), "sum 3800\n"), "{}", first.2);
    assert_eq!(answer("baton"), first);
}

/// Two threads write to one stream, and each holds its lock for longer than a quantum. The C
/// library calls a `malloc` of the program for a buffer. With an argument there is a `flockfile`.
/// With "spin" and "wait" a thread has a lock of the program, for which the other one waits so.
const STREAM: &str = r#"
static char room[1 << 22]; static size_t used; static volatile long count; static FILE *file;
static pthread_barrier_t all; static int is_by_hand, flag; static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void spend(void) { for (int i = 0; i < 100000; i++) count++; }
void *malloc(size_t size) { spend(); char *at = room + used; used += (size + 31) & ~31ul; return at; }
void free(void *of) { } void *calloc(size_t count, size_t size) { return malloc(count * size); }
void *realloc(void *old, size_t size) { return malloc(size); }
static void *work(void *of) { pthread_barrier_wait(&all);
    for (int i = 0; i < 3; i++) {
        if (is_by_hand) { flockfile(file); spend(); sched_yield(); }
        fprintf(file, "%d", i); fflush(file);
        if (is_by_hand) { funlockfile(file); spend(); } } return of; }
static void *lock(void *of) { pthread_barrier_wait(&all); if (of) { spend(); flockfile(file); }
    if (is_by_hand) { while (__atomic_exchange_n(&flag, 1, 5)) count++; } else pthread_mutex_lock(&mutex);
    for (int i = 0; i < 9; i++) spend();
    if (is_by_hand) flag = 0; else pthread_mutex_unlock(&mutex);
    if (of) funlockfile(file); return of; }
int main(int words, char **of) { pthread_t other[2]; is_by_hand = words > 1 && of[1][0] != 'w'; file = fdopen(dup(1), "w");
    pthread_barrier_init(&all, NULL, 2);
    for (long i = 0; i < 2; i++) pthread_create(&other[i], NULL, words > 1 && of[1][0] != 'b' ? lock : work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(other[i], NULL); return 0; }
"#;

#[test]
fn no_turn_ends_while_a_thread_holds_the_lock_of_a_stream() {
    if engine().is_none() {
        return;
    }
    let program = built("stream.c", STREAM, &["cc", "-O1", "-fno-builtin", "-pthread"], "gcc");
    for words in [&[][..], &["by-hand"], &["spin"], &["wait"]] {
        let is_lock = words.first().is_some_and(|word| *word != "by-hand");
        let answer = |carrier: &str| {
            let mut command = Command::new(COMMAND);
            command.args(["run", "--report", "--host-limit-s", "20", "--carrier", carrier]);
            outcome(command.arg(&program).args(words), "")
        };
        let first = answer("swap");
        let mut written: Vec<char> = first.1.chars().collect();
        written.sort_unstable();
        let expected = if is_lock { "" } else { "001122" };
        assert_eq!(
            (first.0, String::from_iter(written)),
            (Some(0), expected.into()),
            "{}",
            first.2
        );
        let warned = first.2.matches("a thread waits with the lock of a stream").count();
        assert_eq!(warned, usize::from(words == ["wait"]), "{}", first.2);
        assert_eq!(answer("baton"), first);
    }
}

#[test]
fn the_counter_of_the_host_is_told() {
    if command().is_none() {
        return;
    }
    let text = "#include <x86intrin.h>\nint main(void) { unsigned of; return __rdtsc() == __rdtscp(&of); }";
    let program = plain("emulated-counter.c", text, &["-O1"]);
    let (status, _, told) = outcome(&mut run(&program, &[]).expect("it was there"), "");
    assert_eq!((status, told.matches("counter of time (rdtsc)").count()), (Some(0), 1), "{told}");
}

#[test]
fn what_is_missing_for_qemu_is_told() {
    let Some(engine) = engine() else { return };
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("missing");
    std::fs::create_dir_all(&dir).expect("a directory");
    let asked = |what: &str, command: &Path, program: &Path, path: &Path| {
        let mut command = Command::new(command);
        outcome(command.arg(what).arg(program).env("PATH", path), "")
    };
    let refused = |command: &Path, program: &Path, path: &Path| {
        let (status, _, told) = asked("run", command, program, path);
        assert_eq!(status, Some(1), "{told}");
        let (_, check, complaint) = asked("check", command, program, path);
        assert!(check.starts_with("not on virtual cores: ") || check.is_empty(), "{check}");
        assert!(
            !check.contains("price_ps=") && (check.is_empty() != complaint.is_empty()),
            "{check}"
        );
        told
    };
    let own = Path::new(COMMAND);
    let told = refused(own, &engine.plain, &dir.join("empty"));
    assert!(told.contains("it has no hook: build it with the flags that `ttd-cores ins"), "{told}");
    assert!(told.contains("there is no program qemu-x86_64 in the path"), "{told}");
    // One without plugins, as Debian 13 has it.
    let other = dir.join("other");
    std::fs::create_dir_all(&other).expect("a directory");
    // A shell writes it: a child of another test would keep a file of this process open.
    let write = |lines: &str| {
        let text =
            format!("printf '%s\\n' '#!/bin/sh' {lines} >qemu-x86_64 && chmod 755 qemu-x86_64");
        let mut shell = Command::new("sh");
        assert!(shell.args(["-c", &text]).current_dir(&other).status().expect("it runs").success());
    };
    write("'echo \"-cpu model\"'");
    let told = refused(own, &engine.plain, &other);
    assert!(told.contains("qemu-x86_64 was built without plugins"), "{told}");
    // One whose plugins have another interface.
    write("echo 'echo \"-plugin x\"' 'echo qemu-x86_64 version 9.2.1'");
    let told = refused(own, &engine.plain, &other);
    assert!(told.contains("it is of version 9.2.1, and the plugin is for 7.2 to 8.2"), "{told}");
    // The C library calls a `malloc` of the program.
    let malloc = plain("emulated-malloc.c", MALLOC, &["-O1"]);
    assert!(refused(own, &malloc, &other).contains("and a `malloc` of its own. The"));
    // Another processor's program, and one that is linked statically.
    let changed = |name: &str, change: fn(&mut Vec<u8>)| {
        let mut bytes = std::fs::read(&engine.plain).expect("a program");
        change(&mut bytes);
        std::fs::write(dir.join(name), bytes).expect("a file");
        dir.join(name)
    };
    let arm = changed("arm", |bytes| bytes[18] = 183);
    let told = refused(own, &arm, &other);
    assert!(told.contains("is no program for x86-64 with Linux, but for 64-bit ARM"), "{told}");
    // Without headers it names no loader.
    let alone = changed("static", |bytes| bytes[56..58].fill(0));
    assert!(refused(own, &alone, &other).contains("it is linked statically"));
    let Some(command) = command() else { return };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = Path::new(&path);
    let (_, told, _) = asked("check", command, &engine.plain, path);
    assert!(
        told.starts_with("on virtual cores: it has no hook, so that `ttd-cores run` lets qemu"),
        "{told}"
    );
    assert!(told.contains("count instructions"), "{told}");
    assert!(told.ends_with("\ncounted_by=qemu-x86_64\nprice_ps=300\n"), "{told}");
    let text = "int dl_iterate_phdr(void *, void *); int main(int count) { return count > 9 && dl_iterate_phdr(0, 0); }";
    let noted = plain("noted.c", text, &["-O0", "-Wl,-rpath,$ORIGIN"]);
    let (_, told, _) = asked("check", command, &noted, path);
    assert!(told.contains("it names dl_iterate_phdr") && told.contains("($ORIGIN)"), "{told}");
    if IS_BEYOND_QEMU {
        let told = refused(own, &engine.plain, path);
        assert!(told.contains("more instructions than qemu knows"), "{told}");
    }
    let lonely = dir.join("ttd-cores");
    let _ = std::fs::remove_file(&lonely);
    std::fs::hard_link(command, &lonely).expect("a link");
    let told = refused(&lonely, &engine.plain, path);
    assert!(told.contains("libttd_cores_plugin.so is not beside this program"), "{told}");
}
