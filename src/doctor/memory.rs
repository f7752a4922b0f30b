//! Memory, and how it is paged.

use super::checkup::{Checkup, known};
use super::finding::{Judged, Verdict};

/// The share of the available memory that the table may take. From the first limit on memory is
/// tight; beyond the second the table does not fit.
const TABLE: [f64; 2] = [0.75, 1.0];

pub(super) fn table(checkup: &Checkup) -> Judged {
    let wanted = checkup.hash_mib;
    let available = checkup.counted(|moment| &moment.memory_available_mib);
    match available {
        Err(why) => (Verdict::Unknown, format!("{why}; {wanted} MiB wanted")),
        Ok([available, _]) => {
            let share = wanted as f64 / (available as f64).max(1.0);
            (Verdict::of(share, TABLE), format!("{available} MiB available, {wanted} MiB wanted"))
        }
    }
}

pub(super) fn huge_pages(checkup: &Checkup) -> Judged {
    let text = &checkup.sitting.huge_pages;
    let verdict = if text.contains("[always]") || text.contains("[madvise]") {
        Verdict::Good
    } else if text.contains("[never]") {
        Verdict::Look
    } else {
        Verdict::Unknown
    };
    (verdict, known(text).unwrap_or_else(|why| why).to_owned())
}

pub(super) fn swapping(checkup: &Checkup) -> Judged {
    let pages = checkup.counted(|moment| &moment.pages_swapped_out);
    let words = |pages| format!("{pages} pages swapped out since the start");
    Verdict::of_counter(pages, words)
}
