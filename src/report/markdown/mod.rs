//! The report of a sweep: the setup, the tables and the charts in one text.

mod by_depth;
mod comparisons;
mod models;
mod precision;
mod published;
mod setup;
mod stability;
mod tables;
mod variants;
mod work_span;

pub(super) use super::document::Report;
pub(super) use setup::{cost_model, environment, preset_in_words};

use super::charts::{Chart, TIMES};
use super::input::Input;
use super::matches::{self, MatchInput};
use super::methods::methods;
use super::numbers::{count, estimate, interval, list, ratio, seconds};
use super::sensitivity::Sensitivity;
use super::{salvage, validity};
use crate::report::figures::{Row, SearcherFigures};
use ttd_stats::Bounds;

/// The whole report.
pub(super) fn report<'c>(
    input: &Input,
    sensitivity: &Sensitivity,
    games: Option<&MatchInput>,
    charts: &'c [Chart],
) -> Report<'c> {
    let mut report = Report::new(charts);
    let names = list(input.experiment.names());
    report.heading(1, &format!("{}: time to depth of {names}", input.experiment.name));
    report.paragraph(&opening(input));
    report.heading(2, "Before the figures");
    let mut notes = salvage::notes(input);
    notes.extend(precision::note(input));
    notes.extend(validity::notes(input));
    if notes.is_empty() {
        report.paragraph(
            "Nothing to remark: all samples were taken and reached the depth, no thread count \
             is oversubscribed, and cells have six samples or more.",
        );
    } else {
        report.notes(&notes);
    }
    report.heading(2, "Setup");
    report.table("The experiment.", &setup::experiment(input));
    report.table("The machine and the program.", &environment(&input.sittings));
    report.heading(2, "Method");
    report.paragraph(&methods(input));
    if let Some(of) = &input.variants {
        variants::section(&mut report, of);
    }
    comparisons::section(&mut report, &input.experiment, &input.comparisons);
    if input.figures.measured().next().is_some() {
        figures(&mut report, input);
        precision::section(&mut report, input);
    }
    work_span::section(&mut report, &input.work_spans);
    published::section(&mut report, input);
    published::as_finished(&mut report, input);
    if !sensitivity.is_empty() {
        costs(&mut report, input, sensitivity);
    }
    if let Some(games) = games {
        matches::beside_speedups(&mut report, games);
    }
    report.heading(2, "How to read this");
    report.list(&reading());
    report.heading(2, "Again");
    report.paragraph(
        "The experiment is in `experiment.toml`, what it ran on in `environment.toml`, every \
         sample in `samples.csv`. In this directory, the first command takes the samples again \
         (into another directory), the second makes the tables, the charts and this report again \
         from the samples (the ratings of a match beside them with `--match` and its directory):",
    );
    report.code("ttd run experiment.toml --out ../again\nttd report .");
    report
}

/// What was measured, in a sentence or two.
fn opening(input: &Input) -> String {
    let experiment = &input.experiment;
    let done = input.samples.all().count();
    format!(
        "Time to depth {} from {} of the set `{}`, by {} at {} on {}: {}, up to {} a \
         cell. A speedup is the median time of the base over the median time of the cell, position \
         by position; the base is {}.",
        experiment.depth_range(),
        count(input.figures.positions.len(), "position"),
        experiment.positions,
        list(experiment.names()),
        match experiment.threads[..] {
            [1] => "1 thread".to_owned(),
            ref several => format!("{} threads", list(several)),
        },
        input.cores.words(),
        count(done, "sample"),
        input.figures.runs().map_or(0, |(_, most)| most),
        input.figures.base
    )
}

