//! Outside engines, and ours as one: `ttd engine` and `ttd uci`.

use super::output::{Output, Results};
use super::{Exit, Usage, interrupt, plain};
use crate::records::memory_available_mib;
use crate::report::columns::columns;
use crate::uci::{
    EngineSpec, Finding, ON_VIRTUAL_CORES, Protocol, Verdict, What, check, checked_runner, hint,
    program, told_by,
};
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
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
        /// Also say whether it can run on virtual cores, by which hook, and what it may miss there
        #[arg(long = "virtual")]
        on_virtual_cores: bool,
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
    runner_of(spec).map_err(|wrong| {
        Usage(
            wrong
                .into_iter()
                .map(|what| format!("--engine: {what}"))
                .collect::<Vec<_>>()
                .join("\n"),
        )
    })
}

/// That program, or all that is wrong.
fn runner_of(spec: &EngineSpec) -> Result<PathBuf, Vec<String>> {
    let wrong = spec.wrong_keys().into_iter().chain(spec.misplaced_keys(true));
    let protocol = (spec.protocol != Protocol::Uci)
        .then(|| ("protocol", "xboard found, uci expected on virtual cores".to_owned()));
    let wrong = wrong.chain(protocol);
    let wrong: Vec<String> = wrong.map(|(key, what)| format!("{key}: {what}")).collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    checked_runner().map_err(|what| vec![what])
}

/// All that `ttd-cores check` says of the engine's program.
fn of_virtual_cores(spec: &EngineSpec) -> Result<Vec<Finding>, Usage> {
    let runner = runner_of(spec).map_err(|wrong| Usage(wrong.join("\n")))?;
    let told = told_by(&runner, spec);
    let told = told.map_err(|why| Usage(format!("the engine `{}`: {why}", spec.name)))?;
    let finding = |(at, line): (usize, &str)| {
        let runs = line.strip_prefix(ON_VIRTUAL_CORES);
        let (found, verdict) = match (at, runs) {
            (0, Some(how)) => (how, Verdict::Well),
            (0, None) => (line, Verdict::Bad),
            _ => (line, Verdict::Note),
        };
        Finding { what: "virtual cores", found: found.to_owned(), verdict }
    };
    Ok(told.lines().enumerate().map(finding).collect())
}

/// A hook, and the place of what it needs.
#[derive(Debug, Args)]
pub(super) struct InstrumentArgs {
    /// The compiler, or the kind of hook
    #[arg(value_parser = ["gcc", "clang", "rustc", "trace-pc"])]
    hook: String,
    /// Directory for the assembler
    dir: PathBuf,
}

/// `ttd instrument`: has `ttd-cores` print the flags of a compiler.
pub(super) fn instrument(args: &InstrumentArgs) -> anyhow::Result<Exit> {
    let runner = checked_runner().map_err(Usage)?;
    let mut command = Command::new(&runner);
    let output = command.args(["instrument", &args.hook]).arg(&args.dir).output()?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(Usage(why).into());
    }
    plain::stdout().write_all(&output.stdout)?;
    Ok(Exit::Done)
}

pub(super) fn run(args: &EngineArgs) -> anyhow::Result<Exit> {
    let EngineCommand::Check { spec, on_virtual_cores, output } = &args.command;
    let wrong = spec.wrong_keys().into_iter().map(|(key, what)| format!("{key}: {what}"));
    let wrong: Vec<String> = wrong.collect();
    if !wrong.is_empty() {
        return Err(Usage(wrong.join("\n")).into());
    }
    let boards: Vec<_> =
        positions::load(SET)?.into_iter().take(POSITIONS).map(|position| position.board).collect();
    let virtual_ones = if *on_virtual_cores { of_virtual_cores(spec)? } else { Vec::new() };
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
    virtual_ones.into_iter().for_each(&mut tell);
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
    let how = match (bad, on_virtual_cores) {
        (false, _) => "It can be measured",
        (true, false) => "It cannot be measured with these settings",
        (true, true) => "It cannot be measured on virtual cores with these settings",
    };
    if !gone {
        writeln!(plain::stdout(), "{how}.")?;
    }
    Ok(if bad { Exit::FailedSamples } else { Exit::Done })
}
