//! The section on models of speedup by threads: tables, and what they say in words.

use super::{Report, tables};
use crate::report::figures::{Enough, Figures, FittedModel, Intervals, SearcherFigures, WORTH};
use crate::report::numbers::{BLANK, fixed, interval, known, list, percent, ratio, significant};
use ttd_stats::Bounds;
use ttd_stats::fits::selection::TOLD_APART;

/// Marks what lies beyond the measured thread counts.
const EXTRAPOLATED: &str = "†";
/// The share of [`WORTH`] for which the text says how many threads are enough.
const IN_WORDS: usize = 1;

/// The whole section.
pub(super) fn section(report: &mut Report<'_>, figures: &Figures) {
    report.heading(2, "Models");
    report.list(&figures.measured().map(in_words).collect::<Vec<_>>());
    if figures.oversubscribed_from().is_some() {
        report.paragraph(
            "The oversubscribed thread counts are among the points: what follows of them is about \
             this machine, not about a searcher on cores of its own.",
        );
    }
    report.table(
        "Amdahl's parallel share p and Karp and Flatt's serial share e from the median speedup at \
         each number of threads; e is 1 − p and the limit 1 / (1 − p), so that their intervals are what the ends of p's give (those of e the other way \
         round; from p = 1 on there is no limit).",
        &tables::amdahl(figures),
    );
    report.table(&fits_caption(figures), &fits(figures));
    for of in figures.on_their_own() {
        report.chart(&format!("fits-{}", of.searcher));
    }
    report.table(
        &format!(
            "What the models imply (ci_runs; ci_positions): the speedup that they tend to, or peak at; and from \
             how many threads on another one adds less than so much of what one thread does alone. {EXTRAPOLATED} beyond \
             the measured thread counts: extrapolated."
        ),
        &implied(figures),
    );
}

/// What the table of the models is, and what of its intervals has to be known.
fn fits_caption(figures: &Figures) -> String {
    let all = || figures.measured().flat_map(|of| &of.models);
    let mut caption = format!(
        "Models fitted to the median speedups: Amdahl, USL (contention and coherency not negative), a power N^exponent and \
         1 + gain ln N, all on log S over N > 1 with S(1) = 1; the trends on S over all N. p < 0 and p > 1 are shown as they \
         are. A model needs two thread counts (above 1, but for the trends) more than it has parameters, and three for an AICc. \
         Δ: how much its AICc exceeds the least; from {} on, a model has considerably less support (Burnham and Anderson, \
         2002). Weight: Akaike weights. Wins: how often its AICc is the least in the bootstrap replicates over runs / over \
         positions.",
        fixed(TOLD_APART, 0)
    );
    if all().any(|model| model.parameters.iter().any(|over| over.runs.is_some())) {
        caption += " ci_runs of a law that is not the one that made the data can be a little too narrow: simulated with 30 \
                    positions, those of Amdahl's p and limit, of the exponent and of the gain hold what the law gives when fitted to \
                    the true medians in 90 to 96 of 100 experiments.";
    }
    if all().any(|model| model.fit.as_ref().is_ok_and(|fit| fit.parameters.contains(&0.0))) {
        caption += " Of a parameter at its least value, 0, the interval begins there, and how often it holds is not known.";
    }
    caption
}

/// What the models say of a searcher.
fn in_words(of: &SearcherFigures) -> String {
    let name = &of.searcher;
    let competing = || of.models.iter().filter(|model| !model.model.is_trend());
    let Some(best) = competing().find(|model| model.best) else {
        let censored = competing().all(|model| model.fit == Err("censored"));
        let why = if censored {
            "censored samples leave medians open"
        } else {
            "an AICc needs four thread counts above 1"
        };
        return format!("**{name}**: the data cannot say which model fits best: {why}.");
    };
    let rivals: Vec<&FittedModel> = competing().filter(|model| model.is_rival()).collect();
    let verdict = if rivals.is_empty() {
        let others = competing().filter(|model| !model.best).filter_map(|model| model.support);
        let next = others.map(|support| support.difference).fold(f64::INFINITY, f64::min);
        format!(
            "{} fits best: every other AICc is at least {} greater",
            best.model.words(),
            fixed(next, 1)
        )
    } else {
        format!(
            "the data cannot say which model fits best: {} {} within {} of the AICc of {}",
            list(rivals.iter().map(|model| model.model.words())),
            if rivals.len() == 1 { "is" } else { "are" },
            fixed(TOLD_APART, 0),
            best.model.words()
        )
    };
    let wins = best.wins[1].map_or_else(String::new, |share| {
        format!(
            " ({} has the least in {} of the replicates over positions)",
            best.model.words(),
            percent(share)
        )
    });
    let apart: Vec<&str> = competing()
        .filter(|model| model.support.is_none())
        .map(|model| model.model.words())
        .collect();
    let without = if apart.is_empty() {
        String::new()
    } else {
        format!(", without {}, for which there are too few thread counts", list(apart))
    };
    let of_each: Vec<String> = [best].into_iter().chain(rivals).filter_map(consequences).collect();
    format!("**{name}**: {verdict}{wins}{without}. {}", of_each.join(" "))
}

