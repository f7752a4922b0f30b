//! Variants beside their reference: dots with intervals, a row for each variant, sorted by time.

use crate::report::Input;
use crate::report::charts::dots::{dot, draw_axis};
use crate::report::charts::layout::nothing;
use crate::report::charts::style::{BAND, GREY, INK, SMALL, look};
use crate::report::charts::{
    Align, Axis, Chart, ChartError, Entry, Frame, Key, Picture, Setting, Sheet, text_width,
};
use crate::report::numbers::count;
use crate::report::topics::variants;
use crate::report::topics::variants::lines::columns;
use crate::report::topics::variants::rows::{VariantRow, Variants};
use ttd_stats::Bounds;
use ttd_stats::ratios::Ratio;

/// Height of a line for one number of threads, and the height that each further number adds.
const LINE: f64 = 38.0;
const MORE: f64 = 22.0;
/// The height of all that a sheet has around its frame.
const AROUND: f64 = 318.0;
/// The space between two frames side by side.
const BETWEEN: f64 = 40.0;
/// The share of the width that the frame of the times has beside that of the speedups.
const TIMES: f64 = 0.58;

/// The chart; none without variants, or before a variant has samples.
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn beside_reference(
    setting: &Setting,
    input: &Input,
) -> Result<Option<Chart>, ChartError> {
    let Some(variants) = &input.variants else { return Ok(None) };
    let lines = lines(variants);
    if lines.is_empty() {
        return Ok(None);
    }
    chart(setting, variants, &lines).map(Some)
}

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
    let mut lines: Vec<Line<'_>> = Vec::new();
    for row in variants.rows.iter().filter(|row| row.searcher != variants.reference) {
        match lines.last_mut().filter(|line| line.name == row.searcher) {
            Some(line) => line.rows.push(row),
            None => lines.push(Line { name: &row.searcher, rows: vec![row] }),
        }
    }
    lines.sort_by(|a, b| b.order().total_cmp(&a.order()));
    lines
}

/// A figure of a row that is drawn.
type Figure = fn(&VariantRow) -> Option<Ratio>;

fn chart(setting: &Setting, variants: &Variants, lines: &[Line<'_>]) -> Result<Chart, ChartError> {
    let (time, speedup): (Figure, Figure) = (|row| row.time, |row| row.speedup_ratio);
    let threads = variants.threads();
    let line_height = LINE + MORE * (threads.len() as f64 - 1.0);
    let height = lines.len() as f64 * line_height + AROUND;
    let entries = threads.iter().enumerate().map(|(index, n)| {
        let words = count(*n, "thread");
        Entry::new(&words, Key::Mark(look(index)))
    });
    let reference = &variants.reference;
    let of_reference = variants.rows.iter().find(|row| row.searcher == *reference);
    let found_by_it = of_reference.and_then(in_text);
    let found_by_it =
        found_by_it.map_or_else(String::new, |found| format!(" {reference} finds {found}."));
    let how = in_words(lines) + &found_by_it;
    let notes = [setting.short.clone(), format!("Logarithmic axes. {how}")];
    let title = format!("Variants beside {reference}");
    let sheet = Sheet::new(title.clone(), entries.collect(), notes, height as i32);
    let labels = lines.iter().map(|line| text_width(line.name, SMALL)).fold(0.0, f64::max);
    let axis = |figure: Figure| Axis::ratios(ends(lines, figure).into_iter());
    let whole = Frame { left: 44.0 + labels, ..sheet.frame(axis(time), Axis::categories(&[])) };
    let (found, frame) = found_beside(variants, lines, whole);
    let known =
        |figure: Figure| lines.iter().any(|line| line.rows.iter().any(|r| figure(r).is_some()));
    let mut frames = vec![(frame, time, "time")];
    if known(speedup) {
        let (whole, ..) = frames.remove(0);
        let (times, speedups) = split(whole, axis(speedup));
        frames = vec![(times, time, "time"), (speedups, speedup, "speedup")];
    }
    let picture = Picture::new(sheet.size(), |canvas| {
        sheet.draw(canvas);
        let middle = |frame: &Frame, line: usize| frame.top + line_height * (line as f64 + 0.5);
        for (frame, figure, what) in &frames {
            for line in (1..lines.len()).step_by(2) {
                let y = frame.top + line_height * line as f64;
                canvas.rectangle((frame.left, y), (frame.right, y + line_height), BAND);
            }
            draw_axis(canvas, frame, &format!("{what} / that of {reference}"));
            for (place, line) in lines.iter().enumerate() {
                for row in &line.rows {
                    let Some(ratio) = figure(row) else { continue };
                    let index = threads.iter().position(|n| *n == row.threads).unwrap_or(0);
                    let apart = (index as f64 - (threads.len() as f64 - 1.0) / 2.0) * MORE;
                    let y = middle(frame, place) + apart;
                    dot(canvas, frame, y, (ratio.value, bar(&ratio)), look(index), 8.0);
                }
            }
            if !known(*figure) {
                nothing(canvas, frame, "nothing can be compared");
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
    })?;
    let of_found = if found.is_some() {
        " At the right: in how many positions the move that the set asks for was found, at the least number of \
         threads."
    } else {
        ""
    };
    let with_speedups = if known(speedup) { " and speedups" } else { "" };
    Ok(Chart {
        name: "variants".to_owned(),
        caption: format!(
            "{title}: times{with_speedups} over those of {reference} at as many threads, geometric \
             means over positions. Variants are sorted by the time at the least number of threads. \
             {} {how}{of_found}",
            setting.long
        ),
        picture,
        data: figures(reference, lines),
    })
}

/// The data of the dots.
fn figures(reference: &str, lines: &[Line<'_>]) -> String {
    let rows = lines.iter().flat_map(|line| &line.rows);
    let rows = rows.map(|row| variants::lines::Line { reference, row });
    columns().only("searcher, threads, time_ratio, speedup_ratio").file(rows).csv()
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
    let right = Frame {
        left: at + BETWEEN,
        top: frame.top,
        right: frame.right,
        bottom: frame.bottom,
        x,
        y: frame.y.clone(),
    };
    (Frame { right: at, ..frame }, right)
}

/// The ends of all marks that will be drawn.
fn ends(lines: &[Line<'_>], figure: Figure) -> Vec<f64> {
    let ratios = lines.iter().flat_map(|line| &line.rows).filter_map(|row| figure(row));
    let bounds = ratios.flat_map(|ratio| [Some(ratio.value), bar(&ratio)]).flatten();
    bounds.flat_map(|b| [b.lower, b.upper]).collect()
}

/// The interval that is drawn: over positions if there is one, as that asks the wider question.
fn bar(ratio: &Ratio) -> Option<Bounds> {
    ratio.ci_positions.or(ratio.ci_runs)
}

fn in_words(lines: &[Line<'_>]) -> String {
    let ratios = || {
        let rows = lines.iter().flat_map(|line| &line.rows);
        rows.flat_map(|row| [row.time, row.speedup_ratio]).flatten()
    };
    let hollow = if ratios().any(|ratio| !ratio.value.is_exact()) {
        "Hollow: bounds only (censored samples). "
    } else {
        ""
    };
    let bars = if ratios().any(|ratio| ratio.ci_positions.is_some()) {
        "Bars: 95% ci_positions (other positions)."
    } else if ratios().any(|ratio| ratio.ci_runs.is_some()) {
        "Bars: 95% ci_runs (these positions)."
    } else {
        "Too few samples for intervals."
    };
    format!("{hollow}{bars}")
}
