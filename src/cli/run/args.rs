//! The arguments of `ttd run`.

use crate::cli::Usage;
use crate::cli::output::Output;
use crate::cli::recipe::RecipeArgs;
use crate::cli::values::{check_memory, jobs_parser, sittings_parser};
use crate::experiment::{Experiment, Opening, PartialExperiment, simulation_mib};
use crate::records::CoresKind;
use clap::Args;
use std::path::PathBuf;

/// Three ways to call it.
const EXAMPLES: &str = "\
Examples:
  ttd run --threads 1,2,4,8 --depth 20
  ttd run experiments/quick.toml
  ttd run --engine stockfish --engine \"name=ours command='ttd uci'\" --threads 1,2 --depth 14";

/// Options override the file, and the file the defaults.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct RunArgs {
    /// The experiment (TOML); without one, the defaults are a complete experiment
    pub(super) experiment: Option<PathBuf>,
    #[command(flatten)]
    pub(super) said: PartialExperiment,
    /// Samples taken at once, on virtual cores: the same results, sooner
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs_parser(), help_heading = "How it is measured", display_order = 12)]
    pub(super) jobs: u16,
    /// Measure in N sittings, each a new process with all rounds of --runs. The report then says
    /// how much they differ
    #[arg(long, value_name = "N", value_parser = sittings_parser(), conflicts_with_all = ["sitting", "recipe"], help_heading = "How it is measured", display_order = 14)]
    pub(super) sittings: Option<u32>,
    /// Add a sitting to a finished directory, on another day: as many rounds as its first one has
    #[arg(
        long,
        conflicts_with = "recipe",
        help_heading = "How it is measured",
        display_order = 15
    )]
    pub(super) sitting: bool,
    /// On virtual cores: repeat the experiment afterwards with each cost halved and doubled
    #[arg(long, help_heading = "How it is measured", display_order = 13)]
    pub(super) sensitivity: bool,
    /// Judge the moves afterwards by another engine, and compare times at equal quality: as `ttd
    /// quality --judge`, such as "stockfish nodes=20000"
    #[arg(long, value_name = "JUDGE", conflicts_with_all = ["recipe", "shard"], help_heading = "How it is measured", display_order = 16)]
    pub(super) quality: Option<String>,
    /// Hunt for faults of outside engines: search every cell under N seeded schedules of the
    /// threads. Seeds follow each other from --seed on. It tells hangs, crashes, lost best moves
    /// and differing nodes of one thread, each with its seed, and keeps no results
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["recipe", "shard", "sittings", "sitting", "quality", "sensitivity", "out", "dry_run", "fresh", "mixed"], help_heading = "What is measured", display_order = 17)]
    pub(super) schedules: Option<u32>,
    /// Results directory [default: results/NAME]
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) opening: Opening,
    #[command(flatten, next_help_heading = "Results")]
    pub(super) output: Output,
    #[command(flatten)]
    pub(super) recipe: RecipeArgs,
    /// Write a hash of the host's name in place of the name
    #[arg(long, help_heading = "Results")]
    pub(super) anonymous: bool,
    /// Take no fixed search at the begin and the end of a part, by which hosts are compared
    #[arg(long, help_heading = "How it is measured")]
    pub(super) no_probe: bool,
    /// Leave out outside engines that cannot be measured, and say which and why
    #[arg(long, help_heading = "How it is measured")]
    pub(super) skip_broken: bool,
    /// Ask nothing before a run of more than five minutes
    #[arg(long, short, help_heading = "Results")]
    pub(super) yes: bool,
    /// Print the plan, measure nothing, and start no program
    #[arg(long, help_heading = "Results")]
    pub(super) dry_run: bool,
}

impl RunArgs {
    /// Refuses options for simulations on real cores. Their costs cannot be changed, and samples at
    /// once would disturb each other. Also checks the memory: every job has its own table.
    pub(super) fn check_simulation(&self, experiment: &Experiment) -> Result<(), Usage> {
        let jobs = self.jobs;
        if self.sensitivity && experiment.cores == CoresKind::Real {
            let what = "--sensitivity: real cores found, virtual cores expected: the costs of real \
                        cores cannot be changed";
            return Err(Usage(what.to_owned()));
        }
        if self.sensitivity && experiment.all_ours().next().is_none() {
            let what = "--sensitivity: outside engines only found, a searcher of ours expected: \
                        nothing of theirs has these costs";
            return Err(Usage(what.to_owned()));
        }
        if self.sensitivity && experiment.shard.is_some() {
            let what =
                "--sensitivity: a part has no speedups to vary: run it on the merged directory";
            return Err(Usage(what.to_owned()));
        }
        if jobs == 1 {
            return Ok(());
        }
        if experiment.cores == CoresKind::Real {
            return Err(Usage(format!(
                "--jobs: {jobs} found, 1 expected: only samples on virtual cores \
                 can be taken at once"
            )));
        }
        let workers = experiment.threads.iter().copied().max().unwrap_or(1);
        let needed = u64::from(jobs) * simulation_mib(experiment.hash_mib, workers);
        check_memory(needed, |available| {
            format!(
                "--jobs: {jobs} simulations need {needed} MiB of memory, {available} are available"
            )
        })
    }
}
