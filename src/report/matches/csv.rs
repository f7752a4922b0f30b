//! The derived CSV files of a match. `docs/matches.md` says what every column is.

use super::by_threads::{RatingLine, Scale};
use super::endings::Ended;
use super::input::MatchInput;
use crate::matches::{Entry, EntryEngine, efforts};
use crate::report::csv::{ends, number, text};
use ttd_stats::elo::{Colour, Difference, Record, Results};

fn header(columns: &[&str]) -> Vec<String> {
    columns.join(",").split(',').map(str::to_owned).collect()
}

/// The text of `standings.csv`: one row an entry, then one an opponent that it played.
pub(super) fn standings(input: &MatchInput) -> String {
    let mut rows = vec![header(&[
        "entry,opponent,games,wins,draws,losses",
        "win_rate,win_rate_ci_lower,win_rate_ci_upper,score",
        "white_wins,white_draws,white_losses,black_wins,black_draws,black_losses",
        "pairs_0,pairs_half,pairs_1,pairs_1_half,pairs_2,unpaired",
        "elo,elo_ci_lower,elo_ci_upper,normalised_elo,normalised_elo_ci_lower",
        "normalised_elo_ci_upper,los",
    ])];
    let entries = &input.spec().entries;
    for (place, entry) in entries.iter().enumerate() {
        let table = &input.figures.table;
        rows.push(standing([&entry.name, ""], &table.total(place)));
        for (opponent, results) in table.played(place) {
            rows.push(standing([&entry.name, &entries[opponent].name], results));
        }
    }
    text(&rows)
}

fn standing(names: [&str; 2], results: &Results) -> Vec<String> {
    let mut row = names.map(str::to_owned).to_vec();
    let total = results.total();
    let counts = |record: Record| [record.wins, record.draws, record.losses].map(|n| n.to_string());
    row.push(total.games().to_string());
    row.extend(counts(total));
    row.push(number(total.win_rate()));
    row.extend(ends(total.win_rate_interval()));
    row.push(number(total.score()));
    row.extend([results.white, results.black].into_iter().flat_map(counts));
    row.extend(results.pairs.0.map(|n| n.to_string()));
    row.push(results.unpaired.games().to_string());
    let difference = Difference::of(&results.pairs);
    row.push(number(difference.map(|d| d.elo)));
    row.extend(ends(difference.map(|d| d.interval)));
    row.push(number(difference.map(|d| d.normalised)));
    row.extend(ends(difference.map(|d| d.normalised_interval)));
    row.push(number(difference.map(|d| d.los)));
    row
}

/// The name and searcher (of outside engines blank) and threads of an entry.
fn who(entry: &Entry) -> [String; 3] {
    let searcher = match &entry.engine {
        EntryEngine::Own { searcher, .. } => searcher.name(),
        EntryEngine::Outside(_) => "",
    };
    [entry.name.clone(), searcher.to_owned(), entry.threads.to_string()]
}

/// The text of `ratings.csv`: one row an entry.
pub(super) fn ratings(input: &MatchInput) -> String {
    let mut rows = vec![header(&["entry,searcher,threads,games,given,rating,ci_lower,ci_upper"])];
    let likeliest = input.figures.likeliest.as_ref().ok();
    for (place, entry) in input.spec().entries.iter().enumerate() {
        let rating = likeliest.and_then(|all| all.entries[place]);
        let mut row = who(entry).to_vec();
        row.push(input.figures.table.total(place).total().games().to_string());
        row.push(number(entry.rating));
        row.push(number(rating.map(|r| r.elo)));
        row.extend(ends(rating.map(|r| r.interval)));
        rows.push(row);
    }
    text(&rows)
}

/// The text of `running.csv`: one row a challenger, K and game; none if no running rating is asked for.
pub(super) fn running(input: &MatchInput) -> Option<String> {
    input.spec().running_rating.as_ref()?;
    let mut rows = vec![header(&[
        "entry,searcher,threads,k,step,game,opponent,opponent_rating,colour,points",
        "rating_before,rating",
    ])];
    let entries = &input.spec().entries;
    for run in &input.figures.runs {
        let ratings = run.ratings.windows(2);
        for (step, (game, ratings)) in (1..).zip(run.games.iter().zip(ratings)) {
            let step: usize = step;
            let colour = if game.colour == Colour::White { "white" } else { "black" };
            let mut row = who(&entries[run.entry]).to_vec();
            row.extend([run.k.to_string(), step.to_string(), game.game.to_string()]);
            row.extend([entries[game.opponent].name.clone(), game.rating.to_string()]);
            row.extend([colour.to_owned(), game.outcome.points().to_string()]);
            row.extend([ratings[0], ratings[1]].map(|r| r.to_string()));
            rows.push(row);
        }
    }
    Some(text(&rows))
}

/// The text of `trends.csv`: one row a series and kind of rating; none if nobody is rated.
pub(super) fn trends(lines: &[RatingLine]) -> Option<String> {
    let mut rows = vec![header(&[
        "series,rating,k,thread_counts,status,slope,intercept,r_squared,elo_per_doubling",
    ])];
    for line in lines.iter().filter(|line| !line.points.is_empty()) {
        let (kind, k) = match line.scale {
            Scale::Likelihood => ("likeliest", None),
            Scale::Running(k) => ("running", Some(k)),
        };
        let status = line.trend.map_or(FEW_THREADS, |_| "ok");
        let mut row = vec![line.series.clone(), kind.to_owned(), number(k)];
        row.extend([line.points.len().to_string(), status.to_owned()]);
        row.extend([
            number(line.trend.map(|t| t.slope)),
            number(line.trend.map(|t| t.intercept)),
            number(line.trend.and_then(|t| t.r_squared)),
            number(line.trend.map(|t| t.gained_per_doubling())),
        ]);
        rows.push(row);
    }
    (rows.len() > 1).then(|| text(&rows))
}

/// Why a series has no trend.
pub(super) const FEW_THREADS: &str = "not enough thread counts";

/// The text of `endings.csv`: one row an entry and reason that came up.
pub(super) fn endings(input: &MatchInput) -> String {
    let mut rows = vec![header(&["entry,reason,won,drawn,lost"])];
    for Ended { entry, reason, record } in &input.figures.endings {
        let name = input.spec().entries[*entry].name.clone();
        let counts = [record.wins, record.draws, record.losses].map(|n| n.to_string());
        rows.push([vec![name, reason.name().to_owned()], counts.to_vec()].concat());
    }
    text(&rows)
}

/// The text of `moves.csv`: one row an entry that has moved, at each fixed depth.
pub(super) fn moves(input: &MatchInput) -> String {
    let mut rows = vec![header(&["depth,entry,moves,mean_time_s,mean_nodes,mean_depth"])];
    let all = efforts(&input.games);
    for depth in input.depths() {
        for entry in &input.spec().entries {
            let Some(effort) = all.get(&(depth, entry.name.as_str())) else { continue };
            rows.push(vec![
                depth.map_or_else(String::new, |depth| depth.to_string()),
                entry.name.clone(),
                effort.moves.to_string(),
                number(effort.mean_time()),
                // Who never said how many has none to show.
                number(effort.mean_nodes().filter(|n| *n > 0.0)),
                number(effort.mean_depth().filter(|d| *d > 0.0)),
            ]);
        }
    }
    text(&rows)
}
