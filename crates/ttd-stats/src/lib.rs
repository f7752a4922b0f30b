//! From samples to figures: pure functions on plain numbers. Nothing here knows what a searcher,
//! a file or a chart is.
//!
//! | module | what it holds |
//! |---|---|
//! | [`bounds`] | figures known to lie between two ends, and confidence intervals |
//! | [`summary`] | medians, quartiles, deviations, the numbers of a box plot |
//! | [`censoring`] | times of which only a lower bound is known, and what follows from them |
//! | [`speedups`] | speedups by position and over positions |
//! | [`bootstrap`] | intervals by resampling, seeded |
//! | [`ratios`] | ratios between contenders, paired over positions |
//! | [`wilcoxon`], [`holm`] | the signed-rank test; many tests at once |
//! | [`paired`] | whether one contender differs from another: verdicts |
//! | [`fits`] | models of speedup by threads: laws that compete, and trends |
//! | [`depth_trend`] | whether speedup grows with depth |
//! | [`drift`] | whether times rise or fall from round to round |
//! | [`agreement`] | how often runs agree on a move or a score |
//! | [`account`] | where the lost speedup went |
//! | [`reliability`] | how well single positions are known |
//! | [`least_squares`] | what things cost, from sums of many |
//! | [`work_span`] | time from work and critical path |
//! | [`elo`] | playing strength from the results of games |

pub mod account;
pub mod agreement;
pub mod bootstrap;
pub mod bounds;
pub mod censoring;
pub mod depth_trend;
pub mod drift;
pub mod elo;
pub mod fits;
pub mod holm;
pub mod least_squares;
mod minimise;
pub mod paired;
pub mod ratios;
pub mod reliability;
pub mod speedups;
pub mod summary;
pub mod wilcoxon;
pub mod work_span;

pub use account::{Account, Totals};
pub use bounds::Bounds;
pub use censoring::Timing;
pub use fits::Fit;
pub use minimise::minimise;
pub use speedups::{Base, Headline, Speedups, Sweep};
pub use work_span::WorkSpanFit;
