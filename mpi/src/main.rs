//! `ttd-mpi`: one search over MPI processes (docs/mpi.md).
//!
//! All of the search is in the libraries `ttd` and `ttd-search`. This program has the transport
//! over MPI, and measures what a message costs.

mod latency;
mod launcher;
mod transport;

use mpi::Threading;
use std::process::ExitCode;
use transport::Mpi;
use ttd::cli::say;
use ttd_search::cores::Transport;

const USAGE: &str = "\
Runs ttd with one process for each worker. They share no memory, and meet by messages.

Usage: mpirun -n RANKS ttd-mpi run [EXPERIMENT] [OPTIONS]
       mpirun -n 2 ttd-mpi latency

Commands:
  run      Measure an experiment, as `ttd run` does; `ttd-mpi run --help` lists its options
  latency  Measure what a message costs, and print it as a section of an experiment file";

/// The memory for messages that are sent and not yet on their way, in bytes.
const BUFFER: usize = 64 << 20;

/// Wrong usage.
const USAGE_STATUS: u8 = 2;

fn main() -> ExitCode {
    // Other threads of this process never call MPI.
    let Some((mut universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        say("ttd-mpi: MPI cannot be started");
        return ExitCode::FAILURE;
    };
    universe.set_buffer_size(BUFFER);
    let transport = Mpi::new();
    if let Err(why) = launcher::check(transport.size()) {
        // Each of these processes is alone, and none can speak for all.
        say(format_args!("ttd-mpi: {why}"));
        return ExitCode::from(USAGE_STATUS);
    }
    let is_first = transport.rank() == 0;
    let command = std::env::args().nth(1);
    match command.as_deref() {
        Some("run") => {
            if is_first && transport.size() == 1 {
                say("ttd-mpi: one rank. `mpirun -n RANKS ttd-mpi run ...` starts more");
            }
            ttd::main_on_ranks(&transport)
        }
        Some("latency") => latency::run(&transport),
        Some("--help" | "-h" | "help") => {
            if is_first {
                println!("{USAGE}");
            }
            ExitCode::SUCCESS
        }
        _ => {
            if is_first {
                say(USAGE);
            }
            ExitCode::from(USAGE_STATUS)
        }
    }
}
