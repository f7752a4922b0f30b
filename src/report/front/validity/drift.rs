//! Whether searches became slower or faster from round to round.

use crate::experiment::{Sample, SampleStatus};
use crate::report::Input;
use crate::report::numbers::{count, fixed, percents};
use crate::report::topics::summary::{CellLine, cells_of};
use ttd_stats::drift::{Drift, SIGNIFICANT};
use ttd_stats::summary;

/// The note, if there is drift.
pub(crate) fn note(input: &Input) -> Option<String> {
    let drift = drift(input).filter(|drift| drift.p < SIGNIFICANT)?;
    Some(format!(
        "**Drift.** {} Every round visits every cell, so base and cells drift alike and speedups \
         suffer little. But deviations and ci_runs contain the drift.",
        in_words_of(&drift)
    ))
}

/// The result of the test in words, also without drift. None on virtual cores, where nothing can
/// drift, and none with too few rounds.
pub(crate) fn in_words(input: &Input) -> Option<String> {
    drift(input).map(|drift| in_words_of(&drift))
}

/// Ranks tell whether times drift, and in which direction; sizes tell by how much. Where the two
/// point different ways, neither a rise nor a fall of times is told.
fn in_words_of(drift: &Drift) -> String {
    let test = format!(
        "Page's trend test over {} and {}, {}",
        count(drift.cells, "cell"),
        count(drift.rounds, "round"),
        p_in_words(drift.p)
    );
    if drift.p >= SIGNIFICANT {
        return format!("No drift between rounds is seen ({test}).");
    }
    let rises = drift.z > 0.0;
    let much = share_in_words(drift.change);
    if drift.agrees() {
        let verb = if rises { "rose" } else { "fell" };
        return format!("Times {verb} by {much} from the first round to the last ({test}).");
    }
    let (ranks, times) = if rises { ("rise", "fell") } else { ("fall", "rose") };
    format!(
        "Ranks of times {ranks} from round to round ({test}). But the weighted mean of times \
         {times} by {much} from the first round to the last. So neither a rise nor a fall of times \
         is claimed."
    )
}

/// The size of a change, without its direction.
pub(super) fn share_in_words(change: f64) -> String {
    match percents(change.abs()) {
        nothing if nothing == "0.0%" => "less than 0.1%".to_owned(),
        much => much,
    }
}

/// A p in a sentence.
pub(super) fn p_in_words(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {}", fixed(p, 3)) }
}

/// The drift of the cells that have a time in each of the first rounds. The number of these rounds
/// is the number of samples of the middle cell.
fn drift(input: &Input) -> Option<Drift> {
    if input.cores.is_virtual() {
        return None;
    }
    let cells = cells(input);
    let counts: Vec<f64> = cells.iter().map(|cell| cell.len() as f64).collect();
    let rounds = summary::median(&counts)?.floor() as usize;
    let times = |cell: &&[Sample]| -> Option<Vec<f64>> {
        (1..=rounds as u32)
            .map(|round| {
                let sample = cell.iter().find(|sample| sample.round == round)?;
                let seconds = sample.time.as_secs_f64();
                (sample.status == SampleStatus::Ok && seconds > 0.0).then_some(seconds)
            })
            .collect()
    };
    Drift::of(&cells.iter().filter_map(times).collect::<Vec<_>>())
}

/// The samples of every cell that has some.
fn cells(input: &Input) -> Vec<&[Sample]> {
    let searchers = input.figures.searchers.iter();
    let cells = searchers.flat_map(cells_of).map(|CellLine { searcher, threads, cell }| {
        input.samples.cell(searcher, threads, &cell.position)
    });
    cells.filter(|cell| !cell.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(z: f64, change: f64) -> String {
        in_words_of(&Drift { cells: 9, rounds: 5, l: 0.0, z, p: 0.01, change })
    }

    #[test]
    fn the_direction_is_that_of_the_ranks() {
        let test = "(Page's trend test over 9 cells and 5 rounds, p = 0.010).";
        let rose = format!("Times rose by 0.6% from the first round to the last {test}");
        assert_eq!(told(3.5, 0.006), rose);
        let fell = format!("Times fell by less than 0.1% from the first round to the last {test}");
        assert_eq!(told(-4.3, -0.0001), fell);
    }

    #[test]
    fn sizes_that_deny_the_ranks_are_told_as_that() {
        for (z, change, parts) in [
            (3.5, -0.006, ["Ranks of times rise ", "mean of times fell by 0.6% "]),
            (-4.3, 0.0001, ["Ranks of times fall ", "mean of times rose by less than 0.1% "]),
        ] {
            let told = told(z, change);
            assert!(parts.iter().all(|part| told.contains(part)), "{told}");
            assert!(told.ends_with("neither a rise nor a fall of times is claimed."), "{told}");
        }
    }
}
