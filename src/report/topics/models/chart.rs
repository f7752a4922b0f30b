//! The models of speedup by threads beside the measured speedups, and the deviations from the
//! models. There is a chart for each searcher.

use crate::report::charts::layout::{self};
use crate::report::charts::style::{EQUAL, GREY, INK, Look, Marker, REFERENCE, TEXT, look};
use crate::report::charts::{
    Align, Axis, Canvas, Chart, ChartError, Entry, Frame, Key, Picture, Setting, Sheet,
};
use crate::report::columns::columns;
use crate::report::figures::{Estimate, FittedModel, Row, SearcherFigures};
use crate::report::numbers::list;
use crate::report::topics::speedup::lines::{bar, model_in_words};
use ttd_stats::Bounds;
use ttd_stats::fits::Fit;

/// The height of the picture with one line of legend.
const TALL: i32 = 1160;
/// The share of the height that the upper frame has, and the room for its numbers below it.
const UPPER: f64 = 0.5;
const BETWEEN: f64 = 76.0;

/// A median speedup that models were fitted to, or that of one thread.
struct Point {
    threads: usize,
    speedup: f64,
    estimate: Estimate,
}

/// The models that could be fitted, each with its look, and the points that they were fitted to.
struct Fitted<'a> {
    of: &'a SearcherFigures,
    fits: Vec<(Look, &'a Fit)>,
    points: Vec<Point>,
}

impl<'a> Fitted<'a> {
    /// Collects them; none if no law could be fitted.
    fn new(of: &'a SearcherFigures) -> Option<Fitted<'a>> {
        let laws = of.models.iter().filter(|model| !model.model.is_trend());
        let numbered = laws.enumerate().map(|(index, model)| (look(index), model.fit.as_ref()));
        let fits: Vec<(Look, &Fit)> =
            numbered.filter_map(|(look, fit)| Some((look, fit.ok()?))).collect();
        let point = |row: &Row| {
            let estimate = row.median?;
            Some(Point { threads: row.threads, speedup: estimate.value.value()?, estimate })
        };
        let points: Vec<Point> = of.rows.iter().filter_map(point).collect();
        (!fits.is_empty()).then_some(Fitted { of, fits, points })
    }

    fn threads(&self) -> Vec<usize> {
        self.points.iter().map(|point| point.threads).collect()
    }

    /// The points that the models were fitted to. That of one thread is left out, as every model
    /// has S(1) = 1.
    fn several(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.threads > 1)
    }

    /// A sentence on which model fits best.
    fn verdict(&self) -> String {
        let best = FittedModel::told_apart(&self.of.models).map_or_else(
            || "The data cannot say which fits best.".to_owned(),
            |best| format!("By AICc {} fits best.", best.model.words()),
        );
        let without = self.of.models.iter().filter(|model| !model.model.is_trend());
        let without: Vec<&str> =
            without.filter(|model| model.fit.is_err()).map(|model| model.model.words()).collect();
        if without.is_empty() {
            return best;
        }
        format!("{best} Too few thread counts for {}.", list(without))
    }
}

/// The chart; none where no model could be fitted.
pub(super) fn fits(setting: &Setting, of: &SearcherFigures) -> Result<Option<Chart>, ChartError> {
    Fitted::new(of).map(|fitted| chart(setting, &fitted)).transpose()
}

fn chart(setting: &Setting, fitted: &Fitted<'_>) -> Result<Chart, ChartError> {
    let Fitted { of, fits, points } = fitted;
    let (threads, interval) = (fitted.threads(), interval_in_words(points));
    let mut entries = vec![Entry::new("measured", Key::Mark(MEASURED))];
    entries.extend(
        fits.iter().map(|(look, fit)| Entry::new(&model_in_words(fit), Key::Series(*look))),
    );
    entries.extend(interval.map(|words| Entry::new(words, Key::Patch(EQUAL))));
    let below = "Below: measured over fitted; 1 is met exactly.";
    let notes = [setting.short.clone(), format!("Median over positions. {below}")];
    let title = format!("{}: models of the speedup, and what they leave", of.searcher);
    let sheet = Sheet::new(title, entries, notes, TALL);
    let (upper, lower) = frames(&sheet, fitted, &threads);
    let picture = Picture::new(sheet.size(), |canvas| {
        sheet.draw(canvas);
        upper.draw_unnamed(canvas, setting.oversubscribed_from);
        let middle = f64::midpoint(upper.top, upper.bottom);
        canvas.text("speedup (log scale)", (28.0, middle), Align::Upwards, TEXT, INK);
        lower.draw(
            canvas,
            ("threads (log scale)", "measured / fitted (log scale)"),
            setting.oversubscribed_from,
        );
        for (look, fit) in fits {
            layout::curve(canvas, &upper, &threads, look.dashes, look.colour, |n| fit.speedup(n));
        }
        for point in points {
            measured(canvas, &upper, point);
        }
        for point in fitted.several() {
            leeway(canvas, &lower, point);
        }
        layout::curve(canvas, &lower, &threads, REFERENCE, GREY, |_| 1.0);
        for (look, fit) in fits {
            let at = |point: &Point| lower.at(point.threads as f64, left(fit, point));
            let line: Vec<_> = fitted.several().map(at).collect();
            canvas.dashed(&line, look.dashes, look.colour, 3);
            for point in line {
                canvas.marker(look.marker, point, 8.0, look.colour);
            }
        }
    })?;
    let grey = interval.map_or_else(String::new, |words| {
        format!(" Bars, and grey below: {words} of the measured; a mark on the grey is of a fit that lies within it.")
    });
    Ok(Chart {
        name: format!("fits-{}", of.searcher),
        caption: format!(
            "Models of the median speedup of {} over positions, by threads, as far as was \
             measured. Below: the measured over the fitted speedup; at 1 a model is met exactly. \
             The models are fitted by least squares on log S over N > 1, with S(1) = 1. {} \
             {}{grey}",
            of.searcher,
            fitted.verdict(),
            setting.long
        ),
        data: {
            let of_fit = |fit| fitted.several().map(move |point| (fit, point));
            data().file(fits.iter().flat_map(|(_, fit)| of_fit(*fit))).csv()
        },
        picture,
    })
}

