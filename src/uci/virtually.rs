//! Virtual cores for the process of an engine: the program that gives them, and their numbers.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;
use ttd_search::value::{Table, ValueError, over, read, table_of, unknown};

/// The name of the program that starts another one on virtual cores.
pub const RUNNER: &str = "ttd-cores";

/// The prices that an engine may have, in picoseconds: at most a millisecond for an instruction.
pub const PRICES_PS: RangeInclusive<u64> = 1..=1_000_000_000;

/// Virtual cores for a process: its threads take turns, and its lines come with virtual times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Virtually {
    /// The program that starts another one on virtual cores: `ttd-cores`.
    pub runner: PathBuf,
    /// Breaks ties between threads, and draws latencies.
    pub seed: u64,
    /// The numbers that engines share.
    pub cores: EngineCores,
    /// The time that the host may take for a search.
    pub host_limit: Duration,
}

/// The numbers of virtual cores that all outside engines share: `[virtual_engines]` in an
/// experiment. The defaults are those of `ttd-cores`. They are written here, so that results do not
/// depend on which one is at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineCores {
    /// How far a thread may be ahead of the next before that one takes its turn, nanoseconds.
    pub quantum_ns: u64,
    /// The mean time from making a thread to its first step, nanoseconds.
    pub start_ns: u64,
    /// The mean time from waking a thread to its next step, nanoseconds.
    pub wake_ns: u64,
}

impl Default for EngineCores {
    fn default() -> EngineCores {
        EngineCores { quantum_ns: 10_000, start_ns: 20_000, wake_ns: 5_000 }
    }
}

impl EngineCores {
    /// The names of the numbers.
    pub const KEYS: &[&str] = &["quantum_ns", "start_ns", "wake_ns"];

    /// The numbers that a user's table states; the default of each that it leaves out. They are in
    /// nanoseconds: a quantum of 1 to 1000000 (a millisecond), latencies of 0 to 1000000000 (a
    /// second).
    ///
    /// # Errors
    /// An unknown key, or a number outside its range.
    pub fn resolve(table: &Table) -> Result<EngineCores, ValueError> {
        for (key, value) in table {
            let (least, most) = match &**key {
                "quantum_ns" => (1, 1_000_000),
                "start_ns" | "wake_ns" => (0, 1_000_000_000),
                _ => return Err(ValueError::at(&[key], unknown("key", key, EngineCores::KEYS))),
            };
            if value.as_integer().is_none_or(|number| !(least..=most).contains(&number)) {
                let what = format!("`{key}` is {value}: {least} to {most} expected");
                return Err(ValueError::at(&[key], what));
            }
        }
        read(over(table_of(&EngineCores::default())?, table))
    }

    /// The numbers in words, as in a file.
    pub fn words(&self) -> String {
        let EngineCores { quantum_ns, start_ns, wake_ns } = self;
        format!("quantum_ns = {quantum_ns}, start_ns = {start_ns}, wake_ns = {wake_ns}")
    }
}

/// The library of the runner, beside it or in `examples` there.
const LIBRARY: &str = "libttd_cores_preload.so";

impl Virtually {
    /// The files that give the cores: the runner, and its library where it is found.
    pub fn files(&self) -> Vec<PathBuf> {
        let dir = self.runner.parent().unwrap_or(Path::new("."));
        let places = [dir.join(LIBRARY), dir.join("examples").join(LIBRARY)];
        let library = places.into_iter().find(|place| place.is_file());
        [self.runner.clone()].into_iter().chain(library).collect()
    }

    /// The words before a command that is started so. Without a price the runner chooses one.
    pub fn words(&self, price_ps: Option<u64>) -> Vec<String> {
        let Virtually { runner, seed, cores, .. } = self;
        let EngineCores { quantum_ns, start_ns, wake_ns } = *cores;
        let mut words = vec![runner.display().to_string(), "run".to_owned(), "--stamps".to_owned()];
        let numbers = [
            ("--seed", Some(*seed)),
            ("--quantum-ns", Some(quantum_ns)),
            ("--start-ns", Some(start_ns)),
            ("--wake-ns", Some(wake_ns)),
            ("--price-ps", price_ps),
        ];
        for (option, number) in numbers {
            let number = number.map(|number| [option.to_owned(), number.to_string()]);
            words.extend(number.into_iter().flatten());
        }
        words
    }
}

