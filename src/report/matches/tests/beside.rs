//! Charts of a match, the names of its series, and its ratings beside a sweep.

use super::*;
use crate::report::synthetic::Made;

#[test]
fn fixed_depths_have_bars() {
    let spec = format!("games = 2\nby_depth = [4, 5]\nconcurrency = 1\n{TWO}");
    let mut all = games(&[["a", "b"]], 2, &[2, 1]);
    for (row, depth) in all.iter_mut().zip([4, 4, 5, 5]) {
        row.depth = Some(depth);
        for side in row.sides.iter_mut().filter(|side| side.name == "b") {
            side.nodes = 0;
        }
    }
    let input = input(&spec, &all);
    let rows = rows(&file(&input, "moves.csv").expect("it is always there"));
    let column = |name: &str| rows.iter().map(|row| row[name].as_str()).collect::<Vec<_>>();
    assert_eq!(column("depth"), ["4", "4", "5", "5"]);
    assert_eq!(column("mean_time_s"), ["0.5"; 4]);
    assert_eq!(column("mean_nodes"), ["1000", "", "1000", ""], "b never said");
    let charts = drawn(&input);
    let names: Vec<&str> = charts.iter().map(|chart| chart.name.as_str()).collect();
    assert_eq!(names, ["wins-draws-losses", "time-by-depth", "nodes-by-depth"]);
    let [_, times, nodes] = &charts[..] else { panic!("{names:?}") };
    let legend =
        |chart: &Chart| ["a", "b"].map(|name| chart.picture.svg.contains(&format!(">\n{name}\n<")));
    assert_eq!((legend(times), legend(nodes)), ([true, true], [true, false]));
    assert!(nodes.picture.svg.contains("<title>a, depth 5: nodes a move 1000</title>"));
    all.iter_mut().flat_map(|row| &mut row.sides).for_each(|side| side.nodes = 0);
    let names: Vec<String> =
        drawn(&super::input(&spec, &all)).into_iter().map(|c| c.name).collect();
    assert_eq!(names, ["wins-draws-losses", "time-by-depth"], "nobody ever said");
}

#[test]
fn series_are_named_apart() {
    let entry = |name: &str, rest: &str| format!("[[entries]]\nname = \"{name}\"\n{rest}\n");
    let spec = [
        entry("ybwc-2", "searcher = \"ybwc\"\nthreads = 2\nrole = \"challenger\""),
        entry("ybwc-1", "searcher = \"ybwc\"\nrole = \"challenger\""),
        entry("small-1", "searcher = \"ybwc\"\nhash_mib = 1\nrole = \"challenger\""),
        entry("fish 2", "command = \"fish\"\nthreads = 2\nrole = \"challenger\""),
        entry("fish 1", "command = \"fish\"\nrole = \"challenger\""),
        entry("again", "command = \"fish\"\nrole = \"challenger\""),
        entry("them", "command = \"them\""),
    ];
    let input = input(&spec.concat(), &[]);
    let series: Vec<(&str, &[usize])> =
        input.figures.series.iter().map(|s| (s.name.as_str(), &s.entries[..])).collect();
    let expected: [(&str, &[usize]); 4] =
        [("ybwc", &[1, 0]), ("small", &[2]), ("fish", &[4, 3]), ("again", &[5])];
    assert_eq!(series, expected);
    assert_eq!(input.figures.opponents, [6]);
    assert!(text(&input).contains("0 games of"), "a match without games has a report");
}

#[test]
fn ratings_stand_beside_speedups() {
    let mut made = Made::default();
    made.experiment.searchers.truncate(1);
    let spec = gauntlet().replace("start = 2953", "start = 2953, k = [10]");
    let (sweep, games) = (made.dir(), dir(&spec, &games(&PAIRINGS, 2, &[2, 1]), 2));
    let text = |games: Option<&Path>| {
        crate::report::write(sweep.path(), crate::report::Beside { games, ..Default::default() })
            .expect("written");
        fs::read_to_string(sweep.path().join("report.md")).expect("read")
    };
    let both = text(Some(games.path()));
    assert!(
        both.contains("## Playing strength\n\nFrom the match made-up: 48 games of ybwc-1"),
        "{both}"
    );
    for chart in ["speedup", "rating-likeliest", "rating-k10", "win-rate"] {
        assert!(both.contains(&format!("charts/{chart}.svg")), "{chart}");
    }
    assert!(sweep.path().join("charts/rating-k10.png").exists());
    let mut input = MatchInput::read(games.path()).expect("read");
    input.look_like(&["dts", "lazy-smp"]);
    let looks: Vec<usize> = input.figures.series.iter().map(|series| series.look).collect();
    assert_eq!(looks, [2, 1], "ybwc is none of them, lazy-smp the second");
    assert!(input.figures.lines.iter().all(|line| looks.contains(&line.look)));
    let alone = text(None);
    assert!(
        !alone.contains("Playing strength") && !sweep.path().join("charts/rating-k10.png").exists()
    );
}
