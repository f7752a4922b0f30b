//! The price of an engine's instructions on virtual cores.
//!
//! A search of one thread visits the same nodes there and here. So the price is the time that it
//! takes here over the instructions that it counts there.

use super::costs::CalibrationError;
use crate::uci::{
    Engine, EngineSpec, Fault, Go, GracePeriods, Limit, Place, Reply, Virtually, Watch, What,
    emulator,
};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use ttd_search::positions::TestPosition;
use ttd_stats::summary;

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

/// An engine whose price is wanted, and the searches for it.
#[derive(Clone, Debug)]
pub struct Pricing<'a> {
    /// The engine with a hook, or one without whose instructions qemu counts.
    pub hooked: EngineSpec,
    /// The engine whose time is taken on this machine, if it is a build without the hook; else that
    /// of the first one.
    pub plain: Option<EngineSpec>,
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
    /// The time of the host's clock after which a search has failed.
    pub host_limit: Duration,
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

/// The reason why a position does not count.
enum Doubt {
    OtherNodes,
    Short,
}

impl Priced {
    /// The price with which both times are equal, in picoseconds.
    pub fn price_ps(&self) -> f64 {
        TRIAL_PS as f64 * self.plain_s / self.virtual_s
    }

    fn doubt(&self) -> Option<Doubt> {
        let [here, there] = self.nodes;
        let is_short = self.plain_s < PRECISE_S;
        if here == there { is_short.then_some(Doubt::Short) } else { Some(Doubt::OtherNodes) }
    }

    /// The reason why the position does not count for the price, in words; none if it counts.
    pub fn left_out(&self) -> Option<String> {
        let Priced { position, nodes: [here, there], plain_s, .. } = self;
        Some(match self.doubt()? {
            Doubt::OtherNodes => format!(
                "{position} does not count: {here} nodes here, {there} on virtual cores are two \
                 searches, so that their times are not those of one"
            ),
            Doubt::Short => format!(
                "{position} does not count: {:.1} ms are too short to be measured",
                1e3 * plain_s
            ),
        })
    }
}

/// The price of an engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    positions: Vec<Priced>,
    /// The reasons of the positions that were left out before.
    left_out: Vec<String>,
    /// Whether a build without a hook was timed.
    is_plain: bool,
}

impl Price {
    /// The price over these positions; others were left out for these reasons. `is_plain` says that
    /// a build without a hook was timed.
    ///
    /// # Errors
    /// If none of them counts: there is none, or each has a reason to be left out.
    pub fn of(
        positions: Vec<Priced>,
        left_out: Vec<String>,
        is_plain: bool,
    ) -> Result<Price, CalibrationError> {
        if positions.iter().any(|of| of.doubt().is_none()) {
            return Ok(Price { positions, left_out, is_plain });
        }
        let reasons: Vec<String> = positions.iter().filter_map(Priced::left_out).collect();
        let mut what = "no position is left to find a price with".to_owned();
        if positions.iter().all(|of| matches!(of.doubt(), Some(Doubt::Short))) {
            what += ": give longer searches (a greater --depth) or other positions";
        }
        Err(CalibrationError::Failed([vec![what], left_out, reasons].concat().join("\n")))
    }

    /// The positions, at least one. [`Priced::left_out`] tells which do not count.
    pub fn positions(&self) -> &[Priced] {
        &self.positions
    }

    /// The prices of the positions that count, at least one.
    fn prices(&self) -> impl Iterator<Item = f64> {
        self.positions.iter().filter(|of| of.doubt().is_none()).map(Priced::price_ps)
    }

    fn logarithms(&self) -> Vec<f64> {
        self.prices().map(f64::ln).collect()
    }

    /// The number of positions that count, at least 1.
    pub fn counted(&self) -> usize {
        self.prices().count()
    }

    /// The geometric mean over the positions that count, in whole picoseconds.
    pub fn price_ps(&self) -> u64 {
        let mean = self.logarithms().iter().sum::<f64>() / self.counted() as f64;
        (mean.exp().round() as u64).max(1)
    }

    /// By how much the price of a position differs from the mean: the geometric standard deviation,
    /// less 1. None of a single position.
    pub fn spread(&self) -> Option<f64> {
        let (logs, count) = (self.logarithms(), self.counted() as f64);
        let mean = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        (count > 1.0).then(|| (squares / (count - 1.0)).sqrt().exp() - 1.0)
    }

    /// The least and the greatest price of a position that counts, in picoseconds.
    pub fn range_ps(&self) -> [f64; 2] {
        [self.prices().fold(f64::INFINITY, f64::min), self.prices().fold(0.0, f64::max)]
    }

