//! The results directory of one match: made, checked, locked, and resumed.

use super::partial::PartialMatch;
use super::pgn::PGN;
use super::plan::{PlannedGame, plan_of_at_least};
use super::resolve::resolve_match;
use super::rows::{GAMES, GameRow};
use super::spec::{MATCH, Match, ResolvedMatch};
use crate::records::{
    Appended, Contents, Directory, ENVIRONMENT, JournalError, LOG, ReadError, ResolveError,
    ResultsError, Rows, SaidOfPlace, Seen, TomlFile, append, begun, check_format, check_regular,
    count, differences,
};
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use ttd_search::positions::{self, TestPosition};

/// A copy of the user's own openings, so that the directory is complete.
pub const OPENINGS: &str = "openings.epd";

/// The least time between two waits for the disk.
const BETWEEN_SYNCS: Duration = Duration::from_secs(1);

/// The contents of a match's results directory.
pub(super) const CONTENTS: Contents = Contents {
    what: "match",
    file: MATCH,
    command: "ttd match",
    again: "ttd match` on this file plays the same match",
    table: GAMES,
    row: "game",
    copy: OPENINGS,
    elsewhere: "--out DIR",
    mixed: None,
    made: &[GAMES, PGN, MATCH, OPENINGS, LOG, ENVIRONMENT],
};

/// The keys that may differ when a match goes on, because they do not change its games. A longer
/// match begins with the games of the shorter one.
const FREE: [&str; 4] = ["name", "games", "concurrency", "running_rating"];
/// The key that may differ in an entry.
const FREE_OF_ENTRY: &str = "rating";

/// An open results directory of a match. It is locked for as long as this value lives.
#[derive(Debug)]
pub struct MatchResults {
    directory: Directory,
    rows: Appended,
    pgn: Appended,
    pgn_end: u64,
    games: Vec<GameRow>,
    /// The lines of the games that were there when it was opened.
    lines: Vec<u64>,
    /// The time at which all was on the disk.
    synced: Instant,
}

impl MatchResults {
    /// Opens the directory of a match, or makes it; `fresh` discards its contents. Lines that a
    /// killed match left half-written are cut off. The second value reports that, in words for the
    /// user.
    ///
    /// # Errors
    /// If it cannot be written, is in use, or holds anything else than this match.
    pub fn open(
        dir: &Path,
        resolved: &ResolvedMatch,
        plan: &[PlannedGame],
        fresh: bool,
    ) -> Result<(MatchResults, Vec<String>), ResultsError> {
        // The text of the openings was read before: it may be the copy in this very directory.
        let epd = resolved.own_set.as_deref();
        let mut directory = Directory::open(dir, &CONTENTS)?;
        if fresh {
            directory.discard()?;
        }
        if dir.join(MATCH).exists() {
            check_same(dir, resolved)?;
        }
        let mut spec = resolved.spec.clone();
        if epd.is_some() {
            OPENINGS.clone_into(&mut spec.openings);
        }
        directory.describe(&spec.to_toml(), epd)?;
        let rows = begun::<GameRow>(dir)?;
        check_plan(dir, resolved, (&rows.list, &rows.lines), plan)?;
        let mut repairs: Vec<String> = directory.unguarded().into_iter().collect();
        let length = pgn_length(dir, !rows.list.is_empty())?;
        let mut games = rows.list.clone();
        games.truncate(games.iter().take_while(|game| game.pgn_end <= length).count());
        let lost = rows.list.len() - games.len();
        if lost > 0 {
            repairs
                .push(format!("{PGN}: {} of {GAMES} lost, and played again", count(lost, "game")));
        }
        rows.cut(games.len(), &mut repairs)?;
        let pgn_end = games.last().map_or(0, |row| row.pgn_end);
        cut_pgn(dir, pgn_end, &mut repairs)?;
        directory.read_sittings()?;
        let results = MatchResults {
            directory,
            lines: rows.lines.clone(),
            rows: rows.append()?,
            pgn: Appended::open(dir.join(PGN))?,
            pgn_end,
            games,
            synced: Instant::now(),
        };
        for repair in &repairs {
            results.log(repair)?;
        }
        Ok((results, repairs))
    }

    /// Checks that the games so far are those of a plan, for as many games as both have. The plan
    /// may be one that follows from these games.
    ///
    /// # Errors
    /// If a game is not the planned one.
    pub fn check(&self, of: &ResolvedMatch, plan: &[PlannedGame]) -> Result<(), ResultsError> {
        check_plan(self.dir(), of, (&self.games, &self.lines), plan)
    }

    /// The path of the directory.
    pub fn dir(&self) -> &Path {
        self.directory.path()
    }

    /// The games so far: the first ones of the plan.
    pub fn games(&self) -> &[GameRow] {
        &self.games
    }

    /// Writes the environment of a sitting that begins, with these engines.
    ///
    /// # Errors
    /// If it cannot be written, or the sittings of the games so far were lost.
    pub fn begin_sitting(
        &mut self,
        engines: &[Seen],
        said: &SaidOfPlace,
    ) -> Result<(), ResultsError> {
        let games = self.games.len();
        self.directory.check_sittings(games)?;
        self.directory.begin_sitting(games, engines, (said, None))
    }

