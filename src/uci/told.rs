//! The iterations that an engine has reported.

use super::report::Report;

/// The iterations so far; each is the last report of its depth before the engine went on. Engines
/// report an iteration when it is done, or each time that they have a better move, or both. A score
/// that is only a bound does not complete an iteration.
#[derive(Clone, Debug, Default)]
pub struct Told {
    list: Vec<Report>,
}

impl Told {
    /// Adds a report.
    pub fn add(&mut self, report: &Report) {
        let last = self.list.last_mut();
        let depth = last.as_ref().map_or(0, |last| last.depth);
        let scored = report.is_whole();
        match last {
            _ if report.multipv > 1 => {}
            Some(last) if report.depth == depth && scored => {
                // Only some lines give the fill of the table.
                let hashfull = report.hashfull.or(last.hashfull);
                *last = Report { hashfull, ..report.clone() };
            }
            // This report says "done", without a score.
            Some(last)
                if report.depth == depth && report.nodes.is_some() && report.score.is_none() =>
            {
                last.at = report.at;
                last.nodes = report.nodes;
                last.time = report.time.or(last.time);
                last.nps = report.nps.or(last.nps);
                last.hashfull = report.hashfull.or(last.hashfull);
            }
            _ if report.depth > depth && scored => self.list.push(report.clone()),
            _ => {}
        }
    }

    /// The iterations, the deepest last.
    pub fn into_list(self) -> Vec<Report> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn iterations(lines: &[&str]) -> Vec<(u32, u64, u64, String)> {
        let mut told = Told::default();
        for (at, line) in (1..).zip(lines) {
            if let Some(report) = Report::parse_info(line, Duration::from_millis(at)) {
                told.add(&report);
            }
        }
        let row = |Report { at, depth, nodes, pv, .. }: Report| {
            (depth, at.as_millis() as u64, nodes.unwrap_or(0), pv)
        };
        told.into_list().into_iter().map(row).collect()
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
}
