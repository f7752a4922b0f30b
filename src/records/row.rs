//! A row of a file. Its columns are one list, from which header, fields, reading and the table of a
//! page come.

use super::column::Column;
use std::fmt::Write as _;

/// A row of a file that a run appends to. Reading fills the fields of a default row.
pub trait Row: Default + 'static {
    /// The name of the file.
    const FILE: &'static str;
    /// The file whose rows these are parts of; none if they are no parts.
    const PART_OF: Option<&'static str> = None;

    /// The columns, in any order of additions: [`Row::layout`] puts later additions behind earlier
    /// ones.
    fn list() -> Vec<Column<Self>>;

    /// The columns, in the order of the file.
    fn layout() -> Vec<Column<Self>> {
        let mut list = Self::list();
        list.sort_by_key(|column| column.added);
        list
    }

    /// The header.
    fn columns() -> Vec<String> {
        Self::layout().into_iter().map(|column| column.name).collect()
    }

    /// The fields, in the order of the header.
    fn values(&self) -> Vec<String> {
        Self::layout().iter().map(|column| column.write(self)).collect()
    }

    /// The reason why no file can hold such a row, although each of its fields can be read; none
    /// for a possible one.
    fn impossible(&self) -> Option<String> {
        None
    }

    /// Reads the fields of these columns.
    ///
    /// # Errors
    /// The index of a column whose field has a wrong value.
    fn read(columns: &[Column<Self>], fields: &[&str]) -> Result<Self, usize> {
        let all = || columns.iter().zip(fields).enumerate();
        let mut row = Self::default();
        for (at, (column, field)) in all() {
            if column.group.is_some() && field.is_empty() {
                let others = all().filter(|(_, (other, _))| other.group == column.group);
                if others.into_iter().any(|(_, (_, field))| !field.is_empty()) {
                    return Err(at);
                }
            } else {
                column.read(&mut row, field).ok_or(at)?;
            }
        }
        Ok(row)
    }

    /// The table of the columns for a page. Neighbours with equal meanings share a line.
    fn page() -> String {
        let mut text = "| column | meaning |\n|---|---|\n".to_owned();
        for same in Self::layout().chunk_by(|a, b| a.meaning == b.meaning) {
            let names: Vec<String> = same.iter().map(|of| format!("`{}`", of.name)).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {} | {} |", names.join(", "), same[0].meaning);
        }
        text
    }
}
