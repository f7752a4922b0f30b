//! The notes that a reader must know before believing a figure of a match.

use crate::matches::{Entry, EntryEngine, GAMES, GameResult, GameRow, Pace, Reason};
use crate::report::MatchInput;
use crate::report::front::hosts;
use crate::report::front::validity::{disturbances, own_tables, programs};
use crate::report::matches::outcomes::{Ended, is_forfeit};
use crate::report::numbers::{count, list, percent};
use ttd_stats::elo::sprt::Verdict;

/// The number of pairs that is enough. With fewer, the intervals of differences are rough: they may
/// hold the truth in 91 of 100 matches only (docs/coverage.md).
const FEW_PAIRS: u64 = 30;

/// The notes, each a sentence or two; empty if there is nothing to remark.
pub(crate) fn notes(input: &MatchInput) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(input.left_out.sentence_of(GAMES, ""));
    notes.extend(simulated(input));
    notes.extend(unfinished(input));
    notes.extend(hosts::notes(&input.sittings, input.spec().shard, ("match", false)));
    notes.extend(void(input));
    notes.extend(copied(input));
    notes.extend(forfeits(input));
    notes.extend(forgiven(input));
    notes.extend(oversubscribed(input));
    notes.extend(unpaired(input));
    notes.extend(few_pairs(input));
    notes.extend(own_tables(&input.sittings));
    notes.extend(unequal_time(input));
    notes.extend(depths_together(input));
    notes.extend(programs(
        &input.sittings,
        input.games.len(),
        input.spec().cores,
        "the games were played",
    ));
    if !input.spec().is_virtual() {
        notes.extend(disturbed_times(input));
        notes.extend(disturbances(&input.sittings, "the games were played"));
    }
    notes
}

fn simulated(input: &MatchInput) -> Option<String> {
    input.spec().is_virtual().then(|| {
        let entries = &input.spec().entries;
        let is_ours = |entry: &Entry| matches!(entry.engine, EntryEngine::Own { .. });
        let named = |of: &dyn Fn(&Entry) -> bool| {
            list(entries.iter().filter(|entry| of(entry)).map(|entry| &entry.name))
        };
        let on_real = named(&|entry| !is_ours(entry) && !entry.is_hooked());
        let timed = named(&|entry| is_ours(entry) || entry.is_hooked());
        let (ends, rest) = if on_real.is_empty() {
            ("the games are the same on every machine", String::new())
        } else {
            let rest = format!(
                " {on_real} ran on real cores, without a time here: games against such an engine \
                 may differ when played again."
            );
            ("the games among them are the same on every machine", rest)
        };
        format!(
            "**Virtual time.** Clocks and times count virtual time for {timed}, and {ends}.{rest} \
             Caches, memory and the operating system cost nothing."
        )
    })
}

fn unfinished(input: &MatchInput) -> Option<String> {
    let done = input.games.len();
    let planned = input.planned()?;
    let decided = input.figures.test.is_some_and(|test| test.verdict != Verdict::Continue);
    if !decided && done >= planned {
        return None;
    }
    Some(if decided {
        format!(
            "**Decided by its test.** The match ended after {done} of at most {planned} games, \
             when the test was decided. At that moment the lead is greater than the true one: the \
             difference in Elo is overstated, and its interval is not one of 95%. The match was \
             played for the verdict."
        )
    } else {
        format!(
            "**Unfinished.** {done} of {planned} games ({}) have been played; the figures are of these.",
            percent(done as f64 / planned as f64)
        )
    })
}

/// Counts games that were played before, move for move.
fn copied(input: &MatchInput) -> Option<String> {
    let (copies, all) = (input.copies, input.games.len());
    (copies > 0).then(|| {
        format!(
            "**Copies.** {copies} of {all} games ({}) are move for move copies of an earlier game \
             with the same players and colours. Copies say nothing new, but every figure counts \
             them: intervals are too narrow, and a test decides too early. Engines without a clock \
             need two games at most for each opening: play more openings, or fewer games.",
            percent(copies as f64 / all as f64)
        )
    })
}

/// Counts the games that were given up, and count for nobody.
fn void(input: &MatchInput) -> Option<String> {
    let is_void = |row: &&GameRow| row.ending.result == GameResult::Void;
    let void = input.games.iter().filter(is_void).count();
    (void > 0).then(|| {
        format!(
            "**Void.** {} came to the host's limit of a move on virtual cores, and count for nobody. \
             `log.txt` names them. A larger `host_limit_s` lets them end.",
            count(void, "game")
        )
    })
}

