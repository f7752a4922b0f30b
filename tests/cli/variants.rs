//! Sweeps over variants of our own engine.

use crate::common::{Called, Place};
use std::collections::HashMap;

const EXPERIMENT: &str = "\
positions = \"bratko-kopec\"
only = [\"1\", \"2\"]
searchers = [\"ybwc\"]
threads = [1, 2]
depth = 5
runs = 2
hash_mib = 4
cores = \"virtual\"

[engine]
killers = false

[[variants]]
name = \"no-null-move\"
searcher = \"ybwc\"
engine = { null_move = false }
parameters = { min_depth = 3 }

[[variants]]
name = \"plain\"
searcher = \"sequential\"
engine = { preset = \"plain\" }
";

fn rows(place: &Place, file: &str) -> Vec<HashMap<String, String>> {
    let text = place.read(file);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

fn run(place: &Place, options: &str) -> Called {
    place.write("e.toml", EXPERIMENT);
    place.call(&format!("run e.toml {options}"))
}

#[test]
fn variants_are_measured_in_the_same_sweep() {
    let place = Place::new();
    let called = run(&place, "--out out").exits(0);
    let called = called.says("variant     no-null-move: ybwc, killers.enabled = false, null_move.enabled = false, min_depth = 3\n");
    called.says("reference   ybwc\n");
    let samples = rows(&place, "out/samples.csv");
    assert_eq!(samples.len(), (2 + 2 + 1) * 2 * 2);
    let nodes = |name: &str, threads: &str| -> Vec<String> {
        let of = samples.iter().filter(|s| s["searcher"] == name && s["threads"] == threads);
        let mut nodes: Vec<String> =
            of.map(|s| format!("{} {} {}", s["position"], s["round"], s["nodes"])).collect();
        nodes.sort();
        nodes
    };
    assert_eq!((nodes("ybwc", "1").len(), nodes("no-null-move", "2").len()), (4, 4));
    assert_ne!(nodes("ybwc", "1"), nodes("no-null-move", "1"));
    assert!(nodes("plain", "2").is_empty(), "sequential has one thread");
    // These settings give equal trees as an experiment of their own: nothing is left of the other
    // variants.
    let alone = EXPERIMENT.split("[engine]").next().expect("the beginning");
    place.write("alone.toml", &format!("{alone}[engine]\nkillers = false\nnull_move = false\n"));
    place.call("run alone.toml --out alone --threads 1").exits(0);
    let of_alone = rows(&place, "alone/samples.csv");
    let total = |samples: &[HashMap<String, String>], name: &str| {
        let of = samples.iter().filter(|s| s["searcher"] == name && s["threads"] == "1");
        of.map(|s| s["nodes"].parse::<u64>().expect("a number")).sum::<u64>()
    };
    assert_eq!(total(&of_alone, "ybwc"), total(&samples, "no-null-move"));
    let variants = rows(&place, "out/variants.csv");
    assert_eq!(variants.len(), 5);
    let of = |name: &str| variants.iter().find(|row| row["searcher"] == name).expect("a row");
    assert!(of("ybwc")["time_ratio"].is_empty() && !of("ybwc")["branching_factor"].is_empty());
    assert_eq!((of("plain")["reference"].as_str(), of("plain")["asked"].as_str()), ("ybwc", "2"));
    assert!(of("plain")["nodes_ratio"].parse::<f64>().is_ok_and(|ratio| ratio > 0.0));
}

#[test]
fn what_was_resolved_is_the_same_experiment_with_any_jobs() {
    let place = Place::new();
    run(&place, "--out out --jobs 2").exits(0);
    let written = place.read("out/experiment.toml");
    let variant = written.split("[[variants]]").nth(1).expect("a variant");
    for line in [
        "name = \"no-null-move\"",
        "eldest = 2",
        "min_depth = 3",
        "engine.killers]\nenabled = false",
    ] {
        assert!(variant.contains(line), "{line}: {variant}");
    }
    assert!(written.contains("reference = \"ybwc\"\n"));
    place.call("run out/experiment.toml --out out").exits(0).says("all done already");
    place.call("run out/experiment.toml --out again").exits(0);
    assert_eq!(place.read("out/samples.csv"), place.read("again/samples.csv"));
    // The run was interrupted after seven samples, and goes on.
    let samples = place.read("out/samples.csv");
    let begun: String = samples.split_inclusive('\n').take(8).collect();
    place.write("out/samples.csv", &begun);
    place.call("run e.toml --out out").exits(0).says("of which 7 are done already");
    assert_eq!(place.read("out/samples.csv"), samples);
    // Another setting makes another experiment.
    place.write("e.toml", &EXPERIMENT.replace("min_depth = 3", "min_depth = 5"));
    let message = "(variants.no-null-move.parameters.min_depth: 3 there, 5 here)";
    place.call("run e.toml --out out").exits(2).says(message);
    let called = place.call("run e.toml --out out --dry-run --fresh").exits(0);
    assert!(called.out.contains(",no-null-move,2,"), "{}", called.out);
}

#[test]
fn moves_of_variants_are_judged() {
    let place = Place::new();
    run(&place, "--out out").exits(0);
    let called = place.call("quality out --depth 6").exits(0);
    assert!(called.out.contains("no-null-move"), "{}", called.out);
}

#[test]
fn what_cannot_be_is_refused_where_it_is_said() {
    let place = Place::new();
    for (text, message) in [
        ("[[variants]]\nsearcher = \"ybwc\"\n", "e.toml:3: variants.name: missing"),
        (
            "[[variants]]\nname = \"a\"\n",
            "e.toml:3: variants.searcher: missing: expected one, such as ybwc",
        ),
        (
            "[[variants]]\nname = \"a\"\nsearcher = \"ybw\"\n",
            "e.toml:5: variants.searcher: there is no searcher `ybw`",
        ),
        (
            "[[variants]]\nname = \"dts\"\nsearcher = \"ybwc\"\n",
            "e.toml:4: variants.name: `dts` found: expected a name that no other competitor has",
        ),
        (
            "[[variants]]\nname = \"a/b\"\nsearcher = \"ybwc\"\n",
            "e.toml:4: variants.name: `a/b` found, a name without slashes",
        ),
        (
            "[[variants]]\nname = \"a\"\nsearcher = \"ybwc\"\n\
             [[variants]]\nname = \"a\"\nsearcher = \"dts\"\n",
            "e.toml:4: variants.name: `a` found: expected a name that no other competitor has",
        ),
        (
            "[[variants]]\nname = \"a\"\nsearcher = \"ybwc\"\nsearchers = 1\n",
            "e.toml:6: variants.searchers: unknown key",
        ),
        (
            "[[variants]]\nname = \"a\"\nsearcher = \"ybwc\"\n\
             [[variants]]\nname = \"b\"\nsearcher = \"dts\"\n[variants.engine]\nnul_move = false\n",
            "e.toml:10: variants.engine.nul_move: unknown key `nul_move`",
        ),
        (
            "[[variants]]\nname = \"a\"\nsearcher = \"ybwc\"\nengine = { alpha_beta = false, null_move = true }\n",
            "e.toml:6: variants.engine.null_move: `null_move` is on, off expected: alpha_beta = false is minimax",
        ),
        (
            "[[variants]]\nname = \"a\"\nsearcher = \"ybwc\"\nparameters = { eldest = 0 }\n",
            "e.toml:6: variants.parameters.eldest: `eldest` is 0: 1 to 218 expected",
        ),
        (
            "[[variants]]\nname = \"a\"\nsearcher = \"ybwc\"\nparameters = { sequential = true }\n",
            "e.toml:6: variants.parameters.sequential: true found, false expected",
        ),
        (
            "[[variants]]\nname = \"a\"\nsearcher = \"sequential\"\nparameters = { eldest = 2 }\n",
            "e.toml:6: variants.parameters.eldest: `eldest` found, none expected",
        ),
        (
            "[[variants]]\nname = \"a\"\nsearcher = \"pv-splitting\"\nengine = { root_search = \"mtd-f\" }\n",
            "e.toml:5: variants.searcher: pv-splitting found, another searcher expected with root_search",
        ),
        (
            "searchers = [\"jamboree\"]\n[engine]\nprincipal_variation_search = false\n",
            "e.toml:3: searchers: jamboree found, another searcher expected without principal_variation_search",
        ),
        ("reference = \"ybwc\"\n", "e.toml:3: reference: `ybwc` found, none expected"),
        (
            "reference = \"b\"\n[[variants]]\nname = \"a\"\nsearcher = \"ybwc\"\n",
            "e.toml:3: reference: `b` found, one of a expected",
        ),
        (
            "searchers = [\"sequential\"]\nbase = \"sequential\"\n\
             [[variants]]\nname = \"a\"\nsearcher = \"ybwc\"\n",
            "e.toml:4: base: sequential found, same-searcher expected: a variant is compared",
        ),
    ] {
        place.write("e.toml", &format!("threads = [1, 2]\ncores = \"virtual\"\n{text}"));
        place.call("run e.toml --out out").exits(2).says(message);
        assert!(!place.path("out").exists());
    }
}

/// Charts of several competitors leave out many variants. In a sweep of variants alone these charts
/// are not drawn.
#[test]
fn variants_alone_have_no_empty_charts() {
    let place = Place::new();
    let variant = |i: u32| {
        format!("{{ name = 'v{i}', searcher = 'ybwc', engine.null_move.reduction = {i} }}")
    };
    let variants: Vec<String> = (1..=9).map(variant).collect();
    let experiment = format!("searchers = []\nvariants = [{}]\n", variants.join(", "));
    place.write("alone.toml", &experiment);
    let call =
        "run alone.toml --cores virtual --only 2,3 --threads 1,2 --depth 4 --hash 1 --runs 2";
    place.call(&format!("{call} --out out")).exits(0);
    let report = place.read("out/report.md");
    assert!(report.contains("v9") && !report.contains("no sample reached"), "{report}");
    for chart in ["speedup", "efficiency", "deviations", "times", "work-span"] {
        assert!(!report.contains(&format!("charts/{chart}.svg")), "{chart}: {report}");
    }
}
