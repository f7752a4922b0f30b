//! The sets built into the program.

/// The sets built into the program: the name, and the text of the EPD file.
const SETS: [(&str, &str); 8] = [
    ("bratko-kopec", include_str!("../../../../positions/bratko-kopec.epd")),
    ("hyatt-dts", include_str!("../../../../positions/hyatt-dts.epd")),
    ("middlegames", include_str!("../../../../positions/middlegames.epd")),
    ("openings-4000", include_str!("../../../../positions/openings-4000.epd")),
    ("openings-8moves", include_str!("../../../../positions/openings-8moves.epd")),
    ("perft", include_str!("../../../../positions/perft.epd")),
    ("recursive-splitting", include_str!("../../../../positions/recursive-splitting.epd")),
    ("win-at-chess", include_str!("../../../../positions/win-at-chess.epd")),
];

/// The names of the sets built into the program.
pub fn set_names() -> Vec<&'static str> {
    SETS.iter().map(|(name, _)| *name).collect()
}

/// Whether `name` is a set built into the program.
pub fn is_built_in(name: &str) -> bool {
    built_in(name).is_some()
}

/// The text of a set built into the program.
pub(super) fn built_in(name: &str) -> Option<&'static str> {
    SETS.iter().find(|(set, _)| *set == name).map(|(_, text)| *text)
}
