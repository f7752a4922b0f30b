//! Facts of the machine, as Linux tells them. On other systems, and if a file is missing, there is
//! a reason instead.

mod activity;
mod condition;
mod core_kinds;

pub use activity::{Activity, Load, TICKS_PER_S};
pub use condition::{Condition, processors_by_core};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A number, or `unavailable: ` and the reason why it could not be read. (Readings that are texts
/// hold such a reason themselves.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reading {
    /// The number that was read.
    Value(u64),
    /// The reason why none was read.
    Unavailable(String),
}

impl From<Result<u64, String>> for Reading {
    fn from(read: Result<u64, String>) -> Reading {
        match read {
            Ok(value) => Reading::Value(value),
            Err(why) => Reading::Unavailable(unavailable(&why)),
        }
    }
}

pub(super) fn unavailable(why: &str) -> String {
    format!("unavailable: {why}")
}

pub(super) fn text(read: Result<String, String>) -> String {
    read.unwrap_or_else(|why| unavailable(&why))
}

/// A machine, given by the root of its file system; tests make one of their own.
pub(super) struct Machine(PathBuf);

/// A reading, or the reason why there is none.
type Read<T> = Result<T, String>;

/// The number of cores that the process may use: the smaller of its affinity and its quota.
pub fn cores_usable() -> usize {
    let quota = Machine::this().cgroup_quota().ok().and_then(|text| quota_cores(&text));
    quota.map_or(num_cpus::get(), |cores| num_cpus::get().min(cores.ceil() as usize)).max(1)
}

/// The number of cores of the machine, whether this process may use them or not. Ranks that are
/// bound to a core each have all these together.
pub fn cores_of_machine() -> usize {
    Machine::this().logical_cores()
}

/// The number of cores that a quota allows; none without a quota. The text gives the microseconds
/// allowed, and the length of the period in microseconds.
pub fn quota_cores(text: &str) -> Option<f64> {
    let (quota, period) = text.trim().split_once(' ')?;
    let (quota, period): (f64, f64) = (quota.parse().ok()?, period.parse().ok()?);
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

/// The memory that this process could still take, in MiB: the machine's, or less if its control
/// groups have less. `None` if it cannot be read.
pub fn memory_available_mib() -> Option<u64> {
    Machine::this().memory_available_mib().ok()
}

/// The peak memory of this process so far, in MiB. `None` if it cannot be read.
pub fn peak_memory_mib() -> Option<u64> {
    let kib = Machine::this().status("VmHWM").ok()?;
    kib.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib / 1024)
}

impl Machine {
    /// The machine that this process runs on.
    pub(super) fn this() -> Machine {
        Machine(PathBuf::from("/"))
    }

