//! The report in a few sentences: the speedups, where most of the loss went, and whether there are
//! reasons to doubt them.

use crate::report::Input;
use crate::report::figures::{Estimate, Row, SearcherFigures};
use crate::report::numbers::{count, estimate, interval, list, percent, ratio, words_if};
use ttd_search::cores::State;
use ttd_stats::Account;

/// A factor of the account that loses less than this share is no loss to speak of.
const SMALL: f64 = 0.03;

/// The sentences, one item for each searcher, and one on the notes that follow them.
pub(super) fn in_short(input: &Input, notes: &[String]) -> Vec<String> {
    let searchers = input.figures.on_their_own().filter_map(searcher);
    searchers.chain([doubts(notes)]).collect()
}

/// A searcher at its greatest number of threads that had a core each.
fn searcher(of: &SearcherFigures) -> Option<String> {
    let known = |row: &&Row| row.threads > 1 && leading(row).is_some();
    let with_cores = of.rows.iter().rev().find(|row| known(row) && !row.oversubscribed);
    let row = with_cores.or_else(|| of.rows.iter().rev().find(known))?;
    let speedup = leading(row)?;
    let kind = if row.net.is_some() { "net speedup" } else { "speedup to depth" };
    let at_most = words_if(row.net.is_some_and(|net| net.at_most), " at most");
    let over = [("ci_runs", speedup.ci_runs), ("ci_positions", speedup.ci_positions)];
    let over: Vec<String> = over
        .into_iter()
        .filter_map(|(name, ci)| ci.map(|ci| format!("{name} {}", interval(Some(ci), ratio))))
        .collect();
    let over = if over.is_empty() { String::new() } else { format!(" ({})", over.join("; ")) };
    let crowd = words_if(row.oversubscribed, ", more than there are cores");
    Some(format!(
        "**{}**: {kind}{at_most} {}{over} on {}{crowd}.{}",
        of.searcher,
        estimate(Some(speedup), ratio),
        count(row.threads, "thread"),
        row.account.map_or_else(String::new, |account| format!(" {}", loss(&account, row)))
    ))
}

/// The net speedup, or the speedup to depth where there is none.
fn leading(row: &Row) -> Option<Estimate> {
    row.net.map_or(row.geometric_mean, |net| Some(net.net))
}

/// The greatest of the three losses of the account.
fn loss(account: &Account, row: &Row) -> String {
    let tree = 1.0 / (1.0 + account.search_overhead);
    let busy = account.busy_fraction.unwrap_or(1.0);
    let worst = tree.min(busy).min(account.node_rate);
    if worst > 1.0 - SMALL {
        return "Little is lost.".to_owned();
    }
    if worst >= busy {
        return format!("Most of the loss: {}.", waiting(busy, row));
    }
    if worst >= tree {
        let times = ratio(1.0 + account.search_overhead);
        return format!("Most of the loss: {times} times the nodes of the base were visited.");
    }
    let rate = ratio(account.node_rate);
    format!(
        "Most of the loss: a searching worker visits nodes at {rate} times the rate of the base."
    )
}

/// The time without search, and the state that had most of it.
fn waiting(busy: f64, row: &Row) -> String {
    let idle = percent(1.0 - busy);
    let not_searching = |state: &State| *state != State::Search;
    let share = |state: &State| row.states.map_or(0.0, |shares| shares[*state as usize]);
    let states = State::ALL.into_iter().filter(not_searching);
    let most = states.max_by(|a, b| share(a).total_cmp(&share(b)));
    let most = most
        .filter(|state| share(state) > 0.0)
        .map(|state| format!("; of that they {} for {}", in_words(state), percent(share(&state))));
    format!("workers did not search for {idle} of the time{}", most.unwrap_or_default())
}

fn in_words(state: State) -> &'static str {
    match state {
        State::Search => "searched",
        State::Split => "made, joined or left split points",
        State::Lock => "waited for shared state",
        State::WaitHelpers => "waited for their helpers",
        State::WaitWork => "had nothing to do",
        State::Reduce => "combined results",
        State::Finished => "were done before the search ended",
    }
}

/// The first words of the notes.
pub(super) fn titles(notes: &[String]) -> Vec<String> {
    let titles = notes.iter().filter_map(|note| note.strip_prefix("**")?.split_once('.'));
    titles.map(|(title, _)| title.to_lowercase()).collect()
}

fn doubts(notes: &[String]) -> String {
    let titles = titles(notes);
    if titles.is_empty() {
        return "**Nothing** was found that speaks against these figures.".to_owned();
    }
    format!("**Before you believe them**, read the notes that follow: {}.", list(titles))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(busy: f64, overhead: f64, node_rate: f64) -> (Account, Row) {
        let account = Account {
            threads: 4.0,
            search_overhead: overhead,
            busy_fraction: Some(busy),
            node_rate,
            speedup: 4.0 / (1.0 + overhead) * busy * node_rate,
        };
        let mut states = [0.0; State::COUNT];
        states[State::Search as usize] = busy;
        states[State::WaitWork as usize] = 0.8 * (1.0 - busy);
        states[State::Lock as usize] = 0.2 * (1.0 - busy);
        (account, Row { threads: 4, states: Some(states), ..Row::default() })
    }

    #[test]
    fn the_greatest_loss_is_named() {
        let said = |(account, row): (Account, Row)| loss(&account, &row);
        let idle = "Most of the loss: workers did not search for 50% of the time; of that they had nothing \
                    to do for 40%.";
        assert_eq!(said(row(0.5, 0.2, 0.9)), idle);
        let nodes = "Most of the loss: 2.00 times the nodes of the base were visited.";
        assert_eq!(said(row(0.9, 1.0, 0.9)), nodes);
        assert!(said(row(0.9, 0.0, 0.8)).contains("at 0.80 times the rate"));
        assert_eq!(said(row(0.99, -0.3, 1.0)), "Little is lost.");
    }

    #[test]
    fn notes_are_doubts() {
        let notes = ["**Few samples.** All.", "**Drift.** It rose."].map(str::to_owned);
        assert!(doubts(&notes).ends_with("that follow: few samples and drift."));
        assert!(doubts(&[]).starts_with("**Nothing**"));
    }
}
