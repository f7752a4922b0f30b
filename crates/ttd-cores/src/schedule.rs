//! Which thread runs next, and for how long: plain data, without threads.
//!
//! Each thread has a clock, in picoseconds of virtual time. The ready thread with the earliest
//! clock runs. It may be ahead of the next one by a quantum before that one takes its turn. Ties
//! are broken by a hash of the seed. A queue (a binary heap) holds the ready threads and those that
//! wait with a deadline; the running thread is not in it.
//!
//! A function of the seed and of the calls alone: no clock, no address and no order of a map.

/// Virtual time in picoseconds, from the start of the program.
pub type Picoseconds = i64;

/// The number of a thread. Numbers of threads that were removed are given again.
pub type Id = usize;

/// The largest number of threads at a time.
pub const MOST_THREADS: usize = 1024;

/// Virtual time that a thread may run when no other thread wants to: 50 µs.
const ALONE: Picoseconds = 50_000_000;

/// Waits that end by their deadline, one after the other, until a program counts as idle although
/// it polls. A thread that uses up its allowance begins the count anew.
const IDLE_POLLS: u32 = 64;

/// A wait is idle, too, if its deadline is further off than this: 1 s.
const FAR: Picoseconds = 1_000_000_000_000;

/// No wait ends later, so that no clock overflows: 26 days.
const LATEST: Picoseconds = Picoseconds::MAX / 4;

/// The numbers of a schedule. Times are picoseconds of virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Breaks ties, and draws latencies.
    pub seed: u64,
    /// How far a thread may be ahead of the next one before that one runs.
    pub quantum: Picoseconds,
    /// Mean time from the creation of a thread to its first step; draws lie within half of it.
    pub start: Picoseconds,
    /// Mean time from a wake-up to the next step of the woken; draws lie within half of it.
    pub wake: Picoseconds,
}

impl Default for Settings {
    /// A quantum of 10 µs, 20 µs to start a thread and 5 µs to wake one.
    fn default() -> Self {
        Settings { seed: 1, quantum: 10_000_000, start: 20_000_000, wake: 5_000_000 }
    }
}

/// A thread as the schedule sees it.
#[derive(Clone, Copy, Debug)]
struct Thread {
    state: State,
    clock: Picoseconds,
    /// When it wants to run: its clock, or the deadline of its wait.
    due: Picoseconds,
    tie: u64,
    /// The number of threads that were made before it: its name for draws.
    serial: u64,
    /// Its index in the queue.
    place: Option<usize>,
    timed_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Ready,
    Blocked {
        key: usize,
    },
    /// It waits for something outside the program, and gets it when all others are quiet.
    External,
    Done,
    Removed,
}

/// Who runs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This thread, perhaps the one that asked.
    Thread(Id),
    /// Nobody: every thread waits for another one, or is done.
    Nobody,
}

/// The schedule. Exactly one thread runs, unless the last answer was [`Next::Nobody`].
#[derive(Debug)]
pub struct Schedule {
    settings: Settings,
    threads: Vec<Thread>,
    /// Threads that are ready or have a deadline: a heap by [`Schedule::is_before`].
    queue: Vec<Id>,
    running: Id,
    /// The number of ready threads in the queue.
    ready: usize,
    spawned: u64,
    draws: u64,
    polls: u32,
}

impl Schedule {
    /// A schedule of one thread, number 0, which runs at time 0.
    pub fn new(settings: Settings) -> Self {
        let mut threads = Vec::with_capacity(MOST_THREADS);
        threads.push(Thread {
            state: State::Running,
            clock: 0,
            due: 0,
            tie: 0,
            serial: 0,
            place: None,
            timed_out: false,
        });
        let queue = Vec::with_capacity(MOST_THREADS);
        Schedule { settings, threads, queue, running: 0, ready: 0, spawned: 1, draws: 0, polls: 0 }
    }

    /// The thread that runs.
    pub fn running(&self) -> Id {
        self.running
    }

    /// The clock of the thread that runs.
    pub fn now(&self) -> Picoseconds {
        self.threads[self.running].clock
    }

    /// The number of threads that were ever made.
    pub fn spawned(&self) -> u64 {
        self.spawned
    }

