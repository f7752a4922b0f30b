//! Where a sitting was: the kind of cores, the host, its part of the experiment, and the job of a
//! scheduler.

use super::readings::Machine;
use crate::records::seeded::hash;
use crate::records::shard::Shard;
use serde::{Deserialize, Serialize};
use std::env;

/// Schedulers, each with the variables that tell a process its job and its task.
const SCHEDULERS: [(&str, &str, &str); 6] = [
    ("slurm", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID"),
    ("slurm", "SLURM_JOB_ID", "SLURM_PROCID"),
    ("hyperqueue", "HQ_JOB_ID", "HQ_TASK_ID"),
    ("parallel", "PARALLEL_PID", "PARALLEL_SEQ"),
    ("pbs", "PBS_JOBID", "PBS_ARRAY_INDEX"),
    ("lsf", "LSB_JOBID", "LSB_JOBINDEX"),
];

/// The kind of cores that workers run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoresKind {
    /// Operating-system threads and the wall clock.
    Real,
    /// Coroutines on a virtual clock.
    Virtual,
}

/// The wishes of a user, and the hosts of the ranks.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// Whether hosts are written as hashes of their names.
    pub anonymous: bool,
    /// The names of the hosts, if workers are ranks.
    pub hosts: Vec<String>,
    /// The part of the experiment or match.
    pub shard: Option<Shard>,
}

/// The place of a sitting. Blank in files of versions that did not read it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The name of the host, or a hash of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub host: String,
    /// The hosts of all ranks, each once, or hashes of them; empty if workers are no ranks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// The part of the experiment or match; none: the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The scheduler with its job and its task, as in `slurm 17 3`; none without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub job: String,
}

impl Provenance {
    /// The place of this process.
    pub(crate) fn this(said: &Said) -> Provenance {
        let written = |name: &str| written(name, said.anonymous);
        Provenance {
            host: written(&this_host()),
            hosts: said.hosts.iter().map(|name| written(name)).collect(),
            shard: said.shard,
            job: job(|name| env::var(name).ok()),
        }
    }

    /// The hosts on which it was measured, in words.
    pub fn hosts(&self) -> String {
        if self.hosts.is_empty() { self.host.clone() } else { self.hosts.join(", ") }
    }
}

/// The name of this host; blank if it cannot be read.
pub fn this_host() -> String {
    let name = Machine::this().read("proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

/// The name of a host as it is written.
fn written(name: &str, anonymous: bool) -> String {
    if anonymous && !name.is_empty() {
        return format!("{:016x}", hash(&format!("host {name}")));
    }
    name.to_owned()
}

/// The job, by the environment variables of the first scheduler that set any.
fn job(variable: impl Fn(&str) -> Option<String>) -> String {
    let found = SCHEDULERS.iter().find_map(|(name, job, task)| {
        let job = variable(job)?;
        // Such a variable may hold anything.
        let words = [Some(job), variable(task)].into_iter().flatten();
        let words: Vec<String> =
            words.map(|word| word.chars().filter(|c| !c.is_control()).take(80).collect()).collect();
        Some(format!("{name} {}", words.join(" ")))
    });
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_job_is_that_of_the_scheduler() {
        let of = |set: &[(&str, &str)]| {
            job(|name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[("SLURM_JOB_ID", "18"), ("SLURM_PROCID", "0")]), "slurm 18 0");
        let array =
            [("SLURM_JOB_ID", "18"), ("SLURM_ARRAY_JOB_ID", "17"), ("SLURM_ARRAY_TASK_ID", "3")];
        assert_eq!(of(&array), "slurm 17 3");
        assert_eq!(of(&[("PARALLEL_PID", "99"), ("PARALLEL_SEQ", "4")]), "parallel 99 4");
        assert_eq!(of(&[("HQ_JOB_ID", "1\u{1b}")]), "hyperqueue 1");
    }

    #[test]
    fn an_anonymous_host_is_a_hash() {
        let hosts = vec!["node-1".to_owned(), "node-2".to_owned()];
        let of = |anonymous| {
            Provenance::this(&Said { anonymous, hosts: hosts.clone(), ..Said::default() })
        };
        let (named, hashed) = (of(false), of(true));
        assert_eq!((named.host.as_str(), &named.hosts), (this_host().as_str(), &hosts));
        assert_eq!(named.hosts(), "node-1, node-2");
        let is_hash =
            |text: &String| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_hash(&hashed.host) && hashed.hosts.iter().all(is_hash), "{hashed:?}");
        assert_ne!(hashed.hosts[0], hashed.hosts[1]);
    }
}
