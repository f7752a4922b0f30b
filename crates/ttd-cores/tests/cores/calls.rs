//! Calls and lines that the library answers: the account, a stop at a virtual time, clocks.

use super::{built, engine, program, told, ttd_cores};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The stamp, and the words behind it, of the first line that has `what`.
pub(crate) fn line<'a>(answer: &'a str, what: &str) -> (i64, &'a str) {
    let found = answer.lines().find(|line| line.contains(what)).expect("a line");
    let (stamp, words) = found[1..].split_once(' ').expect("words");
    (stamp.trim_end_matches('>').parse().expect("a stamp"), words)
}

/// The numbers of a key of an account.
pub(crate) fn numbers(account: &str, key: &str) -> Vec<i64> {
    let list = account.split(' ').find_map(|word| word.strip_prefix(key)).expect("a key");
    list.split(',').map(|number| number.parse().expect("a number")).collect()
}

/// The end of a program that gets lines: its status, its output, and what it complains of.
pub(crate) fn outcome(command: &mut Command, lines: &str) -> (Option<i32>, String, String) {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("it starts");
    process.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = process.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A program in C with the hook, or `None` where there is no compiler.
pub(crate) fn hooked(name: &str, text: &str, flags: &[&str]) -> Option<PathBuf> {
    engine()?;
    Some(built(
        name,
        text,
        &[&["cc", "-std=gnu11", "-D_GNU_SOURCE", "-pthread"], flags].concat(),
        "gcc",
    ))
}

#[test]
fn a_stop_comes_at_its_virtual_time() {
    let Some(engine) = engine() else { return };
    let lines = "setoption name Threads value 4\nttd-cores stop-at 40000000000\nposition startpos\n\
                 go infinite\ngo depth 3\nquit\n";
    let run = |options: &[&str]| {
        let mut command = ttd_cores();
        told(command.arg("run").args(options).arg(&engine.hooked), lines)
    };
    let answer = run(&["--stamps"]);
    let (go, stop) = (line(&answer, "> go infinite").0, line(&answer, "> stop").0);
    let move_time = line(&answer, " bestmove ").0;
    assert!((0..20_000_000).contains(&(stop - go - 40_000_000_000)), "{answer}");
    assert!((0..200_000_000).contains(&(move_time - stop)), "{answer}");
    assert_eq!(answer.matches(" bestmove ").count(), 2, "it holds for one `go`");
    assert!(!answer.contains("stop-at"));
    for carrier in ["swap", "baton"] {
        assert_eq!(run(&["--stamps", "--carrier", carrier]), answer);
    }
    assert_eq!(run(&[]).matches("bestmove ").count(), 2);
    // A search that ends before takes the stop off.
    let lines = lines.replace("infinite", "depth 4");
    let mut command = ttd_cores();
    let answer = told(command.args(["run", "--stamps"]).arg(&engine.hooked), &lines);
    assert!(answer.contains(" bestmove ") && !answer.contains("> stop"), "{answer}");
}

#[test]
fn a_child_is_without_virtual_cores_and_a_spin_ends() {
    let Some(engine) = engine() else { return };
    for carrier in ["swap", "baton"] {
        for program in [&engine.hooked, &engine.calling] {
            let command = &mut ttd_cores();
            let command = command.args(["run", "--host-limit-s", "9", "--carrier", carrier]);
            let lines = "setoption name Threads value 3\nfork\nspin\nisready\nquit\n";
            let (status, answer, complaint) = outcome(command.arg(program), lines);
            let expected = (Some(0), "child 7\nspun\nreadyok\n");
            assert_eq!((status, &*answer), expected, "{complaint}");
        }
    }
}

#[test]
fn a_stop_may_come_while_the_processor_is_taken() {
    let Some(engine) = engine() else { return };
    let run = |after: i64| {
        let stop = format!("ttd-cores stop-at {after}\ngo depth 8\n");
        let lines = format!("uci\nsetoption name Threads value 3\n{stop}quit\n");
        let command = &mut ttd_cores();
        let command = command.args(["run", "--stamps", "--processors", "1"]);
        let command = command.args(["--slice-ps", "100000000", "--host-limit-s", "9"]);
        outcome(command.arg(&engine.hooked), &lines)
    };
    let (_, answer, _) = run(1_000_000_000_000);
    let length = line(&answer, " bestmove ").0 - line(&answer, "> go ").0;
    // The reader has no processor at once, so that the answer may come before it has one.
    for before in 1..30 {
        let (status, answer, complaint) = run(length - before * before * 100_000);
        assert_eq!((status, answer.matches(" bestmove ").count()), (Some(0), 1), "{complaint}");
    }
}

#[test]
fn each_best_move_has_an_account() {
    let Some(engine) = engine() else { return };
    let mut command = ttd_cores();
    let lines = "setoption name Threads value 4\nposition startpos\ngo depth 9\ngo depth 4\nquit\n";
    let answer = told(command.args(["run", "--stamps"]).arg(&engine.hooked), lines);
    let (now, account) = line(&answer, "info string ttd-cores");
    let (go, _) = line(&answer, "> go depth 9");
    assert_eq!(now, line(&answer, " bestmove ").0);
    assert_eq!((numbers(account, "since_ps="), numbers(account, "threads=")), (vec![go], vec![5]));
    let (busy, wait) = (numbers(account, "busy_ps="), numbers(account, "wait_ps="));
    assert_eq!(numbers(account, "queue_ps="), [0; 5]);
    for thread in 0..5 {
        // Clocks differ by a quantum.
        let all = busy[thread] + wait[thread];
        assert!((all - (now - go)).abs() <= 20_000_000, "{thread}: {answer}");
    }
    // The first one reads, and four search nearly always.
    assert!(busy[0] < 100_000_000, "{answer}");
    assert!(busy[1..].iter().all(|busy| busy * 10 > (now - go) * 9), "{answer}");
    assert_eq!(answer.matches("info string ttd-cores").count(), 2);
    // Stamps take no virtual time.
    let report = |options: &[&str]| {
        let mut command = ttd_cores();
        outcome(command.args(["run", "--report"]).args(options).arg(&engine.hooked), lines).2
    };
    assert!(report(&[]).contains("s of virtual time, 6 threads"), "{}", report(&[]));
    assert_eq!(report(&[]), report(&["--stamps"]));
}

#[test]
fn threads_share_fewer_processors() {
    let Some(engine) = engine() else { return };
    let lines = "setoption name Threads value 8\nposition startpos\ngo depth 9\nquit\n";
    let run = |options: &[&str]| {
        let mut command = ttd_cores();
        told(command.args(["run", "--stamps"]).args(options).arg(&engine.hooked), lines)
    };
    let shared = ["--processors", "2", "--slice-ps", "100000000"];
    let answer = run(&shared);
    let (_, account) = line(&answer, "info string ttd-cores");
    let sum = |key: &str| numbers(account, key).iter().sum::<i64>();
    let length = line(&answer, " bestmove ").0 - line(&answer, "> go ").0;
    // Two processors are nearly always busy, and six threads wait for one of them.
    assert!((length * 19..=length * 20 + 1_000_000_000).contains(&(sum("busy_ps=") * 10)));
    assert!((length * 50..=length * 65).contains(&(sum("queue_ps=") * 10)), "{answer}");
    assert_eq!(run(&[&shared[..], &["--carrier", "baton"]].concat()), answer);
    // The other parts of the model make a search longer, and one for each thread changes nothing.
    let time = |options: &[&str]| {
        let answer = run(options);
        line(&answer, " bestmove ").0 - line(&answer, "> go ").0
    };
    let plain = time(&[]);
    assert_eq!(time(&["--processors", "20", "--seen", "256"]), plain);
    let slowed = time(&["--slowdown-permille", "100", "--turbo", "1=1000,8=500"]);
    assert!(slowed > plain * 2, "{slowed} ps, and {plain} plainly");
}

/// A line that is written long before its thread waits, beside a thread that sleeps.
const EARLY: &str = r#"
static void *work(void *of) { usleep(100000); return of; }
int main(void) {
    pthread_t of; struct timespec now; volatile long count; pthread_create(&of, NULL, work, NULL); usleep(1000);
    puts("early"); fflush(stdout); for (count = 0; count < 9000000; count++) { }
    puts("late"); fflush(stdout);
    do clock_gettime(CLOCK_MONOTONIC, &now); while (now.tv_nsec < 50000000);
    return pthread_join(of, NULL);
}
"#;

#[test]
fn a_line_is_stamped_when_it_is_written() {
    let Some(program) = hooked("early.c", EARLY, &["-O1"]) else { return };
    let mut command = ttd_cores();
    let output = command.args(["run", "--stamps"]).arg(&program).output().expect("it runs");
    let told = String::from_utf8(output.stdout).expect("text");
    let stamp = |line: &str| line.split(['@', ' ']).nth(1)?.parse::<f64>().ok();
    let stamps: Vec<f64> = told.lines().filter_map(stamp).map(|time| time / 1e9).collect();
    // It counts for some milliseconds between the two lines, and looks at the clock behind them.
    assert!(stamps[0] > 1.0 && stamps[0] < 1.5 && stamps[1] > 5.0 && stamps[1] < 30.0, "{told}");
}

/// Clocks and random words, each by every call.
const ASKS: &str = r#"
static long now(clockid_t clock) { struct timespec t; clock_gettime(clock, &t); return t.tv_sec * 1000000 + t.tv_nsec / 1000; } static volatile long count, seen;
static void *work(void *of) { for (long i = 0; i < 4000000; i++) count++; seen += __rdtsc(); return of; }
#define NEAR(one, other, by) do { long a = (one), b = (other); if (labs(a - b) > (by)) printf("line %d: %ld %ld\n", __LINE__, a, b); } while (0)
int main(void) { pthread_t of[4]; unsigned cpu; unsigned char random[9] = { 0 }; struct rusage used; struct timespec wall; struct tms ticks;
    for (int i = 0; i < 4; i++) pthread_create(&of[i], NULL, work, NULL); for (int i = 0; i < 4; i++) pthread_join(of[i], NULL);
    getrusage(RUSAGE_SELF, &used); times(&ticks); timespec_get(&wall, TIME_UTC); NEAR(used.ru_utime.tv_sec * 1000000 + used.ru_utime.tv_usec, now(CLOCK_PROCESS_CPUTIME_ID), 9000);
    NEAR(clock(), now(CLOCK_PROCESS_CPUTIME_ID), 9000); NEAR(ticks.tms_utime * 10000, now(CLOCK_PROCESS_CPUTIME_ID), 30000); NEAR(wall.tv_sec, time(NULL), 1);
    /* Four threads were busy beside this one, which waited. */ long busy = now(CLOCK_PROCESS_CPUTIME_ID); getrusage(RUSAGE_THREAD, &used);
    printf("%d\n", busy > 4000 && now(CLOCK_THREAD_CPUTIME_ID) < busy / 4 && used.ru_utime.tv_sec == 0);
    /* The counter goes on as the clock does. */ long counter = __rdtsc(), time = now(CLOCK_MONOTONIC); usleep(20000);
    counter = __rdtscp(&cpu) - counter; time = now(CLOCK_MONOTONIC) - time; printf("%d\n", time >= 20000 && counter > 1000000);
    fprintf(stderr, "%ld %ld %u %ld\n", counter, time, cpu, seen); for (int i = 0; i < 1000; i++) __rdtsc();
    getentropy(random, 3); arc4random_buf(random + 3, 2); random[5] = arc4random(); random[6] = arc4random_uniform(200); for (int i = 0; i < 9; i++) fprintf(stderr, "%d ", random[i]);
    char *qemu = getenv("TTD_CORES_EMULATOR"); if (qemu && *qemu) unsetenv("LD_PRELOAD"); /* It is of another processor than what stands below. */
    /* A program that this one starts has its clocks. */ fflush(stdout); printf("%d\n", system("exec 2>&1; date >/dev/null; exec true")); fflush(stdout);
    FILE *pipe = popen("date +%Y", "r"); char line[99]; printf("%d\n", fgets(line, 99, pipe) && atoi(line) > 2000); pclose(pipe);
    /* Waits for input: it is there, it is not there for a time, it is over. */ struct pollfd input = { 0, POLLIN, 0 }; fd_set set; struct timeval tenth = { 0, 100000 };
    printf("%d", poll(&input, 1, 50)); fgets(line, 99, stdin); printf(" %s", line);
    time = now(CLOCK_MONOTONIC); poll(NULL, 0, 30); select(0, NULL, NULL, NULL, &tenth); NEAR(now(CLOCK_MONOTONIC) - time, 130000, 3000);
    time = now(CLOCK_MONOTONIC); FD_ZERO(&set); FD_SET(0, &set); tenth.tv_usec = 100000;
    printf("%d", select(1, &set, NULL, NULL, &tenth)); printf("%d", read(0, line, 4) == 4); printf(" %.3s", line);
    printf(" %d %d\n", poll(&input, 1, -1), (int)read(0, line, 9)); NEAR(now(CLOCK_MONOTONIC) - time, 0, 3000); return 0; }
"#;

#[test]
fn every_clock_and_every_random_word_is_the_librarys() {
    let Some(asks) = hooked("asks.c", ASKS, &["-O1"]) else { return };
    let run = |command: &mut Command| {
        let (_, answer, complaint) = outcome(command, "one\ntwo\n");
        (answer, complaint)
    };
    let expected = "1\n1\n0\n1\n1 one\n11 two 1 0\n";
    let random = run(&mut program(&asks)).1;
    let first = run(ttd_cores().arg("run").arg(&asks));
    assert_eq!(first.0, expected, "{}", first.1);
    let bytes = |complaint: &str| complaint.lines().next_back().map(str::to_owned);
    assert_ne!(bytes(&random), bytes(&first.1));
    for carrier in ["swap", "baton"] {
        assert_eq!(run(ttd_cores().args(["run", "--carrier", carrier]).arg(&asks)), first);
    }
    let other = run(ttd_cores().args(["run", "--seed", "2"]).arg(&asks));
    assert_ne!(bytes(&other.1), bytes(&first.1));
    // The counter counts nanoseconds: it is near the clock's microseconds.
    let numbers: Vec<i64> =
        first.1.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!((numbers[0] - numbers[1] * 1000).abs() < 100_000, "{}", first.1);
}

/// A poller that searches: it looks for input without a wait until there is a line.
const POLLS: &str = r#"
int main(void) { char line[99]; volatile long count = 0; struct pollfd input = { 0, POLLIN, 0 }; while (fgets(line, 99, stdin) && strcmp(line, "quit\n")) if (!strncmp(line, "go", 2)) {
        while (poll(&input, 1, 0) == 0) count++; puts("bestmove a1a1"); fflush(stdout); } }
"#;

#[test]
fn a_poller_sees_its_stop() {
    let Some(program) = hooked("polls.c", POLLS, &["-O1"]) else { return };
    let mut command = ttd_cores();
    let lines = "ttd-cores stop-at 3000000000\ngo infinite\nquit\n";
    let answer = told(command.args(["run", "--stamps"]).arg(&program), lines);
    let (go, stop) = (line(&answer, "> go").0, line(&answer, "> stop").0);
    assert!((0..1_000_000).contains(&(stop - go - 3_000_000_000)), "{answer}");
    assert!(line(&answer, " bestmove").0 - stop < 60_000_000, "{answer}");
    let mut command = ttd_cores();
    let complaint = outcome(command.arg("run").arg(&program), "ttd-cores stop 3\n").2;
    assert!(complaint.contains("\"ttd-cores stop 3\" was read: stop-at and 1 to"), "{complaint}");
}

/// Sets and copies memory; how many bytes is the argument.
const COPIES: &str = r"
int main(int count, char **words) { size_t size = atol(words[count - 1]); char *one = malloc(size), *other = malloc(size);
    memset(one, 1, size); memcpy(other, one, size); memmove(other, other + 1, size - 1); return other[size - 1] + other[size / 2] != 2; }
";

#[test]
fn memory_that_is_gone_over_takes_time() {
    let Some(program) = hooked("copies.c", COPIES, &["-O1", "-fno-builtin"]) else { return };
    let seconds = |bytes: &str| {
        let mut command = ttd_cores();
        let command = command.args(["run", "--report"]).arg(&program).arg(bytes);
        let (status, _, told) = outcome(command, "");
        assert_eq!(status, Some(0));
        told.split(' ').nth(1).and_then(|word| word.parse::<f64>().ok()).expect("a time")
    };
    // Three times a megabyte at 50 ps a byte.
    let time = seconds("1001000") - seconds("1000");
    assert!((time - 150e-6).abs() < 2e-6, "{time}");
}

#[test]
fn a_check_says_what_a_program_may_miss() {
    let Some(engine) = engine() else { return };
    let check = |program: &Path| {
        let (status, told, _) = outcome(ttd_cores().arg("check").arg(program), "");
        assert_eq!(status, Some(i32::from(!told.starts_with("on virtual cores"))), "{told}");
        told
    };
    let told = check(&engine.hooked);
    assert!(told.starts_with("on virtual cores: its blocks count instructions"), "{told}");
    assert!(told.contains("memory is not modelled"));
    assert!(!told.contains("it names alarm"), "{told}");
    assert!(told.ends_with("\nprice_ps=300\n"), "{told}");
    assert!(check(&engine.calling).ends_with("\nprice_ps=1500\n"));
    let told = check(&engine.plain);
    assert!(told.contains("`ttd-cores instrument "), "{told}");
    assert_eq!(told.contains("price_ps"), told.contains("counted_by=qemu"), "{told}");
    let fork = "#include <unistd.h>\nint main(void) { return fork() + alarm(3) < 0; }";
    let told = check(&built("fork.c", fork, &["cc"], "gcc"));
    assert!(told.contains("it names fork, which makes a child"), "{told}");
    assert!(told.contains("it names alarm, which ends the program"), "{told}");
}

/// C11's threads and locks.
pub(super) const ELEVEN: &str = r#"
static mtx_t lock; static cnd_t all, never; static once_flag once = ONCE_FLAG_INIT; static int came, sum; static void first(void) { sum += 1000; } static int work(void *of) {
    call_once(&once, first); for (int i = 0; i < 100; i++) { mtx_lock(&lock); mtx_lock(&lock); sum++; mtx_unlock(&lock); if (i % 9 == 0) thrd_yield(); mtx_unlock(&lock); }
    mtx_lock(&lock); came++; cnd_broadcast(&all); while (came < 5) cnd_wait(&all, &lock); mtx_unlock(&lock); if ((long)of % 2) thrd_exit(7); return (int)(long)of; } int main(void) {
    thrd_t of[5], alone; int result, joined = 0; struct timespec time = { 0, 3000000 }; struct timespec now, until; mtx_init(&lock, mtx_recursive); cnd_init(&all); cnd_init(&never);
    for (long i = 0; i < 5; i++) if (thrd_create(&of[i], work, (void *)i)) return 1; for (int i = 0; i < 5; i++) { thrd_join(of[i], &result); joined += result; }
    came = 4; thrd_create(&alone, work, NULL); thrd_detach(alone); thrd_sleep(&time, NULL); timespec_get(&now, TIME_UTC); until = now; until.tv_sec += 2;
    mtx_lock(&lock); int late = cnd_timedwait(&never, &lock, &until) == thrd_timedout; mtx_unlock(&lock); timespec_get(&now, TIME_UTC);
    return printf("sum %d joined %d late %d %d\n", sum, joined, late, now.tv_sec >= until.tv_sec) < 0; }
"#;

#[test]
fn threads_of_c11_work() {
    let Some(program) = hooked("eleven.c", ELEVEN, &["-O2"]) else { return };
    for carrier in ["swap", "baton"] {
        let mut command = ttd_cores();
        let told = told(command.args(["run", "--carrier", carrier]).arg(&program), "");
        assert_eq!(told, "sum 1600 joined 20 late 1 1\n");
    }
}

/// A search in a thread that ends at once behind its answer, and one that never answers.
const SHORT: &str = r#"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *of) { volatile int count; for (count = 0; count < 1000; count++) { } puts("bestmove a1a1"); fflush(stdout); return of; }
static void *hang(void *of) { return of + pthread_mutex_lock(&lock); } int main(void) { char line[99]; pthread_t of; pthread_attr_t how;
    pthread_mutex_lock(&lock); pthread_attr_init(&how); pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED); while (fgets(line, 99, stdin) && strcmp(line, "quit\n"))
        if (!strncmp(line, "go", 2)) pthread_create(&of, &how, strstr(line, "depth 2") ? hang : work, NULL); }
