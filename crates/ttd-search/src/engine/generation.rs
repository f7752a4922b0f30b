//! Moves by kind: captures and promotions apart from quiet moves.
//!
//! A search that ends a node with the first kind never makes the second.
//!
//! The rules are those of cozy-chess, which also generates the moves of a side in check. All other
//! moves are made here from its attack tables. Only the steps of a king are not proved to be legal.
//! Each is proved when its turn comes ([`is_proved`]); most never come.
//!
//! Walks over sets of squares, packed moves and counts of leaves are here too.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, PieceMoves, Rank, Square, get_between_rays,
    get_bishop_moves, get_bishop_rays, get_king_moves, get_knight_moves, get_line_rays,
    get_pawn_attacks, get_pawn_quiets, get_rook_moves, get_rook_rays,
};

/// Hands `listener` the captures of `victims` (pieces of the side not to move) and all promotions.
///
/// Captures en passant are among them if `victims` has a pawn. The moves of a king still have to be
/// proved by [`is_proved`].
pub(super) fn tactical_moves(
    board: &Board,
    victims: BitBoard,
    mut listener: impl FnMut(PieceMoves),
) {
    let color = board.side_to_move();
    let last_rank = Rank::Eighth.relative_to(color).bitboard();
    let in_passing = if victims.is_disjoint(board.pieces(Piece::Pawn)) {
        BitBoard::EMPTY
    } else {
        en_passant_target(board)
    };
    if !board.checkers().is_empty() {
        board.generate_moves(|mut moves| {
            let pawn = moves.piece == Piece::Pawn;
            moves.to &= if pawn { victims | last_rank | in_passing } else { victims };
            if !moves.is_empty() {
                listener(moves);
            }
            false
        });
        return;
    }
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let seventh = pawns & Rank::Seventh.relative_to(color).bitboard();
    for from in squares(seventh | (pawns & attacked_by_pawns(victims, !color))) {
        let to = (get_pawn_attacks(from, color) & (victims | board.colors(!color) & last_rank))
            | (get_pawn_quiets(from, color, board.occupied()) & last_rank);
        let to = to & free_line(board, from);
        if !to.is_empty() {
            listener(PieceMoves { piece: Piece::Pawn, from, to });
        }
    }
    for to in in_passing {
        for from in get_pawn_attacks(to, !color) & pawns {
            if board.is_legal(Move { from, to, promotion: None }) {
                listener(PieceMoves { piece: Piece::Pawn, from, to: to.bitboard() });
            }
        }
    }
    if !victims.is_empty() {
        moves_of_pieces(board, victims, &mut listener);
    }
}

/// Hands `listener` the moves that neither take nor promote, castling included.
///
/// The moves of a king still have to be proved by [`is_proved`].
pub(super) fn quiet_moves(board: &Board, mut listener: impl FnMut(PieceMoves)) {
    let color = board.side_to_move();
    let occupied = board.occupied();
    let last_rank = Rank::Eighth.relative_to(color).bitboard();
    if !board.checkers().is_empty() {
        let taken = board.colors(!color);
        board.generate_moves(|mut moves| {
            moves.to &= !taken;
            if moves.piece == Piece::Pawn {
                // A pawn that leaves its file for an empty square takes en passant.
                moves.to &= !last_rank & moves.from.file().bitboard();
            }
            if !moves.is_empty() {
                listener(moves);
            }
            false
        });
        return;
    }
    for from in squares(board.colored_pieces(color, Piece::Pawn)) {
        let to = get_pawn_quiets(from, color, occupied) & !last_rank & free_line(board, from);
        if !to.is_empty() {
            listener(PieceMoves { piece: Piece::Pawn, from, to });
        }
    }
    moves_of_pieces(board, !occupied, &mut listener);
    let (king, home) = (board.king(color), Rank::First.relative_to(color));
    let rights = board.castle_rights(color);
    let mut rooks = BitBoard::EMPTY;
    for file in [rights.short, rights.long].into_iter().flatten() {
        let rook = Square::new(file, home);
        if (get_between_rays(king, rook) & occupied).is_empty() {
            rooks |= rook.bitboard();
        }
    }
    if !rooks.is_empty() {
        listener(PieceMoves { piece: Piece::King, from: king, to: rooks });
    }
}

