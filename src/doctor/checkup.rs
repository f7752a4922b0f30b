//! The readings of a machine before it is judged.

use super::work::{Clock, Work};
use crate::records::{Activity, Condition, Load, Moment, Reading, Sitting};
use std::thread::sleep;
use std::time::Duration;

/// The time for which the work of the processors for other programs is watched.
const WATCH: Duration = Duration::from_secs(1);

/// Everything that is known of a machine before it is judged.
#[derive(Clone, Debug)]
pub struct Checkup {
    /// The readings that a run writes down too, before and after the measurements.
    pub sitting: Sitting,
    /// The readings that a run does not write down.
    pub condition: Condition,
    /// The work of the processors while we did none.
    pub load: Result<Load, String>,
    /// The clock.
    pub clock: Clock,
    /// The speed and steadiness of work.
    pub work: Work,
    /// The size of the table that the run wants, MiB.
    pub hash_mib: u64,
}

impl Checkup {
    /// Examines this machine, which takes about three seconds. `hash_mib` is the wanted size of the
    /// table.
    pub fn now(hash_mib: u64) -> Checkup {
        let mut sitting = Sitting::begin(0, &[]);
        let before = Activity::now();
        sleep(WATCH);
        let load = before.and_then(|before| Ok(Activity::now()?.since(&before)));
        let (clock, work) = (Clock::measured(), Work::measured(sitting.cores_usable));
        sitting.after = Some(Moment::now(0));
        Checkup { sitting, condition: Condition::now(), load, clock, work, hash_mib }
    }

    /// A counter of the environment, before and after the measurements; or why it cannot be read.
    pub(super) fn counted(
        &self,
        counter: impl Fn(&Moment) -> &Reading,
    ) -> Result<[u64; 2], String> {
        let read = |moment: &Moment| match counter(moment) {
            Reading::Value(value) => Ok(*value),
            Reading::Unavailable(why) => Err(known(why).unwrap_or_else(|why| why).to_owned()),
        };
        let before = read(&self.sitting.before)?;
        Ok([before, self.sitting.after.as_ref().map_or(Ok(before), read)?])
    }
}

/// A text of the environment; or, as an error, the reason why there is none.
pub(super) fn known(text: &str) -> Result<&str, &str> {
    text.strip_prefix("unavailable: ").map_or(Ok(text), Err)
}
