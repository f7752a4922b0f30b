//! The method of measurement, in sentences that can stand in the method section of a paper. Each
//! sentence is true of these results. A value that was not read, or does not apply, is not
//! mentioned.

use crate::experiment::{Experiment, SampleStatus};
use crate::records::{CoresKind, Sitting};
use crate::report::Input;
use crate::report::figures::SearcherFigures;
use crate::report::front::setup::{cost_model, preset_in_words};
use crate::report::front::validity::value;
use crate::report::lists::{ascending, each_once, without_neighbours};
use crate::report::numbers::{
    count, if_any, list, seconds, short_percent, threads_in_words, words_if,
};
use crate::report::topics::speedup::lines::leading;
use crate::report::topics::work_span::rows::WorkSpanFigures;
use std::fmt::Write as _;
use ttd_search::cores::Dilation;
use ttd_stats::bootstrap::{CONFIDENCE, REPLICATES};

/// The paragraph.
pub(crate) fn methods(input: &Input) -> String {
    let mut sentences = vec![measured(input)];
    sentences.extend(rounds(input));
    sentences.extend(adaptive(input));
    sentences.push(ended(input));
    sentences.extend(engine(&input.experiment));
    sentences.extend(outside_engines(input));
    sentences.extend(speedups(input));
    sentences.extend(intervals(input));
    sentences.extend(comparisons(input));
    sentences.extend(models(input));
    sentences.extend(work_and_path(input));
    sentences.push(cores(input));
    sentences.extend(oversubscribed(input));
    // A simulation has no machine.
    let real = !input.cores.is_virtual();
    sentences.extend(machine(&input.sittings, ["samples", "taken"]).filter(|_| real));
    sentences.extend(program(&input.sittings, input.experiment.cores));
    sentences.join(" ")
}

/// The cells that were measured.
fn measured(input: &Input) -> String {
    let experiment = &input.experiment;
    let names: Vec<&str> = input.figures.measured().map(|of| of.searcher.as_str()).collect();
    if names.is_empty() {
        return "Nothing has been measured yet.".to_owned();
    }
    let positions = ascending(input.samples.all().map(|sample| &sample.position));
    let threads = input.figures.threads();
    let single = input.figures.measured().filter(|of| threads.len() > 1 && of.threads() == [1]);
    let single = if_any(single.map(|of| &of.searcher), |some| format!(" ({some} at one only)"));
    format!(
        "We measured the time that {} took to reach depth {} on {} of the set `{}`, with {}{single}.",
        list(names),
        experiment.depths(),
        count(positions.len(), "position"),
        experiment.positions,
        threads_in_words(&threads),
    )
}

/// The number and order of rounds; nothing without samples.
fn rounds(input: &Input) -> Option<String> {
    let (least, most) = input.figures.runs()?;
    let times = |n: usize| if n == 1 { "once".to_owned() } else { format!("{n} times") };
    let often = if least == most { times(most) } else { format!("{least} to {}", times(most)) };
    let done = input.samples.all().count();
    let all = count(done, "sample");
    let fixed = input.experiment.until.is_none();
    let planned = input.planned.filter(|planned| fixed && done < *planned);
    let planned = planned.map_or_else(String::new, |planned| format!(" of {planned} planned"));
    Some(format!(
        "Every cell (searcher, number of threads and position) was measured {often}, \
         {all}{planned} in all. Each round visits every cell once, in an order shuffled anew (seed \
         {}).",
        input.experiment.seed
    ))
}

/// The rule by which the samples decided the number of rounds, if they did.
fn adaptive(input: &Input) -> Option<String> {
    let (experiment, precision) = (&input.experiment, &input.precision);
    let wanted = experiment.until?;
    let unfinished = input.planned.is_some_and(|goal| input.samples.all().count() < goal);
    let ended = if unfinished {
        "That look is still to come".to_owned()
    } else if precision.is_narrower(wanted) {
        format!("That look was after {} rounds", precision.rounds)
    } else {
        "No look found that".to_owned()
    };
    Some(format!(
        "The number of rounds was not fixed beforehand. Looks were planned after {} rounds; the \
         last one ends the run in any case. The run was to end at the first look that found the \
         whole width of every geometric-mean speedup's 95% ci_runs below {} of the speedup. \
         {ended}.",
        list(experiment.looks()),
        short_percent(wanted)
    ))
}

/// The ways in which samples ended.
fn ended(input: &Input) -> String {
    let of = |status| input.samples.all().filter(|sample| sample.status == status).count();
    let limit = seconds(input.experiment.time_limit_s);
    let clock = if input.cores.is_virtual() { " of virtual time" } else { "" };
    let mut text = match of(SampleStatus::Censored) {
        0 => format!("A search was to be stopped after {limit} s{clock}; none was."),
        n => format!(
            "A search was stopped after {limit} s{clock}, as {n} were. The time of a stopped \
             search is known only to be larger. A figure that depends on such a time is given by \
             the two ends between which it lies."
        ),
    };
    let failed = of(SampleStatus::Failed);
    if failed > 0 {
        let are = if failed == 1 { "is" } else { "are" };
        let _ = write!(text, " {} failed and {are} in no figure.", count(failed, "sample"));
    }
    text
}

