//! The tables of a match. The first row of each is its header.

use super::by_threads::{RatingLine, Scale};
use super::csv::FEW_THREADS;
use super::endings::is_forfeit;
use super::input::MatchInput;
use super::series::Series;
use crate::matches::{Reason, efforts};
use crate::report::numbers::{BLANK, fixed, interval, known, percent, seconds};
use ttd_stats::Bounds;
use ttd_stats::elo::{Difference, Record, Results};

type Table = Vec<Vec<String>>;

fn header(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|column| (*column).to_owned()).collect()
}

fn elo(value: f64) -> String {
    fixed(value, 0)
}

fn tenths(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 1))
}

/// `12 +8 =3 −1`: games, won, drawn and lost.
fn short(record: Record) -> String {
    format!("{} +{} ={} −{}", record.games(), record.wins, record.draws, record.losses)
}

const FIGURES: [&str; 12] = [
    "games",
    "wins",
    "draws",
    "losses",
    "win rate",
    "score",
    "as white",
    "as black",
    "pairs",
    "Elo",
    "95% interval",
    "LOS",
];

fn figures(results: &Results) -> Vec<String> {
    let total = results.total();
    let difference = Difference::of(&results.pairs);
    vec![
        total.games().to_string(),
        total.wins.to_string(),
        total.draws.to_string(),
        total.losses.to_string(),
        known(total.win_rate(), tenths),
        known(total.score(), tenths),
        short(results.white),
        short(results.black),
        results.pairs.units().to_string(),
        known(difference.map(|d| d.elo), elo),
        interval(difference.map(|d| d.interval), elo),
        known(difference.map(|d| d.los), tenths),
    ]
}

/// Everybody against everybody together.
pub(super) fn standings(input: &MatchInput) -> Table {
    let mut table = vec![header(&[&["entry"], &FIGURES[..]].concat())];
    for entry in 0..input.spec().entries.len() {
        let total = input.figures.table.total(entry);
        if total.total().games() > 0 {
            table.push([vec![name(input, entry)], figures(&total)].concat());
        }
    }
    table
}

/// Those that are examined against each of their opponents.
pub(super) fn encounters(input: &MatchInput) -> Table {
    let mut table = vec![header(&[&["entry", "opponent"], &FIGURES[..]].concat())];
    for entry in input.figures.series.iter().flat_map(|series| &series.entries) {
        for (opponent, results) in input.figures.table.played(*entry) {
            let names = [*entry, opponent].map(|e| name(input, e)).to_vec();
            table.push([names, figures(results)].concat());
        }
    }
    table
}

/// An entry's name, with a star if it is oversubscribed.
fn name(input: &MatchInput, entry: usize) -> String {
    let over = input.oversubscribed_from();
    let star =
        if over.is_some_and(|n| input.spec().entries[entry].threads >= n) { "*" } else { "" };
    format!("{}{star}", input.name(entry))
}

/// The likeliest ratings, the best first.
pub(super) fn likeliest(input: &MatchInput) -> Table {
    let mut table = vec![header(&["entry", "games", "score", "rating", "95% interval"])];
    let Ok(all) = &input.figures.likeliest else { return table };
    let rated = |entry: usize| Some((entry, all.entries[entry]?));
    let mut rated: Vec<_> = (0..all.entries.len()).filter_map(rated).collect();
    rated.sort_by(|(_, a), (_, b)| b.elo.total_cmp(&a.elo));
    for (entry, rating) in rated {
        let total = input.figures.table.total(entry).total();
        let given = rating.interval.is_exact();
        table.push(vec![
            name(input, entry),
            total.games().to_string(),
            known(total.score(), tenths),
            elo(rating.elo),
            if given { "given".to_owned() } else { interval(Some(rating.interval), elo) },
        ]);
    }
    table
}

/// The running ratings in the end: a row a series and thread count, a column a K.
pub(super) fn running(lines: &[RatingLine]) -> Table {
    let ks = ks(lines);
    let mut first = header(&["searcher", "threads"]);
    first.extend(ks.iter().map(|k| format!("K = {k}")));
    let mut table = vec![first];
    let of = |k: f64| lines.iter().filter(move |line| line.scale == Scale::Running(k));
    for line in ks.first().map_or_else(Vec::new, |k| of(*k).collect()) {
        for point in &line.points {
            let mut row = vec![line.series.clone(), point.threads.to_string()];
            row.extend(ks.iter().map(|k| {
                let same = of(*k).find(|other| other.series == line.series);
                let points =
                    same.and_then(|l| l.points.iter().find(|p| p.threads == point.threads));
                known(points.map(|p| p.elo), elo)
            }));
            table.push(row);
        }
    }
    table
}

