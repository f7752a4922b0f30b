//! Another engine as the judge of moves.
//!
//! All moves of a position are valued in one search, so that they are compared by one tree. The
//! search has as many lines as there are moves (`MultiPV`), is told these moves alone
//! (`searchmoves`), and ends after a fixed number of nodes. The engine forgets everything before
//! it, so that the values depend on nothing else.

use crate::uci::{
    Bound, Engine, EngineSpec, Fault, Go, GracePeriods, Limit, Place, Report, Said, Watch, What,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use ttd_search::engine::{Board, Move, Score};
use ttd_search::positions::parse_legal_move;

/// The word for this program's own engine as the judge.
const OWN: &str = "own";
/// The key of the nodes, and their number unless the user gives one.
const NODES: &str = "nodes=";
const USUAL_NODES: u64 = 20_000;
/// The numbers of nodes that can be asked for.
const POSSIBLE_NODES: std::ops::RangeInclusive<u64> = 1..=1_000_000_000_000;
/// The size of the judge's table, MiB.
const HASH_MIB: usize = 16;
/// The value of a mate at once, in centipawns. One in n moves is worth n less.
const MATE: Score = 30_000;
/// The time that a judge may take for a search: so long, and besides as long as it needs at this
/// many nodes a second.
const PATIENCE: Duration = Duration::from_secs(30);
const SLOWEST: u64 = 1_000;

/// A judge as a user names it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeSpec {
    /// The engine.
    pub engine: EngineSpec,
    /// The nodes of each of its searches.
    pub nodes: u64,
}

impl JudgeSpec {
    /// Reads the words of a judge, such as `stockfish nodes=20000`. An engine is given as for
    /// `--engine`, or is the name of one of the `known`. `own` is the engine of this `program`.
    ///
    /// # Errors
    /// The expected form.
    pub fn read(text: &str, known: &[EngineSpec], program: &Path) -> Result<JudgeSpec, String> {
        let words = shell_words::split(text).map_err(|why| format!("`{text}` found: {why}"))?;
        let (nodes, rest): (Vec<String>, Vec<String>) =
            words.into_iter().partition(|word| word.starts_with(NODES));
        let number = |word: &String| {
            let number = word.trim_start_matches(NODES).parse().ok();
            let number = number.filter(|nodes| POSSIBLE_NODES.contains(nodes));
            number.ok_or_else(|| {
                let (least, most) = (POSSIBLE_NODES.start(), POSSIBLE_NODES.end());
                format!("`{word}` found, {NODES}N with N from {least} to {most} expected")
            })
        };
        let nodes = nodes.last().map_or(Ok(USUAL_NODES), number)?;
        let engine = match &rest[..] {
            [name] if name == OWN => {
                let program = program.to_string_lossy().into_owned();
                EngineSpec::new(OWN.to_owned(), vec![program, "uci".to_owned()])
            }
            [name] if known.iter().any(|engine| engine.name == *name) => {
                known.iter().find(|engine| engine.name == *name).cloned().unwrap_or_default()
            }
            _ => EngineSpec::of_words(rest)?,
        };
        match engine.wrong_keys().first() {
            Some((key, why)) => Err(format!("{key}: {why}")),
            None => Ok(JudgeSpec { engine, nodes }),
        }
    }
}

/// The reasons why a judge cannot judge.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The engine has a fault.
    #[error("{}", .0.with_advice())]
    Fault(Fault),
    /// It cannot be told the number of its lines.
    #[error(
        "it has no option MultiPV, which values several moves in one search: another engine \
         expected, such as stockfish, or `own`"
    )]
    NoLines,
    /// It tells fewer lines than moves were found.
    #[error("it tells at most {most} lines, and {moves} moves were found")]
    FewLines {
        /// The most lines that it tells.
        most: usize,
        /// The number of moves.
        moves: usize,
    },
    /// Its search did not end.
    #[error("its search did not end within {} s", .0.as_secs())]
    Late(Duration),
    /// It did not value every move.
    #[error(
        "it valued {valued} of {moves} in a search of {nodes} nodes: a judge that reports a score \
         for every line expected, and enough nodes"
    )]
    Silent {
        /// The number of moves that have a value.
        valued: usize,
        /// The number of moves, in words.
        moves: String,
        /// The nodes of the search.
        nodes: u64,
    },
}

