//! An idealised machine: parts of a search cost nothing there, or are known before.
//!
//! `ttd explain` compares such searches with the search as it is. Only virtual cores heed a
//! [`IdealMachine`], and only searchers whose workers share nodes by a rule.

use super::Node;
use crate::cores::sync::Mutex;
use crate::engine::{Move, Score};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The parts of a search that an idealised machine has for nothing; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ideal {
    /// Work is found at once. Each node is open to others as soon as the rule lets it be shared.
    /// It does not wait until a busy worker has seen an idle one. The split is paid for
    /// when the node is done, and only if a worker has joined it. An owner that is alone there
    /// pays for no section.
    pub found_at_once: bool,
    /// No work is aborted. A node that was cut off, by its known fate, is not shared: its worker
    /// searches the move that cuts off next. An abort that is left is noticed at once.
    pub no_aborts: bool,
    /// The last alpha of a shared node is known from the start, by its known fate.
    pub final_alpha: bool,
    /// A defect that a test planted.
    pub planted: Option<Planted>,
}

/// A machine, which records the fates of the nodes that its workers may share.
#[derive(Debug, Default)]
pub struct IdealMachine {
    /// The parts that it has for nothing.
    pub(crate) ideal: Ideal,
    /// The fates that an earlier run recorded.
    known: Arc<Fates>,
    recorded: Mutex<Fates>,
}

/// A defect for tests of `ttd explain`, which has to name it. No user can plant one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// Each move of a shared node is handed out under a lock of the whole board.
    LongLock,
    /// A busy worker asks for idle ones before one move of 32.
    SeldomAsks,
    /// A helper leaves after its first move, and does not look for more until it is called.
    StopsEarly,
    /// A worker whose work is aborted goes on for the time of 100 nodes.
    LateAborts,
    /// Moves of shared nodes with an open window are handed out with an alpha that is a fifth of
    /// a pawn too low.
    StaleAlpha,
}

/// The stays in the board's section that [`Planted::LongLock`] adds to a move.
pub(crate) const LONG_LOCK: usize = 8;
/// The moves from one question for idle workers to the next, by [`Planted::SeldomAsks`].
pub(crate) const SELDOM: u64 = 32;
/// The nodes for whose time [`Planted::LateAborts`] lets a worker go on.
pub(crate) const LATE: usize = 100;
/// The centipawns that [`Planted::StaleAlpha`] takes off alpha.
pub(crate) const STALE: Score = 20;

/// The fates of the nodes that may be shared: their cutoffs, and their last alphas.
///
/// A node is known again by its position and its depth. So the fate of one iteration is not that of
/// another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fates {
    /// The move that cut off, and its score, by the position's key and the depth.
    cutters: BTreeMap<Place, (Move, Score)>,
    /// The least beta at which a node was searched to its end and not cut off, by the position's
    /// key and the depth. It corrects the cutoffs of an earlier run.
    uncut: BTreeMap<Place, Score>,
    /// The last alpha of an open window, if a move reached it, by the position's key and the depth.
    alphas: BTreeMap<Place, Score>,
}

/// The key of a position, and the depth.
type Place = (u64, i32);

impl Fates {
    /// The number of nodes whose fate is known.
    pub fn count(&self) -> usize {
        self.cutters.len() + self.alphas.len()
    }

    /// These fates after a later run: its cutoffs, and these where it did not come. A cutoff goes
    /// if the later run searched the node to its end at a beta that the cutoff's score reaches. A
    /// last alpha stays only if it was that of both runs: where one did otherwise, a third may too.
    #[must_use]
    pub fn after(&self, later: &Fates) -> Fates {
        let mut after = self.clone();
        let stands = |place: &Place, score| later.uncut.get(place).is_none_or(|beta| score < *beta);
        after.cutters.retain(|place, (_, score)| stands(place, *score));
        after.cutters.extend(later.cutters.clone());
        after.alphas.retain(|place, alpha| later.alphas.get(place) == Some(alpha));
        after
    }

    /// Notes the fate of the position with this key.
    fn note(&mut self, key: u64, node: &Node, fate: Fate) {
        let place = (key, node.depth);
        match fate.best_move {
            Some(cutter) if fate.is_cut => {
                self.cutters.insert(place, (cutter, fate.best));
            }
            best_move => {
                // It was no cutoff after all, unless that was one of a lower beta.
                if self.cutters.get(&place).is_some_and(|(_, score)| *score >= node.beta) {
                    self.cutters.remove(&place);
                }
                let least = self.uncut.entry(place).or_insert(node.beta);
                *least = node.beta.min(*least);
                if node.pv && best_move.is_some() {
                    self.alphas.insert(place, fate.best);
                }
            }
        }
    }
}

/// The fate of a node that may be shared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fate {
    /// The move that raised alpha last.
    pub(crate) best_move: Option<Move>,
    /// The best score.
    pub(crate) best: Score,
    /// Whether that move cut the node off.
    pub(crate) is_cut: bool,
}

impl IdealMachine {
    /// A machine that replays these fates, as far as it is ideal.
    pub fn new(ideal: Ideal, known: Arc<Fates>) -> IdealMachine {
        IdealMachine { ideal, known, recorded: Mutex::default() }
    }

    /// The fates that this run recorded.
    pub fn into_recorded(self) -> Fates {
        self.recorded.into_inner()
    }