    pub(super) fn read(&self, path: &str) -> Read<String> {
        let name = format!("/{path}");
        match fs::read_to_string(self.0.join(path)) {
            Ok(text) => Ok(text.trim().to_owned()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Err(format!("there is no {name}")),
            Err(e) => Err(format!("{name}: {e}")),
        }
    }

    fn number(&self, path: &str) -> Read<u64> {
        let text = self.read(path)?;
        text.parse().map_err(|_| format!("/{path} holds no number"))
    }

    /// The field after `key` and a colon.
    fn field(&self, path: &str, key: &str) -> Read<String> {
        let text = self.read(path)?;
        let value = text.lines().find_map(|line| {
            line.split_once(':').filter(|(k, _)| k.trim() == key).map(|(_, v)| v.trim().to_owned())
        });
        value.ok_or_else(|| format!("/{path} has no field {key}"))
    }

    /// The number after `key` and a space.
    pub(super) fn counter(&self, path: &str, key: &str) -> Read<u64> {
        let text = self.read(path)?;
        let value = text.lines().find_map(|line| {
            line.split_once(' ').filter(|(k, _)| *k == key).and_then(|(_, v)| v.trim().parse().ok())
        });
        value.ok_or_else(|| format!("/{path} has no counter {key}"))
    }

    pub(super) fn status(&self, key: &str) -> Read<String> {
        self.field("proc/self/status", key)
    }

    pub(super) fn cpu(&self) -> Read<String> {
        self.field("proc/cpuinfo", "model name")
    }

    pub(super) fn logical_cores(&self) -> usize {
        let online = self
            .read("proc/cpuinfo")
            .map_or(0, |text| text.lines().filter(|line| line.starts_with("processor")).count());
        if online > 0 { online } else { num_cpus::get() }
    }

    /// The directories of the control group, from its own up to the root. In version 1 of control
    /// groups they contain the controller's name (`cpu`, `memory`).
    fn cgroups(&self, controller: &str) -> Vec<String> {
        let groups = self.read("proc/self/cgroup").unwrap_or_default();
        let path = |wanted: &str| {
            groups.lines().find_map(|line| {
                let mut parts = line.splitn(3, ':').skip(1);
                let (names, path) = (parts.next()?, parts.next()?);
                names.split(',').any(|name| name == wanted).then_some(path)
            })
        };
        let first_version = path(controller).map(|p| format!("sys/fs/cgroup/{controller}{p}"));
        let path = first_version.or_else(|| path("").map(|p| format!("sys/fs/cgroup{p}")));
        let own = path.unwrap_or_else(|| "sys/fs/cgroup".to_owned());
        let top = Path::new("sys/fs/cgroup");
        Path::new(own.trim_end_matches('/'))
            .ancestors()
            .take_while(|path| path.starts_with(top))
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
    }

    pub(super) fn cgroup_quota(&self) -> Read<String> {
        let quota = |group: &String| {
            self.read(&format!("{group}/cpu.max")).or_else(|_| {
                let quota = self.read(&format!("{group}/cpu.cfs_quota_us"))?;
                let period = self.read(&format!("{group}/cpu.cfs_period_us"));
                Ok::<String, String>(format!("{quota} {}", period.unwrap_or_default()))
            })
        };
        let all = self.cgroups("cpu").into_iter().filter_map(|group| quota(&group).ok());
        // Each level holds: the tightest one counts, and without any the own one is named.
        let cores = |text: &String| quota_cores(text).unwrap_or(f64::INFINITY);
        let least = all.min_by(|a, b| cores(a).total_cmp(&cores(b)));
        let least = least.map(|text| text.trim().to_owned());
        least.ok_or_else(|| "no control group has a quota file".to_owned())
    }

    /// The times that a quota of any level was used up.
    pub(super) fn quota_throttles(&self) -> Read<u64> {
        let count = |group: String| self.counter(&format!("{group}/cpu.stat"), "nr_throttled").ok();
        let counted: Vec<u64> = self.cgroups("cpu").into_iter().filter_map(count).collect();
        if counted.is_empty() {
            return Err("no control group counts throttling".to_owned());
        }
        Ok(counted.iter().sum())
    }

    /// One file of each processor's directory.
    fn of_processors(&self, file: &str) -> Read<Vec<String>> {
        Ok(self.by_processor(file)?.into_values().collect())
    }

    /// One file of each processor's directory, by the number of the processor.
    fn by_processor(&self, file: &str) -> Read<BTreeMap<i64, String>> {
        let dir = "sys/devices/system/cpu";
        let entries = fs::read_dir(self.0.join(dir)).map_err(|e| format!("/{dir}: {e}"))?;
        let number = |name: &str| name.strip_prefix("cpu")?.parse::<u32>().ok();
        let values: BTreeMap<i64, String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter_map(|name| Some((number(&name)?.into(), name)))
            .filter_map(|(at, name)| Some((at, self.read(&format!("{dir}/{name}/{file}")).ok()?)))
            .collect();
        if values.is_empty() {
            return Err(format!("there is no /{dir}/cpu*/{file}"));
        }
        Ok(values)
    }

    pub(super) fn governor(&self) -> Read<String> {
        let mut governors = self.of_processors("cpufreq/scaling_governor")?;
        governors.sort();
        governors.dedup();
        Ok(governors.join(", "))
    }

    pub(super) fn boost(&self) -> Read<String> {
        let dir = "sys/devices/system/cpu";
        if let Ok(off) = self.number(&format!("{dir}/intel_pstate/no_turbo")) {
            return Ok(if off == 0 { "on" } else { "off" }.to_owned());
        }
        let on = self.number(&format!("{dir}/cpufreq/boost"))?;
        Ok(if on == 1 { "on" } else { "off" }.to_owned())
    }

    pub(super) fn smt(&self) -> Read<String> {
        let active = self.number("sys/devices/system/cpu/smt/active")?;
        Ok(if active == 1 { "on" } else { "off" }.to_owned())
    }

    pub(super) fn thermal_throttles(&self) -> Read<u64> {
        let counts = self.of_processors("thermal_throttle/core_throttle_count")?;
        Ok(counts.iter().filter_map(|n| n.parse::<u64>().ok()).sum())
    }

    pub(super) fn meminfo_mib(&self, key: &str) -> Read<u64> {
        let text = self.field("proc/meminfo", key)?;
        let kib = text.split_whitespace().next().and_then(|n| n.parse::<u64>().ok());
        kib.map(|kib| kib / 1024).ok_or_else(|| format!("/proc/meminfo: {key} is no number"))
    }

    pub(super) fn memory_available_mib(&self) -> Read<u64> {
        let machine = self.meminfo_mib("MemAvailable")?;
        // The group's counter includes memory that the kernel can take back, such as cached files.
        let left = |group: &String| {
            let number = |file: &str| self.number(&format!("{group}/{file}")).ok();
            let limit = number("memory.max").or_else(|| number("memory.limit_in_bytes"))?;
            let used = number("memory.current").or_else(|| number("memory.usage_in_bytes"))?;
            let stat = format!("{group}/memory.stat");
            let cached = self.counter(&stat, "inactive_file").unwrap_or(0);
            Some(limit.saturating_sub(used.saturating_sub(cached)) / (1 << 20))
        };
        let groups = self.cgroups("memory");
        Ok(groups.iter().filter_map(left).chain([machine]).min().unwrap_or(machine))
    }

    pub(super) fn load_average(&self) -> Read<String> {
        let text = self.read("proc/loadavg")?;
        Ok(text.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
    }

    pub(super) fn kernel(&self) -> Read<String> {
        let name = self.read("proc/sys/kernel/ostype")?;
        Ok(format!("{name} {}", self.read("proc/sys/kernel/osrelease")?))
    }

    pub(super) fn steal_ticks(&self) -> Read<u64> {
        let text = self.read("proc/stat")?;
        let all = text.lines().find(|line| line.starts_with("cpu "));
        all.and_then(|line| line.split_whitespace().nth(8)?.parse().ok())
            .ok_or_else(|| "/proc/stat has no steal column".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A machine with these files.
    pub(super) fn machine(files: &[(&str, &str)]) -> (TempDir, Machine) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().expect("a file in a directory")).expect("made");
            fs::write(path, text).expect("written");
        }
        let machine = Machine(dir.path().to_owned());
        (dir, machine)
    }

    #[test]
    fn reads_a_machine() {
        let (_dir, machine) = machine(&[
            ("proc/cpuinfo", "processor : 0\nmodel name\t: A CPU: fast\nprocessor : 1\n"),
            ("proc/loadavg", "0.10 0.20 0.30 1/234 567\n"),
            ("proc/stat", "cpu  1 2 3 4 5 6 7 88 9 10\ncpu0 1\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"),
            ("sys/devices/system/cpu/cpufreq/boost", "1\n"),
            ("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n"),
            ("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n"),
        ]);
        assert_eq!(machine.cpu().as_deref(), Ok("A CPU: fast"));
        assert_eq!(machine.logical_cores(), 2);
        assert_eq!(machine.load_average().as_deref(), Ok("0.10 0.20 0.30"));
        assert_eq!(machine.steal_ticks(), Ok(88));
        assert_eq!(machine.governor().as_deref(), Ok("performance, powersave"));
        assert_eq!(machine.boost().as_deref(), Ok("on"));
        assert_eq!(machine.thermal_throttles(), Ok(7));
    }

    #[test]
    fn memory_is_what_the_least_group_leaves() {
        let (_dir, machine) = machine(&[
            ("proc/meminfo", "MemTotal: 8192000 kB\nMemAvailable: 4096000 kB\n"),
            ("proc/self/cgroup", "0::/user/me\n"),
            ("sys/fs/cgroup/user/me/memory.max", "max\n"),
            ("sys/fs/cgroup/user/memory.max", "1073741824\n"),
            ("sys/fs/cgroup/user/memory.current", "536870912\n"),
            ("sys/fs/cgroup/user/memory.stat", "anon 1\ninactive_file 104857600\n"),
            ("sys/fs/cgroup/user/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/user/cpu.stat", "nr_throttled 3\n"),
            // The own group has a quota of its own, and the one above is tighter.
            ("sys/fs/cgroup/user/me/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/user/me/cpu.stat", "nr_throttled 4\n"),
            ("sys/fs/cgroup/cpu.max", "400000 100000\n"),
        ]);
        assert_eq!(machine.quota_throttles(), Ok(7));
        assert_eq!(machine.memory_available_mib(), Ok(612));
        assert_eq!(machine.cgroup_quota().as_deref(), Ok("150000 100000"));
    }

    #[test]
    fn reads_groups_of_the_first_version() {
        let (_dir, machine) = machine(&[
            ("proc/meminfo", "MemAvailable: 4096000 kB\n"),
            ("proc/self/cgroup", "4:memory:/box\n3:cpu,cpuacct:/box\n"),
            ("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "104857600\n"),
            ("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "52428800\n"),
            ("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n"),
        ]);
        assert_eq!(machine.memory_available_mib(), Ok(50));
        assert_eq!(machine.cgroup_quota().as_deref(), Ok("-1 100000"));
    }

    #[test]
    fn says_why_a_reading_is_missing() {
        let (_dir, machine) = machine(&[]);
        assert_eq!(machine.cpu(), Err("there is no /proc/cpuinfo".to_owned()));
        assert!(machine.governor().is_err() && machine.quota_throttles().is_err());
    }
}
