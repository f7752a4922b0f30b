//! Lazy SMP: every worker searches one root by itself.
//!
//! Some variations can be set:
//! - A move that another worker is searching is put off, as in ABDADA.
//! - Helpers begin with different moves at nodes where all moves must be searched anyway.
//! - A worker leaves a node that another worker has decided meanwhile.
//! - The best move is chosen by vote.
//!
//! Shared: the marked moves (`move_marks.rs`, without locks) and, as set, the transposition table,
//! the killers and the history. With helpers per iteration also the round (depth, window, root
//! moves), in one section. With a vote also the ballot, in another section: each worker adds its
//! vote when it is done.
//!
//! Private: everything else. No worker is in a section when it waits, and no worker waits for a
//! helper: there is nothing to deadlock.
//!
//! Sources: D. Homan's `EXchess`; M. Sedlak's Cheng (helpers started with each search of the root,
//! every second one a ply deeper, ended by the main one). E. Østensen, "A complete chess engine
//! parallelized using Lazy SMP", Oslo 2016 (offsets that halve). Stockfish 7 to 10 (iterations left
//! out in blocks; the vote). Marked moves, different first moves and leaving decided nodes were
//! proposed in the theses for later work.

mod follow;
mod look_again;
mod parameters;
mod rounds;
mod stagger;
mod vote;

pub use parameters::{BestMove, End, Helpers, RootOrder, Settings};
pub use stagger::Stagger;

use crate::cores::{Core, State};
use crate::engine::{Position, RootSearch, Techniques};
use crate::search::{Aborted, MAX_DEPTH, Node, NodeKind, Policy, Shared, UnsharedMoves, Worker};
use crate::searchers::move_marks::MoveMarks;
use crate::searchers::two_passes;
use crate::searchers::{
    Algorithm, Extent, Histories, Holding, OwnMemory, Ran, Returned, Search, Team,
};
use follow::{Follow, Lazy, Rounds, prefer, staggered, vary};
use rounds::{follow, lead};
use vote::Ballot;

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
        moves: &mut UnsharedMoves,
    ) -> Result<Shared, Aborted> {
        let Follow { marks, settings, .. } = worker.policy;
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
        two_passes::search(worker, position, node, moves, Some(marks)).map(|()| Shared::Done)
    }
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        let (rounds, marks, ballot) = (Rounds::new(), MoveMarks::new(), Ballot::default());
        let team = Followers { settings: self, rounds, marks, ballot };
        let ran = search.run(&team)?;
        Ok(Returned { elected: team.ballot.winner(), ..ran })
    }

    fn pawn_history(&self) -> Holding {
        self.pawn_history
    }

    fn own_memory(&self, _of: Extent) -> OwnMemory {
        OwnMemory::marks()
    }

    fn fits(&self, techniques: &Techniques) -> Result<(), &'static str> {
        let votes = self.best_move == BestMove::Vote && self.helpers == Helpers::PerIteration;
        if techniques.root_search == RootSearch::MtdF && votes {
            return Err("best_move = \"first\" or helpers = \"independent\" expected with \
                 root_search = \"mtd-f\": helpers that are started with each of its null windows \
                 never know a score to vote for");
        }
        if self.helpers == Helpers::PerIteration && !self.restart && self.end == End::First {
            return Err(
                "end = \"main\" expected with restart = false: a helper's result for a window \
                 that has failed ends nothing",
            );
        }
        Ok(())
    }

    fn has_critical_path(&self) -> bool {
        <Followers<'_> as Team>::HAS_CRITICAL_PATH
    }

    fn searches_apart(&self) -> bool {
        self.helpers == Helpers::Independent || self.stagger != Stagger::None
    }
}

/// The state that the workers share.
struct Followers<'s> {
    settings: &'s Settings,
    rounds: Rounds,
    marks: MoveMarks,
    ballot: Ballot,
}

impl Team for Followers<'_> {
    const HAS_CRITICAL_PATH: bool = false;

    type Policy<'t>
        = Follow<'t>
    where
        Self: 't;

    fn policy<'t>(&'t self, _id: usize, _histories: &'t Histories) -> Follow<'t> {
        Follow::new(self.settings, &self.rounds, &self.marks)
    }

    fn work<'t, C: Core>(&'t self, worker: &mut Worker<'_, C, Follow<'t>>) {
        worker.core.enter(State::Search);
        // An error means that the search has ended; the completed iterations stand in the record.
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

/// The work of a worker that deepens on its own.
fn deepen<C: Core>(worker: &mut Lazy<'_, '_, C>, settings: &Settings) -> Result<(), Aborted> {
    let (id, last) = (worker.core.id(), i32::from(worker.shared.depth));
    vary(worker, settings);
    let end = if id > 0 && settings.past_depth { i32::from(MAX_DEPTH) } else { last };
    let (mut score, mut before) = (0, 0);
    for iteration in *worker.shared.iterations().start()..=end {
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
