//! The account of the lost speedup, the states of the workers, and their work in vain.

mod waterfall;

use crate::report::columns::columns;
use crate::report::figures::{Cooperation, Detail, Row, SearcherFigures, Spread};
use crate::report::lists::row;
use crate::report::numbers::{count, fixed, known, percents as tenths, ratio};
use crate::report::topics::summary::{Line, beside_base, lines, starred, summary};
use crate::report::{Picture, Report, Source, Topic};
use ttd_search::cores::State;
use ttd_search::search::{ByDepth, LookUps};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[],
    charts: &[Picture::each("account-", "the account as a waterfall", |of, setting| {
        of.input.figures.on_their_own().filter_map(|of| waterfall::account(setting, of)).collect()
    })],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let figures = &of.input.figures;
    let Some(_) = figures.measured().next() else { return };
    report.heading(2, "Where the speedup went");
    report.paragraph(
        "N threads would ideally be N times as fast. The account's speedup is exactly N times the \
         product of three factors. Extra nodes: 1 / (1 + search overhead). Busy fraction: the \
         share of the workers' time spent searching. Node rate: the speed of a searching worker \
         relative to the base.",
    );
    report.table(
        "The account, by geometric means over samples and positions, so that its factors multiply \
         to the speedup. Positions with a censored sample are left out. (The busy fraction is a \
         little less than the share of `search` in the table of the workers' time, which is an \
         arithmetic mean.) The account's speedup is a ratio of geometric-mean times; the GM of the \
         speedups above is one of median times. The last column compares the account's speedup \
         with the median speedup.",
        &summary().table(
            beside_base(figures),
            "searcher, threads, account_positions, search_overhead, busy_fraction, node_rate, \
             account_speedup, efficiency (GM), account_to_median",
        ),
    );
    report.each_chart("account-");
    report.table(
        "How the workers spent their time: the share of threads x time, by arithmetic means over \
         samples and positions. A row adds up to 100%. The account's busy fraction is the \
         geometric mean of `search`.",
        &states(of),
    );
    report.table(
        "The cooperation of the workers, and the part of it that was in vain (sums over samples). \
         Aborted: nodes of subtrees that were given up because a split point above was cut off, by \
         the kind of that split point. Doubled: nodes of subtrees that another worker had searched \
         as deeply by the time that they were done. (The table did not hold that result at their \
         beginning, but held it at their end.)",
        &cooperation()
            .whole_table(lines(figures).filter_map(|line| Some((line, line.row.cooperation?)))),
    );
    let several = lines(figures).filter(|line| line.row.threads > 1);
    report.table(
        "How unequal the workers are. In every sample the workers are put in order, least to most. \
         The figures are means over samples; those of worker 0 stand beside them. Searching: the \
         share of its time that a worker searches. Nodes: its nodes over an equal share (all nodes \
         / threads). Joins: how often it joined a split point of another.",
        &workers().whole_table(several.filter_map(|line| Some((line, line.row.detail?)))),
    );
    for of in figures.on_their_own() {
        let caption = format!(
            "Look-ups of {} in the transposition table, by the plies that were left to search \
             at the node. Probes are counted a sample. Hits: the probes that found the \
             position. Cutoffs: the probes that ended the node.",
            of.searcher
        );
        report.table(&caption, &look_ups(of));
    }
}

/// The shares of the workers' time by state. States that never occur are left out.
fn states(of: &Source) -> Vec<Vec<String>> {
    let rows = || lines(&of.input.figures).filter(|line| line.row.states.is_some());
    let occurs = |state: &State| {
        rows().any(|line| line.row.states.is_some_and(|shares| shares[*state as usize] > 0.0))
    };
    let occurring = State::ALL.into_iter().filter(occurs);
    let keys = occurring.map(|state| format!("{}_share", state.name().replace('-', "_")));
    summary().table(rows(), &row(["searcher", "threads"], keys).join(", "))
}

