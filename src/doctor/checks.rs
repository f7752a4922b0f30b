//! All checks, in their order: what each judges, and its texts.

use super::checkup::Checkup;
use super::finding::{Finding, Judged, Verdict};
use super::work::SideBySide;
use super::{load, processors};
use ttd_stats::summary;

/// A check.
struct Check {
    /// The subject, in a word or two; also a heading of the page.
    name: &'static str,
    judge: fn(&Checkup) -> Judged,
    /// The effect on results if the state is not as it should be.
    effect: &'static str,
    /// The way in which a user may change it. `{boost}`, `{pin}` and `{fastest}` are those of
    /// the machine.
    remedy: &'static str,
}

/// The findings of all checks, always in one order.
pub fn findings(checkup: &Checkup) -> Vec<Finding> {
    let finding = |Check { name, judge, effect, remedy }: Check| {
        let (verdict, read) = judge(checkup);
        let remedy = remedy.replace("{boost}", &processors::no_boost(checkup));
        let remedy = remedy.replace("{fastest}", &processors::fastest(checkup));
        let remedy = remedy.replace("{pin}", &processors::pin(checkup));
        Finding { check: name, verdict, read, effect, remedy }
    };
    CHECKS.map(finding).into()
}

const CHECKS: [Check; 16] = [
    Check {
        name: "build",
        judge: processors::build,
        effect: "a program that is not optimised is several times slower, and not equally in all \
                 places. Its times and its shares say nothing of a release build",
        remedy: "cargo build --release",
    },
    Check {
        name: "cores",
        judge: processors::cores,
        effect: "more threads than usable cores are oversubscribed: workers take turns, and times \
                 say nothing of so many cores",
        remedy: "--threads up to the usable cores, or --cores virtual; `taskset -pc $$` shows what a shell allows",
    },
    Check {
        name: "quota",
        judge: processors::quota,
        effect: "a process that has used up its quota stands still until the next period. Searches \
                 on several threads have gaps, and searches on one thread have none",
        remedy: "give cores and no quota: docker run --cpuset-cpus 0-3 in place of --cpus 4; systemctl \
                 set-property --runtime UNIT CPUQuota=",
    },
    Check {
        name: "governor",
        judge: processors::governor,
        effect: "the clock follows the load: short searches, and the first moments of every search, run at a \
                 lower clock than the rest",
        remedy: "sudo cpupower frequency-set --governor performance",
    },
    Check {
        name: "boost",
        judge: processors::boost,
        effect: "one busy core has a higher clock than several: the base is measured faster than the rest, and \
                 every speedup comes out too small",
        remedy: "{boost}",
    },
    Check {
        name: "shared cores",
        judge: processors::shared_cores,
        effect: "two workers on one core are little faster than one, and may be put there while \
                 another core is idle. Times spread, and more threads than cores show no speedup \
                 of so many cores",
        remedy: "--pin {pin}, or: echo off | sudo tee /sys/devices/system/cpu/smt/control",
    },
    Check {
        name: "kinds of cores",
        judge: processors::kinds_of_cores,
        effect: "a thread on an efficiency core is slower than one on a performance core. Times depend \
                 on where the system puts it, and a second worker on a slow core is no second core",
        remedy: "--pin {fastest}",
    },
    Check {
        name: "heat",
        judge: processors::heat,
        effect: "a hot core slows down in the middle of a run. Several busy cores slow down sooner \
                 than one, and later rounds more than earlier ones",
        remedy: "cool it, or lower the clock (boost off) so that it never gets there",
    },
    Check {
        name: "other load",
        judge: load::others,
        effect: "other processes take turns with the workers. Times grow and spread, more so with \
                 more cores, and speedups come out too small",
        remedy: "end or pause them, and wait until nothing runs (`top`, `uptime`)",
    },
    Check {
        name: "stolen time",
        judge: load::stolen,
        effect: "a hypervisor gives the cores to other machines now and then. Some searches are \
                 held up, more often on several cores",
        remedy: "a machine of your own, or one whose cores are yours alone; else more rounds (--until)",
    },
    Check {
        name: "memory",
        judge: load::table,
        effect: "a table that does not fit is refused, or swapped out; one that fills to more than 30% forgets \
                 what the search needs",
        remedy: "a smaller --hash, or end what takes the memory (`free -m`)",
    },
    Check {
        name: "huge pages",
        judge: load::huge_pages,
        effect: "the table asks for huge pages. Without them most look-ups also wait for a page's \
                 address, and more so in a larger table",
        remedy: "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
    },
    Check {
        name: "swapping",
        judge: load::swapping,
        effect: "a search that waits for a disk is timed with it",
        remedy: "end what takes the memory, a smaller --hash, or: sudo swapoff -a",
    },
    Check {
        name: "clock",
        judge: clock,
        effect: "workers read the clock whenever their state changes. A slow clock makes sharing \
                 work look expensive, and a time below one of its steps cannot be measured",
        remedy: "if `cat /sys/devices/system/clocksource/clocksource0/available_clocksource` has tsc: echo tsc | \
                 sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource",
    },
    Check {
        name: "steady work",
        judge: steady,
        effect: "equal work takes different times. So do searches, and more rounds are needed to \
                 tell speedups apart",
        remedy: "the remedies above (load, boost, governor, stolen time); more rounds (--until)",
    },
    Check {
        name: "work side by side",
        judge: side_by_side,
        effect: "threads that share nothing show the most that a search can gain from their cores, \
                 unless its tree is smaller. Compare speedups with this number",
        remedy: "boost off, --pin with one processor of each core, no other load; or a machine with cores of its own",
    },
];

