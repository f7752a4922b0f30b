//! `ttd explain`: the ladder of idealised machines.

use super::output::{Output, Results as Printed};
use super::results::{require, warn};
use super::values::{check_memory, depth_parser, jobs_parser, threads_parser, usual_dir};
use super::{Exit, Usage, format, interrupt, say, tell};
use crate::experiment::{
    EXPERIMENT, EXPLAINED, Experiment, Opening, PartialExperiment, Resolved, Results, resolve,
    simulation_mib,
};
use crate::explain::{Case, Climb, ClimbError, Ladder, Told, WhatIf};
use crate::records::{CoresKind, TomlFile, memory_available_mib, whole};
use crate::report::explain::{columns, compared, lines, shown, told};
use crate::report::{self, Input};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use ttd_search::positions::TestPosition;
use ttd_search::searchers::{Costs, Searcher};

/// The rounds of a ladder.
const ROUNDS: u32 = 10;
/// The longest time of a search on the host, seconds.
const HOST_LIMIT_S: f64 = 3600.0;

const EXAMPLES: &str = "\
Examples:
  ttd explain experiments/quick.toml --threads 16 --depth 11 --only 1-8 --jobs 2
  ttd explain results/virtual --threads 64 --what-if section_ps=0,split_ps/2";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExplainArgs {
    /// An experiment (TOML), or the results directory of one. On real cores it is simulated
    #[arg(value_name = "EXPERIMENT.toml|DIR")]
    of: PathBuf,
    /// Number of workers, 2 or more [default: the greatest of the experiment]
    #[arg(long, value_name = "N", value_parser = threads_parser())]
    threads: Option<u16>,
    /// Depth to which the positions of an experiment file are searched [default: the file's]
    #[arg(long, short, value_name = "PLIES", value_parser = depth_parser())]
    depth: Option<u8>,
    /// Only these positions of an experiment file: ids, or numbers in the set such as 1-5,8
    #[arg(long, value_name = "LIST")]
    only: Option<String>,
    /// The searchers of an experiment file, comma separated [default: the file's]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    searchers: Option<Vec<String>>,
    /// Number of rounds, each with seeds of its own
    #[arg(long, value_name = "N", default_value_t = ROUNDS, value_parser = rounds)]
    runs: u32,
    /// One more machine: as it is, but with these costs of virtual cores, each set (=), divided (/)
    /// or multiplied (*)
    #[arg(long, value_name = "CHANGES")]
    what_if: Option<String>,
    /// Number of searches that are run at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs_parser())]
    jobs: u16,
    /// Results directory of an experiment file [default: results/NAME-explain]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// Numbers of rounds.
fn rounds(text: &str) -> Result<u32, String> {
    let number = whole(text).ok().and_then(|number| u32::try_from(number).ok());
    number.filter(|n| (1..=10_000).contains(n)).ok_or_else(|| "1 to 10000 expected".to_owned())
}

/// An experiment on virtual cores with its directory and positions.
struct Explained {
    dir: PathBuf,
    experiment: Experiment,
    positions: Vec<TestPosition>,
}

pub(super) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flag()?;
    let usage = |what: String| anyhow::Error::from(Usage(what));
    let what_if = args.what_if.as_deref().map(WhatIf::parse).transpose();
    let what_if = what_if.map_err(|why| usage(format!("--what-if: {why}")))?;
    let Explained { dir, experiment, positions } =
        if args.of.is_dir() { of_directory(args)? } else { of_file(args)? };
    let costs = experiment.costs.clone().unwrap_or_default();
    if let Some(what_if) = &what_if {
        what_if.costs(&costs).map_err(|why| usage(format!("--what-if: {why}")))?;
    }
    let threads = threads(args, &experiment).map_err(usage)?;
    costs.check_workers(threads).map_err(|why| usage(format!("--threads: {why}")))?;
    let rounds = if costs.vary() { args.runs } else { 1 };
    if rounds < args.runs {
        say("ttd: with jitter_permille = 0 every round is the same: one is run");
    }
    let case = Case {
        experiment: &experiment,
        positions: &positions,
        threads,
        rounds,
        what_if: what_if.as_ref(),
        planted: None,
    };
    if case.searchers().is_empty() {
        return Err(usage(format!(
            "searchers: {} found, one of our searchers with several workers expected",
            experiment.names().join(", ")
        )));
    }
    let needed = u64::from(args.jobs) * simulation_mib(experiment.hash_mib, threads);
    check_memory(needed, |available| {
        let searches = searches(args.jobs.into());
        format!("--jobs: {searches} at once need {needed} MiB of memory, {available} are available")
    })?;
    let whole = climb(&dir, case, args.jobs.into(), interrupt)?;
    let written = report::write(&dir, report::Beside::default())?;
    warn(&dir, &written.left_out);
    print(args.output, &Input::read(&dir)?.ladders)?;
    if whole {
        for report in written.reports().iter().filter(|_| args.output.is_text()) {
            tell(format_args!("ttd: {}", report.display()));
        }
        return Ok(Exit::Done);
    }
    say("ttd: interrupted: these are the searches so far. This call goes on again.");
    Ok(Exit::Interrupted)
}

