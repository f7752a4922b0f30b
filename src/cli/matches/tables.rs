//! The standings, and the time and nodes of moves, as tables.

use crate::cli::format;
use crate::matches::{
    Effort, GameRow, Match, Role, Standing, efforts as sums, results_against, standings as all,
};
use crate::report::Table;
use crate::report::columns::{Value, columns};
use ttd_stats::elo::Difference;

/// The length of the longest bar.
const BAR: usize = 30;

/// The games of an entry: all of them, or those against one opponent.
pub(super) struct StandingRow<'a> {
    entry: &'a str,
    against: Option<&'a str>,
    standing: Standing,
    /// The difference in Elo from the opponent.
    difference: Option<Difference>,
}

columns! {
    fn standing_columns<'a>(of: &'a StandingRow<'a>);

    Words "entry" = of.entry, as "entry",
        shown of.against.map_or_else(|| of.entry.to_owned(), |other| format!("  against {other}"));
    Words "against" = of.against.unwrap_or_default();
    Whole "games" = of.standing.games(), as "games";
    Whole "wins" = of.standing.wins, as "wins";
    Whole "draws" = of.standing.draws, as "draws";
    Whole "losses" = of.standing.losses, as "losses";
    One "score_percent" = of.standing.score().map(|score| 100.0 * score), as "score %",
        shown of.standing.score().map_or_else(String::new, |score| format!("{:.1}", 100.0 * score));
    Whole "elo" + Ci = Value::runs(of.difference.map(|d| d.elo), of.difference.map(|d| d.interval)),
        as "Elo", shown of.difference.map_or_else(String::new, |d| elo(d.elo));
    Words "" = of.entry, as "95% interval", shown of.difference.map_or_else(String::new, between);
    Whole "on_time" = of.standing.on_time, as "on time";
    Whole "faults" = of.standing.faults, as "faults";
}

/// The standings: every entry; in a gauntlet every challenger, and then its result against each
/// opponent.
pub(super) fn standings<'a>(spec: &'a Match, games: &'a [GameRow]) -> Vec<StandingRow<'a>> {
    let (all, mut rows) = (all(games), Vec::new());
    for entry in &spec.entries {
        let entry_name = entry.name.as_str();
        let standing = all.get(&(entry_name, None)).copied().unwrap_or_default();
        rows.push(StandingRow { entry: entry_name, against: None, standing, difference: None });
        if !spec.format.has_roles() || entry.role == Some(Role::Challenger) {
            let others = spec.entries.iter().map(|other| other.name.as_str());
            rows.extend(others.filter_map(|other| {
                let standing = *all.get(&(entry_name, Some(other)))?;
                let pairs = results_against(games, entry_name, other).pairs;
                let (against, difference) = (Some(other), Difference::of(&pairs));
                Some(StandingRow { entry: entry_name, against, standing, difference })
            }));
        }
    }
    rows
}

/// A difference in Elo, with its sign.
fn elo(elo: f64) -> String {
    format!("{elo:+.0}")
}

fn between(difference: Difference) -> String {
    format!("{} to {}", elo(difference.interval.lower), elo(difference.interval.upper))
}

