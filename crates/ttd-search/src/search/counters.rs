//! The counters of a worker, from which the account is made.

use crate::cores::{State, Time};
use crate::wire::Portable;
use crate::words::words;
use std::ops::AddAssign;

words! {
    /// The kind of a node, as alpha-beta expects it (Knuth and Moore's types 1, 2 and 3). Columns
    /// of files are in this order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NodeKind {
        /// On the principal variation: an open window.
        Pv = "pv",
        /// A child is expected to reach beta.
        Cut = "cut",
        /// No child is expected to reach alpha.
        All = "all",
    }
}

impl NodeKind {
    /// The kind that is expected of the first child.
    #[must_use]
    pub const fn eldest_child(self) -> NodeKind {
        match self {
            NodeKind::Pv => NodeKind::Pv,
            NodeKind::Cut => NodeKind::All,
            NodeKind::All => NodeKind::Cut,
        }
    }

    /// The kind that is expected of a child searched with a null window.
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
    /// The counts of all kinds, added up.
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds `n` to the count of `kind`.
    pub fn add(&mut self, kind: NodeKind, n: u64) {
        self.0[kind as usize] += n;
    }
}

impl Portable for ByKind {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<ByKind> {
        Portable::take(bytes).map(ByKind)
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
    /// All look-ups.
    pub probes: u64,
    /// The look-ups that found the position.
    pub hits: u64,
    /// The look-ups that ended the node.
    pub cutoffs: u64,
}

impl Portable for LookUps {
    fn put(&self, bytes: &mut Vec<u8>) {
        [self.probes, self.hits, self.cutoffs].put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<LookUps> {
        let [probes, hits, cutoffs] = Portable::take(bytes)?;
        Some(LookUps { probes, hits, cutoffs })
    }
}

impl AddAssign<&LookUps> for LookUps {
    fn add_assign(&mut self, other: &LookUps) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.cutoffs += other.cutoffs;
    }
}

/// The look-ups by depth: the plies that were left to search at the node.
///
/// Depth 0 holds the look-ups of the quiescence search. [`ByDepth::DEEPEST`] holds all look-ups
/// from that depth on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByDepth([LookUps; ByDepth::DEEPEST + 1]);

impl ByDepth {
    /// The depth from which on all look-ups are counted together, plies.
    pub const DEEPEST: usize = 31;

    /// The look-ups at nodes with `depth` plies left, at least 0.
    #[inline]
    pub fn at(&mut self, depth: i32) -> &mut LookUps {
        &mut self.0[(depth as u32 as usize).min(ByDepth::DEEPEST)]
    }

    /// The look-ups of each depth, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &LookUps)> {
        self.0.iter().enumerate()
    }

    /// The look-ups of all depths.
    pub fn sum(&self) -> LookUps {
        let mut sum = LookUps::default();
        for look_ups in &self.0 {
            sum += look_ups;
        }
        sum
    }
}

impl Portable for ByDepth {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<ByDepth> {
        Portable::take(bytes).map(ByDepth)
    }
}

impl AddAssign<&ByDepth> for ByDepth {
    fn add_assign(&mut self, other: &ByDepth) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a += b;
        }
    }
}

/// A counter of some numbers. Each number is a column of `samples.csv` and of `workers.csv`.
trait Figures {
    /// The names of the columns; `key` is the name of the counter.
    fn names(key: &str) -> Vec<String>;
    /// The text of one number.
    fn text(&self, at: usize) -> String;
    /// Reads one number back; none if the text is no such number.
    fn read(&mut self, at: usize, text: &str) -> Option<()>;
    /// Adds another counter.
    fn sum(&mut self, others: &Self);
}

impl Figures for u64 {
    fn names(key: &str) -> Vec<String> {
        vec![key.to_owned()]
    }

    fn text(&self, _at: usize) -> String {
        self.to_string()
    }

    fn read(&mut self, _at: usize, text: &str) -> Option<()> {
        *self = text.parse().ok()?;
        Some(())
    }

    fn sum(&mut self, others: &u64) {
        *self += others;
    }
}

/// The times in the order of [`State::ALL`].
impl Figures for [Time; State::COUNT] {
    fn names(_key: &str) -> Vec<String> {
        State::ALL.map(|state| format!("{}_s", state.name().replace('-', "_"))).to_vec()
    }

    fn text(&self, at: usize) -> String {
        self[at].to_string()
    }

    fn read(&mut self, at: usize, text: &str) -> Option<()> {
        self[at] = text.parse().ok()?;
        Some(())
    }

    fn sum(&mut self, others: &[Time; State::COUNT]) {
        for (a, b) in self.iter_mut().zip(others) {
            *a += *b;
        }
    }
}

impl Figures for ByKind {
    fn names(key: &str) -> Vec<String> {
        NodeKind::ALL.map(|kind| format!("{key}_{}", kind.name())).to_vec()
    }

    fn text(&self, at: usize) -> String {
        self.0[at].to_string()
    }

    fn read(&mut self, at: usize, text: &str) -> Option<()> {
        self.0[at].read(0, text)
    }

    fn sum(&mut self, others: &ByKind) {
        *self += *others;
    }
}

impl Figures for LookUps {
    fn names(key: &str) -> Vec<String> {
        ["probes", "hits", "cutoffs"].map(|what| format!("{key}_{what}")).to_vec()
    }

    fn text(&self, at: usize) -> String {
        [self.probes, self.hits, self.cutoffs][at].to_string()
    }

    fn read(&mut self, at: usize, text: &str) -> Option<()> {
        [&mut self.probes, &mut self.hits, &mut self.cutoffs][at].read(0, text)
    }

