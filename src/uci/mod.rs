//! Engines that speak the Universal Chess Interface or the older `XBoard` protocol. One part is our
//! engine as such a program; the other part drives engines of others.
//!
//! | file | what it holds |
//! |---|---|
//! | `virtually` | virtual cores for an engine's process: their numbers |
//! | `value`, `spec`, `words` | an option's value; an outside engine as a user describes it, in a file or in words |
//! | `supervisor`, `start` | the small process above an engine; how an engine is started, and why it cannot be |
//! | `lines`, `link` | the lines of a stream, each with its time; a process and the lines that it writes |
//! | `fault` | the faults of an outside engine |
//! | `about`, `report` | an engine's description of itself; its reports while it searches |
//! | `go` | the task of a search for an engine: where, and how far; whether it keeps to that |
//! | `dialect` | the differences between the two protocols |
//! | `uci_dialect`, `xboard` | each of the two protocols |
//! | `engine` | an outside engine at work: a place and a limit in, a best move out |
//! | `check` | the check whether an engine does all that a sweep needs |
//! | `timelines` | what the threads of an engine did on virtual cores, and when |
//! | `told` | the iterations that an engine has reported |
//! | [`program`] | our engine as a UCI program: `ttd uci` |

mod about;
mod check;
mod dialect;
mod engine;
mod fault;
mod go;
mod lines;
mod link;
pub mod program;
mod report;
mod spec;
mod start;
mod supervisor;
mod timelines;
mod told;
mod uci_dialect;
mod value;
mod virtually;
mod words;
mod xboard;

pub use about::{About, Kind, Offered};
pub use check::{CLOCKS, Finding, Verdict, check, hint};
pub use dialect::threads_hint;
pub use engine::{Engine, GracePeriods, Reply, Watch};
pub use fault::{Fault, NO_CHESS960, What};
pub use go::{BrokenLimit, Go, KeptLimits, Limit, Place};
pub use link::kill_all;
pub use report::{Bound, Report, Said};
pub use spec::{BEYOND_MATERIAL, End, EngineSpec, Protocol, check_name};
pub use start::{
    ON_VIRTUAL_CORES, checked_runner, emulator, price_ps, runner, told_by, usual_price,
};
pub use supervisor::supervise;
pub use timelines::{Doing, Stretch, ThreadTimelines};
pub use told::Told;
pub use value::Value;
pub use virtually::{EngineCores, PRICES_PS, RUNNER, ThreadTimes, Virtually};
