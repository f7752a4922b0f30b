//! Charts with one line for each searcher.

use crate::report::charts::bars::{bar, ends, with_hollow};
use crate::report::charts::layout::{self};
use crate::report::charts::style::{EQUAL, FITTED, GREY, HEIGHT, Look, REFERENCE, SMALL, look};
use crate::report::charts::{
    Align, Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sketch, beside,
};
use crate::report::figures::{Estimate, Figures, FittedModel, Row, SearcherFigures};
use crate::report::numbers::{significant, words_if};
use crate::report::topics::summary::{lines_of, summary};
use plotters::style::WHITE;
use ttd_stats::Bounds;
use ttd_stats::fits::{Fit, Model};

/// The median speedups against the ideal, with the model that fits best.
pub(crate) fn speedup(setting: &Setting, figures: &Figures) -> Sketch {
    let threads = figures.threads();
    let most = threads.iter().max().map_or(1.0, |n| *n as f64);
    let ends = ends(shown(figures, |row| row.median));
    let bars = with_hollow(&medians(figures));

    let fits: Vec<(Look, &SearcherFigures, Fit)> =
        layout::shown(figures).filter_map(|(i, of)| Some((look(i), of, model(of)?))).collect();
    let ideal = Entry::new("ideal", Key::Line(GREY, REFERENCE));
    let series_entries = layout::entries(figures, Key::Series);
    let fitted_entries = fits.iter().map(|(look, of, fit)| {
        let words = format!("{}: {}", of.searcher, model_in_words(fit));
        Entry::new(words, Key::Line(look.colour, FITTED))
    });
    let entries = [ideal].into_iter().chain(series_entries).chain(fitted_entries);
    let note = format!("Median over positions. {bars}");
    let sheet = setting.sheet("Median speedup by threads", entries, note, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::ratios(ends.into_iter().chain([most])));
    let picture = setting.by_threads(&sheet, &frame, "speedup (log scale)", |canvas| {
        frame.curve(canvas, &threads, REFERENCE, GREY, |n| n);
        for (look, of, fit) in &fits {
            frame.curve(canvas, &of.threads(), FITTED, look.colour, |n| fit.speedup(n));
        }
        series(canvas, &frame, figures, |row| row.median);
    });
    let fitted = fits
        .iter()
        .map(|(_, of, fit)| format!(" {}: {} (dotted).", of.searcher, model_in_words(fit)));
    Chart {
        name: "speedup".to_owned(),
        caption: format!(
            "Median speedup over positions, by threads. {} {bars}{} Dashed grey: the ideal.{}",
            setting.long,
            side_by_side(figures),
            fitted.collect::<String>()
        ),
        picture,
        data: data(figures, "speedup_median"),
    }
}

/// The median speedups over threads.
pub(crate) fn efficiency(setting: &Setting, figures: &Figures) -> Sketch {
    let threads = figures.threads();
    let ends = ends(shown(figures, |row| row.efficiency));
    let bars = with_hollow(&medians(figures));
    let ideal = Entry::new("ideal", Key::Line(GREY, REFERENCE));
    let equal = Entry::new("equal speedup", Key::Line(EQUAL, &[]));
    let entries = [ideal, equal].into_iter().chain(layout::entries(figures, Key::Series));
    let note = format!("Median speedup over threads. {bars}");
    let sheet = setting.sheet("Efficiency by threads", entries, note, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::from_zero(ends.into_iter(), 1.0));
    let frame = Frame { right: frame.right - NAMES, ..frame };
    let picture = setting.by_threads(&sheet, &frame, "efficiency (speedup / threads)", |canvas| {
        equal_speedups(canvas, &frame, &threads);
        frame.curve(canvas, &threads, REFERENCE, GREY, |_| 1.0);
        series(canvas, &frame, figures, |row| row.efficiency);
    });
    Chart {
        name: "efficiency".to_owned(),
        caption: format!(
            "Efficiency, the median speedup over positions divided by the number of threads. {} {bars}{} \
             Dashed grey: the ideal. Thin curves: equal speedup, which is written beside them as far as there is room.",
            setting.long,
            side_by_side(figures)
        ),
        picture,
        data: data(figures, "efficiency"),
    }
}

/// The data of the lines.
fn data(figures: &Figures, key: &str) -> String {
    let rows = layout::shown(figures).flat_map(|(_, of)| lines_of(of));
    summary().only(&format!("searcher, threads, {key}")).file(rows).csv()
}

/// Room to the right of the frame for the names of the curves of equal speedup.
const NAMES: f64 = 62.0;

