//! Outside engines, and ours as one: `ttd engine` and `ttd uci`.

use super::output::{Output, Results};
use super::{Exit, Usage, interrupt, plain};
use crate::records::memory_available_mib;
use crate::report::columns::columns;
use crate::uci::{
    EngineSpec, Finding, Protocol, Verdict, What, check, checked_runner, hint, program,
};
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::path::PathBuf;
use ttd_search::positions;

/// `ttd uci`: speaks UCI until the input ends.
pub(super) fn be_one() -> anyhow::Result<Exit> {
    program::run(io::stdin().lock(), io::stdout(), memory_available_mib)?;
    Ok(Exit::Done)
}

#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    #[command(subcommand)]
    command: EngineCommand,
}

#[derive(Debug, Subcommand)]
enum EngineCommand {
    /// Show what an outside engine tells of itself, and check whether it does what a sweep needs.
    /// This takes less than half a minute
    Check {
        /// The engine, as for `ttd run --engine`: a command, or keys with values
        spec: EngineSpec,
        #[command(flatten)]
        output: Output,
    },
}

columns! {
    /// The columns of the findings.
    fn columns<'a>(of: &'a Finding);

    Words "what" = of.what;
    Words "verdict" = match of.verdict {
        Verdict::Well => "well",
        Verdict::Note => "note",
        Verdict::Bad => "bad",
    };
    Words "found" = of.found.as_str();
}

/// The set whose first positions the engine is tried from.
const SET: &str = "middlegames";
const POSITIONS: usize = 3;

/// The program that starts an engine on virtual cores, if its specification allows that.
pub(super) fn for_virtual_cores(spec: &EngineSpec) -> Result<PathBuf, Usage> {
    let wrong = spec.wrong_keys().into_iter().chain(spec.misplaced_keys(true));
    let protocol = (spec.protocol != Protocol::Uci)
        .then(|| ("protocol", "xboard found, uci expected on virtual cores".to_owned()));
    let wrong = wrong.chain(protocol);
    let wrong: Vec<String> = wrong.map(|(key, what)| format!("--engine: {key}: {what}")).collect();
    if !wrong.is_empty() {
        return Err(Usage(wrong.join("\n")));
    }
    checked_runner().map_err(|what| Usage(format!("--engine: {what}")))
}

pub(super) fn run(args: &EngineArgs) -> anyhow::Result<Exit> {
    let EngineCommand::Check { spec, output } = &args.command;
    let wrong = spec.wrong_keys().into_iter().map(|(key, what)| format!("{key}: {what}"));
    let wrong: Vec<String> = wrong.collect();
    if !wrong.is_empty() {
        return Err(Usage(wrong.join("\n")).into());
    }
    let boards: Vec<_> =
        positions::load(SET)?.into_iter().take(POSITIONS).map(|position| position.board).collect();
    let interrupt = interrupt::flag()?;
    let (mut bad, mut gone, mut findings) = (false, false, Vec::new());
    // Each line is there as soon as it is known: an engine may take its time.
    let mut tell = |finding: Finding| {
        bad |= finding.verdict == Verdict::Bad;
        if !output.is_text() {
            findings.push(finding);
            return;
        }
        let Finding { what, found, verdict } = finding;
        let word = match verdict {
            Verdict::Well => "",
            Verdict::Note => "note",
            Verdict::Bad => "BAD",
        };
        let mut out = plain::stdout();
        gone |= writeln!(out, "{word:<4}  {what:<16}  {found}").and_then(|()| out.flush()).is_err();
    };
    match check(spec, &boards, interrupt, &mut tell) {
        Err(fault) if fault.what == What::Interrupted => return Ok(Exit::Interrupted),
        // A fault of the engine is not a failure of this program.
        Err(fault) => {
            let silent = matches!(fault.what, What::Silent { .. } | What::Died(_) | What::Lacks(_));
            let hint = if silent { hint(spec) } else { None };
            let hint = hint.map(|hint| format!("\n  {hint}")).unwrap_or_default();
            let why = fault.with_last_lines("  ");
            return Err(Usage(format!("the engine `{}`: {why}{hint}", spec.name)).into());
        }
        Ok(()) => {}
    }
    if !output.is_text() {
        let results = Results::new("findings", columns().file(&findings));
        output.print(String::new, &results.with("can_be_measured", !bad))?;
        return Ok(if bad { Exit::FailedSamples } else { Exit::Done });
    }
    let how = if bad { "It cannot be measured with these settings" } else { "It can be measured" };
    if !gone {
        writeln!(plain::stdout(), "{how}.")?;
    }
    Ok(if bad { Exit::FailedSamples } else { Exit::Done })
}
