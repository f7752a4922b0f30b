//! The command line: turns arguments into the types of the library, and their results into text.
//! Data goes to standard output, progress and messages to standard error.
//!
//! | file | what it holds |
//! |---|---|
//! | `run`, `merge`, `report`, `compare`, `validate` | experiments and their reports |
//! | `matches`, `rate`, `quality`, `tune` | games, ratings, moves, weights |
//! | `ladder` | `ttd explain`: idealised machines |
//! | `bench`, `search`, `perft`, `trace` | our engine alone |
//! | `engine` | an outside engine, and ours as a program |
//! | `searchers`, `positions` | the lists of searchers, of position sets and of positions |
//! | `doctor`, `calibrate` | this machine |
//! | `man` | manual pages, completions for a shell |
//! | `values`, `results` | arguments that several commands take |
//! | `recipe` | scripts that run the parts of an experiment or of a match |
//! | `judging` | moves judged by another engine, for several commands |
//! | `output`, `format`, `summary` | results for people, and for other programs |
//! | `plain` | text for terminals: control characters are shown, and never obeyed |
//! | `progress`, `bar` | progress on standard error |
//! | `interrupt`, `exit` | Ctrl-C; the ways in which the program ends |

mod bar;
mod bench;
mod calibrate;
mod compare;
mod doctor;
mod engine;
mod exit;
mod format;
mod interrupt;
mod judging;
mod ladder;
mod man;
mod matches;
mod merge;
mod output;
mod perft;
mod plain;
mod positions;
mod progress;
mod quality;
mod rate;
mod recipe;
mod report;
mod results;
mod run;
mod search;
mod searchers;
mod summary;
mod trace;
mod tune;
mod validate;
mod values;

pub use exit::{Exit, Usage, explain, guard, say};
use exit::{be_quiet, is_quiet, tell};

use crate::experiment::Ends;
use clap::{CommandFactory, Parser, Subcommand};

/// The arguments of the program.
#[derive(Debug, Parser)]
#[command(name = "ttd", version, about, long_about = None, max_term_width = 100)]
#[command(propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print results, warnings and errors only: no plans, no progress
    #[arg(long, short, global = true, display_order = 1000)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure an experiment: searchers x threads x positions x runs
    Run(Box<run::RunArgs>),
    /// Play a match between engines, ours among them
    Match(Box<matches::MatchArgs>),
    /// Rate the players of games that anyone played
    Rate(rate::RateArgs),
    /// Put the parts of an experiment or of a match together (`ttd run --shard K/N`)
    Merge(merge::MergeArgs),
    /// Make every table and chart again from a results directory, also an unfinished one
    Report(report::ReportArgs),
    /// Compare two results directories: did the speedups change?
    Compare(compare::CompareArgs),
    /// Compare an experiment on virtual cores with the same one on real cores
    Validate(validate::ValidateArgs),
    /// Judge the moves of an experiment by deeper searches
    Quality(quality::QualityArgs),
    /// Say where the speedup is lost, and what mending it would bring: a ladder of idealised
    /// machines
    Explain(ladder::ExplainArgs),
    /// Check whether this machine is fit for measurements, before a long run
    Doctor(doctor::DoctorArgs),
    /// Try an outside engine
    Engine(engine::EngineArgs),
    /// Print the flags for a compiler by which an engine counts its instructions, for virtual cores
    Instrument(engine::InstrumentArgs),
    /// Measure the costs of virtual cores on this machine, and print them as sections of an
    /// experiment file
    Calibrate(calibrate::CalibrateArgs),
    /// Search a fixed set to a fixed depth: the engine's signature, and its speed
    Bench(bench::BenchArgs),
    /// Count the leaves of the game tree: a check of the rules of chess
    Perft(perft::PerftArgs),
    /// Search one position, and print a table by depth
    Search(search::SearchArgs),
    /// Run the engine as a UCI program, for graphical programs and match runners
    Uci,
    /// Record the states of every worker during one search: a trace for Perfetto, or a picture
    Trace(trace::TraceArgs),
    /// Find the weights of the evaluation under which the results of games are likeliest
    Tune(tune::TuneArgs),
    /// List the searchers
    Searchers(searchers::SearchersArgs),
    /// List the position sets, or the positions of one
    Positions(positions::PositionsArgs),
    /// Print a completion script for a shell
    Completions(man::CompletionsArgs),
    /// Print a manual page
    Man(man::ManArgs),
}

impl Cli {
    /// Does what the arguments ask for.
    ///
    /// # Errors
    /// Whatever keeps it from being done; [`explain`] turns it into a message and an exit status.
    pub fn run(self) -> anyhow::Result<Exit> {
        if self.quiet {
            be_quiet();
        }
        match self.command {
            Command::Run(args) => run::run_or_hunt(&args),
            Command::Match(args) => matches::run(&args),
            Command::Rate(args) => rate::run(&args),
            Command::Merge(args) => merge::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Doctor(args) => doctor::run(&args),
            Command::Engine(args) => engine::run(&args),
            Command::Instrument(args) => engine::instrument(&args),
            Command::Calibrate(args) => calibrate::run(&args),
            Command::Compare(args) => compare::run(&args),
            Command::Validate(args) => validate::run(&args),
            Command::Quality(args) => quality::run(&args),
            Command::Explain(args) => ladder::run(&args),
            Command::Bench(args) => bench::run(&args),
            Command::Perft(args) => perft::run(&args),
            Command::Search(args) => search::run(&args),
            Command::Uci => engine::be_one(),
            Command::Trace(args) => trace::run(&args),
            Command::Tune(args) => tune::run(&args),
            Command::Searchers(args) => searchers::run(&args),
            Command::Positions(args) => positions::run(&args),
            Command::Completions(args) => man::complete(&args, Cli::command()),
            Command::Man(args) => man::run(&args, Cli::command()),
        }
    }

    /// Does what the arguments ask for with workers that are ranks, as rank 0.
    ///
    /// # Errors
    /// The errors of [`Cli::run`], and any command but `run`.
    pub fn run_on_ranks(self, ends: Ends<'_>) -> anyhow::Result<Exit> {
        if self.quiet {
            be_quiet();
        }
        let Command::Run(args) = self.command else {
            return Err(Usage("`run` expected: other commands need no ranks".to_owned()).into());
        };
        run::run(&args, Some(ends))
    }

    /// Takes part in what rank 0 does, as another rank, until it has no more to do. Wrong arguments
    /// are left to rank 0.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn take_part(arguments: Result<Cli, clap::Error>, ends: Ends<'_>) -> anyhow::Result<()> {
        let args = match arguments.map(|cli| cli.command) {
            Ok(Command::Run(args)) => Some(args),
            _ => None,
        };
        run::take_part(args.as_deref(), ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }
}
