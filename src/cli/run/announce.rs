//! The announcement of a run before it starts, and the question before a long one.

use super::rounds::Reached;
use crate::cli::{format, is_quiet, say, tell};
use crate::experiment::{Estimate, Experiment, Planned, Resolved};
use crate::records::{CoresKind, Moment};
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use ttd_search::cores::{Dilation, Time};
use ttd_search::searchers::Costs;

/// The longest run about which nothing is asked, in seconds.
const LONG_S: f64 = 300.0;

/// Prints the experiment, the part that is done, and the time for the rest, to standard error. Also
/// names the numbers of threads that are more than there are `cores` for them.
pub(super) fn announce(
    planned: (&Resolved, &[Planned]),
    dir: &Path,
    reached: Reached,
    (estimate, jobs): (&Estimate, u16),
    cores: usize,
) {
    let warnings = warnings(&planned.0.experiment, cores);
    tell(text(planned, dir, reached, (estimate, jobs, &warnings)).trim_end());
    for warning in warnings.iter().filter(|_| is_quiet()) {
        say(format_args!("ttd: {warning}"));
    }
}

/// The text on a terminal: the beginning of a long plan. Elsewhere it is whole.
pub(super) fn first_of(plan: &str) -> String {
    const ROWS: usize = 20;
    let rows = plan.lines().count().saturating_sub(1);
    if rows <= ROWS || !io::stdout().is_terminal() {
        return plan.to_owned();
    }
    let first: Vec<&str> = plan.lines().take(ROWS + 1).collect();
    let more = rows - ROWS;
    format!("{}\n... and {more} more: --format csv prints all\n", first.join("\n"))
}

fn text(
    (resolved, plan): (&Resolved, &[Planned]),
    dir: &Path,
    reached: Reached,
    (estimate, jobs, warnings): (&Estimate, u16, &[String]),
) -> String {
    let e = &resolved.experiment;
    let list = |words: Vec<String>| words.join(", ");
    let searchers = list(e.names().into_iter().map(str::to_owned).collect());
    let threads = list(e.threads.iter().map(ToString::to_string).collect());
    let positions = format!("{} of {}", resolved.positions.len(), e.positions);
    let only = if e.only.is_empty() { "" } else { " (a choice)" };
    let lines = format::count(resolved.left_out, "line");
    let left_out =
        if resolved.left_out > 0 { format!(", {lines} left out") } else { String::new() };
    let limit = e.time_limit_s;
    let mut lines = vec![
        ("experiment", e.name.clone()),
        ("searchers", searchers),
        ("threads", threads),
        ("positions", format!("{positions}{only}{left_out}")),
        ("depth", e.depths()),
        ("runs", runs(e)),
        ("table", format!("{} MiB", e.hash_mib)),
        ("time limit", format!("{limit} s")),
        ("engine", e.preset_in_words(String::clone)),
        ("reference", e.reference.clone().unwrap_or_default()),
        ("cores", cores_of(e)),
        ("seed", e.seed.to_string()),
        ("base", e.base.words().to_owned()),
        ("detail", "each worker, and the table by depth".to_owned()),
        ("part", e.shard.map(|shard| shard.to_string()).unwrap_or_default()),
        ("results", dir.display().to_string()),
        ("samples", samples(plan.len(), reached)),
        ("estimated", estimated(e, plan, reached, (estimate, jobs))),
    ];
    let after = lines.iter().position(|(what, _)| *what == "reference").unwrap_or(0);
    let variants = e.variants.iter();
    let variants = variants.map(|v| ("variant", format!("{}: {}", v.name, v.words(e).join(", "))));
    lines.splice(after..after, variants.collect::<Vec<_>>());
    lines.extend(warnings.iter().map(|warning| ("warning", warning.clone())));
    lines.retain(|(what, _)| match *what {
        // Real cores are the usual case and need no line.
        "cores" => e.cores == CoresKind::Virtual || e.dilate.is_some(),
        "reference" => e.reference.is_some(),
        "detail" => e.detail,
        "part" => e.shard.is_some(),
        "estimated" => e.shard.is_none(),
        _ => true,
    });
    let mut text = String::new();
    for (what, value) in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{what:<12}{value}");
    }
    text
}