/// Whether a generated move is legal.
pub(super) fn is_proved(board: &Board, mv: Move) -> bool {
    mv.from != board.king(board.side_to_move()) || board.is_legal(mv)
}

/// The moves of all pieces but pawns onto `targets`; the side is not in check.
fn moves_of_pieces(board: &Board, targets: BitBoard, listener: &mut impl FnMut(PieceMoves)) {
    let color = board.side_to_move();
    let occupied = board.occupied();
    let own = |piece| board.colored_pieces(color, piece);
    let mut hand = |piece, from, to: BitBoard| {
        if !to.is_empty() {
            listener(PieceMoves { piece, from, to });
        }
    };
    for from in squares(own(Piece::Knight) - board.pinned()) {
        hand(Piece::Knight, from, get_knight_moves(from) & targets);
    }
    // A look along the rays first saves most lookups when there are few targets.
    for from in squares(own(Piece::Bishop)) {
        if !(get_bishop_rays(from) & targets).is_empty() {
            let to = get_bishop_moves(from, occupied) & targets;
            hand(Piece::Bishop, from, to & free_line(board, from));
        }
    }
    for from in squares(own(Piece::Rook)) {
        if !(get_rook_rays(from) & targets).is_empty() {
            let to = get_rook_moves(from, occupied) & targets;
            hand(Piece::Rook, from, to & free_line(board, from));
        }
    }
    for from in squares(own(Piece::Queen)) {
        if !((get_bishop_rays(from) | get_rook_rays(from)) & targets).is_empty() {
            let moves = get_bishop_moves(from, occupied) | get_rook_moves(from, occupied);
            hand(Piece::Queen, from, moves & targets & free_line(board, from));
        }
    }
    let king = board.king(color);
    hand(Piece::King, king, get_king_moves(king) & targets);
}

/// The squares that pawns of `color` on `squares` would attack.
fn attacked_by_pawns(squares: BitBoard, color: Color) -> BitBoard {
    let left = (squares - File::A.bitboard()).0;
    let right = (squares - File::H.bitboard()).0;
    BitBoard(match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// The squares to which a piece may go without uncovering its king.
fn free_line(board: &Board, from: Square) -> BitBoard {
    if board.pinned().has(from) {
        get_line_rays(board.king(board.side_to_move()), from)
    } else {
        BitBoard::FULL
    }
}

/// The square onto which a pawn would take en passant.
fn en_passant_target(board: &Board) -> BitBoard {
    board.en_passant().map_or(BitBoard::EMPTY, |file| {
        file.bitboard() & Rank::Sixth.relative_to(board.side_to_move()).bitboard()
    })
}

/// The number of sequences of `depth` legal moves. The last move is counted, not made.
///
/// ```
/// use ttd_search::engine::{Board, perft};
/// assert_eq!(perft(&Board::default(), 4), 197_281);
/// ```
pub fn perft(board: &Board, depth: u8) -> u64 {
    let mut leaves = 0;
    match depth {
        0 => leaves = 1,
        1 => {
            board.generate_moves(|moves| {
                leaves += moves.len() as u64;
                false
            });
        }
        _ => {
            board.generate_moves(|moves| {
                for mv in moves {
                    // The example of cozy-chess copies the board like this: a position that a
                    // function returns would be copied once more.
                    let mut board = board.clone();
                    board.play_unchecked(mv);
                    leaves += perft(&board, depth - 1);
                }
                false
            });
        }
    }
    leaves
}

/// All legal moves, as they are generated.
pub fn legal_moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// Every legal move and the position after it, in the order in which moves are generated.
pub fn successors(board: &Board) -> Vec<(Move, Board)> {
    let after = |mv: Move| {
        let mut board = board.clone();
        board.play_unchecked(mv);
        (mv, board)
    };
    legal_moves(board).into_iter().map(after).collect()
}

/// The squares of a set, lowest first. The library's own iterator does this too, but checks at each
/// step that a square's number is valid.
pub(super) fn squares(set: BitBoard) -> impl Iterator<Item = Square> {
    let mut left = set.0;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let lowest = left.trailing_zeros() as usize & 63;
        left &= left - 1;
        Some(Square::index(lowest))
    })
}

