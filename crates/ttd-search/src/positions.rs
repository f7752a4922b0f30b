//! Position sets: those built into the program, known by name, and EPD files of the user.
//!
//! | file | what it holds |
//! |---|---|
//! | `built_in` | the sets of the program |
//! | `set` | the positions of a set or file, and the lines that are none |
//! | `epd`, `fen` | one line of EPD; a FEN, or why it is none |
//! | `notation` | moves, in all the ways in which they are written |
//! | `other_games` | games that look like chess and have other rules |
//! | `test_position` | a position of a set, and its kind |
//! | `error` | the reasons why a set cannot be used |

mod built_in;
mod epd;
mod error;
mod fen;
mod notation;
mod other_games;
mod set;
mod test_position;
#[cfg(test)]
mod tests;

pub use built_in::{is_built_in, set_names};
pub use error::{BadLine, FileError, PositionsError};
pub use fen::{fen_text, is_chess960, parse_fen, parse_game_fen};
pub use notation::{is_mark, is_null_move, parse_legal_move, read_move, uci_text};
pub use other_games::{is_chess, other_game};
pub use set::{
    BadLines, PositionSet, load, load_set, open, parse, parse_by, parse_set, read_bytes, read_text,
    text_of,
};
pub use test_position::{ReadFen, TestPosition, tag};

use crate::value::nearest;

/// The full id of the position that a user means.
///
/// `wanted` is an id, the number of a position in its set (from 1), or a beginning that only one id
/// has.
///
/// # Errors
/// The forms that were expected, if it is none of these.
pub fn find_id(positions: &[TestPosition], wanted: &str) -> Result<String, String> {
    if positions.iter().any(|p| p.id == wanted) {
        return Ok(wanted.to_owned());
    }
    let count = positions.len();
    if let Ok(number) = wanted.parse::<usize>() {
        let position = number.checked_sub(1).and_then(|index| positions.get(index));
        return position
            .map(|p| p.id.clone())
            .ok_or_else(|| format!("there is no position {number}: expected 1 to {count}"));
    }
    let starts: Vec<_> = positions.iter().filter(|p| p.id.starts_with(wanted)).collect();
    match starts.as_slice() {
        [] => Err(match nearest(wanted, positions.iter().map(|p| p.id.as_str())) {
            Some(near) => format!("there is no position `{wanted}`: did you mean `{near}`?"),
            None => format!(
                "there is no position `{wanted}`: expected an id such as `{}`, or a number from 1 \
                 to {count}",
                positions.first().map_or("", |p| &p.id)
            ),
        }),
        [one] => Ok(one.id.clone()),
        [first, second, ..] => Err(format!(
            "`{wanted}` is the beginning of more than one id: `{}`, `{}`",
            first.id, second.id
        )),
    }
}
