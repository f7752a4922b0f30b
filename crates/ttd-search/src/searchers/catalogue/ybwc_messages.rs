//! Young Brothers Wait by workers that share no memory, each a rank with a table of its own.
//!
//! A worker without work asks another one, by chance. A worker that is asked gives away a move of
//! the node nearest to the root on its way whose eldest brothers are done. The letter has all that
//! the move depends on: position, window, depth, the keys on the way to it. The score comes back
//! in another letter. A cutoff is told to all who search below.
//!
//! - A worker that has nothing to give passes the question on by chance, a few times. After that it
//!   depends: a worker with helpers passes it to one of them, and one that searches keeps it. One
//!   without work sends it up a tree of workers to worker 0, which has work to the end. So a
//!   question ends at a worker that searches, and nobody asks again and again.
//! - Whoever gives work away sends along the questions that it cannot answer. So a thousand workers
//!   get work in a few steps.
//! - A worker that waits for its helpers asks one of them for work below its own node. It is a
//!   helpful master, which is never kept from its own work for long.
//!
//! Every node that may be shared is open to questions before anyone asks, and costs nothing until
//! then. On shared memory (`ybwc.rs`) a worker shares the node it comes to, if help is wanted.
//!
//! With `owned_depth` deep entries are in the table of the worker that owns the position, as
//! Zugzwang's are. A worker that comes to such a node asks the owner, and waits for the answer.
//!
//! No deadlock: a worker waits for the results of its own node, each of which comes from the search
//! of a move below. Whatever a waiting worker does meanwhile lies below its node as well. So waits
//! lead deeper and deeper into the tree, and end. A question needs no answer for that. A look-up
//! has one at the owner's next look, whatever the owner does.
//!
//! The other choice was scheduling by the owner of a position (TDSAB of Kishimoto and Schaeffer).
//! It sends a message for every node, and needs a node routine of its own. This searcher has the
//! node routine of all. So a comparison with `ybwc` says what messages and private tables cost.
//!
//! Sources: Feldmann, Monien, Mysliwietz and Vornberger, "Distributed game-tree search", ICCA
//! Journal 12(2), 1989 (requests by chance, the helpful master). Feldmann, Mysliwietz and Monien,
//! "Studying overheads in massively parallel min/max-tree evaluation", SPAA 1994 (1,024
//! processors, a distributed table). D. Shawul's Scorpio, whose idle hosts offer help by chance and
//! get a move, was read for how it works (GPL; nothing of it is here). Questions that stay where
//! nobody can answer are the lifelines of Saraswat and others, `PPoPP` 2011.

mod letters;
mod nodes;

use crate::cores::{Core, Cost, Event, Messenger, State};
use crate::engine::{Entry, Position, mix};
use crate::search::{Aborted, Node, NodeKind, Policy, Shared, UnsharedMoves, Worker};
use crate::searchers::desk::post;
use crate::searchers::steps::is_divisible;
use crate::searchers::{
    Algorithm, Holding, MANY, MOST_DEPTH, MOST_MOVES, MessageTeam, Parameters, Ran, Search,
};
use crate::settings;
use letters::{Ask, Letter, Work, ask_anyone, attend, serve};
use nodes::{Place, obey, open};
use std::collections::{BTreeSet, VecDeque};

