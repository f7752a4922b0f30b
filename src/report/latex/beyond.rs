//! The figures of a sweep that are not in `summary.csv`: of models, comparisons, depths, stability, work and critical path.

use super::names::word;
use super::{Figure, ends, three, with_intervals};
use crate::report::figures::{
    ByDepthRow, Comparison, FittedModel, Intervals, StabilityRow, WORTH, WorkSpanFigures,
    WorkSpanRow,
};
use crate::report::input::Input;
use crate::report::numbers::{fixed, known, p_value, percent, percents, ratio, significant};
use ttd_stats::Bounds;
use ttd_stats::agreement::Agreement;

/// What [`WORTH`] is called.
const ENOUGH: [&str; WORTH.len()] = ["EnoughHalf", "EnoughQuarter", "EnoughTenth"];

/// All that are named by a searcher and a thread count, or by two searchers and one; `called` has the searchers' names.
pub(super) fn figures(input: &Input, called: impl Fn(&str) -> String) -> Vec<Figure> {
    let mut all = Vec::new();
    let mut add = |who: &str, figures: Vec<Figure>| {
        all.extend(figures.into_iter().map(|(name, value)| (format!("{who}{name}"), value)));
    };
    let cell = |searcher: &str, threads| at(&called(searcher), threads);
    for row in &input.stability {
        add(&cell(&row.searcher, row.threads), of_stability(row));
    }
    for of in &input.by_depth {
        for row in &of.rows {
            add(&cell(&of.searcher, row.threads), of_depths(row));
        }
    }
    for of in &input.work_spans {
        add(&called(&of.searcher), of_work_span(of));
        for row in &of.rows {
            add(&cell(&of.searcher, row.threads), of_graph(row));
        }
    }
    for row in &input.comparisons.rows {
        let both = format!("{}Over{}", called(&row.searcher), called(&row.other));
        add(&at(&both, row.threads), of_comparison(row));
    }
    all
}

/// The parameters of a model, how well it fits and what it implies.
pub(super) fn of_model(of: &FittedModel) -> Vec<Figure> {
    let fit = of.fit.as_ref().ok();
    let mut out = Vec::new();
    let mut add = |name: &str, value: Option<f64>, over: Intervals, number: fn(f64) -> String| {
        out.push((name.to_owned(), known(value, number)));
        out.extend(ends(&format!("{name}Runs"), over.runs, number));
        out.extend(ends(&format!("{name}Positions"), over.positions, number));
    };
    for (index, parameter) in of.model.parameters().iter().enumerate() {
        let over = of.parameters.get(index).copied().unwrap_or_default();
        add(&word(parameter), fit.map(|fit| fit.parameters[index]), over, significant);
    }
    if !of.model.is_trend() {
        // As in the report: infinite where a law has none, and no interval that only has an upper end.
        let limit = fit.map(|_| of.bound().map_or(f64::INFINITY, |limit| limit.speedup));
        let closed = |ci: Option<Bounds>| ci.filter(|ci| ci.lower.is_finite());
        let over = Intervals { runs: closed(of.limit.runs), positions: closed(of.limit.positions) };
        add("Limit", limit, over, ratio);
        let peak = of.bound().and_then(|limit| limit.threads);
        add("Peak", peak, Intervals::default(), whole);
        for (name, enough) in ENOUGH.into_iter().zip(of.enough) {
            add(name, enough.threads, enough.intervals, whole);
        }
    }
    let model = word(of.model.name());
    let mut out: Vec<Figure> =
        out.into_iter().map(|(name, value)| (format!("{model}{name}"), value)).collect();
    for (name, value) in [
        ("RSquared", known(fit.and_then(|fit| fit.r_squared), three)),
        ("Aicc", known(fit.and_then(|fit| fit.aicc), |aicc| fixed(aicc, 1))),
        ("Behind", known(of.support.map(|support| support.difference), |aicc| fixed(aicc, 1))),
        ("Weight", known(of.support.map(|support| support.weight), three)),
        ("WinsRuns", known(of.wins[0], percent)),
        ("WinsPositions", known(of.wins[1], percent)),
    ] {
        out.push((format!("{model}{name}"), value));
    }
    out
}

