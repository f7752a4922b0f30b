//! Transports: ways on which the ranks of a job send bytes to each other.

use super::affinity;
use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A rank's end of a transport. The rank that owns it is the only one that uses it.
///
/// Any transport keeps this: a message comes whole and once. Messages of one rank to another come
/// in the order in which they were sent. Messages of different ranks may come in any order.
pub trait Transport: fmt::Debug {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn size(&self) -> usize;

    /// Sends a message. It does not wait until that is received.
    fn send(&self, to: usize, message: Vec<u8>);

    /// The next message that has come, with the rank that sent it. It does not wait for one.
    fn try_receive(&self) -> Option<(usize, Vec<u8>)>;

    /// Ends the job, all its ranks, for this reason: something is broken beyond repair.
    ///
    /// It may come back where ranks are threads of one process. Their searches fail by a message.
    fn abort(&self, why: &str);

    /// Whether more ranks than cores share the machine. A rank that waits gives way then.
    fn is_crowded(&self) -> bool;
}

/// A transport over channels between threads of one process.
///
/// Invariant: `to[i]` leads to the receiver of rank `i`. A channel keeps messages in order, and
/// hands over all that their sender wrote before.
#[derive(Debug)]
pub struct Channels {
    rank: usize,
    pub(super) to: Vec<Sender<(usize, Vec<u8>)>>,
    from: Receiver<(usize, Vec<u8>)>,
}

impl Channels {
    /// The ends of a transport between so many ranks, in their order.
    pub fn between(ranks: usize) -> Vec<Channels> {
        let (to, from): (Vec<_>, Vec<_>) = (0..ranks).map(|_| channel()).unzip();
        let end = |(rank, from)| Channels { rank, to: to.clone(), from };
        from.into_iter().enumerate().map(end).collect()
    }
}

impl Transport for Channels {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        // A rank that has gone wants no message.
        let _ = self.to[to].send((self.rank, message));
    }

    fn try_receive(&self) -> Option<(usize, Vec<u8>)> {
        self.from.try_recv().ok()
    }

    fn abort(&self, _why: &str) {}

    fn is_crowded(&self) -> bool {
        self.size() > affinity::usable()
    }
}
