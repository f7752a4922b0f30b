//! The cost of nodes for one worker alone, and the rise of that cost where several search together.

use super::costs::{Calibration, CalibrationError, cost};
use super::searches::{Searches, Site, by};
use crate::records::count;
use ttd_search::cores::{Caches, CostModel, Machine, State};
use ttd_search::searchers::{Costs, Outcome, Searcher};
use ttd_stats::{least_squares, summary};

/// The longest time, in picoseconds, that a full table can add to a node. A node looks up one or
/// two cache lines. Each is at worst a miss of all caches and of the TLB.
const MOST_TABLE_PS: u64 = 500_000;

/// Finds the costs of nodes, and of the table's fill, from the searches of one worker. An
/// impossible cost of the fill is not believed: nodes are then priced without it.
pub(super) fn fit(all: &[Searches], calibration: &mut Calibration) -> Result<(), CalibrationError> {
    let time = |search: &Outcome| search.time.as_secs_f64();
    let seconds = |searches: &Searches| middle(&searches.alone(), time);
    let alone: Vec<f64> = all.iter().map(seconds).collect::<Result<_, _>>()?;
    // One search per position is enough here: one worker makes an equal search in every run and
    // with every searcher.
    let firsts = all.iter().filter_map(|searches| searches.alone().first().copied());
    let rows: Vec<[f64; 3]> = firsts.map(terms).collect();
    let Prices { each, error, beyond } =
        prices(&rows, &alone).ok_or(CalibrationError::TooLittle)?;
    let model = &mut calibration.costs.common;
    [model.node_ps, model.quiescence_node_ps, model.table_ps] = each;
    let error = 100.0 * error;
    let fitted = format!(
        "least squares over {}, relative error {error:.1}%",
        count(alone.len(), "position")
    );
    let table = beyond.map(|ps| {
        let came_out = ps as f64 / 1e3;
        format!(
            "left out: with it, a node would cost {came_out:.0} ns more in a full table, which is \
             more than its look-ups can take. Long searches cost more for another reason, and not \
             in proportion to the fill"
        )
    });
    calibration.note("table_ps", table.unwrap_or_else(|| fitted.clone()));
    for key in ["node_ps", "quiescence_node_ps"] {
        calibration.note(key, fitted.clone());
    }
    Ok(())
}

/// The costs in picoseconds: of a node of the search, of one of quiescence, and of either in a full
/// table.
struct Prices {
    each: [u64; 3],
    /// Relative error of the fit.
    error: f64,
    /// The cost of a full table that the fit gave, if it is an impossible one.
    beyond: Option<u64>,
}

/// Computes the prices from the [`terms`] of searches and their times in seconds.
fn prices(rows: &[[f64; 3]], seconds: &[f64]) -> Option<Prices> {
    let of_nodes = |seconds: f64| cost(seconds * 1e12).max(1);
    let whole = least_squares::costs(rows, seconds)?;
    let [node, quiescence, table] = whole.each;
    let table = cost(table * 1e12);
    if table <= MOST_TABLE_PS {
        let each = [of_nodes(node), of_nodes(quiescence), table];
        return Some(Prices { each, error: whole.error, beyond: None });
    }
    let rows: Vec<[f64; 2]> = rows.iter().map(|[nodes, qnodes, _]| [*nodes, *qnodes]).collect();
    let without = least_squares::costs(&rows, seconds)?;
    let [node, quiescence] = without.each.map(of_nodes);
    Some(Prices { each: [node, quiescence, 0], error: without.error, beyond: Some(table) })
}

