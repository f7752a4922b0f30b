//! For tests: the tables of pages that are written from lists.

use std::sync::Mutex;
use std::{env, fs};

/// The variable that makes tests write missing text into the pages instead of failing. Any value
/// will do.
const WRITE: &str = "TTD_WRITE_PAGES";

/// One test at a time reads and writes pages.
static PAGES: Mutex<()> = Mutex::new(());

/// A heading, and the table that stands below it.
pub(crate) type Part = (&'static str, String);

/// A page of `docs/`. If pages are to be written, it first gets the sections that it lacks, at its
/// end: their headings and their texts.
pub(crate) fn with_sections(
    name: &str,
    sections: impl Iterator<Item = (String, String)>,
) -> String {
    let _alone = PAGES.lock();
    let path = format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut page = fs::read_to_string(&path).expect("a page");
    if env::var_os(WRITE).is_some() {
        for (heading, text) in sections {
            if !page.lines().any(|line| line == heading) {
                page.extend(["\n", &heading, "\n\n", &text]);
            }
        }
        fs::write(&path, &page).expect("written");
    }
    page
}

/// Checks that a page of `docs/` has each of these tables below its heading, or writes them there.
pub(crate) fn hold(name: &str, parts: &[Part]) {
    let _alone = PAGES.lock();
    let path = format!("{}/docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(&path).expect("a page");
    for (heading, _) in parts {
        let is_one = |line: &&str| line.trim_start_matches('#').trim() == *heading;
        let headings = page.lines().filter(|line| line.starts_with('#'));
        assert_eq!(headings.filter(is_one).count(), 1, "{name}: {heading}");
    }
    let whole = with(&page, parts);
    let is_written = env::var_os(WRITE).is_some();
    if is_written {
        fs::write(&path, &whole).expect("written");
    }
    for (heading, table) in parts {
        assert!(
            (is_written || page == whole) && whole.contains(table.as_str()),
            "docs/{name}, {heading}: the table is to be as below ({WRITE}=1 writes it)\n{table}"
        );
    }
}

/// The page with each of these tables in the place of the first table below its heading that begins
/// as it does.
fn with(page: &str, parts: &[Part]) -> String {
    let mut whole = String::new();
    let mut wanted: Option<&str> = None;
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim();
            let part = parts.iter().find(|(of, _)| *of == heading);
            wanted = part.map(|(_, table)| table.as_str());
        }
        if let Some(table) = wanted.filter(|table| table.lines().next() == Some(line)) {
            whole.push_str(table);
            while lines.next_if(|line| line.starts_with('|')).is_some() {}
            wanted = None;
        } else {
            whole.push_str(line);
            whole.push('\n');
        }
    }
    whole
}