    /// Adds to the clock of the thread that runs; nobody takes its turn yet.
    pub fn charge(&mut self, time: Picoseconds) {
        self.threads[self.running].clock += time;
    }

    /// How long the running thread may go on before somebody looks again; at least 1.
    pub fn allowance(&self) -> Picoseconds {
        let most = ALONE.max(self.settings.quantum);
        self.lead().map_or(ALONE, |lead| (self.settings.quantum - lead).min(most)).max(1)
    }

    /// The end of an allowance: the next thread takes its turn if this one is a quantum ahead.
    pub fn turn(&mut self) -> Next {
        self.polls = 0;
        if self.lead().is_none_or(|lead| lead < self.settings.quantum) {
            return Next::Thread(self.running);
        }
        self.give_way()
    }

    /// The running thread lets others go first that are not later than it.
    pub fn yield_now(&mut self) -> Next {
        if self.lead().is_none_or(|lead| lead < 0) {
            return Next::Thread(self.running);
        }
        self.give_way()
    }

    /// How far the running thread is ahead of the first of the queue.
    fn lead(&self) -> Option<Picoseconds> {
        self.queue.first().map(|&first| self.now() - self.threads[first].due)
    }

    fn give_way(&mut self) -> Next {
        let clock = self.now();
        self.make_ready(self.running, clock);
        self.choose()
    }

    /// The running thread waits until `key` is woken, or until the deadline.
    pub fn block(&mut self, key: usize, deadline: Option<Picoseconds>) -> Next {
        let id = self.running;
        self.threads[id].state = State::Blocked { key };
        self.threads[id].timed_out = false;
        if let Some(deadline) = deadline {
            let due = deadline.min(LATEST).max(self.threads[id].clock);
            self.insert(id, due);
        }
        self.choose()
    }

    /// Whether the last wait of the running thread ended by its deadline.
    pub fn timed_out(&self) -> bool {
        self.threads[self.running].timed_out
    }

    /// Wakes up to `most` threads that wait for `key`, the earliest first; says how many.
    pub fn wake(&mut self, key: usize, most: usize) -> usize {
        let now = self.now();
        let mut woken = 0;
        while woken < most {
            let waits = |id: &Id| self.threads[*id].state == State::Blocked { key };
            let order = |id: &Id| (self.threads[*id].clock, self.threads[*id].serial);
            let Some(id) = (0..self.threads.len()).filter(waits).min_by_key(order) else { break };
            if self.threads[id].place.is_some() {
                self.take_from_queue(id);
            }
            let latency = self.draw(self.settings.wake);
            let clock = self.threads[id].clock.max(now + latency);
            self.make_ready(id, clock);
            self.polls = 0;
            woken += 1;
        }
        woken
    }

    /// A new thread, ready after the latency of a start. `None` if there are [`MOST_THREADS`].
    pub fn spawn(&mut self) -> Option<Id> {
        let clock = self.now() + self.draw(self.settings.start);
        let thread = Thread {
            state: State::Removed,
            clock,
            due: clock,
            tie: 0,
            serial: self.spawned,
            place: None,
            timed_out: false,
        };
        let id = match self.threads.iter().position(|thread| thread.state == State::Removed) {
            Some(id) => {
                self.threads[id] = thread;
                id
            }
            None if self.threads.len() < MOST_THREADS => {
                self.threads.push(thread);
                self.threads.len() - 1
            }
            None => return None,
        };
        self.spawned += 1;
        self.polls = 0;
        self.make_ready(id, clock);
        Some(id)
    }

    /// The running thread ends and wakes all that wait for `key`. Its number stays taken until
    /// [`Schedule::remove_done`].
    pub fn exit(&mut self, key: usize) -> Next {
        self.wake(key, usize::MAX);
        self.threads[self.running].state = State::Done;
        self.choose()
    }

    /// Whether a thread has ended.
    pub fn is_done(&self, id: Id) -> bool {
        self.threads[id].state == State::Done
    }

    /// The running thread learns of the end of another one: it is not earlier than that.
    pub fn join(&mut self, id: Id) {
        let end = self.threads[id].clock;
        let own = &mut self.threads[self.running].clock;
        *own = end.max(*own);
    }

