//! The tables of figures. The first row of each is its header.

use crate::cores::State;
use crate::report::figures::{Cell, Estimate, Figures, FittedModel, Row, SearcherFigures};
use crate::report::numbers::{
    BLANK, bounds, count, estimate, fixed, interval, known, percent, ratio, seconds,
};
use crate::stats::{Bounds, fits};

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
        let of = |figure: fn(&crate::stats::Account) -> f64| row.account.as_ref().map(figure);
        Some(vec![
            row.account_positions.to_string(),
            known(of(|a| a.search_overhead), percent),
            known(of(|a| a.busy_fraction), percent),
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
        let tenths = |state: &State| format!("{}%", fixed(100.0 * shares[*state as usize], 1));
        Some(occurring.iter().map(tenths).collect())
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
    let tenths = |share: f64| format!("{}%", fixed(100.0 * share, 1));
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
    by_threads(&["p", "ci_runs", "ci_positions", "limit", "e"], figures, |row| {
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

/// The fitted models.
pub(super) fn models(figures: &Figures) -> Table {
    let columns = ["searcher", "model", "parameters", "limit", "R²", "AICc"];
    let mut table = vec![header(&columns)];
    for of in figures.measured() {
        table.extend(of.models.iter().map(|fitted| model_line(&of.searcher, fitted)));
    }
    table
}

fn model_line(searcher: &str, fitted: &FittedModel) -> Vec<String> {
    let name = fitted.model.name().replace('-', " ");
    let blank = || BLANK.to_owned();
    let fit = match &fitted.fit {
        Ok(fit) => fit,
        Err(why) => {
            return vec![searcher.to_owned(), name, (*why).to_owned(), blank(), blank(), blank()];
        }
    };
    let parameter = |(index, name): (usize, &&str)| {
        let over = fitted.ci_positions.get(index).copied().flatten();
        let over = over.map_or_else(String::new, |ci| {
            format!(" (ci_positions {})", interval(Some(ci), share))
        });
        format!("{name} = {}{over}", share(fit.parameters[index]))
    };
    let parameters: Vec<String> =
        fitted.model.parameters().iter().enumerate().map(parameter).collect();
    let limit = match fitted.model {
        fits::Model::Amdahl => fits::amdahl_limit(fit.parameters[0]),
        _ => None,
    };
    let best = if fitted.best { " (best)" } else { "" };
    vec![
        searcher.to_owned(),
        name,
        parameters.join(", "),
        known(limit, ratio),
        known(fit.r_squared, share),
        fit.aicc.map_or_else(blank, |aicc| format!("{}{best}", fixed(aicc, 1))),
    ]
}
