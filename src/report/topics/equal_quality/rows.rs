//! Times at equal quality of moves, of every searcher and number of threads.

use crate::experiment::{Sample, SampleStatus};
use crate::quality::{Judged, Scale, Values, first_depth};
use crate::report::figures::{Estimate, Measurements, Row};
use crate::report::topics::summary::{Line, beside_base};
use std::collections::HashMap;
use ttd_search::positions::TestPosition;
use ttd_stats::assay::{Assay, Curve, NoAssay, Point};
use ttd_stats::bootstrap::CONFIDENCE;
use ttd_stats::{Bounds, summary};

/// The figures at equal quality, by one judge.
#[derive(Clone, Debug, PartialEq)]
pub struct EqualQuality {
    /// The name that the judge gives itself, and the options set.
    pub judge: String,
    /// The nodes of each of its searches.
    pub nodes: u64,
    /// The number of positions that it judged.
    pub judged: usize,
    /// The rows, in the order of the experiment.
    pub rows: Vec<EqualRow>,
    /// The name of the reference of variants. Empty without variants.
    pub reference: String,
    /// The variants, each beside the reference at as many threads.
    pub variants: Vec<EqualRow>,
    /// The number of rows of `judged.csv` that cannot be used.
    pub unusable: usize,
}

/// A searcher at one number of threads.
#[derive(Clone, Debug, PartialEq)]
pub struct EqualRow {
    /// The searcher's name.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// Whether there are more threads than cores that the process could use.
    pub oversubscribed: bool,
    /// The speedup to the depth asked for; none beside a reference.
    pub to_depth: Option<Estimate>,
    /// The net speedup; none beside a reference.
    pub net: Option<Estimate>,
    /// The mean losses at the depth asked for. None without a position where both are known.
    pub losses: Option<Losses>,
    /// The number of positions where every depth that counts is known, of both.
    pub positions: usize,
    /// The number of positions that are left out of the others: not judged, stopped or failed.
    pub left_out: usize,
    /// Whether moves on the way to the depth are not known: files of older programs lack them.
    pub lacks_moves: bool,
    /// The ratio of times at equal loss in centipawns, or the reason why there is none.
    pub centipawns: Result<Assay, NoAssay>,
    /// The ratio at equal loss of expected score.
    pub expected: Result<Assay, NoAssay>,
}

/// Mean losses of moves over positions, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// That of the base.
    pub base: f64,
    /// That of the cell.
    pub cell: f64,
    /// The 95% interval of the cell's loss less the base's, by Student's t over the differences at
    /// each position. None with one position.
    pub extra: Option<Bounds>,
}

impl Losses {
    /// From the losses of the base and of the cell at each position. None without positions.
    fn of(pairs: &[(f64, f64)]) -> Option<Losses> {
        let (base, cell): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let extra: Vec<f64> = pairs.iter().map(|(base, cell)| cell - base).collect();
        let (base, cell) = summary::mean(&base).zip(summary::mean(&cell))?;
        Some(Losses { base, cell, extra: summary::mean_interval(&extra, CONFIDENCE) })
    }
}

/// The figures at equal quality of all that was measured beside its base.
pub(crate) fn equal_quality(
    all: Measurements<'_>,
    judged: &Judged,
    unusable: usize,
) -> EqualQuality {
    let boards: HashMap<&str, &TestPosition> =
        all.set.iter().map(|position| (position.id.as_str(), position)).collect();
    let of_cell = |(searcher, row): (&str, &Row), reference: Option<&str>| {
        let threads = row.threads;
        let cells = Cells { all, judged, boards: &boards, cell: (searcher, threads), reference };
        let places: Vec<[Vec<Of>; 2]> =
            all.figures.positions.iter().filter_map(|id| cells.place(id)).collect();
        let assay = |scale| cells.assay(&places, scale);
        EqualRow {
            searcher: searcher.to_owned(),
            threads,
            oversubscribed: row.oversubscribed,
            to_depth: row.geometric_mean.filter(|_| reference.is_none()),
            net: row.net.map(|net| net.net).filter(|_| reference.is_none()),
            losses: cells.losses(),
            positions: places.len(),
            left_out: all.figures.positions.len() - places.len(),
            lacks_moves: cells.lacks_moves(),
            centipawns: assay(Scale::Centipawns),
            expected: assay(Scale::Expected),
        }
    };
    let ours = all.experiment.all_ours().map(|(own, _)| all.experiment.name_of(own));
    let reference = all.experiment.reference.as_deref();
    let variants = ours.filter(|name| reference.is_some_and(|reference| reference != *name));
    let variants = variants
        .filter_map(|name| all.figures.named(name))
        .flat_map(|of| of.rows.iter().map(|row| of_cell((&of.searcher, row), reference)));
    EqualQuality {
        judge: judged.judge.clone(),
        nodes: judged.nodes,
        judged: judged.positions(),
        rows: beside_base(all.figures)
            .map(|Line { searcher, row, .. }| of_cell((searcher, row), None))
            .collect(),
        variants: variants.collect(),
        reference: reference.unwrap_or_default().to_owned(),
        unusable,
    }
}

