//! Speedup by depth: a chart for each searcher, a line for each thread count.

use crate::report::charts::bars::{MOST_LINES, WITH_BARS, ends_of_lines, of_lines, told};
use crate::report::charts::layout::{self};
use crate::report::charts::style::{GREY, HEIGHT, Look, REFERENCE, look};
use crate::report::charts::{
    Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sketch, Spot, beside,
};
use crate::report::columns::columns;
use crate::report::lists::ascending;
use crate::report::numbers::{count, fixed, ratio, words_if};
use crate::report::topics::by_depth::rows::{ByDepthPoint, ByDepthRow, SHORT_S, SpeedupsByDepth};

/// The charts of the searchers that have charts of their own, and a depth that takes long enough.
pub(super) fn by_depth(setting: &Setting, all: &[SpeedupsByDepth]) -> Vec<Sketch> {
    let own = all.iter().filter(|of| of.on_its_own);
    let own = own.filter(|of| of.rows.iter().any(|row| !points(row).is_empty()));
    own.map(|of| chart(setting, of)).collect()
}

/// The points of a row that are drawn: the depth is not too short, and its speedup is known.
fn points(row: &ByDepthRow) -> Vec<&ByDepthPoint> {
    row.points.iter().filter(|point| !point.is_short && point.speedup.value.is_exact()).collect()
}

fn chart(setting: &Setting, of: &SpeedupsByDepth) -> Sketch {
    let rows = layout::with_room(&of.rows, |row| row.threads, MOST_LINES);
    let bars = rows.len() <= WITH_BARS;
    let drawn = || rows.iter().flat_map(|row| points(row));
    let depths = ascending(drawn().map(|point| point.depth));
    let ends = ends_of_lines(drawn().map(|point| point.speedup), bars);
    let of_rows = rows.iter().enumerate();
    let of_rows = of_rows.map(|(index, row)| Entry::new(name(row), Key::Series(look(index))));
    let entries = [Entry::new("no speedup", Key::Line(GREY, REFERENCE))].into_iter().chain(of_rows);
    let over = if rows.iter().any(|row| row.oversubscribed) { " * oversubscribed." } else { "" };
    let interval = of_lines(drawn().map(|point| point.speedup), bars);
    let is_open = |point: &ByDepthPoint| !point.is_short && !point.speedup.value.is_exact();
    let any_open = rows.iter().any(|row| row.points.iter().any(is_open));
    let open = words_if(any_open, " Without depths that only have bounds (stopped samples).");
    let prefixes = words_if(of.prefixes, " Prefixes of the deepest search.");
    let how = format!("Geometric mean over positions.{interval}{over}{open}{prefixes}");
    let title = format!("{}: speedup by depth", of.searcher);
    let sheet = setting.sheet(title, entries, &how, HEIGHT);
    let frame = sheet.frame(Axis::depths(&depths), Axis::ratios(ends.into_iter()));
    let picture = sheet.plot(&frame, ("depth", "speedup (log scale)"), None, |canvas| {
        frame.level(canvas, 1.0, "no speedup");
        for (index, row) in rows.iter().enumerate() {
            // The lines stand side by side, so that the bars of one do not hide another's.
            let apart = (frame.spacing() * 0.15).min(12.0);
            let offset = beside(index, rows.len()) * apart;
            line(canvas, &frame, row, look(index), bars, if bars { offset } else { 0.0 });
        }
    });
    let long = of.rows.iter().flat_map(|row| {
        let long = row.points.iter().filter(|point| !point.is_short);
        long.map(move |point| (row.threads, *point))
    });
    Chart {
        name: format!("speedup-by-depth-{}", of.searcher),
        caption: format!(
            "Speedup of {} by depth, a line for each number of threads. {} {how} Times are those \
             to each depth on the way of one search. Depths that the base reaches in less than {} \
             ms (median over positions) are left out.{}",
            of.searcher,
            setting.long,
            fixed(1000.0 * SHORT_S, 0),
            if rows.len() < of.rows.len() { layout::NOT_ALL } else { "" }
        ),
        picture,
        data: data().file(long).csv(),
    }
}

/// The name of a line.
fn name(row: &ByDepthRow) -> String {
    format!("{}{}", count(row.threads, "thread"), words_if(row.oversubscribed, "*"))
}

/// Draws one line, moved sideways by `offset` pixels, with its bars if `bars` is true.
fn line(canvas: &mut Canvas, frame: &Frame, row: &ByDepthRow, look: Look, bars: bool, offset: f64) {
    let (mut spots, name) = (Vec::new(), name(row));
    for point in points(row) {
        let x = frame.x_at(f64::from(point.depth)) + offset;
        let speedup = told(&point.speedup, ratio);
        let title = format!("{name}, depth {}: speedup {speedup}", point.depth);
        if let Some(ci) = point.speedup.ci_positions.filter(|ci| bars && !ci.is_exact()) {
            canvas.value(&name, &title, |canvas| {
                frame.whisker(canvas, x, ci, (look.colour, 2), 5.0);
            });
        }
        spots.push(Spot { at: (x, frame.y_at(point.speedup.value.lower)), title });
    }
    canvas.series(&name, &spots, look, (4, 8.0));
}

columns! {
    /// The data of a chart: threads, and a depth.
    fn data(of: (usize, ByDepthPoint));

    Whole "threads" = of.0;
    Whole "depth" = of.1.depth;
    Ratio "speedup" + Positions = of.1.speedup;
}
