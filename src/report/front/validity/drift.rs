//! Whether searches became slower or faster from round to round.

use crate::experiment::{Sample, SampleStatus};
use crate::report::numbers::{count, fixed};
use crate::report::topics::summary::{CellLine, cells_of};
use crate::report::{Cores, Input};
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

fn in_words_of(drift: &Drift) -> String {
    let p =
        if drift.p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {}", fixed(drift.p, 3)) };
    let test = format!(
        "Page's trend test over {} and {}, {p}",
        count(drift.cells, "cell"),
        count(drift.rounds, "round")
    );
    if drift.p >= SIGNIFICANT {
        return format!("No drift between rounds is seen ({test}).");
    }
    let (verb, much) =
        if drift.change > 0.0 { ("rose", drift.change) } else { ("fell", -drift.change) };
    let much = match fixed(100.0 * much, 1) {
        nothing if nothing == "0.0" => "less than 0.1".to_owned(),
        much => much,
    };
    format!("Times {verb} by {much}% from the first round to the last ({test}).")
}

/// The drift of the cells that have a time in each of the first rounds. The number of these rounds
/// is the number of samples of the middle cell.
fn drift(input: &Input) -> Option<Drift> {
    if input.cores == Cores::Virtual {
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
