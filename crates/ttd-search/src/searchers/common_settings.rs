//! The settings that every searcher has: how its workers share memory, and how they wait.

use crate::search::TableLock;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The settings that every searcher has: how its workers share memory, and how they wait.
#[derive(Clone, Copy, Debug)]
pub struct CommonSettings {
    /// The sharing of the entries in the table.
    pub table: Holding,
    /// The protection of the table's entries from workers that write at once.
    pub table_access: TableLock,
    /// The sharing of the killers: the quiet moves that cut off lately.
    pub killers: Sharing,
    /// The sharing of the quiet moves' history.
    pub history: Sharing,
    /// The sharing of the pawn records, where the engine has them.
    pub pawn_history: Holding,
    /// The least change of an entry in a history that several workers share; 0 without rounding.
    pub history_step: i32,
    /// The sharing of the corrections of static evaluations, where the engine has them.
    pub corrections: Holding,
    /// The time that a waiting worker spins before it parks, microseconds; 0 when oversubscribed.
    pub spin_us: u64,
    /// Whether one worker goes on at a time.
    pub one_at_a_time: bool,
}

impl CommonSettings {
    /// Whether the workers share no memory.
    ///
    /// # Errors
    /// The values that were expected.
    pub fn fits_messages(&self) -> Result<(), &'static str> {
        let shares = self.table == Holding::Shared
            || self.killers != Sharing::Private
            || self.history != Sharing::Private
            || self.pawn_history != Holding::Private;
        if shares {
            return Err("`private` expected for its `table`, `killers` and `history`: processes \
                 share no memory");
        }
        Ok(())
    }

    /// The settings of a worker that is alone.
    pub const ALONE: CommonSettings = CommonSettings {
        table: Holding::Shared,
        table_access: TableLock::Lockless,
        killers: Sharing::Private,
        history: Sharing::Private,
        pawn_history: Holding::Private,
        history_step: 0,
        corrections: Holding::Private,
        spin_us: 0,
        one_at_a_time: false,
    };
}

/// The way in which workers share memory that they learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// All workers share one.
    Shared,
    /// Each worker has its own.
    Private,
    /// Each worker has its own. A worker that joins a split point copies from its owner.
    CopiedAtSplit,
}

/// The ways to share where nothing can be copied at a split. That is so for the table, and for all
/// memory of a searcher whose workers never take over a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holding {
    /// All workers share one.
    Shared,
    /// Each worker has its own.
    Private,
}

impl Sharing {
    /// Shared if this is, and else as `other` says.
    pub const fn or(self, other: Holding) -> Holding {
        match self {
            Sharing::Shared => Holding::Shared,
            Sharing::Private | Sharing::CopiedAtSplit => other,
        }
    }
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

/// One of several values by its name. The first two are also read from `true` and `false`: the
/// older key `shared_history` had these values.
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
