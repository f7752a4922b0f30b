//! One line of an EPD file.

use super::test_position::{ReadFen, TestPosition};
use crate::engine::{Board, Move};
use cozy_chess::util::{parse_san_move, parse_uci_move};
use std::ops::RangeInclusive;

/// An operation of EPD: `bm Nd5 a4;`.
struct Operation {
    code: String,
    operands: Vec<String>,
}

/// Reads a line that is neither blank nor a comment. The error names the fault of the line.
pub(super) fn parse_line(read: ReadFen, text: &str, line: usize) -> Result<TestPosition, String> {
    let (fields, rest) = split_fields(text)?;
    let operations = parse_operations(rest)?;
    let mut fen = fields.join(" ");
    if fields.len() == 4 {
        let clock = number_of(&operations, "hmvc", 0..=100)?.unwrap_or(0);
        let moves = number_of(&operations, "fmvn", 1..=u16::MAX)?.unwrap_or(1);
        fen = format!("{fen} {clock} {moves}");
    }
    let board = read(&fen)?;
    let mut position = TestPosition {
        id: format!("line {line}"),
        line,
        best: Vec::new(),
        avoid: Vec::new(),
        perft: Vec::new(),
        board,
    };
    for Operation { code, operands } in operations {
        match code.as_str() {
            "id" => position.id = check_id(operands.join(" "))?,
            "bm" => position.best = parse_moves(&position.board, &code, &operands)?,
            "am" => position.avoid = parse_moves(&position.board, &code, &operands)?,
            _ => position.perft.extend(parse_perft(&code, &operands)?),
        }
    }
    Ok(position)
}

/// The four or six fields of the position, and the text of the operations.
fn split_fields(text: &str) -> Result<(Vec<&str>, &str), String> {
    let mut fields = Vec::new();
    let mut rest = text;
    while fields.len() < 6 {
        let (field, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let is_number = field.bytes().all(|b| b.is_ascii_digit());
        if field.is_empty() || (fields.len() >= 4 && !is_number) {
            break;
        }
        fields.push(field);
        rest = behind.trim_start();
    }
    match fields.len() {
        4 | 6 => Ok((fields, rest)),
        found => Err(format!(
            "{found} of a position's fields: expected four fields (pieces, side to move, castling, \
             en passant), or the six of a FEN"
        )),
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

fn number_of(
    operations: &[Operation],
    code: &str,
    range: RangeInclusive<u16>,
) -> Result<Option<u16>, String> {
    let Some(operation) = operations.iter().find(|o| o.code == code) else { return Ok(None) };
    let text = operation.operands.concat();
    match text.parse() {
        Ok(n) if range.contains(&n) => Ok(Some(n)),
        _ => {
            let (least, most) = range.into_inner();
            Err(format!("{code}: `{text}` found, a number from {least} to {most} expected"))
        }
    }
}

fn check_id(id: String) -> Result<String, String> {
    if id.trim().is_empty() || id.chars().any(char::is_control) {
        return Err("id: expected a text, in quotation marks if it holds spaces".to_owned());
    }
    Ok(id)
}

fn parse_moves(board: &Board, code: &str, operands: &[String]) -> Result<Vec<Move>, String> {
    operands
        .iter()
        .map(|text| {
            parse_move(board, text).ok_or_else(|| {
                format!("{code}: `{text}` is no legal move here: expected one such as Nf3 or g1f3")
            })
        })
        .collect()
}

/// Reads a legal move in standard algebraic or UCI notation.
pub(super) fn parse_move(board: &Board, text: &str) -> Option<Move> {
    let text = text.trim_end_matches(['!', '?']);
    let san = if text.starts_with("0-0") { text.replace('0', "O") } else { text.to_owned() };
    parse_san_move(board, &san).ok().or_else(|| parse_legal_move(board, text))
}

/// Reads a legal move in UCI notation; none if the text is not one.
pub fn parse_legal_move(board: &Board, text: &str) -> Option<Move> {
    parse_uci_move(board, text).ok().filter(|&mv| board.is_legal(mv))
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
