//! Is this machine fit to be measured on? Looked at before a long run: nothing is changed, and nothing needs
//! more rights than a user has.
//!
//! | file | what it holds |
//! |---|---|
//! | `work` | the short measurements: how steady work is, and what several threads do at once |
//! | `finding` | what a check found |
//! | `processors`, `load`, `memory`, `timing` | the checks: from what was read to findings, pure |

mod finding;
mod load;
mod memory;
mod processors;
mod timing;
mod work;

#[cfg(test)]
mod tests;

pub use finding::{Finding, Verdict};
pub use work::{Clock, SideBySide, Work};

use crate::records::{Activity, Condition, Load, Moment, Sitting};
use std::thread::sleep;
use std::time::Duration;

/// How long it is watched what the processors do for others.
const WATCH: Duration = Duration::from_secs(1);

/// Everything that is known of a machine before it is judged.
#[derive(Clone, Debug)]
pub struct Checkup {
    /// What a run would write down too: before and after the measurements.
    pub sitting: Sitting,
    /// What it does not.
    pub condition: Condition,
    /// What the processors did while we did nothing.
    pub load: Result<Load, String>,
    /// The clock.
    pub clock: Clock,
    /// How work goes.
    pub work: Work,
    /// How large a table the run wants, MiB.
    pub hash_mib: u64,
}

impl Checkup {
    /// Examines this machine, which takes about three seconds. `hash_mib` is the size of the table that is wanted.
    pub fn now(hash_mib: u64) -> Checkup {
        let mut sitting = Sitting::begin(0, &[]);
        let before = Activity::now();
        sleep(WATCH);
        let load = before.and_then(|before| Ok(Activity::now()?.since(&before)));
        let (clock, work) = (Clock::measured(), Work::measured(sitting.cores_usable));
        sitting.after = Some(Moment::now(0));
        Checkup { sitting, condition: Condition::now(), load, clock, work, hash_mib }
    }

    /// What all checks find, always in the same order.
    pub fn findings(&self) -> Vec<Finding> {
        vec![
            processors::build(self),
            processors::cores(self),
            processors::quota(self),
            processors::governor(self),
            processors::boost(self),
            processors::shared_cores(self),
            processors::heat(self),
            load::others(self),
            load::stolen(self),
            memory::table(self),
            memory::huge_pages(self),
            memory::swapping(self),
            timing::clock(self),
            timing::steady(self),
            timing::side_by_side(self),
        ]
    }
}
