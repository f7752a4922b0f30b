//! Cache lines that workers share: which caches hold each of them, and what a look at it costs.
//!
//! It is the part of MESI that costs time. A line has holders. A worker that reads a line which
//! another has changed, and does not hold it, gets it from the nearest holder, and holds it too. A
//! worker that changes a line takes it from all others, and pays for the farthest of them.
//!
//! Approximations:
//!
//! - There is one directory for all caches, with a place for each of their lines. A line has one
//!   place, by a hash. Another line that comes there drives it out. So lines stay for about as long
//!   as in caches of that size. A line that was driven out costs nothing: the price of a node holds
//!   its misses.
//! - A line that nobody has changed costs nothing to read.
//! - With more than 64 workers neighbours share a bit of the holders, and get each other's lines
//!   for nothing.

use crate::cores::Line;
use crate::cores::machine::{Caches, Distance};
use crate::engine::mix;

/// The most places of a directory, as a power of 2: 16 MiB.
const MOST_BITS: u32 = 20;
/// The number of bits in a set of holders.
const BITS: usize = u64::BITS as usize;

/// The bit of a line's name that says that it was changed since it came.
const CHANGED: u64 = 1 << 63;

/// A line, and the workers that hold it. No holders: nothing is there.
#[derive(Clone, Copy, Default)]
struct Entry {
    name: u64,
    holders: u64,
}

/// A worker's own bit, and the bits at each distance or nearer. At the greatest distance there are
/// all.
#[derive(Clone, Copy)]
struct Place {
    own: u64,
    near: [u64; 3],
    /// The price of the worker's looks since its last work, ps.
    owed: u64,
}

/// The directory of all shared lines. Used by one thread only.
pub(super) struct Lines {
    entries: Box<[Entry]>,
    places: Box<[Place]>,
    /// The prices by distance, as far as other work does not hide them, ps.
    prices: [u64; 4],
    shift: u32,
}

impl Lines {
    pub(super) fn new(workers: usize, caches: &Caches) -> Lines {
        let lines = (caches.lines as usize).saturating_mul(workers).next_power_of_two();
        let bits = lines.trailing_zeros().clamp(1, MOST_BITS);
        let bit = |worker: usize| if workers <= BITS { worker } else { worker * BITS / workers };
        let place = |worker: usize| {
            let mut near = [0; 3];
            for other in (0..workers).filter(|other| *other != worker) {
                let distance = caches.distance(worker, other) as usize;
                near.iter_mut().skip(distance).for_each(|set| *set |= 1 << bit(other));
            }
            Place { own: 1 << bit(worker), near, owed: 0 }
        };
        let seen = |distance| caches.price(distance) * (1000 - caches.hidden_permille) / 1000;
        Lines {
            entries: vec![Entry::default(); 1 << bits].into_boxed_slice(),
            places: (0..workers).map(place).collect(),
            prices: Distance::ALL.map(seen),
            shift: u64::BITS - bits,
        }
    }

    /// A worker looks at a line, and changes it if so said. It owes the price from then on.
    pub(super) fn touch(&mut self, worker: usize, line: Line, changes: bool) {
        let price = self.price(worker, line, changes);
        self.places[worker].owed += price;
    }

    /// The price of all that a worker has looked at since it was asked last, ps.
    pub(super) fn take_owed(&mut self, worker: usize) -> u64 {
        std::mem::take(&mut self.places[worker].owed)
    }

    /// The price of a look at a line, ps.
    fn price(&mut self, worker: usize, line: Line, changes: bool) -> u64 {
        let (name, place) = (line.name(), self.places[worker]);
        let entry = &mut self.entries[(mix(name) >> self.shift) as usize];
        if entry.holders == 0 || entry.name & !CHANGED != name {
            *entry =
                Entry { name: if changes { name | CHANGED } else { name }, holders: place.own };
            return 0;
        }
        let others = entry.holders & !place.own;
        if changes {
            *entry = Entry { name: name | CHANGED, holders: place.own };
            if others == 0 { 0 } else { self.prices[farthest(others, &place.near)] }
        } else if entry.holders & place.own != 0 {
            0
        } else {
            entry.holders |= place.own;
            let was_changed = entry.name & CHANGED != 0;
            if was_changed { self.prices[nearest(others, &place.near)] } else { 0 }
        }
    }
}

/// The distance of the nearest of these holders.
fn nearest(others: u64, near: &[u64; 3]) -> usize {
    near.iter().position(|set| others & set != 0).unwrap_or(near.len())
}

