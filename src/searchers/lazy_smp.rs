//! Lazy SMP: every worker searches the same root by itself.
//!
//! If so set, a move that another worker is searching is put off, as in ABDADA.
//!
//! Shared: the moves begun ([`super::begun`], without locks); with helpers per iteration the round (depth, window, root moves) in one section; as set, the transposition
//! table, the killers and the history. Private: everything else. No worker is in a section when it waits, and
//! nobody waits for a helper: there is nothing to deadlock.
//!
//! Sources: D. Homan's `EXchess`; M. Petro's cheng4 (helpers started for each iteration, every second
//! one a ply deeper, the first to finish ends it); E. Østensen, "A complete chess engine
//! parallelized using Lazy SMP", Oslo 2016 (offsets that halve); Stockfish 7 to 10 (iterations left
//! out in blocks).

mod rounds;
mod stagger;

pub use stagger::Stagger;

use super::begun::Begun;
use super::lab::Ran;
use super::learnt::Learnt;
use super::settings::{Holding, MOST_DEPTH, settings};
use super::team::{Search, Team};
use super::two_passes;
use crate::cores::{Core, State};
use crate::engine::Position;
use crate::search::{Aborted, MAX_DEPTH, Node, Owned, Policy, Shared, Worker};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rounds::{Rounds, follow, lead};
use serde::{Deserialize, Serialize};

settings! { "lazy-smp";
    /// How helpers follow the main worker.
    helpers: Helpers = Helpers::Independent;
    /// How far ahead of it they search.
    stagger: Stagger = Stagger::Alternate;
    /// Whether a helper may search deeper than the depth asked for.
    past_depth: bool = false;
    /// The order in which a helper takes the root's moves at first.
    root_order: RootOrder = RootOrder::Rotated;
    /// Who ends a search.
    end: End = End::First;
    /// Least depth at which a move that another worker is searching is put off until the others are done, plies.
    put_off_depth: i32 = 100, from 1, to MOST_DEPTH;
    /// Whose the entries of the table are.
    table: Holding = Holding::Shared;
    /// Whose the killers are: the quiet moves that cut off lately.
    killers: Holding = Holding::Private;
    /// Whose the quiet moves' history is; once `shared_history`.
    #[serde(alias = "shared_history")]
    history: Holding = Holding::Private;
}

/// How helpers follow the main worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Helpers {
    /// Each deepens on its own.
    Independent,
    /// They are started and stopped with each of the main worker's searches of the root, with its
    /// window and root moves.
    PerIteration,
}

/// The order in which a helper takes the root's moves at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootOrder {
    /// The main worker's.
    Same,
    /// The main worker's, begun at another move by each helper.
    Rotated,
    /// Random, by the sample's seed.
    Shuffled,
}

/// Who ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The main worker.
    Main,
    /// The first worker to finish the depth; with helpers per iteration, also every iteration.
    First,
}

/// The policy of a worker that takes part in a round; a worker on its own is in none.
struct Follow<'s> {
    rounds: &'s Rounds,
    number: u64,
    begun: &'s Begun,
    put_off_depth: i32,
}

const NO_ROUND: u64 = u64::MAX;

impl<C: Core> Policy<C> for Follow<'_> {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        let Follow { rounds, number, .. } = worker.policy;
        worker.core.ended() || rounds.is_done(number)
    }

    #[inline]
    fn share(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut Owned,
    ) -> Result<Shared, Aborted> {
        let Follow { begun, put_off_depth, .. } = worker.policy;
        two_passes::search(worker, position, node, moves, (begun, put_off_depth))
    }
}

type Lazy<'s, 'p, C> = Worker<'s, C, Follow<'p>>;

/// Searches by iterative deepening, every worker the whole tree.
pub(super) fn search(search: &Search<'_>, settings: &Settings) -> Ran {
    search.run(&Followers { settings, rounds: Rounds::new(), begun: Begun::new() })
}

/// What the workers share.
struct Followers<'s> {
    settings: &'s Settings,
    rounds: Rounds,
    begun: Begun,
}

impl Team for Followers<'_> {
    type Policy<'t>
        = Follow<'t>
    where
        Self: 't;

    fn policy<'t>(&'t self, _id: usize, _learnt: &'t Learnt) -> Follow<'t> {
        let Followers { settings, rounds, begun } = self;
        Follow { rounds, number: NO_ROUND, begun, put_off_depth: settings.put_off_depth }
    }

    fn work<'t, C: Core>(&'t self, worker: &mut Worker<'_, C, Follow<'t>>) {
        worker.core.enter(State::Search);
        // An abort has ended the search; what was completed stands in the record.
        let _ = match (self.settings.helpers, worker.core.id()) {
            (Helpers::Independent, _) => deepen(worker, self.settings),
            (Helpers::PerIteration, 0) => lead(worker, self.settings),
            (Helpers::PerIteration, _) => follow(worker, self.settings),
        };
        worker.core.enter(State::Finished);
    }
}

/// A worker that deepens on its own.
fn deepen<C: Core>(worker: &mut Lazy<'_, '_, C>, settings: &Settings) -> Result<(), Aborted> {
    let (id, last) = (worker.core.id(), i32::from(worker.session.depth));
    vary(worker, settings);
    let end = if id > 0 && settings.past_depth { i32::from(MAX_DEPTH) } else { last };
    let (mut score, mut before) = (0, 0);
    for iteration in 1..=end {
        let Some(depth) = settings.stagger.depth(id, iteration) else { continue };
        let depth = depth.min(end);
        if depth == before {
            continue;
        }
        before = depth;
        score = worker.aspirate(depth, score, Worker::search_root)?;
        if id == 0 || settings.end == End::First {
            worker.report(depth, score);
        }
    }
    Ok(())
}

/// Gives a helper its own order of the root's moves.
fn vary<C: Core>(worker: &mut Lazy<'_, '_, C>, settings: &Settings) {
    let id = worker.core.id();
    let moves = &mut worker.root_moves;
    if id == 0 || moves.is_empty() {
        return;
    }
    match settings.root_order {
        RootOrder::Same => {}
        RootOrder::Rotated => {
            let by = id % moves.len();
            moves.rotate_left(by);
        }
        RootOrder::Shuffled => {
            let mut random = ChaCha8Rng::seed_from_u64(worker.session.seed);
            random.set_stream(id as u64);
            for last in (1..moves.len()).rev() {
                // The remainder's bias is below 2^-24 for a list of moves.
                moves.swap(last, random.next_u32() as usize % (last + 1));
            }
        }
    }
}
