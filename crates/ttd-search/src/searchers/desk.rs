//! The divided nodes in which a worker takes part that shares no memory with others.
//!
//! The sum over all moves of a divided node is its leader's alone. Others send results, and the
//! leader adds them up in the order in which they come.

use super::letters::{Found, Letter, Order, Parts};
use super::split_point::number;
use crate::cores::{Core, Messenger, Split, Time};
use crate::engine::{Position, Score};
use crate::search::{
    Counters, Dependencies, Effect, Line, Node, Progress, SharedState, Turn, UnsharedMoves, Worker,
};
use std::collections::VecDeque;

/// A divided node in which a worker takes part.
pub(super) struct Division {
    pub(super) number: u64,
    pub(super) leader: usize,
    pub(super) node: Node,
    pub(super) parts: Parts,
    /// The greatest lower bound that the worker has heard of, and the chain of work to it.
    pub(super) alpha: Score,
    pub(super) alpha_span: Time,
    /// Whether a cutoff ends it before all results are there; and whether it was cut off.
    pub(super) ends_at_cut: bool,
    pub(super) is_cut: bool,
    /// The leader's results of all parts.
    pub(super) sum: Option<Sum>,
}

/// The results of a divided node. Owned by its leader.
///
/// Invariant: `missing` is the number of orders whose results are not there yet.
pub(super) struct Sum {
    pub(super) progress: Progress,
    line: Line,
    /// All turns that were given out.
    pub(super) turns: Vec<Turn>,
    pub(super) missing: usize,
    /// The workers that are done with their orders, in the order in which they were heard of.
    pub(super) free: VecDeque<usize>,
    dependencies: Dependencies,
}

impl Division {
    /// The division that a worker makes of a node. The results begin with those of `moves`.
    pub(super) fn made<C: Core, P>(
        worker: &Worker<'_, C, P>,
        node: &Node,
        parts: Parts,
        moves: &mut UnsharedMoves,
    ) -> Division {
        let dependencies = moves.hand_over(&worker.core);
        let sum = Sum {
            progress: moves.progress.clone(),
            line: Line::new(),
            turns: Vec::new(),
            missing: 0,
            free: VecDeque::new(),
            dependencies,
        };
        Division {
            number: number(worker),
            leader: worker.core.id(),
            node: *node,
            parts,
            alpha: sum.progress.alpha,
            alpha_span: sum.dependencies.alpha(),
            ends_at_cut: false,
            is_cut: false,
            sum: Some(sum),
        }
    }

    /// Whether all results are there that are needed.
    pub(super) fn is_done(&self) -> bool {
        self.is_cut || self.sum.as_ref().is_none_or(|sum| sum.missing == 0)
    }

    /// The division as a timeline shows it.
    pub(super) fn shown(&self) -> Split {
        let Node { ply, depth, kind, .. } = self.node;
        Split { number: self.number, ply, depth, kind: kind.name(), searched: 0 }
    }

    /// Adds scores to the results of all, at the end of the chain of work `span`.
    pub(super) fn add<C: Core>(
        &mut self,
        core: &mut C,
        scores: &[(usize, Score)],
        line: Option<&Line>,
        span: Time,
    ) {
        let Some(sum) = &mut self.sum else { return };
        for &(number, score) in scores {
            let turn = sum.turns.iter().find(|turn| turn.number == number);
            let turn = turn.expect("a result is of a turn that was given out");
            if sum.progress.absorb(&self.node, turn, score)
                && let Some(line) = line.filter(|line| line.first() == Some(&turn.mv))
            {
                sum.line.clone_from(line);
            }
        }
        let effect = match (self.is_cut, self.ends_at_cut && sum.progress.is_cut(&self.node)) {
            (true, _) => Effect::TooLate,
            (false, true) => Effect::Cut,
            (false, false) => Effect::on_alpha(sum.progress.alpha > self.alpha),
        };
        self.alpha = sum.progress.alpha;
        self.is_cut |= effect == Effect::Cut;
        let own = core.span();
        core.continue_from(span);
        sum.dependencies.come_back(core, effect);
        core.continue_from(own);
        self.alpha_span = sum.dependencies.alpha();
    }

