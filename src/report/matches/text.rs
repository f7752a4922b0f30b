//! The report of a match, and what a sweep's report says of one.

use super::by_threads::Scale;
use super::input::MatchInput;
use super::likelihood::Likeliest;
use super::methods::methods;
use super::{notes, setup, tables};
use crate::matches::Step;
use crate::report::charts::{Chart, match_charts};
use crate::report::markdown::{Report, environment};
use crate::report::numbers::{count, fixed, interval, list, ratio};
use ttd_stats::elo::sprt::{Standing, Verdict};

/// The whole report.
pub(super) fn report<'c>(input: &MatchInput, charts: &'c [Chart]) -> Report<'c> {
    let mut report = Report::new(charts);
    let spec = input.spec();
    let title = format!("{}: a match of {}", spec.name, entries(input));
    report.heading(1, &title);
    report.paragraph(&opening(input));
    report.heading(2, "Before the figures");
    warnings(&mut report, input);
    report.heading(2, "Setup");
    report.table("The match.", &setup::match_table(input));
    report.table(
        "The entries. A given rating is one that the match was told, not one that it measured. \
         * oversubscribed.",
        &setup::entries(input),
    );
    report.table("The machine and the program.", &environment(&input.sittings));
    report.heading(2, "Method");
    report.paragraph(&methods(input));
    if !input.games.is_empty() {
        strength(&mut report, input, 2);
        report.heading(2, "How games ended");
        report.table(
            "Why the games ended, and who lost otherwise than on the board.",
            &tables::endings(input),
        );
        moves(&mut report, input);
        report.heading(2, "How to read this");
        report.list(&reading());
    }
    report.heading(2, "Again");
    report.paragraph(
        "The match is in `match.toml`, what it ran on in `environment.toml`, every game in \
         `games.csv` and, with its moves, in `games.pgn`. In this directory, the first command plays the \
         match again (into another directory), the second makes the tables, the charts and this \
         report again from the games:",
    );
    report.code("ttd match match.toml --out ../again\nttd report .");
    report
}

fn entries(input: &MatchInput) -> String {
    let n = input.spec().entries.len();
    if n == 1 { "1 entry".to_owned() } else { format!("{n} entries") }
}

/// What was played, in a sentence.
fn opening(input: &MatchInput) -> String {
    let games = count(input.games.len(), "game");
    format!("{games} {}; pace: {}.", of_whom(input), setup::paces(input))
}

/// `of a against b and c`; of a match in which everybody is examined `among a, b and c`.
pub(super) fn of_whom(input: &MatchInput) -> String {
    let names = |places: &[usize]| list(places.iter().map(|place| input.name(*place)));
    let subjects: Vec<usize> =
        input.figures.series.iter().flat_map(|series| series.entries.iter().copied()).collect();
    if subjects.len() == input.spec().entries.len() {
        format!("among {}", names(&subjects))
    } else {
        format!("of {} against {}", names(&subjects), names(&input.figures.opponents))
    }
}

fn warnings(report: &mut Report<'_>, input: &MatchInput) {
    let notes = notes::notes(input);
    if notes.is_empty() {
        report.paragraph(
            "Nothing to remark: all games were played, none was forfeited, and nobody is \
             oversubscribed.",
        );
    } else {
        report.notes(&notes);
    }
}

/// The part of a sweep's report that tells of the playing strength of what it measured.
pub(in crate::report) fn beside_speedups(report: &mut Report<'_>, input: &MatchInput) {
    report.heading(2, "Playing strength");
    report.paragraph(&format!("From the match {}: {}", input.spec().name, opening(input)));
    warnings(report, input);
    if !input.games.is_empty() {
        strength(report, input, 3);
    }
}

/// Results and ratings.
fn strength(report: &mut Report<'_>, input: &MatchInput, level: usize) {
    let figures = &input.figures;
    report.heading(level, "Results");
    if let Some(test) = figures.test {
        report.paragraph(&verdict(input, test));
    }
    if let Some(step) = figures.effective_speedup {
        report.paragraph(&effective_speedup(input, step));
    }
    report.table(
        "Everybody's games against everybody. Win rate: games won / games; score: points / games, a draw \
         being half a point. By colour: games, +won, =drawn, −lost. Elo: the difference from the opponents \
         together, with its 95% interval and the likelihood of superiority (LOS), from whole pairs \
         of games.",
        &tables::standings(input),
    );
    report.table("Opponent by opponent, as above.", &tables::encounters(input));
    report.chart("wins-draws-losses");
    if figures.by_threads() {
        report.table(
            "Win rate by threads against each opponent, with its 95% interval (Wilson; games taken \
             as independent).",
            &tables::win_rates(input),
        );
        report.chart("win-rate");
    }
    report.heading(level, "Ratings");
    match &figures.likeliest {
        Ok(likeliest) => {
            report.table(&likeliest_caption(likeliest), &tables::likeliest(input));
        }
        Err(why) => report.paragraph(&format!("There are no likeliest ratings: {why}.")),
    }
    report.chart(&match_charts::rating_name(Scale::Likelihood));
    if let Some(terms) = &input.spec().running_rating {
        report.table(
            &format!(
                "The running ratings after the last game: from {}, after each game K (score − expected \
                 score) more, the opponents one after the other in the order of the match.",
                terms.start
            ),
            &tables::running(&figures.lines),
        );
    }
    report.table(
        "Logarithmic trends of the ratings by threads N, by least squares: rating = slope × ln N + \
         (at one thread). They take three thread counts. Elo a doubling: what each doubling of the threads \
         gains.",
        &tables::trends(&figures.lines),
    );
    for scale in figures.scales().into_iter().filter(|scale| *scale != Scale::Likelihood) {
        report.chart(&match_charts::rating_name(scale));
    }
}

