//! The speedups of a searcher over the positions of one kind.

use crate::report::figures::{Estimate, Measurements};
use crate::report::lists::each_once;
use std::collections::BTreeSet;
use ttd_search::positions::tag;
use ttd_stats::Headline;
use ttd_stats::bootstrap::{self, REPLICATES};

/// The fewest positions of a tag whose interval over positions is shown. Fewer say nothing of
/// others.
pub(super) const FEWEST: usize = 6;

/// The speedup of a searcher at a number of threads, over the positions of one tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Stratum {
    pub(super) tag: String,
    pub(super) searcher: String,
    pub(super) threads: usize,
    pub(super) oversubscribed: bool,
    /// The number of positions with this tag that have a speedup.
    pub(super) positions: usize,
    pub(super) geometric_mean: Option<Estimate>,
}

/// The speedups by tag. None if all positions have one tag, or if the set is not known.
pub(crate) fn strata(of: Measurements<'_>) -> Vec<Stratum> {
    let Measurements { experiment, set, samples, figures, .. } = of;
    let sampled: BTreeSet<&str> = samples.all().map(|sample| sample.position.as_str()).collect();
    let tagged: Vec<(&str, &String)> = set
        .iter()
        .map(|position| (tag(position), &position.id))
        .filter(|(_, id)| sampled.contains(id.as_str()))
        .collect();
    let mut tags = each_once(tagged.iter().map(|(tag, _)| *tag));
    tags.sort_unstable();
    if tags.len() < 2 {
        return Vec::new();
    }
    let mut all = Vec::new();
    for of in figures.on_their_own() {
        let first = all.len();
        for &tag in &tags {
            let with_tag = tagged.iter().filter(|(of, _)| *of == tag);
            let ids: Vec<String> = with_tag.map(|(_, id)| (*id).clone()).collect();
            let sweep = samples.sweep(&of.searcher, experiment.base, &ids);
            let speedups = sweep.speedups();
            let by_runs = bootstrap::resample_runs(&sweep, experiment.seed, REPLICATES);
            let by_positions =
                bootstrap::resample_positions(&speedups, experiment.seed, REPLICATES);
            let every: Vec<usize> = (0..ids.len()).collect();
            let mean = |headline: &Headline| headline.geometric_mean;
            for (index, &threads) in sweep.threads.iter().enumerate() {
                let Some(row) = of.row(threads).filter(|row| !row.is_base) else { continue };
                let positions = speedups.speedups[index].iter().flatten().count();
                let estimate = |headline: Headline| Estimate {
                    value: mean(&headline),
                    ci_runs: by_runs.interval(index, mean),
                    ci_positions: by_positions
                        .interval(index, mean)
                        .filter(|_| positions >= FEWEST),
                };
                all.push(Stratum {
                    tag: tag.to_owned(),
                    searcher: of.searcher.clone(),
                    threads,
                    oversubscribed: row.oversubscribed,
                    positions,
                    geometric_mean: speedups.headline(index, &every).map(estimate),
                });
            }
        }
        all[first..].sort_by_key(|of: &Stratum| of.threads);
    }
    all
}
