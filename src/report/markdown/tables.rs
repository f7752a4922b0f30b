//! The tables of figures. The first row of each is its header.

use crate::report::figures::{Cell, Detail, Estimate, Figures, Row, SearcherFigures, Spread};
use crate::report::numbers::{
    bounds, count, estimate, fixed, interval, known, percent, ratio, seconds,
};
use ttd_search::cores::State;
use ttd_search::search::{ByDepth, LookUps};
use ttd_stats::Bounds;

type Table = Vec<Vec<String>>;

fn header(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|c| (*c).to_owned()).collect()
}

/// A table with one line for each searcher and thread count.
fn by_threads(
    columns: &[&str],
    figures: &Figures,
    line: impl Fn(&Row) -> Option<Vec<String>>,
) -> Table {
    let mut table = vec![header(&[&["searcher", "threads"], columns].concat())];
    for of in figures.measured() {
        for row in &of.rows {
            if let Some(cells) = line(row) {
                let mut whole = vec![of.searcher.clone(), threads(row)];
                whole.extend(cells);
                table.push(whole);
            }
        }
    }
    table
}

fn threads(row: &Row) -> String {
    format!("{}{}", row.threads, if row.oversubscribed { "*" } else { "" })
}

fn share(value: f64) -> String {
    fixed(value, 3)
}

/// A share as a percentage with one decimal.
fn tenths(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 1))
}

/// Times beside speedups.
pub(super) fn speedups(figures: &Figures) -> Table {
    let columns = [
        "positions",
        "samples",
        "base (s)",
        "time (s)",
        "min",
        "q1",
        "median",
        "q3",
        "max",
        "GM",
        "total",
        "efficiency",
    ];
    by_threads(&columns, figures, |row| {
        let mut cells = vec![
            row.positions.to_string(),
            (row.ok + row.censored).to_string(),
            bounds(row.base_s, seconds),
            bounds(row.time_s, seconds),
        ];
        cells.extend(row.quantiles.map_or([None; 5], |q| q.map(Some)).map(|q| bounds(q, ratio)));
        cells.extend([
            estimate(row.geometric_mean, ratio),
            estimate(row.total_time_ratio, ratio),
            estimate(row.efficiency, ratio),
        ]);
        Some(cells)
    })
}

/// The intervals of the speedups.
pub(super) fn intervals(figures: &Figures) -> Table {
    let columns = [
        "median",
        "ci_runs",
        "ci_positions",
        "GM",
        "ci_runs",
        "ci_positions",
        "total",
        "ci_runs",
        "ci_positions",
    ];
    by_threads(&columns, figures, |row| {
        if row.threads == 1 && row.median.is_some_and(|m| m.value == Bounds::exact(1.0)) {
            return None;
        }
        let with_intervals = |e: Option<Estimate>| {
            [
                estimate(e, ratio),
                interval(e.and_then(|e| e.ci_runs), ratio),
                interval(e.and_then(|e| e.ci_positions), ratio),
            ]
        };
        let all = [row.median, row.geometric_mean, row.total_time_ratio];
        Some(all.into_iter().flat_map(with_intervals).collect())
    })
}

/// Times and speedups of every position.
pub(super) fn positions(figures: &Figures, of: &SearcherFigures) -> Table {
    let heading = |row: &Row| {
        format!("{}{}", count(row.threads, "thread"), if row.oversubscribed { "*" } else { "" })
    };
    let mut first = vec!["position".to_owned()];
    first.extend(of.rows.iter().map(heading));
    let mut table = vec![first];
    for (index, id) in figures.positions.iter().enumerate() {
        let cells: Vec<&Cell> = of.cells.iter().map(|row| &row[index]).collect();
        if cells.iter().any(|c| c.ok + c.censored + c.failed > 0) {
            let mut line = vec![id.clone()];
            line.extend(cells.into_iter().map(position_cell));
            table.push(line);
        }
    }
    table
}

fn position_cell(cell: &Cell) -> String {
    let time = bounds(cell.median_s, seconds);
    if cell.speedup.is_none() || cell.speedup == Some(Bounds::exact(1.0)) {
        return time;
    }
    let speedup = bounds(cell.speedup, ratio);
    match cell.speedup_ci_runs {
        Some(ci) => format!("{time} ({speedup}, {})", interval(Some(ci), ratio)),
        None => format!("{time} ({speedup})"),
    }
}

/// The account.
pub(super) fn account(figures: &Figures) -> Table {
    let columns = [
        "positions",
        "search overhead",
        "busy fraction",
        "node rate",
        "account speedup",
        "efficiency (GM)",
        "GM / median",
    ];
    by_threads(&columns, figures, |row| {
        if row.threads == 1 && row.median.is_some_and(|m| m.value == Bounds::exact(1.0)) {
            return None;
        }
        let of = |figure: fn(&ttd_stats::Account) -> f64| row.account.as_ref().map(figure);
        Some(vec![
            row.account_positions.to_string(),
            known(of(|a| a.search_overhead), percent),
            known(row.account.and_then(|a| a.busy_fraction), percent),
            known(of(|a| a.node_rate), share),
            known(of(|a| a.speedup), ratio),
            known(of(|a| a.speedup / a.threads), ratio),
            known(row.account_to_median(), share),
        ])
    })
}

/// How the workers' time divides into states; states that never occur are left out.
pub(super) fn states(figures: &Figures) -> Table {
    let rows = || figures.measured().flat_map(|s| &s.rows).filter_map(|row| row.states);
    let occurring: Vec<State> = State::ALL
        .into_iter()
        .filter(|state| rows().any(|shares| shares[*state as usize] > 0.0))
        .collect();
    let columns: Vec<&str> = occurring.iter().map(|state| state.name()).collect();
    by_threads(&columns, figures, |row| {
        let shares = row.states?;
        Some(occurring.iter().map(|state| tenths(shares[*state as usize])).collect())
    })
}

