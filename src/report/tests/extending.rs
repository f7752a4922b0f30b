//! The example of a chart in `docs/extending.md`, applied to a topic of its own.

use super::super::charts::layout;
use super::super::charts::setting::Setting;
use super::super::charts::style::{HEIGHT, look};
use super::super::charts::{Axis, Chart, Key, Sketch};
use super::super::figures::Figures;
use super::super::source::Source;
use super::super::synthetic::Made;
use super::super::topics::summary::{lines, summary};
use super::super::{Input, Picture, Report, Topic, topic};

const TOPIC: Topic<Source> = Topic {
    files: &[],
    charts: &[Picture::only(
        "table-fill",
        "the greatest share of the table that a sample wrote, by threads",
        |of, setting| Vec::from_iter(table_fill(setting, &of.input.figures)),
    )],
    section,
};

fn section(report: &mut Report<'_>, _of: &Source) {
    report.chart("table-fill");
}

/// The share of the transposition table that the searches wrote, by threads.
fn table_fill(setting: &Setting, figures: &Figures) -> Option<Sketch> {
    lines(figures).next()?;
    let fills = lines(figures).map(|line| line.row.table_fill);
    let legend = layout::entries(figures, Key::Mark);
    let note = "The greatest share of a sample.";
    let sheet = setting.sheet("Table written, by threads", legend, note, HEIGHT);
    let frame = sheet.frame(Axis::threads(&figures.threads()), Axis::from_zero(fills, 1.0));
    let picture = setting.by_threads(&sheet, &frame, "share of the table", |canvas| {
        for (index, of) in layout::shown(figures) {
            let look = look(index);
            for row in &of.rows {
                let at = frame.at(row.threads as f64, row.table_fill);
                let title = format!("{}, {} threads: {}", of.searcher, row.threads, row.table_fill);
                canvas.value(&of.searcher, title, |canvas| {
                    canvas.marker(look.marker, at, 10.0, look.colour);
                });
            }
        }
    });
    let data = summary().only("searcher, threads, table_fill_max").file(lines(figures)).csv();
    let caption = format!(
        "The greatest share of the table that a sample wrote, by threads. {}",
        setting.long
    );
    Some(Chart { name: "table-fill".to_owned(), caption, picture, data })
}

#[test]
fn the_example_of_a_chart_is_drawn_and_shown() {
    let of = Source::of(Input::read(Made::default().dir().path()).expect("read"));
    let setting = Setting::new(&of.input.figures, &of.input.experiment, of.input.cores);
    let charts = topic::draw(topic::sketches(&[&TOPIC], &of, &setting)).expect("drawn");
    let [chart] = charts.as_slice() else { panic!("{} charts", charts.len()) };
    assert!(chart.picture.svg.contains("share of the table"));
    assert!(chart.picture.png().expect("rendered").len() > 1000);
    assert!(chart.data.starts_with("searcher,threads,table_fill_max\n"), "{}", chart.data);
    let mut report = Report::new(&charts);
    (TOPIC.section)(&mut report, &of);
    assert!(report.markdown().contains("](charts/table-fill.svg)"));
}

/// The page shows this file's function and declarations, line by line.
#[test]
fn the_page_has_this_example() {
    let page = include_str!("../../../docs/extending.md");
    let (_, part) = page.split_once("## A chart").expect("a heading");
    let (part, _) = part.split_once("\n## ").expect("another heading");
    let here: Vec<&str> = include_str!("extending.rs").lines().map(str::trim).collect();
    let blocks = part.split("```rust\n").skip(1).filter_map(|block| block.split("```").next());
    let shown: Vec<&str> = blocks.flat_map(str::lines).map(str::trim).collect();
    assert!(shown.len() > 25, "{shown:?}");
    for line in shown {
        assert!(here.contains(&line), "docs/extending.md has `{line}`, and this example has not");
    }
}
