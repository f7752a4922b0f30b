//! More facts of the processors, for `ttd doctor` and for the binding of workers: no results have
//! them.

use super::{Machine, Read};
use crate::records::NumberList;
use std::collections::BTreeMap;

/// The condition of the processors, beyond the facts of a sitting. A fact that could not be read is
/// an error with the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The logical processors that share a core: one list for each such core, such as `0-1` or
    /// `0,4`.
    pub shared_cores: Result<Vec<String>, String>,
    /// The source of the kernel's time.
    pub clock_source: Result<String, String>,
    /// Whether a hypervisor runs the machine.
    pub virtual_machine: Result<bool, String>,
    /// Whether `intel_pstate` sets the clocks of the processors: it has switches in other files.
    pub intel_pstate: bool,
}

impl Condition {
    /// Reads the condition now.
    pub fn now() -> Condition {
        Machine::this().condition()
    }
}

impl Machine {
    fn condition(&self) -> Condition {
        let clock = "sys/devices/system/clocksource/clocksource0/current_clocksource";
        Condition {
            shared_cores: self.shared_cores(),
            clock_source: self.read(clock),
            virtual_machine: self.virtual_machine(),
            intel_pstate: self.0.join("sys/devices/system/cpu/intel_pstate").exists(),
        }
    }

    fn shared_cores(&self) -> Read<Vec<String>> {
        let mut lists = self.of_processors("topology/thread_siblings_list")?;
        lists.retain(|list| list.contains([',', '-']));
        lists.sort();
        lists.dedup();
        Ok(lists)
    }

    /// The processors that this process may use, sorted by three things: how many processors of
    /// their core come before, their last cache, and their number.
    fn processors_by_core(&self) -> Read<Vec<i64>> {
        let mut allowed = numbers(&self.status("Cpus_allowed_list")?)?;
        let siblings = self.by_processor("topology/thread_siblings_list")?;
        // A processor that is switched off may be allowed, and has no topology.
        allowed.retain(|cpu| siblings.contains_key(cpu));
        // Not every machine has a third level, and not every virtual one tells.
        let caches = self.by_processor("cache/index3/shared_cpu_list");
        let caches = caches.or_else(|_| self.by_processor("topology/physical_package_id"));
        let caches = caches.unwrap_or_default();
        let key = |cpu: i64| {
            let of = |texts: &BTreeMap<i64, String>| numbers(texts.get(&cpu)?).ok();
            let core = of(&siblings).unwrap_or_default();
            let before = core.iter().filter(|other| **other < cpu && allowed.contains(other));
            (before.count(), of(&caches).and_then(|cache| cache.first().copied()), cpu)
        };
        let mut sorted = allowed.clone();
        sorted.sort_by_cached_key(|cpu| key(*cpu));
        Ok(sorted)
    }

    /// Whether there is a hypervisor. It shows a feature that no real processor has.
    fn virtual_machine(&self) -> Read<bool> {
        let features = self.field("proc/cpuinfo", "flags")?;
        Ok(features.split_whitespace().any(|feature| feature == "hypervisor"))
    }
}

fn numbers(text: &str) -> Read<Vec<i64>> {
    text.parse::<NumberList>().map(|NumberList(list)| list)
}

/// The processors that this process may use, in the order in which workers should take them. One of
/// each core comes first, and those of one last cache come after each other.
///
/// # Errors
/// The reason, if the system does not tell which processors share a core.
pub fn processors_by_core() -> Result<Vec<i64>, String> {
    Machine::this().processors_by_core()
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;

    /// Two caches of two cores of two threads each. The second thread of a core has 4 more.
    #[test]
    fn cores_come_first_then_caches_then_siblings() {
        let cores = |cpu: i64| (format!("cpu{cpu}/topology/thread_siblings_list"), cpu % 4);
        let mut files = vec![("proc/self/status".to_owned(), "Cpus_allowed_list:\t0-6,9\n".into())];
        for (file, first) in (0..8).map(cores) {
            let file = format!("sys/devices/system/cpu/{file}");
            files.push((file, format!("{first},{}\n", first + 4)));
        }
        let order = |files: &[(String, String)]| {
            let borrowed: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
            let (_dir, machine) = machine(&borrowed);
            machine.processors_by_core()
        };
        assert_eq!(order(&files), Ok(vec![0, 1, 2, 3, 4, 5, 6]));
        for cpu in 0..8 {
            // The caches are those of even and of odd processors.
            let list = if cpu % 2 == 0 { "0,2,4,6" } else { "1,3,5,7" };
            let file = format!("sys/devices/system/cpu/cpu{cpu}/cache/index3/shared_cpu_list");
            files.push((file, list.to_owned()));
        }
        assert_eq!(order(&files), Ok(vec![0, 2, 1, 3, 4, 6, 5]));
        files[0].1 = "Cpus_allowed_list:\t2-6\n".into();
        assert_eq!(order(&files), Ok(vec![2, 4, 3, 5, 6]), "of processors that may be used");
        assert!(order(&files[..1]).is_err());
    }

    #[test]
    fn reads_what_the_processors_are_like() {
        let (_dir, machine) = machine(&[
            ("proc/cpuinfo", "processor : 0\nflags\t\t: fpu hypervisor lahf_lm\n"),
            ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,2\n"),
            ("sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1\n"),
            ("sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "0,2\n"),
            ("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"),
            ("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"),
        ]);
        let condition = machine.condition();
        assert_eq!(condition.shared_cores, Ok(vec!["0,2".to_owned()]));
        assert_eq!(condition.clock_source.as_deref(), Ok("hpet"));
        assert_eq!((condition.virtual_machine, condition.intel_pstate), (Ok(true), true));
    }

    #[test]
    fn says_what_is_missing() {
        let (_dir, machine) = machine(&[("proc/cpuinfo", "processor : 0\n")]);
        let condition = machine.condition();
        assert!(condition.shared_cores.is_err() && condition.clock_source.is_err());
        let missing = Err("/proc/cpuinfo has no field flags".to_owned());
        assert_eq!((condition.virtual_machine, condition.intel_pstate), (missing, false));
    }
}
