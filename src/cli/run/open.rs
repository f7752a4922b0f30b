//! The results directory of a run, opened.

use super::super::{format, say};
use super::args::RunArgs;
use crate::experiment::{Opening, Planned, Repetition, Resolved, Results, Sample, repeat};
use crate::records::ResultsError;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Opens the results directory for the first samples of a plan; `done` are there. Another program
/// may have begun it: then this one goes on if it repeats samples of virtual cores exactly. Repairs
/// are told.
pub(super) fn open(
    (dir, args): (&Path, &RunArgs),
    (resolved, plan): (&Resolved, &[Planned]),
    done: &[Sample],
    interrupt: &AtomicBool,
) -> anyhow::Result<Results> {
    let with = |opening| Results::open(dir, resolved, plan, opening);
    let (results, repairs) = match with(args.opening) {
        Err(ResultsError::Elsewhere { dir: place, differences, rows, contents }) => {
            let repeated = repeat(resolved, plan, done, interrupt)?;
            let Repetition::Equal(samples) = repeated else {
                let differences = match repeated {
                    Repetition::Other(what) => format!("{differences}; {what}"),
                    _ => differences,
                };
                return Err(
                    ResultsError::Elsewhere { dir: place, differences, rows, contents }.into()
                );
            };
            let (results, mut repairs) = with(Opening { mixed: true, ..args.opening })?;
            let remark = format!(
                "{}: another program began it ({differences}). This one repeats {} exactly, and \
                 goes on",
                place.display(),
                format::count(samples, "sample"),
            );
            results.log(&remark)?;
            repairs.push(remark);
            (results, repairs)
        }
        other => other?,
    };
    for repair in repairs {
        say(format_args!("ttd: {repair}"));
    }
    Ok(results)
}
