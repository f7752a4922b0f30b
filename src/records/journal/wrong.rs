//! The errors of a row or a header, in words that name the column.

use crate::records::column::Column;
use crate::records::row::Row;
use csv::{ByteRecord, StringRecord};

/// Reads a record as a row with one field for each of the columns; else returns the error. `next`
/// is the number of the line after it.
pub(super) fn parsed<R: Row>(
    record: &ByteRecord,
    columns: &[Column<R>],
    next: u64,
) -> Result<R, String> {
    if record.iter().any(|field| field.contains(&b'\n')) {
        return Err(format!(
            "a quotation mark is not closed: all up to line {} is one row",
            next - 1
        ));
    }
    let text = StringRecord::from_byte_record(record.clone());
    let text = text.map_err(|error| {
        let at = error.utf8_error().field();
        columns.get(at).map_or_else(
            || "it is not UTF-8 text".to_owned(),
            |column| format!("column `{}` is not UTF-8 text", column.name),
        )
    })?;
    let fields: Vec<&str> = text.iter().collect();
    let (found, expected) = (fields.len(), columns.len());
    if found != expected {
        let where_it_ends = columns.get(found).map_or_else(
            || "the last of them have no column".to_owned(),
            |column| format!("there is nothing in column `{}`", column.name),
        );
        return Err(format!("{found} fields where {expected} were expected: {where_it_ends}"));
    }
    R::read(columns, &fields).map_err(|at| {
        let Column { name, expected, .. } = &columns[at];
        format!("column `{name}` holds {}, {expected}", quoted(fields[at]))
    })
}

/// The number of characters of a field that a message quotes.
const TOLD: usize = 40;

/// A field of a file as a message quotes it. A terminal or a page would obey some characters: these
/// are escaped. A long field is cut.
pub fn quoted(field: &str) -> String {
    let mut told: String = field.chars().take(TOLD).flat_map(char::escape_debug).collect();
    told = told.replace("\\'", "'").replace("\\\"", "\"").replace('`', "'");
    let more = if field.chars().count() > TOLD { "…" } else { "" };
    format!("`{told}{more}`")
}

/// The first difference between a header and the expected columns, in words.
pub(super) fn header(record: &ByteRecord, columns: &[&str]) -> String {
    let fields: Vec<_> = record.iter().map(String::from_utf8_lossy).collect();
    let differ = |at: &usize| fields.get(*at).map(AsRef::as_ref) != columns.get(*at).copied();
    let at = (0..=fields.len()).find(differ).unwrap_or(0);
    let what = match (fields.get(at), columns.get(at)) {
        (Some(found), Some(expected)) => format!("is {}, `{expected}` expected", quoted(found)),
        (Some(found), None) => format!("is {}, none expected", quoted(found)),
        (None, Some(expected)) => format!("is missing, `{expected}` expected"),
        (None, None) => "is not as expected".to_owned(),
    };
    format!("the header is not that of such a file: column {} {what}", at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Sample;

    fn found(fields: &[(&str, &str)]) -> String {
        let columns = Sample::layout();
        let mut row: Vec<&str> = columns.iter().map(|_| "0").collect();
        for (column, field) in [("status", "ok"), ("searcher", "ybwc")].iter().chain(fields) {
            row[columns.iter().position(|of| of.name == *column).expect("a column")] = field;
        }
        parsed::<Sample>(&ByteRecord::from(row), &columns, 3).err().unwrap_or_default()
    }

    #[test]
    fn a_column_is_named() {
        assert_eq!(found(&[]), "");
        for (wrong, words) in [
            (&[("status", "fine")][..], "column `status` holds `fine`"),
            (
                &[("time_s", "-1.5")],
                "column `time_s` holds `-1.5`, a time in seconds expected, such as",
            ),
            (&[("time_s", "NaN")], "column `time_s` holds `NaN`, a time"),
            (&[("table_fill", "NaN")], "column `table_fill` holds `NaN`"),
            (&[("table_fill", "-0.5")], "column `table_fill` holds `-0.5`"),
            (&[("nodes", "-4")], "column `nodes` holds `-4`"),
            (&[("nodes", "many"), ("score", "x")], "column `nodes` holds `many`"),
            (&[("status", "fine"), ("peak_mib", "x")], "column `status` holds `fine`"),
            (&[("search_s", "inf"), ("splits_pv", "1.5")], "column `search_s` holds `inf`"),
        ] {
            let what = found(wrong);
            assert!(what.starts_with(words), "{wrong:?}: {what}");
        }
    }

    #[test]
    fn fields_are_quoted_as_text() {
        assert_eq!(quoted("ybwc"), "`ybwc`");
        assert_eq!(quoted("it's \"é\""), "`it's \"é\"`");
        assert_eq!(quoted("a\u{1b}[31m\0`"), "`a\\u{1b}[31m\\0'`");
        assert_eq!(quoted(&"x".repeat(41)), format!("`{}…`", "x".repeat(40)));
    }

    #[test]
    fn rows_have_as_many_fields_as_there_are_columns() {
        let columns = Sample::layout();
        let of = |n: usize| {
            let record = ByteRecord::from(vec!["0"; n]);
            parsed::<Sample>(&record, &columns, 3).expect_err("refused")
        };
        let all = columns.len();
        let few =
            format!("3 fields where {all} were expected: there is nothing in column `threads`");
        assert_eq!(of(3), few);
        assert!(of(all + 1).ends_with("the last of them have no column"));
        let record = ByteRecord::from(vec![&b"0"[..], &b"\xff"[..]]);
        let what = parsed::<Sample>(&record, &columns, 3).expect_err("refused");
        assert_eq!(what, "column `order` is not UTF-8 text");
        let record = ByteRecord::from(vec!["0", "1\n2"]);
        let what = parsed::<Sample>(&record, &columns, 9).expect_err("refused");
        assert_eq!(what, "a quotation mark is not closed: all up to line 8 is one row");
    }

    #[test]
    fn a_header_is_wrong_somewhere() {
        let columns = ["a", "b"];
        for (fields, words) in [
            (&["a", "c"][..], "column 2 is `c`, `b` expected"),
            (&["a"], "column 2 is missing, `b` expected"),
            (&["a", "b", "c"], "column 3 is `c`, none expected"),
        ] {
            let said = header(&ByteRecord::from(fields.to_vec()), &columns);
            assert!(said.ends_with(words), "{said}");
        }
    }
}
