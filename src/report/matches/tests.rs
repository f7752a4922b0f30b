//! Whole reports of made-up matches, and the published figures.

mod beside;

use super::ratings::{RatingLine, Scale};
use super::synthetic::{PAIRINGS, dir, game, games, gauntlet};
use super::*;
use crate::matches::{GameResult, GameRow, Reason};
use crate::records::{Sitting, write_sittings};
use crate::report::charts::Chart;
use crate::report::document::pages;
use crate::report::registry::LATEX;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const TWO: &str = "[[entries]]\nname = \"a\"\nsearcher = \"ybwc\"\n\
                   [[entries]]\nname = \"b\"\ncommand = \"b\"\n";

fn input(spec: &str, games: &[GameRow]) -> MatchInput {
    MatchInput::read(dir(spec, games, 2).path()).expect("read")
}

fn drawn(input: &MatchInput) -> Vec<Chart> {
    draw(sketches(input)).expect("drawn")
}

/// The text that a report writes into this file.
fn file(input: &MatchInput, name: &str) -> Option<String> {
    let mut files = TOPICS.iter().flat_map(|topic| topic.files);
    let file = files.find(|file| file.name == name).expect("a file of a report");
    Some((file.table)(input)?.csv())
}

fn text(input: &MatchInput) -> String {
    let charts = drawn(input);
    let report = text::report(input, &TOPICS, &charts);
    pages::assert_whole(&report.html());
    let text = report.markdown();
    for chart in &charts {
        assert!(chart.picture.svg.trim_end().ends_with("</svg>"), "{}", chart.name);
        assert!(
            !chart.picture.svg.contains("NaN") && !chart.caption.contains("NaN"),
            "{}",
            chart.name
        );
        assert!(text.contains(&format!("charts/{}.svg", chart.name)), "{} is shown", chart.name);
    }
    assert!(!text.contains("NaN"), "{text}");
    text
}

/// The rows of a CSV text, each as column to value.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn the_clock_of_each_engine_is_told() {
    let told = |price: &str| {
        let notes =
            notes::notes(&input(&format!("cores = \"virtual\"\nnodes = 5\n{TWO}{price}"), &[]));
        notes.into_iter().find(|note| note.starts_with("**Virtual time.**")).expect("a note")
    };
    let real = told("");
    assert!(real.contains("virtual time for a, and") && real.contains(" b ran on real"), "{real}");
    let hooked = told("price_ps = 180\n");
    assert!(hooked.contains("virtual time for a and b, and"), "{hooked}");
    assert!(!hooked.contains("real cores"), "{hooked}");
}

/// Ratings at 1, 2 and 4 cores as the thesis publishes them, and what it prints of their trend.
const PUBLISHED: [(&str, f64, [f64; 3], [&str; 3]); 6] = [
    ("lazy-smp", 10.0, [3029.0, 3053.0, 3080.0], ["36.789", "3028.5", "0.9988"]),
    ("lazy-smp", 20.0, [3063.0, 3100.0, 3129.0], ["47.609", "3064.3", "0.9951"]),
    ("lazy-smp", 30.0, [3088.0, 3131.0, 3155.0], ["48.330", "3091.2", "0.9739"]),
    ("ybwc", 10.0, [3055.0, 3062.0, 3105.0], ["36.067", "3049.0", "0.8527"]),
    ("ybwc", 20.0, [3097.0, 3095.0, 3150.0], ["38.231", "3087.5", "0.7217"]),
    ("ybwc", 30.0, [3120.0, 3115.0, 3175.0], ["39.674", "3109.2", "0.6823"]),
];

