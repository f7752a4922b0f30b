//! Objects that threads of the program share and wait for: mutexes, condition variables, locks of
//! readers and a writer, semaphores, barriers, spin locks, futexes.
//!
//! Each object lives in its own memory, laid out anew. The initialisers of the C library are zeros
//! there, but for the kind of a mutex. Only the thread that has the turn touches an object, so that
//! no look and the wait behind it can be torn apart. A wait's key is the object's address.

use crate::carrier::failed;
use crate::host::{affinity, place};
use crate::processor::system_call;
use crate::runtime::{self, is_here, real};
use crate::system::{CALL, clock_gettime, deadline, getrandom, picoseconds};
use libc::{c_int, c_long, c_uint, clockid_t, timespec};
use std::ffi::c_void;
use ttd_cores::schedule::{Doing, Schedule};

/// Waits for an object of a kind; true if the deadline came first.
fn wait(kind: Doing, object: usize, until: Option<i64>) -> bool {
    runtime::charge(CALL);
    runtime::pass(|schedule| schedule.block(kind, object, until))
}

fn wake(object: usize, most: usize) -> usize {
    runtime::enter(|runtime| {
        let woken = runtime.schedule.wake(object, most);
        if woken > 0 {
            runtime.schedule.charge(CALL);
        }
        woken
    })
    .unwrap_or(0)
}

/// Defines functions that a thread without turns has from the C library.
macro_rules! replaced {
    ($(fn $name:ident($($of:ident: $kind:ty),*) $body:block)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $name($($of: $kind),*) -> c_int {
            if !is_here() {
                let real = real!($name: unsafe extern "C" fn($($kind),*) -> c_int);
                // SAFETY: the caller's own arguments.
                return unsafe { real($($of),*) };
            }
            // SAFETY: the caller's own object, which only the thread that has the turn touches.
            #[allow(unused_unsafe)]
            unsafe { $body }
        }
    )*};
}
pub(crate) use replaced;

/// A mutex. The C library's initialisers have the kind at byte 16, and zeros before.
#[repr(C)]
pub(crate) struct Mutex {
    depth: u32,
    owner: u32,
    waiting: u32,
    unused: u32,
    kind: u32,
}

const RECURSIVE: u32 = 1;
const CHECKED: u32 = 2;

/// The caller's name as an owner of mutexes.
fn own_name() -> u32 {
    runtime::enter(|runtime| runtime.schedule.running() as u32 + 1).unwrap_or(0)
}

impl Mutex {
    /// A free mutex.
    pub(crate) fn new(is_recursive: bool) -> Self {
        let kind = if is_recursive { RECURSIVE } else { 0 };
        Mutex { depth: 0, owner: 0, waiting: 0, unused: 0, kind }
    }

    fn try_lock(&mut self) -> c_int {
        if self.depth == 0 {
            (self.depth, self.owner) = (1, own_name());
            return 0;
        }
        if self.kind & 3 == RECURSIVE && self.owner == own_name() {
            self.depth += 1;
            return 0;
        }
        libc::EBUSY
    }

    /// Locks. No reference lives during the wait, in which others change the mutex.
    ///
    /// # Safety
    ///
    /// `mutex` is a mutex of the program, and the caller has the turn.
    unsafe fn lock(mutex: *mut Mutex, until: Option<i64>) -> c_int {
        // SAFETY: as this function's.
        unsafe {
            let is_checked = (*mutex).kind & 3 == CHECKED;
            if is_checked && (*mutex).depth > 0 && (*mutex).owner == own_name() {
                return libc::EDEADLK;
            }
            while (*mutex).try_lock() != 0 {
                (*mutex).waiting += 1;
                let is_late = wait(Doing::Lock, mutex as usize, until);
                (*mutex).waiting -= 1;
                if is_late {
                    return libc::ETIMEDOUT;
                }
            }
        }
        0
    }

