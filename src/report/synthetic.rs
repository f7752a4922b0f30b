//! Invented results directories for tests: times and counters that follow from a few numbers.

use crate::experiment::{EXPERIMENT, Experiment, SAMPLES, Sample, SampleStatus};
use crate::records::{ENVIRONMENT, Row, Sitting};
use std::fs;
use tempfile::TempDir;
use ttd_search::cores::{State, Time};
use ttd_search::search::Counters;
use ttd_search::searchers::Searcher;

/// The description of an invented results directory.
pub(super) struct Made {
    pub(super) experiment: Experiment,
    /// The cores of the machine that the environment names; none: there is no environment.
    pub(super) cores: Option<usize>,
    /// The status of each sample; none: it was not taken.
    pub(super) fate: fn(&Sample) -> Option<SampleStatus>,
    /// Changes a sample after it is made.
    pub(super) alter: fn(&mut Sample),
}

impl Default for Made {
    /// Two searchers, 1, 2 and 4 threads, 3 positions, 6 runs; all went well.
    fn default() -> Made {
        let positions = ttd_search::positions::load("middlegames").expect("a set of the program");
        Made {
            experiment: Experiment {
                name: "made-up".to_owned(),
                only: positions.into_iter().take(3).map(|p| p.id).collect(),
                threads: vec![1, 2, 4],
                runs: 6,
                depth: 12,
                ..Experiment::default()
            },
            cores: Some(2),
            fate: |_| Some(SampleStatus::Ok),
            alter: |_| (),
        }
    }
}

impl Made {
    /// The samples, in some order.
    pub(super) fn samples(&self) -> Vec<Sample> {
        let experiment = &self.experiment;
        let mut samples = Vec::new();
        for round in 1..=experiment.runs {
            for (competitor, own) in experiment.all_ours() {
                for &threads in experiment.threads_of(competitor) {
                    for (index, id) in experiment.only.iter().enumerate() {
                        let order = samples.len() as u32;
                        let sample = sample(own.searcher, threads, (index, id), (round, order));
                        let searcher = experiment.name_of(competitor).to_owned();
                        let mut sample = Sample { searcher, ..sample };
                        (self.alter)(&mut sample);
                        if let Some(status) = (self.fate)(&sample) {
                            samples.push(Sample { status, ..sample });
                        }
                    }
                }
            }
        }
        samples
    }

    /// A results directory.
    pub(super) fn dir(&self) -> TempDir {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path();
        fs::write(path.join(EXPERIMENT), self.experiment.to_toml()).expect("written");
        let mut writer = csv::Writer::from_path(path.join(SAMPLES)).expect("a new file");
        writer.write_record(Sample::columns()).expect("written");
        for sample in self.samples() {
            writer.write_record(sample.values()).expect("written");
        }
        writer.flush().expect("written");
        if let Some(cores_usable) = self.cores {
            let sitting = Sitting { cores_usable, ..Sitting::begin(0, &[]) };
            let sittings = vec![toml::Value::try_from(sitting).expect("it has a TOML form")];
            let mut file = toml::Table::new();
            file.insert("sitting".to_owned(), toml::Value::Array(sittings));
            fs::write(path.join(ENVIRONMENT), file.to_string()).expect("written");
        }
        dir
    }
}

/// The search of position `index` takes `1 + index` seconds with one thread, varied by the round.
/// At more threads `ybwc` idles a tenth of the time, and `lazy-smp` searches half as many nodes
/// again.
fn sample(
    searcher: Searcher,
    threads: usize,
    (index, id): (usize, &str),
    (round, order): (u32, u32),
) -> Sample {
    let parallel = threads > 1;
    let extra = if parallel && searcher == Searcher::named("lazy-smp") { 1.5 } else { 1.0 };
    let busy = if parallel && searcher == Searcher::named("ybwc") { 0.9 } else { 1.0 };
    let nodes = 1e6 * (1.0 + index as f64) * extra * (1.0 + 0.01 * f64::from(round % 4));
    let search_s = nodes / 1e6;
    let time_s = search_s / (threads as f64 * busy);
    let mut counters = Counters { nodes: nodes as u64, doubled_nodes: 20, ..Counters::default() };
    counters.states[State::Search as usize] = Time::from_secs_f64(search_s);
    counters.states[State::WaitWork as usize] =
        Time::from_secs_f64(threads as f64 * time_s - search_s);
    Sample {
        round,
        order,
        searcher: searcher.name().to_owned(),
        threads,
        position: id.to_owned(),
        depth: 12,
        status: SampleStatus::Ok,
        time: Time::from_secs_f64(time_s),
        nodes: nodes as u64,
        score: 17,
        best_move: "e2e4".to_owned(),
        counters: Some(counters),
        states_alone: None,
        table_fill: 0.05 * threads as f64,
        peak_mib: 300,
        additions: Counters::ADDITIONS,
        work_span: None,
    }
}
