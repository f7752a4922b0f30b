//! `figures.tex` of a sweep, for papers that are written in LaTeX: every figure as a command, the
//! tables and the main charts.

pub(crate) mod plots;
pub(crate) mod text;

use crate::report::charts::Chart;
use crate::report::document::latex_escaped;
use crate::report::front::methods::methods;
use crate::report::topics::summary::{lines_of, summary};
use crate::report::topics::{by_depth, comparisons, models, stability, work_span};
use crate::report::{Input, Report, Source};
use plots::plots;
use std::fmt::Write as _;
use text::{Tex, distinct, word};

/// The head of the file of a sweep.
const HEAD: &str = r"
% A document needs
%     \usepackage{booktabs}
%     \usepackage{pgfplots} \usepgfplotslibrary{statistics} \pgfplotsset{compat=1.16}
% and \input{figures}. With two experiments, input each in a group of its own, where its figures are used.
%
% Figures: \ttd SEARCHER At THREADS FIGURE, in one word: \ttdYbwcAtTwoSpeedup{}. Threads are spelled digit by digit: 16 is OneSix.
% The ends of 95% intervals: ...RunsLower, ...RunsUpper (these positions), ...PositionsLower, ...PositionsUpper (others).
% Fitted parameters: \ttd SEARCHER MODEL PARAMETER: \ttdYbwcAmdahlP{}. Comparisons: \ttdYbwcOverLazySmpAtTwoTimesAsFast{}.
% Rounded as in the report, and -- where there is none; [lower, upper] where censored samples leave it open.
% Tables and charts: \ttdTable{speedup-1}, \ttdTableCaption{speedup-1}, \ttdPlot{speedup}, \ttdPlotCaption{speedup}.
% How it was measured: \ttdMethods.
";

