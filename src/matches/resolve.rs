//! From a partial match to a resolved one. Options override the file, and the file overrides the
//! defaults. An impossible value is refused, and the refusal names the file or option it came from.

mod entries;
#[cfg(test)]
pub(super) mod tests;
mod virtually;

use super::adjudication::Adjudication;
use super::openings;
use super::partial::PartialMatch;
use super::spec::{Entry, Format, Match, ResolvedMatch, SprtTerms};
use super::time_control::Pace;
use crate::records::{
    CoresKind, NumberList, Refusal, Refusals, ResolveError, Said as _, Sources, TomlFile, count,
    hash,
};
use std::ops::RangeInclusive;
use std::path::Path;
use ttd_search::positions::{BadLines, PositionSet, is_built_in};
use ttd_search::search::MAX_DEPTH;

/// The default limit for a move of a player without a clock, in seconds.
const MOVE_LIMIT_S: i64 = 600;
/// The default margin in a match with a time for each move: a move may be this much late, in
/// milliseconds.
const MOVE_TIME_MARGIN_MS: i64 = 50;
/// The default number of games of a pairing.
const GAMES: i64 = 100;
/// That of a match which a test ends.
const GAMES_OF_A_TEST: i64 = 20_000;
/// The most plies of an opening.
const MOST_PLIES: i64 = 1_000;
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
    let said = says.said().paced_by(options);
    let mut wrong = says.mistakes();

    let formats = [
        ("gauntlet", Format::Gauntlet),
        ("round-robin", Format::RoundRobin),
        ("named", Format::Named),
    ];
    let format = says.word(&["format"], said.format.as_ref(), formats);
    let format = wrong.take(format).unwrap_or(Format::Gauntlet);
    let by_depth = wrong.take(says.by_depth(said.by_depth.as_ref())).unwrap_or_default();
    let entries = entries::entries(&says, &said, format, by_depth.is_empty());
    let entries = wrong.take(entries).unwrap_or_default();
    let fixed_time = |entry: &Entry| matches!(entry.pace, Some(Pace::MoveTime(_)));
    let margin = if entries.iter().any(fixed_time) { MOVE_TIME_MARGIN_MS } else { 0 };
    let games = wrong.take(says.games(&said, by_depth.len())).unwrap_or_default();
    let adjudication = wrong.take(says.adjudication(&said)).unwrap_or_default();
    let simulated = wrong.take(says.simulated(&said, &entries)).flatten();
    let cores_kind = if simulated.is_some() { CoresKind::Virtual } else { CoresKind::Real };
    let engines = simulated.as_ref().and_then(|of| of.engines);
    let (host_limit_s, costs) = simulated.map(|of| (of.host_limit_s, of.costs)).unzip();
    let plies = said.plies.map(|plies| says.number(&["plies"], plies, 1..=MOST_PLIES));
    let plies = plies.and_then(|plies| wrong.take(plies)).map(|plies| plies as usize);
    let mut number = |key, said: Option<i64>, default, range| {
        let number = says.number(&[key], said.unwrap_or(default), range);
        wrong.take(number).unwrap_or_default() as u64
    };
    let mut spec = Match {
        name: String::new(),
        format,
        games,
        openings: says.set(|partial| partial.openings.as_ref(), "openings-8moves"),
        by_depth,
        time_margin_ms: number("time_margin_ms", said.time_margin_ms, margin, 0..=60_000),
        move_limit_s: number("move_limit_s", said.move_limit_s, MOVE_LIMIT_S, 1..=1_000_000),
        cores: cores_kind,
        host_limit_s,
        costs,
        virtual_engines: engines,
        concurrency: 1,
        seed: number("seed", said.seed, 1, 0..=i64::MAX),
        adjudication,
        running_rating: said.running_rating.clone(),
        sprt: said.sprt,
        effective_speedup: said.effective_speedup.unwrap_or(false),
        shard: None,
        entries,
    };
    wrong.check()?;
    let mut wrong = Refusals::default();
    spec.name = wrong.take(says.name(name(&says, &spec))).unwrap_or_default();
    wrong.take(says.check_size(&spec));
    // The parts of a match have one name.
    spec.shard = wrong.take(says.shard(said.shard.as_ref())).flatten();
    let concurrency = says.concurrency(said.concurrency, &spec, cores);
    spec.concurrency = wrong.take(concurrency).unwrap_or(1);
    wrong.take(says.check_running(&spec));
    wrong.take(says.check_sprt(&spec));
    wrong.take(says.check_speedup(&spec));
    wrong.take(says.check_parts(&spec));
    wrong.check()?;
    let skip_bad = said.skip_bad.unwrap_or_default();
    let bad_lines = if skip_bad { BadLines::LeaveOut } else { BadLines::Refuse };
    let mut are_games = false;
    let found = says.positions(
        "openings",
        |partial| partial.openings.as_ref(),
        &spec.openings,
        |set| {
            let (found, games) = openings::load(set, bad_lines, plies.unwrap_or(usize::MAX))?;
            are_games = games;
            Ok(found)
        },
    )?;
    if let Some(plies) = plies.filter(|_| !are_games) {
        let what = "none expected: the openings are positions, and no games that can be cut";
        return Err(says.error(&["plies"], format!("{plies} found, {what}")).into());
    }
    let PositionSet { positions: openings, remarks, text, .. } = found;
    let own_set = (!is_built_in(&spec.openings)).then_some(text);
    Ok(ResolvedMatch { spec, openings, own_set, remarks })
}

