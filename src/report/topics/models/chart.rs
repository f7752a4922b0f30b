//! The models of speedup by threads beside the measured speedups, and the deviations from the
//! models. There is a chart for each searcher.

use crate::report::charts::bars::{bar, kind, told};
use crate::report::charts::style::{EQUAL, GREY, INK, Look, Marker, REFERENCE, look};
use crate::report::charts::{Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sheet, Sketch, Spot};
use crate::report::columns::columns;
use crate::report::figures::{Estimate, FittedModel, Row, SearcherFigures};
use crate::report::numbers::{capital, count, if_any, ratio};
use crate::report::topics::speedup::lines::{Kind, NET, TO_DEPTH, model_in_words};
use ttd_stats::Bounds;
use ttd_stats::fits::Fit;

/// The height of the picture with one line of legend.
const TALL: i32 = 1160;
/// The share of the height that the upper frame has, and the room for its numbers below it.
const UPPER: f64 = 0.5;
const BETWEEN: f64 = 76.0;

/// A speedup that models were fitted to, or that of one thread.
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
        let laws = of.leading_models().iter().filter(|model| !model.model.is_trend());
        let numbered = laws.enumerate().map(|(index, model)| (look(index), model.describing()));
        let fits: Vec<(Look, &Fit)> =
            numbered.filter_map(|(look, fit)| Some((look, fit?))).collect();
        let kind = kind_of(of);
        let point = |row: &Row| {
            let estimate = (kind.figure)(row)?;
            Some(Point { threads: row.threads, speedup: estimate.value.value()?, estimate })
        };
        let with_cores = of.rows.iter().filter(|row| !row.oversubscribed);
        let points: Vec<Point> = with_cores.filter_map(point).collect();
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
        let best = FittedModel::told_apart(self.of.leading_models()).map_or_else(
            || "The data cannot say which fits best.".to_owned(),
            |best| format!("By AICc {} fits best.", best.model.words()),
        );
        let laws = || self.of.leading_models().iter().filter(|model| !model.model.is_trend());
        let words = |model: &FittedModel| model.model.words();
        let without = laws().filter(|model| model.fit.is_err()).map(words);
        let wrong = laws().filter(|model| model.against.is_some()).map(words);
        best + &if_any(without, |some| format!(" Too few thread counts for {some}."))
            + &if_any(wrong, |some| format!(" Not drawn, as it does not describe these: {some}."))
    }
}

/// The chart; none where no model could be fitted.
pub(super) fn fits(setting: &Setting, of: &SearcherFigures) -> Option<Sketch> {
    let fitted = &Fitted::new(of)?;
    let Fitted { of, fits, points } = fitted;
    let estimates: Vec<Estimate> = points.iter().map(|point| point.estimate).collect();
    let (threads, interval) = (fitted.threads(), kind(&estimates).map(|[interval, _]| interval));
    let measured_entry = Entry::new(MEASURED_NAME, Key::Mark(MEASURED));
    let of_fit = |(look, fit): &(Look, &Fit)| Entry::new(model_in_words(fit), Key::Series(*look));
    let of_interval = interval.map(|words| Entry::new(words, Key::Patch(EQUAL)));
    let entries = [measured_entry].into_iter().chain(fits.iter().map(of_fit)).chain(of_interval);
    let below =
        format!("{}. Below: measured over fitted; 1 is met exactly.", capital(kind_of(of).label));
    let title = format!("{}: models of the speedup, and what they leave", of.searcher);
    let sheet = setting.sheet(title, entries, below, TALL);
    let (upper, lower) = frames(&sheet, fitted, &threads);
    let picture = sheet.picture(|canvas| {
        upper.draw(canvas, setting.oversubscribed_from);
        upper.name_upwards(canvas, "speedup (log scale)");
        lower.draw(canvas, setting.oversubscribed_from);
        lower.name_axes(canvas, ("threads (log scale)", "measured / fitted (log scale)"));
        for (look, fit) in fits {
            canvas.guide(&model_in_words(fit), |canvas| {
                upper.curve(canvas, &threads, look.dashes, look.colour, |n| fit.speedup(n));
            });
        }
        for point in points {
            measured(canvas, &upper, point);
        }
        for point in fitted.several() {
            canvas.guide(interval.unwrap_or_default(), |canvas| leeway(canvas, &lower, point));
        }
        lower.curve(canvas, &threads, REFERENCE, GREY, |_| 1.0);
        for (look, fit) in fits {
            let name = model_in_words(fit);
            let spot = |point: &Point| {
                let (threads, left) = (point.threads, left(fit, point));
                let title = format!("{name}, {threads} threads: measured / fitted {}", ratio(left));
                Spot { at: lower.at(threads as f64, left), title }
            };
            let spots: Vec<Spot> = fitted.several().map(spot).collect();
            canvas.series(&name, &spots, *look, (3, 8.0));
        }
    });
    let grey = interval.map_or_else(String::new, |words| {
        format!(" Bars, and grey below: {words} of the measured; a mark on the grey is of a fit that lies within it.")
    });
    let rows = fits.iter().flat_map(|(_, fit)| fitted.several().map(move |point| (*fit, point)));
    Some(Chart {
        name: format!("fits-{}", of.searcher),
        caption: format!(
            "Models of the {} of {}, by threads, as far as was \
             measured. Below: the measured over the fitted speedup; at 1 a model is met exactly. \
             The models are fitted by least squares on log S over N > 1, with S(1) = 1. {} \
             {}{grey}",
            kind_of(of).label,
            of.searcher,
            fitted.verdict(),
            setting.long
        ),
        picture,
        data: data().file(rows).csv(),
    })
}

/// The kind of speedup from which conclusions are drawn.
fn kind_of(of: &SearcherFigures) -> &'static Kind {
    if of.net_base.is_ok() { &NET } else { &TO_DEPTH }
}

/// The words of the measured speedups in the legend, and their look.
const MEASURED_NAME: &str = "measured";
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
    let lower = Frame { top: bottom + BETWEEN, y: Axis::ratios(left), ..whole.clone() };
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
    let (threads, speedup) = (count(point.threads, "thread"), told(&point.estimate, ratio));
    canvas.value(MEASURED_NAME, format!("{threads}: measured {speedup}"), |canvas| {
        if let Some(ends) = bar(&point.estimate).filter(|ends| !ends.is_exact()) {
            frame.whisker(canvas, x, ends, (INK, 2), 7.0);
        }
        canvas.marker(MEASURED.marker, (x, frame.y_at(point.speedup)), 8.0, MEASURED.colour);
    });
}

columns! {
    /// The data of the chart.
    fn data<'a>(of: (&'a Fit, &'a Point));

    Words "model" = of.0.model.name();
    Whole "threads" = of.1.threads;
    Ratio "speedup" + Both = of.1.estimate;
    Ratio "fitted" = of.0.speedup(of.1.threads as f64);
    Ratio "measured_over_fitted" = left(of.0, of.1);
}
