//! `ttd tune`: the weights of the evaluation, from games.

use super::output::{Output, Results};
use super::values::jobs_parser;
use super::{Exit, format, say, tell};
use crate::report::columns::columns;
use crate::tuning::{Recipe, RecordedGame, Trial, Tuned, read_games, tune};
use anyhow::Context as _;
use clap::Args;
use std::fs;
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
    #[command(flatten)]
    output: Output,
}

columns! {
    /// The columns of the trials. Each comes with whether its weights are taken.
    fn columns<'a>(of: (&'a Trial, bool));

    Words "" = format!("{}{}", spread_of(of.0), if of.1 { ", taken" } else { "" }), as "weights";
    Whole "spread" = of.0.spread;
    Words "taken" = of.1;
    Six "logistic" = of.0.training.logistic, as "logistic";
    Six "squared" = of.0.training.squared, as "squared";
    Six "held_out_logistic" = of.0.validation.logistic, as "held_out_logistic";
    Six "held_out_squared" = of.0.validation.squared, as "held_out_squared";
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
    let [training, validation] = &tuned.sides;
    let results = Results::new("trials", columns().file(trials(&tuned)))
        .with("k", tuned.k)
        .with("games", training.games)
        .with("positions", training.positions)
        .with("held_out_games", validation.games)
        .with("held_out_positions", validation.positions);
    args.output.print(|| report.clone(), &results)?;
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

/// The trials, each with whether its weights are taken.
fn trials(tuned: &Tuned) -> impl Iterator<Item = (&Trial, bool)> {
    tuned.trials.iter().enumerate().map(|(at, trial)| (trial, at == tuned.best))
}

/// The values that were tried, and the gain of each.
fn report(tuned: &Tuned) -> String {
    let [training, validation] = tuned.sides.map(|side| {
        format!(
            "{} of {}",
            format::count(side.positions, "position"),
            format::count(side.games, "game")
        )
    });
    format!(
        "{}K = {:.4}; learnt from {training}; held out {validation}\n",
        format::table(&columns().whole_table(trials(tuned)), 1),
        tuned.k
    )
}
