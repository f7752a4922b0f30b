//! Speedup by the size of the tree: the nodes that the base visits.

pub(crate) mod rows;

use crate::report::charts::bars::{MOST_LINES, WITH_BARS, ends_of_lines, of_lines, told};
use crate::report::charts::layout;
use crate::report::charts::style::{GREY, HEIGHT, Look, REFERENCE, look};
use crate::report::charts::{
    Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sketch, Spot, beside,
};
use crate::report::columns::columns;
use crate::report::lists::{ascending, row};
use crate::report::numbers::{bounds, count, fixed, known, ratio, with_interval, words_if};
use crate::report::topics::by_depth::PREFIX;
use crate::report::topics::by_depth::rows::SHORT_S;
use crate::report::topics::by_tree::rows::{ByTreePoint, ByTreeRow, Size, SpeedupsByTree, short};
use crate::report::topics::summary::starred;
use crate::report::{Picture, Report, Source, Table, Topic, file};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[file!("speedup-by-tree.csv", points, Table::filled, |of| all_points(
        &of.input.by_tree
    ))],
    charts: &[Picture::each(
        "speedup-by-tree-",
        "geometric-mean speedup by the nodes of the base, a line for each number of threads",
        |of, setting| charts(setting, &of.input.by_tree),
    )],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let all = &of.input.by_tree[..];
    if all.is_empty() {
        return;
    }
    report.heading(2, "Speedup by the size of the tree");
    report.paragraph(&format!(
        "Does a searcher scale better on larger trees? Each depth on the way of a search counts by \
         the nodes that the base visits to it. These are medians over runs, in steps of half a power \
         of ten. \
         A position counts once for each size: by the geometric mean over its depths of that size. \
         Depths that the base reaches in less than {} ms are left out, and those of which only \
         bounds are known. A base with an unlucky tree stands among larger trees. So a part of a \
         rise is chance.{}",
        fixed(1000.0 * SHORT_S, 0),
        words_if(
            all.iter().any(|of| of.prefixes),
            &format!(" {PREFIX} Times to smaller depths are those of prefixes, as above.")
        )
    ));
    report.table(
        "Geometric-mean speedup (ci_positions; positions) by the nodes of the base. * \
         oversubscribed.",
        &table(all),
    );
    report.each_chart("speedup-by-tree-");
}

fn table(all: &[SpeedupsByTree]) -> Vec<Vec<String>> {
    let of_rows = all.iter().flat_map(|of| &of.rows);
    let sizes = ascending(of_rows.flat_map(|row| &row.points).map(|point| point.size));
    let mut table = vec![row(["searcher", "threads"], sizes.iter().map(|size| size.in_words()))];
    for of in all {
        for of_row in &of.rows {
            let cells = sizes.iter().map(|size| {
                known(of_row.points.iter().find(|point| point.size == *size), |point| {
                    let speedup = bounds(Some(point.speedup.value), ratio);
                    let speedup = with_interval(speedup, point.speedup.ci_positions, ratio);
                    format!("{speedup}; {}", point.positions)
                })
            });
            let mark = words_if(of.prefixes, PREFIX);
            let threads = starred(of_row.threads, of_row.oversubscribed);
            table.push(row([&format!("{}{mark}", of.searcher), &threads], cells));
        }
    }
    table
}

fn charts(setting: &Setting, all: &[SpeedupsByTree]) -> Vec<Sketch> {
    all.iter().filter(|of| of.on_its_own).map(|of| chart(setting, of)).collect()
}

