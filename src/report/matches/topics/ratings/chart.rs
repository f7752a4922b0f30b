//! Ratings by threads, with their logarithmic trends.

use crate::report::MatchInput;
use crate::report::charts::layout::{self};
use crate::report::charts::style::{FITTED, HEIGHT, look};
use crate::report::charts::{Axis, Chart, ChartError, Entry, Key, Picture, Setting, Sheet};
use crate::report::columns::{Value, columns};
use crate::report::matches::by_threads::{Rated, RatingLine, Scale};

/// The name of the chart of ratings by threads.
pub(super) fn rating_name(scale: Scale) -> String {
    match scale {
        Scale::Likelihood => "rating-likeliest".to_owned(),
        Scale::Running(k) => format!("rating-k{k}"),
    }
}

/// A chart each of these scales on which somebody has ratings at several numbers of threads.
pub(super) fn charts(
    setting: &Setting,
    input: &MatchInput,
    wanted: fn(Scale) -> bool,
) -> Result<Vec<Chart>, ChartError> {
    let mut charts = Vec::new();
    for scale in input.figures.scales().into_iter().filter(|scale| wanted(*scale)) {
        let lines = input.figures.lines.iter().filter(|line| line.scale == scale);
        let lines: Vec<_> = lines.filter(|line| !line.points.is_empty()).collect();
        if lines.iter().any(|line| line.points.len() > 1) {
            charts.push(chart(setting, scale, &lines)?);
        }
    }
    Ok(charts)
}

fn chart(setting: &Setting, scale: Scale, lines: &[&RatingLine]) -> Result<Chart, ChartError> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let mut threads: Vec<usize> = points().map(|point| point.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let ends = points().flat_map(|p| {
        let ends = p.interval.map_or([p.elo; 2], |ci| [ci.lower, ci.upper]);
        [p.elo, ends[0], ends[1]]
    });
    let ends: Vec<f64> = ends.collect();
    let mut entries: Vec<Entry> =
        lines.iter().map(|line| Entry::new(&line.series, Key::Mark(look(line.look)))).collect();
    let fits: Vec<(&RatingLine, String)> =
        lines.iter().filter_map(|line| Some((*line, line.formula()?))).collect();
    for (line, formula) in &fits {
        let words = format!("{}: {formula}", line.series);
        entries.push(Entry::new(&words, Key::Line(look(line.look).colour, FITTED)));
    }
    let how = match scale {
        Scale::Likelihood => "Bars: 95% intervals.",
        Scale::Running(_) => "After the last game, opponent after opponent.",
    };
    let dotted = if fits.is_empty() {
        "Too few thread counts for a trend."
    } else {
        "Dotted: logarithmic trend."
    };
    let notes = [setting.short.clone(), format!("{how} {dotted}")];
    let title = match scale {
        Scale::Likelihood => "Likeliest rating by threads".to_owned(),
        Scale::Running(k) => format!("Running rating by threads (K = {k})"),
    };
    let sheet = Sheet::new(title.clone(), entries, notes, HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::around(&ends));
    let picture = Picture::new(sheet.size(), |canvas| {
        sheet.draw(canvas);
        frame.draw(canvas, ("threads (log scale)", "rating (Elo)"), setting.oversubscribed_from);
        for line in lines {
            let look = look(line.look);
            if let Some(trend) = &line.trend {
                let own: Vec<usize> = line.points.iter().map(|point| point.threads).collect();
                layout::curve(canvas, &frame, &own, FITTED, look.colour, |n| trend.rating(n));
            }
        }
        for (place, line) in lines.iter().enumerate() {
            let look = look(line.look);
            for point in &line.points {
                let mut x = frame.x_at(point.threads as f64);
                if let Some(ci) = point.interval {
                    // Side by side, so that one searcher's bars do not hide another's.
                    let apart = (frame.spacing() * 0.2).min(16.0);
                    x += (place as f64 - (lines.len() as f64 - 1.0) / 2.0) * apart;
                    let (low, high) = (frame.y_at(ci.lower), frame.y_at(ci.upper));
                    canvas.path(&[(x, low), (x, high)], look.colour, 3);
                    for y in [low, high] {
                        canvas.path(&[(x - 9.0, y), (x + 9.0, y)], look.colour, 3);
                    }
                }
                canvas.marker(look.marker, (x, frame.y_at(point.elo)), 10.0, look.colour);
            }
        }
    })?;
    let fitted =
        fits.iter().map(|(line, formula)| format!(" {}: {formula} (dotted).", line.series));
    Ok(Chart {
        name: rating_name(scale),
        caption: format!("{title}. {} {how}{}", setting.long, fitted.collect::<String>()),
        picture,
        data: {
            data()
                .file(lines.iter().flat_map(|line| line.points.iter().map(move |p| (*line, p))))
                .csv()
        },
    })
}

columns! {
    /// The data of a chart.
    fn data<'a>(of: (&'a RatingLine, &'a Rated));

    Words "series" = of.0.series.as_str();
    Whole "threads" = of.1.threads;
    Whole "rating" = of.1.elo;
    Whole "ci" only Bare = Value::runs(of.1.elo, of.1.interval);
}
