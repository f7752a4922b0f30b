//! Ranks: workers that share no memory, each in a process of its own, or as if it were. They meet
//! by messages alone.
//!
//! Rank 0 begins and ends a search. It waits until all are ready, and says "go" with the number of
//! the search. It alone decides when the search ends, and tells all others the time. So all states
//! are cut at one time, and those of each worker sum to it. At last it gathers the results.
//!
//! Every message bears the number of its search. One that comes after its search is dropped, and
//! one that comes before "go" is kept: ranks may hear of "go" in any order.
//!
//! A rank that panics tells all others why, and ends the job.

mod place;

use super::dilation::{Pace, Paid};
use super::transport::{Channels, Transport};
use super::workload::{Gathered, LOOK_EVERY, RunError, message};
use super::{
    Core, Cost, Event, Mail, MessageWorkload, Messenger, Section, State, StateTimes, Time,
    Timeline, Waiting,
};
use crate::wire::Portable;
use place::{Kind, Place};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

/// The time after which a rank without a search looks for a note only now and then.
const PATIENCE: Duration = Duration::from_millis(20);
/// The time between two such looks.
const PAUSE: Duration = Duration::from_micros(200);

/// The stack of a worker that is a thread, in bytes: as on real cores.
const STACK_BYTES: usize = 16 << 20;

/// The core of a worker that is a rank. Owned by the thread of the rank.
pub struct RankCore<'p, 't> {
    place: &'p mut Place<'t>,
    look_every: u64,
    until_look: u64,
    until_rest: u64,
    pace: &'p mut Pace,
    spin: Duration,
    state_times: StateTimes,
}

impl<'t> RankCore<'_, 't> {
    /// Pays for the work so far.
    #[cold]
    fn rest(&mut self) {
        self.until_rest = self.pace.rest();
    }

    /// Waits until `done`, after it has paid for the work so far.
    fn wait(&mut self, state: State, done: impl Fn(&Place<'t>) -> bool) {
        self.rest();
        let before = self.enter(state);
        self.pace.looks_for(|| self.place.wait(self.spin, done));
        self.enter(before);
    }
}

impl Core for RankCore<'_, '_> {
    fn id(&self) -> usize {
        self.place.transport.rank()
    }

    fn workers(&self) -> usize {
        self.place.workers
    }

    fn now(&self) -> Time {
        self.place.after(self.pace.debt())
    }

    #[inline]
    fn charge(&mut self, cost: Cost) -> bool {
        if matches!(cost, Cost::Node | Cost::QuiescenceNode | Cost::Leaf) {
            self.until_look -= 1;
            if self.until_look == 0 {
                self.until_look = self.look_every;
                self.place.look();
            }
            self.until_rest -= 1;
            if self.until_rest == 0 {
                self.rest();
            }
        }
        true
    }

    fn enter(&mut self, state: State) -> State {
        let now = self.now().min(self.place.end.unwrap_or(Time::NEVER));
        self.state_times.enter(state, now)
    }

    fn section<T, R>(&mut self, section: &Section<T>, body: impl FnOnce(&mut T) -> R) -> R {
        section.alone(body)
    }

    fn wait_while(&mut self, state: State, condition: impl Fn(bool) -> bool) {
        if !condition(self.ended()) {
            return;
        }
        self.wait(state, |place| !condition(place.end.is_some() || place.asked));
    }

    /// Nothing: a message wakes its receiver.
    fn wake(&mut self, _worker: usize) {}

    /// Nothing: a message wakes its receiver.
    fn wake_all(&mut self) {}

    /// Ends the search. Only rank 0 can; any other rank asks it to, and has no time to return.
    fn end(&mut self) -> Option<Time> {
        self.rest();
        self.place.end()
    }

    fn ended(&self) -> bool {
        self.place.end.is_some() || self.place.asked
    }

    fn record(&mut self, most: usize) {
        self.state_times.record(most);
    }

    fn note(&mut self, event: impl FnOnce() -> Event) {
        let RankCore { place, pace, state_times, .. } = self;
        let now = || place.after(pace.debt()).min(place.end.unwrap_or(Time::NEVER));
        state_times.note(now, event);
    }

    fn timeline(&mut self) -> Option<Timeline> {
        self.state_times.timeline()
    }

    fn states(&mut self) -> [Time; State::COUNT] {
        self.wait(State::Finished, |place| place.end.is_some());
        self.state_times.close(self.place.end.unwrap_or(Time::NEVER))
    }
}

