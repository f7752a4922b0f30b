//! The end of a run: its last round, or the look at which it has measured enough.

use crate::cli::format;
use crate::cli::progress::Progress;
use crate::experiment::{Ended, Planned, Resolved, Results, SearchExecutor, precision, run};
use crate::records::JournalError;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use ttd_stats::precision::Precision;

/// The number of samples, and the number at which the run is done or looks again. Both are equal if
/// it is done.
#[derive(Clone, Copy)]
pub(super) struct Reached {
    pub(super) done: usize,
    pub(super) goal: usize,
}

impl Reached {
    /// The state of a results directory with this number of samples.
    pub(super) fn of(
        (resolved, plan): (&Resolved, &[Planned]),
        dir: &Path,
        done: usize,
    ) -> Result<Reached, JournalError> {
        let experiment = &resolved.experiment;
        let wanted = experiment.until.unwrap_or(f64::INFINITY);
        let narrow = || Ok(precision(dir, resolved)?.is_narrower(wanted));
        Ok(Reached { done, goal: experiment.goal(plan.len(), done, narrow)? })
    }

    pub(super) fn is_done(self) -> bool {
        self.done == self.goal
    }
}

/// Takes samples up to `goal`, and goes on from look to look until they are enough.
pub(super) fn take(
    (resolved, plan): (&Resolved, &[Planned]),
    results: &mut Results,
    mut goal: usize,
    executors: &mut [SearchExecutor],
    interrupt: &AtomicBool,
    progress: &mut Progress<'_>,
) -> Result<Ended, JournalError> {
    loop {
        progress.go_on_to(goal);
        let ended = run(resolved, &plan[..goal], results, executors, interrupt, progress)?;
        let Some(wanted) = resolved.experiment.until.filter(|_| ended == Ended::Done) else {
            return Ok(ended);
        };
        let precision = precision(results.dir(), resolved)?;
        let enough = || Ok::<bool, JournalError>(precision.is_narrower(wanted));
        let next = resolved.experiment.goal(plan.len(), results.done(), enough)?;
        progress.bar.say(&format!("ttd: {}", found(&precision, wanted)));
        if next == results.done() {
            return Ok(Ended::Done);
        }
        goal = next;
    }
}

/// The result of a look, in words.
fn found(precision: &Precision, wanted: f64) -> String {
    let rounds = format::count(precision.rounds as usize, "round");
    let Some(widest) = precision.widest() else {
        return format!("{rounds}: no competitor has a speedup");
    };
    let width = widest.relative();
    let at = format!("{} x {}", widest.searcher, widest.threads);
    let how = if width.is_infinite() {
        format!("the ci_runs of {at} is open")
    } else {
        format!("the widest ci_runs ({at}) is {:.2}% of its speedup", 100.0 * width)
    };
    let takes = precision.rounds_for(wanted, widest).filter(|_| width >= wanted);
    let takes = takes
        .map_or_else(String::new, |rounds| format!(", which would take about {rounds} rounds"));
    format!("{rounds}: {how}; wanted: below {}{takes}", format::percent(wanted))
}

/// The experiment and the plan as far as it was carried out: the number of its rounds is known now.
pub(super) fn carried_out<'p>(
    (resolved, plan): (&Resolved, &'p [Planned]),
    done: usize,
) -> (Resolved, &'p [Planned]) {
    let plan = &plan[..done];
    let rounds = plan.last().map_or(resolved.experiment.runs, |last| last.round);
    (Resolved { experiment: resolved.experiment.with_rounds(rounds), ..resolved.clone() }, plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_stats::Bounds;
    use ttd_stats::precision::Width;

    #[test]
    fn a_look_says_what_it_found() {
        let width = |lower, upper| Width {
            searcher: "ybwc".to_owned(),
            threads: 4,
            speedup: Bounds::exact(2.0),
            ci_runs: Some(Bounds { lower, upper }),
        };
        let found = |width| found(&Precision { rounds: 6, widths: vec![width] }, 0.125);
        let enough =
            "6 rounds: the widest ci_runs (ybwc x 4) is 6.25% of its speedup; wanted: below 12.5%";
        assert_eq!(found(width(1.9375, 2.0625)), enough);
        let wide =
            "is 25.00% of its speedup; wanted: below 12.5%, which would take about 24 rounds";
        assert!(found(width(1.75, 2.25)).ends_with(wide), "{}", found(width(1.75, 2.25)));
        let open = "6 rounds: the ci_runs of ybwc x 4 is open; wanted: below 12.5%";
        assert_eq!(found(width(0.0, f64::INFINITY)), open);
    }
}
