//! A search from a FEN, without the command line: `cargo run --release --example embed`.

use std::{error::Error, sync::atomic::AtomicBool};
use ttd_search::engine::{Position, Techniques};
use ttd_search::positions::parse_fen;
use ttd_search::searchers::{Lab, Searcher, Settings, Task};

fn main() -> Result<(), Box<dyn Error>> {
    let board = parse_fen("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1")?;
    let (root, depth) = (Position::new(board), 8);
    let task = Task { searcher: Searcher::usual(), threads: 2, ..Task::to_depth(root, depth) };
    let mut lab = Lab::new(16, Techniques::default(), Settings::default())?;
    let found = lab.search(&task, &AtomicBool::new(false));
    for iteration in &found.iterations {
        println!("{} {} {} {:?}", iteration.depth, iteration.time, iteration.nodes, iteration.line);
    }
    println!("{:?}", found.best_move.map(|mv| mv.to_string()));
    Ok(())
}
