//! From a partial match to a resolved one. Options override the file, and the file overrides the
//! defaults. An impossible value is refused, and the refusal names the file or option it came from.

mod entries;
#[cfg(test)]
pub(super) mod tests;

use super::adjudication::Adjudication;
use super::openings;
use super::partial::PartialMatch;
use super::spec::{Entry, Format, Match, ResolvedMatch, SprtTerms};
use super::time_control::Pace;
use crate::records::{NumberList, Refusal, ResolveError, Sources, TomlFile};
use std::path::Path;
use ttd_search::positions::{BadLines, PositionSet};
use ttd_search::search::MAX_DEPTH;

/// The default limit for a move of a player without a clock, in seconds.
const MOVE_LIMIT_S: i64 = 600;
/// The default margin in a match with a time for each move: a move may be this much late, in
/// milliseconds.
const MOVE_TIME_MARGIN_MS: i64 = 50;
/// The most games of a match, because its whole plan is kept in memory.
const MAX_GAMES: i64 = 1_000_000;

/// Makes a resolved match. `cores` is the number of cores that the match may take.
///
/// # Errors
/// If a value is impossible. The error names the file, line and key, or the option.
pub fn resolve_match(
    file: Option<&TomlFile<PartialMatch>>,
    options: &PartialMatch,
    cores: usize,
) -> Result<ResolvedMatch, ResolveError> {
    let says = Sources { file, options };
    let said = says.said();

    let formats = [("gauntlet", Format::Gauntlet), ("round-robin", Format::RoundRobin)];
    let format = says.word(&["format"], said.format.as_ref(), formats)?;
    let by_depth = says.by_depth(said.by_depth.as_ref())?;
    let entries = entries::entries(&says, &said, format, by_depth.is_empty())?;
    let fixed_time = |entry: &Entry| matches!(entry.pace, Some(Pace::MoveTime(_)));
    let margin = if entries.iter().any(fixed_time) { MOVE_TIME_MARGIN_MS } else { 0 };
    let depths = by_depth.len().max(1) as i64;
    let number = |key, said: Option<i64>, default, range| {
        says.number(&[key], said.unwrap_or(default), range).map(|number| number as u64)
    };
    let mut spec = Match {
        name: says.name(name(&says))?,
        format,
        games: number("games", said.games, 100, 2..=MAX_GAMES / depths)? as u32,
        openings: says.set(|partial| partial.openings.as_ref(), "openings-8moves"),
        by_depth,
        time_margin_ms: number("time_margin_ms", said.time_margin_ms, margin, 0..=60_000)?,
        move_limit_s: number("move_limit_s", said.move_limit_s, MOVE_LIMIT_S, 1..=1_000_000)?,
        concurrency: 1,
        seed: number("seed", said.seed, 1, 0..=i64::MAX)?,
        adjudication: says.adjudication(said.adjudication.clone().unwrap_or_default())?,
        running_rating: said.running_rating.clone(),
        sprt: said.sprt,
        effective_speedup: said.effective_speedup.unwrap_or(false),
        entries,
    };
    if !spec.games.is_multiple_of(2) {
        let what = format!(
            "{} found, an even number expected: every opening is played with both colours",
            spec.games
        );
        return Err(says.error(&["games"], what).into());
    }
    says.check_size(&spec)?;
    spec.concurrency = says.concurrency(said.concurrency, &spec, cores)?;
    says.check_running(&spec)?;
    says.check_sprt(&spec)?;
    says.check_speedup(&spec)?;
    let skip_bad = said.skip_bad.unwrap_or_default();
    let bad_lines = if skip_bad { BadLines::LeaveOut } else { BadLines::Refuse };
    let found = says.positions(
        "openings",
        |partial| partial.openings.as_ref(),
        &spec.openings,
        |set| openings::load(set, bad_lines),
    )?;
    let PositionSet { positions: openings, remarks, text: own_set, .. } = found;
    Ok(ResolvedMatch { spec, openings, own_set, remarks })
}