fn figures(report: &mut Report<'_>, input: &Input) {
    let figures = &input.figures;
    report.heading(2, "Speedup");
    report.list(&figures.measured().map(headline).collect::<Vec<_>>());
    report.table(
        "Times and speedups over positions. Base and time are medians over positions of median \
         times, in seconds. GM is the geometric mean of the speedups, total the ratio of total \
         times. * oversubscribed.",
        &tables::speedups(figures),
    );
    report.table(
        "The 95% intervals. ci_runs: these positions, samples drawn anew (how well was it \
         measured?). ci_positions: positions drawn anew (what would others give?); that of total is a little too narrow, since \
         a few long positions decide it: simulated with 7 to 30 positions it holds the truth in 92 to 94 of 100 experiments. \
         Those of efficiency are those of the median over the number of threads.",
        &tables::intervals(figures),
    );
    report.chart("speedup");
    report.chart("efficiency");
    report.heading(2, "Position by position");
    for of in figures.on_their_own() {
        for chart in ["speedup-boxes", "speedup-positions", "speedup-map"] {
            report.chart(&format!("{chart}-{}", of.searcher));
        }
    }
    for of in figures.on_their_own() {
        report.table(
            &format!(
                "Median times in seconds of {} and, in brackets, speedups with the 95% \
                 ci_runs.",
                of.searcher
            ),
            &tables::positions(figures, of),
        );
    }
    report.heading(2, "Where the speedup went");
    report.paragraph(
        "N threads would ideally be N times as fast. Three factors stand between N and the \
         account's speedup, which is exactly N times their product: extra nodes, 1 / (1 + search \
         overhead); the share of the workers' time spent searching (busy fraction); and the \
         speed of a searching worker relative to the base (node rate).",
    );
    report.table(
        "The account, by geometric means over samples and positions, so that its factors multiply \
         to the speedup; positions with a censored sample are left out. (The busy fraction is \
         therefore a little less than the share of `search` in the table of the workers' time, \
         which is an arithmetic mean.) The account's speedup is a ratio of geometric-mean times, the GM \
         of the speedups above one of median times. The last column compares it with the median \
         speedup.",
        &tables::account(figures),
    );
    for of in figures.measured() {
        report.chart(&format!("account-{}", of.searcher));
    }
    report.table(
        "How the workers spent their time (share of threads x time, arithmetic mean over samples \
         and positions, so that a row adds up to 100%; the account's busy fraction is the \
         geometric mean of `search`).",
        &tables::states(figures),
    );
    report.table(
        "What the workers' cooperation came to, and what of it was in vain (sums over samples). Aborted: nodes of subtrees that \
         were given up because a split point above was cut off, by the kind of that split point. Doubled: nodes of subtrees \
         that another worker had searched as deeply by the time that they were done (the table, which did \
         not know when they were begun, knew then).",
        &tables::waste(figures),
    );
    report.table(
        "How unequal the workers are. In every sample the workers are put in order, least to most; the figures are \
         means over samples, and those of worker 0 stand beside them. Searching: the share of its time that a \
         worker searches. Nodes: over an equal share (all nodes / threads). Joins: how often it joined a split \
         point of another.",
        &tables::workers(figures),
    );
    for of in figures.on_their_own() {
        report.table(
            &format!(
                "Look-ups of {} in the transposition table, by the plies that were left to search at the node: \
                 probes a sample, and how many of them found the position (hits) and ended the node (cutoffs).",
                of.searcher
            ),
            &tables::look_ups(of),
        );
    }
    report.heading(2, "Spread of the times");
    report.table(
        "Deviation of the times of a position, in seconds. SD and MAD are the medians over positions \
         of the standard deviation (n − 1) and of the median absolute deviation; the other columns are over positions of the root mean \
         square distance from the median.",
        &tables::deviations(figures),
    );
    report.chart("deviations");
    report.chart(TIMES);
    models::section(report, figures);
    by_depth::section(report, &input.by_depth);
    stability::section(report, input);
}

/// How much depends on the costs of the simulation.
fn costs(report: &mut Report<'_>, input: &Input, sensitivity: &Sensitivity) {
    report.heading(2, "If things cost something else");
    for of in input.figures.measured().filter(|of| of.rows.iter().any(|row| row.threads > 1)) {
        report.table(
            &format!(
                "Geometric-mean speedup of {} by threads (ci_runs), with the cost in the first column \
                 halved / doubled and all others as they are.",
                of.searcher
            ),
            &sensitivity.table(&input.figures, &of.searcher),
        );
    }
}

/// One searcher in a sentence.
fn headline(of: &SearcherFigures) -> String {
    let one = |row: &Row| {
        let over = row.median.and_then(|m| m.ci_positions);
        let interval = over
            .map_or_else(String::new, |b| format!(" (ci_positions {})", interval(Some(b), ratio)));
        format!(
            "{}{interval} at {}{}",
            estimate(row.median, ratio),
            row.threads,
            if row.oversubscribed { "*" } else { "" }
        )
    };
    let rows: Vec<&Row> = of.rows.iter().filter(|row| row.threads > 1).collect();
    let base = of.rows.first().and_then(|row| row.base_s).and_then(Bounds::value);
    let base = base.map_or_else(String::new, |s| {
        format!(" The base takes {} s (median over positions).", seconds(s))
    });
    if rows.is_empty() {
        return format!("**{}** was measured at one thread only.{base}", of.searcher);
    }
    if rows.iter().all(|row| row.median.is_none()) {
        return format!(
            "**{}**: no speedup is known, for a base or its samples are missing.",
            of.searcher
        );
    }
    let efficiency = rows.last().and_then(|row| row.efficiency).and_then(|e| e.value.value());
    let efficiency = efficiency.map_or_else(String::new, |e| {
        format!(" Efficiency at {}: {}.", rows.last().map_or(0, |row| row.threads), ratio(e))
    });
    format!(
        "**{}**: median speedup {} threads.{efficiency}{base}",
        of.searcher,
        list(rows.into_iter().map(one))
    )
}

fn reading() -> Vec<String> {
    [
        "**Speedup** is a ratio of median times, position by position; over positions there are \
         quartiles, the median and the geometric mean, never the arithmetic mean of ratios. \
         **Efficiency** is the median speedup over the number of threads.",
        "**Two intervals**, both 95%, both by a seeded bootstrap. `ci_runs` keeps the positions and \
         draws their samples anew: how well were these positions measured? `ci_positions` draws \
         the positions anew, each with all its samples: how far would the figure carry over to \
         such positions in general? Overlapping intervals do not show that one searcher has the \
         greater speedup; and a speedup is relative to the searcher's own base.",
        "**[lower, upper]** stands where samples were stopped by the time limit: the figure lies \
         between the two ends, whatever the stopped searches would have taken.",
        "**–** is a figure that cannot be had: too few samples, positions or thread counts.",
        "**Boxes** span the quartiles, with a line at the median; whiskers end at the last position \
         within 1.5 interquartile ranges of the box, and positions beyond are drawn as rings.",
        "Parallel search is not deterministic: the tree, and with it the time, changes from run to \
         run. That is why there are deviations and why medians are compared.",
    ]
    .map(str::to_owned)
    .to_vec()
}
