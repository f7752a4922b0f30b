//! A chess position: the rules of cozy-chess, and sums for the evaluation that follow each move.

use super::evaluation::{PHASE, Taper, material_square};
use super::zobrist;
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves,
};

/// A chess position, cheap to copy. It knows no past: [`super::Path`] does.
///
/// ```
/// use ttd_search::engine::{Board, Position};
///
/// let start = Position::new(Board::default());
/// let after = start.after("e2e4".parse().map_err(|_| "no move")?);
/// assert!(!after.in_check() && after.key() != start.key());
/// let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
/// assert_eq!(after.board().to_string(), fen);
/// # Ok::<(), String>(())
/// ```
///
/// Invariant: pieces by square, sums and keys belong to `board`, and follow its moves. (To find the
/// piece on a square, the library asks one set after another.)
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    pieces: [Option<Piece>; 64],
    squares: Taper,
    phase: i32,
    pieces_key: u64,
    castling_key: u64,
    key: u64,
}

impl Position {
    /// The position on a board.
    pub fn new(board: Board) -> Position {
        let mut position = Position {
            pieces: [None; 64],
            squares: Taper::ZERO,
            phase: 0,
            pieces_key: 0,
            castling_key: zobrist::castling(&board),
            key: 0,
            board,
        };
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in position.board.colored_pieces(color, piece) {
                    position.place(color, piece, square);
                }
            }
        }
        position.finish_key();
        position
    }

    fn place(&mut self, color: Color, piece: Piece, square: Square) {
        self.pieces[square as usize] = Some(piece);
        self.squares += material_square(color, piece, square);
        self.phase += PHASE[piece as usize];
        self.pieces_key ^= zobrist::piece(color, piece, square);
    }

    fn lift(&mut self, color: Color, piece: Piece, square: Square) {
        self.pieces[square as usize] = None;
        self.squares -= material_square(color, piece, square);
        self.phase -= PHASE[piece as usize];
        self.pieces_key ^= zobrist::piece(color, piece, square);
    }

    fn finish_key(&mut self) {
        self.key = self.quiet_key(self.side_to_move()) ^ zobrist::en_passant(&self.board);
    }

    /// The key with `color` to move and without a capture en passant.
    fn quiet_key(&self, color: Color) -> u64 {
        let side = if color == Color::Black { zobrist::BLACK } else { 0 };
        self.pieces_key ^ self.castling_key ^ side
    }

    /// The pieces, the side to move, and the rights.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// A hash of everything that matters for the rest of the game. The en-passant file counts only
    /// where a pawn can take.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// This position under another key; positions after it have their usual keys. For a search of
    /// some of its moves alone, whose result is not true of the whole position.
    #[must_use]
    pub fn renamed(&self) -> Position {
        Position { key: self.key ^ zobrist::RENAMED, ..self.clone() }
    }

    /// The sum of [`material_square`] over all pieces.
    pub const fn squares(&self) -> Taper {
        self.squares
    }

    /// The sum of [`PHASE`] over all pieces: 24 at the start, 0 with kings and pawns alone.
    pub const fn phase(&self) -> i32 {
        self.phase
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// The number of moves of either side since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u8 {
        self.board.halfmove_clock()
    }

    /// The position after a legal move.
    #[must_use]
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// Makes a legal move. Apart from [`Position::after`], whose copy is then not moved.
    #[inline(never)]
    fn play(&mut self, mv: Move) {
        let color = self.side_to_move();
        let moved = self.moved(mv);
        let mut touches_rights = matches!(moved, Piece::King | Piece::Rook);
        let castling = self.is_castling(mv);
        let victim = self.victim(mv).filter(|_| !castling);
        self.lift(color, moved, mv.from);
        if castling {
            let rank = mv.from.rank();
            let (king, rook) =
                if mv.from.file() < mv.to.file() { (File::G, File::F) } else { (File::C, File::D) };
            self.lift(color, Piece::Rook, mv.to);
            self.place(color, Piece::King, Square::new(king, rank));
            self.place(color, Piece::Rook, Square::new(rook, rank));
        } else {
            if let Some((square, victim)) = victim {
                self.lift(!color, victim, square);
                touches_rights |= victim == Piece::Rook;
            }
            self.place(color, mv.promotion.unwrap_or(moved), mv.to);
        }
        self.board.play_unchecked(mv);
        if touches_rights && self.castling_key != 0 {
            self.castling_key = zobrist::castling(&self.board);
        }
        self.finish_key();
    }

    /// The position after passing; none in check.
    pub fn after_null(&self) -> Option<Position> {
        let board = self.board.null_move()?;
        let mut next = Position { board, ..self.clone() };
        next.finish_key();
        Some(next)
    }

    /// The likely key after a legal move, known before the move is made, to fetch the entry early.
    #[inline(always)]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let color = self.side_to_move();
        let moved = self.moved(mv);
        let mut key = self.quiet_key(!color)
            ^ zobrist::piece(color, moved, mv.from)
            ^ zobrist::piece(color, mv.promotion.unwrap_or(moved), mv.to);
        if self.board.colors(!color).has(mv.to)
            && let Some(victim) = self.piece_on(mv.to)
        {
            key ^= zobrist::piece(!color, victim, mv.to);
        }
        key
    }

    /// The key after passing.
    pub fn key_after_null(&self) -> u64 {
        self.quiet_key(!self.side_to_move())
    }

    /// The piece on a square, of either side.
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.pieces[square as usize]
    }

    /// The piece that a legal move moves.
    ///
    /// # Panics
    /// If there is none: the move is not legal here.
    pub fn moved(&self, mv: Move) -> Piece {
        self.piece_on(mv.from).expect("a legal move moves a piece")
    }

    /// The piece that a legal move takes, and its square: for en passant not the move's target.
    pub fn victim(&self, mv: Move) -> Option<(Square, Piece)> {
        let theirs = self.board.colors(!self.side_to_move());
        if theirs.has(mv.to) {
            return self.piece_on(mv.to).map(|piece| (mv.to, piece));
        }
        let en_passant = mv.from.file() != mv.to.file()
            && self.board.en_passant() == Some(mv.to.file())
            && self.board.pieces(Piece::Pawn).has(mv.from)
            && mv.to.rank() == Rank::Sixth.relative_to(self.side_to_move());
        en_passant.then(|| (Square::new(mv.to.file(), mv.from.rank()), Piece::Pawn))
    }

    /// Whether a legal move takes or promotes. All others are quiet.
    pub fn is_tactical(&self, mv: Move) -> bool {
        mv.promotion.is_some() || self.victim(mv).is_some()
    }

    /// Whether a legal move is castling (written as the king taking its own rook).
    pub fn is_castling(&self, mv: Move) -> bool {
        self.board.colors(self.side_to_move()).has(mv.to)
    }

    /// Whether the side to move has more than a king and pawns.
    pub fn has_pieces(&self) -> bool {
        let own = self.board.colors(self.side_to_move());
        let pawns_and_kings = self.board.pieces(Piece::Pawn) | self.board.pieces(Piece::King);
        !(own & !pawns_and_kings).is_empty()
    }

    /// Whether neither side can ever mate: bare kings, or one minor piece beside them.
    pub fn is_bare(&self) -> bool {
        let board = &self.board;
        let majors =
            board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        majors.is_empty() && board.occupied().len() <= 3
    }

    /// The squares on which the side to move gives check, and those from which a move uncovers one.
    #[inline(always)]
    pub fn checks(&self) -> Checks {
        let board = &self.board;
        let color = self.side_to_move();
        let king = board.king(!color);
        let occupied = board.occupied();
        let diagonal = get_bishop_moves(king, occupied);
        let straight = get_rook_moves(king, occupied);
        let own = board.colors(color);
        // Without our own pieces next to the king on each line, a piece behind them looks through.
        let through = occupied & !(own & (diagonal | straight));
        let queens = board.pieces(Piece::Queen);
        let snipers = own
            & ((get_bishop_moves(king, through)
                & !diagonal
                & (board.pieces(Piece::Bishop) | queens))
                | (get_rook_moves(king, through)
                    & !straight
                    & (board.pieces(Piece::Rook) | queens)));
        let mut uncovering = BitBoard::EMPTY;
        for sniper in snipers {
            uncovering |= get_between_rays(sniper, king) & own;
        }
        let pawn = get_pawn_attacks(king, !color);
        Checks { king, pawn, knight: get_knight_moves(king), diagonal, straight, uncovering }
    }

    /// Every piece of either side that attacks `square`, given the occupied squares.
    pub fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
        let queens = board.pieces(Piece::Queen);
        let diagonal = board.pieces(Piece::Bishop) | queens;
        let straight = board.pieces(Piece::Rook) | queens;
        let pawns = board.pieces(Piece::Pawn);
        (get_pawn_attacks(square, Color::White) & pawns & board.colors(Color::Black))
            | (get_pawn_attacks(square, Color::Black) & pawns & board.colors(Color::White))
            | (get_knight_moves(square) & board.pieces(Piece::Knight))
            | (get_king_moves(square) & board.pieces(Piece::King))
            | (get_bishop_moves(square, occupied) & diagonal)
            | (get_rook_moves(square, occupied) & straight)
    }
}

