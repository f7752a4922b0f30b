//! Drawing a picture, shape by shape.

use crate::report::charts::style::{Colour, FONT, Marker};
use plotters::style::{FontFamily, FontStyle, IntoFont, register_font};
use std::sync::OnceLock;

/// The font that is part of the program, so that charts look the same everywhere.
pub(super) static FONT_FILE: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");

/// The number by which plotters divides the size of a font before it writes the size.
pub(super) const SIZE_FACTOR: f64 = 1.24;

/// Units to a pixel. plotters draws in whole units: with eight to a pixel, slanted dashes stay
/// straight.
pub(super) const UNITS: i32 = 8;

/// The place of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// The text begins there.
    Left,
    /// The middle of the text is there.
    Centre,
    /// The text ends there.
    Right,
    /// The text reads upwards, and its middle is there.
    Upwards,
}

/// A point in pixels, from the upper left corner.
pub(crate) type Point = (f64, f64);

/// A point in units.
type Place = (i32, i32);

/// A shape of a picture. Places and lengths are in units.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A filled rectangle between its upper left and its lower right corner.
    Rectangle(Place, Place),
    /// A line of this width through points.
    Path(Vec<Place>, u32),
    /// A filled shape.
    Polygon(Vec<Place>),
    /// A filled disc of this radius.
    Disc(Place, i32),
    /// A circle of this radius, and the width of its line.
    Circle(Place, i32, u32),
    /// A text of this height, vertically centred on its point.
    Text(Place, String, Align, i32),
}

/// Shapes that are drawn one after another, and the thing that they show.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Part {
    /// The thing that they show; none for axes and words.
    pub(super) mark: Option<Mark>,
    /// The shapes with their colours, from the lowest to the uppermost.
    pub(super) shapes: Vec<(Shape, Colour)>,
}

/// A thing that a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    /// Its words in the legend; of a value, those of its series.
    pub(super) name: String,
    /// The words that appear while the mouse points at it.
    pub(super) title: String,
    /// Whether it is a value. Curves and lines to compare with are none.
    pub(super) is_value: bool,
}

/// A picture that is being drawn.
#[derive(Debug, Default)]
pub(crate) struct Canvas {
    /// From the lowest to the uppermost.
    pub(super) parts: Vec<Part>,
}

/// Makes the font known to plotters, once. If plotters refuses it, drawing a text reports the
/// error.
pub(super) fn register() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let _ = register_font(FONT, FontStyle::Normal, FONT_FILE);
    });
}

fn units((x, y): Point) -> Place {
    let unit = |v: f64| (v * f64::from(UNITS)).round() as i32;
    (unit(x), unit(y))
}

impl Canvas {
    /// Draws a value of a series: all that `draw` adds. The title has the value in words.
    pub(crate) fn value(
        &mut self,
        series: &str,
        title: impl Into<String>,
        draw: impl FnOnce(&mut Canvas),
    ) {
        let (name, title) = (series.to_owned(), title.into());
        self.part(Some(Mark { name, title, is_value: true }), draw);
    }

    /// Draws a line, or another thing that is no value, with its words in the legend.
    pub(crate) fn guide(&mut self, name: &str, draw: impl FnOnce(&mut Canvas)) {
        let (name, title) = (name.to_owned(), name.to_owned());
        self.part(Some(Mark { name, title, is_value: false }), draw);
    }

    fn part(&mut self, mark: Option<Mark>, draw: impl FnOnce(&mut Canvas)) {
        self.parts.push(Part { mark, shapes: Vec::new() });
        draw(self);
        self.parts.push(Part::default());
    }

    /// Whether the legend's words are of a thing that was drawn.
    pub(super) fn shows(&self, name: &str) -> bool {
        let marks = self.parts.iter().filter(|part| !part.shapes.is_empty());
        marks.filter_map(|part| part.mark.as_ref()).any(|mark| mark.name == name)
    }

    fn put(&mut self, shape: Shape, colour: Colour) {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        if let Some(part) = self.parts.last_mut() {
            part.shapes.push((shape, colour));
        }
    }

