//! The parts that experiments and matches share: partial files with their places, refusals with
//! their reasons, and a results directory with its journal and sittings. Nothing here knows samples
//! or games.
//!
//! | file | what it holds |
//! |---|---|
//! | `refusal` | a refusal: the place, the value found, the value expected |
//! | `toml_place` | a TOML text that is read, with the place of each mistake |
//! | `toml_file`, `sources` | a partial file; the source of each key, and its checks |
//! | `keys` | the keys of a TOML file, each declared once |
//! | `number_list` | lists and ranges of whole numbers; a number with its noun |
//! | `cell` | a text as a cell that no spreadsheet computes |
//! | `column`, `row` | the columns of a file, each once; a row of a file |
//! | `journal` | files that rows are appended to, cut, and read back |
//! | `opened`, `files` | files of a results directory, opened with care; files written in one step |
//! | `directory` | a results directory: made, checked, locked, logged |
//! | `format` | the format of a results directory |
//! | `environment` | the program and the machine of a measurement: only read |
//! | `difference` | a difference between two tables or sittings |
//! | `error` | what a results directory holds: samples or games; why it cannot be used |
//! | `seeded` | orders and hashes that never change |
//! | `shard`, `merging` | a part of a plan, for a machine of its own; what parts must be |

mod cell;
mod column;
mod difference;
mod directory;
mod environment;
mod error;
mod files;
mod format;
mod journal;
mod keys;
mod merging;
mod number_list;
mod opened;
#[cfg(test)]
pub(crate) mod pages;
mod refusal;
mod row;
mod seeded;
mod shard;
mod sources;
mod toml_file;
mod toml_place;

pub(crate) use cell::written as cell;
pub(crate) use column::column;
pub use column::{Column, Field};
pub use difference::{Difference, differences, differing};
pub(crate) use directory::Directory;
pub use directory::LOG;
pub use environment::{
    Activity, Aspect, Condition, CoresKind, Load, Moment, Provenance, Reading, SaidOfPlace, Seen,
    Sitting, TICKS_PER_S, cores_of_machine, cores_usable, executable, memory_available_mib,
    peak_memory_mib, processors_by_core, quota_cores, read_sittings, seen, seen_file, this_host,
    utc, write_sittings,
};
pub use error::{Contents, ReadError, ResultsError};
pub(crate) use files::turn;
pub use files::{remove_file, write_whole};
pub use format::ENVIRONMENT;
pub(crate) use format::{FORMAT, check_format};
#[cfg(test)]
pub(crate) use journal::csv_line;
pub(crate) use journal::{Appended, Rows, begun};
pub use journal::{JournalError, Unusable, quoted, salvage};
pub use keys::Key;
pub(crate) use keys::{as_said, keys, partial, percent, seconds, seconds_in, whole, whole_in};
pub use merging::{MergeError, MergeTerms, parts_of};
pub(crate) use merging::{MergePart, check_target, in_order};
pub(crate) use number_list::count;
pub use number_list::{NumberList, Pin};
pub use opened::check_regular;
pub(crate) use opened::{append, check_own_directory, read_long_text, read_text, read_toml};
pub use refusal::{Refusal, Refusals, ResolveError};
pub use row::Row;
pub use seeded::{hash, shuffle};
pub use shard::Shard;
pub use sources::{Said, Sources};
pub use toml_file::TomlFile;
pub(crate) use toml_place::{in_words, read};
