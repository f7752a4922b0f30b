//! Speculation: does the sum of many numbers exceed a threshold? Workers add parts before it is
//! known whether they are needed, and stop when it is known that they are not.
//!
//!     cargo run --release -p ttd-search --example speculation
//!
//! Source of the task: Leiserson's lecture on speculative parallelism, whose first example it is.

use ttd_search::cores::{
    Core, Cores, Cost, RunError, Schedule, Section, Simulation, State, Time, Waiting,
    WorkerThreads, Workload,
};

/// The numbers of a strip: a worker looks at the total only between two strips.
const STRIP: usize = 100;

/// The order in which strips are taken.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// Each worker takes the next strip of all.
    Next,
    /// Each worker has a part of its own.
    Parts,
}

/// The sum so far, the strips that were taken, and the workers that have nothing left to add.
#[derive(Default)]
struct Account {
    total: u64,
    taken: usize,
    done: usize,
}

/// The numbers, none of them negative, and the workers' common account.
struct ThresholdSum<'n> {
    numbers: &'n [u64],
    threshold: u64,
    order: Order,
    account: Section<Account>,
}

impl Workload for ThresholdSum<'_> {
    type Prepared = ();
    /// The number of strips that the worker has added.
    type Result = usize;

    fn prepare(&self, _id: usize) {}

    fn work<C: Core>(&self, (): (), mut core: C) -> usize {
        let strips = self.numbers.len().div_ceil(STRIP);
        let share = strips.div_ceil(core.workers());
        let mut own = (core.id() * share).min(strips)..((core.id() + 1) * share).min(strips);
        let mut added = 0;
        core.enter(State::Search);
        // Polling: the worker asks before each strip whether the answer is known.
        while !core.ended() {
            let strip = match self.order {
                Order::Next => core.section(&self.account, |account| {
                    account.taken += 1;
                    (account.taken <= strips).then_some(account.taken - 1)
                }),
                Order::Parts => own.next(),
            };
            let Some(strip) = strip else { break };
            let part = self.numbers.chunks(STRIP).nth(strip).unwrap_or_default();
            let sum: u64 = part.iter().sum();
            core.charge(Cost::Node);
            added += 1;
            let exceeds = core.section(&self.account, |account| {
                account.total += sum;
                account.total > self.threshold
            });
            if exceeds {
                core.end();
            }
        }
        let workers = core.workers();
        let last = core.section(&self.account, |account| {
            account.done += 1;
            account.done == workers
        });
        if last {
            core.end();
        }
        core.wait_while(State::Finished, |ended| !ended);
        added
    }
}

/// The answer, the strips added, and the time.
fn exceeds(
    cores: &Cores<'_>,
    workers: usize,
    (numbers, threshold): (&[u64], u64),
    order: Order,
) -> Result<(bool, usize, Time), RunError> {
    let account = Section::default();
    let task = ThresholdSum { numbers, threshold, order, account };
    let gathered = cores.run(workers, Waiting::PARKED, &task)?;
    Ok((task.account.into_inner().total > threshold, gathered.results.iter().sum(), gathered.time))
}

/// Virtual cores with the default costs.
fn simulated() -> Cores<'static> {
    Cores::Virtual(Simulation::plain(Schedule::Earliest))
}

fn main() -> Result<(), RunError> {
    let numbers = vec![1; 1_000_000];
    println!("cores    order  workers  strips  time s");
    for (name, cores) in
        [("virtual", simulated()), ("real", Cores::Real(&WorkerThreads::default()))]
    {
        for order in [Order::Next, Order::Parts] {
            for workers in [1, 2, 8] {
                let (found, strips, time) = exceeds(&cores, workers, (&numbers, 300_000), order)?;
                assert!(found, "a million exceeds it");
                println!("{name:7}  {order:5?}  {workers:7}  {strips:6}  {time}");
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever adds, the answer is that of the whole sum. Nobody adds more strips than are needed
    /// and one for each other worker, where all numbers are equal.
    #[test]
    fn speculation_changes_the_work_and_not_the_answer() {
        let numbers = vec![1; 20 * STRIP + 7];
        for cores in [simulated(), Cores::Real(&WorkerThreads::default())] {
            for (order, workers) in
                [Order::Next, Order::Parts].into_iter().flat_map(|o| [1, 2, 5].map(|w| (o, w)))
            {
                for threshold in [0, 99, 100, 1_050, 2_006, 2_007, 9_999] {
                    let found = exceeds(&cores, workers, (&numbers, threshold), order);
                    let (answer, strips, _) = found.expect("it ends");
                    assert_eq!(answer, threshold < 2_007, "{workers} {threshold}");
                    let needed = (threshold as usize / STRIP + 1).min(21);
                    assert!((needed..needed + workers + 1).contains(&strips), "{strips}");
                }
            }
        }
    }

    #[test]
    fn on_virtual_cores_it_repeats() {
        let numbers: Vec<u64> = (0..5_000).map(|n| n * 7 % 13).collect();
        let of = || exceeds(&simulated(), 8, (&numbers, 9_000), Order::Parts);
        assert_eq!(of(), of());
    }
}