impl Messenger for RankCore<'_, '_> {
    fn look_every(&mut self, nodes: u64) {
        self.look_every = nodes.max(1);
        self.until_look = self.look_every;
    }

    #[inline]
    fn has_mail(&self) -> bool {
        !self.place.inbox.is_empty()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        self.place.send(to, Kind::Letter, message);
    }

    fn receive(&mut self) -> Option<Mail> {
        self.place.look();
        self.place.inbox.pop_front()
    }

    fn wait_for_mail(&mut self, state: State) {
        self.place.look();
        let is_over =
            |place: &Place<'_>| !place.inbox.is_empty() || place.end.is_some() || place.asked;
        if !is_over(self.place) {
            self.wait(state, is_over);
        }
    }
}

/// A process that is one rank of several.
#[derive(Clone, Copy, Debug)]
pub struct Rank<'t> {
    /// Its end of the transport.
    pub transport: &'t dyn Transport,
    /// The number of the search, another for each. That of rank 0 counts.
    pub search: u32,
}

/// Sends a note to another rank between two searches.
pub fn send_note(transport: &dyn Transport, to: usize, note: Vec<u8>) {
    transport.send(to, Kind::Note.join(note, 0));
}

/// Waits for the next note of another rank. Messages of searches that are over are dropped.
pub fn wait_for_note(transport: &dyn Transport) -> (usize, Vec<u8>) {
    let patience = Instant::now() + PATIENCE;
    loop {
        match transport.try_receive() {
            Some((from, mut message)) => {
                if let Some((Kind::Note, _)) = Kind::split(&mut message) {
                    return (from, message);
                }
            }
            None if Instant::now() < patience => thread::yield_now(),
            None => thread::sleep(PAUSE),
        }
    }
}

/// Takes part in a search by the first `workers` ranks of a transport, as this rank. All ranks call
/// this. One that is no worker waits until the search is over.
///
/// Rank 0 returns the results of all workers. Any other rank returns its own alone, if it has any.
///
/// # Errors
/// The message of the first rank that panicked, where the job goes on after that. At rank 0:
/// workers of a dilated search that waited too long for a core.
pub fn run<J: MessageWorkload>(
    Rank { transport, search }: Rank<'_>,
    workers: usize,
    waiting: Waiting,
    workload: &J,
) -> Result<Gathered<J::Result>, RunError> {
    let id = transport.rank();
    let dilation = waiting.dilation;
    let mut place = Place::new(transport, workers, search, dilation);
    if id >= workers {
        place.begin();
        place.wait(Duration::ZERO, |place| place.is_over || place.failure.is_some());
        place.result()?;
        return Ok(Gathered { results: Vec::new(), time: Time::ZERO, work_span: None });
    }
    let spin =
        if transport.is_crowded() || dilation.is_some() { Duration::ZERO } else { waiting.spin };
    let mut pace = Pace::new(dilation);
    let worked = catch_unwind(AssertUnwindSafe(|| {
        let prepared = workload.prepare(id);
        place.begin();
        place.result()?;
        let (until_rest, state_times) = (pace.begin(), StateTimes::new(State::WaitWork));
        let (look_every, place, pace) = (LOOK_EVERY, &mut place, &mut pace);
        let until_look = look_every;
        let core = RankCore { place, look_every, until_look, until_rest, pace, spin, state_times };
        Ok::<_, RunError>(workload.work(prepared, core))
    }));
    let own = match worked {
        Ok(own) => own?,
        Err(panic) => {
            place.fail(format!("worker {id} panicked: {}", message(&*panic)));
            return Err(place.result().expect_err("it has just failed"));
        }
    };
    place.result()?;
    let mut all = vec![(pace.paid(), own)];
    if id > 0 {
        place.send(0, Kind::Results, all[0].packed());
        // A message for the next search must not come before rank 0 is done with this one.
        place.wait(Duration::ZERO, |place| place.is_over || place.failure.is_some());
        place.result()?;
    } else {
        place.wait(Duration::ZERO, |place| {
            place.failure.is_some() || place.results.iter().all(Option::is_some)
        });
        place.result()?;
        place.tell_all(Kind::Over, &[]);
        let read = |bytes: &Option<Vec<u8>>| Portable::take(&mut &bytes.as_ref()?[..]);
        let others: Option<Vec<(Paid, J::Result)>> = place.results.iter().map(read).collect();
        let garbled = || RunError::Broken("the results of a rank are of another program".into());
        all.extend(others.ok_or_else(garbled)?);
        dilation.map_or(Ok(()), |dilation| dilation.check(all.iter().map(|(paid, _)| *paid)))?;
    }
    let results = all.into_iter().map(|(_, result)| result).collect();
    let time = place.end.unwrap_or_else(|| place.now());
    Ok(Gathered { results, time, work_span: None })
}