settings! { "ybwc-messages";
    about: "Young Brothers Wait by workers that share no memory. A worker without work asks others \
            by message, and whoever is asked gives away a brother near the root.";
    source: "Feldmann, Monien, Mysliwietz and Vornberger, \"Distributed game-tree search\", ICCA \
             Journal 12(2), 1989 (Zugzwang), but with private tables.";
    /// Eldest brothers to be searched before others are given away, on the principal variation (1
    /// or more).
    eldest: usize = 2, from 1, to MOST_MOVES;
    /// Eldest brothers to be searched before others are given away where a cutoff is expected (1
    /// or more).
    eldest_at_cut: usize = 1, from 1, to MOST_MOVES;
    /// Eldest brothers to be searched before others are given away where no cutoff is expected.
    eldest_at_all: usize = 0, from 0, to MOST_MOVES;
    /// Least depth of a node whose moves are given away, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// The times that a question for work is passed on by chance.
    hops: usize = 2, from 0, to 100;
    /// Whether a worker that waits for helpers asks them for work below its node.
    helpful: bool = true;
    /// Whether a raised alpha reaches helpers that are at work.
    shared_alpha: bool = true;
    /// Least depth of an entry that the worker keeps that owns the position, plies. Others ask it
    /// by a message, and wait for the answer.
    owned_depth: i32 = 100, from 1, to MOST_DEPTH;
    /// Nodes between two looks for messages of a worker that searches.
    look_every: u64 = 20, from 1, to MANY;
    /// The sharing of the table's entries.
    table: Holding = Holding::Private;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Holding = Holding::Private;
    /// The sharing of the quiet moves' history.
    history: Holding = Holding::Private;
}

impl Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        let eldest = match node.kind {
            NodeKind::Pv => self.eldest,
            NodeKind::Cut => self.eldest_at_cut,
            NodeKind::All => self.eldest_at_all,
        };
        node.depth >= self.min_depth && handed >= eldest && node.excluded.is_none()
    }
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        search.run_by_messages(&Askers { settings: self, seed: search.shared.seed })
    }

    fn fits_messages(&self) -> Result<(), &'static str> {
        self.common_settings().fits_messages()
    }
}

struct Askers<'s> {
    settings: &'s Settings,
    seed: u64,
}

impl MessageTeam for Askers<'_> {
    const HAS_CRITICAL_PATH: bool = true;

    type Policy<'t>
        = Asking<'t>
    where
        Self: 't;

    fn policy(&self, id: usize) -> Asking<'_> {
        Asking {
            settings: self.settings,
            places: Vec::new(),
            is_lost: false,
            work: None,
            asks: VecDeque::new(),
            asked: 0,
            is_open: false,
            asked_of: None,
            early_cuts: BTreeSet::new(),
            heard: BTreeSet::new(),
            looked_up: 0,
            is_looking_up: false,
            found: None,
            coin: mix(self.seed ^ mix(id as u64)),
        }
    }

    fn work<'t, C: Messenger>(&'t self, worker: &mut Worker<'_, C, Asking<'t>>) {
        worker.core.look_every(self.settings.look_every);
        if worker.core.workers() > 1 {
            worker.tell_from(self.settings.owned_depth);
        }
        if worker.core.id() == 0 { worker.lead() } else { follow(worker) }
    }
}

/// The policy of one worker, which owns it.
///
/// Invariants:
/// - `places` are the nodes on the worker's stack of which it gives moves away or was given one,
///   the outermost first. Each lies below the one before.
/// - `is_lost` says whether any of them was cut off or is not wanted any more.
/// - `work` answers the last question. `is_open` until that is done with, or given up.
/// - No question stays with a worker that waits for work.
pub(super) struct Asking<'s> {
    settings: &'s Settings,
    places: Vec<Place>,
    is_lost: bool,
    work: Option<Work>,
    /// The questions of others that wait here.
    asks: VecDeque<Ask>,
    /// The number of the worker's last question.
    asked: u64,
    is_open: bool,
    /// The helper that the worker has asked, and the number of the node below which it wants work.
    asked_of: Option<(usize, u64)>,
    /// Nodes that were cut off before work of them came: a short letter overtakes a long one. Some
    /// that no such work follows stay to the end. They are few.
    early_cuts: BTreeSet<u64>,
    /// The workers whose nodes others do not know yet, where processes count them.
    heard: BTreeSet<usize>,
    /// The number of the worker's last look-up, whether it waits for the answer, and the entry.
    looked_up: u64,
    is_looking_up: bool,
    found: Option<Entry>,
    coin: u64,
}

/// A worker that asks and is asked.
type Member<'s, 'p, C> = Worker<'s, C, Asking<'p>>;

