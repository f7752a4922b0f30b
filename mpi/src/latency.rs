//! `ttd-mpi latency`: what a message costs here, for the network of virtual cores.
//!
//! Ranks 0 and 1 send a message to and fro. Half of a round trip of a short one is its overhead and
//! latency; what a long one takes more is that of its bytes. The overhead is the time for which the
//! call that sends is busy.

use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};
use ttd::cli::say;
use ttd_search::cores::Transport;

/// The length of a short message, bytes: such as a bound.
const SHORT: usize = 8;
/// The length of a long one, bytes: longer than an order, and short enough to be sent at once.
const LONG: usize = 2 << 10;
/// Round trips whose mean is one measurement.
const TRIPS: u32 = 100;
/// Measurements, of which the median counts.
const RUNS: usize = 31;
/// Looks for a message before a rank gives way: far more than a message takes.
const PATIENCE: u64 = 1000;
/// Messages that are sent at once to measure the overhead.
const SENT: u32 = 200;

/// Measures, if there are two ranks or more; rank 0 prints.
pub(crate) fn run(transport: &dyn Transport) -> ExitCode {
    if transport.size() < 2 {
        say("ttd-mpi: latency: 2 ranks expected: mpirun -n 2 ttd-mpi latency");
        return ExitCode::from(super::USAGE_STATUS);
    }
    if transport.rank() > 1 {
        return ExitCode::SUCCESS;
    }
    let round_trip = |bytes| median(|| to_and_fro(transport, bytes));
    let (short, long) = (round_trip(SHORT) / 2.0, round_trip(LONG) / 2.0);
    let overhead = median(|| busy(transport));
    if transport.rank() == 0 {
        let latency = (short - overhead).max(0.0);
        let byte = ((long - short) / (LONG - SHORT) as f64).max(0.0);
        println!("# Between two ranks: half of a round trip of {SHORT} bytes takes {short:.0} ps,");
        println!("# of {LONG} bytes {long:.0} ps (medians of {RUNS} means of {TRIPS}).");
        println!("[virtual.network]");
        println!("latency_ps = {latency:.0}");
        println!("byte_ps = {byte:.0}");
        println!("overhead_ps = {overhead:.0}");
    }
    ExitCode::SUCCESS
}

/// The median of some measurements, ps. The first one warms up and does not count.
fn median(measure: impl Fn() -> f64) -> f64 {
    measure();
    let mut all: Vec<f64> = (0..RUNS).map(|_| measure()).collect();
    all.sort_by(f64::total_cmp);
    all[RUNS / 2]
}

fn per(time: Duration, count: u32) -> f64 {
    time.as_nanos() as f64 * 1000.0 / f64::from(count)
}

/// Waits for a message. On a busy machine it gives way after a while.
fn receive(transport: &dyn Transport) -> Vec<u8> {
    let mut tries = 0_u64;
    loop {
        if let Some((_, message)) = transport.try_receive() {
            return message;
        }
        tries += 1;
        if tries > PATIENCE {
            thread::yield_now();
        }
    }
}

/// The mean time of a round trip, ps.
fn to_and_fro(transport: &dyn Transport, bytes: usize) -> f64 {
    let other = 1 - transport.rank();
    let begun = Instant::now();
    for _ in 0..TRIPS {
        if transport.rank() == 0 {
            transport.send(other, vec![0; bytes]);
            receive(transport);
        } else {
            let message = receive(transport);
            transport.send(other, message);
        }
    }
    per(begun.elapsed(), TRIPS)
}

/// The mean time for which sending a short message keeps rank 0 busy, ps.
fn busy(transport: &dyn Transport) -> f64 {
    if transport.rank() == 1 {
        (0..SENT).for_each(|_| drop(receive(transport)));
        transport.send(0, vec![0]);
        return 0.0;
    }
    let begun = Instant::now();
    (0..SENT).for_each(|_| transport.send(1, vec![0; SHORT]));
    let time = per(begun.elapsed(), SENT);
    receive(transport);
    time
}
