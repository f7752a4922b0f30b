//! `ttd bench`: the engine's signature and its speed.

use super::values::{check_hash, check_memory, depth_parser, threads_parser};
use super::{Exit, Usage, format, interrupt, plain};
use crate::experiment::simulation_mib;
use anyhow::bail;
use clap::Args;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use ttd_search::cores::Time;
use ttd_search::engine::Techniques;
use ttd_search::positions::{self, TestPosition};
use ttd_search::searchers::{Costs, Lab, Searcher, Settings, Status, Task};

/// The set that parameters are tuned on.
const SET: &str = "bratko-kopec";
/// A small table, so that the signature also covers replacement.
const HASH_MIB: &str = "16";

#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// Depth of every search
    #[arg(long, short, default_value_t = 12, value_parser = depth_parser())]
    depth: u8,
    /// A position set of the program, or an EPD file
    #[arg(long, value_name = "NAME|FILE.epd", default_value = SET)]
    positions: String,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value = HASH_MIB)]
    hash: u64,
    /// Number of times that the set is searched; times are medians
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The searcher
    #[arg(long, default_value_t = Searcher::baseline())]
    searcher: Searcher,
    /// Number of virtual cores to simulate; the speed printed is that of the host
    #[arg(long, value_name = "N", value_parser = threads_parser())]
    virtual_cores: Option<u16>,
}

/// One pass over the set: the result of each position's search.
type Pass = Vec<Found>;

struct Found {
    nodes: u64,
    time: Time,
    /// Whether the best move is one that the set asks for.
    solved: bool,
}

pub(super) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flag()?;
    let positions = positions::load(&args.positions)?;
    let searcher = args.searcher;
    if searcher.takes_one_thread() && args.virtual_cores.is_some_and(|n| n > 1) {
        let what = format!("--virtual-cores: 1 expected with {searcher}, which takes exactly one");
        return Err(Usage(what).into());
    }
    let hash = check_hash(args.hash)?;
    if let Some(workers) = args.virtual_cores {
        let needed = simulation_mib(hash, workers.into());
        check_memory(needed, |available| {
            format!(
                "--virtual-cores: {workers} and the table need {needed} MiB; {available} are available"
            )
        })?;
    }
    let mut lab = Lab::new(hash, Techniques::default(), Settings::default())?;
    if args.virtual_cores.is_some() {
        lab = lab.on_virtual_cores(Costs::default(), None);
    }
    let mut passes = Vec::new();
    for _ in 0..args.runs {
        match pass(&mut lab, &positions, args, interrupt)? {
            Some(pass) => passes.push(pass),
            None => return Ok(Exit::Interrupted),
        }
    }
    let nodes = |pass: &Pass| pass.iter().map(|found| found.nodes).collect::<Vec<_>>();
    let first = nodes(&passes[0]);
    if let Some(other) = passes.iter().position(|pass| nodes(pass) != first) {
        bail!("pass {} visited other nodes than pass 1: the search is not repeatable", other + 1);
    }
    let mut rows = vec![["position", "nodes", "time_s", "nodes_per_s"].map(str::to_owned).to_vec()];
    let times: Vec<Time> =
        (0..positions.len()).map(|i| median(passes.iter().map(|pass| pass[i].time))).collect();
    for (i, position) in positions.iter().enumerate() {
        rows.push(row(&position.id, first[i], times[i]));
    }
    let total: u64 = first.iter().sum();
    let time = median(passes.iter().map(|pass| pass.iter().map(|found| found.time).sum()));
    rows.push(row("median", median(first.iter().copied()), median(times.into_iter())));
    rows.push(row("total", total, time));
    let mut out = plain::stdout();
    write!(out, "{}", format::table(&rows, 1))?;
    let asked = positions.iter().filter(|position| position.asks()).count();
    if asked > 0 {
        let solved = passes[0].iter().filter(|found| found.solved).count();
        writeln!(out, "solved {solved} of {asked}")?;
    }
    writeln!(out, "bench {total}")?;
    Ok(Exit::Done)
}

fn row(name: &str, nodes: u64, time: Time) -> Vec<String> {
    let rate = format::per_second(nodes, time);
    vec![name.to_owned(), nodes.to_string(), time.to_string(), rate.to_string()]
}

/// `None` if it was interrupted.
fn pass(
    lab: &mut Lab,
    positions: &[TestPosition],
    args: &BenchArgs,
    interrupt: &AtomicBool,
) -> anyhow::Result<Option<Pass>> {
    let mut pass = Pass::new();
    for position in positions {
        let (searcher, threads) = (args.searcher, args.virtual_cores.unwrap_or(1).into());
        let task = Task { searcher, threads, ..Task::to_depth(position.position(), args.depth) };
        lab.clear();
        let start = Instant::now();
        let outcome = lab.search(&task, interrupt);
        let host = start.elapsed();
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if let Status::Failed(why) = &outcome.status {
            bail!("{}: {why}", position.id);
        }
        let solved = outcome.best_move.is_some_and(|mv| position.is_solved_by(mv));
        // Virtual time is the simulation's; the host's is its speed.
        let time = if args.virtual_cores.is_some() { host.into() } else { outcome.time };
        pass.push(Found { nodes: outcome.counters().nodes, time, solved });
    }
    Ok(Some(pass))
}

/// The lower one of the two in the middle, if there are two.
fn median<T: Ord + Copy>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values[(values.len() - 1) / 2]
}