/// The runs of a cell at one depth of a position: the mean logarithm of the times, and two mean
/// losses. These are in centipawns and in expected score.
#[derive(Clone, Copy)]
struct Of {
    depth: u8,
    log_time: f64,
    losses: [f64; 2],
}

/// A cell, and its base.
struct Cells<'a> {
    all: Measurements<'a>,
    judged: &'a Judged,
    boards: &'a HashMap<&'a str, &'a TestPosition>,
    cell: (&'a str, usize),
    /// The searcher that is the base at as many threads. None for the usual base.
    reference: Option<&'a str>,
}

impl<'a> Cells<'a> {
    fn samples(&self, id: &str) -> [&'a [Sample]; 2] {
        let (searcher, threads) = self.cell;
        let of = |searcher| self.all.samples.cell(searcher, threads, id);
        let base = self.reference.map_or_else(|| self.all.base_cell(searcher, id), of);
        [base, of(searcher)]
    }

    fn values(&self, id: &str) -> Option<&'a Values> {
        self.judged.values(&self.boards.get(id)?.board)
    }

    /// All depths that count, of the base and of the cell. None unless every one is known, and
    /// every sample reached its depth.
    fn place(&self, id: &str) -> Option<[Vec<Of>; 2]> {
        let values = self.values(id)?;
        let [base, cell] = self.samples(id).map(|samples| self.depths(samples, values));
        Some([base?, cell?])
    }

    fn depths(&self, samples: &[Sample], values: &Values) -> Option<Vec<Of>> {
        let deepest = samples.first()?.depth;
        let taken = samples.iter().filter(|sample| sample.status != SampleStatus::Failed);
        let taken: Vec<&Sample> = taken.collect();
        if taken.is_empty() || taken.iter().any(|sample| sample.status != SampleStatus::Ok) {
            return None;
        }
        let of = |depth: u8| {
            let mut runs = Vec::new();
            for sample in &taken {
                let rows = self.all.iterations.of(sample);
                let row = rows.iter().find(|row| row.depth == depth)?;
                let time = row.time.as_secs_f64();
                let mv = row.best_move.as_ref().filter(|_| time > 0.0)?;
                let loss = |scale| values.loss(mv, scale);
                runs.push([time.ln(), loss(Scale::Centipawns)?, loss(Scale::Expected)?]);
            }
            let mean = |which: usize| {
                summary::mean(&runs.iter().map(|run| run[which]).collect::<Vec<_>>())
            };
            Some(Of { depth, log_time: mean(0)?, losses: [mean(1)?, mean(2)?] })
        };
        (first_depth(deepest)..=deepest).map(of).collect()
    }

    fn assay(&self, places: &[[Vec<Of>; 2]], scale: Scale) -> Result<Assay, NoAssay> {
        let curve = |which: usize| {
            let depths: Vec<u8> = places
                .first()
                .map_or_else(Vec::new, |place| place[which].iter().map(|of| of.depth).collect());
            let point = |of: &Of| Point {
                log_time: of.log_time,
                loss: of.losses[usize::from(scale == Scale::Expected)],
            };
            let points = (0..depths.len())
                .map(|at| places.iter().map(|place| point(&place[which][at])).collect())
                .collect();
            Curve { depths, points }
        };
        Assay::of(&curve(0), &curve(1), self.all.experiment.seed)
    }

    /// The mean losses at the depth asked for, over positions where both are known.
    fn losses(&self) -> Option<Losses> {
        let loss = |samples: &[Sample], values: &Values| {
            let ok = samples.iter().filter(|sample| sample.status == SampleStatus::Ok);
            let losses: Option<Vec<f64>> =
                ok.map(|sample| values.loss(&sample.best_move, Scale::Centipawns)).collect();
            summary::mean(&losses?)
        };
        let of = |id: &String| {
            let values = self.values(id)?;
            let [base, cell] = self.samples(id).map(|samples| loss(samples, values));
            base.zip(cell)
        };
        Losses::of(&self.all.figures.positions.iter().filter_map(of).collect::<Vec<_>>())
    }

    /// Whether no iteration of any sample has a move.
    fn lacks_moves(&self) -> bool {
        let mut samples =
            self.all.figures.positions.iter().flat_map(|id| self.samples(id)).flatten();
        let has_moves = |sample: &Sample| {
            self.all.iterations.of(sample).iter().any(|row| row.best_move.is_some())
        };
        !samples.any(has_moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{IterationRow, Of as PartOf, Part, Variant};
    use crate::quality::{JUDGED, JudgedRow, Values};
    use crate::records::{Row, csv_line};
    use crate::report::synthetic::Made;
    use crate::report::{Beside, Input, write};
    use std::fs;
    use tempfile::TempDir;
    use ttd_search::cores::Time;
    use ttd_search::positions::{self, fen_text};
    use ttd_search::searchers::Searcher;
    use ttd_stats::assay::Parallel;

    /// The losses where every move is the best one.
    const NOTHING_LOST: Losses =
        Losses { base: 0.0, cell: 0.0, extra: Some(Bounds { lower: 0.0, upper: 0.0 }) };

    /// The loss that the move of a depth has, in centipawns. Times double with each ply, so that
    /// the loss is a line.
    fn loss(depth: u8) -> i32 {
        10 * (13 - i32::from(depth))
    }

    fn row(sample: &Sample, depth: u8, best_move: Option<String>) -> PartOf<IterationRow> {
        let time = sample.time.as_secs_f64() / f64::from(1_u32 << (sample.depth - depth));
        let time = if depth == sample.depth { sample.time } else { Time::from_secs_f64(time) };
        let part = IterationRow { depth, time, best_move, ..IterationRow::default() };
        PartOf { sample: sample.key(), part }
    }

    /// A directory in which searches with several workers find the move of one ply less.
    fn dir(knows_moves: bool) -> TempDir {
        dir_of(&Made::default(), knows_moves)
    }

    fn dir_of(made: &Made, knows_moves: bool) -> TempDir {
        let dir = made.dir();
        let mut iterations = csv_line(&PartOf::<IterationRow>::columns());
        for sample in made.samples() {
            for depth in 1..=sample.depth {
                let found = if sample.threads > 1 { depth - 1 } else { depth };
                let mv = knows_moves.then(|| format!("m{found}"));
                iterations.extend(csv_line(&row(&sample, depth, mv).values()));
            }
        }
        fs::write(dir.path().join(IterationRow::FILE), iterations).expect("written");
        let mut judged = csv_line(&JudgedRow::columns());
        let set = positions::load(&made.experiment.positions).expect("a set");
        for of in set.iter().filter(|of| made.experiment.only.contains(&of.id)) {
            let values = (5..=12).map(|depth| (format!("m{depth}"), -loss(depth)));
            let values = values.chain([("e2e4".to_owned(), 0)]);
            let row = JudgedRow {
                judge: "Somebody 1".to_owned(),
                nodes: 9,
                position: of.id.clone(),
                fen: fen_text(&of.board),
                depth: 8,
                values: Values(values.collect()),
            };
            judged.extend(csv_line(&row.values()));
        }
        fs::write(dir.path().join(JUDGED), judged).expect("written");
        dir
    }

    fn of(dir: &TempDir, searcher: &str, threads: usize) -> EqualRow {
        let input = Input::read(dir.path()).expect("read");
        let rows = input.equal_quality.expect("moves are judged").rows;
        let is = |row: &EqualRow| row.searcher == searcher && row.threads == threads;
        rows.into_iter().find(is).expect("a row")
    }

    /// Four workers of YBWC are 3.6 times as fast, and one ply of twice the time worse.
    #[test]
    fn speed_and_quality_are_told_apart() {
        let dir = dir(true);
        let row = of(&dir, "ybwc", 4);
        assert_eq!((row.positions, row.left_out, row.lacks_moves), (3, 0, false));
        let assay = row.centipawns.expect("an assay");
        assert!((assay.equal.value - 1.8).abs() < 1e-6, "{assay:?}");
        assert!((assay.to_depth.expect("common depths").value - 3.6).abs() < 1e-6);
        assert!((assay.quality.expect("common depths").value - 0.5).abs() < 1e-6);
        assert_eq!((assay.depths, assay.parallel()), ([(7, 11), (8, 12)], Parallel::Shown));
        // Samples name the move `e2e4`, which is the best one.
        assert_eq!(row.losses, Some(NOTHING_LOST));
        write(dir.path(), Beside::default()).expect("written");
        let read = |file: &str| fs::read_to_string(dir.path().join(file)).expect("a file");
        let report = read("report.md");
        assert!(report.contains("## Equal quality") && report.contains("Somebody 1 judged"));
        assert!(report.contains("| ybwc | 4"), "{report}");
        assert!(read("assay.csv").starts_with("searcher,threads,positions,left_out,"));
    }

    /// The interval is `scipy.stats.ttest_rel(cell, base).confidence_interval()`.
    #[test]
    fn the_extra_loss_has_an_interval_over_positions() {
        let pairs = [(3.0, 7.0), (0.0, 2.0), (12.0, 11.0), (5.0, 5.0), (0.0, 20.0)];
        let of = Losses::of(&pairs).expect("five positions");
        assert_eq!((of.base, of.cell), (4.0, 9.0));
        let extra = of.extra.expect("an interval");
        let [lower, upper] = [-5.681_197_584_925, 15.681_197_584_925];
        assert!((extra.lower - lower).abs() < 1e-9 && (extra.upper - upper).abs() < 1e-9);
        assert_eq!(Losses::of(&pairs[..1]).and_then(|of| of.extra), None);
        assert_eq!(Losses::of(&[]), None);
    }

    /// A variant takes two thirds of the reference's time to each depth, with the same moves.
    #[test]
    fn a_variant_is_compared_with_its_reference_at_as_many_threads() {
        let mut made = Made::default();
        let engine = made.experiment.engine.clone();
        let settings = made.experiment.searcher.clone();
        let (name, searcher) = ("quick".to_owned(), Searcher::named("ybwc"));
        made.experiment.variants = vec![Variant { name, searcher, engine, settings }];
        made.experiment.reference = Some("ybwc".to_owned());
        made.alter = |sample| {
            if sample.searcher == "quick" && sample.threads == 4 {
                sample.time = Time::from_secs_f64(sample.time.as_secs_f64() / 1.5);
            }
        };
        let dir = dir_of(&made, true);
        let of = Input::read(dir.path()).expect("read").equal_quality.expect("judged");
        assert_eq!(of.reference, "ybwc");
        let row = |threads| {
            let is = |row: &&EqualRow| row.searcher == "quick" && row.threads == threads;
            of.variants.iter().find(is).and_then(|row| row.assay()).expect("an assay")
        };
        for (threads, ratio) in [(1, 1.0), (4, 1.5)] {
            let assay = row(threads);
            assert!((assay.equal.value - ratio).abs() < 1e-6, "{threads}: {assay:?}");
            assert!((assay.quality.expect("common depths").value - 1.0).abs() < 1e-6);
        }
        write(dir.path(), Beside::default()).expect("written");
        let read = |file: &str| fs::read_to_string(dir.path().join(file)).expect("a file");
        assert!(read("report.md").contains("### Variants beside ybwc"));
        assert!(read("assay-variants.csv").contains("\nquick,4,"));
    }

    /// Files of older programs have no moves of iterations: the moves at the end are compared.
    #[test]
    fn without_moves_on_the_way_there_is_no_ratio() {
        let row = of(&dir(false), "ybwc", 4);
        assert_eq!((row.positions, row.left_out, row.lacks_moves), (0, 3, true));
        assert_eq!(row.centipawns, Err(NoAssay::FewPositions));
        assert_eq!(row.losses, Some(NOTHING_LOST));
    }

    #[test]
    fn a_directory_that_nobody_judged_has_no_such_figures() {
        let dir = Made::default().dir();
        assert_eq!(Input::read(dir.path()).expect("read").equal_quality, None);
    }
}