/// The variables of `ttd-cores` in whose place there are keys.
pub const REPLACED: [(&str, &str); 4] = [
    ("TTD_CORES_PRICE_PS", "price_ps"),
    ("TTD_CORES_QUANTUM_NS", "quantum_ns"),
    ("TTD_CORES_START_NS", "start_ns"),
    ("TTD_CORES_WAKE_NS", "wake_ns"),
];

/// The line by which virtual cores are told to stop the next search after this virtual time.
pub(super) fn stop_at(after: Duration) -> String {
    const MOST_PS: u128 = 2_000_000_000_000_000_000;
    format!("{RUNNER} stop-at {}", (after.as_nanos() * 1_000).clamp(1, MOST_PS))
}

/// The time that the threads of an engine had during a search on virtual cores, in picoseconds. The
/// first thread is that of the process, which mostly waits for input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadTimes {
    /// At work.
    pub busy_ps: Vec<u64>,
    /// Waiting for others, for input, or for a time.
    pub wait_ps: Vec<u64>,
    /// Ready, but without a processor.
    pub queue_ps: Vec<u64>,
}

impl ThreadTimes {
    /// Reads the line that virtual cores write before a best move; none if it is another line.
    pub(super) fn parse(line: &str) -> Option<ThreadTimes> {
        let words = line.strip_prefix("info string ")?.strip_prefix(RUNNER)?;
        let list = |key: &str| -> Option<Vec<u64>> {
            let word =
                words.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='))?;
            word.split(',').map(|number| number.parse().ok()).collect()
        };
        let (busy_ps, wait_ps) = (list("busy_ps")?, list("wait_ps")?);
        Some(ThreadTimes { busy_ps, wait_ps, queue_ps: list("queue_ps").unwrap_or_default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Result<EngineCores, String> {
        EngineCores::resolve(&toml::from_str(text).expect("TOML")).map_err(|why| why.to_string())
    }

    #[test]
    fn numbers_are_within_their_ranges() {
        assert_eq!(resolve(""), Ok(EngineCores::default()));
        let own = EngineCores { quantum_ns: 1_000, ..EngineCores::default() };
        assert_eq!(resolve("quantum_ns = 1000"), Ok(own));
        for (text, what) in [
            ("quantum_ns = 0", "`quantum_ns` is 0: 1 to 1000000 expected"),
            ("start_ns = -1", "`start_ns` is -1: 0 to 1000000000 expected"),
            ("wake_ns = 1.5", "`wake_ns` is 1.5: 0 to 1000000000 expected"),
            ("quantm_ns = 1", "did you mean `quantum_ns`?"),
        ] {
            assert!(
                resolve(text).is_err_and(|why| why.contains(what)),
                "{text}: {:?}",
                resolve(text)
            );
        }
        let whole = table_of(&EngineCores::default()).expect("a table");
        assert!(whole.keys().all(|key| EngineCores::KEYS.contains(&key.as_str())));
        assert_eq!(whole.len(), EngineCores::KEYS.len());
    }

    #[test]
    fn every_number_is_told() {
        let cores = EngineCores { quantum_ns: 7, start_ns: 8, wake_ns: 9 };
        let runner = PathBuf::from("/x/ttd-cores");
        let virtually = Virtually { runner, seed: 3, cores, host_limit: Duration::MAX };
        let told = virtually.words(Some(180)).join(" ");
        let numbers = "--seed 3 --quantum-ns 7 --start-ns 8 --wake-ns 9";
        assert_eq!(told, format!("/x/ttd-cores run --stamps {numbers} --price-ps 180"));
        assert!(virtually.words(None).join(" ").ends_with(numbers));
    }

    #[test]
    fn the_line_of_the_threads_is_read() {
        let line =
            "info string ttd-cores since_ps=7 busy_ps=1,20 wait_ps=30,4 queue_ps=0,5 threads=2";
        let times = ThreadTimes::parse(line).expect("the times");
        assert_eq!((times.busy_ps, times.wait_ps), (vec![1, 20], vec![30, 4]));
        assert_eq!(times.queue_ps, [0, 5]);
        for other in ["info string hello", "info depth 1", "info string ttd-cores busy_ps=1,x"] {
            assert_eq!(ThreadTimes::parse(other), None, "{other}");
        }
        assert_eq!(stop_at(Duration::from_micros(3)), "ttd-cores stop-at 3000000");
    }
}