#[test]
fn published_ratings_give_the_published_fits() {
    let lines: Vec<RatingLine> = PUBLISHED
        .iter()
        .map(|(name, k, ratings, _)| {
            let points = [1, 2, 4].into_iter().zip(*ratings);
            let rated = |(threads, elo)| ratings::Rated { threads, elo, interval: None };
            let series = series::Series { name: (*name).to_owned(), entries: Vec::new(), look: 0 };
            RatingLine::new(&series, Scale::Running(*k), points.map(rated).collect())
        })
        .collect();
    let trends = topics::ratings::trends().whole_table(&lines);
    let csv = topics::ratings::trends().file(&lines).csv();
    for ((line, row), (csv, published)) in
        lines.iter().zip(&trends[1..]).zip(rows(&csv).iter().zip(PUBLISHED))
    {
        let (name, k, _, [slope, intercept, r_squared]) = published;
        assert_eq!(row[..2], [name.to_owned(), format!("running rating, K = {k}")]);
        assert_eq!(row[2..5], [slope, intercept, r_squared]);
        assert_eq!(line.formula(), Some(format!("{slope} ln N + {intercept} (R² {r_squared})")));
        let gained: f64 = csv["elo_per_doubling"].parse().expect("a number");
        let slope: f64 = slope.parse().expect("a number");
        assert!((gained - slope * std::f64::consts::LN_2).abs() < 0.000_51, "{gained}");
        assert_eq!((csv["series"].as_str(), csv["status"].as_str()), (name, "ok"));
    }
    let table = topics::ratings::running_table(&lines);
    assert_eq!(table.len(), 7);
    assert_eq!(table[0], ["searcher", "threads", "K = 10", "K = 20", "K = 30"]);
    assert_eq!(table[1], ["lazy-smp", "1", "3029", "3063", "3088"]);
    assert_eq!(table[6], ["ybwc", "4", "3105", "3150", "3175"]);
}

#[test]
fn standings_are_by_opponent_and_colour_and_in_pairs() {
    // Two wins, a win and a draw, two losses; and half of a pair.
    let mut all = games(&[["a", "b"]], 3, &[2, 2, 2, 1, 0, 0]);
    all.push(game(6, ["a", "b"], GameResult::White));
    let input = input(&format!("games = 8\n{TWO}"), &all);
    let rows = rows(&file(&input, "standings.csv").expect("it is always there"));
    let names = |row: &BTreeMap<String, String>| (row["entry"].clone(), row["opponent"].clone());
    let own = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let order: Vec<_> = rows.iter().map(names).collect();
    assert_eq!(order, [own("a", ""), own("a", "b"), own("b", ""), own("b", "a")]);
    let counts = |row: usize, columns: &[&str]| -> Vec<u64> {
        columns.iter().map(|c| rows[row][*c].parse().expect("a count")).collect()
    };
    for row in [0, 1] {
        assert_eq!(counts(row, &["games", "wins", "draws", "losses"]), [7, 4, 1, 2]);
        assert_eq!(counts(row, &["white_wins", "white_draws", "white_losses"]), [3, 0, 1]);
        assert_eq!(counts(row, &["black_wins", "black_draws", "black_losses"]), [1, 1, 1]);
        let pairs = ["pairs_0", "pairs_half", "pairs_1", "pairs_1_half", "pairs_2", "unpaired"];
        assert_eq!(counts(row, &pairs), [1, 0, 0, 1, 1, 1]);
    }
    let rate: f64 = rows[0]["win_rate"].parse().expect("a number");
    assert!((rate - 4.5 / 7.0).abs() < 1e-9 && !rows[0].contains_key("score"), "{rate}");
    let elo: f64 = rows[1]["elo"].parse().expect("a number");
    // 3.5 points of the 6 games in pairs.
    assert!((elo - 400.0 * (3.5f64 / 2.5).log10()).abs() < 1e-9, "{elo}");
    let other: f64 = rows[3]["elo"].parse().expect("a number");
    assert!((elo + other).abs() < 1e-9, "{other}");
    let text = text(&input);
    assert!(
        text.contains("**Unpaired games.** The other game of the opening is missing for 1 game.")
    );
    assert!(text.contains("**Few games.** Some entries met in only 3 pairs"), "{text}");
}

