//! Position by position: speedups as dots with intervals, and as a map over threads.

use crate::report::charts::bars::dot;
use crate::report::charts::bars::is_open;
use crate::report::charts::layout::RIGHT;
use crate::report::charts::style::{BEYOND, GREY, INK, PAPER, SMALL, efficiency_shade, look};
use crate::report::charts::{
    Align, Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sketch, beside, text_width, wrapped,
};
use crate::report::figures::{Cell, Row, SearcherFigures};
use crate::report::numbers::{bounds, count, interval, ratio, words_if};
use crate::report::topics::summary::{CellLine, known_speedups, speedups, starred};
use ttd_stats::Bounds;

/// Least height of a position's row, with its name and without.
const ROW: f64 = 30.0;
const LEAST_ROW: f64 = 4.0;
/// The greatest height of a frame with names, and of one without them.
const TALL_WITH_NAMES: f64 = 2400.0;
const TALL: f64 = 1500.0;
/// The height of all that a sheet has around its frame.
const AROUND: f64 = 318.0;
/// The width at which names of positions go on in the next line, and the height of a line.
const NAME: f64 = 480.0;
const NAME_LINE: f64 = 24.0;

/// The positions of a searcher that have a speedup at one of its numbers of threads, the greatest
/// speedup first.
struct Sorted<'a> {
    of: &'a SearcherFigures,
    /// The row whose speedups are the order: the most threads that have a core each, or else the
    /// most threads.
    row: usize,
    positions: Vec<usize>,
    /// The names of the positions, each in lines; empty if there is no room for all of them.
    names: Vec<Vec<String>>,
    /// The height of a position's row.
    height: f64,
}

impl Sorted<'_> {
    fn new(of: &SearcherFigures) -> Option<Sorted<'_>> {
        let parallel = || (0..of.rows.len()).filter(|row| of.rows[*row].threads > 1);
        let row =
            parallel().rfind(|row| !of.rows[*row].oversubscribed).or(parallel().next_back())?;
        let known = |p: &usize| of.cells.iter().any(|cells| cells[*p].speedup.is_some());
        let mut positions: Vec<usize> = (0..of.cells[row].len()).filter(known).collect();
        let speedup = |p: &usize| of.cells[row][*p].speedup.map_or(0.0, |s| s.lower);
        positions.sort_by(|a, b| speedup(b).total_cmp(&speedup(a)));
        let name = |p: &usize| wrapped(&of.cells[row][*p].position, SMALL, NAME);
        let names: Vec<Vec<String>> = positions.iter().map(name).collect();
        let lines = names.iter().map(Vec::len).max().unwrap_or(1);
        let height = ROW + NAME_LINE * (lines - 1) as f64;
        let many = positions.len().max(1) as f64;
        let (names, height) = if many * height <= TALL_WITH_NAMES {
            (names, height)
        } else {
            (Vec::new(), (TALL / many).clamp(LEAST_ROW, ROW))
        };
        Some(Sorted { of, row, positions, names, height })
    }

    fn threads(&self) -> usize {
        self.of.rows[self.row].threads
    }

    fn cell(&self, row: usize, place: usize) -> &Cell {
        &self.of.cells[row][self.positions[place]]
    }

    fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// The height of the sheet.
    fn height(&self) -> i32 {
        (self.positions.len().max(3) as f64 * self.height + AROUND) as i32
    }

    /// The width that the names of positions need.
    fn room(&self) -> f64 {
        let lines = self.names.iter().flatten();
        lines.map(|line| text_width(line, SMALL)).fold(0.0, f64::max)
    }

    /// Writes the names of the positions, each beside its row.
    fn draw_names(&self, canvas: &mut Canvas, frame: &Frame) {
        if !self.has_names() {
            canvas.text("positions", (28.0, frame.middle().1), Align::Upwards, SMALL, INK);
        }
        for (place, lines) in self.names.iter().enumerate() {
            for (line, words) in lines.iter().enumerate() {
                let below = NAME_LINE * beside(line, lines.len());
                let at = (frame.left - 16.0, self.middle(frame, place) + below);
                canvas.text(words, at, Align::Right, SMALL, INK);
            }
        }
    }

    fn middle(&self, frame: &Frame, place: usize) -> f64 {
        frame.top + self.height * (place as f64 + 0.5)
    }
}

