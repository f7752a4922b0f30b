//! `ttd rate`: ratings from games that anyone played.

use super::rows::{self, RowsFormat};
use super::{Exit, Usage, format, say};
use crate::rating::{Rated, RatedPlayer, Tournament, rate};
use clap::Args;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use ttd_search::positions::FileError;
use ttd_stats::elo::{Counts, Difference, Results};

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
    /// For people, or for other programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: RowsFormat,
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
    let (header, table) = players(&rated);
    let mut out = io::stdout().lock();
    match args.format {
        RowsFormat::Csv => rows::csv(out, &header, &table)?,
        RowsFormat::Json => rows::json(out, &header, &table)?,
        RowsFormat::Text => {
            write!(out, "{}", with_header(&header, table))?;
            if rated.players.len() <= MOST_AGAINST {
                let (header, table) = against(&mut tournament);
                writeln!(out, "\n{}", with_header(&header, table).trim_end())?;
            }
            for note in notes(&rated) {
                writeln!(out, "{note}")?;
            }
        }
    }
    Ok(Exit::Done)
}

fn read(tournament: &mut Tournament, path: &Path) -> Result<(), FileError> {
    let io = |source| FileError::Io { path: path.to_owned(), source };
    let left_out = tournament.read(BufReader::new(File::open(path).map_err(io)?)).map_err(io)?;
    for words in left_out.words(&path.display().to_string()) {
        say(format_args!("ttd: {words}"));
    }
    Ok(())
}

fn with_header(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let head = header.iter().map(|name| (*name).to_owned()).collect();
    format::table(&[vec![head], rows].concat(), 1)
}

/// A row for each player, the best first.
fn players(rated: &Rated) -> ([&'static str; 9], Vec<Vec<String>>) {
    let row = |RatedPlayer { name, results, rating }: &RatedPlayer| {
        let total = results.total();
        let elo = |value: Option<f64>| value.map_or(String::new(), |elo| format!("{elo:.1}"));
        let interval = rating.map(|rating| rating.interval);
        let mut row = vec![
            name.clone(),
            elo(rating.map(|rating| rating.elo)),
            elo(interval.map(|interval| interval.lower)),
            elo(interval.map(|interval| interval.upper)),
        ];
        row.extend([total.games(), total.wins, total.draws, total.losses].map(|n| n.to_string()));
        row.push(total.score().map_or(String::new(), |score| format!("{:.1}", 100.0 * score)));
        row
    };
    let header = [
        "player",
        "elo",
        "elo_low",
        "elo_high",
        "games",
        "wins",
        "draws",
        "losses",
        "score_percent",
    ];
    (header, rated.players.iter().map(row).collect())
}

/// A row for each two players that met.
fn against(tournament: &mut Tournament) -> ([&'static str; 8], Vec<Vec<String>>) {
    let encounters = tournament.encounters().clone();
    let names = tournament.names();
    let row = |(&(first, second), results): (&(usize, usize), &Results)| {
        let total = results.total();
        let paired = results.pairs.units() > 0 && results.unpaired.games() == 0;
        let difference = if paired {
            Difference::of(&results.pairs)
        } else {
            Difference::of(&Counts([total.losses, total.draws, total.wins].map(u64::from)))
        };
        let number = |value: f64| format!("{value:+.1}");
        let mut row = vec![names[first].clone(), names[second].clone(), total.games().to_string()];
        match difference {
            Some(Difference { elo, interval, los, .. }) => {
                row.extend([elo, interval.lower, interval.upper].map(number));
                row.push(format!("{:.1}", 100.0 * los));
            }
            None => row.extend([const { String::new() }; 4]),
        }
        row.push(if paired {
            results.pairs.0.map(|n| n.to_string()).join(" ")
        } else {
            "-".into()
        });
        row
    };
    let header =
        ["player", "against", "games", "elo", "elo_low", "elo_high", "los_percent", "pairs"];
    (header, encounters.iter().map(row).collect())
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
