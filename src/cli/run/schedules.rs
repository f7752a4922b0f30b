//! `ttd run --schedules`: hunts for faults of outside engines.

use super::args::RunArgs;
use crate::cli::bar::Bar;
use crate::cli::output::Results;
use crate::cli::{Exit, Usage, format, interrupt, say};
use crate::experiment::{Caught, Hunted, Kind, PartialExperiment, Resolved, hunt, look, resolve};
use crate::records::{CoresKind, NumberList, Said as _, TomlFile, memory_available_mib};
use crate::report::columns::columns;
use crate::uci::End;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;

/// The default limits of a search: of virtual time and of the host's, in seconds. A fault is often
/// a search without an end.
const TIME_LIMIT_S: f64 = 10.0;
const HOST_LIMIT_S: f64 = 60.0;

/// Searches every cell of the experiment under `schedules` schedules, and tells the faults.
pub(super) fn run(args: &RunArgs, schedules: u32) -> anyhow::Result<Exit> {
    let file = args.experiment.as_deref().map(TomlFile::read).transpose()?;
    let mut resolved = experiment(args, file.as_ref())?;
    let interrupt = interrupt::flag()?;
    for left_out in look(&mut resolved, args.skip_broken)? {
        say(format_args!("ttd: {left_out}"));
    }
    args.check_simulation(&resolved.experiment)?;
    let template = "{prefix} [{bar:30}] {pos} of {len} samples {msg}";
    let cells = resolved.experiment.competitors().into_iter();
    let cells = cells.map(|of| resolved.experiment.threads_of(of).len()).sum::<usize>();
    let all = cells * resolved.positions.len() * schedules as usize;
    let mut bar = Bar::new(template, 0, all);
    let mut met = 0;
    let see = |done: usize, new: &[Caught]| {
        met += new.iter().filter(|caught| caught.kind.is_fault()).count();
        bar.draw(|bar| bar.set_position(done as u64));
        for caught in new {
            bar.say(&format!("ttd: {}", in_words(&resolved, caught)));
        }
        if bar.is_line_due(done == all) {
            let faults = format::count(met, "fault");
            bar.say(&format!("ttd: {done} of {all} samples, {faults}"));
        }
    };
    let hunted = hunt(&resolved, (schedules, args.jobs), interrupt, see);
    bar.finish();
    let words: Vec<String> = env::args().collect();
    let rows: Vec<Row<'_>> = hunted
        .caught
        .iter()
        .map(|caught| Row { resolved: &resolved, caught, again: again(&words, &resolved, caught) })
        .collect();
    let results = Results::new("faults", columns_of_faults().file(&rows))
        .with("samples", hunted.searches)
        .with("is_whole", hunted.is_whole);
    args.output.print(|| text(&hunted, schedules, &rows), &results)?;
    if !hunted.is_whole {
        let done = (hunted.searches * schedules as usize / all.max(1)) as u32;
        let rest = [
            ("--schedules", (schedules - done).to_string()),
            ("--seed", resolved.experiment.seed.wrapping_add(done.into()).to_string()),
        ];
        say(format_args!("ttd: interrupted. To go on:\n  {}", changed(&words, &rest)));
        return Ok(Exit::Interrupted);
    }
    Ok(status(&hunted.caught))
}

/// The status of a whole hunt. A sample that is not decided is no fault, and not sound either.
fn status(caught: &[Caught]) -> Exit {
    if caught.iter().any(|caught| caught.kind.is_fault()) {
        Exit::Failed
    } else if caught.is_empty() {
        Exit::Done
    } else {
        Exit::FailedSamples
    }
}

/// The experiment: on virtual cores if nothing else is said, and with shorter limits.
fn experiment(
    args: &RunArgs,
    file: Option<&TomlFile<PartialExperiment>>,
) -> anyhow::Result<Resolved> {
    let in_file = file.map(|file| file.partial.clone()).unwrap_or_default();
    let all = args.said.clone().over(in_file);
    let mut said = args.said.clone();
    said.cores = all.cores.or(Some("virtual".to_owned()));
    said.time_limit_s = all.time_limit_s.or(Some(TIME_LIMIT_S));
    said.host_limit_s = all.host_limit_s.or(Some(HOST_LIMIT_S));
    // A hunt has no speedups, and so needs no base.
    let wanted = all.threads.clone();
    said.threads = all.threads.map(|NumberList(mut list)| {
        if !list.contains(&1) {
            list.insert(0, 1);
        }
        NumberList(list)
    });
    let mut resolved = resolve(file, &said, memory_available_mib())?;
    let experiment = &mut resolved.experiment;
    if let Some(NumberList(wanted)) = wanted {
        experiment.threads.retain(|&threads| wanted.contains(&(threads as i64)));
    }
    let expected = match experiment.cores {
        CoresKind::Real => Some("real cores found, virtual ones expected"),
        CoresKind::Virtual if experiment.all_ours().next().is_some() => {
            Some("searchers of ours found, outside engines only expected")
        }
        CoresKind::Virtual if experiment.engines.is_empty() => {
            Some("no outside engine found, one expected (--engine)")
        }
        CoresKind::Virtual if experiment.engines.iter().any(|of| of.end != End::BestMove) => {
            Some("end = \"depth-reported\" found, bestmove expected: a hunt judges the best move")
        }
        CoresKind::Virtual => None,
    };
    match expected {
        Some(what) => Err(Usage(format!("--schedules: {what}")).into()),
        None => Ok(resolved),
    }
}

