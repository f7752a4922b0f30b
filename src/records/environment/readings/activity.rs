//! The activity of the processors.

use super::{Machine, Read};
use std::collections::BTreeMap;
use std::time::Instant;
use std::{fs, iter};

/// The unit of processor time in Linux, on every machine: ticks a second.
pub const TICKS_PER_S: f64 = 100.0;

/// The time of all processors together since the machine started, and of each process, in ticks.
#[derive(Clone, Debug)]
pub struct Activity {
    at: Instant,
    totals: Totals,
    /// The processes that can be seen, by their numbers.
    processes: BTreeMap<u32, Process>,
}

/// The time of all processors together since the machine started, in ticks.
#[derive(Clone, Copy, Debug)]
struct Totals {
    busy: u64,
    idle: u64,
    stolen: u64,
}

#[derive(Clone, Debug)]
struct Process {
    name: String,
    /// The number of the process that started it.
    parent: u32,
    /// The ticks that it has used.
    had: u64,
    /// The ticks that its ended children had used.
    ended: u64,
}

/// The load of the processors between two moments, without this process and its children.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The mean number of processors that worked for other processes.
    pub others: f64,
    /// The other processes that can be seen, and the number of processors of each; the largest
    /// first.
    pub by: Vec<(String, f64)>,
    /// The share of all processor time that a hypervisor took, 0 to 1.
    pub stolen: f64,
    /// That share since the machine started.
    pub ever_stolen: f64,
}

impl Activity {
    /// Reads the activity now.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn now() -> Result<Activity, String> {
        Machine::this().activity()
    }

    /// The load between `before` and this moment.
    pub fn since(&self, before: &Activity) -> Load {
        let ticks =
            self.at.duration_since(before.at).as_secs_f64().max(1.0 / TICKS_PER_S) * TICKS_PER_S;
        let cores = |more: u64| more as f64 / ticks;
        let (now, then) = (self.totals, before.totals);
        let busy = now.busy.saturating_sub(then.busy);
        let ours = self.ours().saturating_sub(before.ours());
        let mut by: Vec<(String, f64)> = Vec::new();
        for (id, process) in self.processes.iter().filter(|(id, _)| !self.is_ours(**id)) {
            // A new process had used nothing before.
            let before = before.processes.get(id).map_or(0, |before| before.had);
            let more = process.had.saturating_sub(before);
            if more > 0 {
                by.push((format!("{} ({id})", process.name), cores(more)));
            }
        }
        by.sort_by(|a, b| b.1.total_cmp(&a.1));
        let share = |stolen: u64, other: u64| stolen as f64 / (stolen + other).max(1) as f64;
        let (stolen, idle) =
            (now.stolen.saturating_sub(then.stolen), now.idle.saturating_sub(then.idle));
        Load {
            others: cores(busy.saturating_sub(ours)),
            by,
            stolen: share(stolen, busy + idle),
            ever_stolen: share(now.stolen, now.busy + now.idle),
        }
    }

    /// The ticks of this process and of all its children.
    fn ours(&self) -> u64 {
        let ours = self.processes.iter().filter(|(id, _)| self.is_ours(**id));
        ours.map(|(_, process)| process.had + process.ended).sum()
    }

    /// Whether that process is this one, or was started by it, directly or through others.
    fn is_ours(&self, id: u32) -> bool {
        let mut line = iter::successors(Some(id), |id| Some(self.processes.get(id)?.parent));
        line.any(|id| id == std::process::id())
    }
}

impl Machine {
    /// The ticks (hundredths of a second) since the machine started that went to other processes
    /// than this one and its children.
    pub(in super::super) fn others_ticks(&self) -> Read<u64> {
        // A short part of a sweep would notice it if all processes of the machine were read.
        let Some(ours) = self.ticks_below(std::process::id()) else {
            let activity = self.activity()?;
            return Ok(activity.totals.busy.saturating_sub(activity.ours()));
        };
        Ok(self.totals()?.busy.saturating_sub(ours))
    }

    /// The ticks of a process and of all that it started; none on a kernel that does not list
    /// children (`CONFIG_PROC_CHILDREN`).
    fn ticks_below(&self, id: u32) -> Option<u64> {
        let process = self.process(id)?;
        let mut ticks = process.had + process.ended;
        for task in fs::read_dir(self.0.join(format!("proc/{id}/task"))).ok()?.flatten() {
            let children = fs::read_to_string(task.path().join("children")).ok()?;
            // A child that ends meanwhile is left out.
            let below = |child: &str| self.ticks_below(child.parse().ok()?);
            ticks += children.split_whitespace().filter_map(below).sum::<u64>();
        }
        Some(ticks)
    }

    fn activity(&self) -> Read<Activity> {
        Ok(Activity { at: Instant::now(), totals: self.totals()?, processes: self.processes() })
    }

    fn totals(&self) -> Read<Totals> {
        let text = self.read("proc/stat")?;
        let all = text.lines().find_map(|line| line.strip_prefix("cpu "));
        let ticks: Option<Vec<u64>> =
            all.and_then(|all| all.split_whitespace().map(|n| n.parse().ok()).collect());
        // The time of guests is already counted in `user`.
        let Some([user, nice, system, idle, waiting, interrupts, soft, stolen, ..]) =
            ticks.as_deref()
        else {
            return Err("/proc/stat has no line `cpu` with eight columns".to_owned());
        };
        let busy = user + nice + system + interrupts + soft;
        Ok(Totals { busy, idle: idle + waiting, stolen: *stolen })
    }

