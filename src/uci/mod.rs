//! Engines that speak the Universal Chess Interface or the older `XBoard` protocol: ours as such a program, and the
//! driver of those of others.
//!
//! | file | what it holds |
//! |---|---|
//! | `spec` | what a user says of an outside engine |
//! | `link` | a process, the lines that it writes, and when each was read |
//! | `fault` | what an outside engine can do wrong |
//! | `about`, `report` | what an engine says of itself; what it says while it searches |
//! | `go` | a search as an engine is asked for it: where, and how far |
//! | `dialect` | what the two protocols differ in |
//! | `uci_dialect`, `xboard` | each of them |
//! | `engine` | an outside engine at work: a place and a limit in, a best move out |
//! | `check` | whether an engine does what a sweep needs |
//! | `told` | the iterations that an engine has told of |
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
pub use engine::{Engine, Patience, Reply, Watch};
pub use fault::{Fault, What};
pub use go::{Go, Limit, Place};
pub use link::kill_all;
pub use report::{Bound, Report, Said};
pub use spec::{End, EngineSpec, Protocol, Value, check_name};
pub use told::Told;
