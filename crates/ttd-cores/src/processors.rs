//! The model of cores: how fast threads run beside each other, and fewer processors than threads.
//!
//! - A thread that is ready takes a free processor. Its last one comes first, and then one of the
//!   core with the fewest busy processors. Of several it is the one that is free for longest.
//! - If none is free, the thread waits at the end of a line.
//! - A thread whose slice is over makes room for the first of the line, and goes to its end. It has
//!   another slice if nobody waits. A thread that yields makes room, too.
//! - A thread that waits for anything else, or ends, gives its processor up.
//! - The switch costs time where a processor ran another thread before.
//!
//! Names and rules are those of `[virtual]`, the machine of `ttd`'s own searchers. Only the places
//! of hardware threads differ: there a worker stays where it is.

use crate::threads::{Id, MOST_THREADS, Picoseconds, hash};
use std::collections::VecDeque;

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
    /// The model of cores.
    pub machine: Machine,
}

impl Default for Settings {
    /// A quantum of 10 µs, 20 µs to start a thread and 5 µs to wake one; a core for each.
    fn default() -> Self {
        let (quantum, start, wake) = (10_000_000, 20_000_000, 5_000_000);
        Settings { seed: 1, quantum, start, wake, machine: Machine::default() }
    }
}

impl Settings {
    /// The word that breaks ties of a thread with others that are due at the same time.
    pub(crate) fn tie(&self, serial: u64, due: Picoseconds) -> u64 {
        hash(self.seed ^ serial.rotate_left(48) ^ due as u64)
    }

    /// A latency around its mean, from half of it to one and a half: the draw of a number.
    pub(crate) fn latency(&self, mean: Picoseconds, number: u64) -> Picoseconds {
        let draw = hash(self.seed ^ number.rotate_left(32));
        mean / 2 + (draw % (mean.max(0) as u64 + 1)) as Picoseconds
    }
}

/// Time at its price: 1,000,000 millionths.
pub const PLAIN: i64 = 1_000_000;

/// The most steps of a table of frequencies.
const MOST_STEPS: usize = 16;

/// The numbers of the model. By default every thread has a whole core of constant speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The processors that threads share (1 to 1,024), or `None` if each thread has its own.
    pub processors: Option<usize>,
    /// Processors of a core (1 to 8): a divisor of their number.
    pub threads_per_core: usize,
    /// The time after which a thread makes room for another one, in picoseconds.
    pub slice: Picoseconds,
    /// The time from when a processor goes from one thread to another until that one runs.
    pub switch: Picoseconds,
    /// The rise of all prices for each further busy thread, thousandths.
    pub slowdown_permille: i64,
    /// The work of a core with all its processors busy, over that with one, thousandths.
    pub smt_permille: i64,
    /// The frequency by the number of busy cores.
    pub turbo: Turbo,
}

impl Default for Machine {
    /// The defaults of `[virtual]`.
    fn default() -> Self {
        Machine {
            processors: None,
            threads_per_core: 1,
            slice: 3_000_000_000,
            switch: 3_800_000,
            slowdown_permille: 0,
            smt_permille: 1250,
            turbo: Turbo::default(),
        }
    }
}

impl Machine {
    /// The machine, if its numbers are possible.
    ///
    /// # Errors
    ///
    /// A sentence with the name of the option, its value, and what was expected.
    pub fn checked(self) -> Result<Self, String> {
        let all = self.processors.unwrap_or(1);
        let ranges = [
            ("processors", all as i64, 1, MOST_THREADS as i64),
            ("threads-per-core", self.threads_per_core as i64, 1, 8),
            ("slice-ps", self.slice, 1, 1_000_000_000_000),
            ("switch-ps", self.switch, 0, 1_000_000_000),
            ("slowdown-permille", self.slowdown_permille, 0, 1000),
            ("smt-permille", self.smt_permille, 1, 8000),
        ];
        if let Some((name, value, least, most)) =
            ranges.iter().find(|(_, value, least, most)| !(least..=most).contains(&value))
        {
            return Err(format!("--{name} is {value}: {least} to {most} expected"));
        }
        if !all.is_multiple_of(self.threads_per_core) {
            return Err(format!(
                "--threads-per-core is {}: a divisor of the {all} processors expected",
                self.threads_per_core
            ));
        }
        if self.threads_per_core > 1 && self.processors.is_none() {
            return Err("--threads-per-core needs --processors".to_owned());
        }
        Ok(self)
    }

