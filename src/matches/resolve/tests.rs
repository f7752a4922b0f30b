//! Partial matches that are resolved, and ones that are refused.

use super::*;
use crate::matches::adjudication::Draw;
use crate::matches::partial::PartialEntry;
use crate::matches::spec::EntryEngine;
use std::fs;

/// A match resolved from a text, on many cores.
pub(in crate::matches) fn resolved(text: &str) -> ResolvedMatch {
    try_resolve(text, &PartialMatch::default(), 64).unwrap_or_else(|e| panic!("{e}"))
}

/// The refusal of a match.
pub(in crate::matches) fn refused(text: &str) -> String {
    try_resolve(text, &PartialMatch::default(), 64).expect_err("refused")
}

fn try_resolve(text: &str, options: &PartialMatch, cores: usize) -> Result<ResolvedMatch, String> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("mine.toml");
    fs::write(&path, text).expect("written");
    let resolve = || -> Result<ResolvedMatch, ResolveError> {
        resolve_match(Some(&TomlFile::read(&path)?), options, cores)
    };
    let here = format!("{}/", dir.path().display());
    resolve().map_err(|e| e.to_string().replace(&here, ""))
}

const TWO: &str = r#"
[[entries]]
name = "ours"
searcher = "ybwc"
threads = 2
[[entries]]
name = "theirs"
command = ["gnuchess", "-u"]
rating = 2700
"#;

#[test]
fn what_is_written_is_the_same_match_again() {
    let text = format!(
        "games = 30\ntime_control = \"1+0.01\"\nrunning_rating = {{ start = 2953 }}\n\
         [adjudication]\nresign = {{ moves = 3, score = 600 }}\nmax_moves = 200\n{TWO}\
         options = {{ Hash = 4, \"Own Book\" = false }}\ndepth = 7\n\
         [[entries]]\nname = \"third\"\nsearcher = \"lazy-smp\"\nengine = {{ null_move = false }}\n\
         parameters = {{ stagger = \"halving\" }}\ntime_factor = 2.5\nmove_time_s = 0.5\nrating = 1"
    );
    let first = resolved(&text).spec;
    let again = resolved(&first.to_toml()).spec;
    assert_eq!(first.name, "mine");
    assert_eq!(first, again);
    assert_eq!(first.running_rating.as_ref().map(|r| r.k.len()), Some(3));
    let paces: Vec<String> =
        first.entries.iter().map(|e| e.pace.expect("a pace").to_string()).collect();
    assert_eq!(paces, ["1+0.01", "depth 7", "0.5 s a move"]);
    assert_eq!(first.time_margin_ms, 50, "a time for each move is not kept to the millisecond");
    assert_eq!(first.pairings(), [(0, 1), (0, 2)]);
    assert_eq!(resolved(TWO).spec.time_margin_ms, 0);
}

#[test]
fn a_player_without_a_clock_has_another_pace() {
    let of = |said: &str| resolved(&format!("{said}\n{TWO}")).spec.entries[0].pace;
    assert_eq!(of("time_control = \"inf\"\ndepth = 3"), of("depth = 3"));
}

#[test]
fn options_override_the_file() {
    let options = PartialMatch { games: Some(8), seed: Some(5), ..PartialMatch::default() };
    let spec = try_resolve(&format!("games = 4\n{TWO}"), &options, 2).expect("good").spec;
    assert_eq!((spec.games, spec.seed), (8, 5));
    let options = PartialMatch { games: Some(7), ..PartialMatch::default() };
    let error = try_resolve(TWO, &options, 2).expect_err("odd");
    assert!(error.starts_with("--games: 7 found, an even number expected"), "{error}");
}

