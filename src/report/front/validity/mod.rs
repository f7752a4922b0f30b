//! The notes that a reader must know before believing a figure.

pub(crate) mod drift;
mod machine;
mod samples;
pub(crate) mod steps;

pub(crate) use machine::{disturbances, kinds_of_cores, own_tables, programs, value};

use crate::experiment::SampleStatus;
use crate::report::figures::Row;
use crate::report::front::hosts;
use crate::report::numbers::{count, list, percent, seconds};
use crate::report::{Cores, Input};

/// The notes, each a sentence or two; empty if there is nothing to remark.
pub(crate) fn notes(input: &Input) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(simulated(input));
    notes.extend(dilated(input));
    notes.extend(unfinished(input));
    notes.extend(hosts::notes(
        &input.sittings,
        input.experiment.shard,
        ("experiment", !input.cores.is_virtual()),
    ));
    notes.extend(oversubscribed(input));
    notes.extend(ended_as(input, SampleStatus::Censored));
    notes.extend(ended_as(input, SampleStatus::Failed));
    notes.extend(samples::notes(input));
    notes.extend(kinds_of_cores(input));
    notes.extend(own_tables(&input.sittings));
    notes.extend(drift::note(input));
    notes.extend(steps::note(input));
    notes.extend(programs(
        &input.sittings,
        input.samples.all().count(),
        input.experiment.cores,
        "the samples were taken",
    ));
    if !input.cores.is_virtual() {
        notes.extend(machine::stolen_time(input));
        notes.extend(disturbances(&input.sittings, "the samples were taken"));
    }
    notes
}

fn simulated(input: &Input) -> Option<String> {
    if !input.cores.is_virtual() {
        return None;
    }
    let ours = "The workers ran on virtual cores. The order of events, the shared table and the \
                tree are those of the searcher, but the costs are those of the cost model below. \
                Things that the model leaves out cost nothing here: caches, memory, the operating \
                system, other costs than those listed.";
    let outside = "The threads of outside engines took turns by their virtual clocks \
                   (`ttd-cores`). Each instruction or block that is counted costs as much as any \
                   other. Memory is not modelled: an engine whose threads share one counter scales \
                   perfectly here.";
    let experiment = &input.experiment;
    let has_ours = experiment.all_ours().next().is_some();
    let of = [(has_ours, ours), (!experiment.engines.is_empty(), outside)];
    let texts: Vec<&str> = of.into_iter().filter(|(is_so, _)| *is_so).map(|of| of.1).collect();
    Some(format!(
        "**Simulated.** {} Thread counts beyond the cores of a real machine have not been compared \
         with hardware.",
        texts.join(" ")
    ))
}

fn dilated(input: &Input) -> Option<String> {
    let Cores::Dilated(factor, _) = input.cores else { return None };
    let nodes = input.experiment.dilation().map_or(0, |dilation| dilation.nodes);
    Some(format!(
        "**Dilated time.** Workers rested after every {nodes} nodes, so long that their work took \
         {factor} times as long. All times are divided by {factor}. The order of events, trees, \
         busy fractions, joins and wakes are those of real threads. Contention, races and caches \
         are not: no more threads executed at once than there were cores. A worker's results are \
         seen early by up to {nodes} nodes of its work."
    ))
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
        return Some(String::from(
            "**Cores unknown.** There is no record of the machine, so oversubscribed thread \
             counts cannot be marked.",
        ));
    }
    let over = list(input.oversubscribed());
    (!over.is_empty()).then_some(format!(
        "**Oversubscribed.** {over} threads ran on {}: workers shared cores, so these are no \
         speedups of {over} cores. These thread counts are marked with * in tables and hatched in \
         charts.",
        input.cores.words()
    ))
}

/// The number of samples that ended with this status, and their cells.
fn ended_as(input: &Input, status: SampleStatus) -> Option<String> {
    let is_censored = status == SampleStatus::Censored;
    let ended = |row: &Row| if is_censored { row.censored } else { row.failed };
    let all: usize = input.figures.rows().map(ended).sum();
    let places = input.figures.places(|row| Some(ended(row)).filter(|n| *n > 0));
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