/// Split points, and work that was in vain.
pub(super) fn waste(figures: &Figures) -> Table {
    let columns = [
        "splits a million nodes",
        "at PV / CUT / ALL",
        "joins a split",
        "unjoined",
        "aborted nodes",
        "by PV / CUT / ALL",
        "doubled nodes",
    ];
    let kinds = |shares: Option<[f64; 3]>| {
        let percents = |shares: [f64; 3]| shares.map(|share| fixed(100.0 * share, 0)).join(" / ");
        shares.map_or_else(|| known(None, ratio), |shares| percents(shares) + "%")
    };
    by_threads(&columns, figures, |row| {
        let waste = row.waste?;
        Some(vec![
            fixed(waste.splits_per_million(), 0),
            kinds(waste.splits_by_kind()),
            known(waste.joins_per_split(), ratio),
            known(waste.unjoined(), tenths),
            tenths(waste.aborted()),
            kinds(waste.aborted_by_kind()),
            known(waste.doubled(), tenths),
        ])
    })
}

/// How the workers of a sample differ.
pub(super) fn workers(figures: &Figures) -> Table {
    let columns = [
        "samples",
        "searching: worker 0",
        "least / median / most",
        "nodes: worker 0",
        "least / median / most",
        "joins: worker 0",
        "least / median / most",
    ];
    by_threads(&columns, figures, |row| {
        let detail = row.detail.filter(|_| row.threads > 1)?;
        let Detail { samples, searching, nodes, joins, .. } = detail;
        let whole = |joins: f64| fixed(joins, 0);
        let cells = |spread: Spread, number: &dyn Fn(f64) -> String| {
            [number(spread.first), spread.order.map(number).join(" / ")]
        };
        let joins = if joins.order[2] > 0.0 {
            cells(joins, &whole)
        } else {
            [known(None, ratio), known(None, ratio)]
        };
        let all = [cells(searching, &tenths), cells(nodes, &ratio), joins];
        Some([samples.to_string()].into_iter().chain(all.into_iter().flatten()).collect())
    })
}

/// Depths that are shown together, each with the last of them.
const DEPTHS: [(usize, usize); 11] = [
    (0, 0),
    (1, 1),
    (2, 2),
    (3, 3),
    (4, 4),
    (5, 6),
    (7, 8),
    (9, 12),
    (13, 16),
    (17, 24),
    (25, ByDepth::DEEPEST),
];

/// What the table knew by depth, at the least and at the greatest number of threads.
pub(super) fn look_ups(of: &SearcherFigures) -> Table {
    let mut shown: Vec<(&Row, Detail)> =
        of.rows.iter().filter_map(|row| Some((row, row.detail?))).collect();
    if shown.len() > 2 {
        shown.drain(1..shown.len() - 1);
    }
    let mut first = vec!["plies left".to_owned()];
    for (row, _) in &shown {
        let threads = count(row.threads, "thread");
        first.extend([format!("{threads}: probes"), "hits".to_owned(), "cutoffs".to_owned()]);
    }
    let mut table = vec![first];
    for depths in DEPTHS {
        let sums: Vec<LookUps> =
            shown.iter().map(|(_, detail)| summed(&detail.look_ups, depths)).collect();
        if sums.iter().all(|sum| sum.probes == 0) {
            continue;
        }
        let mut line = vec![depths_in_words(depths)];
        for (sum, (_, detail)) in sums.iter().zip(&shown) {
            let probes = sum.probes as f64;
            let of_probes = |n: u64| known((sum.probes > 0).then(|| n as f64 / probes), tenths);
            line.push(fixed(probes / detail.samples as f64, 0));
            line.extend([of_probes(sum.hits), of_probes(sum.cutoffs)]);
        }
        table.push(line);
    }
    table
}

fn summed(look_ups: &ByDepth, (first, last): (usize, usize)) -> LookUps {
    let mut sum = LookUps::default();
    for (_, at) in look_ups.iter().filter(|(depth, _)| (first..=last).contains(depth)) {
        sum += at;
    }
    sum
}

fn depths_in_words((first, last): (usize, usize)) -> String {
    match (first, last) {
        (_, 0) => "quiescence".to_owned(),
        (_, ByDepth::DEEPEST) => format!("{first} and more"),
        _ if first == last => first.to_string(),
        _ => format!("{first} to {last}"),
    }
}

/// The spread of the times.
pub(super) fn deviations(figures: &Figures) -> Table {
    let columns = ["SD (s)", "MAD (s)", "min", "q1", "median", "q3", "max"];
    by_threads(&columns, figures, |row| {
        let five = row.deviations_s?;
        let mut cells = vec![known(row.sd_s, seconds), known(row.mad_s, seconds)];
        cells.extend([five.min, five.q1, five.median, five.q3, five.max].map(seconds));
        Some(cells)
    })
}

/// Amdahl's and Karp and Flatt's shares.
pub(super) fn amdahl(figures: &Figures) -> Table {
    by_threads(&["p", "ci_runs", "ci_positions", "limit (extrapolated)", "e"], figures, |row| {
        let p = row.parallel_share?;
        Some(vec![
            bounds(Some(p.value), share),
            interval(p.ci_runs, share),
            interval(p.ci_positions, share),
            known(row.amdahl_limit(), ratio),
            known(row.karp_flatt(), share),
        ])
    })
}
