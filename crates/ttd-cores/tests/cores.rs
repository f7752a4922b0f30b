//! Virtual cores for other programs: programs in C, C++ and Rust, and a small engine in C
//! (`engine.c`).
//!
//! The engine needs the C compiler `cc`. Where there is none its tests are left out with a word.
//! Tests for another processor run by an emulator (docs/your-engine-on-64-cores.md).

#[path = "cores/calls.rs"]
mod calls;
#[cfg(target_arch = "x86_64")]
#[path = "cores/emulated.rs"]
mod emulated;
#[path = "cores/outside.rs"]
mod outside;

use std::env::consts::ARCH;
use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The small engine, compiled plainly, with the assembler's hook, and with blocks that call.
struct Engine {
    plain: PathBuf,
    hooked: PathBuf,
    calling: PathBuf,
}

const COMMAND: &str = env!("CARGO_BIN_EXE_ttd-cores");

/// The emulator, with its options, and the C compiler of another processor for which the tests are:
/// cargo's variables. None where `cc` is for the same processor.
fn cross() -> Option<(String, String)> {
    static IS_OWN: OnceLock<bool> = OnceLock::new();
    let machine = || Command::new("cc").arg("-dumpmachine").output();
    if *IS_OWN.get_or_init(|| machine().is_ok_and(|of| of.stdout.starts_with(ARCH.as_bytes()))) {
        return None;
    }
    let of = |what| format!("CARGO_TARGET_{}_UNKNOWN_LINUX_GNU_{what}", ARCH.to_uppercase());
    Some((std::env::var(of("RUNNER")).ok()?, std::env::var(of("LINKER")).ok()?))
}

/// A program's file, behind the emulator if there is one.
fn program(file: impl AsRef<OsStr>) -> Command {
    let (emulator, _) = cross().unwrap_or_default();
    let mut words = emulator.split_whitespace().map(OsStr::new).chain([file.as_ref()]);
    let mut command = Command::new(words.next().expect("a file"));
    command.args(words).env("TTD_CORES_EMULATOR", &emulator);
    command
}

fn ttd_cores() -> Command {
    program(COMMAND)
}

/// A compiler for this processor: `cc`, `c++` or `rustc`.
fn compiler(name: &str) -> Command {
    let Some((_, gcc)) = cross() else { return Command::new(name) };
    if name != "rustc" {
        return Command::new(if name == "cc" { gcc } else { gcc.replace("gcc", "g++") });
    }
    let mut command = Command::new(name);
    let target = format!("--target={ARCH}-unknown-linux-gnu");
    command.args([target, format!("-Clinker={gcc}")]);
    command
}

fn is_there(name: &str) -> bool {
    compiler(name).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// An assembler that runs this command by the emulator, in the place of a link.
fn emulate_assembler(file: &Path) {
    let Some((emulator, gcc)) = cross().filter(|_| file.exists()) else { return };
    let real = gcc.replace("gcc", "as");
    let text = format!("#!/bin/sh\nTTD_CORES_AS={real} exec {emulator} {COMMAND} as \"$@\"\n");
    std::fs::remove_file(file).expect("a link");
    std::fs::write(file, text).expect("a file");
    std::fs::set_permissions(file, Permissions::from_mode(0o755)).expect("a file");
}

/// Says that tests are left out. The macros write what nobody sees of a test that passes.
fn left_out(why: &str) {
    writeln!(std::io::stderr(), "left out: {why}").expect("written");
}

/// The engine, or `None` with a word where there is no C compiler.
fn engine() -> Option<&'static Engine> {
    static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();
    ENGINE.get_or_init(compiled).as_ref()
}

fn compiled() -> Option<Engine> {
    if !is_there("cc") {
        left_out("there is no C compiler `cc`");
        return None;
    }
    let text = include_str!("engine.c");
    let build = |name, hook| built(name, text, &["cc", "-std=gnu11", "-O2", "-pthread"], hook);
    Some(Engine {
        plain: build("plain-engine.c", "none"),
        hooked: build("hooked-engine.c", "gcc"),
        calling: build("calling-engine.c", "trace-pc"),
    })
}

/// A dialogue with a program: what it answers, or a panic with what it complains of.
fn dialogue(command: &mut Command, threads: usize, depth: usize) -> String {
    told(
        command,
        &format!(
            "uci\nisready\nsetoption name Threads value {threads}\nposition startpos\n\
             go depth {depth}\nposition fen other\ngo depth {depth}\nquit\n"
        ),
    )
}

