//! Parts that all charts have: titles, legends, notes.

use crate::report::charts::axes::{Axis, Frame};
use crate::report::charts::canvas::{Align, Canvas, Point, text_width, wrapped};
use crate::report::charts::picture::Drawing;
use crate::report::charts::style::{Colour, GREY, INK, Look, SMALL, TITLE, WIDTH, look, tint};
use crate::report::figures::{Figures, SearcherFigures};

/// The left edge of titles and notes.
const EDGE: f64 = 24.0;
/// The height of two lines of notes at the bottom, and of each further line.
const NOTES: f64 = 74.0;
const NOTE: f64 = 30.0;
/// The width of the sample before an entry of a legend, and of the gap behind it.
const KEY: f64 = 58.0;
/// The height of a line of the title beyond the first.
const TITLE_LINE: f64 = 40.0;
/// The place of the first line of the legend below a title of one line, and the height of each.
const LEGEND: f64 = 82.0;
const LEGEND_LINE: f64 = 36.0;

/// The sample that stands before the words of an entry in a legend.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key {
    /// A line with these dashes.
    Line(Colour, &'static [f64]),
    /// A searcher's line and marker.
    Series(Look),
    /// A searcher's marker.
    Mark(Look),
    /// A searcher's box.
    Box(Look),
    /// A searcher's box that is not filled.
    Hollow(Look),
    /// A patch of colour.
    Patch(Colour),
}

/// One entry of a legend.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    words: String,
    key: Key,
    /// Whether it is a step of a scale, and not a thing that may be missing.
    is_of_scale: bool,
}

impl Entry {
    /// An entry that is there if a thing of that name is drawn.
    pub(crate) fn new(words: impl Into<String>, key: Key) -> Entry {
        Entry { words: words.into(), key, is_of_scale: false }
    }

    /// A step of a scale of colours.
    pub(crate) fn of_scale(words: impl Into<String>, colour: Colour) -> Entry {
        Entry { is_of_scale: true, ..Entry::new(words, Key::Patch(colour)) }
    }
}

/// The searchers that charts show, each with its place in the experiment's list. That place decides
/// its look in every chart. Searchers without samples are left out. So are variants if there are
/// many: they would hide each other, and have a chart beside their reference.
pub(crate) fn shown(figures: &Figures) -> impl Iterator<Item = (usize, &SearcherFigures)> {
    figures.searchers.iter().enumerate().filter(|(_, s)| s.on_its_own && !s.rows.is_empty())
}

/// The entries of the searchers that charts show, each with its sample.
pub(crate) fn entries(figures: &Figures, key: fn(Look) -> Key) -> impl Iterator<Item = Entry> {
    shown(figures).map(move |(index, of)| Entry::new(&of.searcher, key(look(index))))
}

/// The sentence of a caption about searchers that are not shown.
pub(crate) fn not_shown(figures: &Figures) -> &'static str {
    if figures.measured().all(|of| of.on_its_own) {
        ""
    } else {
        " The variants stand in their own chart and in the tables."
    }
}

/// The right edge of plots.
pub(crate) const RIGHT: f64 = WIDTH as f64 - 30.0;

/// Everything around a plot: the title, the legend below it, and the notes at the bottom.
pub(crate) struct Sheet {
    /// The lines of the title.
    title: Vec<String>,
    /// The entries that the legend may have.
    legend: Vec<Entry>,
    /// The lines at the bottom.
    notes: Vec<String>,
    height: i32,
}

impl Sheet {
    /// Lays out the title, the legend and the notes, in as many lines as they take. `height` is
    /// that of the picture with a title of one line, one line of legend and two lines of notes.
    pub(crate) fn new(
        title: impl Into<String>,
        legend: impl IntoIterator<Item = Entry>,
        notes: [String; 2],
        height: i32,
    ) -> Sheet {
        let legend: Vec<Entry> = legend.into_iter().collect();
        let room = f64::from(WIDTH) - 2.0 * EDGE;
        let notes: Vec<String> =
            notes.into_iter().flat_map(|note| wrapped(&note, SMALL, room)).collect();
        let title = wrapped(&title.into(), TITLE, room);
        let more = below(&title, &legend) - LEGEND + more_notes(&notes);
        Sheet { title, legend, notes, height: height + more as i32 }
    }

