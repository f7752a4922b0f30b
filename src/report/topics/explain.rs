//! Where the speedup is lost: the ladder of idealised machines.

use crate::explain::{Beside, Ladder, Rung, Step};
use crate::report::charts::layout::RIGHT;
use crate::report::charts::style::{Colour, GAIN, GREY, INK, LOSS, SMALL, TEXT, tint};
use crate::report::charts::{
    Align, Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sketch, text_width,
};
use crate::report::columns::{Value, columns};
use crate::report::figures::Estimate;
use crate::report::numbers::{
    capital, count, if_any, interval, known, list, percents, ratio, words_if,
};
use crate::report::{Picture, Report, Source, Table, Topic, file};
use std::cmp::Ordering;
use ttd_stats::ratios::Ratio;
use ttd_stats::{Account, Bounds};

/// The topic. It is empty if no ladder was climbed.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[file!("ladder.csv", columns, Table::filled, |of| lines(&of.input.ladders))],
    charts: &[Picture::each_with_threads(
        "ladder-",
        "speedup from rung to rung of idealised machines, up to N (`ttd explain`)",
        |of, _| of.input.ladders.iter().map(|of_one| sketch(of, of_one)).collect(),
    )],
    section,
};

/// A row of the table: a rung, the rest up to N, or changed costs.
pub(crate) struct Line<'a> {
    ladder: &'a Ladder,
    /// The name in files, and the words for people.
    machine: [String; 2],
    speedup: Option<Estimate>,
    factor: Option<Estimate>,
    alone: Option<Estimate>,
    aborted: Option<f64>,
}

/// The rows of all ladders.
pub(crate) fn lines(ladders: &[Ladder]) -> Vec<Line<'_>> {
    let of = |ladder| {
        let estimate = |ratio: Option<Ratio>| ratio.map(Estimate::from);
        let line = move |machine: [String; 2]| Line {
            ladder,
            machine,
            speedup: None,
            factor: None,
            alone: None,
            aborted: None,
        };
        let rung = move |step: &Step| Line {
            speedup: estimate(step.speedup),
            factor: estimate(step.factor),
            alone: estimate(step.alone),
            aborted: step.aborted,
            ..line([step.rung.name(), step.rung.words()].map(str::to_owned))
        };
        let words = ladder.bound().map(|bound| format!("; the span allows {}", ratio(bound)));
        let left = Line {
            speedup: Some(exactly(ladder.threads as f64)),
            factor: estimate(ladder.unexplained),
            ..line(["unexplained".to_owned(), format!("unexplained{}", words.unwrap_or_default())])
        };
        let what_if = move |(changes, ratio): &(String, Option<Ratio>)| Line {
            alone: estimate(*ratio),
            ..line([format!("if {changes}"), format!("if {changes}")])
        };
        let applying = ladder.steps.iter().filter(|step| step.applies).map(rung);
        applying.chain([left]).chain(ladder.what_ifs.iter().map(what_if)).collect::<Vec<_>>()
    };
    ladders.iter().flat_map(of).collect()
}

fn exactly(value: f64) -> Estimate {
    Estimate { value: Bounds::exact(value), ci_runs: None, ci_positions: None }
}

columns! {
    /// The columns of `ladder.csv`.
    pub(crate) fn columns<'a>(of: Line<'a>);

    /// the ladder
    Words "searcher" = of.ladder.searcher.as_str(), as "searcher";
    Whole "threads" = of.ladder.threads, as "threads";
    /// the rung; `unexplained` is the rest up to N, and `if CHANGES` has changed costs
    Words "rung" = of.machine[0].as_str(), as "machine", shown of.machine[1].clone();
    /// time of one worker over the time on this rung; for `unexplained`, N
    Ratio "speedup" + Both = Value::from(of.speedup), as "speedup";
    /// time on the rung below over the time on this rung
    Three "factor" + Both = Value::from(of.factor), as "factor";
    /// time as it is over the time with this rung alone, or with the changed costs
    Three "alone" + Both = Value::from(of.alone), as "alone";
    /// share of aborted nodes in all nodes, 0 to 1
    Tenths "aborted" = of.aborted, as "aborted";
    /// min(N, W/C): the greatest speedup that the work of the highest rung allows, if W/C is known
    Ratio "bound" = of.ladder.bound().filter(|_| of.machine[0] == "unexplained");
}

