//! An experiment: what it is ([`Experiment`]), in which order it is measured, how it is run and
//! resumed, and what it leaves in its results directory.
//!
//! | file | what it holds |
//! |---|---|
//! | `keys` | the resolved experiment and what a user says of one, each key declared once |
//! | `resolve`, `name` | from what a user says to a whole one, or a refusal |
//! | `spec`, `base` | reading and writing one; what a speedup is relative to |
//! | `plan` | which sample is taken when, and its seed: pure |
//! | `contender` | who is measured: searchers, variants and outside engines |
//! | `variant` | our own engine with other settings than the experiment's |
//! | `runner` | takes the samples, with anything that can |
//! | `bench`, `outside` | what can: the laboratory; outside engines |
//! | `results`, `journal` | the results directory: opened, resumed, appended to |
//! | `rows`, `parts` | samples and what they consist of, each column once |
//! | `estimate`, `foresight` | how long the rest takes; on virtual cores, what to expect |
//! | `until`, `precision` | when enough is measured: how far a run goes that is not told how often |
//! | `sensitivity` | the same experiment with other costs of virtual cores |

mod base;
mod bench;
mod contender;
mod estimate;
mod foresight;
mod journal;
mod keys;
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
mod until;
mod variant;

pub use base::Base;
pub use bench::Bench;
pub use contender::{Contender, Own};
pub use estimate::Estimate;
pub use foresight::foresee;
pub use journal::{read_parts, read_samples};
pub use keys::{Draft, Experiment, Options};
pub use outside::look;
pub use parts::{DepthRow, IterationRow, Of, Part, Parts, ToldRow, WorkerRow};
pub use plan::{Cell, Planned, cells, plan};
pub use precision::{precision, precision_of, sweep};
pub use published::{Published, PublishedRow, Quantiles};
pub use resolve::{MAX_THREADS, Resolved, resolve, simulation_mib};
pub use results::{Opening, POSITIONS, Results, peek};
pub use rows::{SAMPLES, Sample, SampleKey, SampleStatus};
pub use runner::{Ended, Executor, Observer, Taken, describe, run};
pub use sensitivity::{SENSITIVITY, Variation};
pub use spec::EXPERIMENT;
pub use until::MOST_ROUNDS;
pub use variant::{Variant, VariantDraft};
