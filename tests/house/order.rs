//! The order of modules. Each module uses only those above it in the table of its crate's `lib.rs`,
//! and no files use each other in a circle.

use super::imports::{Crate, Module};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The crates, with the directory of each crate's source.
pub(super) const CRATES: [(&str, &str); 5] = [
    ("ttd", "src"),
    ("ttd-cores", "crates/ttd-cores/src"),
    ("ttd-cores-preload", "crates/ttd-cores/preload"),
    ("ttd-search", "crates/ttd-search/src"),
    ("ttd-stats", "crates/ttd-stats/src"),
];

/// The circles that are meant. A node searches its moves, and a move is searched by its node. A
/// rule asks about split points, and split points ask the rule. A worker that searches answers
/// letters, and letters bring moves to search.
const RECURSIONS: [&[&str]; 3] = [
    &["search::node", "search::quiescence", "search::turn"],
    &["searchers::rule", "searchers::splitting"],
    &[
        "searchers::catalogue::ybwc_messages",
        "searchers::catalogue::ybwc_messages::letters",
        "searchers::catalogue::ybwc_messages::nodes",
    ],
];

type Uses = BTreeMap<Module, BTreeSet<Module>>;

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut found = Vec::new();
    for (name, src) in CRATES {
        let uses = Crate::new(&files(src)).uses();
        let circles = circles(&uses).into_iter().map(|circle| (name, circle));
        found.extend(circles.filter(|(_, circle)| !is_meant(circle)));
    }
    assert!(found.is_empty(), "files that use each other:\n{}", told(&found));
}

#[test]
fn modules_use_only_those_above_them() {
    let mut wrong = Vec::new();
    for (_, src) in CRATES {
        let files = files(src);
        let order = order(&files["lib.rs"]);
        let place = |module: &Module| order.iter().position(|name| Some(name) == module.first());
        for (module, used) in Crate::new(&files).uses() {
            let above = |other: &&Module| place(other) > place(&module);
            for other in used.iter().filter(above).filter(|_| !module.is_empty()) {
                wrong.push(format!("{src}: {} uses {}", module.join("::"), other.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "against the order of lib.rs:\n{}", wrong.join("\n"));
}

#[test]
fn every_module_stands_in_the_table() {
    for (_, src) in CRATES {
        let files = files(src);
        let order = order(&files["lib.rs"]);
        for path in files.keys().filter(|path| !["lib.rs", "main.rs"].contains(&path.as_str())) {
            let top = path.split('/').next().unwrap_or(path).trim_end_matches(".rs");
            let is_named = order.iter().any(|name| name == top);
            let is_private = files["lib.rs"].contains(&format!("\nmod {top};"));
            assert!(is_named || is_private, "{src}/lib.rs does not say where {top} stands");
        }
    }
}

#[test]
fn a_planted_circle_is_found() {
    let files = |b: &str| {
        let of = [
            ("lib.rs", "pub mod a;\npub mod b;"),
            ("a/mod.rs", "mod deep;\npub use deep::Deep;"),
            ("a/deep.rs", "use crate::b::B;\npub struct Deep(B);"),
            ("b.rs", b),
        ];
        BTreeMap::from(of.map(|(path, text)| (path.to_owned(), text.to_owned())))
    };
    let found = |b: &str| {
        let circles = circles(&Crate::new(&files(b)).uses());
        circles.iter().map(words).collect::<Vec<_>>()
    };
    // The file `b` uses `a` by a name that is handed on, by a path in the code, or by an imported
    // module.
    for b in [
        "use crate::a::Deep;\npub struct B(Deep);",
        "pub struct B(Box<crate::a::Deep>);",
        "use super::a;\npub struct B(a::Deep);",
        "use crate::a::{self as c};\npub struct B(c::Deep);",
    ] {
        assert_eq!(found(b), [["a::deep", "b"]], "{b}");
    }
    for b in [
        "pub struct B;",
        "pub struct B; // crate::a::Deep",
        "pub(in crate::a::deep) struct B;",
        "pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::Deep;\n}",
    ] {
        assert!(found(b).is_empty(), "{b}");
    }
}

/// The files below a directory, by their paths in it.
pub(super) fn files(src: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(src);
    let mut all = BTreeMap::new();
    let mut left = vec![root.clone()];
    while let Some(dir) = left.pop() {
        for entry in fs::read_dir(&dir).expect("a directory of the source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root).expect("it is below").display().to_string();
                all.insert(name, fs::read_to_string(&path).expect("a source file"));
            }
        }
    }
    all
}

/// The modules in the order of the table of `lib.rs`: its rows begin with their names.
fn order(lib: &str) -> Vec<String> {
    let names = |line: &str| {
        let cell = line.strip_prefix("//! | ")?.split(" | ").next()?;
        Some(cell.split(", ").filter_map(name).collect::<Vec<_>>())
    };
    lib.lines().filter_map(names).flatten().collect()
}

fn name(cell: &str) -> Option<String> {
    Some(cell.trim().strip_prefix("[`")?.strip_suffix("`]")?.to_owned())
}

/// Groups of modules in which every module can be reached from every other one.
fn circles(uses: &Uses) -> Vec<BTreeSet<Module>> {
    let reach = |from: &Module| {
        let mut seen = BTreeSet::new();
        let mut left: Vec<&Module> = uses[from].iter().collect();
        while let Some(module) = left.pop() {
            if seen.insert(module.clone()) {
                left.extend(uses.get(module).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> = uses.keys().map(|m| (m, reach(m))).collect();
    let circle = |module: &Module| {
        let back = |other: &&Module| reached.get(other).is_some_and(|of| of.contains(module));
        reached[module].iter().filter(back).cloned().collect::<BTreeSet<_>>()
    };
    let all: BTreeSet<BTreeSet<Module>> = uses.keys().map(circle).collect();
    all.into_iter().filter(|circle| !circle.is_empty()).collect()
}

fn words(circle: &BTreeSet<Module>) -> Vec<String> {
    circle.iter().map(|module| module.join("::")).collect()
}

fn told(found: &[(&str, BTreeSet<Module>)]) -> String {
    let line =
        |(name, circle): &(&str, BTreeSet<Module>)| format!("{name}: {}", words(circle).join(", "));
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn is_meant(circle: &BTreeSet<Module>) -> bool {
    RECURSIONS.iter().any(|meant| words(circle) == *meant)
}