/// The answer of a program to lines, or a panic with what it complains of.
fn told(command: &mut Command, lines: &str) -> String {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the program starts");
    process.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = process.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn on_virtual_cores(engine: &Path, threads: usize, options: &[&str]) -> String {
    let mut command = ttd_cores();
    dialogue(command.arg("run").args(options).arg(engine), threads, 9)
}

/// The lines without their times.
fn untimed(answer: &str) -> String {
    let words = answer.split(' ').collect::<Vec<_>>();
    let is_time = |at: usize| at > 0 && words[at - 1] == "time";
    let kept = (0..words.len()).map(|at| if is_time(at) { "T" } else { words[at] });
    kept.collect::<Vec<_>>().join(" ")
}

#[test]
fn one_thread_searches_the_plain_tree() {
    let Some(engine) = engine() else { return };
    let set = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/bratko-kopec.epd");
    let set = std::fs::read_to_string(set).expect("the positions");
    let position = |line: &str| {
        let fen = line.split(' ').take(4).collect::<Vec<_>>().join(" ");
        format!("position fen {fen} 0 1\ngo depth 7\n")
    };
    let is_position = |line: &&str| line.contains(" bm ");
    let lines: String = set.lines().filter(is_position).map(position).collect();
    let search = |command: &mut Command| untimed(&told(command, &format!("{lines}quit\n")));
    let plain = search(&mut program(&engine.plain));
    assert_eq!((plain.matches("bestmove").count(), plain.matches(" nodes ").count()), (24, 24 * 7));
    for hooked in [&engine.hooked, &engine.calling] {
        // With a hook it runs without the library, too.
        assert_eq!(search(&mut program(hooked)), plain);
        assert_eq!(search(ttd_cores().arg("run").arg(hooked)), plain);
    }
}

#[test]
fn a_seed_repeats_a_search_and_another_does_not() {
    let Some(engine) = engine() else { return };
    for hooked in [&engine.hooked, &engine.calling] {
        let first = on_virtual_cores(hooked, 8, &["--seed", "5"]);
        for _ in 0..9 {
            assert_eq!(on_virtual_cores(hooked, 8, &["--seed", "5"]), first);
        }
        let baton = ["--seed", "5", "--carrier", "baton"];
        assert_eq!(on_virtual_cores(hooked, 8, &baton), first);
        assert_ne!(on_virtual_cores(hooked, 8, &["--seed", "6"]), first);
    }
}

/// Headers of each program in C.
const HEADERS: &str = "errno linux/futex poll pthread semaphore stdio stdlib string sys/random sys/resource \
    sys/select sys/syscall sys/times threads time unistd";

/// The way of rounding (of both units of x86-64), the counter of time (which does not trap on ARM),
/// and a loop that counts nothing.
const PROCESSOR: &str = r#"
#ifdef __x86_64__
#include <x86intrin.h>
#define LOOP() __asm__ volatile("1: pause; jmp 1b")
#define SET(way) do { unsigned short unit = 0x37f ^ (way) << 10; _mm_setcsr(0x1f80 | (way) << 13); __asm__ volatile("fldcw %0" : : "m"(unit)); } while (0)
#define IS(way) ({ unsigned short seen; __asm__ volatile("fnstcw %0" : "=m"(seen)); (_mm_getcsr() >> 13 & 3) == (way) && seen == (0x37f ^ (way) << 10); })
#else
#define SET(way) __asm__ volatile("msr fpcr, %0" : : "r"((way) << 22))
#define IS(way) ({ long seen; __asm__ volatile("mrs %0, fpcr" : "=r"(seen)); seen == (way) << 22; })
static inline long __rdtsc(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000 + t.tv_nsec; }
#define __rdtscp(cpu) (*(cpu) = 0, __rdtsc())
#define LOOP() __asm__ volatile("1: b 1b")
#endif
"#;

/// Every kind of lock and wait of C. Its output does not depend on the order of threads.
const WAITS: &str = r#"
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t book = PTHREAD_RWLOCK_INITIALIZER; static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_cond_t never; static pthread_barrier_t gate; static pthread_spinlock_t spin; static sem_t room;
static pthread_key_t key; static int sum, most, inside, left, ended; static void first(void) { usleep(50); sum += 1000; } static void *alone(void *of) { usleep(300); ended++; return of; }
static void bye(void *of) { pthread_spin_lock(&spin); left++; pthread_spin_unlock(&spin); free(of); }
static void *work(void *of) {
    pthread_setspecific(key, malloc(1)); pthread_once(&once, first);
    for (int turn = 0; turn < 100; turn++) {
        pthread_mutex_lock(&lock); pthread_mutex_lock(&lock); sum++;
        pthread_mutex_unlock(&lock); pthread_mutex_unlock(&lock);
        sem_wait(&room); int now = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
        if (now > most) most = now; if (turn % 7 == (long)of) usleep(10);
        __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST); sem_post(&room);
        pthread_rwlock_rdlock(&book); if (turn % 10 == 0) sched_yield(); pthread_rwlock_unlock(&book);
        if (turn % 20 == 0) { pthread_rwlock_wrlock(&book); sum += 10; pthread_rwlock_unlock(&book); }
        if (turn % 50 == 0) pthread_barrier_wait(&gate);
    }
    if ((long)of % 2) pthread_exit(of); return of; }
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000 + t.tv_nsec / 1000; }
int main(void) {
    pthread_t of[6], other; pthread_attr_t attr; pthread_attr_init(&attr); pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED); pthread_condattr_t how; pthread_condattr_init(&how); pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    pthread_cond_init(&never, &how); pthread_barrier_init(&gate, NULL, 6); pthread_spin_init(&spin, 0); sem_init(&room, 0, 2); pthread_key_create(&key, bye);
    long joined = 0; for (long i = 0; i < 6; i++) pthread_create(&of[i], NULL, work, (void *)i);
    for (long i = 0; i < 6; i++) { void *result; pthread_join(of[i], &result); joined += (long)result; }
    for (int i = 0; i < 50; i++) { pthread_create(&other, &attr, alone, NULL); if (i % 2) usleep(400); }
    long start = now(), end = start + 20000; struct timespec until = { end / 1000000, end % 1000000 * 1000 };
    pthread_mutex_lock(&lock); int late = pthread_cond_timedwait(&never, &lock, &until); pthread_mutex_unlock(&lock);
    printf("sum %d most %d left %d joined %ld late %d ended %d\n", sum, most, left, joined, late == ETIMEDOUT, ended);
    return fprintf(stderr, "%ld\n", now() - start) < 0 || now() < end; }
