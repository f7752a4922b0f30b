//! `ttd perft`.

use super::output::{Output, Results};
use super::values::{SkipBad, position, threads_parser};
use super::{Exit, format};
use crate::report::columns::columns;
use anyhow::bail;
use clap::Args;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::time::Instant;
use ttd_search::cores::{Time, jobs};
use ttd_search::engine::{Board, Move, perft, successors};
use ttd_search::positions::{TestPosition, parse_game_fen, uci_text};

#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// The position, of chess or of Chess960 (castling as in X-FEN or Shredder-FEN) [default: the
    /// start of the game]
    fen: Option<String>,
    /// Count every position of a set, and compare with the numbers in the set (operations such as
    /// `D5 4865609`)
    #[arg(long, value_name = "NAME|FILE.epd", conflicts_with_all = ["fen", "divide"])]
    positions: Option<String>,
    #[command(flatten)]
    skip_bad: SkipBad,
    /// Length of the move sequences
    #[arg(long, short, default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=15))]
    depth: u8,
    /// Print the number of leaves behind each first move
    #[arg(long)]
    divide: bool,
    /// Number of threads that count
    #[arg(long, default_value_t = 1, value_parser = threads_parser())]
    threads: u16,
    #[command(flatten)]
    output: Output,
}

/// A position of a set.
struct Row<'a> {
    id: &'a str,
    leaves: u64,
    expected: Option<u64>,
}

columns! {
    /// The columns of the positions of a set.
    fn columns<'a>(of: &'a Row<'a>);

    Words "position" = of.id, as "position";
    Whole "leaves" = of.leaves, as "leaves";
    Whole "expected" = of.expected, as "expected",
        shown of.expected.map_or_else(|| "-".to_owned(), |leaves| leaves.to_string());
}

columns! {
    /// The columns of the first moves of a position.
    fn divided<'a>(of: &'a (String, u64));

    Words "move" = of.0.as_str();
    Whole "leaves" = of.1;
}

pub(super) fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    if let Some(set) = &args.positions {
        let positions = args.skip_bad.load(parse_game_fen, set)?;
        return count_set(args, &positions);
    }
    let board = position(args.fen.as_deref(), parse_game_fen)?;
    let start = Instant::now();
    let counts = count(&[&board], args);
    let time = start.elapsed().into();
    let moves: Vec<(String, u64)> = counts
        .iter()
        .filter(|_| args.divide)
        .filter_map(|count| Some((uci_text(&board, count.first?), count.leaves)))
        .collect();
    let text = || {
        let lines = moves.iter().map(|(mv, leaves)| format!("{mv}: {leaves}\n"));
        format!("{}{}", lines.collect::<String>(), sum_up(&counts, time))
    };
    let results = Results::new("moves", divided().file(&moves));
    args.output.print(text, &with_sum(results, &counts, time))?;
    Ok(Exit::Done)
}

/// Counts every position of a set, and compares.
fn count_set(args: &PerftArgs, positions: &[TestPosition]) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let boards: Vec<&Board> = positions.iter().map(|position| &position.board).collect();
    let counts = count(&boards, args);
    let time = start.elapsed().into();
    let mut leaves = vec![0; positions.len()];
    for count in &counts {
        leaves[count.position] += count.leaves;
    }
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for (position, leaves) in positions.iter().zip(leaves) {
        let known = position.perft.iter().find(|(depth, _)| *depth == args.depth);
        let expected = known.map(|(_, expected)| *expected);
        if let Some(expected) = expected.filter(|expected| *expected != leaves) {
            wrong.push(format!("{}: {leaves} leaves found, {expected} expected", position.id));
        }
        rows.push(Row { id: &position.id, leaves, expected });
    }
    let compared = rows.iter().filter(|row| row.expected.is_some()).count();
    let agree = compared - wrong.len();
    let text = || {
        let mut text = format::table(&columns().whole_table(&rows), 1);
        if compared > 0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "agree {agree} of {compared}");
        }
        text + &sum_up(&counts, time)
    };
    let results = Results::new("positions", columns().file(&rows))
        .with("agree", (compared > 0).then_some(agree))
        .with("compared", compared);
    args.output.print(text, &with_sum(results, &counts, time))?;
    match wrong.first() {
        Some(first) => bail!("{first}"),
        None => Ok(Exit::Done),
    }
}

fn all_leaves(counts: &[Count]) -> u64 {
    counts.iter().map(|count| count.leaves).sum()
}

fn sum_up(counts: &[Count], time: Time) -> String {
    let leaves = all_leaves(counts);
    let rate = format::per_second(leaves, time);
    format!("nodes {leaves}\ntime_s {time}\nnodes_per_s {rate}\n")
}

fn with_sum(results: Results, counts: &[Count], time: Time) -> Results {
    let leaves = all_leaves(counts);
    results
        .with("nodes", leaves)
        .with("time_s", time.as_secs_f64())
        .with("nodes_per_s", format::per_second(leaves, time))
}

/// The number of leaves behind a first move of a position; at depth 0, of the position itself.
struct Count {
    position: usize,
    first: Option<Move>,
    leaves: u64,
}

/// Counts the leaves of the trees of some positions, in their order. A thread takes one first move
/// at a time.
fn count(boards: &[&Board], args: &PerftArgs) -> Vec<Count> {
    let parts: Vec<(usize, Option<Move>, Board)> = boards
        .iter()
        .enumerate()
        .flat_map(|(position, &board)| {
            if args.depth == 0 {
                return vec![(position, None, board.clone())];
            }
            let all = successors(board).into_iter();
            all.map(|(mv, board)| (position, Some(mv), board)).collect()
        })
        .collect();
    let depth = args.depth.saturating_sub(1);
    let mut counts = Vec::new();
    let job = |(): &mut (), part: usize| Some(perft(&parts[part].2, depth));
    let take = |part: usize, leaves| {
        let (position, first, _) = parts[part];
        counts.push(Count { position, first, leaves });
        Ok::<(), Infallible>(())
    };
    let Ok(_all) = jobs::in_order(&mut vec![(); args.threads.into()], parts.len(), job, take);
    counts
}
