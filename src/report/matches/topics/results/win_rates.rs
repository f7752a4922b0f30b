//! Win rates by threads: a frame each opponent, a line each searcher.

use crate::report::MatchInput;
use crate::report::charts::style::{INK, TEXT, look};
use crate::report::charts::{
    Align, Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sheet, Sketch, Spot, beside,
};
use crate::report::columns::{Value, columns};
use crate::report::lists::ascending;
use crate::report::numbers::{percent, with_interval};

pub(super) fn chart(setting: &Setting, input: &MatchInput) -> Sketch {
    let series = &input.figures.series;
    let opponents = input.opponents_met();
    let of_all = series.iter().flat_map(|series| &series.entries);
    let threads = ascending(of_all.map(|entry| input.spec().entries[*entry].threads));
    let entries = series.iter().map(|of| Entry::new(&of.name, Key::Series(look(of.look))));
    let bars = "Points / games. Bars: 95% intervals (Wilson).";
    let height = sheet_height(opponents.len());
    let sheet = setting.sheet("Win rate by threads", entries, bars, height);
    let y = Axis::from_zero(std::iter::empty(), 1.0);
    let (whole, frames) = frames_on(&sheet, opponents.len(), Axis::threads(&threads), y);
    let picture = sheet.picture(|canvas| {
        whole.name_axes(canvas, ("threads (log scale)", "win rate"));
        for (opponent, frame) in opponents.iter().zip(&frames) {
            frame.draw(canvas, setting.oversubscribed_from);
            let title = (frame.left, frame.top - 40.0);
            let against = format!("against {}", input.name(*opponent));
            canvas.text(&against, title, Align::Left, TEXT, INK);
            lines(canvas, frame, input, *opponent);
        }
    });
    Chart {
        name: "win-rate".to_owned(),
        caption: format!(
            "Win rate (points / games) by threads, against each opponent. {} Bars: 95% intervals \
             (Wilson), taking games as independent.",
            setting.long
        ),
        picture,
        data: rates(input, &opponents),
    }
}

/// The meaning of the points: an opponent, and an entry.
fn rates(input: &MatchInput, opponents: &[usize]) -> String {
    let entries = || input.figures.series.iter().flat_map(|of| &of.entries);
    let pairs = opponents.iter().flat_map(|opponent| entries().map(|entry| (*opponent, *entry)));
    data().file(pairs.map(|(opponent, entry)| (input, opponent, entry))).csv()
}

fn against(of: &(&MatchInput, usize, usize)) -> Value {
    let record = of.0.figures.table.between(of.2, of.1).total();
    Value::runs(record.score(), record.score_interval())
}

columns! {
    /// The data of the chart.
    fn data<'a>(of: (&'a MatchInput, usize, usize));

    Words "entry" = of.0.name(of.2);
    Whole "threads" = of.0.spec().entries[of.2].threads;
    Words "opponent" = of.0.name(of.1);
    Tenths "win_rate" + Ci = against(of);
}

/// The lines of one opponent.
fn lines(canvas: &mut Canvas, frame: &Frame, input: &MatchInput, opponent: usize) {
    let series = &input.figures.series;
    let mut empty = true;
    for (place, of) in series.iter().enumerate() {
        let look = look(of.look);
        // Side by side, so that one searcher's bars do not hide another's.
        let apart = (frame.spacing() * 0.2).min(12.0);
        let offset = beside(place, series.len()) * apart;
        let mut spots = Vec::new();
        for &entry in &of.entries {
            let record = input.figures.table.between(entry, opponent).total();
            let Some((rate, ends)) = record.score().zip(record.score_interval()) else {
                continue;
            };
            let x = frame.x_at(input.spec().entries[entry].threads as f64) + offset;
            let (name, number) =
                (input.name(entry), with_interval(percent(rate), Some(ends), percent));
            let title = format!("{name} against {}: win rate {number}", input.name(opponent));
            canvas.value(&of.name, &title, |canvas| {
                frame.whisker(canvas, x, ends, (look.colour, 2), 6.0);
            });
            spots.push(Spot { at: (x, frame.y_at(rate)), title });
        }
        empty &= spots.is_empty();
        canvas.series(&of.name, &spots, look, (3, 8.0));
    }
    if empty {
        frame.nothing(canvas, "no games");
    }
}

/// Height of a row of frames, with the room for a title above and for numbers below.
const ROW: f64 = 330.0;
/// Room above a frame for its title and for a mark of oversubscription.
const ABOVE: f64 = 62.0;
/// Room below a frame for numbers.
const BELOW: f64 = 42.0;
/// Room between two frames of a row, for the numbers of the right one.
const BETWEEN: f64 = 86.0;
/// The room around the frames of a sheet.
const AROUND: f64 = 330.0;

/// Frames in a row.
fn columns(count: usize) -> usize {
    match count {
        0..=1 => 1,
        2..=4 => 2,
        _ => 3,
    }
}

/// The height of a sheet for so many frames, with one line of legend.
pub(super) fn sheet_height(count: usize) -> i32 {
    let rows = count.div_ceil(columns(count)).max(1);
    (ROW.mul_add(rows as f64, AROUND) - ABOVE) as i32
}

/// The frame around all of them, and each of them: row by row.
pub(super) fn frames_on(sheet: &Sheet, count: usize, x: Axis, y: Axis) -> (Frame, Vec<Frame>) {
    let whole = sheet.frame(x, y);
    let columns = columns(count);
    let rows = count.div_ceil(columns).max(1);
    let width = (whole.right - whole.left + BETWEEN) / columns as f64;
    let height = (whole.bottom + BELOW - whole.top + ABOVE / 2.0) / rows as f64;
    let frame = |i: usize| {
        let left = whole.left + width * (i % columns) as f64;
        let top = whole.top - ABOVE / 2.0 + height * (i / columns) as f64;
        let (right, bottom) = (left + width - BETWEEN, top + height - BELOW);
        Frame { left, top: top + ABOVE, right, bottom, ..whole.clone() }
    };
    let frames = (0..count).map(frame).collect();
    (whole, frames)
}
