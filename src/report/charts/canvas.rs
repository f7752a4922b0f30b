//! Drawing onto an SVG picture, and turning it into PNG.

use crate::report::charts::style::{FONT, Marker};
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, EmptyElement, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontFamily, FontStyle, FontTransform, IntoFont, RGBColor, TextStyle, register_font,
};
use resvg::{tiny_skia, usvg};
use std::sync::{Arc, OnceLock};

/// The font that is part of the program, so that charts look the same everywhere.
static FONT_FILE: &[u8] = include_bytes!("../../../assets/DejaVuSans.ttf");

/// The number by which plotters divides the size of a font before it writes the size.
const SIZE_FACTOR: f64 = 1.24;

/// Units to a pixel. plotters draws in whole units: with eight to a pixel, slanted dashes stay
/// straight.
const UNITS: i32 = 8;

/// Pixels of the PNG to one pixel of the SVG: 300 dots an inch on a page 15 cm wide.
const PNG_SCALE: f32 = 1.5;

/// The reason why a chart could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// The drawing library refused something.
    #[error("the chart could not be drawn: {0}")]
    Draw(String),
    /// The picture could not be rendered as PNG.
    #[error("the chart could not be turned into PNG: {0}")]
    Png(String),
}

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

/// A picture that is being drawn. It keeps the first error until [`svg`] returns.
pub(crate) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    error: Option<String>,
}

/// Draws a picture of this size in pixels and returns its SVG text.
pub(crate) fn svg(
    (width, height): (i32, i32),
    draw: impl FnOnce(&mut Canvas<'_>),
) -> Result<String, ChartError> {
    register();
    let mut text = String::new();
    {
        let size = ((width * UNITS) as u32, (height * UNITS) as u32);
        let area = SVGBackend::with_string(&mut text, size);
        let mut canvas = Canvas { area: area.into_drawing_area(), error: None };
        canvas.rectangle((0.0, 0.0), (width as f64, height as f64), plotters::style::WHITE);
        draw(&mut canvas);
        let shown = canvas.area.present().map_err(|e| e.to_string());
        canvas.keep(shown);
        if let Some(error) = canvas.error {
            return Err(ChartError::Draw(error));
        }
    }
    // The picture is `width` by `height` pixels large, whatever its units. The first attributes of
    // that form are the picture's.
    let (wide, high) = (width * UNITS, height * UNITS);
    let in_units = format!("width=\"{wide}\" height=\"{high}\"");
    Ok(text.replacen(&in_units, &format!("width=\"{width}\" height=\"{height}\""), 1))
}

/// Renders an SVG picture as PNG, with the embedded font and no other.
pub(crate) fn png(svg: &str) -> Result<Vec<u8>, ChartError> {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(FONT_FILE.to_vec());
    let options = usvg::Options { fontdb: Arc::new(fonts), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|e| ChartError::Png(e.to_string()))?;
    let scale = tiny_skia::Transform::from_scale(PNG_SCALE, PNG_SCALE);
    let size = tree.size().to_int_size().scale_by(PNG_SCALE);
    let size = size.ok_or_else(|| ChartError::Png("it has no size".to_owned()))?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| ChartError::Png("it has no size".to_owned()))?;
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| ChartError::Png(e.to_string()))
}

/// Makes the font known to plotters, once. If plotters refuses it, drawing a text reports the
/// error.
fn register() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let _ = register_font(FONT, FontStyle::Normal, FONT_FILE);
    });
}

fn units((x, y): Point) -> (i32, i32) {
    let unit = |v: f64| (v * f64::from(UNITS)).round() as i32;
    (unit(x), unit(y))
}

