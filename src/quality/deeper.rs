//! The worth of the moves that a sweep found.
//!
//! Time to depth compares searches only if the depth means the same in each. A parallel search
//! prunes and reduces by the histories of its workers. At one depth its tree may be smaller than
//! the sequential one, for two reasons: its order of moves is better, or it overlooks more.
//!
//! The best moves tell which reason it is. Each is valued by a deeper sequential search of the
//! position after it. Every cell is compared with the sequential search, position by position. The
//! sequential search one ply shallower stands beside them, as a measure of the scale.

use crate::experiment::{Experiment, Sample, SampleStatus};
use cozy_chess::util::parse_uci_move;
use std::sync::atomic::AtomicBool;
use ttd_search::cores::jobs;
use ttd_search::engine::{Move, Position, Score};
use ttd_search::positions::TestPosition;
use ttd_search::searchers::{Lab, Outcome, Searcher, Status, Task};
use ttd_stats::{Bounds, summary};

/// The largest value, in centipawns. Beyond it the game is won or lost, and by how much does not
/// count.
pub const DECIDED: Score = 1_000;

/// The confidence of the intervals.
const CONFIDENCE: f64 = 0.95;

/// The input of the judge.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The experiment that was measured.
    pub experiment: &'a Experiment,
    /// Its positions.
    pub positions: &'a [TestPosition],
    /// Its samples.
    pub samples: &'a [Sample],
    /// The depth of the judge's searches, in plies from the position of the set: 2 to
    /// [`ttd_search::search::MAX_DEPTH`]. It should be several plies more than the experiment's
    /// depth.
    pub depth: u8,
}

/// The quality of the moves of a cell, beside the moves of the sequential search to the
/// experiment's depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The name of the competitor.
    pub searcher: String,
    /// The number of workers.
    pub threads: usize,
    /// The depth of the search.
    pub depth: u8,
    /// The number of positions with completed samples.
    pub positions: usize,
    /// The share of samples with the sequential search's move, 0 to 1: the mean over the positions.
    pub agreement: f64,
    /// The number of positions in which the cell's moves are worth more or less.
    pub differing: usize,
    /// The worth of the moves less that of the sequential search's, in centipawns: the mean over
    /// the positions.
    pub difference: f64,
    /// The 95% interval of the difference, by Student's t over the positions. None if no position
    /// differs.
    pub interval: Option<Bounds>,
}

/// The result of the judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// First the sequential search one ply shallower, then every cell.
    pub standings: Vec<Standing>,
    /// The number of judged positions: all, unless it was interrupted.
    pub judged: usize,
    /// The number of samples that do not count: censored and failed ones.
    pub left_out: usize,
    /// One line for each completed sample that cannot be judged, because its move is not legal.
    pub refused: Vec<String>,
}

/// The reasons why moves cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum QualityError {
    /// No cell has a completed sample with a legal move.
    #[error("there is no completed sample with a legal move to judge")]
    NoSamples,
    /// A search of the judge failed.
    #[error("{position}: {why}")]
    Failed {
        /// The id of the position.
        position: String,
        /// The reason that the search gives.
        why: String,
    },
}

/// The name of a competitor, the number of its workers, and the depth.
type Cell = (String, usize, u8);

/// The moves that samples of a cell found in one position.
type Found = (Cell, Vec<Move>);

/// The result of a cell in one position: the share of agreement, and the difference in centipawns.
type Point = (Cell, f64, f64);

/// Judges the best moves of all completed samples, as many positions at once as there are `labs`.
/// The labs have the experiment's engine and table, and real cores. The number of judged positions
/// is passed to `done`. An `interrupt` ends it, and the positions judged before count.
///
/// # Errors
/// If no sample can be judged, or a search fails.
///
/// # Panics
/// If the system starts no thread.
pub fn judge(
    case: &Case<'_>,
    labs: &mut [Lab],
    interrupt: &AtomicBool,
    mut done: impl FnMut(usize),
) -> Result<Judgement, QualityError> {
    let mut refused = Vec::new();
    let found: Vec<Vec<Found>> =
        case.positions.iter().map(|of| moves_found(case, of, &mut refused)).collect();
    let counted: usize = found.iter().flatten().map(|(_, moves)| moves.len()).sum();
    if counted == 0 {
        return Err(QualityError::NoSamples);
    }
    let mut cells: Vec<Cell> = Vec::new();
    let mut points: Vec<Point> = Vec::new();
    let mut judged = 0;
    let job = |lab: &mut Lab, number: usize| {
        let of = &case.positions[number];
        Judge { case, lab, interrupt, of }.points(&found[number]).transpose()
    };
    jobs::in_order(labs, case.positions.len(), job, |number, of_position| {
        for point in of_position? {
            if !cells.contains(&point.0) {
                cells.push(point.0.clone());
            }
            points.push(point);
        }
        judged = number + 1;
        done(judged);
        Ok(())
    })?;
    // First the shallower search, then the competitors in the order of the experiment.
    let names = case.experiment.names();
    cells.sort_by_key(|(searcher, threads, depth)| {
        (*depth, names.iter().position(|other| other == searcher), *threads)
    });
    let standings = cells.into_iter().map(|cell| standing(cell, &points)).collect();
    let left_out = case.samples.len() - counted - refused.len();
    Ok(Judgement { standings, judged, left_out, refused })
}