/// The distance within which all of these holders are.
fn farthest(others: u64, near: &[u64; 3]) -> usize {
    near.iter().position(|set| others & !set == 0).unwrap_or(near.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::virtual_clock::tests::{PLAIN, simulation};
    use crate::cores::virtual_clock::{VirtualCore, run};
    use crate::cores::{Area, Core, Cost, Machine, Section, Simulation, State, Time, Turbo};
    use std::cell::Cell;

    /// Two sockets of two clusters of two cores, which have two threads each.
    const SMALL: Caches = Caches {
        threads_per_core: 2,
        cores_per_cluster: 2,
        clusters_per_socket: 2,
        sockets: 2,
        core_ps: 10,
        cluster_ps: 20,
        socket_ps: 100,
        machine_ps: 200,
        hidden_permille: 0,
        lines: 1024,
        smt_permille: 1250,
    };

    fn line(number: u64) -> Line {
        Line::new(Area::Table, number)
    }

    #[test]
    fn a_line_comes_from_its_nearest_holder_and_is_taken_from_the_farthest() {
        let mut lines = Lines::new(16, &SMALL);
        let mut touch = |worker, changes| lines.price(worker, line(5), changes);
        assert_eq!((touch(0, false), touch(4, false)), (0, 0), "nobody has changed it");
        assert_eq!(touch(0, true), 200, "worker 4 is on the other socket");
        assert_eq!((touch(0, true), touch(0, false)), (0, 0), "its own");
        assert_eq!((touch(4, false), touch(4, false)), (200, 0));
        assert_eq!(touch(5, false), 20, "worker 4 is nearer than worker 0");
        assert_eq!((touch(8, false), touch(2, false)), (10, 100), "the sibling of worker 0");
        assert_eq!((touch(1, true), touch(1, true)), (200, 0));
        assert_eq!(touch(9, true), 10);
    }

    #[test]
    fn other_work_hides_a_share() {
        let mut lines = Lines::new(2, &Caches { hidden_permille: 250, ..SMALL });
        lines.touch(0, line(1), true);
        lines.touch(1, line(1), false);
        lines.touch(1, line(2), false);
        lines.touch(0, line(1), true);
        assert_eq!([0, 1, 1].map(|worker| lines.take_owed(worker)), [15, 15, 0]);
    }

    #[test]
    fn a_line_stays_about_as_long_as_there_are_places() {
        let mut lines = Lines::new(2, &SMALL);
        let mut kept = 0;
        for number in 0..1000 {
            lines.touch(0, line(number), true);
            // 2,048 other lines: about one of e stays.
            (0..2048).for_each(|other| {
                lines.touch(1, line(1_000_000 + 2048 * number + other), true);
            });
            kept += u64::from(lines.price(1, line(number), false) > 0);
        }
        assert!((300..440).contains(&kept), "{kept}");
    }

    #[test]
    fn neighbours_share_a_bit_where_there_are_many() {
        let large = Caches { cores_per_cluster: 128, ..SMALL };
        let mut lines = Lines::new(256, &large);
        lines.touch(0, line(1), true);
        assert_eq!(lines.price(3, line(1), false), 0);
        assert_eq!(lines.price(4, line(1), false), 20);
        assert_eq!(lines.price(255, line(1), false), 100);
    }

    /// The clocks of workers at the end of `work`, on a machine where a node takes 100 ps.
    fn clocks(
        workers: usize,
        machine: Machine,
        work: impl Fn(&mut VirtualCore<'_>),
    ) -> (Vec<Time>, Time) {
        let simulation = Simulation { machine, ..simulation(PLAIN) };
        let ended = Cell::new(0);
        let work = |(), mut core: VirtualCore<'_>| {
            core.enter(State::Search);
            work(&mut core);
            core.enter(State::WaitWork);
            ended.set(ended.get() + 1);
            if ended.get() == workers {
                core.end();
            }
            core.now()
        };
        let ran = run(workers, simulation, |_| (), work).expect("they end");
        let span = ran.work_span.expect("it is counted");
        (ran.results, span.work)
    }

    #[test]
    fn looks_are_paid_for_with_the_next_charge_and_are_work() {
        let machine = Machine { caches: Some(SMALL), turbo: None };
        let (clocks, work) = clocks(2, machine, |core| {
            assert!(core.prices_lines());
            core.change_line(line(1));
            core.charge(Cost::Node);
            core.read_line(line(1));
            core.charge(Cost::Node);
            core.charge(Cost::Node);
        });
        // The second to change the line takes it from the first (20). The first reads it again, and
        // gets it from the second (20), which still holds it.
        assert_eq!(clocks.iter().map(|clock| clock.ps()).sum::<u64>(), 2 * 300 + 20 + 20);
        assert_eq!(work, clocks.iter().copied().sum());
    }

    #[test]
    fn a_section_costs_by_the_way_of_its_lock() {
        // The price of 30 ps holds one way within a cluster.
        let time = |caches, second: usize| {
            let machine = Machine { caches: Some(caches), turbo: None };
            let section = Section::new(());
            let (clocks, _) = clocks(9, machine, |core| match core.id() {
                0 => (0..2).for_each(|_| core.section(&section, |()| ())),
                id if id == second => {
                    core.charge(Cost::Node);
                    core.section(&section, |()| ());
                }
                _ => {}
            });
            clocks[second].ps() - 100
        };
        assert_eq!([8, 1, 2, 4].map(|second| time(SMALL, second)), [20, 30, 110, 210]);
        let again = Section::new(());
        let (clocks, _) = clocks(1, Machine { caches: Some(SMALL), turbo: None }, |core| {
            (0..3).for_each(|_| core.section(&again, |()| ()));
        });
        assert_eq!(clocks[0].ps(), 3 * 10, "its own lock");
    }

    #[test]
    fn siblings_and_busy_cores_slow_down() {
        let machine = Machine { caches: Some(SMALL), turbo: None };
        let ten = |core: &mut VirtualCore<'_>| {
            (0..10).for_each(|_| {
                core.charge(Cost::Node);
            });
        };
        let of =
            |machine, workers| clocks(workers, machine, ten).0.iter().map(|clock| clock.ps()).max();
        assert_eq!(of(machine, 8), Some(1000), "a core each");
        // Both of two siblings run at 5/8, but for the first node of one: the other has not begun.
        let both = of(machine, 16).expect("sixteen");
        assert!((1540..=1600).contains(&both), "{both}");
        let table = toml::from_str("1 = 1000\n4 = 500").expect("TOML");
        let turbo = Turbo::resolve(&table).ok();
        let slower = of(Machine { caches: None, turbo }, 4).expect("four");
        assert!((1900..=2000).contains(&slower), "{slower}");
        assert_eq!(of(Machine { caches: None, turbo }, 1), Some(1000));
    }
}
