//! An evaluation that is not the usual one: terms are off, pieces have other values, or values that
//! change with the depth, or it dithers.
//!
//! The usual one has its weights as constants in the code. This one reads a table of weights, in
//! which the terms that are off weigh nothing.

use super::pawn_cache::PawnCache;
use super::{
    EVALUATION_LIMIT, Evaluation, FULL_PHASE, Parts, Slot, Taper, Weights, material_by,
    material_squares, mobility,
};
use crate::engine::zobrist::random;
use crate::engine::{PieceValues, Position, Score, Techniques, ValuesByDepth};
use cozy_chess::{Board, Color, Piece};

/// The weights of `pawn_structure`: pawns among themselves, and passed ones.
const PAWN_STRUCTURE: [&str; 13] = [
    "doubled",
    "isolated",
    "backward",
    "exposed",
    "protected",
    "phalanx",
    "passed",
    "connected_passed",
    "free_step",
    "free_way",
    "protected_step",
    "enemy_king_step",
    "own_king_step",
];

/// The weights of `king_safety`: shelter and attack.
const KING_SAFETY: [&str; 7] =
    ["shield", "storm", "open_file", "zone_danger", "check_danger", "weak_danger", "file_danger"];

/// The values of Droste and Fürnkranz, centipawns from pawn to queen.
const DROSTE_FUERNKRANZ: [Score; 5] = [100, 270, 290, 430, 890];

/// An evaluation that is not the usual one.
#[derive(Clone, Debug)]
pub struct OtherTerms {
    choice: Evaluation,
    weights: Weights,
    /// The material of the evaluations that have nothing else.
    material: [Score; 5],
    tapering: bool,
    /// The change of values with the depth, if there is one.
    by_depth: Option<ValuesByDepth>,
    /// The greatest noise, centipawns, and its seed.
    dither: (Score, u64),
}

impl OtherTerms {
    /// The evaluation of these techniques; none if it is the usual one.
    pub fn of(techniques: &Techniques) -> Option<OtherTerms> {
        let Techniques { evaluation: choice, piece_values, ref dither, .. } = *techniques;
        let by_depth = Some(techniques.values_by_depth.clone()).filter(|by_depth| by_depth.enabled);
        let full = choice == Evaluation::Full;
        let has_squares = full || choice == Evaluation::MaterialSquares;
        let off = |on: bool, name: fn(&str) -> bool| (!on).then_some(name);
        let pawns = |name: &str| PAWN_STRUCTURE.contains(&name);
        let kings = |name: &str| KING_SAFETY.contains(&name);
        let without = [
            off(techniques.piece_squares || !has_squares, |name| name.ends_with("_squares")),
            off(techniques.mobility || !full, |name| name.ends_with("_mobility")),
            off(techniques.pawn_structure || !full, pawns),
            off(techniques.king_safety || !full, kings),
        ];
        let tapering = techniques.tapering || !has_squares;
        let noise = if dither.enabled { dither.centipawns } else { 0 };
        let own_values = piece_values == PieceValues::Own;
        let is_steady = noise == 0 && by_depth.is_none();
        if tapering && own_values && is_steady && without.iter().all(Option::is_none) {
            return None;
        }
        let mut weights = Weights::own();
        for (name, slot) in weights.slots() {
            if without.iter().flatten().any(|is_off| is_off(name)) {
                match slot {
                    Slot::Tapers(tapers) => tapers.fill(Taper::ZERO),
                    Slot::Numbers(numbers) => numbers.fill(0),
                }
            }
        }
        let mut material = super::CLASSIC;
        if !own_values {
            material = DROSTE_FUERNKRANZ;
            weights.material = material.map(|value| Taper::new(value, value));
        }
        let dither = (noise, random(dither.seed as u64));
        Some(OtherTerms { choice, weights, material, tapering, by_depth, dither })
    }

