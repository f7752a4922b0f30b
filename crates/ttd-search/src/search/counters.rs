//! What a worker counts: the raw material of the account.

use crate::cores::{State, Time};
use std::ops::AddAssign;

/// What alpha-beta expects of a node (Knuth and Moore's types 1, 2 and 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// On the principal variation: an open window.
    Pv,
    /// A child is expected to reach beta.
    Cut,
    /// No child is expected to reach alpha.
    All,
}

impl NodeKind {
    /// Every kind, in the order of the columns.
    pub const ALL: [NodeKind; 3] = [NodeKind::Pv, NodeKind::Cut, NodeKind::All];

    /// The word used in column names.
    pub const fn name(self) -> &'static str {
        match self {
            NodeKind::Pv => "pv",
            NodeKind::Cut => "cut",
            NodeKind::All => "all",
        }
    }

    /// The kind expected of the first child.
    #[must_use]
    pub const fn eldest_child(self) -> NodeKind {
        match self {
            NodeKind::Pv => NodeKind::Pv,
            NodeKind::Cut => NodeKind::All,
            NodeKind::All => NodeKind::Cut,
        }
    }

    /// The kind expected of a child searched with a null window.
    #[must_use]
    pub const fn younger_child(self) -> NodeKind {
        match self {
            NodeKind::Pv | NodeKind::All => NodeKind::Cut,
            NodeKind::Cut => NodeKind::All,
        }
    }
}

/// A count for each kind of node, in the order of [`NodeKind::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByKind(pub [u64; 3]);

impl ByKind {
    /// Adds `n` to the count of `kind`.
    pub fn add(&mut self, kind: NodeKind, n: u64) {
        self.0[kind as usize] += n;
    }
}

impl AddAssign for ByKind {
    fn add_assign(&mut self, other: ByKind) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a += b;
        }
    }
}

/// Look-ups in the transposition table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LookUps {
    /// All of them.
    pub probes: u64,
    /// Those that found the position.
    pub hits: u64,
    /// Those that ended the node.
    pub cutoffs: u64,
}

impl LookUps {
    /// The words used in column names, in the order of [`LookUps::counts`].
    pub const NAMES: [&str; 3] = ["probes", "hits", "cutoffs"];

    /// The counts, in order.
    pub const fn counts(&self) -> [u64; 3] {
        [self.probes, self.hits, self.cutoffs]
    }

    /// Reads back the counts, in order. `None` if a field is missing, too many, or no number.
    pub fn parse<'a>(fields: impl IntoIterator<Item = &'a str>) -> Option<LookUps> {
        let mut fields = fields.into_iter();
        let mut count = || fields.next()?.parse().ok();
        let look_ups = LookUps { probes: count()?, hits: count()?, cutoffs: count()? };
        fields.next().is_none().then_some(look_ups)
    }
}

impl AddAssign<&LookUps> for LookUps {
    fn add_assign(&mut self, other: &LookUps) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.cutoffs += other.cutoffs;
    }
}

/// The look-ups by the plies that were left to search at the node: at 0 those of the quiescence search, at
/// [`ByDepth::DEEPEST`] those that deep or deeper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByDepth([LookUps; ByDepth::DEEPEST + 1]);

impl ByDepth {
    /// From this depth on all are counted together, plies.
    pub const DEEPEST: usize = 31;

    /// Those of nodes with so many plies left, at least 0.
    #[inline]
    pub fn at(&mut self, depth: i32) -> &mut LookUps {
        &mut self.0[(depth as u32 as usize).min(ByDepth::DEEPEST)]
    }

    /// Each depth with its look-ups, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &LookUps)> {
        self.0.iter().enumerate()
    }

    /// Those of all depths.
    pub fn sum(&self) -> LookUps {
        let mut sum = LookUps::default();
        for look_ups in &self.0 {
            sum += look_ups;
        }
        sum
    }
}

impl AddAssign<&ByDepth> for ByDepth {
    fn add_assign(&mut self, other: &ByDepth) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a += b;
        }
    }
}

