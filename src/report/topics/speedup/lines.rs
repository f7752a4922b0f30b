//! Charts with one line for each searcher.

use crate::report::charts::layout::{self};
use crate::report::charts::style::{EQUAL, FITTED, GREY, HEIGHT, Look, REFERENCE, SMALL, look};
use crate::report::charts::{
    Align, Axis, Canvas, Chart, ChartError, Entry, Frame, Key, Picture, Setting, Sheet,
};
use crate::report::figures::{Estimate, Figures, FittedModel, Row, SearcherFigures};
use crate::report::numbers::significant;
use crate::report::topics::summary::{lines_of, summary};
use plotters::style::WHITE;
use ttd_stats::Bounds;
use ttd_stats::fits::{Fit, Model};

/// The median speedups against the ideal, with the model that fits best.
pub(crate) fn speedup(setting: &Setting, figures: &Figures) -> Result<Chart, ChartError> {
    let threads = figures.threads();
    let most = threads.iter().max().map_or(1.0, |n| *n as f64);
    let ends = ends(figures, |row| row.median);

    let fits: Vec<(Look, &SearcherFigures, Fit)> =
        layout::shown(figures).filter_map(|(i, of)| Some((look(i), of, model(of)?))).collect();
    let notes =
        [setting.short.clone(), format!("Median over positions. {}", bars_in_words(figures))];
    let mut entries = vec![Entry::new("ideal", Key::Line(GREY, REFERENCE))];
    entries.extend(series_entries(figures));
    for (look, of, fit) in &fits {
        let words = format!("{}: {}", of.searcher, model_in_words(fit));
        entries.push(Entry::new(&words, Key::Line(look.colour, FITTED)));
    }
    let sheet = Sheet::new("Median speedup by threads".to_owned(), entries, notes, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::ratios(ends.into_iter().chain([most])));
    let picture = Picture::new(sheet.size(), |canvas| {
        sheet.draw(canvas);
        frame.draw(
            canvas,
            ("threads (log scale)", "speedup (log scale)"),
            setting.oversubscribed_from,
        );
        layout::curve(canvas, &frame, &threads, REFERENCE, GREY, |n| n);
        for (look, of, fit) in &fits {
            let own: Vec<usize> = of.rows.iter().map(|row| row.threads).collect();
            layout::curve(canvas, &frame, &own, FITTED, look.colour, |n| fit.speedup(n));
        }
        series(canvas, &frame, figures, |row| row.median);
    })?;
    let fitted = fits
        .iter()
        .map(|(_, of, fit)| format!(" {}: {} (dotted).", of.searcher, model_in_words(fit)));
    Ok(Chart {
        name: "speedup".to_owned(),
        caption: format!(
            "Median speedup over positions, by threads. {} {}{} Dashed grey: the ideal.{}",
            setting.long,
            bars_in_words(figures),
            side_by_side(figures),
            fitted.collect::<String>()
        ),
        picture,
        data: data(figures, "speedup_median"),
    })
}

