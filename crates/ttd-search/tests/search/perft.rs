//! The rules of chess: perft of every position of the perft set to its full depth. That is 5, or 4
//! without optimisation, so that the test stays quick.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use ttd_search::engine::{perft, successors};
use ttd_search::positions::load;

const DEPTH: u8 = if cfg!(debug_assertions) { 4 } else { 5 };

#[test]
fn the_whole_set_is_right() {
    let positions = load("perft").expect("a set of the program");
    assert_eq!(positions.len(), 126);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(position) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for &(depth, leaves) in position.perft.iter().filter(|(d, _)| *d <= DEPTH) {
                        let found = perft(&position.board, depth);
                        assert_eq!(found, leaves, "{} at depth {depth}", position.board);
                    }
                    let depths = position.perft.iter().filter(|(d, _)| *d <= DEPTH).count();
                    assert_eq!(depths, usize::from(DEPTH), "{}", position.board);
                }
            });
        }
    });
}

#[test]
fn first_moves_add_up() {
    for position in load("perft").expect("a set of the program") {
        let behind: Vec<u64> =
            successors(&position.board).iter().map(|(_, board)| perft(board, 1)).collect();
        let expected = position.perft.iter().find(|(depth, _)| *depth == 2);
        assert_eq!(Some(behind.iter().sum()), expected.map(|e| e.1));
        assert_eq!(behind.len() as u64, perft(&position.board, 1));
    }
}
