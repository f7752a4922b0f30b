//! A script that runs the parts of an experiment under a scheduler, and then puts them together.

use crate::cli::format::shell_word;
use crate::experiment::{Estimate, Experiment, Planned, Resolved, plan, simulation_mib};
use crate::records::{CoresKind, Shard};
use clap::ValueEnum;
use std::ffi::OsString;
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
const WITHOUT_VALUE: [&str; 3] = ["--yes", "-y", "--dry-run"];

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
}

/// The script of an experiment with so many parts. `arguments` are those of this call, without the
/// program.
pub(super) fn script(
    scheduler: Scheduler,
    (resolved, parts): (&Resolved, usize),
    estimate: &Estimate,
    (program, arguments, place): (&Path, &[OsString], &Path),
    out: &Path,
) -> String {
    let experiment = &resolved.experiment;
    let workers = experiment.threads.iter().copied().max().unwrap_or(1);
    let real = experiment.cores == CoresKind::Real;
    let cores = if real { workers } else { 1 };
    let job = Job {
        call: call(arguments),
        program: shell_word(&program.to_string_lossy()),
        name: experiment
            .name
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c))
            .collect(),
        out: shell_word(&out.to_string_lossy()),
        place: shell_word(&place.to_string_lossy()),
        parts,
        cores,
        real,
        memory_mib: simulation_mib(experiment.hash_mib, workers) + BESIDE_MIB,
        minutes: minutes(resolved, parts, estimate),
    };
    match scheduler {
        Scheduler::Slurm => slurm(&job),
        Scheduler::Parallel => parallel(&job),
        Scheduler::Hyperqueue => hyperqueue(&job),
    }
}

/// The arguments of the parts' calls, quoted.
fn call(arguments: &[OsString]) -> String {
    let mut words = Vec::new();
    let mut arguments = arguments.iter().map(|word| word.to_string_lossy());
    while let Some(word) = arguments.next() {
        let name = word.split('=').next().unwrap_or_default();
        if WITH_VALUE.contains(&name) {
            if name == word {
                arguments.next();
            }
        } else if !WITHOUT_VALUE.contains(&word.as_ref()) {
            words.push(shell_word(&word));
        }
    }
    words.join(" ")
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

fn head(job: &Job, how: &str) -> String {
    let Job { parts, place, out, .. } = job;
    format!(
        "#!/bin/bash\n# {parts} parts of an experiment, and their merge. {how}\n\
         # Run it again to go on with stopped parts: whole parts end at once.\n\
         set -euo pipefail\ncd {place}\nout={out}\nmkdir -p \"$out\"\n"
    )
}

fn merge(job: &Job) -> String {
    let program = &job.program;
    format!(
        "{program} merge \"$out\"/part-* --out \"$out/whole\"\n{program} report \"$out/whole\"\n"
    )
}

/// The call of the part whose number is this word of a shell.
fn part(job: &Job, number: &str) -> String {
    let Job { program, call, parts, .. } = job;
    format!("{program} {call} --shard \"{number}/{parts}\" --out \"$out/part-{number}\" --yes")
}

fn slurm(job: &Job) -> String {
    let Job { name, parts, cores, memory_mib, .. } = job;
    let exclusive = if job.real { "#SBATCH --exclusive\n" } else { "" };
    let time = match job.minutes {
        Some(minutes) => format!("#SBATCH --time={minutes}\n"),
        None => "# The length of a part is not known: set --time yourself.\n".to_owned(),
    };
    format!(
        "{head}export out\narray=$(sbatch --parsable <<'ARRAY'\n#!/bin/bash\n\
         #SBATCH --job-name={name}\n#SBATCH --array=1-{parts}\n#SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task={cores}\n{exclusive}#SBATCH --mem={memory_mib}M\n{time}\
         #SBATCH --output={name}-%a.log\n\
         # Status 3: some samples failed. The report names them.\n\
         {part} || [ $? = 3 ]\nARRAY\n)\n\
         sbatch --job-name={name}-merge --dependency=\"afterany:$array\" --output={name}-merge.log <<'MERGE'\n\
         #!/bin/bash\nset -e\n{merge}MERGE\n",
        head = head(job, "Run it where `sbatch` is."),
        part = part(job, "$SLURM_ARRAY_TASK_ID"),
        merge = merge(job),
    )
}

fn parallel(job: &Job) -> String {
    // On real cores parts that run beside each other disturb each other.
    let jobs = if job.real { " --jobs 1" } else { "" };
    let part = part(job, "{}");
    format!(
        "{head}export out\n# Status 3: some samples failed. The report names them.\n\
         parallel{jobs} --joblog \"$out/parallel.log\" --resume-failed '{part} || [ $? = 3 ]' ::: $(seq {parts})\n\
         {merge}",
        head = head(job, "Run it where `parallel` is; --sshlogin has other machines."),
        part = part.replace('\'', "'\\''"),
        parts = job.parts,
        merge = merge(job),
    )
}

fn hyperqueue(job: &Job) -> String {
    let Job { name, parts, cores, .. } = job;
    let time =
        job.minutes.map_or_else(String::new, |minutes| format!(" --time-limit {minutes}min"));
    let part = part(job, "$HQ_TASK_ID");
    format!(
        "{head}export out\n# Status 3: some samples failed. The report names them.\n\
         hq submit --wait --name {name} --array 1-{parts} --cpus {cores}{time} --env out=\"$out\" -- \
         bash -c '{part} || [ $? = 3 ]'\n{merge}",
        head = head(job, "Run it where `hq` is, and a server with its workers."),
        part = part.replace('\'', "'\\''"),
        merge = merge(job),
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
        let words = "run it's.toml --recipe slurm --shards=16 --depth 9 --out o -y";
        let arguments: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let paths = (Path::new("/bin/ttd"), &arguments[..], Path::new("/a b"));
        script(scheduler, (&resolved, 16), &Estimate::default(), paths, Path::new("o"))
    }

    #[test]
    fn a_script_has_the_parts_and_their_merge() {
        let slurm = of(Scheduler::Slurm, "real");
        for line in [
            "cd '/a b'\n",
            "#SBATCH --array=1-16\n",
            "#SBATCH --cpus-per-task=4\n#SBATCH --exclusive\n#SBATCH --mem=520M\n",
            "/bin/ttd run 'it'\\''s.toml' --depth 9 --shard \"$SLURM_ARRAY_TASK_ID/16\" --out \"$out/part-$SLURM_ARRAY_TASK_ID\" --yes || [ $? = 3 ]\n",
            "--dependency=\"afterany:$array\"",
            "/bin/ttd merge \"$out\"/part-* --out \"$out/whole\"\n",
        ] {
            assert!(slurm.contains(line), "{line} in {slurm}");
        }
        let virtually = of(Scheduler::Slurm, "virtual");
        assert!(virtually.contains("--cpus-per-task=1\n#SBATCH --mem="), "{virtually}");
        assert!(of(Scheduler::Parallel, "real").contains("parallel --jobs 1 --joblog"));
        assert!(of(Scheduler::Hyperqueue, "virtual").contains("hq submit --wait"));
    }
}
