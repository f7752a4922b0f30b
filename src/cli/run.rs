//! `ttd run`: from arguments to an experiment, and from there to results.

mod announce;
mod args;
mod open;
mod rounds;
mod schedules;
mod sittings;

pub(super) use args::RunArgs;

use super::judging::Asked;
use super::output::{Output, Results as Printed};
use super::progress::Progress;
use super::recipe::{self, InParts, Scheduler};
use super::values::usual_dir;
use super::{Exit, Usage, format, interrupt, say, summary, tell};
use crate::experiment::{
    Ended, Ends, Estimate, Experiment, PartialExperiment, Planned, Resolved, Results, Sample,
    SampleStatus, SearchExecutor, Variation, adopt, agree, check_ranks, first_of_ranks, foresee,
    look, peek, plan, probe, remember, resolve, serve, simulation_mib,
};
use crate::records::{
    CoresKind, LOG, SaidOfPlace, Shard, TomlFile, cores_of_machine, cores_usable,
    memory_available_mib,
};
use crate::report::columns::columns;
use crate::report::{self, Written};
use crate::uci::EngineSpec;
use announce::{announce, first_of, is_wanted};
use rounds::Reached;
use sittings::Chosen;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use ttd_search::searchers::LabError;

/// Runs the experiment, or hunts for faults by it.
pub(super) fn run_or_hunt(args: &RunArgs) -> anyhow::Result<Exit> {
    args.schedules.map_or_else(|| run(args, None), |count| schedules::run(args, count))
}

/// Runs the experiment, or goes on with it.
///
/// If workers are ranks, `ends` are the ends of rank 0.
pub(super) fn run(args: &RunArgs, ends: Option<Ends<'_>>) -> anyhow::Result<Exit> {
    let file = args.experiment.as_deref().map(TomlFile::read).transpose()?;
    let interrupt = interrupt::flag()?;
    if let Some((scheduler, parts)) = args.recipe.asked() {
        return print_recipe(scheduler, parts, (args, file.as_ref()), interrupt);
    }
    let sitting = Chosen::of(args, file.as_ref())?;
    if ends.is_some() && args.sittings.is_some() {
        let what =
            "--sittings: ranks found, whose processes end with mpirun: call it with --sitting";
        return Err(Usage(what.to_owned()).into());
    }
    let runs = sitting.map(|sitting| sitting.runs.into()).or(args.said.runs);
    let said = PartialExperiment { runs, ..args.said.clone() };
    let mut resolved = resolve(file.as_ref(), &said, memory_available_mib())?;
    let own = usual_dir(&resolved.experiment.name, resolved.experiment.shard);
    let dir = args.out.clone().unwrap_or(own);
    if args.dry_run {
        remember(&mut resolved, &dir);
    } else {
        for left_out in look(&mut resolved, args.skip_broken)? {
            say(format_args!("ttd: {left_out}"));
        }
    }
    args.check_simulation(&resolved.experiment)?;
    let cores = if ends.is_some() { cores_of_machine() } else { cores_usable() };
    resolved.experiment.check_dilation(resolved.experiment.cores_among(cores)).map_err(Usage)?;
    if let Some(ends) = ends {
        check_ranks(&resolved.experiment, ends().size())?;
    }
    let quality = args.quality.as_deref().map(|judge| Asked::of("--quality", judge, args.jobs));
    if let Some(judge) = quality.filter(|_| !args.dry_run) {
        judge.check(&resolved.experiment.engines)?;
    }
    if !args.opening.fresh {
        adopt(&mut resolved, &dir);
    }
    for remark in &resolved.remarks {
        say(format_args!("ttd: {remark}"));
    }
    let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
    let plan = plan(&resolved.experiment, &ids);
    if args.dry_run {
        return dry_run((&resolved, &plan), &dir, args, (cores, interrupt));
    }
    let done = if args.opening.fresh { Vec::new() } else { peek(&dir, &resolved)? };
    let reached = Reached::of((&resolved, &plan), &dir, done.len())?;
    // A run is complete if its samples are enough, even if the plan has more.
    let first = &plan[..reached.goal];
    let old = Experiment::read(&dir).ok().filter(|_| args.opening.fresh);
    let mut results = open::open((&dir, args), (&resolved, first), &done, interrupt)?;
    if args.opening.fresh {
        report::remove(&dir, &old.as_ref().map(Experiment::names).unwrap_or_default())?;
    }
    let estimate = estimate((&resolved, &plan), results.samples(), reached, interrupt)?;
    if let Some(Chosen { number, of, .. }) = sitting.filter(|sitting| sitting.of > 1) {
        tell(format_args!("ttd: sitting {number} of {of}"));
    }
    announce((&resolved, &plan), &dir, reached, (&estimate, args.jobs), cores);
    let rest = &plan[results.done().min(reached.goal)..reached.goal];
    let is_part = resolved.experiment.shard.is_some();
    if !args.yes && !is_part && !is_wanted(estimate.of(rest), args.jobs)? {
        return Ok(Exit::Done);
    }
    let mut failures = 0;
    let foreseen = (reached.goal, estimate.clone());
    let mut written = None;
    let how = (args, ends);
    let mut ended = take(how, (&resolved, &plan), &mut results, foreseen, interrupt)?;
    if ended == Ended::Interrupted {
        let (done, all) = (results.done(), plan.len());
        let most = if resolved.experiment.until.is_some() { "at most " } else { "" };
        let all = format::count(all, "sample");
        say(format_args!("ttd: interrupted after {done} of {most}{all}. To go on:"));
    } else if is_part {
        // A report is that of the whole. A part may have times without their bases.
        tell(format_args!("ttd: {} is done: `ttd merge` puts the parts together", dir.display()));
        let failed = say_failed(&results);
        let part = part_columns().file([(&resolved.experiment, &results, failed)]);
        args.output.print(String::new, &Printed::new("part", part))?;
        return Ok(if failed > 0 { Exit::FailedSamples } else { Exit::Done });
    } else if sitting.is_some_and(|sitting| !sitting.is_last()) {
        drop(results);
        return Err(sittings::go_on().into());
    } else {
        written = Some(report::write(&dir, report::Beside::default())?);
        if args.sensitivity {
            let (resolved, plan) = rounds::carried_out((&resolved, &plan), results.done());
            let (how, failed) = vary_costs(args, (&resolved, plan), &dir, &estimate, interrupt)?;
            (ended, failures) = (how, failed);
            written = Some(report::write(&dir, report::Beside::default())?);
        }
        if let Some(judge) = quality.filter(|_| ended == Ended::Done) {
            ended = if judge.judge(&dir, interrupt)? { Ended::Done } else { Ended::Interrupted };
            written = Some(report::write(&dir, report::Beside::default())?);
        }
    }
    if ended == Ended::Interrupted {
        say(format_args!("  {}", sittings::resume_command(&dir, args)));
        return Ok(Exit::Interrupted);
    }
    finish(&dir, &results, failures, args.output, written)
}

