//! The times of threads: an account of each, and on request a timeline.
//!
//! The timeline tells what every thread does during a search, from the reading of `go` to the best
//! move. It is text of CSV, a row for a stretch of time:
//!
//! ```text
//! search,thread,doing,from_ps,to_ps
//! 1,0,input,91,7091
//! 1,1,busy,91,6500
//! 1,1,condition,6500,7091
//! 1,,search,91,7091
//! ```
//!
//! | column | content |
//! |---|---|
//! | `search` | the number of the `go`, from 1 |
//! | `thread` | how many threads were made before this one |
//! | `doing` | a name of [`Doing`], or `search` or `cut` |
//! | `from_ps`, `to_ps` | virtual time in picoseconds |
//!
//! Rows of a thread come in the order of time, and none begins before the end of the one before. A
//! thread that did nothing has one row without length. Rows of different threads come in any order,
//! which is that of the seed.
//!
//! The row `search` has no thread. It ends a search: at its best move, at the next `go`, at the
//! program's end, or where all threads wait for ever. The row `cut` stands in its place, and ends
//! the file, when the file is too long. A stretch ends later than it by a quantum or a latency at
//! most.
//!
//! Stretches of one kind that follow each other are one. A stretch of waiting includes the latency
//! of the wake-up. The stretches of a thread sum to its account, unless a line was read since `go`:
//! with it the account begins anew.
//!
//! Rows come at any point of the program, perhaps within its own `malloc`. So their memory is taken
//! once, and before.

use crate::threads::{Doing, MOST_THREADS, Picoseconds, Span, Spent, State, Thread};
use std::io::Write as _;

/// The first line of a timeline.
pub const HEADER: &str = "search,thread,doing,from_ps,to_ps\n";

/// The bytes of rows that are handed out at once.
const ENOUGH: usize = 1 << 15;

/// The longest row, in bytes, in a search of less than a day.
const LONGEST_ROW: usize = 80;

/// The rows of what threads do.
#[derive(Debug, Default)]
pub struct Timeline {
    /// Rows that were not yet taken.
    rows: Vec<u8>,
    /// Whether searches are recorded, from now on until the row `cut`.
    is_on: bool,
    /// How many bytes may still come. At zero the search that is recorded is cut.
    left: usize,
    search: u32,
    /// The beginning of the search that is recorded.
    begun: Option<Picoseconds>,
}

impl Timeline {
    /// Hands the rows out that came since the last time: 32 KiB or more, or all that are left when
    /// a search has ended.
    pub fn take(&mut self, write: impl FnOnce(&[u8])) {
        if self.rows.len() >= ENOUGH || self.begun.is_none() && !self.rows.is_empty() {
            write(&self.rows);
            self.rows.clear();
        }
    }

    fn row(&mut self, thread: Option<u64>, doing: &str, from: Picoseconds, to: Picoseconds) {
        let (before, search) = (self.rows.len(), self.search);
        // Writing to memory cannot fail.
        let _ = match thread {
            Some(serial) => writeln!(self.rows, "{search},{serial},{doing},{from},{to}"),
            None => writeln!(self.rows, "{search},,{doing},{from},{to}"),
        };
        self.left = self.left.saturating_sub(self.rows.len() - before);
    }

    /// A thread goes from its clock to a later time, and does so much that is not busy.
    fn add(&mut self, thread: &mut Thread, doing: Doing, to: Picoseconds) {
        let from = thread.clock.max(thread.open.to);
        if self.begun.is_none() || to <= from {
            // A wait may end within the quantum before the reading at which the search began.
            thread.open = if to < thread.open.to { Span::at(to) } else { thread.open };
        } else if thread.open == (Span { doing, to: from, ..thread.open }) {
            thread.open.to = to;
        } else {
            self.close(thread);
            thread.open = Span { doing, from, to };
        }
    }

    /// The rows of a thread until its clock.
    fn close(&mut self, thread: &Thread) {
        let Span { doing, from, to } = thread.open;
        if from < to {
            self.row(Some(thread.serial), doing.name(), from, to);
        }
        if to < thread.clock {
            self.row(Some(thread.serial), Doing::Busy.name(), to, thread.clock);
        }
    }

    /// The last rows of a thread.
    fn end(&mut self, thread: &mut Thread, now: Picoseconds) {
        if self.begun.is_none() {
            return;
        }
        let (first, end) = (thread.open.from, thread.end(now));
        self.add(thread, thread.doing(), end);
        if thread.open == Span::at(first) && thread.clock <= first {
            self.row(Some(thread.serial), Doing::Busy.name(), first, first);
        }
        self.close(thread);
    }

