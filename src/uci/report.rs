//! An engine's reports while it searches.

use std::iter;
use std::time::Duration;

/// A score as engines give it, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this number of moves; if negative, the side to move is mated.
    Mate(i32),
}

/// The relation of a score to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is the score itself.
    #[default]
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// One line of thinking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The time since `go` at which the line was read.
    pub at: Duration,
    /// The depth in plies.
    pub depth: u32,
    /// The length of the longest line, plies.
    pub seldepth: Option<u32>,
    /// The number among several lines, from 1; 1 if the engine gives none.
    pub multipv: u32,
    /// The score of the line.
    pub score: Option<Said>,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The time by the engine's own clock.
    pub time: Option<Duration>,
    /// The nodes visited so far.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The fill of the table, thousandths.
    pub hashfull: Option<u32>,
    /// The line, as the engine writes it; empty if the engine gives none.
    pub pv: String,
}

impl Report {
    /// Whether the report gives the score of the best line, and not only a bound.
    pub fn is_whole(&self) -> bool {
        self.multipv == 1 && self.score.is_some() && self.bound == Bound::Exact
    }

    /// Whether the report gives a score of the best line, be it only a bound.
    pub fn is_scored(&self) -> bool {
        self.multipv == 1 && self.score.is_some()
    }

    /// Whether the report sees the end of the game: a mate for either side, or a score of at least
    /// `mate_score` hundredths of a pawn.
    pub fn is_decided(&self, mate_score: u32) -> bool {
        match self.score {
            Some(Said::Mate(_)) => true,
            Some(Said::Centipawns(score)) => score.unsigned_abs() >= mate_score,
            None => false,
        }
    }

    /// Reads the words behind `info` of the Universal Chess Interface, in whatever order they come.
    /// None if they give neither a depth nor nodes, or give only the move that is being searched.
    /// Numbers that are too large become the largest that there is room for.
    ///
    /// `depth` is the depth that the search told last, 0 at first. A score without a depth is of
    /// that depth: engines may give each field in a line of its own.
    pub fn parse_info(words: &str, at: Duration, depth: &mut u32) -> Option<Report> {
        let mut report = Report { at, multipv: 1, ..Report::default() };
        let mut is_of_move = false;
        let mut words = words.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            // A word without its number says nothing, and the next word is read for itself.
            let mut next = || words.next_if(|word| word.parse::<f64>().is_ok());
            match word {
                "depth" => report.depth = next().and_then(count).unwrap_or(0),
                "seldepth" => report.seldepth = next().and_then(count),
                "multipv" => report.multipv = next().and_then(count).unwrap_or(1).max(1),
                "cp" => report.score = next().and_then(signed).map(Said::Centipawns),
                "mate" => report.score = next().and_then(signed).map(mate),
                "lowerbound" => report.bound = Bound::Lower,
                "upperbound" => report.bound = Bound::Upper,
                "time" => report.time = next().and_then(whole).map(milliseconds),
                "nodes" => report.nodes = next().and_then(whole),
                "nps" => report.nps = next().and_then(whole),
                "hashfull" => report.hashfull = next().and_then(count).map(|n| n.min(FULL)),
                "pv" => {
                    let moves = || words.next_if(|word| !FIELDS.contains(word));
                    report.pv = line(iter::from_fn(moves));
                }
                // The rest of the line is text.
                "string" => break,
                "currmove" | "refutation" | "currline" => is_of_move = true,
                _ => {}
            }
        }
        if report.depth > 0 {
            *depth = report.depth;
        }
        if is_of_move && report.pv.is_empty() {
            // The line tells of a move, and not of the position.
            report = Report { at, multipv: 1, nodes: report.nodes, ..Report::default() };
        }
        if report.score.is_some() {
            report.depth = *depth;
        }
        (report.depth > 0 || report.nodes.is_some()).then_some(report)
    }

    /// Reads a line of thinking of the `XBoard` protocol. It has depth, score in hundredths of a
    /// pawn, time in hundredths of a second, nodes, and the line. Before the line there may be
    /// selective depth, nodes a second and hits in tablebases, and then a tab. None if the line is
    /// anything else.
    pub fn parse_thinking(text: &str, at: Duration) -> Option<Report> {
        let mut words = text.split_ascii_whitespace().peekable();
        // Some engines write a mark behind the depth, for the kind of line.
        let depth = words.next()?.trim_end_matches(|c: char| !c.is_ascii_digit());
        let score = words.next().and_then(signed)?;
        let hundredths = words.next().and_then(whole)?;
        let nodes = words.next().and_then(whole)?;
        // No move is a number.
        let mut more = || words.next_if(|word| whole(word).is_some());
        let (seldepth, nps) = (more().and_then(count), more().and_then(whole));
        while more().is_some() {}
        let pv = line(words);
        let bound = match pv.as_bytes().last() {
            Some(b'!') => Bound::Lower,
            Some(b'?') => Bound::Upper,
            _ => Bound::Exact,
        };
        Some(Report {
            at,
            depth: count(depth)?,
            seldepth,
            multipv: 1,
            score: Some(xboard_score(score)),
            bound,
            time: Some(milliseconds(hundredths.saturating_mul(10))),
            nodes: Some(nodes),
            nps,
            pv,
            ..Report::default()
        })
    }
}