/// The values of the moves of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The depth at which all were valued.
    pub depth: u32,
    /// The values in the order of the moves, in centipawns from the side to move. A mate in n moves
    /// is worth 30000 - n.
    pub values: Vec<Score>,
}

/// A judge at work. After an error it is of no more use.
#[derive(Debug)]
pub struct Judge {
    engine: Engine,
    name: String,
    nodes: u64,
}

impl Judge {
    /// Starts the judge, with one thread.
    ///
    /// # Errors
    /// If it cannot be started or set, or knows no lines.
    pub fn start(spec: &JudgeSpec) -> Result<Judge, JudgeError> {
        let start = Engine::start(&spec.engine, GracePeriods::default(), &[]);
        let mut engine = start.map_err(JudgeError::Fault)?;
        if engine.most_lines() < 2 {
            return Err(JudgeError::NoLines);
        }
        engine.configure(1, HASH_MIB).map_err(JudgeError::Fault)?;
        let mut name = engine.about().name.clone();
        if name.is_empty() {
            name.clone_from(&spec.engine.name);
        }
        for (option, value) in &spec.engine.options {
            // Writing to a string cannot fail.
            let _ = write!(name, " {option}={value}");
        }
        Ok(Judge { engine, name, nodes: spec.nodes })
    }

    /// Its name, as it gives itself, and the options that the user set.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The nodes of each of its searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether it is an engine of this program: the same judges its own moves.
    pub fn is_own(name: &str) -> bool {
        name.starts_with("ttd ")
    }

    /// Values all `moves` of a position, of which there is at least one, in one search. None if it
    /// was interrupted.
    ///
    /// # Errors
    /// If it does not value each of them.
    pub fn values(
        &mut self,
        board: &Board,
        moves: &[Move],
        interrupt: &AtomicBool,
    ) -> Result<Option<Verdict>, JudgeError> {
        let most = self.engine.most_lines();
        if moves.len() > most {
            return Err(JudgeError::FewLines { most, moves: moves.len() });
        }
        self.engine.new_game().map_err(JudgeError::Fault)?;
        self.engine.tell_lines(moves.len()).map_err(JudgeError::Fault)?;
        let patience = PATIENCE + Duration::from_secs(self.nodes / SLOWEST);
        let go = Go {
            place: Place { start: board, moves: &[] },
            limit: Limit::Nodes(self.nodes),
            deadline: Some(patience),
            among: moves,
        };
        let mut told = Lines::default();
        let mut watch = |report: &Report| {
            told.add(report, board);
            Watch::On
        };
        match self.engine.search(&go, &mut watch, interrupt) {
            Err(Fault { what: What::Interrupted, .. }) => return Ok(None),
            Err(fault) => return Err(JudgeError::Fault(fault)),
            Ok(reply) if reply.late => return Err(JudgeError::Late(patience)),
            Ok(_) => {}
        }
        told.verdict(moves).map(Some).ok_or_else(|| JudgeError::Silent {
            valued: told.most(moves),
            moves: crate::records::count(moves.len(), "move"),
            nodes: self.nodes,
        })
    }
}

/// The values that a search told, by depth and first move.
#[derive(Debug, Default)]
struct Lines(BTreeMap<u32, Vec<(Move, Score)>>);

impl Lines {
    fn add(&mut self, report: &Report, board: &Board) {
        let word = report.pv.split_ascii_whitespace().next().unwrap_or_default();
        let mv = parse_legal_move(board, &word.to_ascii_lowercase());
        let score = report.score.filter(|_| report.bound == Bound::Exact).map(value);
        let Some((mv, score)) = mv.zip(score) else { return };
        let of_depth = self.0.entry(report.depth).or_default();
        // The last word on a move counts.
        of_depth.retain(|(other, _)| *other != mv);
        of_depth.push((mv, score));
    }

