//! `ttd match`: from arguments to a match, and from there to games.

mod args;
mod progress;
mod tables;

pub(super) use args::MatchArgs;

use super::{Exit, Usage, format, interrupt, say};
use crate::experiment::{DraftFile, LOG, cores_usable, memory_available_mib};
use crate::matches::{
    Engines, GAMES, GameTable, MATCH, Match, MatchDraft, MatchEnded, MatchResults, PGN,
    PlannedGame, ResolvedMatch, plan, play_games, resolve_match,
};
use anyhow::Context as _;
use progress::Progress;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Plays the match, or goes on with it.
pub(super) fn run(args: &MatchArgs) -> anyhow::Result<Exit> {
    let file = args.file.as_deref().map(DraftFile::<MatchDraft>::read).transpose()?;
    let of = resolve_match(file.as_ref(), &args.draft(), cores_usable())?;
    check_memory(&of.spec)?;
    let plan = plan(&of.spec, of.openings.len());
    if args.dry_run {
        return dry_run(&of, &plan);
    }
    let program = std::env::current_exe().context("the path of this program")?;
    let interrupt = interrupt::flag()?;
    let engines = Engines::of(&of.spec, &program)?;
    let dir = args.out.clone().unwrap_or_else(|| Path::new("results").join(&of.spec.name));
    let (mut results, repairs) = MatchResults::open(&dir, &of, &plan, args.fresh)?;
    for repair in repairs {
        say(format_args!("ttd: {repair}"));
    }
    announce(&of, &plan, &dir, results.games().len());
    let ended = play(&of, &plan, &mut results, &engines, interrupt)?;
    let mut out = io::stdout().lock();
    write!(out, "{}", tables::standings_table(&of.spec, results.games()))?;
    writeln!(out, "\n{}", tables::efforts_table(&of.spec, results.games()))?;
    for file in [GAMES, PGN] {
        writeln!(out, "{}", dir.join(file).display())?;
    }
    if ended == MatchEnded::Interrupted {
        let (done, all) = (results.games().len(), plan.len());
        say(format_args!("ttd: interrupted; {done} of {all} games are done. To go on:"));
        say(format_args!("  {}", resume_command(&dir)));
        return Ok(Exit::Interrupted);
    }
    let faults = results.games().iter().filter(|row| row.ending.reason.is_fault()).count();
    if faults > 0 {
        let (games, log) = (format::count(faults, "game"), dir.join(LOG));
        say(format_args!("ttd: {games} ended by a fault of an engine: see {}", log.display()));
        return Ok(Exit::FailedSamples);
    }
    Ok(Exit::Done)
}

/// Plays the games that are missing.
fn play(
    of: &ResolvedMatch,
    plan: &[PlannedGame],
    results: &mut MatchResults,
    engines: &Engines,
    interrupt: &AtomicBool,
) -> anyhow::Result<MatchEnded> {
    if results.games().len() >= plan.len() {
        return Ok(MatchEnded::Done);
    }
    let entries = of.spec.entries.len();
    let mut tables: Vec<_> = (0..of.spec.concurrency).map(|_| GameTable::new(entries)).collect();
    results.begin_sitting(engines.seen())?;
    let mut progress = Progress::new(of, plan.len(), results.games());
    let who = (engines, &mut tables[..]);
    let ended = play_games(of, plan, results, who, interrupt, &mut progress);
    progress.finish();
    results.end_sitting()?;
    Ok(ended?)
}

/// Every game at once has players of its own, and every player a table.
fn check_memory(spec: &Match) -> Result<(), Usage> {
    let needed = spec.tables_mib();
    match memory_available_mib() {
        Some(available) if needed > available => Err(Usage(format!(
            "hash_mib: {needed} MiB found (all entries, {} games at once), at most {available} \
             expected (the memory that is available)",
            spec.concurrency
        ))),
        _ => Ok(()),
    }
}

/// Says what is played.
fn announce(of: &ResolvedMatch, plan: &[PlannedGame], dir: &Path, done: usize) {
    let spec = &of.spec;
    let (entries, pairings) = (spec.entries.len(), spec.pairings().len());
    say(format_args!(
        "ttd: match {}: {entries} entries, {}, {} ({} at once), {} openings of {}",
        spec.name,
        format::count(pairings, "pairing"),
        format::count(plan.len(), "game"),
        spec.concurrency,
        of.openings.len(),
        spec.openings
    ));
    let (threads, cores) = (spec.threads(), cores_usable());
    if threads > cores {
        say(format_args!(
            "ttd: up to {threads} threads on {cores} cores: these entries are oversubscribed"
        ));
    }
    let dir = dir.display();
    if done > 0 {
        say(format_args!("ttd: {dir}: {done} games are there already"));
    } else {
        say(format_args!("ttd: results go to {dir}"));
    }
}

/// Prints the plan and changes nothing.
fn dry_run(of: &ResolvedMatch, plan: &[PlannedGame]) -> anyhow::Result<Exit> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record(["game", "round", "opening", "depth", "white", "black"])?;
    for planned in plan {
        let [white, black] = planned.seats.map(|seat| of.spec.entries[seat.entry].name.clone());
        out.write_record([
            planned.number.to_string(),
            planned.round.to_string(),
            of.openings[planned.opening].id.clone(),
            planned.depth.map(|depth| depth.to_string()).unwrap_or_default(),
            white,
            black,
        ])?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// The command that goes on, whatever the options of this one were.
fn resume_command(dir: &Path) -> String {
    let word = |path: PathBuf| format::shell_word(&path.to_string_lossy());
    // As this call was made: perhaps the program is not on the path.
    let program = word(std::env::args_os().next().map_or_else(|| "ttd".into(), PathBuf::from));
    format!("{program} match {} --out {}", word(dir.join(MATCH)), word(dir.to_owned()))
}