fn likeliest_caption(likeliest: &Likeliest) -> String {
    let zero = if likeliest.anchors > 0 {
        format!(
            "{} given; the others, and their 95% intervals, are relative to {}, which the intervals \
             take as exact.",
            if likeliest.anchors == 1 { "One rating is" } else { "Some ratings are" },
            if likeliest.anchors == 1 { "it" } else { "them" }
        )
    } else {
        "No rating is given, so their mean is 0; only differences mean something.".to_owned()
    };
    let drawn = if likeliest.virtual_pairs > 0 {
        " Somebody won or lost everything: two virtual draws were added to each encounter, without \
         which no finite rating is the likeliest."
    } else {
        ""
    };
    format!("The ratings under which the results of all games are likeliest. {zero}{drawn}")
}

/// Where the test stands, in words.
fn verdict(input: &MatchInput, test: Standing) -> String {
    let (Some(terms), Some(&(first, second))) =
        (&input.spec().sprt, input.spec().pairings().first())
    else {
        return String::new();
    };
    let decided = match test.verdict {
        Verdict::Continue => format!(
            "is not decided between {} and {} Elo: more games are needed",
            fixed(terms.elo0, 1),
            fixed(terms.elo1, 1)
        ),
        Verdict::H0 => {
            format!("says {} rather than {} Elo", fixed(terms.elo0, 1), fixed(terms.elo1, 1))
        }
        Verdict::H1 => {
            format!("says {} rather than {} Elo", fixed(terms.elo1, 1), fixed(terms.elo0, 1))
        }
    };
    format!(
        "**Test.** The sequential probability ratio test of {} above {} {decided} (log likelihood ratio {}, \
         bounds {} and {}).",
        input.name(first),
        input.name(second),
        ratio(test.llr),
        ratio(test.lower),
        ratio(test.upper)
    )
}

fn effective_speedup(input: &MatchInput, step: Step) -> String {
    let Some(&(first, second)) = input.spec().pairings().first() else { return String::new() };
    match step {
        Step::Known(estimate, enough) => format!(
            "**Effective speedup.** {} is as strong as {} with {} times its time (95% interval {}{}); \
             each doubling of the time gains {} Elo.",
            input.name(first),
            input.name(second),
            ratio(estimate.factor),
            interval(Some(estimate.interval), ratio),
            if enough { "" } else { ", wider than wanted" },
            fixed(estimate.elo_per_doubling, 0)
        ),
        Step::Play(_) => {
            "**Effective speedup.** It is not known yet: more games are needed.".to_owned()
        }
    }
}

fn moves(report: &mut Report<'_>, input: &MatchInput) {
    report.heading(2, "What a move took");
    report.table(
        "Means over moves: time on our clock, nodes and depth as far as an engine says them.",
        &tables::moves(input),
    );
    report.chart("time-by-depth");
    report.chart("nodes-by-depth");
}

fn reading() -> Vec<String> {
    [
        "**Pairs** are the two games of an opening with colours reversed. What favours one side of an \
         opening cancels in them, so intervals are from whole pairs (five possible scores), as a rule \
         narrower than from single games.",
        "**Elo** is logistic: 400 points more are ten times the odds of the expected score. The interval of a \
         difference is one of 95%; with all points won or lost one end is infinite. **LOS** is the \
         likelihood that the entry is the stronger one.",
        "**Likeliest ratings** take all games at once. **Running ratings** depend on the order of the games, \
         on K and on the start; they have no interval, and the last games weigh most. Compare the \
         former, show the latter where others did.",
        "**A trend** of three or four thread counts explains much of their variance whatever the truth: \
         look at the intervals of the likeliest ratings first.",
        "**–** is a figure that cannot be had: too few games, pairs or thread counts.",
    ]
    .map(str::to_owned)
    .to_vec()
}
