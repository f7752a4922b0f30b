//! The cores that workers run on.
//!
//! This is the only place where a search touches clocks and parking, and but for the clearing of a
//! table `std::thread`. (The driver dates sittings and measures their length by itself.)
//!
//! Workers meet time, and each other, only through [`Core`]. On real cores ([`real`]) a worker is
//! an operating-system thread, and its clock is the wall clock. On virtual cores
//! ([`virtual_clock`]) it is a coroutine, and a [`CostModel`] counts its clock. A searcher is a
//! [`Workload`], which does not know on which of the two it runs.
//!
//! Workers that share no memory meet by messages ([`Messenger`]). They are threads or processes
//! ([`ranks`]), or virtual cores.
//!
//! | file | what it holds |
//! |---|---|
//! | `core` | the core of a worker, as the worker sees it |
//! | `transport`, `ranks` | ways for messages; workers that are ranks and meet by messages alone |
//! | `workload`, `run` | the code of the workers, for real and virtual cores alike; running it |
//! | `real`, `worker_threads` | the wall clock, parking; the threads of real workers |
//! | `dilation` | rests of real workers, so that many of them share few cores |
//! | `virtual_clock`, `ready_queue` | coroutines on a simulated clock; which of them goes on |
//! | `cost_model` | the price of things on virtual cores, as data |
//! | `machine` | the machine that virtual cores make up: caches, hardware threads, frequency |
//! | `section`, `sync` | shared state that one worker uses at a time; the parts it is made of |
//! | `state_times` | the time of a worker in each state |
//! | `time` | the unit of every clock |
//! | `timeline` | the states of a worker, and its recorded events |
//! | `work_span` | work and critical path |
//! | `affinity`, `jobs` | threads bound to processors; independent jobs at once |

pub mod affinity;
mod core;
mod cost_model;
mod dilation;
pub mod jobs;
mod machine;
pub mod ranks;
mod ready_queue;
pub mod real;
mod run;
mod section;
mod state_times;
pub(crate) mod sync;
mod time;
mod timeline;
mod transport;
pub mod virtual_clock;
mod work_span;
pub mod worker_threads;
mod workload;

pub use self::core::{Area, Core, Cost, Line, Mail, Messenger};
pub use cost_model::CostModel;
pub use dilation::Dilation;
pub use machine::{Caches, Machine, Turbo};
pub use ranks::Rank;
pub use ready_queue::Schedule;
pub use real::Waiting;
pub use run::Cores;
pub use section::Section;
pub use state_times::StateTimes;
pub use time::{ParseTimeError, Time};
pub use timeline::{Event, Moment, Split, State, Timeline};
pub use transport::{Channels, Transport};
pub use virtual_clock::{Network, Simulation};
pub use work_span::{Chain, WorkSpan};
pub use worker_threads::WorkerThreads;
pub use workload::{Gathered, MessageWorkload, RunError, Workload};
