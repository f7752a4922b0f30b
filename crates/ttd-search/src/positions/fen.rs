//! FEN, with the reason why a text is not a position that can be searched.

use super::notation::{is_chess960, parse_legal_move};
use super::other_games;
use crate::engine::Board;
use cozy_chess::{Color, FenParseError, get_king_moves};

/// The greatest count of half moves without a capture that makes a difference: from there on, the
/// game is drawn.
const MOST_HALF_MOVES: u64 = 100;

/// The word before the moves that stand behind a FEN.
pub(super) const MOVES: &str = "moves";

/// Reads a FEN as a position that can be searched: legal, and with a legal move.
///
/// The forms of FEN are those of [`parse_game_fen`].
///
/// # Errors
/// The fault of the text, and a form that would be right.
pub fn parse_fen(fen: &str) -> Result<Board, String> {
    let board = parse_game_fen(fen)?;
    if board.generate_moves(|_| true) {
        return Ok(board);
    }
    let why = if board.checkers().is_empty() { "stalemate" } else { "checkmate" };
    Err(format!("no legal move (it is {why}): expected a position with moves to search"))
}

/// Reads a FEN as a position of a game, which may be its last one.
///
/// It has six fields, or four or five: then the counters that are missing are 0 and 1. The game is
/// chess or Chess960. Castling rights are in the form of X-FEN or Shredder-FEN. A move number 0 is
/// read as 1, and more than 100 half moves without a capture as 100.
///
/// Moves in UCI notation may stand behind it, as engines are told them: `... w - - 0 1 moves e2e4`.
/// Then the position is the one behind them.
///
/// # Errors
/// The fault of the text, and a form that would be right.
pub fn parse_game_fen(fen: &str) -> Result<Board, String> {
    let words: Vec<&str> = fen.split_whitespace().collect();
    let end = words.iter().position(|word| *word == MOVES).unwrap_or(words.len());
    let fields = fields_of(&words[..end])?;
    let castling: String = fields[2].chars().map(|right| rook_file(&fields[0], right)).collect();
    let mut board = read(&fields, &castling)?;
    for word in words.iter().skip(end + 1) {
        let mv = parse_legal_move(&board, word).ok_or_else(|| {
            let expected = "expected a legal move in UCI notation, such as e2e4";
            format!("{MOVES}: `{word}` found in {}: {expected}", fen_text(&board))
        })?;
        board.play_unchecked(mv);
    }
    Ok(board)
}

/// The FEN of a position; its castling rights are files of rooks where Chess960 needs that
/// (Shredder-FEN).
pub fn fen_text(board: &Board) -> String {
    if is_chess960(board) { format!("{board:#}") } else { board.to_string() }
}

/// The six fields of a FEN, with counters that the library takes. The pieces are checked one by
/// one, not together.
fn fields_of(words: &[&str]) -> Result<[String; 6], String> {
    if let Some(why) = other_games::of_fen(words) {
        return Err(why);
    }
    let (counters, found) = (words.get(4..).unwrap_or_default(), words.len());
    if !(4..=6).contains(&found) {
        let fields = if found == 1 { "field" } else { "fields" };
        let fen = words.join(" ");
        return Err(format!("{found} {fields} in `{fen}`: expected the six of a FEN"));
    }
    check_pieces(words[0])?;
    let counter = |at: usize, least: u64, most: u64| match counters.get(at) {
        None | Some(&"-") => least.to_string(),
        Some(text) if text.len() < 20 => text
            .parse()
            .map_or_else(|_| (*text).to_owned(), |n: u64| n.clamp(least, most).to_string()),
        Some(text) => (*text).to_owned(),
    };
    let (clock, number) = (counter(0, 0, MOST_HALF_MOVES), counter(1, 1, u16::MAX.into()));
    let [pieces, side, castling, passant] = [0, 1, 2, 3].map(|at| words[at].to_owned());
    Ok([pieces, side, castling, passant, clock, number])
}

/// The position of a FEN, with `castling` as its castling rights.
fn read(fields: &[String; 6], castling: &str) -> Result<Board, String> {
    let [pieces, side, _, passant, clock, number] = fields;
    let words = [pieces, side, castling, passant, clock, number].map(|word| word as &str).join(" ");
    let board: Board = words.parse().map_err(|e| explain(e, fields))?;
    // The library lets kings stand next to each other: chess does not.
    let kings = [Color::White, Color::Black].map(|colour| board.king(colour));
    if get_king_moves(kings[0]).has(kings[1]) {
        return Err("the kings stand next to each other: expected a position that can arise in a \
                    game of chess"
            .to_owned());
    }
    Ok(board)
}

