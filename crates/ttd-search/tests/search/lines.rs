//! Principal variations: moves that can be made one after another.

use crate::common::{lab, search, task};
use ttd_search::engine::{Position, Techniques};
use ttd_search::positions;
use ttd_search::searchers::Searcher;

/// Every principal variation can be played.
///
/// That includes lines in which a younger move mates, or fails high against the window of the root.
/// The line of an elder brother must not go on behind it.
#[test]
fn every_line_can_be_played() {
    let set = positions::load("win-at-chess").expect("a set of the program");
    for searcher in [Searcher::baseline(), Searcher::named("ybwc"), Searcher::named("lazy-smp")] {
        let threads = if searcher == Searcher::baseline() { 1 } else { 2 };
        let mut lab = lab(Techniques::default(), "");
        for position in set.iter().take(if threads == 1 { 300 } else { 60 }) {
            let outcome =
                search(&mut lab, &task(searcher, threads, &position.board.to_string(), 7));
            for iteration in &outcome.iterations {
                let mut at = Position::new(position.board.clone());
                for &mv in &iteration.line {
                    let so_far =
                        format!("{searcher} {}: {mv} of {:?}", position.id, iteration.line);
                    assert!(at.board().is_legal(mv), "{so_far}");
                    at = at.after(mv);
                }
            }
        }
    }
}