/// Takes part in the experiment of rank 0, as another rank. It handles no request to end: that ends
/// the job, and no sample is cut short by it.
pub(super) fn take_part(args: Option<&RunArgs>, ends: Ends<'_>) -> anyhow::Result<()> {
    let never = AtomicBool::new(false);
    let resolved = args.ok_or_else(|| anyhow::anyhow!("its arguments")).and_then(|args| {
        let file = args.experiment.as_deref().map(TomlFile::read).transpose()?;
        Ok(resolve(file.as_ref(), &args.said, memory_available_mib())?)
    });
    let resolved = resolved.map_err(|why| why.to_string());
    Ok(serve(ends, resolved.as_ref().map_err(String::as_str), &never)?)
}

/// Prints a script that runs the experiment in parts.
fn print_recipe(
    scheduler: Scheduler,
    parts: usize,
    (args, file): (&RunArgs, Option<&TomlFile<PartialExperiment>>),
    interrupt: &AtomicBool,
) -> anyhow::Result<Exit> {
    // The first of the parts is checked as they all will be.
    let said = PartialExperiment { shard: Some(format!("1/{parts}")), ..args.said.clone() };
    let mut resolved = resolve(file, &said, None)?;
    args.check_simulation(&resolved.experiment)?;
    resolved.experiment.shard = None;
    let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
    let estimate = foresee(&resolved, &plan(&resolved.experiment, &ids), interrupt)?;
    let experiment = &resolved.experiment;
    let of_part = |shard| {
        let part = Experiment { shard: Some(shard), ..experiment.clone() };
        estimate.of(&plan(&part, &ids)).map(|time| Duration::from_secs_f64(time.as_secs_f64()))
    };
    let (real, jobs) = (experiment.cores == CoresKind::Real, args.jobs);
    let workers = experiment.threads.iter().copied().max().unwrap_or(1);
    let in_parts = InParts {
        what: "an experiment",
        name: experiment.name.clone(),
        parts,
        cores: if real { workers } else { jobs.into() },
        real,
        memory_mib: u64::from(jobs) * simulation_mib(experiment.hash_mib, workers),
        longest: Shard::longest(parts, of_part),
        out: args.out.clone().unwrap_or_else(|| usual_dir(&experiment.name, None)),
        left_out: &[],
        added: "--yes".to_owned(),
    };
    recipe::print(scheduler, &in_parts)
}