/// The table for people.
pub(crate) fn shown(ladders: &[Ladder]) -> Vec<Vec<String>> {
    let names = "searcher, threads, rung, speedup, factor, ci_runs, ci_positions, alone, ci_runs, \
                 ci_positions, aborted";
    columns().table(lines(ladders), names)
}

/// The interval that the words go by: over positions, if there is one.
fn over(ratio: &Ratio) -> Option<Bounds> {
    ratio.ci_positions.or(ratio.ci_runs)
}

fn figure(of: Option<Ratio>) -> String {
    known(of, |of| {
        let value = known(of.value.value(), |value| format!("{value:.3}"));
        let ends = over(&of).map(|ends| interval(Some(ends), |end| format!("{end:.3}")));
        format!("{value}{}", ends.map_or_else(String::new, |ends| format!(" ({ends})")))
    })
}

/// The least bounds that hold both intervals.
fn ends(of: Ratio) -> Option<Bounds> {
    let both = of.ci_runs.zip(of.ci_positions).map(|(runs, positions)| runs.hull(positions));
    both.or(over(&of))
}

/// The side of 1 on which a ratio is shown to be. Neither interval holds 1 then: who comes first
/// changes with every price, and times with it.
fn side_of_1(of: &Ratio) -> Option<Ordering> {
    let ends = ends(*of)?;
    let (above, below) = (ends.lower > 1.0, ends.upper < 1.0);
    if above { Some(Ordering::Greater) } else { below.then_some(Ordering::Less) }
}

/// The gain of a factor in words.
fn gain(of: Option<Ratio>) -> String {
    let Some((of, value)) = of.and_then(|of| Some((of, of.value.value()?))) else {
        return "its effect is not known".to_owned();
    };
    let more = percents((value - 1.0).abs());
    match side_of_1(&of) {
        Some(Ordering::Greater) => format!("mending it alone makes the search {more} faster"),
        Some(_) => format!("mending it alone makes the search {more} slower"),
        None if over(&of).is_some() => {
            "mending it alone is not shown to change anything".to_owned()
        }
        None => format!("mending it alone changes the speed by the factor {}", ratio(value)),
    }
}

/// The ladder in words: what costs how much, and what mending it would bring.
pub(crate) fn told(of: &Ladder) -> Vec<String> {
    let n = count(of.threads, "worker");
    let last = of.steps.iter().rev().find(|step| step.applies);
    let bound = match of.parallelism.zip(of.bound()) {
        Some((parallelism, bound)) => format!(
            "The span of its work there allows min(N, W/C) = min({}, {}) = {}.",
            of.threads,
            ratio(parallelism),
            ratio(bound)
        ),
        None if of.has_critical_path => {
            "Its span there is not known: a position has no finished search.".to_owned()
        }
        None => "Its workers meet in the table alone, so that it has no span.".to_owned(),
    };
    let mut words = vec![format!(
        "**{} with {n}**, {} on {}: {} times as fast as one worker. On the highest rung it is {} \
         times. {bound}",
        of.searcher,
        count(of.rounds, "round"),
        count(of.positions, "position"),
        known(of.speedup(), ratio),
        known(last.and_then(|step| step.speedup?.value.value()), ratio),
    )];
    for step in of.steps.iter().filter(|step| step.applies && step.rung > Rung::AsItIs) {
        let name = capital(step.rung.words());
        let (factor, alone) = (figure(step.factor), figure(step.alone));
        words.push(format!("{name}: factor {factor}, alone {alone}: {}.", gain(step.alone)));
    }
    let missing = of.steps.iter().filter(|step| !step.applies).map(|step| step.rung.words());
    let missing = if_any(missing, |list| {
        format!("Not for this searcher, whose workers share no nodes by a rule: {list}.")
    });
    words.extend(Some(missing).filter(|words| !words.is_empty()));
    let account = of.account.map_or_else(String::new, |account| causes(&account));
    words.push(format!("Left to N, unexplained: {}.{account}", figure(of.unexplained)));
    let faster = |alone: &Ratio| side_of_1(alone) == Some(Ordering::Greater);
    let shown = of.steps.iter().filter_map(|step| Some((step.rung, step.alone.filter(faster)?)));
    match shown.max_by(|(_, a), (_, b)| a.value.lower.total_cmp(&b.value.lower)) {
        Some((best, _)) => words.push(format!("The most alone: {}.", best.words())),
        None => words.push("No rung alone is shown to make it faster.".to_owned()),
    }
    for (changes, ratio) in &of.what_ifs {
        words.push(format!("With {changes}: {} times as fast.", figure(*ratio)));
    }
    if of.failed > 0 {
        words.push(format!("Left out, because they failed: {} of the searches.", of.failed));
    }
    words
}

