//! Binding of threads to processors.

use std::io;
use std::sync::OnceLock;

/// Binds this thread, and the threads that it starts from now on, to these processors. An empty
/// list binds nothing.
///
/// # Errors
/// If the system does not allow it, or has no such processor.
pub fn pin(cpus: &[usize]) -> io::Result<()> {
    if cpus.is_empty() { Ok(()) } else { set(cpus) }
}

/// Runs `work` on a thread bound to these processors. A process that it starts is bound too.
///
/// # Errors
/// The errors of [`pin`], or if no thread can be started.
///
/// # Panics
/// If `work` panics.
pub fn on<T: Send>(cpus: &[usize], work: impl FnOnce() -> T + Send) -> io::Result<T> {
    if cpus.is_empty() {
        return Ok(work());
    }
    std::thread::scope(|scope| {
        let pinned = || pin(cpus).map(|()| work());
        let pinned = std::thread::Builder::new().spawn_scoped(scope, pinned)?;
        pinned.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Two processors that this thread may run on; none if there is only one, or if the system does not
/// tell.
#[cfg(target_os = "linux")]
pub fn two() -> Option<[usize; 2]> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(None).ok()?;
    let mut all = (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu));
    Some([all.next()?, all.next()?])
}

/// Two processors that this thread may run on: none, as the system does not tell.
#[cfg(not(target_os = "linux"))]
pub fn two() -> Option<[usize; 2]> {
    None
}

/// The number of threads that this process can run at once. It is that of the first call, whose
/// thread must not be bound. Files of the system tell it, and reading them takes longer than a
/// short search.
pub fn usable() -> usize {
    static USABLE: OnceLock<usize> = OnceLock::new();
    *USABLE.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
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
