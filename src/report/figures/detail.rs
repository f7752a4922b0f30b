//! The figures of single workers in an experiment with `detail`, and of the table by depth.

use crate::experiment::{DepthRow, Sample, SampleStatus, WorkerRow};
use ttd_search::cores::{State, Time};
use ttd_search::search::{ByDepth, Counters};
use ttd_stats::summary;

/// The parts of one sample, as files give them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampleDetail {
    pub(crate) workers: Vec<WorkerRow>,
    pub(crate) depths: Vec<DepthRow>,
}

impl SampleDetail {
    /// Whether the parts add up to the sample.
    pub(crate) fn is_whole(&self, sample: &Sample) -> bool {
        let mut sum = Counters::default();
        for row in &self.workers {
            sum += &row.counters;
        }
        let workers = self.workers.iter().map(|row| row.worker);
        let Some(whole) = &sample.counters else { return false };
        let Counters { states, doubled_nodes, .. } = *whole;
        workers.eq(0..sample.threads)
            && Counters { states, doubled_nodes, ..sum } == *whole
            && sample.known(1, |of| of.doubled_nodes).is_none_or(|known| known == sum.doubled_nodes)
            && sum.states.iter().zip(&states).all(|(a, b)| nearly(*a, *b, sample.threads))
            && self.look_ups().sum() == whole.table
    }

    fn look_ups(&self) -> ByDepth {
        let mut look_ups = ByDepth::default();
        for row in &self.depths {
            *look_ups.at(row.depth as i32) += &row.look_ups;
        }
        look_ups
    }
}

/// Whether two times are equal but for rounding. Files cut times to the nanosecond, so that a sum
/// of `cut` times may be up to `cut` nanoseconds less than it was.
fn nearly(a: Time, b: Time, cut: usize) -> bool {
    a.ps().abs_diff(b.ps()) <= 1_000 * cut as u64
}

/// The spread of a figure over the workers of a sample. Over several samples it is the mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// The figure of worker 0.
    pub first: f64,
    /// The least, the median and the greatest of all workers.
    pub order: [f64; 3],
}

impl Spread {
    fn of(figures: &[f64]) -> Spread {
        let quantile = |q| summary::quantile(figures, q).unwrap_or(0.0);
        let first = figures.first().copied().unwrap_or(0.0);
        Spread { first, order: [0.0, 0.5, 1.0].map(quantile) }
    }

    fn mean(of_samples: &[Spread]) -> Spread {
        let mean = |figure: &dyn Fn(&Spread) -> f64| {
            of_samples.iter().map(figure).sum::<f64>() / of_samples.len() as f64
        };
        let order = [0, 1, 2].map(|at| mean(&|spread| spread.order[at]));
        Spread { first: mean(&|spread| spread.first), order }
    }
}

/// The figures of the workers and of the table by depth of one thread count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// The number of samples that the figures are from.
    pub samples: usize,
    /// The share of its time that a worker searches, 0 to 1.
    pub searching: Spread,
    /// A worker's nodes over an equal share of all nodes, from 0 to the number of workers.
    pub nodes: Spread,
    /// The number of times that a worker joined a split point.
    pub joins: Spread,
    /// The look-ups in the table by depth: sums over the samples.
    pub look_ups: ByDepth,
}

impl Detail {
    /// The figures of the samples that are ok and have all their parts; none without any.
    pub(crate) fn of<'a>(
        samples: impl Iterator<Item = (&'a Sample, Option<&'a SampleDetail>)>,
    ) -> Option<Detail> {
        let mut spreads: [Vec<Spread>; 3] = Default::default();
        let mut look_ups = ByDepth::default();
        for (sample, detail) in samples.filter(|(s, _)| s.status == SampleStatus::Ok) {
            let Some(detail) = detail.filter(|detail| detail.is_whole(sample)) else { continue };
            look_ups += &detail.look_ups();
            let equal_share = sample.nodes as f64 / sample.threads as f64;
            let nodes = |counters: &Counters| counters.nodes as f64 / equal_share;
            let joins = |counters: &Counters| counters.joins.0.iter().sum::<u64>() as f64;
            let figures: [&dyn Fn(&Counters) -> f64; 3] = [&searching, &nodes, &joins];
            for (spreads, figure) in spreads.iter_mut().zip(figures) {
                let of_workers = detail.workers.iter().map(|row| figure(&row.counters));
                spreads.push(Spread::of(&of_workers.collect::<Vec<_>>()));
            }
        }
        let [searching, nodes, joins] = spreads.each_ref().map(|of| Spread::mean(of));
        let samples = spreads[0].len();
        (samples > 0).then_some(Detail { samples, searching, nodes, joins, look_ups })
    }
}

