//! A picture: its shapes as SVG, by plotters, and as pixels.

use crate::report::charts::canvas::{
    Align, Canvas, FONT_FILE, Part, SIZE_FACTOR, Shape, UNITS, register,
};
use crate::report::charts::style::{Colour, FONT, PAPER};
use ab_glyph::{Font, FontRef, OutlineCurve};
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, EmptyElement, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontFamily, FontTransform, IntoFont, RGBColor, TextStyle};
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// Pixels of the PNG to one pixel of the SVG: 300 dots an inch on a page 15 cm wide.
const PNG_SCALE: f32 = 1.5;

/// The reason why a chart could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    /// The drawing library refused something.
    #[error("the chart could not be drawn: {0}")]
    Draw(String),
    /// The picture could not be turned into PNG.
    #[error("the chart could not be turned into PNG: {0}")]
    Png(String),
}

/// The shapes of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Width and height, pixels of the SVG.
    size: (i32, i32),
    parts: Vec<Part>,
}

impl Drawing {
    /// The shapes of a picture of this size in pixels, on white.
    pub(crate) fn new(size: (i32, i32), draw: impl FnOnce(&mut Canvas)) -> Drawing {
        let mut canvas = Canvas::default();
        canvas.rectangle((0.0, 0.0), (f64::from(size.0), f64::from(size.1)), PAPER);
        draw(&mut canvas);
        Drawing { size, parts: canvas.parts }
    }

    /// Whether it shows a value.
    pub(crate) fn has_value(&self) -> bool {
        let is_value = |part: &Part| {
            part.mark.as_ref().is_some_and(|mark| mark.is_value) && !part.shapes.is_empty()
        };
        self.parts.iter().any(is_value)
    }

    /// The picture of these shapes.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub(crate) fn drawn(self) -> Result<Picture, ChartError> {
        Ok(Picture { svg: svg(self.size, &self.parts)?, drawing: self })
    }
}

/// A drawn picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The picture as SVG.
    pub svg: String,
    drawing: Drawing,
}

impl Picture {
    /// Its colours, each with the property of SVG that has it.
    pub(crate) fn colours(&self) -> impl Iterator<Item = (&'static str, Colour)> {
        let shapes = self.drawing.parts.iter().flat_map(|part| &part.shapes);
        shapes.map(|(shape, colour)| match shape {
            Shape::Path(..) | Shape::Circle(..) => ("stroke", *colour),
            Shape::Rectangle(..) | Shape::Polygon(..) | Shape::Disc(..) | Shape::Text(..) => {
                ("fill", *colour)
            }
        })
    }

    /// The picture as PNG.
    ///
    /// # Errors
    /// If it cannot be rendered.
    pub fn png(&self) -> Result<Vec<u8>, ChartError> {
        let pixels = |length: i32| (length as f32 * PNG_SCALE).round() as u32;
        let Drawing { size, parts } = &self.drawing;
        let pixmap = Pixmap::new(pixels(size.0), pixels(size.1));
        let mut pixmap = pixmap.ok_or_else(|| ChartError::Png("it has no size".to_owned()))?;
        let font =
            FontRef::try_from_slice(FONT_FILE).map_err(|e| ChartError::Png(e.to_string()))?;
        for (shape, colour) in parts.iter().flat_map(|part| &part.shapes) {
            paint(&mut pixmap, &font, shape, colour.light());
        }
        pixmap.encode_png().map_err(|e| ChartError::Png(e.to_string()))
    }
}

/// A picture as SVG. A part that shows something has its title, which appears while the mouse
/// points at it. plotters writes the shapes, and knows no titles.
fn svg(size: (i32, i32), parts: &[Part]) -> Result<String, ChartError> {
    let (head, end) = (&elements(size, &[])?, "</svg>\n");
    let mut text = head.strip_suffix(end).unwrap_or(head).to_owned();
    let in_text = |words: &str| words.replace('&', "&amp;").replace('<', "&lt;");
    for part in parts.iter().filter(|part| !part.shapes.is_empty()) {
        let whole = elements(size, &part.shapes)?;
        let body = whole.strip_suffix(end).and_then(|whole| whole.split_once('\n'));
        let (_, body) = body.ok_or_else(|| ChartError::Draw("it has no end".to_owned()))?;
        let title = part.mark.as_ref().map(|mark| in_text(&mark.title));
        match &title {
            Some(title) => text.extend(["<g><title>", title, "</title>\n", body, "</g>\n"]),
            None => text += body,
        }
    }
    Ok(text + end)
}

/// Shapes as SVG.
fn elements((width, height): (i32, i32), shapes: &[(Shape, Colour)]) -> Result<String, ChartError> {
    register();
    let mut text = String::new();
    let (wide, high) = (width * UNITS, height * UNITS);
    let area = SVGBackend::with_string(&mut text, (wide as u32, high as u32)).into_drawing_area();
    let drawn = shapes.iter().try_for_each(|(shape, colour)| draw(&area, shape, colour.light()));
    drawn.and_then(|()| area.present()).map_err(|e| ChartError::Draw(e.to_string()))?;
    drop(area);
    // The picture is `width` by `height` pixels large, whatever its units. The first attributes of
    // that form are the picture's.
    let in_units = format!("width=\"{wide}\" height=\"{high}\"");
    Ok(text.replacen(&in_units, &format!("width=\"{width}\" height=\"{height}\""), 1))
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), plotters::drawing::DrawingAreaErrorKind<std::io::Error>>;

