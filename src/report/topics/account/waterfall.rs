//! The account as a waterfall: from N, factor by factor, down to the measured speedup. The words of
//! a step stand in a column beside the plot, so that none runs across a bar or a line.

use crate::report::charts::layout::{self};
use crate::report::charts::style::{Colour, GAIN, GREY, INK, LOSS, PAPER, SMALL, TEXT, tint};
use crate::report::charts::{
    Align, Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sketch, text_width,
};
use crate::report::figures::{Row, SearcherFigures};
use crate::report::topics::summary::{Line, summary};
use std::cmp::Ordering;
use ttd_search::cores::State;
use ttd_stats::Account;

/// Height of a bar and the space around it.
const LINE: f64 = 40.0;
/// Height of the space between two thread counts.
const GAP: f64 = 30.0;

/// Width of the space between the plot and the words.
const BESIDE: f64 = 18.0;

/// The greatest number of thread counts of which all are shown.
const FEW: usize = 6;

/// The words of bars in the legend.
const LOST: &str = "lost";
const WON: &str = "won";
const SPEEDUP: &str = "speedup (ratio of geometric means)";

/// One bar: its two ends, and its words.
struct Step {
    name: &'static str,
    /// Its words in the legend.
    kind: &'static str,
    from: f64,
    to: f64,
    words: String,
    colour: Colour,
}

/// A waterfall for each thread count above 1; no chart if none of them has an account.
pub(super) fn account(setting: &Setting, of: &SearcherFigures) -> Option<Sketch> {
    let rows = layout::with_room(&of.rows, |row| row.threads, FEW);
    rows.iter().find_map(|row| row.account)?;
    let heights = rows.iter().map(|row| LINE * if row.account.is_some() { 5.0 } else { 1.0 });
    let panels: f64 = heights.sum::<f64>() + GAP * rows.len().max(1) as f64;
    let height = (panels + 144.0 + 100.0 + 74.0).max(480.0) as i32;
    let steps = |row: &&Row| row.account.map_or_else(Vec::new, |account| steps(row, &account));
    let steps: Vec<(&Row, Vec<Step>)> = rows.iter().map(|row| (*row, steps(row))).collect();
    let ends = steps.iter().flat_map(|(_, s)| s).flat_map(|s| [s.from, s.to]);

    let are_all = rows.iter().all(|row| row.account_positions == row.positions);
    let without = if are_all { "" } else { ", without those that have stopped samples" };
    let note = format!(
        "Each step multiplies; equal factors are equally long. Geometric means over positions{without}."
    );
    let title = format!("{}: where the speedup went", of.searcher);
    let entries = [(LOST, LOSS), (WON, GAIN), (SPEEDUP, INK)]
        .map(|(words, colour)| Entry::new(words, Key::Patch(colour)));
    let sheet = setting.sheet(title, entries, note, height);
    let mut frame = sheet.frame(Axis::ratios(ends), Axis::ratios([].into_iter()));
    frame.left = 300.0;
    let words = steps.iter().flat_map(|(_, s)| s).map(|step| text_width(&step.words, SMALL));
    frame.right -= BESIDE + words.fold(0.0, f64::max);
    let picture = sheet.picture(|canvas| {
        let mut y = frame.top + GAP / 2.0;
        frame.draw_across(canvas, "speedup (log scale)", Some((&[], 2)));
        for (row, steps) in &steps {
            panel(canvas, &frame, y, row, steps);
            y += GAP + LINE * steps.len().max(1) as f64;
        }
    });
    let left_out = of.rows.iter().filter(|row| row.threads > 1).count() > steps.len();
    let left_out = if left_out { layout::NOT_ALL } else { "" };
    let lines = rows.iter().map(|&row| Line { searcher: &of.searcher, net_base: "", row });
    Some(Chart {
        name: format!("account-{}", of.searcher),
        caption: format!(
            "Where the speedup of {} went, from N threads to the account's speedup, the ratio of \
             geometric-mean times. The factors are extra nodes (1 / (1 + search overhead)), time \
             not spent searching (busy fraction) and speed of a searching worker (node rate). {} \
             The axis is logarithmic: equal factors are equally long. The factors multiply to the \
             speedup exactly.{}{left_out}",
            of.searcher,
            setting.long,
            if are_all { "" } else { " Positions with a stopped sample are left out." }
        ),
        picture,
        data: summary().only(FACTORS).file(lines).csv(),
    })
}

