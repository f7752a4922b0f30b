//! Moves as people and programs write them, and as we write them.
//!
//! A move is read in standard algebraic notation, long or short, and in that of UCI. Many suites
//! and games write it with marks of their own: `e8(Q)`, `Rh1-h8`, `o-o`, `exd6 e.p.`, `Qxf7#!!`.

use crate::engine::{Board, Move};
use cozy_chess::util::{display_uci_move, parse_uci_move};
use cozy_chess::{Color, File, Piece, Rank, Square};

/// Marks behind a move that say nothing of it.
const MARKS: [char; 10] = ['!', '?', '+', '#', '†', '‡', '.', ',', ';', '*'];
/// Words behind a move that say nothing of it.
const WORDS: [&str; 5] = ["e.p", "ep", "mate", "ch", "dbl"];
/// The letters of figurines, and those that they stand for.
const FIGURINES: [(&str, char); 6] =
    [("♔♚", 'K'), ("♕♛", 'Q'), ("♖♜", 'R'), ("♗♝", 'B'), ("♘♞", 'N'), ("♙♟", 'P')];

/// Reads a legal move, in whatever way it is written; none if exactly one is not meant.
pub fn read_move(board: &Board, text: &str) -> Option<Move> {
    let word = plain(text);
    let read = castling(board, &word).or_else(|| squares(board, &word));
    read.or_else(|| Figure::read(&word)?.only(board)).or_else(|| {
        // A small `b` is a file, or else a bishop.
        let bishop = word.strip_prefix('b').map(|rest| format!("B{rest}"))?;
        Figure::read(&bishop)?.only(board)
    })
}

/// Reads a legal move in UCI notation; none if the text is not one.
pub fn parse_legal_move(board: &Board, text: &str) -> Option<Move> {
    let as_written = text.parse().ok().filter(|&mv| board.is_legal(mv));
    as_written.or_else(|| parse_uci_move(board, text).ok().filter(|&mv| board.is_legal(mv)))
}

/// A legal move in UCI notation. In a position of Chess960 a king that castles takes its rook: by
/// its two squares that could be taken for another move.
pub fn uci_text(board: &Board, mv: Move) -> String {
    if is_chess960(board) { mv.to_string() } else { display_uci_move(board, mv).to_string() }
}

/// Whether a position needs the rules of Chess960. It does if a king may castle that is not on the
/// e-file, or with a rook that is not in the corner.
pub fn is_chess960(board: &Board) -> bool {
    Color::ALL.into_iter().any(|colour| {
        let rights = board.castle_rights(colour);
        let corners = [(rights.short, File::H), (rights.long, File::A)];
        corners.into_iter().any(|(rook, corner)| {
            rook.is_some_and(|rook| rook != corner || board.king(colour).file() != File::E)
        })
    })
}

/// Whether a text stands for a move that nobody makes, as comments on games have them.
pub fn is_null_move(text: &str) -> bool {
    let word = text.trim_end_matches(MARKS);
    ["--", "Z0", "@@@@", "0000", "null", "pass", "<>"].iter().any(|n| word.eq_ignore_ascii_case(n))
}

/// Whether a word only says something of the move before it: `e.p.`, `+`, `!?`.
pub fn is_mark(text: &str) -> bool {
    let word = text.trim_end_matches(MARKS);
    word.is_empty() || WORDS.iter().any(|mark| word.eq_ignore_ascii_case(mark))
}

/// The word without the number of the move before it, without marks, and in letters of ASCII.
fn plain(text: &str) -> String {
    let mut word: String = text.chars().map(ascii).collect();
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if word[digits..].starts_with('.') {
        word = word[digits..].trim_start_matches('.').to_owned();
    }
    loop {
        let mut rest = word.trim_end_matches(MARKS);
        for mark in WORDS {
            // A mark stands behind a square or a piece, and no square ends with its letters.
            let before = rest.len().checked_sub(mark.len()).filter(|&at| rest.is_char_boundary(at));
            if let Some(at) = before.filter(|&at| at > 0 && rest[at..].eq_ignore_ascii_case(mark)) {
                rest = &rest[..at];
            }
        }
        if rest.len() == word.len() {
            return word;
        }
        word = rest.to_owned();
    }
}

