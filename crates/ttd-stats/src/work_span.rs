//! The model of the Cilk chess programs: `T = a W/N + b C`. It gives the time of N workers from the
//! work W and the critical path C of that run, both in the unit of T.
//!
//! The fit is by least squares on log T, neither coefficient negative. Every run counts by its
//! relative error, however long it took. Sources: Kuszmaul, "Synchronized MIMD computing", thesis,
//! MIT 1994; Blumofe and others, "Cilk: an efficient multithreaded runtime system", 1995.

mod model;
mod resampled;

pub use model::{Run, WorkSpanFit, fit};
pub use resampled::{Cells, Coefficients, over_positions, over_runs};
