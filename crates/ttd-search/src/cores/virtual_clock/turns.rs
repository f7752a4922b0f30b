//! A worker on a processor that it shares: its slices, and its way through a section.

use super::{Pause, VirtualCore};
use crate::cores::{Core, Section, State, Time};

impl VirtualCore<'_> {
    /// Is busy for `time` on a shared processor, and calls `loses` each time that it loses that.
    pub(super) fn share(&mut self, mut time: Time, loses: impl Fn()) {
        let group = self.group;
        let Some(processors) = &group.processors else { return };
        while time > Time::ZERO {
            let (now, until) = (group.now.get(), processors.borrow().seats[self.id].until);
            if now < until {
                let part = time.min(until - now);
                self.pass(part);
                self.count(part);
                time = time - part;
            } else if processors.borrow_mut().makes_room(self.id, now) {
                loses();
                let before = self.enter(State::Lock);
                self.pause(Pause::Preempted);
                processors.borrow_mut().seats[self.id].ready_since = None;
                self.enter(before);
            }
        }
    }

    /// Puts the time in which it was ready, and had no processor, where it belongs.
    pub(super) fn account_for_seat(&mut self) {
        let Some(processors) = &self.group.processors else { return };
        if let Some(since) = processors.borrow_mut().seats[self.id].ready_since.take() {
            let before = self.enter_at(State::Lock, since);
            self.enter(before);
        }
    }

    /// A section of workers that share processors.
    pub(super) fn shared_section<T, R>(
        &mut self,
        section: &Section<T>,
        cost: Time,
        body: impl FnOnce(&mut T) -> R,
    ) -> R {
        loop {
            let id = self.id;
            self.wait_while(State::Lock, |_| section.blocks(id));
            let now = self.group.now.get();
            let (start, _) = section.book(now, cost, cost);
            if start > now {
                let before = self.enter(State::Lock);
                self.share(start - now, || ());
                self.enter(before);
            }
            // A worker that lost its processor meanwhile has lost its place too.
            if self.group.now.get() == start && !section.blocks(id) {
                break;
            }
        }
        self.share(cost, || section.stall());
        let result = section.alone(body);
        let blocked = section.leave(self.group.now.get());
        for worker in blocked {
            self.group.rouse(worker, 0);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::Cost;
    use crate::cores::CostModel;
    use crate::cores::virtual_clock::group::CoreGroup;
    use crate::cores::virtual_clock::processors::Processors;
    use crate::cores::virtual_clock::tests::{PLAIN, busy, ps, simulation};
    use crate::cores::virtual_clock::{Gathered, Network, run_group};
    use std::cell::RefCell;

    /// The clock and the state times of each worker at the end of its work.
    fn run_on<W: Fn(&mut VirtualCore<'_>)>(
        processors: u64,
        workers: usize,
        slice_ps: u64,
        work: W,
    ) -> (Vec<[Time; State::COUNT]>, Time) {
        let model = CostModel { processors, slice_ps, ..PLAIN };
        let done = Section::new(0);
        let group = CoreGroup::new(workers, simulation(model), Network::default(), false);
        let work = |(), mut core: VirtualCore<'_>| {
            core.enter(State::Search);
            work(&mut core);
            let finished = done.alone(|done| {
                *done += 1;
                *done
            });
            if finished == workers {
                core.end();
            }
            core.states()
        };
        let Gathered { results, time, work_span } =
            run_group(&group, |_| (), work).expect("they end");
        for states in &results {
            assert_eq!(states.iter().copied().sum::<Time>(), time);
        }
        let worked: Time = results
            .iter()
            .flat_map(|states| State::ALL.map(|s| (s, states[s as usize])))
            .filter_map(|(state, time)| state.is_work().then_some(time))
            .sum();
        assert_eq!(work_span.map(|span| span.work), Some(worked), "a switch is no work");
        (results, time)
    }

    fn nodes(n: u64) -> impl Fn(&mut VirtualCore<'_>) {
        move |core| {
            (0..n).for_each(|_| {
                core.charge(Cost::Node);
            });
        }
    }

    #[test]
    fn a_processor_for_each_changes_nothing() {
        let (_, alone) = run_on(1, 1, 250, nodes(100));
        assert_eq!(alone, ps(100 * 100));
        for workers in [1, 2, 7, 64] {
            let own = busy(workers, simulation(PLAIN), false);
            let shared = CostModel { processors: workers as u64, slice_ps: 170, ..PLAIN };
            let mut group = CoreGroup::new(workers, simulation(shared), Network::default(), false);
            assert!(group.processors.is_none(), "nobody waits for a processor");
            group.processors = Some(RefCell::new(Processors::new(workers, &shared)));
            assert_eq!(crate::cores::virtual_clock::tests::busy_in(&group), own, "{workers}");
        }
    }

    #[test]
    fn equal_work_takes_its_share_of_the_processors() {
        for (workers, processors) in [(2, 1), (8, 6), (8, 4), (9, 2)] {
            let (states, end) = run_on(processors, workers, 500, nodes(1000));
            // A worker switches after 505 ps at the most often, and the last slices are uneven.
            let fair = 100_000 * workers as u64 / processors;
            let most = fair + fair / 100 + 505 * workers as u64;
            assert!((fair..=most).contains(&end.ps()), "{workers} on {processors}: {end:?}");
            let searched = |states: &[Time; State::COUNT]| states[State::Search as usize];
            assert!(states.iter().all(|states| searched(states) == ps(100_000)));
        }
    }

    #[test]
    fn one_processor_goes_round() {
        let (states, end) = run_on(1, 2, 250, nodes(3));
        // 0 to 250, a switch to 255, 255 to 505, to 510, 510 to 560; to 565, 565 to 615.
        assert_eq!(end, ps(615));
        let mut locks: Vec<u64> = states.iter().map(|s| s[State::Lock as usize].ps()).collect();
        locks.sort_unstable();
        assert_eq!(locks, [260, 315], "the time without a processor, and in switches");
    }

    #[test]
    fn who_waits_gives_its_processor_up() {
        let go = std::cell::Cell::new(false);
        let (_, end) = run_on(1, 2, 1_000_000, |core| {
            if core.id() == 0 {
                core.wait_while(State::WaitWork, |_| !go.get());
            } else {
                core.charge(Cost::Node);
                go.set(true);
                core.wake_all();
                core.charge(Cost::Node);
            }
        });
        // In which order they begin is a matter of ties: one switch or two.
        assert!((200..=217).contains(&end.ps()), "{end:?}");
    }

    #[test]
    fn a_worker_that_loses_its_processor_in_a_section_holds_others_up() {
        // The slice ends within each stay of 30 ps, if it began at its worker's start.
        let order = RefCell::new(Vec::new());
        let section = Section::new(());
        let (states, _) = run_on(2, 3, 115, |core| {
            for _ in 0..20 {
                core.charge(Cost::Node);
                core.section(&section, |()| ());
                order.borrow_mut().push(core.now());
            }
        });
        let order = order.into_inner();
        assert!(order.is_sorted() && order.len() == 60);
        let gaps: Vec<u64> = order.windows(2).map(|two| (two[1] - two[0]).ps()).collect();
        assert!(gaps.iter().all(|gap| *gap >= 30), "one is in it at a time: {gaps:?}");
        assert!(gaps.iter().any(|gap| *gap > 115), "a stay lasts longer than a slice: {gaps:?}");
        let waited: Time = states.iter().map(|states| states[State::Lock as usize]).sum();
        // Without sections 3 workers on 2 processors wait for a third of their time.
        let (without, _) = run_on(2, 3, 115, nodes(26));
        let less: Time = without.iter().map(|states| states[State::Lock as usize]).sum();
        assert!(waited > less, "{waited:?} and {less:?}");
    }

    #[test]
    fn all_that_workers_do_is_the_same_again() {
        for (workers, processors) in [(7, 1), (7, 3), (64, 6)] {
            for model in [PLAIN, CostModel::default()] {
                let model = CostModel { processors, slice_ps: 5_000, ..model };
                let first = busy(workers, simulation(model), false);
                assert_eq!(first, busy(workers, simulation(model), false));
                assert_eq!(first, busy(workers, simulation(model), true));
            }
        }
    }
}
