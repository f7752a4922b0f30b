//! The terms that depend on the pawns alone.

use super::built_in::Source;
use super::side::{Black, Side, White, beside, count, files_of, pawn_attacks};
use super::taper::Taper;
use cozy_chess::{BitBoard, Rank, Square};

/// The value of the pawns, and the squares and files that they leave to the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pawns {
    /// Structure and passed pawns, White less Black.
    pub(super) score: Taper,
    /// Pawns of both colours that no enemy pawn can stop.
    pub(super) passed: BitBoard,
    /// By colour: the squares on its fourth to sixth rank that no enemy pawn can ever attack.
    pub(super) secure: [BitBoard; 2],
    /// By colour: the files on which it has no pawn, file A in the lowest bit.
    pub(super) open_files: [u8; 2],
}

impl Pawns {
    /// The terms of the pawns by colour.
    pub(super) fn of<W: Source>(w: W, [white, black]: [BitBoard; 2]) -> Pawns {
        let of_white = OneSide::of::<White, W>(w, white, black);
        let of_black = OneSide::of::<Black, W>(w, black, white);
        Pawns {
            score: of_white.score - of_black.score,
            passed: of_white.passed | of_black.passed,
            secure: [of_white.secure, of_black.secure],
            open_files: [!files_of(white), !files_of(black)],
        }
    }
}

/// The number of steps that a pawn of side `S` on `square` has made, 0 to 5.
pub(super) fn steps<S: Side>(square: Square) -> i32 {
    square.relative_to(S::COLOR).rank() as i32 - 1
}

struct OneSide {
    score: Taper,
    passed: BitBoard,
    secure: BitBoard,
}

impl OneSide {
    fn of<S: Side, W: Source>(w: W, own: BitBoard, enemy: BitBoard) -> OneSide {
        let ahead = S::ahead(own);
        let enemy_ahead = S::Other::ahead(enemy);
        // Every square that enemy pawns attack now or after any number of steps.
        let enemy_reach = beside(enemy_ahead);
        let rearmost_aside = S::Other::ahead(own);

        let passed = own - enemy_ahead - enemy_reach - rearmost_aside;
        let isolated = own - beside(ahead | own | rearmost_aside);
        let supported = beside(own | ahead);
        let stop_guarded = S::Other::forward(pawn_attacks::<S::Other>(enemy));
        let backward = (own & stop_guarded) - supported - isolated;
        let protected = own & pawn_attacks::<S>(own);
        let phalanx = own & beside(own);

        let mut score = w.doubled * count(own & ahead)
            + w.isolated * count(isolated)
            + w.backward * count(backward)
            + w.exposed * count((isolated | backward) - enemy_ahead)
            + w.protected * count(protected)
            + w.phalanx * count(phalanx);
        for square in passed {
            let steps = steps::<S>(square);
            score += w.passed[steps as usize];
            if (protected | phalanx).has(square) {
                score += w.connected_passed * steps;
            }
        }
        let secure = [Rank::Fourth, Rank::Fifth, Rank::Sixth]
            .into_iter()
            .fold(BitBoard::EMPTY, |set, rank| set | rank.relative_to(S::COLOR).bitboard());
        OneSide { score, passed, secure: secure - enemy_reach }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::built_in::BuiltIn;
    use crate::engine::evaluation::table::WEIGHTS;
    use crate::engine::test_boards::board;
    use cozy_chess::{Color, Piece};

    fn pawns(fen: &str) -> Pawns {
        let board = board(fen);
        Pawns::of(BuiltIn, Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn)))
    }

    #[test]
    fn sees_passed_pawns() {
        let passed = |fen| pawns(fen).passed;
        let white = Square::D5.bitboard();
        assert_eq!(passed("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1"), white);
        assert_eq!(passed("4k3/2p5/8/3P4/8/8/8/4K3 w - - 0 1"), BitBoard::EMPTY);
        assert_eq!(passed("4k3/3p4/8/3P4/8/8/8/4K3 w - - 0 1"), BitBoard::EMPTY);
        // Side by side, both pawns have passed. Of two pawns on a file the rear one does not count.
        let black = Square::C5.bitboard();
        assert_eq!(passed("4k3/8/8/2pP4/8/8/8/4K3 w - - 0 1"), white | black);
        assert_eq!(passed("4k3/8/8/3P4/3P4/8/8/4K3 w - - 0 1"), white);
    }

    #[test]
    fn likes_sound_structures() {
        let endgame = |fen| pawns(fen).score.eg();
        // Three pawns against three: sound ones, then doubled ones, then isolated ones.
        let sound = endgame("4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1");
        assert_eq!(sound, 0);
        assert!(endgame("4k3/ppp5/8/8/8/1P6/1PP5/4K3 w - - 0 1") < sound);
        assert!(endgame("4k3/ppp5/8/8/8/8/P1P1P3/4K3 w - - 0 1") < sound);
        // The e-pawn has gone ahead of the d-pawn. That hurts the d-pawn if Black's c-pawn guards
        // the square before it, and not if the black pawn stands a file further.
        let set = |squares: [Square; 2]| squares[0].bitboard() | squares[1].bitboard();
        let pawns = set([Square::D3, Square::E4]);
        let white = |black| OneSide::of::<White, _>(BuiltIn, pawns, set(black)).score;
        let backward = white([Square::C5, Square::D6]);
        let free = white([Square::B5, Square::D6]);
        assert_eq!(backward - free, WEIGHTS.backward);
    }

    #[test]
    fn knows_open_files_and_secure_squares() {
        let pawns = pawns("4k3/2p5/8/8/8/8/P7/4K3 w - - 0 1");
        assert_eq!(pawns.open_files, [!1, !4]);
        assert!(pawns.secure[0].has(Square::E5) && pawns.secure[0].has(Square::C6));
        assert!(!pawns.secure[0].has(Square::D6) && !pawns.secure[0].has(Square::D4));
        assert!(!pawns.secure[0].has(Square::E3), "not yet half across the board");
    }
}
