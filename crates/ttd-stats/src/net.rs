//! Net speedup: the speedup to depth, without credit for a smaller tree.
//!
//! A parallel search may visit fewer nodes than the search with one thread that it is compared
//! with. Then a part of its speedup is a better search, which one thread could have as well. S is
//! the geometric mean over positions of the speedups to depth. R, the tree ratio, is the one of
//! nodes at N over nodes at 1, over the same positions:
//!
//! ```text
//! net speedup = S x min(1, R)        uncapped = S x R
//! ```
//!
//! - R below 1: net speedup is the speedup at equal trees, N x busy fraction x node rate.
//! - R above 1: the extra nodes are the loss of the search, so net speedup is S itself.
//!
//! The factor is taken of the mean. Position by position, noise of the nodes would bias it. Of two
//! ratios about 1 the smaller one would count and the greater one would not.

use super::bootstrap::{self, Replicates};
use super::{Bounds, Headline, Sweep};

/// The speedup to depth and the tree of one thread count, by geometric means over positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Net {
    /// The speedup to depth.
    pub speedup: Bounds,
    /// The tree ratio: nodes at N over nodes of the base.
    pub tree_ratio: Bounds,
}

impl Net {
    /// From the headline of the times, and the one of the nodes as if they were times.
    fn of(times: &Headline, nodes: &Headline) -> Net {
        let saved = nodes.geometric_mean;
        let tree_ratio = Bounds { lower: 1.0 / saved.upper, upper: 1.0 / saved.lower };
        Net { speedup: times.geometric_mean, tree_ratio }
    }

    /// The net speedup. A censored cell has 0 as its lower end, and the speedup's upper end. With
    /// a censored base it has no upper end.
    pub fn net(&self) -> Bounds {
        product(self.speedup, self.tree_ratio.map(|ratio| ratio.min(1.0)))
    }

    /// The speedup at equal trees, be the tree at N smaller or larger.
    pub fn uncapped(&self) -> Bounds {
        product(self.speedup, self.tree_ratio)
    }
}

fn product(speedup: Bounds, factor: Bounds) -> Bounds {
    // A lower end of 0 stays 0, whatever the other factor may be.
    let lower = if speedup.lower > 0.0 { speedup.lower * factor.lower } else { 0.0 };
    Bounds { lower, upper: speedup.upper * factor.upper }
}

/// The net speedups of a searcher, by thread count.
#[derive(Clone, Debug)]
pub struct NetSpeedups {
    /// The figures; none where no position has a speedup.
    pub figures: Vec<Option<Net>>,
    /// The figures with rounds drawn anew.
    pub by_runs: Replicates<Net>,
    /// The figures with positions drawn anew.
    pub by_positions: Replicates<Net>,
}

