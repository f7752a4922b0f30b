//! Engines that speak the Universal Chess Interface or the older `XBoard` protocol. One part is our
//! engine as such a program; the other part drives engines of others.
//!
//! | file | what it holds |
//! |---|---|
//! | `spec` | the specification of an outside engine by a user |
//! | `link` | a process, the lines that it writes, and the time at which each was read |
//! | `fault` | the faults of an outside engine |
//! | `about`, `report` | an engine's description of itself; its reports while it searches |
//! | `go` | the task of a search for an engine: where, and how far |
//! | `dialect` | the differences between the two protocols |
//! | `uci_dialect`, `xboard` | each of the two protocols |
//! | `engine` | an outside engine at work: a place and a limit in, a best move out |
//! | `check` | the check whether an engine does all that a sweep needs |
//! | `told` | the iterations that an engine has reported |
//! | [`program`] | our engine as a UCI program: `ttd uci` |

mod about;
mod check;
mod dialect;
mod engine;
mod fault;
mod go;
mod link;
pub mod program;
mod report;
mod spec;
mod told;
mod uci_dialect;
mod xboard;

pub use about::{About, Kind, Offered};
pub use check::{CLOCKS, Finding, Verdict, check};
pub use engine::{Engine, GracePeriods, Reply, Watch};
pub use fault::{Fault, What};
pub use go::{Go, Limit, Place};
pub use link::kill_all;
pub use report::{Bound, Report, Said};
pub use spec::{End, EngineSpec, Protocol, Value, check_name};
pub use told::Told;
