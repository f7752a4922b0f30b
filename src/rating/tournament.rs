//! The results of all players against each other.

use crate::pgn::{Game, Games, LeftOut};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead};
use ttd_search::positions::fen_text;
use ttd_stats::elo::{Colour, Outcome, Results};

/// The results of the games of some files.
#[derive(Debug, Default)]
pub struct Tournament {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The results of the first player against the second, whose number is greater.
    encounters: BTreeMap<(usize, usize), Results>,
    /// Games that wait for their partner: the same players and opening, with colours reversed.
    waiting: BTreeMap<(usize, usize, String), Waiting>,
}

/// A game that waits: whether the first player was white, and its outcome.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    as_white: bool,
    outcome: Outcome,
}

impl Tournament {
    /// Adds the games of a text. Returns the ones that were left out.
    ///
    /// # Errors
    /// If the text cannot be read.
    pub fn read(&mut self, text: impl BufRead) -> io::Result<LeftOut> {
        let mut left_out = LeftOut::default();
        for read in Games::new(text) {
            if let Some(game) = left_out.good(read?)
                && let Err(why) = self.add(&game)
            {
                left_out.because(why);
            }
        }
        Ok(left_out)
    }

    fn add(&mut self, game: &Game) -> Result<(), &'static str> {
        let names = [game.tags.get("White"), game.tags.get("Black")];
        let [Some(white), Some(black)] = names else {
            return Err("without the names of both players");
        };
        if white == black {
            return Err("of a player against itself");
        }
        let result = game.result.ok_or("without a result")?;
        let outcome = |score: f64| match score {
            1.0 => Outcome::Win,
            0.0 => Outcome::Loss,
            _ => Outcome::Draw,
        };
        let [white, black] = [white, black].map(|name| self.number(name));
        let as_white = white < black;
        let outcome = outcome(if as_white { result } else { 1.0 - result });
        let (first, second) = (white.min(black), white.max(black));
        let here = Waiting { as_white, outcome };
        let Some(opening) = opening(game) else {
            self.alone((first, second), here);
            return Ok(());
        };
        let key = (first, second, opening);
        match self.waiting.remove(&key) {
            Some(there) if there.as_white != as_white => {
                let results = self.encounters.entry((first, second)).or_default();
                let (white, black) = if as_white { (here, there) } else { (there, here) };
                results.add_pair(white.outcome, black.outcome);
            }
            there => {
                self.waiting.insert(key, here);
                if let Some(there) = there {
                    self.alone((first, second), there);
                }
            }
        }
        Ok(())
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    fn alone(&mut self, players: (usize, usize), game: Waiting) {
        let colour = if game.as_white { Colour::White } else { Colour::Black };
        self.encounters.entry(players).or_default().add_unpaired(colour, game.outcome);
    }

    /// The names of the players, by number.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The results of each player against each with a greater number. Games that still wait for a
    /// partner count alone from now on.
    pub fn encounters(&mut self) -> &BTreeMap<(usize, usize), Results> {
        for ((first, second, _), game) in std::mem::take(&mut self.waiting) {
            self.alone((first, second), game);
        }
        &self.encounters
    }
}

/// The mark that the two games of a pair have in common. It is their first position, if that is
/// given, and else their round: `7`, or `7.1` and `7.2`. A game without either has none.
fn opening(game: &Game) -> Option<String> {
    let event = game.tags.get("Event").unwrap_or_default();
    if game.tags.get("FEN").is_some() {
        return Some(format!("{event}\n{}", fen_text(&game.start)));
    }
    let round = game.tags.get("Round")?.split('.').next()?;
    (round != "-").then(|| format!("{event}\nround {round}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(text: &str) -> (Results, Vec<String>) {
        let mut tournament = Tournament::default();
        let left_out = tournament.read(text.as_bytes()).expect("it is read");
        let results = tournament.encounters().get(&(0, 1)).copied().unwrap_or_default();
        (results, left_out.words("g.pgn"))
    }

    fn game(white: &str, black: &str, more: &str, result: &str) -> String {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n{more}\n\n{result}\n\n")
    }

    #[test]
    fn pairs_have_one_opening_and_both_colours() {
        let fen = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]";
        let other = "[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]";
        let (results, _) = results(
            &[
                game("a", "b", fen, "1-0"),
                game("a", "b", other, "1/2-1/2"),
                game("b", "a", fen, "1-0"),
                game("b", "a", other, "0-1"),
                game("a", "b", fen, "1-0"),
                game("a", "b", fen, "0-1"),
            ]
            .concat(),
        );
        assert_eq!(results.pairs.0, [0, 0, 1, 1, 0]);
        assert_eq!((results.unpaired.wins, results.unpaired.losses), (1, 1));
        assert_eq!(results.total().games(), 6);
    }

    #[test]
    fn rounds_tell_pairs_where_there_is_no_position() {
        for [first, second] in [["7", "7"], ["7.1", "7.2"]] {
            let round = |round: &str| format!("[Event \"x\"]\n[Round \"{round}\"]");
            let games = [
                game("a", "b", &round(first), "1-0"),
                game("b", "a", &round(second), "0-1"),
                game("a", "b", &round("8"), "1-0"),
                game("b", "a", &round("9"), "1-0"),
                game("b", "a", "", "1-0"),
                game("a", "b", "", "1-0"),
            ];
            let (results, _) = results(&games.concat());
            assert_eq!(results.pairs.0, [0, 0, 0, 0, 1], "{first}");
            assert_eq!(results.unpaired.games(), 4);
        }
    }

    #[test]
    fn what_is_no_result_of_two_players_is_counted() {
        let games = [
            game("a", "b", "", "1-0"),
            game("a", "b", "", "*"),
            game("a", "a", "", "1-0"),
            game("?", "b", "", "1-0"),
            game("a", "b", "[Variant \"Atomic\"]", "1-0"),
        ];
        let (results, words) = results(&games.concat());
        assert_eq!((results.total().games(), words.len()), (1, 4), "{words:?}");
    }
}
