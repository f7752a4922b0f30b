//! One sweep beside another: did the speedups change?
//!
//! Two sweeps are two sittings: between them the machine may have changed. A speedup is a ratio of
//! times of one sitting, so speedups are compared; times only on request. The samples of the two
//! sides are drawn anew independently.

mod differences;
mod side;
mod text;

pub use differences::Kind;
pub use side::CompareError;
pub(crate) use text::columns_page;

use crate::records::{CoresKind, Difference};
use crate::report::figures::Estimate;
use crate::report::front::validity;
use crate::report::lists::filled;
use crate::report::numbers::list;
use side::{Side, missing};
use std::path::Path;
use ttd_stats::ratios::{self, Quotient, Ratio};
use ttd_stats::{Bounds, Runs, summary};

/// The number of samples in a cell that is enough. With fewer, its median moves too little when
/// they are drawn anew.
const ENOUGH_RUNS: usize = 6;

/// The options of a comparison.
#[derive(Clone, Debug)]
pub struct Options {
    /// The change that does not count yet: a share of the figure, from 0 to below 1.
    pub threshold: f64,
    /// Whether times are compared too.
    pub times: bool,
    /// The kinds that may differ beside the program.
    pub allowed: Vec<Kind>,
}

/// The figure that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The geometric-mean speedup over positions.
    Speedup,
    /// The geometric-mean time, in seconds.
    Time,
}

/// The change of a figure, by the interval of its ratio over the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// All of the interval lies below 1 - threshold.
    Regression,
    /// All of the interval lies above 1 + threshold.
    Improvement,
    /// All of the interval lies between 1 - threshold and 1 + threshold.
    Unchanged,
    /// The interval reaches over one of these two limits.
    Unsettled,
    /// There is no interval: a cell has a single sample.
    NoInterval,
}

/// One competitor at one number of threads.
#[derive(Clone, Debug)]
pub struct Row {
    /// The figure that is compared.
    pub figure: Figure,
    /// The name of the competitor.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// Whether there are more workers than cores on one of the sides.
    pub oversubscribed: bool,
    /// The figure of the base, over the positions that count.
    pub base: Bounds,
    /// The figure of the new side, over these positions.
    pub new: Bounds,
    /// The quality of the new side over that of the base: new / base of speedups, base / new of
    /// times.
    pub ratio: Estimate,
    /// Positions that both sides have.
    pub positions: usize,
    /// The least number of samples in a cell.
    pub runs: usize,
    /// The verdict.
    pub change: Change,
}

/// One sweep beside another.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The programs and machines of both sides, in words: the base, then the new one.
    pub programs: [String; 2],
    /// The differences, and the kind of each.
    pub differences: Vec<(Kind, Difference)>,
    /// Speedups, then times; by competitor and number of threads.
    pub rows: Vec<Row>,
    /// The parts that only one side has, each in words.
    pub missing: Vec<String>,
    /// Notes that a reader must know before believing the figures, each a sentence or two.
    pub notes: Vec<String>,
    /// The share that is no change yet.
    pub threshold: f64,
    /// Whether a side has rows that cannot be used.
    pub damaged: bool,
}

impl Comparison {
    /// Compares the results directory `new` with `base`.
    ///
    /// # Errors
    /// If a directory cannot be read, if the two differ in a kind that is not allowed, or if they
    /// have nothing in common.
    pub fn of(base: &Path, new: &Path, options: &Options) -> Result<Comparison, CompareError> {
        let sides = [Side::read("BASE", base)?, Side::read("NEW", new)?];
        let [base, new] = &sides;
        let differences = differences::between(base, new);
        differences::check(&differences, &options.allowed)?;
        let (positions, moved) = side::common(base, new)?;
        let mut rows = Vec::new();
        let compared = Compared { base, new, positions: &positions, threshold: options.threshold };
        let wanted = [Some(Figure::Speedup), options.times.then_some(Figure::Time)];
        for figure in wanted.into_iter().flatten() {
            rows.extend(compared.rows(figure));
        }
        if rows.is_empty() {
            let mut words = vec![nothing(base, new, options)];
            words.extend(sides.iter().filter_map(Side::left_out_in_words));
            return Err(CompareError::Unlike(words.join(". ").replace("**", "")));
        }
        let mut missing = missing(base, new);
        missing.extend(moved);
        let notes = notes(&sides, &rows, options);
        let programs = [base.programs(), new.programs()];
        let threshold = options.threshold;
        let damaged = sides.iter().any(|side| side.left_out.rows > 0);
        Ok(Comparison { programs, differences, rows, missing, notes, threshold, damaged })
    }

