//! The topics of a sweep's report, each with its figures, its columns, its words and its charts.
//!
//! A topic may use those that stand above it here, and nothing else of another topic:
//!
//! | topic | what it is about |
//! |---|---|
//! | `summary` | the columns of `summary.csv` and `speedups.csv`, which several show |
//! | `speedup` | speedups over positions, and position by position |
//! | `account` | where the lost speedup went |
//! | `spread` | how the times of a position are spread |
//! | `models` | models of speedup by threads |
//! | `by_depth` | speedup by depth |
//! | `by_tree` | speedup by the size of the tree |
//! | `strata` | speedup by the kind of position |
//! | `equal_quality` | times at equal quality of moves |
//! | `stability` | how alike runs are, and positions far from the others |
//! | `sittings` | whether the next sitting would find the same |
//! | `precision` | whether there are enough rounds |
//! | `memory` | the memory of each searcher, computed |
//! | `work_span` | work and critical path |
//! | `published` | what others published |
//! | `against` | figures of chosen studies |
//! | `sensitivity` | changed costs of the simulation |
//! | `explain` | where the speedup is lost: the ladder of idealised machines |
//! | `variants` | variants beside their reference |
//! | `comparisons` | who is faster than another |
//! | `games` | the match beside the speedups |

pub(crate) mod account;
pub(crate) mod against;
pub(crate) mod by_depth;
pub(crate) mod by_tree;
pub(crate) mod comparisons;
pub(crate) mod equal_quality;
pub(crate) mod explain;
pub(crate) mod games;
pub(crate) mod memory;
pub(crate) mod models;
pub(crate) mod precision;
pub(crate) mod published;
pub(crate) mod sensitivity;
pub(crate) mod sittings;
pub(crate) mod speedup;
pub(crate) mod spread;
pub(crate) mod stability;
pub(crate) mod strata;
pub(crate) mod summary;
pub(crate) mod variants;
pub(crate) mod work_span;

use crate::report::{Source, Topic};

/// All topics, in the order of the report; `summary` is none, as it only has columns. From this
/// list follow the outputs that a report writes, those that it removes, and its text.
pub(crate) const TOPICS: [&Topic<Source>; 20] = [
    &speedup::TOPIC,
    &variants::TOPIC,
    &comparisons::TOPIC,
    &account::TOPIC,
    &spread::TOPIC,
    &models::TOPIC,
    &by_depth::TOPIC,
    &by_tree::TOPIC,
    &strata::TOPIC,
    &equal_quality::TOPIC,
    &stability::TOPIC,
    &sittings::TOPIC,
    &precision::TOPIC,
    &memory::TOPIC,
    &work_span::TOPIC,
    &published::TOPIC,
    &against::TOPIC,
    &sensitivity::TOPIC,
    &explain::TOPIC,
    &games::TOPIC,
];
