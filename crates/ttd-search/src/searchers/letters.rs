//! Letters between workers that divide nodes and share no memory, and their form as bytes.
//!
//! The leader of a divided node sends an order to the first worker of each part. That worker sends
//! back what it has found, and the nodes of its group. Both ends are one program.

use super::division::share;
use crate::cores::Time;
use crate::engine::{Board, Bound, Entry, Move, Moved, Piece, Position, Score, Square, Stage};
use crate::search::{Frame, FramesAbout, Line, Node, NodeKind, SharedState, Turn};
use crate::wire::Portable;
use std::ops::Range;

/// An order: to search a part of a node's moves with a group of workers.
#[derive(Clone)]
pub(super) struct Order {
    /// The number of the division, unique in its search.
    pub(super) number: u64,
    /// The worker that leads it.
    pub(super) leader: usize,
    pub(super) position: Position,
    pub(super) node: Node,
    /// The keys of the positions of the search on the way to the node.
    pub(super) path: Vec<u64>,
    pub(super) frames: FramesAbout,
    /// The lower bound that is known.
    pub(super) alpha: Score,
    pub(super) turns: Vec<Turn>,
    pub(super) parts: Parts,
    /// The chain of work that leads to the order.
    pub(super) span: Time,
}

/// The part of a divided node that one group has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// The workers of all parts.
    pub(super) whole: Range<usize>,
    /// The number of parts, 1 or more.
    pub(super) count: usize,
    /// The number of this part.
    pub(super) own: usize,
}

impl Parts {
    /// The workers of one part.
    pub(super) fn group(&self, part: usize) -> Range<usize> {
        share(&self.whole, part, self.count)
    }

    /// The workers of this part.
    pub(super) fn own_group(&self) -> Range<usize> {
        self.group(self.own)
    }
}

/// The results of some moves.
pub(super) struct Found {
    pub(super) number: u64,
    /// The numbers of turns, and the scores of their moves, in the order in which they were found.
    pub(super) scores: Vec<(usize, Score)>,
    /// The best line from the node on, if one is wanted.
    pub(super) line: Option<Line>,
    /// Whether this was all of the part.
    pub(super) done: bool,
    /// The first worker of the group, and the number of nodes that each has searched so far.
    pub(super) nodes: (usize, Vec<u64>),
}

pub(super) enum Letter {
    Order(Order),
    Found(Found),
    /// The lower bound of a divided node has risen to this.
    Alpha(u64, Score),
    /// A divided node was cut off.
    Cut(u64),
}

impl Letter {
    pub(super) fn packed(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Letter::Order(order) => {
                bytes.push(0);
                order.put(&mut bytes);
            }
            Letter::Found(Found { number, scores, line, done, nodes }) => {
                bytes.push(1);
                number.put(&mut bytes);
                scores.put(&mut bytes);
                line.put(&mut bytes);
                done.put(&mut bytes);
                nodes.put(&mut bytes);
            }
            Letter::Alpha(number, alpha) => {
                bytes.push(2);
                (*number, *alpha).put(&mut bytes);
            }
            Letter::Cut(number) => {
                bytes.push(3);
                number.put(&mut bytes);
            }
        }
        bytes
    }

    pub(super) fn read(bytes: &[u8], shared: &SharedState<'_>) -> Option<Letter> {
        let (kind, mut bytes) = bytes.split_first()?;
        let bytes = &mut bytes;
        Some(match kind {
            0 => Letter::Order(Order::take(bytes, shared)?),
            1 => {
                let (number, scores, line) =
                    (Portable::take(bytes)?, Portable::take(bytes)?, Portable::take(bytes)?);
                let (done, nodes) = (Portable::take(bytes)?, Portable::take(bytes)?);
                Letter::Found(Found { number, scores, line, done, nodes })
            }
            2 => {
                let (number, alpha) = Portable::take(bytes)?;
                Letter::Alpha(number, alpha)
            }
            3 => Letter::Cut(Portable::take(bytes)?),
            _ => return None,
        })
    }
}

