//! Checks whether this machine is fit to be measured on, before a long run. It changes nothing, and
//! needs no more rights than a user has.
//!
//! | file | what it holds |
//! |---|---|
//! | `work` | the short measurements: how steady work is, and what several threads do at once |
//! | `checkup` | the readings of a machine before it is judged |
//! | `finding` | the finding of a check |
//! | `processors`, `load`, `timing` | the checks: from readings to findings, pure |
//! | `checks` | all checks, in their order |

mod checks;
mod checkup;
mod finding;
mod load;
mod processors;
mod timing;
mod work;

#[cfg(test)]
mod tests;

pub use checks::findings;
pub use checkup::Checkup;
pub use finding::{Finding, Verdict};
pub use work::{Clock, SideBySide, Work};
