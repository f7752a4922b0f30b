//! `ttd bench`: the engine's signature and its speed.

use super::output::{Output, Results};
use super::values::{SkipBad, check_hash, check_memory, depth_parser, threads_parser};
use super::{Exit, Usage, format, interrupt};
use crate::experiment::simulation_mib;
use crate::report::columns::columns;
use anyhow::bail;
use clap::Args;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use ttd_search::cores::Time;
use ttd_search::engine::Techniques;
use ttd_search::positions::{TestPosition, parse_fen};
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
    #[command(flatten)]
    skip_bad: SkipBad,
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
    #[command(flatten)]
    output: Output,
}

/// A row of the table: a position, or a sum of all.
#[derive(Clone, Copy)]
struct Row<'a> {
    name: &'a str,
    nodes: u64,
    time: Time,
}

columns! {
    /// The columns of the table.
    fn columns<'a>(of: Row<'a>);

    Words "position" = of.name, as "position";
    Whole "nodes" = of.nodes, as "nodes";
    Three "time_s" = of.time.as_secs_f64(), as "time_s", shown of.time.to_string();
    Whole "nodes_per_s" = format::per_second(of.nodes, of.time), as "nodes_per_s";
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
    let positions = args.skip_bad.load(parse_fen, &args.positions)?;
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
    let times: Vec<Time> =
        (0..positions.len()).map(|i| median(passes.iter().map(|pass| pass[i].time))).collect();
    let row = |(i, position)| Row { name: name_of(position), nodes: first[i], time: times[i] };
    let rows: Vec<Row<'_>> = positions.iter().enumerate().map(row).collect();
    let total: u64 = first.iter().sum();
    let time = median(passes.iter().map(|pass| pass.iter().map(|found| found.time).sum()));
    let middle = median(times.iter().copied());
    let middle = Row { name: "median", nodes: median(first.iter().copied()), time: middle };
    let all = Row { name: "total", nodes: total, time };
    let asked = positions.iter().filter(|position| position.asks()).count();
    let solved = passes[0].iter().filter(|found| found.solved).count();
    let text = || {
        let lines = rows.iter().copied().chain([middle, all]);
        let mut text = format::table(&columns().whole_table(lines), 1);
        if asked > 0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "solved {solved} of {asked}");
        }
        let _ = writeln!(text, "bench {total}");
        text
    };
    let results = Results::new("positions", columns().file(rows.iter().copied()))
        .and("summary", columns().file([middle, all]))
        .with("solved", (asked > 0).then_some(solved))
        .with("bench", total);
    args.output.print(text, &results)?;
    Ok(Exit::Done)
}

fn name_of(position: &TestPosition) -> &str {
    &position.id
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
