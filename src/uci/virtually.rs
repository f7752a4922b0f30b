//! Virtual cores for the process of an engine: the program that gives them, and their numbers.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;
use ttd_search::cores::Turbo;
use ttd_search::value::{Table, Value, ValueError, over, read, table_of, unknown};

/// The name of the program that starts another one on virtual cores.
pub const RUNNER: &str = "ttd-cores";

/// The version of its options and lines that this program knows: `ttd-cores version` tells it.
pub(super) const RUNNER_VERSION: u32 = 2;

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
    /// The file for the timelines of its threads, and its largest size in MiB.
    pub timeline: Option<(PathBuf, u64)>,
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
    /// The processors that threads share by turns; each thread has its own, if none is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<u64>,
    /// The time after which a thread makes room for another, picoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice_ps: Option<u64>,
    /// From when a processor goes to another thread until that one runs, picoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch_ps: Option<u64>,
    /// By how many thousandths each further busy thread slows all down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slowdown_permille: Option<u64>,
    /// Processors of a core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads_per_core: Option<u64>,
    /// The work of a core with all its processors busy, over that with one, thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smt_permille: Option<u64>,
    /// The frequency by the number of busy cores.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "turbo")]
    pub turbo: Option<Turbo>,
}

impl Default for EngineCores {
    fn default() -> EngineCores {
        EngineCores {
            quantum_ns: 10_000,
            start_ns: 20_000,
            wake_ns: 5_000,
            processors: None,
            slice_ps: None,
            switch_ps: None,
            slowdown_permille: None,
            threads_per_core: None,
            smt_permille: None,
            turbo: None,
        }
    }
}

/// The numbers, with the least and the greatest of each. From `processors` on they are the keys of
/// `[virtual]` and `[virtual.cache]` with these names.
const RANGES: [(&str, i64, i64); 9] = [
    ("quantum_ns", 1, 1_000_000),
    ("start_ns", 0, 1_000_000_000),
    ("wake_ns", 0, 1_000_000_000),
    ("processors", 1, 1024),
    ("slice_ps", 1, 1_000_000_000_000),
    ("switch_ps", 0, 1_000_000_000),
    ("slowdown_permille", 0, 1000),
    ("threads_per_core", 1, 8),
    ("smt_permille", 1, 8000),
];
/// The table of frequencies, as `[virtual.turbo]`.
const TURBO: &str = "turbo";

impl EngineCores {
    /// The numbers that a user's table states; the default of each that it leaves out.
    ///
    /// # Errors
    /// An unknown key, or a number outside its range.
    pub fn resolve(table: &Table) -> Result<EngineCores, ValueError> {
        for (key, value) in table.iter().filter(|(key, _)| *key != TURBO) {
            let Some((_, least, most)) = RANGES.into_iter().find(|(name, ..)| name == key) else {
                let keys: Vec<&str> = RANGES.iter().map(|of| of.0).chain([TURBO]).collect();
                return Err(ValueError::at(&[key], unknown("key", key, &keys)));
            };
            if value.as_integer().is_none_or(|number| !(least..=most).contains(&number)) {
                let what = format!("`{key}` is {value}: {least} to {most} expected");
                return Err(ValueError::at(&[key], what));
            }
        }
        let mut numbers = table.clone();
        let turbo = match numbers.remove(TURBO) {
            None => None,
            Some(Value::Table(steps)) => {
                Some(Turbo::resolve(&steps).map_err(|why| why.below(TURBO))?)
            }
            Some(other) => {
                let what = format!("`{TURBO}` is {other}: a table expected");
                return Err(ValueError::at(&[TURBO], what));
            }
        };
        let cores: EngineCores = read(over(table_of(&EngineCores::default())?, &numbers))?;
        let mut cores = EngineCores { turbo, ..cores };
        if cores.processors.is_some() {
            cores.slice_ps.get_or_insert(3_000_000_000);
            cores.switch_ps.get_or_insert(3_800_000);
        }
        for (key, number, other, is_there) in [
            ("slice_ps", cores.slice_ps, "processors", cores.processors.is_some()),
            ("switch_ps", cores.switch_ps, "processors", cores.processors.is_some()),
            (
                "smt_permille",
                cores.smt_permille,
                "threads_per_core",
                cores.threads_per_core.is_some(),
            ),
        ] {
            if let (Some(number), false) = (number, is_there) {
                let what = format!("`{key}` is {number}, and `{other}` is missing: both expected");
                return Err(ValueError::at(&[key], what));
            }
        }
        if let Some(threads) = cores.threads_per_core {
            if cores.processors.is_none_or(|all| !all.is_multiple_of(threads)) {
                let all = cores.processors.map_or("none".to_owned(), |all| all.to_string());
                let what = format!(
                    "`threads_per_core` is {threads}: a divisor of `processors` ({all}) expected"
                );
                return Err(ValueError::at(&["threads_per_core"], what));
            }
            cores.smt_permille.get_or_insert(1_250);
        }
        Ok(cores)
    }