/// The counters of one worker, or the sum over the workers of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Positions entered, quiescence and aborted ones included.
    pub nodes: u64,
    /// Those of `nodes` entered by the quiescence search.
    pub qnodes: u64,
    /// Time in each state, in the order of [`State::ALL`].
    pub states: [Time; State::COUNT],
    /// Split points made.
    pub splits: ByKind,
    /// Times that a worker joined the split point of another.
    pub joins: ByKind,
    /// Split points that nobody joined.
    pub unjoined: ByKind,
    /// Subtrees given up because a split point above them was cut off, by the kind of that split
    /// point.
    pub aborts: ByKind,
    /// Nodes of those subtrees.
    pub aborted_nodes: ByKind,
    /// Nodes of subtrees that another worker had searched as deeply by the time that they were done: the
    /// table, which did not know when they were begun, knew then.
    pub doubled_nodes: u64,
    /// Look-ups in the transposition table. A worker that searches counts them by depth.
    pub table: LookUps,
}

impl Counters {
    /// The columns of `samples.csv`, in order, without `nodes` and `doubled_nodes`.
    pub fn columns() -> Vec<String> {
        let mut names = vec!["qnodes".to_owned()];
        names.extend(State::ALL.map(|state| format!("{}_s", state.name().replace('-', "_"))));
        for what in ["splits", "joins", "unjoined", "aborts", "aborted_nodes"] {
            names.extend(NodeKind::ALL.map(|kind| format!("{what}_{}", kind.name())));
        }
        names.extend(LookUps::NAMES.map(|what| format!("table_{what}")));
        names
    }

    /// The values of [`Counters::columns`], as they are written.
    pub fn values(&self) -> Vec<String> {
        let mut values = vec![self.qnodes.to_string()];
        values.extend(self.states.iter().map(Time::to_string));
        for what in [self.splits, self.joins, self.unjoined, self.aborts, self.aborted_nodes] {
            values.extend(what.0.iter().map(u64::to_string));
        }
        values.extend(self.table.counts().iter().map(u64::to_string));
        values
    }

    /// Reads back what [`Counters::values`] wrote, in the same order. `None` if a field is
    /// missing, too many, or no number.
    pub fn parse<'a>(nodes: u64, fields: impl IntoIterator<Item = &'a str>) -> Option<Counters> {
        let mut fields = fields.into_iter();
        let mut counters =
            Counters { nodes, qnodes: fields.next()?.parse().ok()?, ..Counters::default() };
        for state in &mut counters.states {
            *state = fields.next()?.parse().ok()?;
        }
        let Counters { splits, joins, unjoined, aborts, aborted_nodes, .. } = &mut counters;
        for kinds in [splits, joins, unjoined, aborts, aborted_nodes] {
            for count in &mut kinds.0 {
                *count = fields.next()?.parse().ok()?;
            }
        }
        counters.table = LookUps::parse(fields)?;
        Some(counters)
    }
}

impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        self.nodes += other.nodes;
        self.qnodes += other.qnodes;
        for (a, b) in self.states.iter_mut().zip(other.states) {
            *a += b;
        }
        self.splits += other.splits;
        self.joins += other.joins;
        self.unjoined += other.unjoined;
        self.aborts += other.aborts;
        self.aborted_nodes += other.aborted_nodes;
        self.doubled_nodes += other.doubled_nodes;
        self.table += &other.table;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_for_every_column() {
        assert_eq!(Counters::columns().len(), Counters::default().values().len());
    }

    #[test]
    fn reads_what_it_writes() {
        let table = LookUps { probes: 8, hits: 7, cutoffs: 0 };
        let mut counters = Counters { nodes: 9, qnodes: 4, table, ..Counters::default() };
        counters.states[State::WaitWork as usize] = Time::from_ps(5_000_000);
        counters.joins.add(NodeKind::All, 3);
        counters.aborted_nodes.add(NodeKind::Cut, 2);
        let values = counters.values();
        assert_eq!(Counters::parse(9, values.iter().map(String::as_str)), Some(counters));
        assert_eq!(Counters::parse(9, values[1..].iter().map(String::as_str)), None);
    }
    #[test]
    fn depths_beyond_the_deepest_are_one() {
        let mut look_ups = ByDepth::default();
        for depth in [0, 3, 31, 32, 200] {
            look_ups.at(depth).probes += 1;
        }
        look_ups.at(3).hits += 1;
        let probes = |depth: usize| look_ups.iter().nth(depth).map(|(_, at)| at.probes);
        assert_eq!([0, 1, 3, 31, 32].map(probes), [Some(1), Some(0), Some(1), Some(3), None]);
        assert_eq!(look_ups.sum(), LookUps { probes: 5, hits: 1, cutoffs: 0 });
    }
}