/// The settings that all competitors of our engine have in common.
fn engine(experiment: &Experiment) -> Option<String> {
    experiment.all_ours().next()?;
    let preset = preset_in_words(experiment);
    let variants = experiment.variants.iter().map(|variant| &variant.name);
    let variants = if_any(variants, |some| format!(", but for the settings of {some}"));
    Some(format!(
        "The searchers of ttd share one chess engine ({preset}) and one alpha-beta node \
         routine{variants}. Before each sample the transposition table of {} MiB was cleared and \
         the workers were made ready. The time runs from then until the depth is completed.",
        experiment.hash_mib
    ))
}

/// The outside engines that were measured.
fn outside_engines(input: &Input) -> Option<String> {
    let experiment = &input.experiment;
    if experiment.engines.is_empty() {
        return None;
    }
    let seen = input.sittings.last().map_or(&[][..], |sitting| &sitting.engines);
    let words = |name: &String| {
        let says = seen.iter().find(|seen| seen.name == *name).map(|seen| seen.says.as_str());
        says.map_or_else(|| name.clone(), |says| format!("{name} ({says})"))
    };
    let names = list(experiment.engines.iter().map(|engine| words(&engine.name)));
    let own = seen.iter().filter(|seen| seen.own_table).map(|seen| &seen.name);
    let own = if_any(own, |some| format!(", but for {some}"));
    Some(format!(
        "Outside engines: {names}. Each was a process that was told to search to that depth, with \
         a table of {} MiB{own}.",
        experiment.hash_mib
    ))
}

/// The definition of a speedup; nothing if none is known.
fn speedups(input: &Input) -> Option<String> {
    input.figures.rows().find_map(|row| row.median)?;
    Some(format!(
        "The speedup of a position is the median time of the base over the median time of the \
         cell. The base is {}. Over positions, speedups are given by their median, their quartiles \
         and their geometric mean, never by the arithmetic mean.{}",
        input.figures.base,
        words_if(
            input.figures.rows().any(|row| row.net.is_some()),
            " Net speedup is the geometric-mean speedup times the tree ratio, if that is below 1. The \
             tree ratio is the geometric mean of median nodes over the base's, without aborted nodes."
        )
    ))
}

/// The definition of the intervals that the report has.
fn intervals(input: &Input) -> Option<String> {
    let estimates = || input.figures.rows().filter_map(|row| row.median);
    let runs = estimates().any(|estimate| estimate.ci_runs.is_some()).then_some(
        "The interval ci_runs keeps the positions and draws the rounds anew, with one draw for all \
         cells",
    );
    let positions = estimates().any(|estimate| estimate.ci_positions.is_some()).then_some(
        "The interval ci_positions draws the positions anew, each with all of its samples, and \
             is expanded for their number (Hesterberg, 2015)",
    );
    let kinds: Vec<&str> = runs.into_iter().chain(positions).collect();
    if kinds.is_empty() {
        return None;
    }
    Some(format!(
        "Intervals are percentile bootstrap intervals at {:.0}% from {REPLICATES} replicates. {}.",
        100.0 * CONFIDENCE,
        kinds.join(". ")
    ))
}

/// The test that compares competitors; nothing without a test.
fn comparisons(input: &Input) -> Option<String> {
    let family = input.comparisons.family;
    (family > 0).then_some(format!(
        "Competitors were compared at each number of threads by Wilcoxon's signed-rank test on \
         the logarithms of the ratios of their median times, position by position. The test is \
         two-sided, at 5%, with Holm's correction for {}.",
        count(family, "comparison")
    ))
}

/// The choice among models of speedup by threads; nothing without a criterion.
fn models(input: &Input) -> Option<String> {
    let all = input.figures.measured().flat_map(SearcherFigures::leading_models);
    let compared = all.filter(|model| model.support.is_some()).map(|model| model.model.words());
    let compared = each_once(compared);
    (!compared.is_empty()).then_some(format!(
        "Models of the {} by threads ({}) were fitted by least squares on its logarithm. Thread \
         counts with a core for each thread were used, with a speedup of 1 at one thread. They \
         were compared by Akaike's criterion with the correction for small samples (AICc; Hurvich and Tsai, 1989).",
        leading(&input.figures).label,
        list(compared)
    ))
}

