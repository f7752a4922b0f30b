//! The options: what they are, and setting them.

use super::book::{Answer, Book};
use super::command::Go;
use super::parameters::{Parameters, Set, option_name};
use super::place::Notation;
use crate::uci::about::{Kind, Offered};
use std::time::Duration;
use ttd_search::engine::{Board, Evaluation, MAX_MOVES, Move, random};
use ttd_search::searchers::Searcher;
use ttd_search::value::Value;
use ttd_search::value::nearest;

const MOST_THREADS: i64 = 1024;
const MOST_HASH_MIB: i64 = 1 << 20;
const MOST_OVERHEAD_MS: i64 = 5_000;
const HASH_MIB: usize = 64;
const OVERHEAD_MS: u64 = 10;
const MOST_BOOK_DEPTH: i64 = 1_000;
const BOOK_DEPTH: u32 = 1_000;
const BOOK_SEED: u64 = 1;
/// The least rating, and the greatest, which has the most nodes.
const LEAST_ELO: u32 = 800;
const MOST_ELO: u32 = 2600;

/// The nodes of a move at the least rating.
const LEAST_NODES: f64 = 30.0;
/// The gain in Elo of twice the nodes.
const ELO_PER_DOUBLING: f64 = 200.0;
/// The protocol's word for a text without letters.
const NO_TEXT: &str = "<empty>";

/// The options that are set.
pub(super) struct Options {
    pub(super) threads: usize,
    pub(super) hash_mib: usize,
    /// The number of best moves that are printed, with a line each.
    pub(super) multi_pv: usize,
    /// The time of every move that is lost on the way.
    pub(super) overhead: Duration,
    pub(super) notation: Notation,
    /// Whether lines of `info` have the chances of a win, a draw and a loss.
    pub(super) show_wdl: bool,
    /// Whether it plays at the rating, and the rating.
    limit_strength: bool,
    elo: u32,
    pub(super) searcher: Searcher,
    /// Whether more is printed than people need.
    pub(super) debug: bool,
    /// The opening book, if one is set.
    book: Option<Book>,
    /// The last full move of a game for which the book is asked.
    book_depth: u32,
    /// The seed of the book's choices, and the number of choices since it was set.
    book_seed: u64,
    book_choices: u64,
    parameters: Parameters,
    memory_mib: fn() -> Option<u64>,
}

/// The action that follows when an option is set.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// Nothing.
    None,
    /// The table gets another size.
    Table,
    /// The table is emptied.
    Clear,
    /// Nothing but to tell this to people.
    Told(String),
    /// A parameter was set.
    Parameter(Set),
}

impl Options {
    /// The defaults.
    pub(super) fn new(memory_mib: fn() -> Option<u64>) -> Options {
        Options {
            threads: 1,
            hash_mib: HASH_MIB,
            multi_pv: 1,
            overhead: Duration::from_millis(OVERHEAD_MS),
            notation: Notation::Standard,
            show_wdl: false,
            limit_strength: false,
            elo: MOST_ELO,
            searcher: Searcher::usual(),
            debug: false,
            book: None,
            book_depth: BOOK_DEPTH,
            book_seed: BOOK_SEED,
            book_choices: 0,
            parameters: Parameters::new(),
            memory_mib,
        }
    }

    /// All options.
    pub(super) fn list(&self) -> Vec<Offered> {
        let offered = |name: &str, kind, default: &str| Offered {
            name: name.to_owned(),
            kind,
            default: default.to_owned(),
        };
        let spin = |name: &str, default: u64, least, most| {
            offered(name, Kind::Spin(least, most), &default.to_string())
        };
        let searchers = searchers();
        let mut all = vec![
            spin("Threads", 1, 1, MOST_THREADS),
            spin("Hash", HASH_MIB as u64, 1, MOST_HASH_MIB),
            offered("Clear Hash", Kind::Button, ""),
            spin("MultiPV", 1, 1, MAX_MOVES as i64),
            offered("Ponder", Kind::Check, "false"),
            spin("Move Overhead", OVERHEAD_MS, 0, MOST_OVERHEAD_MS),
            offered("UCI_Chess960", Kind::Check, "false"),
            offered("UCI_ShowWDL", Kind::Check, "false"),
            offered("UCI_LimitStrength", Kind::Check, "false"),
            spin("UCI_Elo", MOST_ELO.into(), LEAST_ELO.into(), MOST_ELO.into()),
            offered("Book", Kind::Text, NO_TEXT),
            spin("BookDepth", BOOK_DEPTH.into(), 1, MOST_BOOK_DEPTH),
            spin("BookSeed", BOOK_SEED, 0, i32::MAX.into()),
            offered("Searcher", Kind::Combo(searchers), Searcher::usual().name()),
        ];
        all.extend(self.parameters.all().iter().map(|parameter| parameter.offered.clone()));
        all
    }

