//! The columns of `fits.csv`.

use crate::report::columns::{Columns, Value, columns};
use crate::report::figures::{Enough, Figures, FittedModel, Intervals};
use crate::report::latex::text::word;
use crate::report::numbers::{fixed, interval, known, percent, ratio, significant};
use ttd_stats::Bounds;
use ttd_stats::fits::{Fit, Limit};

/// The mark of a figure that lies beyond the measured thread counts.
pub(super) const EXTRAPOLATED: &str = "†";

/// The columns of the table of the models.
pub(super) const FITTED: &str = "searcher, speedup, model, status, parameters (ci_runs; ci_positions), r_squared, AICc, \
                                 aicc_difference, akaike_weight, wins";
/// The columns of the table of the models' consequences.
pub(super) const IMPLIED: &str =
    "searcher, speedup, model, limit, limit_threads, enough_50, enough_25, enough_10";

/// One model of a searcher.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    searcher: &'a str,
    /// The speedups that it was fitted to: `net` or `to depth`.
    to: &'static str,
    fitted: &'a FittedModel,
}

/// Every model of every searcher that has samples: of its net speedups, then of those to depth.
pub(super) fn lines(figures: &Figures) -> impl Iterator<Item = Line<'_>> {
    figures.measured().flat_map(|of| {
        let line = |to| move |fitted| Line { searcher: &of.searcher, to, fitted };
        let net = of.net_models.iter().map(line("net"));
        net.chain(of.models.iter().map(line("to depth")))
    })
}

/// The laws that describe what was measured.
pub(super) fn laws(figures: &Figures) -> impl Iterator<Item = Line<'_>> {
    lines(figures)
        .filter(|line| line.fitted.describing().is_some() && !line.fitted.model.is_trend())
}

impl Line<'_> {
    fn fit(&self) -> Option<&Fit> {
        self.fitted.fit.as_ref().ok()
    }

    /// Whether it could be fitted, and describes what was measured.
    fn status(&self) -> &'static str {
        let described =
            if self.fitted.against.is_some() { "does not describe these" } else { "ok" };
        self.fitted.fit.as_ref().map_or_else(|why| *why, |_| described)
    }

    fn bound(&self) -> Option<Limit> {
        self.fitted.bound()
    }

    /// The name of a parameter; empty if the model has fewer parameters.
    fn name(&self, index: usize) -> &'static str {
        self.fitted.model.parameters().get(index).copied().unwrap_or_default()
    }

    fn parameter(&self, index: usize) -> Value {
        let value = self.fit().and_then(|fit| fit.parameters.get(index).copied());
        Value::with(value, self.fitted.parameters.get(index).copied().unwrap_or_default())
    }

    /// The limit as people read it: infinite if a law has none. An interval that only has an upper
    /// end is left out.
    fn closed_limit(&self) -> Value {
        let limit = self.bound().map_or(f64::INFINITY, |limit| limit.speedup);
        let closed = |ci: Option<Bounds>| ci.filter(|ci| ci.lower.is_finite());
        let Intervals { runs, positions } = self.fitted.limit;
        let over = Intervals { runs: closed(runs), positions: closed(positions) };
        Value::with(self.fitted.describing().map(|_| limit), over)
    }

    fn limit_in_words(&self) -> String {
        // A limit that no thread count reaches lies beyond all of them.
        let beyond = |limit: Limit| self.mark(limit.threads.unwrap_or(f64::INFINITY));
        let limit = |limit: Limit| format!("{}{}", ratio(limit.speedup), beyond(limit));
        let text = self.bound().map_or_else(|| fixed(f64::INFINITY, 0), limit);
        with(text, self.closed_limit().over(), ratio)
    }

    fn mark(&self, threads: f64) -> &'static str {
        let beyond = self.fit().is_some_and(|fit| threads > fit.measured_to as f64);
        if beyond { EXTRAPOLATED } else { "" }
    }

    fn enough(&self, index: usize) -> Value {
        let Enough { threads, intervals } = self.fitted.enough[index];
        Value::with(threads, intervals)
    }

    fn enough_in_words(&self, index: usize) -> String {
        let Enough { threads, intervals } = self.fitted.enough[index];
        let mark = |n: f64| if n.is_finite() { self.mark(n) } else { "" };
        with(known(threads, |n| format!("{}{}", whole(n), mark(n))), intervals, whole)
    }

    fn parameters_in_words(&self) -> String {
        let fit = match &self.fitted.fit {
            Ok(fit) => fit,
            Err(why) => return (*why).to_owned(),
        };
        let names = self.fitted.model.parameters().iter().zip(&fit.parameters);
        let each = names.zip(&self.fitted.parameters).map(|((name, value), intervals)| {
            format!("{name} = {}", with(significant(*value), *intervals, significant))
        });
        each.collect::<Vec<_>>().join(", ")
    }

    fn wins_in_words(&self) -> String {
        let wins = Some(self.fitted.wins).filter(|wins| *wins != [None; 2]);
        known(wins, |wins| wins.map(|share| known(share, percent)).join(" / "))
    }
}

