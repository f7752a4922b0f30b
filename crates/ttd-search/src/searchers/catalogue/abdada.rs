//! ABDADA: all workers search one tree together, over the shared table. A move that another worker
//! is searching is put off until the other moves of its node are done.
//!
//! Each worker deepens by itself; the first to complete a depth enters it in the record. The eldest
//! brother of a node is searched by every worker that comes, never put off and never marked.
//!
//! Each younger brother is marked in a table of moves, unless it stands there already. Then it
//! comes to the second pass: it is searched even if another worker still searches it. Mostly the
//! table has the answer by then. A mark is taken off when the search of its move is done or
//! aborted. It is also taken off before a move is valued with an open window, so that others may
//! help.
//!
//! Shared: the marked moves (`move_marks.rs`, without locks) and, unless set otherwise, the
//! transposition table, the killers and the history. Private: everything else. No worker waits for
//! another: there is nothing to deadlock.
//!
//! Source: J.-C. Weill, "The ABDADA distributed minimax-search algorithm", ICCA Journal 19(1),
//! 1996. The form is the simplified one of T. Kerrigan, where the marks are in a table of their
//! own.

use crate::cores::{Core, State};
use crate::engine::Position;
use crate::search::{Aborted, Node, Policy, Shared, UnsharedMoves, Worker};
use crate::searchers::move_marks::MoveMarks;
use crate::searchers::two_passes;
use crate::searchers::{
    Algorithm, Extent, Histories, Holding, MOST_DEPTH, OwnMemory, Ran, Search, Team,
};
use crate::settings;

settings! { "abdada";
    about: "ABDADA: all workers search the same tree together over the shared table. A move that \
            another worker is searching is put off until the other moves of its node are done.";
    source: "Weill, \"The ABDADA distributed minimax-search algorithm\", ICCA Journal 19(1), 1996; \
             here in T. Kerrigan's simplified form.";
    /// Least depth at which moves are put off, plies.
    min_depth: i32 = 3, from 1, to MOST_DEPTH;
    /// The sharing of the table's entries.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Holding = Holding::Shared;
    /// The sharing of the quiet moves' history.
    history: Holding = Holding::Shared;
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        search.run(&Together { marks: MoveMarks::new(), min_depth: self.min_depth })
    }

    fn own_memory(&self, _of: Extent) -> OwnMemory {
        OwnMemory::marks()
    }

    fn has_critical_path(&self) -> bool {
        <Together as Team>::HAS_CRITICAL_PATH
    }

    fn searches_apart(&self) -> bool {
        true
    }
}

/// The state that the workers share.
struct Together {
    marks: MoveMarks,
    min_depth: i32,
}

impl Team for Together {
    const HAS_CRITICAL_PATH: bool = false;

    type Policy<'t> = PutOff<'t>;

    fn policy<'t>(&'t self, _id: usize, _histories: &'t Histories) -> PutOff<'t> {
        PutOff { marks: &self.marks, min_depth: self.min_depth }
    }

    fn work<'t, C: Core>(&'t self, worker: &mut Worker<'_, C, PutOff<'t>>) {
        worker.lead();
        worker.core.enter(State::Finished);
    }
}

/// The policy of one worker. Each worker owns its policy.
struct PutOff<'s> {
    marks: &'s MoveMarks,
    min_depth: i32,
}

impl<C: Core> Policy<C> for PutOff<'_> {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        worker.core.ended()
    }

    #[inline]
    fn share(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) -> Result<Shared, Aborted> {
        let PutOff { marks, min_depth } = worker.policy;
        let eldest = moves.progress.handed == 0;
        if node.depth < min_depth || eldest || node.excluded.is_some() || worker.core.workers() == 1
        {
            return Ok(Shared::No);
        }
        two_passes::search(worker, position, node, moves, Some(marks)).map(|()| Shared::Done)
    }
}
