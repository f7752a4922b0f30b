//! The outside of a program: files and processors of the host, refusals, and the occupations of
//! threads over time, which `--timeline` writes.

use super::calls::{hooked, line, numbers, outcome};
use super::{COMMAND, built, cross, engine, left_out, on_virtual_cores, ttd_cores};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The virtual time of the first search of a stamped dialogue, in picoseconds.
fn search_time(answer: &str) -> i64 {
    let stamp = |line: &str| line.strip_prefix('@')?.split(['>', ' ']).next()?.parse::<i64>().ok();
    let stamps: Vec<i64> = answer.lines().map(|line| stamp(line).expect("a stamp")).collect();
    assert!(stamps.is_sorted(), "{answer}");
    let at = |what: &str| answer.lines().position(|line| line.contains(what)).expect("a line");
    stamps[at(" bestmove ")] - stamps[at("> go depth")]
}

#[test]
fn two_virtual_threads_are_faster_than_one() {
    let Some(engine) = engine() else { return };
    let stamped = |threads| on_virtual_cores(&engine.hooked, threads, &["--stamps"]);
    let (one, two) = (search_time(&stamped(1)), search_time(&stamped(2)));
    assert!(two * 10 < one * 9, "{one} ps on one thread, {two} ps on two");
}

/// The file of a test.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Runs a program with a timeline: its answer, its complaint, and the timeline.
fn recorded(program: &Path, name: &str, options: &[&str], lines: &str) -> (String, String, String) {
    let path = file(name);
    let mut command = ttd_cores();
    let command = command.arg("run").args(options).arg("--timeline").arg(&path).arg(program);
    let (_, answer, complaint) = outcome(command, lines);
    (answer, complaint, std::fs::read_to_string(path).expect("a timeline"))
}

/// A row: search, thread (none in the last row of a search), occupation, beginning, end.
type Row<'a> = (i64, Option<i64>, &'a str, i64, i64);

fn rows(timeline: &str) -> Vec<Row<'_>> {
    let mut lines = timeline.lines();
    assert_eq!(lines.next(), Some("search,thread,doing,from_ps,to_ps"));
    let number = |field: &str| field.parse::<i64>().expect("a number");
    let row = |line| -> Row<'_> {
        let fields: Vec<&str> = str::split(line, ',').collect();
        let thread = Some(fields[1]).filter(|field| !field.is_empty()).map(number);
        (number(fields[0]), thread, fields[2], number(fields[3]), number(fields[4]))
    };
    lines.map(row).collect()
}

/// The times of each thread in a search that are busy, in the line, and all others. No moment is
/// left out.
fn sums(rows: &[Row<'_>], search: i64) -> [Vec<i64>; 3] {
    let (mut sums, mut ends) = (BTreeMap::<i64, [i64; 3]>::new(), BTreeMap::new());
    for &(_, thread, doing, from, to) in rows.iter().filter(|row| row.0 == search) {
        let Some(thread) = thread else { continue };
        let before = ends.insert(thread, to);
        assert!(before.is_none_or(|end| end == from) && from <= to, "{thread}: {from}");
        let kind = ["busy", "queue"].iter().position(|kind| *kind == doing).unwrap_or(2);
        sums.entry(thread).or_default()[kind] += to - from;
    }
    [0, 1, 2].map(|kind| sums.values().map(|of| of[kind]).collect())
}

const LINES: &str = "uci\nsetoption name Threads value 8\nposition startpos\ngo depth 8\n\
                     ttd-cores stop-at 900000000\ngo infinite\nquit\n";

#[test]
fn stretches_sum_to_the_account_on_both_carriers() {
    let Some(engine) = engine() else { return };
    for options in [&[][..], &["--processors", "3", "--slice-ps", "100000000"]] {
        let run = |carrier: &str| {
            let options = [options, &["--carrier", carrier]].concat();
            recorded(&engine.hooked, "sums.csv", &options, LINES)
        };
        let (answer, _, timeline) = run("swap");
        assert_eq!(run("baton").2, timeline);
        assert_eq!(run("swap").2, timeline);
        let all = rows(&timeline);
        let accounts = answer.lines().filter(|line| line.contains("info string ttd-cores"));
        assert_eq!(accounts.clone().count(), 2);
        for (search, account) in (1..).zip(accounts) {
            let words = line(account, "info").1;
            let told = ["busy_ps=", "queue_ps=", "wait_ps="].map(|key| numbers(words, key));
            assert_eq!(sums(&all, search), told, "{options:?}: {account}");
            let end = all.iter().find(|row| (row.0, row.1) == (search, None)).expect("an end");
            let since = numbers(words, "since_ps=")[0];
            assert_eq!((end.2, end.3, end.4), ("search", since, line(account, "info").0));
        }
        assert_eq!(all.iter().filter(|row| row.1.is_none()).count(), 2);
        // The first thread reads, and the pool waits for its work.
        let did = |doing: &str| all.iter().any(|row| row.2 == doing);
        assert!(did("input") && did("condition") && did("queue") != options.is_empty());
        // The record takes no virtual time.
        let mut command = ttd_cores();
        let command = command.arg("run").args(options).arg("--stamps").arg(&engine.hooked);
        assert_eq!(outcome(command, LINES).1, answer);
    }
}

/// Each kind of wait, in a search.
const KINDS: &str = r#"
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; static pthread_barrier_t gate; static sem_t room; static unsigned word;
static void *locks(void *of) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); return of; } static void *meets(void *of) { pthread_barrier_wait(&gate); return of; }
static void *takes(void *of) { sem_wait(&room); return of; } static void *waits(void *of) { syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL); return of; }
int main(void) { char line[99]; pthread_t of[4]; void *(*all[4])(void *) = { locks, meets, takes, waits }; pthread_barrier_init(&gate, NULL, 2); sem_init(&room, 0, 0); while (fgets(line, 99, stdin) && strcmp(line, "quit\n")) if (!strncmp(line, "go", 2)) {
    word = 0; pthread_mutex_lock(&lock); for (int i = 0; i < 4; i++) pthread_create(&of[i], NULL, all[i], NULL); usleep(400); pthread_mutex_unlock(&lock); pthread_barrier_wait(&gate); sem_post(&room); word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 9); for (int i = 0; i < 4; i++) pthread_join(of[i], NULL); puts("bestmove a1a1"); fflush(stdout); } }
