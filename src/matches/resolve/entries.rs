//! The entries of a match.

use crate::experiment::MAX_THREADS;
use crate::matches::partial::{PartialEntry, PartialMatch};
use crate::matches::spec::{Entry, EntryEngine, Format, Role};
use crate::matches::time_control::{MAX_SECONDS, Pace, TimeControl};
use crate::records::{Refusal, Refusals, Sources};
use crate::uci::{EngineSpec, Protocol, check_name};
use std::path::Path;
use std::time::Duration;
use ttd_search::engine::Techniques;
use ttd_search::search::MAX_DEPTH;
use ttd_search::searchers::{Searcher, Settings};
use ttd_search::value::{self, Table};

/// The largest table of a player, in MiB.
const MAX_HASH_MIB: i64 = 1 << 20;
/// The default table of a player, in MiB.
const HASH_MIB: i64 = 64;
/// The default pace of a match.
const TIME_CONTROL: &str = "10+0.1";
/// The largest factor of an entry's time; the smallest is its inverse.
const MAX_FACTOR: f64 = 1_000.0;

/// Every entry. `paced` tells whether each has a pace of its own.
pub(super) fn entries(
    says: &Sources<'_, PartialMatch>,
    said: &PartialMatch,
    format: Format,
    paced: bool,
) -> Result<Vec<Entry>, Refusal> {
    let (list, partials) = given(says, said);
    if partials.len() < 2 {
        let what = format!("{} found, at least two expected", partials.len());
        return Err(says.error(&[list], what));
    }
    let is_outside = |(_, partial): &Given| partial.command.is_some();
    let each = said.each.as_ref().map(PartialEntry::outside).unwrap_or_default();
    if let Some(key) = each.keys().next().filter(|_| !partials.iter().any(is_outside)) {
        let what = "found, none expected: only an outside engine has such a key, and none plays";
        return Err(says.error(&["each", key], what));
    }
    let (mut entries, mut wrong) = (Vec::<Entry>::new(), Refusals::default());
    for (at, (list, partial)) in partials.iter().enumerate() {
        let saying = Saying { says, list, at: at.to_string(), partial };
        let entry = saying.entry(said, paced).and_then(|mut entry| {
            entry.role = saying.role(format, &partials)?;
            entry.against = saying.against(format, &partials)?;
            if entries.iter().any(|other| other.name == entry.name) {
                return Err(saying.twice(&entry.name));
            }
            Ok(entry)
        });
        entries.extend(wrong.take(entry));
    }
    wrong.check()?;
    let has = |role| entries.iter().any(|entry| entry.role == Some(role));
    if format == Format::Gauntlet && !(has(Role::Challenger) && has(Role::Opponent)) {
        let what = "expected at least one with role = \"challenger\" and one without";
        return Err(says.error(&["entries"], what));
    }
    if format == Format::Named && entries.iter().all(|entry| entry.against.is_empty()) {
        let what = "expected at least one with against = [\"NAME\"]";
        return Err(says.error(&["entries"], what));
    }
    Ok(entries)
}

/// A partial entry and the list that has it: `entries`, of a file or of `--searchers`, or `engines`
/// of `--engine`.
type Given = (&'static str, PartialEntry);

/// The partial entries, those of options instead of those of the file, and the list of the first.
fn given(says: &Sources<'_, PartialMatch>, said: &PartialMatch) -> (&'static str, Vec<Given>) {
    let (ours, engines) = (&says.options.entries, &says.options.engines);
    let by_option = ours.is_some() || engines.is_some();
    let ours = if by_option { ours } else { &said.entries };
    let each = said.each.clone().unwrap_or_default();
    let of = |list: &'static str, partials: &Option<Vec<PartialEntry>>| -> Vec<Given> {
        let partials = partials.clone().unwrap_or_default();
        partials.into_iter().map(|partial| (list, partial.filled(&each))).collect()
    };
    let first = if ours.is_none() && by_option { ENGINES } else { ENTRIES };
    (first, [of(ENTRIES, ours), of(ENGINES, engines)].concat())
}

const ENTRIES: &str = "entries";
const ENGINES: &str = "engines";

/// One partial entry, with its place for errors.
struct Saying<'a> {
    says: &'a Sources<'a, PartialMatch>,
    list: &'static str,
    at: String,
    partial: &'a PartialEntry,
}

