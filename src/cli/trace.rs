//! `ttd trace`.

use super::values::{check_hash, depth_parser, position, threads_parser};
use super::{Exit, Usage, format, interrupt, say, tell};
use crate::report::timeline::{Recorded, TraceError};
use anyhow::{Context, bail};
use clap::Args;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use ttd_search::engine::{Position, Techniques};
use ttd_search::positions::parse_fen;
use ttd_search::searchers::{Costs, Lab, Searcher, Settings, Status, Task};

#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(super) struct TraceArgs {
    /// The position, in quotation marks [default: the start of the game]
    fen: Option<String>,
    /// The searcher
    #[arg(long, default_value_t = Searcher::usual())]
    searcher: Searcher,
    /// Number of workers
    #[arg(long, default_value_t = 4, value_parser = threads_parser())]
    threads: u16,
    /// Depth of the last iteration
    #[arg(long, short, default_value_t = 10, value_parser = depth_parser())]
    depth: u8,
    /// Kind of cores that workers run on
    #[arg(long, default_value = "virtual", value_parser = ["real", "virtual"])]
    cores: String,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    hash: u64,
    /// Seed of every random choice, and on virtual cores of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File for the Chrome trace (Perfetto opens it: <https://ui.perfetto.dev>)
    #[arg(long, value_name = "FILE.json", required_unless_present = "svg")]
    out: Option<PathBuf>,
    /// File for a picture of it [default: trace-SEARCHER-THREADS-DEPTH.svg]
    #[arg(long, value_name = "FILE.svg", num_args = 0..=1, default_missing_value = "")]
    svg: Option<OsString>,
    /// The largest trace that is written, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64,
        value_parser = clap::value_parser!(u64).range(1..=4096))]
    most_mib: u64,
}

/// The least number of bytes that an event takes in a trace.
const LEAST_BYTES: usize = 70;

/// The position, and the file for the picture, if there is to be one. A position behind a bare
/// `--svg` is no file.
fn asked(args: &TraceArgs) -> (Option<&str>, Option<PathBuf>) {
    let TraceArgs { searcher, threads, depth, .. } = args;
    let usual = || PathBuf::from(format!("trace-{searcher}-{threads}-{depth}.svg"));
    let behind = args.svg.as_ref().and_then(|svg| svg.to_str());
    let is_position = |text: &&str| args.fen.is_none() && parse_fen(text).is_ok();
    if let Some(fen) = behind.filter(is_position) {
        return (Some(fen), Some(usual()));
    }
    let named = |svg: &OsString| if svg.is_empty() { usual() } else { svg.into() };
    (args.fen.as_deref(), args.svg.as_ref().map(named))
}

/// Writes a file, and says where it is.
fn write(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    tell(format_args!("ttd: {} is written", path.display()));
    Ok(())
}

pub(super) fn run(args: &TraceArgs) -> anyhow::Result<Exit> {
    let (fen, svg) = asked(args);
    let board = position(fen, parse_fen)?;
    if args.searcher.takes_one_thread() && args.threads > 1 {
        let (found, searcher) = (args.threads, args.searcher);
        let what = format!("--threads: {found} found, 1 expected: {searcher} has one worker");
        return Err(Usage(what).into());
    }
    let TraceArgs { searcher, threads, depth, seed, .. } = *args;
    let task = Task::to_depth(Position::new(board), depth);
    let task = Task { searcher, threads: threads.into(), seed, noise: seed, ..task };
    let hash = check_hash(args.hash)?;
    let most_bytes = (args.most_mib << 20) as usize;
    let interrupt = interrupt::flag()?;
    let lab = Lab::new(hash, Techniques::default(), Settings::default())?;
    let mut lab = match args.cores.as_str() {
        "virtual" => lab.on_virtual_cores(Costs::default(), None),
        _ => lab,
    }
    .recording(most_bytes / LEAST_BYTES / usize::from(threads));
    lab.clear();
    let outcome = lab.search(&task, interrupt);
    match outcome.status {
        Status::Failed(why) => bail!("the search failed: {why}"),
        Status::Censored => return Ok(Exit::Interrupted),
        Status::Ok => {}
    }
    let workers = format::count(threads.into(), "worker");
    let title = format!("{searcher}, {workers} on {} cores, depth {depth}", args.cores);
    let recorded = Recorded {
        title: &title,
        timelines: &outcome.timelines,
        iterations: &outcome.iterations,
        end: outcome.time,
    };
    if let Some(path) = &args.out {
        let bytes = recorded.chrome(most_bytes).map_err(|error| match error {
            TraceError::TooLarge { .. } => anyhow::Error::new(Usage(format!(
                "--most-mib: {} found, but {error}: more, a smaller --depth or fewer --threads expected",
                args.most_mib
            ))),
            TraceError::Json(_) => error.into(),
        })?;
        write(path, bytes)?;
    }
    if let Some(path) = &svg {
        if outcome.timelines.iter().any(|timeline| timeline.is_cut_short) {
            say(format_args!(
                "ttd: {} is not complete: the search has more events than a trace of {} MiB holds \
                 (--most-mib)",
                path.display(),
                args.most_mib
            ));
        }
        write(path, recorded.svg()?)?;
    }
    Ok(Exit::Done)
}
