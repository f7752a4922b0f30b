//! Charts with one line for each searcher.

use crate::report::charts::bars::{bar, ends, is_open, told, with_hollow};
use crate::report::charts::layout::{self};
use crate::report::charts::style::{
    EQUAL, FITTED, GREY, GRID, HEIGHT, Look, PAPER, REFERENCE, SMALL, look,
};
use crate::report::charts::{
    Align, Axis, Canvas, Chart, Entry, Frame, Key, Setting, Sketch, Spot, beside,
};
use crate::report::figures::{Estimate, Figures, FittedModel, Row, SearcherFigures};
use crate::report::numbers::{count, ratio, significant, words_if};
use crate::report::topics::summary::{lines_of, summary};
use ttd_stats::Bounds;
use ttd_stats::fits::Fit;

/// A kind of speedup, and the words for it.
pub(crate) struct Kind {
    name: &'static str,
    title: &'static str,
    /// The first words of the caption.
    pub(crate) what: &'static str,
    /// The words of a chart's note.
    note: &'static str,
    /// The key of its column.
    key: &'static str,
    /// The label of an axis.
    pub(crate) label: &'static str,
    /// The speedup of a row.
    pub(crate) figure: Figure,
    models: fn(&SearcherFigures) -> &[FittedModel],
}

/// Net speedups.
pub(crate) const NET: Kind = Kind {
    name: "net-speedup",
    title: "Net speedup by threads",
    what: "Net speedup: the speedup to depth, without credit for a smaller tree.",
    note: "Geometric mean over positions, without credit for a smaller tree.",
    key: "net_speedup",
    label: "net speedup",
    figure: |row| row.net.map(|net| net.net),
    models: |of| &of.net_models,
};

/// Speedups to depth.
pub(crate) const TO_DEPTH: Kind = Kind {
    name: "speedup",
    title: "Speedup to depth by threads",
    what: "Speedup to depth: geometric mean over positions.",
    note: "Geometric mean over positions, whatever the trees.",
    key: "geometric_mean",
    label: "speedup to depth",
    figure: |row| row.geometric_mean,
    models: |of| &of.models,
};

/// The kind of speedup that leads: net speedup, if any searcher has one.
pub(crate) fn leading(figures: &Figures) -> &'static Kind {
    if shown(figures, NET.figure).next().is_some() { &NET } else { &TO_DEPTH }
}

/// Speedups of a kind against the ideal, with the model that fits best if the data can say. None if
/// nothing is known but the base's own, which is 1.
pub(super) fn speedup(setting: &Setting, figures: &Figures, kind: &Kind) -> Option<Sketch> {
    first_known(figures, kind)?;
    let threads = figures.threads();
    let most = threads.iter().max().map_or(1.0, |n| *n as f64);
    let ends = ends(shown(figures, kind.figure));
    let bars = with_hollow(&estimates(figures, kind));

    let told = |of| FittedModel::told_apart((kind.models)(of))?.describing();
    let fits: Vec<(Look, &SearcherFigures, &Fit)> =
        layout::shown(figures).filter_map(|(i, of)| Some((look(i), of, told(of)?))).collect();
    let bands =
        layout::shown(figures).any(|(_, of)| of.rows.iter().any(|row| row.slowed.is_some()));
    let band = bands.then(|| Entry::of_scale("dearer nodes (up to 10‰ a worker)", GRID));
    let ideal = Entry::new("ideal", Key::Line(GREY, REFERENCE));
    let series_entries = layout::entries(figures, Key::Series);
    let fitted_entries = fits
        .iter()
        .map(|(look, of, fit)| Entry::new(fit_in_words(of, fit), Key::Line(look.colour, FITTED)));
    let entries = [ideal].into_iter().chain(band).chain(series_entries).chain(fitted_entries);
    let note = format!("{} {bars}", kind.note);
    let sheet = setting.sheet(kind.title, entries, note, HEIGHT);
    let low = layout::shown(figures).flat_map(|(_, of)| &of.rows);
    let low = low.filter_map(|row| Some((kind.figure)(row)?.value.value()? * row.slowed?));
    let ends = ends.into_iter().chain([most]).chain(low);
    let frame = sheet.frame(Axis::threads(&threads), Axis::ratios(ends));
    let label = format!("{} (log scale)", kind.label);
    let picture = setting.by_threads(&sheet, &frame, &label, |canvas| {
        slower(canvas, &frame, figures, kind.figure);
        canvas.guide("ideal", |canvas| frame.curve(canvas, &threads, REFERENCE, GREY, |n| n));
        for (look, of, fit) in &fits {
            canvas.guide(&fit_in_words(of, fit), |canvas| {
                frame.curve(canvas, &of.threads(), FITTED, look.colour, |n| fit.speedup(n));
            });
        }
        series(canvas, &frame, figures, kind.label, kind.figure);
    });
    let fitted = fits.iter().map(|(_, of, fit)| format!(" {} (dotted).", fit_in_words(of, fit)));
    Some(Chart {
        name: kind.name.to_owned(),
        caption: format!(
            "{} By threads, {} {bars}{} Dashed grey: the ideal.{}{}",
            kind.what,
            setting.long,
            side_by_side(figures),
            words_if(bands, BAND),
            fitted.collect::<String>()
        ),
        picture,
        data: data(figures, kind.key),
    })
}

