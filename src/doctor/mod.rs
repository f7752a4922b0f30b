//! Checks whether this machine is fit to be measured on, before a long run. It changes nothing, and
//! needs no more rights than a user has.
//!
//! | file | what it holds |
//! |---|---|
//! | `work` | the short measurements: how steady work is, and what several threads do at once |
//! | `checkup` | the readings of a machine before it is judged |
//! | `finding` | the finding of a check |
//! | `processors`, `load` | the checks: from readings to findings, pure |
//! | `checks` | all checks, in their order |

mod checks;
mod checkup;
mod finding;
mod load;
mod processors;
mod work;

pub use checks::findings;
pub use checkup::Checkup;
pub use finding::{Finding, Verdict};
pub use work::{Clock, SideBySide, Work};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{Condition, Load, Moment, Reading, Sitting};
    use std::time::Duration;

    /// A machine without any fault.
    fn good() -> Checkup {
        let moment = Moment {
            load_average: "0.00 0.00 0.00".to_owned(),
            memory_available_mib: Reading::Value(8000),
            thermal_throttles: Reading::Value(0),
            quota_throttles: Reading::Value(0),
            steal_ticks: Reading::Value(0),
            pages_swapped_out: Reading::Value(0),
            others_ticks: Reading::Value(0),
            ..Moment::now(0)
        };
        let sitting = Sitting {
            opt_level: "3".to_owned(),
            logical_cores: 4,
            cores_usable: 4,
            cores_allowed: "0-3".to_owned(),
            cgroup_quota: "max 100000".to_owned(),
            governor: "performance".to_owned(),
            boost: "off".to_owned(),
            smt: "off".to_owned(),
            core_kinds: "one kind".to_owned(),
            huge_pages: "always [madvise] never".to_owned(),
            before: moment.clone(),
            after: Some(moment),
            ..Sitting::begin(0, &[])
        };
        let condition = Condition {
            shared_cores: Ok(Vec::new()),
            clock_source: Ok("tsc".to_owned()),
            virtual_machine: Ok(false),
            intel_pstate: false,
        };
        let together =
            vec![SideBySide { threads: 2, times: 1.98 }, SideBySide { threads: 4, times: 3.9 }];
        Checkup {
            sitting,
            condition,
            load: Ok(Load { others: 0.01, by: Vec::new(), stolen: 0.0, ever_stolen: 0.0 }),
            clock: Clock { step: Duration::from_nanos(20), cost: Duration::from_nanos(25) },
            work: Work { pieces: vec![4.0e-3, 4.01e-3, 4.0e-3], together: Ok(together) },
            hash_mib: 256,
        }
    }

    /// The finding of one check after a change to the good machine. The findings of all other
    /// checks must stay.
    fn changed(check: &str, change: impl Fn(&mut Checkup)) -> Finding {
        let mut checkup = good();
        change(&mut checkup);
        let (before, after) = (findings(&good()), findings(&checkup));
        let others =
            |all: &[Finding]| all.iter().filter(|f| f.check != check).cloned().collect::<Vec<_>>();
        assert_eq!(others(&before), others(&after), "{check} alone is concerned");
        after.into_iter().find(|finding| finding.check == check).expect("a check of that name")
    }

    #[track_caller]
    fn finds(check: &str, verdict: Verdict, read: &str, change: impl Fn(&mut Checkup)) {
        let finding = changed(check, change);
        assert_eq!(finding.verdict, verdict, "{finding:?}");
        assert!(finding.read.contains(read), "{finding:?}");
    }

    #[test]
    fn a_good_machine_is_good_all_over() {
        for finding in findings(&good()) {
            assert_eq!(finding.verdict, Verdict::Good, "{finding:?}");
        }
    }

    #[test]
    fn every_check_is_on_the_page_that_it_names() {
        let page = include_str!("../../docs/measuring.md");
        for finding in findings(&good()) {
            let heading = format!("\n### {}\n", finding.check);
            assert!(
                page.contains(&heading),
                "docs/measuring.md has no heading `{}`",
                finding.check
            );
            assert!(!finding.effect.is_empty() && !finding.remedy.is_empty());
        }
        assert_eq!(findings(&good())[5].page(), "docs/measuring.md#shared-cores");
    }

    #[test]
    fn the_processors() {
        finds("build", Verdict::Bad, "optimisation 0", |c| c.sitting.opt_level = "0".to_owned());
        finds("cores", Verdict::Look, "2 usable of 4 (allowed: 0-3)", |c| {
            c.sitting.cores_usable = 2;
        });
        finds("quota", Verdict::Look, "1.50 cores (150000 100000), used up 0 times", |c| {
            c.sitting.cgroup_quota = "150000 100000".to_owned();
        });
        finds("quota", Verdict::Bad, "used up 7 times", |c| {
            c.sitting.cgroup_quota = "400000 100000".to_owned();
            c.sitting.after.as_mut().expect("an end").quota_throttles = Reading::Value(7);
        });
        finds("quota", Verdict::Good, "4.00 cores", |c| {
            c.sitting.cgroup_quota = "400000 100000".to_owned();
        });
        finds("governor", Verdict::Look, "powersave", |c| {
            c.sitting.governor = "powersave".to_owned();
        });
        finds("boost", Verdict::Look, "on", |c| c.sitting.boost = "on".to_owned());
        finds("shared cores", Verdict::Look, "share a core: 0,2; 1,3", |c| {
            c.condition.shared_cores = Ok(["0,2", "1,3"].map(str::to_owned).to_vec());
        });
        let kinds = ["performance: 0-1; efficiency: 2-3", "capacity 1024: 3; capacity 446: 0-2"];
        for kinds in kinds {
            finds("kinds of cores", Verdict::Look, kinds, |c| {
                c.sitting.core_kinds = kinds.to_owned();
            });
        }
        // Whoever may use one kind only has no choice to make.
        let mut bound = good();
        bound.sitting.core_kinds = kinds[0].to_owned();
        bound.sitting.cores_allowed = "2-3".to_owned();
        let found = findings(&bound).into_iter().find(|finding| finding.check == "kinds of cores");
        assert_eq!(found.map(|finding| finding.verdict), Some(Verdict::Good));
        finds("heat", Verdict::Look, "3 times", |c| {
            for moment in
                [Some(&mut c.sitting.before), c.sitting.after.as_mut()].into_iter().flatten()
            {
                moment.thermal_throttles = Reading::Value(3);
            }
        });
        finds("heat", Verdict::Bad, "1 times", |c| {
            c.sitting.after.as_mut().expect("an end").thermal_throttles = Reading::Value(1);
        });
    }

    #[test]
    fn the_remedy_fits_the_machine() {
        let pinned = changed("shared cores", |c| {
            c.condition.shared_cores = Ok(["0,2", "1,3"].map(str::to_owned).to_vec());
        });
        assert!(pinned.remedy.starts_with("--pin 0,1, or: echo off"), "{}", pinned.remedy);
        let kinds = changed("kinds of cores", |c| {
            c.sitting.core_kinds = "capacity 1024: 3; capacity 640: 0-2".to_owned();
        });
        assert_eq!(kinds.remedy, "--pin 3");
        let mut intel = good();
        intel.condition.intel_pstate = true;
        let remedy = |checkup: &Checkup| {
            let boost = findings(checkup).into_iter().find(|finding| finding.check == "boost");
            boost.expect("a check of that name").remedy
        };
        assert!(remedy(&intel).contains("no_turbo") && remedy(&good()).contains("cpufreq/boost"));
    }

    #[test]
    fn who_else_has_the_processors() {
        let load = |others, by: &[(&str, f64)]| {
            let by = by.iter().map(|(name, cores)| ((*name).to_owned(), *cores)).collect();
            Ok(Load { others, by, stolen: 0.0, ever_stolen: 0.0 })
        };
        finds("other load", Verdict::Look, "0.10 cores in use by others: cron (7) 0.08", |c| {
            c.load = load(0.1, &[("cron (7)", 0.08), ("sh (8)", 0.002)]);
        });
        let unseen = "1.00 cores in use by others: cc (7) 0.40, processes that are not seen from here \
                  0.60";
        finds("other load", Verdict::Bad, unseen, |c| c.load = load(1.0, &[("cc (7)", 0.4)]));
        let stolen =
            |stolen, ever_stolen| Ok(Load { others: 0.01, by: Vec::new(), stolen, ever_stolen });
        let read = "no virtual machine; 2.00% of the time now, 0.50% since the start";
        finds("stolen time", Verdict::Bad, read, |c| c.load = stolen(0.02, 0.005));
        finds("stolen time", Verdict::Look, "0.00% of the time now", |c| {
            c.load = stolen(0.0, 0.005);
        });
    }

    #[test]
    fn memory() {
        finds("memory", Verdict::Bad, "8000 MiB available, 8000 MiB wanted", |c| c.hash_mib = 8000);
        finds("memory", Verdict::Look, "6400 MiB wanted", |c| c.hash_mib = 6400);
        finds("huge pages", Verdict::Look, "[never]", |c| {
            c.sitting.huge_pages = "always madvise [never]".to_owned();
        });
        finds("swapping", Verdict::Bad, "9 pages", |c| {
            c.sitting.after.as_mut().expect("an end").pages_swapped_out = Reading::Value(9);
        });
    }

    #[test]
    fn what_was_measured() {
        finds("clock", Verdict::Bad, "hpet; steps of 20 ns, 2000 ns a reading", |c| {
            c.condition.clock_source = Ok("hpet".to_owned());
            c.clock.cost = Duration::from_micros(2);
        });
        finds("clock", Verdict::Look, "steps of 4000 ns", |c| {
            c.clock.step = Duration::from_micros(4);
        });
        let read =
            "4 equal pieces of 1.0 ms vary by 33.33%; the slowest took 1.80 times the median";
        finds("steady work", Verdict::Bad, read, |c| {
            c.work.pieces = vec![1e-3, 1e-3, 1e-3, 1.8e-3];
        });
        finds("steady work", Verdict::Unknown, "too few", |c| c.work.pieces.clear());
        finds("work side by side", Verdict::Look, "2 threads do 1.80 times the work of one", |c| {
            c.work.together = Ok(vec![SideBySide { threads: 2, times: 1.8 }]);
        });
        finds("work side by side", Verdict::Bad, "4 threads do 2.50 times", |c| {
            c.work.together = Ok(vec![SideBySide { threads: 4, times: 2.5 }]);
        });
    }

    #[test]
    fn what_cannot_be_read_is_unknown_and_says_why() {
        let missing = || "unavailable: there is no /x".to_owned();
        let mut nothing = good();
        let Sitting { cgroup_quota, governor, boost, huge_pages, smt, core_kinds, .. } =
            &mut nothing.sitting;
        for text in [cgroup_quota, governor, boost, huge_pages, smt, core_kinds] {
            *text = missing();
        }
        let moment = &mut nothing.sitting.before;
        let Moment { thermal_throttles, memory_available_mib, pages_swapped_out, .. } = moment;
        for reading in [thermal_throttles, memory_available_mib, pages_swapped_out] {
            *reading = Reading::Unavailable(missing());
        }
        nothing.condition.shared_cores = Err("there is no /x".to_owned());
        nothing.load = Err("there is no /x".to_owned());
        nothing.work.together = Err("there is no /x".to_owned());
        let unknown: Vec<Finding> =
            findings(&nothing).into_iter().filter(|f| f.verdict != Verdict::Good).collect();
        assert!(unknown.iter().all(|f| f.verdict == Verdict::Unknown), "{unknown:?}");
        assert!(unknown.iter().all(|f| f.read.contains("there is no /x")), "{unknown:?}");
        assert!(unknown.iter().all(|f| !f.read.contains("unavailable")), "{unknown:?}");
        assert_eq!(unknown.len(), 12);
    }
}