/// The model of work and critical path; nothing where it was not fitted.
fn work_and_path(input: &Input) -> Option<String> {
    let fitted = || input.work_spans.iter().filter(|of| of.fit.is_some());
    fitted().next()?;
    let has_intervals =
        |of: &WorkSpanFigures| of.over.iter().any(|over| over.runs.or(over.positions).is_some());
    let intervals = words_if(
        fitted().any(has_intervals),
        " The intervals of a and b refit every replicate by Newton's method, with one step from 20 \
         positions on (Andrews, 2002) and all steps below. They are expanded for the numbers of \
         runs and positions.",
    );
    Some(format!(
        "The times of several workers were also modelled by their work W and critical path C. The \
         model T = a W/N + b C was fitted by least squares on log T.{intervals}"
    ))
}

/// The cores that workers ran on.
fn cores(input: &Input) -> String {
    let experiment = &input.experiment;
    let outside = "The threads of outside engines ran on virtual cores, one each, in the order of \
                   their clocks. On these all counted instructions cost the same.";
    if let Some(costs) = &experiment.costs {
        if experiment.all_ours().next().is_none() {
            return outside.to_owned();
        }
        let outside = if experiment.engines.is_empty() { "" } else { outside };
        let space = if outside.is_empty() { "" } else { " " };
        return format!(
            "The workers ran on virtual cores, one each: as coroutines in the order of a deterministic clock. Times are those of \
             that clock, on which every event has a cost (`{}`); none is a time of the machine.{space}{outside}",
            cost_model(costs)
        );
    }
    let pinned = match experiment.pin.as_slice() {
        [] => "were not bound to cores".to_owned(),
        some => format!("were bound to the processors {}", list(some)),
    };
    let dilated = experiment.dilation().map_or_else(String::new, |Dilation { factor, nodes }| {
        format!(
            " Time was dilated {factor} times: after every {nodes} nodes a worker slept until \
             {factor} times its processor time had gone by. All times are divided by {factor}."
        )
    });
    format!("The workers were threads of the operating system and {pinned}.{dilated}")
}

fn oversubscribed(input: &Input) -> Option<String> {
    input.cores.limit()?;
    let over = input.oversubscribed();
    (!over.is_empty()).then_some(format!(
        "{} {}, so {} threads shared cores (oversubscription); their figures are no speedups of as \
         many cores.",
        if input.cores.is_virtual() { "There were" } else { "The process could use" },
        input.cores.words(),
        list(over)
    ))
}

/// The machine, as far as it was read; if there were several, the text says so. `what` and `done`
/// are words such as "samples" and "taken".
pub(crate) fn machine(sittings: &[Sitting], [what, done]: [&str; 2]) -> Option<String> {
    let first = sittings.first()?;
    let same = sittings.iter().all(|other| {
        (&other.cpu, other.cores_usable, &other.kernel)
            == (&first.cpu, first.cores_usable, &first.kernel)
    });
    if !same {
        return Some(format!("The {what} were not all {done} on the same machine."));
    }
    let memory = value(&first.memory_mib).map(|mib| format!("{mib} MiB of memory"));
    let read = |what: &str, text: &str| {
        (!text.starts_with("unavailable")).then(|| format!("{what} {text}"))
    };
    let facts = [
        read("processor", &first.cpu),
        Some(format!(
            "{} of {} logical processors usable",
            first.cores_usable, first.logical_cores
        )),
        read("SMT", &first.smt),
        read("frequency governor", &first.governor),
        read("boost", &first.boost),
        memory,
        read("transparent huge pages", chosen(&first.huge_pages)),
        read("kernel", &first.kernel),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let last = sittings.last().and_then(|sitting| sitting.after.as_ref());
    let sittings = match sittings.len() {
        1 => String::new(),
        n => format!(" in {n} sittings"),
    };
    let end = last.map_or_else(|| "on".to_owned(), |moment| format!("to {}", moment.time));
    Some(format!(
        "The machine: {}. The {what} were {done}{sittings} from {} {end}.",
        facts.join(", "),
        first.before.time
    ))
}

/// The choice in brackets, in a line of choices; the whole line, if none is in brackets.
fn chosen(choices: &str) -> &str {
    let inner = choices.split_once('[').and_then(|(_, rest)| Some(rest.split_once(']')?.0));
    inner.unwrap_or(choices)
}

/// The program, and how it was built.
pub(crate) fn program(sittings: &[Sitting], cores: CoresKind) -> Option<String> {
    let words = |sitting: &Sitting| {
        let flags = match sitting.rustflags.trim() {
            "" | "unknown" => String::new(),
            flags => format!(" with `{flags}`"),
        };
        let build = format!(
            ", built by {}{flags} for {} at optimisation level {}",
            sitting.rustc, sitting.target, sitting.opt_level
        );
        // The build of a simulation does not change its results.
        let build = if cores == CoresKind::Real { build } else { String::new() };
        let changed = if sitting.is_changed() { ", from sources that no commit holds" } else { "" };
        format!("ttd {} (commit {}{build}{changed})", sitting.version, sitting.commit)
    };
    let programs = without_neighbours(sittings.iter().map(words));
    (!programs.is_empty()).then(|| format!("The program was {}.", programs.join("; then ")))
}
