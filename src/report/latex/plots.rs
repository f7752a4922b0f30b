//! The main charts as pictures that LaTeX draws (pgfplots). Colours, marks and dashes are those of
//! the other charts.

use crate::report::Input;
use crate::report::charts::bars::{bar, in_words};
use crate::report::charts::layout::{not_shown, shown};
use crate::report::charts::style::{Look, Marker, WIDTH, look};
use crate::report::charts::{Chart, Setting};
use crate::report::figures::{Estimate, Figures, Row, SearcherFigures};
use crate::report::numbers::if_any;
use crate::report::topics::speedup::lines::{
    Kind, NET, TO_DEPTH, efficiency_of, estimates, leading,
};
use plotters::style::RGBColor;
use std::fmt::Write as _;
use ttd_stats::summary::Boxed;

/// A picture.
pub(crate) struct Plot {
    /// The name of the chart.
    pub(crate) name: String,
    /// A `tikzpicture`.
    pub(crate) picture: String,
    /// The caption: the content of the picture, its source, and the parts that it leaves out.
    pub(crate) caption: String,
}

/// The pictures of the charts that have one.
pub(crate) fn plots(input: &Input, charts: &[Chart]) -> Vec<Plot> {
    let figures = &input.figures;
    let Setting { short, oversubscribed_from, .. } =
        Setting::new(figures, &input.experiment, input.cores);
    let over = oversubscribed_from
        .map_or_else(String::new, |n| format!(" Oversubscribed from {n} threads on."));
    let plot = |chart: &Chart| {
        let (picture, left_out, [what, how]) = match chart.name.as_str() {
            "net-speedup" => by_threads(figures, &speedup(&NET), &NET),
            "speedup" => by_threads(figures, &speedup(&TO_DEPTH), &TO_DEPTH),
            "efficiency" => by_threads(figures, &efficiency(leading(figures)), leading(figures)),
            name => boxes(name, figures)?,
        };
        let bounds = |some| format!(" Not drawn, for it only has bounds: {some}.");
        let left_out = if_any(left_out, bounds);
        let caption = format!("{what} {short}{over} {how}{left_out}");
        Some(Plot { name: chart.name.clone(), picture, caption })
    };
    charts.iter().filter_map(plot).collect()
}

/// A picture, the parts that it leaves out, and its content. The content has two texts: before and
/// after the words on the measurements.
type Drawn = (String, Vec<String>, [String; 2]);

/// A figure of a row that is drawn.
type Figure = Box<dyn Fn(&Row) -> Option<Estimate>>;

/// A chart with a line for each searcher.
struct Lines {
    what: String,
    figure: Figure,
    label: &'static str,
    ideal: fn(f64) -> f64,
    /// More options of the axis.
    options: &'static str,
}

fn speedup(kind: &'static Kind) -> Lines {
    Lines {
        what: kind.what.to_owned(),
        figure: Box::new(kind.figure),
        label: kind.label,
        ideal: |threads| threads,
        options: "ymode=log, log basis y=2, log ticks with fixed point, legend pos=north west",
    }
}

fn efficiency(kind: &'static Kind) -> Lines {
    Lines {
        what: format!("Efficiency: the {} divided by the number of threads.", kind.label),
        figure: Box::new(|row| efficiency_of(row, kind)),
        label: "efficiency",
        ideal: |_| 1.0,
        options: "ymin=0, legend pos=south west",
    }
}

fn by_threads(figures: &Figures, lines: &Lines, kind: &Kind) -> Drawn {
    let threads = figures.threads();
    let end = |threads: Option<&usize>| threads.copied().unwrap_or(1) as f64;
    let (least, most) = (end(threads.first()), end(threads.last()));
    let mut text = begin(&format!(
        "xmode=log, log basis x=2, xmin={}, xmax={}, xtick={{{ticks}}}, xticklabels={{{ticks}}}, ylabel={{{}}}, {}, \
         legend cell align=left",
        least / 1.2,
        most * 1.2,
        lines.label,
        lines.options,
        ticks = commas(&threads),
    ));
    let _ = writeln!(
        text,
        "\\addplot[gray, dashed, no markers] coordinates {{({least},{}) ({most},{})}};\n\\addlegendentry{{ideal}}",
        (lines.ideal)(least),
        (lines.ideal)(most)
    );
    let mut left_out = Vec::new();
    for (index, of) in shown(figures) {
        let mut points = String::new();
        for row in &of.rows {
            let Some(estimate) = (lines.figure)(row) else { continue };
            let Some(value) = estimate.value.value() else {
                left_out.push(format!("{} at {}", of.searcher, row.threads));
                continue;
            };
            let _ = write!(points, "({},{value}) ", row.threads);
            if let Some(ends) = bar(&estimate) {
                let (up, down) = (ends.upper - value, value - ends.lower);
                let _ = write!(points, "+= (0,{}) -= (0,{}) ", finite(up), finite(down));
            }
        }
        let _ = writeln!(
            text,
            "\\addplot[{}, error bars/.cd, y dir=both, y explicit, error bar style={{solid}}] coordinates {{{points}}};\n\
             \\addlegendentry{{{}}}",
            drawn(look(index)),
            crate::report::document::latex_escaped(&of.searcher)
        );
    }
    let bars = in_words(&estimates(figures, kind));
    let how = format!("{bars} Dashed grey: the ideal.{}", not_shown(figures));
    (text + END, left_out, [lines.what.clone(), how])
}

