//! The states of every worker over time: one row for each worker, coloured by its state. And those
//! of every thread of an outside engine.

use crate::report::charts::canvas::{Align, Canvas, text_width};
use crate::report::charts::layout::{Entry, Key, Sheet};
use crate::report::charts::picture::Drawing;
use crate::report::charts::style::{
    BLUE, Colour, GREEN, GREY, GRID, INK, ORANGE, PINK, REFERENCE, SMALL, TEXT, WIDTH, YELLOW,
};
use crate::report::numbers::percents;
use crate::uci::ThreadTimelines;
use ttd_search::cores::{Event, Moment, State, Time, Timeline};

/// The height of all rows together in pixels, unless a row would then leave the limits of [`ROW`].
const ROWS: f64 = 560.0;
/// The least and the greatest height of a row.
const ROW: (f64, f64) = (5.0, 48.0);
/// The greatest number of arrows that are drawn.
const MOST_ARROWS: usize = 150;
/// The least distance between labels of rows, and between labels of iterations.
const LABEL: f64 = 26.0;

/// The left and the right edge of the rows.
const LEFT: f64 = 150.0;
const RIGHT: f64 = WIDTH as f64 - 30.0;

/// An arrow from one worker to another: its name, and the worker and time of both ends.
type Arrow = (&'static str, (usize, Time), (usize, Time));

/// A state: its name, its colour, and what else it stands for.
pub(crate) type Kind = (&'static str, Colour, &'static str);

const IDLE: Colour = Colour::new(0xdd_dd_dd, 0x40_44_4a);
const AWAY: Colour = Colour::new(0xf4_f4_f4, 0x22_25_29);
const ASLEEP: Colour = Colour::new(0xbc_d7_e8, 0x2c_4a_5e);

/// The states of our workers, in the order of [`State`].
pub(crate) const OF_WORKERS: [Kind; State::COUNT] = [
    (State::Search.name(), BLUE, ""),
    (State::Split.name(), YELLOW, ""),
    (State::Lock.name(), ORANGE, ""),
    (State::WaitHelpers.name(), PINK, ""),
    (State::WaitWork.name(), IDLE, ""),
    (State::Reduce.name(), GREEN, ""),
    (State::Finished.name(), AWAY, ""),
];

/// The states of an outside engine's threads, in the order of [`Doing`](crate::uci::Doing). Each
/// that is one of our workers' too has its name.
pub(crate) const OF_THREADS: [Kind; 8] = [
    (State::Search.name(), BLUE, ""),
    ("queue", YELLOW, "in line for a processor"),
    (State::Lock.name(), ORANGE, ""),
    ("condition", IDLE, "a condition variable or a futex"),
    ("barrier", GREEN, "a barrier or a semaphore"),
    ("join", PINK, "the end of a thread"),
    ("sleep", ASLEEP, ""),
    ("input", AWAY, ""),
];

/// A stretch of time in a state, given by its place among the kinds.
pub(crate) type Stretch = (usize, Time, Time);

/// The most kinds of states.
const MOST_KINDS: usize = 8;

/// The timelines of a search.
#[derive(Clone, Copy, Debug)]
pub enum Tracks<'a> {
    /// The timelines of our workers.
    Workers(&'a [Timeline]),
    /// The timelines of the threads of an outside engine.
    Threads(&'a ThreadTimelines),
}

impl<'a> Tracks<'a> {
    pub(crate) fn count(self) -> usize {
        match self {
            Tracks::Workers(all) => all.len(),
            Tracks::Threads(all) => all.threads.len(),
        }
    }

    /// The word for whoever has a track.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Tracks::Workers(_) => "worker",
            Tracks::Threads(_) => "thread",
        }
    }

    pub(crate) fn kinds(self) -> &'static [Kind] {
        match self {
            Tracks::Workers(_) => &OF_WORKERS,
            Tracks::Threads(_) => &OF_THREADS,
        }
    }

    /// Whether there was more than they hold.
    pub fn are_cut_short(self) -> bool {
        match self {
            Tracks::Workers(all) => all.iter().any(|timeline| timeline.is_cut_short),
            Tracks::Threads(all) => all.is_cut_short,
        }
    }

    pub(crate) fn moments(self, track: usize) -> &'a [Moment] {
        match self {
            Tracks::Workers(all) => &all[track].moments,
            Tracks::Threads(_) => &[],
        }
    }

    /// The stretches of a track in order. Stretches of zero length are left out.
    pub(crate) fn stretches(self, track: usize, end: Time) -> Vec<Stretch> {
        let is_long = |(_, from, to): &Stretch| from < to;
        match self {
            Tracks::Workers(all) => states(&all[track], end).filter(is_long).collect(),
            Tracks::Threads(all) => {
                let of = all.threads[track].iter();
                let of = of.map(|of| (of.doing as usize, of.from.min(end), of.to.min(end)));
                of.filter(is_long).collect()
            }
        }
    }
}

