//! `fits.csv`: the models of speedup by threads.

use super::{both, interval_names, number, text};
use crate::report::figures::{Enough, Figures, FittedModel, SearcherFigures, WORTH};

/// The text of `fits.csv`: one row a searcher that has samples, and model.
pub fn fitted(figures: &Figures) -> String {
    let first = ["searcher", "model", "status", "points", "measured_to"];
    let mut header: Vec<String> = first.map(str::to_owned).to_vec();
    for which in ["parameter_1", "parameter_2"] {
        header.extend([which.to_owned(), format!("{which}_value")]);
        header.extend(interval_names(which));
    }
    header.push("limit".to_owned());
    header.extend(interval_names("limit"));
    header.push("limit_threads".to_owned());
    for share in WORTH {
        let name = format!("enough_{}", (100.0 * share).round());
        header.push(name.clone());
        header.extend(interval_names(&name));
    }
    header.extend(["r_squared", "aicc", "aicc_difference", "akaike_weight"].map(str::to_owned));
    header.extend(["best", "wins_runs", "wins_positions"].map(str::to_owned));
    let mut rows = vec![header];
    for of in figures.measured() {
        rows.extend(of.models.iter().map(|model| row(of, model)));
    }
    text(&rows)
}

fn row(of: &SearcherFigures, fitted: &FittedModel) -> Vec<String> {
    let fit = fitted.fit.as_ref().ok();
    let mut row = vec![
        of.searcher.clone(),
        fitted.model.name().to_owned(),
        fitted.fit.as_ref().err().copied().unwrap_or("ok").to_owned(),
        fit.map_or_else(String::new, |fit| fit.points.to_string()),
        fit.map_or_else(String::new, |fit| fit.measured_to.to_string()),
    ];
    for index in 0..2 {
        let name = fitted.model.parameters().get(index).copied().unwrap_or_default();
        row.push(name.to_owned());
        row.push(number(fit.and_then(|fit| fit.parameters.get(index).copied())));
        row.extend(both(fitted.parameters.get(index).copied().unwrap_or_default()));
    }
    let bound = fitted.bound();
    row.push(number(bound.map(|limit| limit.speedup)));
    row.extend(both(fitted.limit));
    row.push(number(bound.and_then(|limit| limit.threads)));
    for Enough { threads, intervals } in fitted.enough {
        row.push(number(threads));
        row.extend(both(intervals));
    }
    row.push(number(fit.and_then(|fit| fit.r_squared)));
    row.push(number(fit.and_then(|fit| fit.aicc)));
    row.push(number(fitted.support.map(|support| support.difference)));
    row.push(number(fitted.support.map(|support| support.weight)));
    row.push(if fitted.best { "yes" } else { "" }.to_owned());
    row.extend(fitted.wins.map(number));
    row
}