    fn unlock(&mut self) -> c_int {
        if self.kind & 3 == CHECKED && (self.depth == 0 || self.owner != own_name()) {
            return libc::EPERM;
        }
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            self.owner = 0;
            if self.waiting > 0 {
                wake(&raw const *self as usize, 1);
            }
        }
        0
    }
}

replaced! {
    fn pthread_mutex_trylock(mutex: *mut Mutex) { (*mutex).try_lock() }
    fn pthread_mutex_lock(mutex: *mut Mutex) { Mutex::lock(mutex, None) }
    fn pthread_mutex_timedlock(mutex: *mut Mutex, time: *const timespec) {
        Mutex::lock(mutex, Some(deadline(libc::CLOCK_REALTIME, time)))
    }
    fn pthread_mutex_clocklock(mutex: *mut Mutex, clock: clockid_t, time: *const timespec) {
        Mutex::lock(mutex, Some(deadline(clock, time)))
    }
    fn pthread_mutex_unlock(mutex: *mut Mutex) { (*mutex).unlock() }
    fn pthread_mutex_destroy(mutex: *mut Mutex) {
        if (*mutex).depth > 0 { libc::EBUSY } else { 0 }
    }
}

/// A condition variable: its clock. Its waits have its address as key.
#[repr(C)]
pub(crate) struct Condition {
    clock: clockid_t,
    unused: [u32; 11],
}

unsafe fn wait_for(condition: *mut Condition, mutex: *mut Mutex, until: Option<i64>) -> c_int {
    // SAFETY: objects of the caller. A mutex that is locked twice is given up whole.
    unsafe {
        let depth = (*mutex).depth;
        (*mutex).depth = 1;
        (*mutex).unlock();
        let is_late = wait(Doing::Condition, condition as usize, until);
        Mutex::lock(mutex, None);
        (*mutex).depth = depth;
        if is_late { libc::ETIMEDOUT } else { 0 }
    }
}

replaced! {
    fn pthread_cond_init(condition: *mut Condition, attributes: *const libc::pthread_condattr_t) {
        let mut clock = libc::CLOCK_REALTIME;
        if !attributes.is_null() {
            libc::pthread_condattr_getclock(attributes, &raw mut clock);
        }
        condition.write(Condition { clock, unused: [0; 11] });
        0
    }
    fn pthread_cond_destroy(condition: *mut Condition) {
        (*condition).clock = libc::CLOCK_REALTIME;
        0
    }
    fn pthread_cond_wait(condition: *mut Condition, mutex: *mut Mutex) {
        wait_for(condition, mutex, None)
    }
    fn pthread_cond_timedwait(condition: *mut Condition, mutex: *mut Mutex, time: *const timespec) {
        wait_for(condition, mutex, Some(deadline((*condition).clock, time)))
    }
    fn pthread_cond_clockwait(condition: *mut Condition, mutex: *mut Mutex, clock: clockid_t,
        time: *const timespec) {
        wait_for(condition, mutex, Some(deadline(clock, time)))
    }
    fn pthread_cond_signal(condition: *mut Condition) { wake(condition as usize, 1); 0 }
    fn pthread_cond_broadcast(condition: *mut Condition) { wake(condition as usize, usize::MAX); 0 }
}

/// Many readers or one writer.
#[repr(C)]
pub(crate) struct ReadWrite {
    readers: u32,
    writers: u32,
}

impl ReadWrite {
    fn read(&mut self) -> bool {
        let is_free = self.writers == 0;
        self.readers += u32::from(is_free);
        is_free
    }

    fn write(&mut self) -> bool {
        let is_free = self.writers == 0 && self.readers == 0;
        self.writers += u32::from(is_free);
        is_free
    }

