//! `ttd engine`.

use super::{Exit, Usage, format, interrupt};
use crate::uci::{EngineSpec, Verdict, What, check};
use clap::{Args, Subcommand};
use std::io::{self, Write};
use ttd_search::positions;

#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    #[command(subcommand)]
    command: EngineCommand,
}

#[derive(Debug, Subcommand)]
enum EngineCommand {
    /// Show what an outside engine tells of itself, and check whether it does what a sweep needs.
    /// This takes some seconds
    Check {
        /// The engine, as for `ttd run --engine`: a command, or keys with values
        spec: EngineSpec,
    },
}

/// The set whose first positions the engine is tried from.
const SET: &str = "middlegames";
const POSITIONS: usize = 3;

pub(super) fn run(args: &EngineArgs) -> anyhow::Result<Exit> {
    let EngineCommand::Check { spec } = &args.command;
    spec.check().map_err(|(key, what)| Usage(format!("{key}: {what}")))?;
    let boards: Vec<_> =
        positions::load(SET)?.into_iter().take(POSITIONS).map(|position| position.board).collect();
    let interrupt = interrupt::flag()?;
    let findings = match check(spec, &boards, interrupt) {
        Err(fault) if fault.what == What::Interrupted => return Ok(Exit::Interrupted),
        // A fault of the engine is not a failure of this program.
        findings => findings.map_err(|fault| {
            Usage(format!("the engine `{}`: {}", spec.name, fault.with_last_lines("  ")))
        })?,
    };
    let mut rows = Vec::new();
    for finding in &findings {
        let verdict = match finding.verdict {
            Verdict::Well => "",
            Verdict::Note => "note",
            Verdict::Bad => "BAD",
        };
        rows.push([verdict, finding.what, &finding.found].map(str::to_owned).to_vec());
    }
    let mut out = io::stdout().lock();
    write!(out, "{}", format::table(&rows, 3))?;
    let bad = findings.iter().any(|finding| finding.verdict == Verdict::Bad);
    let how = if bad { "It cannot be measured with these settings" } else { "It can be measured" };
    writeln!(out, "{how}.")?;
    Ok(if bad { Exit::FailedSamples } else { Exit::Done })
}
