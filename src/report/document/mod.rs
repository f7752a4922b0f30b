//! The text of a report, as a list of numbered blocks. Every form of it is made from these blocks.
//!
//! | file | what it makes |
//! |---|---|
//! | `blocks` | the blocks |
//! | `markdown` | `report.md` |
//! | `html` | `report.html` |
//! | `latex` | the tables of `figures.tex` |
//! | `inline` | the parts of a line: `code`, **bold** and links |

mod blocks;
mod html;
mod inline;
mod latex;
mod markdown;

pub(crate) use blocks::Place;
pub(crate) use latex::escaped as latex_escaped;

use crate::report::charts::Chart;
use blocks::{Block, Column, Kind, Table};
use inline::slug;

/// A report that grows. Texts hold a little Markdown (`inline`); all else in them is plain text.
pub(crate) struct Report<'a> {
    blocks: Vec<Block<'a>>,
    charts: &'a [Chart],
    figures: usize,
    tables: usize,
}

impl<'a> Report<'a> {
    /// An empty report that may show these charts.
    pub(crate) fn new(charts: &'a [Chart]) -> Report<'a> {
        Report { blocks: Vec::new(), charts, figures: 0, tables: 0 }
    }

    /// `report.md`.
    pub(crate) fn markdown(&self) -> String {
        markdown::text(&self.blocks)
    }

    /// `report.html`: one page that needs nothing else.
    pub(crate) fn html(&self) -> String {
        html::page(&self.blocks)
    }

    /// The tables as definitions for LaTeX.
    pub(crate) fn latex_tables(&self) -> String {
        latex::tables(&self.blocks)
    }

    pub(crate) fn heading(&mut self, level: usize, text: &str) {
        let (text, anchor) = (printable(text), self.new_anchor(text));
        self.blocks.push(Block::Heading { level, text, anchor });
    }

    pub(crate) fn paragraph(&mut self, text: &str) {
        self.blocks.push(Block::Paragraph(printable(text)));
    }

    pub(crate) fn list(&mut self, items: impl IntoIterator<Item = impl Into<String>>) {
        let items = items.into_iter().map(|item| printable(&item.into()));
        self.blocks.push(Block::List(items.collect()));
    }

    /// Adds a list of notes that a reader must know before believing a figure, or `nothing` if
    /// there are none.
    pub(crate) fn notes(&mut self, items: Vec<String>, nothing: &str) {
        if items.is_empty() {
            self.paragraph(nothing);
        } else {
            self.blocks
                .push(Block::Notes(items.into_iter().map(|item| printable(&item)).collect()));
        }
    }

    /// Adds positions with their boards; nothing without any.
    pub(crate) fn positions(&mut self, places: Vec<Place>) {
        if !places.is_empty() {
            self.blocks.push(Block::Positions(places));
        }
    }

    pub(crate) fn code(&mut self, lines: &str) {
        self.blocks.push(Block::Code(lines.to_owned()));
    }

    /// Adds a table whose first row is its header; columns of numbers are aligned to the right.
    /// Adds nothing if there are no rows.
    pub(crate) fn table(&mut self, caption: &str, rows: &[Vec<String>]) {
        self.any_table(caption, rows, true);
    }

    /// Adds a table of settings, a row for each: their order says something.
    pub(crate) fn settings(&mut self, caption: &str, rows: &[Vec<String>]) {
        self.any_table(caption, rows, false);
    }

    fn any_table(&mut self, caption: &str, rows: &[Vec<String>], sorts: bool) {
        let [header, body @ ..] = rows else { return };
        if body.is_empty() {
            return;
        }
        self.tables += 1;
        let column = |(index, name): (usize, &String)| {
            let kind = kind(body.iter().map(|row| row[index].as_str()));
            Column { name: name.clone(), kind }
        };
        self.blocks.push(Block::Table(Table {
            number: self.tables,
            key: self.new_key(),
            caption: caption.to_owned(),
            sorts,
            columns: header.iter().enumerate().map(column).collect(),
            rows: body.iter().map(|row| row.iter().map(|cell| printable(cell)).collect()).collect(),
        }));
    }

    /// Adds a chart with its caption; nothing if it was not drawn.
    pub(crate) fn chart(&mut self, name: &str) {
        let Some(chart) = self.charts.iter().find(|chart| chart.name == name) else { return };
        self.figures += 1;
        self.blocks.push(Block::Figure { number: self.figures, chart });
    }

    /// Adds the charts whose names begin so, one for each competitor that has one.
    pub(crate) fn each_chart(&mut self, begin: &str) {
        let all = self.charts;
        for chart in all.iter().filter(|chart| chart.name.starts_with(begin)) {
            self.chart(&chart.name);
        }
    }

    /// A new anchor for a heading. `How games ended` gives `how-games-ended`, or, if that is in
    /// use, `how-games-ended-2`.
    fn new_anchor(&self, heading: &str) -> String {
        let first = slug(heading);
        let (mut anchor, mut number) = (first.clone(), 1);
        while self.anchors().any(|other| other == anchor) {
            number += 1;
            anchor = format!("{first}-{number}");
        }
        anchor
    }

    fn anchors(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Heading { anchor, .. } => Some(anchor.as_str()),
            _ => None,
        })
    }

    /// The key of a table that is added now.
    fn new_key(&self) -> String {
        let above = self.anchors().next_back().unwrap_or("table");
        let begun = self.blocks.iter().rev();
        let begun = begun.take_while(|block| !matches!(block, Block::Heading { .. }));
        let tables = begun.filter(|block| matches!(block, Block::Table(_))).count();
        format!("{above}-{}", tables + 1)
    }
}

