//! Memory, and how it is paged.

use super::checkup::{Checkup, known};
use super::finding::{Finding, Verdict};

/// The share of the available memory that the table may take. From the first limit on memory is
/// tight; beyond the second the table does not fit.
const TABLE: [f64; 2] = [0.75, 1.0];

pub(super) fn table(checkup: &Checkup) -> Finding {
    let wanted = checkup.hash_mib;
    let available = checkup.counted(|moment| &moment.memory_available_mib);
    let (verdict, read) = match available {
        Err(why) => (Verdict::Unknown, format!("{why}; {wanted} MiB wanted")),
        Ok([available, _]) => {
            let share = wanted as f64 / (available as f64).max(1.0);
            (Verdict::of(share, TABLE), format!("{available} MiB available, {wanted} MiB wanted"))
        }
    };
    Finding {
        check: "memory",
        verdict,
        read,
        effect: "a table that does not fit is refused, or swapped out; one that fills to more than 30% forgets \
                 what the search needs",
        remedy: "a smaller --hash, or end what takes the memory (`free -m`)".to_owned(),
    }
}

pub(super) fn huge_pages(checkup: &Checkup) -> Finding {
    let text = &checkup.sitting.huge_pages;
    let verdict = if text.contains("[always]") || text.contains("[madvise]") {
        Verdict::Good
    } else if text.contains("[never]") {
        Verdict::Look
    } else {
        Verdict::Unknown
    };
    Finding {
        check: "huge pages",
        verdict,
        read: known(text).unwrap_or_else(|why| why).to_owned(),
        effect: "the table asks for huge pages. Without them most look-ups also wait for a page's \
                 address, and more so in a larger table",
        remedy: "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled".to_owned(),
    }
}

pub(super) fn swapping(checkup: &Checkup) -> Finding {
    let pages = checkup.counted(|moment| &moment.pages_swapped_out);
    let words = |pages| format!("{pages} pages swapped out since the start");
    let (verdict, read) = Verdict::of_counter(pages, words);
    Finding {
        check: "swapping",
        verdict,
        read,
        effect: "a search that waits for a disk is timed with it",
        remedy: "end what takes the memory, a smaller --hash, or: sudo swapoff -a".to_owned(),
    }
}
