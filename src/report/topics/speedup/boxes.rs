//! Box-and-whiskers charts.

use crate::report::charts::layout::{self};
use crate::report::charts::style::{FITTED, GREY, HEIGHT, INK, REFERENCE, look};
use crate::report::charts::{Axis, Bar, Chart, ChartError, Entry, Key, Picture, Setting, Sheet};
use crate::report::figures::SearcherFigures;
use crate::report::numbers::{count, fixed};
use crate::report::topics::summary::{cells_of, speedups};
use ttd_stats::fits::{Fit, Model};

/// The speedups of every position, by threads.
pub(super) fn chart(
    setting: &Setting,
    of: &SearcherFigures,
    index: usize,
) -> Result<Chart, ChartError> {
    let threads: Vec<usize> = of.rows.iter().map(|row| row.threads).collect();
    let known: Vec<Vec<f64>> = of
        .cells
        .iter()
        .map(|row| row.iter().filter_map(|c| c.speedup?.value()).collect())
        .collect();
    let open: Vec<usize> = of
        .cells
        .iter()
        .map(|row| row.iter().filter(|c| c.speedup.is_some_and(|s| !s.is_exact())).count())
        .collect();
    let trend = better_trend(of);

    let colour = look(index).colour;
    let title = format!("{}: speedup of each position by threads", of.searcher);
    let second = if open.iter().any(|n| *n > 0) {
        let most = count(open.iter().copied().max().unwrap_or(0), "cell");
        format!("Hollow box: up to {most} censored, so quartiles and median only have bounds.")
    } else {
        "Box: quartiles and median. Whiskers: last point within 1.5 (q3 − q1) of the box."
            .to_owned()
    };
    let notes = [setting.short.clone(), second];
    let mut entries = vec![Entry::new("no speedup", Key::Line(GREY, REFERENCE))];
    if let Some((_, words)) = &trend {
        entries.push(Entry::new(words, Key::Line(INK, FITTED)));
    }
    let sheet = Sheet::new(title, entries, notes, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::ratios(known.iter().flatten().copied()));
    let picture = Picture::new(sheet.size(), |canvas| {
        sheet.draw(canvas);
        frame.draw(
            canvas,
            ("threads (log scale)", "speedup (log scale)"),
            setting.oversubscribed_from,
        );
        let one = frame.y_at(1.0);
        canvas.dashed(&[(frame.left, one), (frame.right, one)], REFERENCE, GREY, 2);
        let width = (frame.spacing() * 0.5).clamp(6.0, 130.0);
        for ((row, values), open) in of.rows.iter().zip(&known).zip(&open) {
            let bar = Bar { x: frame.x_at(row.threads as f64), width, colour, points: values };
            bar.draw(canvas, &frame, *open == 0);
            if let Some(quantiles) = row.quantiles.filter(|_| *open > 0) {
                bar.draw_open(canvas, &frame, &quantiles);
            }
        }
        if let Some((fit, _)) = &trend {
            layout::curve(canvas, &frame, &threads, FITTED, INK, |n| fit.speedup(n));
        }
    })?;
    Ok(Chart {
        name: format!("speedup-boxes-{}", of.searcher),
        caption: format!(
            "Speedup of each position with {}, by threads. {} Box: quartiles and median over \
             positions. Whiskers: the last position within 1.5 interquartile ranges of the box. \
             Positions are points, outliers are rings. {}Dashed: no speedup.{}",
            of.searcher,
            setting.long,
            if open.iter().any(|n| *n > 0) {
                "A hollow box has only bounds: it has no whiskers, and its outliers are points. "
            } else {
                ""
            },
            trend.map_or_else(
                || " There are not enough thread counts for a trend.".to_owned(),
                |(_, words)| format!(" Dotted: the {words}, over the measured range.")
            )
        ),
        picture,
        data: speedups()
            .only("searcher, threads, position, speedup")
            .bare()
            .file(cells_of(of).filter(|line| line.cell.speedup.is_some()))
            .csv(),
    })
}

/// The trend that explains more of the medians, and the words for it.
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
    let words = format!("trend of the median: {slope} {of_n} {sign} {intercept}{r_squared}");
    Some((fit.clone(), words))
}
