//! Several small frames on one sheet, all with the same axes.

use crate::report::charts::{Axis, Frame, Sheet};

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
pub(super) fn height(count: usize) -> i32 {
    let rows = count.div_ceil(columns(count)).max(1);
    (ROW.mul_add(rows as f64, AROUND) - ABOVE) as i32
}

/// The frame around all of them, and each of them: row by row.
pub(super) fn frames(sheet: &Sheet, count: usize, x: Axis, y: Axis) -> (Frame, Vec<Frame>) {
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