/// The sentence of a caption about the band below speedups.
const BAND: &str = " Band: what is left of a simulated speedup, if each further \
                    worker makes all nodes 0 to 10 thousandths dearer.";

/// Draws the band below the speedups of each searcher: from them down to what dearer nodes leave.
/// Where there is one number of threads, the band is a bar.
fn slower(canvas: &mut Canvas, frame: &Frame, figures: &Figures, figure: Figure) {
    for (_, of) in layout::shown(figures) {
        let ends = |row: &Row| {
            let speedup = figure(row)?.value.value()?;
            let x = row.threads as f64;
            Some([frame.at(x, speedup), frame.at(x, speedup * row.slowed?)])
        };
        let ends: Vec<[(f64, f64); 2]> = of.rows.iter().filter_map(ends).collect();
        let name = format!("{}: dearer nodes", of.searcher);
        if let [[(x, y), (_, low)]] = ends[..] {
            canvas.guide(&name, |canvas| canvas.rectangle((x - 8.0, y), (x + 8.0, low), GRID));
        } else if !ends.is_empty() {
            let above = ends.iter().map(|[above, _]| *above);
            let below = ends.iter().rev().map(|[_, below]| *below);
            let corners: Vec<(f64, f64)> = above.chain(below).collect();
            canvas.guide(&name, |canvas| canvas.polygon(&corners, GRID));
        }
    }
}

/// The leading speedups over threads; none as above.
pub(super) fn efficiency(setting: &Setting, figures: &Figures) -> Option<Sketch> {
    let kind = leading(figures);
    first_known(figures, kind)?;
    let threads = figures.threads();
    let of_row = |row: &Row| efficiency_of(row, kind);
    let ends = ends(shown(figures, of_row));
    let bars = with_hollow(&estimates(figures, kind));
    let ideal = Entry::new("ideal", Key::Line(GREY, REFERENCE));
    let equal = Entry::new("equal speedup", Key::Line(EQUAL, &[]));
    let entries = [ideal, equal].into_iter().chain(layout::entries(figures, Key::Series));
    let note =
        format!("{}{} over threads. {bars}", kind.label[..1].to_uppercase(), &kind.label[1..]);
    let sheet = setting.sheet("Efficiency by threads", entries, note, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::from_zero(ends.into_iter(), 1.0));
    let frame = Frame { right: frame.right - NAMES, ..frame };
    let picture = setting.by_threads(&sheet, &frame, "efficiency (speedup / threads)", |canvas| {
        equal_speedups(canvas, &frame, &threads);
        canvas.guide("ideal", |canvas| frame.curve(canvas, &threads, REFERENCE, GREY, |_| 1.0));
        series(canvas, &frame, figures, "efficiency", of_row);
    });
    Some(Chart {
        name: "efficiency".to_owned(),
        caption: format!(
            "Efficiency, the {} divided by the number of threads. {} {bars}{} \
             Dashed grey: the ideal. Thin curves: equal speedup, which is written beside them as far as there is room.",
            kind.label,
            setting.long,
            side_by_side(figures)
        ),
        picture,
        data: data(figures, kind.key),
    })
}

