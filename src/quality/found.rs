//! The moves that anybody found in a position, whatever the searcher, the threads and the depth.

use crate::experiment::{IterationRow, Of, Sample, SampleStatus};
use cozy_chess::util::parse_uci_move;
use std::collections::HashMap;
use ttd_search::engine::Move;
use ttd_search::positions::TestPosition;

/// The first depth that counts of a search to this depth: the deeper half of the depths does. Moves
/// of the first plies say nothing of the quality at the end, and would take the judge's nodes.
pub fn first_depth(deepest: u8) -> u8 {
    deepest / 2 + 1
}

/// A position, and the moves found there.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// The position.
    pub of: &'a TestPosition,
    /// The moves, each once, in the order in which they were found.
    pub moves: Vec<Move>,
}

/// The moves of a sweep, sorted by position while its files are read.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The moves of each position, in UCI notation.
    of: HashMap<String, Vec<String>>,
    /// The depths that samples were asked for, by searcher and position.
    deepest: HashMap<(String, String), u8>,
    /// The number of iterations without a move.
    without: usize,
}

impl Moves {
    /// Takes the moves of completed and of stopped samples.
    pub fn new(samples: &[Sample]) -> Moves {
        let mut moves = Moves::default();
        for sample in samples.iter().filter(|sample| sample.status != SampleStatus::Failed) {
            let cell = (sample.searcher.clone(), sample.position.clone());
            moves.deepest.insert(cell, sample.depth);
            moves.add(&sample.position, &sample.best_move);
        }
        moves
    }

    /// Takes the move of an iteration, if its depth counts.
    pub fn iteration(&mut self, row: &Of<IterationRow>) {
        let Of { sample, part } = row;
        let cell = (sample.searcher.clone(), sample.position.clone());
        let Some(deepest) = self.deepest.get(&cell).copied() else { return };
        if part.depth < first_depth(deepest) || part.depth > deepest {
            return;
        }
        match &part.best_move {
            Some(mv) => self.add(&sample.position, mv),
            None => self.without += 1,
        }
    }

    /// The number of iterations whose move is not known: programs before this one did not write it
    /// down, and outside engines need not tell it.
    pub fn without(&self) -> usize {
        self.without
    }

    /// The positions in which legal moves were found, in their order.
    pub fn found<'a>(&self, positions: &'a [TestPosition]) -> Vec<Found<'a>> {
        let found = |of: &'a TestPosition| {
            let legal = |text: &String| {
                parse_uci_move(&of.board, text).ok().filter(|mv| of.board.is_legal(*mv))
            };
            let moves: Vec<Move> = self.of.get(&of.id)?.iter().filter_map(legal).collect();
            (!moves.is_empty()).then_some(Found { of, moves })
        };
        positions.iter().filter_map(found).collect()
    }

    fn add(&mut self, position: &str, mv: &str) {
        if !mv.is_empty() {
            let moves = self.of.entry(position.to_owned()).or_default();
            if moves.iter().all(|known| known != mv) {
                moves.push(mv.to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::SampleKey;
    use ttd_search::positions;

    #[test]
    fn moves_of_the_deeper_half_are_found_once() {
        assert_eq!([1, 2, 9, 10, 11].map(first_depth), [1, 2, 5, 6, 6]);
        let set = positions::parse("4k3/8/8/8/8/8/4P3/4K3 w - - id \"a\";", "a.epd").expect("one");
        let sample = |searcher: &str, status, best_move: &str| Sample {
            searcher: searcher.to_owned(),
            threads: 2,
            position: "a".to_owned(),
            depth: 6,
            status,
            best_move: best_move.to_owned(),
            ..Sample::default()
        };
        let mut moves = Moves::new(&[
            sample("ybwc", SampleStatus::Ok, "e2e4"),
            sample("ybwc", SampleStatus::Censored, ""),
            sample("dts", SampleStatus::Failed, "e1d1"),
        ]);
        let row = |searcher: &str, depth, best_move: Option<&str>| Of {
            sample: SampleKey {
                round: 1,
                searcher: searcher.to_owned(),
                threads: 2,
                position: "a".to_owned(),
            },
            part: IterationRow {
                depth,
                best_move: best_move.map(str::to_owned),
                ..IterationRow::default()
            },
        };
        moves.iteration(&row("ybwc", 3, Some("e1f2")));
        moves.iteration(&row("ybwc", 4, Some("e2e3")));
        moves.iteration(&row("ybwc", 5, Some("e2e4")));
        moves.iteration(&row("ybwc", 6, Some("e2e5")));
        moves.iteration(&row("ybwc", 6, None));
        moves.iteration(&row("dts", 6, Some("e1d2")));
        let found = moves.found(&set);
        let texts: Vec<String> = found[0].moves.iter().map(Move::to_string).collect();
        assert_eq!((found.len(), texts), (1, vec!["e2e4".to_owned(), "e2e3".to_owned()]));
        assert_eq!(moves.without(), 1);
    }
}