/// The keys of a pace, as a match and an entry have them: `time_control`, `nodes`, `depth` and
/// `move_time_s`.
type SaidPace<'a> = (Option<&'a str>, Option<i64>, Option<i64>, Option<f64>);

impl Saying<'_> {
    fn error(&self, key: &str, what: impl Into<String>) -> Refusal {
        self.says.error(&self.keys(key), what)
    }

    fn keys<'k>(&'k self, key: &'k str) -> [&'k str; 3] {
        [self.list, &self.at, key]
    }

    /// A refusal of a name that an entry before it has.
    fn twice(&self, name: &str) -> Refusal {
        let how = ": give each a name, such as \"name=old command=stockfish\"";
        let what = format!("`{name}` found twice");
        self.error("name", if self.list == ENGINES { what + how } else { what })
    }

    fn entry(&self, said: &PartialMatch, paced: bool) -> Result<Entry, Refusal> {
        let (partial, mut wrong) = (self.partial, Refusals::default());
        let name = match &partial.name {
            None => Err("missing: expected one".to_owned()),
            Some(name) => check_name(name).map(|()| name.clone()),
        };
        let name = wrong.take(name.map_err(|what| self.error("name", what)));
        let number = |key, own: Option<i64>, of_match: Option<i64>, default, most| match own {
            Some(own) => self.says.number(&self.keys(key), own, 1..=most),
            None => self.says.number(&[key], of_match.unwrap_or(default), 1..=most),
        };
        let threads = number("threads", partial.threads, said.threads, 1, MAX_THREADS as i64);
        let threads = wrong.take(threads).unwrap_or(1);
        let hash = number("hash_mib", partial.hash_mib, said.hash_mib, HASH_MIB, MAX_HASH_MIB);
        let hash = wrong.take(hash).unwrap_or(HASH_MIB);
        if let Some(rating) = partial.rating.filter(|rating| !rating.is_finite()) {
            wrong.keep(self.error("rating", format!("{rating} found, a number expected")));
        }
        let pace = if paced { wrong.take(self.pace(said)) } else { None };
        let engine = wrong.take(self.engine(partial.name.as_deref().unwrap_or("unnamed")));
        let alone = match &engine {
            Some(EntryEngine::Own { searcher, .. }) => {
                Some(*searcher).filter(|searcher| searcher.takes_one_thread())
            }
            _ => None,
        };
        let time_factor = wrong.take(self.time_factor(pace));
        if let Some(engine) = &engine {
            let scaled = pace.map(|pace| pace.scaled(time_factor.unwrap_or(1.0)));
            wrong.take(self.check_pace(engine, scaled));
        }
        if let (Some(searcher), Some(2..)) = (alone, partial.threads) {
            let what = format!("{threads} found, 1 expected: the searcher is {searcher}");
            wrong.keep(self.error("threads", what));
        }
        let made = name.zip(engine).zip(time_factor);
        let ((name, engine), time_factor) = wrong.check_made(made)?;
        Ok(Entry {
            name,
            role: None,
            against: Vec::new(),
            rating: partial.rating,
            time_factor,
            pace,
            threads: if alone.is_some() { 1 } else { threads as usize },
            hash_mib: hash as usize,
            engine,
        })
    }

    /// Checks that the engine can keep to its pace.
    fn check_pace(&self, engine: &EntryEngine, pace: Option<Pace>) -> Result<(), Refusal> {
        match engine {
            EntryEngine::Own { techniques, .. }
                if !techniques.iterative_deepening
                    && !matches!(pace, None | Some(Pace::Depth(_))) =>
            {
                let what = "iterative_deepening = false found, true expected: without a depth to \
                            search to, no move is ever searched to the end";
                Err(self.error("engine", what))
            }
            EntryEngine::Outside(outside)
                if outside.protocol == Protocol::XBoard && matches!(pace, Some(Pace::Nodes(_))) =>
            {
                let what = "xboard with a number of nodes found: it has no limit of nodes; \
                            expected a clock, a time or a depth";
                Err(self.error("protocol", what))
            }
            EntryEngine::Outside(outside)
                if outside.protocol == Protocol::XBoard && has_part_of_a_second(pace) =>
            {
                let what = "xboard with a part of a second for each move found: its command `st` \
                            counts whole seconds; expected whole seconds, a clock or a depth";
                Err(self.error("protocol", what))
            }
            _ => Ok(()),
        }
    }

    fn role(&self, format: Format, all: &[Given]) -> Result<Option<Role>, Refusal> {
        let (said, keys) = (self.partial.role.as_ref(), self.keys("role"));
        let roles = [("challenger", Role::Challenger), ("opponent", Role::Opponent)];
        let role = self.says.word(&keys, said, roles)?;
        if !format.has_roles() {
            if said.is_none() {
                return Ok(None);
            }
            let what = "a role found, none expected: only a gauntlet has roles";
            return Err(self.error("role", what));
        }
        // If no entry is called challenger, the first one is.
        let nobody = !all.iter().any(|(_, other)| other.role.as_deref() == Some("challenger"));
        let first = nobody && self.at == "0";
        let default = if first { Role::Challenger } else { Role::Opponent };
        Ok(Some(said.map_or(default, |_| role)))
    }

    /// The entries that it plays against, by name.
    fn against(&self, format: Format, all: &[Given]) -> Result<Vec<String>, Refusal> {
        let named = self.partial.against.clone().unwrap_or_default();
        if format != Format::Named && !named.is_empty() {
            let what = "names found, none expected: they are for format = \"named\"";
            return Err(self.error("against", what));
        }
        let is_there =
            |name: &String| all.iter().any(|(_, other)| other.name.as_ref() == Some(name));
        let is_own = |name: &String| self.partial.name.as_ref() == Some(name);
        if let Some(wrong) = named.iter().find(|name| is_own(name) || !is_there(name)) {
            let what = format!("`{wrong}` found, the name of another entry expected");
            return Err(self.error("against", what));
        }
        Ok(named)
    }

    fn time_factor(&self, pace: Option<Pace>) -> Result<f64, Refusal> {
        let factor = self.partial.time_factor.unwrap_or(1.0);
        let factor =
            self.says.number(&self.keys("time_factor"), factor, 1.0 / MAX_FACTOR..=MAX_FACTOR)?;
        let fixed = matches!(pace, None | Some(Pace::Depth(_)));
        if fixed && factor.to_bits() != 1.0_f64.to_bits() {
            let what = "a factor found, 1 expected: a fixed depth has no time that a factor could \
                        change";
            return Err(self.error("time_factor", what));
        }
        Ok(factor)
    }

    /// The entry's own pace, or that of the match.
    fn pace(&self, said: &PartialMatch) -> Result<Pace, Refusal> {
        let own = self.partial;
        let own = (own.time_control.as_deref(), own.nodes, own.depth, own.move_time_s);
        if let Some(pace) = pace(own, |key, what| self.error(key, what))? {
            return Ok(pace);
        }
        let of_match = (said.time_control.as_deref(), said.nodes, said.depth, said.move_time_s);
        let of_match_pace = pace(of_match, |key, what| self.says.error(&[key], what))?;
        let is_clock = matches!(of_match_pace, Some(Pace::Clock(_)));
        if let Some(pace) = of_match_pace.filter(|_| !(is_clock && own.0 == Some(NO_CLOCK))) {
            return Ok(pace);
        }
        if own.0.or(of_match.0) == Some(NO_CLOCK) {
            let what =
                format!("`{NO_CLOCK}` found alone: nodes, depth or move_time_s expected too");
            let of_entry = self.error("time_control", &*what);
            return Err(if own.0.is_some() {
                of_entry
            } else {
                self.says.error(&["time_control"], what)
            });
        }
        Ok(Pace::Clock(TIME_CONTROL.parse().expect("it is a time control")))
    }

    fn engine(&self, name: &str) -> Result<EntryEngine, Refusal> {
        match &self.partial.searcher {
            Some(searcher) => self.own(searcher),
            None => self.outside(name),
        }
    }

    /// An outside engine.
    fn outside(&self, name: &str) -> Result<EntryEngine, Refusal> {
        let (partial, mut wrong) = (self.partial, Refusals::default());
        if partial.command.is_none() {
            let what = "expected a searcher (ours), or a command (an outside engine's)";
            return Err(self.error("name", format!("`{name}` is no engine: {what}")));
        }
        for (key, said) in [("engine", &partial.engine), ("parameters", &partial.parameters)] {
            if said.is_some() {
                let what = "a table found, none expected: it is for our own engine (an outside \
                            engine has options)";
                wrong.keep(self.error(key, what));
            }
        }
        let mut outside = partial.outside();
        outside.insert("name".to_owned(), name.into());
        let read = |table: &Table| value::read::<EngineSpec>(table.clone());
        let spec = self.says.table(&[self.list, &self.at], Some(&outside), read);
        let mut spec = wrong.take(spec);
        if let Some(spec) = &mut spec {
            let wrong_keys = spec.wrong_keys().into_iter();
            wrong_keys.for_each(|(key, what)| wrong.keep(self.error(key, what)));
            // A path of an option is relative to the working directory.
            let by_file = self.says.options.entries.is_none() && self.list == ENTRIES;
            let said_in = self.says.file.filter(|_| by_file).and_then(|file| file.path.parent());
            let found = spec.find_from(said_in.unwrap_or(Path::new("")));
            wrong.take(found.map_err(|e| self.error("command", e.to_string())));
        }
        Ok(EntryEngine::Outside(Box::new(wrong.check_made(spec)?)))
    }

    /// Our engine with this searcher.
    fn own(&self, searcher: &str) -> Result<EntryEngine, Refusal> {
        let (partial, mut wrong) = (self.partial, Refusals::default());
        for key in partial.outside().keys() {
            let what = "found beside a searcher: it is for an outside engine";
            wrong.keep(self.error(key, what));
        }
        let searcher = searcher.parse::<Searcher>();
        let searcher = wrong.take(searcher.map_err(|what| self.error("searcher", what)));
        let here = |key| self.keys(key);
        let techniques =
            self.says.table(&here("engine"), partial.engine.as_ref(), Techniques::resolve);
        let techniques = wrong.take(techniques);
        let settings = searcher.and_then(|searcher| {
            let with = |said: &Table| Settings::with(searcher, said.clone());
            wrong.take(self.says.table(&here("parameters"), partial.parameters.as_ref(), with))
        });
        let made = searcher.zip(techniques).zip(settings);
        let ((searcher, techniques), settings) = wrong.check_made(made)?;
        searcher.fits(&techniques, &settings).map_err(|what| self.error("searcher", what))?;
        let parameters = settings.of(searcher);
        Ok(EntryEngine::Own { searcher, techniques: Box::new(techniques), parameters })
    }
}

