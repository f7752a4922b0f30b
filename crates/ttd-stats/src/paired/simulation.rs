//! The error rates of verdicts: simulated pairs of competitors with known answers, through the code
//! of the reports.

use super::{Compared, Verdict, judge};
use crate::draw::Draw;
use crate::ratios::{Quotient, by_position};
use crate::{Runs, Timing};
use std::f64::consts::TAU;

/// The distribution of the runs of a cell.
#[derive(Clone, Copy)]
enum Spread {
    /// A log-normal distribution with this coefficient of variation.
    LogNormal(f64),
    /// A log-normal distribution with 5%. But one run in five takes three times as long: it found
    /// the refutation late.
    LateOnes,
}

impl Spread {
    const ALL: [(&str, Spread); 3] = [
        ("5%", Spread::LogNormal(0.05)),
        ("30%", Spread::LogNormal(0.3)),
        ("late ones", Spread::LateOnes),
    ];

    fn time(self, draw: &mut Draw) -> f64 {
        let (variation, late) = match self {
            Spread::LogNormal(variation) => (variation, false),
            Spread::LateOnes => (0.05, draw.below(5) == 0),
        };
        let sigma = f64::ln_1p(variation * variation).sqrt();
        (sigma * normal(draw)).exp() * if late { 3.0 } else { 1.0 }
    }
}

/// A number from the standard normal distribution (Box and Muller 1958).
fn normal(draw: &mut Draw) -> f64 {
    const STEPS: usize = 1 << 31;
    let mut uniform = || (draw.below(STEPS) as f64 + 0.5) / STEPS as f64;
    let (radius, angle) = ((-2.0 * uniform().ln()).sqrt(), TAU * uniform());
    radius * angle.cos()
}

/// The times of a competitor that takes `scale` times as long as the others at each position.
fn competitor(
    scale: f64,
    positions: usize,
    runs: usize,
    spread: Spread,
    draw: &mut Draw,
) -> Vec<Runs> {
    let mut cell = |position: usize| -> Runs {
        let usual = scale * (1.0 + position as f64);
        let time = |_| Timing::Exact(usual * spread.time(draw));
        (0..runs).map(time).collect::<Vec<_>>().into()
    };
    (0..positions).map(&mut cell).collect()
}

fn compared(one: &[Runs], other: &[Runs]) -> Compared {
    let ratios = by_position(&[Quotient { above: vec![other], below: vec![one] }]);
    Compared::of(&ratios.into_iter().flatten().collect::<Vec<_>>())
}

/// The share of `pairs` simulated pairs that get no difference, where the second takes `scale`
/// times as long.
fn share_without(scale: f64, positions: usize, runs: usize, spread: Spread, pairs: usize) -> f64 {
    let mut draw = Draw::new(7, (1000 * positions + runs) as u64);
    let mut pair = || {
        let [one, other] = [1.0, scale].map(|s| competitor(s, positions, runs, spread, &mut draw));
        judge(&[compared(&one, &other)])[0].verdict == Verdict::NoDifference
    };
    (0..pairs).filter(|_| pair()).count() as f64 / pairs as f64
}

/// The share of `reports` reports in which no competitor is called faster. Each report compares
/// nine equal competitors, each with each.
fn share_of_reports_without(positions: usize, spread: Spread, reports: usize) -> f64 {
    let mut draw = Draw::new(8, positions as u64);
    let mut report = || {
        let all: Vec<_> =
            (0..9).map(|_| competitor(1.0, positions, 6, spread, &mut draw)).collect();
        let mut family = Vec::new();
        for (index, one) in all.iter().enumerate() {
            family.extend(all[index + 1..].iter().map(|other| compared(one, other)));
        }
        judge(&family).iter().all(|judged| judged.verdict == Verdict::NoDifference)
    };
    (0..reports).filter(|_| report()).count() as f64 / reports as f64
}

#[test]
fn nobody_differs_from_himself_too_often() {
    let same = share_without(1.0, 10, 6, Spread::LogNormal(0.3), 400);
    assert!((0.92..=0.98).contains(&same), "{same}");
    let slower = share_without(1.2, 10, 6, Spread::LogNormal(0.05), 100);
    assert!(slower < 0.05, "{slower}");
    let reports = share_of_reports_without(12, Spread::LateOnes, 40);
    assert!(reports >= 0.85, "{reports}");
}

/// The figures that `scripts/verdicts.sh` prints for `docs/coverage.md`.
#[test]
#[ignore = "takes long: scripts/verdicts.sh calls it"]
fn verdicts_of_two_thousand_pairs() {
    const PAIRS: usize = 2000;
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    println!("| positions | runs | spread of the runs | the same | 3% slower | 10% slower |");
    println!("|---:|---:|---|---:|---:|---:|");
    for positions in [6, 10, 30, 60] {
        for runs in [6, 10, 50] {
            for (name, spread) in Spread::ALL {
                let seen = [1.0, 1.03, 1.1]
                    .map(|scale| percent(share_without(scale, positions, runs, spread, PAIRS)));
                println!("| {positions} | {runs} | {name} | {} |", seen.join(" | "));
            }
        }
    }
    println!(
        "\n| positions | spread of the runs | reports that call nobody faster |\n|---:|---|---:|"
    );
    for positions in [10, 12, 30] {
        for (name, spread) in Spread::ALL {
            let share = share_of_reports_without(positions, spread, PAIRS);
            println!("| {positions} | {name} | {} |", percent(share));
        }
    }
}