fn ascii(c: char) -> char {
    match c {
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '×' => 'x',
        _ => FIGURINES.iter().find(|(all, _)| all.contains(c)).map_or(c, |(_, letter)| *letter),
    }
}

/// Castling by letters O, o or zeros, with or without hyphens.
fn castling(board: &Board, word: &str) -> Option<Move> {
    let ohs = word.chars().filter(|c| matches!(c, 'O' | 'o' | '0')).count();
    if word.chars().any(|c| !matches!(c, 'O' | 'o' | '0' | '-')) {
        return None;
    }
    let side = board.side_to_move();
    let rights = board.castle_rights(side);
    let rook = match ohs {
        2 => rights.short?,
        3 => rights.long?,
        _ => return None,
    };
    let (from, to) = (board.king(side), Square::new(rook, Rank::First.relative_to(side)));
    Some(Move { from, to, promotion: None }).filter(|&mv| board.is_legal(mv))
}

/// A move by its two squares: `e2e4`, `e2-e4`, `e7-e8=Q`.
fn squares(board: &Board, word: &str) -> Option<Move> {
    let word: String = word.chars().filter(|c| !"-x:=()/".contains(*c)).collect();
    // A king may castle by its two squares: `Ke1-g1`.
    let word = word.strip_prefix('K').filter(|rest| rest.len() == 4).unwrap_or(&word);
    if !word.starts_with(|c: char| ('a'..='h').contains(&c)) {
        return None;
    }
    parse_legal_move(board, &word.to_ascii_lowercase())
}

/// A move of standard algebraic notation, as far as it says which move it is.
struct Figure {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

impl Figure {
    fn read(word: &str) -> Option<Figure> {
        let mut word: Vec<char> = word.chars().filter(|c| !"-x:=()/".contains(*c)).collect();
        let piece = match *word.first()? {
            letter if "KQRBNPkqrn".contains(letter) => {
                word.remove(0);
                piece_of(letter)?
            }
            _ => Piece::Pawn,
        };
        let promotion = match word[..] {
            [.., rank, letter] if rank.is_ascii_digit() && "QRBNqrbn".contains(letter) => {
                word.pop();
                piece_of(letter)
            }
            _ => None,
        };
        let (before, to) = word.split_at(word.len().checked_sub(2)?);
        let to = to.iter().collect::<String>().parse().ok()?;
        let file = |c: char| File::try_from(c).ok();
        let rank = |c: char| Rank::try_from(c).ok();
        let (file, rank) = match *before {
            [] => (None, None),
            [only] if only.is_ascii_digit() => (None, Some(rank(only)?)),
            [only] => (Some(file(only)?), None),
            [first, second] => (Some(file(first)?), Some(rank(second)?)),
            _ => return None,
        };
        Some(Figure { piece, file, rank, to, promotion })
    }