fn has_part_of_a_second(pace: Option<Pace>) -> bool {
    matches!(pace, Some(Pace::MoveTime(time)) if time.subsec_nanos() > 0)
}

/// The time control of a player without a clock, as cutechess and fastchess have it.
const NO_CLOCK: &str = "inf";

/// The pace; none if no key is given, or only that there is no clock.
fn pace(
    (time_control, nodes, depth, move_time_s): SaidPace<'_>,
    error: impl Fn(&str, String) -> Refusal,
) -> Result<Option<Pace>, Refusal> {
    let time_control = time_control.filter(|control| *control != NO_CLOCK);
    let said = [
        ("time_control", time_control.is_some()),
        ("nodes", nodes.is_some()),
        ("depth", depth.is_some()),
        ("move_time_s", move_time_s.is_some()),
    ];
    let mut keys = said.iter().filter(|(_, said)| *said).map(|(key, _)| *key);
    if let (Some(first), Some(second)) = (keys.next(), keys.next()) {
        return Err(error(second, format!("found beside {first}, one of them expected")));
    }
    let out_of = |key, value: String, range: String| {
        Err(error(key, format!("{value} found, {range} expected")))
    };
    if let Some(text) = time_control {
        let control: TimeControl = text.parse().map_err(|e| error("time_control", e))?;
        return Ok(Some(Pace::Clock(control)));
    }
    if let Some(nodes) = nodes {
        return match u64::try_from(nodes) {
            Ok(nodes) if nodes > 0 => Ok(Some(Pace::Nodes(nodes))),
            _ => out_of("nodes", nodes.to_string(), "1 or more".to_owned()),
        };
    }
    if let Some(depth) = depth {
        return match u8::try_from(depth) {
            Ok(depth) if (1..=MAX_DEPTH).contains(&depth) => Ok(Some(Pace::Depth(depth))),
            _ => out_of("depth", depth.to_string(), format!("1 to {MAX_DEPTH}")),
        };
    }
    let Some(seconds) = move_time_s else { return Ok(None) };
    if (0.001..=MAX_SECONDS).contains(&seconds) {
        return Ok(Some(Pace::MoveTime(Duration::from_secs_f64(seconds))));
    }
    out_of("move_time_s", seconds.to_string(), format!("0.001 to {MAX_SECONDS}"))
}
