//! Moves judged by another engine, and times at equal quality.

use crate::common::{Called, Place};

const SWEEP: &str = "run --cores virtual --threads 1,4 --depth 6 --only 1,2,3,4,5,6 --hash 1 \
                     --searchers ybwc --runs 1";
const JUDGE: &str = "own nodes=3000";

fn judge(place: &Place, dir: &str, more: &[&str]) -> Called {
    place.call_with(&[&["quality", dir, "--judge", JUDGE], more].concat())
}

#[test]
fn an_engine_judges_all_moves_of_a_position_and_goes_on_where_it_stopped() {
    let place = Place::new();
    place.call(&format!("{SWEEP} --out a")).exits(0);
    let called = judge(&place, "a", &[]).exits(0);
    assert!(called.out.contains("this program's own engine"), "{}", called.out);
    let whole = place.read("a/judged.csv");
    assert_eq!(whole.lines().count(), 7, "{whole}");
    assert!(whole.starts_with("judge,nodes,position,fen,depth,values\nttd "), "{whole}");
    // Nothing is left to judge.
    let out = judge(&place, "a", &[]).exits(0).out;
    assert_eq!((out, place.read("a/judged.csv")), (called.out, whole.clone()));
    // It was killed while it wrote the third row.
    let third = whole.match_indices('\n').nth(2).expect("a line").0;
    place.write("a/judged.csv", &whole[..third + 20]);
    judge(&place, "a", &["--jobs", "2"]).exits(0).says("the last line is torn, and is cut off");
    assert_eq!(place.read("a/judged.csv"), whole);
    // A report shows what was judged.
    place.call("report a").exits(0);
    assert!(place.read("a/report.md").contains("## Equal quality"));
    assert_eq!(place.read("a/assay.csv").lines().count(), 2);
    let plan = place.call("quality a --plan 25%").exits(0).out;
    let head: Vec<&str> = plan.lines().next().unwrap_or_default().split_whitespace().collect();
    assert_eq!(head, ["searcher", "threads", "positions", "width", "wanted", "needed"], "{plan}");
}

#[test]
fn a_move_that_is_found_later_has_its_position_judged_anew() {
    let place = Place::new();
    place.call(&format!("{SWEEP} --out a")).exits(0);
    judge(&place, "a", &[]).exits(0);
    let whole = place.read("a/judged.csv");
    let last = whole.lines().last().expect("a row");
    let (head, values) = last.rsplit_once(',').expect("fields");
    // As if one move were known only, which nobody found here.
    let other = if values.contains("a2a3:") { "h2h3" } else { "a2a3" };
    let fen = head.split(',').nth(3).expect("a position");
    let is_white = fen.contains(" w ");
    let other = if is_white { other.to_owned() } else { other.replace('2', "7").replace('3', "6") };
    place.write("a/judged.csv", &whole.replace(last, &format!("{head},{other}:9")));
    judge(&place, "a", &[]).exits(0);
    let again = place.read("a/judged.csv");
    let row = again.lines().last().expect("a row");
    assert_eq!(again.lines().count(), 8, "{again}");
    let moves = |row: &str| -> Vec<String> {
        let values = row.rsplit(',').next().unwrap_or_default();
        values.split(' ').filter_map(|of| Some(of.split_once(':')?.0.to_owned())).collect()
    };
    let expected: Vec<String> = moves(last).into_iter().filter(|mv| *mv != other).collect();
    assert!(expected.iter().all(|mv| moves(row).contains(mv)), "{row}");
}

#[test]
fn values_of_another_directory_are_used_again() {
    let place = Place::new();
    place.call(&format!("{SWEEP} --out a")).exits(0);
    place.call(&format!("{SWEEP} --out b")).exits(0);
    judge(&place, "a", &[]).exits(0);
    // A value that no search would give.
    let marked = place.read("a/judged.csv").replacen(':', ":7", 1);
    place.write("a/judged.csv", &marked);
    judge(&place, "b", &["--judged", "a"]).exits(0);
    assert_eq!(place.read("b/judged.csv"), marked);
    judge(&place, "b", &["--judged", "c"]).exits(1).says("c/judged.csv");
    // Another number of nodes is another judge.
    let other = ["quality", "b", "--judge", "own nodes=2000", "--judged", "a"];
    place.call_with(&other).exits(0);
    assert_eq!(place.read("b/judged.csv").lines().count(), 13);
}

