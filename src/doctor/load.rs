//! The use of the machine by other programs: processors; memory, and how it is paged.

use super::checkup::{Checkup, known};
use super::finding::{Judged, Verdict};

/// The mean number of processors in use by others: the first limit has an effect, the second spoils
/// a run.
const OTHERS: [f64; 2] = [0.05, 0.25];
/// The limits for the share of processor time that a hypervisor takes, likewise.
const STOLEN: [f64; 2] = [0.001, 0.01];
/// The number of other programs named at most. Each named one uses at least
/// `WORTH_NAMING` of a processor.
const NAMED: usize = 3;
const WORTH_NAMING: f64 = 0.01;

pub(super) fn others(checkup: &Checkup) -> Judged {
    match &checkup.load {
        Err(why) => (Verdict::Unknown, why.clone()),
        Ok(load) => {
            let named = load.by.iter().filter(|(_, cores)| *cores >= WORTH_NAMING).take(NAMED);
            let mut who: Vec<String> =
                named.map(|(name, cores)| format!("{name} {cores:.2}")).collect();
            let seen: f64 = load.by.iter().map(|(_, cores)| cores).sum();
            let unseen = load.others - seen;
            if unseen >= OTHERS[0] {
                who.push(format!("processes that are not seen from here {unseen:.2}"));
            }
            let who = if who.is_empty() { String::new() } else { format!(": {}", who.join(", ")) };
            (
                Verdict::of(load.others, OTHERS),
                format!("{:.2} cores in use by others{who}", load.others),
            )
        }
    }
}

pub(super) fn stolen(checkup: &Checkup) -> Judged {
    let machine = match checkup.condition.virtual_machine {
        Ok(true) => "a virtual machine; ",
        Ok(false) => "no virtual machine; ",
        Err(_) => "",
    };
    match &checkup.load {
        Err(why) => (Verdict::Unknown, format!("{machine}{why}")),
        Ok(load) => {
            let now = Verdict::of(load.stolen, STOLEN);
            let ever = load.ever_stolen >= STOLEN[0];
            let verdict = if now == Verdict::Good && ever { Verdict::Look } else { now };
            let percent = |share: f64| format!("{:.2}%", 100.0 * share);
            let (now, ever) = (percent(load.stolen), percent(load.ever_stolen));
            (verdict, format!("{machine}{now} of the time now, {ever} since the start"))
        }
    }
}

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
