//! A comparison as people and programs read it.

use super::differences::in_words;
use super::{Change, Comparison, Figure, Row};
use crate::report::csv;
use crate::report::figures::Estimate;
use crate::report::numbers::{bounds, count, estimate, fixed, interval, list, seconds};
use serde_json::{Value, json};
use ttd_stats::Bounds;

impl Comparison {
    /// What comes before the table: what the sides are, and what they differ in.
    pub fn head(&self) -> Vec<String> {
        let [base, new] = &self.programs;
        let mut lines = vec![format!("BASE: {base}"), format!("NEW: {new}")];
        lines.extend(
            self.differences.iter().map(|(kind, of)| format!("Differs: {}", in_words(*kind, of))),
        );
        if self.differences.is_empty() {
            lines.push("Nothing differs that is known.".to_owned());
        }
        lines
    }

    /// The table, its first row the header, its first three columns words.
    pub fn table(&self) -> Vec<Vec<String>> {
        let header = [
            "searcher",
            "threads",
            "verdict",
            "positions",
            "figure",
            "BASE",
            "NEW",
            "ratio",
            "ci_runs",
            "ci_positions",
        ];
        let header = header.map(str::to_owned).to_vec();
        [header].into_iter().chain(self.rows.iter().map(|row| self.line(row))).collect()
    }

    fn line(&self, row: &Row) -> Vec<String> {
        let three = |value: f64| fixed(value, 3);
        let figure = |value: Bounds| match row.figure {
            Figure::Speedup => bounds(Some(value), three),
            Figure::Time => bounds(Some(value), seconds),
        };
        vec![
            row.searcher.clone(),
            format!("{}{}", row.threads, if row.oversubscribed { "*" } else { "" }),
            self.verdict(row),
            row.positions.to_string(),
            name(row.figure).to_owned(),
            figure(row.base),
            figure(row.new),
            estimate(Some(row.ratio), three),
            interval(row.ratio.ci_runs, three),
            interval(row.ratio.ci_positions, three),
        ]
    }

    /// Of one row, in words.
    pub fn verdict(&self, row: &Row) -> String {
        let threshold = percent(self.threshold);
        match row.change {
            Change::Regression => format!("regression of more than {threshold}"),
            Change::Improvement => format!("improvement of more than {threshold}"),
            Change::Unchanged => format!("no change of more than {threshold}"),
            Change::Unsettled => "not settled".to_owned(),
            Change::NoInterval => "no interval".to_owned(),
        }
    }

    /// What comes behind the table: all verdicts in a line, how to read it, what is missing, and what must be known.
    pub fn foot(&self) -> Vec<String> {
        let mut lines = vec![self.summary()];
        lines.push(
            "The ratio is NEW's speedup over BASE's, position by position, and the geometric mean of that (of times: BASE's over \
             NEW's): below 1, NEW is worse. Verdicts are by ci_runs, both sides' samples drawn anew independently: a regression \
             is an interval that ends below 1 - threshold, an improvement one that begins above 1 + threshold."
                .to_owned(),
        );
        if self.rows.iter().any(|row| row.oversubscribed) {
            lines.push(
                "* oversubscribed: more threads than cores that the process could use".to_owned(),
            );
        }
        lines.extend(self.missing.iter().map(|what| format!("Left out: {what}.")));
        lines.extend(self.notes.iter().map(|note| note.replace("**", "")));
        lines
    }

