//! The price of an engine's instructions on virtual cores.
//!
//! A search of one thread visits the same nodes there and here. So the price is the time that it
//! takes here over the instructions that it counts there.

use super::costs::CalibrationError;
use crate::uci::{
    Engine, EngineCores, EngineSpec, Fault, Go, GracePeriods, Limit, Place, Reply, Virtually,
    Watch, What,
};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use ttd_search::positions::TestPosition;

/// The price with which searches are counted, in picoseconds.
const TRIAL_PS: u64 = 1_000;
/// The least time of a search, where no depth was asked for, in seconds.
const LONG_ENOUGH_S: f64 = 0.2;
/// The deepest search, where no depth was asked for.
const DEEPEST: u8 = 40;
/// The depth at which the first position begins, and so many plies less than the one before.
const STEP_BACK: u8 = 4;
/// A time that is measured to about a percent, in seconds.
const PRECISE_S: f64 = 0.02;
/// The time of the host after which a search on virtual cores has failed.
const HOST_LIMIT: Duration = Duration::from_mins(10);

/// An engine whose price is wanted, and the searches for it.
#[derive(Clone, Debug)]
pub struct Pricing<'a> {
    /// The engine with a hook.
    pub hooked: EngineSpec,
    /// The engine whose time is taken on this machine: a build without the hook, or the same one.
    pub plain: EngineSpec,
    /// The program that starts another one on virtual cores.
    pub runner: PathBuf,
    /// The positions.
    pub positions: &'a [TestPosition],
    /// The depth of each search. Without it each position has the first depth that takes 0.2 s.
    pub depth: Option<u8>,
    /// Size of the table in MiB.
    pub hash_mib: usize,
    /// The number of searches on this machine, of which the median counts (at least 1).
    pub runs: u32,
}

/// The searches of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Priced {
    /// The id of the position.
    pub position: String,
    /// The depth.
    pub depth: u8,
    /// The nodes that the engine told here, and on virtual cores.
    pub nodes: [u64; 2],
    /// The time here, in seconds.
    pub plain_s: f64,
    /// The time on virtual cores at a price of 1000 ps, in seconds.
    pub virtual_s: f64,
}

impl Priced {
    /// The price with which both times are equal, in picoseconds.
    pub fn price_ps(&self) -> f64 {
        TRIAL_PS as f64 * self.plain_s / self.virtual_s
    }
}

/// The price of an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    /// The positions, at least one.
    pub positions: Vec<Priced>,
}

impl Price {
    fn logarithms(&self) -> impl Iterator<Item = f64> {
        self.positions.iter().map(|of| of.price_ps().ln())
    }

    /// The geometric mean over positions, in whole picoseconds.
    pub fn price_ps(&self) -> u64 {
        let mean = self.logarithms().sum::<f64>() / self.positions.len() as f64;
        (mean.exp().round() as u64).max(1)
    }

    /// By how much the price of a position differs from the mean: the geometric standard deviation,
    /// less 1. None of a single position.
    pub fn spread(&self) -> Option<f64> {
        let count = self.positions.len() as f64;
        let mean = self.logarithms().sum::<f64>() / count;
        let squares: f64 = self.logarithms().map(|log| (log - mean).powi(2)).sum();
        (count > 1.0).then(|| (squares / (count - 1.0)).sqrt().exp() - 1.0)
    }

    /// The least and the greatest price of a position, in picoseconds.
    pub fn range_ps(&self) -> [f64; 2] {
        let prices = || self.positions.iter().map(Priced::price_ps);
        [prices().fold(f64::INFINITY, f64::min), prices().fold(0.0, f64::max)]
    }

    /// The reasons to doubt the price, one line for each.
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        let others = self.positions.iter().filter(|of| of.nodes[0] != of.nodes[1]);
        doubts.extend(others.map(|Priced { position, nodes: [here, there], .. }| {
            format!(
                "{position}: {here} nodes here, {there} on virtual cores: two searches, so that \
                 their times are not those of one"
            )
        }));
        let short = self.positions.iter().filter(|of| of.plain_s < PRECISE_S);
        doubts.extend(short.map(|Priced { position, plain_s, .. }| {
            format!("{position}: {:.1} ms are too short to be measured", 1e3 * plain_s)
        }));
        doubts
    }
}