    /// The reasons to doubt the price, one line for each.
    pub fn doubts(&self) -> Vec<String> {
        let hooked = (!self.is_plain).then(|| {
            "the times are those of the program with its hook, which slows it: `plain=` names a \
             build without it"
                .to_owned()
        });
        let short = self.positions.iter().filter_map(Priced::left_out);
        hooked.into_iter().chain(self.left_out.iter().cloned()).chain(short).collect()
    }
}

/// Measures the price of an engine. `said` is told each position as it begins.
///
/// # Errors
/// If an engine does not start or search, if no position counts, or if `interrupt` is set. Also if
/// a search is too long before any position has a price.
pub fn price(
    pricing: &Pricing<'_>,
    interrupt: &AtomicBool,
    mut said: impl FnMut(&str),
) -> Result<Price, CalibrationError> {
    let host_limit = pricing.host_limit;
    let virtually = Virtually { host_limit, ..Virtually::new(pricing.runner.clone(), 1) };
    let price_ps = Some(TRIAL_PS);
    let hooked = EngineSpec { virtually: Some(virtually), price_ps, ..pricing.hooked.clone() };
    let plain = pricing.plain.as_ref().unwrap_or(&pricing.hooked);
    let plain = EngineSpec { price_ps: None, ..plain.clone() };
    let site = Site { hash_mib: pricing.hash_mib, host_limit, interrupt };
    // One that cannot run on virtual cores is refused before anything is measured.
    Engine::start(&hooked, GracePeriods::default(), &[])
        .map_err(|fault| failed(&hooked, &fault))?;
    let (mut positions, mut left_out, mut first) = (Vec::new(), Vec::new(), 1);
    for (number, position) in (1..).zip(pricing.positions) {
        said(&format!("position {number} of {}: {}", pricing.positions.len(), position.id));
        match site.priced([&hooked, &plain], position, (pricing, first)) {
            Ok(priced) => {
                first = priced.depth.saturating_sub(STEP_BACK).max(1);
                positions.push(priced);
            }
            // One of which nothing is known may stand still in all positions.
            Err(Unpriced::TooLong(why)) if positions.is_empty() => {
                return Err(CalibrationError::Failed(why));
            }
            Err(Unpriced::EndsEarly(why) | Unpriced::TooLong(why)) => {
                let why = format!("{} is left out: {why}", position.id);
                said(&why);
                left_out.push(why);
            }
            Err(Unpriced::Ended(why)) => return Err(why),
        }
    }
    let is_plain = pricing.plain.is_some() || emulator(&pricing.runner, &hooked.command).is_some();
    Price::of(positions, left_out, is_plain)
}

/// The reason why a position has no price.
enum Unpriced {
    /// No depth takes long enough, in these words.
    EndsEarly(String),
    /// A search takes longer than the host's limit, in these words.
    TooLong(String),
    /// The calibration ends.
    Ended(CalibrationError),
}

/// The conditions of a search.
struct Site<'a> {
    hash_mib: usize,
    host_limit: Duration,
    interrupt: &'a AtomicBool,
}

impl Site<'_> {
    /// Times the searches of a position, on virtual cores and here. `first` is the first depth that
    /// may take long enough.
    fn priced(
        &self,
        [hooked, plain]: [&EngineSpec; 2],
        position: &TestPosition,
        (pricing, first): (&Pricing<'_>, u8),
    ) -> Result<Priced, Unpriced> {
        let depth = match pricing.depth {
            Some(depth) => depth,
            None => self.long_enough(plain, position, first)?,
        };
        let there = self.search(hooked, position, depth)?;
        let (mut times, mut nodes) = (Vec::new(), 0);
        for _ in 0..pricing.runs {
            let here = self.search(plain, position, depth)?;
            times.push(here.elapsed.as_secs_f64());
            nodes = here.nodes.unwrap_or(0);
        }
        let plain_s = summary::median(&times).unwrap_or_default();
        let virtual_s = there.elapsed.as_secs_f64();
        if virtual_s <= 0.0 {
            return Err(Unpriced::Ended(CalibrationError::Failed(format!(
                "{}: its search takes no virtual time, so that its hook counts nothing",
                position.id
            ))));
        }
        let nodes = [nodes, there.nodes.unwrap_or(0)];
        Ok(Priced { position: position.id.clone(), depth, nodes, plain_s, virtual_s })
    }

    /// Searches on one thread of a new process. A search that the host's limit ends is too long.
    fn search(
        &self,
        spec: &EngineSpec,
        position: &TestPosition,
        depth: u8,
    ) -> Result<Reply, Unpriced> {
        if self.interrupt.load(Relaxed) {
            return Err(Unpriced::Ended(CalibrationError::Interrupted));
        }
        let searched = || -> Result<Reply, Fault> {
            let mut engine = Engine::start(spec, GracePeriods::default(), &[])?;
            engine.configure(1, self.hash_mib)?;
            engine.new_game()?;
            let place = Place { start: &position.board, moves: &[] };
            // On virtual cores a deadline is one of virtual time.
            let deadline = spec.virtually.is_none().then_some(self.host_limit);
            let go = Go { place, limit: Limit::Depth(depth), deadline, among: &[] };
            engine.search(&go, &mut |_| Watch::On, self.interrupt)
        };
        match searched() {
            Ok(reply) if !reply.late => Ok(reply),
            Ok(_) => Err(Unpriced::TooLong(format!(
                "`{}`: its search to depth {depth} takes more than {} s (--host-limit)",
                program(spec),
                self.host_limit.as_secs()
            ))),
            // Only the limit stops a search here.
            Err(fault)
                if matches!(fault.what, What::HostLimit { .. } | What::IgnoresStop { .. }) =>
            {
                Err(Unpriced::TooLong(in_words(spec, &fault)))
            }
            Err(fault) => Err(Unpriced::Ended(failed(spec, &fault))),
        }
    }

    /// The first depth from this one on whose search takes long enough.
    fn long_enough(
        &self,
        spec: &EngineSpec,
        position: &TestPosition,
        first: u8,
    ) -> Result<u8, Unpriced> {
        for depth in first..=DEEPEST {
            let reply = self.search(spec, position, depth)?;
            if reply.elapsed.as_secs_f64() >= LONG_ENOUGH_S {
                return Ok(depth);
            }
        }
        Err(Unpriced::EndsEarly("its searches end early".to_owned()))
    }
}

