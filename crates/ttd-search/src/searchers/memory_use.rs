//! The memory that a search takes, computed from its settings.
//!
//! The parts that are made before a search begins have sizes that follow from the settings exactly.
//! Split points and divisions come and go with the nodes that workers share. They are bounded. The
//! bound has one for every worker at every depth at which it may, with the most moves that a
//! position can have. Extensions are left out: they can keep a line longer at one depth.

use super::board::OpenSplits;
use super::common_settings::{CommonSettings, Sharing};
use super::division::Division;
use super::mailboxes::Mailboxes;
use super::move_marks::MoveMarks;
use super::split_point::SplitPoint;
use crate::cores::{virtual_clock, worker_threads};
use crate::engine::{Corrections, History, Killers, PawnRecords};
use crate::search::{MAX_PLY, Memory, Place, TableAccess};

/// The size of a search: all that its memory depends on, beside the searcher and its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The number of workers, at least 1.
    pub threads: usize,
    /// The size of the transposition table, MiB.
    pub hash_mib: usize,
    /// The depth of the last iteration, plies.
    pub depth: u8,
    /// Whether static evaluations are corrected.
    pub corrects: bool,
    /// Whether quiet moves have pawn records.
    pub has_pawn_history: bool,
}

impl Extent {
    /// The most nodes that all workers share at one moment: one for each worker at each depth from
    /// `min_depth` on. The nodes of a worker lie below each other.
    pub fn lines(self, min_depth: i32) -> usize {
        self.threads * (i32::from(self.depth) - min_depth + 1).max(0) as usize
    }
}

/// The memory that a searcher takes beside what every searcher has, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnMemory {
    /// The parts that all workers share, made before the search begins.
    pub shared: usize,
    /// The nodes that are shared at one moment, at most.
    pub nodes: usize,
}

impl OwnMemory {
    /// At most `count` split points. `in_turn`: moves that failed their test wait to be valued one
    /// after another.
    pub const fn split_points(of: Extent, count: usize, in_turn: bool) -> OwnMemory {
        OwnMemory {
            shared: of.threads * Mailboxes::BYTES,
            nodes: count * SplitPoint::most_bytes(of.threads, in_turn),
        }
    }

    /// At most `count` split points, and a deque of them for each worker.
    pub(super) const fn in_deques(of: Extent, count: usize) -> OwnMemory {
        OwnMemory::split_points(of, count, false).and_boards(of.threads)
    }

    /// These, and so many boards or deques beside a first board.
    #[must_use]
    pub(super) const fn and_boards(self, boards: usize) -> OwnMemory {
        OwnMemory { shared: self.shared + boards * OpenSplits::PLACE_BYTES, ..self }
    }

    /// These, and `places` that each worker keeps while it visits others.
    #[must_use]
    pub(super) const fn and_places(self, of: Extent, places: usize) -> OwnMemory {
        let nodes = self.nodes + of.threads * places * Place::BYTES;
        OwnMemory { nodes, ..self }
    }

    /// Divided nodes. Each division has two parts at least, and a worker alone divides nothing. So
    /// there are fewer of them than workers.
    pub(super) const fn divisions(of: Extent, mailbox: usize) -> OwnMemory {
        let nodes = of.threads.saturating_sub(1) * Division::MOST_BYTES;
        OwnMemory { shared: of.threads * mailbox, nodes }
    }

    /// The table of marked moves.
    pub(super) const fn marks() -> OwnMemory {
        OwnMemory { shared: MoveMarks::BYTES, nodes: 0 }
    }
}

/// The memory of a search by part, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// The transposition table.
    pub table: usize,
    /// Histories, pawn records, corrections and killers: one for all workers, or one for each.
    pub histories: usize,
    /// The parts that each worker owns: caches of pawns, frames, lines and its path. (On virtual
    /// cores the workers have one cache of pawns together, and so take less.)
    pub workers: usize,
    /// The parts of the searcher that all workers share, and the locks of the table.
    pub shared: usize,
    /// The nodes that are shared at one moment, at most.
    pub nodes: usize,
    /// The stacks of threads, reserved. The system gives only what is used of them.
    pub thread_stacks: usize,
    /// The stacks of coroutines on virtual cores, reserved. They take the place of the threads'.
    pub coroutine_stacks: usize,
}

impl MemoryUse {
    /// The memory of a search with these settings, in which the searcher itself takes `own`.
    pub(super) fn of(extent: Extent, common: &CommonSettings, own: OwnMemory) -> MemoryUse {
        let Extent { threads, hash_mib, corrects, has_pawn_history, .. } = extent;
        let count = |sharing| if sharing == Sharing::Shared { 1 } else { threads };
        let histories = count(common.history) * History::BYTES;
        let corrections = if corrects { count(common.corrections.into()) } else { 0 };
        let by_pawns = if has_pawn_history { count(common.pawn_history.into()) } else { 0 };
        let histories =
            histories + corrections * Corrections::BYTES + by_pawns * PawnRecords::BYTES;
        let killers = count(common.killers) * Killers::bytes(MAX_PLY + 4);
        MemoryUse {
            table: hash_mib.max(1) << 20,
            histories: histories + killers,
            workers: threads * Memory::BYTES,
            shared: own.shared + TableAccess::bytes(common.table_access),
            nodes: own.nodes,
            thread_stacks: threads * worker_threads::STACK_BYTES,
            coroutine_stacks: threads * virtual_clock::STACK_BYTES,
        }
    }

    /// All but the stacks.
    pub const fn total(&self) -> usize {
        self.table + self.histories + self.workers + self.shared + self.nodes
    }
}