/// The length of an interval to one side of its figure; an infinite length is not drawn.
fn finite(length: f64) -> f64 {
    if length.is_finite() { length.max(0.0) } else { 0.0 }
}

/// The boxes of one searcher's speedups, if that is the chart of this name.
fn boxes(name: &str, figures: &Figures) -> Option<Drawn> {
    let of = name.strip_prefix("speedup-boxes-")?;
    let (index, of) = shown(figures).find(|(_, other)| other.searcher == of)?;
    let places: Vec<usize> = (1..=of.rows.len()).collect();
    let mut text = begin(&format!(
        "ymode=log, log basis y=2, log ticks with fixed point, ylabel={{speedup}}, boxplot/draw direction=y, \
         xtick={{{}}}, xticklabels={{{}}}",
        commas(&places),
        commas(&of.threads())
    ));
    let mut left_out = Vec::new();
    for (place, (row, speedups)) in places.iter().zip(of.rows.iter().zip(known(of))) {
        let Some(boxed) = speedups.as_deref().and_then(Boxed::of) else {
            left_out.push(format!("{} threads", row.threads));
            continue;
        };
        let outlier = |value: &f64| format!("(0,{value}) ");
        let outliers: String = boxed.outliers.iter().map(outlier).collect();
        let _ = writeln!(
            text,
            "\\addplot[{}, solid, boxplot prepared={{draw position={place}, lower whisker={}, lower quartile={}, median={}, \
             upper quartile={}, upper whisker={}}}] coordinates {{{outliers}}};",
            drawn(look(index)),
            boxed.whisker_low,
            boxed.five.q1,
            boxed.five.median,
            boxed.five.q3,
            boxed.whisker_high
        );
    }
    let what = format!("Speedup of each position with {}, by threads.", of.searcher);
    let how = "Box: quartiles and median over positions. Whiskers: the last position within 1.5 \
               interquartile ranges of the box. Marks: positions beyond.";
    Some((text + END, left_out, [what, how.to_owned()]))
}

/// The speedups at each number of threads; none where one of them has only bounds.
fn known(of: &SearcherFigures) -> impl Iterator<Item = Option<Vec<f64>>> {
    of.cells.iter().map(|cells| {
        let speedups = cells.iter().filter_map(|cell| cell.speedup);
        speedups.map(ttd_stats::Bounds::value).collect()
    })
}

fn begin(options: &str) -> String {
    format!(
        "\\begin{{tikzpicture}}\n\\begin{{axis}}[width=\\linewidth, height=0.68\\linewidth, xlabel={{threads}}, \
         grid=major, grid style={{gray!25}}, {options}]\n"
    )
}

const END: &str = "\\end{axis}\n\\end{tikzpicture}";

fn commas(numbers: &[usize]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// A colour, a mark and dashes. The dashes of the other charts are for a picture [`WIDTH`] wide;
/// here that is a line of 15 cm.
fn drawn(Look { colour, marker, dashes }: Look) -> String {
    let mark = match marker {
        Marker::Circle => "*",
        Marker::Square => "square*",
        Marker::Triangle => "triangle*",
        Marker::Diamond => "diamond*",
    };
    let part = |(pixels, word): (&f64, &str)| {
        format!(" {word} {:.1}pt", pixels * 427.0 / f64::from(WIDTH))
    };
    let pattern: String = dashes.iter().zip(["on", "off"].into_iter().cycle()).map(part).collect();
    let dashes = match pattern.strip_prefix(' ') {
        Some(pattern) => format!("dash pattern={pattern}"),
        None => "solid".to_owned(),
    };
    let RGBColor(red, green, blue) = colour.light();
    format!(
        "color={{rgb,255:red,{red};green,{green};blue,{blue}}}, thick, {dashes}, mark={mark}, mark options={{solid}}"
    )
}
