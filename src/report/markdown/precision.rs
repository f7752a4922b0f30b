//! How well the speedups are known, and how many rounds would do.

use super::Report;
use crate::report::input::Input;
use crate::report::numbers::{BLANK, bounds, count, fixed, interval, list, ratio, short_percent};
use ttd_stats::precision::Width;

/// The precisions of which it is said how many rounds they would take.
const WANTED: [f64; 3] = [0.01, 0.03, 0.05];

/// A width that was measured.
fn measured(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 2))
}

/// The number of rounds, in the table of the experiment.
pub(super) fn runs(input: &Input) -> String {
    let (experiment, rounds) = (&input.experiment, input.precision.rounds);
    experiment.until.map_or_else(
        || experiment.runs.to_string(),
        |wanted| {
            let most = experiment.runs;
            format!(
                "{rounds}: until every ci_runs is narrower than {}, at most {most}",
                short_percent(wanted)
            )
        },
    )
}

/// What a reader of adaptive rounds must know first.
pub(super) fn note(input: &Input) -> Option<String> {
    let wanted = short_percent(input.experiment.until?);
    Some(format!(
        "**Adaptive.** How many rounds there are was decided by the samples: {}. The run goes on until the 95% ci_runs of \
         every geometric-mean speedup is narrower than {wanted} of the speedup. Stopping at the first look that finds them \
         narrow favours intervals that came out narrow by chance: they may cover a little less often than those of a fixed number. See \
         \"Enough rounds?\".",
        ended(input)
    ))
}

/// How a run that was to go on until enough was measured has ended.
fn ended(input: &Input) -> String {
    let (experiment, precision) = (&input.experiment, &input.precision);
    let rounds = count(precision.rounds as usize, "round");
    if let Some(goal) = input.planned.filter(|goal| input.samples.all().count() < *goal) {
        return format!("it is not done, and looks next when there are {goal} samples");
    }
    let narrow = experiment.until.is_some_and(|wanted| precision.is_narrower(wanted));
    match (narrow, precision.rounds < experiment.runs) {
        (true, true) => format!("it stopped after {rounds}, of {} at most", experiment.runs),
        (true, false) => format!("it stopped after {rounds}, which are its cap too"),
        (false, _) => {
            format!("it reached its cap of {rounds}, and not every interval is narrow enough")
        }
    }
}

/// The section; nothing if there is no speedup.
pub(super) fn section(report: &mut Report<'_>, input: &Input) {
    let (experiment, precision) = (&input.experiment, &input.precision);
    let Some(widest) = precision.widest() else { return };
    report.heading(2, "Enough rounds?");
    let how = experiment.until.map_or_else(
        || format!("The number of rounds, {}, was fixed beforehand.", experiment.runs),
        |wanted| {
            format!(
                "The run was to go on until the 95% ci_runs of every geometric-mean speedup is narrower than {} (the whole \
                 width, from end to end, over the speedup), looking after {} rounds: {}.",
                short_percent(wanted),
                list(experiment.looks()),
                ended(input)
            )
        },
    );
    let at = format!("{} at {}", widest.searcher, count(widest.threads, "thread"));
    let how_wide = if widest.relative().is_finite() {
        format!("The widest has a width of {} ({at}).", measured(widest.relative()))
    } else {
        format!(
            "That of {at} is open: samples were stopped by the time limit, or there are too few. More rounds do not make it \
             narrow while that is so."
        )
    };
    report.paragraph(&format!("{how} {how_wide}"));
    report.paragraph(&format!(
        "Widths shrink with the root of the number of rounds. By that, and from the widths measured here, the table estimates \
         how many rounds a wanted width would take; below six rounds there is no estimate. It is rough: a width is itself \
         measured, from few rounds badly. Intervals over positions do not shrink with rounds. {}",
        foretold(input)
    ));
    let mut header: Vec<String> =
        ["searcher", "threads", "GM", "ci_runs", "width"].map(str::to_owned).to_vec();
    header.extend(WANTED.map(|wanted| format!("rounds for {} (estimate)", short_percent(wanted))));
    let row = |width: &Width| {
        let relative = width.relative();
        let share = if relative.is_finite() { measured(relative) } else { BLANK.to_owned() };
        let mut row = vec![
            width.searcher.clone(),
            width.threads.to_string(),
            bounds(Some(width.speedup), ratio),
            interval(width.ci_runs, ratio),
            share,
        ];
        row.extend(WANTED.map(|wanted| {
            let rounds = precision.rounds_for(wanted, width);
            rounds.map_or_else(|| BLANK.to_owned(), |rounds| rounds.to_string())
        }));
        row
    };
    let mut rows = vec![header];
    rows.extend(precision.widths.iter().map(row));
    report.table(
        "How well the geometric-mean speedups are known: the whole width of the 95% ci_runs over the speedup, and about how \
         many rounds other widths would take.",
        &rows,
    );
}

/// The estimate for all of them at once.
fn foretold(input: &Input) -> String {
    let precision = &input.precision;
    let Some(widest) = precision.widest() else { return String::new() };
    let takes = |wanted: f64| Some((precision.rounds_for(wanted, widest)?, short_percent(wanted)));
    let all: Option<Vec<String>> = WANTED
        .into_iter()
        .map(|wanted| takes(wanted).map(|(rounds, wanted)| format!("{wanted} about {rounds}")))
        .collect();
    all.map_or_else(String::new, |all| {
        format!(
            "For all of them to be narrower than so much, it would take, in rounds: {}.",
            all.join(", ")
        )
    })
}