/// The words that begin a field of `info`. (Meyer-Kahlen and Huber's description, April 2006, and
/// those that engines have added.)
const FIELDS: [&str; 20] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
    "wdl",
    "lowerbound",
    "upperbound",
];
/// The thousandths of a full table.
const FULL: u32 = 1_000;
/// The longest time that an engine may tell: a year. A longer one is taken for it.
const LONGEST: Duration = Duration::from_hours(365 * 24);

/// A whole number of 0 or more. One that is too large is the largest.
fn whole(word: &str) -> Option<u64> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().unwrap_or(u64::MAX))
}

/// A whole number of 0 or more that is not as wide.
fn count(word: &str) -> Option<u32> {
    whole(word).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

/// A whole number with a sign; a decimal number is rounded. One beyond the ends is at the end.
fn signed(word: &str) -> Option<i32> {
    let number: f64 = word.parse().ok()?;
    number.is_finite().then(|| number.round() as i32)
}

fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number).min(LONGEST)
}

/// The moves of a line. A spreadsheet would compute a line that begins with one of these signs, and
/// no move does.
fn line<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let line = words.collect::<Vec<_>>().join(" ");
    line.trim_start_matches(['=', '+', '-', '@', ' ']).to_owned()
}

/// A score of the `XBoard` protocol beyond this value is a mate: `XBOARD_MATE` + n is a mate in n
/// moves.
const XBOARD_MATE: i32 = 100_000;
/// The largest number of moves to mate; a larger one is garbage.
const LONGEST_MATE: i32 = 1_000;

fn mate(moves: i32) -> Said {
    Said::Mate(moves.clamp(-LONGEST_MATE, LONGEST_MATE))
}

