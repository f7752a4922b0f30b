//! The environment of a measurement: the program and the machine. It is only read, never changed,
//! and is written before and after.
//!
//! | file | what it holds |
//! |---|---|
//! | `sitting` | one call of the program: what does not change during it, and what may |
//! | `differences` | the differences between two sittings |
//! | `readings` | facts of the machine, as Linux tells them, or why they could not be read |
//! | `seen`, `fingerprint` | an outside engine as it was found; fingerprints of builds |
//! | `provenance` | the kind of cores, the host, the part of the experiment, the job of a scheduler |
//! | `dates` | times in a sitting |

mod dates;
mod differences;
mod fingerprint;
mod provenance;
mod readings;
mod seen;
mod sitting;

pub use dates::utc;
pub use differences::Aspect;
pub use fingerprint::executable;
pub use provenance::{CoresKind, Provenance, Said as SaidOfPlace, this_host};
pub use readings::{
    Activity, Condition, Load, Reading, TICKS_PER_S, cores_of_machine, cores_usable,
    memory_available_mib, peak_memory_mib, processors_by_core, quota_cores,
};
pub use seen::{Seen, seen, seen_file};
pub use sitting::{Moment, Sitting, read_sittings, write_sittings};
