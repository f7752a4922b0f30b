//! How well the speedups of a sweep are known: how wide their intervals over runs are, and how many rounds would
//! make them narrower.

use super::figures::{Figures, Samples};
use crate::experiment::{Experiment, FIRST_LOOK, JournalError, Resolved, read_samples};
use std::path::Path;
use ttd_stats::Bounds;
use ttd_stats::bootstrap::{self, REPLICATES};

/// The geometric-mean speedup of one searcher and thread count, and how well it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Width {
    /// Name of the searcher.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// The speedup; two ends where censored samples leave it open.
    pub speedup: Bounds,
    /// Its interval over runs at 95%; none with a single sample in a cell.
    pub ci_runs: Option<Bounds>,
}

impl Width {
    /// The whole width of the interval over the speedup; infinite if either is open, or there is none.
    pub fn relative(&self) -> f64 {
        let relative = self
            .speedup
            .value()
            .zip(self.ci_runs)
            .map(|(speedup, runs)| (runs.upper - runs.lower) / speedup);
        relative.filter(|width| width.is_finite()).unwrap_or(f64::INFINITY)
    }
}

/// The widths of all speedups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Precision {
    /// How many rounds there are, also unfinished ones.
    pub rounds: u32,
    /// By searcher, then thread count; of those that are the base of others, none, and none of those without a speedup.
    pub widths: Vec<Width>,
}

impl Precision {
    /// Of figures that were computed.
    pub(super) fn of(experiment: &Experiment, samples: &Samples, figures: &Figures) -> Precision {
        let mut widths = Vec::new();
        for contender in experiment.contenders() {
            let searcher = experiment.name_of(contender);
            let of = figures.searchers.iter().find(|of| of.searcher == searcher);
            for row in of.into_iter().flat_map(|of| &of.rows) {
                if let Some(mean) = row.geometric_mean
                    && !experiment.is_base(contender, row.threads)
                {
                    widths.push(Width {
                        searcher: searcher.to_owned(),
                        threads: row.threads,
                        speedup: mean.value,
                        ci_runs: mean.ci_runs,
                    });
                }
            }
        }
        Precision { rounds: rounds(samples), widths }
    }

    /// Of what a results directory has so far.
    ///
    /// # Errors
    /// If the samples cannot be read.
    pub fn read(dir: &Path, resolved: &Resolved) -> Result<Precision, JournalError> {
        let ids: Vec<String> = resolved.positions.iter().map(|p| p.id.clone()).collect();
        Ok(Precision::of_samples(&resolved.experiment, &Samples::new(read_samples(dir)?), &ids))
    }

    /// Of samples from these positions: the same as that of a report's figures, and nothing else computed.
    pub(super) fn of_samples(
        experiment: &Experiment,
        samples: &Samples,
        ids: &[String],
    ) -> Precision {
        let all: Vec<usize> = (0..ids.len()).collect();
        let mut widths = Vec::new();
        for contender in experiment.contenders() {
            let searcher = experiment.name_of(contender);
            let sweep = samples.sweep(searcher, experiment.base, ids);
            let speedups = sweep.speedups();
            let by_runs = bootstrap::resample_runs(&sweep, experiment.seed, REPLICATES);
            for (index, &threads) in sweep.threads.iter().enumerate() {
                if let Some(headline) = speedups.headline(index, &all)
                    && !experiment.is_base(contender, threads)
                {
                    widths.push(Width {
                        searcher: searcher.to_owned(),
                        threads,
                        speedup: headline.geometric_mean,
                        ci_runs: by_runs.interval(index, |h| h.geometric_mean),
                    });
                }
            }
        }
        Precision { rounds: rounds(samples), widths }
    }

    /// The speedup that is known least well; none if there are none.
    pub fn widest(&self) -> Option<&Width> {
        self.widths.iter().max_by(|a, b| a.relative().total_cmp(&b.relative()))
    }

