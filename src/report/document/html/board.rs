//! Positions as pictures: a board of simple shapes, drawn for this program. They need no font.

use std::fmt::Write as _;

/// The shapes of the pieces in a square of 10 by 10, each with its letter in a FEN.
const PIECES: [(char, &str); 6] = [
    (
        'p',
        "M5 2.2a1.5 1.5 0 0 1 .9 2.7Q6.6 6 7 7.4H3Q3.4 6 4.1 4.9A1.5 1.5 0 0 1 5 2.2zM2.4 7.8h5.2V9H2.4z",
    ),
    ('r', "M2.5 1.8h1.2v.9h.8v-.9h1v.9h.8v-.9h1.2V4l-.7.7v2.7H3.2V4.7L2.5 4zM2.2 7.8h5.6V9H2.2z"),
    (
        'n',
        "M3.6 7.4c0-1.7 1.3-2.1 1.4-3.1L3.4 5.3l-1.1-.5c.2-1.2 1.1-1.8 1.5-2.4v-1l1 .7C7 2.4 7.6 4.8 7.4 7.4zM2.6 7.8h5.2V9H2.6z",
    ),
    (
        'b',
        "M5 .9a.7.7 0 0 1 .5 1.2C6.9 3 7.3 4.5 6.5 5.8h-3C2.7 4.5 3.1 3 4.5 2.1A.7.7 0 0 1 5 .9zM3.6 6.2h2.8l.4 1.2H3.2zM2.2 7.8h5.6V9H2.2z",
    ),
    ('q', "M1.5 2.6l1.7 2.1.6-3.1L5 4.4l1.2-2.8.6 3.1 1.7-2.1-1.1 4.8H2.6zM2.3 7.8h5.4V9H2.3z"),
    (
        'k',
        "M4.6.7h.8v.7h.8v.8h-.8v.9h-.8v-.9h-.8v-.8h.8zM1.9 4.7Q3.3 3 5 4.2 6.7 3 8.1 4.7 8 6.3 7 7.4H3Q2 6.3 1.9 4.7zM2.3 7.8h5.4V9H2.3z",
    ),
];

/// The shapes that all boards of a page share.
pub(super) fn shapes() -> String {
    let dark = (0..64).filter(|square| (square + square / 8) % 2 == 1);
    let dark = dark.map(|square| format!("M{} {}h10v10h-10z", square % 8 * 10, square / 8 * 10));
    let dark = dark.collect::<Vec<_>>().concat();
    let piece = |(letter, path): &(char, &str)| {
        format!("<symbol id=\"piece-{letter}\"><path d=\"{path}\"/></symbol>\n")
    };
    format!(
        "<svg width=\"0\" height=\"0\" aria-hidden=\"true\">\n\
         <symbol id=\"squares\"><path class=\"light\" d=\"M0 0h80v80H0z\"/><path class=\"dark\" d=\"{dark}\"/></symbol>\n\
         {}</svg>\n",
        PIECES.iter().map(piece).collect::<String>()
    )
}

/// The board of a FEN, White below. The name is escaped.
pub(super) fn board(name: &str, fen: &str) -> String {
    let mut sides = [String::new(), String::new()];
    let ranks = fen.split(' ').next().unwrap_or_default().split('/');
    for (rank, row) in ranks.enumerate() {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty;
                continue;
            }
            let (piece, x, y) = (letter.to_ascii_lowercase(), 10 * file, 10 * rank);
            if PIECES.iter().any(|(known, _)| *known == piece) {
                // Writing to a text does not fail.
                let _ = write!(
                    sides[usize::from(letter == piece)],
                    "<use href=\"#piece-{piece}\" x=\"{x}\" y=\"{y}\"/>"
                );
            }
            file += 1;
        }
    }
    let [white, black] = sides;
    format!(
        "<svg class=\"board\" viewBox=\"0 0 80 80\" role=\"img\" aria-label=\"The board of {name}\">\
         <use href=\"#squares\"/><g class=\"white\">{white}</g><g class=\"black\">{black}</g></svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_stands_on_its_square() {
        let board = board("a", "r3k3/8/8/8/8/8/4P3/4K2R w Kq - 0 1");
        let (white, black) = board.split_once("class=\"black\"").expect("both sides");
        assert_eq!((white.matches("#piece-").count(), black.matches("#piece-").count()), (3, 2));
        for (side, piece) in [
            (white, "#piece-k\" x=\"40\" y=\"70\""),
            (white, "#piece-r\" x=\"70\" y=\"70\""),
            (white, "#piece-p\" x=\"40\" y=\"60\""),
            (black, "#piece-r\" x=\"0\" y=\"0\""),
            (black, "#piece-k\" x=\"40\" y=\"0\""),
        ] {
            assert!(side.contains(piece), "{piece}: {board}");
        }
        assert!(board.contains("The board of a"));
        for piece in "prnbqk".chars() {
            assert!(shapes().contains(&format!("id=\"piece-{piece}\"")));
        }
        assert_eq!(shapes().matches("h10v10h-10z").count(), 32);
    }
}