/// The moves of the completed samples of a position, by cell. Moves that are not legal are written
/// to `refused`.
fn moves_found(case: &Case<'_>, of: &TestPosition, refused: &mut Vec<String>) -> Vec<Found> {
    let mut cells: Vec<Found> = Vec::new();
    let completed = |s: &&Sample| s.position == of.id && s.status == SampleStatus::Ok;
    for sample in case.samples.iter().filter(completed) {
        let Sample { searcher, threads, round, best_move, .. } = sample;
        let mv = parse_uci_move(&of.board, best_move).ok();
        let Some(mv) = mv.filter(|mv| of.board.is_legal(*mv)) else {
            refused.push(format!(
                "the best move of {searcher}, threads {threads}, {}, round {round} is `{best_move}`: expected a \
                 legal move",
                of.id
            ));
            continue;
        };
        let cell = (searcher.clone(), *threads, sample.depth);
        match cells.iter_mut().find(|(other, _)| *other == cell) {
            Some((_, moves)) => moves.push(mv),
            None => cells.push((cell, vec![mv])),
        }
    }
    cells
}

fn standing(cell: Cell, points: &[Point]) -> Standing {
    let of_cell = || points.iter().filter(|(other, ..)| *other == cell);
    let agreements: Vec<f64> = of_cell().map(|(_, agreement, _)| *agreement).collect();
    let differences: Vec<f64> = of_cell().map(|(.., difference)| *difference).collect();
    let differing = differences.iter().filter(|difference| **difference != 0.0).count();
    let (searcher, threads, depth) = cell;
    Standing {
        searcher,
        threads,
        depth,
        positions: differences.len(),
        agreement: summary::mean(&agreements).unwrap_or_default(),
        differing,
        difference: summary::mean(&differences).unwrap_or_default(),
        interval: summary::mean_interval(&differences, CONFIDENCE).filter(|_| differing > 0),
    }
}

/// Judges one position.
struct Judge<'a> {
    case: &'a Case<'a>,
    lab: &'a mut Lab,
    interrupt: &'a AtomicBool,
    of: &'a TestPosition,
}