/// The number of times that each cell is measured.
fn runs(experiment: &Experiment) -> String {
    let looks: Vec<String> = experiment.looks().iter().map(ToString::to_string).collect();
    experiment.until.map_or_else(
        || experiment.runs.to_string(),
        |width| {
            let (looks, width) = (looks.join(", "), format::percent(width));
            format!(
                "until every ci_runs is narrower than {width} of its speedup: looks after {looks}"
            )
        },
    )
}

fn samples(all: usize, Reached { done, goal }: Reached) -> String {
    let of = if goal == done || goal == all {
        goal.to_string()
    } else {
        format!("{goal} before the next look, {all} at most")
    };
    match done {
        0 => of,
        done if done == goal => format!("{of}, all done already"),
        done => format!("{of}, of which {done} are done already"),
    }
}

fn cores_of(experiment: &Experiment) -> String {
    match &experiment.costs {
        None if let Some(Dilation { factor, nodes }) = experiment.dilation() => format!(
            "real, in time dilated {factor} times: a rest after every {nodes} nodes of a worker"
        ),
        None => "real".to_owned(),
        Some(costs) if *costs == Costs::default() => "virtual, with the default costs".into(),
        Some(_) => "virtual, with other costs than the default".to_owned(),
    }
}

fn estimated(
    experiment: &Experiment,
    plan: &[Planned],
    Reached { done, goal }: Reached,
    (estimate, jobs): (&Estimate, u16),
) -> String {
    if done >= goal {
        return "nothing is left to measure".to_owned();
    }
    let rest = &plan[done..];
    let taken = |samples: &[Planned]| {
        estimate
            .of(samples)
            .map(|time| format::duration(Time::from_ps(time.ps() / u64::from(jobs))))
    };
    if let Some(time) = taken(&plan[done..goal]) {
        let by = if estimate.is_guess() {
            if experiment.cores == CoresKind::Virtual {
                " of the host's time: a guess from short searches"
            } else {
                ": a guess from short searches"
            }
        } else {
            ", by the samples so far"
        };
        let all = taken(rest).filter(|_| goal < plan.len());
        let all =
            all.map_or_else(String::new, |all| format!("; {all} if every look asks for more"));
        return format!("about {time}{by}{all}");
    }
    let limits = Time::from_secs_f64(experiment.time_limit_s * rest.len() as f64);
    let most = format::duration(experiment.wall_time(limits));
    format!("unknown until there are samples; never more than {most} (the time limits)")
}

/// Reasons to expect bad measurements: too few cores, other programs at work.
fn warnings(experiment: &Experiment, cores: usize) -> Vec<String> {
    let over = oversubscribed(experiment, experiment.cores_among(cores));
    over.into_iter().chain(busy(experiment)).collect()
}

fn busy(experiment: &Experiment) -> Option<String> {
    let now = (experiment.cores == CoresKind::Real).then(|| Moment::now(0))?;
    now.is_busy().then(|| {
        format!(
            "busy machine: its load average is {}; `ttd doctor` says what else is at work",
            now.load_average
        )
    })
}

fn oversubscribed(experiment: &Experiment, cores: usize) -> Option<String> {
    if experiment.cores == CoresKind::Virtual || experiment.dilate.is_some() {
        return None; // a simulation has as many as it likes, and dilated time makes room
    }
    let parallel = experiment.is_parallel();
    let over: Vec<String> = experiment
        .threads
        .iter()
        .filter(|&&n| parallel && n > cores)
        .map(ToString::to_string)
        .collect();
    (!over.is_empty()).then(|| {
        let cores = format::count(cores, "core");
        format!("oversubscribed: {} threads; this process may use {cores}", over.join(", "))
    })
}

