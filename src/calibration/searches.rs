//! The searches from which all costs but sections and wakes are computed.

use super::costs::CalibrationError;
use super::site::Site;
use ttd_search::searchers::{Outcome, Searcher};

/// The searches of one position: every searcher on one core and on all, in every run.
#[derive(Default)]
pub(super) struct Searches {
    pub(super) alone: Vec<(Searcher, Outcome)>,
    /// Empty if there is one core.
    pub(super) together: Vec<(Searcher, Outcome)>,
}

impl Searches {
    /// One search on all cores, and none on one core.
    #[cfg(test)]
    pub(super) fn of_one(searcher: Searcher, together: Outcome) -> Searches {
        Searches { alone: Vec::new(), together: vec![(searcher, together)] }
    }

    /// The searches of one worker, by every searcher.
    pub(super) fn alone(&self) -> Vec<&Outcome> {
        self.alone.iter().map(|(_, search)| search).collect()
    }
}

/// The searches by this searcher.
pub(super) fn by(searches: &[(Searcher, Outcome)], searcher: Searcher) -> Vec<&Outcome> {
    let of = searches.iter().filter(|(who, _)| *who == searcher);
    of.map(|(_, search)| search).collect()
}

/// Searches every position as often as is asked for. Searches on one core and on all take turns, so
/// that other work of the machine disturbs both alike.
pub(super) fn run(
    site: &Site<'_>,
    said: &mut impl FnMut(&str),
) -> Result<Vec<Searches>, CalibrationError> {
    let workload = site.workload;
    let mut lab = site.lab()?;
    let mut all: Vec<Searches> = workload.positions.iter().map(|_| Searches::default()).collect();
    for run in 1..=workload.runs {
        said(&format!("searches, alone and on all cores: run {run} of {}", workload.runs));
        for (position, searches) in workload.positions.iter().zip(&mut all) {
            for &searcher in workload.searchers {
                let mut on = |cores| site.search(&mut lab, &site.task(searcher, cores, position));
                searches.alone.push((searcher, on(1)?));
                if workload.cores > 1 {
                    searches.together.push((searcher, on(workload.cores)?));
                }
            }
        }
    }
    Ok(all)
}