/// The look of the measured speedups.
const MEASURED: Look = Look { colour: INK, marker: Marker::Circle, dashes: &[] };

/// The upper frame, for speedups, and the lower one, for their deviations from the models.
fn frames(sheet: &Sheet, fitted: &Fitted<'_>, threads: &[usize]) -> (Frame, Frame) {
    let ends = fitted.points.iter().flat_map(|point| {
        let bar = bar(&point.estimate).unwrap_or(point.estimate.value);
        [bar.lower, point.speedup, bar.upper]
    });
    let curves =
        fitted.fits.iter().flat_map(|(_, fit)| threads.iter().map(|n| fit.speedup(*n as f64)));
    let left = fitted.several().flat_map(|point| {
        let grey = grey(point).map_or([1.0; 2], |grey| [grey.lower, grey.upper]);
        fitted.fits.iter().map(|(_, fit)| left(fit, point)).chain(grey).collect::<Vec<_>>()
    });
    let whole = sheet.frame(Axis::threads(threads), Axis::ratios(ends.chain(curves)));
    let bottom = whole.top + UPPER * (whole.bottom - whole.top);
    let lower = Frame {
        left: whole.left,
        top: bottom + BETWEEN,
        right: whole.right,
        bottom: whole.bottom,
        x: whole.x.clone(),
        y: Axis::ratios(left),
    };
    (Frame { bottom, ..whole }, lower)
}

/// The deviation of a speedup from a model: speedup / fitted speedup.
fn left(fit: &Fit, point: &Point) -> f64 {
    point.speedup / fit.speedup(point.threads as f64)
}

/// The deviation that a model would have if it gave one end of the speedup's interval, for both
/// ends. This much the measurement leaves open.
fn grey(point: &Point) -> Option<Bounds> {
    let interval = bar(&point.estimate)?;
    Some(Bounds { lower: point.speedup / interval.upper, upper: point.speedup / interval.lower })
}

fn leeway(canvas: &mut Canvas, frame: &Frame, point: &Point) {
    let Some(grey) = grey(point) else { return };
    let half = (0.3 * frame.spacing()).clamp(3.0, 22.0);
    let x = frame.x_at(point.threads as f64);
    canvas.rectangle((x - half, frame.y_at(grey.upper)), (x + half, frame.y_at(grey.lower)), EQUAL);
}

fn measured(canvas: &mut Canvas, frame: &Frame, point: &Point) {
    let x = frame.x_at(point.threads as f64);
    if let Some(ends) = bar(&point.estimate).filter(|ends| !ends.is_exact()) {
        let (low, high) = (frame.y_at(ends.lower), frame.y_at(ends.upper));
        canvas.path(&[(x, low), (x, high)], INK, 2);
        for y in [low, high] {
            canvas.path(&[(x - 7.0, y), (x + 7.0, y)], INK, 2);
        }
    }
    canvas.marker(MEASURED.marker, (x, frame.y_at(point.speedup)), 8.0, MEASURED.colour);
}

fn interval_in_words(points: &[Point]) -> Option<&'static str> {
    let any = |of: fn(&Estimate) -> bool| points.iter().any(|point| of(&point.estimate));
    if any(|estimate| estimate.ci_positions.is_some()) {
        Some("95% ci_positions")
    } else {
        any(|estimate| estimate.ci_runs.is_some()).then_some("95% ci_runs")
    }
}

columns! {
    /// The data of the chart.
    fn data<'a>(of: (&'a Fit, &'a Point));

    Words "model" = of.0.model.name();
    Whole "threads" = of.1.threads;
    Ratio "speedup_median" + Both = of.1.estimate;
    Ratio "fitted" = of.0.speedup(of.1.threads as f64);
    Ratio "measured_over_fitted" = left(of.0, of.1);
}