"#;

#[test]
fn every_wait_has_its_kind() {
    let Some(program) = hooked("kinds.c", KINDS, &["-O1"]) else { return };
    let (_, _, timeline) = recorded(&program, "kinds.csv", &[], "uci\ngo\ngo\nquit\n");
    let all = rows(&timeline);
    let of = |thread: i64| -> BTreeSet<&str> {
        let own = all.iter().filter(|row| row.1 == Some(thread));
        own.map(|row| row.2).filter(|doing| *doing != "busy").collect()
    };
    let first = [of(1), of(2), of(3), of(4)];
    assert_eq!(first, ["lock", "barrier", "barrier", "condition"].map(|one| BTreeSet::from([one])));
    assert!(of(0).is_superset(&BTreeSet::from(["sleep", "join"])), "{timeline}");
    assert_eq!([of(5), of(6), of(7), of(8)], first);
    // They ended before the best move, and nothing follows on that.
    let end = all.iter().find(|row| row.1.is_none()).expect("an end").4;
    assert!(all.iter().filter(|row| (row.0, row.1) == (1, Some(4))).all(|row| row.4 < end));
}

/// A search in which two threads do nothing but sleep and wake.
const NAPS: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static void *naps(void *of) { for (int i = 0; i < 30000; i++) usleep(20); return of; }
int main(void) { char line[99]; pthread_t of; while (fgets(line, 99, stdin) && strcmp(line, "quit\n")) if (!strncmp(line, "go", 2)) { pthread_create(&of, NULL, naps, NULL); naps(0); pthread_join(of, NULL); puts("bestmove a1a1"); fflush(stdout); } }
"#;