"#;

/// Calls that are seldom made. The program's output does not depend on the order of threads.
const SELDOM: &str = r#"
static pthread_barrier_t gate, second; static int wrong, anew; static unsigned word;
static void *work(void *of) {
    long own = (long)of; SET(own);
    for (int turn = 0; turn < 20; turn++) {
        if (pthread_barrier_wait(&gate)) { pthread_barrier_destroy(&gate); pthread_barrier_init(&gate, NULL, 4); anew++; }
        pthread_barrier_wait(&second);
        if (!IS(own)) __atomic_add_fetch(&wrong, 1, __ATOMIC_SEQ_CST);
    }
    return NULL; }
int main(void) {
    pthread_t of[4]; char line[9]; struct timespec one, two; unsigned char random = 0;
    pthread_barrier_init(&gate, NULL, 4); pthread_barrier_init(&second, NULL, 4);
    for (long i = 0; i < 4; i++) pthread_create(&of[i], NULL, work, (void *)i);
    for (long i = 0; i < 4; i++) pthread_join(of[i], NULL);
    syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 1, 1, &word + 1, 0);
    syscall(SYS_getrandom, &random, 1, 0); fprintf(stderr, "%d\n", random);
    clock_gettime(CLOCK_MONOTONIC, &one); syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &two);
    int over = !fgets_unlocked(line, sizeof line, stdin);
    return printf("wrong %d anew %d late %d over %d\n", wrong, anew, two.tv_sec > one.tv_sec + 9, over) < 0; }
"#;

/// A first call that ends by an exception, and a second one; random words.
const ONCE: &str = r#"
#include <cstdio>
#include <mutex>
#include <random>
#include <thread>
std::once_flag flag; int calls;
void work() { try { std::call_once(flag, [] { if (++calls == 1) throw 1; }); } catch (int) {} }
int main() { std::thread(work).join(); work(); work(); std::fprintf(stderr, "%u\n", std::random_device()()); return std::printf("%d\n", calls) < 0; }
"#;