/// Whether a run of this length is wanted: asked on a terminal if it is long, or if its length is
/// unknown. Without a terminal nobody could answer, so it is.
///
/// # Errors
/// If the terminal cannot be read.
pub(super) fn is_wanted(one_by_one: Option<Time>, jobs: u16) -> io::Result<bool> {
    let seconds = one_by_one.map(|time| time.as_secs_f64() / f64::from(jobs));
    let is_short = seconds.is_some_and(|seconds| seconds <= LONG_S);
    if is_short || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(true);
    }
    let how_long = match seconds {
        Some(seconds) => format!("about {}", format::duration(Time::from_secs_f64(seconds))),
        None => "a time that is not known yet".to_owned(),
    };
    write!(io::stderr(), "This takes {how_long}. Go on? (--yes asks nothing) [Y/n] ")?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(is_yes(&answer))
}

/// Whether an answer is yes. An empty line is; the end of the input is not.
fn is_yes(answer: &str) -> bool {
    answer.ends_with('\n') && matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{PartialExperiment, plan, resolve};

    fn announced(
        partial: &PartialExperiment,
        (done, goal): (usize, usize),
        estimate: &Estimate,
    ) -> String {
        let resolved = resolve(None, partial, None).unwrap_or_else(|e| panic!("{e}"));
        let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
        let plan = plan(&resolved.experiment, &ids);
        let reached = Reached { done, goal };
        let over: Vec<String> = oversubscribed(&resolved.experiment, 2).into_iter().collect();
        text((&resolved, &plan), Path::new("results/x"), reached, (estimate, 1, &over))
    }

    #[test]
    fn says_what_is_to_come() {
        let text = announced(&PartialExperiment::default(), (0, 1440), &Estimate::default());
        let expected = "\
experiment  default
searchers   ybwc, lazy-smp
threads     1, 2, 4, 8
positions   30 of middlegames
depth       20
runs        6
table       256 MiB
time limit  120 s
engine      default
seed        1
base        the same searcher at one thread
results     results/x
samples     1440
estimated   unknown until there are samples; never more than 48 h 00 min (the time limits)
warning     oversubscribed: 4, 8 threads; this process may use 2 cores
";
        assert_eq!(text, expected);
    }

    #[test]
    fn says_what_is_left() {
        let partial = PartialExperiment {
            only: Some(vec!["1".to_owned()]),
            threads: "1,2".parse().ok(),
            runs: Some(3),
            ..PartialExperiment::default()
        };
        let mut estimate = Estimate::default();
        let resolved = resolve(None, &partial, None).unwrap_or_else(|e| panic!("{e}"));
        for planned in plan(&resolved.experiment, &["x"]) {
            estimate.add(planned.cell, Time::from_secs_f64(2.0));
        }
        let text = announced(&partial, (4, 12), &estimate);
        assert!(text.contains("samples     12, of which 4 are done already\n"), "{text}");
        assert!(text.contains("estimated   about 16 s, by the samples so far\n"), "{text}");
        assert!(!text.contains("warning"), "{text}");
        assert!(announced(&partial, (12, 12), &estimate).contains("nothing is left to measure"));
    }

    #[test]
    fn says_how_far_it_goes_until_enough_is_measured() {
        let partial = PartialExperiment {
            only: Some(vec!["1".to_owned()]),
            threads: "1,2".parse().ok(),
            runs: Some(20),
            until: Some(0.03),
            ..PartialExperiment::default()
        };
        let mut estimate = Estimate::default();
        let resolved = resolve(None, &partial, None).unwrap_or_else(|e| panic!("{e}"));
        for planned in plan(&resolved.experiment, &["x"]) {
            estimate.add(planned.cell, Time::from_secs_f64(2.0));
        }
        let text = announced(&partial, (4, 24), &estimate);
        for line in [
            "runs        until every ci_runs is narrower than 3% of its speedup: looks after 6, 12, 20\n",
            "samples     24 before the next look, 80 at most, of which 4 are done already\n",
            "estimated   about 40 s, by the samples so far; 2 min 32 s if every look asks for more\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        let text = announced(&partial, (48, 48), &estimate);
        assert!(text.contains("samples     48, all done already\n"), "{text}");
        assert!(text.contains("nothing is left to measure"), "{text}");
    }

    #[test]
    fn only_a_clear_answer_is_yes() {
        assert!(["\n", "y\n", " Yes \n", "Y\r\n"].into_iter().all(is_yes));
        assert!(!["", "y", "n\n", "no\n", "what?\n"].into_iter().any(is_yes));
    }
}