"#;

#[test]
fn an_answer_comes_before_the_next_line() {
    let Some(program) = hooked("short.c", SHORT, &["-O1"]) else { return };
    let mut command = ttd_cores();
    let answer = told(
        command.args(["run", "--stamps"]).arg(&program),
        "uci\ngo perft depth 2\ngo depth 1\ngo\nquit\n",
    );
    let words = answer.lines().filter_map(|line| line.split_once(' ')).map(|of| of.1);
    let order = words.filter(|line| !line.starts_with("info")).collect::<Vec<_>>().join("|");
    assert_eq!(order, "uci|go perft depth 2|go depth 1|bestmove a1a1|go|bestmove a1a1|quit");
    // No answer: the next line is not read, also behind a stop.
    for lines in ["go depth 2\n", "ttd-cores stop-at 7000\ngo infinite depth 2\n"] {
        let mut command = ttd_cores();
        let lines = format!("uci\ngo\n{lines}isready\n");
        let command = command.args(["run", "--stamps"]).arg(&program);
        let (status, answer, complaint) = outcome(command, &lines);
        assert_eq!((status, answer.contains("isready")), (Some(97), false));
        assert!(
            complaint.contains("the search from 0.0000") && complaint.contains("has no answer"),
            "{complaint}"
        );
    }
}