/// Draws a curve of equal speedup for every power of two below the greatest number of threads.
/// Along a curve, more threads are of no use. The curves end at the frame. Their names stand to the
/// right of it, where no searcher is, as far down as there is room.
fn equal_speedups(canvas: &mut Canvas, frame: &Frame, threads: &[usize]) {
    let (Some(least), Some(most)) = (threads.iter().min(), threads.iter().max()) else { return };
    let mut above = Some(frame.top);
    for speedup in (0..usize::BITS).rev().map(|power| 1usize << power).filter(|s| s < most) {
        let efficiency = |n: f64| speedup as f64 / n;
        let ends = (speedup.max(*least) as f64, frame.x.end());
        frame.curve_between(canvas, ends, &[], EQUAL, efficiency);
        let y = frame.y_at(efficiency(ends.1));
        above = above.filter(|above| y - above >= 24.0 && frame.bottom - y >= 8.0).map(|_| y);
        if above.is_some() {
            canvas.text(&format!("{speedup}×"), (frame.right + 10.0, y), Align::Left, SMALL, GREY);
        }
    }
}

/// The distance between the marks of `searchers` searchers side by side, so that bars do not hide
/// each other. Together they take at most half the distance between two marks of the axis.
fn apart(frame: &Frame, searchers: usize) -> f64 {
    (frame.spacing() * 0.5 / searchers.max(1) as f64).min(16.0).min(frame.slot(searchers))
}

/// The sentence of a caption about the searchers that are drawn.
fn side_by_side(figures: &Figures) -> String {
    let several = layout::shown(figures).count() > 1;
    let beside = words_if(several, " The marks of a number of threads stand side by side.");
    format!("{beside}{}", layout::not_shown(figures))
}

/// The model that is drawn: the one that fits best, and Amdahl's law where the data cannot say.
fn model(of: &SearcherFigures) -> Option<Fit> {
    let amdahl = || of.models.iter().find(|m| m.model == Model::Amdahl);
    FittedModel::told_apart(&of.models).or_else(amdahl)?.fit.clone().ok()
}

/// A model with its parameters: `Amdahl's law, p = 0.98`.
pub(crate) fn model_in_words(fit: &Fit) -> String {
    let named = fit.model.parameters().iter().zip(&fit.parameters);
    let parameters = named.map(|(name, value)| format!(", {name} = {}", significant(*value)));
    format!("{}{}", fit.model.words(), parameters.collect::<String>())
}

/// A figure of a thread count that is drawn.
type Figure = fn(&Row) -> Option<Estimate>;

/// The median speedups of the searchers that charts show.
pub(crate) fn medians(figures: &Figures) -> Vec<Estimate> {
    shown(figures, |row| row.median).collect()
}

/// An estimate of every row of the searchers that charts show.
fn shown(figures: &Figures, figure: Figure) -> impl Iterator<Item = Estimate> {
    layout::shown(figures).flat_map(|(_, of)| &of.rows).filter_map(figure)
}

fn series(canvas: &mut Canvas, frame: &Frame, figures: &Figures, figure: Figure) {
    let searchers = layout::shown(figures).count();
    for (place, (index, of)) in layout::shown(figures).enumerate() {
        let look = look(index);
        let offset = beside(place, searchers) * apart(frame, searchers);
        let mut lines = vec![Vec::new()];
        for row in &of.rows {
            let Some(estimate) = figure(row) else { continue };
            let x = frame.x_at(row.threads as f64) + offset;
            if let Some(ends) = bar(&estimate).filter(|ends| !ends.is_exact()) {
                frame.whisker(canvas, x, ends, (look.colour, 3), 9.0);
            }
            if let Some(value) = estimate.value.value() {
                lines.last_mut().expect("never empty").push((x, frame.y_at(value)));
            } else {
                open(canvas, frame, x, estimate.value, look);
                lines.push(Vec::new());
            }
        }
        for line in lines {
            canvas.series(&line, look, 4, 10.0);
        }
    }
}

/// Draws a figure of which only bounds are known: a hollow bar over all that it may be.
fn open(canvas: &mut Canvas, frame: &Frame, x: f64, bounds: Bounds, look: Look) {
    // The bar is never so flat that it looks like a line, and never leaves the frame.
    let low = (frame.y_at(bounds.lower) + 5.0).min(frame.bottom - 2.0);
    let high = (frame.y_at(bounds.upper) - 5.0).max(frame.top + 2.0);
    canvas.rectangle((x - 6.0, high), (x + 6.0, low), WHITE);
    canvas.outline((x - 6.0, high), (x + 6.0, low), look.colour, 2);
}
