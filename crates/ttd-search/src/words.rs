//! Enumerations whose values have words.

/// Declares an enumeration. Each of its values has a word, which stands for it in files and
/// outputs.
macro_rules! words {
    (
        $(#[$doc:meta])*
        pub enum $name:ident { $($(#[$of:meta])* $value:ident = $word:literal,)+ }
    ) => {
        $(#[$doc])*
        pub enum $name {
            $($(#[$of])* $value,)+
        }

        impl $name {
            /// Every value, in the order of the declaration.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$value),+];

            /// The word in files and outputs.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$value => $word,)+
                }
            }
        }
    };
}

pub(crate) use words;
