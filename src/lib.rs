//! **ttd** ("time to depth"): a laboratory for parallel game-tree search.
//!
//! Below it are two libraries: `ttd_search` (the engine, cores and searchers, in
//! `crates/ttd-search`) and `ttd_stats` (figures from numbers, in `crates/ttd-stats`). The table is
//! the map of this crate's modules; the lowest one comes first. Each uses only modules in earlier
//! lines, and no two files use each other: `tests/house` holds both.
//!
//! | module | what it holds |
//! |---|---|
//! | [`pgn`] | games that others wrote, from files of PGN |
//! | [`uci`] | engines that speak a protocol: the driver of outside ones, and ours as a UCI program |
//! | [`records`] | what experiments and matches share: refusals, journal, results directory, environment |
//! | [`experiment`] | an experiment: its TOML, its plan, its runner, its rows |
//! | [`matches`] | games between engines: clocks, rules, notation, their rows |
//! | [`calibration`] | the costs of virtual cores on this machine, measured |
//! | [`doctor`] | the findings on whether this machine is fit for measurements |
//! | [`quality`] | the worth of a sweep's moves, judged by deeper searches |
//! | [`explain`] | where the speedup is lost: a ladder of idealised machines |
//! | [`tuning`] | the weights of the evaluation, from games |
//! | [`rating`] | ratings from games that anyone played |
//! | [`report`] | from a results directory to derived CSV files, charts and a report |
//! | [`cli`] | the command line: turns arguments into the types above |
//!
//! [`main_with`] is the whole program, with searchers of one's own.
//!
//! [`explain`]: mod@explain
//! [`matches`]: mod@matches

use clap::Parser;
use cli::{Cli, Exit, Usage, explain, guard, say};
use experiment::{Ends, dismiss};
use std::process::ExitCode;
use ttd_search::cores::Transport;
use ttd_search::searchers::Searcher;

pub mod calibration;
pub mod cli;
pub mod doctor;
pub mod experiment;
pub mod explain;
pub mod matches;
pub mod pgn;
pub mod quality;
pub mod rating;
pub mod records;
pub mod report;
pub mod tuning;
pub mod uci;

/// Runs `ttd run` with workers that are ranks: processes that share no memory. All ranks call this
/// with equal arguments, each with its end of the transport. The program `mpi/` does so.
///
/// A rank that panics or fails ends the job.
pub fn main_on_ranks<T: Transport + Clone + Send + 'static>(transport: &T) -> ExitCode {
    let ends: Ends<'_> = &|| Box::new(transport.clone());
    let abort = |why: &str| {
        say(format_args!("ttd-mpi: rank {}: {why}", transport.rank()));
        transport.abort(why);
    };
    let run = || {
        if transport.rank() > 0 {
            if let Err(error) = Cli::take_part(Cli::try_parse(), ends) {
                abort(&explain(&error).0.unwrap_or_default());
            }
            return Exit::Done.into();
        }
        let exit = match Cli::try_parse() {
            Ok(cli) => cli.run_on_ranks(ends).unwrap_or_else(|error| {
                let (message, exit) = explain(&error);
                if let Some(message) = message {
                    say(format_args!("ttd-mpi: {message}"));
                }
                exit
            }),
            Err(error) => {
                let _ = error.print();
                if error.use_stderr() { Exit::Usage } else { Exit::Done }
            }
        };
        dismiss(transport);
        exit.into()
    };
    // A panic must not unwind to where MPI ends: that waits for all ranks.
    let mut ended = None;
    let exit = guard(|| {
        let exit = run();
        ended = Some(());
        exit
    });
    if ended.is_none() {
        abort("it panicked");
    }
    exit
}

/// Runs the program `ttd` with more searchers: they can be run, traced, played and reported on like
/// its own. The program `examples/own_searcher.rs` calls this. A match starts its own players as
/// this same program, and engines run below a supervisor that is this program too.
///
/// It is to be called once, before anything else.
pub fn main_with(searchers: &[Searcher]) -> ExitCode {
    if let Some(status) = uci::supervise() {
        return status;
    }
    let registered = Searcher::register(searchers).map_err(|why| Usage(why).into());
    // The program ends here after wrong usage, `--help` and `--version`.
    let cli = registered.map(|()| Cli::parse());
    guard(|| match cli.and_then(Cli::run) {
        Ok(exit) => exit.into(),
        Err(error) => {
            let (message, exit) = explain(&error);
            if let Some(message) = message {
                say(format_args!("ttd: {message}"));
            }
            exit.into()
        }
    })
}
