//! `figures.tex`: every figure as a command, the tables and, of a sweep, the main charts, for papers that are written in LaTeX.

mod beyond;
mod matches;
mod names;

pub(super) use matches::of_match;

use super::charts::{Chart, plots};
use super::document::{Report, latex_escaped};
use super::figures::{Estimate, Row};
use super::input::Input;
use super::methods::methods;
use super::numbers::{bounds, fixed, known, ratio, seconds};
use names::distinct;
use std::fmt::Write as _;
use ttd_stats::Bounds;

/// What stands above everything of a sweep.
const HEAD: &str = r"
% A document needs
%     \usepackage{booktabs}
%     \usepackage{pgfplots} \usepgfplotslibrary{statistics} \pgfplotsset{compat=1.16}
% and \input{figures}. Of two experiments, input each in a group of its own, where its figures are used.
%
% Figures: \ttd SEARCHER At THREADS FIGURE, in one word: \ttdYbwcAtTwoSpeedup{}. Threads are spelled digit by digit: 16 is OneSix.
% The ends of 95% intervals: ...RunsLower, ...RunsUpper (these positions), ...PositionsLower, ...PositionsUpper (others).
% What is fitted: \ttd SEARCHER MODEL PARAMETER: \ttdYbwcAmdahlP{}. Of two searchers: \ttdYbwcOverLazySmpAtTwoTimesAsFast{}.
% Rounded as in the report, and -- where there is none; [lower, upper] where censored samples leave it open.
% Tables and charts: \ttdTable{speedup-1}, \ttdTableCaption{speedup-1}, \ttdPlot{speedup}, \ttdPlotCaption{speedup}.
% How it was measured: \ttdMethods.
";

/// What names tables and charts by what they show.
const DEFINITIONS: &str = r"
\def\ttddefine#1{\expandafter\def\csname ttd/#1\endcsname}
\def\ttdfetch#1{\ifcsname ttd/#1\endcsname\csname ttd/#1\endcsname\else\errmessage{figures.tex has no #1}\fi}
\def\ttdTable#1{\ttdfetch{table/#1}}
\def\ttdTableCaption#1{\ttdfetch{table-caption/#1}}
\def\ttdPlot#1{\ttdfetch{plot/#1}}
\def\ttdPlotCaption#1{\ttdfetch{plot-caption/#1}}
";

/// The whole file.
pub(super) fn figures(input: &Input, report: &Report<'_>, charts: &[Chart]) -> String {
    let mut text = begin(&format!("The experiment {}", input.experiment.name), HEAD);
    define(&mut text, "Methods", &latex_escaped(&methods(input)));
    for (name, value) in of_experiment(input) {
        define(&mut text, name, &latex_escaped(&value));
    }
    let measured: Vec<&str> = input.figures.measured().map(|of| of.searcher.as_str()).collect();
    let words = distinct(&measured);
    for (of, searcher) in input.figures.measured().zip(&words) {
        let _ = writeln!(text, "\n% {}", of.searcher);
        for row in &of.rows {
            let cell = beyond::at(searcher, row.threads);
            for (name, value) in of_row(row) {
                define(&mut text, &format!("{cell}{name}"), &latex_escaped(&value));
            }
        }
        for model in &of.models {
            for (name, value) in beyond::of_model(model) {
                define(&mut text, &format!("{searcher}{name}"), &latex_escaped(&value));
            }
        }
    }
    text.push('\n');
    let place = |name: &str| measured.iter().position(|measured| *measured == name);
    let called = |name: &str| place(name).map_or_else(|| names::word(name), |at| words[at].clone());
    for (name, value) in beyond::figures(input, called) {
        define(&mut text, &name, &latex_escaped(&value));
    }
    text += &report.latex_tables();
    for plot in plots(input, charts) {
        let _ = write!(
            text,
            "\n\\ttddefine{{plot/{name}}}{{{}}}\n\\ttddefine{{plot-caption/{name}}}{{{}}}\n",
            plot.picture,
            latex_escaped(&plot.caption),
            name = plot.name
        );
    }
    text
}