/// The shares of PV, CUT and ALL nodes, as text.
fn kinds(shares: Option<[f64; 3]>) -> String {
    known(shares, |shares| shares.map(|share| fixed(100.0 * share, 0)).join(" / ") + "%")
}

columns! {
    /// The table of split points and work in vain, of thread counts whose workers cooperated.
    fn cooperation<'a>(of: (Line<'a>, Cooperation));

    Words "" = of.0.searcher, as "searcher";
    Words "" = starred(of.0.row.threads, of.0.row.oversubscribed), as "threads";
    Whole "" = of.1.splits_per_million(), as "splits a million nodes";
    Words "" = kinds(of.1.splits_by_kind()), as "at PV / CUT / ALL";
    Ratio "" = of.1.joins_per_split(), as "joins a split";
    Tenths "" = of.1.unjoined(), as "unjoined";
    Tenths "" = of.1.aborted(), as "aborted nodes";
    Words "" = kinds(of.1.aborted_by_kind()), as "by PV / CUT / ALL";
    Tenths "" = of.1.doubled(), as "doubled nodes";
}

/// The joins of a worker; none if no worker joined.
fn joins(of: &Detail) -> Option<Spread> {
    Some(of.joins).filter(|joins| joins.order[2] > 0.0)
}

fn ordered(spread: Option<Spread>, number: fn(f64) -> String) -> String {
    known(spread, |spread| spread.order.map(number).join(" / "))
}

columns! {
    /// The table of how the workers of a sample differ, of thread counts above 1.
    fn workers<'a>(of: (Line<'a>, Detail));

    Words "" = of.0.searcher, as "searcher";
    Words "" = starred(of.0.row.threads, of.0.row.oversubscribed), as "threads";
    Whole "" = of.1.samples, as "samples";
    Tenths "" = of.1.searching.first, as "searching: worker 0";
    Words "" = ordered(Some(of.1.searching), tenths), as "least / median / most";
    Ratio "" = of.1.nodes.first, as "nodes: worker 0";
    Words "" = ordered(Some(of.1.nodes), ratio), as "least / median / most";
    Whole "" = joins(&of.1).map(|joins| joins.first), as "joins: worker 0";
    Words "" = ordered(joins(&of.1), |joins| fixed(joins, 0)), as "least / median / most";
}

/// Depths that one row shows together: the first and the last.
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

/// The look-ups in the table by depth, at the least and the greatest number of threads.
fn look_ups(of: &SearcherFigures) -> Vec<Vec<String>> {
    let mut shown: Vec<(&Row, Detail)> =
        of.rows.iter().filter_map(|row| Some((row, row.detail?))).collect();
    if shown.len() > 2 {
        shown.drain(1..shown.len() - 1);
    }
    let headings = shown.iter().flat_map(|(row, _)| {
        let threads = count(row.threads, "thread");
        [format!("{threads}: probes"), "hits".to_owned(), "cutoffs".to_owned()]
    });
    let mut table = vec![row(["plies left"], headings)];
    for depths in DEPTHS {
        let sums: Vec<LookUps> =
            shown.iter().map(|(_, detail)| summed(&detail.look_ups, depths)).collect();
        if sums.iter().all(|sum| sum.probes == 0) {
            continue;
        }
        let cells = sums.iter().zip(&shown).flat_map(|(sum, (_, detail))| {
            let probes = sum.probes as f64;
            let of_probes = |n: u64| known((sum.probes > 0).then(|| n as f64 / probes), tenths);
            let a_sample = fixed(probes / detail.samples as f64, 0);
            [a_sample, of_probes(sum.hits), of_probes(sum.cutoffs)]
        });
        table.push(row([&depths_in_words(depths)], cells));
    }
    table
}

fn summed(look_ups: &ByDepth, (first, last): (usize, usize)) -> LookUps {
    let mut sum = LookUps::default();
    let within = look_ups.iter().filter(|(depth, _)| (first..=last).contains(depth));
    within.for_each(|(_, at)| sum += at);
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
