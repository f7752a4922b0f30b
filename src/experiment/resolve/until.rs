//! Checks of an experiment that goes on until enough is measured.

use crate::experiment::keys::{Draft, Experiment};
use crate::records::{Refusal, Sources};
use ttd_stats::precision::LEAST_ROUNDS;

/// The possible widths of an interval, divided by the figure that it belongs to.
const WIDTHS: std::ops::RangeInclusive<f64> = 0.001..=1.0;

impl Sources<'_, Draft> {
    /// Checks the width that every interval must reach.
    pub(super) fn until(&self, width: Option<f64>) -> Result<Option<f64>, Refusal> {
        match width {
            Some(width) if !WIDTHS.contains(&width) => {
                let (least, most) = (WIDTHS.start(), WIDTHS.end());
                let what = format!("{width} found, {least} to {most} expected (0.1% to 100%)");
                Err(self.error(&["until"], what))
            }
            width => Ok(width),
        }
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
        let speedups = experiment.contenders().into_iter().any(|contender| {
            let mut threads = experiment.threads_of(contender).iter();
            threads.any(|threads| !experiment.is_base(contender, *threads))
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
    use crate::experiment::{Draft, Experiment, resolve};
    use crate::records::NumberList;

    fn resolved(draft: Draft) -> Result<Experiment, String> {
        let draft = Draft { until: draft.until.or(Some(0.03)), ..draft };
        resolve(None, &draft, None).map(|r| r.experiment).map_err(|e| e.to_string())
    }

    #[test]
    fn runs_are_the_cap() {
        let experiment = resolved(Draft::default()).expect("an experiment");
        assert_eq!((experiment.until, experiment.runs), (Some(0.03), 96));
        assert!(experiment.name.ends_with("-until-0.03"), "{}", experiment.name);
        assert!(experiment.to_toml().contains("\nruns = 96\nuntil = 0.03\n"));
        let capped = resolved(Draft { runs: Some(10), ..Draft::default() }).expect("an experiment");
        assert_eq!(capped.runs, 10);
        let fixed = resolve(None, &Draft::default(), None).map(|r| r.experiment.runs);
        assert_eq!(fixed.ok(), Some(5));
    }

    #[test]
    fn what_never_comes_is_refused() {
        let one_thread = Draft { threads: Some(NumberList(vec![1])), ..Draft::default() };
        let alone = Draft { searchers: Some(vec!["sequential".to_owned()]), ..Draft::default() };
        let few = Draft { runs: Some(5), ..Draft::default() };
        for (draft, message) in [
            (one_thread, "--until: there is no speedup to wait for"),
            (alone, "--until: there is no speedup to wait for"),
            (few, "--runs: 5 found, 6 or more expected"),
            (Draft { until: Some(0.0), ..Draft::default() }, "--until: 0 found, 0.001 to 1 expec"),
            (Draft { until: Some(f64::NAN), ..Draft::default() }, "--until: NaN found"),
        ] {
            let refused = resolved(draft).expect_err("refused");
            assert!(refused.starts_with(message), "{refused}");
        }
        // Beside the sequential searcher, one thread of another has a speedup.
        let beside = Draft {
            searchers: Some(["sequential", "ybwc"].map(str::to_owned).to_vec()),
            threads: Some(NumberList(vec![1])),
            base: Some("sequential".to_owned()),
            ..Draft::default()
        };
        assert!(resolved(beside).is_ok());
    }

    #[test]
    fn equal_runs_have_nothing_to_wait_for() {
        let still = ttd_search::value::Table::from_iter([("jitter_permille".to_owned(), 0.into())]);
        let draft =
            Draft { cores: Some("virtual".to_owned()), costs: Some(still), ..Draft::default() };
        let refused = resolved(draft).expect_err("refused");
        assert!(refused.starts_with("--until: with jitter_permille = 0 every run"), "{refused}");
    }
}