fn whole(value: f64) -> String {
    fixed(value, 0)
}

/// A figure with its intervals, if it has any: `0.947 (0.941 to 0.952; 0.934 to 0.961)`.
fn with(figure: String, over: Intervals, number: impl Fn(f64) -> String) -> String {
    let Intervals { runs, positions } = over;
    if runs.is_none() && positions.is_none() {
        return figure;
    }
    let [runs, positions] = [runs, positions].map(|ci| interval(ci, &number));
    format!("{figure} ({runs}; {positions})")
}

columns! {
    /// A model, and its parameters.
    fn parameters<'a>(of: Line<'a>);

    /// the competitor that has the speedups
    Words "searcher" = of.searcher, as "searcher";
    /// the speedups that it was fitted to, by geometric means over positions: `net` (`net_speedup`
    /// in `summary.csv`) or `to depth` (`geometric_mean`). Thread counts beyond the cores are left
    /// out
    Words "speedup" = of.to, as "speedup";
    /// `amdahl`: S = 1 / ((1-p) + p/N). `usl`: S = N / (1 + contention (N-1) + coherency N (N-1)),
    /// neither negative. `power`: S = N^exponent. `logarithmic`: S = 1 + gain ln N. These four by
    /// least squares on log S over N > 1. `linear-trend`: S = slope N + intercept.
    /// `logarithmic-trend`: S = slope ln N + intercept. Both by least squares on S over all N
    Words "model" = of.fitted.model.name(), as "model", shown of.fitted.model.words().to_owned();
    /// `censored` if the speedup of any thread count only has bounds. Else `not enough thread
    /// counts` if there are fewer than the parameters plus two (but for the trends: above 1). Else
    /// `does not describe these`, of a law, in three cases. Amdahl's p is below 0 or above 1, or
    /// `r_squared` is below 0. Or at a measured N above 1 the law lies outside all intervals: below
    /// the least end of `ci_runs` and `ci_positions`, or above the greatest. Else `ok`
    Words "status" = of.status(), as "status";
    /// thread counts it was fitted to, and the greatest of them: beyond, everything is extrapolated
    Whole "points" = of.fit().map(|fit| fit.points);
    Whole "measured_to" = of.fit().map(|fit| fit.measured_to);
    /// names of the parameters: `p`; `contention`, `coherency`; `exponent`; `gain`; `slope`,
    /// `intercept`. Their values; the intervals, like all in this file, refit every replicate. A
    /// replicate with a median that only has bounds could give anything. Its parameters count as
    /// `-inf` to `inf`, but those of `usl` as 0 to `inf`. Its limit counts as 0 to `inf`, and its
    /// enough threads count as 1 to `inf`
    Words "parameter_1" = of.name(0);
    Significant "parameter_1_value" = of.parameter(0);
    Significant "parameter_1" only Both = of.parameter(0);
    Words "parameter_2" = of.name(1);
    Significant "parameter_2_value" = of.parameter(1);
    Significant "parameter_2" only Both = of.parameter(1);
    Words "" = of.parameters_in_words(), as "parameters (ci_runs; ci_positions)";
}

