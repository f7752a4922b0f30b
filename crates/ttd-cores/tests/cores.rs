//! Virtual cores for other programs: the schedule, the hook, and a small engine in C (`engine.c`).
//!
//! The engine needs the C compiler `cc`. Where there is none its tests are left out with a word.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use ttd_cores::assembler::instrument;
use ttd_cores::schedule::{Id, Next, Schedule, Settings};

const SETTINGS: Settings = Settings { seed: 1, quantum: 100, start: 0, wake: 0 };

#[test]
fn the_earliest_thread_runs_within_a_quantum() {
    let mut schedule = Schedule::new(SETTINGS);
    let other = schedule.spawn().expect("room");
    assert_eq!(schedule.allowance(), 100);
    schedule.charge(99);
    assert_eq!(schedule.turn(), Next::Thread(0));
    schedule.charge(1);
    assert_eq!(schedule.turn(), Next::Thread(other));
    assert_eq!((schedule.now(), schedule.allowance()), (0, 200));
    // A thread that yields goes on while it is the earliest.
    schedule.charge(99);
    assert_eq!(schedule.yield_now(), Next::Thread(other));
    schedule.charge(2);
    assert_eq!(schedule.yield_now(), Next::Thread(0));
}

#[test]
fn waits_end_by_a_wake_up_or_by_their_deadline() {
    let mut schedule = Schedule::new(SETTINGS);
    let other = schedule.spawn().expect("room");
    assert_eq!(schedule.block(7, Some(500)), Next::Thread(other));
    schedule.charge(30);
    assert_eq!((schedule.wake(8, 9), schedule.wake(7, 9)), (0, 1));
    assert_eq!(schedule.block(7, Some(40)), Next::Thread(0));
    assert!(!schedule.timed_out());
    assert_eq!(schedule.now(), 30);
    assert_eq!(schedule.block(7, None), Next::Thread(other));
    assert!(schedule.timed_out());
    assert_eq!(schedule.now(), 40);
    assert_eq!(schedule.exit(99), Next::Nobody);
}

#[test]
fn input_comes_when_all_are_quiet_or_only_poll() {
    let mut schedule = Schedule::new(SETTINGS);
    let other = schedule.spawn().expect("room");
    assert_eq!(schedule.external_wait(), Next::Thread(other));
    schedule.charge(1_000_000);
    assert_eq!(schedule.turn(), Next::Thread(other));
    let mut polls = 0;
    while schedule.running() == other {
        let until = schedule.now() + 5;
        schedule.block(0, Some(until));
        polls += 1;
    }
    assert!(polls > 10);
    assert!(schedule.now() >= 1_000_000);
}

#[test]
fn a_random_history_keeps_clocks_in_order() {
    let history = |seed| {
        let mut schedule = Schedule::new(Settings { seed, start: 50, wake: 20, ..SETTINGS });
        let mut draws = ttd_cores::schedule::hash(99);
        let mut draw = |below: u64| {
            draws = ttd_cores::schedule::hash(draws);
            draws % below
        };
        let mut ran: Vec<(Id, i64)> = Vec::new();
        for _ in 0..40 {
            schedule.spawn().expect("room");
        }
        for _ in 0..20_000 {
            schedule.charge(draw(60) as i64);
            let now = schedule.now();
            let next = match draw(10) {
                0 => schedule.block(draw(5) as usize + 1, Some(now + draw(900) as i64)),
                1 => {
                    schedule.wake(draw(5) as usize + 1, 2);
                    schedule.turn()
                }
                2 => schedule.yield_now(),
                _ => schedule.turn(),
            };
            assert!(matches!(next, Next::Thread(id) if id == schedule.running()));
            // Nobody is left behind by more than a quantum and one charge.
            assert!(schedule.allowance() + 60 >= 0, "{}", schedule.allowance());
            ran.push((schedule.running(), schedule.now()));
        }
        assert_eq!(ran.iter().map(|&(id, _)| id).collect::<BTreeSet<_>>().len(), 41);
        ran
    };
    assert_eq!(history(1), history(1));
    assert_ne!(history(1), history(2));
}

