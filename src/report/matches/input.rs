//! The source of the report of a match: everything that its results directory holds.

use crate::matches::{
    Entry, GAMES, GameRow, Match, PlannedGame, ResolvedMatch, SpeedupSearch, copies, plan,
    plan_of_at_least, read_match,
};
use crate::records::{ResultsError, Sitting, read_sittings, salvage};
use crate::report::matches::figures::MatchFigures;
use crate::report::{LeftOut, ReportError};
use std::collections::{HashMap, HashSet};
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
    /// The rows that could not be used.
    pub(crate) left_out: LeftOut,
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
        let (games, left_out) =
            if begun { usable(dir, &of)? } else { (Vec::new(), LeftOut::default()) };
        let sittings = read_sittings(dir).map_err(ResultsError::from)?;
        let figures = MatchFigures::of(&of, &games);
        // The games of the file are in the order of all rows.
        let copies = copies(dir, &games).filter(|_| left_out.is_empty()).unwrap_or(0);
        Ok(MatchInput { of, games, left_out, sittings, copies, figures })
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

/// The games of a match that can be used, and the rows that cannot.
fn usable(dir: &Path, of: &ResolvedMatch) -> Result<(Vec<GameRow>, LeftOut), ResultsError> {
    let mut left_out = LeftOut::default();
    let mut rows = 0;
    let all = salvage(dir, |_: GameRow| {
        rows += 1;
        Ok(())
    })?;
    rows += all.bad.len();
    // The match may have been longer once.
    let planned = plan_of_at_least(&of.spec, of.openings.len(), rows);
    let planned: HashMap<usize, PlannedGame> =
        planned.into_iter().map(|planned| (planned.number, planned)).collect();
    let (search, most) = (SpeedupSearch::of(of), of.spec.games as usize);
    let planned_of = |row: &GameRow| match &search {
        Some(search) => (row.game < rows.max(most)).then(|| search.planned(row)),
        None => planned.get(&row.game).copied(),
    };
    let (mut games, mut seen) = (Vec::new(), HashSet::new());
    let unusable = salvage(dir, |row: GameRow| {
        let Some(planned) = planned_of(&row) else {
            return Err(format!("column `game` holds `{}`, no game of the match", row.game));
        };
        if let Some(why) = row.misfit(&planned, of) {
            return Err(why);
        }
        if !seen.insert(row.game) {
            return Err("a second row of the same game".to_owned());
        }
        games.push(row);
        Ok(())
    })?;
    left_out.rows(GAMES, &unusable);
    if search.is_some() {
        // Each pair of a search has a factor of its own.
        let last = games.len().saturating_sub(1);
        let of_pair = |(at, row): (usize, GameRow)| {
            (at == last || seen.contains(&(row.game ^ 1))).then_some(row)
        };
        games = games.into_iter().enumerate().filter_map(of_pair).collect();
    }
    Ok((games, left_out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::matches::synthetic::{dir, games};

    const TWO: &str = "[[entries]]\nname = \"a\"\nsearcher = \"ybwc\"\n\
                       [[entries]]\nname = \"b\"\ncommand = \"b\"\n";

    #[test]
    fn games_that_the_match_does_not_have_are_left_out_and_told() {
        let dir = dir(&format!("games = 4\n{TWO}"), &games(&[["a", "b"]], 3, &[2, 1, 0]), 2);
        let path = dir.path().join(GAMES);
        let text = fs::read_to_string(&path).expect("read");
        let whole = MatchInput::read(dir.path()).expect("read");
        assert_eq!((whole.games.len(), &whole.left_out), (6, &LeftOut::default()));
        let read = |text: String| {
            fs::write(&path, text).expect("written");
            MatchInput::read(dir.path()).expect("read")
        };
        let rows = text.split_once('\n').expect("a header").1;
        let twice = read(format!("{text}{rows}"));
        let told = "games.csv:8: a second row of the same game (and 5 more rows likewise)";
        assert_eq!((twice.games.len(), &twice.left_out.words[..]), (6, &[told.to_owned()][..]));
        assert_eq!(twice.left_out.rows, 6);
        for (column, to, words) in [
            (0, "99", "column `game` holds `99`, no game of the match"),
            (0, "0", "column `round` holds `2`, `1` expected"),
            (1, "9", "column `round` holds `9`, `2` expected"),
            (2, "none", "column `opening` holds `none`, `"),
            (4, "nobody", "column `white` holds `nobody`, `a` expected"),
            (4, "b", "column `black` holds `b`, who is white too"),
            (6, "0-0", "column `result` holds `0-0`, 1-0, 0-1"),
        ] {
            let mut lines: Vec<&str> = text.lines().collect();
            let mut fields: Vec<&str> = lines[3].split(',').collect();
            fields[column] = to;
            let line = fields.join(",");
            lines[3] = &line;
            let input = read(lines.join("\n") + "\n");
            let told = &input.left_out.words;
            assert!(told[0].starts_with(&format!("games.csv:4: {words}")), "{to}: {told:?}");
            assert_eq!((input.games.len(), told.len()), (5, 1));
        }
    }

    #[test]
    fn a_search_for_a_speedup_keeps_whole_pairs() {
        let spec = format!("games = 400\neffective_speedup = true\n{TWO}");
        let dir = dir(&spec, &games(&[["a", "b"]], 3, &[2, 0]), 2);
        let path = dir.path().join(GAMES);
        let text = fs::read_to_string(&path).expect("read");
        let numbers =
            |input: MatchInput| -> Vec<usize> { input.games.iter().map(|row| row.game).collect() };
        assert_eq!(numbers(MatchInput::read(dir.path()).expect("read")), [0, 1, 2, 3, 4, 5]);
        let mut lines: Vec<&str> = text.lines().collect();
        lines.remove(4);
        fs::write(&path, lines.join("\n") + "\n").expect("written");
        assert_eq!(numbers(MatchInput::read(dir.path()).expect("read")), [0, 1, 4, 5]);
    }
}
