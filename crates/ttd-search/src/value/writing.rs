//! Writing: from any type that can be serialized to values.

use super::{Table, Value, ValueError};
use serde::Serialize;
use serde::ser::{Error, Impossible, SerializeMap, SerializeStruct, Serializer};

/// The table as which a value of a type is written.
///
/// # Errors
/// If it is not written as a table.
pub fn table_of<T: Serialize + ?Sized>(of: &T) -> Result<Table, ValueError> {
    match of.serialize(Writer)? {
        Value::Table(table) => Ok(table),
        other => Err(Error::custom(format_args!("a table expected, {other} found"))),
    }
}

impl Value {
    /// The value as which something is written.
    ///
    /// # Errors
    /// If it has no such form.
    pub fn of<T: Serialize + ?Sized>(of: &T) -> Result<Value, ValueError> {
        of.serialize(Writer)
    }
}

/// Writes one value.
struct Writer;

/// Implements methods of [`Writer`] for types that are values as they are.
macro_rules! plain {
    ($($method:ident: $type:ty => $variant:ident,)*) => {
        $(fn $method(self, value: $type) -> Result<Value, ValueError> {
            Ok(Value::$variant(value.into()))
        })*
    };
}

/// Implements methods of [`Writer`] for types that have no form here.
macro_rules! nothing {
    ($($method:ident($($type:ty),*) -> $result:ty;)*) => {
        $(fn $method(self, $(_: $type),*) -> Result<$result, ValueError> {
            Err(Error::custom("no value has this form"))
        })*
    };
}

type None = Impossible<Value, ValueError>;

impl Serializer for Writer {
    type Ok = Value;
    type Error = ValueError;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeSeq = None;
    type SerializeTuple = None;
    type SerializeTupleStruct = None;
    type SerializeTupleVariant = None;
    type SerializeStructVariant = None;

    plain! {
        serialize_bool: bool => Boolean,
        serialize_i8: i8 => Integer,
        serialize_i16: i16 => Integer,
        serialize_i32: i32 => Integer,
        serialize_i64: i64 => Integer,
        serialize_u8: u8 => Integer,
        serialize_u16: u16 => Integer,
        serialize_u32: u32 => Integer,
        serialize_f32: f32 => Float,
        serialize_f64: f64 => Float,
        serialize_char: char => String,
        serialize_str: &str => String,
    }

    nothing! {
        serialize_bytes(&[u8]) -> Value;
        serialize_none() -> Value;
        serialize_unit() -> Value;
        serialize_unit_struct(&'static str) -> Value;
        serialize_seq(Option<usize>) -> None;
        serialize_tuple(usize) -> None;
        serialize_tuple_struct(&'static str, usize) -> None;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> None;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> None;
    }

    fn serialize_u64(self, value: u64) -> Result<Value, ValueError> {
        let integer = i64::try_from(value).map(Value::Integer);
        integer.map_err(|_| Error::custom("a number from 2^63 on"))
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Value, ValueError> {
        Ok(variant.into())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, ValueError> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Value, ValueError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, ValueError> {
        Ok(Value::Table(Table::from_iter([(variant.to_owned(), value.serialize(self)?)])))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Entries, ValueError> {
        Ok(Entries::default())
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Entries, ValueError> {
        Ok(Entries::default())
    }
}

#[derive(Default)]
struct Entries {
    table: Table,
    /// The key of the value that comes next.
    key: String,
}

impl SerializeMap for Entries {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), ValueError> {
        match Value::of(key)? {
            Value::String(key) => self.key = key,
            other => return Err(Error::custom(format_args!("a key expected, {other} found"))),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        self.table.insert(std::mem::take(&mut self.key), Value::of(value)?);
        Ok(())
    }

    fn end(self) -> Result<Value, ValueError> {
        Ok(Value::Table(self.table))
    }
}

impl SerializeStruct for Entries {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), ValueError> {
        self.table.insert(key.to_owned(), Value::of(value)?);
        Ok(())
    }

    fn end(self) -> Result<Value, ValueError> {
        Ok(Value::Table(self.table))
    }
}