impl Judge<'_> {
    /// The results of all cells in this position; none if it was interrupted.
    fn points(&mut self, found: &[Found]) -> Result<Option<Vec<Point>>, QualityError> {
        if found.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let depth = self.case.experiment.depth;
        let Some(sequential) = self.search(&self.of.position(), depth)? else { return Ok(None) };
        let move_at = |depth: u8| {
            let iteration = sequential.iterations.iter().find(|i| i.depth == depth)?;
            iteration.line.first().copied()
        };
        let Some(base) = move_at(depth) else { return Ok(Some(Vec::new())) };
        let mut cells = found.to_vec();
        if let Some(shallower) = move_at(depth - 1) {
            let name = Searcher::baseline().name().to_owned();
            cells.push(((name, 1, depth - 1), vec![shallower]));
        }
        let mut values: Vec<(Move, Score)> = Vec::new();
        for mv in cells.iter().flat_map(|(_, moves)| moves).chain([&base]) {
            if values.iter().all(|(valued, _)| valued != mv) {
                let Some(value) = self.value(*mv)? else { return Ok(None) };
                values.push((*mv, value));
            }
        }
        let value = |mv: &Move| {
            let found = values.iter().find(|(valued, _)| valued == mv);
            f64::from(found.map_or(0, |(_, value)| *value))
        };
        let point = |(cell, moves): Found| {
            let count = moves.len() as f64;
            let agreeing = moves.iter().filter(|mv| **mv == base).count() as f64;
            let difference = moves.iter().map(|mv| value(mv) - value(&base)).sum::<f64>();
            (cell, agreeing / count, difference / count)
        };
        Ok(Some(cells.into_iter().map(point).collect()))
    }

    /// The value of a move for the side that plays it, in centipawns, clamped to ±[`DECIDED`].
    fn value(&mut self, mv: Move) -> Result<Option<Score>, QualityError> {
        let after = self.of.position().after(mv);
        let score = if after.board().generate_moves(|_| true) {
            let Some(outcome) = self.search(&after, self.case.depth - 1)? else { return Ok(None) };
            -outcome.score
        } else if after.in_check() {
            DECIDED
        } else {
            0
        };
        Ok(Some(score.clamp(-DECIDED, DECIDED)))
    }

    fn search(&mut self, root: &Position, depth: u8) -> Result<Option<Outcome>, QualityError> {
        self.lab.clear();
        let outcome = self.lab.search(&Task::to_depth(root.clone(), depth), self.interrupt);
        match outcome.status {
            Status::Failed(why) => {
                let (position, why) = (self.of.id.clone(), why.to_string());
                Err(QualityError::Failed { position, why })
            }
            Status::Ok => Ok(Some(outcome)),
            Status::Censored => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::cores::Time;
    use ttd_search::engine::Techniques;
    use ttd_search::positions;
    use ttd_search::search::Counters;
    use ttd_search::searchers::Settings;

    fn sample(searcher: Searcher, threads: usize, best_move: &str) -> Sample {
        Sample {
            round: 1,
            order: 0,
            searcher: searcher.to_string(),
            threads,
            position: "hanging".to_owned(),
            depth: 4,
            status: SampleStatus::Ok,
            time: Time::ZERO,
            nodes: 0,
            score: 0,
            best_move: best_move.to_owned(),
            counters: Some(Counters::default()),
            states_alone: None,
            table_fill: 0.0,
            peak_mib: 0,
            additions: 0,
            work_span: None,
        }
    }

    fn judged(samples: &[Sample]) -> Result<Judgement, QualityError> {
        // White can take a queen.
        let epd = "3qk3/8/8/8/8/8/3Q4/3RK3 w - - id \"hanging\";\n";
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("hanging.epd");
        std::fs::write(&path, epd).expect("written");
        let positions = positions::load(&path.to_string_lossy()).expect("a position");
        let experiment = Experiment { depth: 4, ..Experiment::default() };
        let case = Case { experiment: &experiment, positions: &positions, samples, depth: 7 };
        let mut labs =
            vec![Lab::new(1, Techniques::default(), Settings::default()).expect("memory")];
        judge(&case, &mut labs, &AtomicBool::new(false), |_| ())
    }

    #[test]
    fn a_worse_move_is_found_to_be_worse() {
        let best = sample(Searcher::named("ybwc"), 2, "d2d8");
        let samples = [
            best.clone(),
            sample(Searcher::named("ybwc"), 4, "d2d8"),
            sample(Searcher::named("ybwc"), 4, "e1e2"),
            Sample { status: SampleStatus::Censored, best_move: String::new(), ..best },
        ];
        let Judgement { standings, judged, left_out, refused } = judged(&samples).expect("judged");
        assert_eq!((judged, left_out, refused.len()), (1, 1, 0));
        let cells: Vec<_> = standings
            .iter()
            .map(|s| (s.searcher.as_str(), s.threads, s.depth, s.positions))
            .collect();
        assert_eq!(cells, [("sequential", 1, 3, 1), ("ybwc", 2, 4, 1), ("ybwc", 4, 4, 1)]);
        let [_, same, half] = &standings[..] else { unreachable!("three cells") };
        assert_eq!((same.agreement, same.difference, same.interval), (1.0, 0.0, None));
        assert_eq!((same.differing, half.differing), (0, 1));
        assert!(half.agreement < 0.6 && half.difference < -100.0, "{half:?}");
    }

    #[test]
    fn what_is_no_move_is_refused_and_the_rest_judged() {
        let samples = [
            sample(Searcher::named("ybwc"), 2, "d2e4"),
            sample(Searcher::named("ybwc"), 2, "d2d8"),
        ];
        let Judgement { standings, left_out, refused, .. } = judged(&samples).expect("judged");
        let why =
            "the best move of ybwc, threads 2, hanging, round 1 is `d2e4`: expected a legal move";
        assert_eq!((refused.as_slice(), left_out), (&[why.to_owned()][..], 0));
        assert_eq!(standings.last().map(|s| (s.positions, s.agreement)), Some((1, 1.0)));
        assert!(matches!(judged(&samples[..1]), Err(QualityError::NoSamples)));
        assert!(matches!(judged(&[]), Err(QualityError::NoSamples)));
    }
}
