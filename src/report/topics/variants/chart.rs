//! Variants beside their reference: dots with intervals, a row for each variant, sorted by time.

use crate::report::Input;
use crate::report::charts::bars::dot;
use crate::report::charts::bars::{bar, ends, told, with_hollow};
use crate::report::charts::style::{GREY, INK, SMALL, look};
use crate::report::charts::{
    Align, Axis, Chart, Entry, Frame, Key, Setting, Sketch, beside, text_width,
};
use crate::report::figures::Estimate;
use crate::report::lists::{filled, grouped};
use crate::report::numbers::{count, ratio, words_if};
use crate::report::topics::variants;
use crate::report::topics::variants::rows::columns;
use crate::report::topics::variants::rows::{VariantRow, Variants};

/// Height of a line for one number of threads, and the height that each further number adds.
const LINE: f64 = 38.0;
const MORE: f64 = 22.0;
/// The height of all that a sheet has around its frame.
const AROUND: f64 = 318.0;
/// The space between two frames side by side.
const BETWEEN: f64 = 40.0;
/// The share of the width that the frame of the times has beside that of the speedups.
const TIMES: f64 = 0.58;

/// One variant: its rows by thread count.
struct Line<'a> {
    name: &'a str,
    rows: Vec<&'a VariantRow>,
}

impl Line<'_> {
    /// The number by which variants are sorted: the time over that of the reference, at the least
    /// number of threads.
    fn order(&self) -> f64 {
        let time = self.rows.iter().find_map(|row| row.time);
        time.map_or(f64::NEG_INFINITY, |ratio| ratio.value.lower)
    }

    /// The moves found at the least number of threads.
    fn found(&self) -> Option<String> {
        self.rows.first().and_then(|row| in_text(row))
    }
}

/// All variants but the reference; the slowest comes first.
fn lines(variants: &Variants) -> Vec<Line<'_>> {
    let rows = variants.rows.iter().filter(|row| row.searcher != variants.reference);
    let of_each = grouped(rows, |of, row| of[0].searcher == row.searcher).into_iter();
    let mut lines: Vec<Line<'_>> =
        of_each.map(|rows| Line { name: &rows[0].searcher, rows }).collect();
    lines.sort_by(|a, b| b.order().total_cmp(&a.order()));
    lines
}

/// A figure of a row that is drawn.
type Figure = fn(&VariantRow) -> Option<Estimate>;

