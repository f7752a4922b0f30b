//! The program, and the processors that it may run on.

use super::checkup::{Checkup, known};
use super::finding::{Judged, Verdict};
use crate::records::{NumberList, Sitting, quota_cores};

pub(super) fn build(checkup: &Checkup) -> Judged {
    let level = &checkup.sitting.opt_level;
    let verdict = match level.as_str() {
        "0" | "1" => Verdict::Bad,
        "2" | "3" => Verdict::Good,
        _ => Verdict::Look,
    };
    (verdict, format!("optimisation {level}"))
}

pub(super) fn cores(checkup: &Checkup) -> Judged {
    let Sitting { cores_usable, logical_cores, cores_allowed, .. } = &checkup.sitting;
    let whole = cores_usable == logical_cores && *cores_usable > 1;
    let allowed =
        known(cores_allowed).map_or_else(str::to_owned, |list| format!("allowed: {list}"));
    let verdict = if whole { Verdict::Good } else { Verdict::Look };
    (verdict, format!("{cores_usable} usable of {logical_cores} ({allowed})"))
}

pub(super) fn quota(checkup: &Checkup) -> Judged {
    let Sitting { cgroup_quota, logical_cores, .. } = &checkup.sitting;
    let throttled = checkup.counted(|moment| &moment.quota_throttles);
    match known(cgroup_quota) {
        Err(why) => (Verdict::Unknown, why.to_owned()),
        Ok(text) => match (quota_cores(text), throttled) {
            (None, _) => (Verdict::Good, format!("none ({text})")),
            (Some(cores), throttled) => {
                let rose = throttled.as_ref().is_ok_and(|[before, after]| after > before);
                let verdict = if rose {
                    Verdict::Bad
                } else if cores < *logical_cores as f64 {
                    Verdict::Look
                } else {
                    Verdict::Good
                };
                let times = throttled
                    .map_or_else(|why| why, |[_, after]| format!("used up {after} times so far"));
                (verdict, format!("{cores:.2} cores ({text}), {times}"))
            }
        },
    }
}

pub(super) fn governor(checkup: &Checkup) -> Judged {
    Verdict::of_word(known(&checkup.sitting.governor), "performance")
}

pub(super) fn boost(checkup: &Checkup) -> Judged {
    Verdict::of_word(known(&checkup.sitting.boost), "off")
}

/// The command that switches boost off.
pub(super) fn no_boost(checkup: &Checkup) -> String {
    let dir = "/sys/devices/system/cpu";
    if checkup.condition.intel_pstate {
        format!("echo 1 | sudo tee {dir}/intel_pstate/no_turbo")
    } else {
        format!("echo 0 | sudo tee {dir}/cpufreq/boost")
    }
}

pub(super) fn shared_cores(checkup: &Checkup) -> Judged {
    match &checkup.condition.shared_cores {
        Ok(lists) if lists.is_empty() => (Verdict::Good, "no processors share a core".to_owned()),
        Ok(lists) => (Verdict::Look, format!("share a core: {}", lists.join("; "))),
        // The kernel's word for the state says as much as the list.
        Err(why) => match known(&checkup.sitting.smt) {
            Ok("off") => (Verdict::Good, "SMT is off".to_owned()),
            Ok(_) => (Verdict::Look, format!("SMT is on; which processors: {why}")),
            Err(_) => (Verdict::Unknown, why.clone()),
        },
    }
}

pub(super) fn kinds_of_cores(checkup: &Checkup) -> Judged {
    match known(&checkup.sitting.core_kinds) {
        Ok(kinds) if several_kinds(checkup) => {
            (Verdict::Look, format!("cores of several kinds: {kinds}"))
        }
        Ok(kinds) => (Verdict::Good, kinds.to_owned()),
        Err(why) => (Verdict::Unknown, why.to_owned()),
    }
}

/// Whether the processors that may be used are of several kinds.
fn several_kinds(checkup: &Checkup) -> bool {
    let Sitting { core_kinds, cores_allowed, .. } = &checkup.sitting;
    let allowed = known(cores_allowed).ok().and_then(numbers);
    let used = |kind: &Vec<i64>| {
        allowed.as_ref().is_none_or(|allowed| kind.iter().any(|one| allowed.contains(one)))
    };
    kinds(core_kinds).iter().filter(|kind| used(kind)).count() > 1
}

/// The processors of each kind, the fastest kind first.
fn kinds(text: &str) -> Vec<Vec<i64>> {
    let kinds = text.split("; ").filter_map(|kind| numbers(kind.rsplit_once(": ")?.1));
    kinds.collect()
}

/// The processors of the fastest kind, in words if they are not known.
pub(super) fn fastest(checkup: &Checkup) -> String {
    let first = kinds(&checkup.sitting.core_kinds).into_iter().next();
    let words = "with processors of one kind";
    first.map_or_else(|| words.to_owned(), |list| NumberList(list).to_string())
}

fn numbers(text: &str) -> Option<Vec<i64>> {
    text.parse::<NumberList>().ok().map(|NumberList(list)| list)
}

/// One processor of each core, in words if the cores are not known.
pub(super) fn pin(checkup: &Checkup) -> String {
    let shared = checkup.condition.shared_cores.as_deref().unwrap_or_default();
    let firsts = one_a_core(known(&checkup.sitting.cores_allowed).unwrap_or_default(), shared);
    firsts.map_or_else(|| "with one processor of each core".to_owned(), |list| list.to_string())
}

/// Returns the allowed processors that are the first of their core. None if the cores are not
/// known, or if every allowed processor is a first one.
fn one_a_core(allowed: &str, shared: &[String]) -> Option<NumberList> {
    let allowed = numbers(allowed)?;
    let cores: Vec<Vec<i64>> = shared.iter().filter_map(|text| numbers(text)).collect();
    let first = |processor: &i64| {
        let core = cores.iter().find(|core| core.contains(processor));
        core.is_none_or(|core| {
            core.iter().filter(|other| allowed.contains(*other)).min() == Some(processor)
        })
    };
    let firsts: Vec<i64> = allowed.iter().copied().filter(first).collect();
    (firsts.len() < allowed.len()).then_some(NumberList(firsts))
}

pub(super) fn heat(checkup: &Checkup) -> Judged {
    let times = checkup.counted(|moment| &moment.thermal_throttles);
    let words = |times| format!("slowed down {times} times since the start");
    Verdict::of_counter(times, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas_are_cores() {
        assert_eq!(quota_cores("150000 100000"), Some(1.5));
        assert_eq!(["max 100000", "-1 100000", "max"].map(quota_cores), [None, None, None]);
    }

    #[test]
    fn one_processor_of_each_core_that_is_allowed() {
        let shared = ["0,4".to_owned(), "1,5".to_owned()];
        let pin =
            |allowed, shared: &[String]| one_a_core(allowed, shared).map(|list| list.to_string());
        assert_eq!(pin("0-5", &shared).as_deref(), Some("0-3"));
        assert_eq!(pin("1,4,5", &shared).as_deref(), Some("1,4"));
        assert_eq!((pin("0-3", &[]), pin("", &shared)), (None, None));
    }
}
