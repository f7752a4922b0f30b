//! `ttd match`: from arguments to a match, and from there to games.

mod args;
mod progress;
mod tables;

pub(super) use args::MatchArgs;

use super::output::Results;
use super::recipe::{self, InParts, Scheduler};
use super::values::{check_memory, usual_dir};
use super::{Exit, Usage, format, interrupt, say, tell};
use crate::matches::{
    BROKEN_LIMIT, Engines, GAMES, GameResult, GameRow, GameTable, MATCH, Match, MatchEnded,
    MatchResults, MatchTest, PGN, PartialMatch, PlannedGame, ResolvedMatch, SpeedupSearch, Step,
    commands, copies, longest_of, plan, play_games, repeats_after, resolve_match,
};
use crate::records::{LOG, SaidOfPlace, Shard, TomlFile, cores_usable};
use crate::report;
use crate::report::columns::columns;
use anyhow::Context as _;
use progress::Progress;
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use ttd_search::positions::is_chess960;
use ttd_stats::elo::sprt::{Standing, Verdict};

/// Plays the match, or goes on with it.
pub(super) fn run(args: &MatchArgs) -> anyhow::Result<Exit> {
    let file = args.file.as_deref().map(TomlFile::<PartialMatch>::read).transpose()?;
    if let Some((scheduler, parts)) = args.recipe.asked() {
        return print_recipe(scheduler, parts, args, file.as_ref());
    }
    let of = resolve_match(file.as_ref(), &args.partial()?, cores_usable())?;
    check_tables(&of.spec)?;
    for remark in &of.remarks {
        say(format_args!("ttd: {remark}"));
    }
    let program = std::env::current_exe().context("the path of this program")?;
    if args.dry_run {
        for (name, command) in commands(&of.spec, &program) {
            say(format_args!("ttd: {name} would start as: {command}"));
        }
    }
    let search = SpeedupSearch::of(&of);
    let mut plan = match &search {
        Some(_) if args.dry_run => {
            let what = "--dry-run: a search for an effective speedup has no plan: each pair of \
                        games follows from the pairs before it";
            return Err(Usage(what.to_owned()).into());
        }
        Some(search) => search.plan_of(&[]),
        None => plan(&of.spec, of.openings.len()),
    };
    if args.dry_run {
        return dry_run(&of, &plan, args);
    }
    let interrupt = interrupt::flag()?;
    let mut used: Vec<usize> = match &search {
        Some(_) => (0..of.openings.len()).collect(),
        None => plan.iter().map(|game| game.opening).collect(),
    };
    used.sort_unstable();
    used.dedup();
    let chess960 = used.iter().filter(|&&at| is_chess960(&of.openings[at].board)).count();
    let engines = Engines::of(&of.spec, &program, chess960)?;
    let dir = args.out.clone().unwrap_or_else(|| usual_dir(&of.spec.name, of.spec.shard));
    let (mut results, repairs) = MatchResults::open(&dir, &of, &plan, args.fresh)?;
    if args.fresh {
        report::remove(&dir, &[])?;
    }
    for repair in repairs {
        say(format_args!("ttd: {repair}"));
    }
    if let Some(search) = &search {
        plan = search.plan_of(results.games());
        results.check(&of, &plan)?;
    }
    announce(&of, search.as_ref().map_or(plan.len(), |_| of.spec.games as usize), &results);
    let (anonymous, shard) = (args.anonymous, of.spec.shard);
    let place = SaidOfPlace { anonymous, hosts: Vec::new(), shard };
    let who = (&engines, &place);
    let ended = play(&of, (plan, search.as_ref()), &mut results, who, interrupt)?;
    let interrupted = ended == MatchEnded::Interrupted;
    let written = if interrupted { None } else { Some(report::write_match(&dir)?) };
    let reports = written.as_ref().map_or(&[][..], |written| written.reports());
    print(&of, search.as_ref(), &results, reports, args)?;
    tell_copies(&results);
    if interrupted {
        let done = format::count(results.games().len(), "game");
        say(format_args!("ttd: interrupted after {done}. To go on:"));
        say(format_args!("  {}", interrupt::resume("match", &dir, MATCH)));
        return Ok(Exit::Interrupted);
    }
    Ok(if tell_faults(&results) { Exit::FailedSamples } else { Exit::Done })
}

/// The most processors that another machine is believed to have.
const MOST_CORES: usize = 4096;

