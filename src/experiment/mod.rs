//! An experiment ([`Experiment`]): its keys, the order in which it is measured, its runs, and its
//! results directory.
//!
//! | file | what it holds |
//! |---|---|
//! | `keys` | the resolved and the partial experiment, each key declared once; the base of a speedup |
//! | `resolve`, `name` | from a partial experiment to a resolved one, or a refusal |
//! | `spec` | reading and writing an experiment |
//! | `earlier` | the beginning of an experiment that grew by positions or threads |
//! | `plan` | the order of the samples, and their seeds: a pure function |
//! | `competitor` | the competitors: searchers, variants and outside engines |
//! | `variant` | our own engine with other settings than the experiment's |
//! | `runner` | takes samples, with any executor |
//! | `ranks` | workers that are processes: what rank 0 tells the others |
//! | `executor`, `outside` | the executor of runs, with the lab; outside engines |
//! | `results`, `journal` | the results directory: opened, resumed, appended to |
//! | `lost` | samples that have lost rows of their parts, and rows that cannot be parts |
//! | `merge` | parts of an experiment put together |
//! | `repetition` | whether this program repeats the samples of another one |
//! | `rows`, `parts` | samples and their parts, each column once |
//! | `estimate`, `forecast` | the time that the rest takes; on virtual cores, a forecast, and how fast a thread is |
//! | `until`, `precision` | the end of a run that goes on until its intervals are narrow |
//! | `published` | figures of others, to stand beside those of the report |
//! | `schedules` | hunts for faults of outside engines, under many seeded schedules |
//! | `sensitivity` | an experiment with other costs of virtual cores |

mod competitor;
mod earlier;
mod estimate;
mod executor;
mod forecast;
mod journal;
mod keys;
mod lost;
mod merge;
mod name;
mod outside;
mod parts;
mod plan;
mod precision;
mod published;
mod ranks;
mod repetition;
mod resolve;
mod results;
mod rows;
mod runner;
mod schedules;
mod sensitivity;
mod spec;
mod until;
mod variant;

pub use competitor::{Competitor, OurSettings};
pub use earlier::Earlier;
pub use estimate::Estimate;
pub use executor::SearchExecutor;
pub use forecast::{foresee, probe};
pub use journal::{read_parts, read_samples};
pub use keys::{Base, Experiment, PartialExperiment};
pub use lost::IterationsCheck;
pub use merge::merge;
pub use outside::{iterations, look, remember};
pub use parts::{DepthRow, IterationRow, Of, Part, Parts, ToldRow, WorkerRow};
pub use plan::{Cell, Planned, cells, plan};
pub use precision::{precision, precision_of, runs, sweep};
pub use published::{Published, PublishedRow, Quantiles};
pub use ranks::{Ends, NotForRanks, agree, check_ranks, dismiss, first_of_ranks, serve};
pub use repetition::{Repetition, repeat};
pub use resolve::{MAX_THREADS, Resolved, resolve, simulation_mib};
pub use results::{EXPLAINED, Opening, Results, adopt, peek};
pub use rows::{SAMPLES, Sample, SampleKey, SampleStatus, StateTimes};
pub use runner::{Ended, Executor, Observer, Taken, describe, run};
pub use schedules::{Caught, Hunted, Kind, hunt};
pub use sensitivity::{SENSITIVITY, Variation};
pub use spec::{EXPERIMENT, POSITIONS};
pub use until::MOST_ROUNDS;
pub use variant::{PartialVariant, Variant};
