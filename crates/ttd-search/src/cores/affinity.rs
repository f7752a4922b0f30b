//! On which processors threads may run.

use std::io;

/// Has this thread, and those that it starts from now on, run on these processors only; on any if there are
/// none.
///
/// # Errors
/// If the system does not allow it, or has no such processor.
pub fn pin(cpus: &[usize]) -> io::Result<()> {
    if cpus.is_empty() { Ok(()) } else { set(cpus) }
}

/// Does something on a thread that runs on these processors only: a process that it starts does so too.
///
/// # Errors
/// As [`pin`].
///
/// # Panics
/// If what it does panics.
pub fn on<T: Send>(cpus: &[usize], work: impl FnOnce() -> T + Send) -> io::Result<T> {
    if cpus.is_empty() {
        return Ok(work());
    }
    std::thread::scope(|scope| {
        let pinned = scope.spawn(|| pin(cpus).map(|()| work()));
        pinned.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// How many threads this process can run at once.
pub fn usable() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(target_os = "linux")]
fn set(cpus: &[usize]) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    for &cpu in cpus {
        if cpu >= CpuSet::MAX_CPU {
            return Err(io::Error::other(format!("there is no processor {cpu}")));
        }
        set.set(cpu);
    }
    Ok(sched_setaffinity(None, &set)?)
}

#[cfg(not(target_os = "linux"))]
fn set(_cpus: &[usize]) -> io::Result<()> {
    Err(io::Error::other("threads can be bound to processors on Linux only"))
}
