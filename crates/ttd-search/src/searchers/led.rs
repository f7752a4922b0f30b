//! Workers that share no memory, of which one leads the division of a node and the others obey.
//!
//! The leader sends orders and searches a part itself. Then it waits for the results of its own
//! division. A worker without an order waits for one.

use super::desk::{Desk, Division};
use super::letters::{Order, Parts};
use super::steps::{join, split};
use crate::cores::{Event, Messenger, State};
use crate::engine::Position;
use crate::search::{Aborted, Node, Policy, Turn, UnsharedMoves, Worker};

/// The policy of such a worker.
pub(super) trait Led<C: Messenger>: Policy<C> {
    /// The state of a leader that waits for results.
    const WAITS: State;
    /// The state of a worker that waits for an order.
    const IDLE: State;

    /// The worker's desk.
    fn desk(&mut self) -> &mut Desk;

    /// Reads the letters that have come, and answers them.
    fn attend(worker: &mut Worker<'_, C, Self>) {
        worker.policy.desk().read(&mut worker.core, worker.shared);
    }

    /// Opens a division of a node ([`open`]), sends orders, and searches the leader's part.
    fn lead(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    );

    /// Searches turns of the innermost division, and sends their results.
    fn obey(worker: &mut Worker<'_, C, Self>, position: &Position, turns: Vec<Turn>);
}

/// The work of each worker, the first of which leads the search.
pub(super) fn work<C: Messenger, P: Led<C>>(worker: &mut Worker<'_, C, P>, look_every: u64) {
    worker.core.look_every(look_every);
    if worker.core.id() == 0 { worker.lead() } else { follow(worker) }
}

/// Divides a node, and takes the result of all parts into the leader's loop.
///
/// # Errors
/// [`Aborted`] when the search has ended meanwhile.
pub(super) fn divide<C: Messenger, P: Led<C>>(
    worker: &mut Worker<'_, C, P>,
    position: &Position,
    node: &Node,
    moves: &mut UnsharedMoves,
) -> Result<(), Aborted> {
    let division = split(worker, node, moves, |worker, moves| {
        let height = worker.path.len();
        P::lead(worker, position, node, moves);
        worker.path.truncate(height);
        loop {
            P::attend(worker);
            if worker.policy.desk().innermost().is_done() || worker.core.ended() {
                break;
            }
            worker.core.wait_for_mail(P::WAITS);
        }
        worker.policy.desk().open.pop()
    });
    if let Some(division) = division? {
        division.conclude(worker, moves);
    }
    Ok(())
}

/// Opens a division of a node at its leader. Returns an order that has no turns yet.
pub(super) fn open<C: Messenger, P: Led<C>>(
    worker: &mut Worker<'_, C, P>,
    (position, node): (&Position, &Node),
    parts: Parts,
    moves: &mut UnsharedMoves,
) -> Order {
    let division = Division::made(worker, node, parts, moves);
    worker.core.note(|| Event::Splits(division.shown()));
    let order = division.order(worker, position);
    worker.policy.desk().open.push(division);
    order
}

/// The work of every worker but the first.
fn follow<C: Messenger, P: Led<C>>(worker: &mut Worker<'_, C, P>) {
    loop {
        worker.core.wait_for_mail(P::IDLE);
        if worker.core.ended() {
            return;
        }
        worker.policy.desk().read(&mut worker.core, worker.shared);
        while let Some(order) = worker.policy.desk().orders.pop_front() {
            worker.core.enter(State::Split);
            take_part(worker, order);
            worker.core.enter(P::IDLE);
        }
    }
}

/// Takes part in the division of another worker.
fn take_part<C: Messenger, P: Led<C>>(worker: &mut Worker<'_, C, P>, order: Order) {
    worker.core.continue_from(order.span);
    join(worker, order.node.kind, order.number);
    let (division, position, turns) = order.enter(worker);
    worker.policy.desk().open.push(division);
    P::obey(worker, &position, turns);
    worker.policy.desk().open.pop();
}
