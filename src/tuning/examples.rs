//! The examples to learn from: quiet positions of games, each with the game's result.

use super::games::RecordedGame;
use crate::records::shuffle;
use std::collections::HashMap;
use ttd_search::engine::{
    Board, Evaluation, Move, PawnCache, Position, Score, evaluate, see_at_least,
};

/// A position is quiet if captures and promotions win no more than this, in centipawns.
const QUIET: Score = 15;

/// The first 1 / `HELD_OUT` of the shuffled openings is held out, with all games from there.
const HELD_OUT: usize = 5;

/// A position, and the result of its game.
#[derive(Clone, Debug)]
pub struct Example {
    /// The position: quiet, and not the last of its game.
    pub position: Position,
    /// The score of White in the game: 1, 0.5 or 0.
    pub result: f64,
}

/// Some positions of some games.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// The number of games.
    pub games: usize,
    /// The positions, game by game.
    pub positions: Vec<Example>,
}

impl Examples {
    /// Chooses up to `most` quiet positions of each game at random, by `seed`. The first part is to
    /// learn from; the second is held out.
    ///
    /// Games from one opening are in one part, because they may have many positions in common.
    pub fn choose(games: &[RecordedGame], most: usize, seed: u64) -> [Examples; 2] {
        let mut numbers: HashMap<Board, usize> = HashMap::new();
        let beginnings: Vec<usize> = games
            .iter()
            .map(|game| {
                let next = numbers.len();
                *numbers.entry(game.start.clone()).or_insert(next)
            })
            .collect();
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        // Game numbers begin at 1, so 0 is free for the shuffle of openings.
        shuffle(&mut order, seed, 0);
        let mut held_out = vec![false; order.len()];
        for &beginning in &order[..order.len() / HELD_OUT] {
            held_out[beginning] = true;
        }
        let mut sides = [Examples::default(), Examples::default()];
        let mut pawns = PawnCache::new();
        for ((game, beginning), number) in games.iter().zip(beginnings).zip(1..) {
            let mut quiet = quiet_positions(game, &mut pawns);
            shuffle(&mut quiet, seed, number);
            quiet.truncate(most);
            let side = &mut sides[usize::from(held_out[beginning])];
            side.games += usize::from(!quiet.is_empty());
            let result = game.result;
            side.positions.extend(quiet.into_iter().map(|position| Example { position, result }));
        }
        sides
    }
}

/// The quiet positions of a game from which it did not go on with a capture or promotion. A
/// position is quiet without check, if no capture or promotion wins more than [`QUIET`].
fn quiet_positions(game: &RecordedGame, pawns: &mut PawnCache) -> Vec<Position> {
    let mut position = Position::new(game.start.clone());
    let mut quiet = Vec::new();
    for &mv in &game.moves {
        let next = position.after(mv);
        if !position.is_tactical(mv) && is_quiet(&position, pawns) {
            quiet.push(position);
        }
        position = next;
    }
    quiet
}

fn is_quiet(position: &Position, pawns: &mut PawnCache) -> bool {
    if position.in_check() {
        return false;
    }
    let limit = evaluate(position, pawns, Evaluation::Full) + QUIET;
    played_out(position, pawns, (limit, limit + 1)) <= limit
}

/// The value after all captures and promotions that lose nothing by static exchange. It is a
/// quiescence search without its table and its answers to checks: for this test they are not
/// needed.
fn played_out(position: &Position, pawns: &mut PawnCache, (alpha, beta): (Score, Score)) -> Score {
    let mut best = evaluate(position, pawns, Evaluation::Full);
    for mv in tactical_moves(position) {
        if best >= beta {
            break;
        }
        if see_at_least(position, mv, 0) {
            let window = (-beta, -alpha.max(best));
            best = best.max(-played_out(&position.after(mv), pawns, window));
        }
    }
    best
}

fn tactical_moves(position: &Position) -> Vec<Move> {
    let mut tactical = Vec::new();
    position.board().generate_moves(|moves| {
        tactical.extend(moves.into_iter().filter(|&mv| position.is_tactical(mv)));
        false
    });
    tactical
}

#[cfg(test)]
mod tests {
    use super::super::test_boards::board;
    use super::*;
    use crate::tuning::games_of;
    use cozy_chess::{Color, Piece};
    use std::collections::HashSet;

    fn quiet(fen: &str) -> bool {
        is_quiet(&Position::new(board(fen)), &mut PawnCache::new())
    }

    #[test]
    fn knows_where_something_is_going_on() {
        assert!(quiet("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        // A rook can be taken; a pawn is about to promote; a king is in check.
        assert!(!quiet("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1"));
        assert!(!quiet("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"));
        assert!(!quiet("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"));
        // A queen wins nothing by taking a protected pawn.
        assert!(quiet("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1"));
    }

    /// Games from many openings, two from each; White's pawns tell them apart.
    fn games(beginnings: u8) -> Vec<RecordedGame> {
        let mut games = Vec::new();
        for n in 0..beginnings {
            let (file, rank) = (char::from(b'a' + n % 8), 3 + n / 8);
            let knight = if file == 'c' { "Nf3" } else { "Nc3" };
            let text = format!("1. {file}{rank} Nc6 2. {knight} Nf6 1-0\n");
            let mut game = games_of(text.as_bytes()).expect("a game").0.remove(0);
            game.start.play(game.moves.remove(0));
            games.extend([game.clone(), game]);
        }
        games
    }

    #[test]
    fn the_sides_have_no_beginning_in_common() {
        let sides = Examples::choose(&games(10), 2, 1);
        assert_eq!(sides.each_ref().map(|side| side.games), [16, 4]);
        assert_eq!(
            sides.each_ref().map(|side| side.positions.len()),
            [32, 8],
            "as many as asked for"
        );
        let [own, held_out] = sides.map(|side| {
            let boards = side.positions.iter().map(|example| example.position.board());
            boards.map(|b| b.colored_pieces(Color::White, Piece::Pawn).0).collect::<HashSet<_>>()
        });
        assert_eq!((own.len(), held_out.len()), (8, 2));
        assert!(own.is_disjoint(&held_out));
    }

    #[test]
    fn the_seed_makes_the_choice() {
        let keys = |seed| {
            let [own, held_out] = Examples::choose(&games(10), 1, seed);
            let of = |e: Examples| e.positions.iter().map(|e| e.position.key()).collect::<Vec<_>>();
            (of(own), of(held_out))
        };
        assert_eq!(keys(1), keys(1));
        assert_ne!(keys(1), keys(2));
    }
}