    /// Whether time always passes at its price.
    pub(crate) fn is_plain(&self) -> bool {
        self.slowdown_permille == 0 && self.turbo.count == 0 && self.threads_per_core == 1
    }

    /// Time that passes, in millionths of its price. So many threads are busy, on so many cores;
    /// `siblings` of them on the core of the one that pays.
    fn rate(&self, threads: usize, cores: usize, siblings: usize) -> i64 {
        let slowed = 1000 + self.slowdown_permille * (threads as i64 - 1).max(0);
        // Few of many hardware threads cannot be faster than alone.
        let shared = (siblings as i64 * 1_000_000 / self.smt_permille).max(1000);
        let shared = if siblings > 1 { shared } else { 1000 };
        slowed * (shared * 1000 / self.turbo.permille(cores))
    }
}

/// The frequency by the number of busy cores, thousandths. Between two steps it is interpolated.
/// Before the first and after the last it stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turbo {
    steps: [(u16, u16); MOST_STEPS],
    count: usize,
}

impl Turbo {
    /// The steps of a text as `1=1000,64=800`: numbers of busy cores and frequencies.
    ///
    /// # Errors
    ///
    /// If a step is none, cores do not rise, frequencies rise, or there are more than 16 steps.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| Err(format!("--turbo is \"{text}\": {why}"));
        let mut turbo = Turbo::default();
        for part in text.split(',') {
            let step = part.split_once('=').and_then(|(cores, permille)| {
                Some((cores.parse::<u16>().ok()?, permille.parse::<u16>().ok()?))
            });
            let Some((cores @ 1..=1024, permille @ 1..=10_000)) = step else {
                return wrong("steps as 1=1000,64=800 were expected");
            };
            if turbo.count == MOST_STEPS {
                return wrong("at most 16 steps were expected");
            }
            let before = turbo.steps[..turbo.count].last();
            if before.is_some_and(|&(few, fast)| few >= cores || fast < permille) {
                return wrong("cores must rise, and frequencies must not");
            }
            turbo.steps[turbo.count] = (cores, permille);
            turbo.count += 1;
        }
        Ok(turbo)
    }

    /// The frequency with so many busy cores, thousandths (at least 1).
    pub fn permille(&self, busy: usize) -> i64 {
        let (steps, busy) = (&self.steps[..self.count], busy.min(1024) as u16);
        let after = steps.partition_point(|(cores, _)| *cores <= busy);
        match (after.checked_sub(1).map(|at| steps[at]), steps.get(after)) {
            (Some((few, fast)), Some(&(many, slow))) => {
                let [fast, slow] = [fast, slow].map(i64::from);
                fast - (fast - slow) * i64::from(busy - few) / i64::from(many - few)
            }
            (Some((_, last)), None) => i64::from(last),
            (None, first) => first.map_or(1000, |(_, permille)| i64::from(*permille)),
        }
    }
}

/// The processors, and the threads that share them.
///
/// Invariants: a processor is free, or one thread holds it. None is free while the line has a
/// thread. `busy` counts the held processors of each core.
#[derive(Debug)]
pub(crate) struct Processors {
    machine: Machine,
    /// The free ones with the time since when, the longest free one first.
    free: VecDeque<(usize, Picoseconds)>,
    /// The thread that each ran last.
    last: Vec<Option<Id>>,
    /// Threads that are ready, and since when.
    line: VecDeque<(Id, Picoseconds)>,
    /// The processor of each thread, and the end of its slice.
    held: Vec<Option<(usize, Picoseconds)>>,
    busy: Vec<usize>,
}

