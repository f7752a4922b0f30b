//! The source of the report of a match: everything that its results directory holds.

use crate::matches::{
    Entry, GAMES, GameRow, Match, ResolvedMatch, copies, plan, read_games, read_match,
};
use crate::records::{ResultsError, Sitting, read_sittings};
use crate::report::ReportError;
use crate::report::matches::figures::MatchFigures;
use std::fs;
use std::path::Path;
use ttd_search::searchers::Costs;

/// A match that was read.
#[derive(Clone, Debug)]
pub(crate) struct MatchInput {
    /// The match and its openings.
    pub(crate) of: ResolvedMatch,
    /// The games so far.
    pub(crate) games: Vec<GameRow>,
    /// The program and the machine, one entry for each sitting.
    pub(crate) sittings: Vec<Sitting>,
    /// How many of the games are move for move copies of earlier ones.
    pub(crate) copies: usize,
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
        let games = if begun { read_games(dir).map_err(ResultsError::from)? } else { Vec::new() };
        let sittings = read_sittings(dir).map_err(ResultsError::from)?;
        let figures = MatchFigures::of(&of, &games);
        let copies = copies(dir, &games).unwrap_or(0);
        Ok(MatchInput { of, games, sittings, copies, figures })
    }

    /// Gives every series the look of its name in `names`, and other looks to the rest.
    pub(crate) fn look_like(&mut self, names: &[&str]) {
        let mut more = names.len()..;
        for series in &mut self.figures.series {
            let same = names.iter().position(|name| *name == series.name);
            series.look = same.unwrap_or_else(|| more.next().expect("it has no end"));
            let lines = self.figures.lines.iter_mut().filter(|line| line.series == series.name);
            lines.for_each(|line| line.look = series.look);
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

    /// The name that an outside engine gives itself, if it was asked.
    pub(crate) fn says(&self, entry: &Entry) -> Option<&str> {
        let mut seen = self.sittings.iter().flat_map(|sitting| &sitting.engines);
        seen.find(|seen| seen.name == entry.name).map(|seen| seen.says.as_str())
    }

    /// The number of cores that could be used (the least of all sittings), if that is known. Of
    /// virtual cores it is the number that workers share; none if each has one.
    pub(crate) fn cores(&self) -> Option<usize> {
        if self.spec().is_virtual() {
            return self.spec().costs.as_ref().and_then(Costs::processors);
        }
        self.sittings.iter().map(|sitting| sitting.cores_usable).min()
    }

    /// The name of an entry, with a star if it is oversubscribed.
    pub(crate) fn starred(&self, entry: usize) -> String {
        format!("{}{}", self.name(entry), self.star(entry))
    }

    /// The mark of an entry that is oversubscribed; empty for others.
    pub(crate) fn star(&self, entry: usize) -> &'static str {
        let threads = self.spec().entries[entry].threads;
        let is_over = self.cores().is_some_and(|cores| threads > cores);
        if is_over { "*" } else { "" }
    }

    /// The opponents that have played.
    pub(crate) fn opponents_met(&self) -> Vec<usize> {
        let has_played = |entry: &&usize| self.figures.table.played(**entry).next().is_some();
        self.figures.opponents.iter().filter(has_played).copied().collect()
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