/// The squares that [`Position::checks`] finds.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    pawn: BitBoard,
    knight: BitBoard,
    diagonal: BitBoard,
    straight: BitBoard,
    uncovering: BitBoard,
}

impl Checks {
    /// Whether a move of `piece` gives check. For castling, en passant and promotions this is a
    /// guess: some of their checks are missed.
    pub fn given_by(&self, piece: Piece, mv: Move) -> bool {
        self.targets(mv.promotion.unwrap_or(piece), mv.from).has(mv.to)
    }

    /// The squares on which a `piece` that comes from `from` gives check.
    pub fn targets(&self, piece: Piece, from: Square) -> BitBoard {
        let direct = match piece {
            Piece::Pawn => self.pawn,
            Piece::Knight => self.knight,
            Piece::Bishop => self.diagonal,
            Piece::Rook => self.straight,
            Piece::Queen => self.diagonal | self.straight,
            Piece::King => BitBoard::EMPTY,
        };
        if self.uncovering.has(from) { direct | !get_line_rays(from, self.king) } else { direct }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::new(fen.parse().expect("a valid FEN"))
    }

    /// Checks that every position down to `depth` has the sums of a position set up anew.
    fn check_sums(position: &Position, depth: u8) {
        let fresh = Position::new(position.board().clone());
        assert_eq!(fresh.squares(), position.squares(), "{}", position.board());
        assert_eq!((fresh.phase(), fresh.key()), (position.phase(), position.key()));
        assert_eq!(fresh.pieces, position.pieces, "{}", position.board());
        if depth > 0 {
            position.board().generate_moves(|moves| {
                for mv in moves {
                    let next = position.after(mv);
                    let rights = next.castling_key == position.castling_key;
                    let simple = rights && zobrist::en_passant(next.board()) == 0;
                    let taken = position.victim(mv).is_none_or(|(square, _)| square == mv.to);
                    assert!(!simple || !taken || position.likely_key_after(mv) == next.key());
                    check_sums(&next, depth - 1);
                }
                false
            });
        }
    }

