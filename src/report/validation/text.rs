//! A comparison in words and as CSV.

use super::Pair;
use crate::records::Sitting;
use crate::report::Input;
use crate::report::charts::Chart;
use crate::report::figures::Row;
use crate::report::markdown::Report;
use crate::report::numbers::{bounds, count, fixed, interval, known, ratio};
use std::collections::BTreeMap;
use ttd_stats::Bounds;
use ttd_stats::reliability::Reliability;

fn words(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|&cell| cell.to_owned()).collect()
}

fn three(value: f64) -> String {
    fixed(value, 3)
}

/// The whole comparison.
pub(super) fn report<'c>(
    real: &Input,
    simulated: &Input,
    pairs: &[Pair],
    charts: &'c [Chart],
) -> Report<'c> {
    let mut report = Report::new(charts);
    let experiment = &real.experiment;
    report.heading(1, "Virtual cores beside real ones");
    report.paragraph(&format!(
        "Time to depth {} from {} of the set `{}`, once on {} ({} a cell) and once on \
         virtual cores ({} a cell). The cost model was not fitted to these positions unless \
         they are the ones it was calibrated on.",
        experiment.depth,
        count(real.figures.positions.len(), "position"),
        experiment.positions,
        real.cores.words(),
        real.figures.runs_in_words(),
        simulated.figures.runs_in_words(),
    ));
    let [programs, others] = [real, simulated].map(programs);
    if programs == others {
        report.paragraph(&format!("Both by {programs}."));
    } else {
        report.paragraph(&format!(
            "**By different programs**: the real side by {programs}, the virtual one by {others}. What \
             differs between them is part of the comparison."
        ));
    }
    for (side, input) in [("real", real), ("virtual", simulated)] {
        if let Some(left_out) = input.left_out.sentence(&format!(" of the {side} side")) {
            report.paragraph(&left_out);
        }
    }
    report.list(&pairs.iter().map(verdict).collect::<Vec<_>>());
    report.table(
        "Virtual over real geometric-mean speedup, with its intervals over runs: the samples of \
         both sides drawn anew, independently.",
        &ratios(pairs),
    );
    report.table(
        "The account on both sides, by geometric means over samples and positions. GM is the \
         geometric mean of the speedups of the positions, with the 95% ci_runs.",
        &accounts(pairs),
    );
    for chart in charts {
        report.chart(&chart.name);
    }
    report.table(
        "Position by position: the correlation of the logarithms of the virtual and the real \
         speedups. Reliability is the correlation of the real ones with themselves (runs divided \
         into halves at random, and the result carried over to all runs by Spearman and Brown's \
         formula); its square root is the most that any prediction could reach.",
        &correlations(pairs),
    );
    if let Some(costs) = &simulated.experiment.costs {
        let section = BTreeMap::from([("virtual", costs)]);
        report.heading(2, "The cost model");
        report.code(toml::to_string(&section).unwrap_or_default().trim_end());
    }
    report
}

/// The programs that took the samples of one side.
fn programs(input: &Input) -> String {
    let name = |s: &Sitting| format!("ttd {}, commit {}", s.version, s.commit);
    let mut programs: Vec<String> = input.sittings.iter().map(name).collect();
    programs.dedup();
    if programs.is_empty() { "an unknown program".to_owned() } else { programs.join(" and ") }
}

/// How near to 1 all of an interval is: a percentage, rounded up.
fn near(interval: Bounds) -> String {
    let farthest = (interval.lower - 1.0).abs().max((interval.upper - 1.0).abs());
    format!("{}%", fixed((1000.0 * farthest).ceil() / 10.0, 1))
}

pub(super) fn verdict(pair: &Pair) -> String {
    let known = match &pair.intervals {
        Some([ninety, _]) => {
            format!(
                ", 90% ci_runs {}: within {} of 1",
                interval(Some(*ninety), three),
                near(*ninety)
            )
        }
        None => " (no interval: a cell has a single run, or a censored sample)".to_owned(),
    };
    format!(
        "**{}, {} workers**: virtual / real = {}{known}.",
        pair.searcher,
        pair.threads,
        three(pair.ratio)
    )
}