    /// Notes what became of a node that may be shared.
    pub(crate) fn record(&self, key: u64, node: &Node, fate: Fate) {
        self.recorded.lock().note(key, node, fate);
    }

    /// The move that will cut a node off, if no work is to be aborted and that is known.
    pub(crate) fn cutter(&self, key: u64, node: &Node) -> Option<Move> {
        let cutter = self.known.cutters.get(&(key, node.depth)).filter(|_| self.ideal.no_aborts);
        cutter.filter(|(_, score)| *score >= node.beta).map(|(cutter, _)| *cutter)
    }

    /// An alpha above `alpha`, if the last one is to be known from the start. The best move of the
    /// node still stands out from it.
    pub(crate) fn foretold(&self, key: u64, node: &Node, alpha: Score) -> Option<Score> {
        let last = self.known.alphas.get(&(key, node.depth)).filter(|_| self.ideal.final_alpha)?;
        // One less: the best move has to raise it.
        // Without cutoffs alpha never rises, so that nothing would tell whether a move reached it.
        let is_open = node.cuts && node.pv && *last < node.beta;
        is_open.then_some(last - 1).filter(|foretold| *foretold > alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Board, Position, Square};
    use crate::search::NodeKind;

    fn node(pv: bool, beta: Score) -> Node {
        let kind = if pv { NodeKind::Pv } else { NodeKind::Cut };
        Node {
            ply: 3,
            depth: 5,
            beta,
            ceiling: beta,
            pv,
            principal: pv,
            cuts: true,
            kind,
            excluded: None,
            in_check: false,
            evaluation: 0,
            improving: false,
            checks: Position::new(Board::default()).checks(),
            entry: None,
            counted: (0, 0),
        }
    }

    fn fate(best: Score, is_cut: bool) -> Fate {
        let mv = Move { from: Square::E2, to: Square::E4, promotion: None };
        Fate { best_move: Some(mv), best, is_cut }
    }

    #[test]
    fn fates_are_known_again_by_position_and_depth() {
        let first = IdealMachine::default();
        let cut = node(false, 10);
        first.record(7, &cut, fate(30, true));
        first.record(8, &node(true, 90), fate(40, false));
        let known = Arc::new(first.into_recorded());
        assert_eq!(known.count(), 2);
        let ideal = Ideal { no_aborts: true, ..Ideal::default() };
        let again = IdealMachine::new(ideal, Arc::clone(&known));
        assert!(again.cutter(7, &cut).is_some());
        assert!(again.cutter(7, &node(false, 30)).is_some(), "it reaches this beta too");
        assert_eq!(again.cutter(7, &node(false, 31)), None);
        assert_eq!(again.cutter(8, &cut), None);
        assert_eq!(again.cutter(7, &Node { depth: 6, ..cut }), None, "another iteration");
        assert_eq!(again.foretold(8, &node(true, 90), 0), None, "nobody asked for it");
        let again = IdealMachine::new(Ideal { final_alpha: true, ..Ideal::default() }, known);
        assert_eq!(again.cutter(7, &cut), None);
        assert_eq!(again.foretold(8, &node(true, 90), 0), Some(39));
        assert_eq!(again.foretold(8, &node(true, 90), 39), None, "it would raise nothing");
        assert_eq!(again.foretold(8, &node(true, 40), 0), None, "it would close the window");
        assert_eq!(again.foretold(8, &node(false, 90), 0), None, "a null window has one alpha");
        let uncut = Node { cuts: false, ..node(true, 90) };
        assert_eq!(again.foretold(8, &uncut, 0), None, "without cutoffs no move raises alpha");
    }

    #[test]
    fn a_later_run_corrects_the_fates() {
        let machine = IdealMachine::default();
        machine.record(7, &node(false, 10), fate(30, true));
        machine.record(7, &node(false, 40), fate(35, false));
        assert_eq!(machine.recorded.lock().count(), 1, "it was cut off at a lower beta");
        machine.record(7, &node(false, 20), fate(15, false));
        machine.record(8, &node(true, 90), fate(40, false));
        machine.record(9, &node(true, 90), fate(50, false));
        for key in 1..=4 {
            machine.record(key, &node(false, 10), fate(30, true));
        }
        let first = machine.into_recorded();
        let later = IdealMachine::default();
        later.record(5, &node(false, 10), fate(30, true));
        later.record(8, &node(true, 90), fate(40, false));
        later.record(9, &node(true, 90), fate(51, false));
        later.record(1, &node(false, 10), fate(5, false)); // it failed low
        later.record(2, &node(false, 40), fate(35, false)); // at a higher beta
        later.record(3, &node(false, 10), fate(5, false));
        later.record(3, &node(false, 40), fate(35, false));
        let after = first.after(&later.into_recorded());
        assert_eq!(after.cutters.keys().collect::<Vec<_>>(), [&(2, 5), &(4, 5), &(5, 5)]);
        let last = IdealMachine::default();
        last.record(2, &node(false, 30), fate(25, false));
        let last = after.after(&last.into_recorded());
        assert_eq!(last.cutters.keys().collect::<Vec<_>>(), [&(4, 5), &(5, 5)]);
        assert_eq!(after.alphas.keys().collect::<Vec<_>>(), [&(8, 5)]);
    }
}
