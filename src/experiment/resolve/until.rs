//! Checks of an experiment that goes on until enough is measured.

use crate::experiment::keys::{Experiment, PartialExperiment};
use crate::records::{Refusal, Sources};
use ttd_stats::precision::LEAST_ROUNDS;

/// The possible widths of an interval, divided by the figure that it belongs to.
const WIDTHS: std::ops::RangeInclusive<f64> = 0.001..=1.0;

impl Sources<'_, PartialExperiment> {
    /// Checks the width that every interval must reach.
    pub(super) fn until(&self, width: Option<f64>) -> Result<Option<f64>, Refusal> {
        let checked = width.map(|width| self.number(&["until"], width, WIDTHS)).transpose();
        checked.map_err(|e| e.because(true, " (0.1% to 100%)"))
    }

    /// Checks that there is a speedup whose interval can become narrow.
    pub(super) fn check_until(&self, experiment: &Experiment) -> Result<(), Refusal> {
        if experiment.until.is_none() {
            return Ok(());
        }
        if experiment.costs.as_ref().is_some_and(|costs| !costs.vary()) {
            let what = "with jitter_permille = 0 every run of a cell is the same: expected no such limit, and 1 run";
            return Err(self.error(&["until"], what));
        }
        let speedups = experiment.competitors().into_iter().any(|competitor| {
            let mut threads = experiment.threads_of(competitor).iter();
            threads.any(|threads| !experiment.is_base(competitor, *threads))
        });
        if !speedups {
            let what = "there is no speedup to wait for: expected a searcher with several threads, or another base";
            return Err(self.error(&["until"], what));
        }
        if experiment.runs < LEAST_ROUNDS {
            let what = format!(
                "{} found, {LEAST_ROUNDS} or more expected: so many rounds are measured before the first look",
                experiment.runs
            );
            return Err(self.error(&["runs"], what));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::experiment::{Experiment, PartialExperiment, resolve};
    use crate::records::NumberList;

    fn resolved(partial: PartialExperiment) -> Result<Experiment, String> {
        let partial = PartialExperiment { until: partial.until.or(Some(0.03)), ..partial };
        resolve(None, &partial, None).map(|r| r.experiment).map_err(|e| e.to_string())
    }

    #[test]
    fn runs_are_the_cap() {
        let experiment = resolved(PartialExperiment::default()).expect("an experiment");
        assert_eq!((experiment.until, experiment.runs), (Some(0.03), 96));
        assert!(experiment.name.starts_with("run-"), "{}", experiment.name);
        assert!(experiment.to_toml().contains("\nruns = 96\nuntil = 0.03\n"));
        let capped = resolved(PartialExperiment { runs: Some(10), ..PartialExperiment::default() })
            .expect("an experiment");
        assert_eq!(capped.runs, 10);
        let fixed = resolve(None, &PartialExperiment::default(), None).map(|r| r.experiment.runs);
        assert_eq!(fixed.ok(), Some(6));
    }

    #[test]
    fn what_never_comes_is_refused() {
        let one_thread = PartialExperiment {
            threads: Some(NumberList(vec![1])),
            ..PartialExperiment::default()
        };
        let alone = PartialExperiment {
            searchers: Some(vec!["sequential".to_owned()]),
            ..PartialExperiment::default()
        };
        let few = PartialExperiment { runs: Some(5), ..PartialExperiment::default() };
        for (partial, message) in [
            (one_thread, "--until: there is no speedup to wait for"),
            (alone, "--until: there is no speedup to wait for"),
            (few, "--runs: 5 found, 6 or more expected"),
            (
                PartialExperiment { until: Some(0.0), ..PartialExperiment::default() },
                "--until: 0 found, 0.001 to 1 expec",
            ),
            (
                PartialExperiment { until: Some(f64::NAN), ..PartialExperiment::default() },
                "--until: NaN found",
            ),
        ] {
            let refused = resolved(partial).expect_err("refused");
            assert!(refused.starts_with(message), "{refused}");
        }
        // Beside the sequential searcher, one thread of another has a speedup.
        let beside = PartialExperiment {
            searchers: Some(["sequential", "ybwc"].map(str::to_owned).to_vec()),
            threads: Some(NumberList(vec![1])),
            base: Some("sequential".to_owned()),
            ..PartialExperiment::default()
        };
        assert!(resolved(beside).is_ok());
    }

    #[test]
    fn equal_runs_have_nothing_to_wait_for() {
        let still = ttd_search::value::Table::from_iter([("jitter_permille".to_owned(), 0.into())]);
        let partial = PartialExperiment {
            cores: Some("virtual".to_owned()),
            costs: Some(still),
            ..PartialExperiment::default()
        };
        let refused = resolved(partial).expect_err("refused");
        assert!(refused.starts_with("--until: with jitter_permille = 0 every run"), "{refused}");
    }
}