/// The states of a worker in order, with those of zero length.
fn states(timeline: &Timeline, end: Time) -> impl Iterator<Item = Stretch> {
    let entered = timeline.moments.iter().filter_map(|moment| match moment.event {
        Event::Enters(state) => Some((state as usize, moment.time)),
        _ => None,
    });
    let entered: Vec<(usize, Time)> = entered.collect();
    let ends: Vec<Time> = entered.iter().skip(1).map(|(_, time)| *time).chain([end]).collect();
    entered
        .into_iter()
        .zip(ends)
        .map(move |((state, from), to)| (state, from.min(end), to.min(end)))
}

/// The words of a legend that say more than its names; none if there are none.
fn explained(legend: &[Kind]) -> String {
    let said = legend.iter().filter(|kind| !kind.2.is_empty());
    said.map(|(name, _, words)| format!("{name}: {words}.")).collect::<Vec<_>>().join(" ")
}

/// Draws the rows. Lines show when each depth was completed.
pub(crate) fn gantt(
    title: &str,
    tracks: Tracks<'_>,
    iterations: &[(u8, Time)],
    arrows: &[Arrow],
    end: Time,
) -> Drawing {
    let (word, kinds) = (tracks.word(), tracks.kinds());
    let rows: Vec<Vec<Stretch>> =
        (0..tracks.count()).map(|track| tracks.stretches(track, end)).collect();
    let row = (ROWS / rows.len().max(1) as f64).clamp(ROW.0, ROW.1);
    // Our workers have every state sooner or later. An engine may lack most.
    let is_there = |kind: &usize| match tracks {
        Tracks::Workers(_) => true,
        Tracks::Threads(_) => rows.iter().flatten().any(|(of, ..)| of == kind),
    };
    let legend: Vec<Kind> = (0..kinds.len()).filter(is_there).map(|kind| kinds[kind]).collect();
    let entries = legend.iter().map(|(name, colour, _)| Entry::new(*name, Key::Patch(*colour)));
    let few = arrows.len() <= MOST_ARROWS;
    let notes = [
        format!(
            "A row for each {word}. A pixel shows its longest state. Dashed: depths completed."
        ),
        match arrows.len() {
            0 => match tracks {
                Tracks::Workers(_) => "Nobody joined anybody.".to_owned(),
                Tracks::Threads(_) => explained(&legend),
            },
            n if few => format!(
                "Lines: {n} joins and cutoffs, from the worker that split or cut to the one that \
                 joined or gave up."
            ),
            n => format!("Not drawn: {n} joins and cutoffs (the JSON trace has them)."),
        },
    ];
    let height = 82.0 + 62.0 + row * rows.len() as f64 + 174.0;
    let sheet = Sheet::new(title, entries, notes, height as i32);
    let bottom = sheet.above_notes() - 100.0;
    let top = bottom - row * rows.len() as f64;
    let x = |time: Time| LEFT + (RIGHT - LEFT) * time.ps() as f64 / end.ps().max(1) as f64;
    sheet.picture(|canvas| {
        for (worker, states) in rows.iter().enumerate() {
            let y = top + row * worker as f64;
            let gap = if row > 12.0 { 2.0 } else { 0.0 };
            let runs = by_pixel(states, end);
            for (state, (name, colour, _)) in kinds.iter().enumerate() {
                let of = runs.iter().filter(|(other, ..)| *other == state);
                let title = format!("{word} {worker}: {name}, {}", share(states, state));
                canvas.value(name, title, |canvas| {
                    for (_, from, to) in of {
                        canvas.rectangle((*from, y + gap), (*to, y + row - gap), *colour);
                    }
                });
            }
            let every = (LABEL / row).ceil() as usize;
            if worker % every == 0 {
                let at = (LEFT - 10.0, y + row / 2.0);
                canvas.text(&format!("{word} {worker}"), at, Align::Right, SMALL, INK);
            }
        }
        draw_iterations(canvas, iterations, (top, bottom), x);
        if few {
            for (name, from, to) in arrows {
                let y = |worker: usize| top + row * (worker as f64 + 0.5);
                let colour = if *name == "join" { INK } else { ORANGE };
                canvas.path(&[(x(from.1), y(from.0)), (x(to.1), y(to.0))], colour, 1);
            }
        }
        draw_time(canvas, end, bottom, x);
    })
}

/// The share of a worker's time that it spent in a state, in words.
fn share(states: &[Stretch], state: usize) -> String {
    let length = |(_, from, to): &Stretch| (to.ps() - from.ps()) as f64;
    let whole: f64 = states.iter().map(length).sum();
    let of: f64 = states.iter().filter(|(other, ..)| *other == state).map(length).sum();
    format!("{} of its time", percents(of / whole.max(1.0)))
}

