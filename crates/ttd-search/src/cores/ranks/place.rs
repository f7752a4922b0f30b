//! The place of one rank in one search: the messages that it exchanges with the others, besides
//! those of the searcher.

use crate::cores::dilation::{Dilation, factor, slowed};
use crate::cores::{Mail, RunError, Time, Transport};
use crate::wire::Portable;
use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

/// The length of the number of a search, at the end of each message.
const NUMBER_BYTES: usize = 4;

/// The kind of a message: its last byte but those of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Of the searcher.
    Letter = 0,
    /// To rank 0: the rank is prepared.
    Ready = 1,
    /// Of rank 0: the search begins.
    Go = 2,
    /// To rank 0: the search is to end.
    Enough = 3,
    /// Of rank 0: the search has ended at this time.
    End = 4,
    /// To rank 0: the results of the rank.
    Results = 5,
    /// The rank has failed, and why.
    Failed = 6,
    /// Of rank 0: it has the results of all.
    Over = 7,
    /// Between searches, of the program that calls for them.
    Note = 8,
}

impl Kind {
    const ALL: [Kind; 9] = [
        Kind::Letter,
        Kind::Ready,
        Kind::Go,
        Kind::Enough,
        Kind::End,
        Kind::Results,
        Kind::Failed,
        Kind::Over,
        Kind::Note,
    ];

    /// A message of this kind.
    pub(super) fn join(self, mut message: Vec<u8>, search: u32) -> Vec<u8> {
        message.push(self as u8);
        message.extend_from_slice(&search.to_le_bytes());
        message
    }

    /// Takes the kind and the number of the search off the end of a message.
    pub(super) fn split(message: &mut Vec<u8>) -> Option<(Kind, u32)> {
        let (rest, number) = message.split_last_chunk::<NUMBER_BYTES>()?;
        let (&kind, rest) = rest.split_last()?;
        let found = (*Kind::ALL.get(usize::from(kind))?, u32::from_le_bytes(*number));
        message.truncate(rest.len());
        Some(found)
    }
}

/// The place of one rank in one search: its end of the transport, and all that it has heard.
///
/// Owned by the thread of the rank. Invariant: `inbox` has the letters of this search that have
/// come and were not received, in their order. Until "go" it has letters of any search, as `early`
/// tells.
pub(super) struct Place<'t> {
    pub(super) transport: &'t dyn Transport,
    pub(super) workers: usize,
    search: u32,
    dilation: Option<Dilation>,
    pub(super) start: Option<Instant>,
    pub(super) inbox: VecDeque<Mail>,
    /// Of each letter that came before "go": the number of its search.
    early: VecDeque<u32>,
    /// Whether this rank has asked rank 0 to end the search.
    pub(super) asked: bool,
    pub(super) end: Option<Time>,
    ready: usize,
    /// The results of the ranks from 1 on; rank 0 keeps them.
    pub(super) results: Vec<Option<Vec<u8>>>,
    pub(super) is_over: bool,
    pub(super) failure: Option<String>,
}