/// The number of workers.
fn threads(args: &ExplainArgs, experiment: &Experiment) -> Result<usize, String> {
    let most = experiment.threads.iter().copied().max().unwrap_or(1);
    match args.threads {
        Some(n) if n > 1 => Ok(n.into()),
        Some(n) => Err(format!("--threads: {n} found, 2 or more expected")),
        None if most > 1 => Ok(most),
        None => {
            Err(format!("threads: {most} found in the experiment, 2 or more expected: --threads N"))
        }
    }
}

/// The experiment of a results directory. One of real cores is simulated.
fn of_directory(args: &ExplainArgs) -> anyhow::Result<Explained> {
    let dir = &args.of;
    require(dir, EXPERIMENT, "a results directory of `ttd run`, or an experiment file")?;
    let given = [("--out", args.out.is_some()), ("--depth", args.depth.is_some())];
    let more = [("--only", args.only.is_some()), ("--searchers", args.searchers.is_some())];
    let given = given.into_iter().chain(more);
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        let what = "a results directory found, whose experiment is explained as it is: an \
                    experiment file expected";
        return Err(Usage(format!("{option}: {what}")).into());
    }
    let experiment = Experiment::read(dir)?;
    let positions = experiment.position_set(dir)?;
    let experiment = match experiment.cores {
        CoresKind::Virtual => experiment,
        CoresKind::Real => {
            say_simulated(&dir.display().to_string());
            let ours: Vec<Searcher> = experiment.all_ours().map(|(_, of)| of.searcher).collect();
            Experiment {
                cores: CoresKind::Virtual,
                costs: Some(Costs::default().only(&ours)),
                host_limit_s: Some(HOST_LIMIT_S),
                pin: Vec::new(),
                dilate: None,
                dilate_nodes: None,
                ..experiment
            }
        }
    };
    Ok(Explained { dir: dir.clone(), experiment, positions })
}

/// The experiment of a file, and its results directory, which is made.
fn of_file(args: &ExplainArgs) -> anyhow::Result<Explained> {
    let mut file: TomlFile<PartialExperiment> = TomlFile::read(&args.of)?;
    let on_virtual = file.partial.cores.as_deref() == Some("virtual");
    if !on_virtual {
        say_simulated(&args.of.display().to_string());
        (file.partial.pin, file.partial.dilate, file.partial.dilate_nodes) = (None, None, None);
    }
    let stem = args.of.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = file.partial.name.clone().or(stem).unwrap_or_default();
    let said = PartialExperiment {
        name: Some(format!("{name}-explain")),
        cores: Some("virtual".to_owned()),
        depth: args.depth.map(i64::from),
        only: args.only.clone().map(|only| vec![only]),
        searchers: args.searchers.clone(),
        ..PartialExperiment::default()
    };
    let resolved = resolve(Some(&file), &said, memory_available_mib())?;
    for remark in &resolved.remarks {
        say(format_args!("ttd: {remark}"));
    }
    let dir = args.out.clone().unwrap_or_else(|| usual_dir(&resolved.experiment.name, None));
    make(&dir, &resolved)?;
    let Resolved { experiment, positions, .. } = resolved;
    Ok(Explained { dir, experiment, positions })
}

fn say_simulated(what: &str) {
    say(format_args!(
        "ttd: {what}: an experiment on real cores: it is simulated on virtual ones, with the costs \
         of this program"
    ));
}

/// Makes the results directory of an experiment of which no sample is taken. One with the ladder of
/// another experiment is refused.
fn make(dir: &Path, resolved: &Resolved) -> anyhow::Result<()> {
    if dir.join(EXPERIMENT).exists() && dir.join(EXPLAINED).exists() {
        let there = Experiment::read(dir)?;
        let mut here = resolved.experiment.clone();
        here.name.clone_from(&there.name);
        here.positions.clone_from(&there.positions);
        let same = here == there && {
            let kept = there.position_set(dir)?;
            let key = |p: &TestPosition| (p.id.clone(), p.board.clone());
            kept.iter().map(key).eq(resolved.positions.iter().map(key))
        };
        if !same {
            let what = "it has the ladder of another experiment: --out DIR names another directory";
            return Err(Usage(format!("{}: {what}", dir.display())).into());
        }
    }
    let (_, repairs) = Results::open(dir, resolved, &[], Opening { fresh: false, mixed: true })?;
    for repair in repairs {
        say(format_args!("ttd: {repair}"));
    }
    Ok(())
}

/// A number of searches in words.
fn searches(count: usize) -> String {
    if count == 1 { "1 search".to_owned() } else { format!("{count} searches") }
}