/// Names games that were lost by another cause than the moves.
fn forfeits(input: &MatchInput) -> Option<String> {
    let lost = |e: &&Ended| is_forfeit(e.reason) && e.record.losses > 0;
    let each: Vec<&Ended> = input.figures.endings.iter().filter(lost).collect();
    let all: u64 = each.iter().map(|e| e.record.losses).sum();
    let words = |e: &&Ended| {
        let how = match e.reason {
            Reason::Time => "on time",
            Reason::IllegalMove => "by an illegal move",
            Reason::NoAnswer => "without an answer",
            _ => "when the process ended",
        };
        format!("{} {} {how}", input.name(e.entry), e.record.losses)
    };
    (all > 0).then_some(format!(
        "**Forfeits.** {} lost otherwise than on the board ({}). Forfeits are losses in all \
         figures; `games.csv` names them, and `log.txt` says more about faults.",
        if all == 1 { "1 game was".to_owned() } else { format!("{all} games were") },
        each.iter().map(words).collect::<Vec<_>>().join("; ")
    ))
}

fn forgiven(input: &MatchInput) -> Option<String> {
    let margin = input.spec().time_margin_ms;
    let clocks = input.spec().entries.iter().any(|e| matches!(e.pace, Some(Pace::Clock(_))));
    (margin > 0 && clocks).then_some(format!(
        "**Time margin.** A move that came up to {margin} ms after its time was still played. \
         Without this margin, there would perhaps be more losses on time."
    ))
}

fn oversubscribed(input: &MatchInput) -> Option<String> {
    let is_virtual = input.spec().is_virtual();
    let Some(cores) = input.cores() else {
        return (!is_virtual && !input.games.is_empty()).then_some(String::from(
            "**Cores unknown.** There is no record of the machine, so oversubscribed entries \
             cannot be marked.",
        ));
    };
    let spec = input.spec();
    let over: Vec<&str> =
        spec.entries.iter().filter(|e| e.threads > cores).map(|e| e.name.as_str()).collect();
    if !over.is_empty() {
        return Some(format!(
            "**Oversubscribed.** {} had more threads than the {}: workers shared cores, so their \
             strength is not that of one core for each thread. These entries are marked with * in \
             tables and hatched in charts.",
            list(over),
            count(cores, if is_virtual { "virtual core" } else { "core" })
        ));
    }
    let taken = spec.threads() * spec.concurrency;
    (!is_virtual && taken > cores).then_some(format!(
        "**Oversubscribed.** {} of up to {} each were played at once on {}: players took time \
         from each other.",
        count(spec.concurrency, "game"),
        count(spec.threads(), "thread"),
        count(cores, "core")
    ))
}

/// Names games without the other game of their pair.
fn unpaired(input: &MatchInput) -> Option<String> {
    let entries = 0..input.spec().entries.len();
    let games = |e: usize| input.figures.table.total(e).unpaired.games();
    // Each game is counted for both players.
    let all = entries.map(games).sum::<u64>() / 2;
    (all > 0).then_some(format!(
        "**Unpaired games.** The other game of the opening is missing for {}. Unpaired games \
         count in wins, draws and losses and in the likeliest ratings. They do not count in \
         Elo differences, their intervals, the likelihood of superiority and the test.",
        count(all as usize, "game")
    ))
}

fn few_pairs(input: &MatchInput) -> Option<String> {
    let table = &input.figures.table;
    let entries = 0..input.spec().entries.len();
    let pairs =
        entries.flat_map(|e| table.played(e).map(|(_, r)| r.pairs.units()).collect::<Vec<_>>());
    let least = pairs.min()?;
    (least < FEW_PAIRS).then_some(format!(
        "**Few games.** Some entries met in only {} of games; with fewer than {FEW_PAIRS} the intervals \
         of differences are rough.",
        count(least as usize, "pair")
    ))
}

fn unequal_time(input: &MatchInput) -> Option<String> {
    input.spec().effective_speedup.then_some(String::from(
        "**Unequal time.** In the search for an effective speedup one entry got more time, by \
         another factor in each pair. Standings and ratings mix games of different time factors, \
         and say nothing about any one factor.",
    ))
}

fn depths_together(input: &MatchInput) -> Option<String> {
    (input.spec().by_depth.len() > 1).then_some(String::from(
        "**Several depths.** Results and ratings are over the games of all depths together; both \
         sides of a game search to the same depth.",
    ))
}

/// Notes disturbances of a match at fixed depths, since that is played for its times.
fn disturbed_times(input: &MatchInput) -> Option<String> {
    let spec = input.spec();
    (!spec.by_depth.is_empty() && spec.concurrency > 1).then_some(format!(
        "**Disturbed times.** {} games were played at once: the times of a move are longer \
         than those of a game on its own (`--concurrency 1`). Nodes are not affected.",
        spec.concurrency
    ))
}
