//! The looks of charts: one place for colours, sizes and marks.
//!
//! The colours are those of Okabe and Ito and two of Tol, which colour-blind readers can tell
//! apart. Searchers differ by marker and dashes too, so that charts survive a black-and-white
//! printer.

use plotters::style::RGBColor;

/// The font family of every text. It is the embedded font where that is installed, and in PNG
/// files. Elsewhere it is a font of equal widths.
pub(crate) const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// The width of every chart. With it, text of [`TEXT`] is about 9 points on a page 15 cm wide.
pub(crate) const WIDTH: i32 = 1200;
/// The usual height of a chart.
pub(crate) const HEIGHT: i32 = 820;

/// Height of the title.
pub(crate) const TITLE: i32 = 30;
/// Height of labels and numbers.
pub(crate) const TEXT: i32 = 25;
/// Height of notes inside the plot.
pub(crate) const SMALL: i32 = 21;

/// The colour of text and axes.
pub(crate) const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// The colour of notes and reference lines.
pub(crate) const GREY: RGBColor = RGBColor(0x66, 0x66, 0x66);
/// The colour of grid lines.
pub(crate) const GRID: RGBColor = RGBColor(0xe2, 0xe2, 0xe2);
/// The colour behind oversubscribed thread counts.
pub(crate) const BAND: RGBColor = RGBColor(0xf3, 0xf1, 0xec);
/// The colour of the hatch lines on that band.
pub(crate) const HATCH: RGBColor = RGBColor(0xdf, 0xda, 0xcd);
/// The colour of curves along which something is equal.
pub(crate) const EQUAL: RGBColor = RGBColor(0xc4, 0xc4, 0xc4);
/// The colour of a loss.
pub(crate) const LOSS: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
/// The colour of a gain.
pub(crate) const GAIN: RGBColor = RGBColor(0x00, 0x72, 0xb2);

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
}

/// The look of one searcher in a chart of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) colour: RGBColor,
    pub(crate) marker: Marker,
    /// Lengths of dash and gap in turn; solid if empty.
    pub(crate) dashes: &'static [f64],
}

const COLOURS: [RGBColor; 9] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x33, 0x22, 0x88),
    RGBColor(0x88, 0x22, 0x55),
    RGBColor(0x00, 0x00, 0x00),
];
const MARKERS: [Marker; 4] = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond];
/// The dashes of searchers. None is dotted, as dots mean fitted curves.
const DASHES: [&[f64]; 5] =
    [&[], &[16.0, 8.0], &[16.0, 6.0, 4.0, 6.0], &[28.0, 8.0], &[16.0, 6.0, 4.0, 6.0, 4.0, 6.0]];

/// The look of the searcher at this place in the experiment's list.
pub(crate) fn look(index: usize) -> Look {
    Look {
        colour: COLOURS[index % COLOURS.len()],
        marker: MARKERS[index % MARKERS.len()],
        dashes: DASHES[index % DASHES.len()],
    }
}

/// The colour of the bar at this place. After the last colour come grey and then lighter colours.
pub(crate) fn bar_colour(index: usize) -> RGBColor {
    match index.checked_sub(COLOURS.len()) {
        None => COLOURS[index],
        Some(0) => GREY,
        Some(beyond) => tint(COLOURS[(beyond - 1) % COLOURS.len()], 0.5),
    }
}

/// Dashes of reference lines.
pub(crate) const REFERENCE: &[f64] = &[6.0, 6.0];
/// Dashes of fitted curves.
pub(crate) const FITTED: &[f64] = &[3.0, 7.0];

/// A colour mixed with white; `share` (0 to 1) is the part of the colour.
pub(crate) fn tint(colour: RGBColor, share: f64) -> RGBColor {
    let mix = |c: u8| (f64::from(c) * share + 255.0 * (1.0 - share)).round() as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

/// The frame of a patch whose efficiency is above 1, in a map: light enough to be seen on the
/// darkest shade.
pub(crate) const BEYOND: RGBColor = RGBColor(0xe6, 0x9f, 0x00);

/// The shade of an efficiency in a map: nearly white at 0, the darkest blue from 1 on. A
/// black-and-white printer keeps the order of the shades.
pub(crate) fn efficiency_shade(efficiency: f64) -> RGBColor {
    const DARKEST: RGBColor = RGBColor(0x08, 0x30, 0x6b);
    tint(DARKEST, 0.04 + 0.96 * efficiency.clamp(0.0, 1.0))
}
