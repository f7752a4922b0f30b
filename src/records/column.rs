//! A column of a file: its name, its meaning, and how a row's field is written and read.

use super::cell;
use ttd_search::cores::Time;

/// A type of value that a field of a file can hold.
pub trait Field: Sized {
    /// The words for an error, if a field holds anything else.
    const EXPECTED: &'static str;
    /// The text of the value in the file.
    fn text(&self) -> String;
    /// Reads the value back; none if the text is not such a value.
    fn read(text: &str) -> Option<Self>;
}

macro_rules! fields {
    ($($type:ty: $expected:literal;)*) => { $(
        impl Field for $type {
            const EXPECTED: &'static str = $expected;

            fn text(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Option<$type> {
                text.parse().ok()
            }
        }
    )* };
}

fields! {
    u8: "a possible whole number expected";
    u32: "a possible whole number expected";
    u64: "a possible whole number expected";
    usize: "a possible whole number expected";
    i32: "a possible whole number expected";
    f64: "a number expected";
    Time: "a time in seconds expected, such as 1.25";
}

/// No spreadsheet computes the field.
impl Field for String {
    const EXPECTED: &'static str = "a text expected";

    fn text(&self) -> String {
        cell::written(self).into_owned()
    }

    fn read(text: &str) -> Option<String> {
        Some(cell::read(text).to_owned())
    }
}

/// None is a blank field.
impl<F: Field> Field for Option<F> {
    const EXPECTED: &'static str = F::EXPECTED;

    fn text(&self) -> String {
        self.as_ref().map(F::text).unwrap_or_default()
    }

    fn read(text: &str) -> Option<Option<F>> {
        if text.is_empty() { Some(None) } else { F::read(text).map(Some) }
    }
}

type Write<R> = Box<dyn Fn(&R) -> String>;
type Read<R> = Box<dyn Fn(&mut R, &str) -> Option<()>>;

/// A column of the rows `R`.
pub struct Column<R> {
    /// The name in the header.
    pub name: String,
    /// The meaning in words, for a page.
    pub meaning: &'static str,
    /// The number of the addition to the file with which the column came. 0: it was there from the
    /// beginning. Older files lack later additions.
    pub added: u8,
    /// The group of the column. If a file lacks one column of a group, all of them are read as
    /// blank. If a row has a blank in one, all are blank.
    pub(super) group: Option<&'static str>,
    /// The text to read where a header lacks the column; none: without the column a row is useless.
    pub(super) stand_in: Option<&'static str>,
    /// The words for an error, if a field holds anything else.
    pub(super) expected: &'static str,
    write: Write<R>,
    read: Read<R>,
}

impl<R: 'static> Column<R> {
    /// The column of a field of the row.
    pub fn new<F: Field + 'static>(
        name: impl Into<String>,
        meaning: &'static str,
        get: impl Fn(&R) -> &F + 'static,
        get_mut: impl Fn(&mut R) -> &mut F + 'static,
    ) -> Column<R> {
        let write = move |row: &R| get(row).text();
        let read = move |row: &mut R, text: &str| {
            *get_mut(row) = F::read(text)?;
            Some(())
        };
        Column::custom((name.into(), meaning), F::EXPECTED, write, read)
    }

    /// A column of a name, a meaning, the words for an error, and the two ways to write and read
    /// it.
    pub fn custom(
        (name, meaning): (String, &'static str),
        expected: &'static str,
        write: impl Fn(&R) -> String + 'static,
        read: impl Fn(&mut R, &str) -> Option<()> + 'static,
    ) -> Column<R> {
        let (write, read): (Write<R>, Read<R>) = (Box::new(write), Box::new(read));
        Column { name, meaning, added: 0, group: None, stand_in: None, expected, write, read }
    }

    /// Changes the name to one made from it.
    #[must_use]
    pub fn called(self, name: impl FnOnce(&str) -> String) -> Column<R> {
        Column { name: name(&self.name), ..self }
    }

    /// Sets the addition to the file with which the column came.
    #[must_use]
    pub fn added(self, added: u8) -> Column<R> {
        Column { added, ..self }
    }

    /// Sets the text to read where a header lacks the column.
    #[must_use]
    pub fn or(self, stand_in: &'static str) -> Column<R> {
        Column { stand_in: Some(stand_in), ..self }
    }

    /// Puts the column into a group: all columns of a group are blank in a row, or none is.
    #[must_use]
    pub fn of_group(self, group: &'static str) -> Column<R> {
        Column { group: Some(group), ..self }
    }

    /// Makes the column refuse values for which `possible` is false.
    #[must_use]
    pub fn only(self, possible: fn(&R) -> bool) -> Column<R> {
        let read = self.read;
        let read = move |row: &mut R, text: &str| read(row, text).filter(|()| possible(row));
        Column { read: Box::new(read), ..self }
    }

    /// Makes the column one of a larger row `Q` that has this row as a part. Without the part, the
    /// field is blank.
    pub fn within<Q: 'static>(
        self,
        get: impl Fn(&Q) -> Option<&R> + 'static,
        get_mut: impl Fn(&mut Q) -> &mut R + 'static,
    ) -> Column<Q> {
        let Column { name, meaning, added, group, stand_in, expected, write, read } = self;
        let write = move |row: &Q| get(row).map(&write).unwrap_or_default();
        let read = move |row: &mut Q, text: &str| read(get_mut(row), text);
        let column = Column::custom((name, meaning), expected, write, read);
        Column { added, group, stand_in, ..column }
    }

    /// The text of the field of a row.
    pub fn write(&self, row: &R) -> String {
        (self.write)(row)
    }

    /// Reads the field back into a row; none if the text is not a value of the column.
    pub fn read(&self, row: &mut R, text: &str) -> Option<()> {
        (self.read)(row, text)
    }
}

/// Makes a column of a field of the row: its name, its meaning, and the field.
macro_rules! column {
    ($name:expr, $meaning:expr, $($field:tt)+) => {
        $crate::records::Column::new(
            $name,
            $meaning,
            |row: &Self| &row.$($field)+,
            |row: &mut Self| &mut row.$($field)+,
        )
    };
}

pub(crate) use column;
