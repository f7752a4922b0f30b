//! The costs of virtual cores on this machine: [`ttd_search::searchers::Costs`], measured.
//!
//! | file | what it holds |
//! |---|---|
//! | `costs` | the costs that were found, and how; or why they could not be found |
//! | `searches` | the searches that the next two read: positions, searchers, one search |
//! | `nodes` | measures nodes, of one worker alone and of several together; the share of cache lines |
//! | `splitting` | measures making and joining split points |
//! | `copying` | measures taking over a history |
//! | `meeting` | measures sections, wakes and cache lines, by two workers that do nothing else |
//! | `price` | measures the price of an outside engine's instructions |
//! | `calibrate` | the whole calibration: from searches to costs |

mod calibrate;
mod copying;
mod costs;
mod meeting;
mod nodes;
mod price;
mod searches;
mod splitting;

pub use calibrate::calibrate;
pub use costs::{Calibration, CalibrationError};
pub use price::{Price, Priced, Pricing, price};
pub use searches::Workload;