/// The states of a worker in pixels: the state, its left end, its right end. A pixel shows the
/// state that fills most of the pixel's time.
fn by_pixel(states: &[Stretch], end: Time) -> Vec<(usize, f64, f64)> {
    let pixels = (RIGHT - LEFT) as usize;
    let scale = pixels as f64 / end.ps().max(1) as f64;
    let mut shares = vec![[0.0_f64; MOST_KINDS]; pixels];
    for (state, from, to) in states {
        let (from, to) = (from.ps() as f64 * scale, to.ps() as f64 * scale);
        let last = (to.ceil() as usize).min(pixels);
        for (pixel, shares) in shares.iter_mut().enumerate().take(last).skip(from as usize) {
            let pixel = pixel as f64;
            shares[*state] += to.min(pixel + 1.0) - from.max(pixel);
        }
    }
    let mut runs: Vec<(usize, f64, f64)> = Vec::new();
    for (pixel, shares) in shares.iter().enumerate() {
        let longest = |a: &usize, b: &usize| shares[*a].total_cmp(&shares[*b]);
        let Some(state) = (0..MOST_KINDS).max_by(longest) else { continue };
        if shares[state] <= 0.0 {
            continue;
        }
        let from = LEFT + pixel as f64;
        match runs.last_mut() {
            Some((last, _, to)) if *last == state && *to >= from => *to = from + 1.0,
            _ => runs.push((state, from, from + 1.0)),
        }
    }
    runs
}

/// Draws a dashed line where each depth was completed, and the depth where there is room.
fn draw_iterations(
    canvas: &mut Canvas,
    iterations: &[(u8, Time)],
    (top, bottom): (f64, f64),
    x: impl Fn(Time) -> f64,
) {
    let mut free = f64::INFINITY;
    for (depth, time) in iterations.iter().rev() {
        let x = x(*time);
        canvas.dashed(&[(x, top - 8.0), (x, bottom)], REFERENCE, INK, 1);
        if x < free - LABEL {
            canvas.text(&depth.to_string(), (x, top - 22.0), Align::Centre, SMALL, INK);
            free = x;
        }
    }
    let words = "depth";
    if free > LEFT + text_width(words, SMALL) {
        canvas.text(words, (LEFT - 10.0, top - 22.0), Align::Right, SMALL, GREY);
    }
}

/// Draws the axis: round times from 0 to the end.
fn draw_time(canvas: &mut Canvas, end: Time, bottom: f64, x: impl Fn(Time) -> f64) {
    let end_ps = end.ps().max(1);
    let (unit, name) = [(1_000_000_000_000, "s"), (1_000_000_000, "ms"), (1_000_000, "µs")]
        .into_iter()
        .find(|(unit, _)| end_ps >= 2 * unit)
        .unwrap_or((1000, "ns"));
    let rough = end_ps as f64 / unit as f64 / 8.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|n| n * power).find(|step| *step >= rough);
    let step = step.unwrap_or(rough).max(1e-3);
    canvas.path(&[(LEFT, bottom + 4.0), (RIGHT, bottom + 4.0)], INK, 2);
    let mut tick = 0.0;
    while tick * unit as f64 <= end_ps as f64 {
        let at = x(Time::from_ps((tick * unit as f64) as u64));
        canvas.path(&[(at, bottom + 4.0), (at, bottom + 12.0)], INK, 2);
        let digits = usize::from(step < 1.0);
        canvas.text(&format!("{tick:.digits$}"), (at, bottom + 30.0), Align::Centre, TEXT, INK);
        tick += step;
    }
    canvas.path(&[(RIGHT, bottom), (RIGHT, bottom + 4.0)], GRID, 1);
    let middle = f64::midpoint(LEFT, RIGHT);
    canvas.text(&format!("time ({name})"), (middle, bottom + 66.0), Align::Centre, TEXT, INK);
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    #[test]
    fn a_pixel_has_the_state_of_most_of_its_time() {
        let end = Time::from_ps(((RIGHT - LEFT) as u64) * 10);
        let at = Time::from_ps;
        let [search, lock] = [State::Search, State::Lock].map(|state| state as usize);
        let states = [(search, at(0), at(16)), (lock, at(16), at(19)), (search, at(19), at(40))];
        let runs = by_pixel(&states, end);
        assert_eq!(runs, [(search, LEFT, LEFT + 4.0)]);
        let states = [(search, at(0), at(12)), (lock, at(12), at(20))];
        let runs = by_pixel(&states, end);
        assert_eq!(runs, [(search, LEFT, LEFT + 1.0), (lock, LEFT + 1.0, LEFT + 2.0)]);
    }

    #[test]
    fn every_state_of_a_worker_has_its_colour() {
        assert!(State::ALL.into_iter().all(|state| OF_WORKERS[state as usize].0 == state.name()));
        assert!(OF_THREADS.len() <= MOST_KINDS && OF_WORKERS.len() <= MOST_KINDS);
    }
}