    /// Draws a filled rectangle between two opposite corners.
    pub(crate) fn rectangle(&mut self, a: Point, b: Point, fill: Colour) {
        let (a, b) = (units(a), units(b));
        let (least, most) = ((a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1)));
        self.put(Shape::Rectangle(least, most), fill);
    }

    /// Draws the outline of a rectangle.
    pub(crate) fn outline(&mut self, a: Point, b: Point, colour: Colour, width: u32) {
        let (left, top, right, bottom) = (a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1));
        let around =
            [(left, top), (right, top), (right, bottom), (left, bottom), (left, top), (right, top)];
        self.path(&around, colour, width);
    }

    /// Draws a line through points.
    pub(crate) fn path(&mut self, points: &[Point], colour: Colour, width: u32) {
        let points = points.iter().copied().map(units).collect();
        self.put(Shape::Path(points, width * UNITS as u32), colour);
    }

    /// Draws a line through points in dashes and gaps of these lengths in turn; solid if there are
    /// none.
    pub(crate) fn dashed(&mut self, points: &[Point], dashes: &[f64], colour: Colour, width: u32) {
        if dashes.is_empty() {
            return self.path(points, colour, width);
        }
        for dash in cut_into_dashes(points, dashes) {
            self.path(&dash, colour, width);
        }
    }

    /// Draws a filled shape.
    pub(crate) fn polygon(&mut self, corners: &[Point], fill: Colour) {
        let corners = corners.iter().copied().map(units).collect();
        self.put(Shape::Polygon(corners), fill);
    }

    /// Draws a disc, or only its rim if it is not filled.
    pub(crate) fn circle(&mut self, centre: Point, radius: i32, colour: Colour, filled: bool) {
        let (centre, radius) = (units(centre), radius * UNITS);
        let rim = Shape::Circle(centre, radius, 2 * UNITS as u32);
        self.put(if filled { Shape::Disc(centre, radius) } else { rim }, colour);
    }

    /// Draws a filled marker about 2 `radius` wide.
    pub(crate) fn marker(&mut self, marker: Marker, (x, y): Point, radius: f64, colour: Colour) {
        let r = radius;
        match marker {
            Marker::Circle => self.circle((x, y), r as i32, colour, true),
            Marker::Square => {
                let r = r * 0.88;
                self.rectangle((x - r, y - r), (x + r, y + r), colour);
            }
            Marker::Triangle => {
                let corners =
                    [(x, y - 1.15 * r), (x + 1.1 * r, y + 0.8 * r), (x - 1.1 * r, y + 0.8 * r)];
                self.polygon(&corners, colour);
            }
            Marker::Diamond => {
                let r = r * 1.25;
                self.polygon(&[(x, y - r), (x + r, y), (x, y + r), (x - r, y)], colour);
            }
        }
    }

    /// Writes a text of this height, vertically centred on its point.
    pub(crate) fn text(&mut self, text: &str, at: Point, align: Align, size: i32, colour: Colour) {
        self.put(Shape::Text(units(at), text.to_owned(), align, size), colour);
    }
}

/// The width of a text of this height, in pixels.
pub(crate) fn text_width(text: &str, size: i32) -> f64 {
    register();
    let font = (FontFamily::Name(FONT), f64::from(size * UNITS) * SIZE_FACTOR).into_font();
    font.box_size(text).map_or(0.0, |(width, _)| f64::from(width) / f64::from(UNITS))
}

/// The text, cut into lines that are at most `width` pixels wide. A longer word is cut too.
pub(crate) fn wrapped(text: &str, size: i32, width: f64) -> Vec<String> {
    let fits = |text: &str| text_width(text, size) <= width;
    let mut lines: Vec<String> = Vec::new();
    for mut word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if fits(&format!("{line} {word}")) => {
                line.push(' ');
                line.push_str(word);
                continue;
            }
            _ => {}
        }
        while !fits(word) {
            let ends = word.char_indices().map(|(end, _)| end).skip(1);
            let Some(end) = ends.take_while(|end| fits(&word[..*end])).last() else { break };
            lines.push(word[..end].to_owned());
            word = &word[end..];
        }
        lines.push(word.to_owned());
    }
    lines
}

/// The dashes of a line through points.
fn cut_into_dashes(points: &[Point], dashes: &[f64]) -> Vec<Vec<Point>> {
    let mut out = Vec::new();
    let (mut index, mut left) = (0, dashes[0]);
    let mut dash: Vec<Point> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            if length <= left {
                left -= length;
                dash.push(to);
                break;
            }
            let share = left / length;
            from = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            dash.push(from);
            if index % 2 == 0 {
                out.push(std::mem::take(&mut dash));
            }
            dash = vec![from];
            index += 1;
            left = dashes[index % dashes.len()];
        }
    }
    if index % 2 == 0 && dash.len() > 1 {
        out.push(dash);
    }
    out
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_goes_on_in_the_next_line() {
        assert_eq!(wrapped("a short text", 20, 1000.0), ["a short text"]);
        let lines = wrapped("one two three four", 20, 100.0);
        assert_eq!(lines.join(" "), "one two three four");
        assert!(lines.len() > 1 && lines.iter().all(|line| text_width(line, 20) <= 100.0));
        let lines = wrapped("a Donaudampfschiff", 20, 100.0);
        assert_eq!((lines[0].as_str(), lines[1..].concat().as_str()), ("a", "Donaudampfschiff"));
        assert!(lines.len() > 2 && lines.iter().all(|line| text_width(line, 20) <= 100.0));
    }

    #[test]
    fn dashes_go_round_corners() {
        let line = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)];
        let dashes = cut_into_dashes(&line, &[8.0, 4.0]);
        assert_eq!(dashes[0], [(0.0, 0.0), (8.0, 0.0)]);
        assert_eq!(dashes[1], [(10.0, 2.0), (10.0, 10.0)]);
    }
}
