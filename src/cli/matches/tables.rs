//! The standings, and the time and nodes of moves, as tables.

use crate::cli::format;
use crate::matches::{Effort, GameRow, Match, Role, Standing, efforts, standings};
use std::fmt::Write as _;

/// The length of the longest bar.
const BAR: usize = 30;

/// The standings: every entry; in a gauntlet every challenger, and then its result against each
/// opponent.
pub(super) fn standings_table(spec: &Match, games: &[GameRow]) -> String {
    let all = standings(games);
    let row = |name: String, standing: &Standing| {
        let score = standing.score().map(|score| format!("{:.1}", 100.0 * score));
        let mut row = vec![name];
        let figures = [standing.games(), standing.wins, standing.draws, standing.losses]
            .map(|n| n.to_string());
        row.extend(figures);
        row.push(score.unwrap_or_default());
        row.extend([standing.on_time, standing.faults].map(|n| n.to_string()));
        row
    };
    let header = ["entry", "games", "wins", "draws", "losses", "score %", "on time", "faults"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let none = Standing::default();
    for entry in &spec.entries {
        let name = entry.name.as_str();
        rows.push(row(name.to_owned(), all.get(&(name, None)).unwrap_or(&none)));
        if !spec.format.has_roles() || entry.role == Some(Role::Challenger) {
            for opponent in &spec.entries {
                if let Some(standing) = all.get(&(name, Some(&opponent.name))) {
                    rows.push(row(format!("  against {}", opponent.name), standing));
                }
            }
        }
    }
    format::table(&rows, 1)
}

/// Mean time and nodes of a move, of every entry (at each depth). Bars show the time against the
/// slowest.
pub(super) fn efforts_table(spec: &Match, games: &[GameRow]) -> String {
    let all = efforts(games);
    let most = all.values().filter_map(Effort::mean_time).fold(0.0, f64::max);
    let header = ["depth", "entry", "moves", "time a move, s", "nodes a move"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let mut bars = vec![String::new()];
    let fixed = spec.by_depth.iter().copied().map(Some);
    let depths: Vec<Option<u8>> =
        if spec.by_depth.is_empty() { vec![None] } else { fixed.collect() };
    for depth in depths {
        for entry in &spec.entries {
            let Some(effort) = all.get(&(depth, entry.name.as_str())) else { continue };
            let (time, nodes) = (effort.mean_time(), effort.mean_nodes());
            rows.push(vec![
                depth.map_or_else(|| "-".to_owned(), |depth| depth.to_string()),
                entry.name.clone(),
                effort.moves.to_string(),
                time.map(|time| format!("{time:.6}")).unwrap_or_default(),
                nodes.map(|nodes| format!("{nodes:.0}")).unwrap_or_default(),
            ]);
            let share = time.filter(|_| most > 0.0).map_or(0.0, |time| time / most);
            bars.push("#".repeat((share * BAR as f64).round() as usize));
        }
    }
    let mut text = String::new();
    for (line, bar) in format::table(&rows, 2).lines().zip(bars) {
        let _ = writeln!(text, "{}", format!("{line}  {bar}").trim_end());
    }
    text
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
entry        games  wins  draws  losses  score %  on time  faults
a                3     1      1       1     50.0        1       0
  against b      3     1      1       1     50.0        1       0
b                3     1      1       1     50.0        0       0
";
        assert_eq!(standings_table(&spec(TWO), &games), expected);
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
        assert_eq!(efforts_table(&spec, &games), expected);
    }
}