    /// The score of `position` as of [`super::evaluate`], in an iteration of this depth (plies).
    /// `pawns` is used by this evaluation alone.
    pub fn evaluate(&self, position: &Position, pawns: &mut PawnCache, depth: i32) -> Score {
        let board = position.board();
        let phase = if self.tapering { position.phase().min(FULL_PHASE) } else { FULL_PHASE };
        let weights = &self.weights;
        let white = match self.choice {
            Evaluation::Full => {
                let squares = material_squares::sum(weights, board);
                let parts = Parts::of(weights, board, squares, pawns.probe(weights, board));
                Taper::new(parts.score.mg(), parts.endgame()).blend(phase, FULL_PHASE) + parts.drive
            }
            Evaluation::MaterialSquares => {
                material_squares::sum(weights, board).blend(phase, FULL_PHASE)
            }
            Evaluation::MaterialMobility => {
                let moves = |color| mobility::pseudo_legal_moves(board, color);
                material_by(&self.material, board) + moves(Color::White) - moves(Color::Black)
            }
            Evaluation::Material => material_by(&self.material, board),
        };
        let white = white + self.noise(position) + self.change_by_depth(board, depth);
        let own = if board.side_to_move() == Color::White { white } else { -white };
        (own + self.choice.tempo()).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// The change of the pieces' values at this depth, from White's view.
    fn change_by_depth(&self, board: &Board, depth: i32) -> Score {
        let Some(ValuesByDepth { knight, bishop_pair, usual_depth, .. }) = self.by_depth else {
            return 0;
        };
        let number = |color, piece| board.colored_pieces(color, piece).len() as Score;
        let of = |color| {
            let has_pair = number(color, Piece::Bishop) > 1;
            bishop_pair * Score::from(has_pair) - knight * number(color, Piece::Knight)
        };
        (depth - usual_depth) * (of(Color::White) - of(Color::Black))
    }

    /// The noise of a position from White's view, by the pieces on their squares. So a pass changes
    /// nothing of it, and a search meets one value whenever it comes back.
    fn noise(&self, position: &Position) -> Score {
        let (most, seed) = self.dither;
        if most == 0 {
            return 0;
        }
        let values = 2 * u64::from(most.unsigned_abs()) + 1;
        let board = position.board();
        let colors = [board.colors(Color::White), board.colors(Color::Black)];
        let kinds = Piece::ALL.map(|piece| board.pieces(piece));
        let hash = colors.iter().chain(&kinds).fold(seed, |hash, set| random(hash ^ set.0));
        (hash % values) as Score - most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::evaluate;
    use crate::engine::test_boards::{board, from_random_play, from_sets};

    fn terms(text: &str) -> OtherTerms {
        let techniques = Techniques::resolve(&toml::from_str(text).expect("TOML")).expect(text);
        OtherTerms::of(&techniques).expect("another evaluation")
    }

    fn score(text: &str, fen: &str) -> Score {
        terms(text).evaluate(&Position::new(board(fen)), &mut PawnCache::new(), 0)
    }

    #[test]
    fn the_usual_evaluation_is_no_other_one() {
        for text in ["", "evaluation = \"material\"", "evaluation = \"material-squares\""] {
            let techniques = Techniques::resolve(&toml::from_str(text).expect("TOML")).expect(text);
            assert!(OtherTerms::of(&techniques).is_none(), "{text}");
        }
    }

    /// With the usual weights and no noise it is the usual evaluation, whatever the cache holds.
    #[test]
    fn with_all_terms_it_is_the_usual_one() {
        let mut other = terms("tapering = false");
        other.tapering = true;
        let (mut own, mut usual) = (PawnCache::new(), PawnCache::new());
        for choice in [
            Evaluation::Full,
            Evaluation::MaterialSquares,
            Evaluation::MaterialMobility,
            Evaluation::Material,
        ] {
            other.choice = choice;
            for board in from_sets().into_iter().chain(from_random_play()) {
                let position = Position::new(board);
                let expected = evaluate(&position, &mut usual, choice);
                assert_eq!(other.evaluate(&position, &mut own, 9), expected, "{choice:?}");
            }
        }
    }

    #[test]
    fn a_term_that_is_off_tells_nothing_apart() {
        let at_home = "r2q2k1/pp3ppp/2n2n2/8/8/2N2N2/PP3PPP/R2Q2K1 w - - 0 1";
        for (term, better, worse) in [
            ("piece_squares", "7k/8/8/8/8/8/P7/K3N3 w - - 0 1", "7k/8/8/8/8/8/P7/K6N w - - 0 1"),
            ("pawn_structure", "7k/8/3P4/8/8/8/8/K7 w - - 0 1", "7k/8/8/8/3P4/8/8/K7 w - - 0 1"),
            ("king_safety", at_home, "r2q2k1/pp3ppp/2n2n2/8/5P1P/2N2N2/PP4P1/R2Q2K1 w - - 0 1"),
            ("mobility", "6k1/8/8/8/3B4/8/8/K7 w - - 0 1", "7k/8/8/8/8/8/1P6/B6K w - - 0 1"),
        ] {
            let off = format!("{term} = false");
            let difference = |fen| {
                let usual =
                    evaluate(&Position::new(board(fen)), &mut PawnCache::new(), Evaluation::Full);
                usual - score(&off, fen)
            };
            assert_ne!(difference(better), difference(worse), "{term}");
        }
        // Without squares and mobility, a knight is worth as much in a corner.
        let bare = "piece_squares = false\nmobility = false\nking_safety = false";
        let corner = score(bare, "7k/8/8/8/8/8/P7/K6N w - - 0 1");
        assert_eq!(score(bare, "7k/8/8/8/8/8/P7/K3N3 w - - 0 1"), corner);
    }

    #[test]
    fn without_tapering_an_ending_is_valued_as_a_middlegame() {
        let bare = "evaluation = \"material-squares\"\npiece_squares = false\ntapering = false";
        let pawn = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let tempo = Evaluation::MaterialSquares.tempo();
        assert_eq!(score(bare, pawn), Weights::own().material[0].mg() + tempo);
    }

    #[test]
    fn the_study_values_pieces_so() {
        let text = "evaluation = \"material\"\npiece_values = \"droste-fuernkranz\"";
        for (piece, value) in ["P", "N", "B", "R", "Q"].into_iter().zip([100, 270, 290, 430, 890]) {
            assert_eq!(score(text, &format!("4k3/8/8/8/8/8/{piece}7/4K3 w - - 0 1")), value);
        }
        let squares =
            text.replace("\"material\"", "\"material-squares\"") + "\npiece_squares = false";
        let tempo = Evaluation::MaterialSquares.tempo();
        assert_eq!(score(&squares, "4k3/8/8/8/8/8/R7/4K3 w - - 0 1"), 430 + tempo);
    }

    /// A knight falls by its centipawns a ply, a pair of bishops rises, and a pass changes nothing.
    #[test]
    fn values_change_with_the_depth_of_the_iteration() {
        let steady = "evaluation = \"material\"\nvalues_by_depth = ";
        let by_depth = terms(&format!(
            "{steady}{{ enabled = true, knight = 2, bishop_pair = 5, usual_depth = 6 }}"
        ));
        for (fen, at_6, a_ply) in [
            ("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", 600, -4),
            ("4k3/8/8/8/8/8/8/NN2K3 b - - 0 1", -600, 4),
            ("4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", 600, 5),
            ("n3k3/8/8/8/8/8/8/B3K3 w - - 0 1", 0, 2),
            ("bb2k3/8/8/8/8/8/8/BBB1K3 w - - 0 1", 300, 0),
        ] {
            for depth in [1, 6, 30] {
                let position = Position::new(board(fen));
                let score = by_depth.evaluate(&position, &mut PawnCache::new(), depth);
                assert_eq!(score, at_6 + a_ply * (depth - 6), "{fen} at {depth}");
            }
        }
        let full = terms("values_by_depth = { enabled = true, knight = 3 }");
        for board in from_sets() {
            let Some(passed) = board.null_move() else { continue };
            let of = |board| full.evaluate(&Position::new(board), &mut PawnCache::new(), 20);
            assert_eq!(of(passed), Evaluation::Full.after_pass(of(board)));
        }
    }

    #[test]
    fn noise_is_small_and_depends_on_seed_and_position_alone() {
        let of = |seed: u32| {
            terms(&format!("dither = {{ enabled = true, centipawns = 3, seed = {seed} }}"))
        };
        let (one, again, two) = (of(1), of(1), of(2));
        let mut differ = 0;
        let mut caches = [PawnCache::new(), PawnCache::new(), PawnCache::new()];
        for board in from_sets() {
            let position = Position::new(board.clone());
            let scores: Vec<Score> = [&one, &again, &two]
                .into_iter()
                .zip(&mut caches)
                .map(|(terms, cache)| terms.evaluate(&position, cache, 0))
                .collect();
            let usual = evaluate(&position, &mut PawnCache::new(), Evaluation::Full);
            assert_eq!(scores[0], scores[1]);
            assert!((scores[0] - usual).abs() <= 3 && (scores[2] - usual).abs() <= 3);
            differ += usize::from(scores[0] != scores[2]);
            if let Some(passed) = board.null_move() {
                let after = one.evaluate(&Position::new(passed), &mut caches[0], 0);
                assert_eq!(after, Evaluation::Full.after_pass(scores[0]));
            }
        }
        assert!(differ > 10, "two seeds are two evaluations: {differ}");
    }
}
