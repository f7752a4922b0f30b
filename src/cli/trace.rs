//! `ttd trace`.

use super::engine::for_virtual_cores;
use super::values::{HostLimit, check_hash, depth_parser, position, threads_parser};
use super::{Exit, Usage, format, interrupt, say, tell};
use crate::experiment::{IterationRow, iterations};
use crate::report::timeline::{Recorded, TraceError, Tracks};
use crate::uci::{
    End, Engine, EngineSpec, Go, Limit, NO_CHESS960, Place, ThreadTimelines, Virtually, Watch,
    What, price_ps,
};
use anyhow::{Context, bail};
use clap::Args;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::{env, process};
use ttd_search::cores::{Time, Timeline};
use ttd_search::engine::{Board, Position, Techniques};
use ttd_search::positions::{is_chess960, parse_fen};
use ttd_search::searchers::{Costs, Lab, Searcher, Settings, Status, Task};

#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(super) struct TraceArgs {
    /// The position, in quotation marks [default: the start of the game]
    fen: Option<String>,
    /// The searcher
    #[arg(long, default_value_t = Searcher::usual())]
    searcher: Searcher,
    /// An outside engine with a hook, on virtual cores: a command, or keys as `ttd run --engine`
    /// has them
    #[arg(long, value_name = "SPEC", conflicts_with = "searcher")]
    engine: Option<EngineSpec>,
    /// Number of workers, or of the engine's threads
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
    #[command(flatten)]
    host_limit: HostLimit,
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
    let TraceArgs { threads, depth, .. } = args;
    let usual = || PathBuf::from(format!("trace-{}-{threads}-{depth}.svg", name(args)));
    let behind = args.svg.as_ref().and_then(|svg| svg.to_str());
    let is_position = |text: &&str| args.fen.is_none() && parse_fen(text).is_ok();
    if let Some(fen) = behind.filter(is_position) {
        return (Some(fen), Some(usual()));
    }
    let named = |svg: &OsString| if svg.is_empty() { usual() } else { svg.into() };
    (args.fen.as_deref(), args.svg.as_ref().map(named))
}

/// The name of whoever searches.
fn name(args: &TraceArgs) -> String {
    args.engine.as_ref().map_or_else(|| args.searcher.to_string(), |engine| engine.name.clone())
}

/// Writes a file, and says where it is.
fn write(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    tell(format_args!("ttd: {} is written", path.display()));
    Ok(())
}

/// A search that was recorded.
struct Searched {
    tracks: Recording,
    iterations: Vec<IterationRow>,
    end: Time,
}

enum Recording {
    Workers(Vec<Timeline>),
    Threads(ThreadTimelines),
}

