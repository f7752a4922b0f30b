//! `ttd quality`: is a search that is faster at its depth as good at it?

use super::{Exit, Usage, format, interrupt, say};
use crate::experiment::{EXPERIMENT, Experiment, read_samples};
use crate::quality::{Case, QualityError, Standing, judge};
use crate::search::MAX_DEPTH;
use crate::searchers::Lab;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;

/// By how many plies the judge is the deeper one.
const DEEPER: u8 = 5;

#[derive(Debug, Args)]
pub(super) struct QualityArgs {
    /// Results directory of the experiment
    dir: PathBuf,
    /// Depth of the judging search, from the positions of the set [default: that of the experiment and 5]
    #[arg(long, short, value_parser = super::run::depth_parser())]
    depth: Option<u8>,
    /// Judge so many positions at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = super::run::jobs_parser())]
    jobs: u16,
}

pub(super) fn run(args: &QualityArgs) -> anyhow::Result<Exit> {
    let dir = &args.dir;
    if !dir.join(EXPERIMENT).is_file() {
        let what =
            format!("{}: there is no {EXPERIMENT}: expected a results directory", dir.display());
        return Err(Usage(what).into());
    }
    let experiment = Experiment::read(dir)?;
    let depth = args.depth.unwrap_or((experiment.depth + DEEPER).min(MAX_DEPTH));
    if depth <= experiment.depth {
        let what = format!(
            "--depth: {depth} found, more than {} expected: the depth of the experiment",
            experiment.depth
        );
        return Err(Usage(what).into());
    }
    super::run::check_hash(u64::from(args.jobs) * experiment.hash_mib as u64).map_err(|_| {
        Usage(format!(
            "--jobs: {} tables of {} MiB need more memory than there is",
            args.jobs, experiment.hash_mib
        ))
    })?;
    let positions = experiment.position_set(dir)?;
    let samples = read_samples(dir)?;
    let case = Case { experiment: &experiment, positions: &positions, samples: &samples, depth };
    let lab =
        |_| Lab::new(experiment.hash_mib, experiment.engine.clone(), experiment.searcher.clone());
    let mut labs = (0..args.jobs).map(lab).collect::<Result<Vec<Lab>, _>>()?;
    let step = positions.len().div_ceil(10);
    let done = |count: usize| {
        if count.is_multiple_of(step) {
            say(format_args!("ttd: {count} of {} positions", positions.len()));
        }
    };
    let standings = match judge(&case, &mut labs, interrupt::flag()?, done) {
        Err(QualityError::Interrupted) => return Ok(Exit::Interrupted),
        standings => standings?,
    };
    let heads = ["searcher", "threads", "depth", "positions", "same_move", "centipawns", "ci_95"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(standings.iter().map(row));
    let mut to = io::stdout().lock();
    write!(to, "{}", format::table(&rows, 1))?;
    writeln!(
        to,
        "against the moves of sequential at depth {}, each valued by sequential at depth {depth}",
        experiment.depth
    )?;
    Ok(Exit::Done)
}

fn row(standing: &Standing) -> Vec<String> {
    let Standing { searcher, threads, depth, positions, agreement, difference, interval } =
        standing;
    let interval = interval.map_or_else(
        || "none".to_owned(),
        |bounds| format!("{:+.2} to {:+.2}", bounds.lower, bounds.upper),
    );
    vec![
        searcher.to_string(),
        threads.to_string(),
        depth.to_string(),
        positions.to_string(),
        format!("{:.1}%", 100.0 * agreement),
        format!("{difference:+.2}"),
        interval,
    ]
}