impl Canvas<'_> {
    fn keep<E: ToString>(&mut self, result: Result<(), E>) {
        if let (Err(error), None) = (result, &self.error) {
            self.error = Some(error.to_string());
        }
    }

    /// Draws a filled rectangle between two opposite corners.
    pub(crate) fn rectangle(&mut self, a: Point, b: Point, fill: RGBColor) {
        let drawn = self.area.draw(&Rectangle::new([units(a), units(b)], fill.filled()));
        self.keep(drawn.map_err(|e| e.to_string()));
    }

    /// Draws the outline of a rectangle.
    pub(crate) fn outline(&mut self, a: Point, b: Point, colour: RGBColor, width: u32) {
        let (left, top, right, bottom) = (a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1));
        let around =
            [(left, top), (right, top), (right, bottom), (left, bottom), (left, top), (right, top)];
        self.path(&around, colour, width);
    }

    /// Draws a line through points.
    pub(crate) fn path(&mut self, points: &[Point], colour: RGBColor, width: u32) {
        let points: Vec<_> = points.iter().copied().map(units).collect();
        let drawn =
            self.area.draw(&PathElement::new(points, colour.stroke_width(width * UNITS as u32)));
        self.keep(drawn.map_err(|e| e.to_string()));
    }

    /// Draws a line through points in dashes and gaps of these lengths in turn; solid if there are
    /// none.
    pub(crate) fn dashed(
        &mut self,
        points: &[Point],
        dashes: &[f64],
        colour: RGBColor,
        width: u32,
    ) {
        if dashes.is_empty() {
            return self.path(points, colour, width);
        }
        for dash in cut_into_dashes(points, dashes) {
            self.path(&dash, colour, width);
        }
    }

    /// Draws a filled shape.
    pub(crate) fn polygon(&mut self, corners: &[Point], fill: RGBColor) {
        let points: Vec<_> = corners.iter().copied().map(units).collect();
        let drawn = self.area.draw(&Polygon::new(points, fill.filled()));
        self.keep(drawn.map_err(|e| e.to_string()));
    }

    /// Draws a disc, or only its rim if it is not filled.
    pub(crate) fn circle(&mut self, centre: Point, radius: i32, colour: RGBColor, filled: bool) {
        let style = if filled { colour.filled() } else { colour.stroke_width(2 * UNITS as u32) };
        let drawn = self.area.draw(&Circle::new(units(centre), radius * UNITS, style));
        self.keep(drawn.map_err(|e| e.to_string()));
    }

    /// Draws a filled marker about 2 `radius` wide.
    pub(crate) fn marker(&mut self, marker: Marker, (x, y): Point, radius: f64, colour: RGBColor) {
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
    pub(crate) fn text(
        &mut self,
        text: &str,
        at: Point,
        align: Align,
        size: i32,
        colour: RGBColor,
    ) {
        let h_pos = match align {
            Align::Left => HPos::Left,
            Align::Centre | Align::Upwards => HPos::Center,
            Align::Right => HPos::Right,
        };
        let mut style = text_style(size, colour).pos(Pos::new(h_pos, VPos::Center));
        if align == Align::Upwards {
            style = style.transform(FontTransform::Rotate270);
        }
        let element = EmptyElement::at(units(at)) + Text::new(text.to_owned(), (0, 0), style);
        let drawn = self.area.draw(&element);
        self.keep(drawn.map_err(|e| e.to_string()));
    }
}

/// The width of a text of this height, in pixels.
pub(crate) fn text_width(text: &str, size: i32) -> f64 {
    register();
    let font = (FontFamily::Name(FONT), f64::from(size * UNITS) * SIZE_FACTOR).into_font();
    font.box_size(text).map_or(0.0, |(width, _)| f64::from(width) / f64::from(UNITS))
}

/// The text, or as much of its beginning as there is room for, with an ellipsis. `width` is in
/// pixels.
pub(crate) fn cut_to(text: &str, size: i32, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let beginnings =
        text.char_indices().rev().map(|(end, _)| format!("{}…", text[..end].trim_end()));
    beginnings.into_iter().find(|cut| text_width(cut, size) <= width).unwrap_or_default()
}

/// The text, cut into lines that are at most `width` pixels wide. A longer word has a line of its
/// own.
pub(crate) fn wrapped(text: &str, size: i32, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn text_style(size: i32, colour: RGBColor) -> TextStyle<'static> {
    (FontFamily::Name(FONT), f64::from(size * UNITS) * SIZE_FACTOR).into_font().color(&colour)
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
    fn a_picture_is_whole_and_renders() {
        let text = svg((300, 200), |canvas| {
            canvas.text("speedup < 2 & more", (10.0, 50.0), Align::Left, 20, RGBColor(0, 0, 0));
            assert!(text_width("mm", 20) > text_width("ii", 20));
        })
        .expect("drawn");
        assert!(text.trim_end().ends_with("</svg>"));
        assert!(text.contains("DejaVu Sans") && text.contains("&lt; 2 &amp; more"));
        let png = png(&text).expect("rendered");
        assert!(png.starts_with(b"\x89PNG"));
    }

    #[test]
    fn the_font_is_found_when_rendering() {
        let ink = |text: &str| {
            let drawn = svg((200, 60), |canvas| {
                canvas.text(text, (10.0, 30.0), Align::Left, 30, RGBColor(0, 0, 0));
            });
            png(&drawn.expect("drawn")).expect("rendered")
        };
        assert_ne!(ink("text"), ink(""));
    }

    #[test]
    fn what_is_too_long_is_cut() {
        assert_eq!(cut_to("short", 20, 1000.0), "short");
        let cut = cut_to("Steinitz, Havana 1892", 20, 120.0);
        assert!(cut.starts_with("Stein") && cut.ends_with('…'), "{cut}");
        assert!(text_width(&cut, 20) <= 120.0);
        assert_eq!(cut_to("short", 20, 0.0), "");
    }

    #[test]
    fn what_is_too_long_goes_on_in_the_next_line() {
        assert_eq!(wrapped("a short text", 20, 1000.0), ["a short text"]);
        let lines = wrapped("one two three four", 20, 100.0);
        assert_eq!(lines.join(" "), "one two three four");
        assert!(lines.len() > 1 && lines.iter().all(|line| text_width(line, 20) <= 100.0));
    }

    #[test]
    fn dashes_go_round_corners() {
        let line = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)];
        let dashes = cut_into_dashes(&line, &[8.0, 4.0]);
        assert_eq!(dashes[0], [(0.0, 0.0), (8.0, 0.0)]);
        assert_eq!(dashes[1], [(10.0, 2.0), (10.0, 10.0)]);
    }
}