/// The speedup of each position with its interval over runs, sorted. The number of threads is the
/// greatest that has a core for each thread, or else the greatest. None for a searcher that has one
/// number of threads.
pub(super) fn dots(setting: &Setting, of: &SearcherFigures, index: usize) -> Option<Sketch> {
    let sorted = Sorted::new(of)?;
    let cells = || (0..sorted.positions.len()).map(|place| sorted.cell(sorted.row, place));
    let figures = |cell: &Cell| [cell.speedup, cell.speedup_ci_runs];
    let ends = cells().flat_map(figures).flatten().flat_map(|b: Bounds| [b.lower, b.upper]);
    let threads = count(sorted.threads(), "thread");
    let is_open = cells().filter_map(|cell| cell.speedup).any(|speedup| !speedup.is_exact());
    let hollow = if is_open { "Hollow: bounds only (stopped samples). " } else { "" };
    let bars = if cells().any(|cell| cell.speedup_ci_runs.is_some()) {
        "Bars: 95% ci_runs (these positions)."
    } else {
        "Too few samples for intervals."
    };
    let how = format!("{hollow}{bars}");
    let title = format!("{}: speedup of each position at {threads}", of.searcher);
    let entries = [Entry::new(&of.searcher, Key::Mark(look(index)))];
    let sheet = setting.sheet(title, entries, format!("Logarithmic axis. {how}"), sorted.height());
    let whole = sheet.frame(Axis::ratios(ends), Axis::categories(&[]));
    let frame = Frame { left: 60.0 + sorted.room(), ..whole };
    let line = sorted.height;
    let picture = sheet.picture(|canvas| {
        let stripes = if sorted.has_names() { sorted.positions.len() } else { 0 };
        frame.striped(canvas, (stripes, line), "speedup (log scale)");
        sorted.draw_names(canvas, &frame);
        for (place, cell) in cells().enumerate() {
            let Some(speedup) = cell.speedup else { continue };
            let (y, both) = (sorted.middle(&frame, place), (speedup, cell.speedup_ci_runs));
            canvas.value(&of.searcher, in_words(&threads, cell), |canvas| {
                dot(canvas, &frame, y, both, look(index), (line * 0.4).clamp(3.0, 8.0));
            });
        }
    });
    let line = |cell| CellLine { searcher: &of.searcher, threads: sorted.threads(), cell };
    let lines = cells().map(line);
    Some(Chart {
        name: format!("speedup-positions-{}", of.searcher),
        caption: format!(
            "Speedup of each position with {} at {threads}, sorted. {} {how}",
            of.searcher, setting.long
        ),
        picture,
        data: speedups().only("position, speedup").file(lines).csv(),
    })
}

/// The speedup of a cell in words.
fn in_words(threads: &str, cell: &Cell) -> String {
    let speedup = bounds(cell.speedup, ratio);
    let over = cell
        .speedup_ci_runs
        .map_or_else(String::new, |ends| format!(" (95% ci_runs {})", interval(Some(ends), ratio)));
    format!("{}, {threads}: speedup {speedup}{over}", cell.position)
}

/// The sentences about the frames that patches of a map have.
fn frames_in_words(of: &SearcherFigures) -> String {
    let speedups = || {
        of.rows.iter().zip(&of.cells).flat_map(|(row, cells)| {
            cells.iter().filter_map(move |cell| Some((row, cell.speedup?)))
        })
    };
    let is_beyond = |(row, of): (&Row, Bounds)| of.value().is_some_and(|s| s > row.threads as f64);
    let is_open = |(_, of): (&Row, Bounds)| !of.is_exact() && !is_open(of);
    let beyond = speedups().any(is_beyond);
    let open = speedups().any(is_open);
    let beyond = words_if(beyond, " Orange frame: more than the number of threads.");
    format!("{beyond}{}", words_if(open, " Grey frame: bounds only."))
}

