//! Which thread runs next, and for how long: plain data, without threads.
//!
//! Each thread has a clock, in picoseconds of virtual time. The ready thread with the earliest
//! clock runs. It may be ahead of the next one by a quantum before that one takes its turn. Ties
//! are broken by a hash of the seed. The queue holds the ready threads and those that wait with a
//! deadline; the running thread is not in it.
//!
//! A function of the seed and of the calls alone: no clock, no address and no order of a map.

pub use crate::threads::{Id, Picoseconds, Spent};
use crate::threads::{Queue, State, Thread};

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
    /// Threads that are ready or have a deadline.
    queue: Queue,
    running: Id,
    /// The number of ready threads in the queue.
    ready: usize,
    spawned: u64,
    draws: u64,
    polls: u32,
    /// When external waits end although others are not quiet.
    alarm: Option<Picoseconds>,
    /// The last reading of input.
    read: Picoseconds,
    /// Threads that ended since then: their serials and times.
    ended: Vec<(u64, Spent)>,
    /// The busy time of all threads since the start.
    busy: Picoseconds,
}

impl Schedule {
    /// A schedule of one thread, number 0, which runs at time 0.
    pub fn new(settings: Settings) -> Self {
        let mut threads = Vec::with_capacity(MOST_THREADS);
        threads.push(Thread::new(State::Running, 0, 0));
        Schedule {
            settings,
            threads,
            queue: Queue::new(MOST_THREADS),
            running: 0,
            ready: 0,
            spawned: 1,
            draws: 0,
            polls: 0,
            alarm: None,
            read: 0,
            ended: Vec::new(),
            busy: 0,
        }
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
        let thread = &mut self.threads[self.running];
        thread.clock += time;
        thread.spent.busy += time;
        self.busy += time;
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
        self.queue.first().map(|(_, due)| self.now() - due)
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
            self.queue.remove(id);
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
        let thread = Thread::new(State::Removed, clock, self.spawned);
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
        let thread = &mut self.threads[self.running];
        thread.state = State::Done;
        self.ended.push((thread.serial, thread.spent(thread.clock)));
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
    /// Its clock is then that of the latest thread. Or it goes on at the deadline, as
    /// [`Schedule::timed_out`] says then, or at the alarm ([`Schedule::takes_alarm`]).
    pub fn external_wait(&mut self, until: Option<Picoseconds>) -> Next {
        self.threads[self.running].timed_out = false;
        self.wait_outside(self.running, until);
        self.choose()
    }

    fn wait_outside(&mut self, id: Id, until: Option<Picoseconds>) {
        self.threads[id].state = State::External { until };
        if let Some(due) = until.into_iter().chain(self.alarm).min() {
            self.insert(id, due.min(LATEST).max(self.threads[id].clock));
        }
    }

    /// External waits end at this time, whatever others do, or at no time. Until the alarm is taken
    /// nothing else ends them but their own deadlines.
    pub fn set_alarm(&mut self, at: Option<Picoseconds>) {
        self.alarm = at;
        for id in 0..self.threads.len() {
            if let State::External { until } = self.threads[id].state {
                self.queue.remove(id);
                self.wait_outside(id, until);
            }
        }
    }

    /// Whether the running thread is at the alarm, which it takes off then.
    pub fn takes_alarm(&mut self) -> bool {
        let is_due = self.alarm.is_some_and(|at| at <= self.now());
        if is_due {
            self.set_alarm(None);
        }
        is_due
    }

    /// The running thread has read input: accounts begin anew.
    pub fn reads(&mut self) {
        let now = self.now();
        self.read = now;
        self.ended.clear();
        for thread in &mut self.threads {
            (thread.since, thread.spent) = (thread.end(now), Spent::default());
        }
    }

    /// The last reading of input, and what each thread has spent since then, in the order in which
    /// threads were made. Threads that ended since are there, too. Their clocks, and so their sums,
    /// differ by a quantum.
    pub fn account(&self) -> (Picoseconds, Vec<Spent>) {
        let now = self.now();
        let lives = |thread: &&Thread| !matches!(thread.state, State::Done | State::Removed);
        let living = self.threads.iter().filter(lives);
        let mut all = self.ended.clone();
        all.extend(living.map(|thread| (thread.serial, thread.spent(now))));
        all.sort_unstable_by_key(|&(serial, _)| serial);
        (self.read, all.into_iter().map(|(_, spent)| spent).collect())
    }

    /// The busy time of all threads since the start of the program.
    pub fn busy(&self) -> Picoseconds {
        self.busy
    }

    /// The next thread. The one that ran is in the queue, or waits, or is done.
    fn choose(&mut self) -> Next {
        let external = |thread: &Thread| matches!(thread.state, State::External { .. });
        if self.ready == 0
            && self.alarm.is_none()
            && let Some(id) = self.threads.iter().position(external)
        {
            self.queue.remove(id);
            if let Some(latest) = self.quiet_since() {
                self.threads[id].clock = latest;
                self.polls = 0;
                return self.run(id);
            }
            if let State::External { until } = self.threads[id].state {
                self.wait_outside(id, until);
            }
        }
        let Some((id, due)) = self.queue.pop() else { return Next::Nobody };
        let thread = &mut self.threads[id];
        if thread.state == State::Ready {
            self.ready -= 1;
        } else {
            thread.timed_out = true;
            thread.clock = due;
            self.polls += 1;
        }
        self.run(id)
    }

    /// The clock of the latest thread, if those that wait do nothing but poll, or sleep for long.
    fn quiet_since(&self) -> Option<Picoseconds> {
        let exists = |thread: &&Thread| thread.state != State::Removed;
        let latest = self.threads.iter().filter(exists).map(|thread| thread.clock).max();
        let latest = latest.unwrap_or_default();
        let first = self.queue.first();
        let is_quiet = self.polls >= IDLE_POLLS || first.is_none_or(|(_, due)| due - latest > FAR);
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

    fn insert(&mut self, id: Id, due: Picoseconds) {
        let serial = self.threads[id].serial;
        let tie = hash(self.settings.seed ^ serial.rotate_left(48) ^ due as u64);
        self.queue.insert(id, due, tie);
    }
}

/// A hash of 64 bits: the finaliser of `SplitMix64` (Steele, Lea, Flood 2014).
pub fn hash(word: u64) -> u64 {
    let word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}