/// Prints a script that plays the match in parts.
fn print_recipe(
    scheduler: Scheduler,
    parts: usize,
    args: &MatchArgs,
    file: Option<&TomlFile<PartialMatch>>,
) -> anyhow::Result<Exit> {
    let said = args.partial()?;
    // Other machines play: the cores of this one say nothing.
    let concurrency = said.concurrency.or_else(|| file.and_then(|file| file.partial.concurrency));
    let (concurrency, shard) = (concurrency.or(Some(1)), Some(format!("1/{parts}")));
    let said = PartialMatch { concurrency, shard, ..said };
    let of = resolve_match(file, &said, MOST_CORES)?;
    let (spec, count) = (&of.spec, of.openings.len());
    let of_part = |shard| {
        let games = plan(&Match { shard: Some(shard), ..spec.clone() }, count);
        longest_of(spec, &games).map(|time| time / spec.concurrency as u32)
    };
    let threads = if spec.is_virtual() { 1 } else { spec.threads() };
    let in_parts = InParts {
        what: "a match",
        name: spec.name.clone(),
        parts,
        cores: threads * spec.concurrency,
        real: !spec.is_virtual(),
        memory_mib: spec.tables_mib(),
        longest: Shard::longest(parts, of_part),
        out: args.out.clone().unwrap_or_else(|| usual_dir(&spec.name, None)),
        left_out: &["--concurrency", "--jobs"],
        added: format!("--concurrency {}", spec.concurrency),
    };
    recipe::print(scheduler, &in_parts)
}

/// Says how many games ended by a fault of an engine, and how many are void; whether any did. Says
/// also if a sitting found an engine that does not keep to its limit.
fn tell_faults(results: &MatchResults) -> bool {
    let games = results.games();
    let faults = games.iter().filter(|row| row.ending.reason.is_fault()).count();
    let void = games.iter().filter(|row| is_void(row)).count();
    let log = results.dir().join(LOG);
    let has_broken = |log: String| log.lines().any(|line| line.contains(BROKEN_LIMIT));
    if fs::read_to_string(&log).is_ok_and(has_broken) {
        say(format_args!("ttd: an engine {BROKEN_LIMIT}: see {}", log.display()));
    }
    for (games, what) in [
        (faults, "ended by a fault of an engine"),
        (void, "ended void, by a limit of this machine"),
    ] {
        if games > 0 {
            say(format_args!(
                "ttd: {} {what}: see {}",
                format::count(games, "game"),
                log.display()
            ));
        }
    }
    faults + void > 0
}

/// Whether a game counts for nobody.
fn is_void(row: &GameRow) -> bool {
    row.ending.result == GameResult::Void
}

/// Plays the games that are missing. In a search for an effective speedup, it also plays the games
/// that follow from them.
fn play(
    of: &ResolvedMatch,
    (mut plan, search): (Vec<PlannedGame>, Option<&SpeedupSearch<'_>>),
    results: &mut MatchResults,
    (engines, place): (&Engines, &SaidOfPlace),
    interrupt: &AtomicBool,
) -> anyhow::Result<MatchEnded> {
    if MatchTest::of(&of.spec).is_some_and(|test| test.is_decided(results.games())) {
        return Ok(MatchEnded::Decided);
    }
    // A void game would be played again and again.
    let next = |results: &MatchResults| match search.map(|search| search.step(results.games())) {
        Some(Step::Play(pair)) if !results.games().iter().any(is_void) => Some(pair),
        _ => None,
    };
    if results.games().len() >= plan.len() {
        match next(results) {
            Some(pair) => plan.extend(pair),
            None => return Ok(MatchEnded::Done),
        }
    }
    let entries = of.spec.entries.len();
    let mut tables: Vec<_> = (0..of.spec.concurrency).map(|_| GameTable::new(entries)).collect();
    results.begin_sitting(engines.seen(), place)?;
    let all = search.map_or(plan.len(), |_| of.spec.games as usize);
    let mut progress = Progress::new(of, all, results.games());
    let ended = loop {
        let who = (engines, &mut tables[..]);
        let ended = play_games(of, &plan, results, who, interrupt, &mut progress);
        let pair = if matches!(ended, Ok(MatchEnded::Done)) { next(results) } else { None };
        match pair {
            Some(pair) => plan.extend(pair),
            None => break ended,
        }
    };
    progress.bar.finish();
    results.end_sitting()?;
    Ok(ended?)
}

/// Prints the standings, and the place of every file.
fn print(
    of: &ResolvedMatch,
    search: Option<&SpeedupSearch<'_>>,
    results: &MatchResults,
    reports: &[PathBuf],
    args: &MatchArgs,
) -> anyhow::Result<()> {
    let games = results.games();
    let (standings, efforts) =
        (tables::standings(&of.spec, games), tables::efforts(&of.spec, games));
    let test = MatchTest::of(&of.spec).map(|test| test.standing(games));
    let found = search.and_then(|search| match search.step(&games[..games.len() / 2 * 2]) {
        Step::Known(estimate, enough) => Some((estimate, enough)),
        Step::Play(_) => None,
    });
    let files = [GAMES, PGN].map(|file| results.dir().join(file)).into_iter();
    let files = files.chain(reports.iter().cloned()).map(|path| path.display().to_string());
    let files: Vec<String> = files.collect();
    let text = || {
        let mut text = tables::standings_table(&standings);
        text.push('\n');
        text.push_str(&tables::efforts_table(&efforts));
        text.push('\n');
        if let Some(Standing { llr, lower, upper, verdict, .. }) = test {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "sprt: {} (LLR {llr:.2}, bounds {lower:.2} and {upper:.2})\n",
                in_words(verdict)
            );
        }
        if let Some((estimate, enough)) = &found {
            let (factor, interval) = (estimate.factor, estimate.interval);
            let enough = if *enough { "" } else { ", wider than wanted: play more games" };
            let _ = writeln!(
                text,
                "effective speedup: {factor:.2} ({:.2} to {:.2}{enough}); {:.0} Elo for each \
                 doubling of the time\n",
                interval.lower, interval.upper, estimate.elo_per_doubling
            );
        } else if search.is_some() {
            text.push_str("effective speedup: not known yet\n\n");
        }
        text.extend(files.iter().flat_map(|file| [file, "\n"]));
        text
    };
    let sprt = test.map(|Standing { llr, lower, upper, verdict, .. }| {
        json!({ "llr": llr, "lower": lower, "upper": upper, "verdict": in_words(verdict) })
    });
    let factor = found.as_ref().map(|(estimate, enough)| {
        json!({
            "factor": estimate.factor,
            "lower": estimate.interval.lower,
            "upper": estimate.interval.upper,
            "elo_per_doubling": estimate.elo_per_doubling,
            "enough": enough,
        })
    });
    let printed = Results::new("standings", tables::standings_file(&standings))
        .and("efforts", tables::efforts_file(&efforts))
        .with("sprt", sprt)
        .with("effective_speedup", factor)
        .with("files", files.clone());
    Ok(args.output.print(text, &printed)?)
}

