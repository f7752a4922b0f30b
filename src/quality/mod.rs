//! The worth of the moves that a sweep found.
//!
//! | file | what it holds |
//! |---|---|
//! | `deeper` | moves beside those of the sequential search, each valued by a deeper search of ours |
//! | `judge` | another engine as the judge: how it is named, started and asked |
//! | `judged` | `judged.csv`: the values that a judge gave, and the losses that follow |
//! | `found` | the moves that anybody found in a position |
//! | `judging` | the positions of a sweep, judged one after another and written down |

mod deeper;
mod found;
mod judge;
mod judged;
mod judging;

pub use deeper::{Case, DECIDED, Judgement, QualityError, Standing, judge};
pub use found::{Found, Moves, first_depth};
pub use judge::{Judge, JudgeError, JudgeSpec, Verdict};
pub use judged::{CAP, JUDGED, Judged, JudgedRow, Scale, Values};
pub use judging::{Judging, JudgingError, Told};
