//! The declaration of a searcher's parameters. Every searcher has those of
//! [`CommonSettings`](super::CommonSettings).

/// Declares the `Settings` of the searcher of this name: the idea of the searcher, its source, and
/// its keys. Each key has a type and a default; a number has also the least and the most that it
/// can be.
///
/// A type is a number, `bool`, or a type that `serde` writes as one word and reads from it. A
/// default is a constant. Every searcher declares its `table`, `killers` and `history`; the macro
/// adds the other keys that all have. A key may have an older name: `history or "shared_history"`.
/// [`Rule`](crate::searchers::Rule) has an example.
#[macro_export]
macro_rules! settings {
    ($searcher:literal; about: $about:literal; source: $source:literal; $($own:tt)*) => {
        $crate::settings! { @all $searcher, $about, $source;
            $($own)*
            /// The protection of the table's entries from workers that write at once.
            table_access: $crate::searchers::TableLock = $crate::searchers::TableLock::Lockless;
            /// The sharing of the corrections of static evaluations, where the engine has them.
            /// They are private where the searcher can run by messages alone.
            corrections: $crate::searchers::Holding = $crate::searchers::Holding::Shared;
            /// How long a waiting worker spins before it parks, microseconds; 0 when
            /// oversubscribed.
            spin_us: u64 = 200, from 0, to $crate::searchers::MOST_SPIN_US;
            /// One worker goes on at a time, for debugging.
            sequential: bool = false;
        }
    };
    (@all $searcher:literal, $about:literal, $source:literal; $(
        $(#[$doc:meta])* $key:ident $(or $older:literal)?: $type:ty = $default:expr
        $(, from $least:expr, to $most:expr)?;
    )*) => {
        #[doc = concat!("The parameters: `[searcher.", $searcher, "]`.")]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Settings {
            $($(#[$doc])* pub $key: $type,)*
        }

        impl Settings {
            /// The defaults.
            pub const DEFAULT: Settings = Settings { $($key: $default,)* };
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings::DEFAULT
            }
        }

        impl $crate::searchers::Parameters for Settings {
            fn name(&self) -> &'static str {
                $searcher
            }

            fn description(&self) -> &'static $crate::searchers::Description {
                &$crate::searchers::Description { about: $about, source: $source }
            }

            fn fields(&self) -> &'static [$crate::searchers::Field] {
                const FIELDS: &[$crate::searchers::Field] = &[$($crate::searchers::Field {
                    key: stringify!($key),
                    older: [$($older,)? ""][0],
                    range: [$(Some(($least, $most)),)? None][0],
                },)*];
                FIELDS
            }

            fn get(&self, key: &str) -> Option<$crate::value::Value> {
                match key {
                    $(stringify!($key) => $crate::value::Value::of(&self.$key).ok(),)*
                    _ => None,
                }
            }

            fn set(
                &mut self,
                key: &str,
                value: $crate::value::Value,
            ) -> Result<(), $crate::value::ValueError> {
                match key {
                    $(stringify!($key) => self.$key = value.read()?,)*
                    _ => {}
                }
                Ok(())
            }

            fn common_settings(&self) -> $crate::searchers::CommonSettings {
                $crate::searchers::CommonSettings {
                    table: self.table,
                    table_access: self.table_access,
                    killers: self.killers.into(),
                    history: self.history.into(),
                    pawn_history: $crate::searchers::Sharing::from(self.history)
                        .or($crate::searchers::Algorithm::pawn_history(self)),
                    history_step: $crate::searchers::Algorithm::history_step(self),
                    corrections: self.corrections,
                    spin_us: self.spin_us,
                    one_at_a_time: self.sequential,
                }
            }

            fn boxed(&self) -> Box<dyn $crate::searchers::Algorithm> {
                Box::new(self.clone())
            }
        }
    };
}

/// The most moves that a position has.
pub const MOST_MOVES: i64 = crate::engine::MAX_MOVES as i64;
/// The greatest depth, plies.
pub const MOST_DEPTH: i64 = crate::search::MAX_DEPTH as i64;
/// The greatest size of an entry in a history.
pub const MOST_RECORD: i64 = crate::engine::History::LIMIT as i64;
/// The longest time that a waiting worker may spin, microseconds.
pub const MOST_SPIN_US: i64 = 1_000_000;
/// No limit.
pub const MANY: i64 = i64::MAX;
