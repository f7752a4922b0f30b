//! Split points on a uniform tree whose best moves come first.
//!
//! The work of alpha-beta on such a tree is known to the node. The tree has nothing to do with
//! chess, so no change to the engine changes it. Only the children and their values are made up
//! here. The loop over moves, the policy, the split points and the cores are those of the
//! searchers.

use super::helping::help_until;
use super::*;
use crate::cores::{Core, Cores, Cost, CostModel, Schedule, Simulation, State, Time, WorkSpan};
use crate::engine::{INFINITY, Move, Picked, Position, Score, Stage, Table, Techniques};
use crate::search::{
    Aborted, Counters, Flow, Limits, Listed, MoveLoop, Node, NodeKind, Policy, Reductions, Shared,
    SharedState, Source, Turn, UnsharedMoves, Verdict,
};
use crate::searchers::algorithm::Parameters;
use crate::searchers::catalogue::ybwc::Settings;
use crate::searchers::team::{Returned, Search, Team};
use cozy_chess::Square;
use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicI32};

/// The cost of a node, in picoseconds; nothing else costs anything.
const NODE_PS: u64 = 1000;
/// The move of every turn. Turns are told apart by their numbers.
const ANY_MOVE: Move = Move { from: Square::E2, to: Square::E4, promotion: None };

/// A tree in which every node has `branching` children down to `depth`.
#[derive(Clone, Copy)]
struct Tree {
    branching: usize,
    depth: i32,
    alpha_beta: bool,
}

/// The rule of Young Brothers Wait, on nodes of the tree.
struct Brothers {
    tree: Tree,
    settings: Settings,
}

impl Rule for Brothers {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        self.settings.may_share(node, handed)
    }

    fn ahead_of_need(&self, node: &Node) -> bool {
        self.settings.ahead_of_need(node)
    }

    fn is_likely_needed(&self, node: &Node, done: usize) -> bool {
        self.settings.is_likely_needed(node, done)
    }

    fn most_workers(&self) -> usize {
        self.settings.most_workers()
    }

    fn shares_alpha(&self) -> bool {
        self.settings.shares_alpha()
    }

    fn poll_nodes(&self) -> u64 {
        self.settings.poll_nodes()
    }

    fn worth(&self, node: &Node, left: usize, coin: u64) -> i64 {
        self.settings.worth(node, left, coin)
    }

    fn turn<'p, C: Core, L: MoveLoop<C, Splitting<'p, Self>>>(
        worker: &mut Worker<'_, C, Splitting<'p, Self>>,
        (position, node): (&Position, &Node),
        turn: &Turn,
        moves: &L,
    ) -> Result<Verdict, Aborted> {
        let tree = worker.policy.rule.tree;
        child(worker, (tree, position), node, turn, moves)
    }
}

/// The value of a node is kept as the evaluation of its ply. The eldest child has the value of its
/// node; every younger one is worth a little less to the node.
fn child<C: Core, P: Policy<C>, L: MoveLoop<C, P>>(
    worker: &mut Worker<'_, C, P>,
    (tree, position): (Tree, &Position),
    node: &Node,
    turn: &Turn,
    moves: &L,
) -> Result<Verdict, Aborted> {
    let value = worker.frame(node.ply).evaluation.expect("every node has a value");
    let eldest = turn.number == 1;
    let mixed = (value as u32 ^ turn.number as u32).wrapping_mul(0x9e37_79b9) >> 20;
    let worse = if eldest { 0 } else { 1 + mixed as Score % 9 };
    worker.frame_mut(node.ply + 1).evaluation = Some(-value + worse);
    let kind = if eldest { node.kind.eldest_child() } else { node.kind.younger_child() };
    let window = (-node.beta, -moves.alpha(worker));
    Ok(Verdict::Score(-visit(worker, (tree, position), node.ply + 1, window, kind)?))
}

/// Alpha-beta, or minimax, and nothing else; leaves are counted as quiescence nodes.
fn visit<C: Core, P: Policy<C>>(
    worker: &mut Worker<'_, C, P>,
    (tree, position): (Tree, &Position),
    ply: usize,
    (alpha, beta): (Score, Score),
    kind: NodeKind,
) -> Result<Score, Aborted> {
    worker.visit(Cost::Node)?;
    let depth = tree.depth - ply as i32;
    if depth == 0 {
        worker.counters.qnodes += 1;
        return Ok(worker.frame(ply).evaluation.expect("every node has a value"));
    }
    let node = Node {
        ceiling: INFINITY,
        ply,
        depth,
        beta,
        pv: false,
        principal: false,
        cuts: tree.alpha_beta,
        kind,
        excluded: None,
        in_check: false,
        evaluation: 0,
        improving: false,
        checks: position.checks(),
        entry: None,
        counted: (0, 0),
    };
    let picked = Picked { mv: ANY_MOVE, stage: Stage::Quiet, quiet: false };
    let listed = Listed::new(vec![picked; tree.branching]);
    let mut moves = UnsharedMoves::new(alpha, Source::Listed(listed));
    while P::share(worker, position, &node, &mut moves)? == Shared::No {
        let Some(turn) = moves.next(worker, position) else { break };
        let result = child(worker, (tree, position), &node, &turn, &moves);
        if moves.absorb(worker, &node, &turn, result)? == Flow::CutOff {
            break;
        }
    }
    Ok(moves.progress.best)
}

