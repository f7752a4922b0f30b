//! The tables of files. The head of a folder with many files says in a table what each of them
//! holds.

use super::order::{CRATES, files};
use std::collections::BTreeSet;

/// The number of files from which on a folder has a table.
const MANY: usize = 5;

#[test]
fn every_file_stands_in_the_table_of_its_folder() {
    let mut wrong = Vec::new();
    for (_, src) in CRATES {
        for (path, text) in files(src).iter().filter(|(path, _)| path.ends_with("mod.rs")) {
            let (declared, told) = (declared(text), told(text));
            if declared.len() >= MANY || !told.is_empty() {
                wrong.extend(
                    differences(&declared, &told).map(|what| format!("{src}/{path}: {what}")),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_without_a_row_and_a_row_without_a_file_are_found() {
    let text = "//! | file | content |\n//! |---|---|\n//! | `a`, [`gone`] | words, `x` |\n\n\
                mod a;\npub(crate) mod b;\n#[cfg(test)]\nmod tests;";
    let found: Vec<String> = differences(&declared(text), &told(text)).collect();
    assert_eq!(found, ["no row for `b`", "no file for `gone`"]);
}

/// The modules that a file declares, without those of tests.
fn declared(text: &str) -> BTreeSet<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let name = |at: usize| {
        let (before, name) = lines[at].strip_suffix(';')?.split_once("mod ")?;
        let is_test = at > 0 && lines[at - 1].starts_with("#[cfg(");
        ((before.is_empty() || before.starts_with("pub")) && !is_test).then_some(name)
    };
    (0..lines.len()).filter_map(name).collect()
}

/// The names in the first column of the tables at the head of a file.
fn told(text: &str) -> BTreeSet<&str> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | ")?.split('|').next());
    rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

fn differences<'t>(
    declared: &BTreeSet<&'t str>,
    told: &BTreeSet<&'t str>,
) -> impl Iterator<Item = String> + use<'t> {
    let no_row = declared.difference(told).map(|name| format!("no row for `{name}`"));
    let no_file = told.difference(declared).map(|name| format!("no file for `{name}`"));
    no_row.chain(no_file).collect::<Vec<_>>().into_iter()
}
