//! The letters of a search on their way between workers, and the costs of their ways.

use crate::cores::Mail;
use crate::cores::time::Time;
use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

/// The costs of messages between workers on virtual cores. By default they cost nothing.
///
/// The sender is busy for `overhead_ps`. The message comes `latency_ps` after that, and `byte_ps`
/// later for each of its bytes. Each message has its own way: none waits for another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// The time from the end of sending until the message is there, ps.
    pub latency_ps: u64,
    /// The further time for each byte, ps.
    pub byte_ps: u64,
    /// The time that a message takes its sender, ps.
    pub overhead_ps: u64,
}

/// The letters of a search.
///
/// Invariants: the ready queue has one event for each letter on its way, at the time of its coming.
/// Letters that come at one time come in the order in which they were sent.
pub(super) struct MailRoom {
    pub(super) network: Network,
    pub(super) boxes: Box<[RefCell<VecDeque<Mail>>]>,
    on_the_way: Box<[RefCell<BinaryHeap<Reverse<Letter>>>]>,
    sent: Cell<u64>,
}

/// A letter on its way, ordered by the time of its coming, and then by its number.
struct Letter {
    place: (Time, u64),
    mail: Mail,
}

impl PartialEq for Letter {
    fn eq(&self, other: &Letter) -> bool {
        self.place == other.place
    }
}

impl Eq for Letter {}

impl PartialOrd for Letter {
    fn partial_cmp(&self, other: &Letter) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Letter {
    fn cmp(&self, other: &Letter) -> Ordering {
        self.place.cmp(&other.place)
    }
}

impl MailRoom {
    pub(super) fn new(workers: usize, network: Network) -> MailRoom {
        MailRoom {
            network,
            boxes: (0..workers).map(|_| RefCell::default()).collect(),
            on_the_way: (0..workers).map(|_| RefCell::default()).collect(),
            sent: Cell::new(0),
        }
    }

    /// Puts a letter on its way to a worker. Returns the time of its coming, or none if it is
    /// there.
    pub(super) fn send(&self, to: usize, mail: Mail, now: Time) -> Option<Time> {
        let bytes = self.network.byte_ps * mail.message.len() as u64;
        let way = Time::from_ps(self.network.latency_ps + bytes);
        if way == Time::ZERO {
            self.boxes[to].borrow_mut().push_back(mail);
            return None;
        }
        self.sent.set(self.sent.get() + 1);
        let comes = now + way;
        let letter = Letter { place: (comes, self.sent.get()), mail };
        self.on_the_way[to].borrow_mut().push(Reverse(letter));
        Some(comes)
    }

    /// The next letter to a worker comes. Returns whether there was one.
    pub(super) fn arrive(&self, worker: usize) -> bool {
        let letter = self.on_the_way[worker].borrow_mut().pop();
        let Some(Reverse(Letter { mail, .. })) = letter else { return false };
        self.boxes[worker].borrow_mut().push_back(mail);
        true
    }

    pub(super) fn is_empty(&self, worker: usize) -> bool {
        self.boxes[worker].borrow().is_empty()
    }
}