/// The name that was given, else the name of the file. Without a file it is `match-` and a hash of
/// the match. So two matches do not meet in one results directory. The numbers of games and of
/// games at once make no other match.
fn name(says: &Sources<'_, PartialMatch>, spec: &Match) -> String {
    let stem = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
    let in_file = || says.file.and_then(|f| f.partial.name.clone().or_else(|| stem(&f.path)));
    says.options.name.clone().or_else(in_file).unwrap_or_else(|| {
        let same = Match { name: String::new(), games: 0, concurrency: 1, ..spec.clone() };
        format!("match-{:06x}", hash(&same.to_toml()) & 0xff_ffff)
    })
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
        let why = format!("{}, and at most {MAX_GAMES} games", count(pairings as usize, "pairing"));
        Err(self.error(&["games"], format!("{} found, at most {most} expected: {why}", spec.games)))
    }

    /// The number of games at once: by default as many as the cores allow.
    fn concurrency(
        &self,
        asked: Option<i64>,
        spec: &Match,
        cores: usize,
    ) -> Result<usize, Refusal> {
        // A game on virtual cores takes one real core, however many workers there are.
        let threads = if spec.is_virtual() { 1 } else { spec.threads() };
        // A game whose threads are more than the cores is slow, but may be wanted.
        let most = (cores / threads).max(1);
        let Some(asked) = asked else { return Ok(most) };
        if let Some(asked) = usize::try_from(asked).ok().filter(|asked| (1..=most).contains(asked))
        {
            return Ok(asked);
        }
        let what = format!(
            "{asked} found, 1 to {most} expected: a game takes {threads} of {}",
            count(cores, "core")
        );
        Err(self.error(&["concurrency"], what))
    }

    /// The games of each pairing: `games`, or two for each of `rounds`.
    fn games(&self, said: &PartialMatch, depths: usize) -> Result<u32, Refusal> {
        let most = MAX_GAMES / depths.max(1) as i64;
        if let Some(rounds) = said.rounds {
            let rounds = self.number(&["rounds"], rounds, 1..=most / 2)?;
            // In fastchess `games` are those of a round.
            if let Some(games) = self.options.games.filter(|games| *games != 2) {
                let why = "a round has two games, colours reversed";
                let what = format!("{games} found beside --rounds, 2 or none expected: {why}");
                return Err(self.error(&["games"], what));
            }
            return Ok(2 * rounds as u32);
        }
        let default = if said.sprt.is_some() { GAMES_OF_A_TEST } else { GAMES };
        let games = self.number(&["games"], said.games.unwrap_or(default), 2..=most)? as u32;
        if games.is_multiple_of(2) {
            return Ok(games);
        }
        let why = "every opening is played with both colours";
        Err(self.error(&["games"], format!("{games} found, an even number expected: {why}")))
    }

    /// The terms of the options, and those of the file where no option gives them.
    fn adjudication(&self, said: &PartialMatch) -> Result<Adjudication, Refusal> {
        let in_file = said.adjudication.clone().unwrap_or_default();
        // An option gives a table of `adjudication` on its own, and has its own words.
        let check = |keys: &[&str], word: &str, value: i64, range: RangeInclusive<i64>| {
            let table = keys[0];
            match self.options.option(&[table]) {
                Some(_) if keys.len() == 1 => self.number(keys, value, range),
                Some(_) => self.number(&[table, word], value, range),
                None => self.number(&[&["adjudication"], keys].concat(), value, range),
            }
        };
        let resign = said.resign.or(in_file.resign);
        if let Some(resign) = resign {
            check(&["resign", "moves"], "movecount", resign.moves.into(), 1..=1_000)?;
            check(&["resign", "score"], "score", resign.score.into(), 1..=30_000)?;
        }
        let draw = said.draw.or(in_file.draw);
        if let Some(draw) = draw {
            check(&["draw", "after"], "movenumber", draw.after.into(), 0..=10_000)?;
            check(&["draw", "moves"], "movecount", draw.moves.into(), 1..=1_000)?;
            check(&["draw", "score"], "score", draw.score.into(), 0..=30_000)?;
        }
        let max_moves = said.max_moves.or(in_file.max_moves.map(i64::from));
        let max_moves =
            max_moves.map(|most| check(&["max_moves"], "", most, 1..=10_000)).transpose()?;
        Ok(Adjudication { resign, draw, max_moves: max_moves.map(|most| most as u32) })
    }

    /// Checks that each opponent has a rating: a running rating moves by those of the opponents.
    fn check_running(&self, spec: &Match) -> Result<(), Refusal> {
        let Some(terms) = &spec.running_rating else { return Ok(()) };
        let error = |key: &str, what: String| Err(self.error(&["running_rating", key], what));
        if !spec.format.has_roles() {
            let what = "another format found, a gauntlet expected: the challengers' ratings move, the \
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
    /// Checks that the match can be divided into so many parts.
    fn check_parts(&self, spec: &Match) -> Result<(), Refusal> {
        if spec.shard.is_none() {
            return Ok(());
        }
        if spec.sprt.is_some() || spec.effective_speedup {
            let what = "a match that goes on until something is known has no parts: each game \
                        follows from all games before it";
            return Err(self.error(&["shard"], what));
        }
        let rounds = spec.games as usize / 2;
        self.check_shard(spec.shard, (rounds, "one round or more each"))
    }

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