/// A right to castle as the file of its rook. For `k` and `q` that is the outermost rook on that
/// side of the king (X-FEN).
fn rook_file(pieces: &str, right: char) -> char {
    let white = right.is_ascii_uppercase();
    let of_side = |piece: char| if white { piece } else { piece.to_ascii_lowercase() };
    let rank = if white { pieces.rsplit('/').next() } else { pieces.split('/').next() };
    let spread = |c: char| match c.to_digit(10) {
        Some(empty) => vec![' '; empty as usize],
        None => vec![c],
    };
    let squares: Vec<char> = rank.unwrap_or_default().chars().flat_map(spread).collect();
    let Some(king) = squares.iter().position(|&c| c == of_side('K')) else { return right };
    let is_rook = |&file: &usize| squares[file] == of_side('R');
    let file = match right.to_ascii_lowercase() {
        'k' => (king..squares.len()).rev().find(is_rook),
        'q' => (0..king).find(is_rook),
        _ => None,
    };
    file.map_or(right, |file| of_side((b'A' + file as u8) as char))
}

/// The name of a side, and the test whether a letter of a FEN is one of its pieces.
type Side = (&'static str, fn(char) -> bool);

const SIDES: [Side; 2] = [("white", char::is_uppercase), ("black", char::is_lowercase)];

fn check_pieces(pieces: &str) -> Result<(), String> {
    let ranks: Vec<&str> = pieces.split('/').collect();
    if ranks.len() != 8 {
        return Err(format!("{} ranks: expected 8, with a / between two", ranks.len()));
    }
    for (index, rank) in ranks.iter().enumerate() {
        let mut squares = 0;
        for c in rank.chars() {
            squares += match c {
                '1'..='8' => c as usize - '0' as usize,
                _ if "pnbrqkPNBRQK".contains(c) => 1,
                _ => return Err(format!("`{c}` is no piece: expected one of pnbrqkPNBRQK")),
            };
        }
        if squares != 8 {
            return Err(format!("rank {} has {squares} squares: expected 8", 8 - index));
        }
    }
    for (colour, king) in [("white", 'K'), ("black", 'k')] {
        match pieces.matches(king).count() {
            1 => {}
            0 => {
                let others = "antichess, horde and racing games are not known";
                return Err(format!("{colour} has no king: expected one ({others})"));
            }
            n => {
                let others = "antichess is not known";
                return Err(format!("{colour} has {n} kings: expected one ({others})"));
            }
        }
    }
    for (colour, is_ours) in SIDES {
        let men = pieces.chars().filter(|&c| is_ours(c)).count();
        let pawns = pieces.chars().filter(|&c| is_ours(c) && c.eq_ignore_ascii_case(&'p')).count();
        if men > 16 || pawns > 8 {
            return Err(format!(
                "{colour} has {men} men and {pawns} pawns: expected at most 16 and 8 (horde is \
                 not known)"
            ));
        }
    }
    for (colour, is_ours) in SIDES {
        // Pieces of a kind beyond the initial number are promoted pawns.
        let count = |piece: char| {
            pieces.chars().filter(|&c| is_ours(c) && c.eq_ignore_ascii_case(&piece)).count()
        };
        let promoted: usize = [('q', 1), ('r', 2), ('b', 2), ('n', 2)]
            .map(|(p, n)| count(p).saturating_sub(n))
            .iter()
            .sum();
        let missing = 8 - count('p');
        if promoted > missing {
            return Err(format!(
                "{colour} has {promoted} promoted men and {missing} pawns missing: expected no more \
                 promoted men than missing pawns"
            ));
        }
    }
    if [ranks[0], ranks[7]].iter().any(|rank| rank.contains(['p', 'P'])) {
        return Err("there is a pawn on the first or last rank: expected none".to_owned());
    }
    Ok(())
}

/// The library's name for a wrong field, as a sentence for the user.
fn explain(error: FenParseError, fields: &[String; 6]) -> String {
    let (what, field, expected) = match error {
        FenParseError::InvalidBoard => return explain_board(fields),
        FenParseError::InvalidSideToMove => ("the side to move", 1, "w or b"),
        FenParseError::InvalidCastlingRights => {
            let expected = "- or some of KQkq, each with a king and a rook on their first rank \
                            (or the files of rooks, such as HAha)";
            ("castling", 2, expected)
        }
        FenParseError::InvalidEnPassant => {
            ("en passant", 3, "- or the square behind a pawn that has just moved two squares")
        }
        FenParseError::InvalidHalfMoveClock => {
            ("the halfmove clock (hmvc)", 4, "a number such as 0")
        }
        FenParseError::InvalidFullmoveNumber => ("the move number (fmvn)", 5, "a number such as 1"),
        FenParseError::MissingField | FenParseError::TooManyFields => {
            return format!("{} fields: expected the six of a FEN", fields.len());
        }
    };
    format!("{what} is `{}`: expected {expected}", fields[field])
}

/// The reason why a board is refused although its pieces are right one by one: it lies with the
/// kings. A king can be taken if the position is legal with the other side to move.
fn explain_board(fields: &[String; 6]) -> String {
    let (mover, other) = if fields[1] == "w" { ("white", "b") } else { ("black", "w") };
    let turned = format!("{} {other} - - 0 1", fields[0]);
    if turned.parse::<Board>().is_ok() {
        format!(
            "{mover}, to move, can take the king: expected a position that can arise in a game of \
             chess"
        )
    } else {
        "no game can lead here (by its checks): expected a position that can arise in a game of \
         chess"
            .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_checked_before_anything_is_made_of_them() {
        // The file of this king is beyond every letter, and its number beyond a byte.
        let fen = format!("{}kr/8/8/8/8/8/8/4K3 b k - 0 1", "9".repeat(22));
        let refused = parse_game_fen(&fen).expect_err("too long a rank");
        assert!(refused.contains("`9` is no piece"), "{refused}");
    }

    #[test]
    fn rights_may_be_of_either_form() {
        let orthodox = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let shredder = orthodox.replace("KQkq", "HAha");
        for read in [parse_fen, parse_game_fen] {
            assert_eq!(read(&shredder), read(orthodox));
            // X-FEN means the outermost rook, whatever stands between.
            let inner = read("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1").expect("X-FEN");
            assert_eq!(format!("{inner:#}").split(' ').nth(2), Some("HA"));
            for wrong in ["Q", "H", "K"] {
                let fen = format!("4k3/8/8/8/8/8/8/4K1N1 w {wrong} - 0 1");
                assert!(read(&fen).is_err_and(|why| why.starts_with("castling is `")), "{wrong}");
            }
        }
    }

    #[test]
    fn moves_behind_a_fen_are_played() {
        let fen = "8/8/1P6/5pr1/8/4R3/7k/2K5 w - - 0 1";
        let behind = parse_fen(&format!("{fen} moves e3e2 h2h3")).expect("a position");
        assert_eq!(fen_text(&behind), "8/8/1P6/5pr1/8/7k/4R3/2K5 w - - 2 2");
        assert_eq!(parse_fen(&format!("{fen} moves")), parse_fen(fen));
        for wrong in ["e3e2 e2e3", "e3", "Re2", "c1c9"] {
            let refused = parse_fen(&format!("{fen} moves {wrong}")).expect_err("not legal");
            assert!(refused.starts_with("moves: `"), "{refused}");
        }
        // A game may end with its last move; nothing is searched there.
        let last = "7k/8/6K1/8/8/8/8/R7 w - - 0 1 moves a1a8";
        assert!(parse_game_fen(last).is_ok() && parse_fen(last).is_err());
    }

    #[test]
    fn rights_say_whether_it_is_chess960() {
        for (fen, is) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/1R2K1R1 w GBkq - 0 1", true),
            ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", true),
            ("4k3/8/8/8/8/8/8/3K3R w - - 0 1", false),
        ] {
            let board = parse_fen(fen).expect("a position");
            assert_eq!(is_chess960(&board), is, "{fen}");
            assert_eq!(parse_fen(&fen_text(&board)), Ok(board), "{fen}");
        }
    }

    #[test]
    fn counters_are_read_as_they_are_meant() {
        let counters = |words: &str| {
            let board = parse_fen(&format!("4k3/8/8/8/8/8/8/4K2R w K -{words}"));
            board.map(|board| (board.halfmove_clock(), board.fullmove_number()))
        };
        for (words, expected) in [
            ("", (0, 1)),
            (" 7", (7, 1)),
            (" 7 30", (7, 30)),
            (" 0 0", (0, 1)),
            (" 101 120", (100, 120)),
            (" 300 400", (100, 400)),
            (" 0 70000", (0, 65_535)),
            (" - -", (0, 1)),
            (" 00 01", (0, 1)),
        ] {
            assert_eq!(counters(words), Ok(expected), "{words}");
        }
        for (words, why) in [
            (" -1 5", "the halfmove clock (hmvc) is `-1`"),
            (" 0 x", "the move number (fmvn) is `x`"),
            (" 0 1 2", "7 fields"),
            (" 0 99999999999999999999999", "the move number (fmvn) is `9999"),
        ] {
            assert!(counters(words).is_err_and(|e| e.starts_with(why)), "{words}");
        }
    }
}
