//! The figures of a report, computed in one place from the samples. Files, tables and charts only
//! read them.
//!
//! | file | what it has |
//! |---|---|
//! | `grouping`, `iterations`, `detail` | the samples by cell, and what is known of each |
//! | `estimate`, `rows`, `models` | the figures of a cell, of a thread count, of a fitted model |
//! | `net` | speedups without credit for a smaller tree, and their base |
//! | `cooperation` | split points, joins, and work in vain |
//! | `searcher`, `all` | these of one searcher, and of a sweep: the source of the topics |

pub(crate) mod all;
pub(crate) mod cooperation;
pub(crate) mod detail;
pub(crate) mod estimate;
pub(crate) mod grouping;
pub(crate) mod iterations;
pub(crate) mod models;
pub(crate) mod net;
pub(crate) mod rows;
pub(crate) mod searcher;

pub use all::Figures;
pub(crate) use all::Measurements;
pub use cooperation::Cooperation;
pub use detail::{Detail, Spread};
pub use estimate::{Estimate, Intervals};
pub use grouping::Samples;
pub(crate) use grouping::timings;
pub use iterations::Iterations;
pub(crate) use models::WORTH;
pub use models::{Enough, FittedModel};
pub use net::NetRow;
pub(crate) use net::useful_nodes;
pub use rows::{Cell, Row};
pub use searcher::SearcherFigures;
