//! `ttd search`.

use super::values::{check_hash, depth_parser, position, threads_parser};
use super::{Exit, Usage, format, interrupt, plain, say};
use anyhow::bail;
use clap::Args;
use std::io::Write;
use std::sync::atomic::Ordering;
use ttd_search::cores::Time;
use ttd_search::engine::{Position, Techniques};
use ttd_search::positions::parse_fen;
use ttd_search::searchers::{Lab, Searcher, Settings, Status, Task};

#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// The position, in quotation marks [default: the start of the game]
    fen: Option<String>,
    #[arg(long, help = format!("The searcher [default: {}; with more than one thread, {}]",
        Searcher::baseline(), Searcher::usual()))]
    searcher: Option<Searcher>,
    /// Number of workers
    #[arg(long, default_value_t = 1, value_parser = threads_parser())]
    threads: u16,
    /// Depth of the last iteration
    #[arg(long, short, default_value_t = 20, value_parser = depth_parser())]
    depth: u8,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    hash: u64,
    /// Time after which the search gives up, in seconds
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
}

pub(super) fn run(args: &SearchArgs) -> anyhow::Result<Exit> {
    let board = position(args.fen.as_deref(), parse_fen)?;
    let task = Task {
        searcher: searcher(args)?,
        threads: args.threads.into(),
        time_limit: time_limit(args)?,
        ..Task::to_depth(Position::new(board.clone()), args.depth)
    };
    let hash = check_hash(args.hash)?;
    let interrupt = interrupt::flag()?;
    let mut lab = Lab::new(hash, Techniques::default(), Settings::default())?;
    lab.clear();
    let outcome = lab.search(&task, interrupt);
    let header = ["depth", "time_s", "nodes", "nodes_per_s", "score", "line"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for iteration in &outcome.iterations {
        rows.push(vec![
            iteration.depth.to_string(),
            iteration.time.to_string(),
            iteration.nodes.to_string(),
            format::per_second(iteration.nodes, iteration.time).to_string(),
            format::score(iteration.score),
            String::new(),
        ]);
    }
    // The last column is filled in after the layout: it does not make the table wider.
    let table = format::table(&rows, 0);
    let mut out = plain::stdout();
    for (i, row) in table.lines().enumerate() {
        match i.checked_sub(1).map(|i| &outcome.iterations[i]) {
            None => writeln!(out, "{row}")?,
            Some(iteration) => writeln!(out, "{row}  {}", format::line(&board, &iteration.line))?,
        }
    }
    match outcome.status {
        Status::Failed(why) => bail!("the search failed: {why}"),
        _ if interrupt.load(Ordering::Relaxed) => Ok(Exit::Interrupted),
        Status::Censored => {
            say(format_args!("ttd: the time limit came before depth {} was done", args.depth));
            Ok(Exit::Done)
        }
        Status::Ok => Ok(Exit::Done),
    }
}

fn searcher(args: &SearchArgs) -> Result<Searcher, Usage> {
    match (args.searcher, args.threads) {
        (None, 1) => Ok(Searcher::baseline()),
        (None, _) => Ok(Searcher::usual()),
        (Some(searcher), 2..) if searcher.takes_one_thread() => Err(Usage(format!(
            "--threads: {} found, 1 expected: the searcher {searcher} has one worker",
            args.threads
        ))),
        (Some(searcher), _) => Ok(searcher),
    }
}

fn time_limit(args: &SearchArgs) -> Result<Option<Time>, Usage> {
    match args.time_limit {
        None => Ok(None),
        Some(limit) if (0.001..=1e6).contains(&limit) => Ok(Some(Time::from_secs_f64(limit))),
        Some(limit) => Err(Usage(format!(
            "--time-limit: {limit} found, seconds from 0.001 to 1000000 expected"
        ))),
    }
}
