//! An experiment: what it is ([`Experiment`]), in which order it is measured, how it is run and
//! resumed, and what it leaves in its results directory.
//!
//! | file | what it holds |
//! |---|---|
//! | `spec` | the resolved experiment |
//! | `draft`, `resolve`, `name` | what a user says of one; from there to a whole one, or a refusal |
//! | `toml_place` | where in a TOML text a key stands, and what is wrong there |
//! | `plan` | which sample is taken when, and its seed: pure |
//! | `contender` | who is measured: searchers, variants and outside engines |
//! | `variant` | our own engine with other settings than the experiment's |
//! | `runner` | takes the samples, with anything that can |
//! | `bench`, `outside` | what can: the laboratory; outside engines |
//! | `results` | the results directory: made, checked, locked, resumed |
//! | `rows`, `parts`, `journal` | samples and what they consist of, and the files they are appended to |
//! | `environment` | with what and on what it was measured: read only |
//! | `difference` | one thing in which two experiments or sittings differ |
//! | `estimate`, `foresight` | how long the rest takes; on virtual cores, what to expect |
//! | `until`, `precision` | when enough is measured: how far a run goes that is not told how often |
//! | `sensitivity` | the same experiment with other costs of virtual cores |

mod bench;
mod contender;
mod difference;
mod draft;
mod environment;
mod estimate;
mod foresight;
mod journal;
mod name;
mod outside;
mod parts;
mod plan;
mod precision;
mod published;
mod resolve;
mod results;
mod rows;
mod runner;
mod sensitivity;
mod spec;
pub(crate) mod toml_place;
mod until;
mod variant;

pub use bench::Bench;
pub use contender::{Contender, Own};
pub use difference::Difference;
pub use draft::{Draft, DraftFile, NumberList};
pub use environment::{
    Activity, Aspect, Condition, ENVIRONMENT, EnvironmentError, Load, Moment, Reading, Seen,
    Sitting, TICKS_PER_S, cores_usable, memory_available_mib, peak_memory_mib, read_sittings,
};
pub(crate) use environment::{utc, write_sittings};
pub use estimate::Estimate;
pub use foresight::foresee;
pub(crate) use journal::{Appended, Rows, begun};
pub use journal::{JournalError, Unusable, quoted, read_parts, read_samples, salvage};
pub use outside::look;
pub(crate) use outside::seen;
pub use parts::{DepthRow, IterationRow, Of, Part, Parts, SampleKey, ToldRow, WorkerRow};
pub(crate) use plan::shuffle;
pub use plan::{Cell, Planned, cells, plan};
pub use precision::{precision, precision_of, sweep};
pub use published::{Published, PublishedRow, Quantiles};
pub use resolve::{MAX_THREADS, ResolveError, Resolved, SpecError, resolve, simulation_mib};
pub use results::{
    CHARTS, Contents, LOG, Opening, POSITIONS, Results, ResultsError, peek, remove_charts,
};
pub(crate) use results::{check_foreign, differences, differing, lock, write_whole};
pub use rows::{Row, SAMPLES, Sample, SampleStatus};
pub use runner::{Ended, Executor, Observer, Taken, describe, run};
pub use sensitivity::{SENSITIVITY, Variation};
pub use spec::{Base, CoresKind, EXPERIMENT, Experiment, ReadExperimentError};
pub use until::MOST_ROUNDS;
pub use variant::{Variant, VariantDraft};