/// A fault, and the command that shows it again.
struct Row<'a> {
    resolved: &'a Resolved,
    caught: &'a Caught,
    again: String,
}

columns! {
    /// The columns of the faults.
    fn columns_of_faults<'a>(of: &'a Row<'a>);

    // A double does not hold every seed.
    Words "seed" = of.caught.seed.to_string();
    Words "searcher" = of.resolved.experiment.name_of(of.caught.cell.competitor);
    Whole "threads" = of.caught.cell.threads;
    Words "position" = of.resolved.positions[of.caught.cell.position].id.as_str();
    Words "fault" = of.caught.kind.name();
    Words "what" = of.caught.what.as_str();
    Words "again" = of.again.as_str();
}

fn in_words(resolved: &Resolved, caught: &Caught) -> String {
    let Caught { seed, cell, kind, what } = caught;
    let name = resolved.experiment.name_of(cell.competitor);
    let id = &resolved.positions[cell.position].id;
    format!("seed {seed}, {name} x {}, {id}: {}: {what}", cell.threads, kind.name())
}

fn text(hunted: &Hunted, schedules: u32, rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}\n  {}", in_words(row.resolved, row.caught), row.again);
    }
    text.push_str(&summary(hunted, schedules));
    text
}

/// The last line: how much was searched, and what was met. A sample that the host's limit ended is
/// no fault.
fn summary(hunted: &Hunted, schedules: u32) -> String {
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    for caught in &hunted.caught {
        *kinds.entry(caught.kind).or_default() += 1;
    }
    let (faults, undecided): (BTreeMap<Kind, usize>, BTreeMap<Kind, usize>) =
        kinds.into_iter().partition(|(kind, _)| kind.is_fault());
    let all = |of: &BTreeMap<Kind, usize>| {
        let words = of.iter().map(|(kind, count)| format!("{count} {}", kind.name()));
        words.collect::<Vec<_>>().join(", ")
    };
    let samples = format::count(hunted.searches, "sample");
    let count = format::count(faults.values().sum(), "fault");
    let schedules = format::count(schedules as usize, "schedule");
    let faults = if faults.is_empty() { String::new() } else { format!(": {}", all(&faults)) };
    let undecided = match undecided.values().sum() {
        0 => String::new(),
        samples => {
            format!("; {} undecided ({})", format::count(samples, "sample"), all(&undecided))
        }
    };
    format!("{schedules}, {samples}, {count}{faults}{undecided}\n")
}

/// The command that shows a fault again: that of this call, with one schedule and one cell.
fn again(words: &[String], resolved: &Resolved, caught: &Caught) -> String {
    let Caught { seed, cell, .. } = caught;
    let id = resolved.positions[cell.position].id.clone();
    let new = [
        ("--schedules", "1".to_owned()),
        ("--seed", seed.to_string()),
        ("--threads", cell.threads.to_string()),
        ("--only", id),
    ];
    changed(words, &new)
}

/// A command with other values of some options.
fn changed(words: &[String], new: &[(&str, String)]) -> String {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if new.iter().any(|(option, _)| word == option) {
            words.next();
        } else if !new.iter().any(|(option, _)| word.starts_with(&format!("{option}="))) {
            kept.push(format::shell_word(word));
        }
    }
    let new =
        new.iter().flat_map(|(option, value)| [(*option).to_owned(), format::shell_word(value)]);
    kept.extend(new);
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Cell, Competitor};

    #[test]
    fn a_limit_of_the_host_is_no_fault_in_the_summary() {
        let cell = Cell { competitor: Competitor::Engine(0), threads: 1, position: 0 };
        let caught = |kind| Caught { seed: 1, cell, kind, what: String::new() };
        let of = |kinds: &[Kind]| {
            let caught: Vec<Caught> = kinds.iter().copied().map(caught).collect();
            let status = status(&caught);
            (summary(&Hunted { searches: 4, caught, is_whole: true }, 2), status)
        };
        let told = |what: &str, status| (format!("2 schedules, 4 samples, {what}\n"), status);
        assert_eq!(of(&[]), told("0 faults", Exit::Done));
        assert_eq!(
            of(&[Kind::HostLimit, Kind::HostLimit]),
            told("0 faults; 2 samples undecided (2 host-limit)", Exit::FailedSamples)
        );
        assert_eq!(
            of(&[Kind::Hang, Kind::HostLimit]),
            told("1 fault: 1 hang; 1 sample undecided (1 host-limit)", Exit::Failed)
        );
    }

    #[test]
    fn a_command_is_changed_where_it_must_be() {
        let words =
            ["ttd", "run", "--seed=5", "--engine", "name=x command=./x", "--schedules", "9"];
        let words = words.map(str::to_owned);
        let new = [("--schedules", "1".to_owned()), ("--seed", "7".to_owned())];
        assert_eq!(
            changed(&words, &new),
            "ttd run --engine 'name=x command=./x' --schedules 1 --seed 7"
        );
    }
}
