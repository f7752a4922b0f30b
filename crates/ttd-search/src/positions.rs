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

pub use built_in::{is_built_in, set_names};
pub use error::{BadLine, FileError, PositionsError};
pub use fen::{fen_text, parse_fen, parse_game_fen};
pub use notation::{is_chess960, is_mark, is_null_move, parse_legal_move, read_move, uci_text};
pub use other_games::{is_chess, other_game};
pub use set::{
    BadLines, END_OF_TEXT, MOST_BYTES, PositionSet, decoded, load, load_set, open, open_text,
    parse, parse_by, parse_set, read_at_most, read_bytes, read_text, text_of,
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
        let expected = [24, 24, 30, 4_000, 300, 126, 8, 300];
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
            ("4k3/8/8/8/8/8/8/4K2R w G -", "castling is `G`: expected - or some of KQkq"),
            ("4k3/8/8/8/8/8/7R/3K4 w K -", "castling is `K`: expected - or some of KQkq"),
            ("4k3/8/8/8/8/8/8/4K2R w K e3", "en passant"),
            ("P3k3/8/8/8/8/8/8/4K3 w - -", "pawn on the first or last rank"),
            ("4k3/8/8/8/8/8/8/4K2R w K - hmvc x;", "hmvc"),
            ("4k3/8/8/8/8/8/8/4K2R w K - fmvn -3;", "fmvn"),
            ("8/1p6/8/8/8/8/P7/8 w - -", "antichess"),
            ("4k3/8/8/8/8/8/8/4K2R w K - id \"a;", "quotation mark"),
        ] {
            let error = refused(&format!("# first line\n{epd}\n"));
            assert!(error.starts_with("mine.epd:2: "), "{error}");
            assert!(error.contains(why), "{epd}: {error}");
        }
    }

    #[test]
    fn a_set_without_positions_is_refused() {
        assert!(refused("# nothing\n").contains("no position"));
        let games = refused("[Event \"x\"]\n\n1. e4 *\n");
        assert!(games.contains("it is a PGN file"), "{games}");
        for comment in ["# Variant: Antichess", "; variant = atomic", "[Variant \"Horde\"]"] {
            let error = refused(&format!("{comment}\n{KINGS}\n"));
            assert!(error.contains("it is a set of "), "{error}");
        }
        assert_eq!(read("# variant: chess960\n# no antichess\n", "").len(), 1);
    }

    /// The positions of these lines before the kings.
    fn read(before: &str, operations: &str) -> Vec<TestPosition> {
        let text = format!("{before}{KINGS}{operations}");
        parse(&text, "mine.epd").unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn solution(operations: &str) -> Vec<String> {
        let position = read("", operations).remove(0);
        position.best.iter().map(|&mv| uci_text(&position.board, mv)).collect()
    }

    #[test]
    fn an_id_twice_gets_the_number_of_its_line() {
        let text = format!("{KINGS} id \"a\";\n{KINGS} id \"a\";\n{KINGS} id;\n{KINGS} id \"a\";");
        let set = parse_set(parse_fen, &text, "mine.epd", BadLines::Refuse).expect("a set");
        let ids: Vec<&str> = set.positions.iter().map(|p| p.id.as_str()).collect();
        assert_eq!(ids, ["a", "a (line 2)", "line 3", "a (line 4)"]);
        assert_eq!(set.remarks.len(), 1);
        assert!(
            set.remarks[0].contains("2 lines have the id of an earlier line"),
            "{:?}",
            set.remarks
        );
    }

    #[test]
    fn lines_end_as_on_every_system() {
        for (end, mark) in [("\n", ""), ("\r\n", "\u{feff}"), ("\r", ""), ("\r\n", "")] {
            let lines = ["# mine", KINGS, "", KINGS, ""];
            let text = format!("{mark}{}", lines.join(end));
            let positions = parse(&text, "mine.epd").unwrap_or_else(|e| panic!("{e}"));
            let lines: Vec<usize> = positions.iter().map(|p| p.line).collect();
            assert_eq!(lines, [2, 4], "{end:?}");
        }
    }

    #[test]
    fn a_text_is_read_in_any_alphabet_and_ends_with_its_sign() {
        let utf_8 = format!("{KINGS} id \"J\u{f6}rg\";\n");
        let latin_1: Vec<u8> = utf_8.chars().map(|c| c as u8).collect();
        let both = [utf_8.as_bytes(), &latin_1, b"\x1a"].concat();
        assert_eq!(text_of(both), format!("{utf_8}{utf_8}\u{1a}"));
        for end in ["\u{1a}", "\n\u{1a}", "\r\n\u{1a}\r\n\u{1a}", "\n\u{1a}# appended"] {
            assert_eq!(read("", end).len(), 1, "{end:?}");
        }
    }

    #[test]
    fn moves_behind_the_fields_are_played() {
        for operations in
            [" 0 1 moves h1h8 e8e7", " moves h1h8 e8e7", " 0 1\tmoves e1g1 e8e7; bm Rf8;"]
        {
            let position = read("", operations).remove(0);
            assert_eq!(position.board.fullmove_number(), 2, "{operations}");
            assert_eq!(position.best.len(), usize::from(operations.contains("bm")));
        }
        assert_eq!(read("", "; moves h1h8")[0].board.fullmove_number(), 1, "no operation of ours");
        let refused = refused(&format!("{KINGS}\n{KINGS} moves h1h8 e8e8\n"));
        let why = "mine.epd:2: moves: `e8e8` found in 4k2R/8/8/8/8/8/8/4K3 b - - 1 1: expected a";
        assert!(refused.starts_with(why), "{refused}");
    }

    #[test]
    fn a_semicolon_ends_the_position() {
        for (operations, perft) in [
            (";", 0),
            (" 0 1;", 0),
            (" 0 1;D1 15;D2 66", 2),
            (" 3; D1 15", 1),
            (";D1 15 ;D2 66", 2),
            (" 0 1 ;D1 15", 1),
            (" 0 1;;D1 15;;", 1),
            (" 0 1; id \"a;b\"; D1 15;", 1),
        ] {
            assert_eq!(read("", operations)[0].perft.len(), perft, "{operations}");
        }
    }

    #[test]
    fn reads_best_moves_as_suites_have_them() {
        for operations in [
            " bm O-O, Rh8+;",
            " bm o-o,Rh8;",
            " bm 0-0 Rh1-h8++!;",
            " bm 1.O-O h1h8;",
            " bm O-O 1. Rh8 ; c0 \"x\"",
            " 0 1; bm O-O! Rh8#;",
            " bm e1g1 rh8",
            " bm O-O; bm Rh8;",
        ] {
            assert_eq!(solution(operations), ["e1g1", "h1h8"], "{operations}");
        }
        for operations in [
            " bm #3;",
            " bm #-12;",
            " bm #3; PV: e1e2 e8e7;",
            " bm +M4;",
            " bm;",
            " dm 3;",
            " bm M5; ce 3",
        ] {
            assert_eq!(solution(operations), [""; 0], "{operations}");
        }
        assert_eq!(solution(" bm Rh8 #1;"), ["h1h8"]);
    }

    #[test]
    fn an_impossible_best_move_costs_the_solution_of_its_line() {
        let lines = [" bm Rh8;", " bm Qh5;", " am Rh8 e4;", " bm Rh8 Nf3; am Rh2;"];
        let text: Vec<String> = lines.iter().map(|line| format!("{KINGS}{line}")).collect();
        let set =
            parse_set(parse_fen, &text.join("\n"), "mine.epd", BadLines::Refuse).expect("a set");
        let asks: Vec<bool> = set.positions.iter().map(TestPosition::asks).collect();
        assert_eq!(asks, [true, false, false, false]);
        assert_eq!(
            set.remarks,
            [
                "mine.epd: 3 lines have best moves that are not legal there, and no solution counts. \
          Line 2: bm: `Qh5`"
            ]
        );
        assert_eq!(set.left_out, 0);
    }

    #[test]
    fn all_bad_lines_are_told_or_left_out() {
        let text = format!("{KINGS}\n8/8 w\n{KINGS} D1 x;\n{KINGS}\nnothing\n");
        let error = refused(&text);
        let told: Vec<&str> =
            error.lines().map(|line| line.split(' ').next().unwrap_or("")).collect();
        assert_eq!(told, ["mine.epd:2:", "mine.epd:3:", "mine.epd:5:"], "{error}");
        let set =
            parse_set(parse_fen, &text, "mine.epd", BadLines::LeaveOut).expect("two are left");
        let ids =
            |set: &PositionSet| set.positions.iter().map(|p| p.id.clone()).collect::<Vec<_>>();
        assert_eq!((ids(&set), set.left_out), (vec!["line 1".to_owned(), "line 4".to_owned()], 3));
        assert!(set.remarks[0].starts_with("mine.epd: 3 lines are left out. Line 2: "));
        // The text that is kept has the lines as comments, and is read again.
        let kept = set.text.clone();
        let again = parse_set(parse_fen, &kept, "kept.epd", BadLines::Refuse).expect("no bad line");
        assert_eq!((ids(&again), again.left_out), (ids(&set), 3));
        assert!(again.remarks.is_empty(), "{:?}", again.remarks);
        assert!(kept.lines().nth(1).is_some_and(|line| line.starts_with("# left out: ")), "{kept}");
        // Many lines are not told one by one; and a set of nothing else is refused all the same.
        let many = "x\n".repeat(100);
        let error =
            parse_set(parse_fen, &many, "m.epd", BadLines::LeaveOut).expect_err("no position");
        let error = error.to_string();
        assert_eq!(error.lines().count(), 21, "{error}");
        assert!(error.ends_with("m.epd: and 80 more lines are no positions"), "{error}");
    }

    #[test]
    fn chess960_by_either_form() {
        let text = "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w KQkq - 0 1; bm O-O;\n\
                bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w GDgd - 0 1;\n\
                4k3/8/8/8/8/8/8/5KR1 w G - bm O-O; id \"x\";\n\
                1k5r/8/8/8/8/8/8/5K1R w Kk - bm O-O;";
        let set = parse(text, "mine.epd").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(set[0].board, set[1].board);
        assert!(set.iter().all(|p| is_chess960(&p.board)));
        let best: Vec<usize> = set.iter().map(|p| p.best.len()).collect();
        assert_eq!(best, [0, 0, 1, 1], "castling through men is not legal");
    }

    #[test]
    fn a_missing_file_is_no_misspelt_set() {
        let refused = |name: &str| load(name).expect_err("nothing is there").to_string();
        for path in ["nosuch.epd", "NOSUCH.EPD", "no/such", "./middlegames"] {
            let error = refused(path);
            assert!(error.starts_with(&format!("there is no file `{path}`: ")), "{error}");
        }
        let error = refused("middlegame");
        let meant = "there is no position set `middlegame`: did you mean `middlegames`?";
        assert!(error.starts_with(meant), "{error}");
        let error = refused("endings");
        assert!(error.starts_with("there is no position set `endings`: expected "), "{error}");
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
