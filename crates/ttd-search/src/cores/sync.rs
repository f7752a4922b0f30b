//! The parts from which shared state is made: the standard library's atomics, `parking_lot`'s
//! mutex, and the parking of threads.
//!
//! Under `--cfg loom` they are loom's. It tries the orders in which threads can meet, and the
//! values that they can read (docs/concurrency.md).

#[cfg(not(loom))]
pub(crate) use {
    parking_lot::Mutex,
    std::{
        sync::atomic,
        thread::{Thread, current, park},
    },
};

#[cfg(loom)]
pub(crate) use {
    loom::sync::atomic,
    mutex::Mutex,
    parking::{Thread, current, park},
};

/// The mutex of loom with the interface of `parking_lot`'s.
#[cfg(loom)]
mod mutex {
    use loom::sync::{self, MutexGuard};

    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Mutex<T> {
            Mutex(sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().expect("a model ends with its first panic")
        }

        pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
            self.0.try_lock().ok()
        }

        pub(crate) fn into_inner(self) -> T {
            self.0.into_inner().expect("a model ends with its first panic")
        }
    }
}

/// Parking by loom's notifications. (Loom's own `unpark` would also release a thread that waits for
/// a mutex.)
#[cfg(loom)]
mod parking {
    use loom::sync::Notify;
    use std::sync::Arc;

    loom::thread_local! {
        static THIS: Thread = Thread(Arc::new(Notify::new()));
    }

    #[derive(Clone)]
    pub(crate) struct Thread(Arc<Notify>);

    impl Thread {
        pub(crate) fn unpark(&self) {
            self.0.notify();
        }
    }

    pub(crate) fn current() -> Thread {
        THIS.with(Thread::clone)
    }

    pub(crate) fn park() {
        current().0.wait();
    }
}
