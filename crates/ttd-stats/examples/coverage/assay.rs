//! The intervals of the ratio of times at equal quality.
//!
//! A search's loss falls with the logarithm of its time, along one line. The cell needs less time
//! to each depth, and its moves are worse at equal depth. So its line lies further to the left, by
//! less than the times differ. A move is the best one, or loses an exponential number of
//! centipawns, 200 at most. How often it does is what falls. Most moves of a position follow one
//! draw of the position, in both searches. The others are drawn anew.

use crate::Found;
use crate::normal::Normal;
use ttd_stats::assay::{Assay, Curve, Figure, Point};
use ttd_stats::fieller::Fieller;
use ttd_stats::{Bounds, assay::NoAssay};

/// The depths that count, and the growth of the logarithm of the time a ply.
const DEPTHS: std::ops::RangeInclusive<u8> = 6..=11;
const GROWTH: f64 = 0.6;
/// The standard deviations of the logarithm of the time: of a position, and of one search of it.
const SPREAD_OF_TIMES: f64 = 0.8;
const SPREAD_OF_SEARCHES: f64 = 0.2;
/// The ratio of times to a depth, and at equal quality.
const TO_DEPTH: f64 = 3.0;
const EQUAL: f64 = 2.4;
/// The mean loss at the time of the base to the first depth, and what e times the time saves.
const LOSS: f64 = 40.0;
const SLOPE: f64 = -8.0;
/// The mean loss of a move that is not the best, and the largest one, in centipawns.
const LOSES: f64 = 80.0;
const MOST: f64 = 200.0;
/// Numbers of positions.
const POSITIONS: [usize; 3] = [300, 1000, 4000];
/// The share of moves that follow the one draw of their position.
const OWN: f64 = 0.7;
/// The stream of these experiments.
const STREAM: u64 = 9;

/// The intervals of one simulated experiment.
pub(crate) fn simulate(number: u64) -> Vec<Found> {
    POSITIONS.into_iter().flat_map(|positions| of_positions(positions, number)).collect()
}

fn of_positions(positions: usize, number: u64) -> Vec<Found> {
    let mut normal = Normal::new(number, STREAM);
    let depths = || DEPTHS.map(|depth| f64::from(depth - DEPTHS.start()));
    let mut curves = [(); 2].map(|()| vec![Vec::new(); depths().count()]);
    for _ in 0..positions {
        let own = SPREAD_OF_TIMES * normal.draw();
        let [hard, much] = [normal.uniform(), normal.uniform()];
        for (which, curve) in curves.iter_mut().enumerate() {
            for (at, depth) in depths().enumerate() {
                // The mean logarithm of the time over all positions, and the loss there.
                let faster = if which == 1 { TO_DEPTH.ln() } else { 0.0 };
                let worse = if which == 1 { EQUAL.ln() } else { 0.0 };
                let mean = GROWTH * depth - faster;
                let mean_loss = LOSS + SLOPE * (mean + worse);
                let is_own = normal.uniform() < OWN;
                let [hard, much] =
                    if is_own { [hard, much] } else { [normal.uniform(), normal.uniform()] };
                let loss =
                    if hard < mean_loss / LOSES { (-LOSES * much.ln()).min(MOST) } else { 0.0 };
                let log_time = mean + own + SPREAD_OF_SEARCHES * normal.draw();
                curve[at].push(Point { log_time, loss });
            }
        }
    }
    let [base, cell] = curves.map(|points| Curve { depths: DEPTHS.collect(), points });
    let name = |what: &str| format!("{positions} positions {what}");
    let found: Result<Assay, NoAssay> = Assay::of(&base, &cell, number);
    let set = |of: fn(&Assay) -> Option<Figure>| {
        found.as_ref().ok().and_then(of).map(|figure| figure.set)
    };
    let sets = [
        ("equal quality", EQUAL, set(|of| Some(of.equal))),
        ("quality", EQUAL / TO_DEPTH, set(|of| of.quality)),
        ("to depth", TO_DEPTH, set(|of| of.to_depth)),
        ("slopes", 1.0, set(|of| Some(of.slopes))),
        ("at the greatest loss", EQUAL, set(|of| Some(of.at_losses[0].1))),
        ("at the least loss", EQUAL, set(|of| Some(of.at_losses[1].1))),
    ];
    sets.into_iter().map(|(what, truth, set)| (name(what), truth, ends(set, truth))).collect()
}

/// The ends of a set. One without ends holds the truth, and is as wide as can be, or does not. Then
/// a point elsewhere stands for it.
fn ends(set: Option<Fieller>, truth: f64) -> Option<Bounds> {
    Some(match set? {
        Fieller::Between(ends) => ends,
        set if set.holds(truth) => Bounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY },
        _ => Bounds::exact(-truth),
    })
}
