//! The results of everybody against everybody.

mod outcomes;
mod win_rates;

use crate::matches::Step;
use crate::report::columns::{Value, columns};
use crate::report::lists::row;
use crate::report::matches::series::Series;
use crate::report::numbers::{BLANK, fixed, interval, known, percent, percents as tenths, ratio};
use crate::report::{MatchInput, Picture, Report, Topic, file};
use ttd_stats::elo::sprt::{Standing as TestStanding, Verdict};
use ttd_stats::elo::{Difference, Record, Results};

/// The topic.
pub(crate) const TOPIC: Topic<MatchInput> = Topic {
    files: &[file!("standings.csv", standings, Some, |of| all(of))],
    charts: &[
        Picture::only(
            "wins-draws-losses",
            "games won, drawn and lost by threads, a block each opponent; in a round robin of one thread count each, against all",
            |of, setting| vec![outcomes::chart(setting, of)],
        ),
        Picture::only("win-rate", "win rates by threads, a frame each opponent", |of, setting| {
            Vec::from_iter(of.figures.by_threads().then(|| win_rates::chart(setting, of)))
        }),
    ],
    section: |report, of| section(report, of, 2),
};

/// The part of a report whose headings are of this level.
pub(crate) fn section(report: &mut Report<'_>, input: &MatchInput, level: usize) {
    let figures = &input.figures;
    report.heading(level, "Results");
    if let Some(test) = figures.test {
        report.paragraph(&verdict(input, test));
    }
    if let Some(step) = figures.effective_speedup {
        report.paragraph(&effective_speedup(input, step));
    }
    report.table(
        "Everybody's games against everybody. Win rate: points / games, a draw being half a point. By \
         colour: games, +won, =drawn, −lost. Elo: the difference from the opponents \
         together, with its 95% interval and the likelihood of superiority (LOS), from whole pairs \
         of games.",
        &standings().table(totals(input), &["entry, ", FIGURES].concat()),
    );
    report.table(
        "Opponent by opponent, as above.",
        &standings().table(encounters(input), &["entry, opponent, ", FIGURES].concat()),
    );
    report.chart("wins-draws-losses");
    if figures.by_threads() {
        report.table(
            "Win rate by threads against each opponent, with its 95% interval (Wilson; games taken \
             as independent).",
            &win_rates_table(input),
        );
        report.chart("win-rate");
    }
}

/// The results of an entry, against one opponent or all of them.
pub(crate) struct Standing<'a> {
    input: &'a MatchInput,
    entry: usize,
    opponent: Option<usize>,
    results: Results,
}

impl<'a> Standing<'a> {
    /// Against all.
    pub(crate) fn of(input: &'a MatchInput, entry: usize) -> Standing<'a> {
        Standing { input, entry, opponent: None, results: input.figures.table.total(entry) }
    }

    /// Against each opponent that it played.
    fn each(input: &'a MatchInput, entry: usize) -> impl Iterator<Item = Standing<'a>> {
        input.figures.table.played(entry).map(move |(opponent, results)| Standing {
            input,
            entry,
            opponent: Some(opponent),
            results: *results,
        })
    }

    fn total(&self) -> Record {
        self.results.total()
    }

    fn difference(&self) -> Option<Difference> {
        Difference::of(&self.results.pairs)
    }

    fn win_rate(&self) -> Value {
        Value::runs(self.total().score(), self.total().score_interval())
    }
}

/// Every entry against all, then against each that it played.
fn all(input: &MatchInput) -> impl Iterator<Item = Standing<'_>> {
    let entries = 0..input.spec().entries.len();
    entries.flat_map(move |entry| {
        [Standing::of(input, entry)].into_iter().chain(Standing::each(input, entry))
    })
}

/// Everybody who has played, against all.
fn totals(input: &MatchInput) -> impl Iterator<Item = Standing<'_>> {
    let entries = 0..input.spec().entries.len();
    entries.map(|entry| Standing::of(input, entry)).filter(|of| of.total().games() > 0)
}

/// The entries that are examined, against each that they played.
fn encounters(input: &MatchInput) -> impl Iterator<Item = Standing<'_>> {
    let examined = input.figures.series.iter().flat_map(|series| &series.entries);
    examined.flat_map(move |entry| Standing::each(input, *entry))
}

/// `12 +8 =3 −1`: games, won, drawn and lost.
fn short(record: Record) -> String {
    format!("{} +{} ={} −{}", record.games(), record.wins, record.draws, record.losses)
}

/// The columns of both tables.
const FIGURES: &str = "games, wins, draws, losses, win_rate, as white, as black, pairs, elo, \
                       95% interval, los";

