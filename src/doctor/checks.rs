//! All checks, in their order.

use super::checkup::Checkup;
use super::finding::Finding;
use super::{load, memory, processors, timing};

/// The findings of all checks, always in one order.
pub fn findings(checkup: &Checkup) -> Vec<Finding> {
    vec![
        processors::build(checkup),
        processors::cores(checkup),
        processors::quota(checkup),
        processors::governor(checkup),
        processors::boost(checkup),
        processors::shared_cores(checkup),
        processors::heat(checkup),
        load::others(checkup),
        load::stolen(checkup),
        memory::table(checkup),
        memory::huge_pages(checkup),
        memory::swapping(checkup),
        timing::clock(checkup),
        timing::steady(checkup),
        timing::side_by_side(checkup),
    ]
}
