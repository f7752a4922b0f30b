//! The moves of a results directory, judged by another engine: `ttd quality --judge`, and `ttd run
//! --quality`.

use super::results::warn;
use super::{Usage, format, say, tell};
use crate::quality::{Judge, JudgeSpec, Judging, JudgingError, Moves, Told};
use crate::report::Salvaged;
use crate::uci::EngineSpec;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The judging that a user asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// The option that names the judge.
    pub(super) option: &'static str,
    /// The judge, in words.
    pub(super) judge: &'a str,
    /// Another results directory whose values are used again.
    pub(super) other: Option<&'a Path>,
    /// The number of positions that are judged at once.
    pub(super) jobs: u16,
}

impl<'a> Asked<'a> {
    /// A judge without other values, named by an option.
    pub(super) fn of(option: &'static str, judge: &'a str, jobs: u16) -> Asked<'a> {
        Asked { option, judge, other: None, jobs }
    }

    /// The judge; `known` are engines that are known by their names.
    pub(super) fn spec(&self, known: &[EngineSpec]) -> anyhow::Result<JudgeSpec> {
        let program = std::env::current_exe()?;
        let spec = JudgeSpec::read(self.judge, known, &program);
        Ok(spec.map_err(|why| Usage(format!("{}: {why}", self.option)))?)
    }

    /// Starts the judge once, so that a long run does not end with a judge that is not there.
    pub(super) fn check(&self, known: &[EngineSpec]) -> anyhow::Result<()> {
        let spec = self.spec(known)?;
        let name = spec.engine.name.clone();
        let started = Judge::start(&spec).map_err(|why| JudgingError::Judge(name, Box::new(why)));
        Ok(started.map(drop).map_err(|why| Usage(format!("{}: {why}", self.option)))?)
    }

    /// Judges all moves of a results directory that have no value yet. Returns whether all are
    /// judged: an `interrupt` ends it.
    pub(super) fn judge(&self, dir: &Path, interrupt: &AtomicBool) -> anyhow::Result<bool> {
        let Salvaged { experiment, positions, samples, mut left_out, .. } = Salvaged::read(dir)?;
        let positions = positions?;
        let mut moves = Moves::new(&samples);
        let ids: Vec<String> = positions.iter().map(|position| position.id.clone()).collect();
        let (of, samples) = ((&experiment, &ids[..]), samples.iter());
        if let Err(why) = left_out.iterations(dir, of, samples, |row| moves.iteration(&row)) {
            left_out.words.push(why.to_string());
        }
        warn(dir, &left_out);
        let found = moves.found(&positions);
        if found.is_empty() {
            let what = "there is no completed sample with a legal move to judge";
            return Err(Usage(format!("{}: {what}", dir.display())).into());
        }
        if moves.without() > 0 {
            say(format_args!(
                "ttd: {} have no move: an older program did not write it down, or an engine did \
                 not tell it. The moves that are known are judged",
                format::count(moves.without(), "iteration")
            ));
        }
        let spec = self.spec(&experiment.engines)?;
        let usage = |why: JudgingError| -> anyhow::Error {
            if why.is_usage() {
                Usage(format!("{}: {why}", self.option)).into()
            } else {
                why.into()
            }
        };
        let begun = Judging::begin(dir, &spec, self.jobs.into(), self.other);
        let mut judging = begun.map_err(usage)?;
        for repair in judging.repairs() {
            say(format_args!("ttd: {repair}"));
        }
        let step = found.len().div_ceil(10);
        let progress = |Told { judged, of }: Told| {
            if judged.is_multiple_of(step) || judged == of {
                tell(format_args!("ttd: {judged} of {} judged", format::count(of, "position")));
            }
        };
        let whole = judging.judge(&found, interrupt, progress).map_err(usage)?;
        if !whole {
            let judged = format::count(judging.judged().positions(), "position");
            say(format_args!("ttd: interrupted: {judged} have values. This call goes on again."));
        }
        Ok(whole)
    }
}
