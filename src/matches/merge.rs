//! The parts of a match, put together as if it had been played undivided.

use super::pgn::PGN;
use super::plan::plan;
use super::results::{CONTENTS, OPENINGS, check_plan, read_match, table};
use super::rows::{GAMES, GameRow};
use super::spec::{MATCH, Match, ResolvedMatch};
use crate::records::{
    Directory, MergeError, MergePart, MergeTerms, ResultsError, Rows, check_target, differences,
    in_order, read_long_text, read_sittings, read_text, write_whole,
};
use std::path::{Path, PathBuf};
use ttd_search::positions::TestPosition;

/// A game, and its notation.
struct Game {
    row: GameRow,
    pgn: String,
}

/// The match and the games of a part.
struct Games {
    of: ResolvedMatch,
    games: Vec<Game>,
}

/// Puts parts together in the directory `out`, and returns the number of games. The files are those
/// of the undivided match, byte for byte, but for the sittings and the log.
///
/// # Errors
/// If the directories are not the parts of one match, or cannot be read. Also if `out` cannot be
/// written, or holds anything else than an earlier merge of it.
pub fn merge_matches(dirs: &[PathBuf], out: &Path, terms: MergeTerms) -> Result<usize, MergeError> {
    check_target(dirs, out, GAMES)?;
    let mut parts = dirs
        .iter()
        .map(|dir| read(dir).map_err(MergeError::of_part))
        .collect::<Result<Vec<_>, _>>()?;
    let Some(cores) = parts.first().map(|part| part.of.of.spec.cores) else { return Ok(0) };
    in_order(&mut parts, (terms, cores), |a, b| differ(&a.of, &b.of))?;
    let first = &parts[0];
    let whole = Match { shard: None, ..first.of.of.spec.clone() };
    if out.join(MATCH).exists() {
        let there = read_match(out)?;
        if there.spec.shard.is_some() || differ(&there, &first.of.of).is_some() {
            return Err(MergeError::Taken { dir: out.to_owned() });
        }
    }
    let mut directory = Directory::open(out, &CONTENTS)?;
    directory.put_no_rows()?;
    let epd = read_text(&first.dir.join(OPENINGS)).ok();
    directory.describe(&whole.to_toml(), epd.as_deref())?;
    directory.put_sittings(parts.iter().flat_map(|part| part.sittings.clone()).collect())?;
    directory.put_logs(parts.iter().map(|part| part.dir.as_path()))?;
    let mut games: Vec<&Game> = parts.iter().flat_map(|part| &part.of.games).collect();
    games.sort_by_key(|game| game.row.game);
    let (mut rows, mut pgn) = (Vec::new(), String::new());
    for game in &games {
        pgn.push_str(&game.pgn);
        rows.push(GameRow { pgn_end: pgn.len() as u64, ..game.row.clone() });
    }
    write_whole(&out.join(PGN), pgn.as_bytes())?;
    directory.put_rows(rows.iter())?;
    directory.sync()?;
    Ok(rows.len())
}

/// Reads a part. Nothing is written.
fn read(dir: &Path) -> Result<MergePart<Games>, MergeError> {
    let of = read_match(dir)?;
    let Some(shard) = of.spec.shard else {
        return Err(MergeError::NoPart { dir: dir.to_owned(), file: MATCH });
    };
    let planned = plan(&of.spec, of.openings.len());
    let Rows { list: rows, lines, .. } = Rows::<GameRow>::read(dir)?;
    check_plan(dir, &of, (&rows, &lines), &planned)?;
    if let Some(&line) = lines.get(planned.len()) {
        let (dir, why) = (dir.to_owned(), "the plan ends before it".to_owned());
        return Err(ResultsError::Plan { dir, line, why, contents: &CONTENTS }.into());
    }
    let path = dir.join(PGN);
    let text = read_long_text(&path).map_err(ResultsError::io(&path))?;
    let (mut games, mut begin) = (Vec::new(), 0);
    for row in rows {
        // A game whose notation is lost is none: it is played again.
        let Some(pgn) = text.get(begin..row.pgn_end as usize) else { break };
        begin = row.pgn_end as usize;
        games.push(Game { row, pgn: pgn.to_owned() });
    }
    Ok(MergePart {
        dir: dir.to_owned(),
        shard,
        sittings: read_sittings(dir)?,
        rows: (games.len(), planned.len()),
        of: Games { of, games },
    })
}

/// The differences of two matches, if they are not parts of one. Names do not count, nor does the
/// number of games at once on virtual cores.
fn differ(one: &ResolvedMatch, other: &ResolvedMatch) -> Option<String> {
    let plain = |of: &ResolvedMatch| {
        let concurrency = if of.spec.is_virtual() { 1 } else { of.spec.concurrency };
        let spec = Match { name: String::new(), concurrency, shard: None, ..of.spec.clone() };
        table(&spec)
    };
    let openings = [&one.openings, &other.openings];
    let (one, other) = (plain(one), plain(other));
    let key = |position: &TestPosition| (position.id.clone(), position.board.clone());
    if openings[0].iter().map(key).ne(openings[1].iter().map(key)) {
        return Some("openings: they have other positions".to_owned());
    }
    (one != other).then(|| differences(&one, &other))
}