fn ratios(pairs: &[Pair]) -> Vec<Vec<String>> {
    let header = ["searcher", "threads", "real", "virtual", "virtual / real", "90%", "95%"];
    let mut rows = vec![words(&header)];
    for pair in pairs {
        let gm = |row: &Row| bounds(row.geometric_mean.map(|e| e.value), ratio);
        let of = |index: usize| interval(pair.intervals.map(|all| all[index]), three);
        rows.push(vec![
            pair.searcher.clone(),
            pair.threads.to_string(),
            gm(&pair.real),
            gm(&pair.simulated),
            three(pair.ratio),
            of(0),
            of(1),
        ]);
    }
    rows
}

fn accounts(pairs: &[Pair]) -> Vec<Vec<String>> {
    let header = [
        "searcher",
        "threads",
        "cores",
        "search overhead",
        "busy fraction",
        "node rate",
        "speedup",
        "GM",
        "ci_runs",
    ];
    let mut rows = vec![words(&header)];
    for pair in pairs {
        for (cores, row) in [("real", &pair.real), ("virtual", &pair.simulated)] {
            let of = |factor: fn(&ttd_stats::Account) -> f64| {
                known(row.account.as_ref().map(factor), three)
            };
            rows.push(vec![
                pair.searcher.clone(),
                pair.threads.to_string(),
                cores.to_owned(),
                of(|a| a.search_overhead),
                known(row.account.and_then(|a| a.busy_fraction), three),
                of(|a| a.node_rate),
                of(|a| a.speedup),
                bounds(row.geometric_mean.map(|e| e.value), three),
                interval(row.geometric_mean.and_then(|e| e.ci_runs), three),
            ]);
        }
    }
    rows
}

fn correlations(pairs: &[Pair]) -> Vec<Vec<String>> {
    let header = ["searcher", "threads", "correlation", "reliability", "ceiling"];
    let mut rows = vec![words(&header)];
    for pair in pairs {
        rows.push(vec![
            pair.searcher.clone(),
            pair.threads.to_string(),
            known(pair.correlation, ratio),
            known(pair.reliability.map(|r| r.whole), ratio),
            known(pair.reliability.and_then(Reliability::ceiling), ratio),
        ]);
    }
    rows
}

/// `validation.csv`: one row a searcher and thread count.
pub(super) fn csv(pairs: &[Pair]) -> String {
    let number = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
    let mut lines = vec![
        "searcher,threads,real_search_overhead,real_busy_fraction,real_node_rate,\
         real_geometric_mean,virtual_search_overhead,virtual_busy_fraction,virtual_node_rate,\
         virtual_geometric_mean,ratio,ratio_90_lower,ratio_90_upper,ratio_95_lower,ratio_95_upper,\
         correlation,reliability,ceiling"
            .to_owned(),
    ];
    for pair in pairs {
        let mut fields = vec![pair.searcher.clone(), pair.threads.to_string()];
        for row in [&pair.real, &pair.simulated] {
            let account = row.account;
            fields.extend([
                number(account.map(|a| a.search_overhead)),
                number(account.and_then(|a| a.busy_fraction)),
                number(account.map(|a| a.node_rate)),
                number(row.geometric_mean.and_then(|e| e.value.value())),
            ]);
        }
        fields.push(number(Some(pair.ratio)));
        for at in [0, 1] {
            let ends: Option<Bounds> = pair.intervals.map(|all| all[at]);
            fields.extend([number(ends.map(|b| b.lower)), number(ends.map(|b| b.upper))]);
        }
        fields.extend([
            number(pair.correlation),
            number(pair.reliability.map(|r| r.whole)),
            number(pair.reliability.and_then(Reliability::ceiling)),
        ]);
        lines.push(fields.join(","));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_an_interval_is_as_near_as_is_said() {
        let near = |lower, upper| near(Bounds { lower, upper });
        assert_eq!(near(0.896, 0.980), "10.4%");
        assert_eq!(near(0.9299, 1.0), "7.1%", "never nearer than it is");
        assert_eq!(near(0.99, 1.0701), "7.1%");
        assert_eq!(near(1.0, 1.0), "0.0%");
    }
}