/// The program of an engine, or else its name.
fn program(spec: &EngineSpec) -> &str {
    spec.command.first().unwrap_or(&spec.name)
}

/// A fault of an engine, with what may be done.
fn in_words(spec: &EngineSpec, fault: &Fault) -> String {
    let place = if spec.virtually.is_some() { " on virtual cores" } else { "" };
    format!("`{}`{place}: {}", program(spec), fault.with_advice())
}

fn failed(spec: &EngineSpec, fault: &Fault) -> CalibrationError {
    if fault.what == What::Interrupted {
        return CalibrationError::Interrupted;
    }
    CalibrationError::Failed(in_words(spec, fault))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn priced(plain_s: f64, virtual_s: f64) -> Priced {
        Priced { position: "x".to_owned(), depth: 9, nodes: [7, 7], plain_s, virtual_s }
    }

    fn price(positions: &[Priced]) -> Price {
        Price::of(positions.to_vec(), Vec::new(), true).expect("a price")
    }

    #[test]
    fn a_price_makes_both_times_equal() {
        let one = price(&[priced(0.433, 2.4)]);
        assert_eq!((one.price_ps(), one.spread()), (180, None));
        // 100 and 400 ps: the mean is 200, and each lies a factor of 2 away from it.
        let two = price(&[priced(0.1, 1.0), priced(0.8, 2.0)]);
        assert_eq!(two.price_ps(), 200);
        let deviation = 2f64.powf(2f64.sqrt()) - 1.0;
        assert!(two.spread().is_some_and(|spread| (spread - deviation).abs() < 1e-9));
        let [least, most] = two.range_ps();
        assert!((least - 100.0).abs() < 1e-9 && (most - 400.0).abs() < 1e-9);
        assert!(two.doubts().is_empty());
    }

    #[test]
    fn other_searches_and_short_ones_do_not_count() {
        let other = Priced { nodes: [7, 8], ..priced(0.3, 1.0) };
        let doubted = [other, priced(0.001, 0.01)];
        let all = price(&[&doubted[..], &[priced(0.433, 2.4)]].concat());
        let counted = price(&[priced(0.433, 2.4)]);
        assert_eq!((all.counted(), all.price_ps()), (1, 180));
        assert_eq!((all.spread(), all.range_ps()), (None, counted.range_ps()));
        let doubts = all.doubts();
        assert!(doubts[0].starts_with("x does not count: 7 nodes here, 8 on"), "{doubts:?}");
        assert!(doubts[1].contains("1.0 ms are too short") && doubts.len() == 2, "{doubts:?}");
        let why = |positions: &[Priced]| {
            Price::of(positions.to_vec(), Vec::new(), true).expect_err("no price").to_string()
        };
        let both = why(&doubted);
        assert!(both.starts_with("no position is left to find a price with\nx does"), "{both}");
        assert!(both.contains("\nx does not count: 1.0 ms"), "{both}");
        assert!(why(&doubted[1..]).contains("a greater --depth"));
        assert!(why(&[]).contains("a greater --depth"));
    }

    #[test]
    fn a_hooked_program_that_was_timed_is_a_doubt() {
        let hooked = Price::of(vec![priced(0.433, 2.4)], Vec::new(), false).expect("a price");
        assert!(hooked.doubts()[0].starts_with("the times are those of the program with its hook"));
        assert_eq!((hooked.doubts().len(), hooked.price_ps()), (1, 180));
    }
}