/// The limits for the seconds that one reading of the clock takes.
const READING: [f64; 2] = [200e-9, 1e-6];
/// The limits for the step of the clock, seconds.
const STEP: [f64; 2] = [1e-6, 100e-6];
/// The limits for the coefficient of variation of equal pieces of work.
const VARIATION: [f64; 2] = [0.01, 0.05];
/// The limits for the share of work that is lost when threads work at once.
const LOST: [f64; 2] = [0.05, 0.2];

pub(super) fn clock(checkup: &Checkup) -> Judged {
    let (step, cost) = (checkup.clock.step, checkup.clock.cost);
    let verdicts =
        [Verdict::of(cost.as_secs_f64(), READING), Verdict::of(step.as_secs_f64(), STEP)];
    let verdict = [Verdict::Bad, Verdict::Look].into_iter().find(|worse| verdicts.contains(worse));
    let source = match &checkup.condition.clock_source {
        Ok(source) => source.clone(),
        Err(why) => format!("source unknown ({why})"),
    };
    (
        verdict.unwrap_or(Verdict::Good),
        format!("{source}; steps of {} ns, {} ns a reading", step.as_nanos(), cost.as_nanos()),
    )
}

pub(super) fn steady(checkup: &Checkup) -> Judged {
    let pieces = &checkup.work.pieces;
    match spread(pieces) {
        None => (Verdict::Unknown, "too few pieces of work were timed".to_owned()),
        Some((variation, slowest, median)) => (
            Verdict::of(variation, VARIATION),
            format!(
                "{} equal pieces of {:.1} ms vary by {:.2}%; the slowest took {slowest:.2} times the median",
                pieces.len(),
                1e3 * median,
                100.0 * variation
            ),
        ),
    }
}

/// The coefficient of variation, the slowest over the median, and the median in seconds. None with
/// fewer than two pieces.
fn spread(pieces: &[f64]) -> Option<(f64, f64, f64)> {
    let (mean, median) = (summary::mean(pieces)?, summary::median(pieces)?);
    let variation = summary::standard_deviation(pieces)? / mean;
    let slowest = pieces.iter().copied().fold(0.0, f64::max) / median;
    Some((variation, slowest, median))
}

pub(super) fn side_by_side(checkup: &Checkup) -> Judged {
    match &checkup.work.together {
        Err(why) => (Verdict::Unknown, why.clone()),
        Ok(all) if all.is_empty() => (Verdict::Unknown, "one core only".to_owned()),
        Ok(all) => {
            let lost = |of: &SideBySide| 1.0 - of.times / of.threads as f64;
            let most = all.iter().map(lost).fold(0.0, f64::max);
            let words =
                all.iter().map(|of| format!("{} threads do {:.2} times", of.threads, of.times));
            (
                Verdict::of(most, LOST),
                format!("{} the work of one", words.collect::<Vec<_>>().join(", ")),
            )
        }
    }
}
