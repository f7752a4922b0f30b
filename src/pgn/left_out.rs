//! The count of games that were left out, in words.

use super::game::{BadGame, Game, GameEnd};
use std::collections::BTreeMap;

/// The games that were left out of some file, by reason.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    bad: usize,
    /// The first bad game.
    first: Option<BadGame>,
    reasons: BTreeMap<&'static str, usize>,
    shortened: usize,
}

impl LeftOut {
    /// Takes what was read: the game, or nothing if it is a bad one, which is counted.
    pub fn good(&mut self, read: Result<Game, BadGame>) -> Option<Game> {
        match read {
            Ok(game) => {
                self.shortened += usize::from(game.end == GameEnd::NullMove);
                Some(game)
            }
            Err(bad) => {
                self.bad += 1;
                self.first.get_or_insert(bad);
                None
            }
        }
    }

    /// Counts a good game that is left out for this reason: `without a result`.
    pub fn because(&mut self, reason: &'static str) {
        *self.reasons.entry(reason).or_default() += 1;
    }

    /// The number of games that were left out.
    pub fn games(&self) -> usize {
        self.bad + self.reasons.values().sum::<usize>()
    }

    /// The counts in words for the user, a line for each reason.
    pub fn words(&self, file: &str) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(BadGame { line, what }) = &self.first {
            let games = count(self.bad);
            words.push(format!(
                "{file}: left out {games} that cannot be read as chess. Line {line}: {what}"
            ));
        }
        for (reason, &games) in &self.reasons {
            words.push(format!("{file}: left out {} {reason}", count(games)));
        }
        if self.shortened > 0 {
            words.push(format!("{file}: read {} up to a null move", count(self.shortened)));
        }
        words
    }
}

fn count(games: usize) -> String {
    format!("{games} game{}", if games == 1 { "" } else { "s" })
}