    /// Ends the search that is recorded.
    fn finish(&mut self, now: Picoseconds, threads: &mut [Thread], how: &str) {
        let Some(begun) = self.begun else { return };
        // A thread that polls may be behind the reading.
        let now = now.max(begun);
        threads.iter_mut().filter(|of| of.lives()).for_each(|thread| self.end(thread, now));
        self.row(None, how, begun, now);
        self.begun = None;
    }
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
    timeline: Timeline,
}

impl Ledger {
    /// Searches are recorded from now on, in so many bytes.
    pub(crate) fn record(&mut self, most_bytes: usize) {
        // A search ends with two rows of each thread. It may do so twice before they are taken.
        self.timeline.rows.reserve_exact(ENOUGH + 4 * MOST_THREADS * LONGEST_ROW);
        (self.timeline.is_on, self.timeline.left) = (true, most_bytes);
    }

    /// The clock of a thread goes on, without work of its.
    pub(crate) fn pass(&mut self, thread: &mut Thread, to: Picoseconds) {
        // A deadline may lie before the reading: the account begins there then.
        thread.since = thread.since.min(to);
        if thread.state == State::InLine {
            thread.spent.queue += to - thread.clock.max(thread.since);
        }
        self.timeline.add(thread, thread.doing(), to);
        thread.clock = to;
    }

