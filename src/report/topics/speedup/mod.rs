//! The speedups: over positions, and position by position.

mod boxes;
pub(crate) mod lines;
mod positions;

use crate::experiment::Base;
use crate::report::charts::bars::is_open;
use crate::report::charts::layout::shown;
use crate::report::charts::{Setting, Sketch};
use crate::report::figures::{Cell, Figures, NetRow, Row, SearcherFigures};
use crate::report::lists::{filled, row};
use crate::report::numbers::{bounds, count, estimate, interval, list, ratio, seconds, words_if};
use crate::report::topics::speedup::lines::{NET, TO_DEPTH, leading};
use crate::report::topics::summary::{beside_base, cells, lines, speedups, starred, summary};
use crate::report::{Picture, Report, Source, Topic, file};
use ttd_search::searchers::Searcher;
use ttd_stats::Bounds;
use ttd_stats::summary::geometric_mean;

/// The file with one row for each searcher and thread count.
pub(crate) const SUMMARY: &str = "summary.csv";

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[
        file!(SUMMARY, summary, Some, |of| lines(&of.input.figures)),
        file!("speedups.csv", speedups, Some, |of| cells(&of.input.figures)),
    ],
    charts: &[
        Picture::only(
            "net-speedup",
            "net speedups against the ideal, with intervals and the model that fits best, if the data can say",
            |of, setting| {
                let has_net = leading(&of.input.figures).label == NET.label;
                let draw = |setting: &_, figures: &_| lines::speedup(setting, figures, &NET);
                if has_net { of_all(of, setting, draw) } else { Vec::new() }
            },
        ),
        Picture::only("speedup", "the same of the speedups to depth", |of, setting| {
            of_all(of, setting, |setting, figures| lines::speedup(setting, figures, &TO_DEPTH))
        }),
        Picture::only(
            "efficiency",
            "net speedups over threads; without any, speedups to depth over threads",
            |of, setting| of_all(of, setting, lines::efficiency),
        ),
        Picture::each("speedup-boxes-", "speedups of every position by threads", |of, setting| {
            of_each(of, |of, index| Some(boxes::chart(setting, of, index)))
        }),
        Picture::each(
            "speedup-positions-",
            "speedups of every position in order, with intervals, at the most threads that have a core each",
            |of, setting| of_each(of, |of, index| positions::dots(setting, of, index)),
        ),
        Picture::each(
            "speedup-map-",
            "position by threads, the stronger the blue the greater the efficiency",
            |of, setting| of_each(of, |of, _| positions::map(setting, of)),
        ),
    ],
    section,
};

/// The searchers that charts show and that have a speedup. A searcher that was only measured as its
/// own base has none.
fn with_speedup(of: &Source) -> Vec<(usize, &SearcherFigures)> {
    let is_alone = of.input.experiment.base == Base::SameSearcher;
    let beside_base = |row: &Row| !is_alone || row.threads > 1;
    let is_known = |cell: &Cell| cell.speedup.is_some_and(|speedup| !is_open(speedup));
    let has_speedup = |of: &SearcherFigures| {
        let rows = of.rows.iter().zip(&of.cells).filter(|(row, _)| beside_base(row));
        rows.flat_map(|(_, cells)| cells).any(is_known)
    };
    shown(&of.input.figures).filter(|(_, of)| has_speedup(of)).collect()
}

/// Draws a chart of all searchers together.
fn of_all(
    of: &Source,
    setting: &Setting,
    draw: fn(&Setting, &Figures) -> Option<Sketch>,
) -> Vec<Sketch> {
    filled(with_speedup(of)).and_then(|_| draw(setting, &of.input.figures)).into_iter().collect()
}

/// Draws a chart of each searcher.
fn of_each(of: &Source, draw: impl Fn(&SearcherFigures, usize) -> Option<Sketch>) -> Vec<Sketch> {
    with_speedup(of).into_iter().filter_map(|(index, of)| draw(of, index)).collect()
}

