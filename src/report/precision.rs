//! The precision of a report's speedups.

use crate::experiment::Experiment;
use crate::report::figures::{Estimate, Figures, Row, Samples};
use ttd_stats::precision::{Precision, Width};

/// The precision of figures that were computed already.
pub(crate) fn of_figures(
    experiment: &Experiment,
    samples: &Samples,
    figures: &Figures,
) -> Precision {
    let mut widths = Vec::new();
    for (competitor, of) in experiment.competitors().into_iter().zip(&figures.searchers) {
        let beside_base = |row: &&Row| !experiment.is_base(competitor, row.threads);
        widths.extend(of.rows.iter().filter(beside_base).filter_map(|row| {
            let Estimate { value: speedup, ci_runs, .. } = row.geometric_mean?;
            let (searcher, threads) = (of.searcher.clone(), row.threads);
            Some(Width { searcher, threads, speedup, ci_runs })
        }));
    }
    let rounds = samples.all().map(|sample| sample.round).max().unwrap_or(0);
    Precision { rounds, widths }
}

#[cfg(test)]
mod tests {
    use crate::experiment::{SampleStatus, precision, resolve};
    use crate::report::Input;
    use crate::report::synthetic::Made;
    use ttd_stats::precision::Width;
    use ttd_stats::summary;

    /// The run and the report must compute equal figures.
    #[test]
    fn the_run_sees_what_the_report_says() {
        let censored = |s: &crate::experiment::Sample| {
            let stopped = s.threads == 4 && s.searcher == "lazy-smp" && s.round > 3;
            Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
        };
        for fate in [Made::default().fate, censored] {
            let made = Made { fate, ..Made::default() };
            let dir = made.dir();
            let partial = crate::records::TomlFile::parse(
                &dir.path().join("experiment.toml"),
                made.experiment.to_toml(),
            );
            let partial = partial.expect("a file");
            let resolved =
                resolve(Some(&partial), &crate::experiment::PartialExperiment::default(), None);
            let resolved = resolved.unwrap_or_else(|e| panic!("{e}"));
            let read = precision(dir.path(), &resolved).expect("read");
            let input = Input::read(dir.path()).expect("read");
            assert_eq!(read, input.precision);
            assert_eq!((read.rounds, read.widths.len()), (6, 4));
            let open = read.widths.iter().filter(|width| width.relative().is_infinite()).count();
            assert_eq!(
                open,
                usize::from(made.samples().iter().any(|s| s.status == SampleStatus::Censored))
            );
        }
    }

    /// The estimate made with fewer rounds comes true in a run with all: samples of a normal
    /// distribution.
    #[test]
    fn intervals_shrink_with_the_root_of_the_rounds() {
        let relative = |runs: u32| {
            let mut made = Made::default();
            made.experiment.runs = runs;
            // The values are uniform in a tenth, by a golden ratio sequence: equal in every run of
            // this test.
            made.alter = |sample| {
                let at = f64::from(sample.order) * 0.618_033_988_749_895;
                let times = 0.95 + 0.1 * at.fract();
                sample.time =
                    ttd_search::cores::Time::from_secs_f64(times * sample.time.as_secs_f64());
            };
            let input = Input::read(made.dir().path()).expect("read");
            let widths: Vec<f64> = input.precision.widths.iter().map(Width::relative).collect();
            summary::mean(&widths).expect("widths")
        };
        let ratio = relative(12) / relative(48);
        assert!((1.4..2.8).contains(&ratio), "{ratio}, where 2 was foretold");
    }
}