#[test]
fn a_timeline_has_a_largest_size() {
    let Some(program) = hooked("naps.c", NAPS, &["-O1"]) else { return };
    let options = ["--timeline-mib", "1"];
    let (answer, complaint, timeline) =
        recorded(&program, "naps.csv", &options, "uci\ngo\ngo\nquit\n");
    assert_eq!(answer.matches(" bestmove ").count(), 2);
    assert!((1 << 20..(1 << 20) + 100_000).contains(&timeline.len()), "{}", timeline.len());
    assert_eq!(complaint.matches("ends at 1 MiB (--timeline-mib)").count(), 1, "{complaint}");
    let all = rows(&timeline);
    let (end, [busy, ..]) = (all.last().expect("rows"), sums(&all, 1));
    assert_eq!((end.1, end.2, busy.len()), (None, "cut", 2));
    // Both threads go on to the cut, but for a quantum.
    let until = |thread| all.iter().rfind(|row| row.1 == Some(thread)).expect("a row").4;
    assert!([0, 1].map(until).iter().all(|to| (to - end.4).abs() <= 20_000_000));
    let refused = |options: &[&str], why: &str| {
        let mut command = ttd_cores();
        let (status, _, complaint) = outcome(command.arg("run").args(options).arg(&program), "");
        assert_eq!(status, Some(97));
        assert!(complaint.contains(why), "{complaint}");
    };
    refused(&["--timeline", "/nowhere/t.csv"], "/nowhere/t.csv cannot be written");
    let none = ["--timeline", "/dev/null", "--timeline-mib", "0"];
    refused(&none, "--timeline-mib is 0: 1 to 4096 expected");
    // Our files lie beyond those of a program, where a process may have none.
    let (here, mut few) = (ttd_cores(), Command::new("sh"));
    let few = few.args(["-c", "ulimit -n 150; exec \"$@\"", "sh"]).arg(here.get_program());
    few.args(here.get_args()).args(["run", "--timeline"]);
    here.get_envs().for_each(|(name, value)| {
        few.env(name, value.unwrap_or_default());
    });
    let (status, _, complaint) = outcome(few.arg(file("few.csv")).arg(&program), "");
    assert_eq!(status, Some(97));
    assert!(complaint.contains("few.csv cannot be written: "), "{complaint}");
}

/// A search that waits for itself: `go` at once, and `go infinite` in a thread while the first one
/// waits for input.
const HANGS: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *hangs(void *of) { for (int i = 0; i < 2; i++) pthread_mutex_lock(&lock); return of; }
int main(void) { char line[99]; pthread_t of; while (fgets(line, 99, stdin)) if (!strncmp(line, "go deep", 7)) pthread_create(&of, NULL, hangs, NULL); else if (!strncmp(line, "go", 2)) hangs(0); }
"#;

#[test]
fn a_search_that_hangs_has_its_rows() {
    let Some(program) = hooked("hangs.c", HANGS, &["-O1"]) else { return };
    // Whoever is the last to wait has waited for no time.
    for (go, thread, doing) in [("go", 0, "busy"), ("go deep", 1, "lock")] {
        let (_, complaint, timeline) =
            recorded(&program, "hangs.csv", &[], &format!("uci\n{go}\n"));
        assert!(complaint.contains("every thread waits"), "{complaint}");
        let all = rows(&timeline);
        let last = all.iter().rfind(|row| row.1 == Some(thread)).expect("a row");
        assert_eq!((last.2, all.last().map(|row| (row.1, row.2))), (doing, Some((None, "search"))));
    }
}

/// The program says a line for each way to find a file, `-` where it finds none, and the processors
/// that it sees. Its arguments are files.
pub(super) const FINDS: &str = r#"
static int tried(const char *path) { struct stat s; struct statx x; struct dirent **list; int file, sum = 0; FILE *text; DIR *dir;
#define TRY(name, call) do { if (call) sum++; else if (errno != ENOENT) printf("%s of %s: %d\n", name, path, errno); } while (0)
    TRY("open", (file = open(path, O_RDONLY)) >= 0 && !close(file)); TRY("openat", (file = openat(AT_FDCWD, path, O_RDONLY)) >= 0 && !close(file));
    TRY("open64", (file = open64(path, O_RDONLY)) >= 0 && !close(file)); TRY("openat64", (file = openat64(AT_FDCWD, path, O_RDONLY)) >= 0 && !close(file));
    TRY("fopen", (text = fopen(path, "r")) && !fclose(text)); TRY("fopen64", (text = fopen64(path, "r")) && !fclose(text));
    TRY("access", !access(path, R_OK)); TRY("faccessat", !faccessat(AT_FDCWD, path, R_OK, 0)); TRY("stat", !stat(path, &s)); TRY("lstat", !lstat(path, &s));
    TRY("fstatat", !fstatat(AT_FDCWD, path, &s, 0)); TRY("statx", !statx(AT_FDCWD, path, 0, STATX_ALL, &x));
    if (!strchr(path, '.')) { TRY("opendir", (dir = opendir(path)) && !closedir(dir)); TRY("scandir", scandir(path, &list, NULL, NULL) >= 0); }
    return sum; }