    #[test]
    fn sums_follow_the_moves() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            check_sums(&position(fen), 3);
        }
    }

    #[test]
    fn an_idle_en_passant_file_changes_nothing() {
        let pushed = position("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
        let quiet = position("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
        assert_eq!(pushed.key(), quiet.key());
        let takable = position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        let gone = position("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
        assert_ne!(takable.key(), gone.key());
    }

    #[test]
    fn checks_are_seen_before_the_move() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/8/4N3/8/8/4R3/8/4K3 w - - 0 1",
            "8/8/1k6/8/8/4P3/5B2/4K1Q1 w - - 0 1",
            "r2qk3/3p4/8/1B2n3/4R1b1/8/3Q4/4K3 w - - 0 1",
        ] {
            let position = position(fen);
            let checks = position.checks();
            position.board().generate_moves(|moves| {
                for mv in moves {
                    if !position.is_castling(mv) {
                        let given = position.after(mv).in_check();
                        assert_eq!(checks.given_by(moves.piece, mv), given, "{fen} {mv}");
                    }
                }
                false
            });
        }
    }

    #[test]
    fn bare_material() {
        assert!(position("4k3/8/8/8/8/8/8/4KN2 w - - 0 1").is_bare());
        assert!(!position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").is_bare());
        assert!(!position("4k1b1/8/8/8/8/8/8/4KN2 w - - 0 1").is_bare());
    }
}