    /// Writes the environment at the end of the sitting.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end_sitting(&mut self) -> Result<(), ResultsError> {
        self.sync()?;
        self.directory.end_sitting(self.games.len(), None)
    }

    /// Appends the next game of the plan and its notation; returns its row.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(super) fn append(&mut self, mut row: GameRow, pgn: &str) -> Result<&GameRow, JournalError> {
        // The notation comes first: then each game in the table has its notation.
        self.pgn.write(pgn.as_bytes())?;
        self.pgn_end += pgn.len() as u64;
        row.pgn_end = self.pgn_end;
        self.rows.append_row(&row)?;
        if self.synced.elapsed() >= BETWEEN_SYNCS {
            self.sync()?;
        }
        let place = self.games.len();
        self.games.push(row);
        Ok(&self.games[place])
    }

    /// Waits until all is on the disk: the notation first.
    fn sync(&mut self) -> Result<(), JournalError> {
        self.synced = Instant::now();
        self.pgn.sync().and_then(|()| self.rows.sync())
    }

    /// Appends a line to the log.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn log(&self, line: &str) -> Result<(), JournalError> {
        self.directory.log(line)
    }
}

/// Checks that games, with their lines, are the first ones of a plan. Games of a match that was
/// longer once may follow.
pub(super) fn check_plan(
    dir: &Path,
    of: &ResolvedMatch,
    (games, lines): (&[GameRow], &[u64]),
    plan: &[PlannedGame],
) -> Result<(), ResultsError> {
    let longer = plan_of_at_least(&of.spec, of.openings.len(), games.len());
    let is_search = of.spec.effective_speedup;
    let beyond = |at: usize| if is_search { None } else { longer.get(at) };
    let misfit = |(at, row): (usize, &GameRow)| match plan.get(at).or_else(|| beyond(at)) {
        Some(planned) => Some((at, row.misfit(planned, of)?)),
        // A search that was longer once cannot be planned again.
        None if is_search && row.game == at => None,
        None => Some((at, "the plan ends before it".to_owned())),
    };
    let Some((at, why)) = games.iter().enumerate().find_map(misfit) else { return Ok(()) };
    let (dir, line) = (dir.to_owned(), lines[at]);
    Err(ResultsError::Plan { dir, line, why, contents: &CONTENTS })
}

/// Every game of a results directory; a half-written last line is left out.
///
/// # Errors
/// If the file cannot be read, or one of its rows is not a game.
pub fn read_games(dir: &Path) -> Result<Vec<GameRow>, JournalError> {
    Ok(Rows::read(dir)?.list)
}

/// The match of a results directory, with its openings.
///
/// # Errors
/// If there is none, or it does not have the form that this program writes.
pub fn read_match(dir: &Path) -> Result<ResolvedMatch, ResultsError> {
    check_format(dir)?;
    let path = dir.join(MATCH);
    check_regular(&path).map_err(ResultsError::io(&path))?;
    let file = TomlFile::<PartialMatch>::read(&path).map_err(ReadError::from)?;
    let openings = file.partial.openings.as_deref().filter(|set| !positions::is_built_in(set));
    if let Some(path) = openings.map(|set| dir.join(set)).filter(|path| path.exists()) {
        check_regular(&path).map_err(ResultsError::io(&path))?;
    }
    let resolved = resolve_match(Some(&file), &PartialMatch::default(), usize::MAX);
    resolved.map_err(|error| match error {
        ResolveError::Refused(error) => ReadError::from(error).into(),
        ResolveError::BadLines(error) | ResolveError::Positions(error) => error.into(),
    })
}

/// A match as a table of its keys.
pub(super) fn table(spec: &Match) -> toml::Table {
    toml::Table::try_from(spec).unwrap_or_default()
}

/// Checks that the directory's match is this one. Of an opening file only the positions count.
fn check_same(dir: &Path, resolved: &ResolvedMatch) -> Result<(), ResultsError> {
    let there = read_match(dir)?;
    let mut here = resolved.spec.clone();
    let key = |p: &TestPosition| (p.id.clone(), p.board.clone());
    if there.openings.iter().map(key).eq(resolved.openings.iter().map(key)) {
        here.openings.clone_from(&there.spec.openings);
    }
    let free = |spec: &Match| {
        let mut table = table(spec);
        for key in FREE {
            table.remove(key);
        }
        let entries = table.get_mut("entries").and_then(toml::Value::as_array_mut);
        for entry in entries.into_iter().flatten().filter_map(toml::Value::as_table_mut) {
            entry.remove(FREE_OF_ENTRY);
        }
        table
    };
    let (there, here) = (free(&there.spec), free(&here));
    let rows = if fs::metadata(dir.join(GAMES)).map_or(0, |file| file.len()) == 0 {
        0
    } else {
        read_games(dir)?.len()
    };
    // A match without games can be replaced: nothing is lost.
    if there == here || rows == 0 {
        return Ok(());
    }
    let differences = differences(&there, &here);
    Err(ResultsError::Other { dir: dir.to_owned(), differences, rows, contents: &CONTENTS })
}

/// The length of the file of games; 0 if there is none, unless there are games already.
fn pgn_length(dir: &Path, any: bool) -> Result<u64, ResultsError> {
    let path = dir.join(PGN);
    match fs::metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !any => Ok(0),
        data => data.map(|data| data.len()).map_err(ResultsError::io(&path)),
    }
}

/// Cuts the file of games after the last game of the table. A missing file is made.
fn cut_pgn(dir: &Path, end: u64, repairs: &mut Vec<String>) -> Result<(), ResultsError> {
    let path = dir.join(PGN);
    let file = append(&path).map_err(ResultsError::io(&path))?;
    let length = file.metadata().map_err(ResultsError::io(&path))?.len();
    if length > end {
        file.set_len(end).map_err(ResultsError::io(&path))?;
        repairs.push(format!("{}: an unfinished game is cut off", path.display()));
    }
    Ok(())
}