int main(int count, char **words) { cpu_set_t set, own, raw; CPU_ZERO(&set); CPU_ZERO(&own); CPU_ZERO(&raw); sched_getaffinity(0, sizeof set, &set);
    for (int at = 1; at < count; at++) printf("%d ", tried(words[at])); pthread_getaffinity_np(pthread_self(), sizeof own, &own); syscall(SYS_sched_getaffinity, 0, sizeof raw, &raw);
    unsigned on = 9, node = 9; getcpu(&on, &node);
    return printf("%ld %ld %d %d %d %d %d %d %u %d\n", sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_NPROCESSORS_CONF), get_nprocs(), get_nprocs_conf(), CPU_COUNT(&set), CPU_COUNT(&own), CPU_COUNT(&raw), sched_getcpu(), on + node, !sched_getaffinity(0, 8, &set)) < 0; }
"#;

/// Headers of that program.
pub(super) const OF_FINDS: &str = "#include <dirent.h>\n#include <fcntl.h>\n#include <sched.h>\n#include <sys/stat.h>\n#include <sys/sysinfo.h>\n";

/// Files that tell of the host's processors, and what a program finds of them with seven to see.
pub(super) fn finds_no_processors(mut command: Command) {
    let dir = file("own.d/cpuinfo");
    std::fs::create_dir_all(&dir).expect("a directory");
    let own = dir.join("node.txt");
    std::fs::write(&own, "0-1").expect("a file");
    let unseen = "/sys/devices/system/node /sys/devices/system/node/online /sys/devices/system/cpu/online \
        /sys/devices/system/cpu /sys/fs/cgroup /sys/fs/cgroup/cpu.max /proc/self/cgroup /proc/cpuinfo /proc/stat \
        //proc//./cpuinfo /proc/../sys/../proc/stat /sys/devices/system/cpu/../node/online \
        /proc/self/status";
    let (status, told, complaint) = outcome(command.args(unseen.split_whitespace()).arg(&own), "");
    assert_eq!(status, Some(0), "{complaint}");
    // A set of 8 bytes is too small for the processors of the program only if it sees more than 64.
    assert_eq!(told, "0 0 0 0 0 0 0 0 0 0 0 0 0 12 7 7 7 7 7 7 7 0 0 1\n", "{complaint}");
}

#[test]
fn no_file_tells_of_the_hosts_processors() {
    let Some(program) = hooked("finds.c", &format!("{OF_FINDS}{FINDS}"), &["-O1"]) else { return };
    let mut command = ttd_cores();
    command.args(["run", "--seen", "7"]).arg(&program);
    finds_no_processors(command);
    let (_, told, _) = outcome(ttd_cores().args(["run", "--seen", "65"]).arg(&program), "");
    assert_eq!(told, "65 65 65 65 65 65 65 0 0 0\n", "a set that is too small is refused");
}

/// Two threads, each of which waits for the other.
const STUCK: &str = "pthread_mutex_t lock; \
    void *work(void *of) { return of + pthread_mutex_lock(&lock); } int main(void) { pthread_t of; \
    pthread_mutex_lock(&lock); pthread_create(&of, 0, work, 0); return pthread_join(of, 0); }";