    /// Whether every interval is narrower than this share of its speedup.
    pub fn is_narrower(&self, wanted: f64) -> bool {
        self.widest().is_none_or(|widest| widest.relative() < wanted)
    }

    /// How many rounds it would take, about, until this interval has a relative width of `wanted`: widths go with the
    /// root of the number. None where the width is open, or stands on too few rounds.
    pub fn rounds_for(&self, wanted: f64, width: &Width) -> Option<u64> {
        let times = (width.relative() / wanted).powi(2);
        let known = times.is_finite() && self.rounds >= FIRST_LOOK;
        // Below two there is no interval.
        known.then(|| ((f64::from(self.rounds) * times).ceil() as u64).max(2))
    }
}

/// The last round that samples are of.
fn rounds(samples: &Samples) -> u32 {
    samples.all().map(|sample| sample.round).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{SampleStatus, resolve};
    use crate::report::Input;
    use crate::report::synthetic::Made;
    use ttd_stats::summary;

    fn width(lower: f64, upper: f64) -> Width {
        let ci_runs = Some(Bounds { lower, upper });
        Width { searcher: "ybwc".to_owned(), threads: 2, speedup: Bounds::exact(2.0), ci_runs }
    }

    fn near(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn widths_are_whole_and_relative() {
        near(width(1.9, 2.1).relative(), 0.1);
        assert!(width(0.0, f64::INFINITY).relative().is_infinite());
        let none = Width { ci_runs: None, ..width(1.9, 2.1) };
        let open = Width { speedup: Bounds { lower: 0.0, upper: 2.0 }, ..width(0.0, 2.0) };
        assert!(none.relative().is_infinite() && open.relative().is_infinite());
    }

    #[test]
    fn a_quarter_of_the_width_takes_sixteen_times_the_rounds() {
        let precision = |rounds| Precision { rounds, widths: Vec::new() };
        let takes = |rounds, wanted| precision(rounds).rounds_for(wanted, &width(1.75, 2.25));
        assert_eq!(takes(8, 0.125), Some(32));
        assert_eq!(takes(8, 0.0625), Some(128));
        assert_eq!(takes(8, 10.0), Some(2), "never fewer");
        assert_eq!(takes(5, 0.125), None, "too few rounds to say");
        let open = width(0.0, f64::INFINITY);
        assert_eq!(precision(8).rounds_for(0.05, &open), None);
    }

    #[test]
    fn the_widest_decides() {
        let precision = Precision { rounds: 6, widths: vec![width(1.9, 2.1), width(1.99, 2.01)] };
        assert!(precision.is_narrower(0.11) && !precision.is_narrower(0.09));
        assert!(Precision::default().is_narrower(0.01), "there is nothing to wait for");
    }

    /// The same figures that the report has, whoever asks.
    #[test]
    fn the_run_sees_what_the_report_says() {
        let censored = |s: &crate::experiment::Sample| {
            let stopped = s.threads == 4 && s.searcher == "lazy-smp" && s.round > 3;
            Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
        };
        for fate in [Made::default().fate, censored] {
            let made = Made { fate, ..Made::default() };
            let dir = made.dir();
            let draft = crate::experiment::DraftFile::parse(
                &dir.path().join("experiment.toml"),
                made.experiment.to_toml(),
            );
            let draft = draft.expect("a draft");
            let resolved = resolve(Some(&draft), &crate::experiment::Draft::default(), None);
            let resolved = resolved.unwrap_or_else(|e| panic!("{e}"));
            let read = Precision::read(dir.path(), &resolved).expect("read");
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

    /// What the estimate says of a run with fewer rounds comes about true: samples of a normal distribution.
    #[test]
    fn intervals_shrink_with_the_root_of_the_rounds() {
        let relative = |runs: u32| {
            let mut made = Made::default();
            made.experiment.runs = runs;
            // Uniform in a tenth, by a golden ratio sequence: the same for every run of this test.
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
