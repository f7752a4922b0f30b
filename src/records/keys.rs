//! The keys of a TOML file, each declared once. A declaration has the key's type in a partial file,
//! its option, its default and its check. It also has the way it is written, and its row in a page.

use super::refusal::Refusal;
use super::sources::{Said, Sources};
use std::fmt::{Display, Write as _};
use std::ops::RangeInclusive;

/// A key as a page shows it.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The name in the file.
    pub name: &'static str,
    /// The words of its first column in the page; none: the name.
    pub cell: Option<&'static str>,
    /// Its type, in words.
    pub kind: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// Its default in words; none: the default as it is written in the file.
    pub default: Option<&'static str>,
    /// Whether another value by an option is another experiment, with another name.
    pub in_names: bool,
}

impl Key {
    /// The table of the keys for a page. `defaults` is a whole file.
    pub fn page(keys: &[Key], defaults: &toml::Table) -> String {
        let mut text = "| key | type | meaning | default |\n|---|---|---|---|\n".to_owned();
        for Key { name, cell, kind, meaning, default, .. } in keys {
            let cell = cell.map_or_else(|| format!("`{name}`"), str::to_owned);
            let written = || defaults.get(*name).map(|value| format!("`{value}`"));
            let default = default.map(str::to_owned).or_else(written).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {cell} | {kind} | {meaning} | {default} |");
        }
        text
    }
}

/// Takes a value as it was given.
#[allow(clippy::unnecessary_wraps, reason = "as all that take")]
pub(crate) fn as_said<D, T>(
    _sources: &Sources<'_, D>,
    _key: &str,
    said: Option<T>,
    default: T,
) -> Result<T, Refusal> {
    Ok(said.unwrap_or(default))
}

/// Takes a whole number that is in a range.
pub(crate) fn whole_in<D: Said, T: TryFrom<i64>>(
    range: RangeInclusive<i64>,
) -> impl FnOnce(&Sources<'_, D>, &str, Option<i64>, T) -> Result<T, Refusal> {
    number_in("", range, |value| T::try_from(value).ok())
}

/// Takes a number of seconds that is in a range.
pub(crate) fn seconds_in<D: Said>(
    range: RangeInclusive<f64>,
) -> impl FnOnce(&Sources<'_, D>, &str, Option<f64>, f64) -> Result<f64, Refusal> {
    number_in("seconds from ", range, Some)
}

fn number_in<D: Said, N: PartialOrd + Copy + Display, T>(
    unit: &'static str,
    range: RangeInclusive<N>,
    take: fn(N) -> Option<T>,
) -> impl FnOnce(&Sources<'_, D>, &str, Option<N>, T) -> Result<T, Refusal> {
    move |sources, key, said, default| {
        let Some(value) = said else { return Ok(default) };
        let taken = Some(value).filter(|value| range.contains(value)).and_then(take);
        taken.ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            sources.error(&[key], format!("{value} found, {unit}{least} to {most} expected"))
        })
    }
}

/// Reads any whole number of an option. The key itself checks whether it is possible.
pub(crate) fn whole(text: &str) -> Result<i64, String> {
    text.trim().parse().map_err(|_| "a whole number expected".to_owned())
}

/// Reads a text such as `3%` as the share that a file has: 0.03.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    number
        .map(|percent| percent / 100.0)
        .ok_or_else(|| "a percentage such as 3% expected".to_owned())
}

/// Reads any number of seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "a number of seconds expected".to_owned())
}

/// Declares a partial file, which is also the options that override it. Each key has its attributes
/// of clap (`skip`: there is no option) and of serde.
macro_rules! partial {
    (
        $(#[$of_partial:meta])* $Partial:ident;
        $($(#[$of_key:meta])+ $key:ident: $said:ty,)*
    ) => {
        $(#[$of_partial])*
        #[derive(Clone, Debug, Default, PartialEq, clap::Args, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "each is a key of the whole, or has its help")]
        pub struct $Partial {
            $($(#[$of_key])+ pub $key: Option<$said>,)*
        }

        impl $crate::records::Said for $Partial {
            fn over(self, other: $Partial) -> $Partial {
                $Partial { $($key: self.$key.or(other.$key),)* }
            }

            fn option(&self, keys: &[&str]) -> Option<String> {
                let key = *keys.first()?;
                let is_said = match key {
                    $(stringify!($key) => self.$key.is_some(),)*
                    _ => false,
                };
                let options = <$Partial as clap::Args>::augment_args(clap::Command::new(""));
                let long = options.get_arguments().find(|option| option.get_id() == key)?.get_long();
                long.filter(|_| is_said).map(|long| format!("--{long}"))
            }
        }
    };
}

/// Declares the keys of a file, in the order in which they are written. Each has
/// - its meaning, in the words of its page, its type in the resolved file and its default;
/// - `said`: its type in a partial file and in options;
/// - `page`: its words for a page. They are the type, the default (if it differs from the written
///   one) and the first column (if it is not the name);
/// - `called`: its name in the file, if that differs from the field's;
/// - `file`: how it is written, as attributes of serde;
/// - `taken`: how its value is checked and converted, if that needs only the value itself;
/// - `option`: its option with the help, as attributes of clap (`skip`: there is none). Another
///   value of one that is `named` is another experiment, with another name.
macro_rules! keys {
    (
        $(#[$of_whole:meta])* $Whole:ident;
        $(#[$of_partial:meta])* $Partial:ident;
        $(
            $(#[doc = $meaning:literal])+
            $key:ident: $type:ty = $default:expr;
                said $said:ty;
                page $kind:literal $(, default $default_words:literal)? $(, key $cell:literal)?;
                $(called $called:literal;)?
                $(file $file:meta;)?
                $(taken $take:expr;)?
                option $($named:ident)? { $(#[$option:meta])+ }
        )*
    ) => {
        $(#[$of_whole])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $Whole {
            $(
                $(#[doc = $meaning])+
                $(#[serde(rename = $called)])?
                $(#[$file])?
                pub $key: $type,
            )*
        }

        impl Default for $Whole {
            fn default() -> $Whole {
                $Whole { $($key: $default,)* }
            }
        }

        $crate::records::partial! {
            $(#[$of_partial])* $Partial;
            $($(#[serde(rename = $called)])? $(#[$option])+ $key: $said,)*
        }

        impl $Whole {
            /// Every key, in the order in which they are written.
            pub const KEYS: &[$crate::records::Key] = &[$(
                $crate::records::Key {
                    name: $crate::records::keys!(@either $($called)?, stringify!($key)),
                    cell: $crate::records::keys!(@maybe $($cell)?),
                    kind: $kind,
                    meaning: concat!($($meaning),+).trim_ascii(),
                    default: $crate::records::keys!(@maybe $($default_words)?),
                    in_names: $crate::records::keys!(@is $($named)?),
                },
            )*];

            /// The defaults, with the given values of the keys that need only these values. A value
            /// that is refused is kept in `wrong`.
            pub(super) fn begun(
                sources: &$crate::records::Sources<'_, $Partial>,
                said: &$Partial,
                wrong: &mut $crate::records::Refusals,
            ) -> $Whole {
                let mut whole = $Whole::default();
                $($(
                    let taken = $take(sources, stringify!($key), said.$key.clone(), $default);
                    whole.$key = wrong.take(taken).unwrap_or($default);
                )?)*
                whole
            }
        }
    };
    (@either $called:literal, $key:expr) => { $called };
    (@either , $key:expr) => { $key };
    (@is) => { false };
    (@is $is:ident) => { true };
    (@maybe) => { None };
    (@maybe $some:expr) => { Some($some) };
}

pub(crate) use {keys, partial};
