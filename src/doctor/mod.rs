//! Is this machine fit to be measured on? Looked at before a long run: nothing is changed, and nothing needs
//! more rights than a user has.
//!
//! | file | what it holds |
//! |---|---|
//! | `work` | the short measurements: how steady work is, and what several threads do at once |
//! | `checkup` | a machine before it is judged: all that is known of it |
//! | `finding` | what a check found |
//! | `processors`, `load`, `memory`, `timing` | the checks: from what was read to findings, pure |
//! | `checks` | all of them, in their order |

mod checks;
mod checkup;
mod finding;
mod load;
mod memory;
mod processors;
mod timing;
mod work;

#[cfg(test)]
mod tests;

pub use checks::findings;
pub use checkup::Checkup;
pub use finding::{Finding, Verdict};
pub use work::{Clock, SideBySide, Work};