    /// Takes a thread that is done out; its number may be given again.
    ///
    /// # Panics
    ///
    /// If the thread is not done.
    pub fn remove_done(&mut self, id: Id) {
        assert!(self.is_done(id), "thread {id} is taken out before its end");
        self.threads[id].state = State::Removed;
    }

    /// The running thread waits for something outside. It goes on when all other threads are quiet.
    /// Its clock is then that of the latest thread.
    pub fn external_wait(&mut self) -> Next {
        self.threads[self.running].state = State::External;
        self.choose()
    }

    /// The next thread. The one that ran is in the queue, or waits, or is done.
    fn choose(&mut self) -> Next {
        let external = |thread: &Thread| thread.state == State::External;
        if self.ready == 0
            && let Some(id) = self.threads.iter().position(external)
            && let Some(latest) = self.quiet_since()
        {
            self.threads[id].clock = latest;
            self.polls = 0;
            return self.run(id);
        }
        let Some(&id) = self.queue.first() else { return Next::Nobody };
        self.take_from_queue(id);
        let thread = &mut self.threads[id];
        if thread.state == State::Ready {
            self.ready -= 1;
        } else {
            thread.timed_out = true;
            thread.clock = thread.due;
            self.polls += 1;
        }
        self.run(id)
    }

    /// The clock of the latest thread, if those that wait do nothing but poll, or sleep for long.
    fn quiet_since(&self) -> Option<Picoseconds> {
        let exists = |thread: &&Thread| thread.state != State::Removed;
        let latest = self.threads.iter().filter(exists).map(|thread| thread.clock).max();
        let latest = latest.unwrap_or_default();
        let first = self.queue.first().map(|&first| self.threads[first].due);
        let is_quiet = self.polls >= IDLE_POLLS || first.is_none_or(|due| due - latest > FAR);
        is_quiet.then_some(latest)
    }

    fn run(&mut self, id: Id) -> Next {
        self.threads[id].state = State::Running;
        self.running = id;
        Next::Thread(id)
    }

    fn make_ready(&mut self, id: Id, clock: Picoseconds) {
        self.threads[id].state = State::Ready;
        self.threads[id].clock = clock;
        self.ready += 1;
        self.insert(id, clock);
    }

    /// A latency around its mean: from half of it to one and a half.
    fn draw(&mut self, mean: Picoseconds) -> Picoseconds {
        self.draws += 1;
        let draw = hash(self.settings.seed ^ self.draws.rotate_left(32));
        mean / 2 + (draw % (mean.max(0) as u64 + 1)) as Picoseconds
    }

    fn is_before(&self, one: Id, other: Id) -> bool {
        let key = |id: Id| (self.threads[id].due, self.threads[id].tie, id);
        key(one) < key(other)
    }

    fn insert(&mut self, id: Id, due: Picoseconds) {
        let seed = self.settings.seed;
        let thread = &mut self.threads[id];
        thread.due = due;
        thread.tie = hash(seed ^ thread.serial.rotate_left(48) ^ due as u64);
        thread.place = Some(self.queue.len());
        self.queue.push(id);
        self.rise(self.queue.len() - 1);
    }

    fn take_from_queue(&mut self, id: Id) {
        let place = self.threads[id].place.take().expect("a thread of the queue has its place");
        let last = self.queue.pop().expect("the queue holds the thread");
        if last != id {
            self.queue[place] = last;
            self.threads[last].place = Some(place);
            self.rise(place);
            self.sink(self.threads[last].place.unwrap_or(place));
        }
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 && self.is_before(self.queue[place], self.queue[(place - 1) / 2]) {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let children = (2 * place + 1)..(2 * place + 3).min(self.queue.len());
            let earlier = |one: usize, other: usize| {
                if self.is_before(self.queue[other], self.queue[one]) { other } else { one }
            };
            let Some(child) = children.reduce(earlier) else { return };
            if self.is_before(self.queue[place], self.queue[child]) {
                return;
            }
            self.swap(place, child);
            place = child;
        }
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.queue.swap(one, other);
        self.threads[self.queue[one]].place = Some(one);
        self.threads[self.queue[other]].place = Some(other);
    }
}

/// A hash of 64 bits: the finaliser of `SplitMix64` (Steele, Lea, Flood 2014).
pub fn hash(word: u64) -> u64 {
    let word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}
