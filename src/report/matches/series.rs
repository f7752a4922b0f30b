//! Series: entries that differ only in their threads. A chart by threads has one line for each.

use crate::matches::{Entry, EntryEngine, Match, Role};
use crate::report::lists::grouped;

/// Entries that differ only in their threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Series {
    /// The searcher's name. For outside engines, and where that name is not unique, the first
    /// entry's name without the threads at its end.
    pub(crate) name: String,
    /// The places of its entries, threads ascending.
    pub(crate) entries: Vec<usize>,
    /// The number of its look in charts.
    pub(crate) look: usize,
}

/// The entries that are examined: the challengers of a gauntlet, all entries otherwise.
pub(crate) fn subjects(spec: &Match) -> Vec<usize> {
    with_role(spec, Role::Challenger)
}

/// The entries that they play: the opponents of a gauntlet, all entries otherwise.
pub(crate) fn opponents(spec: &Match) -> Vec<usize> {
    with_role(spec, Role::Opponent)
}

fn with_role(spec: &Match, role: Role) -> Vec<usize> {
    let all = 0..spec.entries.len();
    all.filter(|&e| !spec.format.has_roles() || spec.entries[e].role == Some(role)).collect()
}

/// The series of the entries that are examined, in the order of the match.
pub(crate) fn series(spec: &Match) -> Vec<Series> {
    let key = |entry: usize| without_threads(&spec.entries[entry]);
    let threads = |entry: usize| spec.entries[entry].threads;
    let all = grouped(subjects(spec), |others, entry| {
        // Two entries of equal threads are in two series: a match of an engine with itself.
        key(others[0]) == key(*entry) && others.iter().all(|e| threads(*e) != threads(*entry))
    });
    let names = names(spec, &all);
    let in_order = |(look, (name, mut entries)): (usize, (String, Vec<usize>))| {
        entries.sort_by_key(|e| spec.entries[*e].threads);
        Series { name, entries, look }
    };
    names.into_iter().zip(all).enumerate().map(in_order).collect()
}

fn without_threads(entry: &Entry) -> Entry {
    let mut key = Entry {
        name: String::new(),
        threads: 0,
        rating: None,
        role: None,
        against: Vec::new(),
        ..entry.clone()
    };
    if let EntryEngine::Outside(spec) = &mut key.engine {
        spec.name.clear();
    }
    key
}

/// A name for each, as short as possible; all are different.
fn names(spec: &Match, all: &[Vec<usize>]) -> Vec<String> {
    let first = |entries: &[usize]| &spec.entries[entries[0]];
    let short = |entry: &Entry| match &entry.engine {
        EntryEngine::Own { searcher, .. } => searcher.name().to_owned(),
        EntryEngine::Outside(_) => stem(entry),
    };
    let mut names: Vec<String> = all.iter().map(|entries| short(first(entries))).collect();
    let longer: [fn(&Entry) -> String; 2] = [stem, |entry| entry.name.clone()];
    for longer in longer {
        let taken = names.clone();
        for (name, entries) in names.iter_mut().zip(all) {
            if taken.iter().filter(|other| *other == name).count() > 1 {
                *name = longer(first(entries));
            }
        }
    }
    names
}

/// An entry's name without the threads at its end: `ybwc` of `ybwc-4`.
fn stem(entry: &Entry) -> String {
    let stem = entry.name.strip_suffix(&entry.threads.to_string());
    let stem = stem.map(|name| name.trim_end_matches(['-', '_', ' ']));
    stem.filter(|name| !name.is_empty()).unwrap_or(&entry.name).to_owned()
}
