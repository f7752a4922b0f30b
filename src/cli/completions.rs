//! Pages and scripts that follow from the command line itself: `ttd completions` and `ttd man`.

use super::Exit;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, mut program: Command) -> anyhow::Result<Exit> {
    // The generator panics where it cannot write; writing to memory cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "ttd", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Exit::Done)
}
