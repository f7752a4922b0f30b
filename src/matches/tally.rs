//! The results of one entry against another, in the form of the statistics of matches; and whether
//! they decide the match.

use super::ending::GameResult;
use super::rows::GameRow;
use super::spec::{Match, SprtTerms};
use cozy_chess::Color;
use ttd_stats::elo::sprt::{Scale, Sprt, Standing, Verdict};
use ttd_stats::elo::{Colour, Outcome, Results};

/// The games of an entry against an opponent, in pairs. A pair is an even game of the plan and the
/// game after it. Void games are left out, and the other game of such a pair is no pair.
pub fn results_against(games: &[GameRow], entry: &str, opponent: &str) -> Results {
    let mut results = Results::default();
    let side_of = |row: &GameRow| {
        let names = [row.sides[0].name.as_str(), row.sides[1].name.as_str()];
        match names {
            [white, black] if (white, black) == (entry, opponent) => Some(Color::White),
            [white, black] if (black, white) == (entry, opponent) => Some(Color::Black),
            _ => None,
        }
    };
    let game = |row: &GameRow| {
        let side = side_of(row)?;
        Some((row.game, side, outcome(row, side)?))
    };
    let mut games = games.iter().filter_map(game).peekable();
    while let Some((number, side, first)) = games.next() {
        let partner =
            |next: &(usize, Color, Outcome)| number.is_multiple_of(2) && next.0 == number + 1;
        match (side, games.next_if(partner)) {
            (Color::White, Some((.., second))) => results.add_pair(first, second),
            (Color::Black, Some((.., second))) => results.add_pair(second, first),
            (Color::White, None) => results.add_unpaired(Colour::White, first),
            (Color::Black, None) => results.add_unpaired(Colour::Black, first),
        }
    }
    results
}

/// The outcome of a game for a side; none if the game is void.
pub fn outcome(row: &GameRow, side: Color) -> Option<Outcome> {
    match row.ending.result {
        GameResult::Void => None,
        GameResult::Draw => Some(Outcome::Draw),
        won if won == GameResult::win(side) => Some(Outcome::Win),
        _ => Some(Outcome::Loss),
    }
}

/// The test of a match: the first entry of its first pairing against the second.
#[derive(Clone, Debug)]
pub struct MatchTest {
    test: Sprt,
    names: [String; 2],
}

impl MatchTest {
    /// The test of this match; none if it asks for no test.
    pub fn of(spec: &Match) -> Option<MatchTest> {
        let SprtTerms { elo0, elo1, alpha, beta } = spec.sprt?;
        let &(first, second) = spec.pairings().first()?;
        // An impossible test was refused when the match was resolved.
        let test = Sprt::new([elo0, elo1], alpha, beta, Scale::Logistic).ok()?;
        let names = [first, second].map(|entry| spec.entries[entry].name.clone());
        Some(MatchTest { test, names })
    }

    /// The state of the test, by whole pairs of games.
    pub fn standing(&self, games: &[GameRow]) -> Standing {
        let [first, second] = &self.names;
        self.test.standing(&results_against(games, first, second).pairs)
    }

    /// Whether these games decide it.
    pub fn is_decided(&self, games: &[GameRow]) -> bool {
        self.standing(games).verdict != Verdict::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::ending::Reason;
    use crate::matches::resolve::tests::resolved;
    use crate::matches::standings::tests::row;

    /// A game by number; in odd games a is black.
    fn game(number: usize, result: GameResult) -> GameRow {
        let (white, black) = if number.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
        GameRow { game: number, ..row(white, black, result, Reason::Mate) }
    }

    #[test]
    fn pairs_are_an_even_game_and_the_next() {
        use GameResult::{Black, Draw, White};
        let games = [game(0, White), game(1, Black), game(2, Draw), game(3, White), game(4, Black)];
        let results = results_against(&games, "a", "b");
        assert_eq!(results.pairs.0, [0, 1, 0, 0, 1], "two points, and half a point");
        assert_eq!((results.unpaired.losses, results.total().wins), (1, 2));
        assert_eq!(results_against(&games, "b", "a").pairs.0, [1, 0, 0, 1, 0]);
        assert_eq!(results_against(&games, "a", "c"), Results::default());
        let void = [game(0, White), game(1, GameResult::Void), game(2, GameResult::Void)];
        let results = results_against(&void, "a", "b");
        assert_eq!(
            (results.pairs.units(), results.total().wins, results.total().losses),
            (0, 1, 0)
        );
        // Without the first game of a pair, the rest are no pairs.
        assert_eq!(results_against(&games[1..3], "a", "b").pairs.units(), 0);
    }

    #[test]
    fn a_test_is_decided_by_enough_pairs() {
        let of = resolved(
            "sprt = { elo0 = 0, elo1 = 20 }\n[[entries]]\nname = \"a\"\ncommand = \"x\"\n\
             [[entries]]\nname = \"b\"\ncommand = \"x\"",
        );
        let test = MatchTest::of(&of.spec).expect("a test");
        let won = |n: usize| {
            let result = |n: usize| [GameResult::White, GameResult::Black][n % 2];
            (0..n).map(|n| game(n, result(n))).collect::<Vec<_>>()
        };
        assert!(!test.is_decided(&won(0)) && !test.is_decided(&won(2)));
        assert_eq!(test.standing(&won(400)).verdict, Verdict::H1);
        let mut without = of.spec;
        without.sprt = None;
        assert!(MatchTest::of(&without).is_none());
    }
}
