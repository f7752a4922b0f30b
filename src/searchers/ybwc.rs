//! Young Brothers Wait: a node may be shared once its eldest brothers have been searched and did
//! not cut off.
//!
//! Worker 0 deepens; the others are free and join the split points that it, and then each other,
//! make. Shared: the table, the split points (see [`super::splitting`] for locks and deadlock)
//! and, if so set, the history. A waiting owner is a helpful master: it helps only below its own
//! split point, so that it is never kept from its own work for long.
//!
//! Source: Feldmann, Monien, Mysliwietz and Vornberger, "Distributed game-tree search", ICCA
//! Journal 12(2), 1989; Feldmann's thesis, Paderborn 1993.

use super::kit::{Histories, Kit};
use super::lab::{Ran, waiting};
use super::splitting::{OpenSplits, Rule, Splitting, help_until};
use crate::cores::{Core, Cores, Crew, State};
use crate::search::{Counters, Node, NodeKind, Session, Worker};
use serde::{Deserialize, Serialize};

/// The parameters: `[searcher.ybwc]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Eldest brothers to be searched before a split (1 or more).
    pub eldest: usize,
    /// The same at nodes where no cutoff is expected; 0 shares them at once.
    pub eldest_at_all: usize,
    /// Least depth of a split point, plies.
    pub min_depth: i32,
    /// Most workers at a split point, its owner included (2 or more).
    pub most_workers: usize,
    /// Which split point a free worker joins.
    pub join: Join,
    /// Whether to make split points although nobody is free to join.
    pub ahead_of_need: bool,
    /// Whether a raised alpha reaches helpers that are at work.
    pub shared_alpha: bool,
    /// Whether all workers learn the quiet moves' history together.
    pub shared_history: bool,
    /// Nodes between two looks at the split points above (1 or more).
    pub poll_nodes: u64,
    /// How long a waiting worker spins before it parks, microseconds; 0 when oversubscribed.
    pub spin_us: u64,
    /// One worker goes on at a time, for debugging.
    pub sequential: bool,
}

/// Which of several open split points a free worker joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Join {
    /// The one nearest to the root.
    Shallowest,
    /// The one farthest from the root.
    Deepest,
    /// The one with the most plies to search.
    MostWork,
    /// Any.
    Random,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            eldest: 1,
            eldest_at_all: 1,
            min_depth: 4,
            most_workers: 8,
            join: Join::MostWork,
            ahead_of_need: false,
            shared_alpha: true,
            shared_history: true,
            poll_nodes: 1,
            spin_us: 200,
            sequential: false,
        }
    }
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        let eldest = if node.kind == NodeKind::All { self.eldest_at_all } else { self.eldest };
        node.depth >= self.min_depth && handed >= eldest
    }

    fn ahead_of_need(&self) -> bool {
        self.ahead_of_need
    }

    fn most_workers(&self) -> usize {
        self.most_workers
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }

    fn poll_nodes(&self) -> u64 {
        self.poll_nodes
    }

    fn worth(&self, node: &Node, coin: u64) -> i64 {
        match self.join {
            Join::Shallowest => -(node.ply as i64),
            Join::Deepest => node.ply as i64,
            Join::MostWork => i64::from(node.depth),
            Join::Random => (coin >> 1) as i64,
        }
    }
}

/// Searches by iterative deepening with `threads` workers.
pub(super) fn search(
    session: &Session<'_>,
    cores: Cores,
    threads: usize,
    settings: &Settings,
) -> Ran {
    let waiting = waiting(threads, settings.spin_us, settings.sequential);
    let histories = Histories::new(settings.shared_history);
    let open = OpenSplits::default();
    cores.run(threads, waiting, &Brothers { session, settings, open, histories })
}

/// The workers, and what they share beside the session.
struct Brothers<'s> {
    session: &'s Session<'s>,
    settings: &'s Settings,
    open: OpenSplits,
    histories: Histories,
}

impl Crew for Brothers<'_> {
    type Kit = Kit;
    type Result = Counters;

    fn prepare(&self, _id: usize) -> Kit {
        self.histories.kit()
    }

    fn work<C: Core>(&self, (memory, own): Kit, core: C) -> Counters {
        let history = self.histories.of(own.as_ref());
        let id = core.id();
        let policy = Splitting::new(&self.open, self.settings, self.session.seed ^ id as u64);
        let mut worker = Worker::new(core, policy, self.session, history, memory);
        if id == 0 {
            worker.core.enter(State::Search);
            // An abort has ended the search; what was completed stands in the record.
            let _ = worker.deepen();
        } else {
            help_until(&mut worker, State::WaitWork, None, |ended| ended);
        }
        worker.finish()
    }
}
