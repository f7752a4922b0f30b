//! The openings of a match: a set of the program, a file of positions, or a file of games.

use crate::pgn::{Game, Games, LeftOut, is_pgn};
use std::collections::HashSet;
use std::io::{self, BufRead};
use std::path::Path;
use ttd_search::positions::{
    BadLines, FileError, PositionSet, PositionsError, fen_text, is_built_in, load_set, parse_fen,
    parse_set, read_bytes, text_of,
};

/// Loads openings. A file is read once: it may be a pipe. The second value says whether they are
/// games. `plies` are the moves, of both sides, that are taken from each game.
///
/// # Errors
/// If there is no such set or file, or if a line of it is no position and is not to be left out.
pub(super) fn load(
    name: &str,
    bad_lines: BadLines,
    plies: usize,
) -> Result<(PositionSet, bool), PositionsError> {
    let path = Path::new(name);
    if is_built_in(name) || !path.exists() {
        return load_set(parse_fen, name, bad_lines).map(|set| (set, false));
    }
    let io = |source| FileError::Io { path: path.to_owned(), source };
    let text = read_bytes(path).map_err(io)?;
    if is_pgn(path, &text) {
        let (epd, remarks) = positions_of(text.as_slice(), name, plies).map_err(io)?;
        if epd.is_empty() {
            return Err(PositionsError::Empty(name.to_owned()));
        }
        let set = parse_set(parse_fen, &epd, name, BadLines::Refuse)?;
        return Ok((PositionSet { remarks, ..set }, true));
    }
    let set = parse_set(parse_fen, &text_of(text), name, bad_lines)?;
    Ok((set, false))
}

/// The positions of the games of a text after so many plies, or at their ends, as lines of EPD; and
/// what was left out. Games that are the same so far are one opening.
fn positions_of(text: impl BufRead, file: &str, plies: usize) -> io::Result<(String, Vec<String>)> {
    let (mut epd, mut left_out) = (String::new(), LeftOut::default());
    let mut seen = HashSet::new();
    for (number, read) in (1..).zip(Games::new(text)) {
        let Some(game) = left_out.good(read?) else { continue };
        let fen = fen_text(&game.board_after(plies));
        if plies < usize::MAX && !seen.insert(fen.clone()) {
            left_out.because("that have the opening of an earlier one");
            continue;
        }
        if parse_fen(&fen).is_err() {
            left_out.because("that end with checkmate or stalemate");
            continue;
        }
        epd.extend([&fen, "; id \"", &id(number, &game), "\";\n"]);
    }
    Ok((epd, left_out.words(file)))
}

/// The name of an opening: the number of its game, and what its tags call it.
fn id(number: usize, game: &Game) -> String {
    let of = ["ECO", "Opening", "Variation"].iter().filter_map(|tag| game.tags.get(tag));
    let words: Vec<&str> = of.collect();
    let name = if words.is_empty() { String::new() } else { format!(": {}", words.join(" ")) };
    format!("game {number}{name}").replace('"', "'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::positions::parse;

    #[test]
    fn openings_are_the_last_positions_of_games() {
        let text = "[Event \"?\"]\n[ECO \"C20\"]\n[Opening \"King's \\\"Pawn\\\"\"]\n\n1. e4 e5 2. Nf3 *\n\n\
                    [Event \"?\"]\n\n1. d4 d5 (1... Nf6) *\n\n\
                    [Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                    [Event \"?\"]\n\n1. e5 *\n\n\
                    [FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 3 9\"]\n\n*\n";
        let (epd, remarks) =
            positions_of(text.as_bytes(), "book.pgn", usize::MAX).expect("it is read");
        let set = parse(&epd, "book.pgn").unwrap_or_else(|e| panic!("{e}"));
        let ids: Vec<&str> = set.iter().map(|p| p.id.as_str()).collect();
        assert_eq!(ids, ["game 1: C20 King's 'Pawn'", "game 2", "game 5"]);
        assert_eq!((set[0].board.fullmove_number(), set[2].board.halfmove_clock()), (2, 3));
        assert_eq!(remarks.len(), 2, "{remarks:?}");
    }

    #[test]
    fn openings_are_cut_after_some_plies() {
        let text =
            "1. e4 e5 2. Nf3 Nc6 *\n\n1. e4 e5 2. f4 *\n\n1. d4 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        let after = |plies| positions_of(text.as_bytes(), "book.pgn", plies).expect("it is read");
        let (epd, remarks) = after(2);
        let set = parse(&epd, "book.pgn").unwrap_or_else(|e| panic!("{e}"));
        let ids: Vec<&str> = set.iter().map(|p| p.id.as_str()).collect();
        assert_eq!(ids, ["game 1", "game 3", "game 4"], "a shorter game is whole");
        assert!(epd.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"), "{epd}");
        assert!(
            remarks.concat().contains("that have the opening of an earlier one"),
            "{remarks:?}"
        );
        assert_eq!(after(4).0.lines().count(), 3, "mate is no opening");
    }
}
