//! The usable parts of a results directory that was damaged, or that another version wrote. These
//! are whole rows, and the keys of an experiment that this version knows. The rest is left out, and
//! named. All code that reads results without continuing them begins here.

mod experiment;

use crate::experiment::{
    Competitor, EXPERIMENT, EXPLAINED, Experiment, IterationRow, IterationsCheck, Of, Part,
    SAMPLES, Sample, SampleKey,
};
use crate::explain::{ExplainedRow, Ladder, RowsCheck};
use crate::records::{
    ENVIRONMENT, JournalError, ReadError, ResultsError, Sitting, Unusable, quoted, read_sittings,
    salvage,
};
use crate::report::numbers::{count, list};
use std::collections::HashSet;
use std::fmt::Display;
use std::path::Path;
use ttd_search::positions::{PositionsError, TestPosition};

/// The largest number of kinds of rows that are named one by one.
const TOLD: usize = 10;

/// The usable parts of a results directory.
#[derive(Debug)]
pub struct Salvaged {
    /// The experiment that was measured.
    pub experiment: Experiment,
    /// The program and the machine, one entry for each sitting.
    pub sittings: Vec<Sitting>,
    /// The positions that are measured, or why they cannot be read.
    pub positions: Result<Vec<TestPosition>, PositionsError>,
    /// The samples so far, in the order in which they were taken.
    pub samples: Vec<Sample>,
    /// The parts that were left out.
    pub left_out: LeftOut,
}

impl Salvaged {
    /// Reads a results directory, also an unfinished one.
    ///
    /// # Errors
    /// If a file cannot be read, or is not of a form that a run writes.
    pub fn read(dir: &Path) -> Result<Salvaged, ResultsError> {
        let mut left_out = LeftOut::default();
        let experiment = left_out.experiment(dir)?;
        let sittings = left_out.sittings(dir)?;
        let positions = experiment.position_set(dir);
        if let Err(why) = &positions {
            let lost = "without the positions it is not known how many samples there are to be";
            left_out.tell(dir, EXPERIMENT, &format!("{why}: {lost}"));
        }
        let known = positions.iter().flatten().map(|position| position.id.as_str()).collect();
        let samples = left_out.samples(dir, &experiment, known)?;
        Ok(Salvaged { experiment, sittings, positions, samples, left_out })
    }
}

/// The parts of a results directory that were left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftOut {
    /// Each part in words, with its file; for rows also the line and the column. Rows of one kind
    /// are together, with the line of the first.
    pub words: Vec<String>,
    /// The number of these rows in `samples.csv`.
    pub rows: usize,
    /// The number of these rows that would be samples of the experiment as it was read. A row that
    /// was cut short does not count: it is taken again.
    pub planned: usize,
    /// The searchers that this version does not know.
    unknown: Vec<String>,
}

impl LeftOut {
    /// The experiment, without the searchers that this version does not know.
    fn experiment(&mut self, dir: &Path) -> Result<Experiment, ReadError> {
        Experiment::read(dir).or_else(|error| {
            let known = experiment::known(dir).ok_or(error)?;
            self.words.extend(known.words);
            self.unknown = known.unknown;
            Ok(known.experiment)
        })
    }

    /// The sittings; none if the file is not of a form that this program writes.
    fn sittings(&mut self, dir: &Path) -> Result<Vec<Sitting>, ReadError> {
        read_sittings(dir).or_else(|error| match error {
            ReadError::Refused(_) => {
                self.tell(dir, ENVIRONMENT, &error.to_string());
                Ok(Vec::new())
            }
            ReadError::Io { .. } | ReadError::Newer(_) => Err(error),
        })
    }

    /// The usable samples of an experiment over positions with these ids. If `ids` is empty, the
    /// positions are not known, and a sample of any position is taken.
    fn samples(
        &mut self,
        dir: &Path,
        experiment: &Experiment,
        ids: HashSet<&str>,
    ) -> Result<Vec<Sample>, JournalError> {
        let asked = Asked::of(experiment, ids);
        let (mut samples, mut seen) = (Vec::new(), HashSet::new());
        // The places in the plan of rows that can be read but not used. A row of an unknown
        // searcher has none.
        let mut elsewhere: Vec<Option<u32>> = Vec::new();
        let unusable = salvage(dir, |sample: Sample| {
            let twice = "a second row of the same round, searcher, threads and position";
            let usable = asked.holds(&sample).and_then(|()| {
                if seen.insert(sample.key()) { Ok(()) } else { Err(twice.to_owned()) }
            });
            if usable.is_ok() {
                samples.push(sample);
            } else {
                let known = !self.unknown.contains(&sample.searcher);
                elsewhere.push(known.then_some(sample.order));
            }
            usable
        })?;
        // An unusable row may be a damaged one whose place is empty, or be of another experiment.
        let taken: HashSet<u32> = samples.iter().map(|sample| sample.order).collect();
        let is_free = |place: &u32| (*place as usize) < asked.samples() && !taken.contains(place);
        let foreign = elsewhere.iter().filter(|place| !place.as_ref().is_some_and(is_free)).count();
        self.planned = unusable.bad.len() - foreign;
        self.rows(SAMPLES, &unusable);
        Ok(samples)
    }