    /// The number of rows with this change.
    pub fn count(&self, change: Change) -> usize {
        self.rows.iter().filter(|row| row.change == change).count()
    }
}

/// The two sides, and how they are compared.
struct Compared<'a> {
    base: &'a Side,
    new: &'a Side,
    positions: &'a [String],
    threshold: f64,
}

impl Compared<'_> {
    /// The rows of a figure.
    fn rows(&self, figure: Figure) -> Vec<Row> {
        let Compared { base, new, .. } = self;
        let mut rows = Vec::new();
        for name in base.measured().into_iter().filter(|name| new.measured().contains(name)) {
            let others = new.samples.threads(name);
            let threads = base.samples.threads(name).into_iter().filter(|n| others.contains(n));
            rows.extend(threads.filter_map(|threads| self.row(figure, name, threads)));
        }
        rows
    }

    /// The row of a figure. None if one of the sides does not know it, or if it is the base of its
    /// own speedup.
    fn row(&self, figure: Figure, name: &str, threads: usize) -> Option<Row> {
        let Compared { base, new, .. } = *self;
        let cells = |side: &Side| side.cells(name, threads, self.positions);
        let bases = |side: &Side| -> Option<Vec<Runs>> {
            let of = side.base_of(name);
            (figure == Figure::Time || (of, 1) != (name, threads))
                .then(|| side.cells(of, 1, self.positions))
        };
        let (old, now) = (cells(base), cells(new));
        let (old_base, new_base) = (bases(base)?, bases(new)?);
        let with_base = figure == Figure::Speedup;
        let of_base = Quotient::of(&old, with_base.then_some(&old_base[..]));
        let of_new = Quotient::of(&now, with_base.then_some(&new_base[..])).inverse();
        let both = [of_base, of_new];
        let ratio = ratios::geometric_mean(&both, base.experiment.seed)?;
        let known = ratios::by_position(&both);
        let mean = |cells: &ratios::Row, of_base: &ratios::Row| {
            let own = match figure {
                Figure::Speedup => ratios::by_position(&[Quotient::of(of_base, Some(cells))]),
                Figure::Time => ratios::by_position(&[Quotient::of(cells, None)]),
            };
            let both = own.into_iter().zip(&known).filter(|(_, known)| known.is_some());
            let own: Vec<Bounds> = both.filter_map(|(own, _)| own).collect();
            Bounds::combine(&own, summary::geometric_mean)
        };
        let rows = both.iter().flat_map(|of| of.above.iter().chain(&of.below));
        let counted = rows.flat_map(|row| row.iter().zip(&known));
        let runs = counted.filter(|(_, known)| known.is_some()).map(|(cell, _)| cell.len());
        // Figures that are equal in every run need no second run.
        let certain = !base.varies() && !new.varies();
        let ratio =
            Ratio { ci_runs: if certain { Some(ratio.value) } else { ratio.ci_runs }, ..ratio };
        Some(Row {
            figure,
            searcher: name.to_owned(),
            threads,
            oversubscribed: [base, new].iter().any(|side| side.is_oversubscribed(threads)),
            base: mean(&old, &old_base)?,
            new: mean(&now, &new_base)?,
            positions: ratio.positions,
            runs: runs.min().unwrap_or(0),
            change: change(ratio.ci_runs, self.threshold),
            ratio: ratio.into(),
        })
    }
}