#[test]
fn a_run_is_judged_at_its_end() {
    let place = Place::new();
    let words: Vec<&str> = SWEEP.split_whitespace().collect();
    let call =
        |judge: &str| place.call_with(&[&words[..], &["--out", "a", "--quality", judge]].concat());
    call("no-such-engine").exits(2).says("--quality: the judge `no-such-engine`");
    assert!(!place.path("a/samples.csv").exists(), "nothing is measured before");
    call(JUDGE).exits(0);
    assert_eq!(place.read("a/judged.csv").lines().count(), 7);
    assert!(place.read("a/report.md").contains("## Equal quality"));
}

#[test]
fn judges_that_cannot_judge_are_refused() {
    let place = Place::new();
    place.call(&format!("{SWEEP} --out a")).exits(0);
    let script = |name: &str, option: &str, answer: &str| {
        let text = format!(
            "while read -r line; do case \"$line\" in\nuci) echo id name Mute 1; {option} echo uciok ;;\n\
             isready) echo readyok ;;\ngo*) mv=${{line##*searchmoves }}; {answer} ;;\nesac; done\n"
        );
        place.write(name, &text);
    };
    let lines = "echo option name MultiPV type spin default 1 min 1 max 500;";
    script("none.sh", "", "echo bestmove ${mv%% *}");
    script("mute.sh", lines, "echo bestmove ${mv%% *}");
    script("dead.sh", lines, "exit 3");
    let call = |judge: &str| place.call_with(&["quality", "a", "--judge", judge]).exits(2);
    call("no-such-engine").says("--judge: the judge `no-such-engine`: ").says("no such program");
    call("sh none.sh").says("the judge `sh`: it has no option MultiPV");
    call("sh mute.sh").says("in the position ").says(": it valued 0 of ");
    call("sh dead.sh").says("it ended (exit status 3)");
    call("own nodes=none").says("--judge: `nodes=none` found, nodes=N with N from 1");
    call("").says("--judge: empty");
    assert_eq!(place.read("a/judged.csv").lines().count(), 1, "nothing was valued");
    place.call("quality a --plan 25%").exits(2).says("a: no moves are judged");
    place.call("quality a --plan 25").exits(2).says("a percentage such as 3% expected");
    place.call("quality a --judge own --depth 9").exits(2).says("cannot be used with");
}

#[test]
fn the_judge_that_was_asked_last_is_shown_also_if_it_has_nothing_left_to_do() {
    let place = Place::new();
    place.call(&format!("{SWEEP} --out a")).exits(0);
    let first = judge(&place, "a", &[]).exits(0).out;
    let other = place.call_with(&["quality", "a", "--judge", "own nodes=2000"]).exits(0).out;
    assert_ne!(first, other);
    assert_eq!(judge(&place, "a", &[]).exits(0).out, first);
    assert_eq!(place.read("a/judged.csv").lines().count(), 1 + 6 + 6 + 1);
    assert_eq!(judge(&place, "a", &[]).exits(0).out, first);
    assert_eq!(place.read("a/judged.csv").lines().count(), 14);
}

/// A directory of a program that wrote down no moves of iterations.
#[test]
fn results_without_moves_on_the_way_are_judged_at_their_end() {
    let place = Place::of_first_format("experiment");
    let called = judge(&place, "out", &[]).exits(0);
    let called = called.says("have no move: an older program did not write it down");
    assert!(called.out.contains("no figure, because no moves of iterations"), "{}", called.out);
    assert!(called.out.contains("At the depth asked for its moves lose"), "{}", called.out);
}
