//! The notes that a reader must know before believing a figure.

pub(crate) mod drift;
mod machine;
mod samples;

pub(crate) use machine::{disturbances, own_tables, programs};

use crate::experiment::SampleStatus;
use crate::report::numbers::{count, list, percent, seconds};
use crate::report::{Cores, Input};

/// The notes, each a sentence or two; empty if there is nothing to remark.
pub(crate) fn notes(input: &Input) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(simulated(input));
    notes.extend(unfinished(input));
    notes.extend(oversubscribed(input));
    notes.extend(ended_as(input, SampleStatus::Censored));
    notes.extend(ended_as(input, SampleStatus::Failed));
    notes.extend(samples::notes(input));
    notes.extend(own_tables(&input.sittings));
    notes.extend(drift::note(input));
    notes.extend(programs(&input.sittings, input.experiment.cores, "the samples were taken"));
    if input.cores != Cores::Virtual {
        notes.extend(machine::stolen_time(input));
        notes.extend(disturbances(&input.sittings, "the samples were taken"));
    }
    notes
}

fn simulated(input: &Input) -> Option<String> {
    (input.cores == Cores::Virtual).then(|| {
        "**Simulated.** The workers ran on virtual cores. The order of events, the shared table \
         and the tree are those of the searcher, but the costs are those of the cost model below. \
         Things that the model leaves out cost nothing here: caches, memory, the operating system, \
         other costs than those listed. Thread counts beyond the cores of a real machine have not \
         been compared with hardware."
            .to_owned()
    })
}

fn unfinished(input: &Input) -> Option<String> {
    let done = input.samples.all().count();
    let planned = input.planned.filter(|planned| done < *planned)?;
    Some(format!(
        "**Unfinished.** {done} of {planned} samples ({}) have been taken; the figures are of these.",
        percent(done as f64 / planned as f64)
    ))
}

fn oversubscribed(input: &Input) -> Option<String> {
    if input.cores == Cores::Unknown {
        return Some(
            "**Cores unknown.** There is no record of the machine, so oversubscribed thread \
             counts cannot be marked."
                .to_owned(),
        );
    }
    let threads = input.figures.threads();
    let over: Vec<usize> =
        threads.into_iter().filter(|n| input.cores.limit().is_some_and(|c| *n > c)).collect();
    (!over.is_empty()).then(|| {
        format!(
            "**Oversubscribed.** {} threads ran on {}: workers shared cores, so these are no \
             speedups of {} cores. These thread counts are marked with * in tables and hatched in \
             charts.",
            list(&over),
            input.cores.words(),
            list(&over)
        )
    })
}

/// The number of samples that ended with this status, and their cells.
fn ended_as(input: &Input, status: SampleStatus) -> Option<String> {
    let mut places = Vec::new();
    let mut all = 0;
    for of in input.figures.measured() {
        for row in &of.rows {
            let n = if status == SampleStatus::Censored { row.censored } else { row.failed };
            if n > 0 {
                all += n;
                let threads = count(row.threads, "thread");
                places.push(format!("{} at {threads}: {n}", of.searcher));
            }
        }
    }
    let places = places.join("; ");
    (all > 0).then(|| match status {
        SampleStatus::Censored => format!(
            "**Censored.** {} reached the time limit of {} s ({places}). Their times are known \
             only to be larger. Medians that depend on them, and all figures that follow, are \
             printed as [lower, upper]. Their deviations and accounts are blank.",
            count(all, "sample"),
            seconds(input.experiment.time_limit_s)
        ),
        _ => format!(
            "**Failed.** {} failed ({places}) and are in no figure; `log.txt` says why.",
            count(all, "sample")
        ),
    })
}
