//! The ending of a game: its result, and the reason.

use cozy_chess::Color;

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// White won.
    White,
    /// Black won.
    Black,
    /// A draw.
    #[default]
    Draw,
    /// None: the game was given up through nobody's fault, and counts for nobody.
    Void,
}

impl GameResult {
    /// The result in which this side won.
    pub const fn win(side: Color) -> GameResult {
        match side {
            Color::White => GameResult::White,
            Color::Black => GameResult::Black,
        }
    }

    /// The result in which this side lost.
    pub fn loss(side: Color) -> GameResult {
        GameResult::win(!side)
    }

    /// The text in PGN and in `games.csv`.
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Void => "*",
        }
    }

    /// The points of a side: 0, 1/2 or 1. A void game has none to give.
    pub fn points(self, side: Color) -> f64 {
        match self {
            GameResult::Draw => 0.5,
            won if won == GameResult::win(side) => 1.0,
            _ => 0.0,
        }
    }
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reason {
    /// Checkmate.
    #[default]
    Mate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// A position occurred for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a move of a pawn.
    FiftyMoves,
    /// No sequence of moves leads to mate.
    Material,
    /// The scores of the players met the terms of adjudication.
    Adjudicated,
    /// The game reached the most moves that the match allows.
    MaxMoves,
    /// A player resigned.
    Resigned,
    /// A player overstepped its time.
    Time,
    /// A player made an illegal move.
    IllegalMove,
    /// A player did not answer, or its answer cannot be understood.
    NoAnswer,
    /// The process of a player ended, or did not start.
    Died,
    /// A move on virtual cores took longer on the host than the match allows, or the host had no
    /// memory for it.
    HostLimit,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 13] = [
        Reason::Mate,
        Reason::Stalemate,
        Reason::Repetition,
        Reason::FiftyMoves,
        Reason::Material,
        Reason::Adjudicated,
        Reason::MaxMoves,
        Reason::Resigned,
        Reason::Time,
        Reason::IllegalMove,
        Reason::NoAnswer,
        Reason::Died,
        Reason::HostLimit,
    ];

    /// The word in `games.csv`.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Mate => "mate",
            Reason::Stalemate => "stalemate",
            Reason::Repetition => "repetition",
            Reason::FiftyMoves => "fifty-moves",
            Reason::Material => "material",
            Reason::Adjudicated => "adjudicated",
            Reason::MaxMoves => "max-moves",
            Reason::Resigned => "resigned",
            Reason::Time => "time",
            Reason::IllegalMove => "illegal-move",
            Reason::NoAnswer => "no-answer",
            Reason::Died => "died",
            Reason::HostLimit => "host-limit",
        }
    }

    /// Whether it is a fault of the loser's engine: its process is then killed, and a new one
    /// started.
    pub const fn is_fault(self) -> bool {
        matches!(self, Reason::IllegalMove | Reason::NoAnswer | Reason::Died)
    }

    /// The value of the tag `Termination` in PGN.
    pub const fn termination(self) -> &'static str {
        match self {
            Reason::Adjudicated | Reason::MaxMoves => "adjudication",
            Reason::Time => "time forfeit",
            Reason::IllegalMove => "rules infraction",
            Reason::NoAnswer | Reason::Died => "abandoned",
            Reason::HostLimit => "unterminated",
            _ => "normal",
        }
    }
}

/// The ending of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The result.
    pub result: GameResult,
    /// The reason.
    pub reason: Reason,
    /// Details that the reason leaves open: an illegal move, or the last words of a process.
    pub detail: String,
}

impl Ending {
    pub(super) fn new(result: GameResult, reason: Reason) -> Ending {
        Ending { result, reason, detail: String::new() }
    }

    /// The ending in words, such as `white forfeits: illegal move e2e5`.
    pub fn words(&self) -> String {
        let (winner, loser) = match self.result {
            GameResult::White => ("white", "black"),
            GameResult::Black => ("black", "white"),
            GameResult::Draw | GameResult::Void => ("", ""),
        };
        match (self.reason, self.result) {
            (Reason::Mate, _) => format!("{winner} mates"),
            (Reason::Stalemate, _) => "draw by stalemate".to_owned(),
            (Reason::Repetition, _) => "draw by threefold repetition".to_owned(),
            (Reason::FiftyMoves, _) => "draw by the fifty-move rule".to_owned(),
            (Reason::Material, _) => "draw by insufficient material".to_owned(),
            (Reason::Adjudicated, GameResult::Draw) => "draw by adjudication".to_owned(),
            (Reason::Adjudicated, _) => format!("{winner} wins by adjudication"),
            (Reason::MaxMoves, _) => "draw by adjudication: the game is too long".to_owned(),
            (Reason::Resigned, _) => format!("{loser} resigns"),
            (Reason::Time, _) => format!("{loser} loses on time"),
            (Reason::HostLimit, _) => format!("void: {}", self.detail),
            _ => format!("{loser} forfeits: {}", self.detail),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Field;

    #[test]
    fn names_read_back() {
        for reason in Reason::ALL {
            assert_eq!(Reason::read(reason.name()), Some(reason));
        }
        assert_eq!(GameResult::read("*"), Some(GameResult::Void));
        for result in [GameResult::White, GameResult::Black, GameResult::Draw] {
            assert_eq!(GameResult::read(result.name()), Some(result));
            assert!((result.points(Color::White) + result.points(Color::Black) - 1.0).abs() < 1e-9);
        }
        assert_eq!((Reason::read("won"), GameResult::read("won")), (None, None));
    }

    #[test]
    fn words_name_who_did_it() {
        let mut ending = Ending::new(GameResult::loss(Color::White), Reason::IllegalMove);
        "illegal move e2e5".clone_into(&mut ending.detail);
        assert_eq!(ending.words(), "white forfeits: illegal move e2e5");
        assert_eq!(Ending::new(GameResult::Black, Reason::Time).words(), "white loses on time");
        assert_eq!(Ending::new(GameResult::White, Reason::Mate).words(), "white mates");
    }
}