#[test]
fn concurrency_never_takes_more_cores_than_there_are() {
    let of = |concurrency, cores| {
        let options = PartialMatch { concurrency, ..PartialMatch::default() };
        try_resolve(TWO, &options, cores).map(|resolved| resolved.spec.concurrency)
    };
    assert_eq!(of(None, 8), Ok(4), "a game takes the threads of the larger side");
    assert_eq!(of(None, 1), Ok(1), "one game is always possible");
    assert_eq!(of(Some(3), 8), Ok(3));
    for (asked, cores, most) in [(5, 8, 4), (2, 2, 1), (0, 8, 4)] {
        let error = of(Some(asked), cores).expect_err("too many");
        let expected = format!("--concurrency: {asked} found, 1 to {most} expected");
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn nonsense_is_refused_with_its_place() {
    for (before, after, message) in [
        ("gamez = 2", "", "mine.toml:1: gamez: unknown key"),
        (
            "format = \"swiss\"",
            "",
            "mine.toml:1: format: `swiss` found, gauntlet, round-robin or named expected",
        ),
        ("games = 3", "", "mine.toml:1: games: 3 found, an even number expected"),
        ("games = 0", "", "mine.toml:1: games: 0 found, 2 to 1000000 expected"),
        ("time_control = \"fast\"", "", "mine.toml:1: time_control: `fast` found"),
        ("nodes = 5\ndepth = 3", "", "mine.toml:2: depth: found beside nodes"),
        ("time_control = \"inf\"", "", "mine.toml:1: time_control: `inf` found alone"),
        (
            "time_control = \"9+1\"",
            "time_control = \"inf\"",
            "mine.toml:10: entries.time_control: `inf` found alone",
        ),
        ("depth = 101", "", "mine.toml:1: depth: 101 found, 1 to 100 expected"),
        ("nodes = 0", "", "mine.toml:1: nodes: 0 found, 1 or more expected"),
        ("by_depth = [0, 3]", "", "mine.toml:1: by_depth: 0 found"),
        ("openings = \"nosuch\"", "", "mine.toml:1: openings: there is no position set `nosuch`"),
        (
            "running_rating = { start = 1, k = [10, 0] }",
            "",
            "mine.toml:1: running_rating.k: 0 found",
        ),
        ("running_rating = { k = [10] }", "", "mine.toml:1: running_rating: missing field `start`"),
        ("sprt = { elo0 = 5, elo1 = 5 }", "", "mine.toml:1: sprt.elo1: 5 found, more than elo0"),
        ("sprt = { elo0 = 0, elo1 = 5, beta = 0.5 }", "", "mine.toml:1: sprt.beta: 0.5 found"),
        (
            "adjudication.resign = { moves = 0, score = 5 }",
            "",
            "mine.toml:1: adjudication.resign.moves: 0 found",
        ),
        ("", "threds = 2", "mine.toml:10: entries.threds: unknown key"),
        ("", "threads = 0", "mine.toml:10: entries.threads: 0 found, 1 to 1024 expected"),
        ("", "searcher = \"ybwc\"", "mine.toml:8: entries.command: found beside a searcher"),
        (
            "",
            "protocol = \"xboard\"\nmove_time_s = 1.5",
            "mine.toml:10: entries.protocol: xboard with a part of a second",
        ),
        ("", "protocol = \"cecp\"", "mine.toml:10: entries.protocol: unknown value `cecp`"),
        ("", "role = \"champion\"", "mine.toml:10: entries.role: `champion` found"),
        (
            "format = \"round-robin\"",
            "role = \"opponent\"",
            "mine.toml:10: entries.role: a role found",
        ),
        ("", "engine = { null_move = false }", "mine.toml:10: entries.engine: a table found, none"),
        (
            "",
            "[[entries]]\nname = \"ours\"\ncommand = \"x\"",
            "mine.toml:11: entries.name: `ours` found twice",
        ),
        ("", "[[entries]]\nname = \"a\"", "mine.toml:11: entries.name: `a` is no engine"),
        (
            "",
            "[[entries]]\nname = \"a\"\nsearcher = \"x\"",
            "mine.toml:12: entries.searcher: there is no searcher `x`",
        ),
        (
            "",
            "[[entries]]\nname = \"a\"\nsearcher = \"ybwc\"\nengine = { nul = false }",
            "mine.toml:13: entries.engine.nul: unknown key `nul`",
        ),
        (
            "",
            "[[entries]]\nname = \"a\"\nsearcher = \"ybwc\"\nparameters = { eldest = 0 }",
            "mine.toml:13: entries.parameters.eldest: `eldest` is 0",
        ),
        (
            "",
            "[[entries]]\nname = \"a\"\nsearcher = \"sequential\"\nthreads = 2",
            "mine.toml:13: entries.threads: 2 found, 1 expected",
        ),
        (
            "",
            "[[entries]]\nname = \"a\"\nsearcher = \"jamboree\"\nengine = { root_search = \"mtd-f\" }",
            "mine.toml:12: entries.searcher: jamboree found, another searcher expected",
        ),
        (
            "",
            "[[entries]]\nname = \"a\"\nsearcher = \"ybwc\"\nengine = { iterative_deepening = false }",
            "mine.toml:13: entries.engine: iterative_deepening = false found, true expected",
        ),
        ("depth = 3", "time_factor = 2", "mine.toml:10: entries.time_factor: a factor found"),
        ("", "time_factor = 0", "mine.toml:10: entries.time_factor: 0 found"),
    ] {
        let text = format!("{before}{TWO}{after}");
        let lines_before = before.matches('\n').count();
        let error = try_resolve(&text, &PartialMatch::default(), 8).expect_err(message);
        assert!(error.starts_with(message), "{lines_before}: {text}\n{error}\n{message}");
    }
}

#[test]
fn ratings_that_are_needed_must_be_there() {
    let without = TWO.replace("rating = 2700\n", "");
    let text = format!("running_rating = {{ start = 2953 }}{without}");
    let error = try_resolve(&text, &PartialMatch::default(), 8).expect_err("no rating");
    assert!(error.starts_with("mine.toml:6: entries.rating: opponent `theirs` has no"), "{error}");
}

#[test]
fn an_opening_that_is_illegal_is_refused_with_its_line() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let epd =
        "# mine\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n8/8/8/8/8/8/8/K7 w - -\n";
    fs::write(dir.path().join("bad.epd"), epd).expect("written");
    let path = dir.path().join("mine.toml");
    fs::write(&path, format!("openings = \"bad.epd\"{TWO}")).expect("written");
    let file = TomlFile::read(&path).expect("a file");
    let error = resolve_match(Some(&file), &PartialMatch::default(), 8).expect_err("illegal");
    assert!(error.to_string().contains("bad.epd:3: black has no king"), "{error}");
}

#[test]
fn a_search_for_an_effective_speedup_needs_two_entries_and_time() {
    let said = format!("effective_speedup = true\n{TWO}");
    let first = resolved(&said).spec;
    assert!(first.effective_speedup && resolved(&first.to_toml()).spec == first);
    for (rest, what) in [
        ("depth = 5", "a fixed depth found"),
        ("by_depth = [3]", "a fixed depth found"),
        ("sprt = { elo0 = 0, elo1 = 5 }", "sprt found"),
    ] {
        let error = try_resolve(&format!("{rest}\n{said}"), &PartialMatch::default(), 2);
        let error = error.expect_err(rest);
        assert!(
            error.starts_with("mine.toml:2: effective_speedup: ") && error.contains(what),
            "{error}"
        );
    }
    let options = PartialMatch { effective_speedup: Some(true), ..PartialMatch::default() };
    let three = format!("{TWO}\n[[entries]]\nname = \"third\"\ncommand = \"x\"");
    let error = try_resolve(&three, &options, 2).expect_err("two pairings");
    assert_eq!(error, "--effective-speedup: 2 pairings found, one expected");
}

#[test]
fn a_program_that_is_a_path_is_found_from_the_file() {
    let of = |command: &str| {
        let text = format!("{TWO}\n[[entries]]\nname = \"third\"\ncommand = \"{command}\"");
        match resolved(&text).spec.entries.remove(2).engine {
            EntryEngine::Outside(spec) => spec.command.join(" "),
            EntryEngine::Own { .. } => panic!("an outside engine"),
        }
    };
    assert_eq!(of("toga2"), "toga2");
    assert_eq!(of("/bin/toga2"), "/bin/toga2");
    let found = of("builds/toga2");
    assert!(found.starts_with('/') && found.ends_with("/builds/toga2"), "{found}");
}

#[test]
fn a_pace_of_an_option_replaces_that_of_the_file() {
    let options = PartialMatch { depth: Some(9), ..PartialMatch::default() };
    let spec = try_resolve(&format!("by_depth = [3]\n{TWO}"), &options, 2).expect("good").spec;
    assert!(spec.by_depth.is_empty());
    let text = format!("nodes = 5\n{TWO}move_time_s = 0.5");
    let spec = try_resolve(&text, &options, 2).expect("good").spec;
    let paces = spec.entries.iter().map(|entry| entry.pace.expect("a pace").to_string());
    assert_eq!(paces.collect::<Vec<_>>(), ["depth 9", "0.5 s a move"], "an entry keeps its own");
}

#[test]
fn keys_of_every_engine_are_refused_if_no_engine_has_them() {
    let each = PartialEntry::of_each("option.Hash=4").expect("keys");
    let options = PartialMatch { each: Some(each), ..PartialMatch::default() };
    let ours = TWO.replace("command = [\"gnuchess\", \"-u\"]", "searcher = \"dts\"");
    let refused = try_resolve(&ours, &options, 2).expect_err("nobody has options");
    assert!(refused.starts_with("--each: options: found, none expected"), "{refused}");
    let spec = try_resolve(TWO, &options, 2).expect("one has options").spec;
    let has = |entry: &Entry| matches!(&entry.engine, EntryEngine::Outside(of) if of.options.contains_key("Hash"));
    assert_eq!(spec.entries.iter().map(has).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn terms_of_options_replace_those_of_the_file_one_by_one() {
    let draw = Draw { after: 1, moves: 2, score: 3 };
    let options = PartialMatch { draw: Some(draw), max_moves: Some(80), ..Default::default() };
    let text = "[adjudication]\nresign = { moves = 3, score = 600 }\nmax_moves = 200\n";
    let terms = try_resolve(&format!("{text}{TWO}"), &options, 2).expect("good").spec.adjudication;
    assert_eq!((terms.draw, terms.max_moves), (Some(draw), Some(80)));
    assert_eq!(terms.resign.map(|resign| resign.score), Some(600));
}

#[test]
fn keys_of_options_are_none_of_a_file() {
    for key in ["rounds = 3", "max_moves = 3", "engines = []", "each = {}", "resign = {}"] {
        let name = key.split(' ').next().expect("a name");
        let error = try_resolve(&format!("{key}\n{TWO}"), &PartialMatch::default(), 8);
        let expected = format!("mine.toml:1: {name}: unknown key `{name}`");
        assert!(error.as_ref().is_err_and(|e| e.starts_with(&expected)), "{error:?}");
    }
}

#[test]
fn a_test_has_many_games_unless_they_are_counted() {
    let games = |rest: &str| resolved(&format!("{rest}\n{TWO}")).spec.games;
    let sprt = "sprt = { elo0 = 0, elo1 = 5 }";
    assert_eq!((games(""), games(sprt)), (100, 20_000));
    assert_eq!(games(&format!("games = 4\n{sprt}")), 4);
}

#[test]
fn two_mistakes_are_told_at_once() {
    let text = format!("games = 3\nformat = \"swiss\"\n{TWO}threads = 0\n").replace("ybwc", "x");
    let error = try_resolve(&text, &PartialMatch::default(), 8).expect_err("four mistakes");
    let starts: Vec<&str> =
        error.lines().map(|line| line.split(": ").nth(1).unwrap_or("")).collect();
    assert_eq!(starts, ["games", "format", "entries.searcher", "entries.threads"], "{error}");
    let entry = "[[entries]]\nnam = \"b\"\nname = \"a/b\"\ncommand = \"x\"\nprotocol = \"xbord\"\n\
                 start_limit_s = \"soon\"\nengine = {}\ntime_factor = 0\n";
    let error = try_resolve(&format!("gmes = 4\n{TWO}{entry}"), &PartialMatch::default(), 8);
    let expected = [
        "gmes: unknown key `gmes`: did you mean `games`?",
        "entries.nam: unknown key `nam`: did you mean `name`?",
        "entries.name: `a/b` found, a name without slashes, quotation marks and commas expected",
        "entries.protocol: unknown value `xbord`: did you mean `xboard`?",
        "entries.start_limit_s: invalid type: string \"soon\", expected a whole number from 0 to \
         4294967295",
        "entries.engine: a table found, none expected: it is for our own engine (an outside engine \
         has options)",
        "entries.time_factor: 0 found, 0.001 to 1000 expected",
    ];
    let told = error.expect_err("seven mistakes");
    let told: Vec<&str> = told.lines().filter_map(|line| Some(line.split_once(": ")?.1)).collect();
    assert_eq!(told, expected);
    let options = PartialMatch { nodes: Some(0), ..PartialMatch::default() };
    let error = try_resolve(TWO, &options, 8).expect_err("no nodes");
    assert_eq!(
        error, "--nodes: 0 found, 1 or more expected",
        "both entries have it, it is told once"
    );
}

#[test]
fn two_matches_without_a_file_have_two_names() {
    let name = |games, nodes| {
        let entries = Some(vec![
            PartialEntry {
                name: Some("a".into()),
                searcher: Some("ybwc".into()),
                ..Default::default()
            },
            PartialEntry {
                name: Some("b".into()),
                searcher: Some("dts".into()),
                ..Default::default()
            },
        ]);
        let options = PartialMatch { entries, nodes, games, ..PartialMatch::default() };
        resolve_match(None, &options, 8).expect("good").spec.name
    };
    assert_eq!(name(Some(2), Some(5)), name(Some(4), Some(5)), "a longer match goes on");
    assert_ne!(name(Some(2), Some(5)), name(Some(2), Some(6)));
}

#[test]
fn entries_name_those_that_they_play() {
    let text = |names: &str| {
        format!(
            "format = \"named\"\n[[entries]]\nname = \"one\"\nsearcher = \"ybwc\"\n\
             [[entries]]\nname = \"two\"\nsearcher = \"ybwc\"\nthreads = 2\nagainst = {names}\n\
             [[entries]]\nname = \"three\"\nsearcher = \"ybwc\"\nthreads = 3"
        )
    };
    let first = resolved(&text("[\"one\", \"three\"]")).spec;
    assert_eq!(first.pairings(), [(1, 0), (1, 2)]);
    assert_eq!(resolved(&first.to_toml()).spec, first);
    for (names, what) in [
        ("[\"two\"]", "entries.against: `two` found, the name of another entry expected"),
        ("[\"four\"]", "entries.against: `four` found, the name of another entry expected"),
        ("[]", "expected at least one with against = [\"NAME\"]"),
    ] {
        let error = refused(&text(names));
        assert!(error.contains(what), "{error}");
    }
    let error = refused(&text("[\"one\"]").replace("named", "round-robin"));
    assert!(error.contains("they are for format = \"named\""), "{error}");
}
