//! Lazy SMP: every worker searches the same root by itself.
//!
//! If so set, a move that another worker is searching is put off, as in ABDADA; helpers begin with moves of their
//! own where all are to be searched anyway; a node is left when another worker has decided it meanwhile; and the
//! best move is chosen by vote.
//!
//! Shared: the moves begun ([`crate::searchers::begun`], without locks); with helpers per iteration the round (depth, window,
//! root moves) in one section; the ballot in another, into which each worker puts its vote when it is done; as set, the transposition
//! table, the killers and the history. Private: everything else. No worker is in a section when it waits, and
//! nobody waits for a helper: there is nothing to deadlock.
//!
//! Sources: D. Homan's `EXchess`; M. Petro's cheng4 (helpers started for each iteration, every second
//! one a ply deeper, the first to finish ends it); E. Østensen, "A complete chess engine
//! parallelized using Lazy SMP", Oslo 2016 (offsets that halve); Stockfish 7 to 10 (iterations left
//! out in blocks; the vote). What is put off, begun elsewhere or looked up again: proposals of the theses for later work,
//! as this project's plan has them.

mod look_again;
mod root_order;
mod rounds;
mod stagger;
mod vote;

pub use root_order::RootOrder;
pub use stagger::Stagger;

use crate::cores::{Core, State};
use crate::engine::{Features, Position, RootSearch, Score};
use crate::search::{Aborted, MAX_DEPTH, Node, NodeKind, Owned, Policy, Shared, Worker};
use crate::searchers::algorithm::{Algorithm, Description};
use crate::searchers::begun::Begun;
use crate::searchers::conditions::Holding;
use crate::searchers::declare::MOST_DEPTH;
use crate::searchers::learnt::Learnt;
use crate::searchers::team::{Ran, Returned, Search, Team};
use crate::searchers::two_passes;
use crate::settings;
use look_again::LookAgain;
use root_order::vary;
use rounds::{Rounds, follow, lead};
use serde::{Deserialize, Serialize};
use vote::{Ballot, Vote};

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
    /// Least depth of a node where no cutoff is expected at which helpers begin with a move of their own, plies.
    spread_depth: i32 = 100, from 1, to MOST_DEPTH;
    /// Least depth of a node that is left when another worker has decided it meanwhile, plies.
    look_again_depth: i32 = 100, from 1, to MOST_DEPTH;
    /// Whose best move is the search's.
    best_move: BestMove = BestMove::First;
    /// Whose the entries of the table are.
    table: Holding = Holding::Shared;
    /// Whose the killers are: the quiet moves that cut off lately.
    killers: Holding = Holding::Private;
    /// Whose the quiet moves' history is; once `shared_history`.
    history or "shared_history": Holding = Holding::Private;
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

/// Who ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The main worker.
    Main,
    /// The first worker to finish the depth; with helpers per iteration, also every iteration.
    First,
}

/// Whose best move is the search's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BestMove {
    /// That of the worker that ended it.
    First,
    /// The one that all of them vote for, by the depth and the score that each has reached.
    Vote,
}

/// The policy of a worker that takes part in a round; a worker on its own is in none. Owned by it.
struct Follow<'s> {
    settings: &'s Settings,
    rounds: &'s Rounds,
    number: u64,
    begun: &'s Begun,
    again: LookAgain,
    /// Its vote as things are.
    vote: Option<Vote>,
}

impl<'s> Follow<'s> {
    fn new(settings: &'s Settings, rounds: &'s Rounds, begun: &'s Begun) -> Follow<'s> {
        let (number, again, vote) = (NO_ROUND, LookAgain::default(), None);
        Follow { settings, rounds, number, begun, again, vote }
    }
}

const NO_ROUND: u64 = u64::MAX;

impl<C: Core> Policy<C> for Follow<'_> {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        let Follow { rounds, number, .. } = worker.policy;
        worker.core.ended() || rounds.is_done(number) || look_again::is_decided(worker)
    }

    #[inline]
    fn share(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut Owned,
    ) -> Result<Shared, Aborted> {
        let Follow { begun, settings, .. } = worker.policy;
        let eldest = moves.progress.handed == 0;
        if node.excluded.is_some() || worker.core.workers() == 1 {
            return Ok(Shared::No);
        }
        if eldest && node.kind == NodeKind::All && node.depth >= settings.spread_depth {
            moves.begin_with(worker, position, worker.core.id());
        }
        if eldest
            && node.depth >= settings.look_again_depth
            && let Some(this) = worker.sought(position, node, moves.progress.alpha)
        {
            return look_again::search(worker, position, node, moves, this);
        }
        if eldest || node.depth < settings.put_off_depth {
            return Ok(Shared::No);
        }
        two_passes::search(worker, position, node, moves, Some(begun)).map(|()| Shared::Done)
    }
}

