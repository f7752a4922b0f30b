//! The progress of a run; nothing is drawn while a sample is taken.

use super::bar::Bar;
use super::{format, plain, tell};
use crate::experiment::{Estimate, Observer, Planned, Resolved, Sample, SampleStatus};
use crate::records::CoresKind;
use std::time::{Duration, Instant};
use ttd_search::cores::Time;

/// Shows the progress of a run.
pub(super) struct Progress<'a> {
    resolved: &'a Resolved,
    plan: &'a [Planned],
    done: usize,
    /// The number of samples at which the run is done, or looks whether they are enough.
    goal: usize,
    estimate: Estimate,
    pub(super) bar: Bar,
    began: Instant,
    /// The time of this sitting outside samples: clearing the table, and the program itself.
    beside: Duration,
    in_sitting: u32,
    /// Samples that are taken at once.
    jobs: u32,
}

impl<'a> Progress<'a> {
    pub(super) fn new(
        resolved: &'a Resolved,
        plan: &'a [Planned],
        done: usize,
        estimate: Estimate,
        jobs: u16,
    ) -> Progress<'a> {
        Progress {
            resolved,
            plan,
            done,
            goal: plan.len(),
            estimate,
            bar: Bar::new("[{bar:20}] {pos}/{len} {wide_msg}", done, plan.len()),
            began: Instant::now(),
            beside: Duration::ZERO,
            in_sitting: 0,
            jobs: jobs.into(),
        }
    }

    /// Sets a new number of samples up to which the run goes on.
    pub(super) fn go_on_to(&mut self, goal: usize) {
        self.goal = goal;
        self.bar.draw(|bar| bar.set_length(goal as u64));
    }

    fn time_left(&self) -> String {
        let rest = &self.plan[self.done..self.goal];
        match self.estimate.of(rest) {
            None => "time left unknown".to_owned(),
            Some(samples) => {
                let beside = self.beside / self.in_sitting.max(1) * rest.len() as u32;
                let one_by_one = samples + Time::from(beside);
                let left = Time::from_ps(one_by_one.ps() / u64::from(self.jobs));
                format!("about {} left", format::duration(left))
            }
        }
    }

    fn round(&self, planned: &Planned) -> String {
        let last = self.plan[..self.goal].last().map_or(0, |last| last.round);
        format!("round {}/{last}", planned.round)
    }
}

impl Observer for Progress<'_> {
    fn begin(&mut self, planned: &Planned) {
        self.began = Instant::now();
        self.bar.draw(|bar| {
            let cell = planned.cell;
            let id = &self.resolved.positions[cell.position].id;
            let (round, left) = (self.round(planned), self.time_left());
            bar.set_position(self.done as u64);
            let name = self.resolved.experiment.name_of(cell.competitor);
            bar.set_message(
                plain::shown(&format!("{round}, {left}, {name} x {} {id}", cell.threads))
                    .into_owned(),
            );
        });
    }

    fn end(&mut self, planned: &Planned, sample: &Sample, host: Duration) {
        self.done += 1;
        self.in_sitting += 1;
        let failed = sample.status == SampleStatus::Failed;
        if failed {
            // The time of this sample tells nothing about the others of its cell.
        } else if self.resolved.experiment.cores == CoresKind::Virtual {
            // Virtual time is not the time of the host.
            self.estimate.add(planned.cell, host.into());
        } else {
            let wall = self.resolved.experiment.wall_time(sample.time);
            let in_sample = Duration::from_secs_f64(wall.as_secs_f64());
            self.beside += self.began.elapsed().saturating_sub(in_sample);
            self.estimate.add(planned.cell, wall);
        }
        if failed {
            self.bar.say(&format!("ttd: sample {} failed: see log.txt", sample.order));
        }
        if self.bar.is_line_due(self.done == self.goal) {
            let (round, left) = (self.round(planned), self.time_left());
            let all = self.goal;
            tell(format_args!("ttd: {}/{all} samples, {round}, {left}", self.done));
        }
    }
}
