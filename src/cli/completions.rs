//! `ttd completions`.

use super::{Cli, Exit};
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::{self, Write};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    // The generator panics where it cannot write: it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ttd", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Exit::Done)
}
