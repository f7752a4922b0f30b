//! What a reader must know before believing a figure.

use super::input::{Cores, Input};
use super::numbers::{count, fixed, list, percent, seconds};
use crate::experiment::{CoresKind, Reading, Sample, SampleStatus, Sitting};

/// Above this share of written entries the table may forget what a search needs.
const CROWDED_TABLE: f64 = 0.3;
/// Below this base time in seconds, starting workers and reading clocks weigh.
const SHORT_S: f64 = 0.05;
/// By how much the worker states may miss N x T.
const STATES_TOLERANCE: f64 = 0.01;

/// The notes, each a sentence or two; empty if there is nothing to remark.
pub(super) fn notes(input: &Input) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(simulated(input));
    notes.extend(unfinished(input));
    notes.extend(oversubscribed(input));
    notes.extend(ended_as(input, SampleStatus::Censored));
    notes.extend(ended_as(input, SampleStatus::Failed));
    notes.extend(few_samples(input));
    notes.extend(missing_positions(input));
    notes.extend(own_tables(&input.sittings));
    notes.extend(crowded_table(input));
    notes.extend(short_times(input));
    notes.extend(lost_time(input));
    notes.extend(lost_detail(input));
    notes.extend(programs(&input.sittings, input.experiment.cores, "the samples were taken"));
    if input.cores != Cores::Virtual {
        notes.extend(stolen_time(input));
        notes.extend(disturbances(&input.sittings, "the samples were taken"));
    }
    notes
}

fn simulated(input: &Input) -> Option<String> {
    (input.cores == Cores::Virtual).then(|| {
        "**Simulated.** The workers ran on virtual cores: the order of events, the shared table and \
         the tree are those of the searcher, but what everything costs is the cost model below. \
         What the model leaves out (caches, memory, the operating system, other costs than \
         those listed) costs nothing here; thread counts beyond the cores of a real machine have \
         not been compared with hardware."
            .to_owned()
    })
}

/// Outside engines whose tables are not as large as was asked for.
pub(super) fn own_tables(sittings: &[Sitting]) -> Option<String> {
    let seen = sittings.last()?.engines.iter().filter(|seen| seen.own_table);
    let names: Vec<&str> = seen.map(|seen| seen.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "**Tables of their own.** The size of the table of {} cannot be set: it is not the one asked for.",
            list(names)
        )
    })
}

fn unfinished(input: &Input) -> Option<String> {
    let done = input.samples.all().count();
    let planned = input.planned.filter(|planned| done < *planned)?;
    Some(format!(
        "**Unfinished.** {done} of {planned} samples ({}) have been taken; the figures are of these.",
        percent(done as f64 / planned as f64)
    ))
}

fn oversubscribed(input: &Input) -> Option<String> {
    if input.cores == Cores::Unknown {
        return Some(
            "**Cores unknown.** There is no record of the machine, so oversubscribed thread \
             counts cannot be marked."
                .to_owned(),
        );
    }
    let threads = input.figures.threads();
    let over: Vec<usize> =
        threads.into_iter().filter(|n| input.cores.limit().is_some_and(|c| *n > c)).collect();
    (!over.is_empty()).then(|| {
        format!(
            "**Oversubscribed.** {} threads ran on {}: workers shared cores, so these are no \
             speedups of {} cores. Marked with * in tables and hatched in charts.",
            list(&over),
            input.cores.words(),
            list(&over)
        )
    })
}

/// How many samples ended so, and where.
fn ended_as(input: &Input, status: SampleStatus) -> Option<String> {
    let mut places = Vec::new();
    let mut all = 0;
    for of in input.figures.measured() {
        for row in &of.rows {
            let n = if status == SampleStatus::Censored { row.censored } else { row.failed };
            if n > 0 {
                all += n;
                let threads = count(row.threads, "thread");
                places.push(format!("{} at {threads}: {n}", of.searcher));
            }
        }
    }
    let places = places.join("; ");
    (all > 0).then(|| match status {
        SampleStatus::Censored => format!(
            "**Censored.** {} reached the time limit of {} s ({places}). Their times are known \
             only to be larger: medians that touch them, and all that follows, are printed as \
             [lower, upper], and their deviations and accounts are blank.",
            count(all, "sample"),
            seconds(input.experiment.time_limit_s)
        ),
        _ => format!(
            "**Failed.** {} failed ({places}) and are in no figure; `log.txt` says why.",
            count(all, "sample")
        ),
    })
}