    /// The processes that can be read. A process that ends meanwhile is left out.
    fn processes(&self) -> BTreeMap<u32, Process> {
        let entries = fs::read_dir(self.0.join("proc")).into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(|id| Some((id, self.process(id)?)))
            .collect()
    }

    fn process(&self, id: u32) -> Option<Process> {
        let text = self.read(&format!("proc/{id}/stat")).ok()?;
        // The form is `ID (NAME) STATE ...`. A name may hold any character, also parentheses.
        let (name, rest) = text.split_once('(')?.1.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let field = |at: usize| fields.get(at)?.parse::<u64>().ok();
        let ticks = |at: usize| Some(field(at)? + field(at + 1)?);
        let (parent, had, ended) = (field(1)? as u32, ticks(11)?, ticks(13)?);
        Some(Process { name: name.to_owned(), parent, had, ended })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;
    use super::*;
    use std::time::Duration;

    fn stat(id: u32, name: &str, user: u64, system: u64) -> (String, String) {
        child(1, id, name, [user, system, 0, 0])
    }

    fn child(parent: u32, id: u32, name: &str, ticks: [u64; 4]) -> (String, String) {
        let [user, system, ended_user, ended_system] = ticks;
        let text = format!(
            "{id} ({name}) S {parent} 2 3 4 5 6 7 8 9 10 {user} {system} {ended_user} {ended_system} 20 0 1 0\n"
        );
        (format!("proc/{id}/stat"), text)
    }

    fn activity(cpu: &str, processes: &[(String, String)]) -> Activity {
        let all = format!("cpu  {cpu}\ncpu0 1 2 3\n");
        let mut files = vec![("proc/stat", all.as_str())];
        files.extend(processes.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        machine(&files).1.activity().expect("an activity")
    }

    #[test]
    fn others_are_all_but_this_process() {
        let us = std::process::id();
        let at_first = [stat(us, "ttd", 5, 5), stat(900_001, "a (b) c", 10, 0)];
        let before = activity("100 10 20 800 50 5 5 10 0 0", &at_first);
        let later =
            [stat(us, "ttd", 65, 5), stat(900_001, "a (b) c", 20, 10), stat(900_002, "new", 40, 0)];
        let after = activity("250 10 20 800 50 5 5 60 0 0", &later);
        let after = Activity { at: before.at + Duration::from_secs(2), ..after };
        let load = after.since(&before);
        assert!((load.others - 0.45).abs() < 1e-9, "{load:?}");
        let names: Vec<&str> = load.by.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["new (900002)", "a (b) c (900001)"]);
        assert!((load.by[0].1 - 0.2).abs() < 1e-9 && (load.by[1].1 - 0.1).abs() < 1e-9);
        assert!((load.stolen - 0.25).abs() < 1e-9 && (load.ever_stolen - 0.05).abs() < 1e-9);
    }

    #[test]
    fn those_that_this_process_started_are_no_others() {
        let us = std::process::id();
        let ours = [
            child(1, us, "ttd", [10, 5, 20, 5]),
            child(us, 900_001, "engine", [30, 5, 0, 0]),
            child(900_001, 900_002, "its helper", [5, 0, 0, 0]),
            child(1, 900_003, "another", [7, 0, 0, 0]),
        ];
        let before = activity("0 0 0 0 0 0 0 0 0 0", &[]);
        let after = activity("100 0 0 900 0 0 0 0 0 0", &ours);
        assert_eq!(after.ours(), 80);
        let names: Vec<String> =
            after.since(&before).by.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["another (900003)"]);
    }

    #[test]
    fn ticks_of_others_are_read_by_children_or_from_all_processes() {
        let us = std::process::id();
        let all = "cpu  100 0 0 900 0 0 0 0 0 0\n".to_owned();
        let children = |id: u32, of: &str| (format!("proc/{id}/task/{id}/children"), of.to_owned());
        let mut files = vec![
            ("proc/stat".to_owned(), all),
            child(1, us, "ttd", [10, 5, 20, 5]),
            child(us, 900_001, "engine", [30, 5, 0, 0]),
            child(900_001, 900_002, "its helper", [5, 0, 0, 0]),
            child(1, 900_003, "another", [7, 0, 0, 0]),
        ];
        let ticks = |files: &[(String, String)]| {
            let files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (&p[..], &t[..])).collect();
            machine(&files).1.others_ticks()
        };
        assert_eq!(ticks(&files), Ok(20), "all processes");
        files.push(children(us, "900001 900009 "));
        files.push(children(900_001, "900002 "));
        files.push(children(900_002, ""));
        assert_eq!(ticks(&files), Ok(20), "one of the children has ended");
        files.remove(4);
        assert_eq!(ticks(&files), Ok(20), "no other process is read");
    }

    #[test]
    fn a_machine_that_does_not_count_is_told() {
        let (_dir, machine) = machine(&[("proc/stat", "cpu  1 2 3\n")]);
        assert!(machine.activity().expect_err("too few").contains("eight columns"));
    }
}
