//! Comparisons of competitors: who is faster than another.

pub(crate) mod rows;
mod words;

use crate::report::columns::columns;
use crate::report::topics::comparisons::rows::{Comparison, Comparisons};
use crate::report::topics::summary::starred;
use crate::report::{Report, Source, Table, Topic, file};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[file!("comparisons.csv", columns, Table::filled, |of| lines(&of.input.comparisons))],
    charts: &[],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let (experiment, all) = (&of.input.experiment, &of.input.comparisons);
    if all.rows.is_empty() {
        return;
    }
    report.heading(2, "Searcher against searcher");
    report.paragraph(&words::method(experiment, all));
    let sentences = words::sentences(&all.rows);
    if sentences.len() <= words::MOST_SENTENCES {
        report.list(sentences);
    }
    report.table(
        "How many times as fast the first is as the second, at as many threads. That is the \
         second's median time over the first's, position by position, and then the geometric mean. \
         Ahead: positions at which the first is faster. p is corrected. * oversubscribed.",
        &columns().table(
            lines(all),
            "searcher, other, threads, positions, ahead, times_as_fast, ci_runs, ci_positions, \
             p_holm, verdict",
        ),
    );
}

/// One comparison, and the number of comparisons that are tested with it.
pub(crate) struct Line<'a> {
    row: &'a Comparison,
    family: usize,
}

fn lines(all: &Comparisons) -> impl Iterator<Item = Line<'_>> {
    all.rows.iter().map(|row| Line { row, family: all.family })
}

/// The figures of a comparison for LaTeX.
pub(crate) fn tex(row: &Comparison) -> Vec<(String, String)> {
    columns().tex(&Line { row, family: 0 })
}

columns! {
    /// The columns of `comparisons.csv`.
    fn columns<'a>(of: Line<'a>);

    /// the row
    Words "searcher" = of.row.searcher.as_str(), as "searcher";
    Words "other" = of.row.other.as_str(), as "against";
    Whole "threads" = of.row.threads, as "threads", shown starred(of.row.threads, of.row.oversubscribed);
    /// as in `summary.csv`
    Flag "oversubscribed" = of.row.oversubscribed;
    /// positions that both have
    Whole "positions" = of.row.compared.positions, as "positions", tex "Positions";
    /// positions at which `searcher` is certainly faster, slower, and just as fast; a position that
    /// censored samples leave open is in none
    Whole "ahead" = of.row.compared.ahead, as "ahead", tex "Ahead";
    Whole "behind" = of.row.compared.behind;
    Whole "equal" = of.row.compared.equal;
    /// median time of `other` / median time of `searcher`, position by position, and then the
    /// geometric mean: above 1, `searcher` is faster. The intervals are of this row alone. One draw
    /// of rounds, and one of positions, serves both competitors
    Three "times_as_fast" + Both = of.row.times_as_fast, as "times as fast", tex "TimesAsFast";
    /// the median of these ratios over the positions; of two ratios in the middle, their geometric
    /// mean. It is known also where a few stopped samples leave the geometric mean open
    Three "median_times_as_fast" = of.row.compared.median;
    /// of Wilcoxon's signed-rank test of the logarithms of these ratios, two-sided. Up to 50
    /// positions that differ the distribution is the exact one (with ties), beyond the normal one
    /// without a correction for continuity. Equal positions are ranked, and their ranks left out
    /// (Pratt). Ratios of 0 and of infinity have the greatest ranks, and tie with none, also not
    /// with one another. `[lower, upper]` where censored samples leave ratios open. These are the p
    /// with all ratios at their lower ends and with all at their upper ends. The upper one is 1 if
    /// the two favour different sides, or one favours none: the rank sum between may be its mean.
    /// Blank with fewer than 6 positions
    Probability "p" = of.row.compared.p();
    /// how many rows of the file have a `p`; blank where this one has none
    Whole "family" = of.row.p_holm.map(|_| of.family);
    /// `p` after Holm's correction for all of these. `[lower, upper]` where censored samples leave
    /// it open
    Probability "p_holm" = of.row.p_holm, as "p", tex "PHolm";
    /// `faster`, `slower`: `p_holm` is at most 0.05 wherever the censored samples may lie; `no
    /// difference seen`: it is more wherever; `open`: they decide; `too few positions`: fewer than
    /// 6
    Words "verdict" = words::word(of.row.verdict), as "verdict", shown words::verdict(of.row);
}