/// Measures the price of an engine. `said` is told each position as it begins.
///
/// # Errors
/// If an engine does not start or search, if no search is long enough, or if `interrupt` is set.
pub fn price(
    pricing: &Pricing<'_>,
    interrupt: &AtomicBool,
    mut said: impl FnMut(&str),
) -> Result<Price, CalibrationError> {
    let virtually = Virtually {
        runner: pricing.runner.clone(),
        seed: 1,
        cores: EngineCores::default(),
        host_limit: HOST_LIMIT,
    };
    let price_ps = Some(TRIAL_PS);
    let hooked = EngineSpec { virtually: Some(virtually), price_ps, ..pricing.hooked.clone() };
    let site = Site { hash_mib: pricing.hash_mib, interrupt };
    let (mut positions, mut first) = (Vec::new(), 1);
    for (number, position) in (1..).zip(pricing.positions) {
        said(&format!("position {number} of {}: {}", pricing.positions.len(), position.id));
        let found = match pricing.depth {
            Some(depth) => Some(depth),
            None => site.long_enough(&pricing.plain, position, first)?,
        };
        let Some(depth) = found else {
            said(&format!("{} is left out: its searches end early", position.id));
            continue;
        };
        first = depth.saturating_sub(STEP_BACK).max(1);
        let there = site.search(&hooked, position, depth)?;
        let (mut times, mut nodes) = (Vec::new(), 0);
        for _ in 0..pricing.runs {
            let here = site.search(&pricing.plain, position, depth)?;
            times.push(here.elapsed.as_secs_f64());
            nodes = here.nodes.unwrap_or(0);
        }
        times.sort_by(f64::total_cmp);
        let virtual_s = there.elapsed.as_secs_f64();
        if virtual_s <= 0.0 {
            return Err(CalibrationError::Failed(format!(
                "{}: its search takes no virtual time, so that its hook counts nothing",
                position.id
            )));
        }
        positions.push(Priced {
            position: position.id.clone(),
            depth,
            nodes: [nodes, there.nodes.unwrap_or(0)],
            plain_s: times[times.len() / 2],
            virtual_s,
        });
    }
    if positions.is_empty() { Err(CalibrationError::TooLittle) } else { Ok(Price { positions }) }
}

/// The conditions of a search.
struct Site<'a> {
    hash_mib: usize,
    interrupt: &'a AtomicBool,
}

impl Site<'_> {
    /// Searches on one thread of a new process.
    fn search(
        &self,
        spec: &EngineSpec,
        position: &TestPosition,
        depth: u8,
    ) -> Result<Reply, CalibrationError> {
        if self.interrupt.load(Relaxed) {
            return Err(CalibrationError::Interrupted);
        }
        let searched = || -> Result<Reply, Fault> {
            let mut engine = Engine::start(spec, GracePeriods::default(), &[])?;
            engine.configure(1, self.hash_mib)?;
            engine.new_game()?;
            let place = Place { start: &position.board, moves: &[] };
            let go = Go { place, limit: Limit::Depth(depth), deadline: None, among: &[] };
            engine.search(&go, &mut |_| Watch::On, self.interrupt)
        };
        searched().map_err(|fault| {
            if fault.what == What::Interrupted {
                return CalibrationError::Interrupted;
            }
            let place = if spec.virtually.is_some() { " on virtual cores" } else { "" };
            let name = spec.command.first().unwrap_or(&spec.name);
            CalibrationError::Failed(format!("`{name}`{place}: {}", fault.with_advice()))
        })
    }

    /// The first depth from this one on whose search takes long enough; none if none does.
    fn long_enough(
        &self,
        spec: &EngineSpec,
        position: &TestPosition,
        first: u8,
    ) -> Result<Option<u8>, CalibrationError> {
        for depth in first..=DEEPEST {
            let reply = self.search(spec, position, depth)?;
            if reply.elapsed.as_secs_f64() >= LONG_ENOUGH_S {
                return Ok(Some(depth));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn priced(plain_s: f64, virtual_s: f64) -> Priced {
        Priced { position: "x".to_owned(), depth: 9, nodes: [7, 7], plain_s, virtual_s }
    }

    #[test]
    fn a_price_makes_both_times_equal() {
        let price = Price { positions: vec![priced(0.433, 2.4)] };
        assert_eq!((price.price_ps(), price.spread()), (180, None));
        // 100 and 400 ps: the mean is 200, and each lies a factor of 2 away from it.
        let price = Price { positions: vec![priced(0.1, 1.0), priced(0.8, 2.0)] };
        assert_eq!(price.price_ps(), 200);
        let deviation = 2f64.powf(2f64.sqrt()) - 1.0;
        assert!(price.spread().is_some_and(|spread| (spread - deviation).abs() < 1e-9));
        let [least, most] = price.range_ps();
        assert!((least - 100.0).abs() < 1e-9 && (most - 400.0).abs() < 1e-9);
        assert!(price.doubts().is_empty());
    }

    #[test]
    fn other_searches_and_short_ones_are_doubted() {
        let other = Priced { nodes: [7, 8], ..priced(0.3, 1.0) };
        let doubts = Price { positions: vec![other, priced(0.001, 0.01)] }.doubts();
        assert!(doubts[0].starts_with("x: 7 nodes here, 8 on virtual cores"), "{doubts:?}");
        assert!(doubts[1].contains("1.0 ms are too short") && doubts.len() == 2, "{doubts:?}");
    }
}
