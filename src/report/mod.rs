//! From a results directory to texts and pictures for people: derived CSV files, charts and a
//! report.
//!
//! [`write()`] makes the report of a sweep, and [`write_match`] that of a match. Both read only the
//! files of the directory. So a report can be made again at any time, also of an unfinished run.
//!
//! | module | what it has |
//! |---|---|
//! | `salvage`, `input`, `source` | the usable rows of a results directory, all that follows from it, the chosen parts |
//! | `figures` | the figures that follow from the samples |
//! | `numbers`, `lists`, `columns` | the spelling of figures, their order, and their names |
//! | `document`, `charts`, `latex` | texts, pictures and `figures.tex` |
//! | `against` | figures of studies, from `experiments/published.toml` |
//! | `topic`, `topics` | the parts of a report |
//! | `registry`, `front`, `sweep`, `written` | the list of topics, and how they become files |
//! | `matches` | the report of a match |
//! | `compare`, `validation`, `timeline` | the output of other commands |
//! | `precision` | how narrow the intervals of speedups are |
//! | `error` | why a report could not be written |

mod against;
pub mod charts;
pub(crate) mod columns;
pub mod compare;
mod document;
mod error;
pub mod figures;
mod front;
mod input;
mod latex;
mod lists;
mod matches;
mod numbers;
mod precision;
mod registry;
mod salvage;
mod source;
mod sweep;
pub mod timeline;
mod topic;
mod topics;
pub mod validation;
mod written;

#[cfg(test)]
mod synthetic;
#[cfg(test)]
mod tests;

pub use columns::Table;
pub use error::ReportError;
pub use input::{Cores, Input};
pub use matches::{make_match, write_match};
pub use registry::{pages, remove};
pub use salvage::{LeftOut, Salvaged};
pub use sweep::{Beside, make, write};
pub use topics::sensitivity::rows::Sensitivity;
pub use written::{Made, Written};

pub(crate) use document::{Place, Report};
pub(crate) use matches::input::MatchInput;
pub(crate) use numbers::count;
pub(crate) use source::Source;
pub(crate) use topic::{File, Name, Picture, Topic, file};
pub(crate) use topics::{equal_quality, explain, memory};
