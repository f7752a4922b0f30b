//! `ttd`: time to depth. Parses the command line, dispatches, and says what went wrong.

use clap::Parser;
use std::process::ExitCode;
use ttd::cli::{Cli, explain, guard, say};

fn main() -> ExitCode {
    // Wrong usage, `--help` and `--version` end here.
    let cli = Cli::parse();
    guard(|| match cli.run() {
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