/// `YbwcAtTwo`.
pub(super) fn at(searcher: &str, threads: usize) -> String {
    format!("{searcher}At{}", word(&threads.to_string()))
}

fn of_stability(row: &StabilityRow) -> Vec<Figure> {
    let mut out = Vec::new();
    for (name, of) in [("SameMove", row.moves), ("SameScore", row.scores)] {
        out.push((name.to_owned(), known(of.map(|of: Agreement| of.share), percent)));
        let over = of.and_then(|of| of.ci_positions);
        out.extend(ends(&format!("{name}Positions"), over, percent));
    }
    out.push(("ScoreDistance".to_owned(), known(row.score_distance, whole)));
    let variation = row.variation;
    for (name, value) in [
        ("LowerVariation", variation.map(|five| five.q1)),
        ("Variation", variation.map(|five| five.median)),
        ("UpperVariation", variation.map(|five| five.q3)),
    ] {
        out.push((name.to_owned(), known(value, percents)));
    }
    out
}

fn of_depths(row: &ByDepthRow) -> Vec<Figure> {
    let mut out = Vec::new();
    for point in row.points.iter().filter(|point| !point.is_short) {
        let name = format!("ToDepth{}", word(&point.depth.to_string()));
        out.extend(with_intervals(&name, Some(point.speedup), ratio));
    }
    let growth = row.trend.map(|trend| trend.a_ply.exp_m1());
    out.push(("Growth".to_owned(), known(growth, percents)));
    let over = row.trend.and_then(|trend| trend.ci_positions).map(|ci| ci.map(f64::exp_m1));
    out.extend(ends("GrowthPositions", over, percents));
    out
}

fn of_work_span(of: &WorkSpanFigures) -> Vec<Figure> {
    let fit = of.fit.as_ref();
    let mut out = Vec::new();
    let coefficients = [("A", fit.map(|fit| fit.a)), ("B", fit.map(|fit| fit.b))];
    for ((letter, value), over) in coefficients.into_iter().zip(of.over) {
        let name = format!("WorkSpan{letter}");
        out.push((name.clone(), known(value, ratio)));
        out.extend(ends(&format!("{name}Runs"), over.runs, ratio));
        out.extend(ends(&format!("{name}Positions"), over.positions, ratio));
    }
    out.push(("WorkSpanError".to_owned(), known(fit.map(|fit| fit.error), percent)));
    let r_squared = known(fit.and_then(|fit| fit.r_squared), |r| fixed(r, 4));
    out.push(("WorkSpanRSquared".to_owned(), r_squared));
    out
}

fn of_graph(row: &WorkSpanRow) -> Vec<Figure> {
    let figures = [
        ("Parallelism", fixed(row.parallelism, 1)),
        ("Utilisation", percent(row.utilisation)),
        ("PathOverTime", percent(row.path_over_time)),
        ("Modelled", known(row.modelled, ratio)),
        ("PathShare", known(row.path_share, percent)),
        ("WorkSpanLimit", known(row.limit, |limit| fixed(limit, 1))),
    ];
    figures.map(|(name, value)| (name.to_owned(), value)).into()
}

fn of_comparison(row: &Comparison) -> Vec<Figure> {
    let mut out = with_intervals("TimesAsFast", Some(row.times_as_fast), three);
    out.push(("Positions".to_owned(), row.compared.positions.to_string()));
    out.push(("Ahead".to_owned(), row.compared.ahead.to_string()));
    out.push(("PHolm".to_owned(), row.p_holm.map_or_else(|| known(None, three), p_value)));
    out
}

fn whole(value: f64) -> String {
    fixed(value, 0)
}