fn section(report: &mut Report<'_>, of: &Source) {
    let figures = &of.input.figures;
    let Some(_) = figures.measured().next() else { return };
    report.heading(2, "Speedup");
    report.list(figures.measured().map(headline));
    report.table(
        "Net speedup is the speedup to depth x min(1, tree ratio): a searcher gets no credit for a \
         smaller tree. To depth: the geometric mean over positions. Tree ratio: nodes at N over \
         nodes of the base, without aborted ones; a geometric mean over the same positions. \
         Uncapped: to depth x tree ratio, the speed of N workers at equal trees. ≤: at most, as useless \
         nodes may be among the nodes.",
        &summary().table(
            beside_base(figures).filter(|line| line.row.net.is_some()),
            "searcher, threads, net_speedup, ci_runs, ci_positions, speedup_to_depth, ci_runs, \
             ci_positions, tree_ratio, ci_runs, ci_positions, uncapped_speedup, net efficiency",
        ),
    );
    report.chart("net-speedup");
    report.chart("speedup");
    report.chart("efficiency");
    report.table(
        "Times and speedups over positions. Base and time are medians over positions of median \
         times, in seconds. GM is the geometric mean of the speedups, total the ratio of total \
         times. * oversubscribed.",
        &summary().table(
            lines(figures),
            "searcher, threads, positions, n, base_median_s, median_s, speedup_min, speedup_q1, \
             speedup_median, speedup_q3, speedup_max, geometric_mean, total_time_ratio, efficiency",
        ),
    );
    report.table(
        "The 95% intervals. ci_runs: these positions, samples drawn anew (how well was it \
         measured?). ci_positions: positions drawn anew (what would others give?). The \
         ci_positions of total is a little too narrow, since a few long positions decide it. In \
         simulations with 7 to 30 positions it holds the truth in 92 to 94 of 100 experiments. The \
         intervals of efficiency are those of the median over the number of threads.",
        &summary().table(
            beside_base(figures),
            "searcher, threads, speedup_median, ci_runs, ci_positions, geometric_mean, ci_runs, \
             ci_positions, total_time_ratio, ci_runs, ci_positions",
        ),
    );
    if of.input.experiment.costs.as_ref().is_some_and(|costs| costs.cluster.is_some()) {
        report.table(
            "Speedups on the cluster over two bases, geometric means over positions. One rank is the \
             searcher itself at one thread, with the memory of a rank. One process is sequential, \
             with the memory of all ranks.",
            &two_bases(figures),
        );
    }
    report.heading(2, "Position by position");
    for of in figures.on_their_own() {
        for chart in ["speedup-boxes", "speedup-positions", "speedup-map"] {
            report.chart(&format!("{chart}-{}", of.searcher));
        }
    }
    for of in figures.on_their_own() {
        let caption = format!(
            "Median times in seconds of {} and, in brackets, speedups with the 95% \
             ci_runs.",
            of.searcher
        );
        report.table(&caption, &by_position(figures, of));
    }
}

/// The speedups of each searcher over itself at one thread, and over the sequential one.
fn two_bases(figures: &Figures) -> Vec<Vec<String>> {
    let all = Searcher::baseline().name();
    let one = |name: &str| figures.named(name).filter(|of| of.row(1).is_some());
    let over = |base: Option<&SearcherFigures>, cells: &[Cell]| {
        let median = |cell: &Cell| cell.median_s.and_then(Bounds::value);
        let ratios = base?.cells[0]
            .iter()
            .zip(cells)
            .map(|(base, cell)| Some(median(base)? / median(cell)?));
        geometric_mean(&ratios.collect::<Option<Vec<f64>>>()?).map(ratio)
    };
    let mut table = vec![row(["searcher", "threads", "over one rank", "over one process"], [])];
    for of in figures.measured().filter(|of| of.searcher != all) {
        for (at, cells) in of.rows.iter().zip(&of.cells) {
            let [rank, process] = [one(&of.searcher), one(all)]
                .map(|base| over(base, cells).unwrap_or_else(|| "not known".to_owned()));
            table.push(row([&of.searcher, &at.threads.to_string(), &rank, &process], []));
        }
    }
    table
}

