//! The letters of workers that ask each other for moves, and their form as bytes.

use crate::engine::Score;
use crate::search::{Line, SharedState};
use crate::searchers::letters::Order;
use crate::wire::Portable;

/// A question for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    /// The worker that asks.
    pub(super) asker: usize,
    /// The number of its question. A later question has a greater one, and ends all before.
    pub(super) number: u64,
    /// The number of times that a worker without moves to give may pass it on by chance.
    pub(super) hops: usize,
    /// The shared node below which the work must lie, if anywhere else will not do.
    pub(super) below: Option<u64>,
}

/// A move to search.
pub(super) struct Work {
    /// The node, and the only move.
    pub(super) order: Order,
    /// The number of the question that it answers.
    pub(super) ask: u64,
    /// Whether some move has shown that the side to move is not being mated.
    pub(super) safe: bool,
    /// Questions of others that the giver could not answer.
    pub(super) asks: Vec<Ask>,
}

/// The result of a move that was given away.
pub(super) struct Done {
    /// The shared node.
    pub(super) number: u64,
    /// The move's number, and its score unless it was pruned.
    pub(super) turn: usize,
    pub(super) score: Option<Score>,
    /// The best line from the node on, if one is wanted.
    pub(super) line: Option<Line>,
    /// The number of the next question of the worker, if it has no other work.
    pub(super) ask: Option<u64>,
    /// Workers, and the numbers of nodes that each has searched.
    pub(super) nodes: Vec<(usize, u64)>,
}

pub(super) enum Letter {
    Ask(Ask),
    Work(Work),
    Done(Done),
    /// The lower bound of a shared node has risen to this.
    Alpha(u64, Score),
    /// A shared node was cut off, or is not wanted any more.
    Cut(u64),
}

impl Letter {
    pub(super) fn packed(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Letter::Ask(ask) => {
                bytes.push(0);
                ask.put(&mut bytes);
            }
            Letter::Work(Work { order, ask, safe, asks }) => {
                bytes.push(1);
                order.put(&mut bytes);
                (*ask, *safe).put(&mut bytes);
                asks.put(&mut bytes);
            }
            Letter::Done(Done { number, turn, score, line, ask, nodes }) => {
                bytes.push(2);
                (*number, *turn).put(&mut bytes);
                score.put(&mut bytes);
                line.put(&mut bytes);
                ask.put(&mut bytes);
                nodes.put(&mut bytes);
            }
            Letter::Alpha(number, alpha) => {
                bytes.push(3);
                (*number, *alpha).put(&mut bytes);
            }
            Letter::Cut(number) => {
                bytes.push(4);
                number.put(&mut bytes);
            }
        }
        bytes
    }

    pub(super) fn read(bytes: &[u8], shared: &SharedState<'_>) -> Option<Letter> {
        let (kind, mut bytes) = bytes.split_first()?;
        let bytes = &mut bytes;
        Some(match kind {
            0 => Letter::Ask(Ask::take(bytes)?),
            1 => {
                let order = Order::take(bytes, shared)?;
                let ((ask, safe), asks) = (Portable::take(bytes)?, Portable::take(bytes)?);
                Letter::Work(Work { order, ask, safe, asks })
            }
            2 => {
                let ((number, turn), score) = (Portable::take(bytes)?, Portable::take(bytes)?);
                let (line, ask) = (Portable::take(bytes)?, Portable::take(bytes)?);
                let nodes = Portable::take(bytes)?;
                Letter::Done(Done { number, turn, score, line, ask, nodes })
            }
            3 => {
                let (number, alpha) = Portable::take(bytes)?;
                Letter::Alpha(number, alpha)
            }
            4 => Letter::Cut(Portable::take(bytes)?),
            _ => return None,
        })
    }
}

impl Portable for Ask {
    fn put(&self, bytes: &mut Vec<u8>) {
        let Ask { asker, number, hops, below } = self;
        (*asker, *number).put(bytes);
        hops.put(bytes);
        below.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Ask> {
        let (asker, number) = Portable::take(bytes)?;
        let (hops, below) = (Portable::take(bytes)?, Portable::take(bytes)?);
        Some(Ask { asker, number, hops, below })
    }
}