/// Fifteen pairs, all of them won: the likeliest difference and its upper end are infinite.
#[test]
fn infinite_differences_are_printed_in_every_form() {
    let dir = dir(TWO, &games(&[["a", "b"]], 15, &[2, 2]), 2);
    write_match(dir.path()).expect("written");
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("read");
    let rows = rows(&read("standings.csv"));
    for name in ["elo", "elo_ci_upper", "normalised_elo", "normalised_elo_ci_upper"] {
        assert_eq!(rows[1][name], "inf", "{name}");
    }
    for name in ["elo", "elo_ci_lower", "normalised_elo", "normalised_elo_ci_lower"] {
        assert_eq!(rows[3][name], "-inf", "{name}");
    }
    let [one, other] = [(1, "elo_ci_lower"), (3, "elo_ci_upper")]
        .map(|(row, name)| rows[row][name].parse::<f64>().expect("a number"));
    assert!((one - 345.809_2).abs() < 1e-3 && (one + other).abs() < 1e-6, "{one} {other}");
    for name in ["report.md", "report.html"] {
        let text = read(name);
        let said = ["∞", "346 to ∞", "−∞", "−∞ to −346"].map(|words| text.contains(words));
        assert_eq!(said, [true; 4], "{name}");
    }
    let tex = read(LATEX);
    for part in ["Elo{\\ensuremath{\\infty}}", "EloUpper{\\ensuremath{\\infty}}", "EloLower{346}"] {
        assert!(tex.contains(part), "{part}: {tex}");
    }
}

#[test]
fn running_ratings_take_the_opponents_in_order() {
    let all = games(&PAIRINGS, 2, &[2, 1]);
    let input = input(&gauntlet(), &all);
    let rows = rows(&file(&input, "running.csv").expect("asked for"));
    assert_eq!(rows.len(), 6 * 3 * 8);
    let first = &rows[..8];
    let column = |name: &str| first.iter().map(|row| row[name].as_str()).collect::<Vec<_>>();
    assert_eq!(column("opponent"), [["toga2"; 4], ["phalanx"; 4]].concat());
    assert_eq!(column("game"), ["0", "1", "24", "25", "12", "13", "36", "37"]);
    assert_eq!(column("colour"), ["white", "black"].repeat(4));
    assert_eq!(column("points"), ["1", "0.5"].repeat(4));
    assert_eq!(column("step"), ["1", "2", "3", "4", "5", "6", "7", "8"]);
    let number = |row: usize, name: &str| first[row][name].parse::<f64>().expect("a number");
    // By hand: a win against 2800 from 2953, K = 10.
    let expected = 1.0 / (1.0 + 10f64.powf((2800.0 - 2953.0) / 400.0));
    assert!((number(0, "rating") - 2953.0 - 10.0 * (1.0 - expected)).abs() < 1e-9);
    assert!((number(1, "rating_before") - number(0, "rating")).abs() < 1e-12);
    let table = topics::ratings::running_table(&input.figures.lines);
    assert_eq!(table[1][..3], ["ybwc", "1", &format!("{:.0}", number(7, "rating"))]);
}

#[test]
fn a_paper_gets_a_method_and_commands() {
    let dir = dir(&gauntlet(), &games(&PAIRINGS, 2, &[2, 1, 0, 1, 2]), 2);
    write_match(dir.path()).expect("written");
    let tex = fs::read_to_string(dir.path().join(LATEX)).expect("figures.tex");
    for part in [
        "\\def\\ttdMethods{We played 48 games",
        " The games were played from ",
        "\n\\def\\ttdGameCount{48}\n",
        "RatingLower{",
        "\\ttddefine{table/results-1}{\\begin{tabular}{@{}l",
    ] {
        assert!(tex.contains(part), "{part}: {tex}");
    }
    let defined = tex.lines().filter_map(|line| line.strip_prefix("\\def\\ttd")?.split('{').next());
    let mut defined: Vec<&str> = defined.filter(|name| !name.contains('#')).collect();
    let all = defined.len();
    defined.sort_unstable();
    defined.dedup();
    assert_eq!(defined.len(), all, "each once");
    assert!(
        defined.iter().all(|name| name.chars().all(|c| c.is_ascii_alphabetic())),
        "{defined:?}"
    );
    let nothing = text(&input(&gauntlet(), &[]));
    assert!(nothing.contains("No game has been played yet."), "{nothing}");
}