impl Sources<'_, PartialMatch> {
    fn by_depth(&self, list: Option<&NumberList>) -> Result<Vec<u8>, Refusal> {
        let Some(NumberList(list)) = list else { return Ok(Vec::new()) };
        if list.is_empty() {
            return Err(self.error(&["by_depth"], "empty: depths such as 1..8 expected"));
        }
        let depth = |&n| self.number(&["by_depth"], n, 1..=MAX_DEPTH.into()).map(|n| n as u8);
        list.iter().map(depth).collect()
    }

    fn check_size(&self, spec: &Match) -> Result<(), Refusal> {
        let (pairings, depths) = (spec.pairings().len() as i64, spec.by_depth.len().max(1) as i64);
        let most = MAX_GAMES / (pairings * depths);
        if i64::from(spec.games) <= most {
            return Ok(());
        }
        let why = format!("{pairings} pairings, and at most {MAX_GAMES} games");
        Err(self.error(&["games"], format!("{} found, at most {most} expected: {why}", spec.games)))
    }

    /// The number of games at once: by default as many as the cores allow.
    fn concurrency(
        &self,
        asked: Option<i64>,
        spec: &Match,
        cores: usize,
    ) -> Result<usize, Refusal> {
        let threads = spec.threads();
        // A game whose threads are more than the cores is slow, but may be wanted.
        let most = (cores / threads).max(1);
        let Some(asked) = asked else { return Ok(most) };
        if let Some(asked) = usize::try_from(asked).ok().filter(|asked| (1..=most).contains(asked))
        {
            return Ok(asked);
        }
        let what = format!(
            "{asked} found, 1 to {most} expected: there are {cores} cores, and a game takes {threads}"
        );
        Err(self.error(&["concurrency"], what))
    }

    fn adjudication(&self, terms: Adjudication) -> Result<Adjudication, Refusal> {
        let check = |keys: &[&str], value: i64, least: i64, most: i64| {
            let keys: Vec<&str> = ["adjudication"].iter().chain(keys).copied().collect();
            self.number(&keys, value, least..=most).map(drop)
        };
        if let Some(resign) = terms.resign {
            check(&["resign", "moves"], resign.moves.into(), 1, 1_000)?;
            check(&["resign", "score"], resign.score.into(), 1, 30_000)?;
        }
        if let Some(draw) = terms.draw {
            check(&["draw", "after"], draw.after.into(), 0, 10_000)?;
            check(&["draw", "moves"], draw.moves.into(), 1, 1_000)?;
            check(&["draw", "score"], draw.score.into(), 0, 30_000)?;
        }
        if let Some(most) = terms.max_moves {
            check(&["max_moves"], most.into(), 1, 10_000)?;
        }
        Ok(terms)
    }

    /// Checks that each opponent has a rating: a running rating moves by those of the opponents.
    fn check_running(&self, spec: &Match) -> Result<(), Refusal> {
        let Some(terms) = &spec.running_rating else { return Ok(()) };
        let error = |key: &str, what: String| Err(self.error(&["running_rating", key], what));
        if spec.format != Format::Gauntlet {
            let what = "a round robin found, a gauntlet expected: the challengers' ratings move, the \
                        opponents' are known";
            return Err(self.error(&["running_rating"], what));
        }
        if !terms.start.is_finite() {
            return error("start", format!("{} found, an Elo rating expected", terms.start));
        }
        if terms.k.is_empty() {
            return error("k", "empty: values such as [10, 20, 30] expected".to_owned());
        }
        if let Some(k) = terms.k.iter().find(|k| !(**k > 0.0 && k.is_finite())) {
            return error("k", format!("{k} found, more than 0 expected"));
        }
        let opponents = spec.pairings().into_iter().map(|(_, opponent)| opponent);
        for opponent in opponents {
            let entry = &spec.entries[opponent];
            if entry.rating.is_none() {
                let what = format!(
                    "opponent `{}` has no rating: running ratings need one, such as rating = 2850",
                    entry.name
                );
                return Err(self.error(&["entries", &opponent.to_string(), "rating"], what));
            }
        }
        Ok(())
    }

    fn check_sprt(&self, spec: &Match) -> Result<(), Refusal> {
        let Some(SprtTerms { elo0, elo1, alpha, beta }) = spec.sprt else { return Ok(()) };
        let error = |key: &str, what: String| Err(self.error(&["sprt", key], what));
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return error("elo1", format!("{elo1} found, more than elo0 = {elo0} expected"));
        }
        for (key, chance) in [("alpha", alpha), ("beta", beta)] {
            if !(chance > 0.0 && chance < 0.5) {
                return error(key, format!("{chance} found, above 0 and below 0.5 expected"));
            }
        }
        let pairings = spec.pairings().len();
        if pairings != 1 || !spec.by_depth.is_empty() {
            let what = format!(
                "{pairings} pairings found, one expected (and no fixed depths): the test is about \
                 two entries"
            );
            return Err(self.error(&["sprt"], what));
        }
        Ok(())
    }

    /// Checks that a search for an effective speedup has one pairing, and a pace that is scalable.
    fn check_speedup(&self, spec: &Match) -> Result<(), Refusal> {
        if !spec.effective_speedup {
            return Ok(());
        }
        let error = |what: &str| Err(self.error(&["effective_speedup"], what));
        let [(first, _)] = spec.pairings()[..] else {
            return error(&format!("{} pairings found, one expected", spec.pairings().len()));
        };
        if spec.sprt.is_some() {
            return error(
                "sprt found, none expected: games with several factors are no match to decide",
            );
        }
        if matches!(spec.entries[first].pace, None | Some(Pace::Depth(_))) {
            return error(
                "a fixed depth found, a clock, time or nodes expected: no factor changes its time",
            );
        }
        Ok(())
    }
}

/// The name that was given, else the name of the file, else `match`.
fn name(says: &Sources<'_, PartialMatch>) -> String {
    let stem = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
    let in_file = || says.file.and_then(|f| f.partial.name.clone().or_else(|| stem(&f.path)));
    says.options.name.clone().or_else(in_file).unwrap_or_else(|| "match".to_owned())
}
