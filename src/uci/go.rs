//! The task of a search for an engine: where, and how far; and whether an engine keeps to it.

use cozy_chess::{Board, Move};
use std::fmt;
use std::time::Duration;

/// Where a search starts.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The position in which the game begins.
    pub start: &'a Board,
    /// The moves played since `start`, all legal.
    pub moves: &'a [Move],
}

impl Place<'_> {
    /// The position after these moves.
    pub fn board(&self) -> Board {
        let mut board = self.start.clone();
        for &mv in self.moves {
            board.play(mv);
        }
        board
    }
}

/// The limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// To the end of the iteration of this depth.
    Depth(u8),
    /// About this number of nodes.
    Nodes(u64),
    /// This time.
    MoveTime(Duration),
    /// As long as the engine likes, with these clocks.
    Clock {
        /// The time that White and Black have left.
        left: [Duration; 2],
        /// The time that White and Black get for each move.
        increment: [Duration; 2],
        /// The moves until the clocks are set anew, if that will happen.
        moves_to_go: Option<u32>,
    },
    /// Until `stop`.
    Infinite,
}

/// A search.
#[derive(Clone, Copy, Debug)]
pub struct Go<'a> {
    /// Where it starts.
    pub place: Place<'a>,
    /// How far it goes.
    pub limit: Limit,
    /// The time since `go` at which the engine is told to stop; never, if there is none.
    pub deadline: Option<Duration>,
    /// The moves that are searched, all legal; every legal one, if none is named. An engine of the
    /// `XBoard` protocol cannot be told them.
    pub among: &'a [Move],
}

/// An engine is judged by this number of its searches.
const FIRST: usize = 8;

/// Whether an engine keeps to limits of nodes or depth, by what it tells of its first searches.
///
/// A search is far off if the engine told more than twice as much as was asked for. It is also if
/// it told less than half of the depth, or less than a tenth of the nodes. So few nodes, since the
/// last report may be of the iteration before the one that the limit ended. An iteration mostly
/// takes several times the nodes of all before it.
#[derive(Clone, Debug, Default)]
pub struct KeptLimits {
    /// The searches so far: what was asked for, and what was told.
    first: Vec<(u64, u64)>,
}

/// A limit that an engine does not keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenLimit {
    /// Whether depths are meant. Otherwise it is nodes.
    pub is_depth: bool,
    /// The depth or nodes that the engine was asked for.
    pub asked: u64,
    /// The depth or nodes that it told: in the search that was the median of those far off.
    pub told: u64,
    /// The number of searches that were far off, on the side of this one.
    pub searches: usize,
}

impl KeptLimits {
    /// Adds a search with this limit, and the depth or nodes that the engine told of it. Other
    /// limits, a told 0, and searches after the first eight change nothing. Returns the limit with
    /// the eighth search if five told far too little, or five far too much.
    pub fn add(&mut self, limit: Limit, told: u64) -> Option<BrokenLimit> {
        let (asked, is_depth) = match limit {
            Limit::Depth(depth) => (u64::from(depth), true),
            Limit::Nodes(nodes) => (nodes, false),
            _ => return None,
        };
        if self.first.len() == FIRST || told == 0 {
            return None;
        }
        self.first.push((asked, told));
        if self.first.len() < FIRST {
            return None;
        }
        let least = |asked: u64| asked.div_ceil(if is_depth { 2 } else { 10 });
        let low = |&(asked, told): &(u64, u64)| told < least(asked);
        let high = |&(asked, told): &(u64, u64)| told > asked.saturating_mul(2);
        let of_kind = |is_far: &dyn Fn(&(u64, u64)) -> bool| -> Vec<(u64, u64)> {
            self.first.iter().copied().filter(|search| is_far(search)).collect()
        };
        let mut far =
            [of_kind(&low), of_kind(&high)].into_iter().find(|far| far.len() * 2 > FIRST)?;
        far.sort_by_key(|&(asked, told)| u128::from(told) * (1 << 64) / u128::from(asked.max(1)));
        let (asked, told) = far[far.len() / 2];
        Some(BrokenLimit { is_depth, asked, told, searches: far.len() })
    }
}

impl fmt::Display for BrokenLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BrokenLimit { is_depth, asked, told, searches } = self;
        let (before, behind) = if *is_depth { ("depth ", "") } else { ("", " nodes") };
        write!(
            f,
            "asked for {before}{asked}{behind}, it tells {told} (median of the {searches} of its \
             first {FIRST} searches that are far off)"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words after searches with this limit, of which these nodes or depths were told.
    fn said(limit: Limit, told: &[u64]) -> Option<String> {
        let mut kept = KeptLimits::default();
        let broken: Vec<_> = told.iter().filter_map(|&told| kept.add(limit, told)).collect();
        assert!(broken.len() < 2, "it is told once");
        broken.first().map(BrokenLimit::to_string)
    }

    #[test]
    fn five_of_eight_searches_are_far_from_the_limit() {
        let nodes = Limit::Nodes(1_000);
        let told = said(nodes, &[99, 1_000, 99, 99, 1_000, 99, 99, 1_000]).expect("broken");
        let median = "asked for 1000 nodes, it tells 99 (median of the 5 of its first 8 searches \
                      that are far off)";
        assert_eq!(told, median);
        // Two near ones lie between the kinds.
        let told = said(nodes, &[1_000, 2, 9_000, 3, 4, 1_000, 6, 7]).expect("broken");
        assert!(told.starts_with("asked for 1000 nodes, it tells 4 (median of the 5"), "{told}");
        let told = said(nodes, &[9_000, 9_001, 9_002, 1, 9_003, 1, 9_004, 9_005]).expect("broken");
        assert!(told.starts_with("asked for 1000 nodes, it tells 9003 (median of the 6"), "{told}");
        // Four of each kind; and none that says nothing.
        assert_eq!(said(nodes, &[99, 9_000, 99, 9_000, 99, 9_000, 99, 9_000]), None);
        assert_eq!(said(nodes, &[0; 9]), None);
        // Four of eight, seven searches, and some that come too late.
        assert_eq!(said(nodes, &[99, 1_000, 99, 99, 1_000, 1_000, 99, 1_000]), None);
        assert_eq!(said(nodes, &[99; 7]), None);
        assert_eq!(said(nodes, &[[1_000; 8], [99; 8]].concat()), None);
        assert_eq!(said(Limit::Infinite, &[99; 9]), None);
    }

    #[test]
    fn the_bounds_are_twice_and_half_or_a_tenth() {
        for (limit, near, far) in [
            (Limit::Nodes(1_000), [100, 2_000], [99, 2_001]),
            (Limit::Depth(7), [4, 14], [3, 15]),
            (Limit::Depth(1), [1, 2], [3, 4]),
            (Limit::Nodes(u64::MAX), [u64::MAX / 10 + 1, u64::MAX], [1, 2]),
        ] {
            for told in near {
                assert_eq!(said(limit, &[told; 8]), None, "{limit:?} {told}");
            }
            for told in far {
                assert!(said(limit, &[told; 8]).is_some(), "{limit:?} {told}");
            }
        }
    }
}
