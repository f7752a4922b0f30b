//! A script that runs the parts of an experiment or a match under a scheduler, and merges them.

use super::format::shell_word;
use super::values::shards_parser;
use super::{Exit, Usage, plain};
use clap::{Args, ValueEnum};
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options that ask for a script.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct RecipeArgs {
    /// Print a script that runs the parts under a scheduler, and merges them
    #[arg(
        long,
        value_name = "SCHEDULER",
        requires = "shards",
        conflicts_with = "shard",
        help_heading = "Results",
        display_order = 44
    )]
    recipe: Option<Scheduler>,
    /// Number of parts of the script
    #[arg(long, value_name = "N", requires = "recipe", value_parser = shards_parser(), help_heading = "Results", display_order = 44)]
    shards: Option<usize>,
}

impl RecipeArgs {
    /// The scheduler and the number of parts, if a script is asked for.
    pub(super) fn asked(self) -> Option<(Scheduler, usize)> {
        self.recipe.zip(self.shards)
    }
}

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

/// An experiment or a match that is to be run in parts.
pub(super) struct InParts {
    /// Its kind: an experiment, or a match.
    pub(super) what: &'static str,
    pub(super) name: String,
    /// The number of parts.
    pub(super) parts: usize,
    /// Processors of a part.
    pub(super) cores: usize,
    /// Whether its times are of real cores, which other programs would disturb.
    pub(super) real: bool,
    /// Memory of a part's tables and workers, MiB.
    pub(super) memory_mib: u64,
    /// The time that the longest part is expected to take; none if nothing is known of it.
    pub(super) longest: Option<Duration>,
    /// The directory of the parts and of the whole.
    pub(super) out: PathBuf,
    /// Options of this call that the parts' calls do not have, each with a value; and options that
    /// every one of them has.
    pub(super) left_out: &'static [&'static str],
    pub(super) added: String,
}

/// The things that every script says.
struct Job {
    what: &'static str,
    /// The call of a part, without `--shard` and `--out`, quoted for a shell.
    call: String,
    program: String,
    name: String,
    /// The directory of the parts and of the whole, quoted.
    out: String,
    place: String,
    parts: usize,
    cores: usize,
    real: bool,
    memory_mib: u64,
    minutes: Option<u64>,
    mixed: bool,
}

/// Prints the script of this call.
pub(super) fn print(scheduler: Scheduler, of: &InParts) -> anyhow::Result<Exit> {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let (program, place) = (env::current_exe()?, env::current_dir()?);
    let script = script(scheduler, of, (&program, &arguments, &place))?;
    write!(plain::stdout(), "{script}")?;
    Ok(Exit::Done)
}

