//! Notes on missing parts.

use crate::report::Input;
use crate::report::figures::Cell;
use crate::report::numbers::count;

/// Notes on missing parts: the parts that were left out, and competitors without a base.
pub(crate) fn without(input: &Input) -> Vec<String> {
    input.left_out.sentence("").into_iter().chain(without_base(input)).collect()
}

/// The competitors with samples whose base has none.
fn without_base(input: &Input) -> Option<String> {
    let mut places = Vec::new();
    for of in input.figures.measured() {
        // The cell has times, and yet no speedup.
        let alone = |cell: &Cell| cell.ok + cell.censored > 0 && cell.speedup.is_none();
        let is_alone = |at: &usize| of.cells.iter().any(|cells| alone(&cells[*at]));
        let ids = &input.figures.positions;
        let missing: Vec<usize> = (0..ids.len()).filter(is_alone).collect();
        if let [first, rest @ ..] = missing.as_slice() {
            let more = match rest.len() {
                0 => String::new(),
                more => format!(" and {}", count(more, "other position")),
            };
            places.push(format!("{} at {}{more}", of.searcher, ids[*first]));
        }
    }
    (!places.is_empty()).then_some(format!(
        "**No base.** Speedups are relative to {}. This base has no samples with a time where \
         these cells have some: {}. The tables give the times of these cells, but no speedups.",
        input.figures.base,
        places.join("; ")
    ))
}