/// The factors from which the steps are made.
const FACTORS: &str =
    "searcher, threads, search_overhead, busy_fraction, node_rate, account_speedup";

/// The bars of one thread count.
fn steps(row: &Row, account: &Account) -> Vec<Step> {
    let mut at = account.threads;
    let mut steps = vec![Step {
        name: "threads",
        kind: "threads",
        from: 1.0,
        to: at,
        words: if row.oversubscribed { "oversubscribed" } else { "" }.to_owned(),
        colour: tint(INK, 0.35),
    }];
    let extra = Some(format!("{} nodes", percent(account.search_overhead)));
    let idle = row.states.and_then(|shares| most_idle(&shares));
    let rate = Some(format!("{} speed", percent(account.node_rate - 1.0)));
    for (name, factor, what) in [
        ("search overhead", Some(account.overhead_factor()), extra),
        ("busy fraction", account.busy_fraction, idle),
        ("node rate", Some(account.node_rate), rate),
    ] {
        // An outside engine does not tell this factor.
        let Some(factor) = factor else { continue };
        let to = at * factor;
        steps.push(Step {
            name,
            kind: match factor.total_cmp(&1.0) {
                Ordering::Less => LOST,
                Ordering::Equal => "neither",
                Ordering::Greater => WON,
            },
            from: at,
            to,
            words: format!("×{factor:.2}") + &what.map_or_else(String::new, |w| format!(" ({w})")),
            colour: if factor < 1.0 { LOSS } else { GAIN },
        });
        at = to;
    }
    steps.push(Step {
        name: "speedup",
        kind: SPEEDUP,
        from: 1.0,
        to: account.speedup,
        words: format!("{:.2}", account.speedup),
        colour: INK,
    });
    steps
}

/// A change in whole percent: `+20%`, `−3%`, `±0%`.
fn percent(share: f64) -> String {
    let text = format!("{:+.0}%", 100.0 * share);
    if text == "+0%" || text == "-0%" { "±0%".to_owned() } else { text.replace('-', "−") }
}

/// The state other than `search` in which workers spent the most time, if it took at least 1%.
fn most_idle(shares: &[f64; State::COUNT]) -> Option<String> {
    let idle = State::ALL.into_iter().filter(|state| *state != State::Search);
    let state = idle.max_by(|a, b| shares[*a as usize].total_cmp(&shares[*b as usize]))?;
    let percent = 100.0 * shares[state as usize];
    (percent >= 1.0).then(|| format!("{percent:.0}% {}", state.name()))
}

fn panel(canvas: &mut Canvas, frame: &Frame, top: f64, row: &Row, steps: &[Step]) {
    let mut y = top + LINE / 2.0;
    if steps.is_empty() {
        let name = format!("{} threads", row.threads);
        canvas.text(&name, (frame.left - 14.0, y), Align::Right, TEXT, INK);
        let words = "no account: samples are missing, censored or failed";
        let (from, to) = (frame.left + 14.0, frame.left + 22.0 + text_width(words, SMALL));
        canvas.rectangle((from, y - 14.0), (to, y + 14.0), PAPER);
        canvas.text(words, (from + 4.0, y), Align::Left, SMALL, GREY);
    }
    for (i, step) in steps.iter().enumerate() {
        let (from, to) = (frame.x_at(step.from), frame.x_at(step.to));
        let half = LINE * 0.36;
        let threads = row.threads;
        let title = match i {
            0 => format!("{threads} threads: the ideal"),
            _ => format!("{threads} threads, {}: {}", step.name, step.words),
        };
        canvas.value(step.kind, title, |canvas| {
            canvas.rectangle((from.min(to), y - half), (from.max(to), y + half), step.colour);
        });
        if i + 1 < steps.len() {
            canvas.path(&[(to, y - half), (to, y + LINE + half)], GREY, 1);
        }
        let name =
            if i == 0 { format!("{} {}", row.threads, step.name) } else { step.name.to_owned() };
        canvas.text(&name, (frame.left - 14.0, y), Align::Right, TEXT, INK);
        canvas.text(&step.words, (frame.right + BESIDE, y), Align::Left, SMALL, INK);
        y += LINE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_read_well() {
        let words = [0.204, -0.026, 0.004, -0.004, 0.0].map(percent);
        assert_eq!(words, ["+20%", "−3%", "±0%", "±0%", "±0%"]);
    }
}