/// The causes of the rest in words.
fn causes(account: &Account) -> String {
    let idle = known(account.busy_fraction, |busy| ratio(1.0 / busy));
    format!(
        " By the account of the highest rung that is {} for nodes that one worker does not search. \
         It is {idle} for time not spent searching, and {} for slower nodes.",
        ratio(1.0 + account.search_overhead),
        ratio(1.0 / account.node_rate)
    )
}

/// Which of two searchers loses where, for each pair with equal numbers of workers.
pub(crate) fn compared(ladders: &[Ladder]) -> Vec<String> {
    let pairs = ladders.iter().enumerate().flat_map(|(at, one)| {
        let others = ladders[at + 1..].iter().filter(|other| other.threads == one.threads);
        others.map(move |other| (one, other))
    });
    pairs.map(|(one, other)| compared_with(one, other)).collect()
}

fn compared_with(one: &Ladder, other: &Ladder) -> String {
    let causes = one.beside(other);
    let all = |way| list(causes.iter().filter(|of| loses_more(of) == Some(way)).map(told_of));
    let words = match [all(Ordering::Greater), all(Ordering::Less)] {
        [more, less] if more.is_empty() && less.is_empty() => {
            "of no cause is it shown that it costs one of them more".to_owned()
        }
        [more, less] if less.is_empty() => format!("it loses more by {more}"),
        [more, less] if more.is_empty() => format!("it loses less by {less}"),
        [more, less] => format!("it loses more by {more}; and less by {less}"),
    };
    let n = count(one.threads, "worker");
    format!("**{} beside {}** with {n}: {words}.", one.searcher, other.searcher)
}

/// Whether the first of two searchers is shown to lose more, or less, by a cause. A factor below 1
/// is no loss: the greater of the two has to be shown to be one.
fn loses_more(of: &Beside) -> Option<Ordering> {
    let way = side_of_1(&of.ratio?)?;
    let greater = of.factors[usize::from(way.is_lt())]?;
    (side_of_1(&greater) == Some(Ordering::Greater)).then_some(way)
}

/// A cause in words, with its two factors and the interval of their ratio.
fn told_of(of: &Beside) -> String {
    let cause = of.rung.map_or("what no rung explains", Rung::cause);
    let factor = |factor: Option<Ratio>| {
        factor.map_or_else(|| "none".to_owned(), |of| known(of.value.value(), ratio))
    };
    let [one, other] = of.factors.map(factor);
    format!("{cause} ({one} against {other}, ratio {})", interval(of.ratio.and_then(ends), ratio))
}

fn section(report: &mut Report<'_>, of: &Source) {
    let ladders = &of.input.ladders;
    if ladders.is_empty() {
        return;
    }
    report.heading(2, "Where the speedup is lost");
    report.paragraph(
        "A ladder of idealised machines on virtual cores (`ttd explain`), with equal noise on all \
         machines. Each rung takes one cause of loss away, and keeps all rungs below. Its factor is \
         the time on the rung below over its own. Below 1, the idealised search is slower. The \
         column *alone* has that rung over the machine as it is. Factors multiply to N over the \
         speedup. See `docs/explain.md`.",
    );
    for ladder in ladders {
        report.list(told(ladder));
    }
    let compared = compared(ladders);
    if !compared.is_empty() {
        report.list(compared);
    }
    report.each_chart("ladder-");
    report.table(
        "The ladder: speedup over one worker, the factor of each rung, and the rung alone, with \
         95% intervals. Aborted: share of all nodes.",
        &shown(ladders),
    );
}

/// Height of a bar and the space around it, and the space between the plot and the words.
const LINE: f64 = 40.0;
const BESIDE: f64 = 18.0;

/// The words of bars in the legend.
const START: &str = "speedup as it is";
const WON: &str = "won by the rung";
const LOST: &str = "lost by the rung";
const LEFT: &str = "unexplained";

/// One bar: its name, its words in the legend, its ends, the words beside it, and its colour.
struct Bar {
    name: String,
    kind: &'static str,
    ends: [f64; 2],
    words: String,
    colour: Colour,
}