columns! {
    /// The consequences of a law.
    fn implied<'a>(of: Line<'a>);

    /// the speedup that the model tends to or peaks at. Amdahl's: 1 / (1 - p). `usl`: the peak, or
    /// 1 / contention without one. A power or logarithm that falls: 1. Blank if it has no bound
    /// (its interval may end at `inf`), for trends, and where `status` is `does not describe
    /// these`. So are the next columns to `enough_10`
    Ratio "limit" + Both = Value::with(of.bound().map(|limit| limit.speedup), of.fitted.limit),
        as "limit", shown of.limit_in_words();
    Ratio "" + Both = of.closed_limit(), tex "Limit";
    /// where it peaks (not a whole number): 1 for a power or a logarithm that falls, and 1 at least
    /// for `usl`. Blank if it only tends to its limit, as Amdahl's law always does, or has none
    Whole "limit_threads" = of.bound().and_then(|limit| limit.threads), as "at threads",
        shown known(of.bound().and_then(|limit| limit.threads), |n| format!("{}{}", whole(n), of.mark(n)));
    Whole "" + Both = of.bound().and_then(|limit| limit.threads), tex "Peak";
    /// the least N at which another thread adds less than 50%, 25%, 10% of what one thread does
    /// alone: S(N+1) - S(N). It is `inf` if that never comes (below a million)
    Whole "enough_50" + Both = of.enough(0), as "enough at 50%", tex "EnoughHalf", shown of.enough_in_words(0);
    Whole "enough_25" + Both = of.enough(1), as "enough at 25%", tex "EnoughQuarter", shown of.enough_in_words(1);
    Whole "enough_10" + Both = of.enough(2), as "enough at 10%", tex "EnoughTenth", shown of.enough_in_words(2);
}

columns! {
    /// How well a model fits.
    fn quality<'a>(of: Line<'a>);

    /// share of the variance of log S over N > 1 that the model explains (for trends: of S over all
    /// N). It is negative where a constant would be better
    Three "r_squared" = of.fit().and_then(|fit| fit.r_squared), as "R²", tex "RSquared";
    /// Akaike's criterion with the small-sample correction, on log S, the variance counted as a
    /// parameter; less is better. A model that misses every point by less than a millionth counts
    /// as missing it by a millionth. Blank for trends, and with fewer points than the parameters
    /// plus three
    One "aicc" = of.fit().and_then(|fit| fit.aicc), tex "Aicc";
    Words "" = known(of.fit().and_then(|fit| fit.aicc), |aicc| fixed(aicc, 1)) + if of.fitted.best { " (least)" } else { "" },
        as "AICc";
    /// how much that exceeds the least of this searcher's; and exp(-difference / 2) over the sum of
    /// these, between 0 and 1. Blank if fewer than two models have an `aicc`
    One "aicc_difference" = of.fitted.support.map(|support| support.difference), as "Δ", tex "Behind";
    Three "akaike_weight" = of.fitted.support.map(|support| support.weight), as "weight", tex "Weight";
    /// `yes` for the least `aicc`, if at least two models have one. Whether the data tell it from
    /// the others is another question: from a difference of 4 on, says the report
    Flag "best" = if of.fitted.best { "yes" } else { "" };
    /// the share of the replicates over runs, and over positions, in which its `aicc` is the least
    Percent "wins_runs" = of.fitted.wins[0], tex "WinsRuns";
    Percent "wins_positions" = of.fitted.wins[1], tex "WinsPositions";
    Words "" = of.wins_in_words(), as "wins";
}

columns! {
    /// A parameter for LaTeX, which its own name stands before.
    fn named<'a>(of: (Line<'a>, usize));

    Significant "" + Both = of.0.parameter(of.1), tex "";
}

/// All columns.
pub(super) fn all<'a>() -> Columns<Line<'a>> {
    parameters().and(implied()).and(quality())
}

/// The figures of a model for LaTeX.
pub(crate) fn tex(fitted: &FittedModel) -> Vec<(String, String)> {
    let line = Line { searcher: "", to: "", fitted };
    let model = word(fitted.model.name());
    let mut figures = Vec::new();
    for (index, parameter) in fitted.model.parameters().iter().enumerate() {
        figures.extend(named().tex_of(&format!("{model}{}", word(parameter)), &(line, index)));
    }
    if !fitted.model.is_trend() {
        figures.extend(implied().tex_of(&model, &line));
    }
    figures.extend(quality().tex_of(&model, &line));
    figures
}
