//! The tables of the pages against the lists of columns and charts: each has one text in both.

use super::super::pages;
use crate::records::pages::hold;

#[test]
fn columns_and_charts_are_documented() {
    for (name, parts) in ["formats-derived.md", "matches.md"].into_iter().zip(pages()) {
        hold(name, &parts);
    }
}