/// The lines with the hook, up to the stubs.
fn counted(code: &str) -> Vec<String> {
    let made = instrument(code).expect("AT&T syntax");
    let end = made.text.find("# support").unwrap_or(made.text.len());
    let lines = made.text[..end].lines().map(|line| line.trim().replace('\t', " "));
    lines.take_while(|line| !line.starts_with(".Lttds")).collect()
}

#[test]
fn a_block_is_charged_once_where_its_flags_are_free() {
    let code = "f:\n\tmovl\t%edi, %eax\n\ttestl\t%eax, %eax\n\tje\t.L2\n\tret\n.L2:\n\tret";
    let charge = |count, block: &str| {
        format!("subq ${count}, %fs:ttd_cores_budget@tpoff|js .Lttds{block}|.Lttdr{block}:")
    };
    let (first, second, third) = (charge(3, "0"), charge(1, "1"), charge(1, "2"));
    let expected =
        format!("f:|{first}|movl %edi, %eax|testl %eax, %eax|je .L2|{second}|ret|.L2:|{third}|ret");
    assert_eq!(counted(code).join("|"), expected);
}

#[test]
fn flags_that_are_read_later_are_kept() {
    let start = "f:\n\tcmpl\t$1, %eax\n\tja\t.L2\n";
    // The second block reads the flags of the first, behind a jump too, and behind `inc`.
    for end in [
        "\tje\t.L2\n\tret\n.L2:\n\tret",
        "\tjmp\t.L3\n.L2:\n\tret\n.L3:\n\tincl\t%eax\n\tsete\t%al\n\tret",
    ] {
        assert!(counted(&format!("{start}{end}")).contains(&"pushfq".to_owned()), "{end}");
    }
    // The charge of this one stands before the addition, which writes all flags.
    let lines = counted(&format!("{start}\tsete\t%al\n\taddl\t$2, %eax\n\tret\n.L2:\n\tret"));
    let at = |text: &str| lines.iter().position(|line| line == text);
    assert!(at("sete %al") < at(".Lttdr1:") && at(".Lttdr1:") < at("addl $2, %eax"), "{lines:?}");
}

#[test]
fn text_that_is_no_code_stays() {
    let code = "\t.section\t.rodata\n.L4:\n\t.long\t.L5-.L4\n\t.text\n#APP\n\tnop\n#NO_APP";
    assert_eq!(instrument(code).expect("AT&T syntax").text, format!("{code}\n"));
    assert!(instrument("\t.intel_syntax noprefix\n").is_err());
}

/// The small engine, compiled plainly, with the assembler's hook, and with blocks that call.
struct Engine {
    plain: PathBuf,
    hooked: PathBuf,
    calling: PathBuf,
}

const COMMAND: &str = env!("CARGO_BIN_EXE_ttd-cores");

/// The engine, or `None` with a word where there is no C compiler.
fn engine() -> Option<&'static Engine> {
    static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();
    ENGINE.get_or_init(compiled).as_ref()
}