fn bars(of: &Ladder) -> Vec<Bar> {
    let mut at = 1.0;
    let mut bars = Vec::new();
    for step in of.steps.iter().filter(|step| step.applies) {
        let Some(to) = step.speedup.and_then(|speedup| speedup.value.value()) else { continue };
        let first = step.rung == Rung::AsItIs;
        let (kind, colour) = match first {
            true => (START, INK),
            false if to < at => (LOST, LOSS),
            false => (WON, GAIN),
        };
        let words = if first { ratio(to) } else { format!("×{}", figure(step.factor)) };
        bars.push(Bar { name: step.rung.words().to_owned(), kind, ends: [at, to], words, colour });
        at = to;
    }
    let (name, words) = (format!("{LEFT}, up to N"), format!("×{}", figure(of.unexplained)));
    let ends = [at, of.threads as f64];
    bars.push(Bar { name, kind: LEFT, ends, words, colour: tint(INK, 0.35) });
    bars
}

/// The ladder as a picture: from the speedup as it is, rung by rung, up to N.
fn sketch(source: &Source, of: &Ladder) -> Sketch {
    let bars = bars(of);
    let facts = format!(
        "depth {}, {}, {}, virtual cores.",
        source.input.experiment.depth,
        count(of.positions, "position"),
        count(of.rounds, "round")
    );
    let setting = Setting::with(capital(&facts), "", None);
    let bound = of.bound().map(|bound| (bound, format!("the span's bound, {}", ratio(bound))));
    let height = (LINE * bars.len() as f64 + 30.0 + 144.0 + 100.0 + 74.0) as i32;
    let title =
        format!("{}, {}: where the speedup is lost", of.searcher, count(of.threads, "worker"));
    let entries = [(START, INK), (WON, GAIN), (LOST, LOSS), (LEFT, tint(INK, 0.35))]
        .map(|(words, colour)| Entry::new(words, Key::Patch(colour)))
        .into_iter()
        .chain(bound.iter().map(|(_, words)| Entry::new(words.clone(), Key::Line(GREY, &[]))));
    let note = "Each rung multiplies; equal factors are equally long. In brackets: 95% intervals.";
    let sheet = setting.sheet(title, entries, note, height.max(480));
    let ends = bars.iter().flat_map(|bar| bar.ends).chain(of.bound());
    let mut frame = sheet.frame(Axis::ratios(ends), Axis::ratios([].into_iter()));
    let widest = |of: &dyn Fn(&Bar) -> &str, size| {
        bars.iter().map(|bar| text_width(of(bar), size)).fold(0.0, f64::max)
    };
    frame.left = widest(&|bar| &bar.name, TEXT) + 40.0;
    frame.right = RIGHT - BESIDE - widest(&|bar| &bar.words, SMALL);
    let picture = sheet.picture(|canvas| {
        frame.draw_across(canvas, "speedup (log scale)", Some((&[], 2)));
        if let Some((bound, words)) = bound {
            canvas.guide(&words, |canvas| {
                let x = frame.x_at(bound);
                canvas.path(&[(x, frame.top), (x, frame.bottom)], GREY, 3);
            });
        }
        draw(canvas, &frame, &bars);
    });
    Chart {
        name: format!("ladder-{}-{}", of.searcher, of.threads),
        caption: format!(
            "Where {} with {} loses its speedup. Each bar is an idealised machine without one more \
             cause of loss, and the last is the rest up to N. The axis is logarithmic: equal \
             factors are equally long.{}",
            of.searcher,
            count(of.threads, "worker"),
            words_if(of.bound().is_some(), " The line is min(N, W/C) on the highest rung.")
        ),
        picture,
        data: columns().file(lines(std::slice::from_ref(of))).csv(),
    }
}

fn draw(canvas: &mut Canvas, frame: &Frame, bars: &[Bar]) {
    let mut y = frame.top + 15.0 + LINE / 2.0;
    for bar in bars {
        let [from, to] = bar.ends.map(|end| frame.x_at(end));
        let half = LINE * 0.36;
        canvas.value(bar.kind, format!("{}: {}", bar.name, bar.words), |canvas| {
            // A factor of 1 is seen too.
            let (left, right) = (from.min(to), from.max(to).max(from.min(to) + 2.0));
            canvas.rectangle((left, y - half), (right, y + half), bar.colour);
        });
        canvas.text(&bar.name, (frame.left - 14.0, y), Align::Right, TEXT, INK);
        canvas.text(&bar.words, (frame.right + BESIDE, y), Align::Left, SMALL, INK);
        y += LINE;
    }
}
