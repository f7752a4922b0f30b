//! A script that runs the parts of an experiment under a scheduler, and then puts them together.

use crate::cli::Usage;
use crate::cli::format::shell_word;
use crate::experiment::{Estimate, Experiment, Planned, Resolved, plan, simulation_mib};
use crate::records::{CoresKind, Shard};
use clap::ValueEnum;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Scheduler {
    /// A job array, and a job for the merge
    Slurm,
    /// GNU parallel, on one machine or by --sshlogin on several
    Parallel,
    /// A task array
    Hyperqueue,
}

/// Memory of the program beside its tables, in MiB.
const BESIDE_MIB: u64 = 256;
/// A part may take this many times as long as was expected, and some minutes more: a scheduler ends
/// a longer one.
const CAUTION: f64 = 2.0;
const MORE_MIN: f64 = 10.0;
/// Options of this call that are none of the parts' calls; the first ones have a value.
const WITH_VALUE: [&str; 4] = ["--recipe", "--shards", "--out", "--shard"];
const WITHOUT_VALUE: [&str; 4] = ["--yes", "-y", "--dry-run", "--fresh"];

/// The things that every script says.
struct Job {
    /// The call of a part, without `--shard` and `--out`, quoted for a shell.
    call: String,
    program: String,
    name: String,
    /// The directory of the parts and of the whole, quoted.
    out: String,
    place: String,
    parts: usize,
    /// Processors of a part.
    cores: usize,
    real: bool,
    memory_mib: u64,
    minutes: Option<u64>,
    mixed: bool,
}

/// The script of an experiment with so many parts, of which each takes `jobs` samples at once.
/// `arguments` are those of this call, without the program.
///
/// # Errors
/// If a word of the call is no text of one line: a script would not mean it.
pub(super) fn script(
    scheduler: Scheduler,
    (resolved, parts, jobs): (&Resolved, usize, u16),
    estimate: &Estimate,
    (program, arguments, place): (&Path, &[OsString], &Path),
    out: &Path,
) -> Result<String, Usage> {
    let experiment = &resolved.experiment;
    let workers = experiment.threads.iter().copied().max().unwrap_or(1);
    let real = experiment.cores == CoresKind::Real;
    let name: String = experiment
        .name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c))
        .collect();
    let name = name.trim_matches('-');
    let arguments =
        arguments.iter().map(|word| text(word)).collect::<Result<Vec<&str>, Usage>>()?;
    let path = |path: &Path| text(path.as_os_str()).map(shell_word);
    let job = Job {
        call: call(&arguments),
        program: path(program)?,
        name: if name.is_empty() { "ttd".to_owned() } else { name.to_owned() },
        out: path(out)?,
        place: path(place)?,
        parts,
        cores: if real { workers } else { jobs.into() },
        real,
        memory_mib: u64::from(jobs) * simulation_mib(experiment.hash_mib, workers) + BESIDE_MIB,
        minutes: minutes(resolved, parts, estimate),
        mixed: arguments.contains(&"--mixed"),
    };
    Ok(match scheduler {
        Scheduler::Slurm => slurm(&job),
        Scheduler::Parallel => parallel(&job),
        Scheduler::Hyperqueue => hyperqueue(&job),
    })
}

/// A word as text of one line.
fn text(word: &OsStr) -> Result<&str, Usage> {
    let text = word.to_str().filter(|text| !text.contains(char::is_control));
    text.ok_or_else(|| {
        let shown = word.to_string_lossy();
        Usage(format!("--recipe: `{shown}` found, text of one line expected in a script"))
    })
}

/// The arguments of the parts' calls, quoted.
fn call(arguments: &[&str]) -> String {
    let kept = without(arguments, &WITH_VALUE, &WITHOUT_VALUE);
    kept.into_iter().map(shell_word).collect::<Vec<_>>().join(" ")
}

/// The arguments without these options, of which the first have a value.
pub(super) fn without<A: AsRef<OsStr> + Clone>(
    arguments: &[A],
    with_value: &[&str],
    without_value: &[&str],
) -> Vec<A> {
    let mut kept = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let word = argument.as_ref().to_string_lossy();
        let name = word.split('=').next().unwrap_or_default();
        if with_value.contains(&name) {
            if name == word {
                arguments.next();
            }
        } else if !without_value.contains(&&*word) {
            kept.push(argument.clone());
        }
    }
    kept
}

/// The minutes that a scheduler should give each part; none if nothing is known of its length.
fn minutes(resolved: &Resolved, parts: usize, estimate: &Estimate) -> Option<u64> {
    let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
    let of = |shard| {
        let part = Experiment { shard: Some(shard), ..resolved.experiment.clone() };
        let planned: Vec<Planned> = plan(&part, &ids);
        estimate.of(&planned).map(|time| time.as_secs_f64() / 60.0)
    };
    let longest = Shard::all(parts).map(of).try_fold(0.0, |most: f64, of| Some(most.max(of?)))?;
    Some((longest * CAUTION + MORE_MIN).ceil() as u64)
}

