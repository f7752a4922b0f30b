//! The time and nodes of a move at each fixed depth, as bars. Studies of root splitting compare
//! their versions so.

use crate::matches::{Effort, efforts};
use crate::report::MatchInput;
use crate::report::charts::style::{HEIGHT, bar_colour};
use crate::report::charts::{Axis, Chart, Entry, Key, Setting, Sketch};
use crate::report::matches::topics::moves::lines::{columns, lines, said};
use crate::report::numbers::significant;

/// The figure that is drawn.
pub(super) struct What {
    pub(super) name: &'static str,
    column: &'static str,
    title: &'static str,
    axis: &'static str,
    mean: fn(&Effort) -> Option<f64>,
}

/// The time.
pub(super) const TIME: What = What {
    name: "time-by-depth",
    column: "mean_time_s",
    title: "Mean time of a move by depth",
    axis: "time a move (s)",
    mean: Effort::mean_time,
};
/// The nodes.
pub(super) const NODES: What = What {
    name: "nodes-by-depth",
    column: "mean_nodes",
    title: "Mean nodes of a move by depth",
    axis: "nodes a move",
    mean: Effort::mean_nodes,
};

/// The chart; none, if the match has no fixed depth.
pub(super) fn chart(setting: &Setting, input: &MatchInput, what: &What) -> Option<Sketch> {
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