    /// The nodes of each move at the rating that was asked for, if one was.
    pub(super) fn nodes(&self) -> Option<u64> {
        self.limit_strength.then(|| nodes_at(self.elo))
    }

    /// The evaluation of the engine.
    pub(super) fn evaluation(&self) -> Evaluation {
        self.parameters.used().0.evaluation
    }

    /// The reason why the parameters that were set are not in use.
    pub(super) fn waits(&self) -> Option<&str> {
        self.parameters.waits()
    }

    /// The warnings for people about a search to this depth, or without a limit of depth.
    pub(super) fn warnings(&self, depth: Option<u8>) -> Vec<String> {
        let (techniques, settings) = self.parameters.used();
        let idle = self.searcher.fits(techniques, settings).err();
        let endless = !techniques.iterative_deepening && depth.is_none() && self.multi_pv == 1;
        let endless = endless.then(|| {
            "engine.iterative_deepening is false: without a depth nothing is searched to the end, \
             and the best move is arbitrary"
                .to_owned()
        });
        let idle = idle.map(|why| format!("Searcher: {why}"));
        idle.into_iter().chain(endless).collect()
    }

    /// Sets an option, by its name in letters of any case.
    ///
    /// # Errors
    /// The reason why it cannot be set so; the old value stays.
    pub(super) fn set(&mut self, name: &str, text: &str) -> Result<Change, String> {
        // The names of an experiment's keys are known too.
        let name = &option_name(name);
        let all = self.list();
        let named = |name: &str| all.iter().find(|all| all.name.eq_ignore_ascii_case(name));
        // As in a file, the switch alone may stand for a technique.
        let offered = named(name).or_else(|| named(&format!("{name}.enabled")));
        let offered = offered.cloned().ok_or_else(|| {
            let near = nearest(name, all.iter().map(|option| option.name.as_str()));
            let near = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
            format!("setoption: there is no option `{name}`{near}")
        })?;
        match (offered.name.as_str(), offered.value(text)?) {
            ("Threads", Value::Integer(threads)) => self.threads = threads as usize,
            ("Hash", Value::Integer(mib)) => return self.set_hash(mib as usize),
            ("Clear Hash", _) => return Ok(Change::Clear),
            ("MultiPV", Value::Integer(lines)) => self.multi_pv = lines as usize,
            // The other side says with each `go` whether to ponder.
            ("Ponder", _) => {}
            ("Move Overhead", Value::Integer(ms)) => {
                self.overhead = Duration::from_millis(ms as u64);
            }
            ("UCI_Chess960", Value::Boolean(on)) => {
                self.notation = if on { Notation::Chess960 } else { Notation::Standard };
            }
            ("UCI_ShowWDL", Value::Boolean(on)) => self.show_wdl = on,
            ("UCI_LimitStrength", Value::Boolean(on)) => self.limit_strength = on,
            ("UCI_Elo", Value::Integer(elo)) => self.elo = elo as u32,
            ("Book", Value::String(path)) => return self.set_book(&path),
            ("BookDepth", Value::Integer(moves)) => self.book_depth = moves as u32,
            ("BookSeed", Value::Integer(seed)) => {
                (self.book_seed, self.book_choices) = (seed as u64, 0);
            }
            ("Searcher", Value::String(word)) => self.searcher = word.parse()?,
            (name, _) => return self.parameters.set(name, text).map(Change::Parameter),
        }
        Ok(Change::None)
    }

    /// The book's move for a position, and the text to tell about it. None if the book is not asked
    /// or does not know the position. `among` are the moves that may be made.
    pub(super) fn book_move(
        &mut self,
        board: &Board,
        go: &Go,
        among: &[Move],
    ) -> Option<(Option<Move>, String)> {
        // Who analyses wants a search.
        let asks = go.is_endless() || go.ponder || go.mate.is_some();
        let book = self.book.as_ref().filter(|_| !asks)?;
        if u32::from(board.fullmove_number()) > self.book_depth {
            return None;
        }
        let Answer { chosen, illegal } =
            book.answer(board, among, random(self.book_seed) ^ self.book_choices)?;
        self.book_choices += 1;
        let from = if chosen.is_some() { "a move of the book" } else { "the book has no move" };
        let damage = match illegal {
            0 => String::new(),
            illegal => format!("; {illegal} of its moves are illegal here: is it damaged?"),
        };
        Some((chosen, format!("Book: {from}{damage}")))
    }