/// The chart; none without variants, or before a variant has samples.
pub(super) fn beside_reference(setting: &Setting, input: &Input) -> Option<Sketch> {
    let variants = input.variants.as_ref()?;
    let lines = &filled(lines(variants))?[..];
    let time: Figure = |row| row.time.map(Estimate::from);
    let speedup: Figure = |row| row.speedup_ratio.map(Estimate::from);
    let all = |figure: Figure| {
        lines.iter().flat_map(|line| &line.rows).filter_map(move |row| figure(row))
    };
    let threads = variants.threads();
    let line_height = LINE + MORE * (threads.len() as f64 - 1.0);
    let height = lines.len() as f64 * line_height + AROUND;
    let entry =
        |(index, n): (usize, &usize)| Entry::new(count(*n, "thread"), Key::Mark(look(index)));
    let reference = &variants.reference;
    let of_reference = variants.rows.iter().find(|row| row.searcher == *reference);
    let found_by_it = of_reference.and_then(in_text);
    let found_by_it =
        found_by_it.map_or_else(String::new, |found| format!(" {reference} finds {found}."));
    let estimates: Vec<Estimate> = all(time).chain(all(speedup)).collect();
    let how = with_hollow(&estimates) + &found_by_it;
    let title = format!("Variants beside {reference}");
    let entries = threads.iter().enumerate().map(entry);
    let sheet = setting.sheet(&title, entries, format!("Logarithmic axes. {how}"), height as i32);
    let labels = lines.iter().map(|line| text_width(line.name, SMALL)).fold(0.0, f64::max);
    let axis = |figure: Figure| Axis::ratios(ends(all(figure)).into_iter());
    let whole = Frame { left: 44.0 + labels, ..sheet.frame(axis(time), Axis::categories(&[])) };
    let (found, frame) = found_beside(variants, lines, whole);
    let known = |figure: Figure| all(figure).next().is_some();
    let mut frames = vec![(frame, time, "time")];
    if known(speedup) {
        let (whole, ..) = frames.remove(0);
        let (times, speedups) = split(whole, axis(speedup));
        frames = vec![(times, time, "time"), (speedups, speedup, "speedup")];
    }
    let picture = sheet.picture(|canvas| {
        let middle = |frame: &Frame, line: usize| frame.top + line_height * (line as f64 + 0.5);
        for (frame, figure, what) in &frames {
            let name = format!("{what} / that of {reference}");
            frame.striped(canvas, (lines.len(), line_height), &name);
            for (place, line) in lines.iter().enumerate() {
                for row in &line.rows {
                    let Some(estimate) = figure(row) else { continue };
                    let index = threads.iter().position(|n| *n == row.threads).unwrap_or(0);
                    let y = middle(frame, place) + beside(index, threads.len()) * MORE;
                    let both = (estimate.value, bar(&estimate));
                    let threads = count(row.threads, "thread");
                    let number = told(&estimate, ratio);
                    let title = format!("{}, {threads}: {name} {number}", line.name);
                    canvas.value(&threads, title, |canvas| {
                        dot(canvas, frame, y, both, look(index), 8.0);
                    });
                }
            }
            if !known(*figure) {
                frame.nothing(canvas, "nothing can be compared");
            }
        }
        let first = &frames[0].0;
        for (place, line) in lines.iter().enumerate() {
            let y = middle(first, place);
            canvas.text(line.name, (first.left - 16.0, y), Align::Right, SMALL, INK);
            if let (Some(x), Some(words)) = (found, line.found()) {
                canvas.text(&words, (x, y), Align::Right, SMALL, INK);
            }
        }
        if let Some(x) = found {
            canvas.text("found", (x, first.top - 18.0), Align::Right, SMALL, GREY);
        }
    });
    let of_found = words_if(
        found.is_some(),
        " At the right: in how many positions the move that the set asks for was found, at the least number of \
         threads.",
    );
    let rows = lines.iter().flat_map(|line| &line.rows);
    let rows = rows.map(|row| variants::rows::Line { reference, row });
    let with_speedups = if known(speedup) { " and speedups" } else { "" };
    Some(Chart {
        name: "variants".to_owned(),
        caption: format!(
            "{title}: times{with_speedups} over those of {reference} at as many threads, geometric \
             means over positions. Variants are sorted by the time at the least number of threads. \
             {} {how}{of_found}",
            setting.long
        ),
        picture,
        data: columns().only("searcher, threads, time_ratio, speedup_ratio").file(rows).csv(),
    })
}

/// The right end of the column of moves found, and the frame that is left of it. The column is
/// missing if the set asks for no moves.
fn found_beside(variants: &Variants, lines: &[Line<'_>], frame: Frame) -> (Option<f64>, Frame) {
    if variants.rows.iter().all(|row| row.found.is_none()) {
        return (None, frame);
    }
    let widths = lines.iter().filter_map(Line::found).map(|words| text_width(&words, SMALL));
    let width = widths.fold(text_width("found", SMALL), f64::max);
    let at = frame.right;
    (Some(at), Frame { right: at - width - 20.0, ..frame })
}

/// The number of positions whose move was found, over the number that ask for one, as text.
fn in_text(row: &VariantRow) -> Option<String> {
    let found = row.found?;
    Some(format!("{}/{}", found.positions, found.asked))
}

/// Two frames in the place of one. The right one has the axis `x`.
fn split(frame: Frame, x: Axis) -> (Frame, Frame) {
    let at = frame.left + TIMES * (frame.right - frame.left - BETWEEN);
    let right = Frame { left: at + BETWEEN, x, ..frame.clone() };
    (Frame { right: at, ..frame }, right)
}