/// Finds by how much the workers of each searcher slow down each other's nodes. The state that
/// workers share also decides it. Lazy SMP shares the table; Young Brothers Wait also shares
/// subtrees and the history.
///
/// The slowdown is the part of the time that a simulation with the other costs, already known,
/// lacks. Sections that a worker enters while it searches are in both times. The simulation also
/// shows how many other workers search at once.
pub(super) fn fit_slowdowns(
    site: &Site<'_>,
    all: &[Searches],
    calibration: &mut Calibration,
) -> Result<(), CalibrationError> {
    let (common, machine) = (calibration.costs.common, calibration.costs.machine);
    let trial = CostModel { slowdown_permille: TRIAL_PERMILLE, ..common };
    calibration.note("slowdown_permille", "of a searcher without its own, below".to_owned());
    for &searcher in site.workload.searchers {
        let foretold = simulate(site, searcher, (common, machine))?;
        let slowed = simulate(site, searcher, (trial, machine))?;
        let other = |(slowed, foretold): (&f64, &f64)| {
            1000.0 * (slowed / foretold - 1.0) / TRIAL_PERMILLE as f64
        };
        let others: Vec<f64> = slowed.iter().zip(&foretold).map(other).collect();
        let dearer = dearer(all, searcher, &common, &foretold)?;
        let dearer = summary::geometric_mean(&dearer).ok_or(CalibrationError::TooLittle)?;
        let others = summary::mean(&others).ok_or(CalibrationError::TooLittle)?;
        let permille = (1000.0 * (dearer - 1.0) / others).round().clamp(0.0, 1000.0);
        let own = CostModel { slowdown_permille: permille as u64, ..common };
        calibration.costs.set(searcher, own);
        calibration.note(
            &format!("{searcher}.slowdown_permille"),
            format!(
                "nodes take {dearer:.3} times as long as alone, beyond the other costs, while \
                 {others:.2} others search"
            ),
        );
    }
    Ok(())
}

/// Finds the share of a line's price that other work hides. One share has to explain how much
/// dearer the nodes of all searchers are on all cores. The rest is their slowdown.
///
/// Where lines cost nearly nothing even if nothing is hidden, the default stays.
pub(super) fn fit_hidden(
    site: &Site<'_>,
    all: &[Searches],
    calibration: &mut Calibration,
) -> Result<(), CalibrationError> {
    let Some(caches) = calibration.costs.machine.caches else { return Ok(()) };
    let common = calibration.costs.common;
    let open = Machine { caches: Some(Caches { hidden_permille: 0, ..caches }), turbo: None };
    let mut found = Vec::new();
    for &searcher in site.workload.searchers {
        let plain = simulate(site, searcher, (common, Machine::default()))?;
        let with_lines = simulate(site, searcher, (common, open))?;
        let excess = |ratios: &[f64]| {
            summary::geometric_mean(ratios)
                .map(|mean| mean - 1.0)
                .ok_or(CalibrationError::TooLittle)
        };
        let lines: Vec<f64> =
            with_lines.iter().zip(&plain).map(|(with, without)| with / without).collect();
        let measured = dearer(all, searcher, &common, &plain)?;
        found.push((searcher, excess(&measured)?, excess(&lines)?));
    }
    let (products, squares) = found
        .iter()
        .fold((0.0, 0.0), |(products, squares), (_, y, x)| (products + x * y, squares + x * x));
    let of_each = |(searcher, measured, open): &(Searcher, f64, f64)| {
        format!(
            "{searcher} {:.1}% dearer, {:.1}% with every line at its full price",
            100.0 * measured,
            100.0 * open
        )
    };
    let evidence = found.iter().map(of_each).collect::<Vec<_>>().join("; ");
    let (hidden, how) = if squares < LEAST_SQUARES {
        (caches.hidden_permille, "the default: these searches share too little")
    } else {
        let seen = (1000.0 * products / squares).round().clamp(0.0, 1000.0);
        (1000 - seen as u64, "nodes on all cores, beside those on one, by least squares")
    };
    calibration.costs.machine.caches = Some(Caches { hidden_permille: hidden, ..caches });
    calibration.note("cache.hidden_permille", format!("{how}: {evidence}"));
    Ok(())
}

/// The least sum of squares of relative excesses from which a share can be found.
const LEAST_SQUARES: f64 = 1e-5;