    /// The place where the notes begin.
    pub(crate) fn above_notes(&self) -> f64 {
        self.height() - NOTES - more_notes(&self.notes)
    }

    /// The height of the whole picture.
    pub(crate) fn height(&self) -> f64 {
        f64::from(self.height)
    }

    /// The frame that is left for the plot.
    pub(crate) fn frame(&self, x: Axis, y: Axis) -> Frame {
        Frame {
            left: 164.0,
            top: below(&self.title, &self.legend) + 62.0,
            right: RIGHT,
            bottom: self.above_notes() - 100.0,
            x,
            y,
        }
    }

    /// The picture: the sheet, with all that `draw` adds to it.
    pub(crate) fn picture(&self, draw: impl FnOnce(&mut Canvas)) -> Drawing {
        Drawing::new((WIDTH, self.height), |canvas| {
            draw(canvas);
            self.draw(canvas);
        })
    }

    /// The picture of a plot: the sheet, a frame with the names of its axes, and in it all that
    /// `draw` adds. Oversubscribed thread counts, those from `over` on, lie on a hatched band.
    pub(crate) fn plot(
        &self,
        frame: &Frame,
        names: (&str, &str),
        over: Option<usize>,
        draw: impl FnOnce(&mut Canvas),
    ) -> Drawing {
        self.picture(|canvas| {
            frame.draw(canvas, over);
            frame.name_axes(canvas, names);
            draw(canvas);
        })
    }

    /// Writes the title, the legend of all that the picture shows, and the notes.
    fn draw(&self, canvas: &mut Canvas) {
        for (line, words) in self.title.iter().enumerate() {
            let at = (EDGE, 34.0 + TITLE_LINE * line as f64);
            canvas.text(words, at, Align::Left, TITLE, INK);
        }
        let is_there = |entry: &&Entry| entry.is_of_scale || canvas.shows(&entry.words);
        for (entry, (x, y)) in placed(&self.title, self.legend.iter().filter(is_there)) {
            key(canvas, entry.key, (x, y));
            canvas.text(&entry.words, (x + KEY, y), Align::Left, SMALL, INK);
        }
        for (line, note) in self.notes.iter().enumerate() {
            let y = self.above_notes() + 18.0 + NOTE * line as f64;
            canvas.text(note, (EDGE, y), Align::Left, SMALL, GREY);
        }
    }
}

/// Each entry of a legend below a title, and the point where it begins.
fn placed<'e>(
    title: &[String],
    entries: impl Iterator<Item = &'e Entry>,
) -> Vec<(&'e Entry, Point)> {
    let (mut x, mut y) = (EDGE, first_line(title));
    let mut placed = Vec::new();
    for entry in entries {
        let width = KEY + text_width(&entry.words, SMALL);
        if x > EDGE && x + width > f64::from(WIDTH) - EDGE {
            (x, y) = (EDGE, y + LEGEND_LINE);
        }
        placed.push((entry, (x, y)));
        x += width + 36.0;
    }
    placed
}

/// The place of the first line of the legend.
fn first_line(title: &[String]) -> f64 {
    LEGEND + TITLE_LINE * title.len().saturating_sub(1) as f64
}

/// The place of the last line of a legend with all these entries.
fn below(title: &[String], legend: &[Entry]) -> f64 {
    placed(title, legend.iter()).last().map_or(first_line(title), |(_, (_, y))| *y)
}