    /// A thread ends.
    pub(crate) fn end(&mut self, thread: &mut Thread) {
        self.timeline.end(thread, thread.clock);
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

    /// Input was read: accounts begin anew, and with a search its timeline.
    pub(crate) fn begin(&mut self, now: Picoseconds, threads: &mut [Thread], is_search: bool) {
        self.read = now;
        self.ended.clear();
        if is_search {
            self.finish(now, threads);
            self.timeline.begun = self.timeline.is_on.then_some(now);
            self.timeline.search += 1;
        }
        for thread in threads {
            thread.past += thread.spent.busy;
            (thread.since, thread.spent) = (thread.end(now), Spent::default());
            if is_search {
                thread.open = Span::at(thread.since);
            }
        }
    }

    /// The search has its answer.
    pub(crate) fn finish(&mut self, now: Picoseconds, threads: &mut [Thread]) {
        self.timeline.finish(now, threads, "search");
    }

    /// The timeline, which ends here if it is too long; and whether it does.
    pub(crate) fn timeline(
        &mut self,
        now: Picoseconds,
        threads: &mut [Thread],
    ) -> (&mut Timeline, bool) {
        let is_cut = self.timeline.begun.is_some() && self.timeline.left == 0;
        if is_cut {
            self.timeline.finish(now, threads, "cut");
            self.timeline.is_on = false;
        }
        (&mut self.timeline, is_cut)
    }

    /// The last reading, and the times since then of all threads, in the order of their making.
    pub(crate) fn account(
        &self,
        now: Picoseconds,
        threads: &[Thread],
    ) -> (Picoseconds, Vec<Spent>) {
        let mut all = self.ended.clone();
        let living = threads.iter().filter(|thread| thread.lives());
        all.extend(living.map(|thread| (thread.serial, thread.spent(now))));
        all.sort_unstable_by_key(|&(serial, _)| serial);
        (self.read, all.into_iter().map(|(_, spent)| spent).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread that waits for a lock since this time.
    fn waiting(serial: u64, clock: Picoseconds) -> Thread {
        let state = State::Blocked { key: 1 };
        Thread { waits: Doing::Lock, ..Thread::new(state, clock, serial) }
    }

    fn text(ledger: &mut Ledger) -> String {
        let mut text = String::new();
        ledger.timeline.take(|rows| text.push_str(std::str::from_utf8(rows).expect("text")));
        text
    }

    #[test]
    fn stretches_of_one_kind_are_one_and_no_moment_is_left_out() {
        let mut ledger = Ledger::default();
        let mut all = [waiting(3, 10), waiting(4, 70)];
        ledger.pass(&mut all[0], 20);
        ledger.begin(20, &mut all, true);
        assert_eq!(text(&mut ledger), "", "nobody asked");
        ledger.record(1000);
        ledger.begin(50, &mut all, true);
        ledger.pass(&mut all[0], 60);
        ledger.pass(&mut all[0], 80);
        all[0].clock += 5;
        all[0].spent.busy += 5;
        all[0].waits = Doing::Condition;
        ledger.pass(&mut all[0], 90);
        all[0].state = State::Ready;
        ledger.finish(100, &mut all);
        let rows = "2,3,lock,50,80\n2,3,busy,80,85\n2,3,condition,85,90\n2,4,lock,70,100\n\
                    2,,search,50,100\n";
        assert_eq!(text(&mut ledger), rows);
        ledger.pass(&mut all[1], 200);
        ledger.finish(300, &mut all);
        assert_eq!(text(&mut ledger), "", "nothing is recorded between searches");
    }

    #[test]
    fn a_thread_that_does_nothing_has_a_row() {
        let mut ledger = Ledger::default();
        ledger.record(1000);
        ledger.begin(50, &mut [], true);
        let mut new = [Thread::new(State::Ready, 90, 7)];
        ledger.finish(80, &mut new);
        assert_eq!(text(&mut ledger), "1,7,busy,90,90\n1,,search,50,80\n");
    }

    #[test]
    fn a_timeline_that_is_too_long_is_cut() {
        let mut ledger = Ledger::default();
        ledger.record(60);
        let mut all = [waiting(0, 0), Thread::new(State::Running, 0, 1)];
        ledger.begin(0, &mut all, true);
        for now in 1..9 {
            all[0].clock += 10;
            all[0].waits = if now % 2 == 0 { Doing::Lock } else { Doing::Sleep };
            ledger.pass(&mut all[0], now * 100);
        }
        all[1].clock = 820;
        assert!(ledger.timeline(810, &mut all).1 && !ledger.timeline(820, &mut all).1);
        let told = text(&mut ledger);
        // The rows of each thread go to the end.
        assert!(told.ends_with("1,1,busy,0,820\n1,,cut,0,810\n"), "{told}");
        assert!(told.contains("1,0,lock,710,810\n"), "{told}");
        ledger.begin(900, &mut all, true);
        ledger.finish(950, &mut all);
        assert_eq!(text(&mut ledger), "");
    }

    #[test]
    fn a_timeline_that_is_full_at_the_end_of_a_search_is_cut_in_the_next() {
        let mut ledger = Ledger::default();
        ledger.record(50);
        let memory = ledger.timeline.rows.as_ptr();
        let mut all = [waiting(0, 0), waiting(1, 0), waiting(2, 0)];
        ledger.begin(0, &mut all, true);
        assert!(!ledger.timeline(5, &mut all).1);
        ledger.finish(10, &mut all);
        assert!(!ledger.timeline(10, &mut all).1);
        assert!(text(&mut ledger).ends_with("1,2,lock,0,10\n1,,search,0,10\n"));
        ledger.begin(20, &mut all, true);
        assert!(ledger.timeline(30, &mut all).1 && !ledger.timeline(30, &mut all).1);
        assert!(text(&mut ledger).ends_with("2,2,lock,20,30\n2,,cut,20,30\n"));
        ledger.begin(40, &mut all, true);
        ledger.finish(50, &mut all);
        assert_eq!((text(&mut ledger), memory), (String::new(), ledger.timeline.rows.as_ptr()));
    }

    /// Two threads that poll: the first one reads while the other is due before, and that one
    /// answers.
    #[test]
    fn a_wait_that_ends_before_the_reading_takes_no_time() {
        for state in [State::Blocked { key: 1 }, State::InLine] {
            let mut ledger = Ledger::default();
            ledger.record(1000);
            let mut all = [waiting(0, 0), Thread { state, ..waiting(1, 10) }];
            ledger.begin(100, &mut all, true);
            let spent = |ledger: &Ledger, now, all: &[Thread]| ledger.account(now, all).1;
            assert_eq!(spent(&ledger, 90, &all), [Spent::default(); 2]);
            let early = &mut all[1];
            ledger.pass(early, 80);
            (early.state, early.clock) = (State::Running, early.clock + 7);
            early.spent.busy += 7;
            ledger.finish(87, &mut all);
            let busy = Spent { busy: 7, ..Spent::default() };
            assert_eq!(spent(&ledger, 87, &all), [Spent::default(), busy]);
            let rows = "1,0,busy,100,100\n1,1,busy,80,87\n1,,search,100,100\n";
            assert_eq!(text(&mut ledger), rows, "{state:?}");
        }
    }
}
