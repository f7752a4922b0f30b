//! An experiment: what it is ([`Experiment`]), in which order it is measured, how it is run and
//! resumed, and what it leaves in its results directory.

mod draft;
mod journal;
mod name;
mod resolve;
mod spec;

pub use draft::{Draft, DraftFile, ThreadList};
pub use journal::{
    ITERATIONS, IterationRow, Journal, JournalError, SAMPLES, Sample, SampleStatus,
    iteration_columns, read_iterations, read_samples, sample_columns,
};
pub use resolve::{MAX_THREADS, ResolveError, Resolved, SpecError, resolve};
pub use spec::{Base, CoresKind, EXPERIMENT, Experiment, ReadExperimentError};