fn few_samples(input: &Input) -> Option<String> {
    let cells = || {
        let rows = input.figures.measured().flat_map(|s| s.cells.iter().flatten());
        rows.map(|cell| cell.ok + cell.censored).filter(|n| *n > 0)
    };
    let most = cells().max()?;
    let single = cells().filter(|n| *n == 1).count();
    if single > 0 {
        let of = cells().count();
        return Some(format!(
            "**Few samples.** {single} of {} have a single sample: they have no deviation, and \
             every ci_runs that needs them is blank.",
            count(of, "cell")
        ));
    }
    (most < 6).then(|| {
        format!(
            "**Few samples.** No cell has more than {most}: ci_runs is rough, and \
             the order-statistic interval of a median needs 6."
        )
    })
}

fn missing_positions(input: &Input) -> Option<String> {
    let most = input.figures.measured().flat_map(|s| &s.rows).map(|row| row.positions).max()?;
    let mut places = Vec::new();
    for of in input.figures.measured() {
        for row in of.rows.iter().filter(|row| row.positions < most) {
            let threads = count(row.threads, "thread");
            places.push(format!("{} at {threads}: {}", of.searcher, row.positions));
        }
    }
    (!places.is_empty()).then(|| {
        format!(
            "**Positions differ.** Not every row has a speedup for the same {} ({}): compare rows \
             with care.",
            count(most, "position"),
            places.join("; ")
        )
    })
}

fn crowded_table(input: &Input) -> Option<String> {
    let fullest = input.samples.all().max_by(|a, b| a.table_fill.total_cmp(&b.table_fill))?;
    let crowded = input.samples.all().filter(|s| s.table_fill > CROWDED_TABLE).count();
    (crowded > 0).then(|| {
        format!(
            "**Crowded table.** In {} more than {} of the transposition table was written (at \
             most {}, {} at {}): a larger table (`--hash`) would change the times.",
            count(crowded, "sample"),
            percent(CROWDED_TABLE),
            percent(fullest.table_fill),
            fullest.searcher,
            count(fullest.threads, "thread")
        )
    })
}

fn short_times(input: &Input) -> Option<String> {
    if input.cores == Cores::Virtual {
        return None; // virtual workers start at once
    }
    let base = input.samples.all().filter(|s| s.threads == 1 && s.status == SampleStatus::Ok);
    let times: Vec<f64> = base.map(|s| s.time.as_secs_f64()).collect();
    let short = times.iter().filter(|t| **t < SHORT_S).count();
    (short > 0).then(|| {
        format!(
            "**Short searches.** {} of {} with one thread took less than {} ms, where starting \
             workers weighs; a greater depth measures better.",
            short,
            count(times.len(), "sample"),
            fixed(1000.0 * SHORT_S, 0)
        )
    })
}

/// The states of the workers must fill N x T.
fn lost_time(input: &Input) -> Option<String> {
    let wrong = |sample: &&Sample| {
        let Some(counters) = &sample.counters else { return false };
        let states: f64 = counters.states.iter().map(|t| t.as_secs_f64()).sum();
        let whole = sample.threads as f64 * sample.time.as_secs_f64();
        sample.status == SampleStatus::Ok && (states / whole - 1.0).abs() > STATES_TOLERANCE
    };
    let wrong = input.samples.all().filter(wrong).count();
    (wrong > 0).then(|| {
        format!(
            "**Time unaccounted for.** In {} the worker states miss threads x time by more than \
             {}: treat the account with care.",
            count(wrong, "sample"),
            percent(STATES_TOLERANCE)
        )
    })
}

