//! From a match of our own engine to a table of weights.

use crate::common::Place;

#[test]
fn games_of_a_match_become_a_table_of_weights() {
    let place = Place::new();
    place.write(
        "games.toml",
        "games = 40\ndepth = 2\nhash_mib = 1\nadjudication = { max_moves = 30 }\n\
         [[entries]]\nname = \"a\"\nsearcher = \"sequential\"\n\
         [[entries]]\nname = \"b\"\nsearcher = \"sequential\"\nengine = { evaluation = \"material\" }\n",
    );
    place.call("match games.toml --out games").exits(0);
    let tune = "tune games/games.pgn --positions 3 --spreads 0.1,10 --out table.rs";
    let called = place.call(tune).exits(0).says("ttd: 40 games of games/games.pgn\n");
    let rows: Vec<&str> = called.out.lines().collect();
    assert!(rows[0].starts_with("weights ") && rows[1].starts_with("before"), "{}", called.out);
    assert!(
        rows[2].starts_with("spread 0.1") && rows[3].starts_with("spread 10"),
        "{}",
        called.out
    );
    assert_eq!(rows.iter().filter(|row| row.contains(", taken ")).count(), 1, "{}", called.out);
    assert!(called.out.contains(" games; held out "), "{}", called.out);
    // That report stands in the table, too.
    let table = place.read("table.rs");
    assert!(rows.iter().all(|row| table.contains(&format!("//! {row}\n"))), "{table}");
    assert!(table.contains("WEIGHTS: Weights = Weights {\n    material: [\n"), "{table}");
    let again = place.call(&format!("{tune} --jobs 1")).exits(0);
    assert_eq!((again.out, place.read("table.rs")), (called.out, table), "by the seed");
}

#[test]
fn too_few_games_are_refused() {
    let place = Place::new();
    place.write("one.pgn", "1. e4 e5 2. Nf3 Nc6 1-0\n");
    place.call("tune one.pgn").exits(2).says("too few games: 1, with ");
}