/// One searcher in a sentence or more. Net speedup leads.
fn headline(of: &SearcherFigures) -> String {
    let name = &of.searcher;
    let rows: Vec<&Row> = of.rows.iter().filter(|row| row.threads > 1).collect();
    let base = of.rows.first().and_then(|row| row.base_s).and_then(Bounds::value);
    let base = base.map_or_else(String::new, |s| {
        format!(" The base takes {} s (median over positions).", seconds(s))
    });
    if rows.is_empty() {
        return format!("**{name}** was measured at one thread only.{base}");
    }
    let kind = if of.net_base.is_ok() { &NET } else { &TO_DEPTH };
    let known: Vec<&Row> =
        rows.iter().copied().filter(|row| (kind.figure)(row).is_some()).collect();
    if known.is_empty() {
        return format!("**{name}**: no speedup is known, for a base or its samples are missing.");
    }
    let one = |row: &&Row| {
        let speedup = (kind.figure)(row);
        let interval = speedup.and_then(|of| of.ci_positions).map_or_else(String::new, |ci| {
            format!(" (ci_positions {})", interval(Some(ci), ratio))
        });
        let at_most = words_if(row.net.is_some_and(|net| net.at_most), "at most ");
        let at = starred(row.threads, row.oversubscribed);
        format!("{at_most}{}{interval} at {at}", estimate(speedup, ratio))
    };
    let last = known[known.len() - 1];
    let to_depth = last.net.map_or_else(String::new, |net| {
        let to_depth = bounds(Some(net.to_depth.value), ratio);
        format!(" {}", tree_in_words(&net, last.threads, &to_depth))
    });
    let without = of
        .net_base
        .as_ref()
        .err()
        .map_or_else(String::new, |why| format!(" Net speedup is not known: {why}."));
    let other_base = of.net_base.as_ref().ok().filter(|base| *base != name);
    let other_base = other_base.map_or_else(String::new, |base| {
        format!(
            " The base of net speedup is {base} at one thread, the best setting of this engine."
        )
    });
    let efficiency = lines::efficiency_of(last, kind).and_then(|e| e.value.value());
    let efficiency = efficiency
        .map_or_else(String::new, |e| format!(" Efficiency at {}: {}.", last.threads, ratio(e)));
    format!(
        "**{name}**: {} {} threads.{to_depth}{without}{other_base}{efficiency}{base}",
        kind.label,
        list(known.iter().map(one))
    )
}

/// The speedup to depth beside the net speedup, and the part of the tree in the difference.
fn tree_in_words(net: &NetRow, threads: usize, to_depth: &str) -> String {
    let tree = bounds(Some(net.tree_ratio.value), ratio);
    let effect = match net.tree_ratio.value.value() {
        Some(ratio) if ratio < 1.0 => "a part of it is a smaller tree, which gets no credit",
        Some(_) => "the extra nodes are a loss, which both speedups have",
        None => "censored samples leave the trees open",
    };
    format!(
        "To depth it is {to_depth} at {threads}; the tree is {tree} times that of the base: {effect}."
    )
}

/// Times and speedups of every position.
fn by_position(figures: &Figures, of: &SearcherFigures) -> Vec<Vec<String>> {
    let star = |row: &Row| if row.oversubscribed { "*" } else { "" };
    let heading = |row: &Row| format!("{}{}", count(row.threads, "thread"), star(row));
    let mut table = vec![row(["position"], of.rows.iter().map(heading))];
    for (index, id) in figures.positions.iter().enumerate() {
        let cells = || of.cells.iter().map(|cells| &cells[index]);
        if cells().any(|c| c.ok + c.censored + c.failed > 0) {
            table.push(row([id], cells().map(position_cell)));
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