type Lazy<'s, 'p, C> = Worker<'s, C, Follow<'p>>;

const DESCRIPTION: Description = Description {
    about: "Lazy SMP: every worker searches the same root by itself; they help one another only \
            through the transposition table, and by not all being at the same depth.",
    source: "Described by D. Homan (EXchess); as each iteration's helpers by M. Petro (cheng4) and \
             in E. Østensen's thesis, Oslo 2016.",
    takes_one_thread: false,
    has_critical_path: false,
};

impl Algorithm for Settings {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn search(&self, search: &Search<'_>) -> Ran {
        let (rounds, begun, ballot) = (Rounds::new(), Begun::new(), Ballot::default());
        let team = Followers { settings: self, rounds, begun, ballot };
        let ran = search.run(&team)?;
        Ok(Returned { elected: team.ballot.winner(), ..ran })
    }

    fn fits(&self, features: &Features) -> Result<(), &'static str> {
        let votes = self.best_move == BestMove::Vote && self.helpers == Helpers::PerIteration;
        if features.root_search == RootSearch::MtdF && votes {
            return Err("best_move = \"first\" or helpers = \"independent\" expected with \
                 root_search = \"mtd-f\": helpers that are started with each of its null windows \
                 never know a score to vote for");
        }
        Ok(())
    }

    fn searches_apart(&self) -> bool {
        self.helpers == Helpers::Independent || self.stagger != Stagger::None
    }
}

/// What the workers share.
struct Followers<'s> {
    settings: &'s Settings,
    rounds: Rounds,
    begun: Begun,
    ballot: Ballot,
}

impl Team for Followers<'_> {
    type Policy<'t>
        = Follow<'t>
    where
        Self: 't;

    fn policy<'t>(&'t self, _id: usize, _learnt: &'t Learnt) -> Follow<'t> {
        Follow::new(self.settings, &self.rounds, &self.begun)
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
        if let (BestMove::Vote, Some(vote)) = (self.settings.best_move, worker.policy.vote) {
            self.ballot.cast(&mut worker.core, vote);
        }
    }
}

/// A worker that deepens on its own.
fn deepen<C: Core>(worker: &mut Lazy<'_, '_, C>, settings: &Settings) -> Result<(), Aborted> {
    let (id, last) = (worker.core.id(), i32::from(worker.session.depth));
    vary(worker, settings);
    let end = if id > 0 && settings.past_depth { i32::from(MAX_DEPTH) } else { last };
    let (mut score, mut before) = (0, 0);
    for iteration in *worker.session.iterations().start()..=end {
        let Some(depth) = staggered(worker, settings, iteration) else { continue };
        let depth = depth.min(end);
        if depth == before {
            continue;
        }
        before = depth;
        score = worker.iterate(depth, score, Worker::search_root)?;
        prefer(worker, depth, score);
        if id == 0 || settings.end == End::First {
            worker.report(depth, score);
        }
    }
    Ok(())
}

/// The depth to which the worker searches in the main worker's iteration; none if it leaves that one out. Without
/// iterative deepening there is one iteration only, and nobody leaves it out.
fn staggered<C: Core>(
    worker: &Lazy<'_, '_, C>,
    settings: &Settings,
    iteration: i32,
) -> Option<i32> {
    let depth = settings.stagger.depth(worker.core.id(), iteration);
    depth.or((!worker.session.features.iterative_deepening).then_some(iteration))
}

/// The worker has completed an iteration.
fn prefer<C: Core>(worker: &mut Lazy<'_, '_, C>, depth: i32, score: Score) {
    let best = worker.line(0).first().copied();
    worker.policy.vote = best.map(|best| Vote { depth, score, best });
}
