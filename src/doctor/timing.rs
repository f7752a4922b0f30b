//! Findings on the measurements: the clock, the steadiness of work, and the work of several threads
//! at once.

use super::checkup::Checkup;
use super::finding::{Finding, Verdict};
use super::work::SideBySide;
use ttd_stats::summary;

/// The limits for the seconds that one reading of the clock takes.
const READING: [f64; 2] = [200e-9, 1e-6];
/// The limits for the step of the clock, seconds.
const STEP: [f64; 2] = [1e-6, 100e-6];
/// The limits for the coefficient of variation of equal pieces of work.
const VARIATION: [f64; 2] = [0.01, 0.05];
/// The limits for the share of work that is lost when threads work at once.
const LOST: [f64; 2] = [0.05, 0.2];

pub(super) fn clock(checkup: &Checkup) -> Finding {
    let (step, cost) = (checkup.clock.step, checkup.clock.cost);
    let verdicts =
        [Verdict::of(cost.as_secs_f64(), READING), Verdict::of(step.as_secs_f64(), STEP)];
    let verdict = [Verdict::Bad, Verdict::Look].into_iter().find(|worse| verdicts.contains(worse));
    let source = match &checkup.condition.clock_source {
        Ok(source) => source.clone(),
        Err(why) => format!("source unknown ({why})"),
    };
    Finding {
        check: "clock",
        verdict: verdict.unwrap_or(Verdict::Good),
        read: format!("{source}; steps of {} ns, {} ns a reading", step.as_nanos(), cost.as_nanos()),
        effect: "workers read the clock whenever their state changes. A slow clock makes sharing \
                 work look expensive, and a time below one of its steps cannot be measured",
        remedy: "if `cat /sys/devices/system/clocksource/clocksource0/available_clocksource` has tsc: echo tsc | \
                 sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"
            .to_owned(),
    }
}

pub(super) fn steady(checkup: &Checkup) -> Finding {
    let pieces = &checkup.work.pieces;
    let (verdict, read) = match spread(pieces) {
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
    };
    Finding {
        check: "steady work",
        verdict,
        read,
        effect: "equal work takes different times. So do searches, and more rounds are needed to \
                 tell speedups apart",
        remedy: "the remedies above (load, boost, governor, stolen time); more rounds (--until)"
            .to_owned(),
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

pub(super) fn side_by_side(checkup: &Checkup) -> Finding {
    let (verdict, read) = match &checkup.work.together {
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
    };
    Finding {
        check: "work side by side",
        verdict,
        read,
        effect: "threads that share nothing show the most that a search can gain from their cores, \
                 unless its tree is smaller. Compare speedups with this number",
        remedy: "boost off, --pin with one processor of each core, no other load; or a machine with cores of its own"
            .to_owned(),
    }
}
