//! The predictions against the measurements, a point for each position.

use crate::report::charts::style::{GREY, HEIGHT, REFERENCE, look, tint};
use crate::report::charts::{Axis, Chart, ChartError, Entry, Key, Sheet, Sketch};
use crate::report::columns::{Value, columns};
use crate::report::numbers::{count, ratio};
use crate::report::validation::pair::{Pair, Point};
use crate::report::{Input, topic};
use std::collections::BTreeMap;
use ttd_stats::reliability::Reliability;

/// One chart for each number of workers: virtual speedups against real ones.
///
/// # Errors
/// If one cannot be drawn.
pub(crate) fn agreement(
    pairs: &[Pair],
    [real, simulated]: [&Input; 2],
) -> Result<Vec<Chart>, ChartError> {
    let runs =
        |input: &Input| format!("{} on {}", input.figures.runs_in_words(), input.cores.words());
    let setting = format!(
        "Base: {}; depth {}, {}; {}, {}.",
        real.figures.base,
        real.experiment.depth_range(),
        count(real.figures.positions.len(), "position"),
        runs(real),
        runs(simulated)
    );
    let mut by_threads: BTreeMap<usize, Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        by_threads.entry(pair.threads).or_default().push(pair);
    }
    topic::draw(by_threads.into_iter().map(|(threads, pairs)| chart(threads, &pairs, &setting)))
}

fn chart(threads: usize, pairs: &[&Pair], setting: &str) -> Sketch {
    let series: Vec<_> = pairs.iter().map(|pair| pair.series()).collect();
    let points = || series.iter().flat_map(|(name, _, points)| points.iter().map(|p| (*name, p)));
    let of_real = points().flat_map(|(_, p)| {
        let ends = p.real_ci_runs.map_or([p.real; 2], |ci| [ci.lower, ci.upper]);
        [p.real, ends[0], ends[1]]
    });
    let simulated = points().map(|(_, p)| p.simulated);
    let all: Vec<f64> = of_real.chain(simulated).collect();
    let marks = series.iter().map(|(name, i, _)| Entry::new(*name, Key::Mark(look(*i))));
    let entries = [Entry::new("equal", Key::Line(GREY, REFERENCE))].into_iter().chain(marks);
    let reached = |pair: &&Pair| {
        let number = |value: Option<f64>| value.map_or_else(|| "unknown".to_owned(), ratio);
        format!(
            "{}: correlation {}, of at most {}.",
            pair.searcher,
            number(pair.correlation),
            number(pair.reliability.and_then(Reliability::ceiling))
        )
    };
    let reached = pairs.iter().map(reached).collect::<Vec<_>>().join(" ");
    let bars = "Bars: 95% ci_runs of the real speedup. Logarithmic axes.";
    let notes = [setting.to_owned(), format!("{bars} {reached}")];
    let title = format!("Speedups of the positions, virtual against real: {threads} workers");
    let sheet = Sheet::new(title, entries, notes, HEIGHT);
    let axis = || Axis::ratios(all.iter().copied());
    let frame = sheet.frame(axis(), axis());
    let (low, high) = all.iter().fold((1.0f64, 1.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
    let names = ("speedup on real cores", "speedup on virtual cores");
    let picture = sheet.plot(&frame, names, None, |canvas| {
        canvas.guide("equal", |canvas| {
            canvas.dashed(&[frame.at(low, low), frame.at(high, high)], REFERENCE, GREY, 3);
        });
        for (name, index, points) in &series {
            let look = look(*index);
            for point in *points {
                if let Some(ci) = point.real_ci_runs {
                    let ends = [ci.lower, ci.upper].map(|x| frame.at(x, point.simulated));
                    canvas.value(name, point.in_words(), |canvas| {
                        canvas.path(&ends, tint(look.colour, 0.4), 2);
                    });
                }
            }
            for point in *points {
                let at = frame.at(point.real, point.simulated);
                canvas.value(name, point.in_words(), |canvas| {
                    canvas.marker(look.marker, at, 9.0, look.colour);
                });
            }
        }
    });
    let positions = pairs.iter().map(|pair| pair.series().2.len()).max().unwrap_or(0);
    Chart {
        name: format!("validation-{threads}"),
        caption: format!(
            "Speedups of {} at {threads} workers: virtual cores against real ones. Bars are the 95% \
             ci_runs of the real speedup, the dashed line is where both are equal. {reached} {setting}",
            count(positions, "position"),
        ),
        picture,
        data: data().file(points()).csv(),
    }
}

columns! {
    /// The data of a chart: a searcher, and one of its points.
    fn data<'a>(of: (&'a str, &'a Point));

    Words "searcher" = of.0;
    Ratio "real_speedup" = of.1.real;
    Ratio "virtual_speedup" = of.1.simulated;
    Ratio "real_speedup" only Runs = Value::runs(of.1.real, of.1.real_ci_runs);
}