    /// The numbers as a table.
    fn table(&self) -> Table {
        table_of(self).unwrap_or_default()
    }

    /// The numbers in words, as in a file.
    pub fn words(&self) -> String {
        let words = self.table().into_iter().map(|(key, value)| format!("{key} = {value}"));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// Frequencies in the form of a file.
mod turbo {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
    use ttd_search::cores::Turbo;
    use ttd_search::value::Table;

    #[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
    pub(super) fn serialize<S: Serializer>(of: &Option<Turbo>, to: S) -> Result<S::Ok, S::Error> {
        of.as_ref().map(Turbo::table).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(of: D) -> Result<Option<Turbo>, D::Error> {
        let table = Option::<Table>::deserialize(of)?;
        table.map(|table| Turbo::resolve(&table).map_err(D::Error::custom)).transpose()
    }
}

/// Files beside the runner, or in `examples` there: its library, and the plugin for emulators.
const LIBRARY: &str = "libttd_cores_preload.so";
const PLUGIN: &str = "libttd_cores_plugin.so";

impl Virtually {
    /// Cores with the usual numbers: no limit of the host's time, and no timeline.
    pub fn new(runner: PathBuf, seed: u64) -> Virtually {
        let (cores, host_limit) = (EngineCores::default(), Duration::MAX);
        Virtually { runner, seed, cores, host_limit, timeline: None }
    }

    /// The files that give the cores: the runner, and its library where it is found. An
    /// [`emulator`](super::emulator) brings two more, a plugin and its own name.
    pub fn files(&self, emulator: Option<String>) -> Vec<PathBuf> {
        let dir = self.runner.parent().unwrap_or(Path::new("."));
        let beside = |name: &str| {
            let places = [dir.join(name), dir.join("examples").join(name)];
            places.into_iter().find(|place| place.is_file())
        };
        let mut files = vec![self.runner.clone()];
        files.extend(beside(LIBRARY));
        if let Some(emulator) = emulator {
            files.extend(beside(PLUGIN));
            files.push(emulator.into());
        }
        files
    }

    /// The words before a command that is started so. Without a price the runner chooses one.
    pub fn words(&self, price_ps: Option<u64>) -> Vec<String> {
        let Virtually { runner, seed, cores, .. } = self;
        let mut words = vec![runner.display().to_string(), "run".to_owned(), "--stamps".to_owned()];
        let mut add = |key: &str, value: String| {
            words.extend([format!("--{}", key.replace('_', "-")), value]);
        };
        add("seed", seed.to_string());
        for (key, value) in cores.table() {
            let steps = value.as_table().map(|steps| {
                let steps = steps.iter().map(|(cores, permille)| format!("{cores}={permille}"));
                steps.collect::<Vec<_>>().join(",")
            });
            add(&key, steps.unwrap_or_else(|| value.to_string()));
        }
        if let Some((file, most_mib)) = &self.timeline {
            add("timeline", file.display().to_string());
            add("timeline_mib", most_mib.to_string());
        }
        if let Some(price_ps) = price_ps {
            add("price_ps", price_ps.to_string());
        }
        words
    }
}

/// The text of what is expected in the place of a variable of `ttd-cores`; none if it is another
/// variable, or one that changes nothing. The words of the command tell the runner the rest.
pub(super) fn in_place_of(variable: &str) -> Option<String> {
    let name = variable.strip_prefix("TTD_CORES")?.trim_start_matches('_').to_lowercase();
    let keys = RANGES.iter().map(|of| of.0);
    let key = keys.chain([TURBO, "price_ps", "seed", "host_limit_s"]).find(|key| *key == name);
    let others = ["", "carrier", "seen", "stamps", "timeline", "timeline_mib"];
    match key {
        Some(key) => Some(format!("the key `{key}` expected in its place")),
        None => others.contains(&&*name).then(|| "none expected".to_owned()),
    }
}

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
        for (variable, key) in [
            ("TTD_CORES_SLICE_PS", Some("the key `slice_ps` expected in its place")),
            ("TTD_CORES_SEED", Some("the key `seed` expected in its place")),
            ("TTD_CORES", Some("none expected")),
            ("TTD_CORES_TIMELINE", Some("none expected")),
            ("TTD_CORES_REPORT", None),
            ("PATH", None),
        ] {
            assert_eq!(in_place_of(variable).as_deref(), key, "{variable}");
        }
        let own = EngineCores { quantum_ns: 1_000, ..EngineCores::default() };
        assert_eq!(resolve("quantum_ns = 1000"), Ok(own));
        let shared = resolve("processors = 4").map(|cores| (cores.slice_ps, cores.switch_ps));
        assert_eq!(shared, Ok((Some(3_000_000_000), Some(3_800_000))));
        for (text, what) in [
            ("quantum_ns = 0", "`quantum_ns` is 0: 1 to 1000000 expected"),
            ("start_ns = -1", "`start_ns` is -1: 0 to 1000000000 expected"),
            ("wake_ns = 1.5", "`wake_ns` is 1.5: 0 to 1000000000 expected"),
            ("quantm_ns = 1", "did you mean `quantum_ns`?"),
            ("processors = 0", "`processors` is 0: 1 to 1024 expected"),
            (
                "processors = 6
threads_per_core = 4",
                "a divisor of `processors` (6) expected",
            ),
            ("slice_ps = 5", "`slice_ps` is 5, and `processors` is missing: both expected"),
            ("switch_ps = 5", "`processors` is missing"),
            ("smt_permille = 1300", "`threads_per_core` is missing"),
            ("turbo = 3", "a table expected"),
            ("turbo = { 1 = 1000, 8 = 1001 }", "at most 1000 expected"),
        ] {
            assert!(
                resolve(text).is_err_and(|why| why.contains(what)),
                "{text}: {:?}",
                resolve(text)
            );
        }
    }

    #[test]
    fn every_number_is_told() {
        let all = RANGES.iter().map(|(key, _, most)| format!("{key} = {most}\n"));
        let text = all.collect::<String>() + "turbo = { 1 = 1000, 64 = 800 }";
        let cores = resolve(&text).expect("the greatest of all");
        let runner = PathBuf::from("/x/ttd-cores");
        let timeline = Some((PathBuf::from("/x/t.csv"), 7));
        let virtually = Virtually { cores, timeline, ..Virtually::new(runner, 3) };
        let told = virtually.words(Some(180)).join(" ");
        assert!(told.starts_with("/x/ttd-cores run --stamps --seed 3 --"), "{told}");
        for (key, _, most) in RANGES {
            assert!(told.contains(&format!(" --{} {most} ", key.replace('_', "-"))), "{told}");
        }
        assert!(told.contains(" --timeline /x/t.csv --timeline-mib 7 "), "{told}");
        assert!(
            told.contains("--turbo 1=1000,64=800") && told.ends_with("--price-ps 180"),
            "{told}"
        );
        let again: EngineCores =
            toml::from_str(&toml::to_string(&cores).expect("TOML")).expect("it");
        assert_eq!(again, cores);
        // The numbers of a machine are written only where they are said.
        let usual = Virtually::new(virtually.runner, 3);
        let numbers = "--seed 3 --quantum-ns 10000 --start-ns 20000 --wake-ns 5000";
        assert!(usual.words(None).join(" ").ends_with(numbers));
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
