//! `ttd rate`: ratings from games that anyone played.

use super::output::{Output, Results};
use super::{Exit, Usage, format, say};
use crate::rating::{Rated, RatedPlayer, Tournament, rate};
use crate::report::columns::{Value, columns};
use clap::Args;
use std::path::{Path, PathBuf};
use ttd_search::positions::{self, FileError};
use ttd_stats::elo::{self, Counts, Difference};

/// The most players whose results against each other are printed.
const MOST_AGAINST: usize = 10;

#[derive(Debug, Args)]
pub(super) struct RateArgs {
    /// Files of games, of any program
    #[arg(required = true, value_name = "GAMES.pgn")]
    games: Vec<PathBuf>,
    /// The known rating of a player, such as "Stockfish 17=3600" [default: the mean is 0]. The
    /// option may be repeated
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor)]
    anchor: Vec<(String, f64)>,
    #[command(flatten)]
    output: Output,
}

columns! {
    /// The columns of the players, the best first.
    fn players<'a>(of: &'a RatedPlayer);

    Words "player" = of.name.as_str(), as "player";
    One "elo" = of.rating.map(|rating| rating.elo), as "elo", shown tenths(of.rating.map(|r| r.elo));
    One "elo" only Bare = Value::runs(
        of.rating.map(|rating| rating.elo),
        of.rating.map(|rating| rating.interval),
    );
    Words "" = tenths(of.rating.map(|rating| rating.interval.lower)), as "elo_lower";
    Words "" = tenths(of.rating.map(|rating| rating.interval.upper)), as "elo_upper";
    Whole "games" = of.results.total().games(), as "games";
    Whole "wins" = of.results.total().wins, as "wins";
    Whole "draws" = of.results.total().draws, as "draws";
    Whole "losses" = of.results.total().losses, as "losses";
    One "score_percent" = of.results.total().score().map(|score| 100.0 * score),
        as "score_percent", shown tenths(of.results.total().score().map(|score| 100.0 * score));
}

/// The results of two players against each other.
struct Encounter<'a> {
    first: &'a str,
    second: &'a str,
    results: elo::Results,
}

impl Encounter<'_> {
    fn is_paired(&self) -> bool {
        self.results.pairs.units() > 0 && self.results.unpaired.games() == 0
    }

    fn difference(&self) -> Option<Difference> {
        if self.is_paired() {
            return Difference::of(&self.results.pairs);
        }
        let total = self.results.total();
        Difference::of(&Counts([total.losses, total.draws, total.wins].map(u64::from)))
    }

    fn pairs(&self) -> Option<String> {
        let pairs = || self.results.pairs.0.map(|n| n.to_string()).join(" ");
        self.is_paired().then(pairs)
    }
}

columns! {
    /// The columns of the players that met.
    fn against<'a>(of: &'a Encounter<'a>);

    Words "player" = of.first, as "player";
    Words "against" = of.second, as "against";
    Whole "games" = of.results.total().games(), as "games";
    One "elo" = of.difference().map(|d| d.elo), as "elo", shown signed(of.difference().map(|d| d.elo));
    One "elo" only Bare = Value::runs(
        of.difference().map(|difference| difference.elo),
        of.difference().map(|difference| difference.interval),
    );
    Words "" = signed(of.difference().map(|d| d.interval.lower)), as "elo_lower";
    Words "" = signed(of.difference().map(|d| d.interval.upper)), as "elo_upper";
    One "los_percent" = of.difference().map(|difference| 100.0 * difference.los),
        as "los_percent", shown tenths(of.difference().map(|difference| 100.0 * difference.los));
    Words "pairs" = of.pairs().unwrap_or_default(),
        as "pairs", shown of.pairs().unwrap_or_else(|| "-".to_owned());
}

fn tenths(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.1}"))
}

fn signed(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:+.1}"))
}

fn anchor(text: &str) -> Result<(String, f64), String> {
    let known = text.rsplit_once('=').and_then(|(name, elo)| {
        let elo = elo.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 10_000.0)?;
        Some((name.trim().to_owned(), elo))
    });
    known.ok_or_else(|| "a name and a rating expected, such as a=2800".to_owned())
}

pub(super) fn run(args: &RateArgs) -> anyhow::Result<Exit> {
    let mut tournament = Tournament::default();
    for path in &args.games {
        read(&mut tournament, path)?;
    }
    if tournament.names().is_empty() {
        return Err(Usage("there is no game with two players and a result".to_owned()).into());
    }
    for (name, _) in &args.anchor {
        if !tournament.names().contains(name) {
            let what = format!("--anchor: there is no player `{name}` in the games");
            return Err(Usage(what).into());
        }
    }
    let rated = rate(&mut tournament, &args.anchor);
    let encounters = tournament.encounters().clone();
    let names = tournament.names();
    let met = |(&(first, second), &results): (&(usize, usize), &elo::Results)| Encounter {
        first: &names[first],
        second: &names[second],
        results,
    };
    let met: Vec<Encounter<'_>> = encounters.iter().map(met).collect();
    let notes = notes(&rated);
    let text = || {
        let mut text = format::table(&players().whole_table(&rated.players), 1);
        if rated.players.len() <= MOST_AGAINST {
            text.push('\n');
            text.push_str(&format::table(&against().whole_table(&met), 1));
        }
        text.extend(notes.iter().flat_map(|note| [note, "\n"]));
        text
    };
    let results = Results::new("players", players().file(&rated.players))
        .and("encounters", against().file(&met))
        .with("notes", notes.clone());
    args.output.print(text, &results)?;
    Ok(Exit::Done)
}

fn read(tournament: &mut Tournament, path: &Path) -> Result<(), FileError> {
    let io = |source| FileError::Io { path: path.to_owned(), source };
    let left_out = tournament.read(positions::open_text(path).map_err(io)?).map_err(io)?;
    for words in left_out.words(&path.display().to_string()) {
        say(format_args!("ttd: {words}"));
    }
    Ok(())
}

fn notes(rated: &Rated) -> Vec<String> {
    let mut notes = vec![
        "Intervals are of 95%. Ratings weigh each pair of games as one, where a pair is seen."
            .to_owned(),
        "pairs: how many of 0, 1/2, 1, 3/2 and 2 points; `-` where not every game has a partner."
            .to_owned(),
    ];
    let unrated = rated.players.iter().filter(|player| player.rating.is_none()).count();
    if let Some(why) = &rated.unrated {
        notes.push(format!("No ratings: {why}."));
    } else if unrated > 0 {
        let players = format::count(unrated, "player");
        notes.push(format!("No rating: {players}. No chain of games joins them to the others."));
    }
    if rated.virtual_pairs > 0 {
        notes.push(
            "Someone won or lost every point: two draws were added between each two who met."
                .to_owned(),
        );
    }
    notes
}