    /// Notes the rows of the table of a results directory that cannot be used.
    pub(crate) fn rows(&mut self, table: &str, unusable: &Unusable) {
        self.rows = unusable.bad.len() + usize::from(unusable.torn.is_some());
        self.note(table, unusable);
    }

    /// The usable parts of samples of one kind; none if there is no such file.
    pub(crate) fn parts<P: Part>(&mut self, dir: &Path) -> Result<Vec<Of<P>>, JournalError> {
        let mut parts = Vec::new();
        self.each_part(dir, |part| {
            parts.push(part);
            Ok(())
        })?;
        Ok(parts)
    }

    /// Hands the readable iterations to `take`, one after another, unless their samples cannot have
    /// them. `ids` are those of the positions; none if they are not known.
    ///
    /// # Errors
    /// If the file cannot be read, or if its header lacks a column or names one that no row has.
    pub(crate) fn iterations<'s>(
        &mut self,
        dir: &Path,
        (experiment, ids): (&Experiment, &[String]),
        samples: impl Iterator<Item = &'s Sample>,
        mut take: impl FnMut(Of<IterationRow>),
    ) -> Result<(), JournalError> {
        let samples: Vec<&Sample> = samples.collect();
        let mut check = IterationsCheck::new(experiment, samples.iter().copied());
        let asked = Asked::of(experiment, ids.iter().map(String::as_str).collect());
        self.each_part(dir, |row: Of<IterationRow>| {
            asked.cell(&row.sample)?;
            check.check(&row)?;
            take(row);
            Ok(())
        })?;
        let lacking: Vec<&Sample> = samples.into_iter().filter(|of| check.lacks(of)).collect();
        let first = lacking.iter().min_by_key(|sample| sample.order);
        if check.has_any()
            && let Some(Sample { order, searcher, threads, position, .. }) = first
        {
            let all = count(lacking.len(), "sample");
            self.words.push(format!(
                "{}: rows of {all} are missing (the first is sample {order}: {searcher} x \
                 {threads}, {position})",
                IterationRow::FILE
            ));
        }
        Ok(())
    }

    /// Hands the readable parts of samples to `take`, one after another; nothing if there is no
    /// such file. Refused ones are left out.
    fn each_part<P: Part>(
        &mut self,
        dir: &Path,
        take: impl FnMut(Of<P>) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        if dir.join(P::FILE).exists() {
            let unusable = salvage(dir, take)?;
            self.note(P::FILE, &unusable);
        }
        Ok(())
    }

    /// The ladders of idealised machines; none if there is no such file, or it cannot be read.
    /// `ids` are those of the positions; none if they are not known.
    pub(crate) fn ladders(
        &mut self,
        dir: &Path,
        experiment: &Experiment,
        ids: &[String],
    ) -> Vec<Ladder> {
        if !dir.join(EXPLAINED).exists() {
            return Vec::new();
        }
        let mut check = RowsCheck::new(experiment, ids.iter().map(String::as_str));
        let mut rows = Vec::new();
        let unusable = salvage(dir, |row: ExplainedRow| {
            check.check(&row)?;
            rows.push(row);
            Ok(())
        });
        match unusable {
            Ok(unusable) => self.note(EXPLAINED, &unusable),
            Err(why) => self.tell(dir, EXPLAINED, &why.to_string()),
        }
        Ladder::all(&rows, experiment)
    }

    /// Whether all could be used.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// A sentence for a reader; none if nothing was left out. Where several directories are read, `
    /// of ` names this one.
    pub(crate) fn sentence(&self, of: &str) -> Option<String> {
        self.sentence_of(SAMPLES, of)
    }

    /// The sentence for results with this table.
    pub(crate) fn sentence_of(&self, table: &str, of: &str) -> Option<String> {
        (!self.words.is_empty()).then(|| {
            let told =
                self.words.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join("; ");
            let more = self.words.len().saturating_sub(TOLD);
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            let rows = match self.rows {
                0 => String::new(),
                rows => format!(" ({} of `{table}`)", count(rows, "row")),
            };
            format!(
                "**Left out.** Data that cannot be used{of} are in no figure{rows}: {told}{more}."
            )
        })
    }

    /// Notes why a file of this directory cannot be used. The words are like the others: they begin
    /// with the name of a file, without the directory.
    pub(crate) fn tell(&mut self, dir: &Path, file: &str, why: &str) {
        let before = dir.join("").display().to_string();
        let line = |line: &str| match line.strip_prefix(&before) {
            Some(inside) => inside.to_owned(),
            None => format!("{file}: {line}"),
        };
        self.words.extend(why.lines().map(line));
    }

    /// Notes in words the faults of a file's rows.
    fn note(&mut self, file: &str, unusable: &Unusable) {
        // The kinds stand in the order of their first rows.
        let mut kinds: Vec<(&str, u64, usize)> = Vec::new();
        for error in unusable.header.iter().chain(&unusable.bad).chain(&unusable.torn) {
            let JournalError::Row { line, what, .. } = error else { continue };
            match kinds.iter_mut().find(|(known, _, _)| *known == what.as_str()) {
                Some((_, _, more)) => *more += 1,
                None => kinds.push((what, *line, 0)),
            }
        }
        self.words.extend(kinds.into_iter().map(|(what, line, more)| {
            let more = match more {
                0 => String::new(),
                more => format!(" (and {} likewise)", count(more, "more row")),
            };
            format!("{file}:{line}: {what}{more}")
        }));
    }
}

