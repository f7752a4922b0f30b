//! Terms of kings and pawns: the shelter of a king, and its distance from passed pawns.

use super::built_in::Source;
use super::pawns::{Pawns, steps};
use super::side::{Black, Side, White, beside, count, distance};
use super::taper::Taper;
use crate::engine::generation::squares;
use cozy_chess::{BitBoard, Square};

/// The terms of the kings and pawns of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kings {
    /// Shelter, and distance from the passed pawns, White less Black.
    pub(super) score: Taper,
    /// By colour: the number of files, of the king and beside it, without a pawn of its own.
    pub(super) open_files: [u8; 2],
}

impl Kings {
    /// The terms, from the kings' squares and the pawns by colour.
    pub(super) fn of<W: Source>(
        w: W,
        kings: [Square; 2],
        pawns: [BitBoard; 2],
        of_pawns: &Pawns,
    ) -> Kings {
        let score = shelter::<White, W>(w, kings[0], pawns, of_pawns)
            - shelter::<Black, W>(w, kings[1], pawns, of_pawns)
            + races::<White, W>(w, kings, pawns, of_pawns)
            - races::<Black, W>(w, kings, pawns, of_pawns);
        let near = |king: usize| files_near(kings[king], of_pawns.open_files[king]) as u8;
        Kings { score, open_files: [near(0), near(1)] }
    }
}

/// The value of the pawns as a shelter of the king of side `S`, and of enemy pawns against it.
fn shelter<S: Side, W: Source>(
    w: W,
    king: Square,
    pawns: [BitBoard; 2],
    of_pawns: &Pawns,
) -> Taper {
    let [own, enemy] = [S::COLOR, S::Other::COLOR].map(|color| pawns[color as usize]);
    let first = S::forward(king.bitboard() | beside(king.bitboard()));
    let second = S::forward(first);
    let third = S::forward(second);
    let near = first | second | third | S::forward(third);
    let open = of_pawns.open_files[S::COLOR as usize];
    let without_any = open & of_pawns.open_files[S::Other::COLOR as usize];
    w.shield[0] * count(own & first)
        + w.shield[1] * count(own & second)
        + w.storm * count(enemy & near)
        + w.open_file[0] * files_near(king, open & !without_any)
        + w.open_file[1] * files_near(king, without_any)
}

/// The number of `files` that are the king's own or next to it.
fn files_near(king: Square, files: u8) -> i32 {
    (u32::from(files) << 1 >> king.file() as u32 & 0b111).count_ones() as i32
}

/// The value of the kings' distances from the passed pawns of side `S`.
fn races<S: Side, W: Source>(
    w: W,
    kings: [Square; 2],
    pawns: [BitBoard; 2],
    of_pawns: &Pawns,
) -> Taper {
    let [own, enemy] = [S::COLOR, S::Other::COLOR].map(|color| kings[color as usize]);
    let mut score = Taper::ZERO;
    for square in squares(of_pawns.passed & pawns[S::COLOR as usize]) {
        let Some(stop) = S::forward(square.bitboard()).next_square() else { continue };
        let weight = (steps::<S>(square) - 1).max(0);
        let steps =
            w.enemy_king_step * distance(stop, enemy) + w.own_king_step * distance(stop, own);
        score += steps * weight;
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::built_in::BuiltIn;
    use crate::engine::test_boards::board;
    use cozy_chess::{Color, Piece};

    fn kings(fen: &str) -> Kings {
        let board = board(fen);
        let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
        Kings::of(
            BuiltIn,
            Color::ALL.map(|color| board.king(color)),
            pawns,
            &Pawns::of(BuiltIn, pawns),
        )
    }

    #[test]
    fn a_king_likes_its_pawns_before_it() {
        let mg = |fen| kings(fen).score.mg();
        let home = mg("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1");
        let pushed = mg("6k1/5ppp/8/8/8/7P/5PP1/6K1 w - - 0 1");
        let gone = mg("6k1/5ppp/8/8/8/8/5PP1/6K1 w - - 0 1");
        assert_eq!(home, 0);
        assert!(home > pushed && pushed > gone);
        assert_eq!(kings("6k1/5ppp/8/8/8/8/5PP1/6K1 w - - 0 1").open_files, [1, 0]);
        // Beyond the edge there is no file to count.
        assert_eq!(kings("k7/8/8/8/8/8/8/7K w - - 0 1").open_files, [2, 2]);
    }

    #[test]
    fn a_king_escorts_its_pawn_and_stops_the_others() {
        let eg = |fen| kings(fen).score.eg();
        let escorted = eg("7k/8/2K5/3P4/8/8/8/8 w - - 0 1");
        let alone = eg("7k/8/8/3P4/8/8/8/K7 w - - 0 1");
        let stopped = eg("8/3k4/8/3P4/8/8/8/K7 w - - 0 1");
        assert!(escorted > alone && alone > stopped);
    }
}
