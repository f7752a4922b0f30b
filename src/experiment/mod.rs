//! An experiment: what it is ([`Experiment`]), in which order it is measured, how it is run and
//! resumed, and what it leaves in its results directory.

mod draft;
mod environment;
mod estimate;
mod journal;
mod name;
mod plan;
mod resolve;
mod results;
mod runner;
mod spec;

pub use draft::{Draft, DraftFile, ThreadList};
pub use environment::{
    ENVIRONMENT, EnvironmentError, Moment, Reading, Sitting, cores_usable, memory_available_mib,
    peak_memory_mib, read_sittings,
};
pub use estimate::Estimate;
pub use journal::{
    ITERATIONS, IterationRow, Journal, JournalError, SAMPLES, Sample, SampleStatus,
    iteration_columns, read_iterations, read_samples, sample_columns,
};
pub use plan::{Cell, Planned, cells, plan};
pub use resolve::{MAX_THREADS, ResolveError, Resolved, SpecError, resolve};
pub use results::{LOG, Opening, POSITIONS, Results, ResultsError, peek};
pub use runner::{Ended, Executor, Observer, describe, run};
pub use spec::{Base, CoresKind, EXPERIMENT, Experiment, ReadExperimentError};
