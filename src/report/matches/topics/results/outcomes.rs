//! Wins, draws and losses: a block of bars each opponent, a bar each entry.

use crate::matches::Format;
use crate::report::MatchInput;
use crate::report::charts::style::{Colour, GAIN, GREY, INK, LOSS, PAPER, SMALL, TEXT, tint};
use crate::report::charts::{
    Align, Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sketch, text_width,
};
use crate::report::columns::columns;
use crate::report::numbers::count;
use ttd_stats::elo::{Record, Results};

/// Height of a bar and its surroundings.
const LINE: f64 = 36.0;
/// Height of a block's title and the space above it.
const TITLE: f64 = 58.0;

/// One opponent's bars: who played it, and how that ended.
struct Block {
    title: String,
    bars: Vec<(String, Record)>,
}

pub(super) fn chart(setting: &Setting, input: &MatchInput) -> Sketch {
    let blocks = blocks(input);
    let bars = || blocks.iter().flat_map(|block| &block.bars);
    let heights = blocks.iter().map(|block| TITLE + LINE * block.bars.len() as f64);
    let height = heights.sum::<f64>() + 144.0 + 100.0 + 74.0 - TITLE / 2.0 + 12.0;
    let entries = [("won", GAIN), ("drawn", drawn_colour()), ("lost", LOSS)]
        .map(|(words, colour)| Entry::new(words, Key::Patch(colour)));
    let over = setting.oversubscribed_from.is_some();
    let star = if over { " * oversubscribed." } else { "" };
    let note = format!("From the view of the entry on the left.{star}");
    let by = if input.figures.by_threads() { " by threads" } else { "" };
    let title = format!("Wins, draws and losses{by}");
    let sheet = setting.sheet(title, entries, note, height as i32);
    let most = bars().map(|(_, record)| record.games()).max().unwrap_or(1) as f64;
    let x = Axis::from_zero([most].into_iter(), 5.0);
    let mut frame = sheet.frame(x, Axis::from_zero(std::iter::empty(), 1.0));
    frame.left = 60.0 + bars().map(|(name, _)| text_width(name, TEXT)).fold(100.0, f64::max);
    let picture = sheet.picture(|canvas| {
        frame.draw_across(canvas, "games", None);
        let mut y = frame.top - TITLE / 2.0;
        for Block { title, bars } in &blocks {
            y += TITLE;
            let end = frame.left + text_width(title, TEXT) + 8.0;
            canvas.rectangle((frame.left + 2.0, y - 36.0), (end, y - 4.0), PAPER);
            canvas.text(title, (frame.left + 4.0, y - 20.0), Align::Left, TEXT, INK);
            for (name, record) in bars {
                bar(canvas, &frame, y + LINE / 2.0, (name, title), *record);
                y += LINE;
            }
        }
    });
    let rows = blocks.iter().flat_map(|of| of.bars.iter().map(|bar| (of.title.as_str(), bar)));
    Chart {
        name: "wins-draws-losses".to_owned(),
        caption: format!(
            "Games won, drawn and lost{by}. {} Left to right: won, drawn, lost.",
            setting.long
        ),
        picture,
        data: data().file(rows).csv(),
    }
}

columns! {
    /// The data of the chart: a block's title, and one of its bars.
    fn data<'a>(of: (&'a str, &'a (String, Record)));

    Words "entry" = of.1.0.as_str();
    Words "against" = of.0;
    Whole "wins" = of.1.1.wins;
    Whole "draws" = of.1.1.draws;
    Whole "losses" = of.1.1.losses;
}

/// A block each opponent. In a round robin that is not about threads one is enough: everybody
/// against all others.
fn blocks(input: &MatchInput) -> Vec<Block> {
    let figures = &input.figures;
    if input.spec().format == Format::RoundRobin && !figures.by_threads() {
        let bars = bars(input, |entry| figures.table.total(entry));
        return vec![Block { title: "against all others".to_owned(), bars }];
    }
    let block = |opponent: &usize| Block {
        title: format!("against {}", input.name(*opponent)),
        bars: bars(input, |entry| *figures.table.between(entry, *opponent)),
    };
    figures.opponents.iter().map(block).filter(|block| !block.bars.is_empty()).collect()
}

/// A bar for everybody who is examined and has such results.
fn bars(input: &MatchInput, results: impl Fn(usize) -> Results) -> Vec<(String, Record)> {
    let mut bars = Vec::new();
    for of in &input.figures.series {
        for &entry in &of.entries {
            let threads = count(input.spec().entries[entry].threads, "thread");
            let name = if input.figures.by_threads() {
                format!("{}, {threads}{}", of.name, input.star(entry))
            } else {
                input.starred(entry)
            };
            let record = results(entry).total();
            if record.games() > 0 {
                bars.push((name, record));
            }
        }
    }
    bars
}

/// Neither won nor lost, and light enough to be told from both in grey.
fn drawn_colour() -> Colour {
    tint(GREY, 0.28)
}

/// Draws the bar of an entry against an opponent or all.
fn bar(canvas: &mut Canvas, frame: &Frame, y: f64, (name, against): (&str, &str), record: Record) {
    canvas.text(name, (frame.left - 14.0, y), Align::Right, TEXT, INK);
    let mut from = 0;
    for (games, how, colour, ink) in [
        (record.wins, "won", GAIN, PAPER),
        (record.draws, "drawn", drawn_colour(), INK),
        (record.losses, "lost", LOSS, PAPER),
    ] {
        let (left, right) = (frame.x_at(from as f64), frame.x_at((from + games) as f64));
        if games > 0 {
            let half = LINE * 0.38;
            let title = format!(
                "{name} {against}: {games} of {} {how}",
                count(record.games() as usize, "game")
            );
            canvas.value(how, title, |canvas| {
                canvas.rectangle((left, y - half), (right, y + half), colour);
            });
        }
        let words = games.to_string();
        if text_width(&words, SMALL) + 8.0 < right - left {
            canvas.text(&words, (f64::midpoint(left, right), y), Align::Centre, SMALL, ink);
        }
        from += games;
    }
}