/// A map of the speedups: a patch for each position and number of threads. The patch is of a
/// stronger blue where the efficiency is greater. None for a searcher that has one number of
/// threads.
pub(super) fn map(setting: &Setting, of: &SearcherFigures) -> Option<Sketch> {
    let sorted = Sorted::new(of)?;
    let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
    let entries = shares.iter().map(|share| {
        let words = format!("{}{}", words_if(*share <= 0.0, "efficiency "), ratio(*share));
        Entry::of_scale(words, efficiency_shade(*share))
    });
    let columns: Vec<String> =
        of.rows.iter().map(|row| starred(row.threads, row.oversubscribed)).collect();
    let title = format!("{}: speedup by position and threads", of.searcher);
    let cells = || of.cells.iter().flatten().filter_map(|cell| cell.speedup);
    let (left, line) = (60.0 + sorted.room(), sorted.height);
    let room = (RIGHT - left) / columns.len() as f64 - 6.0;
    let fits = |words: &str| sorted.has_names() && text_width(words, SMALL) < room;
    let are_there = cells().any(|speedup| fits(&bounds(Some(speedup), ratio)));
    let numbers = words_if(are_there, "Numbers: speedups.");
    let frames = frames_in_words(of);
    let over = of.rows.iter().any(|row| row.oversubscribed);
    let note = format!("{numbers}{frames}{}", words_if(over, " * oversubscribed."));
    let sheet = setting.sheet(title, entries, note.trim_start(), sorted.height());
    let whole = sheet.frame(Axis::categories(&columns), Axis::categories(&[]));
    let frame = Frame { left, ..whole };
    let picture = sheet.picture(|canvas| {
        sorted.draw_names(canvas, &frame);
        let half = frame.spacing() / 2.0;
        for (column, row) in of.rows.iter().enumerate() {
            let x = frame.x_at(column as f64);
            canvas.text(&columns[column], (x, frame.bottom + 26.0), Align::Centre, SMALL, INK);
            for place in 0..sorted.positions.len() {
                let top = frame.top + line * place as f64;
                // Low rows have no gap between them.
                let gap = if sorted.has_names() { 1.0 } else { 0.0 };
                let (from, to) = ((x - half + 1.0, top + gap), (x + half - 1.0, top + line - gap));
                let cell = sorted.cell(column, place);
                let Some(speedup) = cell.speedup.filter(|of| !is_open(*of)) else { continue };
                let share = speedup.value().map(|s| s / row.threads as f64);
                let title = in_words(&count(row.threads, "thread"), cell);
                canvas.value(&of.searcher, title, |canvas| {
                    canvas.rectangle(from, to, share.map_or(PAPER, efficiency_shade));
                    if share.is_none_or(|share| share > 1.0) {
                        let colour = if share.is_none() { GREY } else { BEYOND };
                        let (from, to) = ((from.0 + 1.0, from.1 + 1.0), (to.0 - 1.0, to.1 - 1.0));
                        canvas.outline(from, to, colour, 2);
                    }
                    let words = bounds(Some(speedup), ratio);
                    if fits(&words) {
                        let ink = if share.is_some_and(|share| share > 0.55) { PAPER } else { INK };
                        canvas.text(&words, (x, top + line / 2.0), Align::Centre, SMALL, ink);
                    }
                });
            }
        }
        canvas.text("threads", (frame.middle().0, frame.bottom + 62.0), Align::Centre, SMALL, INK);
    });
    Some(Chart {
        name: format!("speedup-map-{}", of.searcher),
        caption: format!(
            "Speedup of each position with {} by threads, positions sorted by the speedup at {}. \
             {} The stronger the blue, the greater the efficiency (speedup over threads): that of \
             the paper at 0, and strongest from 1 on.{frames}",
            of.searcher,
            count(sorted.threads(), "thread"),
            setting.long
        ),
        data: known_speedups(of),
        picture,
    })
}
