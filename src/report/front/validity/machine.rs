//! Reasons in the machine and the program to doubt the figures.

use crate::records::{CoresKind, Reading, Sitting, TICKS_PER_S};
use crate::report::Input;
use crate::report::lists::without_neighbours;
use crate::report::numbers::{count, fixed, list, seconds};

/// Names outside engines whose tables do not have the size that was asked for.
pub(crate) fn own_tables(sittings: &[Sitting]) -> Option<String> {
    let seen = sittings.last()?.engines.iter().filter(|seen| seen.own_table);
    let names: Vec<&str> = seen.map(|seen| seen.name.as_str()).collect();
    (!names.is_empty()).then_some(format!(
        "**Tables of their own.** The size of the table of {} cannot be set: it is not the \
         size that was asked for.",
        list(names)
    ))
}

/// Cores of several kinds that workers could be put on.
pub(crate) fn kinds_of_cores(input: &Input) -> Option<String> {
    let of = &input.experiment;
    let several = |sitting: &&Sitting| sitting.core_kinds.contains("; ");
    let sitting = input.sittings.iter().find(several)?;
    let any = of.pin.is_empty() || of.pin.len() >= sitting.cores_usable;
    (of.cores == CoresKind::Real && any).then(|| {
        format!(
            "**Cores of several kinds.** Fast and slow cores took turns ({}). Times depend on \
             where the system put a worker; `--pin` chooses.",
            sitting.core_kinds
        )
    })
}

/// The time that a hypervisor took while samples were taken.
pub(crate) fn stolen_time(input: &Input) -> Option<String> {
    let ticks: u64 = input.sittings.iter().filter_map(|s| Disturbance::Steal.during(s)).sum();
    let stolen_s = ticks as f64 / TICKS_PER_S;
    let samples_s: f64 = input.samples.all().map(|sample| sample.time.as_secs_f64()).sum();
    (ticks > 0).then_some(format!(
        "**Stolen time.** While the samples were taken ({} s), the hypervisor kept {} s of \
         processor time from this machine's cores. Some searches may have been held up, \
         searches on more cores more often.",
        seconds(samples_s),
        seconds(stolen_s)
    ))
}

/// Notes on the programs that took a number of rows; `doing` is the name of their work ("the
/// samples were taken").
pub(crate) fn programs(
    sittings: &[Sitting],
    rows: usize,
    cores: CoresKind,
    doing: &str,
) -> Vec<String> {
    let pairs = sittings.windows(2);
    let mixed = without_neighbours(pairs.flat_map(|pair| pair[0].differences(&pair[1], cores)));
    let mixed = (!mixed.is_empty()).then_some(format!(
        "**Mixed.** Programs or machines differed while {doing} ({}).",
        mixed.join("; ")
    ));
    let changed = sittings.iter().any(Sitting::is_changed).then(|| {
        "**Unknown sources.** The program was built from sources that no known commit holds.".into()
    });
    let unknown = match sittings.first() {
        None if rows > 0 => Some("all rows".to_owned()),
        Some(first) if first.before.samples > 0 => {
            Some(format!("the first {}", count(first.before.samples, "row")))
        }
        _ => None,
    };
    let lost = unknown.map(|rows| {
        format!(
            "**Unknown program.** Nothing tells by which program, and on which machine, {doing} \
             ({rows}): `environment.toml` was lost or cannot be read.",
        )
    });
    mixed.into_iter().chain(changed).chain(lost).collect()
}

/// Events that may have slowed down searches on real cores.
pub(crate) fn disturbances(sittings: &[Sitting], doing: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if sittings.iter().any(|s| s.opt_level == "0" || s.opt_level == "1") {
        notes.push(String::from(
            "**Slow build.** The program was built with little optimisation; times are not those \
             of a release build.",
        ));
    }
    if let Some(sitting) = sittings.iter().find(|sitting| sitting.before.is_busy()) {
        notes.push(format!(
            "**Other load.** Before {doing}, the machine's load average (over 1, 5 \
             and 15 minutes) was {}: other programs may have taken time from the searches.",
            sitting.before.load_average
        ));
    }
    notes.extend(others(sittings, doing));
    for (event, reading) in [
        ("cores were slowed down for heat", Disturbance::Heat),
        ("the process used up its quota of processor time", Disturbance::Quota),
        ("pages were swapped out", Disturbance::Swap),
    ] {
        let times: u64 = sittings.iter().filter_map(|s| reading.during(s)).sum();
        if times > 0 {
            notes.push(format!(
                "**Disturbed.** While {doing}, {event} ({times} counted on the \
                 machine)."
            ));
        }
    }
    notes
}

/// The use of the processors by other programs meanwhile.
fn others(sittings: &[Sitting], doing: &str) -> Option<String> {
    let read = |sitting: &Sitting| Some((Disturbance::Others.during(sitting)?, sitting.took_s()?));
    let read: Vec<(u64, u64)> = sittings.iter().filter_map(read).collect();
    let ticks: u64 = read.iter().map(|(ticks, _)| ticks).sum();
    let took_s: u64 = read.iter().map(|(_, took_s)| took_s).sum();
    let had_s = ticks as f64 / TICKS_PER_S;
    let cores = had_s / took_s.max(1) as f64;
    let usable = sittings.iter().map(|sitting| sitting.cores_usable).max()?;
    (cores > BUSY_CORES + BUSY_SHARE * usable as f64).then_some(format!(
        "**Other load.** While {doing}, other programs used {} cores on average ({} s of \
         processor time in {took_s} s). They may have taken it from the searches.",
        fixed(cores, 2),
        seconds(had_s)
    ))
}

/// The mean number of processors in use by others that has an effect: equal to that of `ttd
/// doctor`.
const BUSY_CORES: f64 = 0.05;

/// The difference allowed between a processor's two clocks, as a share of each processor. One clock
/// counts all that it does, the other counts the programs.
const BUSY_SHARE: f64 = 0.01;

/// The first figure of a load average, over the last minute.
/// A possible disturbance of the samples by the machine.
#[derive(Clone, Copy)]
enum Disturbance {
    Heat,
    Quota,
    Steal,
    Swap,
    Others,
}

impl Disturbance {
    /// The rise of the counter during a sitting, if it was read at both ends.
    fn during(self, sitting: &Sitting) -> Option<u64> {
        let read = |moment: &crate::records::Moment| match self {
            Disturbance::Heat => value(&moment.thermal_throttles),
            Disturbance::Quota => value(&moment.quota_throttles),
            Disturbance::Steal => value(&moment.steal_ticks),
            Disturbance::Swap => value(&moment.pages_swapped_out),
            Disturbance::Others => value(&moment.others_ticks),
        };
        Some(read(sitting.after.as_ref()?)?.saturating_sub(read(&sitting.before)?))
    }
}

/// The number that was read.
pub(crate) fn value(reading: &Reading) -> Option<u64> {
    match reading {
        Reading::Value(value) => Some(*value),
        Reading::Unavailable(_) => None,
    }
}
