//! The tables of a match's setup.

use crate::matches::{Entry, EntryEngine, Format, Match, Pace, Sides};
use crate::report::MatchInput;
use crate::report::front::setup::{cost_model, row};
use crate::report::lists::{each_once, grouped};
use crate::report::numbers::{count, known, list};

/// The table of the match: its rules and settings.
pub(crate) fn match_table(input: &MatchInput) -> Vec<Vec<String>> {
    let spec = input.spec();
    let format = match spec.format {
        Format::Gauntlet => "gauntlet: every challenger against every opponent",
        Format::RoundRobin => "round robin: everybody against everybody",
        Format::Named => "every entry against those that it names",
    };
    let each = if spec.by_depth.is_empty() { "" } else { " at each depth" };
    let mut rows = vec![
        row("match", "value"),
        row("format", format),
        row("games", format!("{} of each pairing{each}, colours reversed in pairs", spec.games)),
        row("openings", format!("`{}` ({})", spec.openings, input.of.openings.len())),
        row("pace", paces(input)),
        row("time margin", format!("{} ms", spec.time_margin_ms)),
        row("adjudication", adjudication(input)),
        row("cores", cores(spec)),
        row("virtual cores of outside engines", outside_cores(spec)),
        row("games at once", spec.concurrency.to_string()),
        row("seed", spec.seed.to_string()),
    ];
    rows.retain(|row| !row[1].is_empty());
    if let Some(terms) = &spec.running_rating {
        let value = format!("from {}, K = {}", terms.start, list(&terms.k));
        rows.push(row("running rating", value));
    }
    if let Some(terms) = &spec.sprt {
        let value = format!(
            "elo0 = {}, elo1 = {}, alpha = {}, beta = {}",
            terms.elo0, terms.elo1, terms.alpha, terms.beta
        );
        rows.push(row("test", value));
    }
    rows.extend(settings(input));
    rows
}

/// The kind of cores, and on virtual ones their costs.
fn cores(spec: &Match) -> String {
    match &spec.costs {
        None => "real".to_owned(),
        Some(costs) => format!("virtual, with `{}`", cost_model(costs)),
    }
}

/// The virtual cores of outside engines, and the price of each; empty if there are none.
fn outside_cores(spec: &Match) -> String {
    let Some(cores) = spec.virtual_engines else { return String::new() };
    let price = |entry: &Entry| match &entry.engine {
        EntryEngine::Outside(engine) => Some(format!("{}: {} ps", entry.name, engine.price_ps?)),
        EntryEngine::Own { .. } => None,
    };
    let prices = list(spec.entries.iter().filter_map(price));
    format!("`{}`; price of an instruction: {prices}", cores.words())
}

/// The settings of our own engine: one row for all entries that share them.
fn settings(input: &MatchInput) -> Vec<Vec<String>> {
    let words = |engine: &EntryEngine| match engine {
        EntryEngine::Own { techniques, parameters, .. } => {
            let own = parameters.iter().map(|(key, value)| format!("{key} = {value}"));
            let changes = techniques.changes();
            let own: Vec<String> = own.chain(changes.iter().map(ToString::to_string)).collect();
            (!own.is_empty()).then(|| format!("`{}`", own.join(", ")))
        }
        EntryEngine::Outside(_) => None,
    };
    let alike = grouped(&input.spec().entries, |others, entry| others[0].engine == entry.engine);
    let of_each = alike.iter().filter_map(|entries| {
        let names = list(entries.iter().map(|entry| &entry.name));
        Some(row(&names, words(&entries[0].engine)?))
    });
    of_each.collect()
}

pub(crate) fn adjudication(input: &MatchInput) -> String {
    let terms = &input.spec().adjudication;
    let moves = |n: u32| count(n as usize, "move");
    let resign = terms.resign.map(|r| {
        let by = if r.sides == Sides::Both { "both sides" } else { "the loser" };
        format!("lost at −{} centipawns on {} ({by})", r.score, moves(r.moves))
    });
    let draw = terms.draw.map(|d| {
        format!(
            "drawn after {} of each side, within {} centipawns on {}",
            moves(d.after),
            d.score,
            moves(d.moves)
        )
    });
    let longest = terms.max_moves.map(|n| format!("drawn after {}", moves(n)));
    let all: Vec<String> = [resign, draw, longest].into_iter().flatten().collect();
    if all.is_empty() { "none".to_owned() } else { all.join("; ") }
}

/// The table of the entries.
pub(crate) fn entries(input: &MatchInput) -> Vec<Vec<String>> {
    let header = ["entry", "role", "engine", "threads", "table (MiB)", "pace", "given rating"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (place, entry) in input.spec().entries.iter().enumerate() {
        rows.push(vec![
            entry.name.clone(),
            known(entry.role, |role| format!("{role:?}").to_lowercase()),
            engine(input, entry),
            format!("{}{}", entry.threads, input.star(place)),
            entry.hash_mib.to_string(),
            entry_pace(input, entry),
            known(entry.rating, |rating| rating.to_string()),
        ]);
    }
    rows
}

/// The searcher, or what an outside engine calls itself.
fn engine(input: &MatchInput, entry: &Entry) -> String {
    match &entry.engine {
        EntryEngine::Own { searcher, .. } => format!("ttd, {}", searcher.name()),
        EntryEngine::Outside(spec) => {
            let command = format!("`{}`", spec.command.join(" "));
            match input.says(entry) {
                Some(says) => format!("{says} ({command})"),
                None => command,
            }
        }
    }
}

fn entry_pace(input: &MatchInput, entry: &Entry) -> String {
    let factor = if entry.time_factor.total_cmp(&1.0).is_eq() {
        String::new()
    } else {
        format!(" × {}", entry.time_factor)
    };
    match entry.pace {
        Some(pace) if input.spec().by_depth.is_empty() => format!("{}{factor}", pace_words(pace)),
        _ => depths_words(&input.spec().by_depth),
    }
}

fn pace_words(pace: Pace) -> String {
    match pace {
        Pace::Clock(control) => format!("{control} s"),
        Pace::Nodes(nodes) => format!("{nodes} nodes a move"),
        Pace::Depth(depth) => format!("depth {depth}"),
        Pace::MoveTime(time) => format!("{} s a move", time.as_secs_f64()),
    }
}

fn depths_words(depths: &[u8]) -> String {
    match depths {
        [depth] => format!("depth {depth}"),
        [first, .., last] if usize::from(last - first) + 1 == depths.len() => {
            format!("depths {first} to {last}")
        }
        depths => format!("depths {}", list(depths)),
    }
}

/// The paces of the match, as `10+0.1 s`; if they differ, each is named. In a search for an
/// effective speedup the time changes from pair to pair, and the text says so.
pub(crate) fn paces(input: &MatchInput) -> String {
    let paces = input.spec().entries.iter().map(|entry| entry_pace(input, entry));
    let paces = list(each_once(paces));
    match input.spec().pairings().first() {
        Some(&(first, _)) if input.spec().effective_speedup => {
            format!("{paces} ({}: times a factor that changes)", input.name(first))
        }
        _ => paces,
    }
}

/// The entries in words: `of a against b and c`; if all are examined, `among a, b and c`.
pub(crate) fn of_whom(input: &MatchInput) -> String {
    let names = |places: &[usize]| list(places.iter().map(|place| input.name(*place)));
    let subjects: Vec<usize> =
        input.figures.series.iter().flat_map(|series| series.entries.iter().copied()).collect();
    if subjects.len() == input.spec().entries.len() {
        format!("among {}", names(&subjects))
    } else {
        format!("of {} against {}", names(&subjects), names(&input.figures.opponents))
    }
}
