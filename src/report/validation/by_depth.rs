//! Virtual over real speedups by depth: where on the way is the simulation off?

use crate::report::Input;
use crate::report::columns::columns;
use crate::report::topics::by_depth::rows::ByDepthPoint;

/// The speedups of one searcher and thread count to one depth, on both sides.
#[derive(Clone, Debug)]
pub(super) struct DepthPair {
    searcher: String,
    threads: usize,
    /// The figures on real cores, and on virtual ones.
    sides: [ByDepthPoint; 2],
}

impl DepthPair {
    /// The geometric-mean speedup of a side; none where censored samples leave it open.
    fn speedup(&self, side: usize) -> Option<f64> {
        self.sides[side].speedup.value.value()
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.speedup(1)? / self.speedup(0)?)
    }
}

/// The depths that both sides know of the same positions, by searcher and thread count.
pub(super) fn pairs([real, simulated]: [&Input; 2]) -> Vec<DepthPair> {
    let mut pairs = Vec::new();
    for of in &real.by_depth {
        let other = simulated.by_depth.iter().find(|other| other.searcher == of.searcher);
        for row in of.rows.iter().filter(|row| !row.oversubscribed) {
            let mut rows = other.into_iter().flat_map(|other| &other.rows);
            let Some(other) = rows.find(|other| other.threads == row.threads) else { continue };
            for point in &row.points {
                let same = |other: &&ByDepthPoint| {
                    (other.depth, other.positions) == (point.depth, point.positions)
                };
                let other = other.points.iter().find(same);
                pairs.extend(other.map(|other| DepthPair {
                    searcher: of.searcher.clone(),
                    threads: row.threads,
                    sides: [*point, *other],
                }));
            }
        }
    }
    pairs
}

columns! {
    /// The columns of `by-depth.csv`.
    pub(super) fn columns<'a>(of: &'a DepthPair);

    /// the row of `validation.csv`
    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "threads" = of.threads, as "threads";
    /// a depth on the way, from 1
    Whole "depth" = usize::from(of.sides[0].depth), as "depth";
    /// positions with a speedup to this depth
    Whole "positions" = of.sides[0].positions, as "positions";
    /// median over positions of the real base's median time to this depth. Below a millisecond
    /// a speedup says little
    Seconds "real_base_s" = of.sides[0].base_s, as "base, s";
    /// geometric means of the speedups to this depth, by the times of `iterations.csv`
    Ratio "real_speedup" = of.speedup(0), as "real";
    Ratio "virtual_speedup" = of.speedup(1), as "virtual";
    /// virtual / real
    Three "ratio" = of.ratio(), as "virtual / real";
}

/// The table of a documentation page that gives the meaning of the columns.
pub(crate) fn columns_page() -> String {
    columns().page()
}
