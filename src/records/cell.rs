//! A text as a cell of a table that a spreadsheet may open.
//!
//! Spreadsheets compute a cell that begins with `=`, `+`, `-` or `@`, so that a table from a
//! stranger could run commands. Such a text gets a quotation mark in front, which spreadsheets take
//! for "this is a text". Numbers stay as they are.

use std::borrow::Cow;

/// The text as it is written in a file.
pub(crate) fn written(text: &str) -> Cow<'_, str> {
    if is_computed(text) { format!("'{text}").into() } else { text.into() }
}

/// The text that was written so.
pub(crate) fn read(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if is_computed(text) => text,
        _ => cell,
    }
}

/// Whether a spreadsheet would compute it; quotation marks in front are part of the text.
fn is_computed(text: &str) -> bool {
    let bare = text.trim_start_matches('\'');
    bare.starts_with(['=', '+', '-', '@', '\t', '\r']) && bare.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_computed_is_marked_and_read_back() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-x", "'-x"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("'=1", "''=1"),
            ("-31", "-31"),
            ("'-31", "'-31"),
            ("+0.5", "+0.5"),
            ("BK.01", "BK.01"),
            ("cp -31", "cp -31"),
            ("it's", "it's"),
            ("", ""),
        ] {
            assert_eq!(written(text), cell);
            assert_eq!(read(cell), text);
        }
    }
}