fn ks(lines: &[RatingLine]) -> Vec<f64> {
    let mut ks = Vec::new();
    for line in lines {
        if let Scale::Running(k) = line.scale
            && !ks.contains(&k)
        {
            ks.push(k);
        }
    }
    ks
}

/// The trends of the ratings by threads.
pub(super) fn trends(lines: &[RatingLine]) -> Table {
    let columns = ["searcher", "rating", "slope", "at one thread", "R²", "Elo a doubling"];
    let mut table = vec![header(&columns)];
    for line in lines.iter().filter(|line| line.points.len() > 1) {
        let mut row = vec![line.series.clone(), line.scale.words()];
        row.extend(match line.trend {
            Some(trend) => [
                fixed(trend.slope, 3),
                fixed(trend.intercept, 1),
                known(trend.r_squared, |r| fixed(r, 4)),
                fixed(trend.gained_per_doubling(), 1),
            ],
            None => [FEW_THREADS, BLANK, BLANK, BLANK].map(str::to_owned),
        });
        table.push(row);
    }
    table
}

/// Win rates against each opponent: a row a series and thread count, a column an opponent.
pub(super) fn win_rates(input: &MatchInput) -> Table {
    let met = |opponent: &&usize| input.figures.table.played(**opponent).next().is_some();
    let opponents: Vec<usize> = input.figures.opponents.iter().filter(met).copied().collect();
    let mut first = header(&["searcher", "threads"]);
    first.extend(opponents.iter().map(|o| input.name(*o).to_owned()));
    let mut table = vec![first];
    for Series { name, entries, .. } in &input.figures.series {
        for &entry in entries {
            let mut row = vec![name.clone(), input.spec().entries[entry].threads.to_string()];
            row.extend(opponents.iter().map(|&opponent| {
                let record = input.figures.table.between(entry, opponent).total();
                let bounds = |b: Bounds| {
                    format!(
                        "{} ({} to {})",
                        known(record.win_rate(), tenths),
                        percent(b.lower),
                        percent(b.upper)
                    )
                };
                record.win_rate_interval().map_or_else(|| BLANK.to_owned(), bounds)
            }));
            table.push(row);
        }
    }
    table
}

/// The reasons that came up: how many games, and who lost so if that is a forfeit.
pub(super) fn endings(input: &MatchInput) -> Table {
    let mut table = vec![header(&["reason", "games", "of these draws", "forfeited by"])];
    for reason in Reason::ALL {
        let of: Vec<_> = input.figures.endings.iter().filter(|e| e.reason == reason).collect();
        // Each game has two players.
        let half = |count: fn(&Record) -> u64| of.iter().map(|e| count(&e.record)).sum::<u64>() / 2;
        let games = half(|record| record.games());
        let losers = of.iter().filter(|e| e.record.losses > 0 && is_forfeit(reason));
        let losers: Vec<String> =
            losers.map(|e| format!("{} {}", input.name(e.entry), e.record.losses)).collect();
        if games > 0 {
            let losers = if losers.is_empty() { BLANK.to_owned() } else { losers.join(", ") };
            let draws = half(|record| record.draws).to_string();
            table.push(vec![reason.name().to_owned(), games.to_string(), draws, losers]);
        }
    }
    table
}

/// What a move took, of every entry (at each fixed depth).
pub(super) fn moves(input: &MatchInput) -> Table {
    let all = efforts(&input.games);
    let columns = ["entry", "moves", "time a move (s)", "nodes a move", "depth"];
    let fixed_depths = !input.spec().by_depth.is_empty();
    let before: &[&str] = if fixed_depths { &["fixed depth"] } else { &[] };
    let mut table = vec![header(&[before, &columns[..]].concat())];
    for depth in input.depths() {
        for (place, entry) in input.spec().entries.iter().enumerate() {
            let Some(effort) = all.get(&(depth, entry.name.as_str())) else { continue };
            let mut row: Vec<String> = depth.iter().map(u8::to_string).collect();
            // Who never said how many has none to show.
            let said = |mean: Option<f64>| mean.filter(|m| *m > 0.0);
            row.extend([
                name(input, place),
                effort.moves.to_string(),
                known(effort.mean_time(), seconds),
                known(said(effort.mean_nodes()), |nodes| fixed(nodes, 0)),
                known(said(effort.mean_depth()), |depth| fixed(depth, 1)),
            ]);
            table.push(row);
        }
    }
    table
}
