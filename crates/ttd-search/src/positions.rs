//! Position sets: those built into the program, known by name, and EPD files of the user.

mod epd;
mod fen;
mod test_position;

pub use epd::parse_legal_move;
pub use fen::{parse_fen, parse_game_fen};
pub use test_position::{ReadFen, TestPosition};

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The sets built into the program: the name, and the text of the EPD file.
const SETS: [(&str, &str); 7] = [
    ("bratko-kopec", include_str!("../../../positions/bratko-kopec.epd")),
    ("hyatt-dts", include_str!("../../../positions/hyatt-dts.epd")),
    ("middlegames", include_str!("../../../positions/middlegames.epd")),
    ("openings-8moves", include_str!("../../../positions/openings-8moves.epd")),
    ("perft", include_str!("../../../positions/perft.epd")),
    ("recursive-splitting", include_str!("../../../positions/recursive-splitting.epd")),
    ("win-at-chess", include_str!("../../../positions/win-at-chess.epd")),
];

/// The reason why a position set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PositionsError {
    /// The name is neither a set of the program nor a file.
    #[error(
        "there is no position set `{name}`: expected {}, or the path of an EPD file",
        set_names().join(", ")
    )]
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// The name looks like a path, and there is no file at it.
    #[error(
        "there is no file `{path}`: expected the path of an EPD file, or one of {}",
        set_names().join(", ")
    )]
    Missing {
        /// The path.
        path: String,
    },
    /// The file cannot be read, or a line is not a position, or not one that can be searched.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file has no position: comments and blank lines at most.
    #[error("{0}: there is no position in it")]
    Empty(String),
}

/// The reason why a text file of a user cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A line has something that does not belong there.
    #[error("{file}:{line}: {what}")]
    Line {
        /// The path of the file, or the name of a set of positions.
        file: String,
        /// The number of the line, from 1.
        line: usize,
        /// The fault of the line, and a form that would be right.
        what: String,
    },
}

impl PositionsError {
    /// The error for a name that a user has given, and the path at which no file was found.
    pub fn not_found(said: &str, path: &str) -> PositionsError {
        let has_extension =
            Path::new(said).extension().is_some_and(|e| e.eq_ignore_ascii_case("epd"));
        if has_extension || said.contains(std::path::is_separator) {
            PositionsError::Missing { path: path.to_owned() }
        } else {
            PositionsError::Unknown { name: said.to_owned() }
        }
    }
}

/// The names of the sets built into the program.
pub fn set_names() -> Vec<&'static str> {
    SETS.iter().map(|(name, _)| *name).collect()
}

/// Whether `name` is a set built into the program.
pub fn is_built_in(name: &str) -> bool {
    SETS.iter().any(|(set, _)| *set == name)
}

/// The positions of a set of the program or of an EPD file, in order.
///
/// # Errors
/// If there is no such set or file, or one of its lines is not a position that can be searched.
pub fn load(name: &str) -> Result<Vec<TestPosition>, PositionsError> {
    load_by(parse_fen, name)
}

/// Loads positions as [`load`] does, with another reader of FENs.
///
/// # Errors
/// If there is no such set or file, or if `read` refuses one of its lines.
pub fn load_by(read: ReadFen, name: &str) -> Result<Vec<TestPosition>, PositionsError> {
    if let Some((_, text)) = SETS.iter().find(|(set, _)| *set == name) {
        return parse_by(read, text, name);
    }
    let path = Path::new(name);
    if !path.exists() {
        return Err(PositionsError::not_found(name, name));
    }
    let text = read_text(path).map_err(|source| FileError::Io { path: path.to_owned(), source })?;
    parse_by(read, &text, name)
}

/// The text of a file that a user wrote.
///
/// # Errors
/// If it cannot be read, or if it is not UTF-8: then with the first line that is not.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(fs::read(path)?).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.split(|&byte| byte == b'\n').count();
        let what = format!("line {line} is not UTF-8 text: save the file as UTF-8");
        io::Error::new(io::ErrorKind::InvalidData, what)
    })
}

/// The positions of an EPD text, which errors call `file`.
///
/// A line holds the four fields of EPD, or the six of FEN, and operations. Blank lines and lines
/// that begin with `#` are skipped.
///
/// # Errors
/// The errors of [`load`].
pub fn parse(text: &str, file: &str) -> Result<Vec<TestPosition>, PositionsError> {
    parse_by(parse_fen, text, file)
}