/// Threads that all add to one counter; their number is the argument.
const COUNTER: &str = r"
static long sum, each;
static void *work(void *of) { for (long i = 0; i < each; i++) __atomic_add_fetch(&sum, 1, __ATOMIC_SEQ_CST); return of; }
int main(int count, char **words) {
    pthread_t of[8]; int threads = atoi(words[count - 1]); each = 2000000 / threads;
    for (int i = 0; i < threads; i++) pthread_create(&of[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++) pthread_join(of[i], NULL); return sum != 2000000; }
";

#[test]
fn memory_is_not_modelled() {
    if engine().is_none() {
        return;
    }
    let program = built("counter.c", COUNTER, &["cc", "-O2", "-pthread"], "gcc");
    let seconds = |threads: &str| {
        let mut command = ttd_cores();
        let output = command.args(["run", "--report"]).arg(&program).arg(threads).output();
        let told = String::from_utf8(output.expect("it runs").stderr).expect("text");
        told.split(' ').nth(1).and_then(|word| word.parse::<f64>().ok()).expect("a time")
    };
    let (one, eight) = (seconds("1"), seconds("8"));
    assert!(one > 6.0 * eight, "{one} s on one thread, {eight} s on eight");
}

/// Rust's own locks and waits, with the hook of `rustc`.
const RUST: &str = r#"
use std::collections::HashMap;
use std::sync::{Arc, Barrier, Condvar, Mutex, RwLock, mpsc};
use std::{thread, time::Duration};
fn main() {
    let (send, receive) = mpsc::channel();
    let shared = Arc::new((Mutex::new(0), RwLock::new(0), Barrier::new(4)));
    let work = |own: u64| { let (send, shared) = (send.clone(), shared.clone()); thread::spawn(move || {
        for turn in 0..200u64 {
            *shared.0.lock().unwrap() += turn;
            if turn % 40 == own { *shared.1.write().unwrap() += 1 } else { assert!(*shared.1.read().unwrap() <= 20) }
            if turn % 50 == 0 { shared.2.wait(); thread::sleep(Duration::from_micros(30)); }
            send.send(own * 1000 + turn).unwrap();
        } own })};
    let all: Vec<_> = (0..4).map(work).collect(); drop(send);
    let order = receive.iter().fold(0u64, |sum, got| sum.wrapping_mul(31).wrapping_add(got));
    let joined: u64 = all.into_iter().map(|one| one.join().unwrap()).sum();
    let pair = (Mutex::new(()), Condvar::new()); let late = pair.1.wait_timeout(pair.0.lock().unwrap(), Duration::from_millis(5)).unwrap().1.timed_out();
    println!("{} {} {joined} {late}", shared.0.lock().unwrap(), shared.1.read().unwrap());
    let keys: Vec<_> = (0..10).map(|key| (key, ())).collect::<HashMap<_, _>>().into_keys().collect();
    eprintln!("{order} {keys:?}"); }
"#;

/// Compiles a text by a compiler, with the flags of a hook.
fn built(name: &str, text: &str, compiler: &[&str], hook: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (dir.join(name), dir.join(name).with_extension("program"));
    let headers = HEADERS.split(' ').map(|name| format!("#include <{name}.h>\n"));
    let of_c = headers.collect::<String>() + PROCESSOR;
    let of_c = if compiler[0] == "cc" { &of_c } else { "" };
    std::fs::write(&source, format!("{of_c}{text}")).expect("a file");
    // Of the hook "none" the command tells no flags.
    let place = source.with_extension(hook);
    let flags = ttd_cores().args(["instrument", hook]).arg(&place).output();
    let flags = String::from_utf8(flags.expect("the command runs").stdout).expect("text");
    emulate_assembler(&place.join("as"));
    let mut command = self::compiler(compiler[0]);
    command.args(&compiler[1..]).arg(&source).arg("-o").arg(&program);
    assert!(command.args(flags.split_whitespace()).status().expect("it runs").success());
    program
}

#[test]
fn locks_and_waits_of_c_and_of_rust_work() {
    let mut programs = vec![(
        built("locks.rs", RUST, &["rustc", "--edition", "2024"], "rustc"),
        "79600 20 6 true\n",
    )];
    if engine().is_some() {
        let cc = ["cc", "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-pthread"];
        let told = "sum 1900 most 2 left 6 joined 15 late 1 ended 50\n";
        programs.push((built("waits.c", WAITS, &cc, "gcc"), told));
        let told = "wrong 0 anew 20 late 0 over 1\n";
        programs.push((built("seldom.c", SELDOM, &cc, "gcc"), told));
    }
    if is_there("c++") {
        programs.push((built("once.cc", ONCE, &["c++", "-O2", "-pthread"], "gcc"), "2\n"));
    } else {
        left_out("there is no compiler of C++");
    }
    for (program, told) in programs {
        let plain = self::program(&program).output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&plain.stdout), told);
        let run = |carrier: &str| {
            let mut command = ttd_cores();
            let output = command.args(["run", "--carrier", carrier]).arg(&program).output();
            let output = output.expect("it runs");
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(text(&output.stdout), told, "{}", text(&output.stderr));
            // Times and orders are the same in every run, on both carriers.
            text(&output.stderr)
        };
        let first = run("swap");
        for carrier in ["swap", "baton", "swap", "baton"] {
            assert_eq!(run(carrier), first);
        }
    }
}
