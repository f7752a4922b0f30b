//! Games that look like chess and have other rules. Their positions are refused by name: a search
//! by the rules of chess would find something, and it would mean nothing.

/// Names of such games, in small letters without anything between.
const NAMES: [(&str, &str); 20] = [
    ("antichess", "antichess"),
    ("giveaway", "antichess"),
    ("suicide", "suicide chess"),
    ("losers", "losers' chess"),
    ("atomic", "atomic chess"),
    ("crazyhouse", "crazyhouse"),
    ("bughouse", "bughouse"),
    ("horde", "horde"),
    ("kingofthehill", "King of the Hill"),
    ("koth", "King of the Hill"),
    ("racingkings", "racing kings"),
    ("threecheck", "three-check"),
    ("3check", "three-check"),
    ("5check", "five-check"),
    ("duckchess", "duck chess"),
    ("fogofwar", "fog of war"),
    ("shogi", "shogi"),
    ("xiangqi", "xiangqi"),
    ("makruk", "makruk"),
    ("capablanca", "Capablanca chess"),
];

/// Names of chess and of Chess960, as headers of games have them.
const OURS: [&str; 11] = [
    "",
    "chess",
    "standard",
    "normal",
    "orthodox",
    "classical",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischerrandomchess",
];

/// The game that a text names, if it is one of those with other rules.
pub fn other_game(text: &str) -> Option<&'static str> {
    let letters = letters(text);
    NAMES.iter().find(|(name, _)| letters.contains(name)).map(|(_, game)| *game)
}

/// Whether the name of a variant, as the header of a game has it, is that of chess or of Chess960.
pub fn is_chess(variant: &str) -> bool {
    OURS.contains(&letters(variant).as_str())
}

fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The reason why the fields of a FEN are of such a game, if they are.
pub(super) fn of_fen(words: &[&str]) -> Option<String> {
    let pieces = words.first()?;
    let counts = |word: &&str| word.chars().skip(1).any(|c| c == '+');
    let game = if pieces.contains(['[', '~']) || pieces.split('/').count() == 9 {
        "crazyhouse: it has men in hand"
    } else if words.iter().skip(3).any(counts) {
        "three-check: it counts checks"
    } else if pieces.starts_with("8/8/8/8/8/8/krbnNBRK") {
        "racing kings"
    } else {
        return None;
    };
    Some(format!("it is a position of {game}. Expected one of chess or Chess960"))
}

#[cfg(test)]
mod tests {
    use super::super::parse_fen;
    use super::*;

    #[test]
    fn games_are_known_by_name() {
        assert_eq!(other_game("Rated Antichess game"), Some("antichess"));
        assert_eq!(other_game("King of the Hill"), Some("King of the Hill"));
        assert_eq!(other_game("Three-check"), Some("three-check"));
        assert_eq!(other_game("World Championship"), None);
        for ours in ["Standard", "chess960", "Fischer Random", "From Position", ""] {
            assert!(is_chess(ours), "{ours}");
        }
        assert!(!is_chess("Antichess") && !is_chess("Some New Game"));
    }

    #[test]
    fn positions_are_known_by_their_form() {
        for (fen, game) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qn] w KQkq - 0 1", "crazyhouse"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/Qn w KQkq - 0 1", "crazyhouse"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1", "three-check"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +0+0", "three-check"),
            ("8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "racing kings"),
            ("8/1p6/8/8/8/8/P7/8 w - - 0 1", "antichess"),
            ("K3k3/P7/8/8/8/8/8/K7 w - - 0 1", "antichess"),
            ("rnbqkbnr/pppppppp/8/8/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1", "horde"),
        ] {
            assert!(parse_fen(fen).is_err_and(|why| why.contains(game)), "{fen}");
        }
    }
}