/// By position: how much dearer nodes are on all cores than on one, beyond `foretold`. It is
/// relative to the prices, which are a mean over positions.
fn dearer(
    all: &[Searches],
    searcher: Searcher,
    model: &CostModel,
    foretold: &[f64],
) -> Result<Vec<f64>, CalibrationError> {
    let of = |search: &Outcome| dearness(model, search);
    let one = |(searches, foretold): (&Searches, &f64)| {
        let alone = middle(&by(&searches.alone, searcher), of)?;
        let together = middle(&by(&searches.together, searcher), of)?;
        Ok(together / alone / foretold)
    };
    all.iter().zip(foretold).map(one).collect()
}

/// A trial slowdown: it shows in a simulation how many others search beside a worker.
const TRIAL_PERMILLE: u64 = 100;

/// The cost of a searcher's nodes on all cores over that on one core, by position. The cores are
/// virtual, as many as there are real ones.
fn simulate(
    site: &Site<'_>,
    searcher: Searcher,
    (model, machine): (CostModel, Machine),
) -> Result<Vec<f64>, CalibrationError> {
    let mut costs = Costs::from(model);
    costs.machine = machine;
    let mut lab = site.lab()?.on_virtual_cores(costs, None);
    let workload = site.workload;
    let search = |position| {
        let found = site.search(&mut lab, &site.task(searcher, workload.cores, position))?;
        Ok(dearness(&model, &found))
    };
    workload.positions.iter().map(search).collect()
}

/// The median over searches.
fn middle(searches: &[&Outcome], of: impl Fn(&Outcome) -> f64) -> Result<f64, CalibrationError> {
    let all: Vec<f64> = searches.iter().map(|search| of(search)).collect();
    summary::median(&all).ok_or(CalibrationError::TooLittle)
}

/// The time that the workers of a search spent searching, over one worker's time for all their
/// nodes.
fn dearness(model: &CostModel, search: &Outcome) -> f64 {
    let searching = search.counters().states[State::Search as usize];
    searching.as_secs_f64() / price(model, search)
}

/// The time of one worker for the nodes of a search, seconds.
fn price(model: &CostModel, search: &Outcome) -> f64 {
    let costs = [model.node_ps, model.quiescence_node_ps, model.table_ps];
    let ps: f64 = terms(search).iter().zip(costs).map(|(n, ps)| n * ps as f64).sum();
    ps * 1e-12
}

/// The terms of the sum that is a search's time: nodes, quiescence nodes, and nodes times fill. The
/// fill of the table grows with the nodes, so its mean is half of the fill at the end.
fn terms(search: &Outcome) -> [f64; 3] {
    let counters = search.counters();
    let (nodes, quiescence) = (counters.nodes as f64, counters.qnodes as f64);
    [nodes - quiescence, quiescence, nodes * search.table_fill / 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fill_cannot_cost_is_not_believed() {
        let rows: Vec<[f64; 3]> = (1..=20u32)
            .map(|i| {
                let (nodes, fill) = (1e5 * f64::from(i), 0.01 * f64::from(i));
                [nodes, nodes * (0.4 + 0.01 * f64::from(i * i % 7)), nodes * fill / 2.0]
            })
            .collect();
        let found = |table_ps: f64| {
            let seconds = |row: &[f64; 3]| {
                1e-12 * (300_000.0 * row[0] + 500_000.0 * row[1] + table_ps * row[2])
            };
            prices(&rows, &rows.iter().map(seconds).collect::<Vec<_>>()).expect("twenty searches")
        };
        let near = |a: u64, b: u64| a.abs_diff(b) <= b / 1000;
        let cheap = found(100_000.0);
        assert!(near(cheap.each[0], 300_000) && near(cheap.each[2], 100_000), "{:?}", cheap.each);
        assert_eq!(cheap.beyond, None);
        let dear = found(2_000_000.0);
        assert!(dear.beyond.is_some_and(|ps| near(ps, 2_000_000)), "{:?}", dear.beyond);
        assert!(dear.each[2] == 0 && dear.each[0] + dear.each[1] > 800_000, "{:?}", dear.each);
    }
}
