//! Which thread runs next, and for how long: plain data, without threads.
//!
//! Each thread has a clock, in picoseconds of virtual time. The ready thread with the earliest
//! clock runs. It may be ahead of the next one by a quantum before that one takes its turn. Ties
//! are broken by a hash of the seed. The queue holds the ready threads and those that wait with a
//! deadline; the running thread is not in it.
//!
//! A function of the seed and of the calls alone: no clock, no address and no order of a map.

pub use crate::processors::Settings;
use crate::processors::{PLAIN, Processors, rate_beside};
use crate::threads::{self, Queue, State, Thread};
pub use crate::threads::{Doing, Id, MOST_THREADS, Next, Picoseconds, Spent, hash};
use crate::timeline::{Ledger, Timeline};

/// Virtual time that a thread may run when no other thread wants to: 50 µs.
const ALONE: Picoseconds = 50_000_000;

/// No wait ends later, so that no clock overflows: 26 days.
const LATEST: Picoseconds = Picoseconds::MAX / 4;

/// The schedule. Exactly one thread runs, unless the last answer was [`Next::Nobody`].
#[derive(Debug)]
pub struct Schedule {
    settings: Settings,
    threads: Vec<Thread>,
    /// Threads that are ready or have a deadline.
    queue: Queue,
    /// Fewer processors than threads.
    processors: Option<Processors>,
    running: Id,
    /// The number of threads that are ready, with a processor or without.
    ready: usize,
    spawned: u64,
    draws: u64,
    polls: u32,
    /// When external waits end although others are not quiet.
    alarm: Option<Picoseconds>,
    ledger: Ledger,
}