/// The rows that have room: all if there are at most `few`, otherwise powers of two and the
/// greatest number of threads. Rows of one thread are left out.
pub(crate) fn with_room<R>(rows: &[R], threads: impl Fn(&R) -> usize, few: usize) -> Vec<&R> {
    let parallel = || rows.iter().filter(|row| threads(row) > 1);
    let greatest = parallel().map(&threads).max().unwrap_or(0);
    let are_few = parallel().count() <= few;
    let has_room = |n: usize| are_few || n.is_power_of_two() || n == greatest;
    parallel().filter(|row| has_room(threads(row))).collect()
}

/// The sentence of a caption about rows that [`with_room`] leaves out.
pub(crate) const NOT_ALL: &str = " Only powers of two and the greatest are shown.";

/// The height of the notes beyond that of two lines.
fn more_notes(notes: &[String]) -> f64 {
    NOTE * notes.len().saturating_sub(2) as f64
}

fn key(canvas: &mut Canvas, key: Key, (x, y): Point) {
    match key {
        Key::Line(colour, dashes) => {
            sample(canvas, (x, y), dashes, colour, 3);
        }
        Key::Series(look) => {
            sample(canvas, (x, y), look.dashes, look.colour, 4);
            canvas.marker(look.marker, (x + 24.0, y), 9.0, look.colour);
        }
        Key::Mark(look) => canvas.marker(look.marker, (x + 24.0, y), 9.0, look.colour),
        Key::Box(look) | Key::Hollow(look) => {
            if matches!(key, Key::Box(_)) {
                let (from, to) = ((x + 4.0, y - 11.0), (x + 44.0, y + 11.0));
                canvas.rectangle(from, to, tint(look.colour, 0.22));
            }
            canvas.outline((x + 4.0, y - 11.0), (x + 44.0, y + 11.0), look.colour, 2);
            canvas.marker(look.marker, (x + 24.0, y), 8.0, look.colour);
        }
        Key::Patch(colour) => canvas.rectangle((x + 8.0, y - 11.0), (x + 44.0, y + 11.0), colour),
    }
}

/// Draws a sample of a line: as many whole dashes as have room, with the middle where markers are.
fn sample(canvas: &mut Canvas, (x, y): Point, dashes: &[f64], colour: Colour, width: u32) {
    const ROOM: f64 = 48.0;
    let ends = dashes.iter().cycle().scan(0.0, |end, dash| {
        *end += dash;
        Some(*end)
    });
    let length = ends.step_by(2).take_while(|end| *end <= ROOM).last().unwrap_or(ROOM);
    let from = x + (ROOM - length) / 2.0;
    canvas.dashed(&[(from, y), (from + length, y)], dashes, colour, width);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::charts::style::HEIGHT;

    #[test]
    fn a_legend_names_what_is_drawn_and_every_step_of_a_scale() {
        let entries = ["drawn", "missing"].map(|name| Entry::new(name, Key::Line(INK, &[])));
        let steps = ["0", "1"].map(|step| Entry::of_scale(step, INK));
        let sheet =
            Sheet::new("", entries.into_iter().chain(steps), [const { String::new() }; 2], HEIGHT);
        let line = [(0.0, 0.0), (9.0, 9.0)];
        let picture = sheet.picture(|canvas| canvas.guide("drawn", |c| c.path(&line, INK, 1)));
        let svg = picture.drawn().expect("drawn").svg;
        for (words, is_there) in [("drawn", true), ("missing", false), ("0", true), ("1", true)] {
            assert_eq!(svg.contains(&format!(">\n{words}\n<")), is_there, "{words}: {svg}");
        }
    }

    #[test]
    fn of_many_thread_counts_powers_of_two_and_the_greatest_have_room() {
        let threads = [1, 2, 3, 4, 5, 6, 7, 8, 12];
        assert_eq!(with_room(&threads, |n| *n, 6), [&2, &4, &8, &12]);
        assert_eq!(with_room(&threads[..4], |n| *n, 6), [&2, &3, &4]);
        assert!(with_room(&threads[..1], |n| *n, 6).is_empty());
    }
}
