//! Lazy SMP on a cluster: every worker searches the same root by itself, and ranks tell each other
//! of their deep entries in a ring.
//!
//! Workers of one rank share its table. A letter goes round between counterparts of all ranks. It
//! has a place for each rank, with the deepest of that rank's new entries. A worker that gets it
//! keeps the entries of others in its own table. When it has enough of its own, it puts these into
//! its place and sends the letter on. So what a rank finds moves on by one rank at a time, and the
//! slowest rank sets the pace. A worker that gets a letter before it has sent the last one on keeps
//! the newer one. Nobody waits, so there is nothing to deadlock.
//!
//! Worker 0 ends the search. Every second worker is a ply ahead of it, and each begins with another
//! move of the root.
//!
//! Source: the cluster branch of Stockfish (J. `VandeVondele` and others, 2018 to 2024), read for
//! how it works. It sends entries from depth 4 on, sixteen of each thread, as the defaults here. It
//! is under the GPL, and nothing of it is here. Beside that it votes for the best move, which this
//! searcher does not.

use crate::cores::{Messenger, State};
use crate::engine::Entry;
use crate::search::{Aborted, MAX_DEPTH, Policy, Worker};
use crate::searchers::{Algorithm, Holding, MANY, MOST_DEPTH, MessageTeam, Ran, Search};
use crate::settings;
use crate::wire::Portable;
use std::cmp::Reverse;
use std::mem;

settings! { "lazy-ring";
    about: "Lazy SMP on a cluster: every worker searches the same root by itself. Ranks send their \
            new deep entries of the table round in a ring.";
    source: "The cluster branch of Stockfish by J. VandeVondele, for how it works; no code of it.";
    /// Least depth of an entry that is told to other ranks, plies.
    tell_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// The number of new entries of a worker that are sent at once, the deepest.
    batch: usize = 16, from 1, to 1000;
    /// Nodes between two looks for messages.
    look_every: u64 = 100, from 1, to MANY;
    /// The sharing of the table's entries among the workers of a rank.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Holding = Holding::Private;
    /// The sharing of the quiet moves' history.
    history: Holding = Holding::Private;
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        search.run_by_messages(&Ring { settings: self, together: search.rank_workers() })
    }

    fn fits_messages(&self) -> Result<(), &'static str> {
        match (self.killers, self.history) {
            (Holding::Private, Holding::Private) => Ok(()),
            _ => Err("`private` expected for its `killers` and `history`"),
        }
    }

    fn most_rank_workers(&self) -> usize {
        usize::MAX
    }

    fn has_critical_path(&self) -> bool {
        <Ring<'_> as MessageTeam>::HAS_CRITICAL_PATH
    }

    fn searches_apart(&self) -> bool {
        true
    }
}

struct Ring<'s> {
    settings: &'s Settings,
    /// The number of workers in a rank.
    together: usize,
}

/// The key of a position, the ply at which it was searched, and its entry.
type Known = (u64, (usize, Entry));

/// The policy of one worker, which owns it.
struct Telling<'s> {
    settings: &'s Settings,
    together: usize,
    /// The letter, if it is here: the entries of each rank.
    letter: Option<Vec<Vec<Known>>>,
}

impl Telling<'_> {
    /// Whether the worker has so many new entries that it should tell them, or forget some.
    #[inline]
    fn is_full(&self, told: usize) -> bool {
        let batch = self.settings.batch;
        told >= batch && (self.letter.is_some() || told >= ROOM * batch)
    }
}

/// The number of batches that a worker gathers at most while the letter is elsewhere.
const ROOM: usize = 8;

impl MessageTeam for Ring<'_> {
    const HAS_CRITICAL_PATH: bool = false;

    type Policy<'t>
        = Telling<'t>
    where
        Self: 't;

    fn policy(&self, _id: usize) -> Telling<'_> {
        Telling { settings: self.settings, together: self.together, letter: None }
    }

    fn work<'t, C: Messenger>(&'t self, worker: &mut Worker<'_, C, Telling<'t>>) {
        let (id, workers) = (worker.core.id(), worker.core.workers());
        worker.core.look_every(self.settings.look_every);
        if workers > self.together {
            worker.tell_from(self.settings.tell_depth);
            worker.policy.letter = Some(vec![Vec::new(); workers / self.together]);
        }
        worker.core.enter(State::Search);
        if let (true, moves) = (id > 0, worker.root_moves.len()) {
            worker.root_moves.rotate_left(id % moves.max(1));
        }
        // An error means that the search has ended.
        let _: Result<(), Aborted> = deepen(worker);
        worker.core.enter(State::Finished);
    }
}

impl<C: Messenger> Policy<C> for Telling<'_> {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        if worker.core.ended() {
            return true;
        }
        if worker.policy.is_full(worker.told.len()) {
            tell(worker);
        }
        if worker.core.has_mail() {
            hear(worker);
        }
        false
    }
}

/// Searches deeper and deeper. Only worker 0 tells its iterations, and ends the search.
fn deepen<C: Messenger>(worker: &mut Worker<'_, C, Telling<'_>>) -> Result<(), Aborted> {
    let (id, iterations) = (worker.core.id(), worker.shared.iterations());
    if id == 0 {
        return worker.deepen();
    }
    let ahead = (id % 2) as i32;
    let mut score = 0;
    for depth in iterations.start() + ahead..=i32::from(MAX_DEPTH) {
        score = worker.iterate(depth, score, Worker::search_root)?;
    }
    Ok(())
}

/// Puts the deepest new entries into the letter, and sends it to the next rank.
fn tell<C: Messenger>(worker: &mut Worker<'_, C, Telling<'_>>) {
    let Telling { settings, together, ref mut letter } = worker.policy;
    worker.told.sort_by_key(|(_, (_, entry))| Reverse(entry.depth));
    worker.told.truncate(settings.batch);
    let Some(mut ranks) = letter.take() else { return };
    let (id, workers) = (worker.core.id(), worker.core.workers());
    ranks[id / together] = mem::take(&mut worker.told);
    worker.core.send((id + together) % workers, ranks.packed());
}

/// Keeps the entries of other ranks in the table, and the letter.
fn hear<C: Messenger>(worker: &mut Worker<'_, C, Telling<'_>>) {
    let own = worker.core.id() / worker.policy.together;
    while let Some(mail) = worker.core.receive() {
        let ranks: Option<Vec<Vec<Known>>> = Portable::take(&mut &mail.message[..]);
        let ranks = ranks.expect("a letter is written by this program");
        let others = ranks.iter().enumerate().filter(|(rank, _)| *rank != own);
        for &(key, (ply, entry)) in others.flat_map(|(_, known)| known) {
            worker.hear(key, ply, entry);
        }
        worker.policy.letter = Some(ranks);
    }
}
