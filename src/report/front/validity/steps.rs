//! Whether searches of one thread became slower or faster at once.

use super::drift::{p_in_words, share_in_words};
use crate::experiment::{Sample, SampleStatus};
use crate::report::Input;
use crate::report::lists::ascending;
use crate::report::numbers::count;
use ttd_stats::steps::{SIGNIFICANT, Step};

/// The note, if there is a step.
pub(crate) fn note(input: &Input) -> Option<String> {
    let found = found(input).filter(|found| found.step.p < SIGNIFICANT)?;
    Some(format!(
        "**Step.** {} Every round visits every cell, so base and cells are hit alike and speedups \
         suffer little. But deviations and ci_runs contain the step.",
        found.in_words()
    ))
}

/// The result of the test in words, also without a step. None on virtual cores, where nothing can
/// change, and without cells of two samples.
pub(crate) fn in_words(input: &Input) -> Option<String> {
    found(input).map(|found| found.in_words())
}

/// The likeliest step.
struct Found {
    step: Step,
    /// The `order` of the last sample before it.
    order: u32,
}

/// The searcher and the position of a sample of one thread.
fn cell(sample: &Sample) -> (&str, &str) {
    (&sample.searcher, &sample.position)
}

/// The likeliest step in the times of one thread. Only these repeat one search: with several
/// threads the tree varies too.
fn found(input: &Input) -> Option<Found> {
    if input.cores.is_virtual() {
        return None;
    }
    let usable = |sample: &&Sample| {
        sample.threads == 1 && sample.status == SampleStatus::Ok && sample.time.as_secs_f64() > 0.0
    };
    let mut samples: Vec<&Sample> = input.samples.all().filter(usable).collect();
    samples.sort_by_key(|sample| sample.order);
    let cells = ascending(samples.iter().map(|sample| cell(sample)));
    let runs: Vec<(usize, f64)> = samples
        .iter()
        .map(|sample| {
            let number = cells.partition_point(|other| *other < cell(sample));
            (number, sample.time.as_secs_f64())
        })
        .collect();
    let step = Step::of(&runs, input.experiment.seed)?;
    Some(Found { step, order: samples[step.last_before].order })
}

impl Found {
    fn in_words(&self) -> String {
        let step = &self.step;
        let test = format!(
            "cumulative sums over {} of {}, {}",
            count(step.runs, "sample"),
            count(step.cells, "cell"),
            p_in_words(step.p)
        );
        if step.p >= SIGNIFICANT {
            return format!("No step in the times of one thread is seen ({test}).");
        }
        let verb = if step.size() > 0.0 { "rose" } else { "fell" };
        format!(
            "Times of one thread {verb} by {} behind the sample of order {} ({test}). They were {} \
             the means of their cells before, and {} after.",
            share_in_words(step.size()),
            self.order,
            level(step.before),
            level(step.after)
        )
    }
}

/// A mean residual of ln(time) in words.
fn level(residual: f64) -> String {
    let side = if residual > 0.0 { "above" } else { "below" };
    format!("{} {side}", share_in_words(residual.exp_m1()))
}
