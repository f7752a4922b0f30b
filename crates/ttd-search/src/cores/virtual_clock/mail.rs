//! Messages of virtual workers.
//!
//! A letter that takes time is an event of the ready queue. The queue has a place for the letters
//! to each worker, after the places of the workers themselves. So letters and workers have one
//! order of virtual time, and that order depends on the seeds alone.

use super::VirtualCore;
use crate::cores::{Core, Mail, Messenger, State, Time};

impl Messenger for VirtualCore<'_> {
    fn look_every(&mut self, nodes: u64) {
        self.look_every = nodes.max(1);
    }

    #[inline]
    fn has_mail(&self) -> bool {
        self.nodes.is_multiple_of(self.look_every) && !self.group.mail.is_empty(self.id)
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        self.spend(Time::from_ps(self.group.mail.network.overhead_ps));
        let (from, span) = (self.id, self.span);
        self.group.post(to, Mail { from, message, span });
    }

    fn receive(&mut self) -> Option<Mail> {
        self.group.mail.boxes[self.id].borrow_mut().pop_front()
    }

    fn wait_for_mail(&mut self, state: State) {
        let (group, id) = (self.group, self.id);
        self.wait_while(state, |ended| !ended && group.mail.is_empty(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::virtual_clock::group::CoreGroup;
    use crate::cores::virtual_clock::mail_room::Network;
    use crate::cores::virtual_clock::tests::{PLAIN, ps, simulation};
    use crate::cores::virtual_clock::{Gathered, run_group};
    use crate::cores::{Cost, Schedule, Simulation};

    const NETWORK: Network = Network { latency_ps: 1000, byte_ps: 10, overhead_ps: 40 };

    fn run<R>(
        workers: usize,
        (network, schedule): (Network, Schedule),
        work: impl Fn(VirtualCore<'_>) -> R,
    ) -> Vec<R> {
        let simulation = Simulation { schedule, ..simulation(PLAIN) };
        let group = CoreGroup::new(workers, simulation, network, false);
        let ran = run_group(&group, |_| (), |(), core| work(core));
        let Gathered { results, .. } = ran.expect("they end");
        results
    }

    #[test]
    fn a_message_takes_its_time() {
        let clocks = run(2, (NETWORK, Schedule::Earliest), |mut core| {
            if core.id() == 0 {
                core.enter(State::Search);
                core.charge(Cost::Node);
                core.send(1, vec![7; 3]);
                core.now()
            } else {
                core.wait_for_mail(State::WaitWork);
                let mail = core.receive().expect("it was woken for it");
                assert_eq!((mail.from, mail.message.len(), mail.span), (0, 3, ps(140)));
                core.end();
                core.now()
            }
        });
        // A node takes 100; then the sender is busy for 40. A thousand and 30 later the other is
        // woken, which takes 7.
        assert_eq!(clocks, [ps(140), ps(140 + 1000 + 30 + 7)]);
    }

    #[test]
    fn a_short_message_overtakes_a_long_one_and_a_worker_that_works_sees_it_in_time() {
        let seen = run(2, (NETWORK, Schedule::Earliest), |mut core| {
            if core.id() == 0 {
                core.send(1, vec![1; 200]);
                core.send(1, vec![2; 2]);
                return Vec::new();
            }
            core.look_every(3);
            core.enter(State::Search);
            let mut seen = Vec::new();
            while seen.len() < 2 {
                core.charge(Cost::Node);
                if core.has_mail() {
                    let mail = core.receive().expect("there is some");
                    seen.push((mail.message[0], core.now()));
                }
            }
            core.end();
            seen
        });
        // They come at 40 + 1000 + 2000 and at 80 + 1000 + 20; it looks at every third node.
        assert_eq!(seen[1], [(2, ps(1200)), (1, ps(3300))]);
    }

    #[test]
    fn a_message_without_costs_is_there_at_once() {
        let clocks = run(3, (Network::default(), Schedule::Earliest), |mut core| {
            let next = (core.id() + 1) % 3;
            if core.id() == 0 {
                core.charge(Cost::Node);
                core.send(next, vec![0]);
            }
            core.wait_for_mail(State::WaitWork);
            let mail = core.receive().expect("a message");
            assert_eq!(mail.from, (next + 1) % 3);
            core.send(next, mail.message);
            if core.id() == 0 {
                core.end();
            }
            core.now()
        });
        assert_eq!(clocks, [ps(121), ps(107), ps(114)], "each is woken, which takes 7");
    }

    /// Workers that send numbers to each other and add them up: what each has at its end.
    fn sums(workers: usize, network: Network, schedule: Schedule) -> Vec<(u64, u64)> {
        run(workers, (network, schedule), |mut core| {
            core.enter(State::Search);
            let (mut sum, mut order) = (0, 1);
            for round in 0..20 {
                for _ in 0..=core.id() {
                    core.charge(Cost::Node);
                }
                let to = (core.id() + 1 + round % (workers - 1)) % workers;
                core.send(to, vec![core.id() as u8; 1 + round]);
            }
            for _ in 0..20 {
                core.wait_for_mail(State::WaitWork);
                let mail = core.receive().expect("twenty come to each");
                sum += u64::from(mail.message[0]);
                order = order * 31 % 65_521 + mail.message.len() as u64;
            }
            (sum, order)
        })
    }

    #[test]
    fn messages_are_the_same_again_and_none_is_lost_in_any_order() {
        for network in [NETWORK, Network::default()] {
            let first = sums(5, network, Schedule::Earliest);
            assert_eq!(first, sums(5, network, Schedule::Earliest));
            let received = |all: &[(u64, u64)]| all.iter().map(|(sum, _)| *sum).collect::<Vec<_>>();
            let at_random = sums(5, network, Schedule::AtRandom);
            assert_eq!(received(&first), received(&at_random));
        }
    }
}
