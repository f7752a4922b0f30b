//! An opening book in the Polyglot format.
//!
//! A book is a list of entries of 16 bytes, big-endian, in the order of their keys. An entry has
//! the key of a position (8 bytes), a move (2), its weight (2), and 4 bytes that nobody needs here.
//! Source: M. Van den Bergh, "Polyglot book format".

use cozy_chess::{Color, File, Piece, Rank, Square, get_pawn_attacks};
use polyglot_book_rs::hash::polyglot_hash;
use polyglot_book_rs::{BoardPosition, types};
use std::fs;
use ttd_search::engine::{Board, Move, random};

const ENTRY: usize = 16;
/// The greatest size of a book, bytes. Known books have less than a tenth of it.
const MOST_BYTES: u64 = 1 << 30;

/// A book that was read: whole entries in the order of their keys.
pub(super) struct Book {
    entries: Vec<u8>,
}

/// The answer of a book about a position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// The chosen move; none if no move of the book that may be made has a weight.
    pub(super) chosen: Option<Move>,
    /// The number of moves that are not legal in the position: the book is damaged, or the position
    /// has the key of another one.
    pub(super) illegal: usize,
}

impl Book {
    /// Reads a file.
    ///
    /// # Errors
    /// The reason why it is no book.
    pub(super) fn read(path: &str) -> Result<Book, String> {
        let about = fs::metadata(path).map_err(|why| format!("{path}: {why}"))?;
        if !about.is_file() || about.len() > MOST_BYTES {
            return Err(format!("{path}: a file of at most 1 GiB expected"));
        }
        let entries = fs::read(path).map_err(|why| format!("{path}: {why}"))?;
        Book::of(entries).map_err(|why| format!("{path}: {why}"))
    }

    /// The book that consists of these bytes.
    fn of(entries: Vec<u8>) -> Result<Book, String> {
        if entries.is_empty() || !entries.len().is_multiple_of(ENTRY) {
            let bytes = entries.len();
            return Err(format!("{bytes} bytes found, entries of 16 bytes expected"));
        }
        if !entries.chunks_exact(ENTRY).is_sorted_by_key(key_of) {
            return Err(
                "entries are not in the order of their keys: the book is damaged".to_owned()
            );
        }
        Ok(Book { entries })
    }

    /// The number of entries.
    pub(super) const fn len(&self) -> usize {
        self.entries.len() / ENTRY
    }

    /// Chooses a move by weight and by a random number. None if the book does not know the
    /// position. `among` are the moves that may be made.
    pub(super) fn answer(&self, board: &Board, among: &[Move], noise: u64) -> Option<Answer> {
        let (entries, _) = self.entries.as_chunks::<ENTRY>();
        let key = polyglot_hash(&Seen(board));
        let first = entries.partition_point(|entry| key_of(entry) < key);
        let known = entries[first..].iter().take_while(|entry| key_of(*entry) == key);
        let moves: Vec<Option<(Move, u64)>> = known.map(|entry| move_of(board, entry)).collect();
        if moves.is_empty() {
            return None;
        }
        let wanted = || moves.iter().flatten().filter(|(mv, _)| among.contains(mv));
        let sum: u64 = wanted().map(|(_, weight)| weight).sum();
        // A weight has 16 bits: the remainder is as good as even.
        let mut left = random(noise).checked_rem(sum).unwrap_or(0);
        let chosen = wanted().find(|(_, weight)| {
            let is_it = left < *weight;
            left = left.saturating_sub(*weight);
            is_it
        });
        let illegal = moves.iter().filter(|mv| mv.is_none()).count();
        Some(Answer { chosen: chosen.map(|(mv, _)| *mv), illegal })
    }
}

/// A board as the library with the keys asks for it.
struct Seen<'b>(&'b Board);

impl BoardPosition for Seen<'_> {
    fn piece_at(&self, square: u8) -> types::Piece {
        let square = Square::index(square.into());
        let letter = self.0.piece_on(square).map_or('.', char::from);
        let is_white = self.0.color_on(square) == Some(Color::White);
        types::Piece::from_char(if is_white { letter.to_ascii_uppercase() } else { letter })
    }

    fn is_white_to_move(&self) -> bool {
        self.0.side_to_move() == Color::White
    }

    fn castling_rights(&self) -> u8 {
        let [white, black] = Color::ALL.map(|color| *self.0.castle_rights(color));
        let rights = [white.short, white.long, black.short, black.long];
        (0..).zip(rights).map(|(bit, right)| u8::from(right.is_some()) << bit).sum()
    }

    /// The file counts only where a pawn stands ready to take, as the format has it.
    fn en_passant_file(&self) -> Option<u8> {
        let (file, own) = (self.0.en_passant()?, self.0.side_to_move());
        let behind = Square::new(file, Rank::Sixth.relative_to(own));
        let takers = get_pawn_attacks(behind, !own) & self.0.colored_pieces(own, Piece::Pawn);
        (!takers.is_empty()).then_some(file as u8)
    }
}

