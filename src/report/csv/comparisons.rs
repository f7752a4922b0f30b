//! `comparisons.csv`: who is faster than whom.

use super::{figure, interval_names, text, with_intervals};
use crate::report::figures::{Comparison, Comparisons};
use ttd_stats::paired::Verdict;

/// The text of `comparisons.csv`: one row a pair of contenders and thread count.
pub fn comparisons(comparisons: &Comparisons) -> String {
    let mut header: Vec<String> = ["searcher", "other", "threads", "oversubscribed", "positions"]
        .into_iter()
        .chain(["ahead", "behind", "equal", "times_as_fast"])
        .map(str::to_owned)
        .collect();
    header.extend(interval_names("times_as_fast"));
    header.extend(["median_times_as_fast", "p", "family", "p_holm", "verdict"].map(str::to_owned));
    let rows = comparisons.rows.iter().map(|row| line(row, comparisons.family));
    text(&[header].into_iter().chain(rows).collect::<Vec<_>>())
}

fn line(row: &Comparison, family: usize) -> Vec<String> {
    let compared = row.compared;
    let mut out = vec![
        row.searcher.clone(),
        row.other.clone(),
        row.threads.to_string(),
        if row.oversubscribed { "yes" } else { "no" }.to_owned(),
    ];
    let counts = [compared.positions, compared.ahead, compared.behind, compared.equal];
    out.extend(counts.map(|count| count.to_string()));
    out.extend(with_intervals(Some(row.times_as_fast)));
    let tested = row.p_holm.map_or_else(String::new, |_| family.to_string());
    out.push(figure(Some(compared.median)));
    out.extend([figure(compared.p()), tested, figure(row.p_holm)]);
    out.push(word(row.verdict).to_owned());
    out
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ahead => "faster",
        Verdict::Behind => "slower",
        Verdict::NoDifference => "no difference seen",
        Verdict::Open => "open",
        Verdict::TooFew => "too few positions",
    }
}