    /// The values at the greatest depth that has one for each of the moves. A search that its nodes
    /// end has newer values for some; values of different depths are not compared.
    fn verdict(&self, moves: &[Move]) -> Option<Verdict> {
        let whole = |(depth, told): (&u32, &Vec<(Move, Score)>)| {
            let value = |mv: &Move| told.iter().find(|(other, _)| other == mv).map(|(_, at)| *at);
            let values: Option<Vec<Score>> = moves.iter().map(value).collect();
            values.map(|values| Verdict { depth: *depth, values })
        };
        self.0.iter().rev().find_map(whole)
    }

    /// The most moves that one depth has values for.
    fn most(&self, moves: &[Move]) -> usize {
        let of = |told: &Vec<(Move, Score)>| {
            moves.iter().filter(|mv| told.iter().any(|(other, _)| other == *mv)).count()
        };
        self.0.values().map(of).max().unwrap_or(0)
    }
}

/// A score in centipawns. No score of a search is worth as much as a mate.
fn value(said: Said) -> Score {
    const LONGEST: i32 = 1_000;
    match said {
        Said::Centipawns(score) => score.clamp(LONGEST - MATE, MATE - LONGEST),
        Said::Mate(moves) if moves > 0 => MATE - moves.min(LONGEST),
        Said::Mate(moves) => -MATE - moves.max(-LONGEST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<JudgeSpec, String> {
        let known = [EngineSpec::new("mine".to_owned(), vec!["./mine".to_owned()])];
        JudgeSpec::read(text, &known, Path::new("/bin/ttd"))
    }

    #[test]
    fn a_judge_is_an_engine_with_nodes() {
        let of = |text: &str| {
            let JudgeSpec { engine, nodes } = read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            (engine.name, engine.command.join(" "), nodes)
        };
        let expected = |name: &str, command: &str, nodes| (name.into(), command.into(), nodes);
        assert_eq!(of("stockfish"), expected("stockfish", "stockfish", 20_000));
        assert_eq!(of("nodes=5 x/engine -u"), expected("engine", "x/engine -u", 5));
        assert_eq!(of("mine nodes=7"), expected("mine", "./mine", 7));
        assert_eq!(of("own"), expected("own", "/bin/ttd uci", 20_000));
        for (text, what) in [
            ("", "empty"),
            ("nodes=9", "empty"),
            ("x nodes=0", "`nodes=0` found, nodes=N with N from 1 to"),
            ("x nodes=many", "`nodes=many` found"),
            ("x name=a/b", "name: `a/b` found"),
            ("x '", "missing closing quote"),
        ] {
            let why = read(text).expect_err(text);
            assert!(why.contains(what), "{text}: {why}");
        }
    }

    #[test]
    fn the_deepest_whole_depth_counts() {
        let board = Board::default();
        let mut told = Lines::default();
        for line in [
            "depth 3 multipv 1 score cp 20 pv e2e4 e7e5",
            "depth 3 multipv 2 score cp 10 pv d2d4",
            "depth 4 multipv 1 score cp 30 lowerbound pv e2e4",
            "depth 4 multipv 1 score cp 35 pv d2d4 d7d5",
            "depth 3 multipv 2 score cp 25 pv e2e4",
        ] {
            let report = Report::parse_info(line, Duration::ZERO, &mut 0).expect("a report");
            told.add(&report, &board);
        }
        let moves = ["e2e4", "d2d4"].map(|mv| mv.parse().expect("a move"));
        let expected = Verdict { depth: 3, values: vec![25, 10] };
        assert_eq!(told.verdict(&moves), Some(expected));
        let more = ["e2e4", "d2d4", "g1f3"].map(|mv| mv.parse().expect("a move"));
        assert_eq!((told.verdict(&more), told.most(&more)), (None, 2));
    }

    #[test]
    fn mates_are_worth_more_than_scores() {
        let values = [Said::Mate(1), Said::Mate(30), Said::Centipawns(99_999)].map(value);
        assert_eq!(values, [29_999, 29_970, 29_000]);
        let values = [Said::Mate(-1), Said::Mate(0), Said::Centipawns(-99_999)].map(value);
        assert_eq!(values, [-29_999, -30_000, -29_000]);
        assert!(Judge::is_own("ttd 0.1.0") && !Judge::is_own("Stockfish 15.1"));
    }
}
