//! The time, nodes and depth of a move.

mod chart;
mod lines;

use crate::report::{MatchInput, Picture, Report, Topic, file};
use chart::{NODES, TIME, chart};
use lines::{columns, lines};

/// The topic.
pub(crate) const TOPIC: Topic<MatchInput> = Topic {
    files: &[file!("moves.csv", columns, Some, |of| lines(of))],
    charts: &[
        Picture::only(
            TIME.name,
            "at fixed depths, the mean time of a move as bars: from zero, or over a logarithmic axis where the times differ more than tenfold",
            |of, setting| Vec::from_iter(chart(setting, of, &TIME)),
        ),
        Picture::only(NODES.name, "the mean nodes of a move, in the same way", |of, setting| {
            Vec::from_iter(chart(setting, of, &NODES))
        }),
    ],
    section,
};

fn section(report: &mut Report<'_>, input: &MatchInput) {
    report.heading(2, "Time, nodes and depth of a move");
    let depth = if input.spec().by_depth.is_empty() { "" } else { "depth, " };
    report.table(
        "Means over moves: time on our clock, nodes and depth as far as an engine says them.",
        &columns().table(
            lines(input),
            &format!("{depth}entry, moves, mean_time_s, mean_nodes, mean_depth"),
        ),
    );
    report.chart(TIME.name);
    report.chart(NODES.name);
}
