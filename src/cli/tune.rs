//! `ttd tune`: the weights of the evaluation, from games.

use super::values::jobs_parser;
use super::{Exit, format, plain, say, tell};
use crate::tuning::{Recipe, RecordedGame, Trial, Tuned, read_games, tune};
use anyhow::Context as _;
use clap::Args;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use ttd_search::engine::rust_table;

#[derive(Debug, Args)]
pub(super) struct TuneArgs {
    /// Files of games, as `ttd match` and other programs write them
    #[arg(required = true, value_name = "GAMES.pgn")]
    games: Vec<PathBuf>,
    /// Write the table of weights to this file of Rust
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Greatest number of positions that are taken from each game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = jobs_parser())]
    positions: u16,
    /// Expected distance of weights from the program's own, centipawns. The best of the list is
    /// taken
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "10,20,40,80", value_parser = spread)]
    spreads: Vec<f64>,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads that compute [default: all cores]
    #[arg(long, value_name = "N", value_parser = jobs_parser())]
    jobs: Option<u16>,
}

fn spread(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|spread| (0.1..=1000.0).contains(spread));
    number.ok_or_else(|| "0.1 to 1000 expected".to_owned())
}

pub(super) fn run(args: &TuneArgs) -> anyhow::Result<Exit> {
    let mut games: Vec<RecordedGame> = Vec::new();
    for path in &args.games {
        let (read, left_out) = read_games(path)?;
        games.extend(read);
        for words in left_out.words(&path.display().to_string()) {
            say(format_args!("ttd: {words}"));
        }
    }
    let recipe = Recipe {
        positions: args.positions.into(),
        spreads: args.spreads.clone(),
        seed: args.seed,
        threads: args.jobs.map_or_else(num_cpus::get, usize::from),
    };
    tell(format_args!("ttd: {} of {}", format::count(games.len(), "game"), files(args)));
    let tuned = tune(&games, &recipe, |trial| {
        tell(format_args!("ttd: {}: {:.6}", spread_of(trial), trial.validation.logistic));
    })?;
    let report = report(&tuned);
    write!(plain::stdout(), "{report}")?;
    if let Some(out) = &args.out {
        let text = rust_table(&tuned.weights, &format!("{}\n```text\n{report}```", origin(args)));
        fs::write(out, text).with_context(|| out.display().to_string())?;
    }
    Ok(Exit::Done)
}

/// The origin of the table.
fn origin(args: &TuneArgs) -> String {
    let spreads: Vec<String> = args.spreads.iter().map(f64::to_string).collect();
    format!(
        "Tuned (docs/tuning.md) on {}:\n--positions {} --spreads {} --seed {}.\n",
        files(args),
        args.positions,
        spreads.join(","),
        args.seed
    )
}

fn files(args: &TuneArgs) -> String {
    let paths: Vec<String> = args.games.iter().map(|path| path.display().to_string()).collect();
    paths.join(", ")
}

fn spread_of(trial: &Trial) -> String {
    if trial.spread > 0.0 { format!("spread {}", trial.spread) } else { "before".to_owned() }
}

/// The values that were tried, and the gain of each.
fn report(tuned: &Tuned) -> String {
    let heads = ["weights", "logistic", "squared", "held_out_logistic", "held_out_squared"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for (i, trial) in tuned.trials.iter().enumerate() {
        let taken = if i == tuned.best { ", taken" } else { "" };
        let losses = [trial.training, trial.validation].into_iter();
        let losses = losses.flat_map(|losses| [losses.logistic, losses.squared]);
        let mut row = vec![format!("{}{taken}", spread_of(trial))];
        row.extend(losses.map(|loss| format!("{loss:.6}")));
        rows.push(row);
    }
    let [training, validation] = tuned.sides.map(|side| {
        format!(
            "{} of {}",
            format::count(side.positions, "position"),
            format::count(side.games, "game")
        )
    });
    format!(
        "{}K = {:.4}; learnt from {training}; held out {validation}\n",
        format::table(&rows, 1),
        tuned.k
    )
}
