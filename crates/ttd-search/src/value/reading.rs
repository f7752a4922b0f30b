//! Reading: from values to any type that can be deserialized, and from any file format to values.

use super::data::{Table, Value, ValueError};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use std::collections::btree_map;
use std::fmt;

/// Reads a type from a table.
///
/// # Errors
/// An unknown key, or a value of the wrong type, in the words of `serde`.
pub fn read<T: DeserializeOwned>(table: Table) -> Result<T, ValueError> {
    T::deserialize(Value::Table(table))
}

impl Value {
    /// Reads a type from this value.
    ///
    /// # Errors
    /// A value of the wrong type, in the words of `serde`.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, ValueError> {
        T::deserialize(self)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

/// A visitor that takes any value.
struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid TOML value")
    }

    fn visit_bool<E>(self, on: bool) -> Result<Value, E> {
        Ok(Value::Boolean(on))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        i64::try_from(number).map(Value::Integer).map_err(|_| E::custom("u64 value was too large"))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(values)).map(Value::Array)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut table = Table::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            // A value without a kind of its own here, such as a date, comes as a table with one
            // such key.
            if key.starts_with("$__") {
                return Ok(value);
            }
            table.insert(key, value);
        }
        Ok(Value::Table(table))
    }
}

/// The entries of a table, one after another. An error in one of them names its key.
struct Entries {
    rest: btree_map::IntoIter<String, Value>,
    /// The entry whose key was taken and whose value was not.
    open: Option<(String, Value)>,
}

impl Entries {
    fn of(table: Table) -> Entries {
        Entries { rest: table.into_iter(), open: None }
    }
}

impl<'de> MapAccess<'de> for Entries {
    type Error = ValueError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ValueError> {
        self.open = self.rest.next();
        let Some((key, _)) = &self.open else { return Ok(None) };
        let name = key.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|why: ValueError| why.below(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, ValueError> {
        let (key, value) =
            self.open.take().ok_or_else(|| Error::custom("a value without a key"))?;
        seed.deserialize(value).map_err(|why| why.below(&key))
    }
}

impl IntoDeserializer<'_, ValueError> for Value {
    type Deserializer = Value;

    fn into_deserializer(self) -> Value {
        self
    }
}

impl<'de> Deserializer<'de> for Value {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match self {
            Value::Boolean(on) => visitor.visit_bool(on),
            Value::Integer(number) => visitor.visit_i64(number),
            Value::Float(number) => visitor.visit_f64(number),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(values) => visitor.visit_seq(SeqDeserializer::new(values.into_iter())),
            Value::Table(table) => visitor.visit_map(Entries::of(table)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        match self {
            Value::String(variant) => visitor.visit_enum(variant.into_deserializer()),
            Value::Table(table) => {
                visitor.visit_enum(MapAccessDeserializer::new(Entries::of(table)))
            }
            _ => Err(ValueError::invalid_type(Unexpected::UnitVariant, &"string only")),
        }
    }

    forward_to_deserialize_any! {
        bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 char str string unit seq bytes byte_buf map
        option newtype_struct
        unit_struct tuple_struct struct tuple ignored_any identifier
    }
}
