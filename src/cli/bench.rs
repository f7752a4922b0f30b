//! `ttd bench`: the engine's signature and its speed.

use super::{Exit, format, interrupt};
use crate::cores::Time;
use crate::engine::Features;
use crate::positions::{self, TestPosition};
use crate::searchers::{Lab, Searcher, Settings, Status, Task};
use anyhow::bail;
use clap::Args;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// The set that parameters are tuned on.
const SET: &str = "bratko-kopec";
/// Small, so that the signature also covers replacement.
const HASH_MIB: usize = 16;

#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// Depth of every search
    #[arg(long, short, default_value_t = 12, value_parser = super::run::depth_parser())]
    depth: u8,
    /// How often the set is searched; times are medians
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Who searches, with one thread
    #[arg(long, default_value = "sequential")]
    searcher: Searcher,
}

/// One pass over the set: of each position, nodes and time.
type Pass = Vec<(u64, Time)>;

pub(super) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    let interrupt = interrupt::flag()?;
    let positions = positions::load(SET)?;
    let mut lab = Lab::new(HASH_MIB, Features::default(), Settings::default())?;
    let mut passes = Vec::new();
    for _ in 0..args.runs {
        match pass(&mut lab, &positions, args, interrupt)? {
            Some(pass) => passes.push(pass),
            None => return Ok(Exit::Interrupted),
        }
    }
    let nodes = |pass: &Pass| pass.iter().map(|(nodes, _)| *nodes).collect::<Vec<_>>();
    let first = nodes(&passes[0]);
    if let Some(other) = passes.iter().position(|pass| nodes(pass) != first) {
        bail!("pass {} visited other nodes than pass 1: the search is not repeatable", other + 1);
    }
    let mut rows = vec![["position", "nodes", "time_s", "nodes_per_s"].map(str::to_owned).to_vec()];
    for (i, position) in positions.iter().enumerate() {
        rows.push(row(&position.id, first[i], median(passes.iter().map(|pass| pass[i].1))));
    }
    let total: u64 = first.iter().sum();
    let time = median(passes.iter().map(|pass| pass.iter().map(|(_, time)| *time).sum()));
    rows.push(row("total", total, time));
    let mut out = io::stdout().lock();
    write!(out, "{}", format::table(&rows, 1))?;
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
        let task = Task {
            searcher: args.searcher,
            threads: 1,
            root: position.position(),
            depth: args.depth,
            time_limit: None,
            seed: 1,
        };
        lab.clear();
        let outcome = lab.search(&task, interrupt);
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if let Status::Failed(why) = &outcome.status {
            bail!("{}: {why}", position.id);
        }
        pass.push((outcome.counters().nodes, outcome.time));
    }
    Ok(Some(pass))
}

/// The lower one of the two in the middle, if there are two.
fn median(times: impl Iterator<Item = Time>) -> Time {
    let mut times: Vec<Time> = times.collect();
    times.sort_unstable();
    times[(times.len() - 1) / 2]
}