fn chart(setting: &Setting, of: &SpeedupsByTree) -> Sketch {
    let rows = layout::with_room(&of.rows, |row| row.threads, MOST_LINES);
    let bars = rows.len() <= WITH_BARS;
    let drawn = || rows.iter().flat_map(|row| &row.points);
    let sizes = ascending(drawn().map(|point| point.size));
    let ends = ends_of_lines(drawn().map(|point| point.speedup), bars);
    let of_rows = rows.iter().enumerate();
    let of_rows = of_rows.map(|(index, row)| Entry::new(name(row), Key::Series(look(index))));
    let entries = [Entry::new("no speedup", Key::Line(GREY, REFERENCE))].into_iter().chain(of_rows);
    let interval = of_lines(drawn().map(|point| point.speedup), bars);
    let over = words_if(rows.iter().any(|row| row.oversubscribed), " * oversubscribed.");
    let prefixes = words_if(of.prefixes, " Prefixes of the deepest search.");
    let how = format!("Geometric mean over positions.{interval}{over}{prefixes}");
    let title = format!("{}: speedup by the size of the tree", of.searcher);
    let sheet = setting.sheet(title, entries, &how, HEIGHT);
    let labels: Vec<String> = sizes.iter().map(|size| short(size.from())).collect();
    let frame = sheet.frame(Axis::categories(&labels), Axis::ratios(ends.into_iter()));
    let axes = ("nodes of the base, from", "speedup (log scale)");
    let picture = sheet.plot(&frame, axes, None, |canvas| {
        frame.level(canvas, 1.0, "no speedup");
        for (index, row) in rows.iter().enumerate() {
            let offset = beside(index, rows.len()) * (frame.spacing() * 0.15).min(12.0);
            line(canvas, (&frame, &sizes), row, look(index), bars.then_some(offset));
        }
    });
    let data = of.rows.iter().flat_map(|row| row.points.iter().map(|point| (row.threads, *point)));
    Chart {
        name: format!("speedup-by-tree-{}", of.searcher),
        caption: format!(
            "Speedup of {} by the nodes that the base visits, a line for each number of threads. \
             {} {how} Each depth on the way of a search counts, but those that the base reaches in \
             less than {} ms. Sizes may have different positions.{}",
            of.searcher,
            setting.long,
            fixed(1000.0 * SHORT_S, 0),
            words_if(rows.len() < of.rows.len(), layout::NOT_ALL)
        ),
        picture,
        data: data_columns().file(data).csv(),
    }
}

fn name(row: &ByTreeRow) -> String {
    format!("{}{}", count(row.threads, "thread"), words_if(row.oversubscribed, "*"))
}

/// Draws one line. With an offset it has bars, and stands so many pixels aside.
fn line(
    canvas: &mut Canvas,
    (frame, sizes): (&Frame, &[Size]),
    row: &ByTreeRow,
    look: Look,
    offset: Option<f64>,
) {
    let (mut spots, name) = (Vec::new(), name(row));
    for point in &row.points {
        let place = sizes.iter().take_while(|size| **size < point.size).count();
        let x = frame.x_at(place as f64) + offset.unwrap_or(0.0);
        let (size, speedup) = (point.size.in_words(), told(&point.speedup, ratio));
        let title = format!("{name}, {size} nodes: speedup {speedup}");
        let ci = point.speedup.ci_positions.filter(|ci| offset.is_some() && !ci.is_exact());
        if let Some(ci) = ci {
            canvas.value(&name, &title, |canvas| {
                frame.whisker(canvas, x, ci, (look.colour, 2), 5.0);
            });
        }
        spots.push(Spot { at: (x, frame.y_at(point.speedup.value.lower)), title });
    }
    canvas.series(&name, &spots, look, (4, 8.0));
}

fn all_points(
    all: &[SpeedupsByTree],
) -> impl Iterator<Item = (&SpeedupsByTree, usize, &ByTreePoint)> {
    let rows = all.iter().flat_map(|of| of.rows.iter().map(move |row| (of, row)));
    rows.flat_map(|(of, row)| row.points.iter().map(move |point| (of, row.threads, point)))
}

columns! {
    /// The columns of `speedup-by-tree.csv`.
    fn points<'a>(of: (&'a SpeedupsByTree, usize, &'a ByTreePoint));

    /// the row
    Words "searcher" = of.0.searcher.as_str();
    Whole "threads" = of.1;
    /// the size: the base visits at least the one, and less than the other
    Whole "nodes_from" = of.2.size.from() as usize;
    Whole "nodes_to" = of.2.size.to() as usize;
    /// as in `speedup-by-depth.csv`
    Flag "prefixes" = of.0.prefixes;
    /// positions that have a depth of this size
    Whole "positions" = of.2.positions;
    /// of the speedup over these, each by the geometric mean over its depths of this size;
    /// `ci_positions` only
    Ratio "geometric_mean" + Positions = of.2.speedup;
}

columns! {
    /// The data of a chart: threads, and a size.
    fn data_columns(of: (usize, ByTreePoint));

    Whole "threads" = of.0;
    Whole "nodes_from" = of.1.size.from() as usize;
    Whole "positions" = of.1.positions;
    Ratio "speedup" + Positions = of.1.speedup;
}
