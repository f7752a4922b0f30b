//! The way in which a match was played, in sentences that can stand in the method section of a
//! paper.

use crate::matches::EntryEngine;
use crate::records::CoresKind;
use crate::report::MatchInput;
use crate::report::front::methods::{machine, program};
use crate::report::matches::setup;
use crate::report::numbers::{count, list};

/// The paragraph.
pub(crate) fn methods(input: &MatchInput) -> String {
    if input.games.is_empty() {
        return "No game has been played yet.".to_owned();
    }
    let mut sentences = vec![played(input), pace(input), entries(input)];
    sentences.push(String::from(
        "Differences in strength are in logistic Elo, estimated from whole pairs of games (five \
         possible scores), with 95% intervals by profile likelihood. Ratings are those under which \
         the results of all games are likeliest. Their intervals are from robust standard errors, \
         clustered by pairs of games.",
    ));
    sentences.extend(machine(&input.sittings, ["games", "played"]));
    sentences.extend(program(&input.sittings, CoresKind::Real));
    sentences.join(" ")
}

/// The number of games, and the entries that played them.
fn played(input: &MatchInput) -> String {
    let spec = input.spec();
    let done = input.games.len();
    let planned = input.planned().filter(|planned| done < *planned);
    let planned = planned.map_or_else(String::new, |planned| format!(" of {planned} planned"));
    format!(
        "We played {}{planned} {}. The two games of a pair have the same opening and reversed \
         colours. Openings are of the set `{}`, in an order shuffled with seed {}.",
        count(done, "game"),
        setup::of_whom(input),
        spec.openings,
        spec.seed
    )
}

/// The time that each entry had, and the rules that end games beside those of chess.
fn pace(input: &MatchInput) -> String {
    let spec = input.spec();
    let at_once = match spec.concurrency {
        1 => "one game at a time".to_owned(),
        n => format!("{n} games at once"),
    };
    let margin = match spec.time_margin_ms {
        0 => String::new(),
        ms => format!(" ({ms} ms more before a loss on time)"),
    };
    let (pace, adjudication) = (setup::paces(input), setup::adjudication(input));
    format!("The pace was {pace}{margin}, {at_once}; adjudication: {adjudication}.")
}

/// The nature of each entry.
fn entries(input: &MatchInput) -> String {
    let words = input.spec().entries.iter().map(|entry| {
        let engine = match &entry.engine {
            EntryEngine::Own { searcher, .. } => format!("ttd with {}", searcher.name()),
            EntryEngine::Outside(_) => input.says(entry).unwrap_or("an outside engine").to_owned(),
        };
        let threads = count(entry.threads, "thread");
        format!("{} ({engine}, {threads}, {} MiB)", entry.name, entry.hash_mib)
    });
    format!("The entries, with their threads and tables: {}.", list(words))
}
