//! Models of whole searches of tiny trees. Split points are announced; helpers are called, join and
//! leave; a waiting owner helps below its own node. All workers see the end.

use super::helping::help_until;
use super::sharing::publish;
use super::*;
use crate::cores::real::RealCore;
use crate::cores::real::models::meet;
use crate::cores::{Core, Cost, State};
use crate::engine::{INFINITY, Position, Score};
use crate::search::{Aborted, Flow, MoveLoop, Node, Policy, Shared, SharedState, Turn, Verdict};
use crate::searchers::ahead::{Iterations, lead_or_help};
use crate::searchers::models::{moves, node, outside, shared, shared_to, worker, worth};
use crate::searchers::rule::Need;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A tree of `depth` plies in which every node has two moves, always the same two, and the way in
/// which it is searched.
#[derive(Clone, Copy)]
struct Tree {
    plies: usize,
    beta: Score,
    /// Whether nodes are shared before another worker asks for work.
    ahead: bool,
    /// Whether moves are put off, and valued in their turn.
    in_turn: bool,
    nesting: usize,
    /// The number of boards; with none, workers steal from deques.
    boards: usize,
    /// The worker that leads.
    leader: usize,
}

const TREE: Tree = Tree {
    plies: 1,
    beta: INFINITY,
    ahead: true,
    in_turn: false,
    nesting: 0,
    boards: 1,
    leader: 0,
};

impl Tree {
    fn open(&self, workers: usize) -> OpenSplits {
        match self.boards {
            0 => OpenSplits::in_deques(workers),
            boards => OpenSplits::on_boards(workers, boards),
        }
    }
}

impl Rule for Tree {
    fn may_share(&self, _node: &Node, _handed: usize) -> bool {
        true
    }

    fn ahead_of_need(&self, _node: &Node) -> bool {
        self.ahead
    }

    fn shares_alpha(&self) -> bool {
        true
    }

    fn nesting(&self) -> usize {
        self.nesting
    }

    fn values_in_turn(&self) -> bool {
        self.in_turn
    }

    fn turn<'p, C: Core, L: MoveLoop<C, Splitting<'p, Self>>>(
        worker: &mut Worker<'_, C, Splitting<'p, Self>>,
        (_position, node): (&Position, &Node),
        turn: &Turn,
        moves: &L,
    ) -> Result<Verdict, Aborted> {
        child(worker, node, turn, moves)
    }
}

fn child<'p, C: Core, L: MoveLoop<C, Splitting<'p, Tree>>>(
    worker: &mut Worker<'_, C, Splitting<'p, Tree>>,
    node: &Node,
    turn: &Turn,
    moves: &L,
) -> Result<Verdict, Aborted> {
    let below = visit(worker, node.ply + 1)?;
    if !moves.may_value(worker) {
        return Ok(Verdict::PutOff);
    }
    Ok(Verdict::Score(below + worth(turn.mv)))
}

/// A node is worth the greatest sum of moves below it.
fn visit<C: Core>(
    worker: &mut Worker<'_, C, Splitting<'_, Tree>>,
    ply: usize,
) -> Result<Score, Aborted> {
    worker.visit(Cost::Node)?;
    let (tree, position) = (worker.policy.rule, worker.shared.root);
    if ply == tree.plies {
        return Ok(0);
    }
    let node = node(ply, tree.beta);
    let mut moves = moves(2);
    while Splitting::share(worker, position, &node, &mut moves)? == Shared::No {
        let Some(turn) = moves.next(worker, position) else { break };
        let result = child(worker, &node, &turn, &moves);
        if moves.absorb(worker, &node, &turn, result)? == Flow::CutOff {
            break;
        }
    }
    Ok(moves.progress.best)
}

/// The state that the workers of a search share, its result and its nodes.
struct Search {
    shared: SharedState<'static>,
    open: OpenSplits,
    score: AtomicUsize,
    nodes: AtomicUsize,
}

type Leader<'s, 'p> = Worker<'s, RealCore<'s>, Splitting<'p, Tree>>;

/// Searches the tree.
fn whole(worker: &mut Leader<'_, '_>) -> Score {
    visit(worker, 0).expect("nobody aborts it")
}

