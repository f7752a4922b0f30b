//! `ttd perft`.

use super::{Exit, Usage, format};
use crate::engine::{Board, perft, perft_divided};
use crate::positions::parse_fen;
use clap::Args;
use cozy_chess::util::display_uci_move;
use std::io::{self, Write};
use std::time::Instant;

#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// The position; the start of the game if there is none
    fen: Option<String>,
    /// Length of the move sequences
    #[arg(long, short, default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=15))]
    depth: u8,
    /// Print the count behind each first move
    #[arg(long)]
    divide: bool,
}

pub(super) fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    let board = match &args.fen {
        None => Board::default(),
        Some(fen) => parse_fen(fen).map_err(|why| Usage(format!("FEN: {why}")))?,
    };
    let mut out = io::stdout().lock();
    let start = Instant::now();
    let leaves = if args.divide && args.depth > 0 {
        let divided = perft_divided(&board, args.depth);
        for (mv, leaves) in &divided {
            writeln!(out, "{}: {leaves}", display_uci_move(&board, *mv))?;
        }
        divided.iter().map(|(_, leaves)| leaves).sum()
    } else {
        perft(&board, args.depth)
    };
    let time = start.elapsed().into();
    writeln!(out, "nodes {leaves}")?;
    writeln!(out, "time_s {time}")?;
    writeln!(out, "nodes_per_s {}", format::per_second(leaves, time))?;
    Ok(Exit::Done)
}
