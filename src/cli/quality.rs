//! `ttd quality`: does a search that is faster at its depth choose moves as good?

mod equal;

use super::output::{Output, Results};
use super::results::{require, warn};
use super::values::{check_memory, depth_parser, jobs_parser};
use super::{Exit, Usage, format, interrupt, tell};
use crate::experiment::EXPERIMENT;
use crate::quality::{Case, Judgement, Standing, judge};
use crate::report::Salvaged;
use crate::report::columns::{Value, columns};
use clap::Args;
use equal::EqualArgs;
use std::path::PathBuf;
use ttd_search::search::MAX_DEPTH;
use ttd_search::searchers::{Lab, Searcher};

/// The number of plies by which the judge searches deeper.
const DEEPER: u8 = 5;

#[derive(Debug, Args)]
pub(super) struct QualityArgs {
    /// Results directory of the experiment
    dir: PathBuf,
    /// Depth of the judging search, from the positions of the set [default: 5 more than the
    /// experiment's]
    #[arg(long, short, value_parser = depth_parser())]
    depth: Option<u8>,
    #[command(flatten)]
    equal: EqualArgs,
    /// Number of positions that are judged at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs_parser())]
    jobs: u16,
    #[command(flatten)]
    output: Output,
}

columns! {
    /// The columns of the table.
    fn columns<'a>(of: &'a Standing);

    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "threads" = of.threads, as "threads";
    Whole "depth" = of.depth, as "depth";
    Whole "positions" = of.positions, as "positions";
    Tenths "same_move" = of.agreement, as "same_move";
    Whole "differing" = of.differing, as "differing";
    Ratio "centipawns" + Positions = Value::positions(of.difference, of.interval), as "centipawns",
        shown format!("{:+.2}", of.difference);
    Words "" = interval(of), as "ci_positions";
}

fn interval(of: &Standing) -> String {
    of.interval.map_or_else(
        || "none".to_owned(),
        |bounds| format!("{:+.2} to {:+.2}", bounds.lower, bounds.upper),
    )
}

pub(super) fn run(args: &QualityArgs) -> anyhow::Result<Exit> {
    let dir = &args.dir;
    require(dir, EXPERIMENT, "a results directory")?;
    if args.equal.is_asked() {
        return equal::run(dir, &args.equal, args.jobs, args.output);
    }
    let Salvaged { experiment, positions, samples, left_out, .. } = Salvaged::read(dir)?;
    let positions = positions?;
    warn(dir, &left_out);
    let depth = args.depth.unwrap_or_else(|| experiment.depth.saturating_add(DEEPER));
    if depth <= experiment.depth || depth > MAX_DEPTH {
        let what = format!(
            "--depth: {depth} found, expected more than {}, the depth of the experiment, and at most {MAX_DEPTH}",
            experiment.depth
        );
        return Err(Usage(what).into());
    }
    let needed = u64::from(args.jobs) * experiment.hash_mib as u64;
    check_memory(needed, |available| {
        let (tables, mib) = (format::count(args.jobs.into(), "table"), experiment.hash_mib);
        format!(
            "{tables} of {mib} MiB, as in the experiment, need {needed} MiB of memory, {available} are available"
        )
    })?;
    let case = Case { experiment: &experiment, positions: &positions, samples: &samples, depth };
    let lab =
        |_| Lab::new(experiment.hash_mib, experiment.engine.clone(), experiment.searcher.clone());
    let mut labs = (0..args.jobs).map(lab).collect::<Result<Vec<Lab>, _>>()?;
    let step = positions.len().div_ceil(10);
    let done = |count: usize| {
        if count.is_multiple_of(step) {
            let all = format::count(positions.len(), "position");
            tell(format_args!("ttd: {count} of {all}"));
        }
    };
    let judgement = judge(&case, &mut labs, interrupt::flag()?, done)?;
    let notes = notes(&case, &judgement);
    let table = || format::table(&columns().whole_table(&judgement.standings), 1);
    let results = Results::new("moves", columns().file(&judgement.standings))
        .with("judged", judgement.judged)
        .with("left_out", judgement.left_out)
        .with("notes", notes.clone());
    args.output.print(|| format!("{}\n{}\n", table(), notes.join("\n")), &results)?;
    let whole = judgement.judged == positions.len();
    Ok(if whole { Exit::Done } else { Exit::Interrupted })
}

fn notes(case: &Case<'_>, judgement: &Judgement) -> Vec<String> {
    let mut notes = vec![
        format!(
            "Against the moves of {searcher} at depth {}, each valued by {searcher} at depth {}.",
            case.experiment.depth,
            case.depth,
            searcher = Searcher::baseline()
        ),
        "ci_positions: 95%, Student's t over the positions. An interval that contains 0 does not \
         show that the moves are equally good."
            .to_owned(),
    ];
    if judgement.judged < case.positions.len() {
        let of = case.positions.len();
        let of = format::count(of, "position");
        notes.push(format!("Interrupted after {} of {of}.", judgement.judged));
    }
    notes.extend(judgement.refused.iter().map(|why| format!("Left out: {why}.")));
    if judgement.left_out > 0 {
        let samples = format::count(judgement.left_out, "censored or failed sample");
        notes.push(format!("Left out: {samples}. Rows with fewer positions are about these."));
    }
    let alone = |s: &&Standing| s.threads == 1 && s.depth == case.experiment.depth;
    if judgement.standings.iter().filter(alone).any(|s| s.agreement < 1.0) {
        notes.push(
            "Samples with one worker have other moves than this program's sequential search: they \
             come from another engine."
                .to_owned(),
        );
    }
    notes
}