/// The state that the workers of one search share.
struct Brotherhood {
    rule: Brothers,
    open: OpenSplits,
    score: AtomicI32,
}

impl Team for Brotherhood {
    const HAS_CRITICAL_PATH: bool = true;

    type Policy<'t> = Splitting<'t, Brothers>;

    fn policy<'t>(&'t self, id: usize, histories: &'t Histories) -> Splitting<'t, Brothers> {
        Splitting::new(&self.open, &self.rule, histories, id as u64)
    }

    fn work<'t, C: Core>(&'t self, worker: &mut Worker<'_, C, Splitting<'t, Brothers>>) {
        if worker.core.id() == 0 {
            worker.core.enter(State::Search);
            let position = worker.shared.root;
            worker.frame_mut(0).evaluation = Some(0);
            let root = (self.rule.tree, position);
            let found = visit(worker, root, 0, (-INFINITY, INFINITY), NodeKind::Pv);
            self.score.store(found.expect("nobody aborts it"), Relaxed);
            worker.core.end();
        } else {
            help_until(worker, State::WaitWork, None, |ended| ended);
        }
    }
}

/// The results of a search of a tree.
struct Found {
    counters: Counters,
    time: Time,
    score: Score,
    work_span: WorkSpan,
}

/// Searches a tree where only nodes cost time, and all nodes cost equally much.
fn search(tree: Tree, eldest: usize, open: OpenSplits) -> Found {
    let free =
        CostModel { split_ps: 0, join_ps: 0, section_ps: 0, wake_ps: 0, ..CostModel::default() };
    let nodes = CostModel { node_ps: NODE_PS, table_ps: 0, jitter_permille: 0, ..free };
    simulate(tree, eldest, open, CostModel { slowdown_permille: 0, ..nodes })
}

fn simulate(tree: Tree, eldest: usize, open: OpenSplits, model: CostModel) -> Found {
    let workers = open.workers();
    let root = Position::new(cozy_chess::Board::default());
    let techniques = Techniques::default();
    let reductions = Reductions::of(&techniques);
    let table = Table::new(1).expect("one MiB");
    let interrupt = AtomicBool::new(false);
    let limits =
        Limits { depth: 1, time_limit: None, interrupt: &interrupt, seed: 1, order_seed: 1 };
    let shared = SharedState::new(&root, &[], (&techniques, &reductions, &table), limits, workers);
    let settings = Settings {
        eldest,
        eldest_at_cut: eldest,
        eldest_at_all: eldest,
        min_depth: 1,
        most_workers: usize::MAX,
        ..Settings::default()
    };
    let common_settings = settings.common_settings();
    let rule = Brothers { tree, settings };
    let team = Brotherhood { rule, open, score: AtomicI32::new(Score::MAX) };
    let cores = Cores::Virtual(Simulation { model, ..Simulation::plain(Schedule::Earliest) });
    let histories = Cell::default();
    let search = Search {
        shared: &shared,
        cores,
        dilation: None,
        cluster: None,
        workers,
        common_settings,
        histories: &histories,
    };
    let Returned { workers, time, work_span, .. } = search.run(&team).expect("no worker fails");
    let work_span = work_span.expect("costs are counted");
    let mut counters = Counters::default();
    for (worker, _) in &workers {
        counters += worker;
    }
    Found { counters, time, score: team.score.into_inner(), work_span }
}

/// Two numbers for a node of this kind. The first is the nodes of the least tree that proves its
/// value (Knuth and Moore 1975). The second is the longest chain of them in which each waits for
/// the one before, when the eldest brother comes first.
fn least(tree: Tree, kind: NodeKind, depth: i32) -> (u64, u64) {
    if depth == 0 {
        return (1, 1);
    }
    let (eldest, behind) = least(tree, kind.eldest_child(), depth - 1);
    if kind == NodeKind::Cut {
        return (1 + eldest, 1 + behind);
    }
    let (younger, after) = least(tree, kind.younger_child(), depth - 1);
    (1 + eldest + (tree.branching as u64 - 1) * younger, 1 + behind + after)
}