/// Shares the root and leaves its moves to the others: the search ends if they hear of it.
fn idly(worker: &mut Leader<'_, '_>) -> Score {
    let (position, node) = (worker.shared.root, node(0, INFINITY));
    let mut moves = moves(2);
    let split = publish(worker, position, &node, &mut moves).expect("nobody aborts it");
    worker.core.wait_while(State::WaitWork, |_| split.left() > 0);
    worker.policy.open.remove(&mut worker.core, &split);
    split.close(&mut worker.core);
    worker.core.wait_while(State::WaitHelpers, |_| split.helpers() > 0);
    split.conclude(worker, &mut moves);
    moves.progress.best
}

/// Runs a search: one worker leads, the others help it until it ends the search.
fn search(
    tree: &'static Tree,
    lead: fn(&mut Leader<'_, '_>) -> Score,
    (workers, preemptions): (usize, usize),
    check: impl Fn(usize, usize) + Copy + Send + Sync + 'static,
) {
    meet(
        (workers, preemptions),
        move |_| Search {
            shared: shared(),
            open: tree.open(workers),
            score: AtomicUsize::default(),
            nodes: AtomicUsize::default(),
        },
        move |search: &Search, core: RealCore<'_>| {
            let policy = Splitting::new(&search.open, tree, &outside().histories, 1);
            let mut worker = worker(&search.shared, core, policy);
            if worker.core.id() == tree.leader {
                search.score.store(lead(&mut worker) as usize, Relaxed);
                worker.core.end();
            } else {
                help_until(&mut worker, State::WaitWork, None, |ended| ended);
            }
            search.nodes.fetch_add(worker.finish().0.nodes as usize, Relaxed);
        },
        move |search| check(search.score.into_inner(), search.nodes.into_inner()),
    );
}

#[test]
fn an_idle_worker_is_called_and_all_see_the_end() {
    static ASKED: Tree = Tree { ahead: false, ..TREE };
    search(&ASKED, whole, (2, 2), |score, nodes| assert_eq!((score, nodes), (30, 3)));
}

#[test]
fn a_node_is_shared_with_who_comes() {
    static AHEAD: Tree = TREE;
    search(&AHEAD, whole, (2, 2), |score, nodes| assert_eq!((score, nodes), (30, 3)));
}

#[test]
fn who_is_called_comes() {
    static AHEAD: Tree = TREE;
    search(&AHEAD, idly, (2, 2), |score, nodes| assert_eq!((score, nodes), (30, 2)));
}

#[test]
fn two_are_called() {
    static AHEAD: Tree = TREE;
    search(&AHEAD, idly, (3, 1), |score, nodes| assert_eq!((score, nodes), (30, 2)));
}

#[test]
fn a_node_is_shared_by_three() {
    static AHEAD: Tree = TREE;
    search(&AHEAD, whole, (3, 1), |score, nodes| assert_eq!((score, nodes), (30, 3)));
}

#[test]
fn a_thief_that_sleeps_hears_of_a_push() {
    static STEALING: Tree = Tree { boards: 0, ..TREE };
    search(&STEALING, idly, (2, 2), |score, nodes| assert_eq!((score, nodes), (30, 2)));
}

#[test]
fn two_thieves_are_woken() {
    static STEALING: Tree = Tree { boards: 0, ..TREE };
    search(&STEALING, idly, (3, 1), |score, nodes| assert_eq!((score, nodes), (30, 2)));
}

#[test]
fn a_thief_steals_from_a_thief() {
    static STEALING: Tree = Tree { boards: 0, ..TREE };
    search(&STEALING, whole, (3, 1), |score, nodes| assert_eq!((score, nodes), (30, 3)));
}

#[test]
fn a_waiting_owner_steals_below_its_node() {
    static DEEP: Tree = Tree { plies: 2, boards: 0, ..TREE };
    search(&DEEP, whole, (2, 1), |score, nodes| assert_eq!((score, nodes), (60, 7)));
}

#[test]
fn a_cutoff_reaches_thieves() {
    static CUT: Tree = Tree { plies: 2, beta: 40, boards: 0, ..TREE };
    search(&CUT, whole, (2, 1), |score, nodes| assert!(score >= 40 && nodes <= 7));
}