/// What a model implies, in a sentence.
fn consequences(fitted: &FittedModel) -> Option<String> {
    let fit = fitted.fit.as_ref().ok()?;
    let beyond = |n: f64| if n > fit.measured_to as f64 { " (extrapolated)" } else { "" };
    let limit = match fitted.bound() {
        None => "no limit".to_owned(),
        Some(limit) => match limit.threads {
            None => format!("the speedup tends to {} (extrapolated)", ratio(limit.speedup)),
            Some(n) if n <= 1.0 => "nothing is gained by threads".to_owned(),
            Some(n) => format!(
                "the speedup peaks at {} threads with {}{}",
                fixed(n, 0),
                ratio(limit.speedup),
                beyond(n)
            ),
        },
    };
    let Enough { threads, intervals } = fitted.enough[IN_WORDS];
    let share = percent(WORTH[IN_WORDS]);
    let enough = match threads? {
        n if n.is_infinite() => {
            format!("another core adds at least {share} of one, up to a million of them")
        }
        n => {
            let over = intervals.positions.map_or_else(String::new, |ci| {
                format!(" (ci_positions {})", interval(Some(ci), |n| fixed(n, 0)))
            });
            let one = if n > 1.0 { "threads" } else { "thread" };
            format!(
                "from {} {one} on{over}{} another core adds less than {share} of one",
                fixed(n, 0),
                beyond(n)
            )
        }
    };
    Some(format!("{}: {limit}, and {enough}.", capital(fitted.model.words())))
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn header(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|c| (*c).to_owned()).collect()
}

/// The fitted models.
fn fits(figures: &Figures) -> Vec<Vec<String>> {
    let columns = [
        "searcher",
        "model",
        "parameters (ci_runs; ci_positions)",
        "R²",
        "AICc",
        "Δ",
        "weight",
        "wins",
    ];
    let mut table = vec![header(&columns)];
    for of in figures.measured() {
        table.extend(of.models.iter().map(|fitted| fit_line(&of.searcher, fitted)));
    }
    table
}

fn fit_line(searcher: &str, fitted: &FittedModel) -> Vec<String> {
    let mut line = vec![searcher.to_owned(), fitted.model.words().to_owned()];
    let fit = match &fitted.fit {
        Ok(fit) => fit,
        Err(why) => {
            line.push((*why).to_owned());
            line.extend([BLANK; 5].map(str::to_owned));
            return line;
        }
    };
    let names = fitted.model.parameters().iter().zip(&fit.parameters);
    let parameters = names.zip(&fitted.parameters).map(|((name, value), intervals)| {
        format!("{name} = {}", with(significant(*value), *intervals, significant))
    });
    let best = if fitted.best { " (least)" } else { "" };
    let wins = match fitted.wins {
        [None, None] => BLANK.to_owned(),
        wins => wins.map(|share| known(share, percent)).join(" / "),
    };
    line.push(parameters.collect::<Vec<_>>().join(", "));
    line.extend([
        known(fit.r_squared, |r| fixed(r, 3)),
        known(fit.aicc, |aicc| format!("{}{best}", fixed(aicc, 1))),
        known(fitted.support.map(|s| s.difference), |d| fixed(d, 1)),
        known(fitted.support.map(|s| s.weight), |w| fixed(w, 3)),
        wins,
    ]);
    line
}

/// Limits, and how many threads are enough; of the models that could be fitted and are no trends.
fn implied(figures: &Figures) -> Vec<Vec<String>> {
    let mut table = vec![header(&["searcher", "model", "limit", "at threads"])];
    table[0].extend(WORTH.map(|share| format!("enough at {}", percent(share))));
    for of in figures.measured() {
        let laws = of.models.iter().filter(|model| !model.model.is_trend());
        table.extend(laws.filter_map(|fitted| implied_line(&of.searcher, fitted)));
    }
    table
}

fn implied_line(searcher: &str, fitted: &FittedModel) -> Option<Vec<String>> {
    let fit = fitted.fit.as_ref().ok()?;
    let whole = |n: f64| fixed(n, 0);
    let mark = |n: f64| if n > fit.measured_to as f64 { EXTRAPOLATED } else { "" };
    let bound = fitted.bound();
    let at = bound.and_then(|limit| limit.threads);
    // What is tended to lies beyond every thread count.
    let limit = bound.map_or_else(
        || fixed(f64::INFINITY, 0),
        |limit| format!("{}{}", ratio(limit.speedup), mark(at.unwrap_or(f64::INFINITY))),
    );
    // An interval that only has an upper end says nothing.
    let closed = |ci: Option<Bounds>| ci.filter(|ci| ci.lower.is_finite());
    let Intervals { runs, positions } = fitted.limit;
    let mut line = vec![
        searcher.to_owned(),
        fitted.model.words().to_owned(),
        with(limit, Intervals { runs: closed(runs), positions: closed(positions) }, ratio),
        known(at, |n| format!("{}{}", whole(n), mark(n))),
    ];
    for Enough { threads, intervals } in fitted.enough {
        let n = threads?;
        let text = format!("{}{}", whole(n), if n.is_finite() { mark(n) } else { "" });
        line.push(with(text, intervals, whole));
    }
    Some(line)
}

/// A figure with its intervals behind it, if it has any: `0.947 (0.941 to 0.952; 0.934 to 0.961)`.
fn with(figure: String, over: Intervals, number: impl Fn(f64) -> String) -> String {
    let Intervals { runs, positions } = over;
    if runs.is_none() && positions.is_none() {
        return figure;
    }
    let [runs, positions] = [runs, positions].map(|ci| interval(ci, &number));
    format!("{figure} ({runs}; {positions})")
}