/// The script. `arguments` are those of this call, without the program.
///
/// # Errors
/// If a word of the call is no text of one line: a script would not mean it.
fn script(
    scheduler: Scheduler,
    of: &InParts,
    (program, arguments, place): (&Path, &[OsString], &Path),
) -> Result<String, Usage> {
    let &InParts { what, parts, cores, real, .. } = of;
    let kept = |c: &char| c.is_ascii_alphanumeric() || "-_".contains(*c);
    let name: String = of.name.chars().filter(kept).collect();
    let name = name.trim_matches('-');
    let arguments =
        arguments.iter().map(|word| text(word)).collect::<Result<Vec<&str>, Usage>>()?;
    let path = |path: &Path| text(path.as_os_str()).map(shell_word);
    let minutes = of.longest.map(|time| time.as_secs_f64() / 60.0 * CAUTION + MORE_MIN);
    let job = Job {
        what,
        call: call(&arguments, of),
        program: path(program)?,
        name: if name.is_empty() { "ttd".to_owned() } else { name.to_owned() },
        out: path(&of.out)?,
        place: path(place)?,
        parts,
        cores,
        real,
        memory_mib: of.memory_mib + BESIDE_MIB,
        minutes: minutes.map(|minutes| minutes.ceil() as u64),
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
fn call(arguments: &[&str], of: &InParts) -> String {
    let left_out = [&WITH_VALUE[..], of.left_out].concat();
    let kept = without(arguments, &left_out, &WITHOUT_VALUE);
    let mut words: Vec<String> = kept.into_iter().map(shell_word).collect();
    words.push(of.added.clone());
    words.join(" ")
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

/// The beginning of a script. It writes two scripts: one for the part whose number it is given, and
/// one for the merge. They need nothing of the environment or the directory that they are started
/// in, and no scheduler reads the words in them.
fn head(job: &Job, how: &str) -> String {
    let Job { what, parts, place, out, program, call, .. } = job;
    let mixed = if job.mixed { " --mixed" } else { "" };
    [
        format!("#!/bin/bash\n# {parts} parts of {what}, and their merge. {how}\n"),
        "# All machines need this directory. Run it again to go on with stopped parts.\n"
            .to_owned(),
        format!("set -euo pipefail\ncd {place}\nout={out}\n"),
        "mkdir -p \"$out\"\nout=$(realpath \"$out\")\n".to_owned(),
        "cat >\"$out/part.sh\" <<'PART'\n".to_owned(),
        format!("set -u\nout=$(dirname \"$(realpath \"$0\")\")\ncd {place}\n"),
        format!("{program} {call} --shard \"$1/{parts}\" --out \"$out/part-$1\"\n"),
        "status=$? # 3: failures, which the report names\n".to_owned(),
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
    let Job { name, parts, memory_mib, .. } = job;
    // All processors of a worker: no other task runs beside it.
    let cpus = if job.real { "all".to_owned() } else { job.cores.to_string() };
    let time =
        job.minutes.map_or_else(String::new, |minutes| format!(" --time-limit {minutes}min"));
    let resources = format!("--cpus {cpus} --resource mem={memory_mib}{time}");
    format!(
        "{head}hq submit --wait --name {name} --array 1-{parts} {resources} \"$@\" -- \\\n    \
         bash -c 'exec bash \"$0\" \"$HQ_TASK_ID\"' \"$out/part.sh\"\nbash \"$out/merge.sh\"\n",
        head = head(job, "Run it where `hq` is, and a server with its workers."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scheduler: Scheduler, cores: usize, real: bool) -> String {
        let words = "run it's.toml --recipe slurm --shards=16 --depth 9 --out o -y --fresh";
        let arguments: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let of = InParts {
            what: "an experiment",
            name: "it's".to_owned(),
            parts: 16,
            cores,
            real,
            memory_mib: 512,
            longest: Some(Duration::from_mins(10)),
            out: PathBuf::from("o"),
            left_out: &["--depth"],
            added: "--yes".to_owned(),
        };
        script(scheduler, &of, (Path::new("/bin/ttd"), &arguments, Path::new("/a b")))
            .unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn a_script_has_the_parts_and_their_merge() {
        let slurm = of(Scheduler::Slurm, 4, true);
        for line in [
            "# 16 parts of an experiment, and their merge.",
            "cd '/a b'\n",
            "--job-name=its --array=1-16 --ntasks=1 --cpus-per-task=4 --exclusive",
            "--mem=768M --time=30 \\\n",
            "/bin/ttd run 'it'\\''s.toml' --yes --shard \"$1/16\" --out \"$out/part-$1\"\n",
            "--dependency=\"afterany:$array\"",
            "/bin/ttd merge \"$out\"/part-*/ --out \"$out/whole\"\n",
        ] {
            assert!(slurm.contains(line), "{line} in {slurm}");
        }
        let virtually = of(Scheduler::Slurm, 2, false);
        assert!(virtually.contains("--cpus-per-task=2 --mem="), "{virtually}");
        assert!(of(Scheduler::Parallel, 4, true).contains("parallel --jobs 1 \"$@\" bash"));
        let tasks = "hq submit --wait --name its --array 1-16 --cpus";
        let alone = of(Scheduler::Hyperqueue, 4, true);
        assert!(alone.contains(&format!("{tasks} all --resource mem=768 ")), "{alone}");
        let virtually = of(Scheduler::Hyperqueue, 2, false);
        assert!(virtually.contains(&format!("{tasks} 2 --resource mem=768 ")), "{virtually}");
    }

    #[test]
    fn a_word_of_two_lines_is_refused() {
        assert!(text(OsStr::new("a\nPART\nrm b")).is_err());
        assert_eq!(text(OsStr::new("a b")).ok(), Some("a b"));
    }
}