    /// The only legal move that it can be. Castling is written in other ways.
    fn only(&self, board: &Board) -> Option<Move> {
        let mut found = Vec::new();
        if board.colors(board.side_to_move()).has(self.to) {
            return None;
        }
        board.generate_moves_for(board.pieces(self.piece), |moves| {
            found.extend(moves.into_iter().filter(|mv| {
                (mv.to, mv.promotion) == (self.to, self.promotion)
                    && self.file.is_none_or(|file| file == mv.from.file())
                    && self.rank.is_none_or(|rank| rank == mv.from.rank())
            }));
            false
        });
        match found[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

fn piece_of(letter: char) -> Option<Piece> {
    Piece::try_from(letter.to_ascii_lowercase()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, words: &[&str]) -> Vec<String> {
        let board = super::super::parse_game_fen(fen).expect("a position");
        let text = |word: &&str| {
            read_move(&board, word).map_or_else(|| "none".to_owned(), |mv| uci_text(&board, mv))
        };
        words.iter().map(text).collect()
    }

    #[test]
    fn a_move_may_be_written_in_many_ways() {
        let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
        let rook = [
            "Rh8", "Rh8+", "Rh8++!!", "Rh1-h8", "Rhh8", "R1h8", "rh8?!", "1.Rh8", "h1h8", "H1H8",
            "♖h8", "3...Rh8", "Rh1h8#", "Rh8ch", "Rh8.",
        ];
        for (word, mv) in rook.iter().zip(read(fen, &rook)) {
            let expected = if *word == "H1H8" { "none" } else { "h1h8" };
            assert_eq!(mv, expected, "{word}");
        }
        let castling = ["O-O", "o-o", "0-0", "O-O+", "OO", "00", "O–O", "e1g1", "e1h1", "Ke1-g1"];
        assert!(read(fen, &castling).iter().all(|mv| mv == "e1g1"));
        let none = ["O-O-O", "0000", "Kh1", "Rg9", "R", "", "e5", "Rh1", "Qh5", "é", "e2é4", "--"];
        assert!(read(fen, &none).iter().all(|mv| mv == "none"), "{:?}", read(fen, &none));
    }

    #[test]
    fn promotions_and_captures() {
        let fen = "3n4/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
        let queen =
            ["e8=Q", "e8Q", "e8q", "e8=q+", "e8(Q)", "e8/Q", "e7-e8=Q", "e7e8q", "e7e8Q", "Pe8=Q"];
        assert!(read(fen, &queen).iter().all(|mv| mv == "e7e8q"), "{:?}", read(fen, &queen));
        let knight = ["exd8=N", "ed8N", "e:d8(N)", "e7xd8/N", "exd8=n!"];
        assert!(read(fen, &knight).iter().all(|mv| mv == "e7d8n"), "{:?}", read(fen, &knight));
        assert_eq!(read(fen, &["e8", "e8=K", "exd8"]), ["none"; 3], "it is not said to what");
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let passant = ["exd6", "exd6e.p.", "ed6ep", "exd6/ep", "e5d6", "exd6!e.p."];
        assert!(read(fen, &passant).iter().all(|mv| mv == "e5d6"), "{:?}", read(fen, &passant));
    }

    #[test]
    fn what_may_be_two_moves_is_none() {
        let fen = "7k/8/8/1B6/8/1PP5/8/N3K3 w - - 0 1";
        assert_eq!(
            read(fen, &["Nc2", "bc4", "b4", "Bc4", "ba6"]),
            ["a1c2", "b5c4", "b3b4", "b5c4", "b5a6"]
        );
        assert_eq!(
            read("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", &["Rd1", "Rf1", "Ra2"]),
            ["a1d1", "h1f1", "a1a2"]
        );
        assert_eq!(read("4k3/8/8/8/8/8/8/R1K4R w - - 0 1", &["Rad1", "Rhd1"]), ["none", "h1d1"]);
        assert_eq!(
            read("4k3/8/8/8/R6R/8/8/4K3 w - - 0 1", &["Rd4", "Rad4", "Rh4d4"]),
            ["none", "a4d4", "h4d4"]
        );
    }

    #[test]
    fn a_king_of_chess960_takes_its_rook() {
        let fen = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
        assert_eq!(read(fen, &["O-O", "f1g1", "Kg2"]), ["f1g1", "f1g1", "f1g2"]);
    }

    #[test]
    fn marks_and_null_moves() {
        for word in ["e.p.", "+", "!?", "ep", "#"] {
            assert!(is_mark(word), "{word}");
        }
        assert!(!is_mark("e4") && !is_mark("#3"));
        for word in ["--", "Z0", "0000", "--!?", "null"] {
            assert!(is_null_move(word), "{word}");
        }
        assert!(!is_null_move("0-0"));
    }
}
