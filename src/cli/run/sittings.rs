//! Runs of several sittings: each is a process of its own, with rounds of its own.

use super::args::RunArgs;
use crate::cli::format::shell_word;
use crate::cli::recipe::without;
use crate::cli::values::usual_dir;
use crate::cli::{Usage, interrupt};
use crate::experiment::{EXPERIMENT, Experiment, PartialExperiment, plan, read_samples, resolve};
use crate::records::{CoresKind, TomlFile, read_sittings};
use std::env;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// The sitting that a call measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// Its number, from 1, and that of the last one.
    pub(super) number: u32,
    pub(super) of: u32,
    /// The number of rounds that there are when it is done.
    pub(super) runs: u32,
}

impl Chosen {
    /// Whether another one follows.
    pub(super) const fn is_last(self) -> bool {
        self.number >= self.of
    }

    /// The sitting that this call measures; none if the user asked for none.
    ///
    /// # Errors
    /// If the experiment has no sittings, or the directory is not ready for another one.
    pub(super) fn of(
        args: &RunArgs,
        file: Option<&TomlFile<PartialExperiment>>,
    ) -> anyhow::Result<Option<Chosen>> {
        if args.sittings.is_none() && !args.sitting {
            return Ok(None);
        }
        let option = if args.sitting { "--sitting" } else { "--sittings" };
        let refuse = |what: &str| Usage(format!("{option}: {what}"));
        let experiment = resolve(file, &args.said, None)?.experiment;
        let dir = args.out.clone().unwrap_or_else(|| usual_dir(&experiment.name, None));
        if experiment.cores == CoresKind::Virtual {
            let what =
                "virtual cores found, real cores expected: sittings of virtual ones are equal";
            return Err(refuse(what).into());
        }
        if experiment.until.is_some() || experiment.shard.is_some() {
            let what = "a fixed number of rounds of a whole experiment expected, no --until and no \
                        --shard";
            return Err(refuse(what).into());
        }
        let there = if args.opening.fresh { None } else { Progress::read(&dir)? };
        let Some(of) = args.sittings else {
            let unfinished = "a finished experiment expected in the directory: go on with it first";
            let there = there.filter(|there| there.is_done).ok_or_else(|| refuse(unfinished))?;
            let runs = there.runs.saturating_add(there.first);
            return Ok(Some(Chosen { number: 1, of: 1, runs }));
        };
        let each = experiment.runs;
        if args.dry_run {
            return Ok(Some(Chosen { number: of, of, runs: each.saturating_mul(of) }));
        }
        let number = there.map_or(1, |there| there.next(each, of));
        Ok(Some(Chosen { number, of, runs: each.saturating_mul(number) }))
    }
}

/// The progress of a results directory.
#[derive(Clone, Copy, Debug)]
struct Progress {
    /// The number of its rounds.
    runs: u32,
    /// Whether all their samples are there.
    is_done: bool,
    /// The number of whole rounds of its first sitting, 1 or more.
    first: u32,
}

impl Progress {
    /// The progress of a directory; none if there is no experiment in it.
    fn read(dir: &Path) -> anyhow::Result<Option<Progress>> {
        let Ok(there) = Experiment::read(dir) else { return Ok(None) };
        let set = there.position_set(dir)?;
        let ids: Vec<&str> = set.iter().map(|position| position.id.as_str()).collect();
        let planned = plan(&there, &ids).len();
        let done = read_samples(dir)?.len();
        let second = read_sittings(dir)?.get(1).map_or(planned, |sitting| sitting.before.samples);
        let in_round = (planned / there.runs as usize).max(1);
        Ok(Some(Progress {
            runs: there.runs,
            is_done: done >= planned,
            first: ((second / in_round) as u32).max(1),
        }))
    }

    /// The number of the sitting that is to be measured, of `of` with `each` rounds.
    fn next(self, each: u32, of: u32) -> u32 {
        let begun = self.runs.div_ceil(each).max(1);
        let is_next = self.is_done && begun < of && self.runs == begun * each;
        if is_next { begun + 1 } else { begun }
    }
}

/// Begins the next sitting: a new process takes the place of this one. It returns only if that
/// fails.
pub(super) fn go_on() -> io::Error {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let mut arguments = without(&arguments, &[], &["--fresh", "--yes", "-y"]);
    arguments.push("--yes".into());
    match env::current_exe() {
        Ok(program) => Command::new(program).args(arguments).exec(),
        Err(error) => error,
    }
}

/// The command that goes on. It keeps the options of this call that the rest of the run needs.
pub(super) fn resume_command(dir: &Path, args: &RunArgs) -> String {
    if args.sittings.is_some() {
        // The file in the directory has the rounds of the sittings so far.
        let words: Vec<OsString> = env::args_os().collect();
        let words = without(&words, &[], &["--fresh"]);
        let words: Vec<String> =
            words.iter().map(|word| shell_word(&word.to_string_lossy())).collect();
        return words.join(" ");
    }
    let mut command = interrupt::resume("run", dir, EXPERIMENT);
    let jobs = format!(" --jobs {}", args.jobs);
    let judge = args.quality.as_deref().unwrap_or_default();
    let judge = format!(" --quality {}", shell_word(judge));
    for (option, given) in [
        (jobs.as_str(), args.jobs > 1),
        (judge.as_str(), args.quality.is_some()),
        (" --sensitivity", args.sensitivity),
        (" --mixed", args.opening.mixed),
        (" --anonymous", args.anonymous),
        (" --no-probe", args.no_probe),
    ] {
        if given {
            command.push_str(option);
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sittings_follow_each_other_and_an_unfinished_one_is_gone_on_with() {
        let of = |runs, is_done| Progress { runs, is_done, first: 6 };
        assert_eq!(of(6, false).next(6, 3), 1);
        assert_eq!(of(6, true).next(6, 3), 2);
        assert_eq!(of(18, true).next(6, 3), 3, "nothing is left");
        assert_eq!(of(24, true).next(6, 3), 4, "there are more than were asked for");
        assert_eq!(of(4, true).next(6, 3), 1, "a shorter run is made a whole sitting");
    }
}