/// The samples that an experiment asks for.
struct Asked<'a> {
    experiment: &'a Experiment,
    competitors: Vec<Competitor>,
    /// The ids of the positions; none if they are not known.
    ids: HashSet<&'a str>,
}

impl<'a> Asked<'a> {
    fn of(experiment: &'a Experiment, ids: HashSet<&'a str>) -> Asked<'a> {
        Asked { experiment, competitors: experiment.competitors(), ids }
    }

    /// The number of samples; 0 if the positions are not known.
    fn samples(&self) -> usize {
        let threads = |competitor: &Competitor| self.experiment.threads_of(*competitor).len();
        let cells = self.competitors.iter().map(threads).sum::<usize>() * self.ids.len();
        cells * self.experiment.runs as usize
    }

    /// Checks whether a row that was read can be one of these samples.
    fn holds(&self, sample: &Sample) -> Result<(), String> {
        let competitor = self.cell(&sample.key())?;
        let (depth, expected) = (sample.depth, self.experiment.depth_of(competitor));
        if depth != expected {
            return Err(format!("column `depth` holds `{depth}`, `{expected}` expected"));
        }
        Ok(())
    }

    /// Checks whether the experiment has such a sample; returns its competitor.
    fn cell(&self, key: &SampleKey) -> Result<Competitor, String> {
        let SampleKey { round, searcher, threads, position } = key;
        let is_named = |who: &&Competitor| self.experiment.name_of(**who) == searcher.as_str();
        let Some(&competitor) = self.competitors.iter().find(is_named) else {
            return Err(unlike("searcher", searcher, &self.experiment.names()));
        };
        let rounds = self.experiment.runs;
        if !(1..=rounds).contains(round) {
            return Err(format!("column `round` holds `{round}`, 1 to {rounds} expected"));
        }
        let expected = self.experiment.threads_of(competitor);
        if !expected.contains(threads) {
            return Err(unlike("threads", threads, expected));
        }
        if !self.ids.is_empty() && !self.ids.contains(position.as_str()) {
            return Err(format!(
                "column `position` holds {}, no position of the experiment",
                quoted(position)
            ));
        }
        Ok(competitor)
    }
}

/// The message for a field that has none of the expected values.
fn unlike(column: &str, found: impl Display, expected: &[impl ToString]) -> String {
    let words = list(expected.iter().map(ToString::to_string));
    let found = quoted(&found.to_string());
    match expected.len() {
        0 => format!("column `{column}` holds {found}, which nobody here is"),
        1 => format!("column `{column}` holds {found}, `{words}` expected"),
        _ => format!("column `{column}` holds {found}, one of {words} expected"),
    }
}

#[cfg(test)]
mod tests;
