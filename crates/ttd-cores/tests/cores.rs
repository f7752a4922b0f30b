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
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine.c");
    let build = |name: &str, hook: Option<&str>| {
        let flags = hook.map(|hook| {
            let hook =
                Command::new(COMMAND).args(["instrument", hook]).arg(dir.join("hook")).output();
            let hook = hook.expect("the command runs");
            assert!(hook.status.success(), "{}", String::from_utf8_lossy(&hook.stderr));
            String::from_utf8(hook.stdout).expect("text")
        });
        let program = dir.join(name);
        let mut compiler = Command::new("cc");
        compiler.args(["-std=gnu11", "-O2", "-pthread"]);
        compiler.arg(&source).arg("-o").arg(&program);
        compiler.args(flags.unwrap_or_default().split_whitespace());
        assert!(compiler.status().expect("cc runs").success());
        program
    };
    Some(Engine {
        plain: build("plain-engine", None),
        hooked: build("hooked-engine", Some("gcc")),
        calling: build("calling-engine", Some("trace-pc")),
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

/// The virtual milliseconds of the last iteration.
fn milliseconds(answer: &str) -> u64 {
    let last = answer.lines().rfind(|line| line.starts_with("info")).expect("an iteration");
    let time = last.split(' ').skip_while(|word| *word != "time").nth(1).expect("a time");
    time.parse().expect("a number")
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
    let time =
        |threads| milliseconds(&on_virtual_cores(&engine.hooked, threads, &["--price-ps", "3000"]));
    let (one, two) = (time(1), time(2));
    assert!(two * 10 < one * 9, "{one} ms on one thread, {two} ms on two");
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