    /// Locks, by one of the two above.
    ///
    /// # Safety
    ///
    /// The rules of `Mutex::lock` hold.
    unsafe fn lock(lock: *mut Self, take: fn(&mut Self) -> bool, until: Option<i64>) -> c_int {
        // SAFETY: as this function's; no reference lives during the wait.
        while !take(unsafe { &mut *lock }) {
            if wait(Doing::Lock, lock as usize, until) {
                return libc::ETIMEDOUT;
            }
        }
        0
    }
}

fn busy(is_taken: bool) -> c_int {
    if is_taken { 0 } else { libc::EBUSY }
}

replaced! {
    fn pthread_rwlock_rdlock(lock: *mut ReadWrite) { ReadWrite::lock(lock, ReadWrite::read, None) }
    fn pthread_rwlock_wrlock(lock: *mut ReadWrite) { ReadWrite::lock(lock, ReadWrite::write, None) }
    fn pthread_rwlock_tryrdlock(lock: *mut ReadWrite) { busy((*lock).read()) }
    fn pthread_rwlock_trywrlock(lock: *mut ReadWrite) { busy((*lock).write()) }
    fn pthread_rwlock_timedrdlock(lock: *mut ReadWrite, time: *const timespec) {
        ReadWrite::lock(lock, ReadWrite::read, Some(deadline(libc::CLOCK_REALTIME, time)))
    }
    fn pthread_rwlock_timedwrlock(lock: *mut ReadWrite, time: *const timespec) {
        ReadWrite::lock(lock, ReadWrite::write, Some(deadline(libc::CLOCK_REALTIME, time)))
    }
    fn pthread_rwlock_clockrdlock(lock: *mut ReadWrite, clock: clockid_t, time: *const timespec) {
        ReadWrite::lock(lock, ReadWrite::read, Some(deadline(clock, time)))
    }
    fn pthread_rwlock_clockwrlock(lock: *mut ReadWrite, clock: clockid_t, time: *const timespec) {
        ReadWrite::lock(lock, ReadWrite::write, Some(deadline(clock, time)))
    }
    fn pthread_rwlock_unlock(lock: *mut ReadWrite) {
        if (*lock).writers > 0 { (*lock).writers = 0 } else { (*lock).readers -= 1 }
        if (*lock).readers == 0 {
            wake(lock as usize, usize::MAX);
        }
        0
    }
}

/// Waits until a semaphore can be taken.
unsafe fn take(semaphore: *mut u32, until: Option<i64>) -> c_int {
    // SAFETY: the caller's semaphore, whose first word is its value in the C library too.
    unsafe {
        while semaphore.read() == 0 {
            if wait(Doing::Barrier, semaphore as usize, until) {
                return failed(libc::ETIMEDOUT);
            }
        }
        semaphore.write(semaphore.read() - 1);
    }
    0
}

replaced! {
    fn sem_wait(semaphore: *mut u32) { take(semaphore, None) }
    fn sem_trywait(semaphore: *mut u32) {
        if semaphore.read() == 0 { failed(libc::EAGAIN) } else { take(semaphore, None) }
    }
    fn sem_timedwait(semaphore: *mut u32, time: *const timespec) {
        take(semaphore, Some(deadline(libc::CLOCK_REALTIME, time)))
    }
    fn sem_clockwait(semaphore: *mut u32, clock: clockid_t, time: *const timespec) {
        take(semaphore, Some(deadline(clock, time)))
    }
    fn sem_post(semaphore: *mut u32) {
        semaphore.write(semaphore.read() + 1);
        wake(semaphore as usize, 1);
        0
    }
    fn sem_getvalue(semaphore: *mut u32, value: *mut u32) { value.write(semaphore.read()); 0 }
}

/// A barrier: how many it takes, and how many came.
#[repr(C)]
pub(crate) struct Barrier {
    size: u32,
    came: u32,
}

