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
