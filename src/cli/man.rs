//! Pages and scripts that follow from the command line itself: `ttd man` and `ttd completions`.

use super::{Exit, Usage};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::{self, Write};

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command; without one, the page of the program
    command: Option<String>,
}

pub(super) fn run(args: &ManArgs, mut program: Command) -> anyhow::Result<Exit> {
    program.build();
    let command = match &args.command {
        None => &program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
            Usage(format!("there is no command `{name}`: expected one of {}", names.join(", ")))
        })?,
    };
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    io::stdout().lock().write_all(&page)?;
    Ok(Exit::Done)
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn complete(args: &CompletionsArgs, mut program: Command) -> anyhow::Result<Exit> {
    // The generator panics where it cannot write; writing to memory cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "ttd", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Exit::Done)
}
