//! The short table at the end of a run, from `summary.csv`.

use super::format;
use anyhow::Context;
use std::collections::HashMap;
use std::path::Path;

/// Heading, and the column of `summary.csv` that is under it.
const COLUMNS: [(&str, &str); 9] = [
    ("searcher", "searcher"),
    ("threads", "threads"),
    ("n", "n"),
    ("time_s", "median_s"),
    ("net", "net_speedup"),
    ("to_depth", "geometric_mean"),
    ("tree", "tree_ratio"),
    ("q1", "speedup_q1"),
    ("q3", "speedup_q3"),
];

/// A line for each searcher and number of threads: net speedup, the speedup to depth, and the tree
/// ratio between them.
///
/// # Errors
/// If `summary.csv` cannot be read.
pub(super) fn text(dir: &Path) -> anyhow::Result<String> {
    let path = dir.join("summary.csv");
    let mut reader = csv::Reader::from_path(&path).with_context(|| path.display().to_string())?;
    let header: Vec<String> = COLUMNS.iter().map(|(heading, _)| (*heading).to_owned()).collect();
    let mut rows = vec![header];
    for row in reader.deserialize::<HashMap<String, String>>() {
        let row = row.with_context(|| path.display().to_string())?;
        let field = |name: &str| row.get(name).map_or("", String::as_str);
        let (names, figures) = COLUMNS.split_at(3);
        let names = names.iter().map(|(_, column)| field(column).to_owned());
        let figures = figures.iter().map(|(_, column)| short(field(column)));
        let mut fields: Vec<String> = names.chain(figures).collect();
        if field("oversubscribed") == "yes" {
            fields[1].push('*');
        }
        rows.push(fields);
    }
    let starred = rows.iter().any(|row| row[1].ends_with('*'));
    let mut text = format::table(&rows, 1);
    if starred {
        text.push_str("* oversubscribed: more threads than cores that the process may use\n");
    }
    Ok(text)
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
        let csv = "searcher,threads,oversubscribed,n,median_s,net_speedup,geometric_mean,\
                   tree_ratio,speedup_q1,speedup_q3\nybwc,1,no,6,1.25,1,1,1,1,1\n\
                   ybwc,4,yes,6,0.71234,\"[1.5, inf]\",1.7,0.9,1.4,1.9\n";
        fs::write(dir.path().join("summary.csv"), csv).expect("written");
        let expected = "\
searcher  threads  n  time_s           net  to_depth   tree     q1     q3
ybwc            1  6   1.250         1.000     1.000  1.000  1.000  1.000
ybwc           4*  6   0.712  [1.500, inf]     1.700  0.900  1.400  1.900
* oversubscribed: more threads than cores that the process may use
";
        assert_eq!(text(dir.path()).expect("a summary"), expected);
    }
}