fn compiled() -> Option<Engine> {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("left out: there is no C compiler `cc`");
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
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the program starts");
    let lines = format!(
        "uci\nisready\nsetoption name Threads value {threads}\nposition startpos\n\
         go depth {depth}\nposition fen other\ngo depth {depth}\nquit\n"
    );
    process.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = process.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn on_virtual_cores(engine: &Path, threads: usize, options: &[&str]) -> String {
    let mut command = Command::new(COMMAND);
    dialogue(command.arg("run").args(options).arg(engine), threads, 9)
}

/// The lines without their times.
fn untimed(answer: &str) -> String {
    let words = answer.split(' ').collect::<Vec<_>>();
    let is_time = |at: usize| at > 0 && words[at - 1] == "time";
    let kept = (0..words.len()).map(|at| if is_time(at) { "T" } else { words[at] });
    kept.collect::<Vec<_>>().join(" ")
}

/// The virtual time of the first search of a stamped dialogue, in picoseconds.
fn search_time(answer: &str) -> i64 {
    let stamp = |line: &str| line.strip_prefix('@')?.split(['>', ' ']).next()?.parse::<i64>().ok();
    let stamps: Vec<i64> = answer.lines().map(|line| stamp(line).expect("a stamp")).collect();
    assert!(stamps.is_sorted(), "{answer}");
    let at = |what: &str| answer.lines().position(|line| line.contains(what)).expect("a line");
    stamps[at(" bestmove ")] - stamps[at("> go depth")]
}

#[test]
fn one_thread_searches_the_plain_tree() {
    let Some(engine) = engine() else { return };
    let plain = untimed(&dialogue(&mut Command::new(&engine.plain), 1, 9));
    assert_eq!(plain.matches("bestmove").count(), 2);
    for hooked in [&engine.hooked, &engine.calling] {
        // With a hook it runs without the library, too.
        assert_eq!(untimed(&dialogue(&mut Command::new(hooked), 1, 9)), plain);
        assert_eq!(untimed(&on_virtual_cores(hooked, 1, &[])), plain);
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

#[test]
fn two_virtual_threads_are_faster_than_one() {
    let Some(engine) = engine() else { return };
    let stamped = |threads| on_virtual_cores(&engine.hooked, threads, &["--stamps"]);
    let (one, two) = (search_time(&stamped(1)), search_time(&stamped(2)));
    assert!(two * 10 < one * 9, "{one} ps on one thread, {two} ps on two");
}

/// Every kind of lock and wait of C. Its output does not depend on the order of threads.
const WAITS: &str = r#"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t book = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_cond_t never; static pthread_barrier_t gate; static pthread_spinlock_t spin; static sem_t room;
static pthread_key_t key; static int sum, most, inside, left, ended;
static void first(void) { usleep(50); sum += 1000; } static void *alone(void *of) { usleep(300); ended++; return of; }
static void bye(void *of) { pthread_spin_lock(&spin); left++; pthread_spin_unlock(&spin); free(of); }
static void *work(void *of) {
    pthread_setspecific(key, malloc(1));
    pthread_once(&once, first);
    for (int turn = 0; turn < 100; turn++) {
        pthread_mutex_lock(&lock); pthread_mutex_lock(&lock); sum++;
        pthread_mutex_unlock(&lock); pthread_mutex_unlock(&lock);
        sem_wait(&room);
        int now = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
        if (now > most) most = now;
        if (turn % 7 == (long)of) usleep(10);
        __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
        sem_post(&room);
        pthread_rwlock_rdlock(&book); if (turn % 10 == 0) sched_yield(); pthread_rwlock_unlock(&book);
        if (turn % 20 == 0) { pthread_rwlock_wrlock(&book); sum += 10; pthread_rwlock_unlock(&book); }
        if (turn % 50 == 0) pthread_barrier_wait(&gate);
    }
    if ((long)of % 2) pthread_exit(of);
    return of;
}
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000 + t.tv_nsec / 1000; }
int main(void) {
    pthread_t of[6], other;
    pthread_attr_t attr; pthread_attr_init(&attr); pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED); pthread_condattr_t how; pthread_condattr_init(&how); pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    pthread_cond_init(&never, &how); pthread_barrier_init(&gate, NULL, 6); pthread_spin_init(&spin, 0);
    sem_init(&room, 0, 2); pthread_key_create(&key, bye);
    long joined = 0;
    for (long i = 0; i < 6; i++) pthread_create(&of[i], NULL, work, (void *)i);
    for (long i = 0; i < 6; i++) { void *result; pthread_join(of[i], &result); joined += (long)result; }
    for (int i = 0; i < 50; i++) { pthread_create(&other, &attr, alone, NULL); if (i % 2) usleep(400); }
    long start = now(), end = start + 20000;
    struct timespec until = { end / 1000000, end % 1000000 * 1000 };
    pthread_mutex_lock(&lock); int late = pthread_cond_timedwait(&never, &lock, &until); pthread_mutex_unlock(&lock);
    printf("sum %d most %d left %d joined %ld late %d ended %d\n", sum, most, left, joined, late == ETIMEDOUT, ended);
    return fprintf(stderr, "%ld\n", now() - start) < 0 || now() < end;
}
"#;

/// Two threads, each of which waits for the other.
const STUCK: &str = "#include <pthread.h>\npthread_mutex_t lock; \
    void *work(void *of) { return of + pthread_mutex_lock(&lock); } int main(void) { pthread_t of; \
    pthread_mutex_lock(&lock); pthread_create(&of, 0, work, 0); return pthread_join(of, 0); }";

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
        }
        own
    })};
    let all: Vec<_> = (0..4).map(work).collect();
    drop(send);
    let order = receive.iter().fold(0u64, |sum, got| sum.wrapping_mul(31).wrapping_add(got));
    let joined: u64 = all.into_iter().map(|one| one.join().unwrap()).sum();
    let pair = (Mutex::new(()), Condvar::new());
    let late = pair.1.wait_timeout(pair.0.lock().unwrap(), Duration::from_millis(5)).unwrap().1.timed_out();
    println!("{} {} {joined} {late}", shared.0.lock().unwrap(), shared.1.read().unwrap());
    let keys: Vec<_> = (0..10).map(|key| (key, ())).collect::<HashMap<_, _>>().into_keys().collect();
    eprintln!("{order} {keys:?}");
}
"#;

