//! Notes on missing parts.

use crate::records::FORMAT;
use crate::report::Input;
use crate::report::figures::Cell;
use crate::report::numbers::{count, list};

/// Notes on missing parts: the parts that were left out, and competitors without a base.
pub(crate) fn without(input: &Input) -> Vec<String> {
    let left_out = input.left_out.sentence("");
    let all = [bad_lines, older_format, without_base];
    left_out.into_iter().chain(all.into_iter().filter_map(|note| note(input))).collect()
}

/// The lines of the position file that were no positions.
fn bad_lines(input: &Input) -> Option<String> {
    (input.lines_left_out > 0).then(|| {
        format!(
            "**Bad lines.** {} of the position file could not be read and {} left out (`--skip-bad`). \
             `positions.epd` has them as comments.",
            count(input.lines_left_out, "line"),
            if input.lines_left_out == 1 { "was" } else { "were" }
        )
    })
}

/// The things that a directory of an older format lacks.
fn older_format(input: &Input) -> Option<String> {
    let oldest = input.sittings.iter().map(|sitting| sitting.format).min()?;
    let mut lacks = vec![
        "the score and the best move of each iteration",
        "the nodes of speculation, which count as nodes of the tree",
    ];
    if input.cores.is_virtual() {
        lacks
            .push("rounds that differ by their places in the table, so that ci_runs is too narrow");
    }
    (oldest < FORMAT).then(|| {
        format!(
            "**Older format.** These samples are of format {oldest}, and format {FORMAT} is that of \
             this program. They lack {}.",
            list(&lacks)
        )
    })
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
