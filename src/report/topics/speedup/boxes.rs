//! Box-and-whiskers charts.

use crate::report::charts::style::{FITTED, GREY, HEIGHT, INK, REFERENCE, look};
use crate::report::charts::{Axis, Bar, Chart, Entry, Key, Named, Setting, Sketch};
use crate::report::figures::{Cell, SearcherFigures};
use crate::report::numbers::{count, fixed, words_if};
use crate::report::topics::summary::known_speedups;
use ttd_stats::Bounds;
use ttd_stats::fits::{Fit, Model};

/// The speedups of every position, by threads.
pub(super) fn chart(setting: &Setting, of: &SearcherFigures, index: usize) -> Sketch {
    let threads = of.threads();
    let known = |cells: &Vec<Cell>| cells.iter().filter_map(named).collect();
    let known: Vec<Vec<Named>> = of.cells.iter().map(known).collect();
    let open = |cells: &Vec<Cell>| speedups_of(cells).filter(|s| !s.is_exact()).count();
    let open: Vec<usize> = of.cells.iter().map(open).collect();
    let most_open = open.iter().copied().max().unwrap_or(0);
    let trend = better_trend(of);

    let colour = look(index).colour;
    let title = format!("{}: speedup of each position by threads", of.searcher);
    let second = if most_open > 0 {
        let most = count(most_open, "cell");
        format!("Hollow box: up to {most} censored, so quartiles and median only have bounds.")
    } else {
        "Box: quartiles and median. Whiskers: last point within 1.5 (q3 − q1) of the box."
            .to_owned()
    };
    let trend_key = |(_, words): &(Fit, String)| Entry::new(words, Key::Line(INK, FITTED));
    let no_speedup = Entry::new("no speedup", Key::Line(GREY, REFERENCE));
    let entries = [no_speedup].into_iter().chain(trend.as_ref().map(trend_key));
    let sheet = setting.sheet(title, entries, second, HEIGHT);
    let frame = sheet
        .frame(Axis::threads(&threads), Axis::ratios(known.iter().flatten().map(|of| of.value)));
    let picture = setting.by_threads(&sheet, &frame, "speedup (log scale)", |canvas| {
        frame.level(canvas, 1.0, "no speedup");
        let width = (frame.spacing() * 0.5).clamp(6.0, 130.0);
        for ((row, values), open) in of.rows.iter().zip(&known).zip(&open) {
            let (x, series) = (frame.x_at(row.threads as f64), of.searcher.as_str());
            let title = format!("{series}, {}: speedup", count(row.threads, "thread"));
            let bar = Bar { x, width, colour, series, title, unit: "", points: values };
            bar.draw(canvas, &frame, *open == 0);
            if let Some(quantiles) = row.quantiles.filter(|_| *open > 0) {
                bar.draw_open(canvas, &frame, &quantiles);
            }
        }
        if let Some((fit, words)) = &trend {
            canvas.guide(words, |canvas| {
                frame.curve(canvas, &threads, FITTED, INK, |n| fit.speedup(n));
            });
        }
    });
    Chart {
        name: format!("speedup-boxes-{}", of.searcher),
        caption: format!(
            "Speedup of each position with {}, by threads. {} Box: quartiles and median over \
             positions. Whiskers: the last position within 1.5 interquartile ranges of the box. \
             Positions are points, outliers are rings. {}Dashed: no speedup.{}",
            of.searcher,
            setting.long,
            words_if(most_open > 0, HOLLOW),
            trend.map_or_else(
                || " There are not enough thread counts for a trend.".to_owned(),
                |(_, words)| format!(" Dotted: the {words}, over the measured range.")
            )
        ),
        picture,
        data: known_speedups(of),
    }
}

/// The sentence of a caption about hollow boxes.
const HOLLOW: &str =
    "A hollow box has only bounds: it has no whiskers, and its outliers are points. ";

/// The speedup of a cell with the name of its position, if it is known exactly.
fn named(cell: &Cell) -> Option<Named> {
    Some(Named { name: cell.position.clone(), value: cell.speedup?.value()? })
}

fn speedups_of(cells: &[Cell]) -> impl Iterator<Item = Bounds> {
    cells.iter().filter_map(|cell| cell.speedup)
}

/// The trend that explains more of the speedups, and the words for it.
fn better_trend(of: &SearcherFigures) -> Option<(Fit, String)> {
    let trends = of.models.iter().filter(|m| m.model.is_trend());
    let fit = trends
        .filter_map(|m| m.fit.as_ref().ok())
        .max_by(|a, b| a.r_squared.unwrap_or(0.0).total_cmp(&b.r_squared.unwrap_or(0.0)))?;
    let (slope, intercept) = (fit.parameters[0], fit.parameters[1]);
    let of_n = match fit.model {
        Model::LinearTrend => "N",
        _ => "ln N",
    };
    let r_squared = fit.r_squared.map_or_else(String::new, |r| format!(" (R² {})", fixed(r, 3)));
    let sign = if intercept < 0.0 { "−" } else { "+" };
    let (slope, intercept) = (fixed(slope, 3), fixed(intercept.abs(), 3));
    let words =
        format!("trend of the geometric mean: {slope} {of_n} {sign} {intercept}{r_squared}");
    Some((fit.clone(), words))
}
