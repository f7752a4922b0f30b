//! Reading: from values to any type that can be deserialized, and from any file format to values.

use super::{Table, Value, ValueError};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use std::collections::btree_map;
use std::{fmt, iter, vec};

/// Reads a type from a table.
///
/// # Errors
/// An unknown key, or a value of the wrong type, in the words of `serde`.
pub fn read<T: DeserializeOwned>(table: Table) -> Result<T, ValueError> {
    T::deserialize(Value::Table(table))
}

/// Resolves a table, and tells every mistake in it. A value that is refused is left out, and the
/// rest is resolved again. The result is that of the rest; none if even the rest has no meaning.
///
/// A mistake has the keys that it has in `table`.
pub fn resolve_all<T>(
    table: &Table,
    resolve: impl Fn(&Table) -> Result<T, ValueError>,
) -> (Option<T>, Vec<ValueError>) {
    let mut rest = Value::Table(table.clone());
    let (mut mistakes, mut left_out) = (Vec::new(), Vec::<Vec<String>>::new());
    while let Value::Table(of) = &rest {
        let mistake = match resolve(of) {
            Ok(resolved) => return (Some(resolved), mistakes),
            Err(mistake) => mistake,
        };
        let keys = keys_before(&rest, &mistake.keys, &left_out);
        mistakes.push(ValueError { keys: keys.clone(), what: mistake.what });
        // A key that the table lacks is told by the table that would hold it.
        let there = depth_of(&rest, &mistake.keys);
        if there == 0 {
            break;
        }
        rest.leave_out(&mistake.keys[..there]);
        left_out.push(keys[..there].to_vec());
    }
    (None, mistakes)
}

/// The keys as they were before some values were left out: behind an item that was left out, the
/// others moved up.
fn keys_before(rest: &Value, keys: &[String], left_out: &[Vec<String>]) -> Vec<String> {
    let (mut before, mut at) = (Vec::new(), Some(rest));
    for key in keys {
        let mut key_before = key.clone();
        if let (Some(Value::Array(_)), Ok(mut index)) = (at, key.parse::<usize>()) {
            let of_this = left_out.iter().filter(|keys| keys.len() == before.len() + 1);
            let of_this = of_this.filter(|keys| keys.starts_with(&before));
            let mut gone: Vec<usize> =
                of_this.filter_map(|keys| keys.last()?.parse().ok()).collect();
            gone.sort_unstable();
            for gone in gone {
                index += usize::from(gone <= index);
            }
            key_before = index.to_string();
        }
        at = at.and_then(|at| at.below(key));
        before.push(key_before);
    }
    before
}

/// The number of the keys, from the first on, that are there.
fn depth_of(value: &Value, keys: &[String]) -> usize {
    let below = iter::successors(Some((value, keys)), |(at, keys)| {
        let (first, rest) = keys.split_first()?;
        Some((at.below(first)?, rest))
    });
    below.count() - 1
}

impl Value {
    /// The value below this key. For an array it is the index, from 0.
    fn below(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Table(table) => table.get(key),
            Value::Array(items) => items.get(key.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// Removes the value below these keys, if it is there.
    fn leave_out(&mut self, keys: &[String]) {
        let Some((key, rest)) = keys.split_first() else { return };
        match (self, key.parse::<usize>(), rest) {
            (Value::Table(table), _, []) => drop(table.remove(key)),
            (Value::Table(table), ..) => {
                table.get_mut(key).into_iter().for_each(|inner| inner.leave_out(rest));
            }
            (Value::Array(items), Ok(index), []) if index < items.len() => {
                drop(items.remove(index));
            }
            (Value::Array(items), Ok(index), _) => {
                items.get_mut(index).into_iter().for_each(|inner| inner.leave_out(rest));
            }
            _ => {}
        }
    }

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

/// The items of an array, one after another. An error in one of them names its index.
struct Items {
    rest: iter::Enumerate<vec::IntoIter<Value>>,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = ValueError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ValueError> {
        let Some((index, item)) = self.rest.next() else { return Ok(None) };
        seed.deserialize(item).map(Some).map_err(|why| why.below(&index.to_string()))
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
            Value::Array(items) => visitor.visit_seq(Items { rest: items.into_iter().enumerate() }),
            Value::Table(table) => visitor.visit_map(Entries::of(table)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
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
        unit_struct tuple_struct struct tuple ignored_any identifier
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Whole {
        depth: Option<u8>,
        on: bool,
        parts: Vec<Part>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Part {
        name: String,
        many: Option<Vec<i64>>,
    }

    fn all(text: &str) -> (Option<Whole>, Vec<String>) {
        let table: Table = toml::from_str(text).expect("TOML");
        let (whole, mistakes) = resolve_all(&table, |table| read::<Whole>(table.clone()));
        let told = |why: ValueError| format!("{}: {}", why.keys.join("."), why.what);
        (whole, mistakes.into_iter().map(told).collect())
    }

    #[test]
    fn every_mistake_is_told_at_its_place() {
        let text = "dept = 3\ndepth = 300\non = 'x'\n\
                    [[parts]]\nname = 'a'\nmany = [1, 'x', 2, 'y']\n\
                    [[parts]]\nnam = 'b'\n\
                    [[parts]]\nname = 'c'\nmuch = 1\n";
        let (whole, mistakes) = all(text);
        let a = Part { name: "a".to_owned(), many: Some(vec![1, 2]) };
        let c = Part { name: "c".to_owned(), many: None };
        assert_eq!(whole, Some(Whole { parts: vec![a, c], ..Whole::default() }));
        assert_eq!(
            mistakes,
            [
                "dept: unknown key `dept`: did you mean `depth`?",
                "depth: invalid value: integer `300`, expected u8",
                "on: invalid type: string \"x\", expected a boolean",
                "parts.0.many.1: invalid type: string \"x\", expected i64",
                "parts.0.many.3: invalid type: string \"y\", expected i64",
                "parts.1.nam: unknown key `nam`: did you mean `name`?",
                "parts.1: missing field `name`",
                "parts.2.much: unknown key `much`, expected one of `name`, `many`",
            ]
        );
        assert_eq!(all("depth = 3"), (Some(Whole { depth: Some(3), ..Whole::default() }), vec![]));
    }

    #[test]
    fn what_cannot_be_left_out_ends_the_look() {
        let refuse = |_: &Table| Err::<(), _>(ValueError::at(&["not", "there"], "no"));
        let (none, mistakes) = resolve_all(&Table::new(), refuse);
        assert_eq!((none, mistakes.len()), (None, 1));
    }
}