#[test]
fn a_whole_report_is_made_again_the_same() {
    let dir = dir(&gauntlet(), &games(&PAIRINGS, 2, &[2, 1, 0, 1, 2]), 2);
    let files = |path: &Path| {
        let mut files = BTreeMap::new();
        for dir in [path.to_owned(), path.join("charts")] {
            for entry in fs::read_dir(dir).expect("read") {
                let path = entry.expect("read").path();
                if path.is_file() {
                    files.insert(path.clone(), fs::read(&path).expect("read"));
                }
            }
        }
        files
    };
    let written = write_match(dir.path()).expect("written");
    let before = files(dir.path());
    assert!(written.files.iter().all(|file| before.contains_key(file)));
    let tables: Vec<&str> = written.tables.iter().map(|(name, _)| *name).collect();
    assert_eq!(tables, ["standings", "ratings", "running", "trends", "endings", "moves"]);
    for name in
        ["standings.csv", "ratings.csv", "running.csv", "trends.csv", "endings.csv", "moves.csv"]
    {
        assert!(before.contains_key(&dir.path().join(name)), "{name}");
    }
    for chart in [
        "wins-draws-losses",
        "win-rate",
        "rating-likeliest",
        "rating-k10",
        "rating-k20",
        "rating-k30",
    ] {
        for kind in ["svg", "png"] {
            let file = dir.path().join(format!("charts/{chart}.{kind}"));
            assert!(before.contains_key(&file), "{chart}.{kind}");
        }
    }
    write_match(dir.path()).expect("written");
    assert_eq!(files(dir.path()).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    assert!(files(dir.path()) == before, "the same bytes");
    let text = fs::read_to_string(&written.reports()[0]).expect("read");
    assert!(
        text.contains(
            "**Oversubscribed.** ybwc-4 and lazy-smp-4 had more threads than the 2 cores"
        )
    );
    assert!(!text.contains("**Unfinished.**") && !text.contains("**Forfeits.**"), "{text}");
    // Without running ratings, theirs go.
    let without = gauntlet().replace("running_rating = { start = 2953 }\n", "");
    fs::write(dir.path().join("match.toml"), without).expect("written");
    write_match(dir.path()).expect("written");
    for gone in ["running.csv", "charts/rating-k10.svg", "charts/rating-k30.png"] {
        assert!(!dir.path().join(gone).exists(), "{gone}");
    }
    assert!(dir.path().join("charts/rating-likeliest.png").exists());
}

#[test]
fn an_unfinished_match_with_forfeits_says_so() {
    let mut all = games(&PAIRINGS, 1, &[2, 1]);
    all[0].ending.reason = Reason::Time;
    all[2].ending.reason = Reason::Died;
    all[4].ending.reason = Reason::Time;
    let input = input(&gauntlet(), &all);
    let text = text(&input);
    assert!(text.contains("**Unfinished.** 24 of 48 games (50%) have been played"), "{text}");
    assert!(text.contains(
        "**Forfeits.** 3 games were lost otherwise than on the board (toga2 2 on time; toga2 1 \
         when the process ended)."
    ));
    assert!(text.contains("| time | 2 | 0 | toga2 2 |"), "{text}");
    let rows = rows(&file(&input, "endings.csv").expect("it is always there"));
    let died = rows.iter().find(|row| row["reason"] == "died").expect("a row");
    assert_eq!([&died["entry"], &died["won"], &died["lost"]], ["ybwc-2", "1", "0"]);
}

#[test]
fn mixed_builds_and_oversubscribed_opponents_are_told_of() {
    let spec = format!("concurrency = 1\n{TWO}threads = 4\n");
    let dir = dir(&spec, &games(&[["a", "b"]], 50, &[2, 1]), 2);
    let sitting = |commit: &str| Sitting {
        commit: commit.to_owned(),
        cores_usable: 2,
        ..Sitting::begin(0, &[])
    };
    write_sittings(dir.path(), &[sitting("one"), sitting("two")]).expect("written");
    let input = MatchInput::read(dir.path()).expect("read");
    let text = text(&input);
    assert!(
        text.contains("**Mixed.** Programs or machines differed while the games were played (commit: one there, two here).")
    );
    assert!(text.contains("**Oversubscribed.** b had more threads than the 2 cores"), "{text}");
    let charts = drawn(&input);
    assert!(!charts[0].caption.contains("Oversubscribed"), "b is on no axis");
}

#[test]
fn why_there_are_no_likeliest_ratings_is_said() {
    let three = format!("{TWO}[[entries]]\nname = \"c\"\ncommand = \"c\"\n");
    let four =
        format!("format = \"round-robin\"\n{three}[[entries]]\nname = \"d\"\ncommand = \"d\"\n");
    let apart = games(&[["a", "b"], ["c", "d"]], 4, &[2, 1, 0]);
    let why =
        |spec: &str, games: &[GameRow]| input(spec, games).figures.likeliest.expect_err("none");
    assert_eq!(why(&four, &apart), "no chain of games joins `c` to all others");
    assert_eq!(why(&four, &[]), "no game has been played");
    let given = format!(
        "format = \"round-robin\"\n{}rating = 2500\n",
        four.replace("format = \"round-robin\"\n", "")
    );
    assert_eq!(
        why(&given, &apart),
        "no chain of games joins `a` to an entry whose rating is given"
    );
    let text = text(&input(&four, &apart));
    assert!(
        text.contains("There are no likeliest ratings: no chain of games joins `c` to all others.")
    );
    // Who has not played needs no rating.
    let some = input(&four, &apart[..2]).figures.likeliest.expect("ratings");
    assert_eq!((some.entries.iter().flatten().count(), some.anchors), (2, 0));
}

#[test]
fn likeliest_ratings_count_from_what_is_given() {
    let anchored =
        input(&format!("{TWO}rating = 2850\n"), &games(&[["a", "b"]], 20, &[2, 1, 0, 1, 2]));
    let rows = rows(&file(&anchored, "ratings.csv").expect("it is always there"));
    assert_eq!([&rows[1]["given"], &rows[1]["rating"], &rows[1]["ci_lower"]], ["2850"; 3]);
    let elo = |row: usize| rows[row]["rating"].parse::<f64>().expect("a number");
    let score = anchored.figures.table.total(0).score().expect("games");
    assert!((elo(0) - 2850.0 - ttd_stats::elo::elo_of_score(score)).abs() < 1e-6);
    assert!(text(&anchored).contains("One rating is given; the others"), "{}", text(&anchored));
    let free = input(TWO, &games(&[["a", "b"]], 20, &[2, 1, 0, 1, 2]));
    assert!(text(&free).contains("No rating is given, so their mean is 0"));
}

#[test]
fn a_test_and_a_search_are_put_into_words() {
    let spec = format!("games = 400\nsprt = {{ elo0 = 0, elo1 = 20 }}\n{TWO}");
    let won = text(&input(&spec, &games(&[["a", "b"]], 60, &[2, 2])));
    assert!(won.contains(
        "**Test.** The sequential probability ratio test of a above b says 20.0 rather than 0.0 Elo"
    ));
    assert!(
        won.contains("**Decided by its test.** The match ended after 120 of at most 400 games,")
    );
    let open = text(&input(&spec, &games(&[["a", "b"]], 2, &[2, 1, 0])));
    assert!(
        open.contains("is not decided between 0.0 and 20.0 Elo")
            && open.contains("**Unfinished.**")
    );
    let mut faster = games(&[["a", "b"]], 2, &[2, 0]);
    for row in &mut faster {
        let own = row.sides.iter_mut().find(|side| side.name == "a").expect("it played");
        own.time_factor = 4.0;
    }
    let searching = text(&input(&format!("games = 400\neffective_speedup = true\n{TWO}"), &faster));
    assert!(searching.contains("**Effective speedup.** It is not known yet"), "{searching}");
    assert!(searching.contains("(a: times a factor that changes)"), "{searching}");
    assert!(searching.contains("**Unequal time.**") && !searching.contains("**Unfinished.**"));
}