impl Order {
    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        let Order { number, leader, position, node, path, frames, alpha, turns, parts, .. } = self;
        (*number, *leader).put(bytes);
        // Every worker knows the root, whose key may be another than that of its board.
        let board = (node.ply > 0).then(|| format!("{:#}", position.board()));
        board.put(bytes);
        (node.ply, node.depth).put(bytes);
        [node.beta, node.ceiling, node.evaluation].put(bytes);
        [node.pv, node.principal, node.cuts, node.improving].put(bytes);
        (node.kind as usize).put(bytes);
        node.entry.put(bytes);
        for key in path {
            bytes.extend_from_slice(&key.to_le_bytes());
        }
        frames.frames.put(bytes);
        if frames.iteration > 0 {
            frames.iteration.put(bytes);
        }
        alpha.put(bytes);
        turns.len().put(bytes);
        for Turn { mv, stage, quiet, number, .. } in turns {
            mv.put(bytes);
            (*number, (*stage as usize) << 1 | usize::from(*quiet)).put(bytes);
        }
        [parts.whole.start, parts.whole.end, parts.count, parts.own].put(bytes);
    }

    pub(super) fn take(bytes: &mut &[u8], shared: &SharedState<'_>) -> Option<Order> {
        let (number, leader) = Portable::take(bytes)?;
        let board: Option<String> = Portable::take(bytes)?;
        let position = match board {
            None => shared.root.clone(),
            Some(board) => Position::new(Board::from_fen(&board, true).ok()?),
        };
        let (ply, depth) = Portable::take(bytes)?;
        let [beta, ceiling, evaluation] = Portable::take(bytes)?;
        let [pv, principal, cuts, improving] = Portable::take(bytes)?;
        let kind = *NodeKind::ALL.get(usize::take(bytes)?)?;
        let entry = Portable::take(bytes)?;
        let mut path = Vec::with_capacity(ply + 1);
        for _ in 0..=ply {
            let (key, rest) = bytes.split_first_chunk()?;
            path.push(u64::from_le_bytes(*key));
            *bytes = rest;
        }
        let frames = Portable::take(bytes)?;
        // The sender has an iteration if values depend on it.
        let by_depth = shared.techniques.values_by_depth.enabled;
        let iteration = if by_depth { Portable::take(bytes)? } else { 0 };
        let frames = FramesAbout { frames, iteration };
        let alpha = Portable::take(bytes)?;
        let count = usize::take(bytes)?;
        let mut turns = Vec::new();
        for _ in 0..count {
            let (mv, (number, rest)) = (Move::take(bytes)?, <(usize, usize)>::take(bytes)?);
            let stage = stage(rest >> 1)?;
            let quiet = rest & 1 == 1;
            turns.push(Turn { mv, stage, quiet, number, alpha, safe: false });
        }
        let [start, end, count, own] = Portable::take(bytes)?;
        let parts = Parts { whole: start..end, count, own };
        let node = Node {
            ply,
            depth,
            beta,
            pv,
            principal,
            ceiling,
            cuts,
            kind,
            excluded: None,
            in_check: position.in_check(),
            evaluation,
            improving,
            checks: position.checks(),
            entry,
            counted: (0, 0),
        };
        let span = Time::ZERO;
        Some(Order { number, leader, position, node, path, frames, alpha, turns, parts, span })
    }
}

fn stage(index: usize) -> Option<Stage> {
    use Stage::{Capture, LosingCapture, Quiet, Refutation, Table};
    [Table, Capture, Refutation, Quiet, LosingCapture].get(index).copied()
}

impl Portable for Move {
    fn put(&self, bytes: &mut Vec<u8>) {
        let becomes = self.promotion.map_or(0, |piece| 1 + piece as u8);
        bytes.extend_from_slice(&[self.from as u8, self.to as u8, becomes]);
    }

    fn take(bytes: &mut &[u8]) -> Option<Move> {
        let ([from, to, becomes], rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        let square = |index: &u8| Square::try_index(usize::from(*index));
        let promotion = match becomes {
            0 => None,
            piece => Some(Piece::try_index(usize::from(piece - 1))?),
        };
        Some(Move { from: square(from)?, to: square(to)?, promotion })
    }
}

impl Portable for Entry {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.best.put(bytes);
        (self.score, self.depth).put(bytes);
        (self.bound as usize).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Entry> {
        let (best, (score, depth)) = (Portable::take(bytes)?, Portable::take(bytes)?);
        let bound = *[Bound::Lower, Bound::Upper, Bound::Exact].get(usize::take(bytes)?)?;
        Some(Entry { best, score, depth, bound })
    }
}

impl Portable for Frame {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.evaluation.put(bytes);
        self.moved.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Frame> {
        let (evaluation, moved): (_, Option<Moved>) =
            (Portable::take(bytes)?, Portable::take(bytes)?);
        Some(Frame { evaluation, moved })
    }
}
