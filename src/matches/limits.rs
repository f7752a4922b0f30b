//! Whether the outside engines of a match keep to their limits of nodes or depth.

use super::game::Played;
use super::plan::PlannedGame;
use super::spec::ResolvedMatch;
use super::time_control::Pace;
use crate::uci::{KeptLimits, Limit, Said};
use ttd_search::engine::Board;

/// The words of a line about an entry that breaks its limit.
pub const BROKEN_LIMIT: &str = "does not keep to its limit";

/// A watch over the first moves of each entry, in the order of the plan. So what it says does not
/// depend on how many games are played at once.
#[derive(Debug)]
pub struct LimitWatch {
    entries: Vec<KeptLimits>,
}

impl LimitWatch {
    /// A watch over a match with `entries` entries.
    pub fn new(entries: usize) -> LimitWatch {
        LimitWatch { entries: vec![KeptLimits::default(); entries] }
    }

    /// Takes the moves of the next game. Returns a line for each outside engine of which it is now
    /// known that it does not keep to its limit. Forced moves and mates tell nothing of that.
    pub fn take(
        &mut self,
        of: &ResolvedMatch,
        planned: &PlannedGame,
        played: &Played,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        let mut board = of.openings[planned.opening].board.clone();
        for of_move in &played.moves {
            let side = board.side_to_move();
            let index = planned.seats[side as usize].entry;
            let entry = &of.spec.entries[index];
            let thought = &of_move.thought;
            let limit = match planned.pace(&of.spec, side) {
                Some(Pace::Nodes(nodes)) => Some((Limit::Nodes(nodes), thought.nodes)),
                Some(Pace::Depth(depth)) => {
                    Some((Limit::Depth(depth), thought.depth.map(u64::from)))
                }
                _ => None,
            };
            let is_mate = matches!(thought.score, Some(Said::Mate(_)));
            if let Some((limit, Some(told))) = limit
                && !entry.is_ours()
                && !is_mate
                && has_choice(&board)
            {
                let broken = self.entries[index].add(limit, told);
                lines.extend(
                    broken.map(|broken| format!("entry `{}` {BROKEN_LIMIT}: {broken}", entry.name)),
                );
            }
            board.play_unchecked(of_move.mv);
        }
        lines
    }
}

/// Whether there are two legal moves or more.
fn has_choice(board: &Board) -> bool {
    let mut moves = 0;
    board.generate_moves(|of_piece| {
        moves += of_piece.len();
        moves > 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::ending::{Ending, GameResult, Reason};
    use crate::matches::game::PlayedMove;
    use crate::matches::plan::plan;
    use crate::matches::player::Thought;
    use crate::matches::resolve::tests::resolved;
    use std::time::Duration;

    /// The lines after a game in which White and Black tell these nodes, depth and score with each
    /// move; knights go to and fro.
    fn lines(terms: &str, entries: [&str; 2], thought: &[Thought; 2], moves: usize) -> Vec<String> {
        let [a, b] = entries;
        let mut of = resolved(&format!(
            "{terms}\ngames = 2\n[[entries]]\nname = \"a\"\n{a}\n\
             [[entries]]\nname = \"b\"\n{b}"
        ));
        of.openings.iter_mut().for_each(|opening| opening.board = Board::default());
        let dance = ["g1f3", "g8f6", "f3g1", "f6g8"].map(|mv| mv.parse().expect("a move"));
        let list = dance.into_iter().cycle().take(moves).enumerate();
        let moves = list.map(|(at, mv)| PlayedMove {
            mv,
            elapsed: Duration::ZERO,
            clock: None,
            thought: thought[at % 2].clone(),
        });
        let ending = Ending::new(GameResult::Draw, Reason::Repetition);
        let played = Played { moves: moves.collect(), ending };
        let planned = plan(&of.spec, of.openings.len());
        let mut watch = LimitWatch::new(2);
        let first = watch.take(&of, &planned[0], &played);
        // It is said once.
        assert!(first.is_empty() || watch.take(&of, &planned[0], &played).is_empty());
        first
    }

    fn thought(nodes: u64, depth: u32, score: Said) -> Thought {
        Thought { score: Some(score), depth: Some(depth), nodes: Some(nodes) }
    }

    #[test]
    fn who_is_far_from_its_limit_is_named_and_others_are_not() {
        let outside = ["command = \"x\"", "command = \"y\""];
        let level = |nodes, depth| thought(nodes, depth, Said::Centipawns(5));
        let both = [level(3_000, 6), level(7, 1)];
        let told = lines("nodes = 3000", outside, &both, 16);
        let line = "entry `b` does not keep to its limit: asked for 3000 nodes, it tells 7 (median \
                    of the 8 of its first 8 searches that are far off)";
        assert_eq!(told, [line]);
        assert!(lines("nodes = 3000", outside, &both, 14).is_empty(), "too few moves");
        let ours = ["command = \"x\"", "searcher = \"sequential\""];
        assert!(lines("nodes = 3000", ours, &both, 16).is_empty(), "ours");
        assert!(lines("move_time_s = 1", outside, &both, 16).is_empty(), "no such limit");
        let mate = [level(3_000, 6), thought(7, 1, Said::Mate(2))];
        assert!(lines("nodes = 3000", outside, &mate, 16).is_empty(), "mates");
        let silent = [level(3_000, 6), Thought::default()];
        assert!(lines("nodes = 3000", outside, &silent, 16).is_empty(), "nothing is told");
        let deep = [level(9, 13), level(9, 12)];
        let told = lines("depth = 6", outside, &deep, 16);
        let line = "entry `a` does not keep to its limit: asked for depth 6, it tells 13 (median \
                    of the 8 of its first 8 searches that are far off)";
        assert_eq!(told, [line]);
    }

    #[test]
    fn a_forced_move_is_no_choice() {
        let choice = |fen: &str| has_choice(&fen.parse().expect("a position"));
        assert!(choice("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
        // Only the rook can be taken.
        assert!(!choice("7k/8/8/8/8/8/1r6/K7 w - - 0 1"));
    }
}