    /// Puts the result into the leader's loop.
    pub(super) fn conclude<C: Core, P>(
        self,
        worker: &mut Worker<'_, C, P>,
        moves: &mut UnsharedMoves,
    ) {
        let Some(Sum { progress, line, dependencies, .. }) = self.sum else { return };
        dependencies.conclude(&mut worker.core);
        moves.progress = progress;
        if self.node.pv {
            *worker.line_mut(self.node.ply) = line;
        }
    }

    /// An order to take part, at the place where the worker is. It has no turns yet.
    pub(super) fn order<C: Core, P>(
        &self,
        worker: &Worker<'_, C, P>,
        position: &Position,
    ) -> Order {
        Order {
            number: self.number,
            leader: self.leader,
            position: position.clone(),
            node: self.node,
            path: worker.path.since(worker.shared.past.len()).to_vec(),
            frames: worker.frames_about(self.node.ply),
            alpha: self.alpha,
            turns: Vec::new(),
            parts: self.parts.clone(),
            span: Time::ZERO,
        }
    }

    /// The letter with results of the worker's own part. If that is `done`, the nodes of its group
    /// go along.
    pub(super) fn found(
        &self,
        shared: &SharedState<'_>,
        scores: Vec<(usize, Score)>,
        line: Option<&Line>,
        done: bool,
    ) -> Vec<u8> {
        let group = self.parts.own_group();
        let first = group.start;
        let nodes = group.filter(|_| done).map(|rank| shared.nodes_of(rank)).collect();
        let (number, line) = (self.number, line.filter(|_| self.node.pv).cloned());
        Letter::Found(Found { number, scores, line, done, nodes: (first, nodes) }).packed()
    }

    /// The letter that tells alpha.
    pub(super) fn told_alpha(&self) -> Vec<u8> {
        Letter::Alpha(self.number, self.alpha).packed()
    }

    /// The letter that tells of a cutoff.
    pub(super) fn told_cut(&self) -> Vec<u8> {
        Letter::Cut(self.number).packed()
    }
}

impl Order {
    /// Sets a worker up at the node, as if it had come there by itself. Returns the division, and
    /// what to search.
    pub(super) fn enter<C, P>(
        self,
        worker: &mut Worker<'_, C, P>,
    ) -> (Division, Position, Vec<Turn>) {
        worker.path.truncate(worker.shared.past.len());
        for &key in &self.path {
            worker.path.push(key);
        }
        worker.take_frames(self.node.ply, &self.frames);
        let Order { number, leader, node, parts, alpha, span: alpha_span, .. } = self;
        let (ends_at_cut, is_cut, sum) = (false, false, None);
        let division =
            Division { number, leader, node, parts, alpha, alpha_span, ends_at_cut, is_cut, sum };
        (division, self.position, self.turns)
    }
}

/// Sends a letter, and counts it.
pub(super) fn post<C: Messenger>(
    core: &mut C,
    counters: &mut Counters,
    to: usize,
    letter: Vec<u8>,
) {
    counters.messages += 1;
    counters.message_bytes += letter.len() as u64;
    core.send(to, letter);
}

/// The desk of one worker: the divisions in which it takes part, and the orders that it has not
/// begun.
///
/// Invariant: `open` has the divisions on the worker's stack, the outermost first. A division is
/// led by this worker, or it is the first of a stay that an order began.
#[derive(Default)]
pub(super) struct Desk {
    pub(super) open: Vec<Division>,
    pub(super) orders: VecDeque<Order>,
    /// The division that was cut off last. Its order may still be on the way.
    last_cut: Option<u64>,
}

impl Desk {
    /// Reads all letters that have come.
    pub(super) fn read<C: Messenger>(&mut self, core: &mut C, shared: &SharedState<'_>) {
        while let Some(mail) = core.receive() {
            let letter = Letter::read(&mail.message, shared);
            let letter = letter.expect("a letter is written by this program");
            match letter {
                Letter::Order(order) => self.await_turn(Order { span: mail.span, ..order }),
                Letter::Found(found) => self.take(core, shared, (mail.from, mail.span), &found),
                Letter::Alpha(number, alpha) => self.raise(number, alpha, mail.span),
                Letter::Cut(number) => self.cut(number),
            }
        }
    }

