//! `ttd perft`.

use super::values::{position, threads_parser};
use super::{Exit, format, plain};
use anyhow::bail;
use clap::Args;
use std::convert::Infallible;
use std::io::{self, Write};
use std::time::Instant;
use ttd_search::cores::{Time, jobs};
use ttd_search::engine::{Board, Move, perft, successors};
use ttd_search::positions::{self, TestPosition, parse_game_fen, uci_text};

#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// The position, of chess or of Chess960 (castling as in X-FEN or Shredder-FEN) [default: the
    /// start of the game]
    fen: Option<String>,
    /// Count every position of a set, and compare with the numbers in the set (operations such as
    /// `D5 4865609`)
    #[arg(long, value_name = "NAME|FILE.epd", conflicts_with_all = ["fen", "divide"])]
    positions: Option<String>,
    /// Length of the move sequences
    #[arg(long, short, default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=15))]
    depth: u8,
    /// Print the number of leaves behind each first move
    #[arg(long)]
    divide: bool,
    /// Number of threads that count
    #[arg(long, default_value_t = 1, value_parser = threads_parser())]
    threads: u16,
}

pub(super) fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    if let Some(set) = &args.positions {
        let positions = positions::load_by(parse_game_fen, set)?;
        return count_set(args, &positions);
    }
    let board = position(args.fen.as_deref(), parse_game_fen)?;
    let start = Instant::now();
    let counts = count(&[&board], args);
    let time = start.elapsed().into();
    let mut out = plain::stdout();
    if args.divide {
        for (mv, leaves) in counts.iter().filter_map(|c| Some((c.first?, c.leaves))) {
            writeln!(out, "{}: {leaves}", uci_text(&board, mv))?;
        }
    }
    sum_up(&mut out, &counts, time)?;
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
    let mut rows = vec![["position", "leaves", "expected"].map(str::to_owned).to_vec()];
    let (mut compared, mut wrong) = (0, Vec::new());
    for (position, leaves) in positions.iter().zip(leaves) {
        let known = position.perft.iter().find(|(depth, _)| *depth == args.depth);
        let expected = known.map_or_else(|| "-".to_owned(), |(_, expected)| expected.to_string());
        compared += usize::from(known.is_some());
        if known.is_some_and(|(_, expected)| *expected != leaves) {
            wrong.push(format!("{}: {leaves} leaves found, {expected} expected", position.id));
        }
        rows.push(vec![position.id.clone(), leaves.to_string(), expected]);
    }
    let mut out = plain::stdout();
    write!(out, "{}", format::table(&rows, 1))?;
    if compared > 0 {
        writeln!(out, "agree {} of {compared}", compared - wrong.len())?;
    }
    sum_up(&mut out, &counts, time)?;
    match wrong.first() {
        Some(first) => bail!("{first}"),
        None => Ok(Exit::Done),
    }
}

fn sum_up(out: &mut impl Write, counts: &[Count], time: Time) -> io::Result<()> {
    let leaves = counts.iter().map(|count| count.leaves).sum();
    writeln!(out, "nodes {leaves}")?;
    writeln!(out, "time_s {time}")?;
    writeln!(out, "nodes_per_s {}", format::per_second(leaves, time))
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