fn change(ci_runs: Option<Bounds>, threshold: f64) -> Change {
    let Some(ci) = ci_runs else { return Change::NoInterval };
    let (least, most) = (1.0 - threshold, 1.0 + threshold);
    if ci.upper < least {
        Change::Regression
    } else if ci.lower > most {
        Change::Improvement
    } else if ci.lower >= least && ci.upper <= most {
        Change::Unchanged
    } else {
        Change::Unsettled
    }
}

/// The reason why there is no row.
fn nothing(base: &Side, new: &Side, options: &Options) -> String {
    let only_one =
        |side: &Side| side.measured().iter().all(|name| side.samples.threads(name) == [1]);
    let in_common = base.measured().into_iter().any(|name| new.measured().contains(&name));
    if !in_common {
        return format!(
            "nothing to compare: no searcher has samples on both sides ({} in BASE, {} in NEW)",
            or_none(base.measured()),
            or_none(new.measured())
        );
    }
    if !options.times && (only_one(base) || only_one(new)) {
        return "nothing to compare: with one thread only there is no speedup (--times compares times)"
            .to_owned();
    }
    let with_base = |side: &Side| {
        let has_base = |name: &&str| side.samples.threads(side.base_of(name)).contains(&1);
        or_none(side.measured().into_iter().filter(has_base).collect())
    };
    format!(
        "nothing to compare: no searcher has a speedup on both sides at the same number of threads (base samples have {} in BASE, \
         {} in NEW)",
        with_base(base),
        with_base(new)
    )
}

/// The names in words; `none` if there are none.
fn or_none(names: Vec<&str>) -> String {
    filled(names).map_or_else(|| "none".to_owned(), list)
}

/// Notes that a reader must know before believing the figures.
fn notes(sides: &[Side; 2], rows: &[Row], options: &Options) -> Vec<String> {
    let mut notes = Vec::new();
    if options.times {
        notes.push(String::from(
            "**Two sittings.** BASE and NEW were not measured in turns. A change of the machine in \
             between is therefore in the ratios of times. `docs/comparing.md` says how to compare \
             two builds in one sweep.",
        ));
    }
    for side in sides {
        let measured = format!("{} was measured", side.word);
        let (rows, cores) = (side.samples.all().count(), side.experiment.cores);
        notes.extend(validity::programs(&side.sittings, rows, cores, &measured));
        if cores == CoresKind::Real {
            notes.extend(validity::disturbances(&side.sittings, &measured));
        }
        notes.extend(side.lost());
    }
    let fewest =
        rows.iter().filter(|row| row.change != Change::NoInterval).map(|row| row.runs).min();
    let vary = sides.iter().any(Side::varies);
    if let Some(runs) = fewest.filter(|runs| vary && *runs < ENOUGH_RUNS) {
        notes.push(format!(
            "**Few runs.** Some cells have {runs} only: ci_runs is too narrow, and its verdicts are too sure. \
             It is better from {ENOUGH_RUNS} runs on."
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_one_if_all_of_the_interval_is_beyond() {
        let of = |lower, upper| change(Some(Bounds { lower, upper }), 0.03);
        for (found, expected) in [
            (of(0.9, 0.96), Change::Regression),
            (of(0.9, 0.98), Change::Unsettled),
            (of(0.975, 1.02), Change::Unchanged),
            (of(0.98, 1.05), Change::Unsettled),
            (of(0.5, 2.0), Change::Unsettled),
            (of(1.04, 1.05), Change::Improvement),
            (of(0.0, f64::INFINITY), Change::Unsettled),
            (change(None, 0.03), Change::NoInterval),
            (change(Some(Bounds::exact(1.0)), 0.0), Change::Unchanged),
            (change(Some(Bounds::exact(0.99)), 0.0), Change::Regression),
        ] {
            assert_eq!(found, expected);
        }
    }
}