impl NetSpeedups {
    /// The net speedups of these times and nodes, which are of equal samples with equal rounds.
    /// The nodes of a censored sample are a lower bound, as its time is.
    pub fn of(times: &Sweep, nodes: &Sweep, seed: u64, replicates: usize) -> NetSpeedups {
        let all: Vec<usize> = (0..times.positions()).collect();
        let (mut of_times, mut of_nodes) = (times.speedups(), nodes.speedups());
        of_times.keep_those_of(&of_nodes);
        of_nodes.keep_those_of(&of_times);
        let figure = |index| {
            let (times, nodes) = (of_times.headline(index, &all)?, of_nodes.headline(index, &all)?);
            Some(Net::of(&times, &nodes))
        };
        // Equal rounds, cells and seeds: replicate by replicate, the two have equal draws.
        let by_runs = [times, nodes].map(|of| bootstrap::resample_runs(of, seed, replicates));
        let by_positions =
            [&of_times, &of_nodes].map(|of| bootstrap::resample_positions(of, seed, replicates));
        let [runs, positions] =
            [by_runs, by_positions].map(|[times, nodes]| times.with(&nodes, Net::of));
        NetSpeedups {
            figures: (0..times.threads.len()).map(figure).collect(),
            by_runs: runs,
            by_positions: positions,
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;
    use crate::Timing::{self, AtLeast, Exact};
    use crate::{Base, Runs};

    fn sweep(one: &[&[Timing]], many: &[&[Timing]]) -> Sweep {
        let row = |cells: &[&[Timing]]| -> Vec<Runs> {
            cells.iter().map(|cell| Runs::from(cell.to_vec())).collect()
        };
        Sweep { threads: vec![1, 4], cells: vec![row(one), row(many)], base: Base::Own(0) }
    }

    fn net(times: &Sweep, nodes: &Sweep) -> Net {
        NetSpeedups::of(times, nodes, 1, 100).figures[1].expect("samples")
    }

    /// Four threads need a quarter of the time, and so many nodes, of one thread's 100.
    fn with_nodes(nodes: [f64; 2]) -> Net {
        let times = sweep(&[&[Exact(8.0)], &[Exact(4.0)]], &[&[Exact(2.0)], &[Exact(1.0)]]);
        let [first, second] = nodes.map(Exact);
        net(&times, &sweep(&[&[Exact(100.0)], &[Exact(100.0)]], &[&[first], &[second]]))
    }

    #[test]
    fn a_smaller_tree_gives_no_credit_and_a_larger_one_is_paid_for() {
        let smaller = with_nodes([50.0, 50.0]);
        assert_eq!((smaller.net(), smaller.uncapped()), (Bounds::exact(2.0), Bounds::exact(2.0)));
        let larger = with_nodes([200.0, 200.0]);
        assert_eq!((larger.net(), larger.uncapped()), (Bounds::exact(4.0), Bounds::exact(8.0)));
    }

    #[test]
    fn the_factor_is_of_the_mean() {
        let mixed = with_nodes([50.0, 200.0]);
        assert!((mixed.tree_ratio.lower - 1.0).abs() < 1e-12);
        assert!((mixed.net().lower - 4.0).abs() < 1e-12, "position by position it would be 2.8");
    }

    #[test]
    fn censored_samples_open_it() {
        let nodes = |one, many| sweep(&[&[one]], &[&[many]]);
        let cell =
            net(&sweep(&[&[Exact(8.0)]], &[&[AtLeast(4.0)]]), &nodes(Exact(100.0), AtLeast(60.0)));
        assert_eq!(cell.net(), Bounds { lower: 0.0, upper: 2.0 });
        let base =
            net(&sweep(&[&[AtLeast(8.0)]], &[&[Exact(4.0)]]), &nodes(AtLeast(100.0), Exact(60.0)));
        assert_eq!(base.net(), Bounds { lower: 0.0, upper: f64::INFINITY });
    }

    #[test]
    fn replicates_have_the_times_and_the_nodes_of_one_draw() {
        // The time of a run is its nodes, so that the uncapped speedup never varies.
        let one: &[Timing] = &[Exact(40.0), Exact(44.0), Exact(60.0)];
        let many: &[Timing] = &[Exact(10.0), Exact(30.0), Exact(11.0)];
        let of = sweep(&[one, many], &[many, one]);
        let all = NetSpeedups::of(&of, &of, 3, 200);
        for replicates in [&all.by_runs, &all.by_positions] {
            assert_eq!(replicates.headlines[1].len(), 200);
            let same = |net: &Net| (net.uncapped().lower - 1.0).abs() < 1e-12;
            assert!(replicates.headlines[1].iter().all(same));
        }
    }

    #[test]
    fn the_base_itself_is_one() {
        let of = sweep(&[&[Exact(8.0)]], &[&[Exact(2.0)]]);
        let base = NetSpeedups::of(&of, &of, 1, 100).figures[0].expect("samples");
        assert_eq!((base.net(), base.tree_ratio), (Bounds::exact(1.0), Bounds::exact(1.0)));
    }
}
