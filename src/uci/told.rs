//! The iterations that an engine has reported.

use super::report::{Bound, Report};

/// The most iterations that are kept. No sample is deeper. An engine that tells of ever greater
/// depths takes no more memory.
const MOST: usize = 256;

/// The iterations so far; each is the last report of its depth before the engine went on. Engines
/// report an iteration when it is done, or each time that they have a better move, or both. A score
/// that is only a bound does not complete an iteration, unless the engine tells nothing else.
#[derive(Clone, Debug, Default)]
pub struct Told {
    exact: Vec<Report>,
    /// The iterations if bounds count as well.
    with_bounds: Vec<Report>,
    nodes: Option<u64>,
}

impl Told {
    /// Adds a report.
    pub fn add(&mut self, report: &Report) {
        self.nodes = report.nodes.or(self.nodes);
        add(&mut self.exact, report, report.is_whole());
        add(&mut self.with_bounds, report, report.is_scored());
    }

    /// The nodes that were told last, in whatever report.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// Whether there were scores, and each was only a bound.
    pub fn has_bounds_only(&self) -> bool {
        self.exact.is_empty() && !self.with_bounds.is_empty()
    }

    /// The iterations, the deepest last. `bounds` tells whether a bound completes one.
    pub fn into_list(self, bounds: bool) -> Vec<Report> {
        if bounds || self.has_bounds_only() { self.with_bounds } else { self.exact }
    }
}

/// Adds a report to a list; `counts` tells whether its score completes an iteration.
fn add(list: &mut Vec<Report>, report: &Report, counts: bool) {
    let full = list.len() == MOST;
    let last = list.last_mut();
    let depth = last.as_ref().map_or(0, |last| last.depth);
    match last {
        _ if report.multipv > 1 => {}
        Some(last) if report.depth == depth && counts => {
            // Only some lines give the fill of the table, and not every bound a line.
            let hashfull = report.hashfull.or(last.hashfull);
            let unsaid = report.bound != Bound::Exact && report.pv.is_empty();
            let pv = if unsaid { last.pv.clone() } else { report.pv.clone() };
            *last = Report { hashfull, pv, ..report.clone() };
        }
        // This report says "done", without a score.
        Some(last) if report.depth == depth && report.nodes.is_some() && report.score.is_none() => {
            last.at = report.at;
            last.nodes = report.nodes;
            last.time = report.time.or(last.time);
            last.nps = report.nps.or(last.nps);
            last.hashfull = report.hashfull.or(last.hashfull);
        }
        Some(last) if report.depth > depth && counts && full => *last = report.clone(),
        _ if report.depth > depth && counts => list.push(report.clone()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::report::Said;
    use std::time::Duration;

    fn iterations(lines: &[&str]) -> Vec<(u32, u64, u64, String)> {
        let (mut told, mut depth) = (Told::default(), 0);
        for (at, line) in (1..).zip(lines) {
            let at = Duration::from_millis(at);
            if let Some(report) = Report::parse_info(line, at, &mut depth) {
                told.add(&report);
            }
        }
        let row = |Report { at, depth, nodes, pv, .. }: Report| {
            (depth, at.as_millis() as u64, nodes.unwrap_or(0), pv)
        };
        told.into_list(false).into_iter().map(row).collect()
    }

    #[test]
    fn the_last_word_on_a_depth_counts() {
        let toga = [
            "depth 4",
            "multipv 1 depth 4 score cp 1 time 2 nodes 1490 pv g8f6 b1c3",
            "depth 4 seldepth 11 time 2 nodes 1720 nps 0",
            "depth 5",
            "multipv 1 depth 5 score cp -17 upperbound time 3 nodes 2789 pv g8f6 e4e5",
            "multipv 1 depth 5 score cp -12 time 5 nodes 5767 pv d7d5 e4d5",
            "depth 5 seldepth 14 time 6 nodes 6694 nps 0",
            "depth 6",
            "multipv 1 depth 6 score cp -17 lowerbound time 3 nodes 7000 pv g8f6 e4e5",
            "depth 3 score cp 1 time 2 nodes 9 pv a7a5",
        ];
        let expected = [(4, 3, 1720, "g8f6 b1c3"), (5, 7, 6694, "d7d5 e4d5")];
        assert_eq!(iterations(&toga), expected.map(|(d, at, n, pv)| (d, at, n, pv.to_owned())));
    }

    #[test]
    fn other_lines_are_not_the_first() {
        let lines =
            ["depth 1 multipv 2 score cp 3 nodes 9", "depth 2 multipv 1 score cp 5 nodes 10"];
        assert_eq!(iterations(&lines), [(2, 2, 10, String::new())]);
    }

    #[test]
    fn bounds_complete_a_depth_if_nothing_else_is_told() {
        let sunfish = [
            "depth 1 score cp 40 lowerbound nodes 10 pv e2e4",
            "depth 1 score cp 50 upperbound nodes 20",
            "depth 2 score cp 45 lowerbound nodes 30 pv d2d4",
        ];
        let expected = [(1, 2, 20, "e2e4"), (2, 3, 30, "d2d4")];
        let expected = expected.map(|(d, at, n, pv)| (d, at, n, pv.to_owned()));
        assert_eq!(iterations(&sunfish), expected);
        let mut told = Told::default();
        assert!(!told.has_bounds_only());
        for line in ["depth 1 score cp 3", "depth 2 score cp 9 lowerbound nodes 7", "nodes 9"] {
            told.add(&Report::parse_info(line, Duration::ZERO, &mut 0).expect("a report"));
        }
        assert_eq!((told.has_bounds_only(), told.nodes()), (false, Some(9)));
        assert_eq!(told.clone().into_list(false).len(), 1);
        assert_eq!(told.into_list(true).len(), 2);
    }

    #[test]
    fn endless_depths_are_not_kept() {
        let mut told = Told::default();
        for depth in 1..100_000 {
            told.add(&Report {
                depth,
                multipv: 1,
                score: Some(Said::Centipawns(1)),
                ..Report::default()
            });
        }
        let list = told.into_list(false);
        assert_eq!((list.len(), list[254].depth, list[255].depth), (256, 255, 99_999));
    }
}
