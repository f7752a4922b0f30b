//! Findings on the measurements: the clock, the steadiness of work, and the work of several threads
//! at once.

use super::checkup::Checkup;
use super::finding::{Judged, Verdict};
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
