//! The report of a sweep: the text before its topics, the topics, and the text behind them.
//!
//! | file | what it holds |
//! |---|---|
//! | `in_short` | the speedups, the greatest loss and the doubts, in a few sentences |
//! | `notes`, `validity` | reasons to doubt the figures |
//! | `hosts` | the hosts that measured the parts of a sweep or a match |
//! | `setup`, `methods` | how they were measured, as tables and as a paragraph |

pub(crate) mod hosts;
mod in_short;
pub(crate) mod methods;
pub(crate) mod notes;
pub(crate) mod setup;
pub(crate) mod validity;

use crate::report::charts::Chart;
use crate::report::numbers::{count, list, threads_in_words};
use crate::report::topics::precision;
use crate::report::{Input, Report, Source, Topic};
use methods::methods;

/// The whole report.
pub(crate) fn report<'c>(
    of: &Source,
    topics: &[&Topic<Source>],
    charts: &'c [Chart],
) -> Report<'c> {
    let mut report = Report::new(charts);
    before(&mut report, &of.input);
    for topic in topics {
        (topic.section)(&mut report, of);
    }
    behind(&mut report, &of.input);
    report
}

/// The reasons to doubt the figures, each by the first words of its note.
pub(crate) fn doubts(input: &Input) -> Vec<String> {
    in_short::titles(&notes(input))
}

fn notes(input: &Input) -> Vec<String> {
    let mut notes = notes::without(input);
    notes.extend(precision::note(input));
    notes.extend(validity::notes(input));
    notes
}

fn before(report: &mut Report<'_>, input: &Input) {
    let names = list(input.experiment.names());
    report.heading(1, &format!("{}: time to depth of {names}", input.experiment.name));
    report.paragraph(&opening(input));
    let notes = notes(input);
    report.heading(2, "In short");
    report.list(in_short::in_short(input, &notes));
    report.heading(2, "Before the figures");
    report.notes(
        notes,
        "Nothing to remark: all samples were taken and reached the depth, no thread count is \
         oversubscribed, and cells have six samples or more.",
    );
}

fn behind(report: &mut Report<'_>, input: &Input) {
    report.heading(2, "How to read this");
    report.list(READING);
    report.heading(2, "Setup");
    report.settings("The experiment.", &setup::experiment(input));
    report.settings("The machine and the program.", &setup::environment(&input.sittings));
    report.table(hosts::CAPTION, &hosts::table(&input.sittings));
    report.heading(2, "Method");
    report.paragraph(&methods(input));
    report.heading(2, "Positions");
    report.positions(setup::positions(input));
    report.heading(2, "Again");
    report.paragraph(
        "The experiment is in `experiment.toml`, its machine and program in `environment.toml`, \
         every sample in `samples.csv`. Run the commands below in this directory. The first one \
         takes the samples again, into another directory. The second one makes the tables, the \
         charts and this report again from the samples. With `--match` and the directory of a \
         match, the ratings of the match stand beside them:",
    );
    report.code("ttd run experiment.toml --out ../again\nttd report .");
}

/// The opening: the measurements in a sentence or two.
fn opening(input: &Input) -> String {
    let experiment = &input.experiment;
    let done = input.samples.all().count();
    let competitors = experiment.competitors();
    let has =
        |threads: &usize| competitors.iter().any(|c| experiment.threads_of(*c).contains(threads));
    let threads: Vec<usize> = experiment.threads.iter().copied().filter(has).collect();
    format!(
        "Time to depth {} from {} of the set `{}`, by {} at {} on {}: {}, up to {} a \
         cell. A speedup is the median time of the base over the median time of the cell, position \
         by position; the base is {}.",
        experiment.depth_range(),
        count(input.figures.positions.len(), "position"),
        experiment.positions,
        list(experiment.names()),
        threads_in_words(&threads),
        input.cores.words(),
        count(done, "sample"),
        input.figures.runs().map_or(0, |(_, most)| most),
        input.figures.base
    )
}

/// The section on how to read the report.
const READING: [&str; 6] = [
    "**Speedup** is a ratio of median times, position by position. Over positions there are \
     quartiles, the median and the geometric mean, never the arithmetic mean of ratios. \
     **Efficiency** is the median speedup over the number of threads.",
    "**Two intervals**, both at 95%, come from a seeded bootstrap. `ci_runs` keeps the \
     positions and draws their samples anew: how well were these positions measured? \
     `ci_positions` draws the positions anew, each with all its samples: how far would the \
     figure carry over to such positions in general? Overlapping intervals do not show that \
     one searcher has the greater speedup. A speedup is relative to the searcher's own base.",
    "**[lower, upper]** stands where samples were stopped by the time limit: the figure lies \
     between the two ends, whatever the stopped searches would have taken.",
    "**–** stands for a figure that cannot be computed: too few samples, positions or thread \
     counts.",
    "**Boxes** span the quartiles, with a line at the median. Whiskers end at the last \
     position within 1.5 interquartile ranges of the box; positions beyond are drawn as rings.",
    "Parallel search is not deterministic: the tree, and with it the time, changes from run to \
     run. The report therefore has deviations and compares medians.",
];
