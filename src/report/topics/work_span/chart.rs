//! The distance of runs from the bounds that work and critical path set.
//!
//! The form is that of Blumofe and others, "Cilk: an efficient multithreaded runtime system", 1995.
//! Both axes are divided by the parallelism W/C. If the model T = a W/N + b C holds, runs of any
//! length and number of workers then lie on one curve.

use crate::report::Input;
use crate::report::charts::layout::{self};
use crate::report::charts::style::{FITTED, GREY, HEIGHT, REFERENCE, look};
use crate::report::charts::{Axis, Chart, Entry, Key, Setting, Sketch};
use crate::report::columns::columns;
use crate::report::lists::filled;
use crate::report::numbers::{count, ratio};
use crate::report::topics::work_span::rows::WorkSpanFigures;
use ttd_stats::work_span::{Run, WorkSpanFit};

/// The number of workers over the parallelism: N / (W/C).
fn across(run: &Run) -> f64 {
    run.path / run.share
}

/// The mean number of workers at work, W/T, over the parallelism W/C: C/T.
fn up(run: &Run) -> f64 {
    run.path / run.time
}

/// The words of the bounds in the legend.
const BOUNDS: &str = "bounds: W/N, C";

/// The model of a searcher in the legend.
fn fit_in_words(of: &WorkSpanFigures, fit: &WorkSpanFit) -> String {
    format!("{}: a = {}, b = {}", of.searcher, ratio(fit.a), ratio(fit.b))
}

/// The means of every position, each with its number of threads.
fn numbered(of: &WorkSpanFigures) -> impl Iterator<Item = (usize, Run)> {
    of.rows.iter().flat_map(|row| row.cells.iter().map(|run| (row.threads, *run)))
}

/// The chart. None if no searcher that charts show has a run with a critical path.
pub(super) fn work_span(setting: &Setting, input: &Input) -> Option<Sketch> {
    let figures = &input.figures;
    let on_its_own = |of: &&WorkSpanFigures| figures.searchers[of.index].on_its_own;
    let work_spans = &filled(input.work_spans.iter().filter(on_its_own).collect())?[..];
    let cells = |of: &WorkSpanFigures| -> Vec<Run> { numbered(of).map(|(_, run)| run).collect() };
    let all: Vec<Run> = work_spans.iter().flat_map(|of| cells(of)).collect();
    let fits = || work_spans.iter().filter_map(|of| Some((*of, of.fit.as_ref()?)));
    let bounds = Entry::new(BOUNDS, Key::Line(GREY, REFERENCE));
    let marks = work_spans.iter().map(|of| Entry::new(&of.searcher, Key::Mark(look(of.index))));
    let models = fits().map(|(of, fit)| {
        Entry::new(fit_in_words(of, fit), Key::Line(look(of.index).colour, FITTED))
    });
    let entries = [bounds].into_iter().chain(marks).chain(models);
    let note = "W: work, C: critical path, T: time of N workers. A point: a position at a number \
                of threads. Logarithmic axes.";
    let title = "Speed against the bounds of work and critical path";
    let sheet = setting.sheet(title, entries, note, HEIGHT);
    let frame = sheet.frame(Axis::ratios(all.iter().map(across)), Axis::ratios(all.iter().map(up)));
    let ends_from = |from: (f64, f64), runs: &[Run]| {
        runs.iter().map(across).fold(from, |(a, b), x| (a.min(x), b.max(x)))
    };
    let names = ("N / (W/C)", "(W/T) / (W/C) = C/T");
    let picture = sheet.plot(&frame, names, None, |canvas| {
        let ends = ends_from((1.0, 1.0), &all);
        canvas.guide(BOUNDS, |canvas| {
            frame.curve_between(canvas, ends, REFERENCE, GREY, |x| x.min(1.0));
        });
        for of in work_spans {
            let look = look(of.index);
            for (threads, run) in numbered(of) {
                let (name, x, y) = (&of.searcher, across(&run), up(&run));
                let of_run = format!("{name}, {}", count(threads, "thread"));
                let title = format!("{of_run}: N / (W/C) {}, C/T {}", ratio(x), ratio(y));
                canvas.value(name, title, |canvas| {
                    canvas.marker(look.marker, frame.at(x, y), 6.0, look.colour);
                });
            }
        }
        for (of, fit) in fits() {
            // The curve reaches no further than the searcher's own runs.
            let ends = ends_from((f64::INFINITY, 0.0), &cells(of));
            let model = |x: f64| 1.0 / (fit.a / x + fit.b);
            canvas.guide(&fit_in_words(of, fit), |canvas| {
                frame.curve_between(canvas, ends, FITTED, look(of.index).colour, model);
            });
        }
    });
    let runs = work_spans
        .iter()
        .flat_map(|of| numbered(of).map(|(threads, run)| (of.searcher.as_str(), threads, run)));
    Some(Chart {
        name: "work-span".to_owned(),
        caption: format!(
            "How near the runs come to the bounds of their work W and their critical path C. \
             Across: workers over parallelism, N / (W/C); up: work done in a unit of time over \
             parallelism, which is C/T. Each point is a position at a number of threads (geometric \
             means over runs). Dashed grey: the bounds, T = W/N and T = C. Dotted: the model T = a \
             W/N + b C as fitted to each searcher, over the range of its points. Where it lies \
             above the bounds it does not hold. {}{}",
            setting.long,
            layout::not_shown(figures)
        ),
        picture,
        data: data().file(runs).csv(),
    })
}

columns! {
    /// The data of the chart: searcher, threads and the means of a position.
    fn data<'a>(of: (&'a str, usize, Run));

    Words "searcher" = of.0;
    Whole "threads" = of.1;
    Seconds "share_s" = of.2.share;
    Seconds "critical_path_s" = of.2.path;
    Seconds "time_s" = of.2.time;
}