replaced! {
    fn pthread_barrier_init(barrier: *mut Barrier, attributes: *const c_void, size: c_uint) {
        let _ = attributes;
        if size == 0 {
            return libc::EINVAL;
        }
        barrier.write(Barrier { size, came: 0 });
        0
    }
    fn pthread_barrier_destroy(barrier: *mut Barrier) { let _ = barrier; 0 }
    fn pthread_barrier_wait(barrier: *mut Barrier) {
        (*barrier).came += 1;
        if (*barrier).came == (*barrier).size {
            (*barrier).came = 0;
            wake(barrier as usize, usize::MAX);
            return libc::PTHREAD_BARRIER_SERIAL_THREAD;
        }
        // The last one may make the barrier anew at once: its memory says no more that it opened.
        wait(Doing::Barrier, barrier as usize, None);
        0
    }
}

replaced! {
    fn pthread_spin_init(lock: *mut u32, shared: c_int) { let _ = shared; lock.write(0); 0 }
    fn pthread_spin_trylock(lock: *mut u32) { let free = lock.read() == 0; lock.write(1); busy(free) }
    fn pthread_spin_lock(lock: *mut u32) {
        while lock.read() != 0 {
            runtime::charge(CALL);
            runtime::pass(Schedule::yield_now);
        }
        lock.write(1);
        0
    }
    fn pthread_spin_unlock(lock: *mut u32) { lock.write(0); 0 }
}

/// The futexes of C++20's waits and of Rust, which come by `syscall`. Clocks, processors and random
/// bytes may, too. Other calls go on.
#[unsafe(no_mangle)]
unsafe extern "C" fn syscall(
    number: c_long,
    first: usize,
    second: usize,
    third: usize,
    fourth: usize,
    fifth: usize,
    sixth: usize,
) -> c_long {
    if number == libc::SYS_futex && is_here() {
        let (word, time) = (first as *const u32, fourth as *const timespec);
        // SAFETY: the caller's own word and time.
        return unsafe { futex(word, second as c_int, third as u32, time) };
    }
    // SAFETY: the caller's own pointers.
    match number {
        libc::SYS_clock_gettime if is_here() => {
            return unsafe { clock_gettime(first as clockid_t, second as *mut timespec) }.into();
        }
        libc::SYS_getrandom if is_here() => {
            return unsafe { getrandom(first as *mut u8, second, third as c_uint) } as c_long;
        }
        libc::SYS_sched_getaffinity if is_here() => return affinity(second, third as *mut u8),
        libc::SYS_getcpu if is_here() => {
            return place(first as *mut c_uint, second as *mut c_uint).into();
        }
        _ => {}
    }
    // SAFETY: the caller's own call.
    let result = unsafe { system_call(number, [first, second, third, fourth, fifth, sixth]) };
    if (-4095..0).contains(&result) { failed(-result as c_int).into() } else { result as c_long }
}

unsafe fn futex(word: *const u32, operation: c_int, value: u32, time: *const timespec) -> c_long {
    let is_relative = match operation & libc::FUTEX_CMD_MASK {
        libc::FUTEX_WAKE | libc::FUTEX_WAKE_BITSET => {
            return wake(word as usize, value as usize) as c_long;
        }
        libc::FUTEX_WAIT => true,
        libc::FUTEX_WAIT_BITSET => false,
        // Others have a number where these have a time.
        _ => return failed(libc::ENOSYS).into(),
    };
    // SAFETY: the caller's own word.
    if unsafe { word.read_volatile() } != value {
        return failed(libc::EAGAIN).into();
    }
    let is_wall = operation & libc::FUTEX_CLOCK_REALTIME != 0;
    let clock = if is_wall { libc::CLOCK_REALTIME } else { libc::CLOCK_MONOTONIC };
    let until = (!time.is_null()).then(|| {
        if is_relative {
            // SAFETY: a time of the caller.
            runtime::now().unwrap_or(0).saturating_add(picoseconds(unsafe { *time }))
        } else {
            deadline(clock, time)
        }
    });
    if wait(Doing::Condition, word as usize, until) { failed(libc::ETIMEDOUT).into() } else { 0 }
}