/// The places of open split points: a board, deques, or a board for each three workers.
const PLACES: [fn(usize) -> OpenSplits; 3] = [
    |workers| OpenSplits::on_boards(workers, 1),
    OpenSplits::in_deques,
    |workers| OpenSplits::on_boards(workers, workers.div_ceil(3)),
];
const TREES: [(usize, i32); 4] = [(2, 9), (3, 6), (6, 6), (9, 5)];

#[test]
fn one_worker_visits_the_least_tree() {
    for (branching, depth) in TREES {
        let found =
            search(Tree { branching, depth, alpha_beta: true }, 1, OpenSplits::on_boards(1, 1));
        let leaves = |plies: i32| (branching as u64).pow(plies as u32);
        let knuth_and_moore = leaves(depth / 2) + leaves(depth - depth / 2) - 1;
        assert_eq!(found.counters.qnodes, knuth_and_moore, "{branching} {depth}");
        assert_eq!(found.score, 0);
        let whole =
            search(Tree { branching, depth, alpha_beta: false }, 1, OpenSplits::on_boards(1, 1));
        assert_eq!((whole.counters.qnodes, whole.score), (leaves(depth), 0));
    }
}

/// Brent's bound: `work / workers <= time <= work / workers + critical path`. The left part holds
/// for every schedule. The right part holds if no worker idles while there is work.
#[test]
fn brothers_take_their_share_of_the_work_and_at_most_the_critical_path() {
    for (branching, depth) in TREES {
        let tree = Tree { branching, depth, alpha_beta: true };
        let (work, path) = least(tree, NodeKind::Pv, depth);
        for (place, workers) in PLACES.iter().flat_map(|at| (0..=10).map(move |n| (at, 1 << n))) {
            let found = search(tree, 1, place(workers));
            let case = format!("{branching} to the {depth}, {workers} workers");
            assert_eq!((found.counters.nodes, found.score), (work, 0), "{case}");
            let time = found.time.ps() / NODE_PS;
            assert!(time * workers as u64 >= work, "{case}: {time} for {work}");
            let most = work.div_ceil(workers as u64) + path;
            assert!(time <= most, "{case}: {time}, at most {most}");
        }
    }
}

/// The critical path of the graph is known. It is equal for any number of workers: a node counts as
/// a fork also where no worker was free to share it.
#[test]
fn the_critical_path_is_the_longest_chain() {
    for (branching, depth) in TREES {
        let tree = Tree { branching, depth, alpha_beta: true };
        let (work, path) = least(tree, NodeKind::Pv, depth);
        for (place, workers) in
            PLACES.iter().flat_map(|place| [1, 2, 4, 16, 64, 1024].map(|workers| (place, workers)))
        {
            let found = search(tree, 1, place(workers));
            let case = format!("{branching} to the {depth}, {workers} workers");
            assert_eq!(found.work_span.work.ps(), work * NODE_PS, "{case}");
            assert_eq!(found.work_span.critical_path.ps(), path * NODE_PS, "{case}");
        }
    }
}

/// Without cutoffs every node is searched by some worker, and all moves of a node at once. Waiting
/// owners may not help elsewhere, which costs at most a few times the critical path.
#[test]
fn minimax_scales_until_the_critical_path_ends_it() {
    let tree = Tree { branching: 8, depth: 5, alpha_beta: false };
    let work = (0..=5).map(|ply| 8_u64.pow(ply)).sum::<u64>();
    let path = 6;
    for (place, workers) in PLACES.iter().flat_map(|at| (0..=10).map(move |n| (at, 1 << n))) {
        let found = search(tree, 0, place(workers));
        assert_eq!((found.counters.nodes, found.score), (work, 0), "{workers}");
        let (time, share) = (found.time.ps() / NODE_PS, work.div_ceil(workers as u64));
        assert!((share..=share + 4 * path).contains(&time), "{workers}: {time} for {share}");
    }
}

/// The numbers are those of every machine, and not only equal in two runs. They change with the
/// protocol of the workers, or with the simulation. Change them with a reason only.
#[test]
fn a_simulation_is_the_same_everywhere() {
    let tree = Tree { branching: 6, depth: 7, alpha_beta: true };
    for (place, expected) in
        PLACES.iter().zip([(227_254_209, 2_323), (240_578_405, 2_323), (204_406_877, 2_323)])
    {
        let found = simulate(tree, 1, place(7), CostModel::default());
        assert_eq!((found.time.ps(), found.counters.nodes), expected);
    }
}