pub(super) fn run(args: &TraceArgs) -> anyhow::Result<Exit> {
    let (fen, svg) = asked(args);
    let board = position(fen, parse_fen)?;
    let interrupt = interrupt::flag()?;
    let searched = match &args.engine {
        Some(engine) => engine_searches(args, engine, &board, interrupt)?,
        None => searcher_searches(args, board, interrupt)?,
    };
    let Some(searched) = searched else { return Ok(Exit::Interrupted) };
    let (threads, word) =
        (args.threads.into(), args.engine.as_ref().map_or("worker", |_| "thread"));
    let count = format::count(threads, word);
    let title = format!("{}, {count} on {} cores, depth {}", name(args), args.cores, args.depth);
    let tracks = match &searched.tracks {
        Recording::Workers(all) => Tracks::Workers(all),
        Recording::Threads(all) => Tracks::Threads(all),
    };
    let Searched { iterations, end, .. } = &searched;
    let recorded = Recorded { title: &title, tracks, iterations, end: *end };
    if let Some(path) = &args.out {
        let bytes = recorded.chrome((args.most_mib << 20) as usize).map_err(|error| match error {
            TraceError::TooLarge { .. } => anyhow::Error::new(Usage(format!(
                "--most-mib: {} found, but {error}: more, a smaller --depth or fewer --threads expected",
                args.most_mib
            ))),
            TraceError::Json(_) => error.into(),
        })?;
        write(path, bytes)?;
    }
    if let Some(path) = &svg {
        if tracks.are_cut_short() {
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

/// A search of ours; none if the user interrupts it.
fn searcher_searches(
    args: &TraceArgs,
    board: Board,
    interrupt: &AtomicBool,
) -> anyhow::Result<Option<Searched>> {
    let TraceArgs { searcher, threads, depth, seed, .. } = *args;
    if searcher.takes_one_thread() && threads > 1 {
        let what = format!("--threads: {threads} found, 1 expected: {searcher} has one worker");
        return Err(Usage(what).into());
    }
    let task = Task::to_depth(Position::new(board), depth);
    let task = Task { searcher, threads: threads.into(), seed, noise: seed, ..task };
    let hash = check_hash(args.hash)?;
    let lab = Lab::new(hash, Techniques::default(), Settings::default())?;
    let most_bytes = (args.most_mib << 20) as usize;
    let mut lab = match args.cores.as_str() {
        "virtual" => lab.on_virtual_cores(Costs::default(), None),
        _ => lab,
    }
    .recording(most_bytes / LEAST_BYTES / usize::from(threads));
    lab.clear();
    let outcome = lab.search(&task, interrupt);
    match outcome.status {
        Status::Failed(why) => bail!("the search failed: {why}"),
        Status::Censored => return Ok(None),
        Status::Ok => {}
    }
    let rows = outcome.iterations.iter().map(|of| IterationRow {
        depth: of.depth,
        worker: of.worker,
        time: of.time,
        nodes: of.nodes,
        score: Some(of.score),
        best_move: None,
    });
    let iterations = rows.collect();
    let (tracks, end) = (Recording::Workers(outcome.timelines), outcome.time);
    Ok(Some(Searched { tracks, iterations, end }))
}

/// A search of an outside engine; none if the user interrupts it.
fn engine_searches(
    args: &TraceArgs,
    spec: &EngineSpec,
    board: &Board,
    interrupt: &AtomicBool,
) -> anyhow::Result<Option<Searched>> {
    if args.cores != "virtual" {
        let what = "--cores: real found, virtual expected: nobody sees what an outside engine's \
                    threads do on real ones";
        return Err(Usage(what.to_owned()).into());
    }
    if spec.end != End::BestMove {
        let what = "--engine: end: depth-reported found, bestmove expected: timelines end there";
        return Err(Usage(what.to_owned()).into());
    }
    let hash = check_hash(args.hash)?;
    let runner = for_virtual_cores(spec)?;
    let file = Scratch::new()?;
    let timeline = Some((file.0.clone(), args.most_mib));
    let price = price_ps(spec, &runner);
    let host_limit = args.host_limit.time();
    let cores = Virtually { host_limit, timeline, ..Virtually::new(runner, args.seed) };
    let price_ps = price.as_ref().ok().copied();
    let mut started = EngineSpec { virtually: Some(cores), price_ps, ..spec.clone() };
    started.find_from(Path::new(""))?;
    // A fault of the engine is not a failure of this program.
    let wrong = |what: String| Usage(format!("the engine `{}`: {what}", spec.name));
    let settings = (args.threads.into(), hash);
    let ready = Engine::ready(&started, settings, &[]);
    let (mut engine, one_thread) = ready.map_err(|fault| wrong(fault.with_advice()))?;
    if one_thread && args.threads > 1 {
        let found = args.threads;
        return Err(wrong(format!("--threads: {found} found, 1 expected: it has one")).into());
    }
    if is_chess960(board) && !engine.has_chess960() {
        return Err(wrong(format!("a position of Chess960 found, and {NO_CHESS960}")).into());
    }
    let price = price.map_err(wrong)?;
    if spec.price_ps.is_none() {
        tell(format_args!("ttd: price_ps = {price}, the usual price: `ttd calibrate` measures it"));
    }
    let place = Place { start: board, moves: &[] };
    let go = Go { place, limit: Limit::Depth(args.depth), deadline: None, among: &[] };
    let reply = match engine.search(&go, &mut |_| Watch::On, interrupt) {
        Err(fault) if fault.what == What::Interrupted => return Ok(None),
        other => other.map_err(|fault| wrong(fault.with_advice()))?,
    };
    if let Some(claim) = &reply.claim {
        return Err(wrong(format!("it gives no move, but `{claim}`")).into());
    }
    let reached = reply.last().map_or(0, |last| last.depth);
    if reached < u32::from(args.depth) {
        say(format_args!("ttd: {} ended by itself after depth {reached}", spec.name));
    }
    let threads = file.read()?;
    let end = if threads.is_cut_short { reply.elapsed.into() } else { threads.end };
    let iterations = iterations(&reply.iterations, args.depth, board);
    Ok(Some(Searched { tracks: Recording::Threads(threads), iterations, end }))
}

/// A file that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    /// A new file.
    fn new() -> anyhow::Result<Scratch> {
        let dir = std::path::absolute(env::temp_dir())?;
        let path = |number| dir.join(format!("ttd-timelines-{}-{number}.csv", process::id()));
        let made = (0..100).map(path).find(|path| File::create_new(path).is_ok());
        made.map(Scratch).with_context(|| format!("no file can be made in {}", dir.display()))
    }

    /// The timelines that it holds.
    fn read(&self) -> anyhow::Result<ThreadTimelines> {
        ThreadTimelines::read(File::open(&self.0)?).map_err(anyhow::Error::msg)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