    fn sum(&mut self, others: &LookUps) {
        *self += others;
    }
}

type Write = Box<dyn Fn(&Counters) -> String>;
type Read = Box<dyn Fn(&mut Counters, &str) -> Option<()>>;

/// A column of the counters of a worker or a sample.
pub struct Counter {
    /// The name in the header of a file.
    pub name: String,
    /// The meaning in words, for a page.
    pub meaning: &'static str,
    /// The number of the addition to the files that brought the column; 0 for the first columns.
    pub added: u8,
    /// The text of the value.
    pub text: Write,
    /// Reads the value back; none if the text is no such number.
    pub read: Read,
}

/// Declares the counters.
///
/// The documentation of each one is its text in docs/formats.md. Its columns, its sum over workers
/// and its place in files follow from the declaration. Counters `from` an addition are missing in
/// files written before it.
macro_rules! counters {
    ($($(#[doc = $meaning:literal])+ $key:ident: $type:ty $(, from $added:literal)?;)*) => {
        /// The counters of one worker, or the sum over the workers of a sample.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            /// Positions entered, including those of the quiescence search and aborted ones.
            pub nodes: u64,
            $($(#[doc = $meaning])+ pub $key: $type,)*
        }

        impl Counters {
            /// The newest addition to the files that brought a counter.
            pub const ADDITIONS: u8 = {
                let (all, mut newest, mut at) = ([0, $($($added,)?)*], 0, 0);
                while at < all.len() {
                    newest = if all[at] > newest { all[at] } else { newest };
                    at += 1;
                }
                newest
            };

            /// The columns, in order, without `nodes`.
            pub fn columns() -> Vec<Counter> {
                let mut all = Vec::new();
                $(for (at, name) in <$type as Figures>::names(stringify!($key)).into_iter().enumerate() {
                    all.push(Counter {
                        name,
                        meaning: concat!($($meaning),+).trim_ascii(),
                        added: [$($added,)? 0][0],
                        text: Box::new(move |counters: &Counters| counters.$key.text(at)),
                        read: Box::new(move |counters, text| counters.$key.read(at, text)),
                    });
                })*
                all
            }
        }

        impl Portable for Counters {
            fn put(&self, bytes: &mut Vec<u8>) {
                self.nodes.put(bytes);
                $(self.$key.put(bytes);)*
            }

            fn take(bytes: &mut &[u8]) -> Option<Counters> {
                Some(Counters {
                    nodes: Portable::take(bytes)?,
                    $($key: Portable::take(bytes)?,)*
                })
            }
        }

        impl AddAssign<&Counters> for Counters {
            fn add_assign(&mut self, other: &Counters) {
                self.nodes += other.nodes;
                $(self.$key.sum(&other.$key);)*
            }
        }
    };
}

counters! {
    /// positions of `nodes` that the quiescence search entered
    qnodes: u64;
    /// time in each state. The times of all workers of a sample sum to `threads` x `time_s`
    states: [Time; State::COUNT];
    /// split points made, by kind of node
    splits: ByKind;
    /// times that a worker joined the split point of another, by kind of node
    joins: ByKind;
    /// split points that nobody joined, by kind of node
    unjoined: ByKind;
    /// subtrees given up because a split point above was cut off, by the kind of that split point
    aborts: ByKind;
    /// nodes of these subtrees, and (as `pv`) of iterations that a deeper one made needless
    aborted_nodes: ByKind;
    /// look-ups in the transposition table; look-ups that found the position; look-ups that ended
    /// the node
    table: LookUps;
    /// nodes of subtrees that another worker had searched as deeply when they were done. The table
    /// knew the result then, but not when they were begun. Files written before it was counted lack
    /// the column
    doubled_nodes: u64, from 1;
    /// nodes that idle workers searched on speculation beside the tree. No searcher of this program
    /// does so yet. Files written before it was counted lack the column
    speculative_nodes: u64, from 3;
    /// messages sent to other workers, where these meet by messages alone. Files written before
    /// they were counted lack the column
    messages: u64, from 4;
    /// bytes of these messages. Files written before they were counted lack the column
    message_bytes: u64, from 4;
    /// torn entries that look-ups met in a naked table. Older files lack the column
    torn_slots: u64, from 5;
    /// look-ups that took a torn entry for a whole one. Older files lack the column
    torn_reads: u64, from 5;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let table = LookUps { probes: 8, hits: 7, cutoffs: 0 };
        let mut counters = Counters { qnodes: 4, table, doubled_nodes: 5, ..Counters::default() };
        counters.states[State::WaitWork as usize] = Time::from_ps(5_000_000);
        counters.joins.add(NodeKind::All, 3);
        counters.aborted_nodes.add(NodeKind::Cut, 2);
        let mut again = Counters::default();
        for column in Counters::columns() {
            let text = (column.text)(&counters);
            assert_eq!((column.read)(&mut again, &text), Some(()), "{}", column.name);
            assert_eq!((column.read)(&mut again, "many"), None, "{}", column.name);
        }
        assert_eq!(again, counters);
        assert_eq!(Counters::take(&mut &counters.packed()[..]), Some(counters));
        let mut sum = counters;
        sum += &counters;
        assert_eq!((sum.qnodes, sum.table.hits, sum.joins.0), (8, 14, [0, 0, 6]));
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
        assert_eq!(ByDepth::take(&mut &look_ups.packed()[..]), Some(look_ups));
        assert_eq!(look_ups.sum(), LookUps { probes: 5, hits: 1, cutoffs: 0 });
    }
}
