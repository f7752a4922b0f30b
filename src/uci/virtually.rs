//! Virtual cores for the process of an engine: the program that gives them, and their numbers.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::PathBuf;
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

impl Virtually {
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
}