#[test]
fn programs_that_cannot_run_are_refused_with_the_reason() {
    let Some(engine) = engine() else { return };
    let complaint = |program: &Path, options: &[&str]| {
        let mut command = ttd_cores();
        let output = command.arg("run").args(options).arg(program).output().expect("it runs");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let stuck = built("stuck.c", STUCK, &["cc", "-pthread"], "gcc");
    assert!(complaint(&stuck, &[]).contains("every thread waits for another one, at 0.0"));
    let scan = "int main(void) { int a; return scanf(\"%d\", &a); }";
    let scan = built("scan.c", scan, &["cc"], "gcc");
    assert!(complaint(&scan, &[]).contains("scanf: on virtual cores the standard input"));
    let parts = "#include <sys/uio.h>\nint main(void) { return readv(0, 0, 0); }";
    let parts = built("parts.c", parts, &["cc"], "gcc");
    assert!(complaint(&parts, &[]).contains("readv: on virtual cores the standard input"));
    assert!(complaint(Path::new(file!()), &[]).contains("tests/cores/outside.rs"));
    for (option, value, why) in [
        ("--seed", "x", "is \"x\": a whole number was expected"),
        ("--carrier", "boat", "is \"boat\": swap or baton expected"),
        ("--price-ps", "0", "is 0: 1 to 1000000000 expected"),
        ("--quantum-ns", "0", "is 0: 1 to 1000000000 expected"),
        ("--seen", "0", "is 0: 1 to 65536 expected"),
        ("--host-limit-s", "0", "is 0: 1 to 1000000000 expected"),
        ("--slice-ps", "9", "needs --processors"),
        ("--smt-permille", "1300", "needs --threads-per-core"),
        ("--timeline-mib", "7", "needs --timeline"),
    ] {
        let told = complaint(&engine.hooked, &[option, value]);
        assert_eq!(told, format!("ttd-cores: {option} {why}\n"));
    }
    let older = engine.hooked.with_file_name("older-engine");
    let bytes = std::fs::read(&engine.hooked).expect("a program");
    let mark = b"ttd-cores hook 1";
    let at = bytes.windows(mark.len()).position(|part| part == mark).expect("it has a mark");
    let mut changed = bytes.clone();
    changed[at + mark.len() - 1] = b'9';
    std::fs::write(&older, changed).expect("a file");
    assert!(complaint(&older, &[]).contains("its hook is of version 9"));
}

/// A thread that waits, beside a loop in assembler that counts nothing.
const LOOP: &str = r"
static void *work(void *of) { LOOP(); return of; }
int main(void) { pthread_t of; pthread_create(&of, 0, work, 0); return pthread_join(of, 0); }
";

/// Threads that wait for each other, as many as the argument says. If one is lacking, an odd number
/// waits for it.
const MANY: &str = r"
static pthread_barrier_t gate; static void *work(void *of) { pthread_barrier_wait(&gate); return of; } int main(int count, char **words) {
    int threads = atoi(words[count - 1]); pthread_t *of = calloc(threads, sizeof *of); pthread_barrier_init(&gate, NULL, threads);
    for (int i = 0; i < threads; i++) if (pthread_create(&of[i], NULL, work, NULL)) return threads % 2 ? pthread_join(of[0], NULL) : 3; for (int i = 0; i < threads; i++) pthread_join(of[i], NULL); return 0; }
";

#[test]
fn limits_of_the_host_are_told() {
    let Some(looping) = hooked("loop.c", LOOP, &["-O1"]) else { return };
    let slow = "int main(void) { char line[9]; \
        while (fgets(line, 9, stdin)) { long time[2] = { 1, 200000000 }; syscall(SYS_nanosleep, time, 0); } }";
    let Some(slow) = hooked("slow.c", slow, &["-O1"]) else { return };
    let pipe =
        "int main(void) { char byte; int ends[2]; return pipe(ends) + read(ends[0], &byte, 1); }";
    let Some(pipe) = hooked("pipe.c", pipe, &["-O1"]) else { return };
    let Some(many) = hooked("many.c", MANY, &["-O1"]) else { return };
    let (emulator, _) = cross().unwrap_or_default();
    let command = format!("TTD_CORES_EMULATOR='{emulator}' {emulator} {COMMAND}");
    let of_shell = |line: String| {
        let (status, _, complaint) = outcome(Command::new("sh").args(["-c", &line]), "");
        (status, complaint)
    };
    // A pipe that stays empty stops all threads, as the loop does.
    for (program, carrier) in [(&looping, "swap"), (&looping, "baton"), (&pipe, "swap")] {
        let run = format!("{command} run --carrier {carrier}");
        let (status, told) = of_shell(format!("{run} --host-limit-s 1 {}", program.display()));
        assert_eq!(status, Some(97));
        let why = "a loop without a hook neither waits nor counts, or a call that is not replaced \
                   waits, at 0.0000";
        assert!(told.contains(why), "{told}");
    }
    // The limit is of one line: two of them, read at once, take longer together.
    let run = format!("{command} run --host-limit-s 2 {}", slow.display());
    assert_eq!(of_shell(format!("printf 'one\ntwo\nthree\n' | {run}")).0, Some(0));
    // Two hundred threads fit, and thousand do not fit into so little memory.
    let run = format!("{command} run {}", many.display());
    assert_eq!(of_shell(format!("{run} 200")).0, Some(0));
    let (status, told) = of_shell(format!("{run} 2000"));
    let why = "the bound of 1024 threads at a time is reached";
    assert_eq!((status, told.matches(why).count()), (Some(3), 1), "{told}");
    // A program that hangs for that reason may have said much meanwhile.
    let (status, told) = of_shell(format!("{run} 2001"));
    let why = " s of virtual time. The bound of 1024 threads at a time was reached before\n";
    assert_eq!((status, told.ends_with(why)), (Some(97), true), "{told}");
    if !emulator.is_empty() {
        return left_out("a limit of memory, which ends the emulator, too");
    }
    let (status, told) = of_shell(format!("ulimit -v 600000; {run} 1000"));
    assert_eq!(status, Some(97), "{told}");
    assert!(told.contains("the system makes no thread beyond "), "{told}");
}