#[test]
fn a_waiting_owner_helps_below_its_node() {
    static DEEP: Tree = Tree { plies: 2, ..TREE };
    search(&DEEP, whole, (2, 1), |score, nodes| assert_eq!((score, nodes), (60, 7)));
}

#[test]
fn a_waiting_owner_helps_anywhere_for_a_time() {
    static DEEP: Tree = Tree { plies: 2, nesting: 1, ..TREE };
    search(&DEEP, whole, (2, 1), |score, nodes| assert_eq!((score, nodes), (60, 7)));
}

#[test]
fn a_cutoff_reaches_those_below() {
    static CUT: Tree = Tree { plies: 2, beta: 40, ..TREE };
    search(&CUT, whole, (2, 1), |score, nodes| assert!(score >= 40 && nodes <= 7));
}

#[test]
fn every_move_put_off_is_valued() {
    static JAMBOREE: Tree = Tree { in_turn: true, ..TREE };
    search(&JAMBOREE, whole, (2, 2), |score, nodes| assert_eq!((score, nodes), (30, 5)));
}

/// The worker becomes idle at its own board while the other announces at another. If it slept, the
/// search would not end.
#[test]
fn an_idle_worker_is_called_to_another_board() {
    static TWO: Tree = Tree { boards: 2, ..TREE };
    search(&TWO, idly, (2, 2), |score, nodes| assert_eq!((score, nodes), (30, 2)));
}

#[test]
fn two_are_called_from_other_boards() {
    static THREE: Tree = Tree { boards: 3, ..TREE };
    search(&THREE, idly, (3, 1), |score, nodes| assert_eq!((score, nodes), (30, 2)));
}

/// The one of two workers at a board that is idle first looks at the other board for both.
#[test]
fn a_worker_leaves_the_other_board_to_who_was_idle_before() {
    static TWO: Tree = Tree { boards: 2, leader: 2, ..TREE };
    search(&TWO, idly, (3, 1), |score, nodes| assert_eq!((score, nodes), (30, 2)));
}

#[test]
fn a_waiting_owner_helps_below_its_node_at_another_board() {
    static DEEP: Tree = Tree { plies: 2, boards: 2, ..TREE };
    search(&DEEP, whole, (2, 1), |score, nodes| assert_eq!((score, nodes), (60, 7)));
}

#[test]
fn a_cutoff_reaches_another_board() {
    static CUT: Tree = Tree { plies: 2, beta: 40, boards: 2, ..TREE };
    search(&CUT, whole, (2, 1), |score, nodes| assert!(score >= 40 && nodes <= 7));
}

/// Two leaders search iterations of one tree, to the third one. One that ends makes shallower ones
/// needless.
fn lead_both(tree: &'static Tree, preemptions: usize) {
    const DEPTH: u8 = 3;
    const NEED: Need = Need { idle_per_iteration: 1, most_iterations: 2 };
    struct Race {
        shared: SharedState<'static>,
        open: OpenSplits,
        iterations: Iterations,
    }
    let make = |_: RealCore<'_>| Race {
        shared: shared_to(DEPTH),
        open: tree.open(2),
        iterations: Iterations::new(&(1..=DEPTH.into()), NEED),
    };
    let work = |race: &Race, core: RealCore<'_>| {
        let policy = Splitting::new(&race.open, tree, &outside().histories, 1);
        let mut worker = worker(&race.shared, core, policy);
        let both = (&race.iterations, &race.open);
        lead_or_help(&mut worker, both, |worker, _, _| visit(worker, 0));
    };
    meet((2, preemptions), make, work, |race: Race| {
        assert!(
            race.open.is_needless(DEPTH.into()) && !race.open.is_needless(i32::from(DEPTH) + 1)
        );
        let (record, _) = race.shared.into_record();
        let found: Vec<_> = record.iter().map(|of| (of.depth, of.score)).collect();
        assert_eq!(found, [(1, 30), (2, 30), (3, 30)]);
    });
}

#[test]
fn two_leaders_search_iterations_at_once() {
    static TWO: Tree = TREE;
    lead_both(&TWO, 1);
}

#[test]
fn two_leaders_have_a_board_each() {
    static TWO: Tree = Tree { boards: 2, ..TREE };
    lead_both(&TWO, 1);
}
