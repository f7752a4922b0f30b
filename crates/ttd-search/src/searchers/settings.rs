//! How a searcher declares its parameters; every searcher has those that say what its workers have in common
//! and how they wait.

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A parameter's key, its value, and the least and the most that it can be.
pub(super) type Number = (&'static str, i64, (i64, i64));

/// The longest time that a waiting worker may spin, microseconds.
pub(super) const MOST_SPIN_US: i64 = 1_000_000;

/// What the workers of a searcher have in common, and how they wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    /// Of the entries in the table.
    pub(super) table: Holding,
    /// Whether nobody reads a part of the table while another worker writes it.
    pub(super) locks_table: bool,
    /// Of the quiet moves that cut off lately.
    pub(super) killers: Sharing,
    /// Of the quiet moves' history.
    pub(super) history: Sharing,
    /// How long a waiting worker spins before it parks, microseconds; 0 when oversubscribed.
    pub(super) spin_us: u64,
    /// Whether one worker goes on at a time.
    pub(super) one_at_a_time: bool,
}

impl Conditions {
    /// Those of a worker who is alone.
    pub(super) const ALONE: Conditions = Conditions {
        table: Holding::Shared,
        locks_table: false,
        killers: Sharing::Private,
        history: Sharing::Private,
        spin_us: 0,
        one_at_a_time: false,
    };
}

/// Whether the table has locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableLock {
    /// None: what was torn is not found (Hyatt and Mann's exclusive or).
    Lockless,
    /// One for each part of the table.
    Locked,
}

/// Whose something is that workers learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// Everybody's.
    Shared,
    /// Each worker's own.
    Private,
    /// Each worker's own; who joins a split point takes over what its owner has.
    CopiedAtSplit,
}

/// The same where no worker takes a node over from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holding {
    /// Everybody's.
    Shared,
    /// Each worker's own.
    Private,
}

impl From<Holding> for Sharing {
    fn from(holding: Holding) -> Sharing {
        match holding {
            Holding::Shared => Sharing::Shared,
            Holding::Private => Sharing::Private,
        }
    }
}

impl<'de> Deserialize<'de> for Sharing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sharing, D::Error> {
        const ALL: [Sharing; 3] = [Sharing::Shared, Sharing::Private, Sharing::CopiedAtSplit];
        deserializer.deserialize_any(Named { all: &ALL, names: &NAMES })
    }
}

impl<'de> Deserialize<'de> for Holding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Holding, D::Error> {
        const ALL: [Holding; 2] = [Holding::Shared, Holding::Private];
        deserializer.deserialize_any(Named { all: &ALL, names: &NAMES[..2] })
    }
}

const NAMES: [&str; 3] = ["shared", "private", "copied-at-split"];

/// One of several by its name; the first two also by `true` and `false`, as `shared_history` once was.
struct Named<T: 'static> {
    all: &'static [T],
    names: &'static [&'static str],
}

impl<T: Copy> Visitor<'_> for Named<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of \"{}\"", self.names.join("\", \""))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        let index = self.names.iter().position(|known| *known == name);
        index.map(|i| self.all[i]).ok_or_else(|| E::unknown_variant(name, self.names))
    }

    fn visit_bool<E: de::Error>(self, shared: bool) -> Result<T, E> {
        Ok(self.all[usize::from(!shared)])
    }
}

/// The parameters of a searcher, to whom it does not matter which one.
pub(super) trait Parameters {
    /// Its numbers, and what they can be.
    fn numbers(&self) -> Vec<Number>;

    /// What its workers have in common, and how they wait.
    fn conditions(&self) -> Conditions;
}

/// Declares the `Settings` of the searcher of this name: each key with its type, its default and, of a number, the
/// least and the most that it can be. Every searcher says whose its `table`, `killers` and
/// `history` are; what else all have is added.
macro_rules! settings {
    ($searcher:literal; $(
        $(#[$doc:meta])* $key:ident: $type:ty = $default:expr $(, from $least:expr, to $most:expr)?;
    )*) => {
        #[doc = concat!("The parameters: `[searcher.", $searcher, "]`.")]
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Settings {
            $($(#[$doc])* pub $key: $type,)*
            /// Whether workers may read a part of the table while another writes it.
            pub table_access: super::settings::TableLock,
            /// How long a waiting worker spins before it parks, microseconds; 0 when oversubscribed.
            pub spin_us: u64,
            /// One worker goes on at a time, for debugging.
            pub sequential: bool,
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings {
                    $($key: $default,)*
                    table_access: super::settings::TableLock::Lockless,
                    spin_us: 200,
                    sequential: false,
                }
            }
        }

        impl super::settings::Parameters for Settings {
            #[allow(trivial_numeric_casts, clippy::cast_lossless, reason = "of several types")]
            fn numbers(&self) -> Vec<super::settings::Number> {
                vec![
                    $($((stringify!($key), self.$key as i64, ($least, $most)),)?)*
                    ("spin_us", self.spin_us as i64, (0, super::settings::MOST_SPIN_US)),
                ]
            }

            fn conditions(&self) -> super::settings::Conditions {
                super::settings::Conditions {
                    table: self.table,
                    locks_table: self.table_access == super::settings::TableLock::Locked,
                    killers: self.killers.into(),
                    history: self.history.into(),
                    spin_us: self.spin_us,
                    one_at_a_time: self.sequential,
                }
            }
        }
    };
}

pub(super) use settings;

/// The most moves that a position has.
pub(super) const MOST_MOVES: i64 = crate::engine::MAX_MOVES as i64;
/// The greatest depth, plies.
pub(super) const MOST_DEPTH: i64 = crate::search::MAX_DEPTH as i64;
/// No limit.
pub(super) const MANY: i64 = i64::MAX;
