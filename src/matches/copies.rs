//! Games that are copies: move for move the same as an earlier game between the same entries, with
//! the same colours.
//!
//! Engines that play at a fixed number of nodes or a fixed depth, with one thread, play one game
//! only from an opening. A copy says nothing new.

use super::pgn::PGN;
use super::rows::GameRow;
use super::spec::{Entry, Match};
use super::time_control::Pace;
use crate::pgn::{Game, open};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use ttd_search::positions::fen_text;

/// The number of copies among the games of a results directory; none if its file of games cannot
/// be read. `games` are the rows of the same games.
pub fn copies(dir: &Path, games: &[GameRow]) -> Option<usize> {
    let played = open(&dir.join(PGN)).ok()?;
    let (mut seen, mut copies) = (HashSet::new(), 0);
    for (row, game) in games.iter().zip(played) {
        // A game without moves is a fault and no copy.
        let Some(game) = game.ok()?.ok().filter(|game| !game.moves.is_empty()) else { continue };
        copies += usize::from(!seen.insert(mark(row, &game)));
    }
    Some(copies)
}

/// A number that equal games share. Of a million games two others share one with a chance of 1 in
/// 36 million.
fn mark(row: &GameRow, game: &Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    let [white, black] = &row.sides;
    (&white.name, &black.name, row.depth, fen_text(&game.start)).hash(&mut hasher);
    for mv in &game.moves {
        (mv.from as u8, mv.to as u8, mv.promotion.map(|piece| piece as u8)).hash(&mut hasher);
    }
    hasher.finish()
}

/// The number of games of each pairing (at each depth) after which games can only be copies. None
/// if the match has no more games, or if chance takes part in its games: a clock, or threads.
pub fn repeats_after(spec: &Match, openings: usize) -> Option<usize> {
    let is_fixed = |entry: &Entry| {
        let pace = matches!(entry.pace, None | Some(Pace::Nodes(_) | Pace::Depth(_)));
        pace && entry.threads == 1
    };
    let different = 2 * openings;
    let repeats = spec.games as usize > different && spec.entries.iter().all(is_fixed);
    (repeats && !spec.effective_speedup).then_some(different)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::resolve::tests::resolved;
    use crate::matches::rows::SideRow;
    use std::fs;

    fn row(white: &str, black: &str) -> GameRow {
        let side = |name: &str| SideRow { name: name.to_owned(), ..SideRow::default() };
        GameRow { sides: [side(white), side(black)], ..GameRow::default() }
    }

    fn copies_of(games: &[(&str, &str, &str)]) -> Option<usize> {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let text = |(white, black, moves): &(&str, &str, &str)| {
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n{moves}\n\n")
        };
        fs::write(dir.path().join(PGN), games.iter().map(text).collect::<Vec<_>>().concat())
            .expect("written");
        let rows: Vec<GameRow> = games.iter().map(|(white, black, _)| row(white, black)).collect();
        copies(dir.path(), &rows)
    }

    #[test]
    fn only_equal_moves_with_equal_colours_are_copies() {
        let line = "1. e4 {[%emt 0:00:00.1]} e5 1-0";
        let again = "1. e4 {[%emt 0:00:00.2]} e5 1-0";
        assert_eq!(copies_of(&[("a", "b", line), ("a", "b", again)]), Some(1));
        let others = [
            ("a", "b", line),
            ("b", "a", line),
            ("a", "c", line),
            ("a", "b", "1. e4 e6 1-0"),
            ("a", "b", "1. e4 1-0"),
        ];
        assert_eq!(copies_of(&others), Some(0));
        assert_eq!(copies_of(&[("a", "b", line); 4]), Some(3));
        assert_eq!(copies_of(&[("a", "b", "1-0"); 2]), Some(0), "nobody moved");
        assert_eq!(copies(Path::new("nowhere"), &[]), None);
    }

    #[test]
    fn a_match_without_chance_repeats_when_its_openings_end() {
        let after = |rest: &str, threads: u32| {
            let text = format!(
                "{rest}\n[[entries]]\nname = \"a\"\nsearcher = \"ybwc\"\nthreads = {threads}\n\
                 [[entries]]\nname = \"b\"\ncommand = \"x\""
            );
            repeats_after(&resolved(&text).spec, 10)
        };
        assert_eq!(after("games = 22\nnodes = 5", 1), Some(20));
        assert_eq!(after("games = 22\nby_depth = [3]", 1), Some(20));
        assert_eq!(after("games = 20\nnodes = 5", 1), None);
        assert_eq!(after("games = 22\nnodes = 5", 2), None, "threads take turns by chance");
        assert_eq!(after("games = 22\ntime_control = \"1+0.1\"", 1), None);
    }
}