/// A speedup over the number of threads.
pub(crate) fn efficiency_of(row: &Row, kind: &Kind) -> Option<Estimate> {
    let threads = row.threads as f64;
    Some((kind.figure)(row)?.map(|speedup| speedup / threads))
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
        canvas.guide("equal speedup", |canvas| {
            frame.curve_between(canvas, ends, &[], EQUAL, efficiency);
        });
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

/// The model of a searcher with its parameters.
fn fit_in_words(of: &SearcherFigures, fit: &Fit) -> String {
    format!("{}: {}", of.searcher, model_in_words(fit))
}

/// A model with its parameters: `Amdahl's law, p = 0.98`.
pub(crate) fn model_in_words(fit: &Fit) -> String {
    let named = fit.model.parameters().iter().zip(&fit.parameters);
    let parameters = named.map(|(name, value)| format!(", {name} = {}", significant(*value)));
    format!("{}{}", fit.model.words(), parameters.collect::<String>())
}

/// A figure of a thread count that is drawn.
type Figure = fn(&Row) -> Option<Estimate>;

/// The speedups of the searchers that charts show.
pub(crate) fn estimates(figures: &Figures, kind: &Kind) -> Vec<Estimate> {
    shown(figures, kind.figure).collect()
}

/// A speedup of that kind that is not the base's own and of which something is known.
fn first_known(figures: &Figures, kind: &Kind) -> Option<Estimate> {
    let beside_base = |row: &Row| (kind.figure)(row).filter(|_| !row.is_base);
    shown(figures, beside_base).find(|speedup| !is_open(speedup.value))
}

/// An estimate of every row of the searchers that charts show.
fn shown(
    figures: &Figures,
    figure: impl Fn(&Row) -> Option<Estimate>,
) -> impl Iterator<Item = Estimate> {
    layout::shown(figures).flat_map(|(_, of)| &of.rows).filter_map(figure)
}

/// Draws a figure of every searcher by threads; `what` is the figure in titles.
fn series(
    canvas: &mut Canvas,
    frame: &Frame,
    figures: &Figures,
    what: &str,
    figure: impl Fn(&Row) -> Option<Estimate>,
) {
    let searchers = layout::shown(figures).count();
    for (place, (index, of)) in layout::shown(figures).enumerate() {
        let look = look(index);
        let offset = beside(place, searchers) * apart(frame, searchers);
        let mut lines = vec![Vec::new()];
        for row in &of.rows {
            let Some(estimate) = figure(row) else { continue };
            let x = frame.x_at(row.threads as f64) + offset;
            let threads = count(row.threads, "thread");
            let (name, number) = (&of.searcher, told(&estimate, ratio));
            let at_most = what != TO_DEPTH.label && row.net.is_some_and(|net| net.at_most);
            let at_most = words_if(at_most, "at most ");
            let title = format!("{name}, {threads}: {what} {at_most}{number}");
            if let Some(ends) = bar(&estimate).filter(|ends| !ends.is_exact()) {
                canvas.value(name, &title, |canvas| {
                    frame.whisker(canvas, x, ends, (look.colour, 3), 9.0);
                });
            }
            if let Some(value) = estimate.value.value() {
                let spot = Spot { at: (x, frame.y_at(value)), title };
                lines.last_mut().expect("never empty").push(spot);
            } else {
                if !is_open(estimate.value) {
                    canvas.value(name, title, |canvas| {
                        open(canvas, frame, x, estimate.value, look);
                    });
                }
                lines.push(Vec::new());
            }
        }
        for line in lines {
            canvas.series(&of.searcher, &line, look, (4, 10.0));
        }
    }
}

/// Draws a figure of which only bounds are known: a hollow bar over all that it may be.
fn open(canvas: &mut Canvas, frame: &Frame, x: f64, bounds: Bounds, look: Look) {
    // The bar is never so flat that it looks like a line, and never leaves the frame.
    let low = (frame.y_at(bounds.lower) + 5.0).min(frame.bottom - 2.0);
    let high = (frame.y_at(bounds.upper) - 5.0).max(frame.top + 2.0);
    canvas.rectangle((x - 6.0, high), (x + 6.0, low), PAPER);
    canvas.outline((x - 6.0, high), (x + 6.0, low), look.colour, 2);
}