impl Asking<'_> {
    fn toss(&mut self) -> u64 {
        // SplitMix64 (Steele, Lea and Flood).
        self.coin = self.coin.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.coin)
    }

    /// A worker by chance, but not this one.
    fn anyone_but(&mut self, id: usize, workers: usize) -> usize {
        let other = (self.toss() % (workers as u64 - 1)) as usize;
        other + usize::from(other >= id)
    }

    /// Whether the worker has no work, and is about to get none.
    fn is_free(&self, id: usize) -> bool {
        id > 0 && self.places.is_empty() && self.work.is_none()
    }

    /// A new question. Work that answers an earlier one is not begun any more.
    fn next_ask(&mut self, asker: usize, below: Option<u64>) -> Ask {
        self.asked += 1;
        self.is_open = true;
        let hops = if below.is_none() { self.settings.hops } else { 0 };
        Ask { asker, number: self.asked, hops, below }
    }
}

impl<C: Messenger> Policy<C> for Asking<'_> {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        if worker.core.ended() {
            return true;
        }
        if worker.core.has_mail() {
            attend(worker);
        }
        if !worker.told.is_empty() {
            tell_owners(worker);
        }
        worker.policy.is_lost
    }

    #[inline]
    fn share(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) -> Result<Shared, Aborted> {
        let alone = worker.core.workers() == 1;
        let wanted = |handed| worker.policy.settings.may_share(node, handed);
        if !is_divisible(worker, alone, position, moves, wanted) {
            return Ok(Shared::No);
        }
        open(worker, position, node, moves)?;
        Ok(Shared::Done)
    }

    #[inline]
    fn look_up(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        ply: usize,
        depth: i32,
    ) -> Option<Entry> {
        let asks = depth >= worker.policy.settings.owned_depth && worker.core.workers() > 1;
        if asks { ask_owner(worker, position.key(), ply) } else { None }
    }
}

/// The work of every worker but the first.
fn follow<C: Messenger>(worker: &mut Member<'_, '_, C>) {
    while !worker.core.ended() {
        attend(worker);
        if let Some(work) = worker.policy.work.take() {
            worker.policy.is_open = false;
            obey(worker, work);
            worker.core.enter(State::WaitWork);
            continue;
        }
        serve(worker);
        if !worker.policy.is_open {
            ask_anyone(worker);
        }
        worker.core.wait_for_mail(State::WaitWork);
    }
}

/// The worker that owns a position.
const fn owner(key: u64, workers: usize) -> usize {
    // The high bits choose the place in a table.
    (key % workers as u64) as usize
}

/// Asks the owner of a position for its entry, and waits for the answer. The entry is kept.
fn ask_owner<C: Messenger>(worker: &mut Member<'_, '_, C>, key: u64, ply: usize) -> Option<Entry> {
    let to = owner(key, worker.core.workers());
    if to == worker.core.id() {
        return None;
    }
    worker.policy.looked_up += 1;
    (worker.policy.is_looking_up, worker.policy.found) = (true, None);
    let letter = Letter::LookUp(worker.policy.looked_up, key, ply).packed();
    post(&mut worker.core, &mut worker.counters, to, letter);
    while worker.policy.is_looking_up && !worker.policy.is_lost && !worker.core.ended() {
        worker.core.wait_for_mail(State::Lock);
        attend(worker);
    }
    worker.policy.found.take().inspect(|&entry| worker.hear(key, ply, entry))
}

/// Sends the worker's new deep entries to the owners of their positions.
fn tell_owners<C: Messenger>(worker: &mut Member<'_, '_, C>) {
    let (id, workers) = (worker.core.id(), worker.core.workers());
    for (key, (ply, entry)) in std::mem::take(&mut worker.told) {
        let to = owner(key, workers);
        if to != id {
            let letter = Letter::Keep(key, ply, entry).packed();
            post(&mut worker.core, &mut worker.counters, to, letter);
        }
    }
}