/// Runs each worker as a rank that is a thread of this process, over channels.
///
/// # Errors
/// The errors of [`run`], or a thread that could not be started.
pub fn run_on_channels<J: MessageWorkload>(
    workers: usize,
    waiting: Waiting,
    workload: &J,
) -> Result<Gathered<J::Result>, RunError> {
    let channels = Channels::between(workers);
    let Some(ways) = channels.first().map(|first| first.to.clone()) else {
        return Err(RunError::Broken("a search without ranks".to_owned()));
    };
    thread::scope(|scope| {
        let spawn = |channels: Channels| {
            let name = format!("rank {}", channels.rank());
            let builder = thread::Builder::new().name(name).stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, move || {
                run(Rank { transport: &channels, search: 0 }, workers, waiting, workload)
            })
        };
        let threads: Result<Vec<_>, _> = channels.into_iter().map(spawn).collect();
        let threads = threads.map_err(|error| {
            let why = format!("{workers} threads could not be started: {error}");
            for way in &ways {
                let _ = way.send((0, Kind::Failed.join(why.clone().into_bytes(), 0)));
            }
            RunError::Broken(why)
        })?;
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        let all = joined.map(|end| end.unwrap_or_else(|panic| Err(message(&*panic).into())));
        // The failure of any rank is that of all; else the first has the results.
        let mut all = all.collect::<Result<Vec<_>, RunError>>()?;
        Ok(all.swap_remove(0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranks that pass a number round and add to it, for a few rounds.
    struct Round {
        panics: Option<usize>,
        ends: usize,
    }

    impl MessageWorkload for Round {
        type Prepared = ();
        type Result = (u64, Vec<Time>);

        fn prepare(&self, _id: usize) {}

        fn work<C: Messenger>(&self, (): (), mut core: C) -> (u64, Vec<Time>) {
            let (id, workers) = (core.id(), core.workers());
            let next = (id + 1) % workers;
            core.enter(State::Search);
            core.look_every(3);
            if id == 0 {
                core.send(next, 1_u64.packed());
            }
            let mut last = 0;
            while !core.ended() {
                core.wait_for_mail(State::WaitWork);
                let Some(Mail { from, message, .. }) = core.receive() else { continue };
                assert_eq!(from, (id + workers - 1) % workers, "no letter of another search");
                last = u64::take(&mut &message[..]).expect("a number");
                assert!(self.panics != Some(id), "only a test: no defect");
                (0..7).for_each(|_| assert!(core.charge(Cost::Node)));
                if last > 40 && id == self.ends {
                    core.end();
                } else {
                    core.send(next, (last + 1).packed());
                }
            }
            (last, core.states().to_vec())
        }
    }

    #[test]
    fn ranks_pass_messages_and_any_of_them_ends_the_search() {
        for (workers, ends) in [(2, 0), (2, 1), (5, 0), (5, 3)] {
            let round = Round { panics: None, ends };
            let Gathered { results, time, .. } =
                run_on_channels(workers, Waiting::PARKED, &round).expect("nobody panics");
            assert_eq!(results.len(), workers);
            assert!(results.iter().any(|(last, _)| *last > 40));
            for (_, states) in results {
                assert_eq!(states.into_iter().sum::<Time>(), time);
            }
        }
    }

    #[test]
    fn a_rank_that_panics_fails_the_search_of_all() {
        for panics in [0, 2] {
            let failed =
                run_on_channels(3, Waiting::PARKED, &Round { panics: Some(panics), ends: 0 });
            let what = format!("worker {panics} panicked: only a test: no defect");
            assert_eq!(failed, Err(RunError::Broken(what)));
        }
    }

    #[test]
    fn no_message_comes_to_a_later_search() {
        let ends = Channels::between(3);
        let last = |channels: Channels| {
            move || {
                let searches = (1..100).map(|search| {
                    let rank = Rank { transport: &channels, search };
                    run(
                        rank,
                        3,
                        Waiting::PARKED,
                        &Round { panics: None, ends: search as usize % 3 },
                    )
                });
                searches.map(|ran| ran.expect("nobody panics").results.len()).sum::<usize>()
            }
        };
        let all: Vec<usize> = thread::scope(|scope| {
            let threads: Vec<_> = ends.into_iter().map(|end| scope.spawn(last(end))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert_eq!(all, [297, 99, 99], "the first has the results of all");
    }
}