/// The head of a file.
fn begin(of: &str, head: &str) -> String {
    format!("% {of}: made by `ttd report`, UTF-8.\n%{head}{DEFINITIONS}\n")
}

fn define(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "\\def\\ttd{name}{{{value}}}");
}

/// What was measured.
fn of_experiment(input: &Input) -> [(&'static str, String); 8] {
    let experiment = &input.experiment;
    [
        ("Name", experiment.name.clone()),
        ("PositionSet", experiment.positions.clone()),
        ("PositionCount", input.figures.positions.len().to_string()),
        ("Depth", experiment.depths()),
        ("Runs", input.figures.runs().map_or(0, |(_, most)| most).to_string()),
        ("HashMib", experiment.hash_mib.to_string()),
        ("Base", input.figures.base.clone()),
        ("Cores", input.cores.words()),
    ]
}

fn three(value: f64) -> String {
    fixed(value, 3)
}

/// What a figure is called, and what it is.
type Figure = (String, String);

/// The figures of a searcher and thread count.
fn of_row(row: &Row) -> Vec<Figure> {
    let mut out = Vec::new();
    for (name, of) in [
        ("Speedup", row.median),
        ("GeometricMean", row.geometric_mean),
        ("TotalTimeRatio", row.total_time_ratio),
        ("Efficiency", row.efficiency),
    ] {
        out.extend(with_intervals(name, of, ratio));
    }
    out.extend(with_intervals("AmdahlShare", row.parallel_share, three));
    let quantile = |index: usize| bounds(row.quantiles.map(|all| all[index]), ratio);
    let account = row.account;
    let deviations = row.deviations_s;
    let single = [
        ("Positions", row.positions.to_string()),
        ("Samples", (row.ok + row.censored).to_string()),
        ("Censored", row.censored.to_string()),
        ("Failed", row.failed.to_string()),
        ("BaseTime", bounds(row.base_s, seconds)),
        ("Time", bounds(row.time_s, seconds)),
        ("LeastSpeedup", quantile(0)),
        ("LowerQuartile", quantile(1)),
        ("UpperQuartile", quantile(3)),
        ("GreatestSpeedup", quantile(4)),
        ("StandardDeviation", known(row.sd_s, seconds)),
        ("AbsoluteDeviation", known(row.mad_s, seconds)),
        ("LeastDeviation", known(deviations.map(|five| five.min), seconds)),
        ("LowerDeviation", known(deviations.map(|five| five.q1), seconds)),
        ("Deviation", known(deviations.map(|five| five.median), seconds)),
        ("UpperDeviation", known(deviations.map(|five| five.q3), seconds)),
        ("GreatestDeviation", known(deviations.map(|five| five.max), seconds)),
        ("SearchOverhead", known(account.map(|a| a.search_overhead), three)),
        ("BusyFraction", known(account.and_then(|a| a.busy_fraction), three)),
        ("NodeRate", known(account.map(|a| a.node_rate), three)),
        ("AccountSpeedup", known(account.map(|a| a.speedup), ratio)),
        ("AmdahlLimit", known(row.amdahl_limit(), ratio)),
        ("KarpFlatt", known(row.karp_flatt(), three)),
    ];
    out.extend(single.map(|(name, value)| (name.to_owned(), value)));
    out
}

/// A figure and the ends of its intervals.
fn with_intervals(name: &str, of: Option<Estimate>, number: fn(f64) -> String) -> Vec<Figure> {
    let mut out = vec![(name.to_owned(), bounds(of.map(|e| e.value), number))];
    out.extend(ends(&format!("{name}Runs"), of.and_then(|e| e.ci_runs), number));
    out.extend(ends(&format!("{name}Positions"), of.and_then(|e| e.ci_positions), number));
    out
}

fn ends(name: &str, of: Option<Bounds>, number: fn(f64) -> String) -> [Figure; 2] {
    [
        (format!("{name}Lower"), known(of.map(|b| b.lower), number)),
        (format!("{name}Upper"), known(of.map(|b| b.upper), number)),
    ]
}

#[cfg(test)]
mod tests;
