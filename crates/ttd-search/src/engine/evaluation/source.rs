//! The table of weights as a Rust file: the tuner writes `table.rs` by this.

use super::weights::{Slot, Weights};
use std::fmt::{Display, Write as _};

/// The number of weights on a line: in tables of squares, one rank of one wing.
const ON_A_LINE: usize = 4;

/// The text of the file `table.rs` with these weights. `origin` tells where the numbers come from.
pub fn rust_table(weights: &Weights, origin: &str) -> String {
    let mut text = String::from(
        "//! The weights of the evaluation, in centipawns. `ttd tune --out` writes this file.\n//!\n",
    );
    for line in origin.lines() {
        let _ = writeln!(text, "{}", format!("//! {line}").trim_end());
    }
    text.push_str(
        "
use super::taper::Taper;
use super::weights::Weights;

const fn t(middlegame: i32, endgame: i32) -> Taper {
    Taper::new(middlegame, endgame)
}

/// The weights of the program.
#[rustfmt::skip]
pub(super) static WEIGHTS: Weights = Weights {
",
    );
    for (name, slot) in weights.clone().slots() {
        let value = match slot {
            Slot::Tapers(tapers) => array(tapers, |t| format!("t({}, {})", t.mg(), t.eg())),
            Slot::Numbers(numbers) => array(numbers, i32::to_string),
        };
        let _ = writeln!(text, "    {name}: {value},");
    }
    text.push_str("};\n");
    text
}

/// The text of an array: one value alone, a few on a line, or several lines.
fn array<T, D: Display>(values: &[T], word: impl Fn(&T) -> D) -> String {
    let line = |values: &[T]| {
        values.iter().map(|value| word(value).to_string()).collect::<Vec<_>>().join(", ")
    };
    match values {
        [one] => line(std::slice::from_ref(one)),
        few if few.len() <= ON_A_LINE => format!("[{}]", line(few)),
        many => {
            let lines = many.chunks(ON_A_LINE).map(|values| format!("        {},\n", line(values)));
            format!("[\n{}    ]", lines.collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_as_the_tuner_writes_it() {
        let text = include_str!("table.rs");
        let lines = text.lines().skip(2).map_while(|line| line.strip_prefix("//!"));
        let origin: Vec<&str> = lines.map(str::trim_start).collect();
        assert!(!origin.is_empty(), "it says where its numbers are from");
        assert_eq!(rust_table(&Weights::own(), &origin.join("\n")), text);
    }

    #[test]
    fn values_stand_in_lines() {
        let text = |values: &[i32]| array(values, i32::to_string);
        assert_eq!(text(&[-7]), "-7");
        assert_eq!(text(&[1, 2]), "[1, 2]");
        assert_eq!(text(&[1, 2, 3, 4, 5]), "[\n        1, 2, 3, 4,\n        5,\n    ]");
    }
}
