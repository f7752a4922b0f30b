//! The time, nodes and depth of a move: `moves.csv`, and at fixed depths their means as bars.
//! Studies of root splitting compare their versions so.

use crate::matches::{Effort, efforts};
use crate::report::charts::style::{HEIGHT, bar_colour};
use crate::report::charts::{Axis, Chart, Entry, Key, Setting, Sketch};
use crate::report::columns::columns;
use crate::report::numbers::significant;
use crate::report::{MatchInput, Picture, Report, Topic, file};

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

/// An entry that has moved, at one of the fixed depths, if there are any.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    input: &'a MatchInput,
    depth: Option<u8>,
    entry: usize,
    effort: Effort,
}

/// Every entry that has moved, depth by depth.
fn lines(input: &MatchInput) -> impl Iterator<Item = Line<'_>> {
    let all = efforts(&input.games);
    let entries = 0..input.spec().entries.len();
    let places = input
        .depths()
        .into_iter()
        .flat_map(move |depth| entries.clone().map(move |entry| (depth, entry)));
    places.filter_map(move |(depth, entry)| {
        let effort = *all.get(&(depth, input.name(entry)))?;
        Some(Line { input, depth, entry, effort })
    })
}

/// Who never said how many has none to show.
fn said(mean: Option<f64>) -> Option<f64> {
    mean.filter(|mean| *mean > 0.0)
}

columns! {
    /// The columns of `moves.csv`.
    fn columns<'a>(of: Line<'a>);

    /// the fixed depth; blank without one
    Whole "depth" = of.depth.map(usize::from), as "fixed depth";
    /// the entry
    Words "entry" = of.input.name(of.entry), as "entry", shown of.input.starred(of.entry);
    /// how many moves it made
    Whole "moves" = of.effort.moves, as "moves";
    /// their mean time on our clock
    Seconds "mean_time_s" = of.effort.mean_time(), as "time a move (s)";
    /// their mean nodes and depth, as far as the engine said them
    Whole "mean_nodes" = said(of.effort.mean_nodes()), as "nodes a move";
    One "mean_depth" = said(of.effort.mean_depth()), as "depth";
}

/// The figure that is drawn.
struct What {
    name: &'static str,
    column: &'static str,
    title: &'static str,
    axis: &'static str,
    mean: fn(&Effort) -> Option<f64>,
}

/// The time.
const TIME: What = What {
    name: "time-by-depth",
    column: "mean_time_s",
    title: "Mean time of a move by depth",
    axis: "time a move (s)",
    mean: Effort::mean_time,
};
/// The nodes.
const NODES: What = What {
    name: "nodes-by-depth",
    column: "mean_nodes",
    title: "Mean nodes of a move by depth",
    axis: "nodes a move",
    mean: Effort::mean_nodes,
};

/// The chart; none, if the match has no fixed depth.
fn chart(setting: &Setting, input: &MatchInput, what: &What) -> Option<Sketch> {
    let depths = Some(&input.spec().by_depth).filter(|depths| !depths.is_empty())?;
    let all = efforts(&input.games);
    let names: Vec<&str> = input.spec().entries.iter().map(|e| e.name.as_str()).collect();
    let mean = |depth: u8, name: &str| said((what.mean)(all.get(&(Some(depth), name))?));
    let means = depths.iter().flat_map(|d| names.iter().filter_map(move |name| mean(*d, name)));
    let means: Vec<f64> = means.collect();
    let entries = names.iter().enumerate();
    let entries = entries.map(|(i, name)| Entry::new(*name, Key::Patch(bar_colour(i))));
    let y = Axis::bars(&means);
    let (scale, how) = if y.is_logarithmic() {
        (", log scale", " Equal factors are equally high.")
    } else {
        ("", "")
    };
    let note = format!("Bars in the order of the legend.{how}");
    let sheet = setting.sheet(what.title, entries, note, HEIGHT);
    let labels: Vec<String> = depths.iter().map(u8::to_string).collect();
    let frame = sheet.frame(Axis::categories(&labels), y);
    let axis = format!("{}{scale}", what.axis);
    let picture = sheet.plot(&frame, ("depth", &axis), None, |canvas| {
        let width = frame.spacing() * 0.8 / names.len() as f64;
        for (group, &depth) in depths.iter().enumerate() {
            let left = frame.x_at(group as f64) - width * names.len() as f64 / 2.0;
            for (place, name) in names.iter().enumerate() {
                let Some(mean) = mean(depth, name) else { continue };
                let from = left + width * place as f64;
                let corner = (from + (width - 2.0).max(width * 0.8), frame.bottom);
                let title = format!("{name}, depth {depth}: {} {}", what.axis, significant(mean));
                canvas.value(name, title, |canvas| {
                    canvas.rectangle((from, frame.y_at(mean)), corner, bar_colour(place));
                });
            }
        }
    });
    let rows = lines(input).filter(|line| said((what.mean)(&line.effort)).is_some());
    Some(Chart {
        name: what.name.to_owned(),
        caption: format!(
            "{}, of each entry: bars in the order of the legend. {}{how}",
            what.title, setting.long
        ),
        picture,
        data: columns().only(&format!("depth, entry, {}", what.column)).file(rows).csv(),
    })
}