/// The share of its time that a worker searches.
fn searching(counters: &Counters) -> f64 {
    let whole: Time = counters.states.iter().copied().sum();
    counters.states[State::Search as usize].as_secs_f64() / whole.as_secs_f64()
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;
    use crate::report::synthetic::Made;
    use ttd_search::search::{ByKind, LookUps};

    /// Three workers with these thousandths of the nodes, which search as long and join as often.
    fn sample(shares: [u64; 3]) -> (Sample, SampleDetail) {
        let worker = |(worker, share): (usize, u64)| {
            let mut counters = Counters { nodes: share, ..Counters::default() };
            counters.joins = ByKind([0, share, 0]);
            counters.states[State::Search as usize] = Time::from_ps(1_000 * share);
            counters.states[State::WaitWork as usize] = Time::from_ps(1_000 * (1000 - share));
            WorkerRow { worker, counters }
        };
        let mut workers: Vec<WorkerRow> = shares.into_iter().enumerate().map(worker).collect();
        workers[0].counters.table = LookUps { probes: 20, hits: 10, cutoffs: 2 };
        let mut counters = Counters::default();
        for row in &workers {
            counters += &row.counters;
        }
        let depth = |depth| {
            let look_ups = LookUps { probes: 10, hits: 5, cutoffs: 1 };
            DepthRow { depth, look_ups }
        };
        let nodes = counters.nodes;
        let made = Made::default().samples()[0].clone();
        let counters = Some(counters);
        let sample = Sample { threads: 3, nodes, counters, ..made };
        (sample, SampleDetail { workers, depths: vec![depth(0), depth(31)] })
    }

    #[test]
    fn workers_are_put_in_order_sample_by_sample() {
        let samples = [sample([200, 300, 500]), sample([600, 100, 300])];
        let pairs = samples.iter().map(|(sample, detail)| (sample, Some(detail)));
        let detail = Detail::of(pairs).expect("two samples");
        assert_eq!((detail.samples, detail.joins.first), (2, 400.0));
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        near(detail.nodes.first, 1.2);
        assert_eq!(detail.joins.order, [150.0, 300.0, 550.0]);
        near(detail.searching.order[0], 0.15);
        near(detail.searching.order[2], 0.55);
        assert_eq!(detail.look_ups.sum().probes, 40);
    }

    #[test]
    fn what_does_not_add_up_is_left_out() {
        let (sample, whole) = sample([200, 300, 500]);
        let of = |detail: &SampleDetail| Detail::of([(&sample, Some(detail))].into_iter());
        assert!(of(&whole).is_some());
        assert_eq!(Detail::of([(&sample, None)].into_iter()), None);
        let changes: [fn(&mut SampleDetail); 5] = [
            |detail| detail.workers[1].counters.nodes += 1,
            |detail| detail.workers[1].counters.doubled_nodes += 1,
            |detail| detail.workers[1].counters.states[0] = Time::ZERO,
            |detail| detail.workers.swap(0, 1),
            |detail| detail.depths.truncate(1),
        ];
        for change in changes {
            let mut changed = whole.clone();
            change(&mut changed);
            assert_eq!(of(&changed), None, "{changed:?}");
        }
        let failed = Sample { status: SampleStatus::Failed, ..sample.clone() };
        assert_eq!(Detail::of([(&failed, Some(&whole))].into_iter()), None);
    }
}