    fn summary(&self) -> String {
        let of = |change, words: [&str; 2]| {
            let n = self.count(change);
            (n > 0).then(|| format!("{n} {}", words[usize::from(n > 1)]))
        };
        let open = |is_open: bool, words| {
            let open = |row: &&Row| {
                row.change == Change::Unsettled && row.ratio.value.is_exact() != is_open
            };
            let n = self.rows.iter().filter(open).count();
            (n > 0).then(|| format!("{n} {words}"))
        };
        let threshold = percent(self.threshold);
        let unchanged = format!("without a change of more than {threshold}");
        let counts = [
            of(Change::Regression, ["regression", "regressions"]),
            of(Change::Improvement, ["improvement", "improvements"]),
            of(Change::Unchanged, [&unchanged, &unchanged]),
            open(false, "not settled: more runs would tell"),
            open(true, "left open by stopped samples"),
            of(Change::NoInterval, ["without an interval: it takes two runs of every cell"; 2]),
        ];
        format!("Of {}: {}.", count(self.rows.len(), "figure"), list(counts.into_iter().flatten()))
    }

    /// The table as CSV, with all digits.
    pub fn csv(&self) -> String {
        let header = "figure,searcher,threads,oversubscribed,positions,runs,base,new,ratio,ratio_ci_runs_lower,ratio_ci_runs_upper,\
                      ratio_ci_positions_lower,ratio_ci_positions_upper,threshold,verdict";
        let mut rows: Vec<Vec<String>> = vec![header.split(',').map(str::to_owned).collect()];
        for row in &self.rows {
            let mut line = vec![
                name(row.figure).to_owned(),
                row.searcher.clone(),
                row.threads.to_string(),
                if row.oversubscribed { "yes" } else { "no" }.to_owned(),
                row.positions.to_string(),
                row.runs.to_string(),
                csv::figure(Some(row.base)),
                csv::figure(Some(row.new)),
            ];
            line.extend(csv::with_intervals(Some(row.ratio)));
            line.extend([self.threshold.to_string(), word(row.change).to_owned()]);
            rows.push(line);
        }
        csv::text(&rows)
    }

    /// All of it as JSON. Figures that censored samples leave open are arrays of two ends; an infinite end is null.
    pub fn json(&self) -> String {
        let differences = self.differences.iter().map(|(kind, of)| {
            json!({ "kind": kind.name(), "what": of.what, "base": of.there, "new": of.here })
        });
        let rows = self.rows.iter().map(|row| {
            json!({
                "figure": name(row.figure),
                "searcher": row.searcher,
                "threads": row.threads,
                "oversubscribed": row.oversubscribed,
                "positions": row.positions,
                "runs": row.runs,
                "base": value(row.base),
                "new": value(row.new),
                "ratio": value(row.ratio.value),
                "ratio_ci_runs": ends(row.ratio, |ratio| ratio.ci_runs),
                "ratio_ci_positions": ends(row.ratio, |ratio| ratio.ci_positions),
                "verdict": word(row.change),
            })
        });
        let whole = json!({
            "base": self.programs[0],
            "new": self.programs[1],
            "threshold": self.threshold,
            "differences": differences.collect::<Vec<Value>>(),
            "rows": rows.collect::<Vec<Value>>(),
            "left_out": self.missing,
            "notes": self.notes.iter().map(|note| note.replace("**", "")).collect::<Vec<String>>(),
        });
        format!("{whole:#}\n")
    }
}

fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::Speedup => "speedup",
        Figure::Time => "time_s",
    }
}

/// A verdict in a word.
fn word(change: Change) -> &'static str {
    match change {
        Change::Regression => "regression",
        Change::Improvement => "improvement",
        Change::Unchanged => "unchanged",
        Change::Unsettled => "not settled",
        Change::NoInterval => "no interval",
    }
}

fn value(bounds: Bounds) -> Value {
    bounds.value().map_or_else(|| json!([bounds.lower, bounds.upper]), |value| json!(value))
}

fn ends(ratio: Estimate, of: fn(&Estimate) -> Option<Bounds>) -> Value {
    of(&ratio).map_or(Value::Null, |ci| json!([ci.lower, ci.upper]))
}

/// A share with as many digits as it was given with.
fn percent(share: f64) -> String {
    // 0.07 x 100 is not 7.
    let percent = (share * 1e8).round() / 1e6;
    format!("{percent}%")
}
