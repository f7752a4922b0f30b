//! Ratings by threads, with their logarithmic trends.

use crate::report::MatchInput;
use crate::report::charts::style::{FITTED, HEIGHT, look};
use crate::report::charts::{Axis, Chart, Entry, Key, Setting, Sketch, beside};
use crate::report::columns::{Value, columns};
use crate::report::lists::ascending;
use crate::report::matches::ratings::{Rated, RatingLine, Scale};
use crate::report::numbers::{count, fixed, with_interval};

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
) -> Vec<Sketch> {
    let of_scale = |scale: Scale| {
        let lines = input.figures.lines.iter().filter(|line| line.scale == scale);
        let lines: Vec<_> = lines.filter(|line| !line.points.is_empty()).collect();
        let several = lines.iter().any(|line| line.points.len() > 1);
        several.then(|| chart(setting, scale, &lines))
    };
    let wanted = input.figures.scales().into_iter().filter(|scale| wanted(*scale));
    wanted.filter_map(of_scale).collect()
}

fn chart(setting: &Setting, scale: Scale, lines: &[&RatingLine]) -> Sketch {
    let points = || lines.iter().flat_map(|line| &line.points);
    let threads = ascending(points().map(|point| point.threads));
    let ends = points().flat_map(|p| {
        let ends = p.interval.map_or([p.elo; 2], |ci| [ci.lower, ci.upper]);
        [p.elo, ends[0], ends[1]]
    });
    let ends: Vec<f64> = ends.collect();
    let fits: Vec<(&RatingLine, String)> =
        lines.iter().filter_map(|line| Some((*line, line.formula()?))).collect();
    let marks = lines.iter().map(|line| Entry::new(&line.series, Key::Mark(look(line.look))));
    let trends = fits.iter().map(|(line, formula)| {
        let key = Key::Line(look(line.look).colour, FITTED);
        Entry::new(trend_in_words(line, formula), key)
    });
    let how = match scale {
        Scale::Likelihood => "Bars: 95% intervals.",
        Scale::Running(_) => "After the last game, opponent after opponent.",
    };
    let dotted = if fits.is_empty() {
        "Too few thread counts for a trend."
    } else {
        "Dotted: logarithmic trend."
    };
    let title = match scale {
        Scale::Likelihood => "Likeliest rating by threads".to_owned(),
        Scale::Running(k) => format!("Running rating by threads (K = {k})"),
    };
    let sheet = setting.sheet(&title, marks.chain(trends), format!("{how} {dotted}"), HEIGHT);
    let frame = sheet.frame(Axis::threads(&threads), Axis::around(&ends));
    let picture = setting.by_threads(&sheet, &frame, "rating (Elo)", |canvas| {
        for line in lines {
            let look = look(line.look);
            if let Some((trend, formula)) = line.trend.as_ref().zip(line.formula()) {
                let own: Vec<usize> = line.points.iter().map(|point| point.threads).collect();
                canvas.guide(&trend_in_words(line, &formula), |canvas| {
                    frame.curve(canvas, &own, FITTED, look.colour, |n| trend.rating(n));
                });
            }
        }
        for (place, line) in lines.iter().enumerate() {
            let look = look(line.look);
            for point in &line.points {
                let mut x = frame.x_at(point.threads as f64);
                let (name, whole) = (&line.series, |elo| fixed(elo, 0));
                let rating = with_interval(whole(point.elo), point.interval, whole);
                let title = format!("{name}, {}: rating {rating}", count(point.threads, "thread"));
                canvas.value(name, title, |canvas| {
                    if let Some(ci) = point.interval {
                        // Side by side, so that one searcher's bars do not hide another's.
                        let apart = (frame.spacing() * 0.2).min(16.0);
                        x += beside(place, lines.len()) * apart;
                        frame.whisker(canvas, x, ci, (look.colour, 3), 9.0);
                    }
                    canvas.marker(look.marker, (x, frame.y_at(point.elo)), 10.0, look.colour);
                });
            }
        }
    });
    let fitted =
        fits.iter().map(|(line, formula)| format!(" {}: {formula} (dotted).", line.series));
    let rows = lines.iter().flat_map(|line| line.points.iter().map(move |p| (*line, p)));
    Chart {
        name: rating_name(scale),
        caption: format!("{title}. {} {how}{}", setting.long, fitted.collect::<String>()),
        picture,
        data: data().file(rows).csv(),
    }
}

/// The trend of a series in the legend.
fn trend_in_words(line: &RatingLine, formula: &str) -> String {
    format!("{}: {formula}", line.series)
}

columns! {
    /// The data of a chart.
    fn data<'a>(of: (&'a RatingLine, &'a Rated));

    Words "series" = of.0.series.as_str();
    Whole "threads" = of.1.threads;
    Whole "rating" = of.1.elo;
    Whole "ci" only Bare = Value::runs(of.1.elo, of.1.interval);
}
