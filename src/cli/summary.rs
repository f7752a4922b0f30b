//! The short table at the end of a run, from `summary.csv`.

use super::format;
use crate::experiment::Experiment;
use anyhow::Context;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

const HEADINGS: [&str; 9] =
    ["searcher", "threads", "n", "time_s", "net", "ci_runs", "ci_positions", "to_depth", "tree"];

/// A line for each searcher and number of threads: net speedup with its intervals, the speedup to
/// depth, and the tree ratio between them. Without a net speedup the intervals are those of the
/// speedup to depth.
///
/// # Errors
/// If `summary.csv` cannot be read.
pub(super) fn text(dir: &Path) -> anyhow::Result<String> {
    let path = dir.join("summary.csv");
    let mut reader = csv::Reader::from_path(&path).with_context(|| path.display().to_string())?;
    let mut rows = vec![HEADINGS.map(str::to_owned).to_vec()];
    for row in reader.deserialize::<HashMap<String, String>>() {
        rows.push(line(&row.with_context(|| path.display().to_string())?).to_vec());
    }
    let starred = rows.iter().any(|row| row[1].ends_with('*'));
    let mut text = format::table(&rows, 1);
    if starred {
        text.push_str("* oversubscribed: more threads than cores that the process may use\n");
    }
    if let Some(factor) = Experiment::read(dir).ok().and_then(|experiment| experiment.dilate) {
        let _ = writeln!(text, "in dilated time: wall time over {factor}");
    }
    Ok(text)
}

/// The line of a row of `summary.csv`.
fn line(row: &HashMap<String, String>) -> [String; HEADINGS.len()] {
    let field = |name: &str| row.get(name).map_or("", String::as_str);
    let star = if field("oversubscribed") == "yes" { "*" } else { "" };
    let (leading, to_depth) = if field("net_speedup").is_empty() {
        ("geometric_mean", "geometric_mean")
    } else {
        // Its base is that of the net speedup.
        ("net_speedup", "speedup_to_depth")
    };
    let interval = |over: &str| {
        let [lower, upper] =
            ["lower", "upper"].map(|end| short(field(&format!("{leading}_{over}_{end}"))));
        if lower.is_empty() { lower } else { format!("{lower} to {upper}") }
    };
    [
        field("searcher").to_owned(),
        format!("{}{star}", field("threads")),
        field("n").to_owned(),
        short(field("median_s")),
        short(field("net_speedup")),
        interval("ci_runs"),
        interval("ci_positions"),
        short(field(to_depth)),
        short(field("tree_ratio")),
    ]
}

/// A number with three decimals, also inside `[lower, upper]`; anything else as it is.
fn short(field: &str) -> String {
    if let Some((lower, upper)) =
        field.strip_prefix('[').and_then(|f| f.strip_suffix(']')?.split_once(", "))
    {
        return format!("[{}, {}]", short(lower), short(upper));
    }
    field.parse::<f64>().map_or(field.to_owned(), |number| format!("{number:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn shortens_the_summary() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let csv = "searcher,threads,oversubscribed,n,median_s,net_speedup,net_speedup_ci_runs_lower,\
                   net_speedup_ci_runs_upper,speedup_to_depth,tree_ratio,geometric_mean,\
                   geometric_mean_ci_runs_lower,geometric_mean_ci_runs_upper\n\
                   ybwc,1,no,6,1.25,1,,,1,1,1,,\n\
                   ybwc,4,yes,6,0.71234,\"[1.5, inf]\",1.4,inf,1.7,0.9,1.6,1.55,1.65\n\
                   other,2,no,6,0.9,,,,,,1.6,1.55,1.65\n";
        fs::write(dir.path().join("summary.csv"), csv).expect("written");
        let expected = "\
searcher  threads  n  time_s           net         ci_runs  ci_positions  to_depth   tree
ybwc            1  6   1.250         1.000                                   1.000  1.000
ybwc           4*  6   0.712  [1.500, inf]    1.400 to inf                   1.700  0.900
other           2  6   0.900                1.550 to 1.650                   1.600
* oversubscribed: more threads than cores that the process may use
";
        assert_eq!(text(dir.path()).expect("a summary"), expected);
    }
}
