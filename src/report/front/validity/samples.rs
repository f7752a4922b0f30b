//! Reasons in the samples themselves to doubt the figures.

use crate::experiment::{Sample, SampleStatus};
use crate::report::Input;
use crate::report::lists::ascending;
use crate::report::numbers::{count, fixed, percent};

/// Above this share of written entries the table may forget what a search needs.
const CROWDED_TABLE: f64 = 0.3;
/// The base time in seconds below which starting workers and reading clocks have an effect.
const SHORT_S: f64 = 0.05;
/// The largest relative difference between the sum of the worker states and N x T.
const STATES_TOLERANCE: f64 = 0.01;

/// The number of positions that is enough. With fewer, some intervals over positions hold the truth
/// in less than 92 of 100 experiments (docs/coverage.md has the simulations).
const FEW_POSITIONS: usize = 7;

/// The least number of samples for an order-statistic interval of the median.
const FEW_SAMPLES: usize = 6;

/// The notes, each a sentence or two.
pub(crate) fn notes(input: &Input) -> Vec<String> {
    let all: [fn(&Input) -> Option<String>; 8] = [
        few_samples,
        few_positions,
        missing_positions,
        crowded_table,
        short_times,
        lost_time,
        lost_detail,
        unread,
    ];
    all.into_iter().filter_map(|note| note(input)).collect()
}

fn few_samples(input: &Input) -> Option<String> {
    let cells = || {
        let rows = input.figures.measured().flat_map(|s| s.cells.iter().flatten());
        rows.map(|cell| cell.ok + cell.censored).filter(|n| *n > 0)
    };
    let most = cells().max()?;
    let of = count(cells().count(), "cell");
    let single = cells().filter(|n| *n == 1).count();
    if single > 0 {
        return Some(format!(
            "**Few samples.** {single} of {of} have a single sample: they have no deviation, and \
             every ci_runs that needs them is blank."
        ));
    }
    let who = match cells().filter(|n| *n < FEW_SAMPLES).count() {
        0 => return None,
        _ if most < FEW_SAMPLES => format!("No cell has more than {most}"),
        few => format!("{few} of {of} have fewer than {FEW_SAMPLES}"),
    };
    Some(format!(
        "**Few samples.** {who}. The order-statistic interval of a median needs {FEW_SAMPLES}, and \
         ci_runs is too narrow with fewer. In simulations it held the truth in 90 to 98 of 100 \
         experiments with 5 rounds. With 4 rounds it was 83 to 93, with 3 it was 67 to 77, and \
         with 2 it was 40 to 56 (`docs/coverage.md`)."
    ))
}

fn few_positions(input: &Input) -> Option<String> {
    let most = input.figures.rows().map(|row| row.positions).max()?;
    (1..FEW_POSITIONS).contains(&most).then_some(format!(
        "**Few positions.** ci_positions is from {} only, and may be too narrow. In \
         simulations, intervals held the truth in fewer than 95 of 100 experiments \
         (`docs/statistics.md`). For an agreement and for total it was 91 or 92 with 6 \
         positions, and 86 to 92 with 5. For all figures it was 79 to 88 with 4 positions, 67 \
         to 75 with 3, and 43 to 52 with 2. With one position ci_positions is blank.",
        count(most, "position")
    ))
}

fn missing_positions(input: &Input) -> Option<String> {
    let most = input.figures.rows().map(|row| row.positions).max()?;
    let places =
        input.figures.places(|row| Some(row.positions).filter(|positions| *positions < most));
    (!places.is_empty()).then_some(format!(
        "**Positions differ.** Not every row has a speedup for the same {} ({places}): compare \
         rows with care.",
        count(most, "position")
    ))
}

fn crowded_table(input: &Input) -> Option<String> {
    let fullest = input.samples.all().max_by(|a, b| a.table_fill.total_cmp(&b.table_fill))?;
    let crowded = || input.samples.all().filter(|sample| sample.table_fill > CROWDED_TABLE);
    let cells = ascending(crowded().map(|s| (&s.searcher, s.threads, &s.position)));
    (!cells.is_empty()).then_some(format!(
        "**Crowded table.** In {} of {}, more than {} of the transposition table was written \
         (at most {}, {} at {}). A larger table (`--hash`) would change the times.",
        count(crowded().count(), "sample"),
        count(cells.len(), "cell"),
        percent(CROWDED_TABLE),
        percent(fullest.table_fill),
        fullest.searcher,
        count(fullest.threads, "thread")
    ))
}

fn short_times(input: &Input) -> Option<String> {
    if input.cores.is_virtual() {
        return None; // virtual workers start at once
    }
    let base = input.samples.all().filter(|s| s.threads == 1 && s.status == SampleStatus::Ok);
    let times: Vec<f64> = base.map(|s| s.time.as_secs_f64()).collect();
    let short = times.iter().filter(|t| **t < SHORT_S).count();
    (short > 0).then_some(format!(
        "**Short searches.** {} of {} with one thread took less than {} ms, so the start of \
         the workers matters. A greater depth measures better.",
        short,
        count(times.len(), "sample"),
        fixed(1000.0 * SHORT_S, 0)
    ))
}

/// A note if the states of the workers do not fill N x T.
fn lost_time(input: &Input) -> Option<String> {
    let wrong = |sample: &&Sample| {
        let Some(states) = sample.states() else { return false };
        let states: f64 = states.iter().map(|t| t.as_secs_f64()).sum();
        let whole = sample.threads as f64 * sample.time.as_secs_f64();
        sample.status == SampleStatus::Ok && (states / whole - 1.0).abs() > STATES_TOLERANCE
    };
    let wrong = input.samples.all().filter(wrong).count();
    (wrong > 0).then_some(format!(
        "**Time unaccounted for.** In {} the worker states miss threads x time by more than \
         {}: treat the account with care.",
        count(wrong, "sample"),
        percent(STATES_TOLERANCE)
    ))
}

/// A note if the workers and depths of a sample do not add up to it.
fn lost_detail(input: &Input) -> Option<String> {
    let lost = input.samples.without_detail();
    (lost > 0).then_some(format!(
        "**Detail missing.** `workers.csv` and `depths.csv` do not add up to the rows of {}. \
         The tables of single workers and of the look-ups by depth are without {}.",
        count(lost, "sample"),
        if lost == 1 { "it" } else { "them" }
    ))
}

/// A note on the iterations, if they cannot be read.
fn unread(input: &Input) -> Option<String> {
    let why = input.unread.as_ref()?;
    Some(format!(
        "**No iterations.** {why}. Without them there are no speedups by depth, no causes of outliers and no \
         branching factors of variants."
    ))
}
