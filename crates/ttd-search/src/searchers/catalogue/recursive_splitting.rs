//! Recursive splitting: the group of workers is divided among the moves of the root. Each part is
//! divided among the moves of the next node, and so on, until a part is one worker.
//!
//! The first worker of a group leads it. It searches, and divides each node that it comes to, as
//! long as it has others to lead. Every part of the moves goes to a part of the group, led by its
//! first worker. If there are more moves than workers, they are dealt out in turn.
//!
//! When a part is done, its leader adds its result to those of the others at that node (a
//! reduction). The node's leader goes on when all parts are reduced. Meanwhile the other workers
//! get nothing to do: every wait is a wait for a reduction, and all waiting is counted as such.
//!
//! Shared: the divided nodes and the mailboxes (a section each) and, if so set, the table, the
//! killers and the history. No worker is in two sections at once or waits in one. A leader waits
//! for parts of its own division only. Everything that their workers wait for lies below it: every
//! wait ends.
//!
//! Source: Loose, "15-418 Final Project Report: Chess Engine", CMU (MPI). Its first version is
//! `top_level_only`. Of its attempts with pruning one is `exchange_alpha`, one `sequential_plies`.
//! Neither paid there.

mod by_messages;
mod part;

use crate::cores::{Core, Event, State, Time};
use crate::engine::{Position, Score};
use crate::search::{Aborted, Node, UnsharedMoves};
use crate::searchers::division::{Assignment, Division, Mailbox};
use crate::searchers::steps::{join, split};
use crate::searchers::{
    Algorithm, Extent, Histories, Holding, MANY, MOST_DEPTH, OwnMemory, Parameters, Ran, Search,
    Team,
};
use crate::settings;
use part::{Grouped, Member, Plan, Results, Way, search_part};

settings! { "recursive-splitting";
    about: "Recursive splitting: the group of workers is divided among the moves of the root. \
            Each part is divided among the moves of the next node, down to parts of one worker. \
            The best move is found by a reduction at each divided node.";
    source: "Loose's MPI engine, project report for CMU 15-418.";
    /// Plies from the root whose nodes are not divided. There the whole group searches one move
    /// after another.
    sequential_plies: usize = 0, from 0, to MOST_DEPTH;
    /// Whether only the first node that may be divided is divided. Only one worker of each part has
    /// work then.
    top_level_only: bool = false;
    /// Whether the parts of a node tell each other its alpha after every move, or only when they
    /// are done.
    exchange_alpha: bool = false;
    /// Least depth of a node that is divided, plies.
    min_depth: i32 = 1, from 1, to MOST_DEPTH;
    /// Where workers meet by messages alone: nodes between two looks for messages of a worker that
    /// searches.
    look_every: u64 = 1000, from 1, to MANY;
    /// The sharing of the table's entries.
    table: Holding = Holding::Private;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Holding = Holding::Private;
    /// The sharing of the quiet moves' history.
    history: Holding = Holding::Private;
}

impl Settings {
    fn plan(&self) -> Plan {
        let Settings { sequential_plies, top_level_only, exchange_alpha, min_depth, .. } = *self;
        Plan { sequential_plies, top_level_only, exchange_alpha, min_depth }
    }
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        if search.is_by_messages() {
            return by_messages::search(search, self.plan(), self.look_every);
        }
        let mailboxes = (0..search.workers).map(|_| Mailbox::default()).collect();
        search.run(&Hierarchy { plan: self.plan(), mailboxes })
    }

    fn fits_messages(&self) -> Result<(), &'static str> {
        self.common_settings().fits_messages()
    }

    fn own_memory(&self, of: Extent) -> OwnMemory {
        OwnMemory::divisions(of, size_of::<Mailbox>())
    }
}

/// The state that the workers share.
struct Hierarchy {
    plan: Plan,
    mailboxes: Box<[Mailbox]>,
}

impl Team for Hierarchy {
    const HAS_CRITICAL_PATH: bool = true;

    type Policy<'t>
        = Grouped<&'t [Mailbox]>
    where
        Self: 't;

    fn policy<'t>(&'t self, id: usize, _histories: &'t Histories) -> Grouped<&'t [Mailbox]> {
        Grouped::new(self.plan, (id, self.mailboxes.len()), &self.mailboxes)
    }

    fn work<'t, C: Core>(&'t self, worker: &mut Member<'_, C, &'t [Mailbox]>) {
        if worker.core.id() == 0 { worker.lead() } else { follow(worker) }
    }
}

/// Workers that share the divided nodes.
impl<C: Core> Way<C> for &[Mailbox] {
    type Division = Division;

    const REDUCES_PRUNED: bool = true;

    fn divide(
        worker: &mut Member<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) -> Result<(), Aborted> {
        let division = split(worker, node, moves, |worker, moves| {
            let (mailboxes, group) = (worker.policy.way, worker.policy.group.clone());
            let mut assignments =
                Division::divide(worker, (position, node), &group, moves).into_iter();
            let own = assignments.next()?;
            let division = own.division.clone();
            worker.core.note(|| Event::Splits(division.shown()));
            for assignment in assignments {
                mailboxes[assignment.group.start].put(&mut worker.core, assignment);
            }
            let height = worker.path.len();
            fulfil(worker, own);
            worker.path.truncate(height);
            worker.core.wait_while(State::Reduce, |ended| !ended && !division.is_done());
            Some(division)
        });
        division?.ok_or(Aborted)?.conclude(worker, moves);
        Ok(())
    }

    fn alpha(_worker: &mut Member<'_, C, Self>, division: &Division) -> (Score, Time) {
        (division.alpha(), division.dependencies.alpha())
    }

    fn reduce(
        worker: &mut Member<'_, C, Self>,
        division: &Division,
        results: &mut Results,
        done: bool,
    ) {
        division.reduce(&mut worker.core, results.found.drain(..), Some(&results.line));
        if done {
            division.leave(&mut worker.core);
        }
    }
}

/// The work of every worker but the first.
fn follow<C: Core>(worker: &mut Member<'_, C, &[Mailbox]>) {
    let mailbox = &worker.policy.way[worker.core.id()];
    loop {
        worker.core.wait_while(State::Reduce, |ended| !ended && !mailbox.is_called());
        if worker.core.ended() {
            return;
        }
        worker.core.enter(State::Split);
        if let Some(assignment) = mailbox.take(&mut worker.core) {
            let division = &assignment.division;
            worker.core.continue_from(division.dependencies.made());
            join(worker, division.node.kind, division.shown().number);
            division.enter(worker);
            fulfil(worker, assignment);
        }
    }
}

/// Searches a part of a node, and reduces.
fn fulfil<C: Core>(worker: &mut Member<'_, C, &[Mailbox]>, assignment: Assignment) {
    let Assignment { division, turns, group } = assignment;
    let node = (&division.position, &division.node);
    search_part(worker, node, &*division, (turns, group));
}