fn key_of(entry: impl AsRef<[u8]>) -> u64 {
    entry.as_ref().iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte))
}

/// The move of an entry and its weight, if the move is legal.
///
/// Castling is a king that takes its rook, as the library has it too. Some books write the square
/// on which the king arrives.
fn move_of(board: &Board, entry: &[u8; ENTRY]) -> Option<(Move, u64)> {
    let [bits, weight] = [8, 10].map(|at| u16::from_be_bytes([entry[at], entry[at + 1]]));
    let square = |from: u16| {
        let part = |from: u16| usize::from(bits >> from & 7);
        Square::new(File::index(part(from)), Rank::index(part(from + 3)))
    };
    let promotion = match bits >> 12 & 7 {
        0 => None,
        1 => Some(Piece::Knight),
        2 => Some(Piece::Bishop),
        3 => Some(Piece::Rook),
        4 => Some(Piece::Queen),
        _ => return None,
    };
    let mv = Move { from: square(6), to: square(0), promotion };
    let rook = match (mv.from.file(), mv.to.file()) {
        (File::E, File::G) => Some(File::H),
        (File::E, File::C) => Some(File::A),
        _ => None,
    };
    let castling = rook
        .filter(|_| board.piece_on(mv.from) == Some(Piece::King))
        .map(|file| Move { to: Square::new(file, mv.from.rank()), ..mv });
    let legal = [Some(mv), castling].into_iter().flatten().find(|mv| board.is_legal(*mv));
    legal.map(|mv| (mv, u64::from(weight)))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use ttd_search::engine::legal_moves;

    /// The bytes of a book with these moves: a position each, two squares and a promotion, and a
    /// weight.
    pub(in super::super) fn bytes(entries: &[(&Board, &str, u16)]) -> Vec<u8> {
        let mut all: Vec<(u64, u16, u16)> = entries
            .iter()
            .map(|(board, word, weight)| {
                let key = polyglot_hash(&Seen(board));
                let squares: Vec<u16> = word.bytes().take(4).map(u16::from).collect();
                let [a, b, c, d] = squares[..] else { panic!("{word}") };
                let promotion = word
                    .chars()
                    .nth(4)
                    .map_or(0, |piece| "nbrq".find(piece).expect("a piece") as u16 + 1);
                let (from, to) = ((a - 97) | (b - 49) << 3, (c - 97) | (d - 49) << 3);
                (key, to | from << 6 | promotion << 12, *weight)
            })
            .collect();
        all.sort_by_key(|(key, ..)| *key);
        let mut bytes = Vec::new();
        for (key, mv, weight) in all {
            bytes.extend(key.to_be_bytes());
            bytes.extend(mv.to_be_bytes());
            bytes.extend(weight.to_be_bytes());
            bytes.extend([0; 4]);
        }
        bytes
    }

    fn board(fen: &str) -> Board {
        fen.parse().expect("a FEN")
    }

    /// The answer among all legal moves.
    fn answer(of: &Book, board: &Board, noise: u64) -> Option<Answer> {
        of.answer(board, &legal_moves(board), noise)
    }

    fn book(entries: &[(&Board, &str, u16)]) -> Book {
        Book::of(bytes(entries)).unwrap_or_else(|why| panic!("{why}"))
    }

    /// The examples of the format's description.
    #[test]
    fn keys_are_those_of_the_format() {
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560_u64),
        ] {
            let mut there = Board::default();
            for word in moves.split_whitespace() {
                there.play(word.parse().expect("a move"));
            }
            assert_eq!(polyglot_hash(&Seen(&there)), key, "{moves}");
        }
    }

    #[test]
    fn moves_come_by_their_weights() {
        let start = Board::default();
        let of = book(&[(&start, "e2e4", 30), (&start, "d2d4", 10), (&start, "a2a3", 0)]);
        assert_eq!(of.len(), 3);
        let mut times = std::collections::BTreeMap::new();
        for noise in 0..4_000 {
            let answer = answer(&of, &start, noise).expect("known");
            assert_eq!(answer.illegal, 0);
            *times.entry(answer.chosen.expect("a move").to_string()).or_insert(0) += 1;
        }
        assert_eq!(times.keys().collect::<Vec<_>>(), ["d2d4", "e2e4"], "no weight, no game");
        assert!((2_850..3_150).contains(&times["e2e4"]), "{times:?}");
        assert_eq!(answer(&of, &start, 5), answer(&of, &start, 5));
        let none = answer(&book(&[(&start, "e2e4", 0)]), &start, 1).expect("known");
        assert_eq!(none.chosen, None);
        let after = board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
        assert_eq!(answer(&of, &after, 1), None);
    }

    #[test]
    fn moves_that_may_not_be_made_are_not_drawn() {
        let start = Board::default();
        let of = book(&[(&start, "e2e4", 60_000), (&start, "g1f3", 2), (&start, "b1c3", 1)]);
        let mv = |word: &str| word.parse::<Move>().expect("a move");
        let among = ["g1f3", "b1c3", "a2a3"].map(mv);
        let drawn = |noise| of.answer(&start, &among, noise).expect("known").chosen;
        let times = (0..300).filter(|&noise| drawn(noise) == Some(mv("g1f3"))).count();
        assert!((170..230).contains(&times), "{times}");
        assert!((0..300).all(|noise| drawn(noise).is_some_and(|mv| among.contains(&mv))));
        assert_eq!(of.answer(&start, &among[2..], 1).expect("known").chosen, None);
    }

    #[test]
    fn castling_and_promotions_are_read() {
        let castling = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for (word, mv) in [
            ("e1h1", "e1h1"),
            ("e1g1", "e1h1"),
            ("e1a1", "e1a1"),
            ("e1c1", "e1a1"),
            ("e1e2", "e1e2"),
        ] {
            let answer = answer(&book(&[(&castling, word, 1)]), &castling, 1).expect("known");
            assert_eq!(answer.chosen.map(|mv| mv.to_string()).as_deref(), Some(mv));
        }
        let rook = board("7k/8/8/8/8/8/8/4R1K1 w - - 0 1");
        let castled = answer(&book(&[(&rook, "e1c1", 1)]), &rook, 1).expect("known");
        assert_eq!(castled.chosen.map(|mv| mv.to_string()).as_deref(), Some("e1c1"));
        let pawn = board("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
        let promoted = answer(&book(&[(&pawn, "a7a8q", 1)]), &pawn, 1).expect("known");
        assert_eq!(promoted.chosen.map(|mv| mv.to_string()).as_deref(), Some("a7a8q"));
    }

    #[test]
    fn illegal_moves_are_counted_and_not_chosen() {
        let start = Board::default();
        let of = book(&[(&start, "e2e5", 60_000), (&start, "g1f3", 1), (&start, "e1g1", 9)]);
        for noise in 0..100 {
            let answer = answer(&of, &start, noise).expect("known");
            assert_eq!(answer.illegal, 2);
            assert_eq!(answer.chosen.map(|mv| mv.to_string()).as_deref(), Some("g1f3"));
        }
    }

    #[test]
    fn what_is_no_book_is_told() {
        let start = Board::default();
        let good = bytes(&[(&start, "e2e4", 1)]);
        let mut unsorted = good.clone();
        unsorted.extend([0; ENTRY]);
        for (bytes, why) in [
            (Vec::new(), "0 bytes found"),
            (good[..15].to_vec(), "15 bytes found, entries of 16 bytes expected"),
            (unsorted, "not in the order of their keys"),
        ] {
            assert!(Book::of(bytes).err().is_some_and(|told| told.contains(why)), "{why}");
        }
        for path in ["/", "no-such-book.bin"] {
            assert!(Book::read(path).err().is_some_and(|why| why.starts_with(path)), "{path}");
        }
        // Any bytes are a book or none, and never a fault.
        for noise in 0..200 {
            let mut bytes: Vec<u8> = good.repeat(3);
            for (place, byte) in bytes.iter_mut().enumerate().filter(|(place, _)| place % 16 > 7) {
                *byte = random(noise * 48 + place as u64) as u8;
            }
            let of = Book::of(bytes).unwrap_or_else(|why| panic!("{why}"));
            let chosen = answer(&of, &start, 1).expect("known").chosen;
            assert!(chosen.is_none_or(|mv| start.is_legal(mv)));
        }
    }
}