impl<'t> Place<'t> {
    pub(super) fn new(
        transport: &'t dyn Transport,
        workers: usize,
        search: u32,
        dilation: Option<Dilation>,
    ) -> Place<'t> {
        Place {
            transport,
            workers,
            search,
            dilation,
            start: None,
            inbox: VecDeque::new(),
            early: VecDeque::new(),
            asked: false,
            end: None,
            ready: 0,
            results: vec![None; workers.saturating_sub(1)],
            is_over: false,
            failure: None,
        }
    }

    pub(super) fn now(&self) -> Time {
        self.after(Duration::ZERO)
    }

    /// The time of the search when so much more wall time has gone by.
    pub(super) fn after(&self, more: Duration) -> Time {
        let elapsed = self.start.map_or(Duration::ZERO, |start| start.elapsed() + more);
        slowed(elapsed, factor(self.dilation))
    }

    pub(super) fn send(&self, to: usize, kind: Kind, message: Vec<u8>) {
        self.transport.send(to, kind.join(message, self.search));
    }

    /// Sends a message to every other rank, also to those that have no worker in the search.
    pub(super) fn tell_all(&self, kind: Kind, message: &[u8]) {
        let me = self.transport.rank();
        for to in (0..self.transport.size()).filter(|&to| to != me) {
            self.send(to, kind, message.to_vec());
        }
    }

    /// Takes in all messages that have come. One that comes after the search stays where it is.
    pub(super) fn look(&mut self) {
        while !self.is_over
            && let Some((from, message)) = self.transport.try_receive()
        {
            self.hear(from, message);
        }
    }

    fn hear(&mut self, from: usize, mut message: Vec<u8>) {
        let Some((kind, search)) = Kind::split(&mut message) else { return };
        let is_known = self.start.is_some();
        if is_known && search != self.search {
            return;
        }
        match kind {
            Kind::Letter => {
                if !is_known {
                    self.early.push_back(search);
                }
                self.inbox.push_back(Mail { from, message, span: Time::ZERO });
            }
            Kind::Ready => self.ready += 1,
            Kind::Go => self.go(search),
            Kind::Enough if self.transport.rank() == 0 => {
                self.end();
            }
            Kind::End => self.end = u64::take(&mut &message[..]).map(Time::from_ps),
            Kind::Results => {
                if let Some(place) = self.results.get_mut(from.wrapping_sub(1)) {
                    *place = Some(message);
                }
            }
            Kind::Failed => {
                self.failure.get_or_insert_with(|| String::from_utf8_lossy(&message).into_owned());
                self.end.get_or_insert(Time::ZERO);
            }
            Kind::Over => self.is_over = true,
            Kind::Enough | Kind::Note => {}
        }
    }

    /// The search of this number begins now. Letters of others are dropped.
    fn go(&mut self, search: u32) {
        self.search = search;
        self.start = Some(Instant::now());
        let early = std::mem::take(&mut self.early);
        let letters = std::mem::take(&mut self.inbox).into_iter().zip(early);
        self.inbox = letters.filter(|(_, of)| *of == search).map(|(mail, _)| mail).collect();
    }

    /// Ends the search, or asks rank 0 to. Returns the time if this call has ended it.
    pub(super) fn end(&mut self) -> Option<Time> {
        if self.end.is_some() || self.asked {
            return None;
        }
        if self.transport.rank() > 0 {
            self.asked = true;
            self.send(0, Kind::Enough, Vec::new());
            return None;
        }
        let now = self.now();
        self.end = Some(now);
        self.tell_all(Kind::End, &now.ps().packed());
        Some(now)
    }

    /// Looks for messages until `done`. The time before it gives way to other ranks is `spin`. In
    /// dilated time it sleeps between looks.
    pub(super) fn wait(&mut self, spin: Duration, done: impl Fn(&Place<'t>) -> bool) {
        let spin_until = Instant::now() + spin;
        loop {
            self.look();
            if done(self) {
                return;
            }
            if Instant::now() < spin_until {
                (0..32).for_each(|_| std::hint::spin_loop());
            } else if let Some(dilation) = self.dilation {
                thread::sleep(dilation.pause());
            } else {
                thread::yield_now();
            }
        }
    }

    /// Waits until all ranks are prepared, and begins the search together with them.
    pub(super) fn begin(&mut self) {
        let others = self.transport.size() - 1;
        if self.transport.rank() > 0 {
            self.send(0, Kind::Ready, Vec::new());
            self.wait(Duration::ZERO, |place| place.start.is_some() || place.failure.is_some());
        } else {
            self.wait(Duration::ZERO, |place| place.ready >= others || place.failure.is_some());
            self.tell_all(Kind::Go, &[]);
            self.go(self.search);
        }
    }

    /// This rank has failed: tells all others why.
    pub(super) fn fail(&mut self, why: String) {
        self.tell_all(Kind::Failed, why.as_bytes());
        self.transport.abort(&why);
        self.failure.get_or_insert(why);
    }

    pub(super) fn result(&mut self) -> Result<(), RunError> {
        self.failure.take().map_or(Ok(()), |why| Err(RunError::Broken(why)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::Channels;

    #[test]
    fn letters_wait_for_go_and_those_of_other_searches_are_dropped() {
        let ends = Channels::between(2);
        let mut place = Place::new(&ends[1], 2, 0, None);
        for (search, byte) in [(7, 1), (8, 2), (7, 3)] {
            ends[0].send(1, Kind::Letter.join(vec![byte], search));
        }
        place.look();
        ends[0].send(1, Kind::Go.join(Vec::new(), 7));
        ends[0].send(1, Kind::Letter.join(vec![4], 6));
        ends[0].send(1, vec![1, 2]);
        ends[0].send(1, Kind::Letter.join(vec![5], 7));
        place.look();
        let letters = place.inbox.iter().map(|mail| mail.message[0]);
        assert_eq!(letters.collect::<Vec<_>>(), [1, 3, 5]);
    }
}
