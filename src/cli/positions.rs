//! `ttd positions`: the position sets, and the positions of a set.

use super::output::{Output, Results};
use super::values::SkipBad;
use super::{Exit, format};
use crate::report::columns::columns;
use clap::Args;
use ttd_search::engine::Move;
use ttd_search::positions::{TestPosition, fen_text, load, parse_game_fen, set_names, uci_text};

#[derive(Debug, Args)]
pub(super) struct PositionsArgs {
    /// A set of the program, or a file [default: the sets of the program are listed]
    #[arg(value_name = "NAME|FILE.epd")]
    set: Option<String>,
    #[command(flatten)]
    skip_bad: SkipBad,
    #[command(flatten)]
    output: Output,
}

/// A set of the program.
struct Set {
    name: &'static str,
    positions: Vec<TestPosition>,
}

columns! {
    /// The columns of the sets.
    fn sets<'a>(of: &'a Set);

    Words "set" = of.name, as "set";
    Whole "positions" = of.positions.len(), as "positions";
    Whole "with_best_moves" = of.positions.iter().filter(|of| of.asks()).count(), as "with best moves";
    Words "first" = of.positions.first().map(|of| of.id.clone()).unwrap_or_default(), as "first";
}

/// A position with its number in the set, from 1.
type Numbered<'a> = (usize, &'a TestPosition);

columns! {
    /// The columns of the positions.
    fn columns<'a>(of: Numbered<'a>);

    Whole "number" = of.0, as "number";
    Words "position" = of.1.id.as_str(), as "position";
    Words "best" = moves(of.1, &of.1.best), as "best";
    Words "avoid" = moves(of.1, &of.1.avoid), as "avoid";
    Words "fen" = fen_text(&of.1.board), as "fen";
}

/// Moves in UCI notation.
fn moves(position: &TestPosition, moves: &[Move]) -> String {
    let moves: Vec<String> = moves.iter().map(|mv| uci_text(&position.board, *mv)).collect();
    moves.join(" ")
}

pub(super) fn run(args: &PositionsArgs) -> anyhow::Result<Exit> {
    let Some(set) = &args.set else {
        let all = set_names().into_iter().map(|name| Ok(Set { name, positions: load(name)? }));
        let all = all.collect::<anyhow::Result<Vec<Set>>>()?;
        let results = Results::new("sets", sets().file(&all));
        args.output.print(|| format::table(&sets().whole_table(&all), 1), &results)?;
        return Ok(Exit::Done);
    };
    let positions = args.skip_bad.load(parse_game_fen, set)?;
    let numbered = || (1..).zip(&positions);
    let results = Results::new("positions", columns().file(numbered()));
    args.output.print(|| format::table(&columns().whole_table(numbered()), 2), &results)?;
    Ok(Exit::Done)
}
