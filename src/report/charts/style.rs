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

/// A colour: the one on white paper, and the one that a page of dark paper has in its place. Both
/// as 0xRRGGBB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Colour {
    light: u32,
    dark: u32,
}

impl Colour {
    pub(crate) const fn new(light: u32, dark: u32) -> Colour {
        Colour { light, dark }
    }

    /// The colour on white paper.
    pub(crate) fn light(self) -> RGBColor {
        rgb(self.light)
    }

    /// The rule of a style sheet for a page of dark paper. `property` is what has this colour in a
    /// picture: `fill` or `stroke`.
    pub(crate) fn on_dark_paper(self, property: &str) -> String {
        let Colour { light, dark } = self;
        format!(".chart [{property}=\"#{light:06X}\"] {{ {property}: #{dark:06x}; }}\n")
    }
}

fn rgb(hex: u32) -> RGBColor {
    let [_, red, green, blue] = hex.to_be_bytes();
    RGBColor(red, green, blue)
}

/// The paper. Its dark colour is that of the page.
pub(crate) const PAPER: Colour = Colour::new(0xff_ff_ff, 0x17_19_1c);
/// The colour of text and axes.
pub(crate) const INK: Colour = Colour::new(0x22_22_22, 0xe6_e6_e6);
/// The colour of notes and reference lines.
pub(crate) const GREY: Colour = Colour::new(0x66_66_66, 0xa3_a3_a3);
/// The colour of grid lines.
pub(crate) const GRID: Colour = Colour::new(0xe2_e2_e2, 0x36_3a_40);
/// The colour behind oversubscribed thread counts.
pub(crate) const BAND: Colour = Colour::new(0xf3_f1_ec, 0x21_24_28);
/// The colour of the hatch lines on that band.
pub(crate) const HATCH: Colour = Colour::new(0xdf_da_cd, 0x3b_3a_35);
/// The colour of curves along which something is equal.
pub(crate) const EQUAL: Colour = Colour::new(0xc4_c4_c4, 0x5b_60_66);
/// The colour of a loss.
pub(crate) const LOSS: Colour = ORANGE;
/// The colour of a gain.
pub(crate) const GAIN: Colour = BLUE;

pub(crate) const BLUE: Colour = Colour::new(0x00_72_b2, 0x4a_a8_e0);
pub(crate) const ORANGE: Colour = Colour::new(0xd5_5e_00, 0xf0_84_36);
pub(crate) const GREEN: Colour = Colour::new(0x00_9e_73, 0x2f_c2_94);
pub(crate) const PINK: Colour = Colour::new(0xcc_79_a7, 0xe2_9c_c4);
pub(crate) const YELLOW: Colour = Colour::new(0xe6_9f_00, 0xf5_bc_40);

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
    pub(crate) colour: Colour,
    pub(crate) marker: Marker,
    /// Lengths of dash and gap in turn; solid if empty.
    pub(crate) dashes: &'static [f64],
}

const COLOURS: [Colour; 9] = [
    BLUE,
    ORANGE,
    GREEN,
    PINK,
    Colour::new(0x56_b4_e9, 0xb4_e0_ff),
    YELLOW,
    Colour::new(0x33_22_88, 0x97_89_f2),
    Colour::new(0x88_22_55, 0xd8_5c_96),
    Colour::new(0x00_00_00, 0xff_ff_ff),
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
pub(crate) fn bar_colour(index: usize) -> Colour {
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

/// A colour mixed with the paper; `share` (0 to 1) is the part of the colour.
pub(crate) fn tint(colour: Colour, share: f64) -> Colour {
    let mix = |colour: u32, paper: u32| {
        let parts = colour.to_be_bytes().into_iter().zip(paper.to_be_bytes());
        let mixed =
            parts.map(|(c, p)| (f64::from(c) * share + f64::from(p) * (1.0 - share)).round());
        mixed.fold(0, |all, part| 256 * all + part as u32)
    };
    Colour { light: mix(colour.light, PAPER.light), dark: mix(colour.dark, PAPER.dark) }
}

/// The frame of a patch whose efficiency is above 1, in a map: light enough to be seen on the
/// strongest shade.
pub(crate) const BEYOND: Colour = YELLOW;

/// The shade of an efficiency in a map: nearly that of the paper at 0, the strongest blue from 1
/// on. A black-and-white printer keeps the order of the shades.
pub(crate) fn efficiency_shade(efficiency: f64) -> Colour {
    const STRONGEST: Colour = Colour::new(0x08_30_6b, 0x9f_d0_ff);
    tint(STRONGEST, 0.04 + 0.96 * efficiency.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contrast of two colours, as WCAG 2 defines it.
    fn contrast(a: u32, b: u32) -> f64 {
        let luminance = |hex: u32| {
            let linear = |part: u8| {
                let part = f64::from(part) / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            };
            let RGBColor(red, green, blue) = rgb(hex);
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        };
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        (a / b).max(b / a)
    }

    #[test]
    fn colours_are_seen_on_both_papers() {
        for colour in COLOURS.into_iter().chain([INK, GREY]) {
            assert!(contrast(colour.light, PAPER.light) > 2.0, "{colour:?}");
            assert!(contrast(colour.dark, PAPER.dark) > 4.5, "{colour:?}");
        }
        for words in [INK, GREY] {
            assert!(contrast(words.light, PAPER.light) > 4.5, "{words:?}");
            assert!(contrast(words.dark, BAND.dark) > 4.5, "{words:?}");
        }
    }

    #[test]
    fn a_tint_lies_between_a_colour_and_its_paper() {
        assert_eq!(tint(INK, 1.0), INK);
        assert_eq!(tint(INK, 0.0), PAPER);
        assert_eq!(tint(Colour::new(0, 0x17_19_1c), 0.5).light, 0x80_80_80);
        let rule = ".chart [fill=\"#222222\"] { fill: #e6e6e6; }\n";
        assert_eq!(INK.on_dark_paper("fill"), rule);
    }

    /// The paper of the page is the paper of its charts.
    #[test]
    fn the_page_has_the_same_dark_paper() {
        let style = include_str!("../document/html/style.css");
        assert!(style.contains(&format!("--paper: #{:06x};", PAPER.dark)));
    }
}
