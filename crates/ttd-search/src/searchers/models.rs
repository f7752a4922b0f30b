//! The common parts of the searchers' models: a search in which only the code under check is
//! shared.
//!
//! Tables, histories and killers are not loom's, and never change here.

use super::common_settings::CommonSettings;
use super::histories::{Histories, Learned};
use crate::cores::Core;
use crate::engine::{Move, Picked, Position, Score, Stage, Table, Techniques};
use crate::search::{
    Limits, Listed, Memory, Node, NodeKind, Reductions, SharedState, Source, UnsharedMoves, Worker,
};
use cozy_chess::{Board, Square};
use loom::cell::UnsafeCell;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// The most workers of a model.
pub(super) const WORKERS: usize = 3;

/// The parts that are not under check; all models use one instance.
pub(super) struct Outside {
    pub(super) root: Position,
    pub(super) histories: Histories,
    techniques: Techniques,
    reductions: Reductions,
    table: Table,
    interrupt: AtomicBool,
}

pub(super) fn outside() -> &'static Outside {
    static OUTSIDE: OnceLock<Outside> = OnceLock::new();
    OUTSIDE.get_or_init(|| {
        let mut techniques = Techniques::default();
        techniques.history.ageing = 0; // a worker that deepens writes to no history
        Outside {
            root: Position::new(Board::default()),
            histories: Histories::new(
                &CommonSettings::ALONE,
                WORKERS,
                &Techniques::default(),
                Learned::default(),
            ),
            reductions: Reductions::of(&techniques),
            table: Table::new(1).expect("one MiB"),
            interrupt: AtomicBool::new(false),
            techniques,
        }
    })
}

/// A search of one model, to a depth; its sections are loom's.
pub(super) fn shared_to(depth: u8) -> SharedState<'static> {
    let Outside { root, techniques, reductions, table, interrupt, .. } = outside();
    let limits = Limits { depth, time_limit: None, interrupt, seed: 1, order_seed: 1 };
    SharedState::new(root, &[], (techniques, reductions, table), limits, WORKERS)
}

/// A search of one iteration.
pub(super) fn shared() -> SharedState<'static> {
    shared_to(1)
}

pub(super) fn worker<'s, C: Core, P>(
    shared: &'s SharedState<'s>,
    core: C,
    policy: P,
) -> Worker<'s, C, P> {
    let histories = outside().histories.of(core.id());
    Worker::new(core, policy, shared, histories, Memory::default())
}

/// A node on the principal variation.
pub(super) fn node(ply: usize, beta: Score) -> Node {
    Node {
        ply,
        depth: 1,
        beta,
        ceiling: beta,
        pv: true,
        principal: true,
        cuts: true,
        kind: NodeKind::Pv,
        excluded: None,
        in_check: false,
        evaluation: 0,
        improving: false,
        checks: outside().root.checks(),
        entry: None,
        counted: (0, 0),
    }
}

/// The move of one file or another.
pub(super) fn mv(file: usize) -> Move {
    Move { from: Square::index(8 + file), to: Square::index(16 + file), promotion: None }
}

/// The score of that move.
pub(super) fn worth(mv: Move) -> Score {
    [20, 30, 10][mv.to.file() as usize]
}

/// A loop over the first `count` of these moves.
pub(super) fn moves(count: usize) -> UnsharedMoves {
    let picked = |file| Picked { mv: mv(file), stage: Stage::Quiet, quiet: false };
    UnsharedMoves::new(-100, Source::Listed(Listed::new((0..count).map(picked).collect())))
}

/// Memory that nothing protects. Loom fails if a worker comes to it that has not heard of another
/// worker's write. It holds nothing.
#[derive(Debug, Default)]
pub(super) struct Plain(UnsafeCell<()>);

#[allow(
    unsafe_code,
    reason = "it holds nothing, so nothing is shared; loom only watches who comes"
)]
unsafe impl Sync for Plain {}

impl Plain {
    pub(super) fn write(&self) {
        self.0.with_mut(|_| ());
    }

    pub(super) fn read(&self) {
        self.0.with(|_| ());
    }
}
