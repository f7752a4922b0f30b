//! An engine's reports while it searches.

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

/// A score, in hundredths of a pawn, that no position is worth. Engines without mate scores give
/// such a score for a mate.
const BEYOND_MATERIAL: u32 = 20_000;

impl Report {
    /// Whether the report gives the score of the best line, and not only a bound.
    pub fn is_whole(&self) -> bool {
        self.multipv == 1 && self.score.is_some() && self.bound == Bound::Exact
    }

    /// Whether the report sees the end of the game: a mate for either side.
    pub fn is_decided(&self) -> bool {
        match self.score {
            Some(Said::Mate(_)) => true,
            Some(Said::Centipawns(score)) => score.unsigned_abs() >= BEYOND_MATERIAL,
            None => false,
        }
    }

    /// Reads the words behind `info` of the Universal Chess Interface. None if they give no depth,
    /// or give only the move that is being searched.
    pub fn parse_info(words: &str, at: Duration) -> Option<Report> {
        let mut report = Report { at, multipv: 1, ..Report::default() };
        let mut depth = None;
        let mut words = words.split_ascii_whitespace();
        while let Some(word) = words.next() {
            let mut next = || words.next();
            match word {
                "depth" => depth = next()?.parse().ok(),
                "seldepth" => report.seldepth = next()?.parse().ok(),
                "multipv" => report.multipv = next()?.parse().unwrap_or(1),
                "score" => {
                    let kind = next()?;
                    let value = next()?.parse().ok();
                    report.score = match kind {
                        "cp" => value.map(Said::Centipawns),
                        "mate" => value.map(mate),
                        _ => None,
                    };
                }
                "lowerbound" => report.bound = Bound::Lower,
                "upperbound" => report.bound = Bound::Upper,
                "time" => report.time = next()?.parse().ok().map(Duration::from_millis),
                "nodes" => report.nodes = next()?.parse().ok(),
                "nps" => report.nps = next()?.parse().ok(),
                "hashfull" => report.hashfull = next()?.parse().ok(),
                "pv" => {
                    report.pv = words.collect::<Vec<_>>().join(" ");
                    break;
                }
                // The rest is text, or tells of a move and not of the position.
                "string" | "currmove" | "refutation" | "currline" => return None,
                _ => {}
            }
        }
        report.depth = depth?;
        Some(report)
    }

    /// Reads a line of thinking of the `XBoard` protocol. It has depth, score in
    /// hundredths of a pawn, time in hundredths of a second, nodes, and the line. None if the line
    /// is anything else.
    pub fn parse_thinking(line: &str, at: Duration) -> Option<Report> {
        let mut words = line.split_ascii_whitespace();
        // Some engines write a mark behind the depth, for the kind of line.
        let depth = words.next()?.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
        let score: i32 = words.next()?.parse().ok()?;
        let hundredths: u64 = words.next()?.parse().ok()?;
        let nodes = words.next()?.parse().ok()?;
        let pv = words.collect::<Vec<_>>().join(" ");
        let bound = match pv.as_bytes().last() {
            Some(b'!') => Bound::Lower,
            Some(b'?') => Bound::Upper,
            _ => Bound::Exact,
        };
        Some(Report {
            at,
            depth,
            multipv: 1,
            score: Some(xboard_score(score)),
            bound,
            time: Some(Duration::from_millis(hundredths.saturating_mul(10))),
            nodes: Some(nodes),
            pv,
            ..Report::default()
        })
    }
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

    const AT: Duration = Duration::from_millis(7);

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
        assert_eq!(Report::parse_info(stockfish, AT), Some(expected));
        let toga =
            "multipv 1 depth 5 seldepth 12 score cp -17 upperbound time 3 nodes 2789 pv g8f6";
        let report = Report::parse_info(toga, AT).expect("a report");
        assert_eq!((report.bound, report.depth), (Bound::Upper, 5));
        let done = Report::parse_info("depth 4 seldepth 11 time 2 nodes 1720 nps 0", AT);
        assert!(done.is_some_and(|r| r.score.is_none() && r.nodes == Some(1720)));
        let mate = Report::parse_info("depth 4 score mate -3 pv a2a3", AT);
        assert_eq!(mate.and_then(|r| r.score), Some(Said::Mate(-3)));
    }

    #[test]
    fn what_is_no_report_is_none() {
        for line in [
            "",
            "string depth 3",
            "depth 7 currmove e2e4 currmovenumber 1",
            "time 19 nodes 36951 nps 0 cpuload 872",
            "depth",
            "depth x score cp 3",
        ] {
            assert_eq!(Report::parse_info(line, AT), None, "{line}");
        }
        for line in ["move e2e4", "7 32 44", "tellics whisper depth=7; eval=+0.24", "a 1 2 3 e4"] {
            assert_eq!(Report::parse_thinking(line, AT), None, "{line}");
        }
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
