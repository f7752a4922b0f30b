//! Models of speedup by threads: how well they fit, and their consequences.

mod chart;
mod lines;

use crate::report::figures::models::CENSORED;
use crate::report::figures::{Enough, Figures, FittedModel, SearcherFigures, WORTH};
use crate::report::numbers::{capital, count, fixed, if_any, interval, list, percent, ratio};
use crate::report::topics::summary::{self, summary};
use crate::report::{Picture, Report, Source, Topic, file};
use lines::EXTRAPOLATED;
use ttd_stats::fits::selection::TOLD_APART;

pub(crate) use lines::tex;

/// The index in [`WORTH`] of the share for which the text gives the number of threads.
const IN_WORDS: usize = 1;

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[file!("fits.csv", lines::all, Some, |of| lines::lines(&of.input.figures))],
    charts: &[Picture::each(
        "fits-",
        "the laws that describe the leading speedup, with the measured points; below, measured over fitted",
        |of, setting| {
            of.input.figures.on_their_own().filter_map(|of| chart::fits(setting, of)).collect()
        },
    )],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let figures = &of.input.figures;
    let Some(_) = figures.measured().next() else { return };
    report.heading(2, "Models");
    report.list(figures.measured().map(in_words));
    if figures.oversubscribed_from().is_some() {
        report.paragraph(
            "Oversubscribed thread counts are not among the points. They would say more of this \
             machine than of a searcher on cores of its own.",
        );
    }
    report.table(
        "Amdahl's parallel share p and Karp and Flatt's serial share e, from the median speedup at \
         each number of threads. As e is 1 − p and the limit 1 / (1 − p), their intervals follow \
         from the ends of p's interval. The ends of e's interval are the other way round. From p = \
         1 on there is no limit.",
        &summary().table(
            summary::lines(figures).filter(|line| line.row.parallel_share.is_some()),
            "searcher, threads, amdahl_p, ci_runs, ci_positions, amdahl_limit, karp_flatt",
        ),
    );
    report.table(&fits_caption(figures), &lines::all().table(lines::lines(figures), lines::FITTED));
    report.each_chart("fits-");
    let caption = format!(
        "Consequences of the models (ci_runs; ci_positions). Limit: the speedup that a model \
         tends to, or peaks at. Enough at 25%: the least number of threads at which another \
         one adds less than 25% of what one thread does alone. {EXTRAPOLATED} beyond the \
         measured thread counts: extrapolated."
    );
    report.table(&caption, &lines::all().table(lines::laws(figures), lines::IMPLIED));
}

/// The caption of the table of the models, with the notes on its intervals.
fn fits_caption(figures: &Figures) -> String {
    let all = || figures.measured().flat_map(|of| of.net_models.iter().chain(&of.models));
    let mut caption = format!(
        "Models fitted to the net speedups, and to the speedups to depth. They are Amdahl, USL \
         (contention and coherency not negative), a power N^exponent and 1 + gain ln N. They are \
         fitted on log S over N > 1 with S(1) = 1, the trends on S over all N. A law may not \
         describe these: its p is no share, or a constant would fit better, or it misses both \
         intervals of a speedup. It then has no limit and no curve. A model needs two thread counts (above 1, but for the trends) more than it has parameters, \
         and three for an AICc. Column Δ: how much its AICc exceeds the least. From {} on, a model \
         has considerably less support (Burnham and Anderson, 2002). Weight: Akaike weights. Wins: \
         how often its AICc is the least in the bootstrap replicates over runs / over positions.",
        fixed(TOLD_APART, 0)
    );
    if all().any(|model| model.parameters.iter().any(|over| over.runs.is_some())) {
        caption += " The ci_runs of a law that did not make the data can be a little too narrow. \
                    In simulations with 30 positions, the truth is the value that the law gives \
                    when fitted to the true medians. With 6 rounds, the ci_runs of Amdahl's p and \
                    limit, of the exponent and of the gain hold it in 89 to 94 of 100.";
    }
    if all().any(|model| model.fit.as_ref().is_ok_and(|fit| fit.parameters.contains(&0.0))) {
        caption += " The interval of a parameter at its least value, 0, begins there, and how \
                    often it holds the truth is not known.";
    }
    caption
}

/// The sentences about the models of a searcher.
fn in_words(of: &SearcherFigures) -> String {
    let name = &of.searcher;
    let competing = || of.leading_models().iter().filter(|model| !model.model.is_trend());
    let Some(best) = competing().find(|model| model.best) else {
        let censored = competing().all(|model| model.fit == Err(CENSORED));
        let why = if censored {
            "censored samples leave speedups open"
        } else {
            "an AICc needs four thread counts above 1"
        };
        return format!("**{name}**: the data cannot say which model fits best: {why}.");
    };
    let rivals: Vec<&FittedModel> = competing().filter(|model| model.is_rival()).collect();
    let verdict = if let Some(why) = best.against.filter(|_| rivals.is_empty()) {
        format!(
            "{} has the least AICc, but this law does not describe these: {why}",
            best.model.words()
        )
    } else if rivals.is_empty() {
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
    let apart = competing().filter(|model| model.support.is_none());
    let without = if_any(apart.map(|model| model.model.words()), |some| {
        format!(", without {some}, for which there are too few thread counts")
    });
    let of_each: Vec<String> = [best].into_iter().chain(rivals).filter_map(consequences).collect();
    format!("**{name}**: {verdict}{wins}{without}. {}", of_each.join(" "))
}

/// The consequences of a model, in a sentence.
fn consequences(fitted: &FittedModel) -> Option<String> {
    let fit = fitted.describing()?;
    let beyond = |n: f64| if n > fit.measured_to as f64 { " (extrapolated)" } else { "" };
    let limit = match fitted.bound() {
        None => "no limit".to_owned(),
        Some(limit) => match limit.threads {
            None => format!("the speedup tends to {} (extrapolated)", ratio(limit.speedup)),
            Some(n) if n <= 1.0 => "nothing is gained by threads".to_owned(),
            Some(n) => format!(
                "the speedup peaks at {} with {}{}",
                count(n.round() as usize, "thread"),
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