fn xboard_score(score: i32) -> Said {
    if score.unsigned_abs() >= XBOARD_MATE as u32 {
        mate(score - XBOARD_MATE * score.signum())
    } else {
        Said::Centipawns(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::spec::BEYOND_MATERIAL;

    const AT: Duration = Duration::from_millis(7);

    /// Reads the first line of a search.
    fn parse(words: &str) -> Option<Report> {
        Report::parse_info(words, AT, &mut 0)
    }

    #[test]
    fn reads_what_engines_write() {
        let stockfish = "depth 6 seldepth 4 multipv 1 score cp 19 nodes 1024 nps 256000 hashfull 3 \
                         tbhits 0 time 4 pv d7d5 d2d3";
        let expected = Report {
            at: AT,
            depth: 6,
            seldepth: Some(4),
            multipv: 1,
            score: Some(Said::Centipawns(19)),
            bound: Bound::Exact,
            time: Some(Duration::from_millis(4)),
            nodes: Some(1024),
            nps: Some(256_000),
            hashfull: Some(3),
            pv: "d7d5 d2d3".to_owned(),
        };
        assert_eq!(parse(stockfish), Some(expected));
        let toga =
            "multipv 1 depth 5 seldepth 12 score cp -17 upperbound time 3 nodes 2789 pv g8f6";
        let report = parse(toga).expect("a report");
        assert_eq!((report.bound, report.depth), (Bound::Upper, 5));
        let done = parse("depth 4 seldepth 11 time 2 nodes 1720 nps 0");
        assert!(done.is_some_and(|r| r.score.is_none() && r.nodes == Some(1720)));
        let mate = parse("depth 4 score mate -3 pv a2a3");
        assert_eq!(mate.and_then(|r| r.score), Some(Said::Mate(-3)));
    }

    #[test]
    fn what_is_no_report_is_none() {
        for line in [
            "",
            "string depth 3",
            "depth 7 currmove e2e4 currmovenumber 1",
            "depth 7 currmove e2e4 currmovenumber 1 score cp 12",
            "time 19 cpuload 872",
            "depth",
            "depth -3 nodes -1",
            "depth x score cp 3",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
        for line in ["move e2e4", "7 32 44", "tellics whisper depth=7; eval=+0.24", "a 1 2 3 e4"] {
            assert_eq!(Report::parse_thinking(line, AT), None, "{line}");
        }
    }

    #[test]
    fn fields_come_in_any_order() {
        let whole = parse("depth 3 score cp 30 nodes 600 time 5 pv e2e4 e7e5");
        assert!(whole.is_some());
        for line in [
            "depth 3 score cp 30 pv e2e4 e7e5 nodes 600 time 5",
            "depth 3 pv e2e4 e7e5 score cp 30 nodes 600 time 5",
            "pv e2e4 e7e5 multipv 0 time 5 nodes 600 score cp 30 depth 3",
            "depth\t3 score cp 30\tnodes 600 time 5 currmove d2d4 pv e2e4 e7e5",
            "depth 3 score cp 30 nodes 600 time 5 pv e2e4 e7e5 string depth 9 nodes 1",
        ] {
            assert_eq!(parse(line), whole, "{line}");
        }
    }

    #[test]
    fn a_score_without_a_depth_is_of_the_depth_told_last() {
        let mut depth = 0;
        let mut read = |line| Report::parse_info(line, AT, &mut depth).map(|report| report.depth);
        assert_eq!(read("score cp 7 pv e2e4"), None);
        assert_eq!(read("depth 3"), Some(3));
        assert_eq!(read("score cp 30 nodes 600 pv e2e4"), Some(3));
        assert_eq!(read("nodes 900"), Some(0));
        assert_eq!(read("depth 4 currmove e2e4 currmovenumber 1"), None);
        assert_eq!(read("score cp 31 pv e2e4"), Some(4));
    }

    #[test]
    fn nodes_are_heard_without_a_depth() {
        for line in ["time 19 nodes 36951 nps 0 cpuload 872", "depth 9 currmove e2e4 nodes 36951"] {
            let report = parse(line).expect("nodes");
            assert_eq!((report.depth, report.nodes, report.score), (0, Some(36951), None));
        }
    }

    #[test]
    fn absurd_numbers_are_the_largest_there_is_room_for() {
        let read = |line: &str| parse(line).expect(line);
        let many = "9".repeat(40);
        let report = read(&format!(
            "depth {many} score cp {many} nodes {many} nps {many} time {many} hashfull {many}"
        ));
        assert_eq!(
            (report.depth, report.nodes, report.hashfull),
            (u32::MAX, Some(u64::MAX), Some(1000))
        );
        assert_eq!((report.score, report.time), (Some(Said::Centipawns(i32::MAX)), Some(LONGEST)));
        assert_eq!(read("depth 3 score cp -1e12").score, Some(Said::Centipawns(i32::MIN)));
        assert_eq!(read("depth 3 score cp 12.6 pv e2e4").score, Some(Said::Centipawns(13)));
        assert_eq!(read("depth 3 score cp nan pv e2e4").score, None);
        assert_eq!(read("depth 3 score cp inf").score, None);
        assert_eq!(read("depth 3 score mate -2147483648").score, Some(Said::Mate(-1000)));
        // A word without its number does not swallow the next one.
        assert_eq!(read("depth 3 nodes score cp 5 time pv e2e4").score, Some(Said::Centipawns(5)));
        assert_eq!(read("depth 3 pv =cmd() e2e4").pv, "cmd() e2e4");
    }

    #[test]
    fn mates_are_told_in_several_ways() {
        let decided = |line: &str, from| parse(line).expect(line).is_decided(from);
        for line in ["mate 3", "mate -40", "cp 15995", "cp -9990", "cp 31990", "cp 2147483647"] {
            assert!(decided(&format!("depth 3 score {line}"), BEYOND_MATERIAL), "{line}");
        }
        assert!(!decided("depth 3 score cp 8990", BEYOND_MATERIAL));
        assert!(decided("depth 3 score cp -4995", 4_900) && !decided("depth 3 nodes 7", 1));
    }

    #[test]
    fn fields_of_thinking_that_may_be_left_out() {
        let read = |line: &str| {
            let report = Report::parse_thinking(line, AT).expect(line);
            (report.seldepth, report.nps, report.pv)
        };
        let line = || "e2e4 e7e5".to_owned();
        assert_eq!(read("4 4 4 4000 7 2000000 0\te2e4 e7e5"), (Some(7), Some(2_000_000), line()));
        assert_eq!(read("4 4 4 4000 7 2000000\te2e4 e7e5"), (Some(7), Some(2_000_000), line()));
        assert_eq!(read("4 4 4 4000 7\te2e4 e7e5"), (Some(7), None, line()));
        assert_eq!(read("4 4 4 4000\te2e4 e7e5"), (None, None, line()));
        assert_eq!(read("4 4 4 4000 \t"), (None, None, String::new()));
        assert_eq!(read("4\t4\t4\t4000\t1. e4 e5"), (None, None, "1. e4 e5".to_owned()));
    }

    #[test]
    fn reads_thinking() {
        let line = "  7.    24     5    62358  Nb1-d2  Qd8-b6";
        let report = Report::parse_thinking(line, AT).expect("a report");
        assert_eq!((report.depth, report.nodes), (7, Some(62358)));
        assert_eq!(report.time, Some(Duration::from_millis(50)));
        assert_eq!(report.pv, "Nb1-d2 Qd8-b6");
        let mate = Report::parse_thinking("9 -100004 5 100 Kh8", AT).expect("a report");
        assert_eq!(mate.score, Some(Said::Mate(-4)));
    }
}
