//! What the charts have in common: titles, legends, notes, curves.

use super::axes::{Axis, Frame};
use super::canvas::{Align, Canvas, Point};
use super::style::{GREY, INK, Look, SMALL, TEXT, TITLE, WIDTH, tint};
use crate::report::figures::{Figures, SearcherFigures};
use plotters::style::RGBColor;

/// The left edge of titles and notes.
const EDGE: f64 = 24.0;
/// How much room two lines of notes take at the bottom.
const NOTES: f64 = 74.0;

/// What stands before the words of a legend's entry.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key {
    /// A line with these dashes.
    Line(RGBColor, &'static [f64]),
    /// A searcher's line and marker.
    Series(Look),
    /// A searcher's box.
    Box(Look),
    /// A patch of colour.
    Patch(RGBColor),
}

/// One entry of a legend.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    words: String,
    key: Key,
}

impl Entry {
    pub(super) fn new(words: &str, key: Key) -> Entry {
        Entry { words: words.to_owned(), key }
    }
}

/// The searchers that have samples, each with its place in the experiment's list, which decides
/// its look in every chart.
pub(super) fn numbered(figures: &Figures) -> impl Iterator<Item = (usize, &SearcherFigures)> {
    figures.searchers.iter().enumerate().filter(|(_, s)| !s.rows.is_empty())
}

/// The usual frame of a picture of this height.
pub(super) fn frame(x: Axis, y: Axis, height: i32) -> Frame {
    Frame {
        left: 128.0,
        top: 118.0,
        right: f64::from(WIDTH) - 30.0,
        bottom: f64::from(height) - NOTES - 100.0,
        x,
        y,
    }
}

/// The title, the legend beneath it, and the notes at the bottom.
pub(super) fn titles(
    canvas: &mut Canvas<'_>,
    title: &str,
    legend: &[Entry],
    notes: &[String],
    height: i32,
) {
    canvas.text(title, (EDGE, 34.0), Align::Left, TITLE, INK);
    let mut x = EDGE;
    for entry in legend {
        key(canvas, entry.key, (x, 82.0));
        canvas.text(&entry.words, (x + 58.0, 82.0), Align::Left, SMALL, INK);
        x += 58.0 + canvas.text_width(&entry.words, SMALL) + 36.0;
    }
    for (line, note) in notes.iter().enumerate() {
        let y = f64::from(height) - NOTES + 18.0 + 30.0 * line as f64;
        canvas.text(note, (EDGE, y), Align::Left, SMALL, GREY);
    }
}

fn key(canvas: &mut Canvas<'_>, key: Key, (x, y): Point) {
    match key {
        Key::Line(colour, dashes) => {
            canvas.dashed(&[(x, y), (x + 48.0, y)], dashes, colour, 3);
        }
        Key::Series(look) => {
            canvas.dashed(&[(x, y), (x + 48.0, y)], look.dashes, look.colour, 4);
            canvas.marker(look.marker, (x + 24.0, y), 9.0, look.colour);
        }
        Key::Box(look) => {
            canvas.rectangle((x + 4.0, y - 11.0), (x + 44.0, y + 11.0), tint(look.colour, 0.22));
            canvas.outline((x + 4.0, y - 11.0), (x + 44.0, y + 11.0), look.colour, 2);
            canvas.marker(look.marker, (x + 24.0, y), 8.0, look.colour);
        }
        Key::Patch(colour) => canvas.rectangle((x + 8.0, y - 11.0), (x + 44.0, y + 11.0), colour),
    }
}

/// A function of threads, drawn from the least to the greatest of them and no further.
pub(super) fn curve(
    canvas: &mut Canvas<'_>,
    frame: &Frame,
    threads: &[usize],
    dashes: &[f64],
    colour: RGBColor,
    function: impl Fn(f64) -> f64,
) {
    let (Some(first), Some(last)) = (threads.iter().min(), threads.iter().max()) else { return };
    let (low, high) = ((*first as f64).ln(), (*last as f64).ln());
    let points: Vec<Point> = (0..=96)
        .map(|i| (low + (high - low) * f64::from(i) / 96.0).exp())
        .map(|n| (n, function(n)))
        .filter(|(_, s)| s.is_finite() && *s > 0.0)
        .map(|(n, s)| frame.at(n, s))
        .collect();
    canvas.dashed(&points, dashes, colour, 3);
}

/// Says in the middle of a plot why it is empty.
pub(super) fn nothing(canvas: &mut Canvas<'_>, frame: &Frame, why: &str) {
    let middle = (f64::midpoint(frame.left, frame.right), f64::midpoint(frame.top, frame.bottom));
    canvas.text(why, middle, Align::Centre, TEXT, GREY);
}