/// The whole file.
pub(crate) fn figures(of: &Source, report: &Report<'_>, charts: &[Chart]) -> String {
    let input = &of.input;
    let mut tex = Tex::new(&format!("The experiment {}", input.experiment.name), HEAD);
    tex.define("Methods", &methods(input));
    for (name, value) in of_experiment(input) {
        tex.define(name, &value);
    }
    let measured: Vec<&str> = input.figures.measured().map(|of| of.searcher.as_str()).collect();
    let words = distinct(&measured);
    for (of, searcher) in input.figures.measured().zip(&words) {
        let _ = writeln!(tex.0, "\n% {}", of.searcher);
        for line in lines_of(of) {
            tex.figures(&at(searcher, line.row.threads), summary().tex(&line));
        }
        for model in of.leading_models() {
            tex.figures(searcher, models::tex(model));
        }
    }
    tex.0.push('\n');
    let place = |name: &str| measured.iter().position(|measured| *measured == name);
    let called = |name: &str| place(name).map_or_else(|| word(name), |at| words[at].clone());
    beyond(&mut tex, input, called);
    let mut text = tex.0 + &report.latex_tables();
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

/// Adds the figures that are not in `summary.csv` and `fits.csv`. `called` gives the searchers'
/// names.
fn beyond(tex: &mut Tex, input: &Input, called: impl Fn(&str) -> String) {
    let cell = |searcher: &str, threads| at(&called(searcher), threads);
    for row in &input.stability {
        tex.figures(&cell(&row.searcher, row.threads), stability::columns().tex(&row));
    }
    for (searcher, threads, figures) in by_depth::tex(&input.by_depth) {
        tex.figures(&cell(searcher, threads), figures);
    }
    for of in &input.work_spans {
        let (fit, rows) = work_span::tex(of);
        tex.figures(&called(&of.searcher), fit);
        for (threads, figures) in rows {
            tex.figures(&cell(&of.searcher, threads), figures);
        }
    }
    for row in &input.comparisons.rows {
        let both = format!("{}Over{}", called(&row.searcher), called(&row.other));
        tex.figures(&at(&both, row.threads), comparisons::tex(row));
    }
}

/// The name of a searcher at a number of threads: `YbwcAtTwo`.
fn at(searcher: &str, threads: usize) -> String {
    format!("{searcher}At{}", word(&threads.to_string()))
}

/// The commands for values of the experiment.
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

#[cfg(test)]
mod tests {
    use crate::report::synthetic::Made;
    use crate::report::tests::drawn;
    use crate::report::topics::TOPICS;
    use crate::report::{Input, Source, front, latex};
    use std::collections::BTreeMap;

    fn tex(made: &Made) -> String {
        let of = Source::of(Input::read(made.dir().path()).expect("read"));
        let charts = drawn(&of);
        let report = front::report(&of, &TOPICS, &charts);
        latex::figures(&of, &report, &charts)
    }

    /// The commands that are defined, by name.
    fn commands(tex: &str) -> BTreeMap<&str, &str> {
        let mut commands = BTreeMap::new();
        let lines = tex.lines().filter_map(|line| line.strip_prefix("\\def\\"));
        for (name, value) in lines.filter_map(|line| line.strip_suffix('}')?.split_once('{')) {
            let before = commands.insert(name, value);
            assert!(before.is_none(), "{name} is defined twice");
        }
        commands
    }

    #[test]
    fn every_figure_has_a_command() {
        let tex = tex(&Made::default());
        let commands = commands(&tex);
        for (name, value) in [
            ("ttdName", "made-up"),
            ("ttdDepth", "12"),
            ("ttdYbwcAtFourSpeedup", "3.60"),
            ("ttdYbwcAtFourSearchOverhead", "0.000"),
            ("ttdYbwcAtFourBusyFraction", "0.900"),
            ("ttdLazySmpAtTwoSpeedup", "1.33"),
            ("ttdLazySmpAtTwoSpeedupPositionsLower", "1.33"),
            ("ttdYbwcAtOneAmdahlLimit", "--"),
            ("ttdYbwcUslContention", "--"),
            ("ttdYbwcAmdahlEnoughTenth", "--"),
            ("ttdYbwcOverLazySmpAtTwoPHolm", "--"),
            ("ttdYbwcAtTwoScoreDistance", "0"),
        ] {
            assert_eq!(commands.get(name), Some(&value), "{name}");
        }
        for name in commands.keys().filter(|name| !name.contains('#')) {
            assert!(name.chars().all(|c| c.is_ascii_alphabetic()), "{name}");
        }
        let methods = commands["ttdMethods"];
        assert!(methods.starts_with("We measured the time that ybwc and lazy-smp"), "{methods}");
    }

    #[test]
    fn tables_and_charts_are_there_by_name() {
        let tex = tex(&Made::default());
        for part in [
            "\\ttddefine{table/speedup-2}{\\begin{tabular}{@{}lrrr",
            "\\ttddefine{table-caption/models-2}{Models fitted",
            "\\ttddefine{plot/net-speedup}{\\begin{tikzpicture}",
            "\\ttddefine{plot/speedup}{\\begin{tikzpicture}",
            "\\ttddefine{plot/efficiency}",
            "\\ttddefine{plot/speedup-boxes-lazy-smp}",
            "\\addlegendentry{lazy-smp}",
            "(4,3.6",
        ] {
            assert!(tex.contains(part), "{part}: {tex}");
        }
        for environment in ["tabular", "tikzpicture", "axis"] {
            let count = |word: &str| tex.matches(&format!("\\{word}{{{environment}}}")).count();
            assert!(count("begin") > 0 && count("begin") == count("end"), "{environment}");
        }
    }

    #[test]
    fn what_only_has_bounds_is_named_and_not_drawn() {
        use crate::experiment::{Sample, SampleStatus};
        let fate = |sample: &Sample| {
            let stopped = sample.threads == 4 && sample.searcher == "ybwc";
            Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
        };
        let tex = tex(&Made { fate, ..Made::default() });
        assert!(tex.contains(" Not drawn, for it only has bounds: ybwc at 4."), "{tex}");
        assert!(tex.contains(" Not drawn, for it only has bounds: 4 threads."), "{tex}");
        assert!(!tex.contains("inf)") && !tex.contains("(marked)"), "{tex}");
        assert!(commands(&tex)["ttdYbwcAtFourSpeedup"].starts_with("{[}0.00, 3.6"));
    }
}
