//! Times at equal quality of moves, by another engine as the judge.

use crate::cli::judging::Asked;
use crate::cli::output::{Output, Results};
use crate::cli::{Exit, Usage, format, interrupt};
use crate::records::percent;
use crate::report::Input;
use crate::report::columns::columns;
use crate::report::equal_quality::rows::{EqualQuality, EqualRow};
use crate::report::equal_quality::{self as topic, about, told};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct EqualArgs {
    /// Judge by another engine, and compare times at equal quality: "stockfish nodes=20000". It is
    /// an engine as for `ttd run --engine`, one of the experiment's, or `own`
    #[arg(long, conflicts_with = "depth")]
    judge: Option<String>,
    /// Use the values of this judge in another results directory again
    #[arg(long, value_name = "DIR", requires = "judge")]
    judged: Option<PathBuf>,
    /// Print how many positions intervals of this width take, such as 25%, from those judged so far
    #[arg(long, value_name = "WIDTH", value_parser = width, conflicts_with = "depth")]
    plan: Option<f64>,
}

impl EqualArgs {
    /// Whether times at equal quality are asked for.
    pub(super) fn is_asked(&self) -> bool {
        self.judge.is_some() || self.plan.is_some()
    }
}

/// A width of an interval over its figure.
fn width(text: &str) -> Result<f64, String> {
    let possible = percent(text)?;
    let is_possible = (0.001..=10.0).contains(&possible);
    if is_possible { Ok(possible) } else { Err("0.1% to 1000% expected".to_owned()) }
}

/// Judges what is not judged yet, and prints the figures, or plans.
pub(super) fn run(dir: &Path, args: &EqualArgs, jobs: u16, output: Output) -> anyhow::Result<Exit> {
    let mut whole = true;
    if let Some(judge) = &args.judge {
        let other = args.judged.as_deref();
        let asked = Asked { other, ..Asked::of("--judge", judge, jobs) };
        whole = asked.judge(dir, interrupt::flag()?)?;
    }
    let Some(of) = Input::read(dir)?.equal_quality else {
        let what = format!("{}: no moves are judged: --judge does it", dir.display());
        return Err(Usage(what).into());
    };
    match args.plan {
        Some(width) => plan(output, &of, width)?,
        None => figures(output, &of, whole)?,
    }
    Ok(if whole { Exit::Done } else { Exit::Interrupted })
}

fn figures(output: Output, of: &EqualQuality, whole: bool) -> anyhow::Result<()> {
    let mut notes = vec![about(of)];
    notes.extend(of.rows.iter().map(|row| told(row).replace("**", "")));
    if !whole {
        notes.push("Interrupted: this call goes on again.".to_owned());
    }
    let text = || {
        let table = format::table(&topic::shown().whole_table(&of.rows), 1);
        let variants = format::table(&topic::compared().whole_table(&of.variants), 1);
        let beside = if of.variants.is_empty() {
            String::new()
        } else {
            format!("\nBeside {} at as many threads:\n{variants}", of.reference)
        };
        format!("{table}{beside}\n{}\n", notes.join("\n"))
    };
    let results = Results::new("assay", topic::columns().file(&of.rows))
        .with("judge", of.judge.clone())
        .with("judged", of.judged)
        .and("variants", topic::columns().file(&of.variants))
        .with("notes", notes.clone());
    Ok(output.print(text, &results)?)
}

/// A row, and the wanted width.
struct Planned<'a> {
    row: &'a EqualRow,
    width: f64,
}

impl Planned<'_> {
    fn needed(&self) -> Option<u64> {
        self.row.centipawns.as_ref().ok().and_then(|of| of.positions_for(self.width))
    }
}

columns! {
    /// The number of positions that a width takes.
    fn planned<'a>(of: Planned<'a>);

    Words "searcher" = of.row.searcher.as_str(), as "searcher";
    Whole "threads" = of.row.threads, as "threads";
    Whole "positions" = of.row.positions, as "positions";
    Tenths "width" = topic::relative_width(of.row), as "width";
    Tenths "wanted" = of.width, as "wanted";
    Whole "needed" = of.needed(), as "needed";
}

fn plan(output: Output, of: &EqualQuality, width: f64) -> anyhow::Result<()> {
    let rows = || of.rows.iter().map(|row| Planned { row, width });
    let most = rows().map(|of| of.needed()).max().flatten();
    let words = format!(
        "About {} in all for intervals of {:.1}% at equal quality, if others vary as these do. An \
         estimate from few positions is rough.",
        most.map_or_else(
            || "no known number of positions".to_owned(),
            |most| format::count(most as usize, "position")
        ),
        100.0 * width
    );
    let results = Results::new("plan", planned().file(rows())).with("notes", vec![words.clone()]);
    let text = || format!("{}\n{words}\n", format::table(&planned().whole_table(rows()), 1));
    Ok(output.print(text, &results)?)
}