fn in_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Continue => "not decided",
        Verdict::H0 => "elo0 rather than elo1",
        Verdict::H1 => "elo1 rather than elo0",
    }
}

/// Says how many games are copies of earlier ones, if there are any.
fn tell_copies(results: &MatchResults) {
    let games = results.games();
    let Some(copies) = copies(results.dir(), games).filter(|copies| *copies > 0) else { return };
    say(format_args!(
        "ttd: {copies} of {} are move for move copies of earlier games: they say nothing new. \
         Give the match more openings or fewer games",
        format::count(games.len(), "game")
    ));
}

/// Checks the memory: every game played at once has its own players, and every player its own
/// table.
fn check_tables(spec: &Match) -> Result<(), Usage> {
    let needed = spec.tables_mib();
    check_memory(needed, |available| {
        format!(
            "hash_mib: {needed} MiB found (all entries, {} at once), at most {available} expected \
             (the memory that is available)",
            format::count(spec.concurrency, "game")
        )
    })
}

/// Prints the match that is played.
fn announce(of: &ResolvedMatch, all: usize, results: &MatchResults) {
    let spec = &of.spec;
    let (entries, pairings) = (spec.entries.len(), spec.pairings().len());
    tell(format_args!(
        "ttd: match {}: {entries} entries, {}, {} ({} at once), {} of {}",
        spec.name,
        format::count(pairings, "pairing"),
        format::count(all, "game"),
        spec.concurrency,
        format::count(of.openings.len(), "opening"),
        spec.openings
    ));
    let (threads, cores) = (spec.threads(), cores_usable());
    if spec.is_virtual() {
        tell(format_args!("ttd: on virtual cores: every time is virtual"));
    } else if threads > cores {
        say(format_args!(
            "ttd: up to {threads} threads on {}: these entries are oversubscribed",
            format::count(cores, "core")
        ));
    }
    if let Some(after) = repeats_after(spec, of.openings.len()) {
        say(format_args!(
            "ttd: {} without a clock are {after} different games of a pairing: later ones will be \
             copies of these. Give the match more openings or fewer games",
            format::count(of.openings.len(), "opening")
        ));
    }
    let (dir, done) = (results.dir().display(), results.games().len());
    if done > 0 {
        tell(format_args!("ttd: {dir}: {} there already", format::count(done, "game")));
    } else {
        tell(format_args!("ttd: results go to {dir}"));
    }
}

/// Prints the plan and changes nothing.
fn dry_run(of: &ResolvedMatch, plan: &[PlannedGame], args: &MatchArgs) -> anyhow::Result<Exit> {
    let table = planned_columns().file(plan.iter().map(|planned| (of, planned)));
    let printed = Results::new("plan", table);
    args.output.print(|| printed.csv(), &printed)?;
    Ok(Exit::Done)
}

columns! {
    /// The columns of the plan.
    fn planned_columns<'a>(of: (&'a ResolvedMatch, &'a PlannedGame));

    Whole "game" = of.1.number;
    Whole "round" = of.1.round;
    Words "opening" = of.0.openings[of.1.opening].id.as_str();
    Whole "depth" = of.1.depth;
    Words "white" = of.0.spec.entries[of.1.seats[0].entry].name.as_str();
    Words "black" = of.0.spec.entries[of.1.seats[1].entry].name.as_str();
}