/// The standings for people.
pub(super) fn standings_table(rows: &[StandingRow<'_>]) -> String {
    format::table(&standing_columns().whole_table(rows), 1)
}

/// The standings for other programs.
pub(super) fn standings_file(rows: &[StandingRow<'_>]) -> Table {
    standing_columns().file(rows)
}

/// The moves of an entry, at one of the fixed depths if there are any.
pub(super) struct EffortRow<'a> {
    depth: Option<u8>,
    entry: &'a str,
    effort: Effort,
}

columns! {
    fn effort_columns<'a>(of: &'a EffortRow<'a>);

    Whole "depth" = of.depth, as "depth",
        shown of.depth.map_or_else(|| "-".to_owned(), |depth| depth.to_string());
    Words "entry" = of.entry, as "entry";
    Whole "moves" = of.effort.moves, as "moves";
    Six "time_per_move_s" = of.effort.mean_time(), as "time a move, s",
        shown of.effort.mean_time().map_or_else(String::new, |time| format!("{time:.6}"));
    Whole "nodes_per_move" = of.effort.mean_nodes(), as "nodes a move",
        shown of.effort.mean_nodes().map_or_else(String::new, |nodes| format!("{nodes:.0}"));
}

/// Mean time and nodes of a move, of every entry (at each depth).
pub(super) fn efforts<'a>(spec: &'a Match, games: &'a [GameRow]) -> Vec<EffortRow<'a>> {
    let all = sums(games);
    let fixed = spec.by_depth.iter().copied().map(Some);
    let depths: Vec<Option<u8>> =
        if spec.by_depth.is_empty() { vec![None] } else { fixed.collect() };
    let mut rows = Vec::new();
    for depth in depths {
        let entries = spec.entries.iter().map(|entry| entry.name.as_str());
        rows.extend(entries.filter_map(|entry| {
            Some(EffortRow { depth, entry, effort: *all.get(&(depth, entry))? })
        }));
    }
    rows
}

/// The efforts for people. Bars show the time against the slowest.
pub(super) fn efforts_table(rows: &[EffortRow<'_>]) -> String {
    let times = || rows.iter().map(|row| row.effort.mean_time());
    let most = times().flatten().fold(0.0, f64::max);
    let bar = |time: Option<f64>| {
        let share = time.filter(|_| most > 0.0).map_or(0.0, |time| time / most);
        "#".repeat((share * BAR as f64).round() as usize)
    };
    let bars = [String::new()].into_iter().chain(times().map(bar));
    let table = format::table(&effort_columns().whole_table(rows), 2);
    let line = |(line, bar): (&str, String)| format!("{}\n", format!("{line}  {bar}").trim_end());
    table.lines().zip(bars).map(line).collect()
}

/// The efforts for other programs.
pub(super) fn efforts_file(rows: &[EffortRow<'_>]) -> Table {
    effort_columns().file(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::{Ending, GameResult, PartialMatch, Reason, SideRow, resolve_match};
    use crate::records::TomlFile;
    use ttd_search::cores::Time;

    fn spec(text: &str) -> Match {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("match.toml");
        std::fs::write(&path, text).expect("written");
        let file = TomlFile::<PartialMatch>::read(&path).expect("a file");
        resolve_match(Some(&file), &PartialMatch::default(), 8).expect("a match").spec
    }

    const TWO: &str = "[[entries]]\nname = \"a\"\nsearcher = \"ybwc\"\n\
                       [[entries]]\nname = \"b\"\nsearcher = \"ybwc\"";

    fn game(result: GameResult, reason: Reason, depth: Option<u8>) -> GameRow {
        let side = |name: &str, ms: u64| SideRow {
            name: name.to_owned(),
            time_factor: 1.0,
            moves: 10,
            time: Time::from_ps(ms * 1_000_000_000),
            nodes: 12_345,
            depths: 60,
        };
        GameRow {
            game: 0,
            round: 1,
            opening: "x".to_owned(),
            depth,
            sides: [side("a", 10), side("b", 20)],
            ending: Ending { result, reason, detail: String::new() },
            plies: 20,
            pgn_end: 0,
        }
    }

    #[test]
    fn the_challenger_has_its_opponents_below() {
        let games = [
            game(GameResult::White, Reason::Mate, None),
            game(GameResult::Draw, Reason::Repetition, None),
            game(GameResult::Black, Reason::Time, None),
        ];
        let expected = "\
entry        games  wins  draws  losses  score %  Elo  95% interval  on time  faults
a                3     1      1       1     50.0                           1       0
  against b      3     1      1       1     50.0                           1       0
b                3     1      1       1     50.0                           0       0
";
        let spec = spec(TWO);
        let rows = standings(&spec, &games);
        assert_eq!(standings_table(&rows), expected);
        assert!(standings_file(&rows).csv().contains("\na,b,3,1,1,1,50,,,,1,0\n"));
    }

    #[test]
    fn a_result_against_an_opponent_has_its_difference() {
        let pair = |number: usize| {
            let white = GameRow { game: 2 * number, ..game(GameResult::White, Reason::Mate, None) };
            let mut black = game(GameResult::Draw, Reason::Repetition, None);
            black.game = 2 * number + 1;
            black.sides.reverse();
            [white, black]
        };
        let games: Vec<GameRow> = (0..5).flat_map(pair).collect();
        let spec = spec(TWO);
        let table = standings_table(&standings(&spec, &games));
        let line = table.lines().find(|line| line.contains("against b")).expect("a line");
        // Three quarters of the points are 191 Elo.
        assert!(line.contains("+191"), "{line}");
        assert!(line.contains(" to +"), "{line}");
    }

    #[test]
    fn bars_show_the_time_of_a_move() {
        let spec = spec(&format!("by_depth = [4, 5]\n{TWO}"));
        let games = [game(GameResult::Draw, Reason::Repetition, Some(4))];
        let expected = format!(
            "depth  entry  moves  time a move, s  nodes a move\n\
             4      a         10        0.001000          1234  {}\n\
             4      b         10        0.002000          1234  {}\n",
            "#".repeat(15),
            "#".repeat(30)
        );
        assert_eq!(efforts_table(&efforts(&spec, &games)), expected);
    }
}