/// Takes the missing samples, first up to `goal`.
fn take(
    (args, ends): (&RunArgs, Option<Ends<'_>>),
    (resolved, plan): (&Resolved, &[Planned]),
    results: &mut Results,
    (goal, estimate): (usize, Estimate),
    interrupt: &AtomicBool,
) -> anyhow::Result<Ended> {
    if results.done() == goal {
        let otherwise = results.differences(resolved.experiment.cores).join("; ");
        if !otherwise.is_empty() {
            say(format_args!(
                "ttd: {}: its samples were taken otherwise ({otherwise}), and are not measured \
                 again. --fresh discards them; --out DIR measures in another directory",
                results.dir().display()
            ));
        }
        return Ok(Ended::Done);
    }
    let mut hosts = Vec::new();
    if let Some(ends) = ends {
        hosts = agree(&*ends(), resolved)?;
        results.log(&format!("taken by {}", format::count(ends().size(), "rank")))?;
    }
    let executors = (0..args.jobs).map(|_| match ends {
        Some(ends) => first_of_ranks(&resolved.experiment, ends),
        None => SearchExecutor::new(&resolved.experiment),
    });
    let mut executors = executors.collect::<Result<Vec<SearchExecutor>, _>>()?;
    let shard = resolved.experiment.shard;
    let probed = shard.is_some() && resolved.experiment.cores == CoresKind::Real && !args.no_probe;
    let speed = || if probed { probe(interrupt) } else { Ok(None) };
    let place = SaidOfPlace { anonymous: args.anonymous, hosts, shard };
    results.begin_sitting((&place, speed()?))?;
    let mut progress = Progress::new(resolved, plan, results.done(), estimate, args.jobs);
    let planned = (resolved, plan);
    let ended = rounds::take(planned, results, goal, &mut executors, interrupt, &mut progress);
    progress.bar.finish();
    let after = if matches!(ended, Ok(Ended::Done)) { speed()? } else { None };
    results.end_sitting(after)?;
    Ok(ended?)
}

/// Runs the experiment again with each cost halved and doubled, each in its own directory. Returns
/// the number of failed samples in these.
fn vary_costs(
    args: &RunArgs,
    (resolved, plan): (&Resolved, &[Planned]),
    dir: &Path,
    estimate: &Estimate,
    interrupt: &AtomicBool,
) -> anyhow::Result<(Ended, usize)> {
    let variations = Variation::all(&resolved.experiment);
    let (all, mut failures) = (variations.len(), 0);
    for (number, variation) in (1..).zip(variations) {
        say(format_args!("ttd: sensitivity {number} of {all}: {}", variation.words()));
        let dir = variation.dir(dir);
        let varied = Resolved { experiment: variation.experiment, ..resolved.clone() };
        let (mut results, repairs) = Results::open(&dir, &varied, plan, args.opening)?;
        for repair in repairs {
            say(format_args!("ttd: {repair}"));
        }
        let foreseen = (plan.len(), estimate.clone());
        let how = (args, None);
        let ended = take(how, (&varied, plan), &mut results, foreseen, interrupt)?;
        if ended == Ended::Interrupted {
            say(format_args!("ttd: interrupted, at sensitivity {number} of {all}. To go on:"));
            return Ok((ended, failures));
        }
        failures += say_failed(&results);
    }
    Ok((Ended::Done, failures))
}

/// Returns the number of failed samples, and prints it if there are any.
fn say_failed(results: &Results) -> usize {
    let failed = results.samples().iter().filter(|s| s.status == SampleStatus::Failed).count();
    if failed > 0 {
        let (samples, log) = (format::count(failed, "sample"), results.dir().join(LOG));
        say(format_args!("ttd: {samples} failed: see {}", log.display()));
    }
    failed
}

/// Prints the summary, as a table if that is asked for, and the place of every file. `failures` are
/// those of the sensitivity.
fn finish(
    dir: &Path,
    results: &Results,
    failures: usize,
    output: Output,
    written: Option<Written>,
) -> anyhow::Result<Exit> {
    let table = written.as_ref().and_then(Written::main_table).cloned().unwrap_or_default();
    let mut text = summary::text(dir)?;
    text.push('\n');
    for file in ["report.md", "report.html", "summary.csv", "samples.csv"] {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", dir.join(file).display());
    }
    output.print(|| text, &Printed::new("summary", table))?;
    let doubts = written.map_or_else(Vec::new, |written| written.doubts).join(", ");
    if !doubts.is_empty() {
        say(format_args!("ttd: before you believe the figures, read in the report of: {doubts}"));
    }
    Ok(if say_failed(results) + failures > 0 { Exit::FailedSamples } else { Exit::Done })
}

/// Prints the plan and changes nothing.
fn dry_run(
    (resolved, plan): (&Resolved, &[Planned]),
    dir: &Path,
    args: &RunArgs,
    (cores, interrupt): (usize, &AtomicBool),
) -> anyhow::Result<Exit> {
    let samples = if args.opening.fresh { Vec::new() } else { peek(dir, resolved)? };
    let reached = Reached::of((resolved, plan), dir, samples.len())?;
    let estimate = estimate((resolved, plan), &samples, reached, interrupt)?;
    announce((resolved, plan), dir, reached, (&estimate, args.jobs), cores);
    for engine in &resolved.experiment.engines {
        say(format_args!("would start {}", words_of(engine)));
    }
    let table = planned_columns().file(plan.iter().map(|planned| (resolved, planned)));
    let printed = Printed::new("plan", table);
    args.output.print(|| first_of(&printed.csv()), &printed)?;
    Ok(Exit::Done)
}

columns! {
    /// The columns of the plan.
    fn planned_columns<'a>(of: (&'a Resolved, &'a Planned));

    Whole "round" = of.1.round;
    Whole "order" = of.1.order;
    Words "searcher" = of.0.experiment.name_of(of.1.cell.competitor);
    Whole "threads" = of.1.cell.threads;
    Words "position" = of.0.positions[of.1.cell.position].id.as_str();
    // A double does not hold every seed.
    Words "seed" = of.1.seed.to_string();
}

columns! {
    /// The columns of a part that is done.
    fn part_columns<'a>(of: (&'a Experiment, &'a Results, usize));

    Words "dir" = of.1.dir().to_string_lossy().into_owned();
    Words "shard" = of.0.shard.map(|shard| shard.to_string()).unwrap_or_default();
    Whole "samples" = of.1.done();
    Whole "failed" = of.2;
}

/// An engine's name and its command, as a shell would be told it.
fn words_of(engine: &EngineSpec) -> String {
    let command: Vec<String> = engine.command.iter().map(|word| format::shell_word(word)).collect();
    let dir = engine.dir.iter().map(|dir| format!(" in {}", format::shell_word(dir)));
    let environment =
        engine.environment.iter().map(|(name, value)| format!(" with {name}={value}"));
    let more: String = dir.chain(environment).collect();
    format!("{}: {}{more}", engine.name, command.join(" "))
}

/// Estimates the time of the rest from short searches, and from the samples so far, the first of
/// the plan. On virtual cores their times are not the host's: there is only the guess.
fn estimate(
    (resolved, plan): (&Resolved, &[Planned]),
    samples: &[Sample],
    reached: Reached,
    interrupt: &AtomicBool,
) -> Result<Estimate, LabError> {
    // A part is one of many: nobody waits for it, and it must not cost more than its samples.
    if reached.is_done() || resolved.experiment.shard.is_some() {
        return Ok(Estimate::default());
    }
    let mut estimate = foresee(resolved, plan, interrupt)?;
    if resolved.experiment.cores == CoresKind::Virtual {
        return Ok(estimate);
    }
    for (planned, sample) in plan.iter().zip(samples) {
        if sample.status != SampleStatus::Failed {
            estimate.add(planned.cell, resolved.experiment.wall_time(sample.time));
        }
    }
    Ok(estimate)
}