/// Compiles a text by a compiler, with the flags of a hook.
fn built(name: &str, text: &str, compiler: &[&str], hook: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (dir.join(name), dir.join(name).with_extension("program"));
    std::fs::write(&source, text).expect("a file");
    // Of the hook "none" the command tells no flags.
    let flags = Command::new(COMMAND).args(["instrument", hook]).arg(dir.join(hook)).output();
    let flags = String::from_utf8(flags.expect("the command runs").stdout).expect("text");
    let mut command = Command::new(compiler[0]);
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
        let compiler = ["cc", "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-pthread"];
        let told = "sum 1900 most 2 left 6 joined 15 late 1 ended 50\n";
        programs.push((built("waits.c", WAITS, &compiler, "gcc"), told));
    }
    for (program, told) in programs {
        let plain = Command::new(&program).output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&plain.stdout), told);
        let run = |carrier: &str| {
            let mut command = Command::new(COMMAND);
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

#[test]
fn programs_that_cannot_run_are_refused_with_the_reason() {
    let Some(engine) = engine() else { return };
    let complaint = |program: &Path, options: &[&str]| {
        let mut command = Command::new(COMMAND);
        let output = command.arg("run").args(options).arg(program).output().expect("it runs");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(complaint(&engine.plain, &[]).contains("it has no hook"));
    let stuck = built("stuck.c", STUCK, &["cc", "-pthread"], "gcc");
    assert!(complaint(&stuck, &[]).contains("every thread waits for another one, at 0.0"));
    assert!(complaint(Path::new(file!()), &[]).contains("tests/cores.rs"));
    assert!(
        complaint(&engine.hooked, &["--quantum-ns", "x"]).contains("a whole number was expected")
    );
    assert!(complaint(&engine.hooked, &["--carrier", "boat"]).contains("swap or baton"));
    let older = engine.hooked.with_file_name("older-engine");
    let bytes = std::fs::read(&engine.hooked).expect("a program");
    let mark = b"ttd-cores hook 1";
    let at = bytes.windows(mark.len()).position(|part| part == mark).expect("it has a mark");
    let mut changed = bytes.clone();
    changed[at + mark.len() - 1] = b'9';
    std::fs::write(&older, changed).expect("a file");
    assert!(complaint(&older, &[]).contains("its hook is of version 9"));
}
