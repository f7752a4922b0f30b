//! What the variants do beside their reference.

use super::Report;
use crate::report::figures::{Estimate, Found, VariantRow, Variants};
use crate::report::numbers::{BLANK, estimate, fixed, interval, known, ratio};
use ttd_stats::ratios::Ratio;

type Table = Vec<Vec<String>>;

/// The chart and the tables; nothing before there are samples.
pub(super) fn section(report: &mut Report<'_>, variants: &Variants) {
    if variants.rows.is_empty() {
        return;
    }
    let reference = &variants.reference;
    report.heading(2, "Variants");
    report.paragraph(&format!(
        "Each variant beside {reference} at as many threads: ratios of medians, position by position, and their \
         geometric means. Below 1, a variant takes less time, or visits fewer nodes."
    ));
    report.chart("variants");
    report.table(
        &format!(
            "Time and nodes over those of {reference}. The effective branching factor is the growth of the nodes from \
             iteration to iteration over the deeper half of the search (an even number of plies): the median over the \
             samples of a position, the geometric mean over positions."
        ),
        &costs(variants),
    );
    report.table(
        &format!(
            "Moves found, and speedups. Found: positions in which more than half of the samples that reached the depth have a \
             best move that the set asks for, of those that ask; in samples: the share of all samples. Gained and lost: \
             positions in which it was found and {reference} did not, and the other way round. Speedup: geometric mean, to one \
             thread of the same variant; ratio: over that of {reference}, position by position."
        ),
        &worth(variants),
    );
}

fn table(
    columns: &[&str],
    variants: &Variants,
    line: impl Fn(&VariantRow) -> Vec<String>,
) -> Table {
    let header: Vec<String> =
        ["searcher", "threads"].iter().chain(columns).map(|c| (*c).to_owned()).collect();
    let whole = |row: &VariantRow| {
        let names = vec![row.searcher.clone(), row.threads.to_string()];
        [names, line(row)].concat()
    };
    [header].into_iter().chain(variants.rows.iter().map(whole)).collect()
}

fn costs(variants: &Variants) -> Table {
    let columns = [
        "positions",
        "time",
        "ci_runs",
        "ci_positions",
        "nodes",
        "ci_runs",
        "ci_positions",
        "branching factor",
        "ci_positions",
    ];
    table(&columns, variants, |row| {
        let mut cells = vec![known(row.time.map(|of| of.positions as f64), |n| fixed(n, 0))];
        cells.extend(both(row.time));
        cells.extend(both(row.nodes));
        let branching = row.branching.map(Estimate::from);
        cells.push(estimate(branching, ratio));
        cells.push(interval(branching.and_then(|e| e.ci_positions), ratio));
        cells
    })
}

fn worth(variants: &Variants) -> Table {
    let columns =
        ["found", "in samples", "gained", "lost", "speedup", "ratio", "ci_runs", "ci_positions"];
    table(&columns, variants, |row| {
        let found =
            |words: &dyn Fn(Found) -> String| row.found.map_or_else(|| BLANK.to_owned(), words);
        // It neither gains nor loses anything to itself.
        let to_other = |count: &dyn Fn(Found) -> usize| {
            if row.searcher == variants.reference {
                return BLANK.to_owned();
            }
            found(&|of| count(of).to_string())
        };
        let mut cells = vec![
            found(&|of| format!("{} of {}", of.positions, of.asked)),
            found(&|of| format!("{}%", fixed(100.0 * of.share(), 1))),
            to_other(&|of| of.gained),
            to_other(&|of| of.lost),
            estimate(row.speedup, ratio),
        ];
        cells.extend(both(row.speedup_ratio));
        cells
    })
}

/// A ratio and both of its intervals.
fn both(of: Option<Ratio>) -> [String; 3] {
    let of = of.map(Estimate::from);
    [
        estimate(of, ratio),
        interval(of.and_then(|e| e.ci_runs), ratio),
        interval(of.and_then(|e| e.ci_positions), ratio),
    ]
}