    /// An order waits until the worker comes to it, unless a cutoff has overtaken it.
    fn await_turn(&mut self, order: Order) {
        if self.last_cut != Some(order.number) {
            self.orders.push_back(order);
        }
    }

    /// A division has a greater lower bound, whether the worker has begun its part or not.
    fn raise(&mut self, number: u64, alpha: Score, span: Time) {
        if let Some(division) = self.find(number)
            && alpha > division.alpha
        {
            division.alpha = alpha;
            division.alpha_span = division.alpha_span.max(span);
        }
        let waiting = self.orders.iter_mut().filter(|order| order.number == number);
        for order in waiting.filter(|order| alpha > order.alpha) {
            (order.alpha, order.span) = (alpha, order.span.max(span));
        }
    }

    /// A division is cut off: a part that is not begun never is.
    fn cut(&mut self, number: u64) {
        self.last_cut = Some(number);
        self.orders.retain(|order| order.number != number);
        if let Some(division) = self.find(number) {
            division.is_cut = true;
        }
    }

    fn find(&mut self, number: u64) -> Option<&mut Division> {
        self.open.iter_mut().find(|division| division.number == number)
    }

    fn take<C: Core>(
        &mut self,
        core: &mut C,
        shared: &SharedState<'_>,
        (from, span): (usize, Time),
        found: &Found,
    ) {
        let (first, nodes) = &found.nodes;
        for (rank, &nodes) in (*first..).zip(nodes) {
            // Where workers share their process, they count there, and a letter may be old.
            if nodes > shared.nodes_of(rank) {
                shared.tally(rank, nodes);
            }
        }
        let Some(division) = self.find(found.number) else { return };
        division.add(core, &found.scores, found.line.as_ref(), span);
        if let Some(sum) = division.sum.as_mut().filter(|_| found.done) {
            sum.missing -= 1;
            sum.free.push_back(from);
        }
    }

    /// The innermost division.
    pub(super) fn innermost(&mut self) -> &mut Division {
        self.open.last_mut().expect("a worker takes part in the division whose moves it searches")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::NodeKind;

    fn order(number: u64) -> Order {
        let position = Position::new(cozy_chess::Board::default());
        let node = Node {
            ply: 0,
            depth: 3,
            beta: 900,
            pv: true,
            principal: true,
            ceiling: 900,
            cuts: true,
            kind: NodeKind::Pv,
            excluded: None,
            in_check: false,
            evaluation: 0,
            improving: false,
            checks: position.checks(),
            entry: None,
            counted: (0, 0),
        };
        let parts = Parts { whole: 0..2, count: 2, own: 1 };
        let (path, turns, span) = (Vec::new(), Vec::new(), Time::from_ps(5));
        let frames = crate::search::FramesAbout::default();
        Order { number, leader: 0, position, node, path, frames, alpha: -50, turns, parts, span }
    }

    #[test]
    fn news_of_a_division_that_is_not_begun_is_heard() {
        let mut desk = Desk::default();
        desk.await_turn(order(7));
        desk.await_turn(order(8));
        desk.raise(7, 30, Time::from_ps(9));
        desk.raise(7, -80, Time::from_ps(11));
        let known = |desk: &Desk| -> Vec<(u64, Score, u64)> {
            desk.orders.iter().map(|of| (of.number, of.alpha, of.span.ps())).collect()
        };
        assert_eq!(known(&desk), [(7, 30, 9), (8, -50, 5)]);
        desk.cut(7);
        assert_eq!(known(&desk), [(8, -50, 5)], "its order is not begun any more");
        // A short letter overtakes a long one.
        desk.cut(9);
        desk.await_turn(order(9));
        desk.await_turn(order(10));
        assert_eq!(known(&desk), [(8, -50, 5), (10, -50, 5)]);
    }
}
