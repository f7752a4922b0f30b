//! One line of an EPD file, as suites have them.
//!
//! The fields of a position end at its first semicolon, or where a word is no counter. Moves may
//! stand behind them: `moves e2e4 e7e5`. Best moves are read as [`read_move`] does. A distance to
//! mate (`bm #4`) is no move, and asks for none.

use super::fen::MOVES;
use super::notation::{is_mark, read_move};
use super::test_position::{ReadFen, TestPosition};
use crate::engine::{Board, Move};

/// An operation of EPD: `bm Nd5 a4;`.
struct Operation {
    code: String,
    operands: Vec<String>,
}

/// A line that was read.
pub(super) struct Line {
    /// Its position, without a solution if there is a fault in that.
    pub(super) position: TestPosition,
    /// The fault of its best moves, if there is one.
    pub(super) unsolved: Option<String>,
}

/// Reads a line that is neither blank nor a comment. The error names the fault of the line.
pub(super) fn parse_line(read: ReadFen, text: &str, line: usize) -> Result<Line, String> {
    let (mut fields, rest) = split_fields(text);
    let (moves, rest) = split_moves(rest);
    let operations = parse_operations(rest)?;
    let count = |code: &str, default: &str| {
        let operation = operations.iter().find(|operation| operation.code == code);
        operation.map_or_else(|| default.to_owned(), |operation| operation.operands.concat())
    };
    if fields.len() == 4 {
        fields.push(count("hmvc", "0"));
    }
    if fields.len() == 5 {
        fields.push(count("fmvn", "1"));
    }
    if fields.len() < 4 {
        return Err(format!(
            "{} of a position's fields: expected four fields (pieces, side to move, castling, en \
             passant), or the six of a FEN",
            fields.len()
        ));
    }
    let board = read(&format!("{} {moves}", fields.join(" ")))?;
    let mut position = TestPosition {
        id: format!("line {line}"),
        line,
        best: Vec::new(),
        avoid: Vec::new(),
        tag: None,
        perft: Vec::new(),
        board,
    };
    let mut unsolved = None;
    for Operation { code, operands } in operations {
        match code.as_str() {
            "id" => position.id = words_of(&operands).unwrap_or(position.id),
            "tag" => position.tag = words_of(&operands),
            "bm" | "am" => {
                let moves = parse_moves(&position.board, &operands);
                let list = if code == "bm" { &mut position.best } else { &mut position.avoid };
                match moves {
                    Ok(moves) => list.extend(moves),
                    Err(word) => unsolved = Some(format!("{code}: `{word}`")),
                }
            }
            _ => position.perft.extend(parse_perft(&code, &operands)?),
        }
    }
    if unsolved.is_some() {
        position.best.clear();
        position.avoid.clear();
    }
    Ok(Line { position, unsolved })
}

/// The fields of the position, as many as there are, and the text of the operations.
fn split_fields(text: &str) -> (Vec<String>, &str) {
    let mut fields = Vec::new();
    let mut rest = text;
    while fields.len() < 7 {
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        let (field, behind) = rest.split_at(end);
        let is_counter = |c: char| c.is_ascii_digit() || c == '-' || c == '+';
        if field.is_empty() || (fields.len() >= 4 && !field.chars().all(is_counter)) {
            break;
        }
        fields.push(field.to_owned());
        // Words behind a semicolon are of no position.
        rest = behind.trim_start();
        if rest.starts_with(';') {
            break;
        }
    }
    (fields, rest)
}

/// The moves that stand right behind the fields, with the word before them, and the operations. The
/// moves end at a semicolon. An operation of that name has a number or a text behind it.
fn split_moves(text: &str) -> (&str, &str) {
    let is_move = |word: &str| !word.starts_with(|c: char| c == '"' || c.is_ascii_digit());
    match text.strip_prefix(MOVES) {
        Some(behind) if behind.split_whitespace().next().is_none_or(is_move) => {
            text.split_at(text.find(';').unwrap_or(text.len()))
        }
        _ => ("", text),
    }
}

/// Reads the operations. They are split at semicolons and spaces that are not between quotation
/// marks.
fn parse_operations(text: &str) -> Result<Vec<Operation>, String> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars().chain([';']) {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ';' if !quoted => {
                words.extend(word.take());
                let mut all = words.drain(..);
                if let Some(code) = all.next() {
                    operations.push(Operation { code, operands: all.collect() });
                }
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    if quoted {
        return Err("a quotation mark is not closed: expected a second one".to_owned());
    }
    Ok(operations)
}

/// The words of an operation, such as an id, if it has any.
fn words_of(operands: &[String]) -> Option<String> {
    let words = operands.join(" ").replace(char::is_control, " ");
    (!words.trim().is_empty()).then_some(words)
}

/// The moves of `bm` or `am`; the word that is no move, if there is one.
fn parse_moves(board: &Board, operands: &[String]) -> Result<Vec<Move>, String> {
    let words = operands.iter().flat_map(|operand| operand.split(','));
    let moves = words.filter(|word| !is_mark(word) && !is_distance(word) && !is_number(word));
    moves.map(|word| read_move(board, word).ok_or_else(|| word.to_owned())).collect()
}

/// Whether a word is the number of a move: `23.` before `Qh7`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a word is a distance to mate: `#4`, `#-4`, `+M4`.
fn is_distance(word: &str) -> bool {
    let signs = ['+', '-', '–'];
    let rest = word.trim_start_matches(signs);
    let number = rest.strip_prefix(['#', 'M', 'm']).map(|rest| rest.trim_start_matches(signs));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// The operation `D5 4865609` of perft suites; none for any other operation.
fn parse_perft(code: &str, operands: &[String]) -> Result<Option<(u8, u64)>, String> {
    let Some(depth) = code.strip_prefix('D').and_then(|depth| depth.parse().ok()) else {
        return Ok(None);
    };
    match operands {
        [leaves] => leaves.parse().map(|leaves| Some((depth, leaves))).map_err(|_| {
            format!("{code}: `{leaves}` found, a number of leaves expected, such as D1 20")
        }),
        _ => Err(format!("{code}: expected one number of leaves, such as D1 20")),
    }
}