fn draw(area: &Area<'_>, shape: &Shape, colour: RGBColor) -> Drawn {
    match shape {
        Shape::Rectangle(a, b) => area.draw(&Rectangle::new([*a, *b], colour.filled())),
        Shape::Path(points, width) => {
            area.draw(&PathElement::new(points.clone(), colour.stroke_width(*width)))
        }
        Shape::Polygon(corners) => area.draw(&Polygon::new(corners.clone(), colour.filled())),
        Shape::Disc(centre, radius) => area.draw(&Circle::new(*centre, *radius, colour.filled())),
        Shape::Circle(centre, radius, width) => {
            area.draw(&Circle::new(*centre, *radius, colour.stroke_width(*width)))
        }
        Shape::Text(at, text, align, size) => {
            let style = text_style(*align, *size, colour);
            area.draw(&(EmptyElement::at(*at) + Text::new(text.clone(), (0, 0), style)))
        }
    }
}

fn text_style(align: Align, size: i32, colour: RGBColor) -> TextStyle<'static> {
    let h_pos = match align {
        Align::Left => HPos::Left,
        Align::Centre | Align::Upwards => HPos::Center,
        Align::Right => HPos::Right,
    };
    let font = (FontFamily::Name(FONT), f64::from(size * UNITS) * SIZE_FACTOR).into_font();
    let style = font.color(&colour).pos(Pos::new(h_pos, VPos::Center));
    if align == Align::Upwards { style.transform(FontTransform::Rotate270) } else { style }
}

/// Paints a shape. One without an extent leaves nothing.
fn paint(pixmap: &mut Pixmap, font: &FontRef<'_>, shape: &Shape, colour: RGBColor) {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(colour.0, colour.1, colour.2, 0xff);
    let scale = PNG_SCALE / UNITS as f32;
    let to_pixels = Transform::from_scale(scale, scale);
    let (path, width) = match shape {
        Shape::Rectangle(a, b) => {
            let rect = Rect::from_ltrb(a.0 as f32, a.1 as f32, b.0 as f32, b.1 as f32);
            (rect.map(PathBuilder::from_rect), None)
        }
        Shape::Path(points, width) => (through(points, false), Some(*width)),
        Shape::Polygon(corners) => (through(corners, true), None),
        Shape::Disc((x, y), radius) => {
            (PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32), None)
        }
        Shape::Circle((x, y), radius, width) => {
            (PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32), Some(*width))
        }
        Shape::Text(at, text, align, size) => (outlines(font, *at, text, *align, *size), None),
    };
    let Some(path) = path else { return };
    if let Some(width) = width {
        let stroke = Stroke { width: width as f32, ..Stroke::default() };
        pixmap.stroke_path(&path, &paint, &stroke, to_pixels, None);
    } else {
        pixmap.fill_path(&path, &paint, FillRule::Winding, to_pixels, None);
    }
}

fn through(points: &[(i32, i32)], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (number, (x, y)) in points.iter().enumerate() {
        if number == 0 {
            path.move_to(*x as f32, *y as f32);
        } else {
            path.line_to(*x as f32, *y as f32);
        }
    }
    if is_closed {
        path.close();
    }
    path.finish()
}