impl Processors {
    /// The processors of a machine, the first of which thread 0 has. `None` if none are shared.
    pub(crate) fn new(machine: Machine) -> Option<Self> {
        let processors = machine.processors?;
        let mut all = Processors {
            machine,
            free: (0..processors).map(|processor| (processor, 0)).collect(),
            last: vec![None; processors],
            line: VecDeque::with_capacity(MOST_THREADS),
            held: vec![None; MOST_THREADS],
            busy: vec![0; processors / machine.threads_per_core],
        };
        all.seat(0, 0);
        Some(all)
    }

    /// A thread is ready at `now`: the time from which on it runs, or `None` if it is in the line.
    pub(crate) fn seat(&mut self, id: Id, now: Picoseconds) -> Option<Picoseconds> {
        if self.held[id].is_some() {
            return Some(now);
        }
        let own = self.free.iter().position(|&(processor, _)| self.last[processor] == Some(id));
        let idlest = || {
            let order = |&at: &usize| self.busy[self.core(self.free[at].0)];
            (0..self.free.len()).min_by_key(order)
        };
        let Some((processor, since)) = own.or_else(idlest).and_then(|at| self.free.remove(at))
        else {
            self.line.push_back((id, now));
            return None;
        };
        // Its last thread may have been ahead of this one.
        Some(self.give(processor, id, now.max(since)))
    }

    fn core(&self, processor: usize) -> usize {
        processor % self.busy.len()
    }

    fn give(&mut self, processor: usize, id: Id, now: Picoseconds) -> Picoseconds {
        let before = self.last[processor].replace(id);
        let is_switch = before.is_some_and(|before| before != id);
        let from = if is_switch { now + self.machine.switch } else { now };
        self.held[id] = Some((processor, from + self.machine.slice));
        let core = self.core(processor);
        self.busy[core] += 1;
        from
    }

    /// A thread gives its processor up. Returns the thread that has it now, and from when on that
    /// one runs.
    pub(crate) fn release(&mut self, id: Id, now: Picoseconds) -> Option<(Id, Picoseconds)> {
        let (processor, _) = self.held[id].take()?;
        let core = self.core(processor);
        self.busy[core] -= 1;
        let Some((next, since)) = self.line.pop_front() else {
            self.free.push_back((processor, now));
            return None;
        };
        Some((next, self.give(processor, next, now.max(since))))
    }

    /// The time that is left of a thread's slice, if another thread waits for its end.
    pub(crate) fn slice_left(&self, id: Id, now: Picoseconds) -> Option<Picoseconds> {
        let (_, until) = self.held[id].filter(|_| !self.line.is_empty())?;
        Some(until - now)
    }

    /// Whether the slice of a thread is over. It has another one if nobody waits.
    pub(crate) fn is_over(&mut self, id: Id, now: Picoseconds) -> bool {
        match &mut self.held[id] {
            Some((_, until)) if *until <= now => {
                *until = now + self.machine.slice;
                !self.line.is_empty()
            }
            _ => false,
        }
    }

    /// Whether a thread waits for a processor.
    pub(crate) fn has_line(&self) -> bool {
        !self.line.is_empty()
    }

    /// A thread has ended, and its number may be that of another.
    pub(crate) fn forget(&mut self, id: Id) {
        self.last.iter_mut().filter(|last| **last == Some(id)).for_each(|last| *last = None);
    }

    /// Time that passes for a thread, in millionths of its price.
    pub(crate) fn rate(&self, id: Id) -> i64 {
        let threads = self.busy.iter().sum();
        let cores = self.busy.iter().filter(|busy| **busy > 0).count();
        let siblings = self.held[id].map_or(1, |(processor, _)| self.busy[self.core(processor)]);
        self.machine.rate(threads, cores, siblings)
    }
}

/// Time that passes for a thread on its own core, beside others, in millionths of its price.
pub(crate) fn rate_beside(machine: &Machine, threads: usize) -> i64 {
    machine.rate(threads, threads, 1)
}
