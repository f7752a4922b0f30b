//! The parallel algorithms, one file each, and what a driver needs to use them.

mod outcome;

pub use outcome::{Iteration, Lab, LabError, Outcome, Searcher, Settings, Status, Task};
