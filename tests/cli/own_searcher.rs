//! The examples: a program with a searcher of its own, and one that embeds a search.

use crate::common::{Called, Place, example};

fn call(place: &Place, arguments: &str) -> Called {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    place.call_of(&example("own_searcher"), &words)
}

#[test]
fn the_guide_shows_the_example() {
    let example = include_str!("../../examples/own_searcher.rs");
    let guide = include_str!("../../docs/adding-a-searcher.md");
    assert!(guide.contains(example), "docs/adding-a-searcher.md has another own_searcher.rs");
    assert!(example.lines().count() < 100);
}

#[test]
fn it_is_listed_with_its_parameters() {
    let place = Place::new();
    let called = call(&place, "searchers").exits(0);
    let last = called.out.split("\nall-splitting\n").nth(1).expect("it is the last");
    assert!(last.contains("[searcher.all-splitting] min_depth = 4, eldest = 0, "), "{last}");
    place.call("run --searchers all-splitting").exits(2).says("there is no searcher `all-splitt");
}

#[test]
fn it_is_run_and_reported_on() {
    let place = Place::new();
    let sweep = "run own.toml --depth 7 --threads 1,8 --runs 1 --cores virtual --only 2 --out own \
                 --positions bratko-kopec --hash 1";
    let file = |eldest: usize| {
        format!(
            "searchers = ['all-splitting', 'ybwc']\n[searcher.all-splitting]\neldest = {eldest}\n"
        )
    };
    place.write("own.toml", &file(218));
    call(&place, sweep).exits(0);
    let idle = place.read("own/speedups.csv");
    place.write("own.toml", &file(0));
    call(&place, &format!("{sweep} --fresh")).exits(0);
    assert!(
        place.read("own/experiment.toml").contains("[searcher.all-splitting]\nmin_depth = 4\n")
    );
    assert!(place.read("own/report.md").contains("all-splitting"));
    assert_ne!(place.read("own/speedups.csv"), idle, "a parameter of its own has an effect");
    call(&place, "report own").exits(0);
    place.write("wrong.toml", "[searcher.all-splitting]\nmin_depth = 0\n");
    let wrong = "wrong.toml:2: searcher.all-splitting.min_depth: 0 found, 1 to 100 expected";
    call(&place, "run wrong.toml").exits(2).says(wrong);
}

#[test]
fn its_trace_shows_its_workers() {
    let place = Place::new();
    call(
        &place,
        "trace --searcher all-splitting --threads 3 --depth 8 --hash 1 --out a.json --svg a.svg",
    )
    .exits(0);
    assert!(place.read("a.svg").contains("all-splitting, 3 workers on virtual cores, depth 8"));
    assert!(place.read("a.json").contains("\"worker 2\""));
}

/// The players are processes of the example's program.
#[test]
fn it_plays_a_match() {
    let place = Place::new();
    let entry =
        |name: &str, rest: &str| format!("[[entries]]\nname = '{name}'\nsearcher = {rest}\n");
    let own = entry("own", "'all-splitting'\nthreads = 2\nparameters = { min_depth = 3 }");
    place.write(
        "m.toml",
        &format!("games = 2\ndepth = 3\nhash_mib = 1\n{own}{}", entry("other", "'ybwc'")),
    );
    call(&place, "match m.toml --out m").exits(0);
    assert_eq!(place.read("m/games.pgn").matches("[Result ").count(), 2);
    assert!(place.read("m/report.md").contains("own"));
}

#[test]
fn its_parameters_are_options_of_the_engine() {
    let place = Place::new();
    place.write("commands", "");
    let output = assert_cmd::Command::new(example("own_searcher"))
        .arg("uci")
        .write_stdin(
            "uci\nsetoption name Searcher value all-splitting\nsetoption name \
                      searcher.all-splitting.min_depth value 0\ngo depth 4\nquit\n",
        )
        .output()
        .expect("it runs");
    let out = String::from_utf8(output.stdout).expect("text");
    for line in [
        " var all-splitting\n",
        "option name searcher.all-splitting.min_depth type spin default 4 min 1 max 100\n",
        "searcher.all-splitting.min_depth: 0 found, 1 to 100 expected",
        "\nbestmove ",
    ] {
        assert!(out.contains(line), "no {line:?} in {out}");
    }
}

#[test]
fn a_search_is_embedded() {
    let called = Place::new().call_of(&example("embed"), &[]).exits(0);
    assert_eq!(called.out.lines().count(), 9, "{}", called.out);
    assert!(called.out.starts_with("1 0."), "{}", called.out);
}