/// Runs the searches that the directory lacks. Returns whether all are there.
fn climb(dir: &Path, case: Case<'_>, jobs: usize, interrupt: &AtomicBool) -> anyhow::Result<bool> {
    let climb = match Climb::begin(dir, case, jobs) {
        Err(ClimbError::Cost(why)) => return Err(Usage(format!("--what-if: {why}")).into()),
        climb => climb?,
    };
    for repair in climb.repairs() {
        say(format_args!("ttd: {repair}"));
    }
    tell(format_args!(
        "ttd: {} with {}, {} on {}: {} to run",
        case.searchers().join(", "),
        format::count(case.threads, "worker"),
        format::count(case.rounds as usize, "round"),
        format::count(case.positions.len(), "position"),
        searches(climb.left())
    ));
    let mut tenth = 0;
    Ok(climb.climb(interrupt, |Told { done, of, failures }| {
        for failure in failures {
            say(format_args!("ttd: a search failed: {failure}"));
        }
        if done * 10 / of > tenth {
            tenth = done * 10 / of;
            tell(format_args!("ttd: {done} of {}", searches(of)));
        }
    })?)
}

fn print(output: Output, ladders: &[Ladder]) -> anyhow::Result<()> {
    let words = |ladder: &Ladder| told(ladder).into_iter().map(|line| line.replace("**", ""));
    let mut notes: Vec<String> = ladders.iter().flat_map(words).collect();
    notes.extend(compared(ladders).into_iter().map(|line| line.replace("**", "")));
    let text = || format!("{}\n{}\n", format::table(&shown(ladders), 3), notes.join("\n"));
    let results =
        Printed::new("ladder", columns().file(lines(ladders))).with("notes", notes.clone());
    Ok(output.print(text, &results)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::SampleStatus;
    use crate::explain::{ExplainedRow, Machines, Rung};
    use ttd_search::cores::Time;

    /// Ladders of eight positions and two rounds; `time` gives the time of a searcher on a machine
    /// in a position.
    fn ladders(time: impl Fn(&str, &Machines, u32) -> f64) -> Vec<Ladder> {
        let of = |searcher: &str, has_split_points| {
            let mut rows = Vec::new();
            for (position, round) in (0..8).flat_map(|position| [(position, 1), (position, 2)]) {
                rows.extend(Machines::of_ladder(has_split_points).into_iter().map(|machine| {
                    ExplainedRow {
                        round,
                        searcher: searcher.to_owned(),
                        threads: 4,
                        position: position.to_string(),
                        time: Time::from_secs_f64(time(searcher, &machine, position)),
                        status: SampleStatus::Ok,
                        nodes: 1,
                        machine,
                        ..ExplainedRow::default()
                    }
                }));
            }
            rows
        };
        let searchers = ["ybwc", "lazy-smp"].map(Searcher::named).to_vec();
        let experiment = Experiment { searchers, ..Experiment::default() };
        Ladder::all(&[of("ybwc", true), of("lazy-smp", false)].concat(), &experiment)
    }

    /// Whether a machine has free sections, and perhaps more.
    fn is_free(machine: &Machines) -> bool {
        matches!(machine, Machines::To(rung) if *rung > Rung::AsItIs)
    }

    #[test]
    fn what_is_not_shown_is_not_told() {
        // Free sections help either searcher in one position, and not in the next.
        let none = ladders(|searcher, machine, position| {
            let helps = position.is_multiple_of(2) == (searcher == "ybwc");
            match is_free(machine) {
                true if helps => 0.9,
                true => 1.1,
                false => 1.0,
            }
        });
        let words = "**ybwc beside lazy-smp** with 4 workers: of no cause is it shown that it costs \
                     one of them more.";
        assert_eq!(compared(&none), [words]);
        assert!(
            told(&none[0]).iter().any(|line| line == "No rung alone is shown to make it faster.")
        );
    }

    #[test]
    fn a_factor_below_1_is_no_loss() {
        let slower = ladders(|searcher, machine, _| match is_free(machine) {
            true if searcher == "ybwc" => 1.5,
            true => 2.0,
            false => 1.0,
        });
        let [words] = &compared(&slower)[..] else { panic!("one pair") };
        assert!(!words.contains("sections"), "{words}");
        assert!(words.contains("what no rung explains (6.00 against 8.00"), "{words}");
        let ladders = ladders(|searcher, machine, position| match (searcher, machine) {
            ("ybwc", Machines::To(Rung::AsItIs) | Machines::Only(_)) => {
                1.2 + 0.01 * f64::from(position % 2)
            }
            ("lazy-smp", of) if is_free(of) => 1.1,
            _ => 1.0,
        });
        let [more] = &compared(&ladders)[..] else { panic!("one pair") };
        assert!(more.contains("it loses more by sections (1.2"), "{more}");
        assert!(more.contains(" against 0.91, ratio 1.3"), "{more}");
        let [ybwc, lazy] = &ladders[..] else { panic!("two") };
        assert!(told(ybwc).iter().any(|line| line == "The most alone: free sections."));
        assert!(told(ybwc)[0].contains("Its span there is not known: a position has no finished"));
        assert!(told(lazy)[0].contains("Its workers meet in the table alone"), "{lazy:?}");
    }
}
