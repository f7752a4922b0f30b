//! Independent jobs, several at once on the host's threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

/// The stack of a thread, in bytes. Virtual cores nest one scope in another for each worker.
const STACK_BYTES: usize = 16 << 20;

/// Does the jobs numbered 0 to `count` - 1, each by one of the `hands`.
///
/// Gives every result to `take`, on this thread and in the order of numbers. A job without a result
/// ends the whole: no later result is taken. A single hand works on this thread. Returns whether
/// all results were taken.
///
/// # Errors
/// The first error of `take`. The jobs at work are finished first, and their results are dropped.
///
/// # Panics
/// If a job panics.
pub fn in_order<H: Send, R: Send, E>(
    hands: &mut [H],
    count: usize,
    job: impl Fn(&mut H, usize) -> Option<R> + Sync,
    mut take: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<bool, E> {
    let Some((first, others)) = hands.split_first_mut() else { return Ok(count == 0) };
    if others.is_empty() {
        return alone(first, count, job, take);
    }
    // Relaxed: results go through the channel, and each number is drawn once.
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let (drawing, job) = (Drawing { next: &next, stop: &stop, count }, &job);
        let mut started = 0;
        for hand in others {
            let sender = sender.clone();
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            let work = move || drawing.work(hand, job, &sender);
            // If the system starts no more threads, the others do this one's jobs.
            started += usize::from(builder.spawn_scoped(scope, work).is_ok());
        }
        if started == 0 {
            return alone(first, count, job, take);
        }
        let builder = thread::Builder::new().stack_size(STACK_BYTES);
        let last = sender.clone();
        let _ = builder.spawn_scoped(scope, move || drawing.work(first, job, &last));
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&wanted) {
                let taken = result.map(|result| take(wanted, result));
                if !matches!(taken, Some(Ok(()))) {
                    stop.store(true, Relaxed);
                    return taken.map_or(Ok(false), |error| error.map(|()| false));
                }
                wanted += 1;
            }
        }
        Ok(wanted == count)
    })
}

/// Jobs that are drawn one by one.
#[derive(Clone, Copy)]
struct Drawing<'a> {
    next: &'a AtomicUsize,
    stop: &'a AtomicBool,
    count: usize,
}

impl Drawing<'_> {
    /// Draws jobs and does them, until none is left or somebody says stop.
    fn work<H, R>(
        self,
        hand: &mut H,
        job: &impl Fn(&mut H, usize) -> Option<R>,
        results: &mpsc::Sender<(usize, Option<R>)>,
    ) {
        while !self.stop.load(Relaxed) {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.count || results.send((number, job(hand, number))).is_err() {
                break;
            }
        }
    }
}

/// Does the jobs by one hand, on this thread.
fn alone<H, R, E>(
    hand: &mut H,
    count: usize,
    job: impl Fn(&mut H, usize) -> Option<R>,
    mut take: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<bool, E> {
    for number in 0..count {
        match job(hand, number) {
            Some(result) => take(number, result)?,
            None => return Ok(false),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_order_whoever_is_first() {
        for hands in 1..5 {
            let mut taken = Vec::new();
            let slow_first = |(): &mut (), number: usize| {
                thread::sleep(Duration::from_millis(if number.is_multiple_of(3) { 5 } else { 0 }));
                Some(number * number)
            };
            let take = |number, result| {
                taken.push((number, result));
                Ok::<(), ()>(())
            };
            assert_eq!(in_order(&mut vec![(); hands], 20, slow_first, take), Ok(true));
            assert!(taken.iter().copied().eq((0..20).map(|n| (n, n * n))), "{hands}: {taken:?}");
        }
    }

    #[test]
    fn nothing_is_taken_after_a_job_without_a_result_or_an_error() {
        for hands in 1..4 {
            let hands = &mut vec![(); hands];
            let mut taken = 0;
            let job = |(): &mut (), number: usize| (number != 7).then_some(number);
            let ended = in_order(hands, 20, job, |_, _| {
                taken += 1;
                Ok::<(), ()>(())
            });
            assert_eq!((ended, taken), (Ok(false), 7));
            let fail_at_3 = |number, _| if number == 3 { Err("full") } else { Ok(()) };
            assert_eq!(in_order(hands, 20, |(): &mut (), n| Some(n), fail_at_3), Err("full"));
            assert_eq!(in_order(hands, 0, job, |_, _| Ok::<(), ()>(())), Ok(true));
        }
    }
}
