//! Whether this program takes the samples of a directory again as another program took them.
//!
//! Samples on virtual cores are exact. A program with an equal search takes them again, to the
//! nanosecond. So it may go on there, also if its version is another. A program that does not
//! repeat them may not.

use super::executor::SearchExecutor;
use super::plan::Planned;
use super::resolve::Resolved;
use super::rows::{Sample, SampleStatus};
use super::runner::{Executor, describe};
use crate::records::{CoresKind, Row};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use ttd_search::searchers::LabError;

/// The most samples that are taken again.
const MOST: usize = 4;
/// The columns that must be equal. The time depends on the order of all nodes of all workers.
const COLUMNS: [&str; 5] = ["status", "time_s", "nodes", "score", "best_move"];

/// The result of taking samples of a directory again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// So many samples were equal.
    Equal(usize),
    /// A sample was another one. In words: which one, what it is there, and what it is here.
    Other(String),
    /// None was taken: there is none that must be equal, or the user ended it.
    None,
}

/// Takes samples of a directory again, and compares them. `samples` are the first ones of `plan`.
/// The last one of each competitor on each number of workers counts, at most four in all. More
/// workers come first.
///
/// # Errors
/// If there is no memory for the table.
pub fn repeat(
    resolved: &Resolved,
    plan: &[Planned],
    samples: &[Sample],
    interrupt: &AtomicBool,
) -> Result<Repetition, LabError> {
    if resolved.experiment.cores != CoresKind::Virtual {
        return Ok(Repetition::None);
    }
    let chosen = chosen(&samples[..samples.len().min(plan.len())]);
    if chosen.is_empty() {
        return Ok(Repetition::None);
    }
    let mut executor = SearchExecutor::new(&resolved.experiment)?;
    for &at in &chosen {
        let taken = executor.take(resolved, &plan[at], interrupt).sample;
        // Relaxed is enough: the flag carries no other data.
        if interrupt.load(Ordering::Relaxed) {
            return Ok(Repetition::None);
        }
        let (there, here) = (words(&samples[at]), words(&taken));
        if there != here {
            let which = describe(resolved, &plan[at]);
            return Ok(Repetition::Other(format!("{which}: {there} there, {here} here")));
        }
    }
    Ok(Repetition::Equal(chosen.len()))
}

/// The places of the samples to be taken again.
fn chosen(samples: &[Sample]) -> Vec<usize> {
    let mut last = BTreeMap::new();
    // A failed sample need not fail again.
    let usable = |(_, sample): &(usize, &Sample)| sample.status != SampleStatus::Failed;
    for (at, sample) in samples.iter().enumerate().filter(usable) {
        last.insert((std::cmp::Reverse(sample.threads), sample.searcher.as_str()), at);
    }
    last.into_values().take(MOST).collect()
}

/// The columns of a sample that must be equal, in words.
fn words(sample: &Sample) -> String {
    let layout = Sample::layout();
    let columns = layout.iter().filter(|column| COLUMNS.contains(&column.name.as_str()));
    let words = columns.map(|column| format!("{} {}", column.name, column.write(sample)));
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(searcher: &str, threads: usize) -> Sample {
        let status = SampleStatus::Ok;
        Sample { searcher: searcher.to_owned(), threads, status, ..Sample::default() }
    }

    #[test]
    fn the_last_sample_of_each_cell_is_chosen_the_most_workers_first() {
        let samples = [of("a", 1), of("a", 2), of("b", 2), of("a", 1), of("a", 2)];
        assert_eq!(chosen(&samples), [4, 2, 3]);
        assert!(chosen(&[]).is_empty());
        let many: Vec<Sample> = (1..9).map(|threads| of("a", threads)).collect();
        assert_eq!(chosen(&many), [7, 6, 5, 4]);
    }
}