    fn set_book(&mut self, path: &str) -> Result<Change, String> {
        if path.is_empty() || path == NO_TEXT {
            self.book = None;
            return Ok(Change::None);
        }
        let book = Book::read(path).map_err(|why| format!("Book: {why}"))?;
        let told = match book.len() {
            1 => "Book: 1 entry".to_owned(),
            entries => format!("Book: {entries} entries"),
        };
        (self.book, self.book_choices) = (Some(book), 0);
        Ok(Change::Told(told))
    }

    fn set_hash(&mut self, mib: usize) -> Result<Change, String> {
        // The present table is dropped only when the new one exists.
        if let Some(available) = (self.memory_mib)().filter(|&available| mib as u64 > available) {
            return Err(format!(
                "Hash: {mib} found, 1 to {available} (the memory that is available, in MiB) expected"
            ));
        }
        self.hash_mib = mib;
        Ok(Change::Table)
    }
}

/// The names of all searchers.
fn searchers() -> Vec<String> {
    Searcher::names().iter().map(|name| (*name).to_owned()).collect()
}

/// The nodes of a move at a rating: a weaker player is one that searches less.
///
/// The step is of our own games (docs/uci.md): twice the nodes are about `ELO_PER_DOUBLING` more.
/// The zero is a guess, so that every rating here may be wrong by a few hundred points.
fn nodes_at(elo: u32) -> u64 {
    let above = f64::from(elo.clamp(LEAST_ELO, MOST_ELO) - LEAST_ELO);
    (LEAST_NODES * 2f64.powf(above / ELO_PER_DOUBLING)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_words_are_read_in_any_case() {
        let mut options = Options::new(|| None);
        assert_eq!(options.set("THREADS", "4"), Ok(Change::None));
        assert_eq!(options.set("move overhead", "30"), Ok(Change::None));
        assert_eq!(options.set("searcher", "Lazy-SMP"), Ok(Change::None));
        assert_eq!(options.set("UCI_Chess960", "True"), Ok(Change::None));
        assert_eq!(options.threads, 4);
        assert_eq!(options.overhead, Duration::from_millis(30));
        assert_eq!(options.searcher, Searcher::named("lazy-smp"));
        assert_eq!(options.notation, Notation::Chess960);
    }

    #[test]
    fn a_switch_alone_stands_for_its_technique() {
        let mut options = Options::new(|| None);
        let set = options.set("engine.killers", "false");
        let Ok(Change::Parameter(Set::Fits(parameters))) = set else { panic!("{set:?}") };
        assert!(!parameters.0.killers.enabled);
        assert!(options.set("searcher.ybwc", "false").is_err());
    }

    #[test]
    fn what_is_refused_stays_as_it_was() {
        let mut options = Options::new(|| Some(100));
        for (name, value, why) in [
            ("Threads", "0", "Threads: 0 found, 1 to 1024 expected"),
            ("Threads", "", "Threads:  found, 1 to 1024 expected"),
            ("Hash", "101", "Hash: 101 found, 1 to 100"),
            ("MultiPV", "999", "1 to 218 expected"),
            ("Searcher", "best", "sequential or root-splitting"),
            ("UCI_Chess960", "maybe", "true or false"),
            ("Contempt", "7", "there is no option `Contempt`"),
            ("Hsh", "7", "there is no option `Hsh`: did you mean `Hash`?"),
        ] {
            let refused = options.set(name, value).expect_err(name);
            assert!(refused.contains(why), "{refused}");
        }
        assert_eq!((options.threads, options.hash_mib, options.multi_pv), (1, HASH_MIB, 1));
        assert_eq!(options.searcher, Searcher::named("ybwc"));
        assert_eq!(options.set("Hash", "100"), Ok(Change::Table));
        assert_eq!(options.set("clear hash", ""), Ok(Change::Clear));
    }

    #[test]
    fn every_option_that_is_told_can_be_set_to_its_default() {
        let mut options = Options::new(|| None);
        for Offered { name, default, .. } in options.list() {
            let set = options.set(&name, &default);
            assert!(set.is_ok(), "{name}: {set:?}");
        }
    }

    #[test]
    fn more_elo_is_more_nodes_at() {
        assert_eq!(nodes_at(0), nodes_at(LEAST_ELO));
        assert_eq!(nodes_at(LEAST_ELO), 30);
        assert_eq!(nodes_at(LEAST_ELO + 200), 60);
        assert_eq!(nodes_at(MOST_ELO), 15_360);
        assert!((LEAST_ELO..MOST_ELO).all(|elo| nodes_at(elo) <= nodes_at(elo + 1)));
    }
}
