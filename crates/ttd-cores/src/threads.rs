//! Threads as the schedule sees them: clocks, states, times. And the queue of those that are due.
//!
//! The queue is a binary heap from which any thread can be taken. Ties are broken by a word that
//! comes with the thread, and then by its number.

/// Virtual time in picoseconds, from the start of the program.
pub type Picoseconds = i64;

/// The number of a thread. Numbers of threads that were removed are given again.
pub type Id = usize;

/// The largest number of threads at a time.
pub const MOST_THREADS: usize = 1024;

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
    /// Its busy time before that.
    pub(crate) past: Picoseconds,
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
    /// Ready, in the line for a processor since its clock.
    InLine,
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
        Thread { state, clock, serial, timed_out: false, spent, past: 0, since: clock }
    }

    /// Its busy time since its start.
    pub(crate) fn busy(&self) -> Picoseconds {
        self.past + self.spent.busy
    }

    /// The end of its time until `now`: a thread that waits does so until then.
    pub(crate) fn end(&self, now: Picoseconds) -> Picoseconds {
        let runs = matches!(self.state, State::Running | State::Ready | State::Done);
        if runs { self.clock } else { self.clock.max(now) }
    }

    /// Its time until `now`, in kinds.
    pub(crate) fn spent(&self, now: Picoseconds) -> Spent {
        let end = self.end(now);
        let in_line = if self.state == State::InLine { end - self.clock } else { 0 };
        let (busy, queue) = (self.spent.busy, self.spent.queue + in_line);
        Spent { busy, queue, wait: end - self.since - busy - queue }
    }
}

/// The first thread that waits for a key: it has waited longest.
pub(crate) fn first_waiting(threads: &[Thread], key: usize) -> Option<Id> {
    let waits = |id: &Id| threads[*id].state == State::Blocked { key };
    let order = |id: &Id| (threads[*id].clock, threads[*id].serial);
    (0..threads.len()).filter(waits).min_by_key(order)
}

/// The clock of the latest thread.
pub(crate) fn latest(threads: &[Thread]) -> Picoseconds {
    let exists = |thread: &&Thread| thread.state != State::Removed;
    threads.iter().filter(exists).map(|thread| thread.clock).max().unwrap_or_default()
}

/// Puts a new thread into the table: its number, or `None` if there are [`MOST_THREADS`].
pub(crate) fn put(threads: &mut Vec<Thread>, thread: Thread) -> Option<Id> {
    let free = threads.iter().position(|thread| thread.state == State::Removed);
    let id = free.unwrap_or(threads.len());
    match threads.get_mut(id) {
        Some(place) => *place = thread,
        None if id < MOST_THREADS => threads.push(thread),
        None => return None,
    }
    Some(id)
}

/// The times of all threads.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// The last reading of input.
    read: Picoseconds,
    /// Threads that ended since then: their serials and times.
    ended: Vec<(u64, Spent)>,
    /// The busy time of all threads since the start of the program.
    pub(crate) busy: Picoseconds,
}

impl Ledger {
    /// A thread ends.
    pub(crate) fn end(&mut self, thread: &Thread) {
        let spent = thread.spent(thread.clock);
        let is_full = self.ended.len() >= MOST_THREADS;
        match self.ended.last_mut() {
            // Of so many threads the later ones are told in one sum.
            Some((_, sum)) if is_full => {
                sum.busy += spent.busy;
                sum.wait += spent.wait;
                sum.queue += spent.queue;
            }
            _ => self.ended.push((thread.serial, spent)),
        }
    }

    /// Input was read: times begin anew.
    pub(crate) fn begin(&mut self, now: Picoseconds, threads: &mut [Thread]) {
        self.read = now;
        self.ended.clear();
        for thread in threads {
            thread.past += thread.spent.busy;
            (thread.since, thread.spent) = (thread.end(now), Spent::default());
        }
    }

    /// The last reading, and the times since then of all threads, in the order of their making.
    pub(crate) fn account(
        &self,
        now: Picoseconds,
        threads: &[Thread],
    ) -> (Picoseconds, Vec<Spent>) {
        let lives = |thread: &&Thread| !matches!(thread.state, State::Done | State::Removed);
        let mut all = self.ended.clone();
        let living = threads.iter().filter(lives);
        all.extend(living.map(|thread| (thread.serial, thread.spent(now))));
        all.sort_unstable_by_key(|&(serial, _)| serial);
        (self.read, all.into_iter().map(|(_, spent)| spent).collect())
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
    /// An empty queue.
    pub(crate) fn new() -> Self {
        Queue { heap: Vec::with_capacity(MOST_THREADS), places: vec![None; MOST_THREADS] }
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

/// A hash of 64 bits: the finaliser of `SplitMix64` (Steele, Lea, Flood 2014).
pub fn hash(word: u64) -> u64 {
    let word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}
