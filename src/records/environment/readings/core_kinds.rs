//! The kinds of cores of a machine: many processors have fast and slow ones.

use super::{Machine, Read};
use std::collections::BTreeMap;

/// The share by which clocks of one kind of cores may differ. Some makers let a few of the cores
/// run a little faster.
const OF_ONE_KIND: f64 = 0.1;

impl Machine {
    /// The kinds of cores, the fastest first, each with its processors: `performance: 0-7;
    /// efficiency: 8-15`. Or `one kind`.
    pub(in crate::records::environment) fn core_kinds(&self) -> Read<String> {
        // Intel's hybrid processors have two units that count events.
        let unit = |name| self.read(&format!("sys/devices/{name}/cpus")).ok();
        if let (Some(fast), Some(slow)) = (unit("cpu_core"), unit("cpu_atom")) {
            let both = !fast.is_empty() && !slow.is_empty();
            let kinds = format!("performance: {fast}; efficiency: {slow}");
            return Ok(if both { kinds } else { ONE.to_owned() });
        }
        // The kernel rates the cores of other machines (ARM, and Intel's of late).
        if let Ok(ratings) = self.by_processor("cpu_capacity") {
            return Ok(in_words("capacity", "", &ratings, 0.0));
        }
        let clocks = self.by_processor("cpufreq/cpuinfo_max_freq")?;
        Ok(in_words("up to", " kHz", &clocks, OF_ONE_KIND))
    }
}

const ONE: &str = "one kind";

/// The kinds of processors by a figure of each. Figures that differ by less than a share of the
/// larger are of one kind.
fn in_words(what: &str, unit: &str, figures: &BTreeMap<i64, String>, alike: f64) -> String {
    let mut kinds: Vec<(u64, Vec<i64>)> = Vec::new();
    let mut sorted: Vec<(u64, i64)> =
        figures.iter().filter_map(|(at, text)| Some((text.parse().ok()?, *at))).collect();
    sorted.sort_by_key(|(figure, at)| (std::cmp::Reverse(*figure), *at));
    for (figure, at) in sorted {
        match kinds.last_mut() {
            Some((most, list)) if figure as f64 >= *most as f64 * (1.0 - alike) => list.push(at),
            _ => kinds.push((figure, vec![at])),
        }
    }
    if kinds.len() < 2 {
        return ONE.to_owned();
    }
    let kind = |(figure, mut list): (u64, Vec<i64>)| {
        list.sort_unstable();
        format!("{what} {figure}{unit}: {}", ranges(&list))
    };
    kinds.into_iter().map(kind).collect::<Vec<_>>().join("; ")
}

/// Ascending numbers as the kernel writes them: `0-3,8`.
fn ranges(list: &[i64]) -> String {
    let runs = list.chunk_by(|a, b| a + 1 == *b);
    let run = |run: &[i64]| match run {
        [first, .., last] => format!("{first}-{last}"),
        [one] => one.to_string(),
        [] => String::new(),
    };
    runs.map(run).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;

    fn kinds(file: &str, figures: &[u32]) -> Result<String, String> {
        let files: Vec<(String, String)> = (0..)
            .zip(figures)
            .map(|(at, figure)| {
                (format!("sys/devices/system/cpu/cpu{at}/{file}"), format!("{figure}\n"))
            })
            .collect();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        machine(&files).1.core_kinds()
    }

    #[test]
    fn fast_and_slow_cores_are_found() {
        let units =
            [("sys/devices/cpu_core/cpus", "0-7\n"), ("sys/devices/cpu_atom/cpus", "8-15\n")];
        let (_dir, intel) = machine(&units);
        assert_eq!(intel.core_kinds().as_deref(), Ok("performance: 0-7; efficiency: 8-15"));
        let arm = kinds("cpu_capacity", &[446, 446, 446, 446, 871, 871, 1024]);
        assert_eq!(arm.as_deref(), Ok("capacity 1024: 6; capacity 871: 4-5; capacity 446: 0-3"));
        let clocks = kinds("cpufreq/cpuinfo_max_freq", &[5_200_000, 3_900_000, 5_100_000]);
        assert_eq!(clocks.as_deref(), Ok("up to 5200000 kHz: 0,2; up to 3900000 kHz: 1"));
    }

    #[test]
    fn equal_cores_are_of_one_kind() {
        assert_eq!(kinds("cpu_capacity", &[1024; 4]).as_deref(), Ok("one kind"));
        // Two of the cores may run a little faster.
        let turbo = kinds("cpufreq/cpuinfo_max_freq", &[4_800_000, 4_900_000, 4_800_000]);
        assert_eq!(turbo.as_deref(), Ok("one kind"));
        let (_dir, atom) = machine(&[("sys/devices/cpu_atom/cpus", "0-3\n")]);
        assert!(atom.core_kinds().is_err(), "nothing tells the kinds");
    }
}