/// A line without control characters. Names of hosts and processors may be from a stranger's files.
fn printable(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The kind of a column: numbers, if every cell begins like a number, or is blank.
fn kind<'t>(mut cells: impl Iterator<Item = &'t str>) -> Kind {
    let numeric = |cell: &str| {
        let first = cell.chars().next().unwrap_or('–');
        first.is_ascii_digit() || "–−[∞<≤".contains(first)
    };
    if cells.all(numeric) { Kind::Numbers } else { Kind::Words }
}

#[cfg(test)]
pub(crate) mod pages;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::charts::Drawing;

    fn chart(name: &str) -> Chart {
        Chart {
            name: name.to_owned(),
            caption: "Speedup `x` & more.".to_owned(),
            picture: Drawing::new((12, 8), |_| ()).drawn().expect("drawn"),
            data: "threads,speedup\n2,\"[0, inf]\"\n".to_owned(),
        }
    }

    fn rows(rows: &[[&str; 3]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect()
    }

    fn report(charts: &[Chart]) -> Report<'_> {
        let mut report = Report::new(charts);
        report.heading(1, "A <report> of `x`");
        report.paragraph("See [there](there.md), **soon**.");
        report.heading(2, "Speedup");
        report.notes(vec!["**Few.** One".to_owned()], "");
        report.list(["a", "b < c"]);
        report.table("None.", &rows(&[["a", "b", "c"]]));
        report.table(
            "Some.",
            &rows(&[["searcher", "time", "ci"], ["a|b", "1.5", "–"], ["c", "−2", "[1, ∞]"]]),
        );
        report.table("More.", &rows(&[["searcher", "50%", "_"], ["a_b", "1", "x"]]));
        report.heading(2, "Speedup");
        report.chart("speedup");
        report.chart("nothing");
        report.code("ttd report . && ls");
        report
    }

    #[test]
    fn in_markdown_it_reads_as_a_text() {
        let expected = "\
# A &lt;report> of `x`

See [there](there.md), **soon**.

## Speedup

- **Few.** One

- a
- b < c

**Table 1.** Some.

| searcher | time | ci |
|---|---:|---:|
| a\\|b | 1.5 | – |
| c | −2 | [1, ∞] |

**Table 2.** More.

| searcher | 50% | _ |
|---|---:|---|
| a_b | 1 | x |

## Speedup

![Figure 1](charts/speedup.svg)

**Figure 1.** Speedup `x` & more.

```sh
ttd report . && ls
```
";
        assert_eq!(report(&[chart("speedup")]).markdown(), expected);
    }

    #[test]
    fn a_page_has_everything_in_it() {
        let charts = [chart("speedup")];
        let page = report(&charts).html();
        pages::assert_whole(&page);
        for part in [
            "<title>A &lt;report&gt; of x</title>",
            "<h1 id=\"a-report-of-x\">A &lt;report&gt; of <code>x</code></h1>",
            "<li class=\"level-2\"><a href=\"#speedup\">Speedup</a></li>",
            "<li class=\"level-2\"><a href=\"#speedup-2\">Speedup</a></li>",
            "<a href=\"there.md\">there</a>, <b>soon</b>",
            "<ul class=\"notes\">\n<li><b>Few.</b> One</li>",
            "<li>b &lt; c</li>",
            "<th scope=\"col\">searcher</th><th scope=\"col\" class=\"n\">time</th>",
            "<td>a|b</td><td class=\"n\">1.5</td><td class=\"n\">–</td>",
            "viewBox=\"0 0 96 64\" xmlns=",
            "download=\"speedup.csv\" href=\"data:text/csv;charset=utf-8,threads,speedup%0A2,%22[0,%20inf]%22%0A\"",
            "<code>ttd report . &amp;&amp; ls</code>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        let style = page.split("</style>").next().expect("a style");
        let dark = "@media screen and (prefers-color-scheme: dark) {\n.chart [fill=\"#FFFFFF\"] { fill: #17191c; }\n}";
        assert!(style.contains(dark), "the paper of the chart: {style}");
        assert!(page.contains("fill=\"#FFFFFF\""), "the chart alone is light");
        assert!(style.contains("DejaVu Sans\", Verdana, sans-serif"), "the font of the charts");
    }

    #[test]
    fn nothing_has_a_page_too() {
        pages::assert_whole(&Report::new(&[]).html());
    }

    #[test]
    fn words_of_a_stranger_stay_words() {
        let mut report = Report::new(&[]);
        let host = "<img src=x>\u{1b}[2J\nnode `a<b>`|1 < 2";
        report.table("Hosts.", &[vec!["host".to_owned()], vec![host.to_owned()]]);
        report.notes(vec![host.to_owned()], "");
        for page in [report.markdown(), report.html(), report.latex_tables()] {
            assert!(
                !page.contains("<img") && !page.contains('\u{1b}') && !page.contains("\nnode"),
                "{page}"
            );
        }
        assert!(report.markdown().contains("| &lt;img src=x> [2J node `a<b>`\\|1 < 2 |"));
    }
}
