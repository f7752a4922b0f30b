//! Threads as the schedule sees them: clocks, states, times. And the queue of those that are due.
//!
//! The queue is a binary heap from which any thread can be taken. Ties are broken by a word that
//! comes with the thread, and then by its number.

/// Virtual time in picoseconds, from the start of the program.
pub type Picoseconds = i64;

/// The number of a thread. Numbers of threads that were removed are given again.
pub type Id = usize;

/// A thread as the schedule sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    pub(crate) state: State,
    pub(crate) clock: Picoseconds,
    /// The number of threads that were made before it: its name for draws.
    pub(crate) serial: u64,
    pub(crate) timed_out: bool,
    /// Its time since the last reading of input.
    pub(crate) spent: Spent,
    /// Its clock when that began: of the reading, or of its own start.
    pub(crate) since: Picoseconds,
}

/// The time of one thread, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Executed instructions, and calls of the system.
    pub busy: Picoseconds,
    /// Waits: for other threads, for a time, for input, and for its start after a wake-up.
    pub wait: Picoseconds,
    /// Ready, but without a processor.
    pub queue: Picoseconds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    Ready,
    Blocked {
        key: usize,
    },
    /// It waits for something outside the program, and gets it when all others are quiet; or until
    /// the deadline.
    External {
        until: Option<Picoseconds>,
    },
    Done,
    Removed,
}

impl Thread {
    pub(crate) fn new(state: State, clock: Picoseconds, serial: u64) -> Self {
        let spent = Spent::default();
        Thread { state, clock, serial, timed_out: false, spent, since: clock }
    }

    /// The end of its time until `now`: a thread that waits does so until then.
    pub(crate) fn end(&self, now: Picoseconds) -> Picoseconds {
        let waits = matches!(self.state, State::Blocked { .. } | State::External { .. });
        if waits { self.clock.max(now) } else { self.clock }
    }

    /// Its time until `now`, in kinds.
    pub(crate) fn spent(&self, now: Picoseconds) -> Spent {
        let Spent { busy, queue, .. } = self.spent;
        Spent { wait: self.end(now) - self.since - busy - queue, ..self.spent }
    }
}

/// A thread in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    due: Picoseconds,
    tie: u64,
    id: Id,
}

/// The queue.
///
/// Invariants: no entry is before the one at half its index (rounded, from 0). `places` has the
/// index of each thread in the heap, and `None` for all others.
#[derive(Debug)]
pub(crate) struct Queue {
    heap: Vec<Entry>,
    places: Vec<Option<usize>>,
}

impl Queue {
    /// An empty queue, with room for so many threads.
    pub(crate) fn new(most: usize) -> Self {
        Queue { heap: Vec::with_capacity(most), places: vec![None; most] }
    }

    /// The thread that wants to run first, and when.
    pub(crate) fn first(&self) -> Option<(Id, Picoseconds)> {
        self.heap.first().map(|entry| (entry.id, entry.due))
    }

    /// Puts a thread in that is not there.
    pub(crate) fn insert(&mut self, id: Id, due: Picoseconds, tie: u64) {
        self.heap.push(Entry { due, tie, id });
        self.rise(self.heap.len() - 1);
    }

    /// Takes the first one out.
    pub(crate) fn pop(&mut self) -> Option<(Id, Picoseconds)> {
        let first = self.first()?;
        self.remove(first.0);
        Some(first)
    }

    /// Takes a thread out, if it is there.
    pub(crate) fn remove(&mut self, id: Id) {
        let Some(place) = self.places[id].take() else { return };
        let last = self.heap.pop().expect("the queue holds the thread");
        if last.id != id {
            self.heap[place] = last;
            self.rise(place);
            self.sink(self.places[last.id].unwrap_or(place));
        }
    }

    /// Moves the entry of a place up to where it belongs.
    fn rise(&mut self, mut place: usize) {
        let entry = self.heap[place];
        while place > 0 && entry < self.heap[(place - 1) / 2] {
            self.put(place, self.heap[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        self.put(place, entry);
    }

    /// Moves the entry of a place down to where it belongs.
    fn sink(&mut self, mut place: usize) {
        let entry = self.heap[place];
        loop {
            let children = (2 * place + 1)..(2 * place + 3).min(self.heap.len());
            let Some(child) = children.min_by_key(|&child| self.heap[child]) else { break };
            if entry < self.heap[child] {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, entry);
    }

    fn put(&mut self, place: usize, entry: Entry) {
        self.heap[place] = entry;
        self.places[entry.id] = Some(place);
    }
}
