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

/// Waits that end by their deadline, one after the other, until a program counts as idle although
/// it polls. A thread that uses up its allowance begins the count anew.
const IDLE_POLLS: u32 = 64;

/// A wait is idle, too, if its deadline is further off than this: 1 s.
const FAR: Picoseconds = 1_000_000_000_000;

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
    /// The thing that it waits for, or waited for last.
    pub(crate) waits: Doing,
    /// Its last stretch that was not busy, which may become longer. It is busy since then.
    pub(crate) open: Span,
}

/// The occupation of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It executes instructions, or is in a call of the system.
    Busy,
    /// It is ready and has no processor, or its processor goes over to it.
    Queue,
    /// It waits for a mutex, for a lock of readers and a writer, or for another's first call.
    Lock,
    /// It waits for a condition variable or a futex.
    Condition,
    /// It waits for a barrier or a semaphore.
    Barrier,
    /// It waits for the end of another thread.
    Join,
    /// It waits for a time.
    Sleep,
    /// It waits for a line of input.
    Input,
}

impl Doing {
    /// Its name in timelines.
    pub fn name(self) -> &'static str {
        match self {
            Doing::Busy => "busy",
            Doing::Queue => "queue",
            Doing::Lock => "lock",
            Doing::Condition => "condition",
            Doing::Barrier => "barrier",
            Doing::Join => "join",
            Doing::Sleep => "sleep",
            Doing::Input => "input",
        }
    }
}

/// A stretch of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) doing: Doing,
    pub(crate) from: Picoseconds,
    pub(crate) to: Picoseconds,
}

impl Span {
    /// A stretch without length.
    pub(crate) fn at(time: Picoseconds) -> Self {
        Span { doing: Doing::Busy, from: time, to: time }
    }
}

/// Who runs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This thread, perhaps the one that asked.
    Thread(Id),
    /// Nobody: every thread waits for another one, or is done.
    Nobody,
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
        let (spent, waits, open) = (Spent::default(), Doing::Sleep, Span::at(clock));
        Thread { state, clock, serial, timed_out: false, spent, past: 0, since: clock, waits, open }
    }

    /// Whether it has not ended.
    pub(crate) fn lives(&self) -> bool {
        !matches!(self.state, State::Done | State::Removed)
    }

    /// Its occupation while its clock goes on without work.
    pub(crate) fn doing(&self) -> Doing {
        if self.state == State::InLine { Doing::Queue } else { self.waits }
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
        // Whoever asks may be behind the reading.
        let end = self.end(now).max(self.since);
        let in_line = end - self.clock.max(self.since);
        let in_line = if self.state == State::InLine { in_line } else { 0 };
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
fn latest(threads: &[Thread]) -> Picoseconds {
    let exists = |thread: &&Thread| thread.state != State::Removed;
    threads.iter().filter(exists).map(|thread| thread.clock).max().unwrap_or_default()
}

/// The clock of the latest thread, if those that wait do nothing but poll, or sleep for long.
pub(crate) fn quiet_since(threads: &[Thread], queue: &Queue, polls: u32) -> Option<Picoseconds> {
    let latest = latest(threads);
    let first = queue.first();
    let is_quiet = polls >= IDLE_POLLS || first.is_none_or(|(_, due)| due - latest > FAR);
    is_quiet.then_some(latest)
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
