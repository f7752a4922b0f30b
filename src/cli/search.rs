//! `ttd search`.

use super::output::{Output, Results};
use super::values::{check_hash, depth_parser, position, threads_parser};
use super::{Exit, Usage, format, interrupt, say};
use crate::report::columns::columns;
use anyhow::bail;
use clap::Args;
use std::sync::atomic::Ordering;
use ttd_search::cores::Time;
use ttd_search::engine::{Board, Position, Techniques};
use ttd_search::positions::parse_fen;
use ttd_search::search::Iteration;
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
    #[command(flatten)]
    output: Output,
}

/// An iteration, and the position that was searched.
type Line<'a> = (&'a Iteration, &'a Board);

columns! {
    /// The columns of the iterations.
    fn columns<'a>(of: Line<'a>);

    Whole "depth" = of.0.depth, as "depth";
    Three "time_s" = of.0.time.as_secs_f64(), as "time_s", shown of.0.time.to_string();
    Whole "nodes" = of.0.nodes, as "nodes";
    Whole "nodes_per_s" = format::per_second(of.0.nodes, of.0.time), as "nodes_per_s";
    Ratio "score" = format::pawns(of.0.score), as "score", shown format::score(of.0.score);
    Whole "mate" = format::mate_in(of.0.score);
    Words "line" = format::line(of.1, &of.0.line);
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
    let lines: Vec<Line<'_>> = outcome.iterations.iter().map(|of| (of, &board)).collect();
    let text = || {
        // The last column is added after the layout: it does not make the table wider.
        let table = format::table(&columns().whole_table(lines.iter().copied()), 0);
        let last = lines.iter().map(|(of, board)| format::line(board, &of.line));
        let last = ["line".to_owned()].into_iter().chain(last);
        let mut text = String::new();
        for (row, line) in table.lines().zip(last) {
            text.extend([row, "  ", &line, "\n"]);
        }
        text
    };
    let status = match outcome.status {
        Status::Ok => "ok",
        Status::Censored => "censored",
        Status::Failed(_) => "failed",
    };
    let results = Results::new("iterations", columns().file(lines.iter().copied()));
    args.output.print(text, &results.with("status", status))?;
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
