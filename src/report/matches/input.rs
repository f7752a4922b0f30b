//! The source of the report of a match: everything that its results directory holds.

use crate::matches::{GAMES, GameRow, Match, ResolvedMatch, plan, read_games, read_match};
use crate::records::{Sitting, read_sittings};
use crate::report::ReportError;
use crate::report::matches::figures::MatchFigures;
use std::fs;
use std::path::Path;

/// A match that was read.
#[derive(Clone, Debug)]
pub(crate) struct MatchInput {
    /// The match and its openings.
    pub(crate) of: ResolvedMatch,
    /// The games so far.
    pub(crate) games: Vec<GameRow>,
    /// The program and the machine, one entry for each sitting.
    pub(crate) sittings: Vec<Sitting>,
    /// All figures that follow from these.
    pub(crate) figures: MatchFigures,
}

impl MatchInput {
    /// Reads the results directory of a match, also an unfinished one, and computes its figures.
    ///
    /// # Errors
    /// If a file cannot be read, or holds something else than a match writes.
    pub(crate) fn read(dir: &Path) -> Result<MatchInput, ReportError> {
        let of = read_match(dir)?;
        // Before the first game, the file is empty or missing.
        let begun = fs::metadata(dir.join(GAMES)).is_ok_and(|file| file.len() > 0);
        let games = if begun {
            read_games(dir).map_err(crate::records::ResultsError::from)?
        } else {
            Vec::new()
        };
        let sittings = read_sittings(dir).map_err(crate::records::ResultsError::from)?;
        let figures = MatchFigures::of(&of, &games);
        Ok(MatchInput { of, games, sittings, figures })
    }

    /// Gives every series the look of its name in `names`, and other looks to the rest.
    pub(crate) fn look_like(&mut self, names: &[&str]) {
        let mut more = names.len()..;
        for series in &mut self.figures.series {
            let same = names.iter().position(|name| *name == series.name);
            series.look = same.unwrap_or_else(|| more.next().expect("it has no end"));
        }
        let looks = &self.figures.series;
        for line in &mut self.figures.lines {
            let own = looks.iter().find(|series| series.name == line.series);
            line.look = own.map_or(line.look, |series| series.look);
        }
    }

    /// The match.
    pub(crate) fn spec(&self) -> &Match {
        &self.of.spec
    }

    /// The number of planned games. None in a search for an effective speedup, where each pair
    /// follows from the pairs before it.
    pub(crate) fn planned(&self) -> Option<usize> {
        (!self.spec().effective_speedup).then(|| plan(self.spec(), self.of.openings.len()).len())
    }

    /// The number of cores that could be used (the least of all sittings), if that is known.
    pub(crate) fn cores(&self) -> Option<usize> {
        self.sittings.iter().map(|sitting| sitting.cores_usable).min()
    }

    /// The least oversubscribed thread count of the entries.
    pub(crate) fn oversubscribed_from(&self) -> Option<usize> {
        let cores = self.cores()?;
        self.spec().entries.iter().map(|entry| entry.threads).filter(|n| *n > cores).min()
    }

    /// The name of an entry, with a star if it is oversubscribed.
    pub(crate) fn starred(&self, entry: usize) -> String {
        let threads = self.spec().entries[entry].threads;
        let over = self.oversubscribed_from().is_some_and(|from| threads >= from);
        format!("{}{}", self.name(entry), if over { "*" } else { "" })
    }

    /// The fixed depths of the match; a match without fixed depths has one element, which is none.
    pub(crate) fn depths(&self) -> Vec<Option<u8>> {
        match self.spec().by_depth.as_slice() {
            [] => vec![None],
            depths => depths.iter().copied().map(Some).collect(),
        }
    }

    /// The name of an entry.
    pub(crate) fn name(&self, entry: usize) -> &str {
        &self.spec().entries[entry].name
    }
}