impl Schedule {
    /// A schedule of one thread, number 0, which runs at time 0.
    pub fn new(settings: Settings) -> Self {
        let mut threads = Vec::with_capacity(MOST_THREADS);
        threads.push(Thread::new(State::Running, 0, 0));
        Schedule {
            settings,
            threads,
            queue: Queue::new(),
            processors: Processors::new(settings.machine),
            running: 0,
            ready: 0,
            spawned: 1,
            draws: 0,
            polls: 0,
            alarm: None,
            ledger: Ledger::default(),
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
        self.ledger.busy += time;
    }

    /// How long the running thread may go on before somebody looks again; at least 1.
    pub fn allowance(&self) -> Picoseconds {
        let most = ALONE.max(self.settings.quantum);
        let time = self.lead().map_or(ALONE, |lead| (self.settings.quantum - lead).min(most));
        let slice = |of: &Processors| of.slice_left(self.running, self.now());
        self.processors.as_ref().and_then(slice).map_or(time, |slice| slice.min(time)).max(1)
    }

    /// Time that passes for the running thread, in millionths of its price: more beside others, by
    /// the model of cores.
    pub fn rate(&self) -> i64 {
        let machine = &self.settings.machine;
        match &self.processors {
            _ if machine.is_plain() => PLAIN,
            Some(processors) => processors.rate(self.running),
            None => rate_beside(machine, self.ready + 1),
        }
    }

    /// The end of an allowance: the next thread takes its turn if this one is a quantum ahead, or
    /// its slice is over.
    pub fn turn(&mut self) -> Next {
        self.polls = 0;
        let (id, now) = (self.running, self.now());
        if self.processors.as_mut().is_some_and(|all| all.is_over(id, now)) {
            self.vacate();
            return self.give_way();
        }
        if self.lead().is_none_or(|lead| lead < self.settings.quantum) {
            return Next::Thread(self.running);
        }
        self.give_way()
    }

    /// The running thread lets others go first that are not later than it.
    pub fn yield_now(&mut self) -> Next {
        if self.processors.as_ref().is_some_and(Processors::has_line) {
            self.vacate();
            return self.give_way();
        }
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

    /// The running thread waits until `key` is woken, or until the deadline. `waits` says for what.
    pub fn block(&mut self, waits: Doing, key: usize, deadline: Option<Picoseconds>) -> Next {
        let id = self.running;
        self.threads[id].state = State::Blocked { key };
        (self.threads[id].waits, self.threads[id].timed_out) = (waits, false);
        if let Some(deadline) = deadline {
            let due = deadline.min(LATEST).max(self.threads[id].clock);
            self.insert(id, due);
        }
        self.vacate();
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
            let Some(id) = threads::first_waiting(&self.threads, key) else { break };
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
        let id = threads::put(&mut self.threads, thread)?;
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
        self.ledger.end(thread);
        self.vacate();
        if let Some(processors) = &mut self.processors {
            processors.forget(self.running);
        }
        self.choose()
    }

    /// Whether a thread has ended.
    pub fn is_done(&self, id: Id) -> bool {
        self.threads[id].state == State::Done
    }

    /// The running thread learns of the end of another one: it is not earlier than that.
    pub fn join(&mut self, id: Id) {
        let end = self.threads[id].clock.max(self.now());
        let own = &mut self.threads[self.running];
        own.waits = Doing::Join;
        self.ledger.pass(own, end);
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
        let thread = &mut self.threads[self.running];
        (thread.waits, thread.timed_out) = (Doing::Input, false);
        self.wait_outside(self.running, until);
        self.vacate();
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

    /// The running thread has read input: accounts begin anew, and the timeline of a search.
    pub fn reads(&mut self, is_search: bool) {
        self.ledger.begin(self.now(), &mut self.threads, is_search);
    }

    /// The running thread has answered a search, or nobody will. Its timeline ends.
    pub fn answers(&mut self) {
        self.ledger.finish(self.now(), &mut self.threads);
    }

    /// Timelines of searches are recorded from now on, in so many bytes.
    pub fn record(&mut self, most_bytes: usize) {
        self.ledger.record(most_bytes);
    }

    /// The timeline, and whether it ends here for ever, since it is too long.
    pub fn timeline(&mut self) -> (&mut Timeline, bool) {
        self.ledger.timeline(self.now(), &mut self.threads)
    }

    /// The last reading of input, and what each thread has spent since then, in the order in which
    /// threads were made. Threads that ended since are there, too. Their clocks, and so their sums,
    /// differ by a quantum.
    pub fn account(&self) -> (Picoseconds, Vec<Spent>) {
        self.ledger.account(self.now(), &self.threads)
    }

    /// Busy time since the start of the program: of all threads, and of the running one.
    pub fn busy(&self) -> (Picoseconds, Picoseconds) {
        (self.ledger.busy, self.threads[self.running].busy())
    }

    /// The next thread. The one that ran is in the queue, or waits, or is done.
    fn choose(&mut self) -> Next {
        if let Some((id, latest)) = self.reader() {
            self.ledger.pass(&mut self.threads[id], latest);
            self.polls = 0;
            if self.has_processor(id) {
                return self.run(id);
            }
        }
        while let Some((id, due)) = self.queue.pop() {
            let thread = &mut self.threads[id];
            if thread.state == State::Ready {
                self.ready -= 1;
            } else {
                thread.timed_out = true;
                self.ledger.pass(thread, due);
                self.polls += 1;
            }
            if self.has_processor(id) {
                return self.run(id);
            }
        }
        self.answers();
        Next::Nobody
    }

    /// Whether a thread that is due has a processor from its clock on. Otherwise it is in the line
    /// for one, or in the queue again.
    fn has_processor(&mut self, id: Id) -> bool {
        let Some(processors) = &mut self.processors else { return true };
        let clock = self.threads[id].clock;
        let from = processors.seat(id, clock);
        if from == Some(clock) {
            return true;
        }
        self.ready += 1;
        self.threads[id].state = State::InLine;
        if let Some(from) = from {
            self.leaves_line(id, from);
        }
        false
    }

    fn leaves_line(&mut self, id: Id, from: Picoseconds) {
        let thread = &mut self.threads[id];
        self.ledger.pass(thread, from);
        thread.state = State::Ready;
        self.insert(id, from);
    }

    /// The running thread gives its processor to the first of the line.
    fn vacate(&mut self) {
        let (id, now) = (self.running, self.now());
        let next = self.processors.as_mut().and_then(|all| all.release(id, now));
        if let Some((id, from)) = next {
            self.leaves_line(id, from);
        }
    }

    /// The thread that gets something from outside, and when, if all others are quiet.
    fn reader(&mut self) -> Option<(Id, Picoseconds)> {
        let reads = |thread: &Thread| matches!(thread.state, State::External { .. });
        if self.ready > 0 || self.alarm.is_some() {
            return None;
        }
        let id = self.threads.iter().position(reads)?;
        self.queue.remove(id);
        let latest = threads::quiet_since(&self.threads, &self.queue, self.polls);
        if let (None, State::External { until }) = (latest, self.threads[id].state) {
            self.wait_outside(id, until);
        }
        Some((id, latest?))
    }

    fn run(&mut self, id: Id) -> Next {
        self.threads[id].state = State::Running;
        self.running = id;
        Next::Thread(id)
    }

    fn make_ready(&mut self, id: Id, clock: Picoseconds) {
        self.ledger.pass(&mut self.threads[id], clock);
        self.threads[id].state = State::Ready;
        self.ready += 1;
        self.insert(id, clock);
    }

    /// A latency around its mean: from half of it to one and a half.
    fn draw(&mut self, mean: Picoseconds) -> Picoseconds {
        self.draws += 1;
        self.settings.latency(mean, self.draws)
    }

    fn insert(&mut self, id: Id, due: Picoseconds) {
        let tie = self.settings.tie(self.threads[id].serial, due);
        self.queue.insert(id, due, tie);
    }
}
