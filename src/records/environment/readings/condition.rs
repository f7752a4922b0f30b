//! More facts of the processors, which only `ttd doctor` reads: no results have them.

use super::{Machine, Read};

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

    /// Whether there is a hypervisor. It shows a feature that no real processor has.
    fn virtual_machine(&self) -> Read<bool> {
        let features = self.field("proc/cpuinfo", "flags")?;
        Ok(features.split_whitespace().any(|feature| feature == "hypervisor"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;

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
