//! What the moves of a sweep are worth.
//!
//! Time to depth compares searches only if the depth means the same in each. A parallel search prunes and reduces
//! by what its workers have learnt, and its tree at one depth may be smaller than the sequential one: because
//! it is better ordered, or because it looks less. The best moves tell which. Each is valued by a deeper
//! sequential search of the position after it, and every cell is compared with the sequential search, position by
//! position; the sequential search one ply shallower stands beside them, as a measure of the scale.

use crate::experiment::{Experiment, Sample, SampleStatus};
use cozy_chess::util::parse_uci_move;
use std::sync::atomic::AtomicBool;
use ttd_search::cores::jobs;
use ttd_search::engine::{Board, Move, Position, Score};
use ttd_search::positions::TestPosition;
use ttd_search::searchers::{Lab, Outcome, Searcher, Status, Task};
use ttd_stats::{Bounds, summary};

/// How far from equal a value can be, in centipawns: beyond, the game is won or lost, and how clearly does not
/// count.
pub const DECIDED: Score = 1_000;

/// The confidence of the intervals.
const CONFIDENCE: f64 = 0.95;

/// What is to be judged.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// What was measured.
    pub experiment: &'a Experiment,
    /// Its positions.
    pub positions: &'a [TestPosition],
    /// Its samples.
    pub samples: &'a [Sample],
    /// How deeply the judge searches, plies from the position of the set (2 to
    /// [`ttd_search::search::MAX_DEPTH`]). To be of use it is several more than the experiment's depth.
    pub depth: u8,
}

/// How good the moves of a cell are beside those of the sequential search to the experiment's depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Who searched, by name.
    pub searcher: String,
    /// With how many workers.
    pub threads: usize,
    /// To which depth.
    pub depth: u8,
    /// How many positions have completed samples.
    pub positions: usize,
    /// The share of samples with the sequential search's move, 0 to 1: the mean over the positions.
    pub agreement: f64,
    /// In how many positions the moves are worth something else.
    pub differing: usize,
    /// What the moves are worth more than the sequential search's, in centipawns: the mean over the positions.
    pub difference: f64,
    /// The 95% interval of the difference, by Student's t over the positions; none if it differs between
    /// none of them.
    pub interval: Option<Bounds>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// First the sequential search one ply shallower, then every cell.
    pub standings: Vec<Standing>,
    /// How many positions were judged: all, unless it was interrupted.
    pub judged: usize,
    /// How many samples count for nothing: censored and failed ones.
    pub left_out: usize,
    /// What is wrong with completed samples that cannot be judged, one line for each: their moves are not legal.
    pub refused: Vec<String>,
}

/// Why moves cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum QualityError {
    /// No cell has a completed sample with a legal move.
    #[error("there is no completed sample with a legal move to judge")]
    NoSamples,
    /// A search of the judge failed.
    #[error("{position}: {why}")]
    Failed {
        /// From which position.
        position: String,
        /// What went wrong.
        why: String,
    },
}

/// Who searched with how many workers, to which depth.
type Cell = (String, usize, u8);

/// The moves that samples of a cell found in one position.
type Found = (Cell, Vec<Move>);

/// What a cell is worth in one position: the share of agreement, and the difference in centipawns.
type Point = (Cell, f64, f64);

/// Judges the best moves of all completed samples, as many positions at once as there are `labs`; these have
/// the experiment's engine and table, and real cores. `done` is told how many positions are judged. An
/// `interrupt` ends it with what was judged until then.
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
    // The shallower search first, then in the order of the experiment.
    let names = case.experiment.names();
    cells.sort_by_key(|(searcher, threads, depth)| {
        (*depth, names.iter().position(|other| other == searcher), *threads)
    });
    let standings = cells.into_iter().map(|cell| standing(cell, &points)).collect();
    let left_out = case.samples.len() - counted - refused.len();
    Ok(Judgement { standings, judged, left_out, refused })
}

/// The moves of the completed samples of a position, by cell. What is no legal move is told to `refused`.
fn moves_found(case: &Case<'_>, of: &TestPosition, refused: &mut Vec<String>) -> Vec<Found> {
    let mut cells: Vec<Found> = Vec::new();
    let completed = |s: &&Sample| s.position == of.id && s.status == SampleStatus::Ok;
    for sample in case.samples.iter().filter(completed) {
        let Sample { searcher, threads, round, best_move, .. } = sample;
        let Some(mv) = legal_move(&of.board, best_move) else {
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

fn legal_move(board: &Board, uci: &str) -> Option<Move> {
    parse_uci_move(board, uci).ok().filter(|mv| board.is_legal(*mv))
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
    /// What every cell is worth here; none if it was interrupted.
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

    /// What a move is worth to who plays it, centipawns within [`DECIDED`].
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
        let task = Task {
            searcher: Searcher::baseline(),
            threads: 1,
            root: root.clone(),
            depth,
            time_limit: None,
            seed: 1,
            noise: 1,
        };
        self.lab.clear();
        let outcome = self.lab.search(&task, self.interrupt);
        match outcome.status {
            Status::Failed(why) => Err(QualityError::Failed { position: self.of.id.clone(), why }),
            Status::Ok => Ok(Some(outcome)),
            Status::Censored => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::cores::Time;
    use ttd_search::engine::Features;
    use ttd_search::positions;
    use ttd_search::search::{Counters, Later};
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
            table_fill: 0.0,
            peak_mib: 0,
            later: Later::default(),
            work_span: None,
        }
    }

    fn judged(samples: &[Sample]) -> Result<Judgement, QualityError> {
        // White takes a queen, or does not.
        let epd = "3qk3/8/8/8/8/8/3Q4/3RK3 w - - id \"hanging\";\n";
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("hanging.epd");
        std::fs::write(&path, epd).expect("written");
        let positions = positions::load(&path.to_string_lossy()).expect("a position");
        let experiment = Experiment { depth: 4, ..Experiment::default() };
        let case = Case { experiment: &experiment, positions: &positions, samples, depth: 7 };
        let mut labs = vec![Lab::new(1, Features::default(), Settings::default()).expect("memory")];
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