/// The outlines of a text, placed as SVG places it: half the height of an x below its point.
fn outlines(
    font: &FontRef<'_>,
    place: (i32, i32),
    text: &str,
    align: Align,
    size: i32,
) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (mut width, mut before) = (0.0, None);
    for glyph in text.chars().map(|c| font.glyph_id(c)) {
        width += before.map_or(0.0, |before| font.kern_unscaled(before, glyph));
        before = Some(glyph);
        let at = |point: ab_glyph::Point| (width + point.x, point.y);
        let mut end = None;
        for curve in font.outline(glyph).map(|outline| outline.curves).unwrap_or_default() {
            let (OutlineCurve::Line(from, to)
            | OutlineCurve::Quad(from, _, to)
            | OutlineCurve::Cubic(from, _, _, to)) = curve;
            if end.replace(to) != Some(from) {
                let (x, y) = at(from);
                path.move_to(x, y);
            }
            let (x, y) = at(to);
            match curve {
                OutlineCurve::Line(..) => path.line_to(x, y),
                OutlineCurve::Quad(_, by, _) => path.quad_to(at(by).0, at(by).1, x, y),
                OutlineCurve::Cubic(_, by, then, _) => {
                    path.cubic_to(at(by).0, at(by).1, at(then).0, at(then).1, x, y);
                }
            }
        }
        width += font.h_advance_unscaled(glyph);
    }
    let height_of_x = font.outline(font.glyph_id('x')).map_or(0.0, |x| x.bounds.height().abs());
    let share = match align {
        Align::Left => 0.0,
        Align::Centre | Align::Upwards => 0.5,
        Align::Right => 1.0,
    };
    let scale = (size * UNITS) as f32 / font.units_per_em()?;
    let turn = if align == Align::Upwards { -90.0 } else { 0.0 };
    let to_place = Transform::from_translate(-share * width, -height_of_x / 2.0)
        .post_scale(scale, -scale)
        .post_concat(Transform::from_rotate(turn))
        .post_translate(place.0 as f32, place.1 as f32);
    path.finish()?.transform(to_place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::charts::canvas::text_width;

    #[test]
    fn a_picture_is_whole_and_renders() {
        let drawing = Drawing::new((300, 200), |canvas| {
            let black = Colour::new(0, 0);
            canvas.text("speedup < 2 & more", (10.0, 50.0), Align::Left, 20, black);
            canvas.value("a", "a < b: 2", |canvas| canvas.circle((9.0, 9.0), 5, black, true));
            canvas.value("b", "nothing", |_| ());
            assert!(canvas.shows("a") && !canvas.shows("b"));
            assert!(text_width("mm", 20) > text_width("ii", 20));
        });
        let picture = drawing.drawn().expect("drawn");
        let svg = &picture.svg;
        assert!(svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("DejaVu Sans") && svg.contains("&lt; 2 &amp; more"));
        let titled = svg.split("<g><title>a &lt; b: 2</title>\n").nth(1).expect("a title");
        assert!(titled.starts_with("<circle") && !svg.contains("nothing"), "{svg}");
        assert!(picture.drawing.has_value() && !Drawing::new((1, 1), |_| ()).has_value());
        assert!(picture.png().expect("rendered").starts_with(b"\x89PNG"));
    }

    /// The darkened pixels of a picture: their box, as left, top, right and bottom, in SVG pixels.
    fn ink(draw: impl FnOnce(&mut Canvas)) -> Option<[f64; 4]> {
        let png = Drawing::new((200, 200), draw).drawn().expect("drawn").png().expect("rendered");
        let pixmap = Pixmap::decode_png(&png).expect("a picture");
        let dark = |at: &usize| pixmap.pixels()[*at].red() < 128;
        let places = (0..pixmap.pixels().len()).filter(dark);
        let width = pixmap.width() as usize;
        let places: Vec<_> = places.map(|at| (at % width, at / width)).collect();
        let pixel = |at: Option<usize>| at.map(|at| at as f64 / f64::from(PNG_SCALE));
        let (x, y) = (places.iter().map(|place| place.0), places.iter().map(|place| place.1));
        Some([pixel(x.clone().min())?, pixel(y.clone().min())?, pixel(x.max())?, pixel(y.max())?])
    }

    #[test]
    fn shapes_are_where_they_were_drawn() {
        let black = Colour::new(0, 0);
        let near = |found: Option<[f64; 4]>, expected: [f64; 4]| {
            let found = found.expect("something is drawn");
            let far = found.iter().zip(expected).any(|(a, b)| (a - b).abs() > 2.0);
            assert!(!far, "{found:?} for {expected:?}");
        };
        near(ink(|c| c.rectangle((50.0, 60.0), (20.0, 30.0), black)), [20.0, 30.0, 50.0, 60.0]);
        near(ink(|c| c.path(&[(20.0, 50.0), (90.0, 50.0)], black, 8)), [20.0, 46.0, 90.0, 54.0]);
        let corners = [(20.0, 20.0), (80.0, 20.0), (50.0, 90.0)];
        near(ink(|c| c.polygon(&corners, black)), [20.0, 20.0, 80.0, 88.0]);
        near(ink(|c| c.circle((50.0, 50.0), 20, black, true)), [30.0, 30.0, 70.0, 70.0]);
        near(ink(|c| c.circle((50.0, 50.0), 20, black, false)), [29.0, 29.0, 71.0, 71.0]);
        assert_eq!(ink(|_| ()), None);
    }

    #[test]
    fn texts_are_where_they_were_written() {
        let written = |align| {
            let ink = ink(|c| c.text("xxxx", (100.0, 100.0), align, 30, Colour::new(0, 0)));
            ink.expect("something is written")
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 3.0, "{a} for {b}");
        let [left, top, right, bottom] = written(Align::Left);
        let width = right - left;
        assert!((50.0..text_width("xxxx", 30)).contains(&width), "{width}");
        near(left, 100.0);
        near(f64::midpoint(top, bottom), 100.0);
        near(written(Align::Right)[0], 100.0 - width);
        near(written(Align::Right)[2], 100.0);
        near(written(Align::Centre)[0], 100.0 - width / 2.0);
        let [left, top, right, bottom] = written(Align::Upwards);
        near(f64::midpoint(left, right), 100.0);
        near(f64::midpoint(top, bottom), 100.0);
        near(bottom - top, width);
    }
}