/// The beginning of a script. It writes two scripts: one for the part whose number it is given, and
/// one for the merge. They need nothing of the environment or the directory that they are started
/// in, and no scheduler reads the words in them.
fn head(job: &Job, how: &str) -> String {
    let Job { parts, place, out, program, call, .. } = job;
    let mixed = if job.mixed { " --mixed" } else { "" };
    [
        format!("#!/bin/bash\n# {parts} parts of an experiment, and their merge. {how}\n"),
        "# All machines need this directory. Run it again to go on with stopped parts.\n"
            .to_owned(),
        format!("set -euo pipefail\ncd {place}\nout={out}\n"),
        "mkdir -p \"$out\"\nout=$(realpath \"$out\")\n".to_owned(),
        "cat >\"$out/part.sh\" <<'PART'\n".to_owned(),
        format!("set -u\nout=$(dirname \"$(realpath \"$0\")\")\ncd {place}\n"),
        format!("{program} {call} --shard \"$1/{parts}\" --out \"$out/part-$1\" --yes\n"),
        "status=$? # 3: failed samples, which the report names\n".to_owned(),
        "[ $status = 3 ] || exit $status\nPART\n".to_owned(),
        "cat >\"$out/merge.sh\" <<'MERGE'\n".to_owned(),
        "set -eu\nout=$(dirname \"$(realpath \"$0\")\")\n".to_owned(),
        format!("{program} merge \"$out\"/part-*/ --out \"$out/whole\"{mixed}\n"),
        format!("{program} report \"$out/whole\"\nMERGE\n"),
    ]
    .concat()
}

fn slurm(job: &Job) -> String {
    let Job { name, parts, cores, memory_mib, .. } = job;
    let exclusive = if job.real { " --exclusive" } else { "" };
    let time = job.minutes.map_or_else(String::new, |minutes| format!(" --time={minutes}"));
    let resources =
        format!("--ntasks=1 --cpus-per-task={cores}{exclusive} --mem={memory_mib}M{time}");
    let how = "Run it where `sbatch` is, with further options of it, such as --account=A.";
    [
        head(job, how),
        format!("array=$(sbatch --parsable --job-name={name} --array=1-{parts} {resources} \\\n"),
        "    --output=\"$out/part-%a.log\" \"$@\" <<SLURM\n#!/bin/bash\n".to_owned(),
        "exec bash $(printf %q \"$out/part.sh\") \\$SLURM_ARRAY_TASK_ID\nSLURM\n)\n".to_owned(),
        "# The merge says which parts are missing.\n".to_owned(),
        format!("sbatch --job-name={name}-merge --dependency=\"afterany:$array\" \\\n"),
        "    --output=\"$out/merge.log\" \"$@\" <<SLURM\n#!/bin/bash\n".to_owned(),
        "exec bash $(printf %q \"$out/merge.sh\")\nSLURM\n".to_owned(),
    ]
    .concat()
}

fn parallel(job: &Job) -> String {
    // On real cores parts that run beside each other disturb each other.
    let jobs = if job.real { " --jobs 1" } else { "" };
    format!(
        "{head}parallel{jobs} \"$@\" bash \"$(printf %q \"$out/part.sh\")\" ::: $(seq {parts})\n\
         bash \"$out/merge.sh\"\n",
        head = head(
            job,
            "Run it where `parallel` is, with further options of it, such as --sshlogin."
        ),
        parts = job.parts,
    )
}

fn hyperqueue(job: &Job) -> String {
    let Job { name, parts, cores, .. } = job;
    let time =
        job.minutes.map_or_else(String::new, |minutes| format!(" --time-limit {minutes}min"));
    format!(
        "{head}hq submit --wait --name {name} --array 1-{parts} --cpus {cores}{time} \"$@\" -- \\\n    \
         bash -c 'exec bash \"$0\" \"$HQ_TASK_ID\"' \"$out/part.sh\"\nbash \"$out/merge.sh\"\n",
        head = head(job, "Run it where `hq` is, and a server with its workers."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{PartialExperiment, resolve};

    fn of(scheduler: Scheduler, cores: &str) -> String {
        let partial = PartialExperiment {
            cores: Some(cores.to_owned()),
            threads: "1,4".parse().ok(),
            ..PartialExperiment::default()
        };
        let resolved = resolve(None, &partial, None).unwrap_or_else(|e| panic!("{e}"));
        let words = "run it's.toml --recipe slurm --shards=16 --depth 9 --out o -y --fresh";
        let arguments: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let paths = (Path::new("/bin/ttd"), &arguments[..], Path::new("/a b"));
        script(scheduler, (&resolved, 16, 2), &Estimate::default(), paths, Path::new("o"))
            .unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn a_script_has_the_parts_and_their_merge() {
        let slurm = of(Scheduler::Slurm, "real");
        for line in [
            "cd '/a b'\n",
            "--array=1-16 --ntasks=1 --cpus-per-task=4 --exclusive",
            "--mem=784M \\\n",
            "/bin/ttd run 'it'\\''s.toml' --depth 9 --shard \"$1/16\" --out \"$out/part-$1\" --yes\n",
            "--dependency=\"afterany:$array\"",
            "/bin/ttd merge \"$out\"/part-*/ --out \"$out/whole\"\n",
        ] {
            assert!(slurm.contains(line), "{line} in {slurm}");
        }
        let virtually = of(Scheduler::Slurm, "virtual");
        assert!(virtually.contains("--cpus-per-task=2 --mem="), "{virtually}");
        assert!(of(Scheduler::Parallel, "real").contains("parallel --jobs 1 \"$@\" bash"));
        assert!(of(Scheduler::Hyperqueue, "virtual").contains("hq submit --wait"));
    }

    #[test]
    fn a_word_of_two_lines_is_refused() {
        assert!(text(OsStr::new("a\nPART\nrm b")).is_err());
        assert_eq!(text(OsStr::new("a b")).ok(), Some("a b"));
    }
}
