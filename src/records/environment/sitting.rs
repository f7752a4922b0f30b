//! The environment of a measurement: the program and the machine. It is only read, never changed,
//! and is written before and after.

use super::dates::{seconds, utc};
use super::fingerprint::executable;
use super::provenance::Provenance;
use super::readings::{Machine, Reading, cores_usable, text, unavailable};
use super::seen::Seen;
use crate::records::error::{ReadError, ResultsError};
use crate::records::files::write_whole;
use crate::records::format::{self, ENVIRONMENT, FORMAT, check_format};
use crate::records::opened::read_toml;
use crate::records::refusal::Refusal;
use crate::records::toml_place::read;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// One call of `ttd run` or `ttd match`: the facts that stay during it, and the ones that may
/// change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sitting {
    /// The format of the results directory in this sitting; 1 in files of versions that did not
    /// write it.
    #[serde(default = "format::first")]
    pub format: u32,
    /// Version of the program.
    pub version: String,
    /// The git commit it was built from, with `-dirty` if the sources differed; or `unknown`.
    pub commit: String,
    /// The compiler.
    pub rustc: String,
    /// The compiler's flags.
    pub rustflags: String,
    /// The target it was compiled for.
    pub target: String,
    /// The processor's features that the compiler used.
    pub target_features: String,
    /// The compiler's level of optimisation.
    pub opt_level: String,
    /// A fingerprint of the program's file: builds with equal fingerprints are one build. Blank in
    /// files of versions that did not take it.
    #[serde(default)]
    pub executable: String,
    /// Model of the processor.
    pub cpu: String,
    /// Logical processors of the machine.
    pub logical_cores: usize,
    /// The number of cores that the process may use: the smaller of its affinity and its quota.
    pub cores_usable: usize,
    /// The processors that its affinity allows.
    pub cores_allowed: String,
    /// The quota of its control group: microseconds of processor time, and the length of the period
    /// in which they may be used.
    pub cgroup_quota: String,
    /// The frequency governors of the processors.
    pub governor: String,
    /// Whether the clock may rise above its base.
    pub boost: String,
    /// Whether cores run more than one thread.
    pub smt: String,
    /// The kinds of cores with their processors, the fastest first; blank in files of versions that
    /// did not read it.
    #[serde(default)]
    pub core_kinds: String,
    /// Memory of the machine in MiB.
    pub memory_mib: Reading,
    /// The operating system's kernel.
    pub kernel: String,
    /// Transparent huge pages: the choice is in brackets.
    pub huge_pages: String,
    /// The host, the part of the experiment, the job.
    #[serde(flatten)]
    pub place: Provenance,
    /// The outside engines, in the order of the experiment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<Seen>,
    /// The moment of the start.
    pub before: Moment,
    /// The moment of the end; missing if the run was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Moment>,
}

/// The facts that may change during a sitting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// The time in UTC.
    pub time: String,
    /// The number of samples in `samples.csv`.
    pub samples: usize,
    /// Runnable tasks on the machine: means over 1, 5 and 15 minutes.
    pub load_average: String,
    /// The memory that could still be taken, in MiB.
    pub memory_available_mib: Reading,
    /// Times that cores slowed down for heat, since the machine started.
    pub thermal_throttles: Reading,
    /// Periods in which the control group used up its quota.
    pub quota_throttles: Reading,
    /// Hundredths of a second that a hypervisor took from the machine, since it started.
    pub steal_ticks: Reading,
    /// Pages swapped out, since the machine started.
    pub pages_swapped_out: Reading,
    /// Hundredths of a second, since the machine started, that processors worked for other
    /// processes than this program and its children.
    #[serde(default = "unread")]
    pub others_ticks: Reading,
    /// The time of one thread for a fixed search, in seconds, so that hosts can be compared; none
    /// if it was not taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe_s: Option<f64>,
}

/// The reading in files of versions that did not read it.
fn unread() -> Reading {
    Reading::Unavailable(unavailable("not read by the version that wrote this"))
}

#[derive(Default, Serialize, Deserialize)]
struct Sittings {
    #[serde(default)]
    sitting: Vec<Sitting>,
}

