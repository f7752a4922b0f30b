//! The precision of the speedups, and the number of rounds that other precisions take.

use crate::report::columns::columns;
use crate::report::numbers::{count, fixed, interval, known, list, ratio, short_percent};
use crate::report::{Input, Report, Source, Topic};
use ttd_stats::precision::{Precision, Width};

/// The precisions for which the report gives the number of rounds.
const WANTED: [f64; 4] = [0.01, 0.03, 0.05, 0.1];

/// A measured width, as text.
fn measured(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 2))
}

/// The number of rounds, in the table of the experiment.
pub(crate) fn runs(input: &Input) -> String {
    let (rounds, most) = (input.precision.rounds, input.experiment.runs);
    let Some(wanted) = input.experiment.until.map(short_percent) else { return most.to_string() };
    format!("{rounds}: until every ci_runs is narrower than {wanted}, at most {most}")
}

/// A note that a reader of adaptive rounds needs first.
pub(crate) fn note(input: &Input) -> Option<String> {
    let wanted = short_percent(input.experiment.until?);
    Some(format!(
        "**Adaptive.** The samples decided the number of rounds: {}. The run goes on until the 95% \
         ci_runs of every geometric-mean speedup is narrower than {wanted} of the speedup. \
         Stopping at the first look that finds them narrow favours intervals that came out narrow \
         by chance. They may hold the truth a little less often than those of a fixed number. See \
         \"Enough rounds?\".",
        ended(input)
    ))
}

/// The end of a run that was to go on until enough was measured, in words.
fn ended(input: &Input) -> String {
    let (experiment, precision) = (&input.experiment, &input.precision);
    let rounds = count(precision.rounds as usize, "round");
    if let Some(goal) = input.planned.filter(|goal| input.samples.all().count() < *goal) {
        return format!("the run is not done, and looks next when there are {goal} samples");
    }
    let narrow = experiment.until.is_some_and(|wanted| precision.is_narrower(wanted));
    match (narrow, precision.rounds < experiment.runs) {
        (true, true) => format!("the run stopped after {rounds}, of {} at most", experiment.runs),
        (true, false) => format!("the run stopped after {rounds}, which are its cap too"),
        (false, _) => {
            format!("the run reached its cap of {rounds}, and not every interval is narrow enough")
        }
    }
}

/// The topic. It is empty if there is no speedup.
pub(crate) const TOPIC: Topic<Source> =
    Topic { files: &[], charts: &[], section: |report, of| section(report, &of.input) };

fn section(report: &mut Report<'_>, input: &Input) {
    let (experiment, precision) = (&input.experiment, &input.precision);
    let Some(widest) = precision.widest() else { return };
    report.heading(2, "Enough rounds?");
    let how = match experiment.until {
        None => format!("The number of rounds, {}, was fixed beforehand.", experiment.runs),
        Some(wanted) => format!(
            "The run was to go on until the 95% ci_runs of every geometric-mean speedup is \
             narrower than {} of the speedup, from end to end. Looks were planned after {} \
             rounds: {}.",
            short_percent(wanted),
            list(experiment.looks()),
            ended(input)
        ),
    };
    let at = format!("{} at {}", widest.searcher, count(widest.threads, "thread"));
    let how_wide = if widest.relative().is_finite() {
        format!("The widest interval has a width of {} ({at}).", measured(widest.relative()))
    } else {
        format!(
            "The interval of {at} is open: samples were stopped by the time limit, or there are \
             too few. While that is so, more rounds do not make it narrow."
        )
    };
    report.paragraph(&format!("{how} {how_wide}"));
    report.paragraph(&format!(
        "Widths shrink with the root of the number of rounds. From that and the widths measured \
         here, the table estimates how many rounds a wanted width would take. Below six rounds \
         there is no estimate. An estimate is rough: a width is itself measured, from few rounds \
         badly. Intervals over positions do not shrink with rounds. {}",
        foretold(precision, widest)
    ));
    report.table(
        "Precision of the geometric-mean speedups: the whole width of the 95% ci_runs over the \
         speedup, and about how many rounds other widths would take.",
        &widths().whole_table(precision.widths.iter().map(|width| Line { precision, width })),
    );
}

/// A width, and the precision that it belongs to.
struct Line<'a> {
    precision: &'a Precision,
    width: &'a Width,
}

impl Line<'_> {
    /// The width over the speedup; none if the width is open.
    fn relative(&self) -> Option<f64> {
        Some(self.width.relative()).filter(|width| width.is_finite())
    }

    /// The number of rounds for a precision of [`WANTED`].
    fn rounds(&self, index: usize) -> Option<u64> {
        self.precision.rounds_for(WANTED[index], self.width)
    }
}

columns! {
    /// The table of the widths.
    fn widths<'a>(of: Line<'a>);

    Words "" = of.width.searcher.as_str(), as "searcher";
    Whole "" = of.width.threads, as "threads";
    Ratio "" = of.width.speedup, as "GM";
    Words "" = interval(of.width.ci_runs, ratio), as "ci_runs";
    Words "" = known(of.relative(), measured), as "width";
    Whole "" = of.rounds(0), as "rounds for 1% (estimate)";
    Whole "" = of.rounds(1), as "rounds for 3% (estimate)";
    Whole "" = of.rounds(2), as "rounds for 5% (estimate)";
    Whole "" = of.rounds(3), as "rounds for 10% (estimate)";
}

/// The estimated number of rounds for all speedups at once.
fn foretold(precision: &Precision, widest: &Width) -> String {
    let takes = |wanted: f64| {
        let rounds = precision.rounds_for(wanted, widest)?;
        Some(format!("{} about {rounds}", short_percent(wanted)))
    };
    let all: Option<Vec<String>> = WANTED.into_iter().map(takes).collect();
    let words = "Rounds that would make every ci_runs narrower than a wanted width";
    all.map_or_else(String::new, |all| format!("{words}: {}.", all.join(", ")))
}