/// The median speedups over threads.
pub(crate) fn efficiency(setting: &Setting, figures: &Figures) -> Result<Chart, ChartError> {
    let threads = figures.threads();
    let ends = ends(figures, |row| row.efficiency);
    let notes =
        [setting.short.clone(), format!("Median speedup over threads. {}", bars_in_words(figures))];
    let mut entries = vec![Entry::new("ideal", Key::Line(GREY, REFERENCE))];
    entries.push(Entry::new("equal speedup", Key::Line(EQUAL, &[])));
    entries.extend(series_entries(figures));
    let sheet = Sheet::new("Efficiency by threads".to_owned(), entries, notes, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::from_zero(ends.into_iter(), 1.0));
    let frame = Frame { right: frame.right - NAMES, ..frame };
    let picture = Picture::new(sheet.size(), |canvas| {
        sheet.draw(canvas);
        frame.draw(
            canvas,
            ("threads (log scale)", "efficiency (speedup / threads)"),
            setting.oversubscribed_from,
        );
        equal_speedups(canvas, &frame, &threads);
        layout::curve(canvas, &frame, &threads, REFERENCE, GREY, |_| 1.0);
        series(canvas, &frame, figures, |row| row.efficiency);
    })?;
    Ok(Chart {
        name: "efficiency".to_owned(),
        caption: format!(
            "Efficiency, the median speedup over positions divided by the number of threads. {} {}{} \
             Dashed grey: the ideal. Thin curves: equal speedup, which is written beside them as far as there is room.",
            setting.long,
            bars_in_words(figures),
            side_by_side(figures)
        ),
        picture,
        data: data(figures, "efficiency"),
    })
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
        layout::curve_between(canvas, frame, ends, &[], EQUAL, efficiency);
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
    let beside = if layout::shown(figures).count() > 1 {
        " The marks of a number of threads stand side by side."
    } else {
        ""
    };
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

/// The interval that is drawn: over positions if there is one, as that asks the wider question.
pub(crate) fn bar(estimate: &Estimate) -> Option<Bounds> {
    estimate.ci_positions.or(estimate.ci_runs)
}

fn bars_in_words(figures: &Figures) -> String {
    let estimates =
        || layout::shown(figures).flat_map(|(_, s)| &s.rows).filter_map(|row| row.median);
    let hollow = if estimates().any(|e| !e.value.is_exact()) {
        "Hollow: bounds only (censored samples). "
    } else {
        ""
    };
    format!("{hollow}{}", bars(figures))
}

/// The sentence about what the bars are.
pub(crate) fn bars(figures: &Figures) -> &'static str {
    let estimates =
        || layout::shown(figures).flat_map(|(_, s)| &s.rows).filter_map(|row| row.median);
    if estimates().any(|e| e.ci_positions.is_some()) {
        "Bars: 95% ci_positions (other positions)."
    } else if estimates().any(|e| e.ci_runs.is_some()) {
        "Bars: 95% ci_runs (these positions)."
    } else {
        "Too few samples for intervals."
    }
}

/// The ends of all marks that will be drawn.
fn ends(figures: &Figures, figure: impl Fn(&Row) -> Option<Estimate>) -> Vec<f64> {
    let estimates = layout::shown(figures).flat_map(|(_, s)| &s.rows).filter_map(figure);
    let bounds = estimates.flat_map(|e| [Some(e.value), bar(&e)]).flatten();
    bounds.flat_map(|b| [b.lower, b.upper]).collect()
}

fn series_entries(figures: &Figures) -> Vec<Entry> {
    layout::shown(figures)
        .map(|(index, of)| Entry::new(&of.searcher, Key::Series(look(index))))
        .collect()
}

fn series(
    canvas: &mut Canvas,
    frame: &Frame,
    figures: &Figures,
    figure: impl Fn(&Row) -> Option<Estimate>,
) {
    let searchers: Vec<_> = layout::shown(figures).collect();
    for (place, (index, of)) in searchers.iter().enumerate() {
        let look = look(*index);
        let offset =
            (place as f64 - (searchers.len() as f64 - 1.0) / 2.0) * apart(frame, searchers.len());
        let mut lines = vec![Vec::new()];
        for row in &of.rows {
            let Some(estimate) = figure(row) else { continue };
            let x = frame.x_at(row.threads as f64) + offset;
            if let Some(ends) = bar(&estimate).filter(|ends| !ends.is_exact()) {
                let (low, high) = (frame.y_at(ends.lower), frame.y_at(ends.upper));
                canvas.path(&[(x, low), (x, high)], look.colour, 3);
                for y in [low, high] {
                    canvas.path(&[(x - 9.0, y), (x + 9.0, y)], look.colour, 3);
                }
            }
            if let Some(value) = estimate.value.value() {
                lines.last_mut().expect("never empty").push((x, frame.y_at(value)));
            } else {
                open(canvas, frame, x, estimate.value, look);
                lines.push(Vec::new());
            }
        }
        for line in lines {
            canvas.dashed(&line, look.dashes, look.colour, 4);
            for point in line {
                canvas.marker(look.marker, point, 10.0, look.colour);
            }
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