/// Reads positions as [`parse`] does, with another reader of FENs.
///
/// # Errors
/// The errors of [`load_by`].
pub fn parse_by(
    read: ReadFen,
    text: &str,
    file: &str,
) -> Result<Vec<TestPosition>, PositionsError> {
    let error = |line: usize, what: String| FileError::Line { file: file.to_owned(), line, what };
    let mut positions: Vec<TestPosition> = Vec::new();
    let mut lines: HashMap<String, usize> = HashMap::new();
    for (index, text) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let line = index + 1;
        let position = epd::parse_line(read, text, line).map_err(|what| error(line, what))?;
        if let Some(first) = lines.insert(position.id.clone(), line) {
            let id = &position.id;
            let what = format!("the id `{id}` is already that of line {first}: every id once");
            return Err(error(line, what).into());
        }
        positions.push(position);
    }
    if positions.is_empty() {
        return Err(PositionsError::Empty(file.to_owned()));
    }
    Ok(positions)
}

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
        [] => Err(format!(
            "there is no position `{wanted}`: expected an id such as `{}`, or a number from 1 to \
             {count}",
            positions.first().map_or("", |p| &p.id)
        )),
        [one] => Ok(one.id.clone()),
        [first, second, ..] => Err(format!(
            "`{wanted}` is the beginning of more than one id: `{}`, `{}`",
            first.id, second.id
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::util::display_uci_move;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

    fn refused(text: &str) -> String {
        parse(text, "mine.epd").expect_err("not a position").to_string()
    }

    #[test]
    fn every_set_of_the_program_is_whole() {
        let counts = set_names().into_iter().map(|name| {
            let positions = load(name).unwrap_or_else(|e| panic!("{e}"));
            (name, positions.len())
        });
        let expected = [24, 24, 30, 300, 126, 8, 300];
        assert!(counts.map(|(_, n)| n).eq(expected));
    }

    #[test]
    fn reads_best_moves_of_every_kind() {
        let best = |line: &str| {
            let positions = parse(line, "test").unwrap_or_else(|e| panic!("{e}"));
            let p = &positions[0];
            p.best.iter().map(|&m| display_uci_move(&p.board, m).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(best("4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+;"), ["e1g1", "h1h8"]);
        assert_eq!(best("4k3/8/8/8/8/8/8/4K2R w K - bm 0-0;"), ["e1g1"]);
        assert_eq!(best("4k3/8/8/8/8/8/8/4K2R w K - bm e1g1 h1h8;"), ["e1g1", "h1h8"]);
        assert_eq!(best("3n4/4P1k1/8/8/8/8/8/4K3 w - - bm exd8=N e8=Q;"), ["e7d8n", "e7e8q"]);
    }

    #[test]
    fn a_move_solves_what_the_set_asks() {
        let solved = |line: &str| {
            let positions = parse(line, "test").unwrap_or_else(|e| panic!("{e}"));
            let p = &positions[0];
            let mut solved = Vec::new();
            p.board.generate_moves(|moves| {
                solved.extend(moves.into_iter().filter(|mv| p.is_solved_by(*mv)));
                false
            });
            (p.asks(), solved.len())
        };
        let (moves, solve) = ("4k3/8/8/8/8/8/8/4K2R w K -", solved);
        assert_eq!(solve(moves), (false, 0), "nothing is asked");
        assert_eq!(solve(&format!("{moves} bm Rh8+ Rh2;")), (true, 2));
        assert_eq!(solve(&format!("{moves} bm Rh8+ Rh2; am Rh2;")), (true, 1));
        assert_eq!(solve(&format!("{moves} am Rh2;")), (true, 14));
    }

    #[test]
    fn reads_full_fens_comments_and_operations() {
        let text = "# mine\n\n4k3/8/8/8/8/8/8/4K2R w K - 7 30\n\
                    4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 19; id \"a; b\"; am Rh2; c0 \"x\";\n\
                    4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66";
        let positions = parse(text, "test").unwrap_or_else(|e| panic!("{e}"));
        let ids: Vec<_> = positions.iter().map(|p| p.id.as_str()).collect();
        assert_eq!(ids, ["line 3", "a; b", "line 5"]);
        let counters: Vec<_> = positions
            .iter()
            .map(|p| (p.board.halfmove_clock(), p.board.fullmove_number()))
            .collect();
        assert_eq!(counters, [(7, 30), (3, 19), (0, 1)]);
        assert_eq!(positions[1].avoid.len(), 1);
        assert_eq!(positions[2].perft, [(1, 15), (2, 66)]);
    }

    #[test]
    fn says_which_line_is_no_position_and_why() {
        for (epd, why) in [
            ("4k3/8/8/8/8/8/8/3KK2R w - -", "white has 2 kings: expected one"),
            (
                "7k/8/8/1QQQ4/1QQQ4/1QQQ3P/8/K7 w - -",
                "white has 8 promoted men and 7 pawns missing",
            ),
            ("8/8/8/8/8/8/8/4K2R w K -", "black has no king: expected one"),
            ("4k2R/8/8/8/8/8/8/4K3 w - -", "white, to move, can take the king"),
            ("4k3/4K3/8/8/8/8/8/8 w - -", "the kings stand next to each other: expected"),
            ("4k3/4K3/8/8/8/8/8/8 b - -", "the kings stand next to each other: expected"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - -", "no legal move (it is stalemate)"),
            ("7k/6Q1/6K1/8/8/8/8/8 b - -", "no legal move (it is checkmate)"),
            ("4k3/8/8/8/8/8/8/4K2R w", "expected four fields"),
            ("4k3/8/8/8/8/8/4K2R w K -", "7 ranks: expected 8"),
            ("4k3/8/8/8/8/8/7/4K2R w K -", "rank 2 has 7 squares"),
            ("4k3/8/8/8/8/8/8/4K1XR w K -", "`X`"),
            ("4k3/8/8/8/8/8/8/4K2R x K -", "side to move"),
            ("4k3/8/8/8/8/8/8/4K2R w Q -", "castling"),
            ("4k3/8/8/8/8/8/8/4K2R w H -", "castling is `H`: expected - or some of KQkq"),
            ("4k3/8/8/8/8/8/8/3K3R w K -", "castling is `K`: expected - or some of KQkq"),
            ("4k3/8/8/8/8/8/8/4K2R w K e3", "en passant"),
            ("P3k3/8/8/8/8/8/8/4K3 w - -", "pawn on the first or last rank"),
            ("4k3/8/8/8/8/8/8/4K2R w K - bm Qh5;", "bm: `Qh5` is no legal move"),
            ("4k3/8/8/8/8/8/8/4K2R w K - hmvc 101;", "hmvc"),
            ("4k3/8/8/8/8/8/8/4K2R w K - fmvn 0;", "fmvn"),
            ("4k3/8/8/8/8/8/8/4K2R w K - id \"a;", "quotation mark"),
        ] {
            let error = refused(&format!("# first line\n{epd}\n"));
            assert!(error.starts_with("mine.epd:2: "), "{error}");
            assert!(error.contains(why), "{epd}: {error}");
        }
    }

    #[test]
    fn refuses_an_id_twice_and_an_empty_file() {
        let error = refused(&format!("{KINGS} id \"a\";\n{KINGS} id \"a\";\n"));
        assert!(error.contains("mine.epd:2") && error.contains("line 1"), "{error}");
        assert!(refused("# nothing\n").contains("no position"));
    }

    #[test]
    fn a_missing_file_is_no_misspelt_set() {
        let refused = |name: &str| load(name).expect_err("nothing is there").to_string();
        for path in ["nosuch.epd", "NOSUCH.EPD", "no/such", "./middlegames"] {
            let error = refused(path);
            assert!(error.starts_with(&format!("there is no file `{path}`: ")), "{error}");
        }
        let error = refused("middlegame");
        assert!(error.starts_with("there is no position set `middlegame`: "), "{error}");
        assert!(error.contains("hyatt-dts"), "{error}");
    }

    #[test]
    fn finds_what_the_user_means() {
        let positions = load("middlegames").unwrap_or_else(|e| panic!("{e}"));
        let first = "Morphy-Loewenthal, London 1858, after move 18";
        for wanted in [first, "1", "Morphy-L"] {
            assert_eq!(find_id(&positions, wanted).as_deref(), Ok(first));
        }
        for wrong in ["0", "31", "Morphy", "Nobody"] {
            assert!(find_id(&positions, wrong).is_err(), "{wrong}");
        }
    }
}