impl Sitting {
    /// Reads the environment of a sitting that begins now, with `samples` samples done and these
    /// outside engines.
    pub fn begin(samples: usize, engines: &[Seen]) -> Sitting {
        let machine = Machine::this();
        Sitting {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: env!("TTD_COMMIT").to_owned(),
            rustc: env!("TTD_RUSTC").to_owned(),
            rustflags: env!("TTD_FLAGS").to_owned(),
            target: env!("TTD_TARGET").to_owned(),
            target_features: env!("TTD_TARGET_FEATURES").to_owned(),
            opt_level: env!("TTD_OPT_LEVEL").to_owned(),
            executable: executable(),
            cpu: text(machine.cpu()),
            logical_cores: machine.logical_cores(),
            cores_usable: cores_usable(),
            cores_allowed: text(machine.status("Cpus_allowed_list")),
            cgroup_quota: text(machine.cgroup_quota()),
            governor: text(machine.governor()),
            boost: text(machine.boost()),
            smt: text(machine.smt()),
            core_kinds: text(machine.core_kinds()),
            memory_mib: machine.meminfo_mib("MemTotal").into(),
            kernel: text(machine.kernel()),
            huge_pages: text(machine.read("sys/kernel/mm/transparent_hugepage/enabled")),
            place: Provenance::default(),
            engines: engines.to_vec(),
            before: Moment::now(samples),
            after: None,
        }
    }

    /// The length of the sitting in seconds; none if it did not end.
    pub fn took_s(&self) -> Option<u64> {
        seconds(&self.after.as_ref()?.time)?.checked_sub(seconds(&self.before.time)?)
    }

    /// Whether the program was built from sources that differ from its commit, or whose commit is
    /// not known.
    pub fn is_changed(&self) -> bool {
        self.commit == "unknown" || self.commit.ends_with("-dirty")
    }
}

/// A load average before a run from which other programs are suspected.
const BUSY_LOAD: f64 = 0.5;

impl Moment {
    /// Whether other programs were at work, by the load average over the last minute.
    pub fn is_busy(&self) -> bool {
        let last_minute = self.load_average.split_whitespace().next();
        last_minute.and_then(|load| load.parse().ok()).is_some_and(|load: f64| load > BUSY_LOAD)
    }

    /// Reads the facts that may change, now.
    pub fn now(samples: usize) -> Moment {
        let machine = Machine::this();
        Moment {
            time: utc(SystemTime::now()),
            samples,
            load_average: text(machine.load_average()),
            memory_available_mib: machine.memory_available_mib().into(),
            thermal_throttles: machine.thermal_throttles().into(),
            quota_throttles: machine.quota_throttles().into(),
            steal_ticks: machine.steal_ticks().into(),
            pages_swapped_out: machine.counter("proc/vmstat", "pswpout").into(),
            others_ticks: machine.others_ticks().into(),
            probe_s: None,
        }
    }
}

/// The sittings of a results directory, in order; none if there is no file yet.
///
/// # Errors
/// If the file cannot be read, or does not have the form that this program writes.
pub fn read_sittings(dir: &Path) -> Result<Vec<Sitting>, ReadError> {
    check_format(dir)?;
    let path = dir.join(ENVIRONMENT);
    let text = match read_toml(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) if e.kind() == io::ErrorKind::InvalidData => {
            let (path, what) = (path.display().to_string(), "it is not UTF-8 text".to_owned());
            return Err(Refusal::new(path, what).into());
        }
        Err(source) => return Err(ReadError::Io { path, source }),
    };
    Ok(read::<Sittings>(&path, &text)?.sitting)
}

/// Writes all sittings of a results directory anew, in one step. They are on the disk then, before
/// the rows that need them.
///
/// # Errors
/// If the file cannot be written.
///
/// # Panics
/// If a number is above `i64::MAX`, the largest number of TOML. No machine has such a number.
pub fn write_sittings(dir: &Path, sittings: &[Sitting]) -> Result<(), ResultsError> {
    let text = toml::to_string(&Sittings { sitting: sittings.to_vec() });
    let text = text.expect("every reading has a TOML form");
    let path = dir.join(ENVIRONMENT);
    write_whole(&path, text.as_bytes())?;
    File::open(&path).and_then(|file| file.sync_all()).map_err(ResultsError::io(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        assert!(read_sittings(dir.path()).expect("no file").is_empty());
        let mut sittings = vec![Sitting::begin(0, &[]), Sitting::begin(7, &[])];
        sittings[0].after = Some(Moment::now(7));
        write_sittings(dir.path(), &sittings).expect("written");
        assert_eq!(read_sittings(dir.path()).expect("read"), sittings);
    }
}
