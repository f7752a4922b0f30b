//! The arguments of `ttd run`.

use crate::cli::tabular::Format;
use crate::cli::values::{jobs_parser, whole};
use crate::experiment::{Draft, NumberList, Opening};
use crate::uci::EngineSpec;
use clap::Args;
use std::path::PathBuf;

/// Options override the file, and the file the defaults.
#[derive(Debug, Args)]
pub(in crate::cli) struct RunArgs {
    /// The experiment (TOML); without one, the defaults are a complete experiment
    pub(super) experiment: Option<PathBuf>,
    /// Numbers of threads, such as 1,2,4,8 or 1-16 [default: 1,2,4,8]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    threads: Option<NumberList>,
    /// Depth to which positions are searched [default: 20]
    #[arg(long, short, value_name = "PLIES", value_parser = whole, allow_negative_numbers = true)]
    depth: Option<i64>,
    /// Searchers, comma separated; `ttd searchers` lists them [default: ybwc,lazy-smp]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    searchers: Option<Vec<String>>,
    /// An outside engine: a command such as "gnuchess -u", or keys such as "name=old command=./engine-old
    /// option.OwnBook=false"; may be repeated. Without --searchers, only outside engines are measured
    #[arg(long = "engine", value_name = "SPEC")]
    engines: Vec<EngineSpec>,
    /// A position set of the program, or an EPD file [default: middlegames]
    #[arg(long, value_name = "NAME|FILE.epd")]
    positions: Option<String>,
    /// Only these positions: ids, beginnings of ids, or numbers in the set, comma separated
    #[arg(long, value_name = "LIST")]
    only: Option<Vec<String>>,
    /// How often each cell is measured [default: 5; with --until the most rounds, 96]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    runs: Option<i64>,
    /// Go on until the 95% `ci_runs` of every geometric-mean speedup is narrower than this: its whole width over the
    /// speedup. Looked at after 6, 12, 24, ... rounds, --runs at most
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_hyphen_values = true)]
    until: Option<f64>,
    /// Size of the transposition table [default: 256]
    #[arg(long, value_name = "MIB", value_parser = whole, allow_negative_numbers = true)]
    hash: Option<i64>,
    /// When a sample is stopped, and counts as censored [default: 120]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// What workers run on: real (threads) or virtual (a simulated clock) [default: real]
    #[arg(long, value_name = "KIND")]
    cores: Option<String>,
    /// Processors to run on, such as 0,1 or 0-3: one a worker, in turn; all of them for an outside engine
    #[arg(long, value_name = "CPUS")]
    pin: Option<NumberList>,
    /// Samples taken at once, on virtual cores: the same results, sooner
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs_parser())]
    pub(super) jobs: u16,
    /// On virtual cores: afterwards the same again with each cost halved and doubled
    #[arg(long)]
    pub(super) sensitivity: bool,
    /// Of the order of samples and of every random choice [default: 1]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    seed: Option<i64>,
    /// What a speedup is relative to: same-searcher (at one thread) or sequential
    #[arg(long, value_name = "BASE")]
    base: Option<String>,
    /// Also keep the figures of each worker, and the table's hits by depth
    #[arg(long)]
    detail: bool,
    /// What the experiment is called [default: the file's name and what options change]
    #[arg(long)]
    name: Option<String>,
    /// Results directory [default: results/NAME]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Discard what the results directory holds
    #[arg(long)]
    pub(super) fresh: bool,
    /// Go on although the samples there were taken by another build or on another machine
    #[arg(long)]
    pub(super) mixed: bool,
    /// Print the summary for other programs, as `ttd report --format` does
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<Format>,
    /// Print the plan as CSV, and measure nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

impl RunArgs {
    /// What the options say of the experiment.
    pub(super) fn draft(&self) -> Draft {
        Draft {
            name: self.name.clone(),
            positions: self.positions.clone(),
            only: self.only.clone(),
            searchers: self.searchers.clone(),
            threads: self.threads.clone(),
            depth: self.depth,
            runs: self.runs,
            until: self.until,
            hash_mib: self.hash,
            time_limit_s: self.time_limit,
            host_limit_s: None,
            cores: self.cores.clone(),
            seed: self.seed,
            base: self.base.clone(),
            reference: None,
            pin: self.pin.clone(),
            detail: self.detail.then_some(true),
            engine: None,
            searcher: None,
            costs: None,
            published: None,
            variants: None,
            engines: (!self.engines.is_empty()).then(|| self.engines.clone()),
        }
    }

    pub(super) fn opening(&self) -> Opening {
        Opening { fresh: self.fresh, mixed: self.mixed }
    }
}

/// `3%`, as the share that an experiment says: 0.03.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    number
        .map(|percent| percent / 100.0)
        .ok_or_else(|| "a percentage such as 3% expected".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "a number of seconds expected".to_owned())
}