/// The workers and depths of a sample must add up to it.
fn lost_detail(input: &Input) -> Option<String> {
    let lost = input.samples.without_detail();
    (lost > 0).then(|| {
        format!(
            "**Detail missing.** `workers.csv` and `depths.csv` do not add up to the rows of {}: the \
             tables of single workers and of the look-ups by depth are without {}.",
            count(lost, "sample"),
            if lost == 1 { "it" } else { "them" }
        )
    })
}

/// What a hypervisor took while samples were taken.
fn stolen_time(input: &Input) -> Option<String> {
    let ticks: u64 = input.sittings.iter().filter_map(|s| Disturbance::Steal.during(s)).sum();
    let stolen_s = ticks as f64 / TICKS_PER_S;
    let samples_s: f64 = input.samples.all().map(|sample| sample.time.as_secs_f64()).sum();
    (ticks > 0).then(|| {
        format!(
            "**Stolen time.** While the samples were taken (they took {} s), the hypervisor kept \
             {} s of processor time from this machine's cores: some searches may have been held \
             up, and those on more cores more often.",
            seconds(samples_s),
            seconds(stolen_s)
        )
    })
}

/// With what `doing` ("the samples were taken").
pub(super) fn programs(sittings: &[Sitting], cores: CoresKind, doing: &str) -> Vec<String> {
    let mut notes = Vec::new();
    let mut mixed: Vec<String> =
        sittings.windows(2).flat_map(|pair| pair[0].differences(&pair[1], cores)).collect();
    mixed.dedup();
    if !mixed.is_empty() {
        notes.push(format!(
            "**Mixed.** Programs or machines differed while {doing} ({}).",
            mixed.join("; ")
        ));
    }
    if sittings.iter().any(Sitting::is_changed) {
        notes.push(
            "**Unknown sources.** The program was built from sources that no known commit holds."
                .to_owned(),
        );
    }
    notes
}

/// What may have slowed down searches on real cores.
pub(super) fn disturbances(sittings: &[Sitting], doing: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if sittings.iter().any(|s| s.opt_level == "0" || s.opt_level == "1") {
        notes.push(
            "**Slow build.** The program was built with little optimisation; times are not those \
             of a release build."
                .to_owned(),
        );
    }
    let busy = |s: &&Sitting| load(&s.before.load_average).is_some_and(|load| load > BUSY_LOAD);
    if let Some(sitting) = sittings.iter().find(busy) {
        notes.push(format!(
            "**Other load.** Before {doing}, the machine's load average (over 1, 5 \
             and 15 minutes) was {}: other programs may have taken time from the searches.",
            sitting.before.load_average
        ));
    }
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

/// A load average before the run from which other programs are suspected.
const BUSY_LOAD: f64 = 0.5;

/// The first figure of a load average, over the last minute.
fn load(average: &str) -> Option<f64> {
    average.split_whitespace().next()?.parse().ok()
}

/// What the machine may have done to the samples.
#[derive(Clone, Copy)]
enum Disturbance {
    Heat,
    Quota,
    Steal,
    Swap,
}

/// In which Linux counts stolen time, whatever the machine.
const TICKS_PER_S: f64 = 100.0;

impl Disturbance {
    /// How much the counter rose during a sitting, if it was read at both ends.
    fn during(self, sitting: &Sitting) -> Option<u64> {
        let after = sitting.after.as_ref()?;
        let read = |moment: &crate::experiment::Moment| match self {
            Disturbance::Heat => value(&moment.thermal_throttles),
            Disturbance::Quota => value(&moment.quota_throttles),
            Disturbance::Steal => value(&moment.steal_ticks),
            Disturbance::Swap => value(&moment.pages_swapped_out),
        };
        Some(read(after)?.saturating_sub(read(&sitting.before)?))
    }
}

fn value(reading: &Reading) -> Option<u64> {
    match reading {
        Reading::Value(value) => Some(*value),
        Reading::Unavailable(_) => None,
    }
}