/// The number of bits that [`pack_move`] uses.
pub(super) const MOVE_BITS: u32 = 15;

/// A move, or 0 for none, in the lowest bits.
pub(super) fn pack_move(best: Option<Move>) -> u16 {
    best.map_or(0, |mv| {
        mv.from as u16 | (mv.to as u16) << 6 | mv.promotion.map_or(0, |piece| piece as u16) << 12
    })
}

/// The move from the bits of [`pack_move`].
pub(super) fn unpack_move(bits: u16) -> Option<Move> {
    (bits != 0).then(|| Move {
        from: Square::index(usize::from(bits & 63)),
        to: Square::index(usize::from(bits >> 6 & 63)),
        promotion: Piece::try_index(usize::from(bits >> 12)).filter(|&p| p != Piece::Pawn),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Position;
    use crate::engine::test_boards::{from_random_play, from_sets, legal_moves};
    use std::collections::BTreeSet;

    #[test]
    fn both_kinds_together_are_the_legal_moves() {
        for board in from_sets().iter().chain(&from_random_play()) {
            let position = Position::new(board.clone());
            let mut generated = Vec::new();
            let enemies = board.colors(!board.side_to_move());
            tactical_moves(board, enemies, |moves| {
                generated.extend(moves.into_iter().map(|mv| (mv, true)));
            });
            quiet_moves(board, |moves| generated.extend(moves.into_iter().map(|mv| (mv, false))));
            generated.retain(|&(mv, _)| is_proved(board, mv));
            for &(mv, tactical) in &generated {
                assert_eq!(position.is_tactical(mv), tactical, "{board} {mv}");
            }
            let moves: BTreeSet<_> = generated.iter().map(|(mv, _)| mv.to_string()).collect();
            let legal: BTreeSet<_> = legal_moves(board).iter().map(Move::to_string).collect();
            assert_eq!(moves, legal, "{board}");
            assert_eq!(generated.len(), legal.len(), "{board}: each once");
        }
    }

    #[test]
    fn only_the_victims_asked_for_are_taken() {
        for board in from_sets() {
            let position = Position::new(board.clone());
            let enemies = board.colors(!board.side_to_move());
            for piece in Piece::ALL {
                let victims = enemies & board.pieces(piece);
                let mut taken = BTreeSet::new();
                tactical_moves(&board, victims, |moves| {
                    let proved = moves.into_iter().filter(|&mv| is_proved(&board, mv));
                    taken.extend(
                        proved.filter(|mv| mv.promotion.is_none()).map(|mv| mv.to_string()),
                    );
                });
                let expected: BTreeSet<_> = legal_moves(&board)
                    .into_iter()
                    .filter(|mv| mv.promotion.is_none())
                    .filter(|&mv| position.victim(mv).is_some_and(|(_, victim)| victim == piece))
                    .map(|mv| mv.to_string())
                    .collect();
                assert_eq!(taken, expected, "{board} {piece:?}");
            }
        }
    }

    #[test]
    fn walks_as_the_library_does() {
        for set in [0, 1, 0x8000_0000_0000_0001, 0x00ff_3c18_8001_ff00, u64::MAX] {
            let set = BitBoard(set);
            assert!(squares(set).eq(set));
        }
    }
}