columns! {
    /// The columns of `standings.csv`.
    pub(crate) fn standings<'a>(of: Standing<'a>);

    /// the entry and its opponent; blank: all opponents
    Words "entry" = of.input.name(of.entry), as "entry", shown of.input.starred(of.entry);
    Words "opponent" = of.opponent.map_or("", |opponent| of.input.name(opponent)), as "opponent",
        shown of.opponent.map_or_else(String::new, |opponent| of.input.starred(opponent));
    /// forfeits are losses
    Whole "games" = of.total().games(), as "games", tex "Games";
    Whole "wins" = of.total().wins, as "wins", tex "Wins";
    Whole "draws" = of.total().draws, as "draws", tex "Draws";
    Whole "losses" = of.total().losses, as "losses", tex "Losses";
    /// (wins + draws / 2) / games, and its 95% interval (Wilson 1927), taking games as independent
    Tenths "win_rate" + Ci = of.win_rate(), as "win rate";
    Tenths "" = of.win_rate(), tex "WinRate";
    Words "" = short(of.results.white), as "as white";
    Words "" = short(of.results.black), as "as black";
    /// these counts by colour
    Whole "white_wins" = of.results.white.wins;
    Whole "white_draws" = of.results.white.draws;
    Whole "white_losses" = of.results.white.losses;
    Whole "black_wins" = of.results.black.wins;
    Whole "black_draws" = of.results.black.draws;
    Whole "black_losses" = of.results.black.losses;
    /// pairs of games by their points: an even game of the plan and the next one
    Whole "pairs_0" = of.results.pairs.0[0];
    Whole "pairs_half" = of.results.pairs.0[1];
    Whole "pairs_1" = of.results.pairs.0[2];
    Whole "pairs_1_half" = of.results.pairs.0[3];
    Whole "pairs_2" = of.results.pairs.0[4];
    Whole "" = of.results.pairs.units(), as "pairs";
    /// games whose partner is missing: they are in the columns above, and not in those below
    Whole "unpaired" = of.results.unpaired.games();
    /// the Elo difference from the pairs' score, and its 95% interval (profile likelihood). Where
    /// every point was won or lost, it is infinite, and so is one end
    Whole "elo" + Ci = Value::runs(of.difference().map(|d| d.elo), of.difference().map(|d| d.interval)),
        as "Elo", tex "Elo";
    Words "" = interval(of.difference().map(|d| d.interval), |elo| fixed(elo, 0)), as "95% interval";
    /// the difference in standard deviations of one game, times 800/ln 10 (Van den Bergh), and its
    /// 95% interval (profile likelihood). Where all pairs had one score there is no deviation. It
    /// is infinite then, or 0 if that score is a half. Far from 0 the interval is wider than that
    /// of fishtest and fastchess, which takes the deviation as known
    Whole "normalised_elo" + Ci = Value::runs(
        of.difference().map(|d| d.normalised),
        of.difference().map(|d| d.normalised_interval)
    );
    /// likelihood of superiority, from the likelihood that equal entries lose; above 97.5% just
    /// where the Elo interval is above 0
    Tenths "los" = of.difference().map(|d| d.los), as "LOS", tex "Superiority";
}

/// Win rates against each opponent: a row a series and thread count, a column an opponent.
fn win_rates_table(input: &MatchInput) -> Vec<Vec<String>> {
    let opponents = input.opponents_met();
    let names = opponents.iter().map(|opponent| input.name(*opponent).to_owned());
    let mut table = vec![row(["searcher", "threads"], names)];
    for Series { name, entries, .. } in &input.figures.series {
        for &entry in entries {
            let threads = input.spec().entries[entry].threads.to_string();
            let win_rate = |opponent: &usize| {
                let record = input.figures.table.between(entry, *opponent).total();
                let over = record.score_interval()?;
                let rate = known(record.score(), tenths);
                Some(format!("{rate} ({})", interval(Some(over), percent)))
            };
            let rates = opponents.iter().map(win_rate);
            let rates = rates.map(|rate| rate.unwrap_or_else(|| BLANK.to_owned()));
            table.push(row([name, &threads], rates));
        }
    }
    table
}

/// Where the test stands, in words.
fn verdict(input: &MatchInput, test: TestStanding) -> String {
    let spec = input.spec();
    let Some((terms, &(first, second))) = spec.sprt.as_ref().zip(spec.pairings().first()) else {
        return String::new();
    };
    let [zero, one] = [terms.elo0, terms.elo1].map(|elo| fixed(elo, 1));
    let decided = match test.verdict {
        Verdict::Continue => {
            format!("is not decided between {zero} and {one} Elo: more games are needed")
        }
        Verdict::H0 => format!("says {zero} rather than {one} Elo"),
        Verdict::H1 => format!("says {one} rather than {zero} Elo"),
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
