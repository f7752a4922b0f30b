//! FEN, with the reason why a text is not a position that can be searched.

use crate::engine::Board;
use cozy_chess::{Color, FenParseError, File, get_king_moves};

/// Reads a FEN as a position that can be searched: legal, and with a legal move.
///
/// It has six fields, or four: then the counters are 0 and 1.
///
/// # Errors
/// The fault of the text, and a form that would be right.
pub fn parse_fen(fen: &str) -> Result<Board, String> {
    let fields = six_fields(fen)?;
    let board = read(&fields, fields[2])?;
    if fields[2].contains(|right| !"KQkq-".contains(right)) {
        return Err(explain(FenParseError::InvalidCastlingRights, &fields));
    }
    // The library lets a king castle from any file: here only the e-file is allowed.
    for colour in Color::ALL {
        let rights = board.castle_rights(colour);
        if (rights.short.is_some() || rights.long.is_some()) && board.king(colour).file() != File::E
        {
            return Err(explain(FenParseError::InvalidCastlingRights, &fields));
        }
    }
    if board.generate_moves(|_| true) {
        return Ok(board);
    }
    let why = if board.checkers().is_empty() { "stalemate" } else { "checkmate" };
    Err(format!("no legal move (it is {why}): expected a position with moves to search"))
}

/// Reads a FEN as a position of a game, which may be its last one.
///
/// The game is chess or Chess960. Castling rights are in the form of X-FEN or Shredder-FEN.
///
/// # Errors
/// The fault of the text, and a form that would be right.
pub fn parse_game_fen(fen: &str) -> Result<Board, String> {
    let fields = six_fields(fen)?;
    let castling: String = fields[2].chars().map(|right| rook_file(fields[0], right)).collect();
    read(&fields, &castling)
}

/// The six fields of a FEN. The pieces are checked one by one, not together.
fn six_fields(fen: &str) -> Result<Vec<&str>, String> {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    match fields.len() {
        4 => fields.extend(["0", "1"]),
        6 => {}
        found => return Err(format!("{found} fields in `{fen}`: expected the six of a FEN")),
    }
    check_pieces(fields[0])?;
    Ok(fields)
}

/// The position of a FEN, with `castling` as its castling rights.
fn read(fields: &[&str], castling: &str) -> Result<Board, String> {
    let words = [fields[0], fields[1], castling, fields[3], fields[4], fields[5]].join(" ");
    let board: Board = words.parse().map_err(|e| explain(e, fields))?;
    // The library lets kings stand next to each other: chess does not.
    let kings = [Color::White, Color::Black].map(|colour| board.king(colour));
    if get_king_moves(kings[0]).has(kings[1]) {
        return Err("the kings stand next to each other: expected a position that can arise in a \
                    game"
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
            0 => return Err(format!("{colour} has no king: expected one")),
            n => return Err(format!("{colour} has {n} kings: expected one")),
        }
    }
    for (colour, is_ours) in SIDES {
        let men = pieces.chars().filter(|&c| is_ours(c)).count();
        let pawns = pieces.chars().filter(|&c| is_ours(c) && c.eq_ignore_ascii_case(&'p')).count();
        if men > 16 || pawns > 8 {
            return Err(format!(
                "{colour} has {men} men and {pawns} pawns: expected at most 16 and 8"
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
fn explain(error: FenParseError, fields: &[&str]) -> String {
    let (what, field, expected) = match error {
        FenParseError::InvalidBoard => return explain_board(fields),
        FenParseError::InvalidSideToMove => ("the side to move", 1, "w or b"),
        FenParseError::InvalidCastlingRights => {
            ("castling", 2, "- or some of KQkq, each with its king and rook on their first squares")
        }
        FenParseError::InvalidEnPassant => {
            ("en passant", 3, "- or the square behind a pawn that has just moved two squares")
        }
        FenParseError::InvalidHalfMoveClock => {
            ("the halfmove clock (hmvc)", 4, "a number from 0 to 100")
        }
        FenParseError::InvalidFullmoveNumber => {
            ("the move number (fmvn)", 5, "a number from 1 to 65535")
        }
        FenParseError::MissingField | FenParseError::TooManyFields => {
            return format!("{} fields: expected the six of a FEN", fields.len());
        }
    };
    format!("{what} is `{}`: expected {expected}", fields[field])
}

/// The reason why a board is refused although its pieces are right one by one: it lies with the
/// kings. A king can be taken if the position is legal with the other side to move.
fn explain_board(fields: &[&str]) -> String {
    let (mover, other) = if fields[1] == "w" { ("white", "b") } else { ("black", "w") };
    let turned = format!("{} {other} - - 0 1", fields[0]);
    if turned.parse::<Board>().is_ok() {
        format!("{mover}, to move, can take the king: expected a position that can arise in a game")
    } else {
        "no game can lead here (by its checks): expected a position that can arise in a game"
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
    fn rights_of_a_game_may_be_of_either_form() {
        let orthodox = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let shredder = orthodox.replace("KQkq", "HAha");
        assert_eq!(parse_game_fen(orthodox), parse_fen(orthodox));
        assert_eq!(parse_game_fen(&shredder), parse_fen(orthodox));
        assert!(parse_fen(&shredder).is_err_and(|why| why.contains("castling is `HAha`")));
        // X-FEN means the outermost rook, whatever stands between.
        let inner = parse_game_fen("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1").expect("X-FEN");
        assert_eq!(format!("{inner:#}").split(' ').nth(2), Some("HA"));
    }
}
